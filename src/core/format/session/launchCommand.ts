/** The command lines that open a session, or begin one, with the program that it belongs to. */
import { DIALECT_FACTS, type Dialect } from '../entry/dialect';
import { SessionError } from '../entry/problem';
import type { Session } from './session';

/** Options for launching a program. */
export interface LaunchOptions {
  /** What the person starts the program with, in place of its own name. */
  readonly program?: readonly string[];
  /** The session's key, for programs that know their sessions by one (`sessionKey` looks it up). */
  readonly key?: string | undefined;
}

/**
 * Returns the command that continues a session, as program and arguments. FORMAT section 1.
 *
 * @throws {SessionError} `invalid` if the program requires the session's key and there is none, or if it would take the
 * path or the key for an option.
 */
export function resumeCommand(session: Pick<Session, 'path' | 'dialect'>, { program, key }: LaunchOptions = {}): string[] {
  const facts = DIALECT_FACTS[session.dialect];
  const which = facts.resume.by === 'path' ? session.path : key;
  if (which === undefined) {
    throw new SessionError('invalid', '{program} opens its current sessions only, and this one is an older one: {path}', {
      program: facts.label,
      path: session.path,
    });
  }
  // Programs differ in whether they take a value with a dash for the next option.
  if (which.startsWith('-'))
    throw new SessionError('invalid', '{program} would take this for an option, not for a session: {name}', {
      program: facts.label,
      name: which,
    });
  return [...(program ?? facts.program), ...facts.resume.args, which];
}

/** Returns the command that starts a new session in the current folder, as program and arguments. */
export function startCommand(dialect: Dialect, { program }: Pick<LaunchOptions, 'program'> = {}): string[] {
  return [...(program ?? DIALECT_FACTS[dialect].program), ...DIALECT_FACTS[dialect].startArgs];
}
