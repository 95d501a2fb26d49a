import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openCatalog } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

const core = join(__dirname, '../../../bundled/index.js');
const fullDisk = join(__dirname, '../../fixtures/fullDisk.js');
const noIndex = join(__dirname, '../../fixtures/noIndex.js');
const lockedFiles = join(__dirname, '../../fixtures/locked.js');

describe('the store with a catalog that fails', () => {
  const folder = testFolder();
  const root = (): string => join(folder.path, 'sessions');
  const at = (name: string, project = 'p'): string => join(root(), project, `${name}.jsonl`);

  function put(name: string, text: string, project = 'p'): void {
    mkdirSync(join(root(), project), { recursive: true });
    writeFileSync(at(name, project), text);
  }

  /**
   * Opens a catalog and a store in another process, where the store falls back as the editor's does, and refreshes
   * everything. Resolves to the outcome.
   */
  async function elsewhere(flags: readonly string[]): Promise<{
    code?: string;
    message?: string;
    problems: [path: string, code: string][];
    searched: number;
    rows: number;
    complete: number;
    messages: number[];
  }> {
    const script = `
      const { openCatalog, SessionStore } = require(${JSON.stringify(core)});
      const roots = [{ path: ${JSON.stringify(root())}, dialect: 'pi', flat: false }];
      const result = { searched: -1, problems: [] };
      let catalog, broken = false;
      const failed = (error) => { broken = true; result.code ??= error.code; result.message ??= error.message; };
      const source = {
        index: async () => broken ? undefined : (catalog ??= await openCatalog({ roots, cacheDir: ${JSON.stringify(join(folder.path, 'cache'))}, background: false, store }).catch(failed))?.index,
        isReady: () => true,
        read: async (work, onRead) => { try { return await catalog.index.read(work, onRead); } catch (error) { failed(error); return 'failed'; } },
      };
      const store = new SessionStore({ roots: () => roots, source, onProblem: (path, { code }) => result.problems.push([path, code]), onChange: () => undefined });
      (async () => {
        await store.open();
        await store.refresh();
        const files = [...store.files().values()];
        result.rows = files.length;
        result.complete = files.filter((file) => file.complete).length;
        result.messages = [...new Set(files.map((file) => file.summary.messageCount))];
        if (catalog) result.searched = (await catalog.search('common', { limit: 1000 })).length;
        await catalog?.close();
        console.log(JSON.stringify(result));
      })();`;
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', script]);
    return JSON.parse(stdout) as Awaited<ReturnType<typeof elsewhere>>;
  }

  it('continues without a database when the disk is full, and reports it', async () => {
    for (let i = 1; i <= 60; i++)
      put(
        String(i),
        session()
          .user(`common ${String(i)}`)
          .user(Array.from({ length: 4000 }, (_, word) => `word${String(i)}x${String(word)}`).join(' '))
          .text(),
      );
    const { code, message, rows, complete, messages } = await elsewhere(['--require', fullDisk]);
    assert.deepEqual({ code, rows, complete, messages }, { code: 'no-space', rows: 60, complete: 60, messages: [2] });
    assert.match(message!, /^There’s no space left for the search index/);
    // With space again, no trace of the failure is left.
    const { code: none, searched } = await elsewhere([]);
    assert.deepEqual([none, searched], [undefined, 60]);
  });

  it('continues without a database if Node has no SQLite, and reports it', async () => {
    for (let i = 1; i <= 5; i++)
      put(
        String(i),
        session()
          .user(`common ${String(i)}`)
          .text(),
      );
    const { code, message, rows, complete, searched } = await elsewhere(['--no-experimental-sqlite']);
    assert.deepEqual({ code, rows, complete, searched }, { code: 'invalid', rows: 5, complete: 5, searched: -1 });
    assert.match(message!, /needs SQLite, which Node\.js [\d.]+ doesn’t include/);
  });

  it('continues without a database if SQLite has no full-text index, and reports it', async () => {
    put('one', session().user('common').text());
    const { code, message, rows, complete, searched } = await elsewhere(['--require', noIndex]);
    assert.deepEqual({ code, rows, complete, searched }, { code: 'invalid', rows: 1, complete: 1, searched: -1 });
    assert.match(message!, /has no full-text index \(FTS5\)/);
    assert.deepEqual(readdirSync(folder.path), ['sessions']);
  });

  it('lists the rest beside a folder without read permission, and reports the folder', async function () {
    if (process.platform === 'win32') this.skip();
    put('open', session().user('common').text());
    put('locked', session().user('common').text(), 'locked');
    const locked = join(root(), 'locked');
    chmodSync(locked, 0);
    try {
      const { code, problems, rows, complete, searched } = await elsewhere(process.getuid?.() === 0 ? ['--require', lockedFiles] : []);
      assert.deepEqual(
        { code, problems, rows, complete, searched },
        { code: undefined, problems: [[locked, 'permission']], rows: 1, complete: 1, searched: 1 },
      );
    } finally {
      chmodSync(locked, 0o700);
    }
  });

  it('follows files that go, grow, shrink and come while they are read', async () => {
    const text = session().user('common').tool('read', { path: 'x' }, 'y'.repeat(50_000)).text();
    for (let i = 1; i <= 200; i++) put(String(i), text);
    let changes = 0;
    const change = (): void => {
      if (changes++ > 0) return;
      for (let i = 1; i <= 200; i++) {
        if (i % 4 === 0) rmSync(at(String(i)));
        else if (i % 4 === 1) appendFileSync(at(String(i)), session().user('later', { id: 'later' }).text().split('\n')[1]!.concat('\n'));
        else if (i % 4 === 2) put(String(i), session().user('short').text());
      }
      put('new', session().user('coming').text());
    };
    const catalog = await openCatalog({ roots: [root()], cacheDir: join(folder.path, 'cache'), background: false, onProgress: change });
    try {
      await catalog.refresh();
      assert.ok(changes > 0);
      const { problems } = await catalog.refresh();
      const found = async (word: string): Promise<number> => (await catalog.search(word, { limit: 1000 })).length;
      assert.deepEqual(
        [problems, catalog.files().size, await found('common'), await found('short'), await found('later'), await found('coming')],
        [[], 151, 100, 50, 50, 1],
      );
    } finally {
      await catalog.close();
    }
  });
});
