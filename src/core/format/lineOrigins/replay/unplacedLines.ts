/** Keeps the lines that edits wrote and that have no place in the document. They may come back, or be in an unknown part of it. */
import { UNKNOWN } from '../alignLines';
import { linesOf, type LineTexts } from '../lineTexts';
import { ALIGNED, CHUNK, type Work } from '../work';
import type { FileEdit } from '../record/fileEdit';
import { commonEnds, MAX_LINES, type LineDocument, type Splice } from './lineDocument';
import { NO_EDIT } from './origin';

/** Consecutive lines of an edit. */
export interface Fragment {
  readonly lines: readonly number[];
  readonly origin: number;
}

const MAX_FRAGMENT_LINES = 400_000;

export class UnplacedLines {
  readonly fragments: Fragment[] = [];
  /** Shapes of lines that were once written outside of the recorded edits. */
  readonly foreign = new Set<number>();
  private count = 0;
  /** The last origin of each distinctive line. */
  private readonly removed = new Map<number, number>();

  constructor(private readonly texts: LineTexts) {}

  /** Adds the lines of an edit without a place. */
  *addEdit({ hunks, replacements, text }: FileEdit, origin: number): Work<void> {
    for (const { lines } of hunks) {
      yield lines.length * ALIGNED;
      let piece: number[] = [];
      for (const line of [...lines, undefined]) {
        if (line?.sign === '+') piece.push(this.texts.numberOf(line.text));
        else if (line?.sign !== '-' && piece.length > 0) {
          this.add(piece, origin);
          piece = [];
        }
        if (line?.sign === ' ') this.addForeign(this.texts.numberOf(line.text));
      }
    }
    for (const { before, after } of hunks.length > 0 ? [] : replacements) {
      const [old, now] = [linesOf(before), linesOf(after)];
      if (Math.max(old.length, now.length) > MAX_LINES) continue;
      yield (old.length + now.length) * ALIGNED;
      for (const line of this.texts.numbersOf(old)) this.addForeign(line);
      this.add(this.texts.numbersOf(now), origin);
    }
    const lines = text === undefined ? [] : linesOf(text);
    yield lines.length * ALIGNED;
    if (text !== undefined && lines.length <= MAX_LINES) this.add(this.texts.numbersOf(lines), origin);
  }

  /** Adds the lines of earlier edits that an edit removed: undoing the edit restores them. */
  *addReplaced({ lines, origins }: LineDocument, splices: readonly Splice[]): Work<void> {
    for (const splice of splices) {
      const [start, end] = commonEnds(lines, splice.lines, splice.from, Math.min(splice.to, lines.length));
      const [from, to] = [splice.from + start, Math.min(splice.to, lines.length) - end];
      yield ALIGNED + start + end;
      if (from >= to) continue;
      const isKept = this.texts.isOneOf(splice.lines);
      let piece: number[] = [];
      let pieceOrigin = NO_EDIT;
      for (let at = from; at <= to; at++) {
        if ((at - from) % CHUNK === 0) yield Math.min(CHUNK, to - at) * ALIGNED;
        const line = at < to ? (lines[at] ?? UNKNOWN) : UNKNOWN;
        const isGone = line !== UNKNOWN && !isKept(line);
        // A guess isn't kept.
        const origin = isGone ? Math.max(origins[at]!, NO_EDIT) : NO_EDIT;
        if (isGone && origin === NO_EDIT) this.addForeign(line);
        if (origin !== pieceOrigin) {
          if (piece.length > 0) this.add(piece, pieceOrigin);
          [piece, pieceOrigin] = [[], origin];
        }
        if (origin !== NO_EDIT) piece.push(line);
      }
      if (piece.length > 0) this.add(piece, pieceOrigin);
    }
  }

  addForeign(line: number): void {
    this.foreign.add(this.texts.shapeOf(line));
  }

  /** Returns the origins of lines that came back and that the document lacks: undoing a removal restores lines. */
  restored({ lines }: LineDocument): (line: number) => number {
    let present: Set<number> | undefined;
    return (line) => {
      const origin = this.removed.get(line);
      if (origin === undefined || this.foreign.has(this.texts.shapeOf(line))) return NO_EDIT;
      present ??= new Set(lines);
      return present.has(line) ? NO_EDIT : origin;
    };
  }

  private add(lines: readonly number[], origin: number): void {
    for (const line of lines) if (this.texts.isDistinctive(line)) this.removed.set(line, origin);
    this.count += lines.length;
    if (this.count <= MAX_FRAGMENT_LINES) this.fragments.push({ lines, origin });
  }
}
