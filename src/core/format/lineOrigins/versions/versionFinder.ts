/**
 * Finds the text that a file had at a point of its record: a whole text that was recorded, and the edits after it, as long as
 * each fits the text before it. What came later may prove that text, or contradict it.
 */
import type { Steps } from '../../session/steps';
import type { FileEdit } from '../record/fileEdit';
import type { ShownText } from '../record/shownText';
import type { FoundVersion, VersionDoubt, VersionEvent, VersionGap } from './foundVersion';
import { applyTo, hasLines } from './editedText';
import { compareTexts, plainOf, textAfter, wholeText, withFormOf, withKnownForm, withLines, type WholeText } from './wholeText';

interface Known {
  readonly whole: WholeText;
  readonly since: number;
  /** Edits since the text was recorded as a whole. */
  readonly steps: number;
  readonly doubt: 'record' | undefined;
  /** Set for a text that was committed, and that no edit has changed since. It need not have been on the disk at that time. */
  readonly isCommit?: true;
  /** Set after the file was deleted or moved away. */
  readonly isAbsent?: true;
  /** The text that the file had if a commit left out changes. */
  readonly alternative?: WholeText;
}

export class VersionFinder {
  private now: Known | undefined;
  private gap: VersionGap = 'unrecorded';
  private guess: Known | undefined;
  private count = 0;
  /** The index of the current event. */
  private place = -1;
  private found: { known: Known | undefined; gap: VersionGap; doubt: VersionDoubt | undefined; isProven: boolean; provenBy: number };
  /** True while later events say something about the text that was found. */
  private isOpen = false;
  private wasCurrent = false;
  private hasLaterEdit = false;
  private isLater: boolean;

  /**
   * @param target the index of the event after which the text is wanted; -1 for the text before the first event
   * @param moment the moment of that event, some time after it, or the last moment before the next event
   * @param current the text on the disk; `undefined` if there is none
   * @param isDiskKnown false if the disk can't be read
   * @param apply applies edits; by default `applyTo`
   */
  constructor(
    private readonly target: number,
    private readonly moment: 'event' | 'later' | 'next',
    private readonly current: WholeText | undefined,
    private readonly isDiskKnown = true,
    private readonly apply = applyTo,
  ) {
    this.isLater = moment !== 'event';
    this.found = { known: undefined, gap: this.gap, doubt: undefined, isProven: false, provenBy: -1 };
  }

  *add(event: VersionEvent): Steps<void> {
    const index = (this.place = this.count++);
    if (event.kind === 'edit') yield* this.addEdit(event.edit, event.isAway, index);
    else if (event.kind === 'missing') this.addAbsence(index);
    else if (event.kind === 'commit' && event.text === undefined) this.addAbsence(index);
    else if (event.kind === 'commit') this.addCommit(wholeText(event.text ?? ''), index);
    else this.addReading(event.shown, event.since ?? index);
    if (this.now && !this.now.isAbsent && this.current && compareTexts(this.now.whole, this.current) === 'same') this.wasCurrent = true;
    if (index !== this.target) return;
    this.found = { known: this.now, gap: this.gap, doubt: this.now?.doubt, isProven: false, provenBy: -1 };
    this.guess = this.now;
    this.isOpen = this.now !== undefined;
    // A part that was read says nothing about the rest at that moment.
    if (event.kind !== 'edit' && this.now?.since !== index) this.isLater = true;
  }

  /** The whole text after the events so far, if it's known and nothing has contradicted it. */
  state(): string | undefined {
    return this.now?.whole.text;
  }

  /** True if the file isn't there after the events so far. */
  isAbsent(): boolean {
    return this.now?.isAbsent === true;
  }

  result(): FoundVersion {
    if (this.isOpen && this.now) this.compareWithDisk(this.now);
    const { known, gap, isProven } = this.found;
    if (!known) {
      const { guess } = this;
      return { kind: 'gap', gap, ...(guess && { guess: { text: guess.whole.text, isAbsent: guess.isAbsent === true } }) };
    }
    const { text } = known.whole;
    const found = { kind: 'text', text, isAbsent: known.isAbsent === true, since: known.since } as const;
    if (REDACTED.test(text)) return { ...found, doubt: 'record', isProven: false };
    if (isProven) return { ...found, doubt: this.found.doubt, isProven: true, provenBy: this.found.provenBy };
    if (!this.isDerived()) return { ...found, doubt: this.found.doubt, isProven: true };
    // The disk may have had another text than a commit. A text that nothing has replaced is only certain if the disk still has it.
    const isUnseen = this.isOpen || (known.isCommit === true && this.moment !== 'next');
    return { ...found, doubt: this.found.doubt ?? (isUnseen ? 'later' : undefined), isProven: false };
  }

  private compareWithDisk({ whole, isAbsent }: Known): void {
    if (!this.isDiskKnown) return;
    this.place = this.count;
    const found = this.current && !isAbsent ? compareTexts(whole, this.current) : undefined;
    if (!this.current && isAbsent) this.prove(whole);
    else if (this.current && found === 'same') this.prove(this.current);
    else if (found === 'lines') this.close('record');
    // A file that has been reset or removed since says nothing about its earlier text.
    else if (this.current && !this.wasCurrent) this.contradict();
    // A file that was deleted doesn't come back by itself.
    else if (this.current && isAbsent) this.contradict();
  }

  private addReading({ text, isWhole, isEndRecorded, from }: ShownText, index: number): void {
    if (isWhole) this.addWhole(wholeText(text, !isEndRecorded), index);
    else if (this.now && from !== undefined && !hasLines(this.now.whole.plain, plainOf(text), from)) this.lose('contradicted');
  }

  /** Adds a text that the file had for certain. @param proves true if it had it at that moment, so that nothing had changed it until then */
  private addWhole(whole: WholeText, index: number, proves = true): void {
    const { now } = this;
    const found = now && (now.isAbsent ? 'different' : compareTexts(now.whole, whole));
    if (now && found === 'same') {
      if (proves) this.prove(whole);
      else this.completeForm(whole);
      const known = whole.isFormOpen ? now.whole : whole;
      this.now = { whole: known, since: index, steps: 0, doubt: known.isFormOpen ? 'record' : undefined };
      return;
    }
    if (found === 'lines') this.close('record');
    else if (now) this.contradict();
    this.now = anchor(whole, index);
  }

  /** Adds that the file wasn't there. */
  private addAbsence(index: number): void {
    const { now } = this;
    if (now?.isAbsent) this.prove(now.whole);
    else if (now) this.contradict();
    this.now = { ...anchor(wholeText(''), index), isAbsent: true };
  }

  private addCommitted(whole: WholeText, index: number): void {
    const isCommit = this.now === undefined || this.now.isCommit === true;
    this.addWhole(whole, index, !this.isLater || this.hasLaterEdit);
    if (isCommit && this.now) this.now = { ...this.now, isCommit: true };
  }

  private addCommit(whole: WholeText, index: number): void {
    const { now } = this;
    const found = now && (now.isAbsent ? 'different' : compareTexts(now.whole, whole));
    // The disk may have had another text by the time of a commit, but not right after the edit that made the committed one.
    if (!now || found === 'same') this.addCommitted(whole, index);
    // Git may convert line breaks.
    else if (found === 'different') {
      this.contradict();
      this.now = { whole, since: index, steps: 0, doubt: 'record', isCommit: true, alternative: now.whole };
    }
  }

  private *addEdit(edit: FileEdit, isAway: boolean, index: number): Steps<void> {
    if (!edit.isCertain) {
      // It may have changed the file.
      if (this.now) this.now = { ...this.now, steps: this.now.steps + 1, doubt: 'record' };
      return;
    }
    const before =
      edit.before === undefined ? undefined : withKnownForm(edit.before, this.now?.isAbsent ? undefined : this.now?.whole, this.current);
    if (before) this.addWhole(before, index);
    if (this.isOpen) this.hasLaterEdit = true;
    if (edit.isDeletion === true || isAway || edit.text !== undefined) {
      this.isOpen = false;
      const isGone = edit.isDeletion === true || isAway;
      this.now = isGone ? { ...anchor(wholeText(''), index), isAbsent: true } : anchor(textAfter(edit.text ?? '', before), index);
    } else if (this.now) yield* this.change(this.now, edit);
  }

  private *change(now: Known, edit: FileEdit): Steps<void> {
    const own = yield* this.apply(now.whole, edit);
    const other = now.alternative && (yield* this.apply(now.alternative, edit));
    if (own.kind === 'missing' && (!other || other.kind === 'missing')) this.lose('contradicted');
    else if (own.kind === 'unclear' || other?.kind === 'unclear') this.lose('unrecorded');
    else {
      // The edit shows whether the commit was the whole text.
      const isCommit = other?.kind === 'missing';
      const made = own.kind === 'applied' ? own : other;
      if (made?.kind !== 'applied') return;
      if (made.hadEnd) this.addEnd();
      const isDoubtful = (now.doubt !== undefined && !isCommit) || made.isDoubtful;
      this.now = { whole: made.whole, since: now.since, steps: now.steps + 1, doubt: isDoubtful ? 'record' : undefined };
    }
  }

  private addEnd(): void {
    const { known } = this.found;
    const ended = this.isOpen && known ? withLines(known.whole, `${known.whole.plain}\n`) : undefined;
    if (known && ended) this.found = { ...this.found, known: { ...known, whole: ended } };
  }

  /** @param gap why the text isn't known from now on */
  private lose(gap: VersionGap): void {
    if (gap === 'contradicted') this.contradict();
    // Nothing is compared any more with the text that was found.
    else if (this.isOpen && this.isDerived()) this.found = { ...this.found, doubt: this.found.doubt ?? 'later' };
    this.isOpen = false;
    this.now = undefined;
    this.gap = gap;
  }

  /** Takes a later text for the proof of the one that was found. */
  private prove(later: WholeText): void {
    const known = this.completeForm(later);
    if (known && (!known.isCommit || this.moment === 'next')) {
      const doubt = known.whole.isFormOpen ? 'record' : undefined;
      this.found = { ...this.found, doubt, isProven: doubt === undefined, provenBy: this.place };
    }
    this.isOpen = false;
  }

  /** Completes the text that was found with the line breaks of a later one. */
  private completeForm(later: WholeText): Known | undefined {
    const { known } = this.found;
    if (!this.isOpen || !known || !this.now) return undefined;
    const completed = { ...known, whole: withFormOf(known.whole, this.now.whole, later) };
    this.found = { ...this.found, known: completed };
    return completed;
  }

  private close(doubt: VersionDoubt | undefined): void {
    if (this.isOpen && this.isDerived()) this.found = { ...this.found, doubt: doubt ?? this.found.doubt };
    this.isOpen = false;
  }

  /** A text that was recorded as a whole was there then, whatever came later. */
  private contradict(): void {
    if (this.isOpen && this.isDerived()) this.found = { ...this.found, known: undefined, gap: 'contradicted' };
    this.isOpen = false;
  }

  private isDerived(): boolean {
    return this.isLater || (this.found.known?.steps ?? 0) > 0;
  }
}

const anchor = (whole: WholeText, since: number): Known => ({ whole, since, steps: 0, doubt: whole.isFormOpen ? 'record' : undefined });

/** The mark that a program or an export puts in the place of a secret, and the one in the place of bytes that aren't UTF-8. */
const REDACTED = /\uFFFD|\[[^\]\n]{0,40}redacted[^\]\n]{0,40}\]|\*{3}redacted/i;
