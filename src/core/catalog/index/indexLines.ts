/** What the lines of a file were found to have → what the catalog keeps of them, by the entries that the lines became. */
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { DIALECT_FACTS } from '../../format/entry/dialect';
import type { Session } from '../../format/session/session';
import type { Touch } from '../../format/entry/fileTouches';
import { expandPath } from '../../files/locate/roots';
import { sessionFacts, usageFacts, type SessionFacts, type UsageFact } from './sessionFacts';
import { encodeLines, type TableLine } from '../encoding/lineTable';
import type { LineWords, LineWordsWriter } from './lineWords';
import { encodeTouches, type EncodedTouches, type EntryTouch } from '../encoding/touchTable';

/** What stands on a line that is kept. */
export interface CollectedLine {
  /** Where its object is in the file. */
  readonly offset: number;
  readonly role: string;
  /** Where its words are; both the same if it has none. */
  readonly from: number;
  readonly to: number;
  readonly touches: readonly Touch[];
  readonly tools: readonly string[];
}

/** What the catalog keeps of a file's lines. */
export interface LineIndex {
  readonly words: LineWords;
  /** As `encodeLines` makes them. */
  readonly lines: Uint8Array;
  readonly touches: EncodedTouches;
  readonly usage: readonly UsageFact[];
  readonly facts: SessionFacts;
}

/** `table`: the lines before `start`, if the file grew; those behind are added. */
export function indexLines(session: Session, found: readonly CollectedLine[], words: LineWordsWriter, start: number, table: TableLine[]): LineIndex {
  const active = activeIds(session);
  const places: number[] = [];
  const touches: EntryTouch[] = [];
  for (const [index, line] of table.entries()) if (active.has(line.entryId) !== line.active) table[index] = { ...line, active: !line.active };
  const title = start === 0 ? titleLine(session) : undefined;
  if (title) {
    const { from, to } = words.add(session.name!);
    places.push(0, from, to);
    table.push(title);
  }
  const absolute = pathResolver(session.header.cwd);
  const { entries } = session;
  let index = firstEntryAt(session, start);
  // Both stand in the order of the file; an entry that came again is not among the session's.
  for (const { offset, role, from, to, touches: touched, tools } of found) {
    while (index < entries.length && entries[index]!.offset < offset) index++;
    const entry = entries[index];
    if (entry?.offset !== offset) continue;
    for (const { file, kind } of touched) touches.push({ file: absolute(file), entryId: entry.id, kind });
    if (from < to) {
      // Of two on one line both answer; what might stand between them is found not to be there when the line is looked at.
      if (places.at(-3) === entry.line) places[places.length - 1] = to;
      else places.push(entry.line, from, to);
    }
    const { id, line, length, type, targetId } = entry;
    const entryId = type === 'label' && typeof targetId === 'string' && session.byId.has(targetId) ? targetId : id;
    const time = Math.round(entry.messageTime ?? entry.time);
    table.push({ line, offset, length, entryId, role, time, active: active.has(entryId), hasText: from < to, tools });
  }
  return { words: words.finish(places), lines: encodeLines(table), touches: encodeTouches(touches), usage: usageFacts(session), facts: sessionFacts(session) };
}

/** A name that is no line of its own is found with the session; `undefined` if it has none such. */
export function titleLine(session: Session): TableLine | undefined {
  if (DIALECT_FACTS[session.dialect].nameSource !== 'title' || session.name === undefined) return undefined;
  return { line: 0, offset: 0, length: 0, entryId: session.leafId ?? '', role: 'title', time: Date.parse(session.header.timestamp) || 0, active: true, hasText: true, tools: [] };
}

/** Relative, and with nothing in it that would have to be resolved. */
const NORMALIZED_PATH = /^[\w@+-][\w@+.-]*(?:\/[\w@+-][\w@+.-]*)*$/;

/** Paths as tools were given them → absolute ones, by the session's folder. */
export function pathResolver(cwd: string): (file: string) => string {
  const base = expandPath(cwd || '.', homedir());
  const start = join(resolve(base), sep);
  const known = new Map<string, string>();
  return (file) => {
    let path = known.get(file);
    if (path === undefined) known.set(file, (path = sep === '/' && NORMALIZED_PATH.test(file) ? start + file : resolve(base, expandPath(file, homedir(), base))));
    return path;
  };
}

/** Entries stand in file order: the first one at or behind an offset. */
function firstEntryAt({ entries }: Session, offset: number): number {
  let index = offset === 0 ? 0 : entries.length;
  while (index > 0 && entries[index - 1]!.offset >= offset) index--;
  return index;
}

/** Ids of the entries on the branch that the programs would go on with. */
function activeIds(session: Session): Set<string> {
  const ids = new Set<string>();
  for (let id = session.leafId; id !== null && !ids.has(id); id = session.byId.get(id)?.parentId ?? null) if (session.byId.has(id)) ids.add(id);
  return ids;
}
