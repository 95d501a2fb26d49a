/** Search in all sessions: while typing, landing on the entry; or with plain arguments, for its hits alone. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../contract';
import { SessionError, type SearchHit } from '../core/index';
import type { CommandDeps } from './deps';
import type { Handler } from './frame';
import { required, type Plain } from './plain';
import { pickHit } from './searchPick';
import { foldersOf, parseSearch } from './searchText';

type Answer = CommandContract['sessionTree.search']['answer'];

/** Milliseconds that plain arguments wait for what has begun to be read. */
const PATIENCE = 10_000;

export function searchCommands(deps: CommandDeps) {
  const search: Handler<Answer> = {
    title: vscode.l10n.t('Search Sessions'),
    plain: async (args) => {
      const query = required(args, 'query');
      const limit = limitOf(args);
      await deps.catalog.open();
      await deps.catalog.settled(PATIENCE);
      return searchFor(deps, query, limit === undefined ? {} : { limit });
    },
    asked: async (call) => {
      await deps.catalog.open();
      deps.catalog.refresh();
      const hit = await pickHit(deps, call.title, (text, signal) => searchFor(deps, text, { signal }));
      call.ref = await refOfHit(deps, hit);
      await deps.reveal(call.ref);
      await deps.showContext(call.ref);
    },
  };
  return { 'sessionTree.search': search };
}

interface Options {
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

const LIMIT = 50;

/** The best hits; of several projects that are meant, one project's after the other's. */
async function searchFor(deps: CommandDeps, text: string, options: Options): Promise<SearchHit[]> {
  const catalog = await deps.catalog.open();
  const { query, roles, project } = parseSearch(text);
  const narrowed = { ...options, ...(roles ? { roles } : {}) };
  if (project === undefined) return catalog.search(query, narrowed);
  const folders = foldersOf(project, (await catalog.sessions()).map((row) => row.cwd));
  const limit = options.limit ?? LIMIT;
  const hits = new Map<string, SearchHit>();
  for (const folder of folders) {
    if (hits.size >= limit) break;
    // A folder's hits are also those of the folders in it.
    for (const hit of await catalog.search(query, { ...narrowed, project: folder })) hits.set(`${hit.path}\n${hit.entryId}\n${hit.snippet}`, hit);
  }
  return [...hits.values()].slice(0, limit);
}

/** Where the hit's entry is not in its file any more, the session. */
async function refOfHit(deps: CommandDeps, { path, entryId }: SearchHit): Promise<SessionRef> {
  return (await deps.session(path)).byId.has(entryId) ? { path, entryId } : { path };
}

function limitOf(args: Plain): number | undefined {
  const limit = args['limit'];
  if (limit === undefined || (typeof limit === 'number' && Number.isInteger(limit) && limit >= 0)) return limit;
  throw new SessionError('invalid', '“{name}” must be a whole number, not below 0.', { name: 'limit' });
}
