import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockPaths } from '../../../src/core/files/presence/programLocks';
import { openPendingChanges } from '../../../src/core/files/history/pendingChanges';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { DIALECTS, type Dialect } from '../../../src/core/format/entry/dialect';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age, grow, refuses } from '../../fixtures/writes';

/** Id of another process that certainly runs. */
const SOMEBODY = process.ppid;

/**
 * Simulates a program that uses a session, with everything that such a program leaves on the system. Its end removes
 * all of it.
 */
type Sign = (at: Place) => Promise<unknown>;

interface Place {
  readonly path: string;
  readonly project: string;
  readonly crumbs: string;
  /** Adds a process to the system that the writer inspects. */
  readonly runs: (program: string, more?: { readonly open?: string; readonly terminal?: string }) => Promise<void>;
}

const opens =
  (program: string): Sign =>
  ({ path, runs }) =>
    runs(program, { open: path });
const works =
  (program: string): Sign =>
  async ({ path, runs }) => {
    await runs(program);
    await grow(path);
  };
const locks =
  (which: 0 | 1): Sign =>
  ({ path }) =>
    writeFile(lockPaths(path).files[which], `${String(SOMEBODY)}:${String(Date.now())}\n`);

const SIGNS: Readonly<Record<Dialect, Readonly<Record<string, Sign>>>> = {
  pi: { 'has it open': opens('pi'), 'works there, and it grows': works('pi') },
  omp: {
    'has it open': opens('omp'),
    'works there, and it grows': works('omp'),
    'holds its lock': locks(0),
    'holds its lock by the short name': locks(1),
    'has it in its terminal': async ({ path, project, crumbs, runs }) => {
      await runs('omp', { terminal: '/dev/pts/7' });
      await mkdir(crumbs, { recursive: true });
      await writeFile(join(crumbs, 'pts-7'), `${project}\n${path}\n`);
    },
  },
  jensen: { 'has it open': opens('jensen'), 'works there, and it grows': works('jensen') },
  gsd: {
    'has it open': opens('gsd'),
    'works there, and it grows': works('gsd'),
    'holds its lock, a folder': ({ path }) => mkdir(lockPaths(path).folder),
  },
  openclaw: {
    'has it open': opens('openclaw'),
    'works there, and it grows': works('openclaw'),
    'holds its lock': ({ path }) =>
      writeFile(lockPaths(path).folder, JSON.stringify({ pid: SOMEBODY, createdAt: new Date().toISOString() })),
  },
};

describe('A session in use', () => {
  const folder = testFolder();

  for (const dialect of DIALECTS) {
    for (const [what, sign] of Object.entries(SIGNS[dialect])) {
      it(`${dialect} ${what}: a write is refused, a fork succeeds, and pending changes are written when it ends`, async () => {
        const [project, proc, crumbs, storage] = ['project', 'proc', 'crumbs', 'storage'].map((name) => join(folder.path, name)) as [
          string,
          string,
          string,
          string,
        ];
        await mkdir(project);
        await mkdir(join(proc, '1'), { recursive: true });
        await writeFile(join(proc, '1', 'cmdline'), 'init\0');
        const first = dialect === 'omp' ? titleSlotLine({ title: 'old', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' }) : '';
        const path = await age(
          await folder.write(
            'project/a.jsonl',
            first +
              session({ cwd: project })
                .user('a', dialect === 'jensen' ? { payloadSha256: 'h' } : {})
                .assistant('b')
                .text(),
          ),
        );
        const runs: Place['runs'] = async (program, { open, terminal } = {}) => {
          const at = join(proc, String(SOMEBODY));
          await mkdir(join(at, 'fd'), { recursive: true });
          await writeFile(join(at, 'cmdline'), `${program}\0`);
          await writeFile(join(at, 'comm'), `${program}\n`);
          await symlink(terminal === undefined ? project : '/', join(at, 'cwd'));
          if (terminal !== undefined) await symlink(terminal, join(at, 'fd', '0'));
          if (open !== undefined) await symlink(open, join(at, 'fd', '9'));
        };
        // Returns a new writer each time, because a writer caches the processes for a moment.
        const writer = () =>
          createWriter({
            locksDir: join(storage, 'windows'),
            signs: { system: { proc, run: () => Promise.resolve('') }, crumbs: [crumbs] },
          });
        const queue = await openPendingChanges(join(storage, 'queue'), { roots: () => [], onProblem: assert.ifError });

        await sign({ path, project, crumbs, runs });
        for (const force of [false, true]) {
          await refuses(project, 'live', () =>
            writer().submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force, dialect }),
          );
        }
        const fork = await writer().forkSession(path, { dialect });
        assert.deepEqual((await readSession(fork.path)).problems, []);
        await rm(fork.path);

        const waits = () => queue.enqueue(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { dialect });
        if (dialect === 'openclaw') {
          // The session is never written to, so no change waits for it.
          await refuses(project, 'read-only', waits);
          return;
        }
        await waits();
        assert.deepEqual((await queue.settle(path, writer(), { dialect })).written, []);
        assert.equal((await readSession(path, { dialect })).labels.size, 0);

        await rm(join(proc, String(SOMEBODY)), { recursive: true, force: true });
        for (const lock of [...lockPaths(path).files, lockPaths(path).folder]) await rm(lock, { recursive: true, force: true });
        await age(path);
        assert.equal((await queue.settle(path, writer(), { dialect })).written.length, 1);
        assert.equal((await readSession(path, { dialect })).labels.get(entryId(1)), 'x');
        assert.deepEqual(await queue.list(), []);
      });
    }
  }
});
