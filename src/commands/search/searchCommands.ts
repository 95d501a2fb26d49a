/** The command that searches all sessions: interactively it opens the chosen entry, with plain arguments it returns the hits. */
import * as vscode from 'vscode';
import { VIEW, type CommandContract } from '../../contract';
import { defined, SessionError, type SearchHit, type FindQuery } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler, CommandInvocation } from '../handler/commandHandler';
import { revealHit } from '../open/revealHit';
import { requiredString, type CommandArguments } from '../handler/commandArguments';
import { settledCatalog } from '../handler/settledCatalog';
import type { SideKey } from '../handler/sideKey';
import { setStatusBarMessage } from '../../ui/safe/messages';
import { searchCatalog } from './searchCatalog';
import { pickHit } from './searchPicker';
import type { Snippet } from './searchSnippet';

type Answer = CommandContract['sessionTree.search']['answer'];

/** Milliseconds that a status bar message is shown. */
const STATUS_MESSAGE_DURATION = 4000;

export function searchCommands(deps: CommandDeps, sideKey: SideKey) {
  const found = new FoundHits();
  const search: CommandHandler<Answer> = {
    title: vscode.l10n.t('Search Sessions'),
    runWithArguments: async (args) => {
      const query = requiredString(args, 'query');
      const limit = limitOf(args);
      const catalog = await settledCatalog(deps.catalog);
      const running = new Set(deps.runningSessions().map(({ path }) => path));
      return searchCatalog(catalog, query, { running, ...defined({ limit }) });
    },
    runInteractive: async (call) => {
      await deps.catalog.open();
      deps.catalog.refresh();
      const picked = await pickHit(deps, call.title, sideKey);
      if (picked.list) {
        await deps.arrange(picked.list);
        await vscode.commands.executeCommand(`${VIEW}.focus`);
        return;
      }
      const { sessionPath, hit, openTarget } = picked;
      if (sessionPath !== undefined) {
        call.ref = { path: sessionPath };
        await deps.showContext(call.ref, { toSide: openTarget === 'side' });
        return;
      }
      showPlace(found.set(picked.hits, hit));
      await revealHit(deps, call, hit, openTarget, findQueryOf(hit));
    },
  };

  const step = (by: 1 | -1): CommandHandler<undefined> => {
    const go = async (call: CommandInvocation): Promise<void> => {
      const next = found.step(by);
      if (!next) throw new SessionError('not-found', 'No search results. Search sessions first.');
      showPlace(next);
      await revealHit(deps, call, next.hit, 'context', findQueryOf(next.hit));
    };
    return { title: '', runWithArguments: () => Promise.resolve(undefined), runInteractive: go };
  };

  return {
    'sessionTree.search': search,
    'sessionTree.nextSearchResult': step(1),
    'sessionTree.previousSearchResult': step(-1),
  };
}

function showPlace({ number, count }: PlacedHit): void {
  setStatusBarMessage(vscode.l10n.t('Search result {0} of {1}', number, count), STATUS_MESSAGE_DURATION);
}

function limitOf(args: CommandArguments): number | undefined {
  const limit = args['limit'];
  if (limit === undefined || (typeof limit === 'number' && Number.isInteger(limit) && limit >= 0)) return limit;
  throw new SessionError('invalid', '“{name}” must be a whole number of 0 or more.', { name: 'limit' });
}

/** The context key for keybindings: true once a hit was chosen. */
const HAS_HITS_KEY = 'sessionTree.hasSearchResults';

/** A hit and its place among all of them. */
interface PlacedHit {
  readonly hit: SearchHit;
  /** From 1 on. */
  readonly number: number;
  readonly count: number;
}

class FoundHits {
  private hits: readonly SearchHit[] = [];
  private at = 0;

  /** Keeps a list in its order, with the chosen hit as the current one, which is returned. */
  set(hits: readonly SearchHit[], chosen: SearchHit): PlacedHit {
    if (this.hits.length === 0) void vscode.commands.executeCommand('setContext', HAS_HITS_KEY, true);
    this.hits = hits;
    this.at = Math.max(0, hits.indexOf(chosen));
    return { hit: chosen, number: this.at + 1, count: hits.length };
  }

  /** Goes to the next (1) or previous (-1) hit; after the last comes the first. Returns `undefined` if there are none. */
  step(by: 1 | -1): PlacedHit | undefined {
    const count = this.hits.length;
    const next = (this.at + by + count) % count;
    const hit = this.hits[next];
    if (!hit) return undefined;
    this.at = next;
    return { hit, number: next + 1, count };
  }
}

/** Returns the query that finds the texts that matched; `undefined` if the hit has none. */
function findQueryOf({ snippet, marks }: Snippet): FindQuery | undefined {
  const texts = new Map<string, string>();
  for (const [start, end] of marks) {
    const text = snippet.slice(start, end).trim();
    if (text !== '') texts.set(text.toLowerCase(), text);
  }
  if (texts.size === 0) return undefined;
  return { text: [...texts.values()].join(' '), matchCase: false, wholeWord: false, anyWord: texts.size > 1 };
}
