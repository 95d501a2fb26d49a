/** Says whom comments would go to, for their threads. */
import * as vscode from 'vscode';
import { turnOf, type KeptComment, type SessionError } from '../../core/index';
import { localizeProblem } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import { sessionDisplayName, truncateName } from '../handler/sessions/sessionNames';
import type { FoundLines } from './commentPlaces';
import { routesOf } from './sendComments';

/** The sessions of a comment, or the reason why it goes to none. */
export interface Destination {
  readonly paths: readonly string[];
  readonly text: string;
}

/** Returns where each comment would go, by its id. Comments without a place are left out. */
export async function destinationsOf(
  deps: CommandDeps,
  placed: readonly { readonly comment: KeptComment; readonly place: FoundLines }[],
): Promise<Map<string, Destination>> {
  const given = placed.map(({ comment, place: { from, to } }) => ({ file: comment.file, from, to, text: comment.text }));
  const { prompts, unrouted } = await routesOf(deps, given);
  const names = await Promise.all(prompts.map(({ path, entryId }) => branchName(deps, path, entryId)));
  const found = new Map<string, Destination>();
  for (const [at, { comment }] of placed.entries()) {
    const own = prompts.flatMap(({ comments, path }, index) => (comments.includes(at) ? { path, name: names[index] ?? '' } : []));
    const left = unrouted.find((one) => one.comment === at);
    if (own.length > 0)
      found.set(comment.id, {
        paths: own.map(({ path }) => path),
        text: vscode.l10n.t('Goes to {sessions}', { sessions: own.map(({ name }) => name).join(' · ') }),
      });
    else if (left) found.set(comment.id, { paths: [], text: noteText(left.error) });
  }
  return found;
}

const noteText = (error: SessionError): string => vscode.l10n.t('Stays a note: {reason}', { reason: localizeProblem(error) });

/** Returns a session's title with the last prompt of a branch, which tells its branches apart. */
async function branchName(deps: CommandDeps, path: string, entryId: string): Promise<string> {
  const session = sessionDisplayName(deps, path);
  const prompt = turnOf(await deps.session(path), entryId).prompt;
  return prompt === undefined ? session : vscode.l10n.t('“{session}”, after “{prompt}”', { session, prompt: truncateName(prompt) });
}
