import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CancellationToken, MarkdownString, TextDocument } from 'vscode';
import type { Catalog } from '../../../src/core/index';
import { LineTexts } from '../../../src/core/format/lineOrigins/lineTexts';
import type * as originsModule from '../../../src/lineOrigins/documentOrigins';
import type * as hoverModule from '../../../src/lineOrigins/originHover';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor, Uri } from '../../fixtures/fakeEditor';
import { manyChanges } from '../../fixtures/manyChanges';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

/** Counts what is asked of lines, until it's stopped. */
function countLines(): { count: number; readonly stop: () => void } {
  // oxlint-disable-next-line typescript/unbound-method -- they are called with their object
  const { numberOf, text, isDistinctive, shapeOf } = LineTexts.prototype;
  const asked = { count: 0, stop: () => void Object.assign(LineTexts.prototype, { numberOf, text, isDistinctive, shapeOf }) };
  const methods: Record<string, (this: LineTexts, line: never) => unknown> = { numberOf, text, isDistinctive, shapeOf };
  for (const [name, of] of Object.entries(methods))
    Object.assign(LineTexts.prototype, {
      [name](this: LineTexts, line: never) {
        asked.count++;
        return of.call(this, line);
      },
    });
  return asked;
}

describe('The origins of a document’s lines', () => {
  const store = testCatalog();
  const cwd = '/work/nowhere';
  const { DocumentOrigins } = loadWithVscode(
    join(__dirname, '../../../src/lineOrigins/documentOrigins.js'),
    fakeEditor().api,
  ) as typeof originsModule;
  const logged: string[] = [];
  const changes = new FakeEmitter<void>();
  let progress: { done: number; total: number } = { done: 0, total: 0 };
  let opened = 0;
  const create = (open: () => Promise<Catalog | undefined>): originsModule.DocumentOrigins => {
    logged.length = opened = 0;
    progress = { done: 0, total: 0 };
    return new DocumentOrigins({
      catalog: {
        catalog: () => {
          opened++;
          return open();
        },
        progress: () => progress,
        onDidChangeSessions: changes.event,
      },
      log: { warnOnce: (text) => logged.push(text), error: (error) => logged.push(String(error)) },
    });
  };
  const written = async (): Promise<Catalog> =>
    store.open({ a: session({ cwd }).user('w').tool('write', { path: 'a.ts', content: 'const one = 1;\nconst two = 2;\n' }) });
  const document = (text: string, uri: object = { scheme: 'file', fsPath: join(cwd, 'a.ts') }): TextDocument & { text: string } => {
    const made = { uri, version: 1, text, getText: () => made.text };
    return made as unknown as TextDocument & { text: string };
  };
  const change = (one: TextDocument, text: string): void => void Object.assign(one, { text, version: one.version + 1 });
  /** A token, and a function that cancels it. */
  const cancellation = (): { token: CancellationToken; cancel: () => void } => {
    const emitter = new FakeEmitter<void>();
    const token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
    return {
      token: token,
      cancel: () => {
        token.isCancellationRequested = true;
        emitter.fire();
      },
    };
  };

  it('are those of its unsaved text', async () => {
    const catalog = await written();
    const origins = create(() => Promise.resolve(catalog));
    const unsaved = document('// mine\nconst two = 2;');
    const ranges = async (): Promise<unknown[]> => (await origins.of(unsaved)).map(({ from, to, entryId: id }) => [from, to, id]);
    assert.deepEqual(await ranges(), [[2, 2, entryId(2)]]);
    change(unsaved, 'const one = 1;\nconst two = 2;');
    assert.deepEqual(await ranges(), [[1, 2, entryId(2)]]);
    assert.deepEqual(logged, []);
  });

  /** Returns a file's lines, and a catalog with a session that changed them by one patch with so many hunks. */
  async function patched(changes: number) {
    const { lines, hunks } = manyChanges(changes);
    const input = ['*** Begin Patch', '*** Update File: a.ts', ...hunks, '*** End Patch'].join('\n');
    const written = session({ cwd })
      .user('w')
      .tool('write', { path: 'a.ts', content: lines.join('\n') });
    return { lines, catalog: await store.open({ a: written.tool('apply_patch', { input }) }) };
  }

  it('end quickly with too many changes, until a caller that goes on has found them', async () => {
    const { lines, catalog } = await patched(2000);
    const origins = create(() => Promise.resolve(catalog));
    const one = document(lines.join('\n'));
    assert.equal(await origins.quick(one), 'too many changes');
    assert.equal(await origins.quick(one), 'too many changes');
    assert.equal(opened, 1);
    const found = await origins.of(one);
    assert.notEqual(found.length, 0);
    assert.equal(await origins.quick(one), found);
    change(one, `// mine\n${one.text}`);
    assert.notEqual(await origins.quick(one), 'too many changes', 'typing doesn’t replay them again');
    assert.deepEqual(logged, []);
  });

  it('end in a hover after a bounded amount of work, which then says so, however many changes there are', async () => {
    const counts: number[] = [];
    for (const changes of [2_000, 20_000]) {
      const { lines, catalog } = await patched(changes);
      const origins = create(() => Promise.resolve(catalog));
      const { OriginHover } = loadWithVscode(join(__dirname, '../../../src/lineOrigins/originHover.js'), {
        ...fakeEditor().api,
        Hover: class {
          constructor(readonly contents: unknown) {}
        },
      }) as typeof hoverModule;
      const unused = (): never => {
        throw new Error('A hover without an origin needs nothing else');
      };
      const deps = { origins, session: unused, text: {} as never, escapeMarkdown: unused, log: { warnOnce: unused, error: unused } };
      const code = Object.assign(document(lines.join('\n')), { uri: Uri.file(join(cwd, 'a.ts')) });
      const asked = countLines();
      try {
        const hover = await new OriginHover(deps).provideHover(code, { line: 5 } as never, cancellation().token);
        const { value } = hover!.contents as unknown as MarkdownString;
        assert.match(value, /^Too many changes to find this line’s origin quickly\.\n\n\[All Edits of This Line\]/);
        counts.push(asked.count);
        if (changes === 2_000) assert.notEqual((await origins.of(code)).length, 0);
      } finally {
        asked.stop();
      }
      if (changes === 2_000) assert.ok(asked.count > 2 * counts[0]!, `${String(counts[0])} of ${String(asked.count)} lines`);
    }
    assert.ok(counts[1]! < 15 * counts[0]!, counts.join());
    assert.deepEqual(logged, []);
  });

  it('are found once for all callers, until the document or the sessions change', async () => {
    const catalog = await written();
    const origins = create(() => Promise.resolve(catalog));
    const one = document('const one = 1;');
    const [first, second] = await Promise.all([origins.of(one), origins.of(one)]);
    assert.equal(first.length, 1);
    assert.equal(second, first);
    await origins.of(one);
    assert.equal(opened, 1);
    let fired = 0;
    origins.onDidChange(() => fired++);
    changes.fire();
    assert.equal(fired, 1);
    await origins.of(one);
    assert.equal(opened, 2);
    change(one, 'const two = 2;');
    await origins.of(one);
    assert.equal(opened, 3);
    origins.dispose();
  });

  it('are found again while sessions are being read', async () => {
    const catalog = await written();
    const origins = create(() => Promise.resolve(catalog));
    const one = document('const one = 1;');
    progress = { done: 1, total: 2 };
    await origins.of(one);
    await origins.of(one);
    assert.equal(opened, 2);
  });

  it('aren’t looked for any longer once no caller needs them', async () => {
    let give: (catalog: Catalog) => void = () => undefined;
    const origins = create(() => new Promise((resolve) => (give = resolve)));
    const one = document('const one = 1;');
    const [a, b] = [cancellation(), cancellation()];
    const results = [origins.of(one, a.token), origins.of(one, b.token)];
    a.cancel();
    assert.deepEqual(await results[0], []);
    const catalog = await written();
    const asked: string[] = [];
    const watched = { ...catalog, touching: (file: string) => (asked.push(file), catalog.touching(file)), files: () => catalog.files() };
    b.cancel();
    give(watched);
    assert.deepEqual(await results[1], []);
    assert.deepEqual(asked, []);
    // A later caller isn't given the result that was given up.
    const later = origins.of(one);
    give(catalog);
    assert.equal((await later).length, 1);
    assert.deepEqual(await origins.of(one, a.token), []);
  });

  it('are given to a caller that stays when another one leaves', async () => {
    let give: (catalog: Catalog) => void = () => undefined;
    const origins = create(() => new Promise((resolve) => (give = resolve)));
    const one = document('const one = 1;');
    const a = cancellation();
    const left = origins.of(one, a.token);
    const stays = origins.of(one);
    a.cancel();
    give(await written());
    assert.equal((await stays).length, 1);
    assert.deepEqual(await left, []);
  });

  it('are empty for what is no text file, and failures are only logged', async () => {
    const catalog = await written();
    const origins = create(() => Promise.resolve(catalog));
    assert.deepEqual(await origins.of(document('const one = 1;', { scheme: 'git', fsPath: join(cwd, 'a.ts') })), []);
    assert.equal(opened, 0);
    assert.deepEqual(await origins.of(document('const one = 1;\0')), []);
    assert.match(logged.join('\n'), /^Can’t find the origin of lines because this file isn’t text: .*a\.ts$/);
    const bug = create(() => Promise.reject(new TypeError('bug')));
    assert.deepEqual(await bug.of(document('x')), []);
    assert.deepEqual(logged, ['TypeError: bug']);
  });

  it('are none in a catalog that this or another window has cleared, and are found once it is filled again', async () => {
    const found: Catalog[] = [];
    const origins = create(() => Promise.resolve(found[0]));
    const code = document('const one = 1;\nconst two = 2;\n');
    assert.deepEqual(await origins.of(code), []);
    found.push(await written());
    changes.fire();
    assert.equal((await origins.of(code)).length, 1);
    origins.dispose();
  });
});
