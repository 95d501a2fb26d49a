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

/** UTF-16 units of a prompt that is an argument. Longer ones go by file: a system bounds the arguments of a program. */
const MAX_PROMPT_ARGUMENT = 8000;

/** Returns whether a program would read a prompt as it is. It takes `-` at the beginning for an option, and `@` for a file. */
export const fitsArgument = (prompt: string): boolean => prompt.length <= MAX_PROMPT_ARGUMENT && !/^\s*[-@/!]|\0/.test(prompt);

/**
 * Returns the arguments that give a program its first prompt, behind those of {@link resumeCommand}.
 *
 * @param prompt the text, which {@link fitsArgument}, or the absolute path of a file with it
 * @throws {SessionError} `invalid` if the program takes no prompt
 */
export function promptArguments(dialect: Dialect, prompt: { readonly text: string } | { readonly file: string }): string[] {
  const { takesPrompt, label } = DIALECT_FACTS[dialect];
  if (!takesPrompt) throw new SessionError('invalid', '{program} takes no prompt when it’s started.', { program: label });
  return 'text' in prompt ? [prompt.text] : [`@${prompt.file}`, 'Please address the review comments in this file.'];
}

/** Returns the command that starts a new session in the current folder, as program and arguments. FORMAT section 1. */
export function startCommand(dialect: Dialect, { program }: Pick<LaunchOptions, 'program'> = {}): string[] {
  return [...(program ?? DIALECT_FACTS[dialect].program), ...DIALECT_FACTS[dialect].startArgs];
}
