/**
 * Quick picks of sessions. Of tens of thousands only some are handed over to the editor: the newest, or the best
 * matches for the typed text.
 */
import * as vscode from 'vscode';
import { DIALECT_FACTS, folderBaseName, Yielder, type SessionSummary } from '../../../core/index';
import { localizeSessionTitle } from '../../../ui/localize';
import { createQuickPick } from '../../../ui/safe/quickInput';
import type { CommandDeps } from '../commandDeps';
import { matchSessions, sessionCandidates, withLabels, type SessionCandidate } from './matchSessions';
import { newestFirst } from './newestFirst';
import { truncateName } from './sessionNames';

/** Sessions in a list. */
const MAX_SESSIONS = 100;

/**
 * Creates a quick pick of sessions in any order. It isn't shown yet.
 *
 * @param itemOf returns the item of a session, with the texts of {@link sessionItem}
 * @param above items above the sessions, which the editor filters
 */
export async function createSessionPicker<Item extends vscode.QuickPickItem>(
  deps: CommandDeps,
  sessions: readonly SessionSummary[],
  itemOf: (session: SessionSummary) => Item,
  above: readonly Item[] = [],
): Promise<vscode.QuickPick<Item>> {
  let candidates = await listCandidates(sessions);
  const picker = createQuickPick<Item>();
  // Keeps the order, the best first. The editor's typings lack this property.
  Object.assign(picker, { sortByLabel: false });
  const update = (): void => {
    picker.items = [...above, ...matchSessions(picker.value, candidates, MAX_SESSIONS).map(itemOf)];
  };
  let isOpen = true;
  picker.onDidHide(() => (isOpen = false));
  picker.onDidChangeValue(update);
  update();
  // The list doesn't wait for the labels.
  void labeledCandidates(deps, candidates).then((all) => {
    candidates = all;
    if (isOpen && picker.value !== '') update();
  });
  return picker;
}

/**
 * Returns an item that stays listed whatever is typed: the editor's own filter knows only the texts of the item. The age is
 * first, because the editor cuts the end.
 */
export function sessionItem(
  deps: Pick<CommandDeps, 'ago' | 'summary'>,
  session: SessionSummary,
  parents: ReadonlyMap<string, string>,
): vscode.QuickPickItem {
  return {
    label: localizeSessionTitle(session),
    description: [
      deps.ago(session.modified),
      folderBaseName(session.cwd),
      DIALECT_FACTS[session.dialect].label,
      subagentText(session.path, parents, deps.summary) || forkText(session, deps.summary),
    ]
      .filter((part) => part !== '')
      .join(' · '),
    alwaysShow: true,
  };
}

/** Returns the words about the session that started a subagent's; an empty text for other sessions. */
export function subagentText(path: string, parents: ReadonlyMap<string, string>, summary: CommandDeps['summary']): string {
  const parent = summary(parents.get(path) ?? '');
  return parent ? vscode.l10n.t('subagent of {title}', { title: truncateName(localizeSessionTitle(parent)) }) : '';
}

/** Names the session that a fork was made from, which often has the same title; an empty text if it isn't known. */
function forkText({ parentSession = '' }: SessionSummary, summary: CommandDeps['summary']): string {
  const origin = summary(parentSession);
  return origin ? vscode.l10n.t('from “{0}”', truncateName(localizeSessionTitle(origin))) : '';
}

/** Returns up to {@link MAX_SESSIONS} of the sessions, as the list shows them once the text is typed. */
export async function findSessions(deps: CommandDeps, sessions: readonly SessionSummary[], typed: string): Promise<SessionSummary[]> {
  return matchSessions(typed, await labeledCandidates(deps, await listCandidates(sessions)), MAX_SESSIONS);
}

/** Returns the sessions, newest first, without their labels. */
const listCandidates = async (sessions: readonly SessionSummary[]): Promise<SessionCandidate[]> =>
  new Yielder(undefined).run(sessionCandidates(await newestFirst(sessions)));

/** Returns the sessions with their labels; without these if the catalog can't be used. */
async function labeledCandidates(deps: CommandDeps, candidates: readonly SessionCandidate[]): Promise<SessionCandidate[]> {
  const labels = new Map<string, string[]>();
  const known = await deps.catalog
    .open()
    .then((catalog) => catalog.labels())
    .catch(() => []);
  for (const { path, label } of known) {
    const list = labels.get(path);
    if (list) list.push(label);
    else labels.set(path, [label]);
  }
  return new Yielder(undefined).run(withLabels(candidates, labels));
}
