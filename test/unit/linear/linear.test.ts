import assert from 'node:assert/strict';
import { FUNCTIONS } from './textFunctions';
import { OPENERS, textsOf } from './repeatedPatterns';

/**
 * Length of the short texts, in characters. The test compares growth, not speed: a text of 32 times the length takes a
 * linear function as long as 32 short texts, on every computer. It takes a quadratic one up to 32 times as long, and one
 * that looks 4096 characters ahead from each character up to 14 times.
 */
const SHORT = 500;
/** The same for Markdown, which takes a microsecond per character. */
const SHORT_MARKDOWN = 200;
const TIMES = 32;
/** A function that takes fewer milliseconds for the long text is accepted without a comparison. */
const LONG = 7;
const MOST = 4;
/** So many times both are measured before a function counts as slow; the minimum of each counts. */
const TURNS = 10;
/** How often a text is repeated to measure CPU time. Linux counts it in ticks of some milliseconds. */
const REPEATS = 8;

type Clock = () => number;

const wallTime: Clock = () => performance.now();
/** CPU time of this thread, which other processes don't add to, in milliseconds; without the time in which the system gives it memory. */
const cpuTime: Clock = () => process.threadCpuUsage().user / 1000;

/** Clocks that a function must be slow by, and how often a text is repeated to measure it. */
type Clocks = readonly (readonly [Clock, number])[];
const CLOCKS: Clocks = [
  [wallTime, 1],
  [cpuTime, REPEATS],
];

function timeOf(clock: Clock, run: (text: string) => unknown, text: string, times: number): number {
  const start = clock();
  for (let left = times; left > 0; left--) run(text);
  return (clock() - start) / times;
}

/** Returns the ratio of the times for the long text and for as many characters in short ones; 0 if it's acceptable. */
function growth(run: (text: string) => unknown, short: string, long: string, turns = TURNS, clocks = CLOCKS): number {
  // It's slow only if it is by each clock.
  return clocks.reduce((times, [clock, repeats]) => times && growthBy(clock, repeats), 1);

  function growthBy(clock: Clock, repeats: number): number {
    let [least, most] = [Infinity, Infinity];
    for (let turn = 0; turn < turns; turn++) {
      most = Math.min(most, timeOf(clock, run, long, repeats));
      if (most < LONG) return 0;
      least = Math.min(least, timeOf(clock, run, short, TIMES * repeats) * TIMES);
      if (most < least * MOST) return 0;
    }
    return most / least;
  }
}

function slow(run: (text: string) => unknown, length: number): string[] {
  return OPENERS.flatMap((opener) => {
    const long = textsOf(opener, length * TIMES);
    return textsOf(opener, length).flatMap((short, form) => {
      const times = growth(run, short, long[form]!);
      return times === 0 ? [] : [`${JSON.stringify(opener)}, form ${String(form)}: ${times.toFixed(0)} times as long`];
    });
  });
}

describe('Functions over session text take linear time', () => {
  for (const [name, run] of Object.entries(FUNCTIONS))
    it(name, () => assert.deepEqual(slow(run, name.startsWith('markdown') ? SHORT_MARKDOWN : SHORT), []));

  it('fails for quadratic functions', () => {
    // A clock of its own, so that nothing else on the machine decides.
    let now = 0;
    const clocks: Clocks = [[() => now, 1]];
    const growthOf = (milliseconds: (length: number) => number): number =>
      growth((text) => (now += milliseconds(text.length)), ' '.repeat(SHORT), ' '.repeat(SHORT * TIMES), 1, clocks);
    const linear = growthOf((length) => length / 1000);
    assert.equal(linear, 0);
    assert.ok(growthOf((length) => length ** 2 / 1_000_000) > MOST);
    // In such a pattern, each character may begin a string of up to 4096. One took 16 seconds for 300,000 characters.
    assert.ok(growthOf((length) => (length * Math.min(length, 4096)) / 1_000_000) > MOST);
  });
});
