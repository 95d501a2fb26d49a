/** Usage as few values, which pass between threads in a fraction of the time of an object for each session and day. Pure. */
import { elementAt, valueOf } from '../../format/values/lookups';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import { TOTALS, totalsFrom } from '../../format/session/costs/usageTotals';
import { dayName, type DayOf } from '../rows/localDays';
import type { SharedUsage } from '../rows/sharedUsage';
import { AnswerSets, NO_SET } from './answerSets';
import { decodeAnswers } from './answerTable';
import { parseStoredStrings } from './damagedDatabase';

/** Answers of a session with one model, as they are stored. */
export interface StoredAnswers {
  /** The number of the session in the database. */
  readonly session: number;
  readonly path: string;
  readonly model: string;
  readonly bytes: Uint8Array;
}

export interface PackedUsage {
  /** All paths, one after the other, and the length of each in UTF-16 units. */
  readonly paths: string;
  readonly lengths: Uint32Array<ArrayBuffer>;
  /** Sets of sessions: for each the index of a session, and the set of its other sessions or `NO_SET`. */
  readonly sets: Int32Array<ArrayBuffer>;
  /** The models, and lists of children as JSON. */
  readonly names: readonly string[];
  /** Numbers of each usage: its set, its day, the indexes of its model and of its children or `NONE`, its causes, and its totals. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

/** Stands for a missing list of children. */
const NONE = -1;
const NO_CHILDREN: readonly string[] = [];

/** Length of the numbers of one usage that precede its totals, and the place of the day among them. */
const [FACTS, DAY] = [5, 1];
/** Length of the numbers of one usage. */
const NUMBERS = FACTS + TOTALS.length;

/**
 * Adds up answers as they're read. Only sessions with answers that were met again, such as those of forks, are read a second time.
 *
 * @param stored reads the answers of all sessions, or of those with some numbers, which ascend; those of each session in a row
 */
export function packUsage(stored: (sessions?: readonly number[]) => Iterable<StoredAnswers>, dayOf: DayOf): PackedUsage {
  const paths: string[] = [];
  const numbers: number[] = [];
  const sets = new AnswerSets();
  const sums = new UsageSums();
  for (const { session: number, path, model, bytes } of stored()) {
    if (numbers.at(-1) !== number) {
      numbers.push(number);
      paths.push(path);
      sums.begin();
    }
    const session = paths.length - 1;
    decodeAnswers(bytes, ({ fingerprint, time, numbers: totals, children, causes }) => {
      const set = sets.add(fingerprint, session, causes);
      if (set !== NO_SET) sums.add(set, dayOf(time), model, children, causes, totals);
    });
  }
  sums.drop((set) => sets.repeated.has(elementAt(sets.sessions, set)));
  const again = new Map([...sets.repeated].sort((a, b) => a - b).map((session) => [elementAt(numbers, session), session]));
  let last: number | undefined;
  for (const { session: number, model, bytes } of stored([...again.keys()])) {
    const session = valueOf(again, number);
    if (session !== last) sums.begin();
    last = session;
    decodeAnswers(bytes, ({ fingerprint, time, numbers: totals, children }) => {
      const set = sets.setFor(fingerprint, session);
      if (set !== NO_SET) sums.add(set, dayOf(time), model, children, sets.bitsOf(fingerprint), totals);
    });
  }
  const members = Int32Array.from(sets.sessions.flatMap((last, set) => [last, elementAt(sets.others, set)]));
  return {
    paths: paths.join(''),
    lengths: Uint32Array.from(paths, ({ length }) => length),
    sets: members,
    ...sums.packed((set) =>
      [...sessionsOf(members, set)]
        .map((index) => elementAt(paths, index))
        .sort()
        .join('\n'),
    ),
  };
}

/** Iterates the indexes of a set's sessions. */
function* sessionsOf(sets: Int32Array, set: number): Generator<number> {
  for (let at = set; at !== NO_SET; at = sets[at * 2 + 1]!) yield sets[at * 2]!;
}

/** Adds up answers of the same sessions, days and models. */
class UsageSums {
  private readonly names = new Map<string, number>();
  /** The places in `numbers` of the sums of one session: a list for each of thousands of sums takes several times as long. */
  private readonly places = new Map<string, number>();
  private numbers = new Float64Array(NUMBERS * 1024);
  private end = 0;
  /** Most answers belong to the sum of the previous one. */
  private last:
    | { readonly set: number; readonly day: number; readonly model: string; readonly causes: number; readonly at: number }
    | undefined;

  /** Begins with another session. No two have a sum in common. */
  begin(): void {
    this.places.clear();
    this.last = undefined;
  }

  add(set: number, day: number, model: string, children: readonly string[], causes: number, numbers: Float64Array): void {
    const { last } = this;
    const isSame = children.length === 0 && last?.set === set && last.day === day && last.model === model && last.causes === causes;
    const at = isSame
      ? last.at
      : this.placeOf([set, day, this.nameOf(model), children.length === 0 ? NONE : this.nameOf(JSON.stringify(children)), causes]);
    if (!isSame) this.last = children.length === 0 ? { set, day, model, causes, at } : undefined;
    for (let place = 0; place < TOTALS.length; place++) this.numbers[at + FACTS + place]! += numbers[place]!;
  }

  /** Removes the sums of some sets. */
  drop(isDropped: (set: number) => boolean): void {
    const { numbers } = this;
    let kept = 0;
    for (let at = 0; at < this.end; at += NUMBERS) {
      if (isDropped(numbers[at]!)) continue;
      numbers.copyWithin(kept, at, at + NUMBERS);
      kept += NUMBERS;
    }
    numbers.fill(0, kept);
    this.end = kept;
  }

  /**
   * In the order of sessions, days and models: sums of costs depend on the order of what is added, and must not depend on the order
   * in which files were read. @param keyOf names the sessions of a set
   */
  packed(keyOf: (set: number) => string): Pick<PackedUsage, 'names' | 'numbers'> {
    const names = [...this.names.keys()];
    const sums: { readonly at: number; readonly key: string; readonly day: number; readonly rest: string; readonly causes: number }[] = [];
    let [last, key] = [NO_SET, ''];
    for (let at = 0; at < this.end; at += NUMBERS) {
      const [set = 0, day = 0, model = 0, children = 0, causes = 0] = this.numbers.subarray(at, at + FACTS);
      if (set !== last) [last, key] = [set, keyOf(set)];
      sums.push({ at, key, day, causes, rest: `${elementAt(names, model)}\n${names[children] ?? ''}` });
    }
    sums.sort((a, b) => compare(a.key, b.key) || a.day - b.day || compare(a.rest, b.rest) || a.causes - b.causes);
    const numbers = new Float64Array(this.end);
    for (const [index, { at }] of sums.entries()) numbers.set(this.numbers.subarray(at, at + NUMBERS), index * NUMBERS);
    return { names, numbers };
  }

  private placeOf(facts: readonly number[]): number {
    const key = facts.join(' ');
    let at = this.places.get(key);
    if (at === undefined) {
      this.places.set(key, (at = this.end));
      this.end += NUMBERS;
      if (at === this.numbers.length) {
        const grown = new Float64Array(at * 2);
        grown.set(this.numbers);
        this.numbers = grown;
      }
      this.numbers.set(facts, at);
    }
    return at;
  }

  private nameOf(name: string): number {
    const index = this.names.get(name) ?? this.names.size;
    this.names.set(name, index);
    return index;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Returns the usage of the sessions that count.
 *
 * @param pathOf returns the kept path that is the same as a part of the long text; `undefined` if the session doesn't count
 * @param firstDay the first day that counts, by default any
 */
export function* unpackUsage(
  packed: PackedUsage,
  pathOf: (path: string) => string | undefined,
  firstDay = -Infinity,
): Steps<SharedUsage[]> {
  const { names, numbers } = packed;
  const pathsOfSet = yield* setReader(packed, pathOf);
  const usage: SharedUsage[] = [];
  // Most sessions are of the same days.
  const days = new Map<number, string>();
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    if (at % (STEP_LENGTH * NUMBERS) === 0) yield;
    if (numbers[at + DAY]! < firstDay) continue;
    const [set = 0, day = 0, model = 0, children = 0, causes = 0] = numbers.subarray(at, at + FACTS);
    const paths = pathsOfSet(set);
    if (paths.length === 0) continue;
    let name = days.get(day);
    if (name === undefined) days.set(day, (name = dayName(day)));
    usage.push({
      paths,
      day: name,
      model: elementAt(names, model),
      children: children === NONE ? NO_CHILDREN : parseStoredStrings(elementAt(names, children)),
      causes,
      ...totalsFrom(numbers, at + FACTS),
    });
  }
  return usage;
}

/** Returns a function that gives the paths of a set's sessions that count. */
function* setReader(
  { paths: text, lengths, sets }: PackedUsage,
  pathOf: (path: string) => string | undefined,
): Steps<(set: number) => readonly string[]> {
  const ends = new Float64Array(lengths.length);
  let end = 0;
  for (const [index, length] of lengths.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    ends[index] = end += length;
  }
  // Only sessions that count are looked up: in a short range, few do.
  const pathAt = (index: number): string | undefined => pathOf(text.slice(ends[index - 1] ?? 0, ends[index]));
  let last: { readonly set: number; readonly paths: readonly string[] } | undefined;
  return (set) => {
    if (last?.set === set) return last.paths;
    last = { set, paths: Array.from(sessionsOf(sets, set)).flatMap((index) => pathAt(index) ?? []) };
    return last.paths;
  };
}
