/** The newer part of pi's `SessionManager`: the same calls to both, on copies of generated sessions. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CURRENT_SESSION_VERSION, SessionManager, type JsonObject } from '../../src/core/index';
import { home, withEnvironment } from '../fixtures/environment';
import { entryId, session } from '../fixtures/build';
import { testFolder } from '../fixtures/folder';
import { generateSession } from '../fixtures/generate';
import { loadPiManager, type PiManager } from './piManager';
import { importPi } from './piPackage';

/** The members of it that both managers have. */
interface NewerApi {
  getEntryCount(): number;
  getEntries(): readonly { readonly id: string; readonly type: string }[];
  getTree(): readonly unknown[];
  branch(id: string): void;
  buildContextEntries(): readonly unknown[];
  buildSessionProjection(): object;
  appendContextEdit(targetId: string, replacement: unknown): unknown;
  appendUsage(kind: string, provider: string, model: string, usage: object, note?: string): unknown;
  usesDefaultSessionDir(): boolean;
}
type OnProgress = (loaded: number, total: number, partial?: readonly { readonly id: string }[]) => void;
interface NewerStatics {
  readonly prototype: object;
  create(cwd: string, sessionDir: string, options: object): PiManager;
  open(path: string, sessionDir?: string, cwd?: string): PiManager & { getCwd(): string };
  inMemory(cwd: string, options: object, entries?: readonly object[]): PiManager & NewerApi;
  forkFrom(sourcePath: string, targetCwd: string, sessionDir: string, options: object): PiManager;
  findById(cwd: string, id: string, sessionDir?: string): unknown;
  list(cwd: string, sessionDir?: string, onProgress?: OnProgress, signal?: AbortSignal): Promise<unknown[]>;
  listAll(sessionDir: string, onProgress?: undefined, signal?: AbortSignal): Promise<unknown[]>;
  listAll(onProgress?: undefined, signal?: AbortSignal): Promise<unknown[]>;
}

const USAGE = {
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  totalTokens: 10,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 1 },
};

/** Without what differs by design: ids and times of new lines, and content that is missing, which ours has as an empty list. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('"content":null', '"content":[]'));

describe("pi's newer SessionManager API", function () {
  this.timeout(120_000);
  const folder = testFolder();
  let theirClass: NewerStatics;
  let openTheirs: (path: string) => PiManager & NewerApi;
  before(async () => {
    const manager = await loadPiManager();
    theirClass = manager as unknown as NewerStatics;
    openTheirs = (path) => manager.open(path) as PiManager & NewerApi;
  });

  async function both(text: string): Promise<readonly [NewerApi, PiManager & NewerApi]> {
    const path = await folder.write('ours.jsonl', text);
    const copy = join(folder.path, 'theirs.jsonl');
    await copyFile(path, copy);
    return [await SessionManager.open(path), openTheirs(copy)];
  }

  it('counts entries and builds context entries and projections at every entry, with label times', async () => {
    let contexts = 0;
    for (let seed = 0; seed < 60; seed++) {
      const { version, builder } = generateSession(seed);
      if (version === 1) continue;
      const [ours, theirs] = await both(builder.text());
      assert.equal(ours.getEntryCount(), theirs.getEntryCount());
      assert.deepEqual(plain(ours.getTree()), plain(theirs.getTree()));
      for (const { id } of theirs.getEntries()) {
        ours.branch(id);
        theirs.branch(id);
        assert.deepEqual(plain(ours.buildContextEntries()), plain(theirs.buildContextEntries()), `seed ${String(seed)}, ${id}`);
        assert.deepEqual(plain(ours.buildSessionProjection()), plain(theirs.buildSessionProjection()), `seed ${String(seed)}, ${id}`);
        contexts++;
      }
    }
    assert.ok(contexts > 1000, `${String(contexts)} were compared`);
  });

  it('edits what entries contribute, and refuses the same edits', async () => {
    const text = session()
      .user('a')
      .assistant('b')
      .tool('read', { path: 'x' })
      .customMessage('t', 'c')
      .custom('state')
      .bash('ls')
      .branchFrom(entryId(1))
      .assistant('elsewhere')
      .text();
    const edits: readonly (readonly [string, unknown])[] = [
      ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => [[entryId(n), null] as const, [entryId(n), { content: 'new' }] as const]),
      [entryId(1), { content: [{ type: 'text', text: 'blocks' }] }],
      [entryId(1), { content: 7 }],
      ['nowhere', null],
    ];
    for (const leaf of [entryId(7), entryId(8)]) {
      for (const [target, replacement] of edits) {
        const [ours, theirs] = await both(text);
        ours.branch(leaf);
        theirs.branch(leaf);
        let refused = false;
        try {
          theirs.appendContextEdit(target, replacement);
        } catch {
          refused = true;
        }
        const work = Promise.resolve(ours.appendContextEdit(target, replacement));
        if (refused) await assert.rejects(work, { name: 'SessionError' }, `${target} ${JSON.stringify(replacement)}`);
        else {
          await work;
          const last = (manager: NewerApi): object => ({ ...manager.getEntries().at(-1), id: '', timestamp: '' });
          assert.deepEqual(plain(last(ours)), plain(last(theirs)));
          assert.deepEqual(
            plain((ours.buildSessionProjection() as { messages: unknown }).messages),
            plain((theirs.buildSessionProjection() as { messages: unknown }).messages),
          );
        }
      }
    }
  });

  it('appends usage and answers with the entry', async () => {
    const [ours, theirs] = await both(session().user('a').assistant('b').text());
    for (const note of [undefined, 'a note']) {
      const mine = (await ours.appendUsage('cache_warm', 'p', 'm', USAGE, note)) as object;
      const its = theirs.appendUsage('cache_warm', 'p', 'm', USAGE, note) as object;
      const without = { id: '', timestamp: '', parentId: '' };
      assert.deepEqual(plain({ ...mine, ...without }), plain({ ...its, ...without }));
      assert.deepEqual(plain(ours.getEntries().at(-1)), plain(mine));
    }
    const lines = (await readFile(join(folder.path, 'ours.jsonl'), 'utf8')).trimEnd().split('\n');
    assert.equal((JSON.parse(lines.at(-1) ?? '') as { note?: string }).note, 'a note');
  });

  it('finds sessions by their id, lists a folder, and stops for a signal', async () => {
    const dir = join(folder.path, 'sessions');
    await mkdir(dir);
    for (const [name, id, cwd] of [
      ['2026_one.jsonl', 'one', '/work/demo'],
      ['other-name.jsonl', 'two', '/work/demo'],
      ['three.jsonl', 'three', '/work/other'],
    ] as const)
      await folder.write(join('sessions', name), session({ id, cwd }).user('a').text());
    await folder.write(join('sessions', 'bad.jsonl'), 'no session');
    for (const id of ['one', 'two', 'three', 'on', 'none'])
      assert.equal(await SessionManager.findById('/work/demo', id, dir), theirClass.findById('/work/demo', id, dir), id);
    const listed = (infos: readonly unknown[]): string[] => infos.map((info) => (info as { id: string }).id).sort();
    assert.deepEqual(listed(await SessionManager.listAll(dir)), listed(await theirClass.listAll(dir)));
    const stopped = AbortSignal.abort(new Error('enough'));
    for (const manager of [SessionManager as unknown as NewerStatics, theirClass]) {
      await assert.rejects(manager.list('/work/demo', dir, undefined, stopped), /enough/);
      await assert.rejects(manager.listAll(dir, undefined, stopped), /enough/);
      await assert.rejects(manager.listAll(undefined, stopped), /enough/);
    }
  });

  it('has every method of pi’s class', () => {
    const methodsOf = (of: object): string[] =>
      Object.getOwnPropertyNames(of).filter((name) => typeof Reflect.get(of, name) === 'function' && !name.startsWith('_'));
    const theirs = methodsOf(theirClass.prototype);
    assert.ok(theirs.length > 35, `${String(theirs.length)} methods`);
    assert.deepEqual(
      theirs.filter((name) => !(name in SessionManager.prototype)),
      [],
    );
    assert.deepEqual(
      methodsOf(theirClass).filter((name) => !(name in SessionManager)),
      [],
    );
  });

  it('creates, forks and opens with the same options', async () => {
    const dir = join(folder.path, 'made');
    const options = { id: 'my-id', parentSession: '/p.jsonl' };
    const [ours, theirs] = [SessionManager.create('/work/demo', dir, options), theirClass.create('/work/demo', dir, options)];
    const header = (manager: { getHeader(): object | null }): unknown => plain({ ...manager.getHeader(), timestamp: '' });
    assert.deepEqual(header(ours), header(theirs));
    assert.throws(() => SessionManager.create('/work/demo', dir, { id: '../x' }), { code: 'invalid' });
    assert.throws(() => theirClass.create('/work/demo', dir, { id: '../x' }), /id/i);

    const path = await folder.write('source.jsonl', session({ cwd: '/work/demo' }).user('a').assistant('b').text());
    const copy = join(folder.path, 'copy.jsonl');
    await copyFile(path, copy);
    const opened = [await SessionManager.open(path, undefined, '/work/other'), theirClass.open(copy, undefined, '/work/other')];
    assert.deepEqual(
      opened.map((manager) => manager.getCwd()),
      ['/work/other', '/work/other'],
    );
    const forks = [
      await SessionManager.forkFrom(path, '/work/new', join(dir, 'ours'), { id: 'fork-id' }),
      theirClass.forkFrom(copy, '/work/new', join(dir, 'theirs'), { id: 'fork-id' }),
    ] as const;
    const forked = forks.map((manager) => manager.getHeader() as unknown as Record<string, unknown>);
    assert.deepEqual(
      forked.map(({ id, cwd }) => [id, cwd]),
      [
        ['fork-id', '/work/new'],
        ['fork-id', '/work/new'],
      ],
    );
    await assert.rejects(SessionManager.forkFrom(path, '/work/new', dir, { id: '../x' }), { code: 'invalid' });
  });

  it('begins in memory with given lines of any version, with and without a header', () => {
    for (let seed = 0; seed < 60; seed++) {
      const { version, builder } = generateSession(seed);
      const lines = builder.lines().map((line) => JSON.parse(line) as JsonObject);
      for (const given of version === 3 ? [lines, lines.slice(1)] : [lines]) {
        const options = { id: 'in-memory' };
        const ours = SessionManager.inMemory('/work/demo', options, given);
        // pi changes the lines that it is given, and gives lines of version 1 random ids.
        const theirs = theirClass.inMemory('/work/demo', options, structuredClone(given));
        assert.equal(ours.getHeader().id, theirs.getHeader()?.['id']);
        assert.equal(ours.getHeader().version, theirs.getHeader()?.['version']);
        assert.equal(ours.getEntryCount(), theirs.getEntryCount(), `seed ${String(seed)}`);
        assert.deepEqual(plain(ours.buildSessionContext().messages), plain(theirs.buildSessionContext().messages), `seed ${String(seed)}`);
        if (version !== 1) assert.deepEqual(plain(ours.getEntries()), plain(theirs.getEntries()));
      }
    }
  });

  it('reports the sessions that were listed so far', async () => {
    const dir = join(folder.path, 'many');
    await mkdir(dir);
    for (let count = 0; count < 23; count++)
      await folder.write(
        join('many', `${String(count)}.jsonl`),
        session({ id: `s${String(count)}`, cwd: `/work/${String(count % 2)}` })
          .user('a')
          .text(),
      );
    const reports = async (of: NewerStatics): Promise<unknown[]> => {
      const found: unknown[] = [];
      await of.list('/work/1', dir, (loaded, total, partial) =>
        found.push([loaded, total, partial && loaded === total ? partial.length : partial !== undefined]),
      );
      return found;
    };
    assert.deepEqual(await reports(SessionManager as unknown as NewerStatics), await reports(theirClass));
  });

  it('knows its default folder, and the version', async () => {
    await withEnvironment(home(folder.path, { PI_CODING_AGENT_DIR: join(folder.path, 'agent') }), async () => {
      const manager = await loadPiManager();
      for (const dir of [join(folder.path, 'elsewhere'), join(folder.path, 'agent', 'sessions', '--work-demo--')])
        assert.equal(
          SessionManager.create('/work/demo', dir).usesDefaultSessionDir(),
          (manager.create('/work/demo', dir) as unknown as NewerApi).usesDefaultSessionDir(),
          dir,
        );
      assert.equal(SessionManager.create('/work/demo').usesDefaultSessionDir(), true);
    });
    assert.equal(CURRENT_SESSION_VERSION, (await importPi<{ CURRENT_SESSION_VERSION: number }>('index')).CURRENT_SESSION_VERSION);
  });
});
