/** Lines in memory, of any version, as a session of the current version. FORMAT section 3. */
import { CURRENT_VERSION } from '../../format/entry/entry';
import { isObject, type JsonObject } from '../../format/values/jsonValues';
import type { Dialect } from '../../format/entry/dialect';
import { parseHeader } from '../../format/entry/header';
import { migrateHeader, migrateLine } from '../../format/parse/migrateLine';
import { emptySession, withPendingLines } from './bufferedSession';
import { isHeader } from './listSessions';

/**
 * Returns the header and the entries with the names, ids and parents of version 3. The given lines don't change.
 *
 * @param header used if there is none among the lines.
 */
export function currentLines(
  header: JsonObject,
  given: readonly JsonObject[],
  dialect: Dialect,
): { readonly header: JsonObject; readonly lines: readonly JsonObject[] } {
  const own = given.find(isHeader) ?? header;
  const lines = given.filter((line) => isObject(line) && line['type'] !== 'session');
  const read = withPendingLines(emptySession(own, '', dialect), lines);
  if (read.version >= CURRENT_VERSION && !read.hasGivenIds) return { header: own, lines };
  // The header is line 1.
  const heads = new Map(read.entries.map((head) => [head.line - 2, head]));
  return {
    header: migrateHeader(parseHeader(own)),
    lines: lines.map((line, index) => {
      const head = heads.get(index);
      return head ? migrateLine(line, head) : line;
    }),
  };
}
