import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findRoots, openCatalog, type Catalog } from '../../../src/core/index';
import { loadSqlite } from '../../../src/core/files/io/loadSqlite';
import { editorIndexes } from '../../../src/memory/editorIndexes';
import { Memory } from '../../../src/memory/memory';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('The index of the editor', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const environment = () => ({ env: {}, home: folder.path });
  const index = (): string => editorIndexes(environment())[0]!;
  const database = (): string => join(index(), 'catalog.sqlite');
  const path = (name: string): string => join(folder.path, '.pi', 'agent', 'sessions', '--work--', `${name}.jsonl`);
  const put = (name: string, text: string): void => writeFileSync(path(name), session({ id: name }).user(text).text());

  async function fill(): Promise<Catalog> {
    mkdirSync(dirname(path('a')), { recursive: true });
    for (const name of ['a', 'b', 'c']) put(name, `Session ${name} of zebras`);
    const catalog = await openCatalog({ roots: await findRoots(environment(), () => undefined), cacheDir: index(), background: false });
    await catalog.refresh();
    return catalog;
  }

  /** Makes the files look as if nobody had written them for a minute. */
  function settle(): void {
    const then = Date.now() / 1000 - 60;
    for (const name of readdirSync(index())) utimesSync(join(index(), name), then, then);
  }

  const state = (): unknown =>
    readdirSync(index())
      .sort()
      .map((name) => [
        name,
        statSync(join(index(), name)).mtimeMs,
        createHash('sha256')
          .update(readFileSync(join(index(), name)))
          .digest('hex'),
      ]);

  /** Opens an own index. @returns the number of files that had to be read, and the ids of the sessions that a search finds */
  async function ask(): Promise<{ readonly read: number; readonly found: readonly string[] }> {
    let read = 0;
    const cache = join(folder.path, 'cache');
    const memory = new Memory({ environment: environment(), cache, onProgress: (_, total) => (read = Math.max(read, total)) });
    try {
      const { catalog } = await memory.current();
      const found = (await catalog.search('zebras')).map((hit) => hit.path.slice(-7, -6)).sort();
      assert.deepEqual(
        readdirSync(await memory.indexFolder()).filter((name) => name.startsWith('copy')),
        [],
      );
      return { read, found };
    } finally {
      await memory.close();
    }
  }

  it('is taken over, and only what differs is read', async () => {
    await (await fill()).close();
    settle();
    const before = state();
    writeFileSync(path('a'), session({ id: 'a' }).user('Session a of zebras').user('One more').text());
    put('d', 'New zebras');
    assert.deepEqual(await ask(), { read: 2, found: ['a', 'b', 'c', 'd'] });
    assert.deepEqual(state(), before);
    put('e', 'Newer zebras');
    assert.deepEqual(await ask(), { read: 1, found: ['a', 'b', 'c', 'd', 'e'] });
  });

  it('is taken over while the editor has it open', async () => {
    const catalog = await fill();
    try {
      assert.ok(statSync(`${database()}-wal`).size > 0);
      settle();
      const before = state();
      assert.deepEqual(await ask(), { read: 0, found: ['a', 'b', 'c'] });
      assert.deepEqual(state(), before);
    } finally {
      await catalog.close();
    }
  });

  it('is copied again after a process was killed while it copied, whose copy goes', async () => {
    await (await fill()).close();
    settle();
    const target = await new Memory({ environment: environment(), cache: join(folder.path, 'cache') }).indexFolder();
    const gone = spawnSync(process.execPath, ['--version']).pid;
    const left = join(target, `copy-${String(gone)}-a1b2c3`);
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'catalog.sqlite'), 'half');
    assert.deepEqual(await ask(), { read: 0, found: ['a', 'b', 'c'] });
  });

  it('stays out if it’s being written, damaged, of another version, or a link', async () => {
    const all = { read: 3, found: ['a', 'b', 'c'] };
    await (await fill()).close();
    const own = join(folder.path, 'cache');
    const again = async (change: () => void, isSettled = true): Promise<void> => {
      change();
      if (isSettled) settle();
      const before = state();
      assert.deepEqual(await ask(), all);
      assert.deepEqual(state(), before);
      renameSync(own, join(folder.path, `cache-${String(Math.random())}`));
    };
    await again(() => utimesSync(database(), new Date(), new Date()), false);
    const bytes = readFileSync(database());
    await again(() => writeFileSync(database(), Buffer.from(bytes).fill(7, 3 * 16_384, 5 * 16_384)));
    await again(() => writeFileSync(database(), 'no database'));
    writeFileSync(database(), bytes);
    const { DatabaseSync } = loadSqlite();
    await again(() => {
      const opened = new DatabaseSync(database());
      opened.exec('PRAGMA user_version = 1');
      opened.close();
    });
    if (process.platform === 'win32') return;
    writeFileSync(join(folder.path, 'elsewhere'), bytes);
    renameSync(database(), join(folder.path, 'aside'));
    await again(() => symlinkSync(join(folder.path, 'elsewhere'), database()));
  });

  it('is where editors and their servers keep it', () => {
    const home = join(folder.path, 'home');
    const has = (platform: NodeJS.Platform, env: Record<string, string>, ...parts: readonly string[]): void => {
      const wanted = join(...parts, 'User', 'globalStorage', 'pi-session-tree.pi-session-tree', 'catalog');
      assert.ok(editorIndexes({ env, home }, platform).includes(wanted), wanted);
    };
    has('linux', {}, home, '.config', 'VSCodium');
    has('linux', { XDG_CONFIG_HOME: '/config' }, '/config', 'Cursor');
    has('linux', { XDG_CONFIG_HOME: 'relative' }, home, '.config', 'Code - Insiders');
    has('linux', {}, home, '.local', 'share', 'code-server');
    has('linux', {}, home, '.vscode-server', 'data');
    has('darwin', {}, home, 'Library', 'Application Support', 'Code');
    has('win32', {}, home, 'AppData', 'Roaming', 'Code');
    const { publisher, name } = JSON.parse(readFileSync('package.json', 'utf8')) as { publisher: string; name: string };
    assert.ok(editorIndexes({ env: {}, home }, 'linux')[0]!.includes(`${publisher}.${name}`));
  });
});
