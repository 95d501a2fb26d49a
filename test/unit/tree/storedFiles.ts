/** Builds listed sessions for tests. */
import { unreadableRow } from '../../../src/core/catalog/rows/catalogRow';
import { SessionError, type CopyOf, type Dialect, type SessionSummary, type ListedSession } from '../../../src/core/index';

const HOUR = 3_600_000;

interface Given extends Partial<SessionSummary> {
  readonly owner?: string;
  readonly flat?: boolean;
  readonly copyOf?: CopyOf;
}

/** A listed session. It is named by its path; `hours` is its last activity, in hours since 1970. */
export function file(path: string, cwd: string, hours: number, given: Given = {}): ListedSession {
  const { owner, flat = false, copyOf, ...rest } = given;
  const dialect: Dialect = rest.dialect ?? 'pi';
  const summary: SessionSummary = {
    path,
    dialect,
    id: `id of ${path}`,
    cwd,
    title: rest.name ?? rest.firstMessage ?? '(no messages)',
    created: hours * HOUR,
    modified: hours * HOUR,
    messageCount: 2,
    problems: 0,
    writable: true,
    isOld: false,
    ...rest,
  };
  const root = { path: '/root', dialect, flat, named: false };
  return {
    kind: 'session',
    path,
    root,
    complete: true,
    version: { size: 1, mtimeMs: hours * HOUR, ino: '1' },
    row: { summary },
    summary,
    ...(copyOf ? { copyOf } : {}),
    ...(owner === undefined ? {} : { owner }),
  };
}

export function broken(
  path: string,
  hours: number,
  { flat = false, dialect = 'pi', owner }: { flat?: boolean; dialect?: Dialect; owner?: string } = {},
): ListedSession {
  const root = { path: '/root', dialect, flat, named: false };
  const error = new SessionError('not-a-session', 'It is empty.');
  return {
    kind: 'unreadable',
    path,
    root,
    complete: true,
    version: { size: 0, mtimeMs: hours * HOUR, ino: '1' },
    row: unreadableRow(path, error, dialect, hours * HOUR),
    error,
    ...(owner === undefined ? {} : { owner }),
  };
}
