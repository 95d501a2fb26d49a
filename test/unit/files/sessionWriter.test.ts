import assert from 'node:assert/strict';
import { chmod, link, lstat, readFile, stat, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAppended } from '../../../src/core/files/write/appendText';
import { forkLoadedSession } from '../../../src/core/files/write/forkSession';
import { createFile } from '../../../src/core/files/io/atomicFile';
import { lockPaths } from '../../../src/core/files/presence/programLocks';
import { readBodies, readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter, migrate } from '../../../src/core/files/write/sessionWriter';
import type { Dialect } from '../../../src/core/format/entry/dialect';
import type { SessionErrorCode } from '../../../src/core/format/entry/problem';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age, countingStamp, grow, linesOf, refuses, snapshot } from '../../fixtures/writes';

const talk = () => session().user('one').assistant('first').user('two').assistant('second');
const slot = titleSlotLine({ title: 'old', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' });
/** A process id that no system assigns. */
const GONE = 2 ** 30;

describe('submit: bytes of a change', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const write = async (text: string, name = 'a.jsonl') => age(await folder.write(name, text));

  it('appends one line and keeps every byte before it', async () => {
    const path = await write(talk().text());
    const {
      entryId: id,
      session: after,
      concurrent,
    } = await createWriter(countingStamp()).submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    const line = `{"type":"label","id":"f0000001","parentId":"${entryId(4)}","timestamp":"2026-03-04T05:06:07.890Z","targetId":"${entryId(1)}","label":"x"}\n`;
    assert.equal(await readFile(path, 'utf8'), talk().text() + line);
    assert.deepEqual([id, concurrent, after.leafId, after.labels.get(entryId(1))], ['f0000001', undefined, 'f0000001', 'x']);
    assert.deepEqual((await snapshot(folder.path))['a.jsonl']?.endsWith(line), true);
  });

  it('keeps the mode and the inode', async () => {
    const path = await write(talk().text());
    await chmod(path, 0o640);
    const before = await stat(path);
    await createWriter().submit(path, { kind: 'branch', entryId: entryId(3) });
    const after = await stat(path);
    assert.deepEqual([after.ino, after.mode], [before.ino, before.mode]);
    assert.ok(after.mtimeMs > before.mtimeMs);
  });

  it('makes the branch the last line, so that the file opens there', async () => {
    const path = await write(talk().text());
    const { entryId: id } = await createWriter().submit(path, { kind: 'branch', entryId: entryId(3), summary: 'left' });
    const read = await readSession(path);
    assert.deepEqual([read.leafId, read.byId.get(id)?.parentId, read.byId.get(id)?.type], [id, entryId(2), 'branch_summary']);
  });

  it('records the files of the branch that a summary stands for, as pi does', async () => {
    const path = await write(
      session()
        .user('start')
        .tool('read', { path: 'before.ts' })
        .tool('read', { path: 'read.ts' })
        .tool('edit', { path: 'b.ts' })
        .tool('read', { path: 'b.ts' })
        .branchSummary('an older one', { details: { readFiles: ['older.ts'], modifiedFiles: ['a.ts'] } })
        .branchSummary('an extension’s', { details: { readFiles: ['its.ts'] }, fromHook: true })
        .tool('code', { code: 'x' }, 'done', {
          message: { nestedCalls: { calls: [{ name: 'write', arguments: { path: 'nested.ts' } }], complete: true } },
        })
        .text(),
    );
    const writer = createWriter();
    const { entryId: id } = await writer.submit(path, { kind: 'branch', entryId: entryId(3), summary: 'left' });
    const read = await readSession(path);
    const [summary] = await readBodies(read, [id]);
    assert.deepEqual(summary!['details'], { readFiles: ['older.ts', 'read.ts'], modifiedFiles: ['a.ts', 'b.ts', 'nested.ts'] });
  });

  it('renames a session of oh-my-pi in its slot and with a line at the end', async () => {
    const path = await write(slot + talk().text());
    const done = await createWriter(countingStamp()).submit(path, { kind: 'rename', name: 'Neuer Name: 日本語' });
    const text = await readFile(path, 'utf8');
    assert.equal(
      text.slice(0, text.indexOf('\n') + 1),
      titleSlotLine({ title: 'Neuer Name: 日本語', source: 'user', updatedAt: '2026-03-04T05:06:07.890Z' }),
    );
    assert.ok(text.slice(text.indexOf('\n') + 1).startsWith(talk().text()));
    assert.equal((await linesOf(path)).at(-1)?.['previousTitle'], 'old');
    assert.equal(done.session.name, 'Neuer Name: 日本語');
  });

  it('runs changes of one file one after the other, under all of its names', async () => {
    const path = await write(talk().text());
    const other = join(folder.path, 'link.jsonl');
    await symlink(path, other);
    const writer = createWriter();
    await Promise.all(Array.from({ length: 20 }, (_, n) => writer.submit(path, { kind: 'label', entryId: entryId(1), label: `l${n}` })));
    const read = await readSession(path);
    assert.equal(read.entries.length, 24);
    assert.deepEqual([read.labels.get(entryId(1)), read.problems], ['l19', []]);
    read.entries.slice(4).forEach((head, n) => assert.equal(head.parentId, read.entries[n + 3]?.id));
    await age(path);
    await Promise.all([writer.submit(path, { kind: 'rename', name: 'a' }), writer.submit(other, { kind: 'rename', name: 'b' })]);
    assert.equal((await readSession(path)).name, 'b');
  });

  it('handles two files independently', async () => {
    const writer = createWriter();
    const [a, b] = [await write(talk().text()), await write(talk().text(), 'b.jsonl')];
    await Promise.all([a, b, a, b].map((path, n) => writer.submit(path, { kind: 'rename', name: String(n) })));
    assert.deepEqual([(await readSession(a)).name, (await readSession(b)).name], ['2', '3']);
  });

  it('continues after a refusal', async () => {
    const path = await write(talk().text());
    const writer = createWriter();
    const refused = writer.submit(path, { kind: 'label', entryId: 'nope', label: 'x' }).catch((error: unknown) => error);
    await writer.submit(path, { kind: 'rename', name: 'after' });
    assert.ok((await refused) instanceof Error);
    assert.equal((await readSession(path)).name, 'after');
  });
});

describe('submit: refusals change no byte', () => {
  const folder = testFolder();
  const write = async (text: string) => age(await folder.write('a.jsonl', text));
  const label = (path: string) => () => createWriter().submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });

  it("a missing file, or one that isn't a session", async () => {
    await refuses(folder.path, 'not-found', label(join(folder.path, 'none.jsonl')));
    await refuses(folder.path, 'not-a-session', label(await write('{"v":4,"kind":"header"}\n')));
    await refuses(folder.path, 'not-a-session', label(await write('')));
  });

  it('versions 1, 2 and 4, and a missing entry', async () => {
    for (const version of [undefined, 1, 2, 4])
      await refuses(folder.path, 'version', label(await write(session({ version }).user('a').text())));
    await refuses(folder.path, 'unknown-entry', label(await write(session().text())));
  });

  it('a last line that is torn, unended, or followed by padding', async () => {
    await refuses(folder.path, 'torn', label(await write(`${talk().text()}{"type":"cus`)));
    await refuses(folder.path, 'torn', label(await write(talk().text().trimEnd())));
    await refuses(folder.path, 'torn', label(await write(`${talk().text()}\0\0\0`)));
  });

  it('a slot that only resembles one', async () => {
    const bad = slot.replace('"v":1', '"v":2');
    const path = await write(bad + talk().text());
    await refuses(folder.path, 'invalid', () => createWriter().submit(path, { kind: 'rename', name: 'x' }));
  });

  it('a file without write permission', async () => {
    const path = await write(talk().text());
    await chmod(path, 0o444);
    await refuses(folder.path, 'permission', label(path));
  });

  it('growth by another program, unless forced', async () => {
    const path = await grow(await folder.write('a.jsonl', talk().text()));
    assert.match(await refuses(folder.path, 'unsure', label(path)), /fork instead/);
    await createWriter().submit(path, { kind: 'rename', name: 'forced' }, { force: true });
    assert.equal((await readSession(path)).name, 'forced');
  });

  it('distinguishes its own growth from that of other programs', async () => {
    const path = await write(talk().text());
    const writer = createWriter();
    await writer.submit(path, { kind: 'rename', name: 'a' });
    await writer.submit(path, { kind: 'rename', name: 'b' });
    await writeFile(path, `${JSON.stringify({ type: 'custom', id: 'other', parentId: null })}\n`, { flag: 'a' });
    await refuses(folder.path, 'unsure', () => writer.submit(path, { kind: 'rename', name: 'c' }));
    await writer.submit(path, { kind: 'rename', name: 'd' }, { force: true });
    await refuses(folder.path, 'unsure', () => writer.submit(path, { kind: 'rename', name: 'e' }));
  });

  it('a fresh lock, even when forced; not a stale one', async () => {
    const path = await write(slot + talk().text());
    const force = () => createWriter().submit(path, { kind: 'rename', name: 'x' }, { force: true });
    const { files, folder: lockFolder } = lockPaths(path);
    for (const file of files) {
      await writeFile(file, `${process.ppid}:${Date.now()}\n`);
      assert.match(await refuses(folder.path, 'live', force), new RegExp(`PID ${process.ppid}\\b`));
      await unlink(file);
    }
    await writeFile(files[0], '');
    await refuses(folder.path, 'live', force);
    await writeFile(files[0], `${GONE}:1\n`);
    await force();
    assert.deepEqual(Object.keys(await snapshot(folder.path)), ['a.jsonl']);
    await writeFile(lockFolder, '');
    await refuses(folder.path, 'live', force);
  });
});

describe('submit: the check after a write', () => {
  const of = (tail: string) => findAppended(Buffer.from(tail), Buffer.from('{"ours":1}\n'));

  it('finds the line alone, beside others, or incomplete', () => {
    assert.equal(of('{"ours":1}\n'), 0);
    assert.equal(of('{"theirs":1}\n{"ours":1}\n'), 13);
    assert.equal(of('{"ours":1}\n{"theirs'), 0);
    assert.equal(of('{"theirs{"ours":1}\n'), -1);
    assert.equal(of('{"ours"'), -1);
    assert.equal(of(''), -1);
  });
});

describe('migrate: in place, with a backup', () => {
  const folder = testFolder();
  const v1 = () =>
    session({ version: undefined, provider: 'p', modelId: 'm' })
      .user('one', { id: undefined, parentId: undefined as never })
      .message({ role: 'hookMessage', customType: 'h', content: 'x' }, { id: undefined, parentId: undefined as never })
      .entry('compaction', {
        id: undefined,
        parentId: undefined as never,
        summary: 's',
        tokensBefore: 1,
        firstKeptEntryIndex: 2,
        own: true,
      });
  const write = async (text: string) => age(await folder.write('a.jsonl', text));

  it('writes what reading returned, and keeps the old file and its mode', async () => {
    const path = await write(v1().text());
    await chmod(path, 0o600);
    const before = await readSession(path);
    const { backupPath } = await migrate(path);
    assert.equal(backupPath, `${path}.v1.bak`);
    assert.equal(await readFile(backupPath, 'utf8'), v1().text());
    const after = await readSession(path);
    assert.deepEqual([after.version, after.hasGivenIds, (await stat(path)).mode & 0o777], [3, false, 0o600]);
    const facts = (of: typeof after) =>
      of.entries.map(({ id, parentId, type, role, firstKeptEntryId }) => ({ id, parentId, type, role, firstKeptEntryId }));
    assert.deepEqual(facts(after), facts(before));
    const [header, , hook, compaction] = await linesOf(path);
    assert.deepEqual([header?.['provider'], (hook?.['message'] as { role: string } | undefined)?.role], ['p', 'custom']);
    assert.deepEqual(
      [compaction?.['firstKeptEntryId'], compaction?.['firstKeptEntryIndex'], compaction?.['own']],
      ['00000002', undefined, true],
    );
    assert.deepEqual(Object.keys(await snapshot(folder.path)), ['a.jsonl', 'a.jsonl.v1.bak']);
    await refuses(folder.path, 'already-current', () => migrate(path, { force: true }));
  });

  it('accepts version 2, a slot, glued lines and unreadable lines', async () => {
    const lines = session({ version: 2 }).user('a').message({ role: 'hookMessage', customType: 'h', content: 'x' }).lines();
    const path = await write(`${slot}${lines[0]}\n{"bad\n${lines[1]}${lines[2]}\n`);
    const before = await readSession(path);
    assert.equal((await migrate(path)).backupPath, `${path}.v2.bak`);
    const text = (await readFile(path, 'utf8')).split('\n');
    assert.deepEqual([text[0], text[2], text[3]], [slot.trimEnd(), '{"bad', lines[1]]);
    const after = await readSession(path);
    assert.deepEqual([after.version, after.name, after.entries.map((head) => head.id)], [3, 'old', before.entries.map((head) => head.id)]);
  });

  it('gives ids to a version 3 file without them', async () => {
    const path = await write(session().user('a').user('b', { id: undefined }).text());
    await migrate(path);
    assert.equal((await readSession(path)).hasGivenIds, false);
  });

  it('refuses to overwrite a backup, torn files, versions above 3 and OpenClaw', async () => {
    const path = await write(v1().text());
    const backup = await folder.write('a.jsonl.v1.bak', 'mine');
    await refuses(folder.path, 'invalid', () => migrate(path));
    // Same length as the original, but different content.
    await writeFile(backup, v1().text().replace('one', 'two'));
    await refuses(folder.path, 'invalid', () => migrate(path));
    await unlink(backup);
    const refused = async (code: SessionErrorCode, text: string, dialect?: Dialect) => {
      const file = await write(text);
      await refuses(folder.path, code, () => migrate(file, dialect ? { dialect } : {}));
    };
    await refused('torn', `${v1().text()}{"ty`);
    await refused('version', session({ version: 4 }).text());
    await refused('read-only', v1().text(), 'openclaw');
    await refused('read-only', v1().custom('openclaw:bootstrap-context').text(), 'pi');
    await grow(await folder.write('a.jsonl', v1().text()));
    await refuses(folder.path, 'unsure', () => migrate(path));
  });

  it('reuses the backup that a killed migration left', async () => {
    const path = await write(v1().text());
    const backup = await age(await folder.write('a.jsonl.v1.bak', v1().text()));
    const { mtimeMs } = await stat(backup);
    assert.equal((await migrate(path)).backupPath, backup);
    assert.equal((await stat(backup)).mtimeMs, mtimeMs);
    assert.equal((await readSession(path)).version, 3);
  });

  it('migrates the target of a link, and keeps the link', async () => {
    const path = await write(v1().text());
    const link = join(folder.path, 'link.jsonl');
    await symlink(path, link);
    assert.deepEqual(await migrate(link), { path: link, backupPath: `${path}.v1.bak` });
    assert.equal((await lstat(link)).isSymbolicLink(), true);
    assert.equal((await readSession(path)).version, 3);
  });

  it('migrates a large file in slices', async () => {
    const big = session({ version: 2 });
    for (let n = 0; n < 20; n++) big.user('x'.repeat(1_000_000));
    const path = await write(big.text());
    await migrate(path);
    assert.deepEqual(
      (await linesOf(path)).map((line) => line['id']).slice(1),
      Array.from({ length: 20 }, (_, n) => entryId(n + 1)),
    );
  });
});

describe('forkSession', () => {
  const folder = testFolder();

  it('never touches a source in use, and keeps unchanged lines byte for byte', async () => {
    const odd = `{ "type":"custom", "id":"odd", "parentId":"${entryId(2)}", "x":1.0 }`;
    const path = await folder.write('a.jsonl', `${session().user('a').assistant('b').raw(odd).text()}{"torn`);
    await chmod(path, 0o640);
    await writeFile(lockPaths(path).files[0], `${process.ppid}:1\n`);
    const before = await snapshot(folder.path);
    const { path: forked, prompt } = await createWriter().forkSession(path);
    const after = await snapshot(folder.path);
    assert.deepEqual(Object.fromEntries(Object.keys(before).map((name) => [name, after[name]])), before);
    const text = await readFile(forked, 'utf8');
    assert.equal(text.slice(text.indexOf('\n') + 1), `${session().user('a').assistant('b').lines().slice(1).join('\n')}\n${odd}\n`);
    assert.deepEqual([prompt, (await stat(forked)).mode & 0o777, Object.keys(after).length], [undefined, 0o640, 3]);
  });

  it('returns the text of the message that it ends before', async () => {
    const path = await folder.write(
      'a.jsonl',
      session()
        .user('a')
        .assistant('b')
        .user([{ type: 'text', text: 'ask' }])
        .customMessage('x', 'custom')
        .text(),
    );
    const writer = createWriter();
    assert.equal((await writer.forkSession(path, { entryId: entryId(3) })).prompt, 'ask');
    assert.equal((await writer.forkSession(path, { entryId: entryId(4) })).prompt, 'custom');
    assert.equal((await writer.forkSession(path, { entryId: entryId(2) })).prompt, undefined);
  });

  it('can be written to at once', async () => {
    const path = await folder.write('a.jsonl', session().user('a').assistant('b').text());
    const writer = createWriter();
    const fork = await writer.forkSession(path);
    await writer.submit(fork.path, { kind: 'rename', name: 'fork' });
    assert.equal((await readSession(fork.path)).name, 'fork');
  });

  it('goes into the folder of another project in the same root', async () => {
    const path = await createIn(folder.path, 'root/--work-demo--/a.jsonl');
    const root = { path: join(folder.path, 'root'), dialect: 'pi' as const, flat: false, named: true };
    for (const options of [{ roots: [root] }, {}]) {
      const fork = await createWriter().forkSession(path, { targetCwd: '/work/other', ...options });
      assert.ok(fork.path.startsWith(join(folder.path, 'root', '--work-other--', '')), fork.path);
      assert.equal((await readSession(fork.path)).header.cwd, '/work/other');
    }
    const flat = await createWriter().forkSession(path, {
      targetCwd: '/work/other',
      roots: [{ ...root, path: join(folder.path, 'root', '--work-demo--'), flat: true }],
    });
    assert.ok(flat.path.startsWith(join(folder.path, 'root', '--work-demo--', '')), flat.path);
  });

  it('writes a slot for oh-my-pi, and drops fields of jensen that no longer apply', async () => {
    const omp = await folder.write('o.jsonl', slot + talk().text());
    const forked = await createWriter().forkSession(omp, { entryId: entryId(2) });
    const first = (await readFile(forked.path, 'utf8')).split('\n')[0]!;
    assert.deepEqual([Buffer.byteLength(first), (await readSession(forked.path)).name], [255, 'old']);
    const jensen = await folder.write(
      'j.jsonl',
      session().user('a', { payloadSha256: 'h' }).label(entryId(1), 'x').assistant('b', { payloadSha256: 'h' }).text(),
    );
    const lines = await linesOf((await createWriter().forkSession(jensen)).path);
    assert.deepEqual(
      lines.map((line) => line['payloadSha256']),
      [undefined, 'h', undefined, undefined],
    );
  });

  it('reports that the source changed meanwhile', async () => {
    const path = await folder.write('a.jsonl', talk().text());
    const read = await readSession(path);
    await truncate(path, 300);
    await refuses(folder.path, 'changed', () => forkLoadedSession(read));
  });

  it('accepts a source with a second name', async () => {
    const path = await folder.write('a.jsonl', talk().text());
    await link(path, join(folder.path, 'b.jsonl'));
    assert.equal((await readSession((await createWriter().forkSession(join(folder.path, 'b.jsonl'))).path)).entries.length, 4);
  });
});

async function createIn(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await createFile(path, async (to) => {
    for (const line of talk().lines()) await to.line(line);
  });
  return path;
}
