/** Reads and parses one line of a session by its place. Synchronous, for worker threads. */
import type { JsonObject } from '../../format/entry/jsonValues';
import { LongLineParser } from '../../format/parse/longLineParser';
import { readLine } from '../../format/parse/readLine';
import type { ByteSourceSync } from '../../files/sync/byteSourceSync';
import { readAtSync } from '../../files/sync/readAtSync';

/** Longer lines are parsed in chunks, without their large values. */
const MAX_WHOLE_LINE_BYTES = 4 * 1024 * 1024;

/** Returns `undefined` if the file has no object there. Offset and length are in bytes; `line` is its number from 1. */
export function lineAt(
  file: ByteSourceSync,
  { line, offset, length }: { readonly line?: number; readonly offset: number; readonly length: number },
): JsonObject | undefined {
  if (line !== undefined) file.expectLine?.(line, offset);
  if (length > MAX_WHOLE_LINE_BYTES) return longLine(file, offset, length);
  const read = readLine(readAtSync(file, offset, length).toString('utf8'));
  return read.kind === 'objects' ? read.objects[0]?.value : undefined;
}

function longLine(file: ByteSourceSync, offset: number, length: number): JsonObject | undefined {
  const long = new LongLineParser();
  const bytes = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0; at < length;) {
    const count = file.read(bytes, 0, Math.min(bytes.length, length - at), offset + at);
    if (count === 0) break;
    long.push(bytes.subarray(0, count));
    at += count;
  }
  return long.end().objects[0]?.value;
}
