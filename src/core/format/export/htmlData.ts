/**
 * A session's lines inside an HTML export. They are whole lines of the document, between `DATA_BLOCK_START` and
 * `DATA_BLOCK_END`, so an import reads an export of any size line by line, without an HTML parser. An export may have
 * several such blocks, because browsers bound the length of a text.
 *
 * Browsers end a `script` element at `</script`, and no longer there after `<!--` and `<script`. They also change
 * carriage returns and NULs. So `<` is written as JSON's `\u003c` before these words. A line that isn't JSON, or has
 * such a character, becomes a JSON string; so does every line that begins with a quotation mark, to tell them apart.
 */

import { parseJson } from '../parse/parseJson';
import { finishSteps, type Steps } from '../session/steps';
import { hasMatch, SEARCHED_UNITS } from '../text/searchSteps';

/** The line before the lines of a session. Browsers don't run scripts of this type. */
export const DATA_BLOCK_START = '<script type="application/x-ndjson" class="session-lines">';
/** The line after them. */
export const DATA_BLOCK_END = '</script>';
/** Selects the blocks in a page. */
export const DATA_BLOCK_SELECTOR = 'script.session-lines';

const HAZARD = /<(?=\/script|script|!--)/gi;

/** Returns a line of a session, without its line break, as a line of a data block. */
export const embedLine = (line: string): string => finishSteps(embedLineSteps(line)).join('');

/** Does what {@link embedLine} does, in steps, and returns the pieces of the line: joining a long one takes too long. */
export function* embedLineSteps(line: string): Steps<readonly string[]> {
  const needsQuotes =
    line.startsWith('"') ||
    line.includes('\0') ||
    line.slice(0, -1).includes('\r') ||
    ((yield* hasMatch(line, HAZARD, LONGEST_HAZARD)) && (yield* parseJson(line)) === undefined);
  const pieces: string[] = [];
  for (const piece of piecesOf(needsQuotes ? JSON.stringify(line) : line)) {
    pieces.push(piece.replace(HAZARD, '\\u003c'));
    yield;
  }
  return pieces;
}

/** UTF-16 units of the longest hazard. */
const LONGEST_HAZARD = '</script'.length;

/** Cuts a text into pieces, and no hazard in two. */
function* piecesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const end = from + SEARCHED_UNITS;
    // Only the last `<` before the end can begin a hazard that the end would cut, since a hazard has no other one.
    const last = end < text.length ? text.slice(end - LONGEST_HAZARD, end).lastIndexOf('<') : -1;
    const to = last < 0 ? end : end - LONGEST_HAZARD + last;
    yield text.slice(from, to);
    from = to;
  }
}

/** Returns the line of a session that {@link embedLine} made this line of. JSON may have other escapes than before. */
export function extractLine(line: string): string {
  if (!line.startsWith('"')) return line;
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : line;
  } catch {
    // The file was edited. The line is as readable as any damaged one.
    return line;
  }
}

/**
 * Yields the lines of the session in an HTML export.
 *
 * @param lines the lines of the document, without their line breaks
 * @returns the number of data blocks; 0 if the document isn't an export
 */
export async function* extractLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, number> {
  let blocks = 0;
  let isInside = false;
  for await (const each of lines) {
    const line = each.endsWith('\r') ? each.slice(0, -1) : each;
    if (isInside && line === DATA_BLOCK_END) isInside = false;
    else if (isInside) yield extractLine(line);
    else if (line === DATA_BLOCK_START) {
      isInside = true;
      blocks++;
    }
  }
  return blocks;
}

/** Returns the lines of the session in the text of an HTML export; `undefined` if the text isn't an export. */
export async function extractSession(html: string): Promise<string[] | undefined> {
  const found: string[] = [];
  const lines = extractLines(html.split('\n'));
  for (;;) {
    const next = await lines.next();
    if (next.done) return next.value === 0 ? undefined : found;
    found.push(next.value);
  }
}
