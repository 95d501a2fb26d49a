import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CancellationToken, TextDocument } from 'vscode';
import type { LineOrigin } from '../../../src/core/index';
import type * as lensesModule from '../../../src/lineOrigins/originLenses';
import { entryId } from '../../fixtures/build';
import { fakeEditor, Uri } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

describe('The lenses above functions and classes', () => {
  class Range {
    constructor(
      readonly start: { readonly line: number },
      readonly end: { readonly line: number },
    ) {}
  }
  const [CLASS, METHOD, CONSTRUCTOR, FUNCTION, VARIABLE] = [4, 5, 8, 11, 12];
  const range = (from: number, to: number): Range => new Range({ line: from - 1 }, { line: to - 1 });
  const origin: LineOrigin = { from: 4, to: 9, path: '/s.jsonl', entryId: entryId(2), time: 0, certainty: 'exact' };

  const unexpected = (): never => {
    throw new Error('Only a lens in sight reads sessions');
  };

  /** Returns the lines of the lenses, from 1, for what the editor knows of a document whose lines 4 to 9 a session wrote. */
  async function linesOf(symbols: unknown): Promise<number[]> {
    const { api } = fakeEditor();
    const { OriginLenses } = loadWithVscode(join(__dirname, '../../../src/lineOrigins/originLenses.js'), {
      ...api,
      Range,
      CodeLens: class {
        constructor(readonly range: Range) {}
      },
      SymbolKind: { Class: CLASS, Method: METHOD, Constructor: CONSTRUCTOR, Function: FUNCTION },
      commands: { ...api.commands, executeCommand: () => Promise.resolve(symbols) },
    }) as typeof lensesModule;
    const lenses = new OriginLenses({
      origins: { of: () => Promise.resolve([origin]), onDidChange: new FakeEmitter<void>().event },
      session: unexpected,
      log: { warnOnce: unexpected, error: unexpected },
    });
    const token = { isCancellationRequested: false } as CancellationToken;
    const found = await lenses.provideCodeLenses({ uri: Uri.file('/work/a.ts') } as unknown as TextDocument, token);
    return found.map((lens) => lens.range.start.line + 1);
  }

  it('are at those that contain lines of sessions, nested ones included', async () => {
    const symbols = [
      { kind: FUNCTION, range: range(1, 3), children: [] },
      {
        kind: CLASS,
        range: range(4, 30),
        children: [
          { kind: METHOD, range: range(5, 8), children: [] },
          { kind: VARIABLE, range: range(9, 9), children: [] },
          { kind: METHOD, range: range(10, 20), children: [] },
        ],
      },
    ];
    assert.deepEqual(await linesOf(symbols), [4, 5]);
  });

  it('are also there for providers that give flat lists', async () => {
    const symbols = [
      { kind: FUNCTION, location: { range: range(2, 4) } },
      { kind: FUNCTION, location: { range: range(12, 14) } },
    ];
    assert.deepEqual(await linesOf(symbols), [2]);
  });

  it('are none in a language without a provider', async () => {
    assert.deepEqual(await linesOf(undefined), []);
  });
});
