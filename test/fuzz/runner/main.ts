/**
 * Runs cases until it is stopped, in turns of all targets. Cases run in a thread of their own, so that endless ones are
 * noticed: the main thread can see the seed and the start time of the current case.
 */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { caseSeeds, report, runCase } from './cases';
import { fuzzTargets } from './targets';
import type { FuzzTarget } from '../target';

/** Milliseconds after which a case counts as endless. */
const CASE_LIMIT = 60_000;
/** Milliseconds for which a target runs before the next one. */
const TURN = 1000;

interface Options {
  readonly seed: number;
  readonly only: string;
  /** The seed of the only case to run. */
  readonly oneCase?: number;
}

type Counts = Readonly<Record<string, number>>;
type RunnerMessage =
  | { readonly began: { readonly target: string; readonly seed: number } }
  | { readonly counts: Counts; readonly failed?: string }
  | { readonly done: true };

async function runCases({ seed, only, oneCase }: Options): Promise<void> {
  const send = (message: RunnerMessage): void => {
    parentPort!.postMessage(message);
  };
  const targets = fuzzTargets(only);
  const counts: Record<string, number> = Object.fromEntries(targets.map(({ name }) => [name, 0]));
  /** @returns true if the case passed */
  const run = async (target: FuzzTarget, next: number): Promise<boolean> => {
    send({ began: { target: target.name, seed: next } });
    const failure = await runCase(target, next);
    counts[target.name]!++;
    send(failure ? { failed: report(failure), counts } : { counts });
    return !failure;
  };
  if (targets.length === 0) send({ failed: `No target is named like “${only}”.`, counts });
  else if (oneCase !== undefined) {
    for (const target of targets) if (!(await run(target, oneCase))) return;
    send({ done: true });
  } else {
    const seeds = caseSeeds(seed);
    for (;;) {
      for (const target of targets) {
        for (const end = performance.now() + TURN; performance.now() < end;) if (!(await run(target, seeds.next().value as number))) return;
      }
    }
  }
}

function printCounts(counts: Counts, seconds: number): void {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`${total} cases in ${seconds.toFixed(0)} s, ${(total / Math.max(seconds, 0.001)).toFixed(0)} a second`);
  for (const [name, count] of Object.entries(counts)) console.log(`  ${name}: ${count}`);
}

function watchCases(): void {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, only: { type: 'string' }, case: { type: 'string' }, seconds: { type: 'string' } },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
  const options: Options = { seed, only: values.only ?? '', ...(values.case === undefined ? {} : { oneCase: Number(values.case) }) };
  console.log(values.case === undefined ? `Seed ${seed}; Ctrl+C ends the run` : `Case ${values.case}`);
  const started = performance.now();
  let counts: Counts = {};
  let current = { text: 'loading the targets', at: started };
  const worker = new Worker(__filename, { workerData: options });
  const end = (code: number, text?: string): void => {
    if (text !== undefined) console.error(`\n${text}\n`);
    printCounts(counts, (performance.now() - started) / 1000);
    process.exit(code);
  };
  worker.on('message', (message: RunnerMessage) => {
    if ('began' in message) current = { text: `${message.began.target}: the case ${message.began.seed}`, at: performance.now() };
    else if ('done' in message) end(0);
    else {
      counts = message.counts;
      if (message.failed !== undefined) end(1, message.failed);
    }
  });
  worker.on('error', (error) => end(1, `${current.text} ended the thread: ${error.stack ?? error.message}`));
  setInterval(() => {
    if (performance.now() - current.at > CASE_LIMIT) end(1, `${current.text} hasn't ended after ${CASE_LIMIT / 1000} s.`);
  }, 1000);
  setInterval(() => printCounts(counts, (performance.now() - started) / 1000), 60_000);
  if (values.seconds !== undefined) setTimeout(() => end(0), Number(values.seconds) * 1000);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(0));
}

if (isMainThread) watchCases();
else void runCases(workerData as Options);
