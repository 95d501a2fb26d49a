/** oh-my-pi 18.3.4 itself agrees about its sessions, about generated ones, and about what we write into them. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createWriter, readSession, SessionManager, type Change, type Session } from '../../src/core/index';
import { testFolder } from '../fixtures/folder';
import { generateSession, SHORT_SUMMARY } from '../fixtures/generate';
import { dice, type Dice } from '../fixtures/random';
import { age, countingStamp } from '../fixtures/writes';
import { compareWithOmp } from './compareWithOmp';
import { startOmp, type Omp } from './omp';

const SESSIONS = 120;
const WRITTEN = 30;

describe('The real oh-my-pi agrees', function () {
  this.timeout(120_000);
  const folder = testFolder();
  let omp: Omp;
  let count = 0;
  before(async () => {
    omp = await startOmp(join(folder.path, 'home'));
  });
  after(() => omp.end());

  /** Compares a file with what oh-my-pi says about a copy of it. */
  const judged = async (path: string): Promise<Session> => {
    await mkdir(join(folder.path, 'copies'), { recursive: true });
    const copy = join(folder.path, 'copies', `${String(++count)}.jsonl`);
    await copyFile(path, copy);
    const ours = await readSession(path, { dialect: 'omp' });
    assert.deepEqual(ours.problems, []);
    await compareWithOmp(ours, await omp.read(copy));
    return ours;
  };
  const each = async (seeds: number, work: (path: string, seed: number) => Promise<void>): Promise<void> => {
    for (let seed = 1; seed <= seeds; seed++) {
      try {
        await work(await age(await folder.write(`${String(seed)}.jsonl`, generateSession(seed, { program: 'omp' }).text)), seed);
      } catch (error) {
        throw new Error(`seed ${String(seed)}`, { cause: error });
      }
    }
  };

  it('about files that it wrote', async () => {
    const programs = resolve('test', 'fixtures', 'programs', 'oh-my-pi');
    const names = (await readdir(programs)).filter((name) => name.endsWith('.jsonl'));
    assert.ok(names.length >= 4);
    for (const name of names) await judged(join(programs, name));
  });

  it('about generated sessions: leaf, tree, branches, labels, name, contexts, totals', async () => {
    await each(SESSIONS, async (path) => {
      await judged(path);
    });
  });

  it('about labels, names, branches and forks that we write', async () => {
    await each(WRITTEN, async (path, seed) => {
      const random = dice(seed);
      const writer = createWriter(countingStamp());
      for (let step = 0; step < 3; step++) {
        // A name is written into the slot, which every third session lacks.
        const change = changeOf(await readSession(path, { dialect: 'omp' }), random, seed % 3 !== 0);
        const { entryId } = await writer.submit(path, change, { dialect: 'omp' });
        const after = await judged(path);
        assert.equal(after.leafId, entryId);
      }
      const { entries } = await readSession(path, { dialect: 'omp' });
      await judged((await createWriter().forkSession(path, { entryId: random.one(entries).id })).path);
    });
  });

  it('about sessions that our manager makes', async () => {
    const manager = SessionManager.create('/work/demo', join(folder.path, 'made'), { dialect: 'omp' });
    await manager.appendModelChange('p/m', 'smol');
    const promptId = await manager.appendMessage({ role: 'user', content: 'hi', timestamp: 1 });
    await manager.appendTtsrInjection(['r']);
    await manager.appendCustomMessageEntry('t', 'x', true);
    await manager.appendLabelChange(promptId, 'l');
    await manager.appendCompaction('s', 'short', promptId, 1, undefined, true);
    await manager.branchWithSummary(promptId, 'left', undefined, true);
    await manager.appendSessionInfo('Näme 🌳');
    const { name } = await judged(manager.getSessionFile()!);
    assert.equal(name, 'Näme 🌳');
  });

  it('about the list; only it calls a session without a name by the short summary of a compaction', async () => {
    const listed = join(folder.path, 'listed');
    await mkdir(listed);
    for (let seed = 1; seed <= WRITTEN; seed++)
      await folder.write(join('listed', `${String(seed)}.jsonl`), generateSession(seed, { program: 'omp' }).text);
    const ours = await SessionManager.list('/work/demo', listed, undefined, { dialect: 'omp' });
    const theirs = await omp.list(listed);
    const facts = (
      rows: readonly { path: string; id: string; cwd: string; created: Date | string }[],
      name: (row: never) => string | undefined,
    ): object =>
      Object.fromEntries(
        rows.map((row) => [
          row.path,
          { id: row.id, cwd: row.cwd, created: new Date(row.created).toISOString(), name: name(row as never) ?? null },
        ]),
      );
    const title = ({ title: shown }: { title?: string }): string | undefined => (shown === SHORT_SUMMARY ? undefined : shown);
    assert.deepEqual(
      facts(ours, ({ name }: { name?: string }) => name),
      facts(theirs, title),
    );
    assert.ok(theirs.some((row) => row.title === SHORT_SUMMARY));
  });
});

function changeOf(session: Session, random: Dice, canRename: boolean): Change {
  const entryId = random.one(session.entries).id;
  return random.one<Change>([
    { kind: 'label', entryId, label: random.one(['new', '']) },
    ...(canRename ? [{ kind: 'rename', name: random.one(['Other', 'Öther']) } as const] : []),
    { kind: 'branch', entryId },
    { kind: 'branch', entryId, summary: 'left for a reason' },
  ]);
}
