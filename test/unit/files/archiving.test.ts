import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createZstdCompress, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { canUnarchive, type Compression } from '../../../src/core/format/session/archivedSession';
import { assertArchivable } from '../../../src/core/files/archive/archivable';
import { archivePathOf, archivingPath } from '../../../src/core/files/archive/archivePaths';
import type { Writes } from '../../../src/core/files/history/writes';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { exists } from '../../../src/core/files/io/exists';
import { openSessionBytes } from '../../../src/core/files/read/bytes/sessionBytes';
import { readSession } from '../../../src/core/files/read/sessionFile';
import type { ArchivePaths } from '../../../src/core/files/archive/archiver';
import { planCleanUp } from '../../../src/core/files/archive/planCleanUp';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { openSessionBytesSync } from '../../../src/core/files/sync/sessionBytesSync';
import { entryId, session } from '../../fixtures/build';
import { endsBefore, openWindow, type When } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { disturbedDisk, faultyDisk, withFailingCalls, type Fault } from '../../fixtures/testDisk';
import { age, noPrograms, refuses, snapshot } from '../../fixtures/writes';

const TEXT = session().user('one').assistant('first').user('two').assistant('second 😀').text();
/** An older version of Node has gzip alone. */
const FORMATS: readonly Compression[] = typeof createZstdCompress === 'function' ? ['gz', 'zst'] : ['gz'];
/** A system without other processes. */

describe('Archiving a session', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const project = (): string => join(folder.path, 'sessions', '--work--');
  const storage = (): string => join(folder.path, 'storage');
  const root = () => ({ path: join(folder.path, 'sessions'), dialect: 'pi' as const, flat: false });
  let path: string;
  let writes: Writes;

  const put = async (name: string, text: string = TEXT): Promise<string> => {
    const file = join(project(), name);
    await writeFile(file, text);
    await chmod(file, 0o640);
    return age(file);
  };
  const listed = async (): Promise<string[]> => {
    const { files, failed } = await listFiles([root()], (_path, error) => assert.fail(String(error)));
    assert.deepEqual(failed, []);
    return files.map((file) => basename(file.path)).sort();
  };
  const names = async (): Promise<string[]> => (await readdir(project())).sort();
  const undoAll = async (): Promise<void> => {
    while (await writes.nextUndo()) await writes.undo();
  };

  beforeEach(async () => {
    await mkdir(project(), { recursive: true });
    path = await put('a.jsonl');
    writes = await openWindow(storage(), root().path);
  });

  for (const compression of FORMATS) {
    it(`makes one compressed file of it (${compression}), which comes back byte by byte, with its time and permissions`, async () => {
      const before = await stat(path);
      const plain = await readSession(path);
      const archived = await writes.writer.archive(path, { compression });
      assert.deepEqual(archived, { path, archive: `${path}.${compression}` });
      assert.deepEqual(await names(), [`a.jsonl.${compression}`]);
      assert.deepEqual(await listed(), [`a.jsonl.${compression}`]);
      const packed = await stat(archived.archive);
      assert.deepEqual([Math.round(packed.mtimeMs), packed.mode & 0o777], [Math.round(before.mtimeMs), 0o640]);
      if (compression === 'gz') assert.equal(gunzipSync(await readFile(archived.archive)).toString(), TEXT);

      const found = await readSession(archived.archive);
      assert.deepEqual([found.entries, found.size, found.marks], [plain.entries, plain.size, { isArchived: true }]);
      assert.equal(openSessionBytesSync(archived.archive).size, plain.size);

      assert.deepEqual(await writes.writer.unarchive(archived.archive), archived);
      assert.deepEqual(await names(), ['a.jsonl']);
      assert.equal(sha256(await readFile(path)), sha256(Buffer.from(TEXT)));
      const after = await stat(path);
      assert.deepEqual([Math.round(after.mtimeMs), after.mode], [Math.round(before.mtimeMs), before.mode]);
      // It can be written to again.
      await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    });
  }

  it('takes a large session in slices, and can be undone and redone', async () => {
    const long = session()
      .user('x'.repeat(3 * 1024 * 1024 + 7))
      .assistant('end')
      .text();
    const large = await put('large.jsonl', long);
    const { archive } = await writes.writer.archive(large);
    assert.ok((await stat(archive)).size < 20_000);
    assert.equal((await writes.nextUndo())?.kind, 'archive');
    assert.deepEqual((await writes.undo()).paths, [archive, large]);
    assert.equal(await readFile(large, 'utf8'), long);
    assert.equal(await writes.nextUndo(), undefined);
    await writes.writer.archive(large);
    await writes.writer.unarchive(archive);
    // A session that came back isn't brought back again.
    assert.equal(await writes.nextUndo(), undefined);
  });

  it('of a clean-up is undone together with the others of it, deletions too', async () => {
    const group = '0mabcdefg-00000001';
    const [b, c] = [await put('b.jsonl'), await put('c.jsonl')];
    await writes.writer.archive(c);
    await writes.writer.archive(path, { group });
    await writes.trash.delete(b, { group });
    assert.deepEqual(
      await listed(),
      [path, c].map((one) => basename(archivePathOf(one))),
    );
    const { paths } = await writes.undo();
    assert.deepEqual(paths, [b, archivePathOf(path), path]);
    assert.deepEqual(await listed(), ['a.jsonl', 'b.jsonl', basename(archivePathOf(c))].sort());
    await undoAll();
    assert.deepEqual(await listed(), ['a.jsonl', 'b.jsonl', 'c.jsonl']);
  });

  for (const compression of FORMATS)
    it(`makes a file (${compression}) that goes to the trash with all that belongs to the session, and comes back byte by byte`, async () => {
      await mkdir(join(project(), 'a'));
      await age(await put('a/sub.jsonl'));
      await writeFile(`${path}.v1.bak`, 'old');
      const contents = async (): Promise<object> =>
        // A time has fractions of milliseconds that an archive doesn't keep.
        Object.fromEntries(Object.entries(await snapshot(project())).map(([name, text]) => [name, text.replace(/^\d+\.\d+/, '')]));
      const original = await contents();
      const { archive } = await writes.writer.archive(path, { compression });
      const archived = await snapshot(project());
      const item = await writes.trash.delete(archive);
      assert.deepEqual([item.path, item.name, await names()], [archive, 'one', []]);
      assert.deepEqual(
        (await writes.trash.list()).map(({ trashId }) => trashId),
        [item.trashId],
      );
      // The undo of the deletion comes first, then that of the archiving.
      assert.deepEqual((await writes.undo()).paths, [archive]);
      assert.deepEqual(await snapshot(project()), archived);
      assert.deepEqual((await writes.undo()).paths, [archive, path]);
      assert.deepEqual(await contents(), original);
      assert.equal(await writes.nextUndo(), undefined);
    });

  it('makes a file that leaves the session’s folder to another file of it', async () => {
    await mkdir(join(project(), 'a'));
    await age(await put('a/sub.jsonl'));
    for (const other of ['a.jsonl', 'a.jsonl.zst']) {
      await put('a.jsonl');
      const { archive } = await writes.writer.archive(path, { compression: 'gz' });
      await put(other);
      await writes.trash.delete(archive);
      assert.deepEqual(await names(), ['a', other]);
      await unlink(join(project(), other));
      await writes.undo();
      assert.deepEqual(await names(), ['a', basename(archive)]);
      await unlink(archive);
    }
  });

  it('makes a file that isn’t deleted while the original is kept, by a clean-up neither', async () => {
    const growing = await openWindow(storage(), root().path);
    const { archive } = await growing.writer.archive(path, { force: true });
    assert.ok((await names()).includes('.a.jsonl.archiving'));
    assert.match(await refuses(project(), 'live', () => growing.trash.delete(archive, { force: true })), /Unarchive it first/);
    const sessions = [{ path: archive, cwd: '/work', dialect: 'pi' as const, modified: 0 }];
    const planned = await planCleanUp({ sessions, filter: {}, to: 'trash', writer: growing.writer });
    assert.deepEqual([planned.found, planned.left.map(({ reason }) => reason.code)], [[], ['live']]);
    await growing.writer.unarchive(archive);
    await growing.trash.delete(path);
    assert.deepEqual(await names(), []);
  });

  it('of a session whose archive can’t be read lets it be deleted, and of one that is gone says so', async () => {
    const archive = await put('damaged.jsonl.gz', 'no archive');
    await writes.trash.delete(archive);
    assert.deepEqual(await names(), ['a.jsonl']);
    await refuses(project(), 'not-found', () => writes.trash.delete(archive));
    await writes.undo();
    assert.equal(await readFile(archive, 'utf8'), 'no archive');
  });

  it('refuses what it can’t bring back or may not touch, and leaves every byte', async () => {
    const refused = (code: Parameters<typeof refuses>[1], file = path) => refuses(project(), code, () => writes.writer.archive(file));
    await writeFile(archivePathOf(path, 'gz'), 'something');
    assert.match(await refused('invalid'), /Something else is in its place/);
    await unlink(archivePathOf(path, 'gz'));
    await writeFile(archivingPath(path), 'something');
    assert.match(await refused('invalid'), /Something else is in its place/);
    await unlink(archivingPath(path));
    await refused('not-a-session', await put('empty.jsonl', ''));
    await refused('not-a-session', await put('text.txt.jsonl', 'no session'));
    await symlink(path, join(project(), 'link.jsonl'));
    assert.match(await refused('invalid', join(project(), 'link.jsonl')), /This is a link/);
    await unlink(join(project(), 'link.jsonl'));
    await refused(
      'read-only',
      await put(
        'claw.jsonl',
        `${TEXT}${JSON.stringify({ type: 'leaf', id: 'x', parentId: null, targetId: entryId(1), appendMode: 'side' })}\n`,
      ),
    );
    await assert.rejects(
      assertArchivable(path, 'pi', { size: 256 * 1024 * 1024 + 1, mode: 0o644 }),
      /too large to be read from an archive/,
    );
    await chmod(path, 0o440);
    assert.match(await refused('permission'), /file is read-only/);
    await chmod(path, 0o640);
    await refuses(project(), 'changed', () => writes.writer.archive(path, { version: { size: 1, mtimeMs: 1, ino: '' } }));
    await utimes(path, new Date(), new Date());
    assert.match(await refused('unsure'), /changed within the last 10 seconds/);
    await age(path);
    const { archive } = await writes.writer.archive(path);
    assert.match(await refused('read-only', archive), /Unarchive it first/);
  });

  it('in a folder that is named like oh-my-pi’s archive isn’t done or taken back', async () => {
    const place = join(folder.path, 'archive', 'sessions', 'p');
    await mkdir(place, { recursive: true });
    await writeFile(join(place, 'x.jsonl'), TEXT);
    await age(join(place, 'x.jsonl'));
    await refuses(place, 'read-only', () => writes.writer.archive(join(place, 'x.jsonl')));
    await writeFile(join(place, 'y.jsonl.gz'), gzipSync(TEXT));
    assert.equal(canUnarchive(join(place, 'y.jsonl.gz')), false);
    assert.match(await refuses(place, 'read-only', () => writes.writer.unarchive(join(place, 'y.jsonl.gz'))), /archived in oh-my-pi/);
  });

  it('is taken back although a link, a folder or a pipe has the hidden name of an original, which stays', async () => {
    for (const plant of [
      (hidden: string) => symlink(join(folder.path, 'elsewhere'), hidden),
      (hidden: string) => mkdir(hidden),
      (hidden: string) => once(spawn('mkfifo', [hidden]), 'exit'),
    ]) {
      const before = await readFile(path);
      const { archive } = await writes.writer.archive(path);
      const hidden = archivingPath(path);
      await plant(hidden);
      await writes.writer.unarchive(archive);
      assert.deepEqual([await readFile(path), await exists(archive), await exists(hidden)], [before, false, true]);
      await rm(hidden, { recursive: true });
    }
  });

  it('is taken back from a whole archive of a session alone, and never over another file', async () => {
    const { archive } = await writes.writer.archive(path);
    const whole = await readFile(archive);
    const refused = (code: Parameters<typeof refuses>[1]) => refuses(project(), code, () => writes.writer.unarchive(archive));
    await writeFile(path, 'another');
    assert.match(await refused('invalid'), /Something else is in its place/);
    await unlink(path);
    for (const bytes of [whole.subarray(0, whole.length - 3), Buffer.from(TEXT), Buffer.alloc(0)]) {
      await writeFile(archive, bytes);
      await refused('not-a-session');
    }
    await writeFile(archivePathOf(path, 'gz'), gzipSync('no session'));
    await refuses(project(), 'not-a-session', () => writes.writer.unarchive(archivePathOf(path, 'gz')));
    assert.match(await refuses(project(), 'not-a-session', () => writes.writer.unarchive(path)), /nothing to unarchive/);
    await unlink(archivePathOf(path, 'gz')).catch(() => undefined);
    await unlink(archive).catch(() => undefined);
    await writeFile(join(folder.path, 'elsewhere'), whole);
    await symlink(join(folder.path, 'elsewhere'), archive);
    assert.match(await refused('invalid'), /This is a link/);
  });

  if (FORMATS.includes('zst'))
    it('reads nothing from an archive with something behind its frame, which Node would leave out', async () => {
      const archive = await folder.write('two.jsonl.zst', Buffer.concat([zstdCompressSync(TEXT), zstdCompressSync(TEXT)]));
      const damaged = { code: 'not-a-session', message: /damaged or isn’t compressed/ };
      await assert.rejects(openSessionBytes(archive), damaged);
      assert.throws(() => openSessionBytesSync(archive), damaged);
      await assert.rejects(createWriter().unarchive(archive), damaged);
    });

  it('shows one of a session and its archives, if an interruption left several', async () => {
    for (const ending of ['gz', 'zst']) {
      await writeFile(`${path}.${ending}`, gzipSync(TEXT));
      await age(`${path}.${ending}`);
    }
    await mkdir(join(project(), 'a'));
    await writeFile(join(project(), 'a', 'sub.jsonl'), TEXT);
    assert.deepEqual(await listed(), ['a.jsonl', 'sub.jsonl']);
    await unlink(path);
    assert.deepEqual(await listed(), ['a.jsonl.zst', 'sub.jsonl']);
    await mkdir(path);
    await age(path);
    assert.deepEqual(await listed(), ['a.jsonl.zst', 'sub.jsonl']);
  });

  const changes = {
    archive: { start: () => Promise.resolve(), run: (disk: Parameters<typeof createWriter>[0]) => createWriter(disk).archive(path) },
    unarchive: {
      start: () => createWriter({ signs: noPrograms }).archive(path),
      run: (disk: Parameters<typeof createWriter>[0]) => createWriter(disk).unarchive(archivePathOf(path)),
    },
  } as const;

  for (const [change, { start, run }] of Object.entries(changes)) {
    it(`${change}: a disk that fails at any call leaves the session or its whole archive`, async () => {
      const prepare = async (): Promise<void> => {
        for (const name of await names()) await unlink(join(project(), name));
        path = await put('a.jsonl');
        await start();
      };
      await prepare();
      const counting = faultyDisk();
      await run({ disk: counting.disk, signs: noPrograms });
      for (const [at, call] of counting.calls.entries())
        for (const fault of ['ENOSPC', 'EACCES', 'EIO', 'EIO after', 'short', 'short, full', 'stop', 'stop after'] satisfies Fault[]) {
          if (fault.startsWith('short') && call !== 'write') continue;
          await prepare();
          const before = await snapshot(project());
          const error = await run({ disk: faultyDisk(at, fault).disk, signs: noPrograms }).then(
            () => undefined,
            (reason: unknown) => reason as Error & { code?: string },
          );
          const label = `${fault} at ${String(at)} ${call}: ${error?.message ?? 'done'}`;
          assert.equal(await contentThere(path), TEXT, label);
          if (error && !/^stop|after$/.test(fault) && error.code !== 'damaged')
            assert.deepEqual(withoutTemporary(await snapshot(project())), before, label);
          assert.equal((await listed()).length, 1, label);
        }
    });

    it(`${change}: a process that is killed at any change is ended by the next start`, async () => {
      /** Returns true if the process ended before it reached this change. */
      const killedAt = async (n: number, when: When): Promise<boolean> => {
        for (const name of await names()) await unlink(join(project(), name));
        path = await put('a.jsonl');
        await start();
        const started = Date.now();
        const ended = await endsBefore(n, change as 'archive' | 'unarchive', storage(), root().path, path, when);
        const label = `${when} ${String(n)}`;
        assert.equal(await contentThere(path), TEXT, label);
        assert.equal((await listed()).length, 1, label);
        writes = await openWindow(storage(), root().path);
        await writes.recover();
        assert.equal((await names()).length, 1, `${label}: ${(await names()).join()}`);
        assert.equal(await contentThere(path), TEXT, label);
        assert.deepEqual(await readdir(join(storage(), 'journal', 'archiving')).catch(() => []), [], label);
        const kinds: string[] = [];
        for await (const { kind, at } of writes.journal.records()) if (Date.parse(at) >= started) kinds.push(kind);
        assert.ok(kinds.filter((kind) => kind === change).length <= 1, `${label}: ${kinds.join()}`);
        const next = await writes.nextUndo();
        // The undo fits what is there.
        if (change === 'archive') assert.equal(next?.kind === 'archive', (await names())[0] !== 'a.jsonl', label);
        await undoAll();
        if (change === 'archive') assert.deepEqual(await names(), ['a.jsonl'], label);
        return ended;
      };
      let last = 1;
      while (!(await killedAt(last, 'before'))) last++;
      // The disk after any other change is the disk before the next one.
      assert.equal(await killedAt(last - 1, 'after'), false);
    });
  }

  const line = `${JSON.stringify({ type: 'custom', id: 'late0001', parentId: entryId(4), timestamp: '2026-01-01T00:00:00.000Z', customType: 'x' })}\n`;
  for (const [how, write] of Object.entries({
    appends: (file: string) => appendFileSync(file, line),
    'writes to a new file, which it renames over the old one,': (file: string) => {
      writeFileSync(join(folder.path, 'rewritten'), TEXT + line);
      renameSync(join(folder.path, 'rewritten'), file);
    },
  }))
    it(`a line that an agent ${how} at any moment isn’t lost`, async () => {
      const counting = faultyDisk();
      await createWriter({ disk: counting.disk, signs: noPrograms }).archive(path);
      for (let at = 0; at < counting.calls.lastIndexOf('unlink'); at++) {
        for (const name of await names()) await unlink(join(project(), name));
        path = await put('a.jsonl');
        const { disk } = disturbedDisk(
          (_name, index) => index === at,
          async () => write((await exists(path)) ? path : archivingPath(path)),
        );
        await assert.rejects(
          createWriter({ disk, signs: noPrograms }).archive(path),
          (error) => ['changed', 'unsure'].includes((error as { code: string }).code),
          counting.calls[at],
        );
        assert.equal(await readFile(path, 'utf8'), TEXT + line);
        assert.deepEqual(await names(), ['a.jsonl']);
      }
    });

  it('a line that an agent with the file open appends right before it’s removed isn’t lost', async () => {
    const { disk } = disturbedDisk(
      (name) => name === 'unlink' && existsSync(archivingPath(path)),
      () => Promise.resolve().then(() => appendFileSync(archivingPath(path), line)),
    );
    await assert.rejects(createWriter({ disk, signs: noPrograms }).archive(path), { code: 'changed' });
    assert.deepEqual([await names(), await readFile(path, 'utf8')], [['a.jsonl'], TEXT + line]);
  });

  /** The process that has a file open whose name ends so. */
  const openBy = (ending: string) => ({
    ...noPrograms,
    processes: (files: readonly string[]) =>
      Promise.resolve({
        open: new Map(files.filter((one) => one.endsWith(ending)).map((one) => [one, { pid: 7, program: 'omp' }])),
        agents: [],
      }),
  });

  it('isn’t done if a program opened the session after the check, even if that’s forced', async () => {
    for (const force of [false, true])
      assert.match(
        await refuses(project(), 'live', () => createWriter({ signs: openBy('.archiving') }).archive(path, { force })),
        /omp \(PID 7\) has this session open.*\/a\.jsonl$/,
      );
  });

  it('keeps the archive and the original if another file is in its place when it should come back', async () => {
    const { processes } = openBy('.archiving');
    const written = {
      ...noPrograms,
      processes: async (files: readonly string[]) => {
        if (existsSync(archivingPath(path))) await writeFile(path, line);
        return processes(files);
      },
    };
    await assert.rejects(createWriter({ signs: written }).archive(path), { code: 'damaged', message: /is kept in .*\.archiving/ });
    assert.deepEqual(await names(), [basename(archivingPath(path)), 'a.jsonl', basename(archivePathOf(path))]);
    assert.deepEqual([await readFile(archivingPath(path), 'utf8'), await readFile(path, 'utf8')], [TEXT, line]);
  });

  it('keeps the archive if the original is gone, or can’t get its name back', async () => {
    const archive = basename(archivePathOf(path));
    const gone = disturbedDisk(
      (name) => name === 'stat' && existsSync(archivingPath(path)),
      () => unlink(archivingPath(path)),
    );
    await assert.rejects(createWriter({ disk: gone.disk, signs: noPrograms }).archive(path), {
      code: 'damaged',
      message: /disappeared while it was archived or moved, so the new copy of it was kept/,
    });
    assert.deepEqual([await names(), await contentThere(path)], [[archive], TEXT]);
    await createWriter({ signs: noPrograms }).unarchive(archivePathOf(path));
    await age(path);

    let isBroken = false;
    const broken = {
      ...noPrograms,
      processes: (files: readonly string[]) => {
        isBroken ||= existsSync(archivingPath(path));
        return openBy('.archiving').processes(files);
      },
    };
    await withFailingCalls(
      ['link', 'rename'],
      () => (isBroken ? 'EIO' : undefined),
      () =>
        assert.rejects(createWriter({ signs: broken }).archive(path), {
          code: 'damaged',
          message: /couldn’t get its name back and is kept in .*\.archiving/,
        }),
    );
    assert.deepEqual([await names(), await contentThere(path)], [[basename(archivingPath(path)), archive], TEXT]);
  });

  it('that was forced keeps the original if a program writes to it right before it’s removed', async () => {
    const { archive } = await writes.writer.archive(path, { force: true });
    const program = {
      ...noPrograms,
      processes: () => {
        appendFileSync(archivingPath(path), line);
        return Promise.resolve({ open: new Map(), agents: [] });
      },
    };
    assert.equal(await createWriter({ signs: program }).endArchiving({ path, archive }), 'kept');
    assert.equal(await readFile(archivingPath(path), 'utf8'), TEXT + line);
    assert.equal(await createWriter({ signs: noPrograms }).endArchiving({ path, archive }), 'session');
    assert.equal(await readFile(path, 'utf8'), TEXT + line);
  });

  it('that was forced keeps the original for a day, unless a program has it open', async () => {
    const start = async (days: number): Promise<readonly string[]> => {
      const now = Date.now;
      Date.now = () => now() + days * 24 * 60 * 60 * 1000;
      try {
        await (await openWindow(storage(), root().path, { signs: {} })).recover();
      } finally {
        Date.now = now;
      }
      return names();
    };
    const { archive } = await writes.writer.archive(path, { force: true });
    const kept = [basename(archivingPath(path)), basename(archive)];
    assert.deepEqual([await names(), await listed()], [kept, [basename(archive)]]);
    assert.deepEqual(await start(0), kept);
    assert.deepEqual(await start(0.9), kept);
    const descriptor = openSync(archivingPath(path), 'r');
    const program = spawn('sleep', ['60'], { stdio: [descriptor, 'ignore', 'ignore'] });
    closeSync(descriptor);
    assert.deepEqual(await start(2), kept);
    program.kill();
    await once(program, 'exit');
    assert.deepEqual(await start(2), [basename(archive)]);
    assert.deepEqual(await readdir(join(storage(), 'journal', 'archiving')), []);
    assert.equal((await writes.nextUndo())?.kind, 'archive');
  });

  it('that was forced brings the session back at the next start if a program has continued it, and says so', async () => {
    const notices: string[] = [];
    const program = await open(path, 'a');
    const { archive } = await createWriter({ signs: noPrograms, locksDir: join(storage(), 'windows') }).archive(path, { force: true });
    await createWriter({ signs: noPrograms }).unarchive(archive);
    await age(path);
    await writes.writer.archive(path, { force: true });
    await program.write(line);
    await program.close();
    const window = await openWindow(storage(), root().path, { onReturned: ({ message }) => notices.push(message) });
    const found: string[] = [];
    await window.recover((one) => found.push(basename(one)));
    assert.deepEqual([await names(), await readFile(path, 'utf8')], [['a.jsonl'], TEXT + line]);
    assert.deepEqual([notices.length, found], [1, ['a.jsonl', basename(archive)]]);
    assert.match(notices[0] ?? '', /continued this session after it was archived/);
    assert.equal(await window.nextUndo(), undefined);
    await window.recover();
    assert.equal(notices.length, 1);
  });

  it('that was forced brings the session back if its archive is removed, and says so', async () => {
    const notices: string[] = [];
    const { archive } = await writes.writer.archive(path, { force: true });
    rmSync(archive);
    const window = await openWindow(storage(), root().path, { onReturned: ({ message }) => notices.push(message) });
    await window.recover();
    assert.deepEqual([await names(), await readFile(path, 'utf8')], [['a.jsonl'], TEXT]);
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? '', /archive of this session was removed/);
    assert.equal(await window.nextUndo(), undefined);
  });

  it('that was forced is taken back with what a program added since', async () => {
    const { ino } = await stat(path);
    const { archive } = await writes.writer.archive(path, { force: true });
    appendFileSync(archivingPath(path), line);
    await writes.undo();
    assert.deepEqual([await names(), await readFile(path, 'utf8'), (await stat(path)).ino], [['a.jsonl'], TEXT + line, ino]);
    // A file with the hidden name that is of another session stays.
    await age(path);
    await writes.writer.archive(path);
    await writeFile(archivingPath(path), 'another');
    await writes.writer.unarchive(archive);
    assert.deepEqual([await names(), await readFile(path, 'utf8')], [[basename(archivingPath(path)), 'a.jsonl'], TEXT + line]);
  });

  it('that was forced and continued in two files says where the rest is', async () => {
    await writes.writer.archive(path, { force: true });
    appendFileSync(archivingPath(path), line);
    await writeFile(path, line);
    await assert.rejects((await openWindow(storage(), root().path)).recover(), /is kept in .*\.archiving/);
    assert.equal(await readFile(archivingPath(path), 'utf8'), TEXT + line);
    // A program that rewrote the session has everything in its new file.
    await writeFile(path, TEXT + line + line);
    await createWriter({ signs: noPrograms }).endArchiving({ path, archive: archivePathOf(path) });
    assert.deepEqual(await names(), ['a.jsonl']);
  });

  it('an archive whose bytes aren’t those of the session is removed, and the session stays', async () => {
    const archive = archivePathOf(path);
    const { disk } = disturbedDisk(
      (name) => name === 'stat' && existsSync(archive),
      async () => {
        const bytes = await readFile(archive);
        const at = Math.floor(bytes.length / 2);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        await writeFile(archive, bytes);
      },
    );
    await assert.rejects(createWriter({ disk, signs: noPrograms }).archive(path), { code: /not-a-session|invalid/ });
    assert.deepEqual([await names(), await readFile(path, 'utf8')], [['a.jsonl'], TEXT]);
  });

  it('a session that a program writes to right after says where its beginning is', async () => {
    const { disk } = disturbedDisk(
      (name) => name === 'unlink' && existsSync(archivingPath(path)),
      () => Promise.resolve().then(() => writeFileSync(path, line)),
    );
    await assert.rejects(createWriter({ disk, signs: noPrograms }).archive(path), {
      code: 'damaged',
      message: /What it had before is in .*a\.jsonl\./,
    });
    assert.equal(await readFile(path, 'utf8'), line);
  });

  it('an interrupted one is ended by what is there: only a file whose bytes another one has is removed', async () => {
    const writer = createWriter({ signs: noPrograms });
    const { archive } = await writer.archive(path);
    const end = async (files: Readonly<Record<string, string>>): Promise<readonly [string, readonly string[]]> => {
      for (const name of await names()) if (name !== basename(archive)) await unlink(join(project(), name));
      for (const [name, text] of Object.entries(files)) await writeFile(join(project(), name), text);
      return [await writer.endArchiving({ path, archive }), await names()];
    };
    const [packed, aside] = [basename(archive), basename(archivingPath(path))];
    assert.deepEqual(await end({}), ['archive', [packed]]);
    assert.deepEqual(await end({ [aside]: TEXT }), ['archive', [packed]]);
    assert.deepEqual(await end({ 'a.jsonl': 'another' }), ['session', ['a.jsonl', packed]]);
    assert.deepEqual(await end({ 'a.jsonl': `${TEXT.slice(0, -2)}x\n` }), ['session', ['a.jsonl', packed]]);
    await assert.rejects(end({ 'a.jsonl': 'another', [aside]: `${TEXT}more` }), /is kept in .*\.archiving/);
    assert.deepEqual(await names(), [aside, 'a.jsonl', packed].sort());
    assert.deepEqual(await end({ [aside]: `${TEXT}more` }), ['session', ['a.jsonl']]);
    assert.deepEqual(await end({}), ['neither', []]);
    await writeFile(path, `${TEXT}more`);
    await writeFile(archivePathOf(path, 'gz'), gzipSync(TEXT));
    assert.equal(await writer.endArchiving({ path, archive: archivePathOf(path, 'gz') }), 'session');
    assert.deepEqual(await names(), ['a.jsonl']);
  });

  it('an interrupted one with a damaged archive, or a path that was only reserved, hides no session', async () => {
    const writer = createWriter({ signs: noPrograms });
    const { archive } = await writer.archive(path);
    const whole = await readFile(archive);
    await writeFile(path, '');
    assert.equal(await writer.endArchiving({ path, archive }), 'archive');
    assert.deepEqual(await names(), [basename(archive)]);
    await writeFile(archive, whole.subarray(0, -3));
    await writeFile(archivingPath(path), TEXT);
    assert.equal(await writer.endArchiving({ path, archive }), 'session');
    assert.deepEqual([await names(), await readFile(path, 'utf8')], [['a.jsonl', basename(archive)], TEXT]);
    await writeFile(archive, '');
    assert.equal(await writer.endArchiving({ path, archive }), 'session');
    assert.deepEqual([await names(), await readFile(path, 'utf8')], [['a.jsonl'], TEXT]);
  });

  it('a session that an agent continues after that doesn’t hide its archive', async () => {
    await mkdir(join(project(), 'a'));
    await writeFile(join(project(), 'a', 'sub.jsonl'), TEXT);
    const { archive } = await writes.writer.archive(path);
    await writeFile(path, line);
    assert.deepEqual(await listed(), ['a.jsonl', basename(archive), 'sub.jsonl']);
  });

  it('an interrupted one on a disk that isn’t mounted is ended once it is', async () => {
    const { archive } = await createWriter({ signs: noPrograms }).archive(path);
    await unlink(archive);
    await writeFile(archivingPath(path), TEXT);
    const records = join(storage(), 'journal', 'archiving');
    await mkdir(records);
    const begun = { pid: 2 ** 30, began: 1, machine: hostname(), since: 1, kind: 'archive', path, archive };
    await writeFile(join(records, '0mabcdefg-00000000.json'), JSON.stringify(begun));
    await rename(project(), `${folder.path}/unmounted`);
    await writes.recover();
    await rename(`${folder.path}/unmounted`, project());
    await writes.recover();
    assert.deepEqual([await names(), await readdir(records)], [['a.jsonl'], []]);
  });

  it('a forged record changes nothing outside of the session folders', async () => {
    const gone = { pid: 2 ** 30, began: 1, machine: hostname(), since: 1, kind: 'archive' };
    const outside = join(folder.path, 'outside');
    await mkdir(outside);
    for (const place of [outside, project()])
      for (const name of ['b.jsonl', 'b.jsonl.gz', '.b.jsonl.archiving'])
        writeFileSync(join(place, name), name.endsWith('gz') ? gzipSync(TEXT) : TEXT);
    writeFileSync(join(project(), 'c.jsonl.gz'), gzipSync(TEXT));
    const forged: readonly (Partial<ArchivePaths> & { readonly kind?: string })[] = [
      { path: join(outside, 'b.jsonl'), archive: join(outside, 'b.jsonl.gz') },
      { path: join(project(), 'b.jsonl'), archive: join(outside, 'b.jsonl.gz') },
      { path: join(project(), '..', '..', 'outside', 'b.jsonl'), archive: join(outside, 'b.jsonl.gz') },
      { path: 'b.jsonl', archive: 'b.jsonl.gz' },
      { path: join(project(), 'b.jsonl'), archive: join(project(), 'b.jsonl.gz'), kind: 'delete' },
      {},
    ];
    const before = [await snapshot(outside), await snapshot(project())];
    const records = join(storage(), 'journal', 'archiving');
    await mkdir(records);
    for (const [n, record] of forged.entries())
      await writeFile(join(records, `0mabcdefg-0000000${String(n)}.json`), JSON.stringify({ ...gone, ...record }));
    await writes.recover();
    assert.deepEqual([await snapshot(outside), await snapshot(project())], before);
    await writeFile(
      join(records, '0mabcdefg-0000000f.json'),
      JSON.stringify({ ...gone, path: join(project(), 'b.jsonl'), archive: join(project(), 'b.jsonl.gz') }),
    );
    await writes.recover();
    assert.deepEqual(await names(), ['a.jsonl', 'b.jsonl', 'c.jsonl.gz']);
    await symlink(outside, join(dirname(project()), 'linked'));
    await rename(join(outside, '.b.jsonl.archiving'), join(outside, '.c'));
    const linked = join(dirname(project()), 'linked', 'b.jsonl');
    await writeFile(join(records, '0mabcdefg-0000001f.json'), JSON.stringify({ ...gone, path: linked, archive: `${linked}.gz` }));
    await writes.recover();
    assert.deepEqual((await readdir(outside)).sort(), ['.c', 'b.jsonl', 'b.jsonl.gz']);
  });
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the session's text, from the session or its archive. */
async function contentThere(path: string): Promise<string> {
  const plain = await readFile(path, 'utf8').catch(() => undefined);
  if (plain !== undefined) return plain;
  const { file, size } = await openSessionBytes(archivePathOf(path));
  const bytes = Buffer.alloc(size);
  await file.read(bytes, 0, size, 0);
  return bytes.toString();
}

const withoutTemporary = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !name.endsWith('.tmp')));
