/** The meaning of a query in words, for dates, states and tags. */
import * as vscode from 'vscode';
import { parseSearchQuery, STATES } from '../../core/index';

/** Returns an empty text for a query without these prefixes, which means what it says. */
export function queryMeaning(text: string): string {
  const { since, until, is = [], tags = [] } = parseSearchQuery(text);
  const parts = [
    ...dateText(since, (date) => vscode.l10n.t('since {0}', date)),
    ...dateText(until, (date) => vscode.l10n.t('before {0}', date)),
    ...is.filter((state) => STATES.some((known) => known === state)).map((state) => vscode.l10n.t('only {0}', state)),
    ...tags.map((tag) => `tag:${tag}`),
  ];
  return parts.join(' · ');
}

/** Returns nothing for a time that isn't one, which is explained elsewhere. */
function dateText(time: number | undefined, say: (date: string) => string): string[] {
  if (time === undefined || Number.isNaN(time)) return [];
  const at = new Date(time);
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  return [say(at.toLocaleString(vscode.env.language, isMidnight ? day : { ...day, hour: 'numeric', minute: '2-digit' }))];
}
