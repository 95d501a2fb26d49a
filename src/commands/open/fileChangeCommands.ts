/** Commands about the files that a session changed: all changes together, and from each file to its entries. */
import * as vscode from 'vscode';
import type { CommandContract, EntryRef, SessionRef } from '../../contract';
import { SessionError, type FileChange } from '../../core/index';
import { localizeRow } from '../../ui/localize';
import { optionalString, sessionRefOf } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { choose, type Choice } from '../handler/prompts';
import { activeUri } from './activeUri';
import { checkedRef } from './openCommands';

type Answer = CommandContract['sessionTree.openChanges']['answer'];

export function fileChangeCommands(deps: CommandDeps) {
  const open = async (ref: SessionRef): Promise<Answer> => {
    const changes = await deps.openChanges(await checkedRef(deps, ref));
    return { files: changes.map(({ file, certainty, entryIds }) => ({ file, certainty, entryIds: [...entryIds] })) };
  };

  const openChanges: CommandHandler<Answer> = {
    title: vscode.l10n.t('Open Changes'),
    runWithArguments: async (args) => open(sessionRefOf(args)),
    runInteractive: async (call) => {
      await open(await call.resolveRef());
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
      const ref = shown?.ref ?? (await call.resolveRef());
      call.ref = ref;
      await deps.showEntry(await chooseChange(deps, call.title, ref, shown?.file));
    },
  };

  return { 'sessionTree.openChanges': openChanges, 'sessionTree.goToChange': goToChange };
}

/** Lets the person pick a message that changed a file, of one file or of all. If there is only one, it's chosen. */
async function chooseChange(deps: CommandDeps, title: string, ref: SessionRef, file?: string): Promise<EntryRef> {
  const { path } = ref;
  const changes = await changesOf(deps, ref, file);
  const [only, ...more] = new Set(changes.flatMap((change) => change.entryIds));
  if (only !== undefined && more.length === 0) return { path, entryId: only };
  const { byId } = await deps.session(path);
  const choicesOf = (change: FileChange): Choice<string>[] => [
    { label: change.file, kind: vscode.QuickPickItemKind.Separator, value: '' },
    ...change.entryIds.map((entryId) => {
      const head = byId.get(entryId);
      return { label: head ? localizeRow(head) : entryId, description: head ? deps.ago(head.time) : '', value: entryId };
    }),
  ];
  return { path, entryId: await choose(title, vscode.l10n.t('Select a message to go to'), changes.flatMap(choicesOf)) };
}

/** Returns the changes of one file, or all; never none. @throws {SessionError} `not-found` */
async function changesOf(deps: CommandDeps, ref: SessionRef, file: string | undefined): Promise<readonly FileChange[]> {
  const changes = (await deps.changes(ref)).filter((change) => file === undefined || change.file === file);
  if (changes.length === 0) throw new SessionError('not-found', 'This branch has no recorded edits or writes.');
  return changes;
}
