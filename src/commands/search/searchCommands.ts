/** The command that searches all sessions: interactively it opens the chosen entry, with plain arguments it returns the hits. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { SessionError } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { revealHit } from '../open/revealHit';
import { requiredString, type CommandArguments } from '../handler/commandArguments';
import { searchCatalog } from './searchCatalog';
import { pickHit } from './searchPicker';

type Answer = CommandContract['sessionTree.search']['answer'];

/** Milliseconds that a call with plain arguments waits for the current reading. */
const CATALOG_TIMEOUT = 10_000;

export function searchCommands(deps: CommandDeps) {
  const search: CommandHandler<Answer> = {
    title: vscode.l10n.t('Search Sessions'),
    runWithArguments: async (args) => {
      const query = requiredString(args, 'query');
      const limit = limitOf(args);
      const catalog = await deps.catalog.open();
      await deps.catalog.settled(CATALOG_TIMEOUT);
      return searchCatalog(catalog, query, limit === undefined ? {} : { limit });
    },
    runInteractive: async (call) => {
      await deps.catalog.open();
      deps.catalog.refresh();
      const { hit, openTarget } = await pickHit(deps, call.title);
      await revealHit(deps, call, hit, openTarget);
    },
  };
  return { 'sessionTree.search': search };
}

function limitOf(args: CommandArguments): number | undefined {
  const limit = args['limit'];
  if (limit === undefined || (typeof limit === 'number' && Number.isInteger(limit) && limit >= 0)) return limit;
  throw new SessionError('invalid', '“{name}” must be a whole number, not below 0.', { name: 'limit' });
}
