/** The quick pick about a line: its origin, its commit, and its earlier versions. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract, EntryRef } from '../../contract';
import { DIALECT_FACTS, turnOf, type LineVersion, type Turn, plainRow } from '../../core/index';
import { localizeTitle } from '../../ui/localize';
import { setStatusBarMessage } from '../../ui/safe/messages';
import { createQuickPick } from '../../ui/safe/quickInput';
import type { CommandDeps } from '../handler/commandDeps';
import { roleIcon } from '../../ui/entryRoles';

export type WhyThisLine = CommandContract['sessionTree.whyThisLine']['answer'];

interface LineItem extends vscode.QuickPickItem {
  /** Opens the item's target; absent if there is none. */
  readonly open?: () => PromiseLike<unknown>;
  /** The message that the buttons are about. */
  readonly ref?: EntryRef;
}

type ButtonAction = 'side' | 'change' | 'resume';

interface LineButton extends vscode.QuickInputButton {
  readonly action: ButtonAction;
}

interface LinePickerOptions {
  readonly title: string;
  readonly file: string;
  readonly reasons: Promise<WhyThisLine>;
}

/** Milliseconds that a status bar message is shown. */
const STATUS_MESSAGE_DURATION = 4000;
const HASH_LENGTH = 8;

/** Shows the list and opens the chosen item. @throws {vscode.CancellationError}; the errors of finding the reasons */
export async function pickFromLine(deps: CommandDeps, { title, file, reasons }: LinePickerOptions): Promise<void> {
  const picker = createQuickPick<LineItem>();
  // Keeps the order. The editor's typings lack this property.
  Object.assign(picker, { sortByLabel: false });
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Select what to open');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.busy = true;
  try {
    const open = await new Promise<(() => PromiseLike<unknown>) | undefined>((resolve, reject) => {
      picker.onDidAccept(() => {
        const chosen = picker.selectedItems[0]?.open;
        if (chosen) resolve(chosen);
      });
      picker.onDidTriggerItemButton(({ item: { ref }, button }) => {
        // Items have no other buttons.
        if (ref) resolve(() => runButton(file, ref, (button as LineButton).action));
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      reasons
        .then((found) => itemsOf(deps, file, found))
        .then((items) => {
          picker.items = items;
          picker.busy = false;
        })
        .catch(reject);
    });
    if (!open) throw new vscode.CancellationError();
    picker.hide();
    await open();
  } finally {
    picker.dispose();
  }
}

function runButton(file: string, ref: EntryRef, action: ButtonAction): Thenable<unknown> {
  const row = { row: 'entry', ...ref, file };
  switch (action) {
    case 'side':
      return vscode.commands.executeCommand('sessionTree.showContextToSide', row);
    case 'change':
      return vscode.commands.executeCommand('sessionTree.showFileChange', row);
    case 'resume':
      return vscode.commands.executeCommand('sessionTree.resume', row);
  }
}

async function itemsOf(deps: CommandDeps, file: string, { origin, commit, earlier }: WhyThisLine): Promise<LineItem[]> {
  const items: LineItem[] = origin ? await turnItems(deps, file, origin, origin.certainty === 'likely') : [unknownItem(earlier.length > 0)];
  if (commit) {
    const { hash, author, time, summary } = commit;
    items.push(separator(vscode.l10n.t({ message: 'Commit', comment: 'Heading: the Git commit of a line' })), {
      label: summary,
      description: [hash.slice(0, HASH_LENGTH), author, deps.ago(time)].filter((part) => part !== '').join(' · '),
      iconPath: new vscode.ThemeIcon('git-commit'),
      open: () => copyHash(hash),
    });
  }
  if (earlier.length > 0) {
    items.push(separator(vscode.l10n.t('Earlier versions')));
    for (const version of earlier) items.push(await versionItem(deps, file, version));
  }
  return items;
}

/** The prompt, the message and the session of a line. */
async function turnItems(deps: CommandDeps, file: string, ref: EntryRef, isLikely: boolean): Promise<LineItem[]> {
  const session = await deps.session(ref.path);
  const turn = turnOf(session, ref.entryId);
  const { path, entryId, promptId, prompt, model } = turn;
  const common = { ref: { path, entryId }, buttons: buttons() };
  const items: LineItem[] = [separator(isLikely ? vscode.l10n.t('Probable origin') : vscode.l10n.t('Origin'))];
  if (promptId !== undefined)
    items.push({
      ...common,
      label: vscode.l10n.t({
        message: 'prompt: {0}',
        args: [prompt ?? vscode.l10n.t('(no text)')],
        comment: 'Says what an item of a list is: a message of the person',
      }),
      iconPath: new vscode.ThemeIcon(roleIcon('user')),
      open: () => deps.showEntry({ path, entryId: promptId }),
    });
  const head = session.byId.get(entryId);
  const branch = turn.isActive ? '' : vscode.l10n.t('on an abandoned branch');
  items.push(
    {
      ...common,
      label: head?.hasText === true ? plainRow(head) : vscode.l10n.t('Edit of {name}', { name: basename(file) }),
      description: joined(deps.ago(turn.time), model?.modelId ?? '', branch),
      iconPath: new vscode.ThemeIcon('edit'),
      open: () => runButton(file, { path, entryId }, 'change'),
    },
    {
      ...common,
      label: localizeTitle(turn.title),
      description: joined(
        vscode.l10n.t({ message: 'session', comment: 'Says what an item of a list is' }),
        DIALECT_FACTS[turn.dialect].label,
      ),
      iconPath: new vscode.ThemeIcon('comment-discussion'),
      open: () => deps.showContext({ path }),
    },
  );
  return items;
}

/** Makes the item of an earlier version; without a prompt if its session is gone. */
async function versionItem(deps: CommandDeps, file: string, { path, entryId, time, text }: LineVersion): Promise<LineItem> {
  const turn: Turn | undefined = await deps.session(path).then(
    (session) => turnOf(session, entryId),
    () => undefined,
  );
  return {
    ref: { path, entryId },
    buttons: buttons(),
    label: text.trim() === '' ? vscode.l10n.t('(blank line)') : text.trim(),
    // The line itself leaves no room for a description.
    detail: joined(deps.ago(time), ...(turn ? [turn.prompt ?? '', localizeTitle(turn.title)] : [])),
    iconPath: new vscode.ThemeIcon('history'),
    open: () => runButton(file, { path, entryId }, 'change'),
  };
}

/** Makes the item for a line whose origin isn't known, with possible reasons. */
function unknownItem(hadVersions: boolean): LineItem {
  const detail = hadVersions
    ? vscode.l10n.t('It was changed since by a person or a command, or it’s too common to tell, like a bracket.')
    : vscode.l10n.t('A person or a command wrote it, its session isn’t known here, or it’s too common to tell, like a bracket.');
  return { label: vscode.l10n.t('No session is known to have written this line'), detail, iconPath: new vscode.ThemeIcon('info') };
}

async function copyHash(hash: string): Promise<void> {
  await vscode.env.clipboard.writeText(hash);
  setStatusBarMessage(vscode.l10n.t('Copied {0}', hash.slice(0, HASH_LENGTH)), STATUS_MESSAGE_DURATION);
}

const separator = (label: string): LineItem => ({ label, kind: vscode.QuickPickItemKind.Separator });

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

const buttons = (): LineButton[] => [
  { action: 'side', iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: vscode.l10n.t('Open Context to the Side') },
  { action: 'change', iconPath: new vscode.ThemeIcon('diff'), tooltip: vscode.l10n.t('Show the Change') },
  { action: 'resume', iconPath: new vscode.ThemeIcon('terminal'), tooltip: vscode.l10n.t('Resume') },
];
