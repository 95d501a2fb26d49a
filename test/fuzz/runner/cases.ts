/** Runs single cases of a target by their seeds, and reduces failing ones. */
import { inspect } from 'node:util';
import { numbers } from '../../fixtures/random';
import { Random, type FuzzTarget } from '../target';

/** Limit in milliseconds for reducing a failing case. */
const SHRINK_LIMIT = 10_000;

export interface Failure {
  readonly target: string;
  /** Seed of the case, not of the run. */
  readonly seed: number;
  /** Error of the smallest input that fails. */
  readonly error: Error;
}

/** Yields the seeds of a run's cases without end. */
export function* caseSeeds(seed: number): Generator<number> {
  const next = numbers(seed);
  for (;;) yield Math.floor(next() * 2 ** 32);
}

/** Runs the case of a seed. @returns its failure, reduced if possible; `undefined` if it passes */
export async function runCase(target: FuzzTarget, seed: number): Promise<Failure | undefined> {
  const next = numbers(seed);
  const made: number[] = [];
  const choose = (end: number): number => {
    const choice = Math.floor(next() * end);
    made.push(choice);
    return choice;
  };
  const error = await errorOf(target, new Random(choose));
  return error && { target: target.name, seed, error: await smallest(target, made, error) };
}

/** Returns the report of a failure: the error, and how to repeat it. */
export function report({ target, seed, error }: Failure): string {
  return `${target}: ${inspect(error)}\n\nThe input above may be smaller than that of the case itself. Run the case again with:\n  npm run fuzz -- --only ${JSON.stringify(target)} --case ${seed}`;
}

async function errorOf(target: FuzzTarget, random: Random): Promise<Error | undefined> {
  try {
    await target.run(random);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Leaves out choices and makes others smaller, as long as the case still fails. */
async function smallest(target: FuzzTarget, made: readonly number[], error: Error): Promise<Error> {
  const end = performance.now() + SHRINK_LIMIT;
  let best = made;
  let found = error;
  for (let size = Math.ceil(made.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length;) {
      let failed: Error | undefined;
      for (const choices of simpler(best, at, size)) {
        if (performance.now() > end) return found;
        failed = await errorOf(target, new Random(replaying(choices)));
        if (failed) {
          [best, found] = [choices, failed];
          break;
        }
      }
      if (!failed) at += size;
    }
  }
  return found;
}

/** Returns the possible replacements of a choice, the simplest first. */
function* simpler(choices: readonly number[], at: number, size: number): Generator<readonly number[]> {
  const changed = (to: (choice: number) => number): number[] =>
    choices.map((choice, index) => (index >= at && index < at + size ? to(choice) : choice));
  yield [...choices.slice(0, at), ...choices.slice(at + size)];
  if (choices.slice(at, at + size).some((choice) => choice > 0)) yield changed(() => 0);
  if (size > 1 || choices[at]! < 2) return;
  yield changed((choice) => Math.floor(choice / 2));
  yield changed((choice) => choice - 1);
}

/** Repeats choices; after the last one every choice is 0. */
function replaying(choices: readonly number[]): (end: number) => number {
  let at = 0;
  return (end) => Math.min(choices[at++] ?? 0, end - 1);
}
