/** Command lines that open or start a session with its program. */
import { DIALECT_FACTS, type Dialect } from '../entry/dialect';
import { SessionError } from '../entry/problem';
import { archivedError, canUnarchive, isArchivedSession } from './archivedSession';
import type { Session } from './session';

/** Options for launching a program. */
export interface LaunchOptions {
  /** The command that the settings give, which replaces the program's own name. */
  readonly program?: readonly string[];
  /** The session's key, for programs that open sessions by key. `sessionKey` looks it up. */
  readonly key?: string | undefined;
}

/**
 * Returns the command that continues a session, as program and arguments. FORMAT section 1.
 *
 * @throws {SessionError} `read-only` if the session is archived; `invalid` if the program requires the session's key and there is none, or if it would take the
 * path or the key for an option.
 */
export function resumeCommand(session: Pick<Session, 'path' | 'dialect'>, { program, key }: LaunchOptions = {}): string[] {
  if (isArchivedSession(session.path, session.dialect))
    throw canUnarchive(session.path)
      ? archivedError(session.path)
      : new SessionError('read-only', 'oh-my-pi can’t open archived sessions. Fork this one to continue: {path}', {
          path: session.path,
        });
  const facts = DIALECT_FACTS[session.dialect];
  const which = facts.resume.by === 'path' ? session.path : key;
  if (which === undefined) {
    throw new SessionError('invalid', '{program} only opens its current sessions, and this is an older one: {path}', {
      program: facts.label,
      path: session.path,
    });
  }
  // Some programs treat a value with a leading dash as an option.
  if (which.startsWith('-'))
    throw new SessionError('invalid', '{program} would read this as an option instead of a session: {name}', {
      program: facts.label,
      name: which,
    });
  return [...(program ?? facts.program), ...facts.resume.args, which];
}

/** Returns the command that starts a new session in the current folder, as program and arguments. FORMAT section 1. */
export function startCommand(dialect: Dialect, { program }: Pick<LaunchOptions, 'program'> = {}): string[] {
  return [...(program ?? DIALECT_FACTS[dialect].program), ...DIALECT_FACTS[dialect].startArgs];
}
