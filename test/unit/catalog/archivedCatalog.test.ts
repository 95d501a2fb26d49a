import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { IndexedLineReader } from '../../../src/core/catalog/search/indexedLineReader';
import { SessionStore } from '../../../src/core/catalog/store/sessionStore';
import { createQuickScanBuffer, quickScan } from '../../../src/core/catalog/rows/quickScan';
import { quickScanSync } from '../../../src/core/catalog/rows/quickScanSync';
import { fileVersion } from '../../../src/core/files/read/sessionFile';
import { createWriter, lineOrigins, readSession, type Root } from '../../../src/core/index';
import { archiveIn, writeArchived } from '../../fixtures/archive';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { addArchivedSession, createDatabase } from '../../fixtures/openclawDatabase';
import { age } from '../../fixtures/writes';

describe('A catalog of oh-my-pi’s archive', () => {
  const test = testCatalog();
  const folder = testFolder();
  const root = (): Root => ({ path: archiveIn(folder.path), dialect: 'omp', flat: false });

  it('has a row for each session, marked as archived and not as writable, also from its own database', async () => {
    const old = writeArchived(folder.path, 'p/old', session({ version: 2 }).user('hello').assistant('hi'));
    const damaged = writeArchived(folder.path, 'p/damaged');
    writeFileSync(damaged, readFileSync(damaged).subarray(0, 40));
    for (const catalog of [await test.open({}, { roots: [root()] }), await test.open({}, { roots: [root()], background: false })]) {
      const rows = new Map((await catalog.sessions()).map((row) => [row.path, row]));
      const { isArchived, writable, isOld, title, dialect, messageCount } = rows.get(old)!;
      assert.deepEqual([isArchived, writable, isOld, title, dialect, messageCount], [true, false, false, 'Put aside', 'omp', 2]);
      assert.match(rows.get(damaged)!.problem?.message ?? '', /Can’t unpack/);
      assert.deepEqual((await catalog.refresh()).changed, []);
      await catalog.close();
    }
  });

  it('marks the sessions of subagents, which aren’t compressed, at once and later', async () => {
    const sub = join(writeArchived(folder.path, 'p/old').replace('.jsonl.gz', ''), '1-Helper.jsonl');
    mkdirSync(dirname(sub));
    writeFileSync(sub, session({ version: 2 }).user('sub').text());
    const file = { path: sub, dialect: 'omp', version: fileVersion(statSync(sub)) } as const;
    for (const { summary } of [await quickScan(file, createQuickScanBuffer()), quickScanSync(file, createQuickScanBuffer())])
      assert.deepEqual([summary.marks, summary.isOld], [{ isArchived: true }, false]);
    const catalog = await test.open({}, { roots: [root()] });
    const { isArchived, writable, isOld } = (await catalog.sessions()).find(({ path }) => path === sub)!;
    assert.deepEqual([isArchived, writable, isOld], [true, false, false]);
  });

  it('finds words in sessions, and has their entries', async () => {
    const [one, two] = [
      writeArchived(folder.path, 'p/one', session().user('a needle').assistant('found')),
      writeArchived(folder.path, 'q/two', session().user('another needle')),
    ];
    const catalog = await test.open({}, { roots: [root()] });
    assert.deepEqual((await catalog.search('needle')).map((hit) => hit.path).sort(), [one, two]);
    assert.deepEqual((await catalog.session(one)).entries, (await readSession(one)).entries);
  });

  it('follows what is archived and what leaves the archive', async () => {
    const roots = [root(), { path: join(folder.path, 'sessions'), dialect: 'omp', flat: false } as const];
    mkdirSync(join(folder.path, 'sessions', 'p'), { recursive: true });
    const store = new SessionStore({ roots: () => roots, onProblem: () => undefined, onChange: () => undefined });
    const listed = (): unknown[] => [...store.files().values()].map((file) => [file.path, file.kind === 'session' && file.summary.marks]);
    await store.refresh();
    assert.deepEqual(listed(), []);
    const path = writeArchived(folder.path, 'p/old');
    await store.refresh([join(archiveIn(folder.path), 'p')]);
    assert.deepEqual(listed(), [[path, { isArchived: true }]]);
    rmSync(path);
    const live = join(folder.path, 'sessions', 'p', 'old.jsonl');
    writeFileSync(live, session().user('hello').text());
    await store.refresh([path, live]);
    assert.deepEqual(listed(), [[live, undefined]]);
  });

  it('first shows what the beginning and the end of a session reveal', async () => {
    const lines = session().user('how it began').assistant(randomBytes(200_000).toString('base64')).user('how it ended');
    const path = writeArchived(folder.path, 'p/long', lines);
    const file = { path, dialect: 'omp', version: fileVersion(statSync(path)) } as const;
    const rows = [await quickScan(file, createQuickScanBuffer()), quickScanSync(file, createQuickScanBuffer())];
    const whole = await readSession(path);
    for (const { summary } of rows) {
      const { title, firstMessage, marks, modified } = summary;
      assert.deepEqual([title, firstMessage, marks], ['Put aside', 'how it began', { isArchived: true }]);
      assert.equal(modified, whole.entries.at(-1)!.time, 'the end was read, too');
    }
  });

  it('keeps one unpacked session per thread, however many a search reads', () => {
    const paths = ['a', 'b'].map((name) => writeArchived(folder.path, `p/${name}`, session().user(`in ${name}`)));
    const offset = 256 + Buffer.byteLength(session().text());
    const reader = new IndexedLineReader({ summary: () => undefined });
    const [a, b] = paths as [string, string];
    const lineOf = (path: string, name: string): unknown => {
      const length = Buffer.byteLength(session().user(`in ${name}`).lines()[1]!);
      return reader.read(path, { line: 3, offset, length, role: 'user', hasText: true, entryId: 'x' } as never)?.text;
    };
    assert.deepEqual([lineOf(a, 'a'), lineOf(b, 'b')], ['in a', 'in b']);
    renameSync(a, `${a}.gone`);
    assert.equal(lineOf(b, 'b'), 'in b', 'the last one stays');
    assert.equal(lineOf(a, 'a'), undefined, 'it’s gone, and so is the line');
  });
});

describe('A catalog of sessions that we have archived', () => {
  const test = testCatalog();
  const folder = testFolder();

  it('opens a large one that hasn’t changed without unpacking it again', async () => {
    const path = writeArchived(folder.path, 'p/large', session().user('x'.repeat(9_000_000)).assistant('hi'));
    const write = (bytes: Buffer): void => {
      writeFileSync(path, bytes);
      utimesSync(path, 1_700_000_000, 1_700_000_000);
    };
    write(readFileSync(path));
    const catalog = await test.open({}, { roots: [{ path: archiveIn(folder.path), dialect: 'omp', flat: false }] });
    await catalog.refresh();
    // The same version with other bytes, which can't be unpacked.
    write(Buffer.alloc(statSync(path).size));
    // This thread keeps what it unpacked last.
    await readSession(writeArchived(folder.path, 'p/other'));
    assert.equal((await catalog.session(path)).entries.length, 2);
    await assert.rejects(readSession(path), /is damaged/);
  });

  it('opens a large one of OpenClaw that hasn’t changed without its archive', async () => {
    const [agent, cold] = [join(folder.path, 'agent'), join(folder.path, 'sessions', 'cold')];
    for (const each of [agent, cold]) mkdirSync(each, { recursive: true });
    const database = createDatabase(join(agent, 'a.sqlite'));
    const lines = session().user('x'.repeat(9_000_000)).assistant('hi').lines();
    const { name, archive } = addArchivedSession(database, 'one', lines);
    database.close();
    writeFileSync(join(cold, name), archive);
    const catalog = await test.open({}, { roots: [{ path: join(agent, 'a.sqlite'), dialect: 'openclaw', flat: true }] });
    await catalog.refresh();
    const path = join(agent, 'a.sqlite', 'one.jsonl');
    assert.equal((await catalog.session(path)).entries.length, 2);
    rmSync(join(cold, name));
    assert.equal((await catalog.session(path)).entries.length, 2);
    await assert.rejects(readSession(path), /archive is missing/);
  });

  it('counts each once: in rows, search, usage, labels, files and line origins, whether it’s archived, not, or interrupted', async () => {
    const root: Root = { path: join(folder.path, 'sessions'), dialect: 'pi', flat: false };
    const [path, code] = [join(root.path, 'p', 'a.jsonl'), join(folder.path, 'code.txt')];
    const lines = session({ cwd: folder.path })
      .user('the needle')
      .tool('write', { path: code, content: 'a rare line of code\n' })
      .label(entryId(1), 'kept');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.text());
    await age(path);
    const catalog = await test.open({}, { roots: [root] });
    const facts = async (): Promise<unknown> => ({
      rows: (await catalog.sessions()).map(({ messageCount, title, parentSessionPath }) => [messageCount, title, parentSessionPath]),
      search: (await catalog.search('needle')).map(({ entryId: id }) => id),
      usage: await catalog.usage({ by: 'project' }),
      labels: (await catalog.labels()).map(({ label }) => label),
      files: (await catalog.touching(code)).map(({ entryId: id, kind }) => [id, kind]),
      origins: (await lineOrigins(catalog, code, { text: 'a rare line of code\n' })).map(({ entryId: id, from }) => [id, from]),
    });
    const before = await facts();
    const writer = createWriter();
    const { archive } = await writer.archive(path);
    await catalog.refresh();
    assert.deepEqual(await facts(), before);
    assert.deepEqual(
      (await catalog.sessions()).map((row) => [row.path, row.isArchived]),
      [[archive, true]],
    );
    writeFileSync(path, lines.text());
    utimesSync(path, statSync(archive).atime, statSync(archive).mtime);
    await catalog.refresh();
    assert.deepEqual(await facts(), before);
    rmSync(path);
    await catalog.refresh();
    await writer.unarchive(archive);
    await catalog.refresh();
    assert.deepEqual(await facts(), before);
    assert.deepEqual(
      (await catalog.sessions()).map((row) => [row.path, row.isArchived]),
      [[path, undefined]],
    );
  });
});
