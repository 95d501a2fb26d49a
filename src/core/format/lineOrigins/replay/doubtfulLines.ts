/** Finds the lines of an alignment that may as well be other lines with the same text. */
import { valueOf } from '../../values/lookups';
import { UNKNOWN, type Alignment } from '../alignLines';
import { ALIGNED, CHUNK, type Work } from '../work';

/**
 * Returns 1 for each line of the new text whose text the old and the new text don't have equally often between the nearest
 * lines that are unique: which of several brackets was added or removed there can't be told.
 *
 * @param a the old lines; @param origins their origins: lines of one origin are as good as each other; @param b the new lines
 */
export function* doubtfulLines(
  a: readonly number[],
  origins: readonly number[],
  b: readonly number[],
  { places, unique }: Alignment,
): Work<Uint8Array> {
  yield b.length;
  const doubtful = new Uint8Array(b.length);
  for (let [fromA, fromB] = [0, 0]; fromB < b.length;) {
    let toB = fromB;
    while (toB < b.length && unique[toB] === 0) toB++;
    const toA = toB < b.length ? places[toB]! : a.length;
    // A block keeps its end: a block that is added next to it brings its own end.
    let end = 0;
    while (fromB > 0 && end < MAX_END && fromB + end < toB && places[fromB + end] === fromA + end) end++;
    // Lines that all stay are certain.
    const isSame = toA - fromA === toB - fromB && areConsecutive(places, fromB + end, toB, fromA + end);
    if (toB > fromB + end && !isSame) yield* markDoubtful(a, origins, b, places, [fromA + end, toA, fromB + end, toB], doubtful);
    [fromA, fromB] = [toA + 1, toB + 1];
  }
  return doubtful;
}

/** True if the places of a stretch are consecutive. */
function areConsecutive(places: Int32Array, from: number, to: number, place: number): boolean {
  for (let at = from; at < to; at++) if (places[at] !== place + at - from) return false;
  return true;
}

/** Lines at the end of a block, such as a bracket and a blank line. */
const MAX_END = 2;

interface Copies {
  old: number;
  now: number;
  matched: number;
  /** The origin of all old copies; `undefined` if they have several. */
  origin: number | undefined;
}

function* markDoubtful(
  a: readonly number[],
  origins: readonly number[],
  b: readonly number[],
  places: Int32Array,
  [fromA, toA, fromB, toB]: readonly [number, number, number, number],
  doubtful: Uint8Array,
): Work<void> {
  const copies = new Map<number, Copies>();
  for (let at = fromB; at < toB; at++) {
    if ((at - fromB) % CHUNK === 0) yield Math.min(CHUNK, toB - at) * ALIGNED;
    const one = copies.get(b[at]!) ?? { old: 0, now: 0, matched: 0, origin: undefined };
    one.now++;
    if (places[at]! >= 0) one.matched++;
    copies.set(b[at]!, one);
  }
  for (let at = fromA; at < toA; at++) {
    if ((at - fromA) % CHUNK === 0) yield Math.min(CHUNK, toA - at) * ALIGNED;
    const one = a[at] === UNKNOWN ? undefined : copies.get(a[at]!);
    if (!one) continue;
    one.origin = one.old === 0 || one.origin === origins[at] ? origins[at] : undefined;
    one.old++;
  }
  for (let at = fromB; at < toB; at++) {
    const { old, now, matched, origin } = valueOf(copies, b[at]!);
    if (old > 0 && !(old === now && matched === now) && !(matched === now && origin !== undefined)) doubtful[at] = 1;
  }
}
