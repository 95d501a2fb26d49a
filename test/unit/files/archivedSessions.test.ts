import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  createWriter,
  forkSession,
  readBodies,
  readSession,
  resumeCommand,
  SessionError,
  sessionToMarkdown,
} from '../../../src/core/index';
import { SessionManager } from '../../../src/core/files/api/sessionManager';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { findRoots } from '../../../src/core/files/locate/findRoots';
import { presence } from '../../../src/core/files/presence/presence';
import { LastUnpacked } from '../../../src/core/files/sync/unpackedBytesSync';
import { readAt } from '../../../src/core/files/io/readAt';
import { readAtSync } from '../../../src/core/files/sync/readAtSync';
import { fileVersion, followSession } from '../../../src/core/files/read/sessionFile';
import { openSessionBytes, openSessionLines } from '../../../src/core/files/read/bytes/sessionBytes';
import { openSessionBytesSync } from '../../../src/core/files/sync/sessionBytesSync';
import { migrationRefusal } from '../../../src/core/files/migration/migrateFile';
import { openTrash } from '../../../src/core/files/trash/trash';
import { archiveIn, ompText, writeArchived } from '../../fixtures/archive';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

describe('Sessions that oh-my-pi has archived', () => {
  const folder = testFolder();
  const agent = (): string => join(folder.path, '.omp', 'agent');

  it('are found in the archive of each profile and data folder, where there is one', async () => {
    mkdirSync(archiveIn(agent()), { recursive: true });
    mkdirSync(archiveIn(join(folder.path, '.omp', 'profiles', 'work', 'agent')), { recursive: true });
    mkdirSync(join(folder.path, '.omp', 'profiles', 'idle'), { recursive: true });
    mkdirSync(archiveIn(join(folder.path, 'xdg', 'omp')), { recursive: true });
    mkdirSync(archiveIn(join(folder.path, 'shared')), { recursive: true });
    const env = { XDG_DATA_HOME: join(folder.path, 'xdg'), PI_CODING_AGENT_DIR: join(folder.path, 'shared') };
    const found = await findRoots({ env, home: folder.path });
    assert.deepEqual(
      found.filter(({ path }) => path.includes('archive')).map(({ path, dialect, flat }) => [relative(folder.path, path), dialect, flat]),
      [
        ['shared/archive/sessions', 'omp', false],
        ['.omp/agent/archive/sessions', 'omp', false],
        ['.omp/profiles/work/agent/archive/sessions', 'omp', false],
        ['xdg/omp/archive/sessions', 'omp', false],
      ],
    );
  });

  it('are listed there, and wherever else one is compressed, with the sessions of their subagents', async () => {
    const path = writeArchived(agent());
    const beside = path.replace('.jsonl.gz', '');
    mkdirSync(beside);
    writeFileSync(join(beside, 'sub.jsonl'), session().user('sub').text());
    writeFileSync(join(beside, 'sub.jsonl.gz'), '');
    for (const name of ['.hidden.jsonl.gz', 'x.jsonl.gz.77.5.tmp', 'y.deleted.1.jsonl.gz']) writeFileSync(join(dirname(path), name), '');
    mkdirSync(join(agent(), 'sessions', 'p'), { recursive: true });
    writeFileSync(join(agent(), 'sessions', 'p', 'z.jsonl.gz'), '');
    const problems: unknown[] = [];
    const { files } = await listFiles(await findRoots({ env: {}, home: folder.path }), (...problem) => problems.push(problem));
    assert.deepEqual(
      files.map((file) => [file.path, file.owner]),
      [
        [join(agent(), 'sessions', 'p', 'z.jsonl.gz'), undefined],
        [path, undefined],
        [join(beside, 'sub.jsonl'), path],
      ],
    );
    assert.deepEqual(problems, []);
  });

  it('have the lines and offsets of the file that they were made from, and the version of their own', async () => {
    const lines = session().user('hello').assistant('hi');
    const path = writeArchived(agent(), '-work-demo/old', lines);
    const before = [readFileSync(path), statSync(path).mtimeMs];
    const expected = await readSession(await folder.write('plain.jsonl', ompText(lines)));
    const found = await readSession(path);
    assert.deepEqual(found.marks, { isArchived: true });
    assert.deepEqual([found.entries, found.size, found.name, found.dialect], [expected.entries, expected.size, 'Put aside', 'omp']);
    assert.deepEqual(await readBodies(found, [entryId(2)]), await readBodies(expected, [entryId(2)]));
    const markdown = await sessionToMarkdown(found);
    assert.ok(markdown.includes('Put aside') && markdown.includes('hello'));
    const [bytes, bytesSync] = [await openSessionBytes(path), openSessionBytesSync(path)];
    assert.equal(readAtSync(bytesSync.file, 0, bytesSync.size).toString(), ompText(lines));
    assert.deepEqual([bytes.version, bytesSync.version], [fileVersion(statSync(path)), fileVersion(statSync(path))]);
    assert.deepEqual([bytes.size, bytesSync.size], [found.size, found.size]);
    assert.equal(await followSession(found), found);
    assert.deepEqual([readFileSync(path), statSync(path).mtimeMs], before);
  });

  it('are unpacked again if another one takes their place', async () => {
    const path = writeArchived(agent());
    const before = await readSession(path);
    const [opened, notRead, openedSync] = [await openSessionBytes(path), await openSessionLines(path), openSessionBytesSync(path)];
    rmSync(path);
    writeArchived(agent(), '-work-demo/old', session().user('another').assistant('one').user('of three'));
    const after = await followSession(before);
    assert.equal(after.entries.length, 3);
    assert.equal((await readSession(path)).entries[0]!.text, 'user: another');
    // A reader of the one before doesn't get the bytes of the other one: it has its own, or none.
    openSessionBytesSync(path);
    assert.equal((await readAt(opened.file, 0, before.size)).toString(), ompText(session().user('hello').assistant('hi')));
    await assert.rejects(readAt(notRead.file, 0, 10), isError('changed', /changed while it was being read/));
    assert.throws(() => openedSync.file.read(Buffer.alloc(10), 0, 10, 0), isError('changed', /changed while it was being read/));
  });

  it('that can’t be unpacked say why, instead of being empty', async () => {
    const path = writeArchived(agent());
    const whole = readFileSync(path);
    const cut = /Can’t unpack this archived session because the file is damaged or isn’t compressed: .*old\.jsonl\.gz/;
    for (const bytes of [whole.subarray(0, whole.length - 9), whole.subarray(0, 30), Buffer.from(ompText(session())), Buffer.alloc(0)]) {
      writeFileSync(path, bytes);
      await assert.rejects(readSession(path), isError('not-a-session', cut));
      assert.throws(() => openSessionBytesSync(path), isError('not-a-session', cut));
    }
    writeFileSync(path, gzipSync('no session'));
    await assert.rejects(readSession(path), isError('not-a-session', /./));
    rmSync(path);
    await assert.rejects(readSession(path), isError('not-found', /session file doesn’t exist/));
    mkdirSync(path);
    await assert.rejects(readSession(path), isError('not-a-session', /isn’t a regular file/));
  });

  it('are unpacked up to a limit, and read up to one', async () => {
    const path = writeArchived(agent());
    // A compressed file may be several ones, one behind the other.
    const part = gzipSync(Buffer.alloc(32 * 1024 * 1024));
    writeFileSync(path, Buffer.concat([...new Array<Buffer>(8).fill(part), gzipSync('x')]));
    const tooLarge = isError('invalid', /too large to unpack \(limit: 256 MB\)/);
    await assert.rejects(readSession(path), tooLarge);
    assert.throws(() => openSessionBytesSync(path), tooLarge);
    writeFileSync(path, Buffer.alloc(257 * 1024 * 1024 + 1));
    await assert.rejects(readSession(path), tooLarge);
  });

  it('are never written to or deleted, whatever the change, and not resumed', async () => {
    const path = writeArchived(agent(), '-work-demo/old', session({ version: 2 }).user('hello').assistant('hi'));
    const before = readFileSync(path);
    const writer = createWriter();
    const trash = await openTrash(join(folder.path, 'trash'), { writer, roots: () => [], onProblem: () => undefined });
    const refused = isError('read-only', /archived in oh-my-pi and read-only here\. Fork it to continue/);
    await assert.rejects(writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }), refused);
    await assert.rejects(writer.submit(path, { kind: 'rename', name: 'x' }), refused);
    await assert.rejects(writer.migrate(path), refused);
    await assert.rejects(trash.delete(path), refused);
    refused(migrationRefusal(await readSession(path)));
    await assert.rejects((await SessionManager.open(path)).appendMessage({ role: 'user', content: 'x', timestamp: 0 }), refused);
    assert.throws(() => resumeCommand({ path, dialect: 'omp' }), isError('read-only', /can’t open archived sessions\. Fork this one/));
    assert.deepEqual(readFileSync(path), before);
    // They're refused by name, before anything is unpacked.
    writeFileSync(path, 'damaged');
    await assert.rejects(writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }), refused);
    assert.deepEqual([...(await presence([path])).values()], [{ state: 'free' }]);
  });

  it('of subagents, which oh-my-pi doesn’t compress, are read-only, too', async () => {
    const sub = join(writeArchived(agent()).replace('.jsonl.gz', ''), '1-Helper.jsonl');
    mkdirSync(dirname(sub));
    writeFileSync(sub, ompText(session().user('sub').assistant('done')));
    await age(sub);
    const before = readFileSync(sub);
    const found = await readSession(sub);
    assert.deepEqual([found.marks, found.entries.length], [{ isArchived: true }, 2]);
    assert.deepEqual((await followSession(found)).marks, { isArchived: true });
    const writer = createWriter();
    const trash = await openTrash(join(folder.path, 'trash'), { writer, roots: () => [], onProblem: () => undefined });
    const refused = isError('read-only', /archived in oh-my-pi/);
    await assert.rejects(writer.submit(sub, { kind: 'label', entryId: entryId(1), label: 'x' }), refused);
    await assert.rejects(writer.migrate(sub), refused);
    await assert.rejects(trash.delete(sub), refused);
    assert.throws(() => resumeCommand(found), isError('read-only', /can’t open archived sessions/));
    assert.deepEqual(readFileSync(sub), before);
    // A file right in the archive is in no project, and other programs have no such archive.
    writeFileSync(join(archiveIn(agent()), 'x.jsonl'), ompText(session().user('x')));
    assert.equal((await readSession(join(archiveIn(agent()), 'x.jsonl'))).marks, undefined);
    writeFileSync(sub, session().user('of pi').text());
    assert.equal((await readSession(sub)).marks, undefined);
    assert.deepEqual((await readSession(sub, { dialect: 'omp' })).marks, { isArchived: true });
  });

  it('are forked to the sessions that aren’t archived, with or without known folders', async () => {
    const path = writeArchived(agent());
    const roots = await findRoots({ env: {}, home: folder.path });
    for (const options of [{}, { roots }]) {
      const fork = await forkSession(path, options);
      assert.equal(dirname(fork.path), join(agent(), 'sessions', '-work-demo'));
      const read = await readSession(fork.path);
      assert.deepEqual([read.entries.length, read.header.parentSession, read.marks], [2, path, undefined]);
    }
    const elsewhere = await forkSession(path, { roots, targetCwd: '/other/place' });
    assert.equal(dirname(elsewhere.path), join(agent(), 'sessions', '--other-place--'));
    const sub = join(path.replace('.jsonl.gz', ''), 'sub.jsonl');
    mkdirSync(dirname(sub));
    writeFileSync(sub, ompText(session().user('sub')));
    assert.equal(dirname((await forkSession(sub, { roots })).path), join(agent(), 'sessions', '-work-demo'));
  });
});

describe('The archive that was unpacked last', () => {
  it('is kept until another one is, and a failure isn’t', () => {
    const last = new LastUnpacked();
    const unpacked: string[] = [];
    const get = (key: string): Buffer =>
      last.get(key, () => {
        unpacked.push(key);
        assert.notEqual(key, 'broken');
        return Buffer.from(key);
      });
    get('a');
    get('a');
    get('b');
    get('a');
    for (let time = 0; time < 2; time++) assert.throws(() => get('broken'));
    assert.deepEqual(unpacked, ['a', 'b', 'a', 'broken', 'broken']);
  });
});

const isError =
  (code: string, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof SessionError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
