import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { yieldToEventLoop } from '../../../src/core/files/concurrency/eventLoop';
import type { Root, RowIndex } from '../../../src/core/index';
import { FirstRows } from '../../../src/core/catalog/refresh/firstRows';
import { unreadableRow, type KnownFile } from '../../../src/core/catalog/rows/catalogRow';
import { readSession, SessionStore, summarize, type StoreChange } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('the session store', () => {
  const folder = testFolder();

  /** A store with one root of pi, which has the project folder `p`, and its reports. */
  function open(): {
    store: SessionStore;
    root: string;
    reports: StoreChange[];
    problems: string[];
    names: () => string[];
    path: (name: string) => string;
  } {
    const root = join(folder.path, 'sessions');
    mkdirSync(join(root, 'p'), { recursive: true });
    const roots: Root[] = [{ path: root, dialect: 'pi', flat: false }];
    const reports: StoreChange[] = [];
    const problems: string[] = [];
    const store = new SessionStore({
      roots: () => roots,
      onProblem: (path) => problems.push(path),
      onChange: (change) => reports.push(change),
    });
    const names = (): string[] =>
      [...store.files().values()].map((file) => (file.kind === 'session' ? (file.summary.firstMessage ?? '-') : 'unreadable')).sort();
    return { store, root, reports, problems, names, path: (name) => join(root, 'p', name) };
  }

  it('finds sessions one level down, and nothing else', async () => {
    const { store, root, path, names } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    for (const name of ['.x.tmp', 'a.jsonl.bak', 'a.jsonl.lock', 'c.jsonl.deleted.1', 'd.reset.1.jsonl', '.hidden.jsonl'])
      writeFileSync(path(name), session().user(name).text());
    mkdirSync(join(root, 'p', 'deeper'));
    writeFileSync(join(root, 'p', 'deeper', 'e.jsonl'), session().user('deeper').text());
    writeFileSync(join(root, 'f.jsonl'), session().user('beside the folders').text());
    await store.refresh();
    assert.deepEqual(names(), ['first']);
  });

  it("treats the sessions in a session's own folder as its subagents'", async () => {
    const { store, path } = open();
    writeFileSync(path('a.jsonl'), session().user('main').text());
    mkdirSync(path('a'));
    writeFileSync(join(path('a'), 'sub.jsonl'), session().user('sub').text());
    await store.refresh();
    assert.equal(store.files().get(join(path('a'), 'sub.jsonl'))?.owner, path('a.jsonl'));
    assert.equal(store.files().get(path('a.jsonl'))?.owner, undefined);
  });

  it('reports nothing if nothing changed', async () => {
    const { store, path, reports } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    await store.refresh();
    reports.length = 0;
    await store.refresh();
    await store.refresh([path('a.jsonl')]);
    assert.deepEqual(reports, []);
  });

  it('has priority over long work while it refreshes some paths or reads a session, and not while it refreshes everything', async () => {
    const { store, path } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    /** Returns the number of slices that other work gets meanwhile. Its pauses are timers, which never fire here. */
    const slicesDuring = async (work: () => Promise<unknown>): Promise<number> => {
      let slices = 0;
      const over = new AbortController();
      mock.timers.enable({ apis: ['setTimeout'] });
      const background = (async () => {
        for (; !over.signal.aborted; slices++) await yieldToEventLoop();
      })();
      await work();
      over.abort();
      mock.timers.tick(5);
      await background;
      mock.timers.reset();
      return slices;
    };
    const all = await slicesDuring(() => store.refresh());
    appendFileSync(path('a.jsonl'), session().user('first').user('second').lines()[2] ?? '');
    const some = await slicesDuring(() => store.refresh([path('a.jsonl')]));
    const one = await slicesDuring(() => store.session(path('a.jsonl')));
    assert.ok(all > 3 && some <= 3 && one <= 3, JSON.stringify({ all, some, one }));
  });

  it('reports an appended, a new and a deleted file when their paths are refreshed', async () => {
    const { store, path, reports } = open();
    const lines = session().user('first');
    writeFileSync(path('a.jsonl'), lines.text());
    writeFileSync(path('gone.jsonl'), session().user('gone').text());
    await store.refresh();
    reports.length = 0;
    appendFileSync(path('a.jsonl'), `${lines.assistant('second').lines().at(-1)!}\n`);
    writeFileSync(path('new.jsonl'), session().user('new').text());
    rmSync(path('gone.jsonl'));
    await store.refresh([path('a.jsonl'), path('new.jsonl'), path('gone.jsonl')]);
    assert.deepEqual(new Set(reports.flatMap((report) => [...report.changed])), new Set([path('a.jsonl'), path('new.jsonl')]));
    assert.deepEqual(
      reports.flatMap((report) => [...report.removed]),
      [path('gone.jsonl')],
    );
    const a = store.files().get(path('a.jsonl'));
    assert.equal(a?.kind === 'session' && a.summary.messageCount, 2);
  });

  it('finds a file when its folder is refreshed', async () => {
    const { store, root, names } = open();
    mkdirSync(join(root, 'q'));
    writeFileSync(join(root, 'q', 'a.jsonl'), session().user('in q').text());
    await store.refresh([join(root, 'q')]);
    assert.deepEqual(names(), ['in q']);
    rmSync(join(root, 'q'), { recursive: true });
    await store.refresh([join(root, 'q')]);
    assert.deepEqual(names(), []);
  });

  it('opens a session as the file is now', async () => {
    const { store, path } = open();
    const lines = session().user('first');
    writeFileSync(path('a.jsonl'), lines.text());
    assert.equal((await store.session(path('a.jsonl'))).leafId, entryId(1));
    appendFileSync(path('a.jsonl'), `${lines.assistant('second').lines().at(-1)!}\n`);
    assert.equal((await store.session(path('a.jsonl'))).leafId, entryId(2));
  });

  it('reads a file again that was replaced by a longer one', async () => {
    const { store, path } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    await store.session(path('a.jsonl'));
    writeFileSync(path('b.jsonl'), session().user('another').assistant('longer').user('still').text());
    renameSync(path('b.jsonl'), path('a.jsonl'));
    assert.equal((await store.session(path('a.jsonl'))).entries[0]?.text, 'user: another');
  });

  it('reads a file again that changed in place without growing', async () => {
    const { store, path } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    await store.session(path('a.jsonl'));
    writeFileSync(path('a.jsonl'), session().user('fifth').text());
    utimesSync(path('a.jsonl'), new Date(), new Date(Date.now() + 5000));
    assert.equal((await store.session(path('a.jsonl'))).entries[0]?.text, 'user: fifth');
  });

  it('keeps unreadable files, with the reason, beside the rest', async () => {
    const { store, path, names } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    writeFileSync(path('empty.jsonl'), '');
    await store.refresh();
    assert.deepEqual(names(), ['first', 'unreadable']);
    const empty = store.files().get(path('empty.jsonl'));
    assert.match(String(empty?.kind === 'unreadable' && (empty.error as Error).message), /^The file is empty/);
  });

  it('reports a folder that cannot be listed and lists the rest', async () => {
    const { store, root, problems, path, names } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    // A link to itself: unlike permissions, it also stops the root user.
    symlinkSync('locked', join(root, 'locked'));
    await store.refresh();
    assert.deepEqual(problems, [join(root, 'locked')]);
    assert.deepEqual(names(), ['first']);
  });

  it('keeps the rows of a folder that can no longer be listed, and reports the folder', async () => {
    const { store, root, path, names, problems } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    await store.refresh();
    rmSync(join(root, 'p'), { recursive: true });
    symlinkSync('p', join(root, 'p'));
    await store.refresh();
    assert.deepEqual([names(), problems], [['first'], [join(root, 'p')]]);
    rmSync(join(root, 'p'));
    await store.refresh();
    assert.deepEqual([names(), problems.length], [[], 1]);
  });

  it("is not blocked by pipes and devices with a session's name", async () => {
    const { store, path, names } = open();
    writeFileSync(path('a.jsonl'), session().user('first').text());
    if (process.platform !== 'win32') execFileSync('mkfifo', [path('pipe.jsonl')]);
    symlinkSync('/dev/zero', path('zero.jsonl'));
    await store.refresh();
    assert.deepEqual(new Set(names()), new Set(['first', 'unreadable']));
    await assert.rejects(store.session(path('zero.jsonl')), { code: 'not-a-session', message: /isn’t a regular file/ });
  });

  it('refreshes one file during a full refresh, and keeps its newer result', async () => {
    const { store, path, names } = open();
    for (let i = 0; i < 200; i++) writeFileSync(path(`s${i}.jsonl`), session().user('many').text());
    const order: string[] = [];
    const all = store.refresh().then(() => order.push('all'));
    writeFileSync(path('one.jsonl'), session().user('one').text());
    await store.refresh([path('one.jsonl')]).then(() => order.push('one'));
    await all;
    assert.deepEqual(order, ['one', 'all']);
    assert.ok(names().includes('one'), 'a listing from before the file was there does not take it away');
  });

  it('counts appended lines as if the whole file was counted', async () => {
    const { store, path } = open();
    const lines = session();
    writeFileSync(path('a.jsonl'), lines.text());
    await store.refresh();
    for (const text of ['first', 'second', 'third']) {
      appendFileSync(path('a.jsonl'), `${lines.user(text).lines().at(-1)!}\n`);
      await store.refresh([path('a.jsonl')]);
      const file = store.files().get(path('a.jsonl'));
      assert.deepEqual(file?.kind === 'session' && file.summary, summarize(await readSession(path('a.jsonl'))));
    }
  });

  it('removes 140,000 rows together', async () => {
    const { root } = open();
    const count = 140_000;
    const path = (at: number): string => join(root, 'p', `${at}.jsonl`);
    const version = { size: 1, mtimeMs: 1, ino: '1' };
    const known = Array.from({ length: count }, (_, at): KnownFile => ({
      path: path(at),
      version,
      complete: true,
      row: unreadableRow(path(at), new Error('unreadable'), 'pi', 0),
    }));
    let removed = 0;
    const index: RowIndex = {
      async *storedRows() {
        yield await Promise.resolve(known);
      },
      firstRows: new FirstRows([], () => Promise.resolve([]), undefined),
      isReady: () => true,
      read: () => Promise.reject(new Error('The source reads.')),
    };
    const store = new SessionStore({
      roots: () => [{ path: root, dialect: 'pi', flat: false }],
      source: {
        index: () => Promise.resolve(index),
        isReady: () => true,
        read: ({ gone }) => {
          removed = gone.length;
          return Promise.resolve('done');
        },
      },
      onProblem: () => undefined,
      onChange: () => undefined,
    });
    await store.open();
    assert.equal(store.files().size, count);
    await store.refresh();
    assert.deepEqual([store.files().size, removed], [0, count]);
  }).timeout(60_000);
});
