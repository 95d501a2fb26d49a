/**
 * Migrates versions 1 and 2 to version 3, line by line. Entries get the same ids as in reading (`givenId`), so a
 * migration changes no id that was ever shown.
 */
import { defined } from '../values/defined';
import { CURRENT_VERSION, type SessionHeader } from '../entry/entry';
import { isObject, type JsonObject } from '../values/jsonValues';

/** The ids that a line must have after its migration or its move to another file. */
export interface LineIds {
  readonly id: string;
  readonly parentId: string | null;
  readonly firstKeptEntryId?: string;
}

/**
 * Returns a line with the names of version 3 and the ids of `target`; the same object if nothing changes. Unknown keys
 * stay. jensen-code's `payloadSha256` is removed from a line that changes, because it would no longer match.
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

/** Returns a header of version 3. All its values stay; `branchedFrom` becomes `parentSession` if there is none. */
export function migrateHeader(header: SessionHeader): JsonObject {
  const parent = header.parentSession ?? header.branchedFrom;
  const current: Record<string, unknown> = {
    ...header,
    version: CURRENT_VERSION,
    ...defined({ parentSession: parent }),
  };
  delete current['payloadSha256'];
  return current;
}

/**
 * Returns an id for an entry without one.
 *
 * @param object the entry's index among the file's objects; the header has index 0
 */
export function givenId(object: number): string {
  return object.toString(16).padStart(8, '0');
}

/** Returns a version 1 line with the version 3 names of the fields that heads use. */
export function withGivenIds(value: JsonObject): JsonObject {
  const index = value['firstKeptEntryIndex'];
  return value['type'] === 'compaction' && typeof index === 'number' && index > 0 ? { ...value, firstKeptEntryId: givenId(index) } : value;
}
