/** Replays the edits of a file in order of time, into lines that know their edit. */
import { elementAt } from '../../values/lookups';
import type { LineTexts } from '../lineTexts';
import { ALIGNED, CHUNK, limitedWork, type Work } from '../work';
import type { FileEdit } from '../record/fileEdit';
import { UnplacedLines, type Fragment } from './unplacedLines';
import { documentOf, MAX_LINES, UNKNOWN_DOCUMENT, spliced, type LineDocument, type Splice } from './lineDocument';
import { hunksOf, placeEdit, placeTexts } from './placeEdit';
import { forceHunks, placeHunks } from './placeHunks';
import { withPastedOrigins } from './pastedLines';
import { withText } from './withText';
import { aligning } from '../alignLines';

/** A fact about the file. */
export type FileEvent =
  | { readonly kind: 'edit'; readonly edit: FileEdit }
  /**
   * A text that the file had according to a commit or a reading. Its lines don't belong to the next edit, even if that
   * edit writes them again.
   */
  | { readonly kind: 'text'; readonly text: string; readonly isWhole: boolean };

export interface Replayed {
  readonly document: LineDocument;
  /**
   * Lines that were written but have no place in the document, in pieces: edits whose place is unknown, and lines that
   * were replaced again.
   */
  readonly fragments: readonly Fragment[];
  /** Shapes of lines that were once written outside of the recorded edits. */
  readonly foreignShapes: ReadonlySet<number>;
  /** True if the document is the file's text as far as the record says: a whole text, and edits that fit. */
  readonly isComplete: boolean;
}

/** Earlier states in which an edit is looked for if the last one doesn't have it: the file was reverted. */
const MAX_STATES = 12;

/** The amount of work for placing one edit, about half a second; an edit that takes more has no place. */
export const MAX_EDIT_WORK = 50_000_000;

/** The effect of an edit on the document. */
interface Effect {
  readonly document: LineDocument;
  readonly splices: readonly Splice[];
  readonly isComplete: boolean;
  /** The part of the edit without a place. */
  readonly unplaced?: FileEdit;
}

/** Replays events one by one, so that the caller can yield in between, and within one. */
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

  /** Adds an event. */
  *adding(event: FileEvent): Work<void> {
    const index = this.count++;
    if (event.kind === 'text') yield* this.addText(event.text, event.isWhole);
    else yield* this.addEdit(event.edit, index);
  }

  /** The file as it is after the events so far. */
  state(): LineDocument {
    return this.document;
  }

  *result(): Work<Replayed> {
    const { document, unplaced, isComplete } = this;
    const { lines, origins } = document;
    for (let at = 0; at < lines.length; at++) {
      if (at % CHUNK === 0) yield Math.min(CHUNK, lines.length - at) * ALIGNED;
      if (lines[at]! >= 0 && origins[at]! < 0) unplaced.addForeign(lines[at]!);
    }
    return { document, fragments: unplaced.fragments, foreignShapes: unplaced.foreign, isComplete };
  }

  private *addText(text: string, isWhole: boolean): Work<void> {
    const lines = yield* this.numbers(text);
    if (!lines) return;
    yield lines.length;
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

  private *addEdit(edit: FileEdit, origin: number): Work<void> {
    if (!edit.isCertain) {
      yield* this.unplaced.addEdit(edit, origin);
      return;
    }
    const before = this.document;
    const restored = this.restored();
    if (edit.isDeletion) this.setDocument(documentOf([]), true);
    else if (edit.text !== undefined) yield* this.write(edit, edit.text, origin);
    else yield* this.change(edit, origin);
    this.known = undefined;
    if (!edit.pasted) return;
    const isTyped = this.texts.isOneOf(this.texts.numbersOf(edit.pasted.typed));
    this.document = yield* withPastedOrigins(before, this.document, origin, isTyped, restored);
  }

  private *write(edit: FileEdit, text: string, origin: number): Work<void> {
    const lines = yield* this.numbers(text);
    const before = edit.before === undefined ? undefined : yield* this.numbers(edit.before);
    if (!lines) {
      this.setDocument(UNKNOWN_DOCUMENT, false);
      return;
    }
    yield* this.unplaced.addReplaced(this.document, [{ from: 0, to: this.document.lines.length, lines, origins: [] }]);
    const base = before ? yield* withText(this.document, before, this.texts, this.restored()) : this.document;
    const splices =
      before && edit.hunks.length > 0
        ? yield* limitedWork(placeHunks(base, edit.hunks, this.texts, origin), MAX_EDIT_WORK, undefined)
        : undefined;
    const changed = splices && spliced(base, splices);
    const intermediate = this.known && { lines: this.known.lines, origin: this.restored() };
    // The difference shows which of several equal lines is new.
    const isSame = changed && sameLines(changed.lines, lines);
    this.setDocument(isSame ? changed : yield* withText(base, lines, this.texts, origin, intermediate), true);
  }

  private *change(edit: FileEdit, origin: number): Work<void> {
    const nowhere: Effect = { document: this.document, splices: [], isComplete: false, unplaced: edit };
    const { document, splices, isComplete, unplaced } = yield* limitedWork(this.effectOf(edit, origin), MAX_EDIT_WORK, nowhere);
    yield* this.unplaced.addReplaced(document, splices);
    yield document.lines.length;
    this.setDocument(spliced(document, splices), isComplete);
    if (unplaced) yield* this.unplaced.addEdit(unplaced, origin);
  }

  private *effectOf(edit: FileEdit, origin: number): Work<Effect> {
    const { document, texts, isComplete } = this;
    const splices = yield* placeEdit(document, edit, texts, origin);
    if (splices) return { document, splices, isComplete };
    return (yield* this.changeKnown(edit, origin)) ?? (yield* this.changeNear(edit, origin));
  }

  /** Changes the text that the file had since the last edit: others changed it. */
  private *changeKnown(edit: FileEdit, origin: number): Work<Effect | undefined> {
    const { document, known, texts } = this;
    // A part of a file doesn't replace a document.
    if (!known || (!known.isWhole && document !== UNKNOWN_DOCUMENT)) return undefined;
    const synced = { ...(yield* withText(document, known.lines, texts, this.restored())), isWhole: known.isWhole };
    const splices = yield* placeEdit(synced, edit, texts, origin);
    return splices && { document: synced, splices, isComplete: known.isWhole };
  }

  /** Changes the lines that are similar to the lines that the edit found, or that replaced the lines of an earlier state. */
  private *changeNear(edit: FileEdit, origin: number): Work<Effect> {
    const { document, texts } = this;
    const hunks = yield* hunksOf(edit, texts);
    const { splices, left } = yield* forceHunks(document, hunks, texts, origin, this.restored());
    const isForced = hunks.length > 0 && left.length === 0;
    const placed = isForced ? splices : ((yield* placeTexts(document, edit, texts, origin)) ?? (yield* this.placeInStates(edit, origin)));
    if (placed) return { document, splices: placed, isComplete: false };
    const unplaced = { ...edit, hunks: left.map((at) => elementAt(hunks, at)), replacements: hunks.length > 0 ? [] : edit.replacements };
    return { document, splices, isComplete: false, unplaced };
  }

  private *placeInStates(edit: FileEdit, origin: number): Work<Splice[] | undefined> {
    for (const state of this.states.toReversed()) {
      const placed = yield* placeEdit(state, edit, this.texts, origin);
      const restored = placed && (yield* restoredSplices(this.document, state, placed, this.texts));
      if (restored) return restored;
    }
    return undefined;
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
  private numbers(text: string): Work<readonly number[] | undefined> {
    return this.texts.numbering(text, MAX_LINES);
  }
}

const sameLines = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((line, at) => line === b[at]);

/**
 * Returns the changes of an earlier state as changes of the present document: each takes the place of what stands between
 * the nearest lines that both have. `undefined` if they aren't in the same order there.
 */
function* restoredSplices(
  document: LineDocument,
  state: LineDocument,
  splices: readonly Splice[],
  texts: LineTexts,
): Work<Splice[] | undefined> {
  const { places } = yield* aligning(document.lines, state.lines, texts);
  const restored: Splice[] = [];
  for (const { from, to, lines, origins } of splices) {
    let [before, after] = [from - 1, to];
    while (before >= 0 && places[before]! < 0) before--;
    while (after < places.length && places[after]! < 0) after++;
    yield after - before + lines.length;
    const begin = before < 0 ? 0 : places[before]! + 1;
    const end = after < places.length ? places[after]! : document.lines.length;
    const last = restored.at(-1);
    if (begin > end || (last && begin < last.to)) return undefined;
    restored.push({
      from: begin,
      to: end,
      lines: [...state.lines.slice(before + 1, from), ...lines, ...state.lines.slice(to, after)],
      origins: [...state.origins.slice(before + 1, from), ...origins, ...state.origins.slice(to, after)],
    });
  }
  return restored;
}
