/** Extracts what the catalog keeps from parsed lines, by way of the session's entries. */
import type { Session } from '../../format/session/session';
import type { TableLine } from '../encoding/lineTable';
import { encodeTouches, type EntryTouch } from '../encoding/touchTable';
import type { CollectedLine, ExtractedLines } from './buildLineIndex';
import { sessionFacts, usageFacts } from './sessionFacts';

/**
 * @param start the offset in bytes from which the file was read
 * @param table the lines before `start`; those from `start` on are added to it
 */
export function extractParsedLines(session: Session, collected: readonly CollectedLine[], start: number, table: TableLine[], toAbsolute: (path: string) => string): ExtractedLines {
  const active = activeIds(session);
  const positions: number[] = [];
  const touches: EntryTouch[] = [];
  for (const [index, line] of table.entries()) if (active.has(line.entryId) !== line.active) table[index] = { ...line, active: !line.active };
  const { entries } = session;
  let index = firstEntryAt(session, start);
  // Both lists are in file order. A repeated entry isn't among the session's.
  for (const { offset, role, from, to, touches: touched, tools } of collected) {
    while (index < entries.length && entries[index]!.offset < offset) index++;
    const entry = entries[index];
    if (entry?.offset !== offset) continue;
    for (const { file, kind } of touched) touches.push({ file: toAbsolute(file), entryId: entry.id, kind });
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
  return { positions, lines: table, touches: encodeTouches(touches), usage: usageFacts(session), facts: sessionFacts(session) };
}

/** The index of the first entry at or after an offset; entries are in file order. */
function firstEntryAt({ entries }: Session, offset: number): number {
  let index = offset === 0 ? 0 : entries.length;
  while (index > 0 && entries[index - 1]!.offset >= offset) index--;
  return index;
}

/** The ids of the entries on the active branch. */
function activeIds(session: Session): Set<string> {
  const ids = new Set<string>();
  for (let id = session.leafId; id !== null && !ids.has(id); id = session.byId.get(id)?.parentId ?? null) if (session.byId.has(id)) ids.add(id);
  return ids;
}
