/** Names of sessions in prompts and messages. */
import { basename } from 'node:path';
import { uiLine, type Problem, type SessionError, type SessionErrorCode } from '../../../core/index';
import { localizeSessionTitle } from '../../../ui/localize';
import type { CommandDeps } from '../commandDeps';

type Summaries = Pick<CommandDeps, 'summary'>;

/** Returns a session's name for prompts and messages: its title, or its file name if it isn't known. */
export const sessionDisplayName = (deps: Summaries, path: string): string => knownName(deps, path) ?? truncateName(basename(path));

/** Cuts a name to one line of at most 60 UTF-16 units. */
export const truncateName = (name: string): string => uiLine(name, 60);

/** Refusals because of how a session is used: the person looks for the session, not for its file. */
const ABOUT_USE: ReadonlySet<SessionErrorCode> = new Set(['live', 'unsure', 'read-only']);

/**
 * Returns a refusal as people read it: if a program uses a known session, or the session is read-only, it has the session's name
 * instead of the path, which is in the log.
 */
export function withSessionName(deps: Summaries, { code, template, args }: SessionError): Pick<Problem, 'template' | 'args'> {
  const { path } = args;
  const name = ABOUT_USE.has(code) && typeof path === 'string' ? knownName(deps, path) : undefined;
  return { template, args: name === undefined ? args : { ...args, path: name } };
}

function knownName(deps: Summaries, path: string): string | undefined {
  const session = deps.summary(path);
  return session && truncateName(localizeSessionTitle(session));
}
