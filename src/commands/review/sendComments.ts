/** The command that sends comments on lines to the sessions that wrote them. */
import * as vscode from 'vscode';
import { commentRoutes, defined, isArray, isObject, SessionError, type CommentRoutes, type ReviewComment } from '../../core/index';
import { absoluteFile, flag, requiredString, toArguments, type CommandArguments } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { Answer, CommandHandler } from '../handler/commandHandler';
import { settledCatalog } from '../handler/settledCatalog';
import { PromptDelivery } from './promptDelivery';

/** Comments of one call. */
const MAX_COMMENTS = 1000;
/** UTF-16 units of a comment. */
const MAX_COMMENT = 100_000;

/** Opens the comments of this window. */
export type OpenReview = () => Promise<{ readonly sendAll: () => Promise<void> }>;

export function sendCommands(deps: CommandDeps, review: OpenReview) {
  const send: CommandHandler<Answer<'sessionTree.sendComments'>> = {
    title: vscode.l10n.t('Send Comments'),
    runWithArguments: async (args) => {
      const delivery = new PromptDelivery(deps);
      const { prompts, unrouted } = await routesOf(deps, commentsOf(args));
      const { sent, left } = await (flag(args, 'dryRun') ? delivery.plan(prompts) : delivery.send(prompts));
      return {
        sent: sent.map(({ path, entryId, comments, text, how }) => ({ path, entryId, comments: [...comments], text, how })),
        left: [...unrouted, ...left]
          .map(({ comment, error }) => ({ comment, reason: error.message }))
          .sort((a, b) => a.comment - b.comment),
      };
    },
    runInteractive: async () => (await review()).sendAll(),
  };
  return { 'sessionTree.sendComments': send };
}

/** Finds the sessions that comments go to, by the texts in the editor. */
export async function routesOf(deps: CommandDeps, comments: readonly ReviewComment[]): Promise<CommentRoutes> {
  const files = new Set(comments.map(({ file }) => file));
  const texts = new Map<string, string>();
  for (const document of vscode.workspace.textDocuments)
    if (document.uri.scheme === 'file' && files.has(document.uri.fsPath)) texts.set(document.uri.fsPath, document.getText());
  return commentRoutes(await settledCatalog(deps.catalog), comments, { texts });
}

/** @throws {SessionError} `invalid` */
function commentsOf(args: CommandArguments): ReviewComment[] {
  const given = Object.hasOwn(args, 'comments') ? args['comments'] : undefined;
  if (!isArray(given) || given.length > MAX_COMMENTS || !given.every(isObject))
    throw new SessionError('invalid', '“{name}” must be a list of at most {count} comments.', { name: 'comments', count: MAX_COMMENTS });
  return given.map((one) => {
    const comment = toArguments(one);
    const text = requiredString(comment, 'text');
    const file = absoluteFile(comment);
    if (text.length > MAX_COMMENT) throw new SessionError('invalid', 'This comment is too long: {path}', { path: file });
    const { from, to } = comment;
    if (typeof from !== 'number' || !(to === undefined || typeof to === 'number'))
      throw new SessionError('invalid', '“{name}” must be a line number, starting at 1.', {
        name: typeof from === 'number' ? 'to' : 'from',
      });
    return { file, from, ...defined({ to }), text };
  });
}
