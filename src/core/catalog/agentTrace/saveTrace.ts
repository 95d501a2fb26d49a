/** Writes records to a file: one as JSON on each line. */
import { lstat } from 'node:fs/promises';
import { SessionError } from '../../format/entry/problem';
import { createFile, replaceFile, type LineWriter } from '../../files/io/atomicFile';
import { errorCode } from '../../files/io/fileErrors';
import type { TraceRecord } from './traceRecord';

/**
 * @param options `overwrite`: replaces a regular file; else a path that is taken is refused
 * @throws {SessionError} `invalid`; `permission` or `no-space` if it can't be written
 */
export async function saveTrace(
  records: readonly TraceRecord[],
  target: string,
  { overwrite = false }: { readonly overwrite?: boolean } = {},
): Promise<void> {
  const write = async (to: LineWriter): Promise<void> => {
    for (const record of records) await to.line(JSON.stringify(record));
  };
  const stats = overwrite ? await lstat(target).catch(() => undefined) : undefined;
  if (stats?.isFile() === true) {
    await replaceFile(target, write, stats.mode & 0o777, () => Promise.resolve());
    return;
  }
  try {
    await createFile(target, write);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new SessionError('invalid', 'A file with this name already exists: {path}', { path: target });
  }
}
