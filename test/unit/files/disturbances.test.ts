import assert from 'node:assert/strict';
import { appendFile, chmod, link, mkdir, readdir, readFile, rename, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Disk } from '../../../src/core/files/io/disk';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter, type Writer } from '../../../src/core/files/write/sessionWriter';
import { SessionError } from '../../../src/core/format/entry/problem';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { entryId, session } from '../../fixtures/build';
import { disturbedDisk } from '../../fixtures/disturbedDisk';
import { testFolder } from '../../fixtures/folder';
import { age, countingStamp, noPrograms } from '../../fixtures/writes';

const FILE = 'a.jsonl';
const talk = session().user('one').assistant('first').text();
const slot = titleSlotLine({ title: 'old', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' });
const old = session({ version: undefined })
  .user('one', { id: undefined, parentId: undefined as never })
  .assistant('first', { id: undefined, parentId: undefined as never })
  .text();
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

interface Kind {
  readonly before: string;
  readonly work: (writer: Writer, path: string) => Promise<unknown>;
  /** A whole line of ours. */
  readonly ours: RegExp;
}

const KINDS: Readonly<Record<string, Kind>> = {
  label: {
    before: talk,
    ours: /^\{"type":"label".*"label":"ours"\}$/m,
    work: (writer, path) => writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'ours' }, { force: true }),
  },
  branch: {
    before: talk,
    ours: /^\{"type":"branch_summary".*"summary":"ours","details":\{.*\}\}$/m,
    work: (writer, path) => writer.submit(path, { kind: 'branch', entryId: entryId(1), summary: 'ours' }, { force: true }),
  },
  title: {
    before: slot + talk,
    ours: /^\{"type":"title_change".*"title":"ours".*\}$/m,
    work: (writer, path) => writer.submit(path, { kind: 'rename', name: 'ours' }, { force: true }),
  },
};

const writerOn = (disk: Disk): Writer => createWriter({ ...countingStamp(), disk, signs: noPrograms });

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
    const plain = disturbedDisk();
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

  for (const [name, { before, work, ours }] of Object.entries(KINDS)) {
    it(`${name}: reports the truth`, async () => {
      const seen = new Set<string>();
      await each(
        'write',
        before,
        (disk, path) => work(writerOn(disk), path),
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
    const plain = disturbedDisk();
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
