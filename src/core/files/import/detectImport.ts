/** Finds out which program wrote a file, by its first lines. */
import { isObject, type JsonObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import type { ForeignFacts } from '../../format/import/converter';
import { createForeignConverter } from '../../format/import/foreignConverter';
import { foreignProgramOf, type ForeignProgram } from '../../format/import/foreignFormat';
import { OmissionList } from '../../format/import/omissions';
import { readLine } from '../../format/parse/readLine';
import type { ByteSource } from '../io/byteSource';
import { systemStamp } from '../write/systemStamp';
import { CHUNK, fileLines } from './fileLines';

/** The kind of a file: a session of the family, an HTML page, or a session of another program, with the facts that its first lines state. */
export type ImportKind = { readonly kind: 'session' } | { readonly kind: 'html' } | ForeignSession;

interface ForeignSession {
  readonly kind: ForeignProgram;
  readonly facts: ForeignFacts;
}

/** Lines and bytes that are read before a file counts as no session. */
const MAX_LINES = 500;
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes that are read at most, with lines that are too long to count. */
const MAX_READ = 64 * 1024 * 1024;

const HTML = /^\s*<(?:!doctype html|html)\b/i;

/** @throws {SessionError} `not-a-session` */
export async function detectImport(file: ByteSource, path: string, signal?: AbortSignal): Promise<ImportKind> {
  let program: ForeignProgram | undefined;
  let hasEntries = false;
  let converter: ReturnType<typeof createForeignConverter> | undefined;
  for await (const { text, line } of firstLines(file, signal)) {
    if (!program && HTML.test(text)) return { kind: 'html' };
    for (const value of lineValues(text)) {
      if (value['type'] === 'session' && typeof value['id'] === 'string') return { kind: 'session' };
      program ??= foreignProgramOf(value);
      hasEntries ||= isFamilyEntry(value);
      if (!program) continue;
      converter ??= createForeignConverter(program, systemStamp(), new OmissionList());
      converter.add(value, line);
    }
    if (converter?.facts.cwd !== undefined && converter.facts.start !== undefined) break;
  }
  if (program && converter) return { kind: program, facts: converter.facts };
  if (hasEntries) return { kind: 'session' };
  throw unknownFormatError(path);
}

/** Returns true for a message of the family, also in a file without a header. */
const isFamilyEntry = (value: JsonObject): boolean =>
  value['type'] === 'message' && typeof value['id'] === 'string' && 'parentId' in value && isObject(value['message']);

/** Yields the lines up to the limits; the last one may go beyond them. */
async function* firstLines(
  file: ByteSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  let bytes = 0;
  let groups = 0;
  for await (const lines of fileLines(file, signal, MAX_BYTES)) {
    if (++groups > MAX_READ / CHUNK) return;
    for (const { text = '', line } of lines) {
      yield { text, line };
      bytes += text.length;
      if (line >= MAX_LINES || bytes > MAX_BYTES) return;
    }
  }
}

/** Returns the objects on a line, including objects without a type. */
export function lineValues(text: string) {
  const read = readLine(text);
  if (read.kind === 'bad') return read.value && isObject(read.value) ? [read.value] : [];
  return read.kind === 'objects' ? read.objects.filter(({ isDamaged }) => !isDamaged).map(({ value }) => value) : [];
}

const unknownFormatError = (path: string): SessionError =>
  new SessionError('not-a-session', 'This isn’t a session of pi or a program of its family, of Claude Code or of Codex: {path}', { path });
