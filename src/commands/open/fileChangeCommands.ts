/** Commands about the files that a session changed: all changes together, and from each file to its entries. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ChangesRef, CommandContract, EntryRef } from '../../contract';
import { defined, requireEntry, SessionError, type EntryHead, type FileChange } from '../../core/index';
import { changeCountText } from '../../ui/changeCountText';
import { localizeRow } from '../../ui/localize';
import { setStatusBarMessage } from '../../ui/safe/messages';
import { optionalString, sessionRefOf } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler, CommandInvocation } from '../handler/commandHandler';
import { choose, type Choice } from '../handler/prompts';
import { activeUri } from './activeUri';
import { checkedRef } from './openCommands';

type Answer = CommandContract['sessionTree.openChanges']['answer'];

/** Calls of a message that are looked at for its file. */
const MAX_CALLS = 100;

export function fileChangeCommands(deps: CommandDeps) {
  const open = async (ref: ChangesRef): Promise<Answer> => {
    await checkedRef(deps, ref);
    if (ref.since !== undefined) await checkedRef(deps, { path: ref.path, entryId: ref.since });
    const changes = await deps.openChanges(ref);
    return { files: changes.map(({ file, certainty, entryIds }) => ({ file, certainty, entryIds: [...entryIds] })) };
  };

  const openChanges: CommandHandler<Answer> = {
    title: vscode.l10n.t('Open Changes'),
    runWithArguments: async (args) => open({ ...sessionRefOf(args), ...defined({ since: optionalString(args, 'since') }) }),
    runInteractive: async (call) => {
      const ref = await changesRefOf(deps, call);
      await open(ref);
      void showChangeCount(deps, ref).catch((error: unknown) => deps.log.error(error));
    },
  };

  const goToChange: CommandHandler<undefined> = {
    title: vscode.l10n.t('Go to Change'),
    runWithArguments: async (args) => {
      const ref = sessionRefOf(args);
      const file = optionalString(args, 'file');
      const entryId = (await changesOf(deps, ref, file)).at(-1)?.entryIds.at(-1) ?? '';
      await deps.showEntry({ path: ref.path, entryId });
      return undefined;
    },
    runInteractive: async (call) => {
      // With several documents in one editor, the focused one counts.
      const uri = vscode.window.activeTextEditor?.document.uri ?? activeUri();
      const shown = call.rows.length > 0 || !uri ? undefined : deps.fileOfChange(uri);
      const ref = shown?.ref ?? (await changesRefOf(deps, call));
      call.ref = ref;
      await deps.showEntry(await chooseChange(deps, call.title, ref, shown?.file));
    },
  };

  return { 'sessionTree.openChanges': openChanges, 'sessionTree.goToChange': goToChange };
}

/** Milliseconds for which the status bar says how many files would change. */
const COUNT_DURATION = 15_000;

/** UTF-16 units of an entry's text in the status bar. */
const MAX_NAME = 40;

/** Says in the status bar how many files would change by going to an entry, which it names. Where no files can be restored, it says nothing. */
async function showChangeCount(deps: CommandDeps, { path, entryId }: ChangesRef): Promise<void> {
  const { byId, leafId } = await deps.session(path);
  const head = byId.get(entryId ?? leafId ?? '');
  if (!head) return;
  try {
    const count = await deps.changeCount({ path, entryId: head.id }, new AbortController().signal);
    if (count === undefined) return;
    const action = vscode.l10n.t('Restore Files to This Point');
    setStatusBarMessage(`${action}: ${changeCountText(count)} · ${localizeRow(head, MAX_NAME)}`, COUNT_DURATION);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
}

/** Returns the branch of a call. An abandoned branch has what was changed after its fork point, all other rows the whole branch. */
async function changesRefOf(deps: CommandDeps, call: CommandInvocation): Promise<ChangesRef> {
  const ref = await call.resolveRef();
  const [row] = call.targetRows();
  if (row?.row !== 'branch' || !row.branch) return ref;
  const start = requireEntry(await deps.session(ref.path), row.branch.head.id);
  return start.parentId === null ? ref : { ...ref, since: start.parentId };
}

/** Lets the person pick a message that changed a file, of one file or of all. If there is only one, it's chosen. */
async function chooseChange(deps: CommandDeps, title: string, ref: ChangesRef, file?: string): Promise<EntryRef> {
  const { path } = ref;
  const changes = await changesOf(deps, ref, file);
  const [only, ...more] = new Set(changes.flatMap((change) => change.entryIds));
  if (only !== undefined && more.length === 0) return { path, entryId: only };
  const { byId, children } = await deps.session(path);
  const below = ({ id }: EntryHead): EntryHead | undefined => byId.get(children.get(id)?.[0] ?? '');
  /** The row that the tree has: of a message without a text, the one of its call that names the file, or else of its first call. */
  const rowOf = (head: EntryHead, file: string): EntryHead => {
    if (head.hasText === true) return head;
    const first = below(head);
    for (let at = first, steps = 0; at?.role === 'toolResult' && steps < MAX_CALLS; at = below(at), steps++)
      if (at.text.includes(basename(file))) return at;
    return first?.role === 'toolResult' ? first : head;
  };
  const choicesOf = (change: FileChange): Choice<string>[] => [
    { label: change.file, kind: vscode.QuickPickItemKind.Separator, value: '' },
    ...change.entryIds.map((entryId) => {
      const head = byId.get(entryId);
      return {
        label: head ? localizeRow(rowOf(head, change.file)) : entryId,
        description: head ? deps.ago(head.time) : '',
        value: entryId,
      };
    }),
  ];
  return { path, entryId: await choose(title, vscode.l10n.t('Select a message to go to'), changes.flatMap(choicesOf)) };
}

/** Returns the changes of one file, or all; never none. @throws {SessionError} `not-found` */
async function changesOf(deps: CommandDeps, ref: ChangesRef, file: string | undefined): Promise<readonly FileChange[]> {
  const changes = (await deps.changes(ref)).filter((change) => file === undefined || change.file === file);
  if (changes.length === 0) throw new SessionError('not-found', 'This branch has no recorded edits or writes.');
  return changes;
}
