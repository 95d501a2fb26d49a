/** The entries that read or wrote files, as bytes. A row for each would take longer to store than everything else of a session except its words. */
import { elementAt } from '../../format/values/lookups';
import type { Touch } from '../../format/toolCalls/fileTouches';
import { ByteReader, ByteWriter } from './byteCodec';
import { parseStoredStrings } from './damagedDatabase';

export interface EntryTouch extends Touch {
  readonly entryId: string;
  /** The entry's line in the file, from 1. Increases from touch to touch. */
  readonly line: number;
  /** The person's message that the entry answers; `undefined` if there is none, or if its id is longer than `MAX_PROMPT_ID_BYTES`. */
  readonly promptId: string | undefined;
}

/** An entry that read or wrote a file, and where it is, so that it can be read without its session's heads. */
export interface LocatedTouch extends Omit<EntryTouch, 'file' | 'line'> {
  /** The session. */
  readonly path: string;
  readonly role: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The entry's place in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
}

/** A touch of a file in a folder. */
export interface FolderTouch extends LocatedTouch {
  /** The absolute path of the file. */
  readonly file: string;
}

/** The stored form. */
export interface EncodedTouches {
  /** The paths without repetitions, as a JSON array. */
  readonly paths: string;
  /**
   * For each touch, the path's index. If the entry differs from the one before, its id, its line as the difference, and
   * its prompt: 0 if that's the same as before, else 1 and the prompt's id, which is empty if there is none.
   */
  readonly bytes: Uint8Array;
}

/** Bits of a touch; the number of its file follows above them. */
const WRITES = 1;
const SAME_ENTRY = 2;
/** One unit of the file's number. */
const FILE = 4;

/** Repetitions are dropped; the order is kept. */
export function encodeTouches(touches: readonly EntryTouch[]): EncodedTouches {
  const writer = new ByteWriter();
  const indexes = new Map<string, number>();
  const written = new Set<number>();
  let before: string | undefined;
  let lastLine = 0;
  let lastPrompt = '';
  for (const { file, entryId, kind, line, promptId = '' } of touches) {
    let index = indexes.get(file);
    if (index === undefined) indexes.set(file, (index = indexes.size));
    if (entryId !== before) written.clear();
    const code = index * FILE + (kind === 'write' ? WRITES : 0);
    if (written.has(code)) continue;
    written.add(code);
    writer.number(code + (entryId === before ? SAME_ENTRY : 0));
    if (entryId === before) continue;
    writer.id(entryId);
    writer.number(line - lastLine);
    writer.number(promptId === lastPrompt ? 0 : 1);
    if (promptId !== lastPrompt) writer.id(promptId);
    [before, lastLine, lastPrompt] = [entryId, line, promptId];
  }
  return { paths: JSON.stringify([...indexes.keys()]), bytes: writer.bytes() };
}

/** The entries that read or wrote one of the wanted files, in their order. */
export function* decodeTouches({ paths, bytes }: EncodedTouches, isWanted: (path: string) => boolean): Generator<EntryTouch> {
  const names = parseStoredStrings(paths);
  const wanted = names.map(isWanted);
  if (!wanted.includes(true)) return;
  const reader = new ByteReader(bytes);
  for (let [entryId, line, promptId] = ['', 0, '']; !reader.isAtEnd();) {
    const code = reader.number();
    if ((code & SAME_ENTRY) === 0) {
      entryId = reader.id();
      line += reader.number();
      if (reader.number() !== 0) promptId = reader.id();
    }
    const at = Math.floor(code / FILE);
    if (!wanted[at]) continue;
    const kind = (code & WRITES) === 0 ? 'read' : 'write';
    yield { file: elementAt(names, at), entryId, kind, line, promptId: promptId === '' ? undefined : promptId };
  }
}
