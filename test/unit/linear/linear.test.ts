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
/** CPU time of this thread, which other processes don't add to, in milliseconds. */
const cpuTime: Clock = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

function timeOf(clock: Clock, run: (text: string) => unknown, text: string, times: number): number {
  const start = clock();
  for (let left = times; left > 0; left--) run(text);
  return (clock() - start) / times;
}

/** Returns the ratio of the times for the long text and for as many characters in short ones; 0 if it's acceptable. */
function growth(run: (text: string) => unknown, short: string, long: string, turns = TURNS): number {
  return growthBy(wallTime, 1) && growthBy(cpuTime, REPEATS);

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
    const spaces = (text: string): string => text.replace(/\s+$/, '');
    assert.ok(growth(spaces, `${' '.repeat(SHORT)}x`, `${' '.repeat(SHORT * TIMES)}x`, 1) > MOST);
    // This pattern once took 16 seconds for 300,000 characters: each of them may begin a string of up to 4096.
    const strings = /[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c\n]{0,4096}(?:\u0007|\u001b\\|\u009c)/g; // eslint-disable-line no-control-regex
    const once = (text: string): string => text.replace(strings, '');
    assert.ok(growth(once, '\u0090'.repeat(SHORT), '\u0090'.repeat(SHORT * TIMES), 1) > MOST);
  });
});
