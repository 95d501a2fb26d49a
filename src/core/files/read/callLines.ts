/** Reads entries of a session by their places, and the results of their tool calls, without reading the session's heads. */
import { asString, isObject, type JsonObject } from '../../format/values/jsonValues';
import { toolCallBlocks } from '../../format/toolCalls/fileTouches';
import { readLineSteps } from '../../format/parse/readLine';
import { stepCounter, type Steps } from '../../format/session/steps';
import type { ByteSource } from '../io/byteSource';
import { elementAt } from '../../format/values/lookups';
import { Yielder } from '../concurrency/eventLoop';
import { fileError } from '../io/fileErrors';
import { readAt } from '../io/readAt';
import { openSessionBytes } from './bytes/sessionBytes';

/** An entry's place in the file, in bytes. */
interface EntryPlace {
  readonly offset: number;
  readonly length: number;
}

/** An entry's line, and the lines of its calls' results by the calls' ids. */
interface CallLine {
  readonly value: JsonObject;
  readonly results: ReadonlyMap<string, JsonObject>;
}

/** Bytes that are read together with an entry, after it: results mostly follow their calls. */
const NEAR_BYTES = 16 * 1024;
/** Maximum bytes between two entries that are read in one call, and of the whole call. */
const MAX_GAP_BYTES = 64 * 1024;
const MAX_GROUP_BYTES = 1024 * 1024;
/** Bytes that are read in one call further on in the file. */
const FAR_BYTES = 1024 * 1024;
/** A result on a longer line isn't found. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Returns for each place its line and the results of its calls: of each call the first one after it. `undefined` where
 * there is no entry any more. The rest of the file is read only for calls that have no result nearby, once for all.
 *
 * @throws {SessionError} as `readSession` if the file can't be opened
 * @throws the signal's reason if aborted
 */
export async function readCallLines(
  path: string,
  places: readonly EntryPlace[],
  signal: AbortSignal | undefined,
): Promise<(CallLine | undefined)[]> {
  if (places.length === 0) return [];
  try {
    const { file } = await openSessionBytes(path);
    try {
      return await readAll(file, places, signal);
    } finally {
      await file.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw fileError(error, path);
  }
}

async function readAll(
  file: ByteSource,
  places: readonly EntryPlace[],
  signal: AbortSignal | undefined,
): Promise<(CallLine | undefined)[]> {
  const pause = new Yielder(signal);
  const lines: (CallLine | undefined)[] = [];
  const far = new PendingCalls();
  for (const group of groupsOf(places)) {
    signal?.throwIfAborted();
    const bytes = await readAt(file, group.offset, group.length + NEAR_BYTES);
    const near = new PendingCalls();
    for (const { offset, length } of group.places) {
      const start = offset - group.offset;
      const [value] = bytes.length < start + length ? [] : await pause.run(objectsIn(bytes.subarray(start, start + length)));
      const message = value?.['message'];
      const results = new Map<string, JsonObject>();
      lines.push(value && { value, results });
      if (!isObject(message)) continue;
      for (const call of toolCallBlocks(message['content'])) {
        near.add(asString(call['id']) ?? '', { after: offset + length, results });
        await pause.yieldIfDue();
      }
    }
    const isAtEnd = bytes.length < group.length + NEAR_BYTES;
    await pause.run(near.take(isAtEnd ? bytes : bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1), group.offset));
    await pause.run(far.addAll(near));
    await pause.yieldIfDue();
  }
  await readFar(file, far, pause);
  return lines;
}

/** Entries that are read together. */
interface PlaceGroup extends EntryPlace {
  readonly places: readonly EntryPlace[];
}

/** Groups entries that are near each other: reading the bytes between them takes less time than another call. */
function* groupsOf(places: readonly EntryPlace[]): Generator<PlaceGroup> {
  for (let first = 0; first < places.length;) {
    const { offset, length } = elementAt(places, first);
    let end = offset + length;
    let next = first + 1;
    for (; next < places.length; next++) {
      const place = elementAt(places, next);
      const placeEnd = place.offset + place.length;
      if (place.offset < end || place.offset - end > MAX_GAP_BYTES || placeEnd - offset > MAX_GROUP_BYTES) break;
      end = placeEnd;
    }
    yield { offset, length: end - offset, places: places.slice(first, next) };
    first = next;
  }
}

/** Reads on until all calls have their results, or to the end of the file. */
async function readFar(file: ByteSource, calls: PendingCalls, pause: Yielder): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let step = MAX_GAP_BYTES;
  for (let at = calls.first(); calls.isOpen();) {
    const room = Buffer.allocUnsafe(rest.length + step);
    rest.copy(room);
    const more = await readAt(file, at + rest.length, step, room.subarray(rest.length));
    const bytes = room.subarray(0, rest.length + more.length);
    const end = more.length === 0 ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    await pause.run(calls.take(bytes.subarray(0, end), at));
    if (more.length === 0 || bytes.length - end > MAX_LINE_BYTES) return;
    rest = bytes.subarray(end);
    at += end;
    step = Math.max(FAR_BYTES, rest.length);
    await pause.yieldIfDue();
  }
}

interface PendingCall {
  /** The place in the file from which its result is looked for. */
  readonly after: number;
  readonly results: Map<string, JsonObject>;
}

/** Calls without a result yet, by their ids, which may repeat. */
class PendingCalls {
  private readonly byId = new Map<string, PendingCall[]>();

  isOpen(): boolean {
    return this.byId.size > 0;
  }

  /** The place from which a result is looked for. */
  first(): number {
    let first = Infinity;
    for (const calls of this.byId.values()) for (const { after } of calls) first = Math.min(first, after);
    return first;
  }

  add(id: string, call: PendingCall): void {
    const calls = this.byId.get(id);
    if (calls) calls.push(call);
    else this.byId.set(id, [call]);
  }

  *addAll(other: PendingCalls): Steps<void> {
    const isStep = stepCounter();
    for (const [id, calls] of other.byId) {
      for (const call of calls) this.add(id, call);
      if (isStep()) yield;
    }
  }

  /** Takes the results on whole lines at a place. Parses only lines with a wanted result. */
  *take(bytes: Buffer, offset: number): Steps<void> {
    for (let from = 0; from < bytes.length && this.isOpen();) {
      const at = bytes.indexOf(RESULT_KEY, from);
      if (at < 0) return;
      from = at + RESULT_KEY.length;
      const id = RESULT_ID.exec(bytes.toString('latin1', from, from + MAX_ID_BYTES))?.[1];
      // An id that isn't spelled plainly is found by parsing the line.
      if (id !== undefined && !this.byId.has(id)) continue;
      const begin = bytes.lastIndexOf(NEWLINE, at) + 1;
      const newline = bytes.indexOf(NEWLINE, at);
      const end = newline < 0 ? bytes.length : newline;
      for (const value of yield* objectsIn(bytes.subarray(begin, end))) this.takeResult(value, offset + begin);
      from = end + 1;
    }
  }

  private takeResult(value: JsonObject, offset: number): void {
    const message = value['message'];
    const id = isObject(message) && message['role'] === 'toolResult' ? asString(message['toolCallId']) : undefined;
    const calls = id === undefined ? undefined : this.byId.get(id);
    if (id === undefined || !calls) return;
    const left = calls.filter(({ after }) => after > offset);
    for (const { after, results } of calls) if (after <= offset) results.set(id, value);
    if (left.length === 0) this.byId.delete(id);
    else this.byId.set(id, left);
  }
}

const NEWLINE = 10;
const RESULT_KEY = Buffer.from('"toolCallId"');
const RESULT_ID = /^\s*:\s*"([\x20-\x21\x23-\x5b\x5d-\x7e]*)"/;
const MAX_ID_BYTES = 200;

/** Returns the objects on a line. */
function* objectsIn(bytes: Buffer): Steps<JsonObject[]> {
  const read = yield* readLineSteps(bytes.toString('utf8'), bytes.length);
  return read.kind === 'objects' ? read.objects.map((one) => one.value) : [];
}
