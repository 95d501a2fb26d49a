import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { mock } from 'node:test';
import zlib, { gzipSync } from 'node:zlib';
import { IndexedLineReader, type IndexedLine } from '../../../src/core/catalog/search/indexedLineReader';
import { SessionStore } from '../../../src/core/catalog/store/sessionStore';
import { createQuickScanBuffer, quickScan } from '../../../src/core/catalog/rows/quickScan';
import { quickScanSync } from '../../../src/core/catalog/rows/quickScanSync';
import { fileVersion } from '../../../src/core/files/read/sessionFile';
import { createWriter, lineOrigins, readSession, type Root } from '../../../src/core/index';
import { Yielder } from '../../../src/core/files/concurrency/eventLoop';
import { archiveIn, ompText, writeArchived } from '../../fixtures/archive';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
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

  describe('of which single lines are read', () => {
    let unpackings = 0;
    beforeEach(() => {
      unpackings = 0;
      const { createGunzip } = zlib;
      mock.method(zlib, 'createGunzip', (options: object) => {
        unpackings++;
        return createGunzip(options);
      });
    });
    afterEach(() => mock.restoreAll());

    const reader = (): IndexedLineReader => new IndexedLineReader({ summary: () => undefined }, undefined);

    /** Writes an archive, and returns its path and the places of its user messages. */
    function archived(name: string, lines: SessionBuilder): { path: string; places: IndexedLine[] } {
      const path = writeArchived(folder.path, `p/${name}`, lines);
      const places: IndexedLine[] = [];
      let offset = Buffer.byteLength(ompText(lines)) - Buffer.byteLength(lines.text());
      for (const [index, text] of lines.lines().entries()) {
        const length = Buffer.byteLength(text);
        const line = {
          line: index + 2,
          offset,
          length,
          role: 'user',
          hasText: true,
          entryId: `${index}`,
          time: 0,
          active: true,
          tools: [],
        };
        if (index > 0) places.push({ path, line });
        offset += length + 1;
      }
      return { path, places };
    }

    const textsOf = async (places: readonly IndexedLine[]): Promise<unknown[]> => {
      const files = reader();
      const contents = await files.readAll(places, new Yielder(undefined));
      await files.close();
      return places.map((place) => contents.get(place)?.text);
    };

    it('is unpacked once for all of them, in whichever order they’re requested', async () => {
      const names = Array.from({ length: 40 }, (_, index) => `${index}`);
      const all = names.map((name) => archived(name, session().user(`1 in ${name}`).user(`2 in ${name}`)).places);
      const wanted = [1, 0].flatMap((index) => all.map((places) => places[index]!));
      assert.deepEqual(
        await textsOf(wanted),
        ['2', '1'].flatMap((first) => names.map((name) => `${first} in ${name}`)),
      );
      assert.equal(unpackings, names.length);
    });

    it('is kept for the next search', async () => {
      const { places } = archived('a', session().user('early').user(randomBytes(3_000_000).toString('base64')).user('late'));
      assert.deepEqual(await textsOf([places[2]!, places[0]!]), ['late', 'early']);
      assert.deepEqual(await textsOf([places[0]!]), ['early']);
      assert.equal(unpackings, 1);
    });

    it('is closed as soon as another one is read', async () => {
      const [a, b] = ['a', 'b'].map((name) => archived(name, session().user(`in ${name}`)).places[0]!) as [IndexedLine, IndexedLine];
      const files = reader();
      for (const { path, line } of [a, b]) await files.read(path, line);
      assert.deepEqual(await textsOf([a]), ['in a']);
      assert.equal(unpackings, 2);
      await files.close();
    });

    it('is unpacked up to the last of them', async () => {
      const noise = (): string => randomBytes(3_000_000).toString('base64');
      const { path, places } = archived('a', session().user('early').user(noise()).user(noise()).user('late'));
      const packed = readFileSync(path);
      writeFileSync(path, packed.fill(0xff, packed.length - 1_000_000));
      assert.deepEqual(await textsOf([places[0]!]), ['early']);
      assert.deepEqual(await textsOf([places[0]!, places[3]!]), ['early', undefined], 'the rest is damaged');
    });

    it('may be gone or replaced meanwhile', async () => {
      const { path, places } = archived('a', session().user('here'));
      assert.deepEqual(await textsOf(places), ['here']);
      const files = reader();
      const read = async (): Promise<unknown> => (await files.read(path, places[0]!.line))?.text;
      assert.equal(await read(), 'here');
      archived('a', session({ id: 'other' }).user('another'));
      assert.equal(await read(), 'here', 'it’s still the one that was opened');
      await files.close();
      assert.equal(await read(), undefined, 'another line is there');
      await files.close();
      rmSync(path);
      assert.equal(await read(), undefined);
    });
  });

  it('says which of them can’t be unpacked, and has the others', async () => {
    const bomb = join(archiveIn(folder.path), 'p', 'bomb.jsonl.gz');
    const whole = writeArchived(folder.path, 'p/whole', session().user('the needle'));
    const cut = writeArchived(folder.path, 'p/cut', session().user(`the needle ${randomBytes(2_000_000).toString('base64')}`));
    writeFileSync(cut, readFileSync(cut).subarray(0, -1000));
    const part = gzipSync(Buffer.alloc(1024 * 1024, ' '));
    writeFileSync(bomb, Buffer.concat(Array.from({ length: 257 }, () => part)));
    const catalog = await test.open({}, { roots: [root()] });
    const problems = new Map((await catalog.sessions()).map((row) => [row.path, row.problem?.message]));
    assert.match(problems.get(bomb) ?? '', /too large to unpack/);
    assert.match(problems.get(cut) ?? '', /file is damaged/);
    assert.equal(problems.get(whole), undefined);
    assert.deepEqual(
      (await catalog.search('needle')).map(({ path }) => path),
      [whole],
    );
  });
});

describe('A catalog of sessions that we have archived', () => {
  const test = testCatalog();
  const folder = testFolder();

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
