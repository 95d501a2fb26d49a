/** Reads and parses one line of a session by its place, for worker threads. */
import type { JsonObject } from '../../format/values/jsonValues';
import { LongLineParser } from '../../format/parse/longLineParser';
import { readLine } from '../../format/parse/readLine';
import { finishSteps } from '../../format/session/steps';
import { readAtSync, type ByteSourceSync } from '../../files/sync/readAtSync';
import { readThreadBytes, type ThreadBytes } from '../../files/sync/threadBytes';

/** Longer lines are parsed in chunks, without their large values. */
const MAX_WHOLE_LINE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** Offset and length are in bytes; `line` is its number from 1. */
interface LinePlace {
  readonly line?: number;
  readonly offset: number;
  readonly length: number;
}

/** Requests bytes by their offset and length, and gets as many or fewer, at the end of the file. */
type LineReading = Generator<readonly [offset: number, length: number], JsonObject | undefined, Buffer>;

/** Returns `undefined` if the file has no object there. */
export function lineAt(file: ByteSourceSync, place: LinePlace): JsonObject | undefined {
  const reading = readingLine(place);
  let step = reading.next();
  while (step.done !== true) step = reading.next(readAtSync(file, ...step.value));
  return step.value;
}

/** Like {@link lineAt}. */
export async function threadLineAt(file: ThreadBytes, place: LinePlace): Promise<JsonObject | undefined> {
  const { line, offset } = place;
  if (line !== undefined) file.expectLine?.(line, offset);
  const reading = readingLine(place);
  let step = reading.next();
  while (step.done !== true) step = reading.next(await readThreadBytes(file, ...step.value));
  return step.value;
}

function* readingLine({ offset, length }: LinePlace): LineReading {
  if (length > MAX_WHOLE_LINE_BYTES) return yield* readingLongLine(offset, length);
  const bytes = yield [offset, length];
  const read = readLine(bytes.toString('utf8'));
  return read.kind === 'objects' ? read.objects[0]?.value : undefined;
}

function* readingLongLine(offset: number, length: number): LineReading {
  const long = new LongLineParser();
  for (let at = 0; at < length; at += CHUNK_BYTES) {
    const bytes = yield [offset + at, Math.min(CHUNK_BYTES, length - at)];
    if (bytes.length === 0) break;
    finishSteps(long.push(bytes));
  }
  return long.end().objects[0]?.value;
}
