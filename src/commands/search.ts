/** Search in all sessions: while typing, landing on the entry; or with plain arguments, for its hits alone. */
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { SessionError } from '../core/index';
import type { CommandDeps } from './deps';
import type { Handler } from './frame';
import { land } from './land';
import { required, type Plain } from './plain';
import { searchFor } from './searchFor';
import { pickHit } from './searchPick';

type Answer = CommandContract['sessionTree.search']['answer'];

/** Milliseconds that plain arguments wait for what has begun to be read. */
const PATIENCE = 10_000;

export function searchCommands(deps: CommandDeps) {
  const search: Handler<Answer> = {
    title: vscode.l10n.t('Search Sessions'),
    plain: async (args) => {
      const query = required(args, 'query');
      const limit = limitOf(args);
      const catalog = await deps.catalog.open();
      await deps.catalog.settled(PATIENCE);
      return searchFor(catalog, query, limit === undefined ? {} : { limit });
    },
    asked: async (call) => {
      await deps.catalog.open();
      deps.catalog.refresh();
      const { hit, opened } = await pickHit(deps, call.title);
      await land(deps, call, hit, opened);
    },
  };
  return { 'sessionTree.search': search };
}

function limitOf(args: Plain): number | undefined {
  const limit = args['limit'];
  if (limit === undefined || (typeof limit === 'number' && Number.isInteger(limit) && limit >= 0)) return limit;
  throw new SessionError('invalid', '“{name}” must be a whole number, not below 0.', { name: 'limit' });
}
