/** Builds the data that the catalog keeps of a file's lines from the results of `extractLines`. */
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { DIALECT_FACTS } from '../../format/entry/dialect';
import type { Session } from '../../format/session/session';
import { isForeignPath, resolveIn } from '../../files/locate/paths/resolveIn';
import { expandPath } from '../../files/locate/roots';
import type { EncodedAnswers } from '../encoding/answerTable';
import { encodeLines, type TableLine } from '../encoding/lineTable';
import type { EncodedTouches } from '../encoding/touchTable';
import type { ByteRange, LineWords, LineWordsWriter, TextLines } from './words/lineWords';

/** Stands for the words of a text if they are left for later. */
export const LATER: ByteRange = { from: 0, to: 1 };

/** The stored result. */
export interface LineIndex {
  readonly words: TextLines | LineWords;
  /** The bytes of `encodeLines`. */
  readonly lines: Uint8Array;
  readonly touches: EncodedTouches;
  readonly answers: readonly EncodedAnswers[];
}

/** The result of `extractLines`. */
export interface ExtractedLines extends Omit<LineIndex, 'words' | 'lines'> {
  /** Line, start and end of each text, as in `LineWords.positions`. */
  readonly positions: ArrayLike<number>;
  readonly lines: readonly TableLine[];
}

/** @param toAbsolute resolves a path that a tool was given */
type LineExtractor = (toAbsolute: (path: string) => string) => ExtractedLines;

/**
 * Adds the session's title to what `extract` finds, and encodes all of it.
 *
 * @param words absent if words are left for later
 * @param start the offset in bytes from which the file was read; the title is part of a file that was read from 0
 */
export function buildLineIndex(session: Session, start: number, words: LineWordsWriter | undefined, extract: LineExtractor): LineIndex {
  const title = start === 0 ? titleLine(session) : undefined;
  const titleWords = title && (words ? words.add(session.name ?? '') : LATER);
  const { positions, lines, ...rest } = extract(pathResolver(session.header.cwd));
  const texts = title && titleWords ? [title.line, titleWords.from, titleWords.to, ...Array.from(positions)] : positions;
  return {
    words: words ? words.finish(texts) : { positions: new Uint32Array(texts) },
    lines: encodeLines(title ? [title, ...lines] : lines),
    ...rest,
  };
}

/** A title that isn't an entry becomes searchable as line 0. `undefined` if the name is an entry, or missing. */
function titleLine(session: Session): TableLine | undefined {
  if (DIALECT_FACTS[session.dialect].nameSource !== 'title' || session.name === undefined) return undefined;
  return {
    line: 0,
    offset: 0,
    length: 0,
    entryId: session.leafId ?? '',
    role: 'title',
    time: Date.parse(session.header.timestamp) || 0,
    active: true,
    hasText: true,
    tools: [],
  };
}

/** Paths that resolving leaves as they are, but for the folder in front of a relative one. */
const NORMALIZED_PATH = /^\/?[\w@+-][\w@+.-]*(?:\/[\w@+-][\w@+.-]*)*$/;

/** Resolves paths as tools were given them against the session's folder. */
function pathResolver(cwd: string): (file: string) => string {
  if (isForeignPath(cwd)) return (file) => resolveIn(cwd, file);
  const base = expandPath(cwd || '.', homedir());
  const start = join(resolve(base), sep);
  return (file) => {
    if (sep === '/' && NORMALIZED_PATH.test(file)) return file.startsWith(sep) ? file : start + file;
    return resolve(base, expandPath(file, homedir(), base));
  };
}
