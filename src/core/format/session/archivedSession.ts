/**
 * Sessions that oh-my-pi has put aside: files in its archive, compressed with gzip. The names alone tell them from the
 * sessions that a program continues. FORMAT section 1.
 */
import { SessionError } from '../entry/problem';

const SUFFIX = '.jsonl.gz';

/** True for the path or name of an archived session. */
export const isArchivedSession = (path: string): boolean => path.endsWith(SUFFIX);

/** Returns a session's path or name without the end that marks it as one. */
export const withoutSessionSuffix = (path: string): string => path.replace(/\.jsonl(?:\.gz)?$/, '');

/** Returns the reason why nothing is written to an archived session. */
export const archivedError = (path: string): SessionError =>
  new SessionError('read-only', 'This session is archived in oh-my-pi and read-only here. Fork it to continue: {path}', { path });
