/** Usage as few values, which pass between threads in a fraction of the time of an object for each session and day. Pure. */
import { elementAt } from '../../format/entry/lookups';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import { numbersOf, TOTALS, totalsFrom } from '../../format/session/usageTotals';
import type { SessionUsage } from './usageBy';

export interface PackedUsage {
  /** All paths, one after the other. */
  readonly paths: string;
  /** The days and the models. */
  readonly names: readonly string[];
  /** Numbers of each usage: the length of its path in UTF-16 units, the indexes of its day and its model, and its totals. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

/** Length of the numbers of one usage that precede its totals. */
const FACTS = 3;
/** Length of the numbers of one usage. */
const NUMBERS = FACTS + TOTALS.length;

export function packUsage(usage: readonly SessionUsage[]): PackedUsage {
  const indexes = new Map<string, number>();
  const indexOf = (name: string): number => {
    const index = indexes.get(name) ?? indexes.size;
    indexes.set(name, index);
    return index;
  };
  const numbers = new Float64Array(usage.length * NUMBERS);
  for (const [at, { path, day, model, ...totals }] of usage.entries())
    numbers.set([path.length, indexOf(day), indexOf(model), ...numbersOf(totals)], at * NUMBERS);
  return { paths: usage.map(({ path }) => path).join(''), names: [...indexes.keys()], numbers };
}

/**
 * Returns the usage of the files that count.
 *
 * @param fileOf returns the file at a path, whose own path is kept instead of a part of the long text; `undefined` if it
 * doesn't count
 */
export function* unpackUsage(
  { paths, names, numbers }: PackedUsage,
  fileOf: (path: string) => { readonly path: string } | undefined,
): Steps<SessionUsage[]> {
  const usage: SessionUsage[] = [];
  let from = 0;
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    if (at % (STEP_LENGTH * NUMBERS) === 0) yield;
    const [length = 0, day = 0, model = 0] = numbers.subarray(at, at + FACTS);
    const file = fileOf(paths.slice(from, from + length));
    from += length;
    if (!file) continue;
    usage.push({ path: file.path, day: elementAt(names, day), model: elementAt(names, model), ...totalsFrom(numbers, at + FACTS) });
  }
  return usage;
}
