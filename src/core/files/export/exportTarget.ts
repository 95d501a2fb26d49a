/** Checks and writes the file of an export. It's never a session or anything but a file, and replaces one only if asked to. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, basename } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { foreignProgramOf } from '../../format/import/foreignFormat';
import type { Session } from '../../format/session/session';
import { databaseOf } from '../database/databaseSession';
import { lineValues } from '../import/detectImport';
import { createFile, replaceFile, type FileDigest, type LineWriter } from '../io/atomicFile';
import { errorCode, isMissing } from '../io/fileErrors';
import { openRegularFile } from '../io/regularFile';
import { readAt } from '../io/readAt';

/** Only the person can read it, until they hand it on. */
const MODE = 0o600;

/** Bytes in which the lines of a session are looked for. */
const HEAD = 64 * 1024;

/** The first bytes of databases, and of compressed sessions: gzip and Zstandard. */
const MAGIC = [Buffer.from('SQLite format 3\0'), Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])];

/** Number of names that are tried for a new file. */
const MAX_NAMES = 1000;

/**
 * Checks where an export goes.
 *
 * @throws {SessionError} `invalid` if a path isn't absolute, is taken without `overwrite`, is no regular file, or is a session.
 */
export async function assertExportTarget(session: Session, target: string, overwrite: boolean): Promise<void> {
  if (!isAbsolute(target) || target.includes('\0'))
    throw new SessionError('invalid', 'The path must be absolute: {path}', { path: target });
  const found = await lstat(target).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (await isSource(session, target)) throw ownSessionError(target);
  if (!found) return;
  if (!overwrite) throw takenError(target);
  if (!found.isFile()) throw new SessionError('invalid', 'Only a file can be replaced by an export: {path}', { path: target });
  if (await isMaybeSession(target)) throw new SessionError('invalid', SESSION_THERE, { path: target });
}

const SESSION_THERE = 'This file is a session, or may hold one. Choose another name, so that it isn’t lost: {path}';

/** Returns a path in a folder that nothing has yet, with a number after the name if it needs one. A folder has no extension. */
export async function freeExportPath(folder: string, name: string, extension?: string): Promise<string> {
  const end = extension === undefined ? '' : `.${extension}`;
  const path = (count: number): string => join(folder, `${name}${count > 1 ? ` ${String(count)}` : ''}${end}`);
  for (let count = 1; count < MAX_NAMES; count++) {
    const isTaken = await lstat(path(count)).then(
      () => true,
      (error: unknown) => !isMissing(error),
    );
    if (!isTaken) return path(count);
  }
  return path(1);
}

/** True if a path leads to the session's file or its database, by any of their names. */
async function isSource(session: Session, target: string): Promise<boolean> {
  const sources = [session.path, databaseOf(session.path) ?? session.path];
  const there = await stat(target, { bigint: true }).catch(() => undefined);
  const place = await placeOf(target);
  for (const source of sources) {
    const own = await stat(source, { bigint: true }).catch(() => undefined);
    if (own && there && own.dev === there.dev && own.ino === there.ino) return true;
    if (place === (await placeOf(source))) return true;
  }
  return false;
}

/** Returns a path with the links of its folder resolved. */
const placeOf = async (path: string): Promise<string> => join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));

/**
 * True for a file that is or may be a session, also one of another program or a database of them. That includes exports as
 * JSONL, which a program may have continued. Exports as HTML and Markdown hold lines of sessions, but begin otherwise.
 */
async function isMaybeSession(path: string): Promise<boolean> {
  const { file } = await openRegularFile(path);
  try {
    const head = await readAt(file, 0, HEAD);
    if (MAGIC.some((magic) => head.subarray(0, magic.length).equals(magic))) return true;
    const text = head.toString('utf8').replace(/^\uFEFF/, '');
    if (/^\s*[<#]/.test(text)) return false;
    const lines = text.split('\n');
    // A first line that is longer than the bytes read may be a header.
    if (lines.length === 1 && head.length === HEAD && /^\s*\{/.test(text)) return true;
    return lines.some((line) =>
      lineValues(line).some((value) => value['type'] === 'session' || value['type'] === 'title' || foreignProgramOf(value) !== undefined),
    );
  } finally {
    await file.close();
  }
}

/**
 * Writes an export: completely or not at all.
 *
 * @param check runs before an existing file is replaced.
 * @throws {SessionError} `invalid` if the path has been taken meanwhile; `permission` or `no-space`.
 */
export async function writeExport(
  target: string,
  overwrite: boolean,
  write: (to: LineWriter) => Promise<void>,
  check: () => Promise<void>,
): Promise<FileDigest> {
  if (overwrite && (await lstat(target).catch(() => undefined))) return replaceFile(target, write, MODE, check);
  try {
    return await createFile(target, write, { mode: MODE });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw takenError(target);
  }
}

const takenError = (path: string): SessionError => new SessionError('invalid', 'A file with this name already exists: {path}', { path });
const ownSessionError = (path: string): SessionError =>
  new SessionError('invalid', 'An export can’t replace the session that it’s made of: {path}', { path });
