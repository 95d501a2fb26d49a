import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import {
  findRoots,
  openCatalog,
  SessionStore,
  type Catalog,
  type Root,
  type CatalogSource,
  type IndexWork,
  type ReadFile,
  type RowIndex,
  type StoreChange,
  type ListedSession,
} from '../../../src/core/index';
import { SessionFileReader } from '../../../src/core/catalog/store/sessionFileReader';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { until } from '../../fixtures/until';
import { generateSession } from '../../fixtures/generate';
import { writeSampleStore } from '../../fixtures/sampleStore';

/** A catalog source that can be stopped and broken. */
class Source implements CatalogSource {
  opened: Catalog | undefined;
  isStopped = false;
  isBroken = false;
  /** Delays all requests. */
  gate: Promise<void> | undefined;
  /** The files of each request, and whether it's for everything. */
  readonly looks: { readonly paths: readonly string[]; readonly isComplete: boolean }[] = [];
  private readonly stop = new AbortController();

  constructor(
    private readonly roots: readonly Root[],
    private readonly cacheDir: string,
    private readonly store: () => SessionStore,
  ) {}

  async index(): Promise<RowIndex | undefined> {
    if (this.isBroken) return undefined;
    this.opened ??= await openCatalog({
      roots: this.roots,
      cacheDir: this.cacheDir,
      background: false,
      signal: this.stop.signal,
      store: this.store(),
    });
    return this.opened.index;
  }

  isReady(): boolean {
    return this.gate === undefined;
  }

  async read(work: IndexWork, onRead: (files: readonly ReadFile[]) => void): Promise<'done' | 'failed' | 'rebuilt'> {
    this.looks.push({ paths: work.files.map(({ path }) => path), isComplete: work.isComplete });
    await this.gate;
    return this.isStopped || this.isBroken ? 'failed' : this.opened!.index.read(work, onRead);
  }

  async close(): Promise<void> {
    await this.store().indexed();
    await this.opened?.close();
  }
}

describe('the store with a catalog', () => {
  const sources: Source[] = [];
  // Before the folder is removed, as a catalog may still be running.
  afterEach(async () => {
    for (const source of sources.splice(0)) await source.close();
  });
  const folder = testFolder();

  const root = (): string => join(folder.path, 'sessions');
  const at = (name: string): string => join(root(), 'p', name);
  const line = (lines: SessionBuilder): string => `${lines.lines().at(-1)!}\n`;

  function put(name: string, lines: SessionBuilder | string): string {
    mkdirSync(join(root(), 'p'), { recursive: true });
    writeFileSync(at(name), typeof lines === 'string' ? lines : lines.text());
    return at(name);
  }

  function make(roots: readonly Root[] = [{ path: root(), dialect: 'pi', flat: false }]): {
    store: SessionStore;
    source: Source;
    reports: StoreChange[];
    problems: string[];
  } {
    const reports: StoreChange[] = [];
    const problems: string[] = [];
    const source: Source = new Source(roots, join(folder.path, 'cache'), () => store);
    const store: SessionStore = new SessionStore({
      roots: () => roots,
      source,
      onProblem: (path) => problems.push(path),
      onChange: (change) => reports.push(change),
    });
    sources.push(source);
    return { store, source, reports, problems };
  }

  /** Returns the number of sessions in the index. */
  function indexed(): unknown {
    const database = new DatabaseSync(join(folder.path, 'cache', 'catalog.sqlite'), { readOnly: true });
    try {
      return database.prepare('SELECT count(*) AS n FROM sessions').get()?.['n'];
    } finally {
      database.close();
    }
  }

  const summaryOf = (file: ListedSession | undefined): Partial<Extract<ListedSession, { kind: 'session' }>['summary']> =>
    file?.kind === 'session' ? file.summary : {};
  const counts = (store: SessionStore): unknown =>
    [...store.files().values()].map((file) => [summaryOf(file).firstMessage, summaryOf(file).messageCount, file.complete]).sort();

  /** The parts of a row that are the same whether the store or the index has read the file. */
  const comparable = (store: SessionStore): unknown =>
    [...store.files().values()]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map((file) => ({
        ...file,
        row: undefined,
        indexedIn: undefined,
        ...(file.kind === 'session' ? { summary: { ...file.summary, firstMessage: undefined } } : {}),
        ...(file.kind === 'unreadable' ? { error: String(file.error) } : {}),
      }));

  it('has the same rows as without one, for all programs', async () => {
    const { home } = await writeSampleStore(folder.path);
    for (let seed = 1; seed <= 40; seed++) put(`${String(seed)}.jsonl`, generateSession(seed).builder);
    put('undated.jsonl', '{"type":"session","version":3,"id":"undated","cwd":"/x","timestamp":"?"}\n');
    const roots: Root[] = [
      ...(await findRoots({ env: {}, home })),
      { path: root(), dialect: 'pi', flat: false },
      { path: join(root(), 'p'), dialect: 'pi', flat: true },
    ];
    const { store } = make(roots);
    await store.refresh();
    const alone = new SessionStore({ roots: () => roots, onProblem: () => undefined, onChange: () => undefined });
    await alone.refresh();
    assert.ok(alone.files().size > 60);
    assert.deepEqual(comparable(store), comparable(alone));
    // Only the spaces between the parts of a message may differ.
    const solid = (file: ListedSession | undefined): string | undefined => summaryOf(file).firstMessage?.replace(/\s/g, '').slice(0, 150);
    const differ = [...alone.files()]
      .filter(([path, file]) => solid(store.files().get(path)) !== undefined && solid(file) !== solid(store.files().get(path)))
      .map(([path, file]) => [solid(file), solid(store.files().get(path))]);
    assert.deepEqual(differ, []);
  });

  it('has rows before files are read completely, and completes them', async () => {
    for (let i = 1; i <= 30; i++) put(`${String(i)}.jsonl`, session().user(`first ${String(i)}`));
    const { store, source, reports } = make();
    await store.open();
    assert.ok(store.files().size >= 20, String(store.files().size));
    assert.ok([...store.files().values()].every((file) => !file.complete && summaryOf(file).isPartial));
    assert.deepEqual(source.looks, []);
    reports.length = 0;
    await store.refresh();
    assert.deepEqual(
      [store.files().size, [...store.files().values()].filter((file) => file.complete && !summaryOf(file).isPartial).length],
      [30, 30],
    );
    assert.equal(new Set(reports.flatMap(({ changed }) => [...changed])).size, 30);
  });

  it('has the stored rows at once, and reads no unchanged file', async () => {
    for (let i = 1; i <= 5; i++) put(`${String(i)}.jsonl`, session().user('again'));
    const first = make();
    await first.store.refresh();
    await first.source.close();
    rmSync(at('5.jsonl'));
    const { store, reports } = make();
    await store.open();
    assert.equal([...store.files().values()].filter((file) => file.complete).length, 5);
    reports.length = 0;
    await store.refresh();
    assert.deepEqual(reports, [{ changed: new Set(), removed: new Set([at('5.jsonl')]) }]);
  });

  it('reports stored rows together, and inspects the disk once', async () => {
    // Rows are taken over in batches of a hundred.
    const paths = Array.from({ length: 210 }, (_, i) => put(`${String(i)}.jsonl`, session().user('again')));
    const first = make();
    await first.store.refresh();
    await first.source.close();
    const { store, reports } = make();
    const inspect = mock.method(store.disk, 'inspect');
    await store.open();
    assert.deepEqual(
      reports.map(({ changed }) => [...changed].sort()),
      [paths.sort()],
    );
    await store.refresh();
    assert.equal(inspect.mock.callCount(), 1);
  });

  it('waits for no busy index before it reports an append and a deletion, and passes both on later', async () => {
    const lines = session().user('first');
    const path = put('a.jsonl', lines);
    const gone = put('gone.jsonl', session().user('deleted'));
    const { store, source, reports } = make();
    await store.refresh();
    reports.length = 0;
    let open = (): void => undefined;
    source.gate = new Promise((resolve) => (open = resolve));
    source.looks.length = 0;
    const all = store.refresh();
    // It has inspected the disk by then; otherwise either of the two refreshes may find what is appended.
    await until(() => source.looks.length > 0);
    appendFileSync(path, line(lines.assistant('second')));
    await store.refresh([path]);
    assert.deepEqual([reports, summaryOf(store.files().get(path)).messageCount], [[{ changed: new Set([path]), removed: new Set() }], 2]);
    rmSync(gone);
    await store.refresh([gone]);
    assert.deepEqual(reports.slice(1), [{ changed: new Set(), removed: new Set([gone]) }]);
    open();
    await all;
    await store.indexed();
    assert.deepEqual([source.looks.slice(1).flatMap(({ paths }) => paths), reports.length], [[path], 2]);
    assert.deepEqual([(await source.opened!.search('second')).length, indexed()], [1, 1]);
  });

  it('reads an append to a closed session once, by the index', async () => {
    const lines = session().user('first');
    const path = put('a.jsonl', lines);
    const { store, source, reports } = make();
    await store.refresh();
    reports.length = 0;
    source.looks.length = 0;
    const read = mock.method(SessionFileReader.prototype, 'record');
    appendFileSync(path, line(lines.assistant('second')));
    await store.refresh([path]);
    await store.indexed();
    await store.refresh();
    read.mock.restore();
    assert.deepEqual([reports, summaryOf(store.files().get(path)).messageCount], [[{ changed: new Set([path]), removed: new Set() }], 2]);
    assert.deepEqual([read.mock.callCount(), source.looks.flatMap(({ paths }) => paths)], [0, [path]]);
    assert.equal((await source.opened!.search('second')).length, 1);
  });

  it('reads an append to an open session itself, and indexes it later', async () => {
    const lines = session().user('first');
    const path = put('a.jsonl', lines);
    const { store, source } = make();
    await store.refresh();
    await store.session(path);
    source.looks.length = 0;
    appendFileSync(path, line(lines.assistant('second')));
    await store.refresh([path]);
    assert.deepEqual([source.looks, summaryOf(store.files().get(path)).messageCount], [[], 2]);
    await store.indexed();
    assert.deepEqual(source.looks, [{ paths: [path], isComplete: false }]);
    assert.equal((await source.opened!.search('second')).length, 1);
  });

  it('leaves many changes at once to the catalog', async () => {
    const { store, source } = make();
    await store.refresh();
    for (let i = 1; i <= 40; i++) put(`${String(i)}.jsonl`, session().user('many'));
    await store.refresh([join(root(), 'p')]);
    assert.deepEqual([store.files().size, source.looks.at(-1)?.paths.length], [40, 40]);
  });

  it('opens large sessions that grew while it was closed', async () => {
    const lines = session().user('large').tool('read', { path: 'x' }, 'y'.repeat(9_000_000)).assistant('the end');
    const path = put('a.jsonl', lines);
    const first = make();
    await first.store.refresh();
    await first.source.close();
    appendFileSync(path, line(lines.user('one more')));
    const { store } = make();
    await store.open();
    assert.equal((await store.session(path)).entries.at(-1)?.text, 'user: one more');
    // The row is as new as what was opened.
    assert.equal(summaryOf(store.files().get(path)).messageCount, 5);
  });

  it('completes the row of a session that is opened before it was read', async () => {
    const path = put('a.jsonl', session().user('first').assistant('second'));
    const { store, reports } = make();
    await store.open();
    reports.length = 0;
    await store.session(path);
    assert.deepEqual([reports, counts(store)], [[{ changed: new Set([path]), removed: new Set() }], [['first', 2, true]]]);
  });

  it('does not replace a row by an older one', async () => {
    const lines = session().user('first');
    const path = put('a.jsonl', lines);
    const { store, source } = make();
    await store.refresh();
    source.isStopped = true;
    appendFileSync(path, line(lines.assistant('second')));
    await store.refresh([path]);
    // The index still has the previous row.
    await source.opened!.index.read({ files: [], gone: [], isComplete: true }, () => undefined);
    assert.deepEqual(counts(store), [['first', 2, true]]);
    appendFileSync(path, line(lines.user('third')));
    await store.refresh([path]);
    assert.deepEqual(counts(store), [['first', 3, true]]);
  });

  it('keeps the newest row of a file that changed while the catalog was reading it', async () => {
    const lines = session().user('first');
    const path = put('a.jsonl', lines);
    const { store, source } = make();
    await store.open();
    const all = store.refresh();
    for (let count = 0; count < 20; count++) {
      appendFileSync(path, line(lines.user(`more ${String(count)}`)));
      await store.refresh([path]);
      assert.equal(summaryOf(store.files().get(path)).messageCount, count + 2);
    }
    await all;
    await store.indexed();
    assert.deepEqual(counts(store), [['first', 21, true]]);
    await source.opened!.refresh();
    assert.equal((await source.opened!.sessions())[0]?.messageCount, 21);
  });

  it('walks no other files for an event', async () => {
    const path = put('a.jsonl', session().user('first'));
    put('b.jsonl', session().user('other'));
    const { store } = make();
    await store.refresh();
    const files = store.disk.files() as Map<string, unknown>;
    for (const method of ['keys', 'values', 'entries', Symbol.iterator] as const)
      files[method] = () => assert.fail('all files were walked');
    appendFileSync(path, line(session().user('first').assistant('second')));
    await store.refresh([path]);
    assert.equal(summaryOf(store.files().get(path)).messageCount, 2);
  });

  it('reads files without the catalog when that breaks, and uses it again when it works', async () => {
    put('a.jsonl', session().user('first').assistant('second'));
    const { store, source } = make();
    await store.open();
    source.isBroken = true;
    await store.refresh();
    assert.deepEqual(counts(store), [['first', 2, true]]);
    put('b.jsonl', session().user('while it was broken'));
    await store.refresh();
    source.isBroken = false;
    await store.refresh();
    assert.deepEqual(
      [counts(store), source.looks.length > 0],
      [
        [
          ['first', 2, true],
          ['while it was broken', 1, true],
        ],
        true,
      ],
    );
  });

  it('reads only changed files while the catalog is stopped', async () => {
    put('a.jsonl', session().user('first').assistant('second'));
    const { store, source } = make();
    await store.open();
    source.isStopped = true;
    const path = put('b.jsonl', session().user('new'));
    await store.refresh();
    assert.deepEqual(counts(store), [
      ['first', 0, false],
      ['new', 1, true],
    ]);
    rmSync(path);
    source.isStopped = false;
    await store.refresh();
    assert.deepEqual(counts(store), [['first', 2, true]]);
  });

  it('opens sessions although the database breaks', async () => {
    const path = put('a.jsonl', session().user('first'));
    const { store, source } = make();
    await store.refresh();
    source.opened!.session = () => Promise.reject(new Error('disk I/O error'));
    assert.equal((await store.session(path)).leafId, entryId(1));
    await assert.rejects(store.session(at('none.jsonl')), { code: 'not-found' });
  });

  it('reports unreadable files once, beside the rest', async () => {
    put('a.jsonl', session().user('first'));
    put('empty.jsonl', '');
    symlinkSync(at('circle.jsonl'), at('circle.jsonl'));
    const { store, reports } = make();
    await store.refresh();
    const of = (name: string): string | undefined => store.files().get(at(name))?.kind;
    assert.deepEqual([of('a.jsonl'), of('empty.jsonl'), of('circle.jsonl')], ['session', 'unreadable', 'unreadable']);
    reports.length = 0;
    await store.refresh();
    await store.refresh([at('circle.jsonl'), at('empty.jsonl')]);
    assert.deepEqual(reports, []);
  });

  it('keeps the row of a file whose time alone changed', async () => {
    const path = put('a.jsonl', session().user('first'));
    const { store } = make();
    await store.refresh();
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    await store.refresh([path]);
    assert.deepEqual(counts(store), [['first', 1, true]]);
  });
});
