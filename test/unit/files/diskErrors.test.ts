import assert from 'node:assert/strict';
import { appendFile, chmod, link, mkdir, readdir, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Disk } from '../../../src/core/files/io/disk';
import { isSessionName } from '../../../src/core/files/locate/listFiles';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter, type Writer } from '../../../src/core/files/write/sessionWriter';
import { SessionError } from '../../../src/core/format/entry/problem';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { read } from '../../fixtures/read';
import { disturbedDisk, type Fault, faultyDisk } from '../../fixtures/testDisk';
import { age, countingStamp, noPrograms } from '../../fixtures/writes';

const FILE = 'a.jsonl';
const slot = titleSlotLine({ title: 'old', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' });
const talk = session().user('one').assistant('first').text();
const old = session({ version: undefined })
  .user('one', { id: undefined, parentId: undefined as never })
  .assistant('first', { id: undefined, parentId: undefined as never })
  .text();

/** One example of each kind of write. */
interface Change {
  readonly before: string;
  readonly work: (writer: Writer, path: string, options?: { readonly force: true }) => Promise<unknown>;
  /** A whole line of ours, if one is added. */
  readonly ours?: RegExp;
}

const CHANGES: Readonly<Record<string, Change>> = {
  label: {
    before: talk,
    ours: /^\{"type":"label".*"label":"ours"\}$/m,
    work: (writer, path, options) => writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'ours' }, options),
  },
  branch: {
    before: talk,
    ours: /^\{"type":"branch_summary".*"summary":"ours","details":\{.*\}\}$/m,
    work: (writer, path, options) => writer.submit(path, { kind: 'branch', entryId: entryId(1), summary: 'ours' }, options),
  },
  title: {
    before: slot + talk,
    ours: /^\{"type":"title_change".*"title":"ours".*\}$/m,
    work: (writer, path, options) => writer.submit(path, { kind: 'rename', name: 'ours' }, options),
  },
  append: {
    before: talk,
    work: (writer, path) =>
      writer.submit(path, {
        kind: 'append',
        lines: [
          { type: 'custom', customType: 'a' },
          { type: 'custom', customType: 'b' },
        ],
      }),
  },
  fork: { before: talk, work: (writer, path) => writer.forkSession(path) },
  migrate: { before: old, work: (writer, path) => writer.migrate(path) },
};

const writerOn = (disk: Disk): Writer => createWriter({ ...countingStamp(), disk, signs: noPrograms });

const FAULTS: readonly Fault[] = ['ENOSPC', 'EACCES', 'EIO', 'short', 'short, full', 'stop', 'stop after'];

describe('Disk errors: a session is unchanged or whole, and reading shows which', function () {
  this.timeout(60_000);
  const folder = testFolder();

  const start = async (kind: string, name: string): Promise<string> => {
    const path = join(folder.path, name);
    await mkdir(path);
    await folder.write(join(name, FILE), CHANGES[kind]!.before);
    await age(join(path, FILE));
    return path;
  };
  const sessions = async (path: string) => (await readdir(path)).filter(isSessionName).sort();
  const others = async (path: string) => (await readdir(path)).filter((name) => !isSessionName(name)).sort();

  /** Result of a write without errors: the file, and the other sessions beside it. */
  const whole = async (kind: string) => {
    const path = await start(kind, `whole-${kind}`);
    const { disk, calls } = faultyDisk();
    await CHANGES[kind]!.work(writerOn(disk), join(path, FILE));
    const made = (await sessions(path)).filter((name) => name !== FILE);
    return { calls, text: await readFile(join(path, FILE), 'utf8'), made, made1: made[0] && (await readFile(join(path, made[0]), 'utf8')) };
  };

  /** The state of a folder after a write that may have failed. */
  const check = async (kind: string, path: string, done: Awaited<ReturnType<typeof whole>>, error: unknown, at: string) => {
    const { before } = CHANGES[kind]!;
    const text = await readFile(join(path, FILE), 'utf8');
    const made = (await sessions(path)).filter((name) => name !== FILE);
    if (error === undefined) {
      assert.equal(text, done.text, at);
      assert.equal(made.length, done.made.length, at);
    }
    // A new session is complete under its name, or doesn't exist.
    for (const name of made) assert.equal(stripHeader(await readFile(join(path, name), 'utf8')), stripHeader(done.made1!), at);
    const found = await readSession(join(path, FILE));
    if (text === before || text === done.text) assert.deepEqual(found.problems, [], at);
    else {
      // For a line that was cut off, or a title that wasn't written: the old content is unchanged, and the error
      // reports it.
      assert.ok(text.startsWith(before), at);
      assert.ok(
        error instanceof SessionError && error.code === 'damaged' ? true : String((error as { code?: string }).code) === 'STOPPED',
        at,
      );
      if (!text.endsWith('\n'))
        assert.deepEqual(
          found.problems.map(({ code }) => code),
          ['torn-line'],
          at,
        );
      assert.equal(found.entries.length, entriesOf(before) + (text.endsWith('\n') ? 1 : 0), at);
    }
    // Every other refusal states that nothing was written, which must be true.
    if (error instanceof SessionError && error.code !== 'damaged') assert.equal(text, before, `${at}: ${error.message}`);
    for (const name of await others(path)) assert.match(name, /\.tmp$|\.bak$|\.lock$/, at);
    for (const name of (await others(path)).filter((one) => one.endsWith('.bak')))
      assert.equal(await readFile(join(path, name), 'utf8'), before, at);
  };
  const entriesOf = (text: string): number => read(text).entries.length;
  const stripHeader = (text: string) => text.slice(text.indexOf('\n'));

  for (const kind of Object.keys(CHANGES)) {
    it(`${kind}: each call fails, is cut short, or is the last`, async () => {
      const done = await whole(kind);
      assert.ok(done.calls.length >= 5, done.calls.join());
      let count = 0;
      for (const [index, name] of done.calls.entries()) {
        for (const fault of FAULTS) {
          if (fault.startsWith('short') && name !== 'write') continue;
          const path = await start(kind, `${kind}-${count++}`);
          const { disk } = faultyDisk(index, fault);
          const error: unknown = await CHANGES[kind]!.work(writerOn(disk), join(path, FILE)).then(
            () => undefined,
            (thrown: unknown) => thrown ?? 'nothing',
          );
          const at = `${kind}, call ${index} (${name}): ${fault}`;
          if (error !== undefined && !fault.startsWith('stop')) assert.ok(error instanceof SessionError, `${at}: ${inspect(error)}`);
          if (fault === 'short') assert.equal(error, undefined, `${at}: what is left goes at once`);
          await check(kind, path, done, error, at);
          // A single failure of the disk leaves no other files.
          if (!fault.startsWith('stop') && error !== undefined)
            assert.deepEqual(
              (await others(path)).filter((one) => one.endsWith('.tmp') && name !== 'unlink'),
              [],
              at,
            );
          await rm(path, { recursive: true });
        }
      }
    });
  }
});

const THEIRS = '{"type":"custom","id":"theirs","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z"}\n';
const TORN = '{"type":"custom","id":"torn';

/** Interference by another program in the middle of a write. */
const EVENTS: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'is deleted': (path) => unlink(path),
  'is moved': (path) => rename(path, join(path, '..', 'moved')),
  'is replaced by what it was': async (path) => {
    await writeFile(
      `${path}.new`,
      path.endsWith(FILE) ? ((await readFile(path, 'utf8')).startsWith(slot.slice(0, 20)) ? slot + talk : talk) : 'other\n',
    );
    await rename(`${path}.new`, path);
  },
  'has a second name and loses its first': async (path) => {
    await link(path, join(path, '..', 'second'));
    await unlink(path);
  },
  'is moved, and another comes in its place': async (path) => {
    await rename(path, join(path, '..', 'moved'));
    await writeFile(path, talk);
  },
  'is shortened': (path) => truncate(path, 100),
  'is emptied': (path) => truncate(path, 0),
  'grows by a line': (path) => appendFile(path, THEIRS),
  'grows by half a line': (path) => appendFile(path, TORN),
  'is made read-only': (path) => chmod(path, 0o444),
  'gets a second name': (path) => link(path, join(path, '..', 'second')),
};

describe('Another program moves, replaces or changes the file at each step of a write', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let count = 0;

  const start = async (before: string): Promise<string> => {
    const path = join(folder.path, String(count++), FILE);
    await mkdir(join(path, '..'));
    await writeFile(path, before);
    return age(path);
  };
  const contents = async (path: string): Promise<string[]> =>
    Promise.all((await readdir(join(path, '..'))).map((name) => readFile(join(path, '..', name), 'utf8')));
  const occurrences = (text: string, ours: RegExp): number => text.split('\n').filter((line) => ours.test(line)).length;
  /**
   * Runs every event at every step. `placed` is the last call that puts something of ours into the file; after it, the
   * file is checked once more.
   */
  const each = async (
    placed: 'write' | 'rename',
    before: string,
    work: (disk: Disk, path: string) => Promise<unknown>,
    check: (path: string, event: string, error: unknown, isLate: boolean, at: string) => Promise<void>,
  ): Promise<void> => {
    const plain = faultyDisk();
    await work(plain.disk, await start(before));
    const lastLook = plain.calls.lastIndexOf('stat');
    assert.ok(lastLook > plain.calls.lastIndexOf(placed), `the last look comes last: ${plain.calls.join()}`);
    for (const index of plain.calls.keys()) {
      for (const [event, happens] of Object.entries(EVENTS)) {
        const path = await start(before);
        const { disk } = disturbedDisk(
          (_, n) => n === index,
          () => happens(path),
        );
        const error: unknown = await work(disk, path).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        const at = `call ${String(index)} (${String(plain.calls[index])}), the file ${event}: ${error === undefined ? 'done' : inspect(error, { depth: 0 })}`;
        assert.ok(error === undefined || error instanceof SessionError, at);
        await check(path, event, error, index > lastLook, at);
        await rm(join(path, '..'), { recursive: true });
      }
    }
  };

  for (const [name, { before, work, ours }] of Object.entries(CHANGES)) {
    if (!ours) continue;
    it(`${name}: reports the truth`, async () => {
      const seen = new Set<string>();
      await each(
        'write',
        before,
        (disk, path) => work(writerOn(disk), path, { force: true }),
        async (path, event, error, isLate, at) => {
          const content = await readFile(path, 'utf8').catch(() => undefined);
          const code = error instanceof SessionError ? error.code : 'done';
          seen.add(code);
          if (event === 'grows by a line') assert.equal(content?.split(THEIRS).length, 2, `${at}: their line is there, once`);
          if (code === 'done') {
            // Changes after the last check can't be detected.
            if (!isLate) assert.ok(content !== undefined && ours.test(content), at);
            if (!isLate && name === 'title') assert.equal((await readSession(path)).name, 'ours', at);
            if (!isLate && !event.includes('half')) assert.deepEqual((await readSession(path)).problems, [], at);
          } else if (code === 'damaged') {
            const { message } = error as SessionError;
            const [, moved] = /moved to (\S+) during/.exec(message) ?? [];
            if (event === 'is moved' && !isLate && platform() === 'linux') assert.ok(moved, `${at}: the sentence names the new place`);
            if (moved !== undefined) assert.ok(ours.test(await readFile(moved, 'utf8')), at);
            else if (message.includes('deleted during')) assert.equal(content, undefined, at);
            else if (message.includes('no longer here'))
              assert.ok(content === undefined && (await contents(path)).some((text) => ours.test(text)), at);
            else if (message.includes('replaced')) assert.ok(content !== undefined, at);
            else if (message.includes('right after')) assert.ok(content === undefined && event !== 'is made read-only', at);
            else if (message.includes('shortened')) assert.ok(event.includes('shortened') || event.includes('emptied'), at);
            else if (message.includes('partly written')) assert.ok(content === undefined || !ours.test(content), at);
            else if (message.includes('rename the session completely'))
              assert.ok(content !== undefined && ours.test(content) && (await readSession(path)).name === 'old', at);
            else assert.fail(at);
          } else {
            // No file has the line.
            for (const text of await contents(path)) assert.equal(occurrences(text, ours), 0, at);
          }
        },
      );
      assert.ok(seen.has('done') && seen.has('damaged') && seen.has('changed') && seen.has('not-found'), [...seen].join());
    });
  }

  it('migration: reports the truth, and loses no line of the other program', async () => {
    const seen = new Set<string>();
    await each(
      'rename',
      old,
      (disk, path) => writerOn(disk).migrate(path, { force: true }),
      async (path, event, error, isLate, at) => {
        const content = await readFile(path, 'utf8').catch(() => undefined);
        const code = error instanceof SessionError ? error.code : 'done';
        seen.add(code);
        const all = await contents(path);
        if (event.startsWith('grows'))
          assert.ok(
            all.some((text) => text.includes(event.includes('half') ? TORN : '"theirs"')),
            `${at}: what they wrote is somewhere`,
          );
        if (code === 'done' && !isLate) assert.equal((await readSession(path)).version, 3, at);
        if (code !== 'done' && code !== 'damaged')
          assert.ok(
            content === undefined || !content.includes('"version":3') || event.includes('replaced') || event.includes('in its place'),
            at,
          );
        // Unless the event removed it from the old file, the line of the other program is in the file or in a backup.
        if (!/shortened|emptied|deleted/.test(event))
          assert.ok(
            all.some((text) => text.includes('first')),
            at,
          );
      },
    );
    assert.ok(seen.has('done') && seen.has('damaged') && seen.has('changed'), [...seen].join());
  });

  it('fork: reports the truth, whatever happens to the new file', async () => {
    const made = async (path: string): Promise<string | undefined> =>
      (await readdir(join(path, '..'))).find((one) => one.endsWith('.jsonl') && one !== FILE);
    const plain = faultyDisk();
    const source = await start(talk);
    await writerOn(plain.disk).forkSession(source);
    const lastLook = plain.calls.lastIndexOf('stat');
    const seen = new Set<string>();
    for (const index of plain.calls.keys()) {
      for (const [event, happens] of Object.entries(EVENTS)) {
        const path = await start(talk);
        const { disk } = disturbedDisk(
          (_, n) => n === index,
          async () => {
            const name = await made(path);
            if (name !== undefined) await happens(join(path, '..', name));
          },
        );
        const done: unknown = await writerOn(disk)
          .forkSession(path)
          .then(
            (fork) => fork.path,
            (thrown: unknown) => thrown,
          );
        const at = `call ${String(index)} (${String(plain.calls[index])}), the new file ${event}: ${inspect(done, { depth: 0 })}`;
        seen.add(typeof done === 'string' ? 'done' : (done as SessionError).code);
        if (typeof done === 'string') assert.ok(index > lastLook || (await readFile(done, 'utf8')).includes('first'), at);
        else assert.ok(done instanceof SessionError && done.code === 'damaged', at);
        assert.equal(await readFile(path, 'utf8'), talk, at);
      }
    }
    assert.deepEqual([...seen].sort(), ['damaged', 'done']);
  });
});
