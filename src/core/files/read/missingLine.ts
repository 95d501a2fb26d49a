/** Compares the lines of a file with those of a session in a database, by their values: OpenClaw may write them with other spacing. */
import { createHash } from 'node:crypto';
import { asString, isObject } from '../../format/values/jsonValues';
import { parseJson } from '../../format/parse/parseJson';
import type { Steps } from '../../format/session/steps';
import { jsonSteps } from '../../format/text/jsonText';
import { Yielder } from '../concurrency/eventLoop';
import type { ByteSource } from '../io/byteSource';
import { equalRange } from '../io/equalRange';
import { readAt } from '../io/readAt';
import { openSessionBytes } from './bytes/sessionBytes';

/** Identifies a line by its value. A line that is too long for OpenClaw has none. */
export type LineDigest = string;

const TOO_LONG: LineDigest = 'too long';
/** Bytes of a line. OpenClaw keeps none of this length. */
const MAX_LINE = 16 * 1024 * 1024;
/** Bytes that are read at a time. */
const CHUNK = 256 * 1024;

/** Returns a line of a file that a session in a database doesn't have; `undefined` if it has all of them. */
export async function findMissingLine(path: string, stored: string): Promise<LineDigest | undefined> {
  const { file, size } = await openSessionBytes(path);
  try {
    const row = await openSessionBytes(stored);
    try {
      if (size <= row.size && (await equalRange(file, 0, row.file, 0, size))) return undefined;
      const known = new Set<LineDigest>();
      for await (const line of digests(row.file, 0)) known.add(line);
      for await (const line of digests(file, 0)) if (line === TOO_LONG || !known.has(line)) return line;
      return undefined;
    } finally {
      await row.file.close();
    }
  } finally {
    await file.close();
  }
}

/** Returns true if a session in a database has a line behind an offset. */
export async function hasLine(stored: string, from: number, wanted: LineDigest): Promise<boolean> {
  const { file } = await openSessionBytes(stored);
  try {
    for await (const line of digests(file, from)) if (line === wanted) return true;
    return false;
  } finally {
    await file.close();
  }
}

/** Returns the digests of the lines that aren't empty. */
async function* digests(file: ByteSource, from: number): AsyncGenerator<LineDigest> {
  const turn = new Yielder(undefined);
  let held: Buffer[] = [];
  let length = 0;
  for (let at = from; ; at += CHUNK) {
    const bytes = await readAt(file, at, CHUNK);
    let begin = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, begin)) {
      const digest = await turn.run(digestOf(held, length, bytes.subarray(begin, end)));
      if (digest !== undefined) yield digest;
      [held, length, begin] = [[], 0, end + 1];
    }
    length += bytes.length - begin;
    if (length <= MAX_LINE) held.push(bytes.subarray(begin));
    if (bytes.length < CHUNK) break;
  }
  const last = await turn.run(digestOf(held, length, Buffer.alloc(0)));
  if (last !== undefined) yield last;
}

const NEWLINE = 10;

/** @returns `undefined` for an empty line */
function* digestOf(held: readonly Buffer[], length: number, end: Buffer): Steps<LineDigest | undefined> {
  if (length + end.length > MAX_LINE) return TOO_LONG;
  const text = Buffer.concat([...held, end]).toString();
  if (text.trim() === '') return undefined;
  const value = yield* parseJson(text);
  // OpenClaw may write another header for the same session.
  if (isObject(value) && value['type'] === 'session') return `session ${asString(value['id']) ?? ''}`;
  const hash = createHash('sha256');
  const normal = value === undefined ? text.trim() : yield* jsonSteps(value);
  for (let at = 0; at < normal.length; at += CHUNK) {
    hash.update(normal.slice(at, at + CHUNK));
    yield;
  }
  return hash.digest('base64');
}
