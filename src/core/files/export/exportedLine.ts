/** One line of an export, made of the bytes of an entry on whichever thread. */
import { problem, SessionError, type Problem } from '../../format/entry/problem';
import type { EntryHead } from '../../format/entry/entryHead';
import type { JsonObject } from '../../format/values/jsonValues';
import { migrateLine, type LineIds } from '../../format/parse/migrateLine';
import type { Session } from '../../format/session/session';
import type { Steps } from '../../format/session/steps';
import { parseEntryBytes } from '../read/bytes/entryBytes';
import { serializeSteps } from '../write/copyEntries';

/** The entry of a line, as plain data. */
export interface LineRequest {
  readonly head: Pick<EntryHead, 'id' | 'line' | 'length' | 'timestamp'>;
  readonly target: LineIds;
  readonly session: Pick<Session, 'path' | 'hasGivenIds'>;
  /** Leaves out a compaction's copies of messages. */
  readonly dropsRetainedTails: boolean | undefined;
}

/** A line that differs from its bytes. */
export interface ChangedLine {
  readonly text: string;
  readonly problem?: Problem;
}

/** The type of the line that replaces a line that can't be exported. */
const LEFT_OUT = 'pi-session-tree/left-out';

/**
 * Returns the line of an entry; `undefined` if it's the bytes as they are.
 *
 * @throws {SessionError} `changed` if the bytes aren't that entry.
 */
export function* exportedLine(bytes: Buffer, request: LineRequest): Steps<ChangedLine | undefined> {
  const { head, target, session, dropsRetainedTails } = request;
  const { value, hasRest } = yield* parseEntryBytes(bytes, head, session);
  const migrated = migrateLine(value, target);
  const line = dropsRetainedTails ? withoutTail(migrated) : migrated;
  if (line === value && !hasRest && bytes[0] === 0x7b && bytes.at(-1) === 0x7d) return undefined;
  try {
    return { text: yield* serializeSteps(line, session, head.line) };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return { text: standIn(request, 'too-deep'), problem: problem('damaged-line', { line: head.line }, head.id) };
  }
}

/** Returns a line that says why another isn't exported, with its place in the tree. */
export const standIn = ({ head, target }: Pick<LineRequest, 'head' | 'target'>, reason: 'too-long' | 'too-deep'): string =>
  JSON.stringify({
    type: 'custom',
    id: head.id,
    parentId: target.parentId,
    timestamp: head.timestamp,
    customType: LEFT_OUT,
    data: { reason, bytes: head.length },
  });

/** Returns a line without a compaction's copies of messages: the same object if there are none. */
function withoutTail(line: JsonObject): JsonObject {
  if (line['type'] !== 'compaction' || !('retainedTail' in line)) return line;
  const rest: Record<string, unknown> = { ...line };
  delete rest['retainedTail'];
  // It would no longer match.
  delete rest['payloadSha256'];
  return rest;
}
