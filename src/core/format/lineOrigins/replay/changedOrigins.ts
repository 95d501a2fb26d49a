/** Finds the origins of the lines of a text that replaces another text. */
import { aligning, UNKNOWN } from '../alignLines';
import type { LineTexts } from '../lineTexts';
import { openingLineOf, likelyOpeningLineOf, MAX_BLOCK } from './blockEnds';
import { chanceMatches } from './chanceMatches';
import { doubtfulLines } from './doubtfulLines';
import type { LineDocument } from './lineDocument';
import { guess, NO_EDIT } from './origin';
import { ALIGNED, CHUNK, type Work } from '../work';

/** A text that the file had between two edits. Its lines don't belong to the later edit. */
export interface IntermediateText {
  readonly lines: readonly number[];
  /** Returns the origin of a line that the document lacks. */
  readonly origin: (line: number) => number;
}

/** Returns the origins of `lines`; `document` may be a part. See `withText`. */
export function* changedOrigins(
  document: LineDocument,
  lines: readonly number[],
  texts: LineTexts,
  origin: number | ((line: number) => number),
  intermediate: IntermediateText | undefined,
): Work<number[]> {
  const alignment = yield* aligning(document.lines, lines, texts);
  const { places } = alignment;
  const doubtful = yield* doubtfulLines(document.lines, document.origins, lines, alignment);
  const foreign = intermediate && (yield* aligning(intermediate.lines, lines, texts)).places;
  // The last text before the edit shows what the edit replaced.
  const byChance =
    typeof origin === 'number' && origin !== NO_EDIT
      ? yield* chanceMatches((intermediate ?? document).lines.length, lines, foreign ?? places, texts)
      : undefined;
  yield document.lines.length * ALIGNED;
  const stays = new Uint8Array(document.lines.length);
  for (let at = 0; at < places.length; at++) if (places[at]! >= 0) stays[places[at]!] = 1;
  const moved = originsOfLeft(document, stays, texts);
  /** 1 for added lines. A closing bracket that may be a different one belongs to the line whose block it closes. */
  const isNew = new Uint8Array(lines.length);
  let lastNew = -Infinity;
  const changed: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (at % CHUNK === 0) yield Math.min(CHUNK, lines.length - at) * ALIGNED;
    // Most lines are unchanged and far from any new line.
    const stayed = places[at]! >= 0 && doubtful[at] === 0 && at - lastNew > MAX_BLOCK && byChance?.[at] !== 1;
    changed.push(stayed ? document.origins[places[at]!]! : originOf(lines[at]!, at));
  }
  return changed;

  function originOf(line: number, at: number): number {
    const place = places[at]!;
    if (byChance?.[at] === 1 && typeof origin === 'number') return guess(origin);
    if (place >= 0 && doubtful[at] === 0) return endsNewBlock(at) ?? document.origins[place]!;
    if (doubtful[at] === 1) return doubtfulOrigin(line, at);
    if (foreign && foreign[at]! >= 0) return intermediate.origin(line);
    addNew(at);
    return moved.get(line)?.pop() ?? (typeof origin === 'number' ? origin : origin(line));
  }

  function addNew(at: number): void {
    isNew[at] = 1;
    lastNew = at;
  }

  /** Guesses the origin of an old end that closes a new block, while the block that it closed stays. */
  function endsNewBlock(at: number): number | undefined {
    const opening = openingLineOf(lines, at, texts);
    if (opening === undefined || isNew[opening] === 0) return undefined;
    const old = openingLineOf(document.lines, places[at]!, texts);
    if (old !== undefined && stays[old] === 0) return undefined;
    addNew(at);
    return guess(changed[opening]!);
  }

  function doubtfulOrigin(line: number, at: number): number {
    const opening = openingLineOf(lines, at, texts);
    const likely = opening ?? likelyOpeningLineOf(lines, at, texts);
    if (likely !== undefined) {
      // The blank line between an old block and the lines added after it may belong to either.
      if (isNew[likely] === 0 && places[at + 1] === -1 && texts.text(line).trim() === '') return NO_EDIT;
      if (isNew[likely] === 1) addNew(at);
      return opening !== undefined && isNew[opening] === 1 ? changed[opening]! : guess(changed[likely]!);
    }
    if (places[at]! >= 0) return guess(document.origins[places[at]!]!);
    return typeof origin === 'number' && !(foreign && foreign[at]! >= 0) ? guess(origin) : NO_EDIT;
  }
}

/** The origins of the distinctive lines that don't stay in their place, by line. */
function originsOfLeft({ lines, origins }: LineDocument, stays: Uint8Array, texts: LineTexts): Map<number, number[]> {
  const left = new Map<number, number[]>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line === UNKNOWN || stays[at] === 1 || !texts.isDistinctive(line)) continue;
    const others = left.get(line);
    if (others) others.push(origins[at]!);
    else left.set(line, [origins[at]!]);
  }
  return left;
}
