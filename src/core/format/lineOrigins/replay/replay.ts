/** Replays the edits of a file in order of time, into lines that know their edit. */
import { elementAt } from '../../entry/lookups';
import type { LineTexts } from '../lineTexts';
import type { FileEdit } from '../record/fileEdit';
import { UnplacedLines, type Fragment } from './unplacedLines';
import { documentOf, MAX_LINES, UNKNOWN_DOCUMENT, spliced, type LineDocument, type Splice } from './lineDocument';
import { hunksOf, placeEdit, placeTexts } from './placeEdit';
import { forceHunks, placeHunks } from './placeHunks';
import { restoredSplices } from './restoredSplices';
import { withText } from './withText';

/** A fact about the file. */
export type FileEvent =
  | { readonly kind: 'edit'; readonly edit: FileEdit }
  /** A text that the file had, by a commit or a reading. Its lines aren't of the next edit, even if that writes them anew. */
  | { readonly kind: 'text'; readonly text: string; readonly isWhole: boolean };

export interface Replayed {
  readonly document: LineDocument;
  /** Lines that were written but have no place in the document, in pieces: edits whose place is unknown, and what was replaced again. */
  readonly fragments: readonly Fragment[];
  /** Shapes of lines that were once written outside of the recorded edits. */
  readonly foreignShapes: ReadonlySet<number>;
  /** True if the document is the file's text as far as the record says: a whole text, and edits that fit. */
  readonly isComplete: boolean;
}

/** Earlier states in which an edit is looked for if the last one doesn't have it: the file was reverted. */
const MAX_STATES = 12;

/** Replays events one by one, so that the caller can yield in between. */
export class Replay {
  private document: LineDocument = UNKNOWN_DOCUMENT;
  private readonly states: LineDocument[] = [];
  private readonly unplaced: UnplacedLines;
  /** A text that is known to have been on the disk since the last edit. */
  private known: { readonly lines: readonly number[]; readonly isWhole: boolean } | undefined;
  private isComplete = false;
  private count = 0;

  /** @param initialLines the lines of the text before the first event, as far as it's known */
  constructor(
    private readonly texts: LineTexts,
    initialLines?: readonly number[],
  ) {
    this.unplaced = new UnplacedLines(texts);
    if (initialLines) this.document = documentOf(initialLines);
  }

  add(event: FileEvent): void {
    const index = this.count++;
    if (event.kind === 'text') this.addText(event.text, event.isWhole);
    else this.addEdit(event.edit, index);
  }

  /** The file as it is after the events so far. */
  state(): LineDocument {
    return this.document;
  }

  result(): Replayed {
    const { document, unplaced, isComplete } = this;
    const { lines, origins } = document;
    for (let at = 0; at < lines.length; at++) if (lines[at]! >= 0 && origins[at]! < 0) unplaced.addForeign(lines[at]!);
    return { document, fragments: unplaced.fragments, foreignShapes: unplaced.foreign, isComplete };
  }

  private addText(text: string, isWhole: boolean): void {
    const lines = this.numbers(text);
    if (!lines) return;
    if (isWhole && this.document === UNKNOWN_DOCUMENT) {
      this.document = documentOf(lines);
      this.isComplete = true;
    } else if (!isWhole) this.known = { lines: [...(this.known?.lines ?? []), ...lines], isWhole: false };
    else if (sameLines(this.document.lines, lines)) {
      this.isComplete = true;
      this.known = undefined;
    } else {
      // A commit may leave out changes that are on the disk, so the document stays.
      this.isComplete = false;
      this.known = { lines, isWhole };
    }
  }

  private addEdit(edit: FileEdit, origin: number): void {
    if (!edit.isCertain) {
      this.unplaced.addEdit(edit, origin);
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
      this.setDocument(UNKNOWN_DOCUMENT, false);
      return;
    }
    this.unplaced.addReplaced(this.document, [{ from: 0, to: this.document.lines.length, lines, origins: [] }]);
    const base = before ? withText(this.document, before, this.texts, this.restored()) : this.document;
    const splices = before && edit.hunks.length > 0 ? placeHunks(base, edit.hunks, this.texts, origin) : undefined;
    const changed = splices && spliced(base, splices);
    const intermediate = this.known && { lines: this.known.lines, origin: this.restored() };
    // The difference shows which of several equal lines is new.
    this.setDocument(changed && sameLines(changed.lines, lines) ? changed : withText(base, lines, this.texts, origin, intermediate), true);
  }

  private change(edit: FileEdit, origin: number): void {
    const { document, texts } = this;
    const placed = placeEdit(document, edit, texts, origin);
    if (placed) this.replace(document, placed, this.isComplete);
    else if (!this.changeKnown(edit, origin)) this.changeNear(edit, origin);
  }

  /** Changes the text that the file had since the last edit: others changed it. */
  private changeKnown(edit: FileEdit, origin: number): boolean {
    const { document, known, texts } = this;
    // A part of a file doesn't replace a document.
    if (!known || (!known.isWhole && document !== UNKNOWN_DOCUMENT)) return false;
    const synced = { ...withText(document, known.lines, texts, this.restored()), isWhole: known.isWhole };
    const placed = placeEdit(synced, edit, texts, origin);
    if (placed) this.replace(synced, placed, known.isWhole);
    return placed !== undefined;
  }

  /** Changes what is like the lines that the edit found, or what an earlier state had in their place. */
  private changeNear(edit: FileEdit, origin: number): void {
    const { document, texts } = this;
    const hunks = hunksOf(edit, texts);
    const { splices, left } = forceHunks(document, hunks, texts, origin, this.restored());
    const isForced = hunks.length > 0 && left.length === 0;
    const placed = isForced ? splices : (placeTexts(document, edit, texts, origin) ?? this.placeInStates(edit, origin));
    this.replace(document, placed ?? splices, false);
    if (placed) return;
    this.unplaced.addEdit(
      { ...edit, hunks: left.map((at) => elementAt(hunks, at)), replacements: hunks.length > 0 ? [] : edit.replacements },
      origin,
    );
  }

  private placeInStates(edit: FileEdit, origin: number): Splice[] | undefined {
    for (const state of this.states.toReversed()) {
      const placed = placeEdit(state, edit, this.texts, origin);
      const restored = placed && restoredSplices(this.document, state, placed, this.texts);
      if (restored) return restored;
    }
    return undefined;
  }

  private replace(document: LineDocument, splices: readonly Splice[], isComplete: boolean): void {
    this.unplaced.addReplaced(document, splices);
    this.setDocument(spliced(document, splices), isComplete);
  }

  private setDocument(document: LineDocument, isComplete: boolean): void {
    if (this.document !== UNKNOWN_DOCUMENT) this.states.push(this.document);
    if (this.states.length > MAX_STATES) this.states.shift();
    this.document = document.lines.length > MAX_LINES ? UNKNOWN_DOCUMENT : document;
    this.isComplete = isComplete;
  }

  private restored(): (line: number) => number {
    return this.unplaced.restored(this.document);
  }

  /** `undefined` for a text with too many lines. */
  private numbers(text: string): readonly number[] | undefined {
    return this.texts.numbersIn(text, MAX_LINES);
  }
}

const sameLines = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((line, at) => line === b[at]);
