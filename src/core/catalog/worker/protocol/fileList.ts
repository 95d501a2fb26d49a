/** Lists of files in memory that threads share. Objects would take several times as much, in each thread. */
import { Yielder } from '../../../files/concurrency/eventLoop';
import type { Root } from '../../../files/locate/roots';
import type { Dialect } from '../../../format/entry/dialect';
import type { FileState } from '../../rows/catalogRow';

/** A file with its root's dialect. */
type ListedFile = FileState & { readonly dialect: Dialect };

export interface FileList {
  /** The files as JSON, one after the other. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** The end of each file in `bytes`. */
  readonly ends: Float64Array<SharedArrayBuffer>;
}

type FileValues = [path: string, dialect: Dialect, size: number, mtimeMs: number, ino: string, facts: string | null, owner: string | null];

/** The bytes of most files. */
const USUAL_BYTES = 256;
/** UTF-8 takes at most this many bytes for a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** Writes a list of files into memory that threads share. Yields to the event loop now and then. */
export async function shareFiles(files: readonly (FileState & { readonly root: Pick<Root, 'dialect'> })[]): Promise<FileList> {
  const pause = new Yielder(undefined);
  // Pages that nothing is written to take no memory.
  let room = Buffer.from(new SharedArrayBuffer(files.length * USUAL_BYTES));
  const ends = new Float64Array(new SharedArrayBuffer(files.length * Float64Array.BYTES_PER_ELEMENT));
  let end = 0;
  for (const [index, { path, root, version, owner }] of files.entries()) {
    const { size, mtimeMs, ino, facts } = version;
    const values: FileValues = [path, root.dialect, size, mtimeMs, ino, facts ?? null, owner ?? null];
    const text = JSON.stringify(values);
    const most = end + text.length * MAX_BYTES_PER_UNIT;
    if (most > room.length) room = grown(room, 2 * most);
    ends[index] = end += room.write(text, end);
    if (pause.isDue()) await pause.yieldIfDue();
  }
  return { bytes: new Uint8Array(room.buffer, 0, end), ends };
}

function grown(bytes: Buffer<SharedArrayBuffer>, length: number): Buffer<SharedArrayBuffer> {
  const larger = Buffer.from(new SharedArrayBuffer(length));
  larger.set(bytes);
  return larger;
}

export const fileCount = ({ ends }: FileList): number => ends.length;

export function fileAtIndex({ bytes, ends }: FileList, index: number): ListedFile {
  const from = index === 0 ? 0 : ends[index - 1]!;
  const text = Buffer.from(bytes.buffer, from, ends[index]! - from).toString();
  // `shareFiles` wrote it.
  const [path, dialect, size, mtimeMs, ino, facts, owner] = JSON.parse(text) as FileValues;
  const version = facts === null ? { size, mtimeMs, ino } : { size, mtimeMs, ino, facts };
  return owner === null ? { path, dialect, version } : { path, dialect, version, owner };
}
