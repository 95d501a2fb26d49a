/** Replays the edits of a file in order of time, into lines that know their edit. */
import { alignLines, UNKNOWN } from './alignLines';
import type { FileEdit, Hunk, HunkLine, Replacement } from './fileEdit';
import {
  commonEnds,
  documentOf,
  MAX_LINES,
  NO_EDIT,
  NOTHING_KNOWN,
  spliced,
  withText,
  type LineDocument,
  type Splice,
} from './lineDocument';
import { linesOf, type LineTexts } from './lineTexts';
import { forceHunks, placeHunks } from './placeHunks';
import { restoredSplices } from './restoredSplices';
import { placeReplacements } from './placeReplacements';

/** A fact about the file. */
export type FileEvent =
  | { readonly kind: 'edit'; readonly edit: FileEdit }
  /** A text that the file had, by a commit or a reading. Its lines aren't of the next edit, even if that writes them anew. */
  | { readonly kind: 'text'; readonly text: string; readonly isWhole: boolean };

export interface Replayed {
  readonly document: LineDocument;
  /** Lines that were written but have no place in the document, in pieces: edits whose place is unknown, and what was replaced again. */
  readonly fragments: readonly Fragment[];
  /** Shapes of lines that somebody else wrote at some time. */
  readonly foreignShapes: ReadonlySet<number>;
  /** True if the document is the file's text as far as the record says: a whole text, and edits that fit. */
  readonly isComplete: boolean;
}

export interface Fragment {
  readonly lines: readonly number[];
  readonly origin: number;
}

/** Earlier states in which an edit is looked for if the last one doesn't have it: the file was reverted. */
const MAX_STATES = 12;
const MAX_FRAGMENT_LINES = 400_000;

/** Replays events one by one, so that the caller can yield in between. */
export class Replay {
  private document: LineDocument = NOTHING_KNOWN;
  private readonly states: LineDocument[] = [];
  private readonly fragments: Fragment[] = [];
  private fragmentLines = 0;
  private readonly foreign = new Set<number>();
  /** The last origin of lines that are gone and say something. */
  private readonly removed = new Map<number, number>();
  /** A text that is known to have been on the disk since the last edit. */
  private known: number[] | undefined;
  private isComplete = false;
  private count = 0;

  /** @param beginning the text before the first event, as far as it could be told */
  constructor(
    private readonly texts: LineTexts,
    beginning?: readonly number[],
  ) {
    if (beginning) this.document = documentOf(beginning);
  }

  add(event: FileEvent): void {
    const index = this.count++;
    if (event.kind === 'text') this.addText(event.text, event.isWhole);
    else this.addEdit(event.edit, index);
  }

  result(): Replayed {
    const { document, fragments, isComplete } = this;
    for (const [at, line] of document.lines.entries())
      if (line >= 0 && document.origins[at] === NO_EDIT) this.foreign.add(this.texts.shapeOf(line));
    return { document, fragments, foreignShapes: this.foreign, isComplete };
  }

  private addText(text: string, isWhole: boolean): void {
    const lines = this.numbers(text);
    if (!lines) return;
    const isFirst = this.document === NOTHING_KNOWN;
    if (isWhole && isFirst) {
      this.document = documentOf(lines);
      this.isComplete = true;
    } else if (isWhole && !sameLines(this.document.lines, lines)) {
      // A commit may leave out changes that are on the disk, so the document stays.
      this.isComplete = false;
      this.known = lines;
    } else {
      if (isWhole) this.isComplete = true;
      this.known = isWhole ? undefined : [...(this.known ?? []), ...lines];
    }
  }

  private addEdit(edit: FileEdit, origin: number): void {
    if (!edit.isCertain) {
      this.keepFragments(edit, origin);
      return;
    }
    if (edit.isDeletion) this.setDocument(documentOf([]), true);
    else if (edit.text !== undefined) this.write(edit, edit.text, origin);
    else this.change(edit, origin);
    this.known = undefined;
  }

  private write(edit: FileEdit, text: string, origin: number): void {
    const lines = this.numbers(text);
    const before = edit.before === undefined ? undefined : this.numbers(edit.before);
    if (!lines) {
      this.setDocument(NOTHING_KNOWN, false);
      return;
    }
    this.keepReplaced(this.document, [{ from: 0, to: this.document.lines.length, lines, origins: [] }]);
    const base = before ? withText(this.document, before, this.texts, this.restored()) : this.document;
    const splices = before && edit.hunks.length > 0 ? placeHunks(base, edit.hunks, this.texts, origin) : undefined;
    const changed = splices && spliced(base, splices);
    // The difference says which of several equal lines is new.
    this.setDocument(changed && sameLines(changed.lines, lines) ? changed : withText(base, lines, this.texts, origin, this.known), true);
  }

  private change(edit: FileEdit, origin: number): void {
    const placed = this.placeIn(this.document, edit, origin);
    if (placed) {
      this.replace(this.document, placed, this.isComplete);
      return;
    }
    // The file was changed by others since.
    const synced = this.known && withText(this.document, this.known, this.texts, this.restored());
    const inKnown = synced && this.placeIn(synced, edit, origin);
    if (inKnown) {
      this.replace(synced, inKnown, true);
      return;
    }
    const hunks = edit.hunks.length > 0 ? edit.hunks : edit.replacements.flatMap((one) => hunkOf(one, this.texts));
    const { splices, left } = forceHunks(this.document, hunks, this.texts, origin, this.restored());
    if (hunks.length > 0 && left.length === 0) {
      this.replace(this.document, splices, false);
      return;
    }
    const byTexts = this.placeIn(this.document, edit, origin, true);
    if (byTexts) {
      this.replace(this.document, byTexts, false);
      return;
    }
    for (let at = this.states.length - 1; at >= 0; at--) {
      const state = this.states[at]!;
      const before = this.placeIn(state, edit, origin);
      const restored = before && restoredSplices(this.document, state, before);
      if (restored) {
        this.replace(this.document, restored, false);
        return;
      }
    }
    this.replace(this.document, splices, false);
    this.keepFragments({ ...edit, hunks: left.map((at) => hunks[at]!), replacements: hunks.length > 0 ? [] : edit.replacements }, origin);
  }

  private replace(document: LineDocument, splices: readonly Splice[], isComplete: boolean): void {
    this.keepReplaced(document, splices);
    this.setDocument(spliced(document, splices), isComplete);
  }

  /** @param withReplacements uses the replaced texts even if there is a difference, which says more of the place */
  private placeIn(state: LineDocument, { hunks, replacements }: FileEdit, origin: number, withReplacements = false): Splice[] | undefined {
    const byHunks = hunks.length > 0 ? placeHunks(state, hunks, this.texts, origin) : undefined;
    if (byHunks || (hunks.length > 0 && !withReplacements)) return byHunks;
    const byTexts = replacements.length > 0 ? placeReplacements(state, replacements, this.texts, origin) : undefined;
    return byTexts ?? this.placeInTurn(state, replacements, origin);
  }

  /** Some tools look for each text in what the edits before it left. */
  private placeInTurn(state: LineDocument, replacements: FileEdit['replacements'], origin: number): Splice[] | undefined {
    if (replacements.length < 2) return undefined;
    let document = state;
    for (const replacement of replacements) {
      const splices = placeReplacements(document, [replacement], this.texts, origin);
      if (!splices) return undefined;
      document = spliced(document, splices);
    }
    return [{ from: 0, to: state.lines.length, lines: document.lines, origins: document.origins }];
  }

  private setDocument(document: LineDocument, isComplete: boolean): void {
    if (this.document !== NOTHING_KNOWN) this.states.push(this.document);
    if (this.states.length > MAX_STATES) this.states.shift();
    this.document = document.lines.length > MAX_LINES ? NOTHING_KNOWN : document;
    this.isComplete = isComplete;
  }

  /** Keeps the lines of an edit without a place. */
  private keepFragments({ hunks, replacements, text }: FileEdit, origin: number): void {
    for (const { lines } of hunks) {
      let piece: number[] = [];
      for (const line of [...lines, undefined]) {
        if (line?.sign === '+') piece.push(this.texts.numberOf(line.text));
        else if (line?.sign !== '-' && piece.length > 0) {
          this.keepFragment(piece, origin);
          piece = [];
        }
        if (line?.sign === ' ') this.foreign.add(this.texts.shapeOf(this.texts.numberOf(line.text)));
      }
    }
    for (const { before, after } of hunks.length > 0 ? [] : replacements) {
      const [old, now] = [this.numbers(before), this.numbers(after)];
      if (!old || !now) continue;
      const shapes = new Set(old.map((line) => this.texts.shapeOf(line)));
      for (const shape of shapes) this.foreign.add(shape);
      this.keepFragment(now, origin);
    }
    const lines = text === undefined ? undefined : this.numbers(text);
    if (lines) this.keepFragment(lines, origin);
  }

  /** Returns the origins of lines that came back: what was removed can be restored by undoing that. */
  private restored(): (line: number) => number {
    let present: Set<number> | undefined;
    return (line) => {
      const origin = this.removed.get(line);
      if (origin === undefined || this.foreign.has(this.texts.shapeOf(line))) return NO_EDIT;
      present ??= new Set(this.document.lines);
      return present.has(line) ? NO_EDIT : origin;
    };
  }

  private keepFragment(lines: readonly number[], origin: number): void {
    for (const line of lines) if (this.texts.isTelling(line)) this.removed.set(line, origin);
    this.fragmentLines += lines.length;
    if (this.fragmentLines <= MAX_FRAGMENT_LINES) this.fragments.push({ lines, origin });
  }

  /** Keeps what an edit removed of earlier ones: undoing it brings that back. */
  private keepReplaced({ lines, origins }: LineDocument, splices: readonly Splice[]): void {
    for (const splice of splices) {
      const [start, end] = commonEnds(lines.slice(splice.from, splice.to), splice.lines);
      const [from, to] = [splice.from + start, Math.min(splice.to, lines.length) - end];
      if (from >= to) continue;
      const kept = new Set(splice.lines);
      let piece: number[] = [];
      let pieceOrigin = NO_EDIT;
      for (let at = from; at <= to; at++) {
        const line = at < to ? (lines[at] ?? UNKNOWN) : UNKNOWN;
        const isGone = line !== UNKNOWN && !kept.has(line);
        const origin = isGone ? origins[at]! : NO_EDIT;
        if (isGone && origin === NO_EDIT) this.foreign.add(this.texts.shapeOf(line));
        if (origin !== pieceOrigin) {
          if (piece.length > 0) this.keepFragment(piece, pieceOrigin);
          [piece, pieceOrigin] = [[], origin];
        }
        if (origin !== NO_EDIT) piece.push(line);
      }
      if (piece.length > 0) this.keepFragment(piece, pieceOrigin);
    }
  }

  /** `undefined` for a text with too many lines. */
  private numbers(text: string): number[] | undefined {
    const lines = linesOf(text);
    return lines.length > MAX_LINES ? undefined : this.texts.numbersOf(lines);
  }
}

/** The replacement of whole lines as a difference; its place isn't recorded. */
function hunkOf({ before, after }: Replacement, texts: LineTexts): Hunk[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.length < 2 || old.length + now.length > MAX_LINES) return [];
  const { places } = alignLines(texts.numbersOf(old), texts.numbersOf(now));
  const lines: HunkLine[] = [];
  let at = 0;
  for (const [index, text] of now.entries()) {
    const place = places[index]!;
    for (; at < place; at++) lines.push({ sign: '-', text: old[at]! });
    lines.push({ sign: place >= 0 ? ' ' : '+', text });
    if (place >= 0) at++;
  }
  for (; at < old.length; at++) lines.push({ sign: '-', text: old[at]! });
  return [{ lines }];
}

const sameLines = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((line, at) => line === b[at]);

/**
 * Returns the text that the file most likely had before the first edit, by undoing the edits from the current text. For
 * files whose earlier text is recorded nowhere.
 *
 * @param edits in order of time; none of them writes a whole text
 */
export function textBefore(current: readonly number[], edits: readonly FileEdit[], texts: LineTexts): readonly number[] {
  let document = documentOf(current);
  for (const { hunks, replacements, isCertain } of [...edits].reverse()) {
    if (!isCertain) continue;
    const inverse = replacements.map(({ before, after, all }) => ({ before: after, after: before, all }));
    const splices =
      (inverse.length > 0 ? placeReplacements(document, inverse, texts, NO_EDIT) : undefined) ??
      (hunks.length > 0 ? placeHunks(document, hunks, texts, NO_EDIT, true) : undefined);
    if (splices) document = spliced(document, splices);
  }
  return document.lines;
}
