/**
 * Sessions that oh-my-pi has put aside: files in its archive. It compresses them with gzip, except for those of subagents,
 * which it moves along as they are. FORMAT section 1.
 */
import type { Dialect } from '../entry/dialect';
import { SessionError } from '../entry/problem';
import type { SessionMarks } from './session';

const SUFFIX = '.jsonl.gz';

/** A file below a project's folder in an archive. Links and `..` aren't resolved. */
const IN_ARCHIVE = /[\\/]archive[\\/]sessions[\\/][^\\/]+[\\/]./;

/**
 * True for the path or name of an archived session.
 *
 * @param dialect of the session. Without it, only compressed files are recognized: other programs may have sessions in
 *   folders that are named like an archive.
 */
export const isArchivedSession = (path: string, dialect?: Dialect): boolean =>
  path.endsWith(SUFFIX) || (dialect === 'omp' && IN_ARCHIVE.test(path));

/** The marks of an archived session. */
export const ARCHIVED: SessionMarks = { isArchived: true };

/** Returns a session's path or name without the end that marks it as one. */
export const withoutSessionSuffix = (path: string): string => path.replace(/\.jsonl(?:\.gz)?$/, '');

/** Returns the reason why nothing is written to an archived session. */
export const archivedError = (path: string): SessionError =>
  new SessionError('read-only', 'This session is archived in oh-my-pi and read-only here. Fork it to continue: {path}', { path });
