/** Extracts what the catalog keeps from parsed lines, by way of the session's entries. */
import type { HeadSource } from '../../format/columns/headSource';
import { headsOf } from '../../format/linking/headsById';
import type { Session } from '../../format/session/session';
import { pathPlaces } from '../../format/session/treeTraversal';
import type { TableLine } from '../encoding/lineTable';
import { promptFinder } from './promptFinder';
import { encodeTouches, type EntryTouch } from '../encoding/touchTable';
import type { CollectedLine, ExtractedLines } from './buildLineIndex';
import { usageFacts } from './sessionFacts';

/**
 * @param start the offset in bytes from which the file was read
 * @param table the lines before `start`; those from `start` on are added to it
 */
export function extractParsedLines(
  session: Session,
  collected: readonly CollectedLine[],
  start: number,
  table: TableLine[],
  toAbsolute: (path: string) => string,
): ExtractedLines {
  const active = activeIds(session);
  const positions: number[] = [];
  const touches: EntryTouch[] = [];
  for (const [index, line] of table.entries())
    if (active.has(line.entryId) !== line.active) table[index] = { ...line, active: !line.active };
  const heads = headsOf(session);
  const promptOf = promptFinder(heads);
  let place = firstPlaceAt(heads, start);
  // Both lists are in file order. A repeated entry isn't among the session's.
  for (const { offset, role, from, to, touches: touched, tools } of collected) {
    while (place < heads.length && heads.offsetAt(place) < offset) place++;
    if (place === heads.length || heads.offsetAt(place) !== offset) continue;
    const entry = heads.at(place);
    for (const { file, kind } of touched)
      touches.push({ file: toAbsolute(file), entryId: entry.id, kind, line: entry.line, promptId: promptOf(place) });
    if (from < to) {
      // Two entries on one line share its text. A match that spans both is discarded when the line itself is searched.
      if (positions.at(-3) === entry.line) positions[positions.length - 1] = to;
      else positions.push(entry.line, from, to);
    }
    const { id, line, length, type, targetId } = entry;
    const entryId = type === 'label' && typeof targetId === 'string' && session.byId.has(targetId) ? targetId : id;
    const time = Math.round(entry.messageTime ?? entry.time);
    table.push({ line, offset, length, entryId, role, time, active: active.has(entryId), hasText: from < to, tools });
  }
  return { positions, lines: table, touches: encodeTouches(touches), usage: usageFacts(session) };
}

/** The place of the first entry at or after an offset; entries are in file order. */
function firstPlaceAt(heads: HeadSource, offset: number): number {
  let place = offset === 0 ? 0 : heads.length;
  while (place > 0 && heads.offsetAt(place - 1) >= offset) place--;
  return place;
}

/** The ids of the entries on the active branch. */
function activeIds(session: Session): Set<string> {
  const heads = headsOf(session);
  return new Set(pathPlaces(heads, session.leafId).map((place) => heads.idAt(place)));
}
