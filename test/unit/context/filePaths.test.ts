import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UntrustedPaths } from '../../../src/core/index';
import type * as filePathsModule from '../../../src/context/host/panel/filePaths';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}
class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

describe('Files that a session names', () => {
  const folder = testFolder();

  /** Opens what a text names, and returns the start and the end of the selection, counted from 0 as in the editor. */
  async function openedAt(text: string): Promise<unknown> {
    const opened: { readonly selection?: Range }[] = [];
    const { openFile } = loadWithVscode(join(__dirname, '../../../src/context/host/panel/filePaths.js'), {
      Position,
      Range,
      commands: { executeCommand: (_id: string, _uri: unknown, options: object) => Promise.resolve(void opened.push(options)) },
      window: { visibleTextEditors: [] },
    }) as typeof filePathsModule;
    assert.ok(await openFile(text, folder.path, new UntrustedPaths(), (path) => path as never));
    assert.equal(opened.length, 1);
    const { selection } = opened[0]!;
    return selection && [selection.start, selection.end].map(({ line, character }) => [line, character]);
  }

  it('open at the named line and column, which texts count from 1', async () => {
    writeFileSync(join(folder.path, 'named.ts'), 'one\ntwo\nthree\n');
    assert.deepEqual(await openedAt('named.ts:3:5'), [
      [2, 4],
      [2, 4],
    ]);
    assert.deepEqual(await openedAt('named.ts:2'), [
      [1, 0],
      [1, 0],
    ]);
    assert.equal(await openedAt('named.ts'), undefined);
  });
});
