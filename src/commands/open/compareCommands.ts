/** Commands that compare two entries, branches or sessions: two selected rows, one row after another, or a row and a choice from a list. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { isArray, newestBranches, SessionError, Yielder, type NewestBranch, type Session, type SessionSummary } from '../../core/index';
import { localizeRow } from '../../ui/localize';
import { chooseIn, type Choice } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler, CommandInvocation } from '../handler/commandHandler';
import { toArguments, sessionRefOf, type CommandArguments } from '../handler/commandArguments';
import { createSessionPicker, sessionItem } from '../handler/sessions/sessionPicker';

type Answer = CommandContract['sessionTree.compare']['answer'];
type FilesAnswer = CommandContract['sessionTree.compareFiles']['answer'];
type Pair = readonly [SessionRef, SessionRef];

/** The context key for menus: true once a side is selected. */
const SELECTED_KEY = 'sessionTree.compareSelected';
/** Branches of a session in the list; the newest ones. */
const MAX_BRANCHES = 200;

export function compareCommands(deps: CommandDeps) {
  let selected: SessionRef | undefined;

  const normalizeArguments = (first: unknown, second: unknown): CommandArguments => ({ sides: isArray(first) ? first : [first, second] });

  const compare: CommandHandler<Answer> = {
    title: vscode.l10n.t('Compare'),
    runWithArguments: async (args) => deps.compare(...pairOf(args['sides'])),
    normalizeArguments,
    runInteractive: async (call) => {
      await deps.compare(...(await choosePair(deps, call)));
    },
  };

  const compareFiles: CommandHandler<FilesAnswer> = {
    title: vscode.l10n.t('Compare Files'),
    runWithArguments: async (args) => ({ files: [...(await deps.compareFiles(...pairOf(args['sides'])))] }),
    normalizeArguments,
    runInteractive: async (call) => {
      await deps.compareFiles(...(await choosePair(deps, call)));
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
    if (!selected)
      throw new SessionError('invalid', 'Nothing is selected to compare with. Choose “Select for Compare” on the other side first.');
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
    // The same command, for the menu of two rows.
    'sessionTree.compareSelected': compare,
    'sessionTree.compareFiles': compareFiles,
    'sessionTree.selectForCompare': selectForCompare,
    'sessionTree.compareWithSelected': compareWithSelected,
  };
}

/** Returns the two rows of a call, the older one first; for one row, lets the person pick the other side. */
async function choosePair(deps: CommandDeps, call: CommandInvocation): Promise<Pair> {
  const [first, second, ...more] = await call.resolveRefs();
  if (more.length > 0) throw new SessionError('invalid', 'Select two rows to compare. Rows selected: {count}.', { count: more.length + 2 });
  return second ? olderFirst(deps, [first, second]) : [first, await chooseOther(deps, call.title, first)];
}

/** Checks the two sides of plain arguments. @throws {SessionError} `invalid` */
function pairOf(sides: unknown): Pair {
  const [left, right, ...more] = isArray(sides) ? sides : [];
  if (more.length > 0 || left === undefined || right === undefined)
    throw new SessionError('invalid', 'The command takes two entries to compare, each as { path, entryId }.');
  return [sessionRefOf(toArguments(left)), sessionRefOf(toArguments(right))];
}

/** Orders two selected rows: the older one is on the left; for a session and its fork, the session. */
async function olderFirst(deps: CommandDeps, pair: Pair): Promise<Pair> {
  const read = async (ref: SessionRef): Promise<readonly [SessionRef, Session]> => [ref, await deps.session(ref.path)];
  const [first, second] = await Promise.all([read(pair[0]), read(pair[1])]);
  const isOrdered =
    pair[0].path === pair[1].path
      ? lineOf(first) <= lineOf(second)
      : Date.parse(first[1].header.timestamp) <= Date.parse(second[1].header.timestamp);
  return isOrdered ? pair : [pair[1], pair[0]];
}

/** Returns the line of an entry in its file; for a whole session, the line of its leaf. */
function lineOf([{ entryId }, session]: readonly [SessionRef, Session]): number {
  return session.byId.get(entryId ?? session.leafId ?? '')?.line ?? 0;
}

/** Lets the person pick the other side: another branch of the session, or another session. */
async function chooseOther(deps: CommandDeps, title: string, { path, entryId }: SessionRef): Promise<SessionRef> {
  const session = await deps.session(path);
  const current = entryId ?? session.leafId;
  const newest = await new Yielder(undefined).run(newestBranches(session, MAX_BRANCHES, current));
  const branches = newest.map((branch) => ({
    ...branchText(deps, session, branch),
    value: branch.tip.id === session.leafId ? { path } : { path, entryId: branch.tip.id },
  }));
  const others = deps.sessions().filter((other) => other.path !== path);
  const heading = (label: string): Choice<SessionRef> => ({ label, kind: vscode.QuickPickItemKind.Separator, value: { path } });
  const above = [
    ...(branches.length > 0 ? [heading(vscode.l10n.t('Branches of this session')), ...branches] : []),
    ...(others.length > 0 ? [heading(vscode.l10n.t('Other sessions'))] : []),
  ];
  const parents = await deps.subagentParents();
  const itemOf = (other: SessionSummary): Choice<SessionRef> => ({ ...sessionItem(deps, other, parents), value: { path: other.path } });
  const picker = await createSessionPicker(deps, others, itemOf, above);
  return chooseIn(picker, title, vscode.l10n.t('Select a branch or session to compare with'));
}

/** Describes a branch by its last entry with a row: a label or a model change says nothing about it. */
function branchText(
  deps: CommandDeps,
  session: Session,
  { tip, lastVisible, turns }: NewestBranch,
): { label: string; description: string } {
  const label = session.labels.get(lastVisible.id);
  const size = turns === 1 ? vscode.l10n.t('1 turn') : vscode.l10n.t('{0} turns', turns);
  const parts =
    tip.id === session.leafId ? [vscode.l10n.t({ message: 'current', comment: 'Marks the branch that has the current leaf' })] : [size];
  const text = localizeRow(lastVisible);
  return {
    label: label === undefined ? text : `[${label}] ${text}`,
    description: [...parts, deps.ago(tip.time)].filter((part) => part !== '').join(' · '),
  };
}
