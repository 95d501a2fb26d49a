import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { isSessionName } from '../../../src/core/files/locate/listFiles';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { SessionError } from '../../../src/core/format/entry/problem';
import { DISK_CHANGES, FILE } from '../../fixtures/changesOfDisk';
import { faultyDisk, type Fault } from '../../fixtures/faultyDisk';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';
import { read } from '../../fixtures/read';

const FAULTS: readonly Fault[] = ['ENOSPC', 'EACCES', 'EIO', 'short', 'short, full', 'stop', 'stop after'];

describe('Disk errors: a session is unchanged or whole, and reading shows which', function () {
  this.timeout(60_000);
  const folder = testFolder();

  const start = async (kind: string, name: string): Promise<string> => {
    const path = join(folder.path, name);
    await mkdir(path);
    await folder.write(join(name, FILE), DISK_CHANGES[kind]!.before);
    await age(join(path, FILE));
    return path;
  };
  const sessions = async (path: string) => (await readdir(path)).filter(isSessionName).sort();
  const others = async (path: string) => (await readdir(path)).filter((name) => !isSessionName(name)).sort();

  /** Result of a write without errors: the file, and the other sessions beside it. */
  const whole = async (kind: string) => {
    const path = await start(kind, `whole-${kind}`);
    const { disk, calls } = faultyDisk();
    await DISK_CHANGES[kind]!.work(path, disk);
    const made = (await sessions(path)).filter((name) => name !== FILE);
    return { calls, text: await readFile(join(path, FILE), 'utf8'), made, made1: made[0] && (await readFile(join(path, made[0]), 'utf8')) };
  };

  /** The state of a folder after a write that may have failed. */
  const check = async (kind: string, path: string, done: Awaited<ReturnType<typeof whole>>, error: unknown, at: string) => {
    const { before } = DISK_CHANGES[kind]!;
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

  for (const kind of Object.keys(DISK_CHANGES)) {
    it(`${kind}: each call fails, is cut short, or is the last`, async () => {
      const done = await whole(kind);
      assert.ok(done.calls.length >= 5, done.calls.join());
      let count = 0;
      for (const [index, name] of done.calls.entries()) {
        for (const fault of FAULTS) {
          if (fault.startsWith('short') && name !== 'write') continue;
          const path = await start(kind, `${kind}-${count++}`);
          const { disk } = faultyDisk(index, fault);
          const error: unknown = await DISK_CHANGES[kind]!.work(path, disk).then(
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
