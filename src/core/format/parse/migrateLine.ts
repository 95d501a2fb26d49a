/** Versions 1 and 2 → 3, line by line. The ids are those that reading gives (`givenId`), so a migration changes no id anybody saw. */
import { CURRENT_VERSION, isObject, type JsonObject, type SessionHeader } from '../entry/entry';

/** What a line is to say after it was brought to the current version, or to another place. */
export interface LineIds {
  readonly id: string;
  readonly parentId: string | null;
  readonly firstKeptEntryId?: string;
}

/**
 * A line with the names of version 3, at its place; the same object if nothing in it changes. Keys that
 * are not known stay. jensen-code's `payloadSha256` goes where something changed, for it would no longer be true.
 */
export function migrateLine(line: JsonObject, target: LineIds): JsonObject {
  const changes: Record<string, unknown> = {};
  if (line['id'] !== target.id) changes['id'] = target.id;
  if (line['parentId'] !== target.parentId) changes['parentId'] = target.parentId;
  const { message } = line;
  if (line['type'] === 'message' && isObject(message) && message['role'] === 'hookMessage')
    changes['message'] = { ...message, role: 'custom' };
  const indexed = line['type'] === 'compaction' && 'firstKeptEntryIndex' in line;
  if (line['type'] === 'compaction' && target.firstKeptEntryId !== undefined && line['firstKeptEntryId'] !== target.firstKeptEntryId) {
    changes['firstKeptEntryId'] = target.firstKeptEntryId;
  }
  if (!indexed && Object.keys(changes).length === 0) return line;
  const current: Record<string, unknown> = { ...line, ...changes };
  delete current['firstKeptEntryIndex'];
  delete current['payloadSha256'];
  return current;
}

/** A header of version 3: what it says stays, and `branchedFrom` also becomes `parentSession` if there is none. */
export function migrateHeader(header: SessionHeader): JsonObject {
  const parent = header.parentSession ?? header.branchedFrom;
  const current: Record<string, unknown> = {
    ...header,
    version: CURRENT_VERSION,
    ...(parent === undefined ? {} : { parentSession: parent }),
  };
  delete current['payloadSha256'];
  return current;
}

/** The id of an entry that has none: from its place among the file's objects, the header being 0. */
export function givenId(object: number): string {
  return object.toString(16).padStart(8, '0');
}

/** A version 1 line with the names of version 3, where heads look at them. */
export function withGivenIds(value: JsonObject): JsonObject {
  const index = value['firstKeptEntryIndex'];
  return value['type'] === 'compaction' && typeof index === 'number' && index > 0 ? { ...value, firstKeptEntryId: givenId(index) } : value;
}
