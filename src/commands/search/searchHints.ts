/** Items of the search list in addition to the hits: prefixes to type, notices, and reasons for an empty result. */
import * as vscode from 'vscode';
import { messageItem, type SearchItem } from './searchItems';
import {
  MAX_PREFIX_VALUES,
  MAX_QUERY_UNITS,
  MAX_QUERY_WORDS,
  PREFIXES,
  ROLE_NAMES,
  STATES,
  type Prefix,
  type QueryProblem,
  type searchTruncation,
} from '../../core/index';

interface NoResults {
  /** True if any filter button is on. */
  readonly filtered: boolean;
  readonly state: 'read' | 'reading' | 'stopped';
  /** True if there are sessions to search in. */
  readonly hasSessions: boolean;
  readonly problems: readonly QueryProblem[];
}

/** Returns the items to show instead of hits. */
export function noResultItems({ filtered, state, hasSessions, problems }: NoResults): SearchItem[] {
  if (state === 'stopped')
    return [messageItem(vscode.l10n.t('No results so far'), vscode.l10n.t('Reading sessions was stopped. Refresh to continue.'), 'info')];
  if (state === 'reading')
    return [
      messageItem(
        vscode.l10n.t('No results yet'),
        vscode.l10n.t('Still reading sessions. Results appear here as they’re found.'),
        'loading~spin',
      ),
    ];
  if (!hasSessions)
    return [
      messageItem(
        vscode.l10n.t('No sessions found'),
        vscode.l10n.t('Start a session in one of the supported programs, or add a session folder in Settings.'),
        'info',
      ),
    ];
  if (problems.length > 0) return problems.flatMap(problemItems);
  const detail = vscode.l10n.t('Try fewer or shorter words. Of long tool output only the beginning and the end are searched.');
  const clear: SearchItem = {
    label: vscode.l10n.t('Search Without Filters'),
    iconPath: new vscode.ThemeIcon('clear-all'),
    alwaysShow: true,
    action: { kind: 'clear' },
  };
  return [messageItem(vscode.l10n.t('No results found'), detail, 'info'), ...(filtered ? [clear] : [])];
}

/** Returns the notice above the hits of a query that was cut. */
export function truncationItems(cut: ReturnType<typeof searchTruncation>): SearchItem[] {
  switch (cut) {
    case 'words':
      return [messageItem(vscode.l10n.t('Only the first {0} words are searched.', MAX_QUERY_WORDS), undefined, 'info')];
    case 'units':
      return [messageItem(vscode.l10n.t('Only the first {0} characters are searched.', MAX_QUERY_UNITS), undefined, 'info')];
    case 'values':
      return [messageItem(vscode.l10n.t('Only the first {0} prefixes are used.', MAX_PREFIX_VALUES), undefined, 'info')];
    case undefined:
      return [];
  }
}

/** The notice above the hits of a query that excludes words from nothing. */
export const onlyExcludingItem = (): SearchItem =>
  messageItem(
    vscode.l10n.t('Nothing to exclude these words from, so they’re searched.'),
    vscode.l10n.t('Add a word, a prefix or a filter.'),
    'info',
  );

/** Returns a notice about a problem, and its replacements. */
function problemItems(problem: QueryProblem): SearchItem[] {
  switch (problem.kind) {
    case 'empty':
      return [messageItem(vscode.l10n.t('Type a value after “{0}:”', problem.prefix), hintOf(problem.prefix).words, 'info')];
    case 'prefix':
      return [
        messageItem(
          vscode.l10n.t('Unknown prefix “{0}:”', problem.typed),
          vscode.l10n.t('It was searched as a word. Available prefixes: {0}', PREFIXES.map((prefix) => `${prefix}:`).join(', ')),
          'info',
        ),
      ];
    case 'date':
      return [messageItem(vscode.l10n.t('“{0}” isn’t a date', problem.value), hintOf(problem.prefix).words, 'info')];
    case 'noWord':
      return [messageItem(vscode.l10n.t('Type a word to search for'), vscode.l10n.t('Only letters and digits are searched.'), 'info')];
    case 'value':
      return [
        messageItem(unknownValue(problem), availableValues(problem.prefix), 'info'),
        ...problem.replacements.map(({ name, text }) => completionItem(name, text)),
      ];
  }
}

function availableValues(prefix: Prefix): string | undefined {
  if (prefix === 'role') return vscode.l10n.t('Available roles: {0}', ROLE_NAMES.join(', '));
  return prefix === 'is' ? vscode.l10n.t('Available states: {0}', STATES.join(', ')) : undefined;
}

function unknownValue({ prefix, value }: Extract<QueryProblem, { kind: 'value' }>): string {
  switch (prefix) {
    case 'role':
      return vscode.l10n.t('Unknown role “{0}”', value);
    case 'tool':
      return vscode.l10n.t('Unknown tool “{0}”', value);
    case 'is':
      return vscode.l10n.t('Unknown state “{0}”', value);
    case 'tag':
      return vscode.l10n.t('No sessions with the tag “{0}”', value);
    case 'project':
      return vscode.l10n.t('No sessions in project “{0}”', value);
  }
}

/** Returns the prefixes, shown while the query is empty. */
export function hintItems(): SearchItem[] {
  return PREFIXES.filter((prefix) => prefix !== 'since' && prefix !== 'until').map((prefix) => {
    const { icon, words } = hintOf(prefix);
    return {
      label: `${prefix}:`,
      description: words,
      iconPath: new vscode.ThemeIcon(icon),
      alwaysShow: true,
      action: { kind: 'type', text: `${prefix}:` },
    };
  });
}

function hintOf(prefix: Prefix): { readonly icon: string; readonly words: string } {
  // Values have no words before them: the editor cuts what's longer.
  const hints: Readonly<Record<Prefix, readonly [icon: string, words: string]>> = {
    role: ['account', ROLE_NAMES.join(', ')],
    tool: ['tools', vscode.l10n.t('messages that call a tool, e.g. tool:bash')],
    file: ['file', vscode.l10n.t('entries that read or wrote a file, e.g. file:src/index.ts')],
    label: ['tag', vscode.l10n.t('entries with a label, e.g. label:fix')],
    project: ['folder', vscode.l10n.t('sessions in a project, by the start of its name')],
    tag: ['bookmark', vscode.l10n.t('sessions with a tag, e.g. tag:later')],
    is: ['pulse', STATES.join(', ')],
    after: ['calendar', vscode.l10n.t('from a date on: 2026-11-01, 2026-11, yesterday, monday, 5h, 2d, 3w, 6m (months), 1y')],
    before: ['calendar', vscode.l10n.t('before a date, e.g. before:yesterday')],
    since: ['calendar', vscode.l10n.t('the same as after:')],
    until: ['calendar', vscode.l10n.t('up to the end of a date, e.g. until:friday')],
  };
  const [icon, words] = hints[prefix];
  return { icon, words };
}

/** Makes an item that replaces the query. */
export function completionItem(label: string, text: string): SearchItem {
  return { label, iconPath: new vscode.ThemeIcon('arrow-small-right'), alwaysShow: true, action: { kind: 'type', text } };
}
