/** Queries of the full-text index. Lines are named by their documents, the row ids of `words`. */
import { hashOfPath } from './pathHash';
import type { ReadingConnection } from './readingConnection';
import { PATH } from './schema';
import { prepareRows, rowChecker, type ResultRow } from './sqlite/resultRows';

/** A line that matches. */
export interface WordMatch {
  /** The line's number in the index. */
  readonly document: number;
  /** The number of its words. */
  readonly words: number;
}

const matchRow = rowChecker('number', 'text');
const documentRow = rowChecker('number');
const rangeRow = rowChecker('number', 'number');

/** Numbers of words as digits: thousands of arrays of one or two bytes would keep the garbage collector busy. */
const MATCHES = 'SELECT rowid, (SELECT hex(sz) FROM words_docsize WHERE id = words.rowid) FROM words WHERE words MATCH ?';

/** Node binds numbers as floating-point values, which FTS5 ignores as limits of row ids: it would go through all matches. */
const BETWEEN = 'rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)';

/**
 * The lines that match an FTS5 expression, the newest first. Costs what is consumed, except for a fraction of a microsecond per match.
 *
 * @param together the number of the first matches, which are read at once
 */
export function* wordMatches(connection: ReadingConnection, expression: string, together: number): Generator<WordMatch> {
  const database = connection.current();
  if (!database) return;
  const first = connection.query(database, `${MATCHES} ORDER BY rowid LIMIT ?`, expression, together).map(toMatch);
  yield* first;
  const last = first.at(-1);
  if (!last || first.length < together || !connection.isOpen(database)) return;
  // A statement of its own, since another search may begin before this one ends.
  const found = prepareRows(database, `${MATCHES} AND rowid > CAST(? AS INTEGER) ORDER BY rowid`).iterate(expression, last.document);
  try {
    for (const row of found) yield toMatch(row);
  } catch (error) {
    // Closed, because another window has replaced the database since: its matches are of no use.
    if (connection.isOpen(database)) throw error;
  }
}

/** The lines of sessions that match an FTS5 expression, the newest first. Costs what these sessions have. */
export function* wordMatchesOf(connection: ReadingConnection, expression: string, paths: ReadonlySet<string>): Generator<WordMatch> {
  const ranges = Array.from(paths, (path) =>
    connection
      .all(`SELECT first, first + count - 1 FROM documents JOIN sessions USING (n) WHERE hash = ? AND ${PATH} = ?`, hashOfPath(path), path)
      .map(rangeRow),
  ).flat();
  for (const [first, last] of ranges.sort(([a], [b]) => a - b))
    yield* connection.again(`${MATCHES} AND ${BETWEEN} ORDER BY rowid`, expression, first, last).map(toMatch);
}

/** The documents between two others, these included, that match an FTS5 expression, in ascending order. */
export function wordMatchesBetween(
  connection: Pick<ReadingConnection, 'again'>,
  expression: string,
  first: number,
  last: number,
): number[] {
  const sql = `SELECT rowid FROM words WHERE words MATCH ? AND ${BETWEEN} ORDER BY rowid`;
  return connection.again(sql, expression, first, last).map((row) => documentRow(row)[0]);
}

function toMatch(row: ResultRow): WordMatch {
  const [document, digits] = matchRow(row);
  return { document, words: decodeWordCount(digits) };
}

/**
 * Decodes the number of words that FTS5 stores for a document: seven bits per byte, high bits first.
 *
 * @param digits the bytes as hexadecimal digits
 */
function decodeWordCount(digits: string): number {
  let count = 0;
  for (let at = 0; at < digits.length; at += 2) count = count * 128 + (Number.parseInt(digits.slice(at, at + 2), 16) & 127);
  return count;
}
