/** Comparing two entries or branches: two selected rows, one and then another, or one and a choice of the rest. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { DIALECT_FACTS, activitySummary, isVisible, pathTo, SessionError, tips, entriesSince, type EntryHead, type Session } from '../../core/index';
import { choose, type Choice } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { toArguments, sessionRefOf } from '../handler/commandArguments';

type Answer = CommandContract['sessionTree.compare']['answer'];
type Pair = readonly [SessionRef, SessionRef];

/** Whether a side was selected, for menus. */
const SELECTED_KEY = 'sessionTree.compareSelected';
/** Branches of a session that one can choose from, the newest. */
const MAX_BRANCHES = 200;

export function compareCommands(deps: CommandDeps) {
  let selected: SessionRef | undefined;

  const compare: CommandHandler<Answer> = {
    title: vscode.l10n.t('Compare'),
    runWithArguments: async (args) => deps.compare(...pairOf(args['sides'])),
    normalizeArguments: (first, second) => ({ sides: Array.isArray(first) ? (first as unknown[]) : [first, second] }),
    runInteractive: async (call) => {
      const [first, second, ...more] = await call.resolveRefs();
      if (more.length > 0) throw new SessionError('invalid', 'Two rows can be compared, not {count}.', { count: more.length + 2 });
      const pair = second ? await olderFirst(deps, [first, second]) : ([first, await chooseOther(deps, call.title, first)] as const);
      await deps.compare(...pair);
    },
  };

  const selectForCompare: CommandHandler<undefined> = {
    title: vscode.l10n.t('Select for Compare'),
    runWithArguments: async (args) => {
      selected = sessionRefOf(args);
      await vscode.commands.executeCommand('setContext', SELECTED_KEY, true);
      return undefined;
    },
    runInteractive: async (call) => selectForCompare.runWithArguments({ ...(await call.resolveRef()) }).then(() => undefined),
  };

  const withSelected = (ref: SessionRef): Promise<Answer> => {
    if (!selected) throw new SessionError('invalid', 'Nothing is selected to compare with; choose Select for Compare on the other side first.');
    return deps.compare(selected, ref);
  };

  const compareWithSelected: CommandHandler<Answer> = {
    title: vscode.l10n.t('Compare with Selected'),
    runWithArguments: async (args) => withSelected(sessionRefOf(args)),
    runInteractive: async (call) => {
      await withSelected(await call.resolveRef());
    },
  };

  return {
    'sessionTree.compare': compare,
    // The same, for a menu that asks nothing.
    'sessionTree.compareSelected': compare,
    'sessionTree.selectForCompare': selectForCompare,
    'sessionTree.compareWithSelected': compareWithSelected,
  };
}

/** @throws {SessionError} `invalid` */
function pairOf(sides: unknown): Pair {
  const [left, right, ...more] = sides as unknown[];
  if (more.length > 0 || left === undefined || right === undefined) throw new SessionError('invalid', 'The command takes two places to compare, each as { path, entryId }.');
  return [sessionRefOf(toArguments(left)), sessionRefOf(toArguments(right))];
}

/** Rows have no left and right: the older one stands on the left, of a session and its fork the session. */
async function olderFirst(deps: CommandDeps, pair: Pair): Promise<Pair> {
  const [a, b] = (await Promise.all(pair.map(async (ref) => [ref, await deps.session(ref.path)] as const))) as [readonly [SessionRef, Session], readonly [SessionRef, Session]];
  const older = pair[0].path === pair[1].path ? lineOf(a) <= lineOf(b) : Date.parse(a[1].header.timestamp) <= Date.parse(b[1].header.timestamp);
  return older ? pair : [pair[1], pair[0]];
}

/** Where an entry stands in its file; a session as a whole ends with its leaf. */
function lineOf([{ entryId }, session]: readonly [SessionRef, Session]): number {
  return session.byId.get(entryId ?? session.leafId ?? '')?.line ?? 0;
}

/** Lets the person pick what to compare with: another branch of the session, or another session. */
async function chooseOther(deps: CommandDeps, title: string, { path, entryId }: SessionRef): Promise<SessionRef> {
  const session = await deps.session(path);
  const here = entryId ?? session.leafId;
  const branches = tips(session)
    .filter((tip) => tip.id !== here)
    .sort((a, b) => b.time - a.time)
    .slice(0, MAX_BRANCHES)
    .map((tip) => ({ ...branchText(deps, session, tip), value: tip.id === session.leafId ? { path } : { path, entryId: tip.id } }));
  const others = deps.sessions().filter((other) => other.path !== path);
  const sessions = others.map((other) => ({
    label: other.name ?? other.firstMessage ?? vscode.l10n.t('(no messages)'),
    description: [DIALECT_FACTS[other.dialect].label, basename(other.cwd), deps.ago(other.modified)].filter((part) => part !== '').join(' · '),
    value: { path: other.path },
  }));
  const group = (label: string, choices: readonly Choice<SessionRef>[]): Choice<SessionRef>[] =>
    choices.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator, value: { path } }, ...choices];
  const choices = [...group(vscode.l10n.t('Branches of this session'), branches), ...group(vscode.l10n.t('Other sessions'), sessions)];
  return choose(title, vscode.l10n.t('Compare with which branch or session?'), choices);
}

function branchText(deps: CommandDeps, session: Session, tip: EntryHead): { label: string; description: string } {
  // A label or a model that was set last says nothing of the branch.
  const said = pathTo(session, tip.id).findLast((head) => isVisible(session, head, 'default')) ?? tip;
  const label = session.labels.get(said.id);
  const { userMessages: turns } = activitySummary(entriesSince({ session, entryId: tip.id }, session.leafId));
  const size = turns === 1 ? vscode.l10n.t('1 turn') : vscode.l10n.t('{0} turns', turns);
  const parts = tip.id === session.leafId ? [vscode.l10n.t('current')] : [size];
  return { label: label === undefined ? said.text : `[${label}] ${said.text}`, description: [...parts, deps.ago(tip.time)].filter((part) => part !== '').join(' · ') };
}
