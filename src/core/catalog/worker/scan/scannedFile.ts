import { serializeError, type SerializedError } from '../../../files/concurrency/threadErrors';
import type { StaleFile } from '../../rows/catalogRow';
import { scanSession, type FileIndex, type ScanOptions } from '../../index/scanSession';

/** A file that was read for the database: its record, or the error of reading it. */
export interface ScannedFile {
  /** The file's index in the list. */
  readonly index: number;
  readonly result: { readonly packed: FileIndex } | { readonly error: SerializedError };
}

/** Reads a file that isn't in the database. @throws the errors of `check` */
export async function scanNewFile(
  index: number,
  { path, dialect }: Pick<StaleFile, 'path' | 'dialect'>,
  options: Omit<ScanOptions, 'dialect' | 'previous'>,
): Promise<ScannedFile> {
  try {
    return { index, result: { packed: (await scanSession(path, { ...options, dialect })).index } };
  } catch (error) {
    options.check();
    return { index, result: { error: serializeError(error) } };
  }
}
