/** What a store knows of files, made by hand. */
import { SessionError, type Dialect, type SessionSummary, type ListedSession } from '../../../src/core/index';

const HOUR = 3_600_000;

interface Given extends Partial<SessionSummary> {
  readonly owner?: string;
  readonly flat?: boolean;
}

/** A stored file; its name in the picture is its path, and hours tell its last activity. */
export function file(path: string, cwd: string, hours: number, given: Given = {}): ListedSession {
  const { owner, flat = false, ...rest } = given;
  const dialect: Dialect = rest.dialect ?? 'pi';
  const summary: SessionSummary = {
    path,
    dialect,
    id: `id of ${path}`,
    cwd,
    created: hours * HOUR,
    modified: hours * HOUR,
    messageCount: 2,
    problems: 0,
    writable: true,
    isOld: false,
    ...rest,
  };
  const root = { path: '/root', dialect, flat, named: false };
  return { kind: 'session', path, root, complete: true, version: { size: 1, mtimeMs: hours * HOUR, ino: '1' }, summary, ...(owner === undefined ? {} : { owner }) };
}

export function broken(path: string, hours: number, { flat = false, dialect = 'pi', owner }: { flat?: boolean; dialect?: Dialect; owner?: string } = {}): ListedSession {
  const root = { path: '/root', dialect, flat, named: false };
  const error = new SessionError('not-a-session', 'It is empty.');
  return { kind: 'unreadable', path, root, complete: true, version: { size: 0, mtimeMs: hours * HOUR, ino: '1' }, error, ...(owner === undefined ? {} : { owner }) };
}
