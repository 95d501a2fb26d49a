/** Reads the edits that a session made of a file: only the entries that the catalog names, and their results. */
import { asString, isObject, type JsonObject } from '../../../format/values/jsonValues';
import { messageTime } from '../../../format/entry/parseHead';
import type { Dialect } from '../../../format/entry/dialect';
import { fileArgument, nestedCalls, toolCallBlocks, touchKindOfTool } from '../../../format/toolCalls/fileTouches';
import { filesOfPatch, isPatchTool, patchArgument } from '../../../format/toolCalls/patchedFiles';
import { parseEntrySteps } from '../../../format/entry/parseEntry';
import { callEditSteps, readingOfCall } from '../../../format/lineOrigins/record/callEdits';
import type { FileEdit } from '../../../format/lineOrigins/record/fileEdit';
import { missingFileOfCall, shownTextOfCall, type ShownText } from '../../../format/lineOrigins/record/shownText';
import type { Steps } from '../../../format/session/steps';
import { Yielder } from '../../../files/concurrency/eventLoop';
import { readCallLines } from '../../../files/read/callLines';
import type { LocatedTouch } from '../../encoding/touchTable';
import { pathKey } from '../../../files/locate/paths/pathMatch';

/** An edit of the file, and where it's recorded. */
export interface SessionEdit {
  readonly path: string;
  /** The message with the call. */
  readonly entryId: string;
  readonly promptId: string | undefined;
  /** Identifies the edit: it has the same key in all copies of a session. */
  readonly key: string;
  /** When the call ran, in milliseconds since 1970. */
  readonly time: number;
  /** The absolute path of the file at that time. */
  readonly file: string;
  /** The absolute path that the file was moved to. */
  readonly movedTo: string | undefined;
  /** The absolute paths of other files from which the call cut lines that it pasted here. */
  readonly pastedFrom: readonly string[];
  readonly edit: FileEdit;
}

/** A text of the file that a session read. */
export interface SessionReading {
  readonly path: string;
  /** The absolute path of the file. */
  readonly file: string;
  /** The message with the call. */
  readonly entryId: string;
  /** When the call ran, in milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
  readonly isWhole: boolean;
  /** The part of the file that the text certainly covers; `undefined` if the call found no such file. */
  readonly shown: ShownText | undefined;
}

/** A session as far as it touched a file. */
export interface TouchingSession {
  readonly path: string;
  readonly dialect: Dialect;
  /** Returns the absolute path here of a file that the session names. */
  readonly pathHere: (file: string) => string;
  /** Entries that wrote the file, in file order. */
  readonly written: readonly LocatedTouch[];
  readonly read: readonly LocatedTouch[];
}

/** Entries of one file in a session, and of many files; more aren't read. */
const MAX_ENTRIES = 5000;
const MAX_ENTRIES_OF_ALL = 100_000;
/** Events of a file; earlier ones are left out. */
export const MAX_EVENTS = 20_000;

interface Call {
  readonly touch: LocatedTouch;
  /** The entry's time as the file has it. */
  readonly timestamp: string;
  readonly call: JsonObject;
  /** When the call ran, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * Returns a session's edits of a file, in file order.
 *
 * @param isFile true for the file's absolute path
 */
export async function sessionEdits(
  session: TouchingSession,
  isFile: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<SessionEdit[]> {
  const edits: SessionEdit[] = [];
  await forEachCall(session, session.written, MAX_ENTRIES, signal, function* (call, result) {
    yield* addEdits(session, call, result, isFile, edits);
    if (edits.length >= 2 * MAX_EVENTS) edits.splice(0, MAX_EVENTS);
  });
  return edits;
}

/** All that a session's entries say about files: its edits and its readings, each in file order. */
export interface SessionRecord {
  readonly edits: readonly SessionEdit[];
  readonly readings: readonly SessionReading[];
}

/**
 * Returns what a session recorded of many files. Each of its entries is read once.
 *
 * @param touches in file order
 * @param isFile true for the absolute paths of these files
 */
export async function sessionRecord(
  session: TouchingSession,
  touches: readonly LocatedTouch[],
  isFile: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<SessionRecord> {
  const edits: SessionEdit[] = [];
  const readings: SessionReading[] = [];
  await forEachCall(session, touches, MAX_ENTRIES_OF_ALL, signal, function* (call, result) {
    yield* addEdits(session, call, result, isFile, edits);
    yield* addReading(session, call, result, isFile, readings);
  });
  return { edits, readings };
}

function* addEdits(
  session: TouchingSession,
  { touch, timestamp, call, time }: Call,
  result: JsonObject | undefined,
  isFile: (path: string) => boolean,
  edits: SessionEdit[],
): Steps<void> {
  const all = yield* callEditSteps(call, result);
  for (const edit of all.length > 0 ? all : unclearEdits(call, result)) {
    const file = absolutePath(session, edit.file);
    const movedTo = edit.movedTo === undefined ? undefined : absolutePath(session, edit.movedTo);
    if (!isFile(file) && (movedTo === undefined || !isFile(movedTo))) continue;
    edits.push({
      path: session.path,
      entryId: touch.entryId,
      promptId: touch.promptId,
      key: JSON.stringify([touch.entryId, asString(call['id']) ?? '', timestamp, edit.file]),
      time,
      file,
      movedTo,
      pastedFrom: (edit.pasted?.from ?? []).filter((from) => from !== edit.file).map((from) => absolutePath(session, from)),
      edit,
    });
  }
}

function* addReading(
  session: TouchingSession,
  { touch, call, time }: Call,
  result: JsonObject | undefined,
  isFile: (path: string) => boolean,
  readings: SessionReading[],
): Steps<void> {
  yield;
  const origin = { path: session.path, entryId: touch.entryId, time };
  const missing = missingFileOfCall(call, result);
  if (missing !== undefined) {
    const file = absolutePath(session, missing);
    if (isFile(file)) readings.push({ ...origin, file, text: '', isWhole: true, shown: undefined });
    return;
  }
  const reading = readingOfCall(call, result);
  const file = reading && absolutePath(session, reading.file);
  if (!reading || file === undefined || !isFile(file)) return;
  const shown = shownTextOfCall(call, result, session.dialect !== 'omp');
  if (shown) readings.push({ ...origin, file, text: reading.text, isWhole: reading.isWhole, shown });
}

/** Returns the files that a call may have changed in a way that isn't understood, as edits of which nothing is known. */
function unclearEdits(call: JsonObject, result: JsonObject | undefined): FileEdit[] {
  const name = asString(call['name']) ?? '';
  const given = isObject(call['arguments']) ? call['arguments'] : {};
  if (result?.['isError'] === true) return [];
  const patch = isPatchTool(name) ? patchArgument(given) : undefined;
  const files = patch === undefined ? [] : filesOfPatch(patch);
  const file = fileArgument(given);
  if (files.length === 0 && file !== undefined && touchKindOfTool(name) === 'write') files.push(file);
  return files.map((one) => ({ file: one, hunks: [], replacements: [], isCertain: true }));
}

/** False for an edit of which nothing is known but that it may have happened. */
export const isClear = ({ text, hunks, replacements, isDeletion, movedTo }: FileEdit): boolean =>
  text !== undefined || hunks.length + replacements.length > 0 || isDeletion === true || movedTo !== undefined;

/** Returns the parts of a file that entries read. */
export async function sessionReadings(
  session: TouchingSession,
  touches: readonly LocatedTouch[],
  isFile: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<SessionReading[]> {
  const readings: SessionReading[] = [];
  await forEachCall(session, touches, MAX_ENTRIES, signal, (call, result) => addReading(session, call, result, isFile, readings));
  return readings;
}

/** True if a path is one of the given ones. */
export function isOneOf(paths: readonly string[]): (path: string) => boolean {
  const keys = new Set(paths.map((path) => pathKey(path, process.platform)));
  return (path) => keys.has(pathKey(path, process.platform));
}

const absolutePath = ({ pathHere }: TouchingSession, path: string): string => pathHere(path);

const ROLES_WITH_CALLS = new Set(['assistant', 'toolResult']);

/** Does the steps of `take` with each call of the entries and the message with its result. */
async function forEachCall(
  session: TouchingSession,
  touches: readonly LocatedTouch[],
  most: number,
  signal: AbortSignal | undefined,
  take: (call: Call, result: JsonObject | undefined) => Steps<void>,
): Promise<void> {
  const callers = [...new Map(touches.map((touch) => [touch.entryId, touch])).values()]
    .filter(({ role }) => ROLES_WITH_CALLS.has(role))
    .slice(0, most);
  const pause = new Yielder(signal);
  const lines = await readCallLines(session.path, callers, signal);
  for (const [index, touch] of callers.entries()) {
    const line = lines[index];
    // The file changed: the catalog's next refresh has its new state.
    if (!line || ![undefined, touch.entryId].includes(asString(line.value['id']))) continue;
    const message = await pause.run(messageOf(line.value));
    const timestamp = asString(line.value['timestamp']) ?? '';
    // A nested call has no separate result.
    if (touch.role === 'toolResult')
      for (const call of nestedCalls(message)) {
        await pause.run(take({ touch, timestamp, call, time: touch.time }, {}));
        await pause.yieldIfDue();
      }
    else
      for (const call of toolCallBlocks(message['content'])) {
        const result = line.results.get(asString(call['id']) ?? '');
        const answer = result && (await pause.run(messageOf(result)));
        await pause.run(take({ touch, timestamp, call, time: result ? timeOf(result) : touch.time }, answer));
        await pause.yieldIfDue();
      }
  }
}

const timeOf = (line: JsonObject): number => messageTime(line['message']) ?? (Date.parse(asString(line['timestamp']) ?? '') || 0);

function* messageOf(line: JsonObject): Steps<JsonObject> {
  // Entries of other types have no message.
  const { message } = (yield* parseEntrySteps(line, { id: '', parentId: null })) as { message?: unknown };
  return isObject(message) ? message : {};
}
