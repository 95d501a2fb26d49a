/** Finds the lines of a rewritten stretch that have the text of an old line by chance. */
import { ALIGNED, CHUNK, type Work } from '../work';
import type { LineTexts } from '../lineTexts';

/** Lines that are written and removed at least, besides those with a pair, where a stretch counts as rewritten. */
const MIN_WRITTEN = 5;
const MIN_REMOVED = 5;
/** UTF-16 units of a line, without its indentation, that stands in many places, such as a return. */
const MAX_SHORT = 20;

/**
 * Returns 1 for each short line that the author most likely wrote again: between two longer lines that stay, many lines were
 * removed and written, some of them on both sides of it. Who replaces all around a bracket or a return has written that, too.
 *
 * @param count of the old lines; @param now the new lines; @param places for each new line the place of its pair, or -1
 */
export function* chanceMatches(count: number, now: readonly number[], places: ArrayLike<number>, texts: LineTexts): Work<Uint8Array> {
  const found = new Uint8Array(now.length);
  for (let at = 0, start = 0, from = 0; at <= now.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, now.length - at) * ALIGNED;
    if (at < now.length && (places[at]! < 0 || isShort(now[at]!, texts))) continue;
    const to = at < now.length ? places[at]! : count;
    markStretch(found, places, [start, at], [from, to]);
    [start, from] = [at + 1, to + 1];
  }
  return found;
}

type Range = readonly [from: number, to: number];

/** Marks the pairs of a stretch between lines that stay. */
function markStretch(found: Uint8Array, places: ArrayLike<number>, [start, end]: Range, [from, to]: Range): void {
  let pairs = 0;
  for (let at = start; at < end; at++) if (places[at]! >= 0) pairs++;
  if (end - start - pairs < MIN_WRITTEN || to - from - pairs < MIN_REMOVED) return;
  // Lines before the first change and after the last one stay.
  let [first, last] = [start, end - 1];
  while (places[first] === from + first - start) first++;
  while (places[last] === to - end + last) last--;
  const [firstOld, lastOld] = [from + first - start, to - end + last];
  for (let at = first + 1; at < last; at++) if (places[at]! > firstOld && places[at]! < lastOld) found[at] = 1;
}

const isShort = (line: number, texts: LineTexts): boolean =>
  !texts.isDistinctive(line) || texts.text(line).length - texts.indentationOf(line) <= MAX_SHORT;
