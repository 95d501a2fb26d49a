/**
 * Session text for the editor's own surfaces: messages, inputs, lists, rows, titles, the log.
 *
 * VS Code reads a syntax in many of them. Notifications, progress and input prompts turn `[text](command:…)` into a
 * link that runs the command on a click (`parseLinkedText` in vs/base/common/linkedText.ts; also http, https and file).
 * Quick picks and the status bar turn `$(name)` into an icon (`renderLabelWithIcons` in
 * vs/base/browser/ui/iconLabel/iconLabels.ts). Links have no escape. Icons have a backslash, but a list renders the
 * pieces around a match one by one, so that typing `\` parts it from what it escapes.
 *
 * Both need two characters side by side, `](` and `$(`. A word joiner (U+2060) between them has no width and allows no
 * line break: the text looks as it did, wraps as it did, and is neither. Text copied from a message carries it along.
 */
import { sanitizeText } from './sanitizeText';

/** UTF-16 units of a line. VS Code cuts notifications at 1000. */
const LINE_LENGTH = 1000;
/** UTF-16 units of a text with line breaks, such as the detail of a dialog. */
const TEXT_LENGTH = 8000;

const WORD_JOINER = '\u2060';

/** One line that is shown as it reads: at most `length` UTF-16 units, without links, icons, control and bidi characters. */
export function uiLine(text: string, length = LINE_LENGTH): string {
  return truncate(breakLinksAndIcons(sanitizeText(truncate(text, length)).replace(/\s+/g, ' ').trim()), length);
}

/** As `uiLine`, with its line breaks, but no more than one empty line at once. */
export function uiText(text: string, length = TEXT_LENGTH): string {
  const lines = sanitizeText(truncate(text, length)).replace(/[^\S\n]+/g, ' ').replace(/\n(?: ?\n){2,}/g, '\n\n');
  return truncate(breakLinksAndIcons(lines.trim()), length);
}

/** As `uiLine`, but what is too long loses its middle: paths say most at their ends. */
export function uiLineKeepingEnds(text: string, length: number): string {
  if (text.length <= length) return uiLine(text, length);
  const half = Math.floor(length / 2);
  return uiLine(`${start(text, half - 1)}…${end(text, half)}`, length);
}

/**
 * The error with a message that can be shown. VS Code shows what a command or a view's provider rejects with in a
 * notification, links included.
 */
export function uiError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? uiLine(error) : error;
  const message = uiLine(error.message);
  // As an own property: errors of the platform have a message that can't be assigned.
  if (message !== error.message) Object.defineProperty(error, 'message', { value: message, configurable: true, writable: true });
  return error;
}

/** A replacement that starts no match of its own, so the text stays the same when it is treated again. */
const breakLinksAndIcons = (text: string): string => text.replace(/\](?=\()|\$(?=\()/g, `$&${WORD_JOINER}`);

const truncate = (text: string, length: number): string => (text.length <= length ? text : `${start(text, length - 1)}…`);

/** Both without half a character where the text is cut. */
const start = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
const end = (text: string, length: number): string => text.slice(-length).replace(/^[\udc00-\udfff]/, '');
