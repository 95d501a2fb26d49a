/** Finds a session's header in its file: the object whose bytes are replaced when the session's project moves. */
import type { JsonObject } from '../../format/values/jsonValues';
import { readLine } from '../../format/parse/readLine';
import type { ByteSource } from '../io/byteSource';
import { readAt } from '../io/readAt';
import { openRegularFile } from '../io/regularFile';

/** The header of a file, and its bytes. */
export interface HeaderPlace {
  readonly value: JsonObject;
  /** The object's text, without anything around it. */
  readonly text: string;
  /** Position and length of that text in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** False if the text has bytes that aren't UTF-8, which it can't give back. */
  readonly isExact: boolean;
}

/** Bytes that are read first, and at most. Headers are short, but anything may come before one. */
const FIRST_BYTES = 16 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Returns the header as reading finds it: the first object with `type: "session"` and an `id`. FORMAT section 3.
 *
 * @param size of the file, in bytes.
 * @returns `undefined` if there is none in the first 4 MB.
 */
export async function findHeader(file: ByteSource, size: number): Promise<HeaderPlace | undefined> {
  for (let length = Math.min(FIRST_BYTES, size); ; length = Math.min(length * 16, size)) {
    const bytes = await readAt(file, 0, length);
    const found = headerIn(bytes, bytes.length >= size);
    if (found || bytes.length >= size || length >= MAX_BYTES) return found;
  }
}

/** Returns the text of a file's header; `undefined` if there is none. @throws {NodeJS.ErrnoException} the system's errors */
export async function headerTextOf(path: string): Promise<string | undefined> {
  const { file, stats } = await openRegularFile(path);
  try {
    return (await findHeader(file, Number(stats.size)))?.text;
  } finally {
    await file.close();
  }
}

/** @param isWhole true if the last line counts although it has no line break. */
function headerIn(bytes: Buffer, isWhole: boolean): HeaderPlace | undefined {
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(10, from);
    if (newline < 0 && !isWhole) return undefined;
    const line = bytes.subarray(from, newline < 0 ? bytes.length : newline);
    const found = headerOfLine(line, from);
    if (found) return found;
    from += line.length + 1;
  }
  return undefined;
}

function headerOfLine(line: Buffer, from: number): HeaderPlace | undefined {
  const whole = line.toString('utf8');
  const read = readLine(whole, line.length);
  const header =
    read.kind === 'objects'
      ? read.objects.find(({ value, isDamaged }) => !isDamaged && value['type'] === 'session' && typeof value['id'] === 'string')
      : undefined;
  if (!header) return undefined;
  // White space and a carriage return around the object stay.
  const start = whole.indexOf('{', header.start);
  const text = whole.slice(start, whole.lastIndexOf('}', header.end - 1) + 1);
  return {
    value: header.value,
    text,
    offset: from + Buffer.byteLength(whole.slice(0, start)),
    length: Buffer.byteLength(text),
    isExact: Buffer.from(whole).equals(line),
  };
}
