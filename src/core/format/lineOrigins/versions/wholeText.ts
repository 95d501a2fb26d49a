/** The whole text of a file, as a session or a commit recorded it. */

export interface WholeText {
  readonly text: string;
  /** The text with line feeds only, and without a byte order mark. */
  readonly plain: string;
  /** True if the record has the lines only: neither the kind of line breaks, nor whether there is one at the end. */
  readonly isFormOpen: boolean;
}

export const wholeText = (text: string, isFormOpen = false): WholeText => ({ text, plain: plainOf(text), isFormOpen });

/** Returns a text with line feeds only, and without a byte order mark. */
export const plainOf = (text: string): string => {
  const given = text.startsWith(MARK) ? text.slice(MARK.length) : text;
  return given.includes('\r') ? given.replaceAll('\r\n', '\n') : given;
};

const MARK = '\uFEFF';
const withoutEnd = (plain: string): string => (plain.endsWith('\n') ? plain.slice(0, -1) : plain);

/** `lines`: the lines are the same, but not the line breaks. */
type Comparison = 'same' | 'lines' | 'different';

/** Compares two texts, as far as both record their line breaks. */
export function compareTexts(a: WholeText, b: WholeText): Comparison {
  if (a.text === b.text) return 'same';
  if (a.plain !== b.plain && withoutEnd(a.plain) !== withoutEnd(b.plain)) return 'different';
  return a.isFormOpen || b.isFormOpen ? 'same' : 'lines';
}

/** Returns a text of other lines with the line breaks of `whole`; `undefined` if that has several kinds of them. */
export function withLines(whole: WholeText, plain: string): WholeText | undefined {
  const mark = whole.text.startsWith(MARK) ? MARK : '';
  const hasCrlf = whole.text.includes('\r\n');
  if (hasCrlf && whole.text.split('\r\n').length !== whole.plain.split('\n').length) return undefined;
  return { plain, text: mark + (hasCrlf ? plain.replaceAll('\n', '\r\n') : plain), isFormOpen: whole.isFormOpen };
}

/** Completes a text whose line breaks aren't recorded. A later text with the same lines as `now`, the result of this text, has them. */
export function withFormOf(whole: WholeText, now: WholeText, later: WholeText): WholeText {
  if (!whole.isFormOpen || later.isFormOpen) return whole;
  const [hadEnd, hasEnd] = [now.plain.endsWith('\n'), later.plain.endsWith('\n')];
  const plain = hadEnd === hasEnd ? whole.plain : hasEnd ? `${whole.plain}\n` : withoutEnd(whole.plain);
  const formed = withLines(later, plain);
  return formed ?? whole;
}

const isFormed = (text: string): boolean => text.startsWith(MARK) || text.includes('\r');

/**
 * Returns a text that a program recorded of an edit. Some leave the mark and the kind of line breaks out, although the file has them:
 * then the known text of the same lines has them, or the one on the disk.
 */
export function withKnownForm(text: string, known: WholeText | undefined, current: WholeText | undefined): WholeText {
  const own = wholeText(text);
  if (isFormed(text)) return own;
  if (known) return isFormed(known.text) && known.plain === text ? known : own;
  return current && isFormed(current.text) ? { ...own, isFormOpen: true } : own;
}

/** Returns the text after an edit, as the program recorded it, in the form of the text before. */
export function textAfter(text: string, before: WholeText | undefined): WholeText {
  if (!before || isFormed(text) || (!isFormed(before.text) && !before.isFormOpen)) return wholeText(text);
  return withLines(before, text) ?? wholeText(text, true);
}
