/**
 * Archived sessions: compressed files. oh-my-pi has its own archive folder, where it compresses sessions with gzip, except
 * for sessions of subagents, which it moves along uncompressed. The extension compresses a session in the session's own
 * folder. FORMAT section 1.
 */
import type { Dialect } from '../entry/dialect';
import { SessionError } from '../entry/problem';
import type { SessionMarks } from './session';

/** A way to compress a session, as the last part of its file name. */
export type Compression = 'gz' | 'zst';

const COMPRESSED = /\.jsonl\.(gz|zst)$/;

/** A file below a project's folder in an archive. Links and `..` aren't resolved. */
const IN_ARCHIVE = /[\\/]archive[\\/]sessions[\\/][^\\/]+[\\/]./;

/** Returns how a session is compressed, by its path or name; `undefined` if it isn't. */
export const compressionOf = (path: string): Compression | undefined => {
  const ending = COMPRESSED.exec(path)?.[1];
  return ending === 'gz' || ending === 'zst' ? ending : undefined;
};

/**
 * True for the path or name of an archived session.
 *
 * @param dialect of the session. Without it, only compressed files are recognized: other programs may have sessions in
 *   folders that are named like an archive.
 */
export const isArchivedSession = (path: string, dialect?: Dialect): boolean =>
  COMPRESSED.test(path) || (dialect === 'omp' && IN_ARCHIVE.test(path));

/** True for a path in a folder that is named like oh-my-pi's archive. Nothing is archived or unarchived there. */
export const isInOmpArchive = (path: string): boolean => IN_ARCHIVE.test(path);

/** True for an archived session that the extension can unarchive. FORMAT section 6, rule 11. */
export const canUnarchive = (path: string): boolean => COMPRESSED.test(path) && !isInOmpArchive(path);

/** The marks of an archived session. */
export const ARCHIVED: SessionMarks = { isArchived: true };

/** The endings of a session's file. FORMAT section 1. */
export const SESSION_SUFFIXES = ['.jsonl', '.jsonl.gz', '.jsonl.zst'] as const;

/** Returns a session's path or name without its ending: `.jsonl`, `.jsonl.gz` or `.jsonl.zst`. FORMAT section 1. */
export const withoutSessionSuffix = (path: string): string => path.replace(/\.jsonl(?:\.(?:gz|zst))?$/, '');

/** Returns the path that a session has when it isn't compressed. FORMAT section 1. */
export const unarchivedPath = (path: string): string => path.replace(COMPRESSED, '.jsonl');

/** Returns the reason why nothing is written to an archived session. */
export const archivedError = (path: string): SessionError =>
  canUnarchive(path)
    ? new SessionError('read-only', 'This session is archived. Unarchive it first, or fork it to continue: {path}', { path })
    : new SessionError('read-only', 'This session is archived in oh-my-pi and read-only here. Fork it to continue: {path}', { path });
