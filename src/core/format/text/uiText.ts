/**
 * Prepares session text for VS Code's own surfaces: messages, inputs, lists, rows, titles, the log.
 *
 * Many of them have a syntax. Notifications, progress and input prompts turn `[text](command:…)` into a
 * link that runs the command on a click (`parseLinkedText` in vs/base/common/linkedText.ts; also http, https and file).
 * Quick picks and the status bar turn `$(name)` into an icon (`renderLabelWithIcons` in
 * vs/base/browser/ui/iconLabel/iconLabels.ts). Links have no escape. Icons have a backslash, but a list renders the
 * pieces around a match one by one, so that searching for `\` separates it from the character that it escapes.
 *
 * Both need two adjacent characters, `](` and `$(`. A word joiner (U+2060) between them has no width and allows no line
 * break, so the text looks and wraps as before but is neither a link nor an icon. Text copied from a message contains it.
 */
import { beginning, ending } from './characters';
import { sanitizeText } from './sanitizeText';

/** The most UTF-16 units of a line. VS Code cuts notifications at 1000. */
const LINE_LENGTH = 1000;
/** The most UTF-16 units of a text with line breaks, such as the detail of a dialog. */
const TEXT_LENGTH = 8000;

const WORD_JOINER = '\u2060';

/**
 * Returns text as one line that displays literally: without links, icons, control and bidi characters.
 *
 * @param length limit in UTF-16 units.
 */
export function uiLine(text: string, length = LINE_LENGTH): string {
  return truncate(breakLinksAndIcons(sanitizeText(truncate(text, length)).replace(/\s+/g, ' ').trim()), length);
}

/**
 * Works like {@link uiLine}, but keeps line breaks, with at most one empty line in a row.
 *
 * @param length limit in UTF-16 units.
 */
export function uiText(text: string, length = TEXT_LENGTH): string {
  const lines = sanitizeText(truncate(text, length))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\n(?: ?\n){2,}/g, '\n\n');
  return truncate(breakLinksAndIcons(lines.trim()), length);
}

/** Does the same as `uiLine` but cuts the middle: the ends of a path matter most. */
export function uiLineKeepingEnds(text: string, length: number): string {
  if (text.length <= length) return uiLine(text, length);
  const half = Math.floor(length / 2);
  return uiLine(`${beginning(text, half - 1)}…${ending(text, half)}`, length);
}

/** Fewer UTF-16 units of a folder tell nothing. */
const MIN_FOLDER_LENGTH = 8;

/** Does the same as `uiLine` for a path, but cuts the end of the folder: the file's name matters most. */
export function uiPath(path: string, length: number): string {
  const name = uiLine(path.slice(Math.max(0, path.lastIndexOf('/'), path.lastIndexOf('\\'))));
  const folderLength = length - name.length - 1;
  if (path.length <= length || folderLength < MIN_FOLDER_LENGTH) return uiLineKeepingEnds(path, length);
  return `${uiLine(beginning(path, folderLength), folderLength)}…${name}`;
}

/**
 * Makes an error's message safe to display, in place. VS Code shows the message of a rejected command or view provider
 * in a notification, links included.
 */
export function uiError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? uiLine(error) : error;
  const message = uiLine(error.message);
  // An own property, because the message of a platform's error can't be assigned.
  if (message !== error.message) Object.defineProperty(error, 'message', { value: message, configurable: true, writable: true });
  return error;
}

/** The replacement starts no match of its own, so applying it again changes nothing. */
const breakLinksAndIcons = (text: string): string => text.replace(/\](?=\()|\$(?=\()/g, `$&${WORD_JOINER}`);

const truncate = (text: string, length: number): string => (text.length <= length ? text : `${beginning(text, length - 1)}…`);
