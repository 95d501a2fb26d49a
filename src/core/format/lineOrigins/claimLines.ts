/** Decides which lines of the current text come from which edit. A line that isn't certain enough is of unknown origin. */
import { alignLines } from './alignLines';
import { doubtfulLines } from './doubtfulLines';
import { NO_EDIT } from './lineDocument';
import type { LineTexts } from './lineTexts';
import type { Replayed } from './replay';

/** `exact`: the line is the one that the edit wrote. `likely`: it has that line's text, but it was moved, indented anew or brought back. */
export type OriginCertainty = 'exact' | 'likely';

export interface LineClaim {
  readonly origin: number;
  readonly certainty: OriginCertainty;
}

/** @param current the lines of the current text */
export function claimLines(replayed: Replayed, current: readonly number[], texts: LineTexts): (LineClaim | undefined)[] {
  const claims = new Array<LineClaim | undefined>(current.length);
  const places = claimAligned(replayed, current, texts, claims);
  claimIndented(replayed, current, texts, claims, places);
  claimMoved(replayed, current, texts, claims, places);
  // After the last line break there is no line.
  if (current.length > 0 && texts.text(current.at(-1)!) === '') claims[current.length - 1] = undefined;
  return claims;
}

/** Claims the lines that stand where the document has them. */
function claimAligned(
  { document: { lines, origins } }: Replayed,
  current: readonly number[],
  texts: LineTexts,
  claims: (LineClaim | undefined)[],
): Int32Array {
  const alignment = alignLines(lines, current);
  const { places, unique } = alignment;
  const doubtful = doubtfulLines(lines, origins, current, alignment);
  for (let from = 0; from < current.length;) {
    const place = places[from]!;
    let to = from + 1;
    if (place < 0) {
      from = to;
      continue;
    }
    while (to < current.length && places[to] === places[to - 1]! + 1) to++;
    const isAnchored = rangeHas(from, to, (at) => unique[at] === 1 && texts.isTelling(current[at]!));
    const isTellingRun = isAnchored || rangeHas(from, to, (at) => texts.isTelling(current[at]!));
    for (let at = from; at < to; at++) {
      const origin = origins[places[at]!]!;
      if (origin === NO_EDIT || !isTellingRun || doubtful[at] === 1) continue;
      claims[at] = { origin, certainty: isAnchored || texts.isTelling(current[at]!) ? 'exact' : 'likely' };
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
function claimIndented(
  { document: { lines, origins } }: Replayed,
  current: readonly number[],
  texts: LineTexts,
  claims: (LineClaim | undefined)[],
  places: Int32Array,
): void {
  if (places.every((place) => place >= 0)) return;
  const taken = new Set(places);
  const shapesOf = (all: readonly number[]): number[] => all.map((line) => (line < 0 ? line : texts.shapeOf(line)));
  const { places: shaped } = alignLines(shapesOf(lines), shapesOf(current));
  for (let at = 0; at < current.length; at++) {
    const place = shaped[at]!;
    if (places[at]! >= 0 || place < 0 || taken.has(place) || origins[place] === NO_EDIT) continue;
    if (texts.isTelling(current[at]!)) claims[at] = { origin: origins[place]!, certainty: 'likely' };
    places[at] = place;
  }
}

/** Claims lines that were moved, or whose edit has no known place: those that say something, and that are there once. */
function claimMoved(
  { document: { lines, origins }, fragments, foreignShapes }: Replayed,
  current: readonly number[],
  texts: LineTexts,
  claims: (LineClaim | undefined)[],
  places: Int32Array,
): void {
  /** The place of each shape, or -1 if there are several. */
  const wanted = new Map<number, number>();
  const shapes = current.map((line) => texts.shapeOf(line));
  for (const [at, shape] of shapes.entries()) wanted.set(shape, wanted.has(shape) ? -1 : at);
  /** The origin of each shape, or `NO_EDIT` if there are several. */
  const found = new Map<number, number>();
  const isOpen = (shape: number): boolean => {
    const at = wanted.get(shape) ?? -1;
    return at >= 0 && places[at]! < 0 && texts.isTelling(shape) && !foreignShapes.has(shape);
  };
  const add = (line: number, origin: number): void => {
    const shape = line < 0 || origin === NO_EDIT ? -1 : texts.shapeOf(line);
    if (shape >= 0 && isOpen(shape)) found.set(shape, found.has(shape) && found.get(shape) !== origin ? NO_EDIT : origin);
  };
  for (const [at, line] of lines.entries()) add(line, origins[at]!);
  // A later edit that wrote the same line is its origin.
  for (const { lines: piece, origin } of fragments)
    for (const line of piece) if (isOpen(texts.shapeOf(line))) found.set(texts.shapeOf(line), origin);
  for (const [shape, origin] of found) if (origin !== NO_EDIT) claims[wanted.get(shape)!] = { origin, certainty: 'likely' };
  claimBetween(fragments, current, texts, claims, places);
}

/** Claims the lines of a piece next to those that were claimed for it: blank lines and brackets between them. */
function claimBetween(
  fragments: Replayed['fragments'],
  current: readonly number[],
  texts: LineTexts,
  claims: (LineClaim | undefined)[],
  places: Int32Array,
): void {
  const at = new Map<number, number>();
  for (const [index, line] of current.entries()) at.set(line, at.has(line) ? -1 : index);
  for (const { lines, origin } of fragments) {
    for (const [index, line] of lines.entries()) {
      const start = at.get(line) ?? -1;
      if (start < 0 || claims[start]?.origin !== origin || places[start]! >= 0) continue;
      let next = index + 1;
      while (next < lines.length && current[start + next - index] === lines[next] && !texts.isTelling(lines[next]!)) next++;
      const end = start + next - index;
      if (next === lines.length || current[end] !== lines[next] || claims[end]?.origin !== origin) continue;
      for (let each = start + 1; each < end; each++) if (!claims[each] && places[each]! < 0) claims[each] = { origin, certainty: 'likely' };
    }
  }
}
