/**
 * Two processes of ours perform all kinds of writes, and are stopped and killed at random, while real agents append to
 * the same sessions. Then the judge checks whether every reported result was true.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { loadPiManager } from '../conformance/piManager';
import { session } from '../fixtures/build';
import { uncounted } from '../fixtures/children';
import { numbers } from '../fixtures/random';
import { titleSlotLine } from '../../src/core/format/write/sessionNames';
import { judge, wholeLines, type OperationRecord } from './judge';

export interface RaceOptions {
  readonly folder: string;
  readonly seed: number;
  /** Number of operations of each of our processes, over all its restarts. */
  readonly operations: number;
  /** Limit in milliseconds. The race ends at the first of both limits. */
  readonly time?: number;
  /** Paths of Bun and of oh-my-pi's package. Without them only pi takes part. */
  readonly omp?: { readonly bun: string; readonly source: string };
  readonly onProgress?: (text: string) => void;
}

export interface RaceResult {
  /**
   * Outcomes of each operation with their counts. The key is the kind of session and the operation, such as `busy label
   * forced`; an outcome is `done`, `done, concurrent`, or the code of a refusal.
   */
  readonly outcomes: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly agentLines: number;
  readonly killed: number;
  readonly stopped: number;
  /** Failures that oh-my-pi reported. */
  readonly failures: readonly string[];
  /** Refusals that report damage. */
  readonly damaged: readonly string[];
}

/** The longest pause of pi between two lines, in milliseconds. */
const AGENTS = { 'talk-busy': 150, 'talk-steady': 1200, 'talk-fast': 0 } as const;
const NAMES = ['one', 'two'] as const;

export async function race({
  folder,
  seed,
  operations,
  time = Infinity,
  omp,
  onProgress = () => undefined,
}: RaceOptions): Promise<RaceResult> {
  const next = numbers(seed);
  const root = join(folder, 'sessions');
  const home = join(folder, 'home');
  await mkdir(root, { recursive: true });
  await mkdir(home);
  const put = async (name: string, text: string): Promise<string> => {
    const path = join(root, `${name}.jsonl`);
    await writeFile(path, text);
    const then = Date.now() / 1000 - 3600;
    await utimes(path, then, then);
    return path;
  };
  const started: ChildProcess[] = [];
  const start = (command: string, ...args: string[]): ChildProcess => {
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'], env: { ...uncounted(), HOME: home } });
    child.stdin.on('error', () => undefined);
    started.push(child);
    return child;
  };
  const script = (name: string): string => join(__dirname, `${name}.js`);

  const talk = () =>
    session({ cwd: join(folder, 'project') })
      .user('hello')
      .assistant('yes');
  const agents = await Promise.all(
    Object.entries(AGENTS).map(async ([name, pause]) => {
      const path = await put(name, talk().text());
      return { name, path, log: join(folder, `${name}.log`), pause };
    }),
  );
  await put('talk-idle', talk().text());
  const ompFile =
    omp && (await put('talk-omp', titleSlotLine({ title: 'omp', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' }) + talk().text()));
  const ompLog = join(folder, 'omp.log');

  const agentProcesses = agents.map(({ path, log, pause }, index) =>
    start(process.execPath, script('pi'), path, log, String(seed + index), String(pause)),
  );
  if (omp && ompFile !== undefined)
    agentProcesses.push(start(omp.bun, join(process.cwd(), 'test', 'race', 'worker.mjs'), omp.source, ompFile, ompLog, String(seed)));

  let [killed, stopped] = [0, 0];
  const end = Date.now() + time;
  const left = new Map<string, number>(NAMES.map((name) => [name, operations]));
  const logs: string[] = [];
  /** Runs the processes of a name one after the other, since each is killed at some time. */
  const live = async (name: (typeof NAMES)[number]): Promise<void> => {
    for (let life = 0; (left.get(name) ?? 0) > 0 && Date.now() < end; life++) {
      const log = join(folder, `${name}-${String(life)}.log`);
      logs.push(log);
      const child = start(
        process.execPath,
        script('ours'),
        join(folder, 'storage'),
        root,
        log,
        `${name}-${String(life)}`,
        String(seed + life * 7 + name.length),
        String(left.get(name)),
      );
      const gone = once(child, 'exit').then(() => true);
      for (;;) {
        const isOver = await Promise.race([gone, wait(200 + next() * 4000, false)]);
        if (isOver) break;
        if (Date.now() >= end || next() < 0.4) {
          killed++;
          child.kill('SIGKILL');
          await gone;
          break;
        }
        stopped++;
        child.kill('SIGSTOP');
        await wait(20 + next() * 1500);
        child.kill('SIGCONT');
      }
      const done = (await recordsIn(log)).filter((one) => one.ended).length;
      left.set(name, (left.get(name) ?? 0) - Math.max(1, done));
      onProgress(`${name}: life ${String(life + 1)} did ${String(done)} operations`);
    }
  };
  try {
    await Promise.all(NAMES.map(live));
    await Promise.all(
      agentProcesses.map(async (child) => {
        if (child.exitCode !== null) return;
        child.stdin!.write('end\n');
        await once(child, 'exit');
      }),
    );
  } finally {
    for (const child of started) child.kill('SIGKILL');
  }

  const records = (await Promise.all(logs.map(recordsIn))).flat();
  const total = { agentLines: 0 };
  for (const { name, path, log } of agents) {
    const ids = (await readFile(log, 'utf8')).trimEnd().split('\n');
    total.agentLines += ids.length;
    await judge(
      path,
      ids,
      records.filter(({ file }) => file === `${name}.jsonl`),
    );
    await judgeByPi(path, join(folder, `${name}.copy`), ids);
  }
  await judge(
    join(root, 'talk-idle.jsonl'),
    [],
    records.filter(({ file }) => file === 'talk-idle.jsonl'),
  );
  const failures: string[] = [];
  if (omp && ompFile !== undefined) {
    const reports = (await readFile(ompLog, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { ids?: string[]; failed?: string });
    const ids = reports.flatMap((line) => line.ids ?? []);
    failures.push(...reports.flatMap((line) => line.failed ?? []));
    total.agentLines += ids.length;
    const lines = await wholeLines(ompFile);
    for (const id of ids) assert.equal(lines.filter((line) => line['id'] === id).length, 1, `${id}, which oh-my-pi reported as written`);
    const own = records
      .filter(({ file, ids: mine }) => file === 'talk-omp.jsonl' && mine !== undefined)
      .flatMap(({ ids: mine }) => mine ?? []);
    for (const id of own) assert.equal(lines.filter((line) => line['id'] === id).length, 1, `${id}, which we reported as written`);
  }
  // A fork that was undone is gone; every other one is complete.
  for (const { made } of records) if (made !== undefined && existsSync(made)) await wholeLines(made);
  const bugs = records.filter(({ refused }) => refused === 'bug');
  assert.deepEqual(
    bugs.map(({ why }) => why),
    [],
  );
  return {
    outcomes: outcomesOf(records),
    agentLines: total.agentLines,
    killed,
    stopped,
    failures,
    damaged: records.flatMap(({ refused, why }) => (refused === 'damaged' ? [why ?? ''] : [])),
  };
}

async function recordsIn(log: string): Promise<OperationRecord[]> {
  const text = await readFile(log, 'utf8').catch(() => '');
  // The last line of a killed process may be incomplete.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as OperationRecord);
}

/** Asserts that pi finds its own messages in a copy. */
async function judgeByPi(path: string, copy: string, ids: readonly string[]): Promise<void> {
  await copyFile(path, copy);
  const opened = (await loadPiManager('0.87.1')).open(copy);
  const branch = new Set(opened.getBranch(ids.at(-1)).map(({ id }) => id));
  assert.deepEqual(
    ids.filter((id) => !branch.has(id)),
    [],
    `${path}: pi itself does not find these entries on its branch`,
  );
}

function outcomesOf(records: readonly OperationRecord[]): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const { operation, file, force, ended, refused, concurrent } of records) {
    if (!ended) continue;
    const key = `${file.slice(5, -6)} ${operation}${force && operation !== 'fork' && operation !== 'queue' ? ' forced' : ''}`;
    const end = refused ?? (concurrent ? 'done, concurrent' : 'done');
    const ends = found.get(key) ?? new Map<string, number>();
    found.set(key, ends.set(end, (ends.get(end) ?? 0) + 1));
  }
  return found;
}
