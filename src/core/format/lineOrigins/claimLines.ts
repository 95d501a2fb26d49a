/** Decides which lines of the current text come from which edit. A line that isn't certain enough is of unknown origin. */
import { lastOf, valueOf } from '../values/lookups';
import { aligning } from './alignLines';
import { weakenMarks } from './claimMarks';
import type { LineClaim } from './lineClaim';
import { doubtfulLines } from './replay/doubtfulLines';
import { editOf, NO_EDIT } from './replay/origin';
import type { LineTexts } from './lineTexts';
import type { Replayed } from './replay/replay';
import { ALIGNED, CHUNK, finishWork, type Work } from './work';

/** @param current the lines of the current text */
export const claimLines = (replayed: Replayed, current: readonly number[], texts: LineTexts): (LineClaim | undefined)[] =>
  finishWork(claiming(replayed, current, texts));

/** Does what `claimLines` does. */
export function* claiming(replayed: Replayed, current: readonly number[], texts: LineTexts): Work<(LineClaim | undefined)[]> {
  const claims = new Array<LineClaim | undefined>(current.length);
  const places = yield* claimAligned(replayed, current, texts, claims);
  yield* claimIndented(replayed, current, texts, claims, places);
  yield* claimMoved(replayed, current, texts, claims, places);
  yield* weakenMarks(claims, current, texts);
  // After the last line break there is no line.
  if (current.length > 0 && texts.text(lastOf(current)) === '') claims[current.length - 1] = undefined;
  return claims;
}

/** Claims the lines that stand where the document has them. */
function* claimAligned(
  { document: { lines, origins } }: Replayed,
  current: readonly number[],
  texts: LineTexts,
  claims: (LineClaim | undefined)[],
): Work<Int32Array> {
  const alignment = yield* aligning(lines, current, texts);
  const { places, unique } = alignment;
  const doubtful = yield* doubtfulLines(lines, origins, current, alignment);
  yield current.length * ALIGNED;
  for (let from = 0; from < current.length;) {
    const place = places[from]!;
    let to = from + 1;
    if (place < 0) {
      from = to;
      continue;
    }
    while (to < current.length && places[to] === places[to - 1]! + 1) to++;
    const isAnchored = rangeHas(from, to, (at) => unique[at] === 1 && texts.isDistinctive(current[at]!));
    const isDistinctiveRun = isAnchored || rangeHas(from, to, (at) => texts.isDistinctive(current[at]!));
    for (let at = from; at < to; at++) {
      const origin = origins[places[at]!]!;
      if (origin === NO_EDIT || !isDistinctiveRun) continue;
      const isCertain = origin > NO_EDIT && doubtful[at] === 0 && (isAnchored || texts.isDistinctive(current[at]!));
      claims[at] = { origin: editOf(origin), certainty: isCertain ? 'exact' : 'likely' };
    }
    from = to;
  }
  return places;
}

function rangeHas(from: number, to: number, test: (at: number) => boolean): boolean {
  for (let at = from; at < to; at++) if (test(at)) return true;
  return false;
}

/** Claims lines that only differ in their white space, in the order of the document. */
function* claimIndented(
  { document: { lines, origins } }: Replayed,
  current: readonly number[],
  texts: LineTexts,
  claims: (LineClaim | undefined)[],
  places: Int32Array,
): Work<void> {
  yield lines.length + current.length;
  const stays = new Uint8Array(lines.length);
  for (let at = 0; at < places.length; at++) if (places[at]! >= 0) stays[places[at]!] = 1;
  // Only the remaining lines are compared: most lines already have a place.
  const [left, open] = [placesOf(lines, (at) => stays[at] === 0), placesOf(current, (at) => places[at]! < 0)];
  const { places: shaped, unique } = yield* aligning(yield* shapesAt(lines, left, texts), yield* shapesAt(current, open, texts), texts);
  yield lines.length + current.length + open.length * ALIGNED;
  const [inOld, inNew] = [texts.countsOf(lines), texts.countsOf(current)];
  const pairOf = (index: number): number => left[shaped[index] ?? -1] ?? -1;
  const isAnchor = (index: number): boolean =>
    unique[index] === 1 && inNew[current[open[index]!]!] === 1 && inOld[lines[pairOf(index)]!] === 1;
  for (let from = 0, to = 1; from < open.length; from = to++) {
    while (to < open.length && open[to] === open[to - 1]! + 1 && pairOf(to) === pairOf(to - 1) + 1) to++;
    const isAnchored = rangeHas(from, to, isAnchor);
    for (let index = from; index < to; index++) {
      const [at, place] = [open[index]!, pairOf(index)];
      if (place < 0 || origins[place]! < 0) continue;
      // A line that occurs in several places, such as a call or a return, may be either reindented or newly written.
      if (isAnchored && texts.isDistinctive(current[at]!)) claims[at] = { origin: origins[place]!, certainty: 'likely' };
      places[at] = place;
    }
  }
}

/** The shapes of the lines at some places. */
function* shapesAt(lines: readonly number[], which: readonly number[], texts: LineTexts): Work<number[]> {
  const shapes: number[] = [];
  for (let at = 0; at < which.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, which.length - at) * ALIGNED;
    const line = lines[which[at]!]!;
    shapes.push(line < 0 ? line : texts.shapeOf(line));
  }
  return shapes;
}

function placesOf(lines: readonly number[], test: (at: number) => boolean): number[] {
  const found: number[] = [];
  for (let at = 0; at < lines.length; at++) if (test(at)) found.push(at);
  return found;
}

/** Claims lines that were moved, or whose edit has no known place, if they are distinctive and occur once. */
function* claimMoved(
  { document: { lines, origins }, fragments, foreignShapes }: Replayed,
  current: readonly number[],
  texts: LineTexts,
  claims: (LineClaim | undefined)[],
  places: Int32Array,
): Work<void> {
  const open = yield* openShapes(current, texts, places, foreignShapes);
  if (open.size === 0) return;
  /** The origin of each shape, or `NO_EDIT` if there are several. */
  const found = new Map<number, number>();
  for (let at = 0; at < lines.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, lines.length - at) * ALIGNED;
    const origin = origins[at]!;
    const shape = lines[at]! < 0 || origin < 0 ? -1 : texts.shapeOf(lines[at]!);
    if (open.has(shape)) found.set(shape, found.has(shape) && found.get(shape) !== origin ? NO_EDIT : origin);
  }
  // A later edit that wrote the same line is its origin.
  for (const { lines: piece, origin } of fragments) {
    yield piece.length * ALIGNED;
    for (const line of piece) if (open.has(texts.shapeOf(line))) found.set(texts.shapeOf(line), origin);
  }
  for (const [shape, origin] of found) if (origin !== NO_EDIT) claims[valueOf(open, shape)] = { origin, certainty: 'likely' };
  if (found.size > 0) yield* claimBetween(fragments, current, texts, claims, places);
}

/** Maps shapes to the places of unpaired lines that are distinctive, occur once, and weren't written outside of sessions. */
function* openShapes(
  current: readonly number[],
  texts: LineTexts,
  places: Int32Array,
  foreignShapes: ReadonlySet<number>,
): Work<Map<number, number>> {
  const open = new Map<number, number>();
  for (let at = 0; at < current.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, current.length - at) * ALIGNED;
    if (places[at]! >= 0 || !texts.isDistinctive(current[at]!)) continue;
    const shape = texts.shapeOf(current[at]!);
    if (!foreignShapes.has(shape)) open.set(shape, at);
  }
  if (open.size === 0) return open;
  const first = new Map<number, number>();
  for (let at = 0; at < current.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, current.length - at) * ALIGNED;
    const shape = texts.shapeOf(current[at]!);
    if (!open.has(shape)) continue;
    if (first.has(shape)) open.delete(shape);
    else first.set(shape, at);
  }
  return open;
}

/** Claims the lines of a piece next to the lines that were claimed for it: blank lines and brackets between them. */
function* claimBetween(
  fragments: Replayed['fragments'],
  current: readonly number[],
  texts: LineTexts,
  claims: (LineClaim | undefined)[],
  places: Int32Array,
): Work<void> {
  yield current.length * ALIGNED;
  const at = new Map<number, number>();
  for (const [index, line] of current.entries()) at.set(line, at.has(line) ? -1 : index);
  for (const { lines, origin } of fragments) {
    yield lines.length * ALIGNED;
    for (const [index, line] of lines.entries()) {
      const start = at.get(line) ?? -1;
      if (start < 0 || claims[start]?.origin !== origin || places[start]! >= 0) continue;
      let next = index + 1;
      while (next < lines.length && current[start + next - index] === lines[next] && !texts.isDistinctive(lines[next]!)) next++;
      yield next - index;
      const end = start + next - index;
      if (next === lines.length || current[end] !== lines[next] || claims[end]?.origin !== origin) continue;
      for (let each = start + 1; each < end; each++) if (!claims[each] && places[each]! < 0) claims[each] = { origin, certainty: 'likely' };
    }
  }
}
