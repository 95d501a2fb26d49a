import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openCatalog, type Catalog, type CatalogOptions, type Root } from '../../../src/core/index';
import { findNewestFiles, sessionFolders } from '../../../src/core/catalog/refresh/newestFiles';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('the newest files of a new store', () => {
  const folder = testFolder();
  const root = (): Root => ({ path: join(folder.path, 'sessions'), dialect: 'pi', flat: false });
  /** Names that begin with a time: the higher the number, the later. */
  const named = (number: number): string => `2026-01-${String(10 + number)}T08-00-00-000Z_s${number}.jsonl`;

  /** Writes a file. @param changed seconds since 1970 */
  function put(project: string, name: string, changed: number, text = session().user(`${project} ${name}`).text()): string {
    const path = join(root().path, project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, changed, changed);
    return path;
  }

  const found = async (least: number, roots = [root()]): Promise<string[]> =>
    (await findNewestFiles(await sessionFolders(roots), least, 3)).map(({ path }) => `${basename(dirname(path))}/${basename(path)}`);

  it('are the newest of each folder, and then the others by the time of their last change', async () => {
    put('a', named(1), 500);
    put('a', named(2), 100);
    put('a', named(3), 400);
    put('b', named(1), 200);
    put('b', named(2), 300);
    assert.deepEqual(await found(2), [`a/${named(1)}`, `b/${named(2)}`]);
    assert.deepEqual(await found(4), [`a/${named(1)}`, `b/${named(2)}`, `a/${named(3)}`, `b/${named(1)}`]);
    assert.equal((await found(20)).length, 5);
  });

  it('are in the folders that got a file last, and have the latest names', async () => {
    for (let project = 0; project < 45; project++) {
      for (let number = 0; number < 5; number++) put(`p${project}`, named(number), 1000 + number);
      utimesSync(join(root().path, `p${project}`), project, project);
    }
    const first = await found(20);
    assert.deepEqual(first.sort(), Array.from({ length: 40 }, (_, at) => `p${at + 5}/${named(4)}`).sort());
    // Each of 40 folders has two candidates.
    assert.deepEqual(new Set((await found(100)).map((path) => basename(path))), new Set([named(3), named(4)]));
  });

  it('are sessions alone, with times in their names', async () => {
    put('a', named(1), 100);
    for (const name of ['uuid.jsonl', '.2026-01-11T08-00-00-000Z_x.jsonl', `${named(2)}.zst`, named(3).replace('.jsonl', '.reset.1.jsonl')])
      put('a', name, 200);
    mkdirSync(join(root().path, 'a', named(4)));
    put(`a/${named(1).replace('.jsonl', '')}`, named(5), 300);
    assert.deepEqual(await found(20), [`a/${named(1)}`]);
  });

  it('are in flat roots, too, but not where only some files are sessions, or where nothing is', async () => {
    put('a', named(1), 100);
    const flat = { ...root(), path: join(root().path, 'a'), flat: true };
    assert.deepEqual(await found(20, [flat]), [`a/${named(1)}`]);
    assert.deepEqual(await found(20, [flat, root()]), [`a/${named(1)}`]);
    assert.deepEqual(
      await found(20, [
        { ...flat, names: [named(1)] },
        { ...root(), path: join(folder.path, 'nothing') },
      ]),
      [],
    );
  });

  describe('in a catalog', () => {
    let opened: Catalog | undefined;
    afterEach(() => opened?.close());
    const open = async (options: Partial<CatalogOptions> = {}): Promise<Catalog> =>
      (opened = await openCatalog({ roots: [root()], cacheDir: join(folder.path, 'cache'), background: false, ...options }));

    it('have rows at once, which are completed with those of the other files', async () => {
      for (let project = 0; project < 25; project++) for (let number = 0; number < 3; number++) put(`p${project}`, named(number), number);
      const other = put('p0', 'old.jsonl', 1);
      const catalog = await open();
      const first = await catalog.sessions();
      assert.deepEqual(new Set(first.map(({ path }) => basename(path))), new Set([named(2)]));
      assert.deepEqual([first.length, first.every(({ complete, firstMessage }) => !complete && firstMessage.startsWith('p'))], [25, true]);
      const { changed } = await catalog.refresh();
      assert.deepEqual([changed.length, catalog.files().size], [76, 76]);
      assert.ok((await catalog.sessions()).every(({ complete }) => complete));
      assert.ok(catalog.files().has(other));
    });

    it('have the first words of a person, also in a long line behind a long system prompt', async () => {
      const long = (text: string): string => `${text} ${'word '.repeat(1000)}`;
      const lines = [
        { type: 'session', version: 3, id: 's', timestamp: '2026-01-11T08:00:00.000Z', cwd: '/work' },
        { type: 'message', id: 'a', parentId: null, message: { role: 'system', content: long('You say "user".') } },
        { type: 'message', id: 'b', parentId: 'a', message: { role: 'user', content: long('First words') } },
      ];
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      for (let project = 0; project < 25; project++) put(`p${project}`, named(1), 1, text);
      for (const row of await (await open()).sessions())
        assert.deepEqual([row.complete, row.firstMessage.slice(0, 11), row.title.slice(0, 11)], [false, 'First words', 'First words']);
    });

    it('lose their rows if they’re gone when all files are known', async () => {
      const paths = Array.from({ length: 30 }, (_, project) => put(`p${project}`, named(1), 1));
      const catalog = await open();
      assert.equal((await catalog.sessions()).length, 30);
      rmSync(paths[7]!);
      await catalog.refresh();
      assert.deepEqual(new Set((await catalog.sessions()).map(({ path }) => path)), new Set(paths.filter((_, at) => at !== 7)));
    });

    it('are followed by the rows of all other files in the background', async () => {
      for (let project = 0; project < 30; project++) for (let number = 0; number < 3; number++) put(`p${project}`, named(number), number);
      const reported = new Set<string>();
      let isDone = (): void => undefined;
      const done = new Promise<void>((resolve) => (isDone = resolve));
      const catalog = await open({
        background: true,
        onRows: (paths) => paths.forEach((path) => reported.add(path)),
        onProgress: (read, total) => read === total && isDone(),
      });
      await done;
      assert.deepEqual([catalog.files().size, reported.size], [90, 90]);
    });
  });
});
