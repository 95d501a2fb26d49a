/** Reads the edits that a session made of a file: only the entries that the catalog names, and their results. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { asString, isObject, type Entry, type JsonObject } from '../../format/entry/entry';
import type { EntryHead } from '../../format/entry/entryHead';
import { nestedCalls, toolCallBlocks } from '../../format/entry/fileTouches';
import { editsOfCall, readingOfCall } from '../../format/lineOrigins/callEdits';
import type { FileEdit } from '../../format/lineOrigins/fileEdit';
import type { Session } from '../../format/session/session';
import { expandPath } from '../../files/locate/roots';
import { readBodies } from '../../files/read/sessionFile';
import { pathKey } from '../search/pathMatch';

/** An edit of the file, and where it's recorded. */
export interface SessionEdit {
  readonly path: string;
  /** The message with the call. */
  readonly entryId: string;
  readonly promptId: string | undefined;
  /** The same in all copies of a session. */
  readonly key: string;
  /** When the call ran, in milliseconds since 1970. */
  readonly time: number;
  /** The absolute path of the file at that time. */
  readonly file: string;
  readonly edit: FileEdit;
}

/** A text of the file that a session read. */
export interface SessionReading {
  readonly time: number;
  readonly text: string;
  readonly isWhole: boolean;
}

/** Entries of one file in a session; more aren't read. */
const MAX_ENTRIES = 5000;
const MAX_CHAIN = 100_000;
/** Calls of one message. */
const MAX_BATCH = 256;

interface Call {
  readonly head: EntryHead;
  readonly call: JsonObject;
  readonly result: EntryHead | undefined;
}

/**
 * Returns a session's edits of a file, in file order.
 *
 * @param entryIds the entries with calls
 * @param isFile true for the file's absolute path
 */
export async function sessionEdits(
  session: Session,
  entryIds: readonly string[],
  isFile: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<SessionEdit[]> {
  const edits: SessionEdit[] = [];
  await forEachCall(session, entryIds, signal, ({ head, call, result }, message) => {
    const matching = editsOfCall(call, message).filter(({ file, movedTo }) =>
      [file, movedTo].some((path) => path !== undefined && isFile(absolutePath(session, path))),
    );
    for (const edit of matching)
      edits.push({
        path: session.path,
        entryId: head.id,
        promptId: promptOf(session, head),
        key: JSON.stringify([head.id, asString(call['id']) ?? '', head.timestamp, edit.file]),
        time: timeOf(result ?? head),
        file: absolutePath(session, edit.file),
        edit,
      });
  });
  return edits;
}

/** Returns what the calls of an entry read of a file. */
export async function sessionReadings(
  session: Session,
  entryIds: readonly string[],
  isFile: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<SessionReading[]> {
  const readings: SessionReading[] = [];
  await forEachCall(session, entryIds, signal, ({ head, call, result }, message) => {
    const reading = readingOfCall(call, message);
    if (reading && isFile(absolutePath(session, reading.file))) readings.push({ time: timeOf(result ?? head), ...reading });
  });
  return readings;
}

/** Tools whose patches name their files in the middle of a text, which the catalog doesn't index. */
const PATCH_TOOLS = new Set(['edit', 'apply_patch']);

/**
 * Returns the ids of the messages with calls that may patch several files. oh-my-pi and OpenClaw read a file before they
 * patch it, so that the catalog knows the session all the same.
 */
export function patchCalls(session: Session): string[] {
  if (session.dialect !== 'omp' && session.dialect !== 'openclaw') return [];
  const callers = new Set<string>();
  for (const head of session.entries) {
    if (head.role !== 'toolResult' || head.isError === true || !PATCH_TOOLS.has(head.toolName?.toLowerCase() ?? '')) continue;
    let at = head.parentId === null ? undefined : session.byId.get(head.parentId);
    for (let count = 0; at && at.role === 'toolResult' && count < MAX_BATCH; count++)
      at = at.parentId === null ? undefined : session.byId.get(at.parentId);
    if (at?.role === 'assistant' && callers.size < MAX_ENTRIES) callers.add(at.id);
  }
  return [...callers];
}

/** True if a path is one of the given ones. */
export function isOneOf(paths: readonly string[]): (path: string) => boolean {
  const keys = new Set(paths.map((path) => pathKey(path, process.platform)));
  return (path) => keys.has(pathKey(path, process.platform));
}

const absolutePath = ({ header: { cwd } }: Session, path: string): string => resolve(cwd, expandPath(path, homedir(), cwd));

export const timeOf = (head: EntryHead): number => head.messageTime ?? head.time;

/** Calls `take` with each call of the entries and the message with its result. */
async function forEachCall(
  session: Session,
  entryIds: readonly string[],
  signal: AbortSignal | undefined,
  take: (call: Call, result: JsonObject | undefined) => void,
): Promise<void> {
  const heads = [...new Set(entryIds)].slice(0, MAX_ENTRIES).flatMap((id) => session.byId.get(id) ?? []);
  const callers = heads.filter(({ role }) => role === 'assistant' || role === 'toolResult');
  const bodies = await readBodies(
    session,
    callers.map(({ id }) => id),
    signal,
  );
  const results = resultsOf(session, bodies);
  const calls: (Call & { readonly nested?: true })[] = [];
  for (const [index, head] of callers.entries()) {
    const message = messageOf(bodies[index]!);
    if (head.role === 'toolResult') for (const call of nestedCalls(message)) calls.push({ head, call, result: undefined, nested: true });
    else for (const call of toolCallBlocks(message['content'])) calls.push({ head, call, result: results(head, asString(call['id'])) });
  }
  const needed = [...new Set(calls.flatMap(({ result }) => result?.id ?? []))];
  const messages = new Map((await readBodies(session, needed, signal)).map((entry) => [entry.id, messageOf(entry)]));
  // A nested call has no result of its own.
  for (const call of calls) take(call, call.nested ? {} : call.result && messages.get(call.result.id));
}

const messageOf = (entry: Entry): JsonObject => {
  const { message } = entry as { message?: unknown };
  return isObject(message) ? message : {};
};

/** Returns a function that finds a call's result: the first one after the call. */
function resultsOf(session: Session, bodies: readonly Entry[]): (caller: EntryHead, id: string | undefined) => EntryHead | undefined {
  const wanted = new Map<string, EntryHead[]>();
  for (const body of bodies) for (const call of toolCallBlocks(messageOf(body)['content'])) wanted.set(asString(call['id']) ?? '', []);
  if (wanted.size > 0) for (const head of session.entries) if (head.toolCallId !== undefined) wanted.get(head.toolCallId)?.push(head);
  return (caller, id) => wanted.get(id ?? '')?.find(({ line }) => line > caller.line);
}

/** Returns the id of the person's message that an entry answers. */
function promptOf(session: Session, head: EntryHead): string | undefined {
  let at: EntryHead | undefined = head;
  for (let count = 0; at && count < MAX_CHAIN; count++) {
    if (at.role === 'user') return at.id;
    at = at.parentId === null ? undefined : session.byId.get(at.parentId);
  }
  return undefined;
}
