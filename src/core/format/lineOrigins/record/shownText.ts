/**
 * Decides how much of a file's text a reading recorded. A reading of the whole file is a text as good as a written one, so it
 * counts as whole only if nothing says that a part of it is missing. FORMAT section 2.
 */
import { isObject, type JsonObject } from '../../values/jsonValues';
import { textOf } from '../../entry/message';
import { fileArgument } from '../../toolCalls/fileTouches';
import { linesOf } from '../lineTexts';
import { areNumbered, HEADER, isReadTool, numberedLines, readingOfCall, withoutNumbers } from './callEdits';

export interface ShownText {
  readonly file: string;
  readonly text: string;
  readonly isWhole: boolean;
  /** The place of the first line in the file, from 0, if the lines are consecutive ones. */
  readonly from: number | undefined;
  /** False if the result has lines only, so that it doesn't show whether the last one ends in a line break. */
  readonly isEndRecorded: boolean;
  /** The number of lines of a part that doesn't reach the end of the file, if the result shows it. */
  readonly lines?: number;
  /** True for a part that reaches the end. */
  readonly isEnd?: boolean;
}

/** Arguments that ask for a part of a file. */
const PART_ARGUMENTS = ['offset', 'limit', 'range', 'view_range', 'start_line', 'end_line', 'pages', 'sel'];

/**
 * @param recordsText true if the program's results are the file's own text; oh-my-pi's are lines, with or without numbers
 * @returns `undefined` for calls of other tools, and for results without text
 */
export function shownTextOfCall(call: JsonObject, result: JsonObject | undefined, recordsText: boolean): ShownText | undefined {
  const reading = readingOfCall(call, result);
  if (!reading || !result) return undefined;
  const { file } = reading;
  const shown = textOf(result['content']);
  const given = isObject(call['arguments']) ? call['arguments'] : {};
  const isPart = PART_ARGUMENTS.some((name) => given[name] !== undefined);
  const isFull = !isPart && !isCut(result) && !hasGap(shown);
  const lines = numberedLines(shown);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  if (areNumbered(lines)) {
    // The text itself may begin its lines with numbers.
    const from = recordsText && !HEADER.test(shown.slice(0, shown.indexOf('\n'))) && !ARROW.test(shown) ? undefined : firstOf(lines);
    const texts = withoutNumbers(lines);
    // A program that says nothing may have stopped at its limit.
    const isWhole = isFull && from === 0 && lines.length < MAX_LINES && !texts.some(mayBeCut) && isSpaceKnown(lines, texts);
    return { file, text: texts.join('\n'), isWhole, from: texts.some(mayBeCut) ? undefined : from, isEndRecorded: false };
  }
  // Numbers of which some are missing.
  const hasNumbers = HEADER.test(shown.slice(0, shown.indexOf('\n'))) || (!recordsText && areNumbered(lines.slice(0, 1)));
  const isOwnText = !hasNumbers && !shown.startsWith('Read image file [') && (recordsText || !lines.some(mayBeCut));
  const isWhole = reading.isWhole && isFull && isOwnText;
  const from = isWhole ? 0 : recordsText && isOwnText && !isCutWithin(result, shown) ? placeOf(given) : undefined;
  const part = isWhole || from === undefined ? {} : extentOf(given, shown, reading.text, isCut(result));
  return { file, text: reading.text, isWhole, from, isEndRecorded: recordsText || shown.endsWith('\n'), ...part };
}

const SHOWN_LINES = /\[Showing lines (\d{1,9})-(\d{1,9}) of \d/;
/** UTF-16 units in which a notice at the end begins. */
const NOTICE_LENGTH = 400;

/** Returns how far a part reaches. A program says so after a part that isn't the last one. */
function extentOf({ limit }: JsonObject, shown: string, text: string, wasCut: boolean): Pick<ShownText, 'lines' | 'isEnd'> {
  const count = typeof limit === 'number' && Number.isSafeInteger(limit) ? limit : undefined;
  if (text === shown) return !wasCut && (count === undefined || linesOf(text).length < count) ? { isEnd: true } : {};
  const [, first, last] = SHOWN_LINES.exec(shown.slice(-NOTICE_LENGTH)) ?? [];
  if (first !== undefined) return { lines: Number(last) - Number(first) + 1 };
  return count === undefined || wasCut ? {} : { lines: count };
}

/** Words of the errors by which tools say that there is no such file. */
const NOT_THERE = /ENOENT|no such file|(?:file|path) (?:was )?not found|does not exist|doesn't exist/i;
const ERROR_LENGTH = 500;

/** Returns the file that a failed call of a reading tool didn't find; `undefined` for other calls. */
export function missingFileOfCall(call: JsonObject, result: JsonObject | undefined): string | undefined {
  if (result?.['isError'] !== true || !isReadTool(call)) return undefined;
  const given = isObject(call['arguments']) ? call['arguments'] : {};
  return NOT_THERE.test(textOf(result['content']).slice(0, ERROR_LENGTH)) ? fileArgument(given) : undefined;
}

/** Lines that programs show at most. */
const MAX_LINES = 2000;
const NUMBER = /^\s{0,10}(\d{1,9})/;
const ARROW = /^\s{0,10}\d{1,9}→/;

/** Returns the place of the first line, from 0, if the numbers count up. */
function firstOf(lines: readonly string[]): number | undefined {
  const first = Number(NUMBER.exec(lines[0] ?? '')?.[1]);
  return lines.every((line, at) => Number(NUMBER.exec(line)?.[1]) === first + at) ? first - 1 : undefined;
}

/** False if a space after each number may be the text's own. */
const isSpaceKnown = (lines: readonly string[], texts: readonly string[]): boolean =>
  lines.some((line, at) => texts[at] !== '' && line.charAt(line.length - (texts[at] ?? '').length - 1) !== ' ');

/** UTF-16 units from which on programs cut lines. */
const LONG_LINE = 500;
const mayBeCut = (line: string): boolean => line.length >= LONG_LINE && /(?:…|\.\.\.|\])\s*$/.test(line.slice(-50));

const isCut = ({ details }: JsonObject): boolean =>
  isObject(details) &&
  (details['summary'] !== undefined ||
    details['truncated'] === true ||
    [details, details['meta']].some(
      (one) =>
        isObject(one) && one['truncation'] !== undefined && !(isObject(one['truncation']) && one['truncation']['truncated'] === false),
    ));

/** True if lines are missing within the text. Cut at its end, it's a part with consecutive lines. */
const isCutWithin = ({ details }: JsonObject, shown: string): boolean =>
  (isObject(details) && details['summary'] !== undefined) || hasGap(shown);

/** UTF-16 units before a word in which the mark that it belongs to begins. */
const MARK_LENGTH = 200;

/** True if a mark such as `[… 900 characters truncated …]` is in the text. */
function hasGap(shown: string): boolean {
  const text = shown.toLowerCase();
  return ['truncated', 'omitted', 'elided'].some((word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const before = text.slice(Math.max(0, at - MARK_LENGTH), at);
      if (/[[(…⚠]/.test(before.slice(before.lastIndexOf('\n') + 1))) return true;
    }
    return false;
  });
}

/** The place of the first line that a call asked for, from 0. */
function placeOf({ offset }: JsonObject): number | undefined {
  if (offset === undefined) return 0;
  return typeof offset === 'number' && Number.isSafeInteger(offset) && offset > 0 ? offset - 1 : undefined;
}
