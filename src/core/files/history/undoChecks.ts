/** Checks that a file still has the bytes that the extension wrote, before its write is undone. */
import { stat } from 'node:fs/promises';
import type { SessionError } from '../../format/entry/problem';
import type { FileDigest } from '../io/atomicFile';
import { fileError } from '../io/fileErrors';
import { digestFile } from '../storage/privateStorage';
import type { RecordOf } from './journal';

/** Thrown if a write can no longer be undone. The next undo skips it. */
export class NotUndoableError extends Error {
  constructor(readonly reason: SessionError) {
    super(reason.message);
  }
}

/** @throws {NotUndoableError} with `reason`, if the file doesn't have the bytes that the extension wrote. */
export async function assertOurs(
  { path, sizeAfter, sha256 }: RecordOf<'fork' | 'import' | 'recover' | 'migrate'>,
  reason: SessionError,
): Promise<void> {
  if (!(await hasContent(path, { size: sizeAfter, sha256 }))) throw new NotUndoableError(reason);
}

/** True if the file has exactly this content. */
export async function hasContent(path: string, { size, sha256 }: FileDigest): Promise<boolean> {
  const stats = await stat(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  return stats.size === size && (await digestFile(path)).sha256 === sha256;
}
