/** Prompts of commands. Cancelling one throws `CancellationError`, which ends the command. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import {
  defined,
  headsOf,
  isVisibleAt,
  oneLine,
  pathPlaces,
  SessionError,
  STEP_LENGTH,
  Yielder,
  type Session,
  type Steps,
  shortPath,
} from '../../core/index';
import { localizeRow } from '../../ui/localize';
import { createFilledQuickPick, showInputBox, showInputBoxWithButton } from '../../ui/safe/quickInput';
import { showModal } from '../../ui/safe/messages';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';
import { newestFirst } from './sessions/newestFirst';
import { distinctFolders } from './sessions/projectFolders';
import { createSessionPicker, sessionItem } from './sessions/sessionPicker';
import type { CommandDeps } from './commandDeps';

/** UTF-16 units of an entry's text in a message. */
const MAX_ENTRY_NAME = 60;

/** A choice in a list. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** Shows a list and resolves to the chosen value. `current` is active at first. @throws {vscode.CancellationError} */
export async function choose<T>(title: string, placeholder: string, choices: readonly Choice<T>[], current?: T): Promise<T> {
  const picker = await createFilledQuickPick(choices);
  // Otherwise the editor makes the first item active, so that Enter chooses it.
  if (current !== undefined) picker.activeItems = choices.filter((choice) => choice.value === current);
  return chooseIn(picker, title, placeholder);
}

/** Shows a quick pick, resolves to the chosen value, and disposes of it. @throws {vscode.CancellationError} */
export async function chooseIn<T>(picker: vscode.QuickPick<Choice<T>>, title: string, placeholder: string): Promise<T> {
  try {
    picker.title = title;
    picker.placeholder = placeholder;
    picker.matchOnDescription = true;
    picker.matchOnDetail = true;
    const chosen = await new Promise<Choice<T> | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.activeItems[0]));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!chosen) throw new vscode.CancellationError();
    return chosen.value;
  } finally {
    picker.dispose();
  }
}

/** Like {@link choose}, with a check mark at the current value, which screen readers hear as its description. */
export function chooseSettingValue<T>(title: string, placeholder: string, choices: readonly Choice<T>[], current: T): Promise<T> {
  const mark = vscode.l10n.t({ message: 'current', comment: 'Marks the current choice in a list' });
  const marked = choices.map((choice) =>
    choice.value === current
      ? {
          ...choice,
          description: [mark, ...(choice.description ? [choice.description] : [])].join(' · '),
          iconPath: new vscode.ThemeIcon('check'),
        }
      : { ...choice, iconPath: new vscode.ThemeIcon('blank') },
  );
  return choose(title, placeholder, marked, current);
}

/** @throws {vscode.CancellationError} */
export async function askText(options: vscode.InputBoxOptions): Promise<string> {
  const text = await showInputBox({ ignoreFocusOut: true, ...options });
  if (text === undefined) throw new vscode.CancellationError();
  return text;
}

/** Like {@link askText}, with a button in the title; resolves to `null` if the person chose it. @throws {vscode.CancellationError} */
export async function askTextOr(options: vscode.InputBoxOptions, button: vscode.QuickInputButton): Promise<string | null> {
  const text = await showInputBoxWithButton(options, button);
  if (text === undefined) throw new vscode.CancellationError();
  return text;
}

/** Shows a modal dialog; resolves if `yes` was chosen. @throws {vscode.CancellationError} */
export async function confirm(question: string, detail: string, yes: string): Promise<void> {
  if ((await showModal({ question, detail }, yes)) !== yes) throw new vscode.CancellationError();
}

/** Lets the person pick one of all known sessions; resolves to its path. @throws {SessionError} `not-found` if there are none */
export async function chooseSession(deps: CommandDeps, title: string): Promise<string> {
  const sessions = deps.sessions();
  if (sessions.length === 0) throw new SessionError('not-found', 'There are no sessions yet.');
  const parents = await deps.subagentParents();
  const picker = await createSessionPicker(deps, sessions, (session) => ({ ...sessionItem(deps, session, parents), value: session.path }));
  return chooseIn(picker, title, vscode.l10n.t('Select a session'));
}

/** Returns the beginning of an entry's text without Markdown marks, for messages. */
export function entryDisplayName(session: Session, id: string): string {
  const head = session.byId.get(id);
  return head ? localizeRow(head, MAX_ENTRY_NAME) : oneLine(id, MAX_ENTRY_NAME);
}

/** Lets the person pick an entry of the active branch, newest first; resolves to its id. */
export async function chooseEntry(session: Session, title: string): Promise<string> {
  return choose(title, vscode.l10n.t('Select an entry'), await new Yielder(undefined).run(entryChoices(session)));
}

/** Returns the entries of the active branch that have rows, newest first. Keeps no heads. */
function* entryChoices(session: Session): Steps<Choice<string>[]> {
  const heads = headsOf(session);
  const choices: Choice<string>[] = [];
  for (const [index, place] of pathPlaces(heads, session.leafId).reverse().entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (!isVisibleAt(session, heads, place, 'default')) continue;
    const head = heads.peek(place);
    choices.push({ label: localizeRow(head), ...defined({ description: session.labels.get(head.id) }), value: head.id });
  }
  return choices;
}

/** The choice that opens the dialog for folders. */
export const browseChoice = (): Choice<string> => ({
  label: vscode.l10n.t('Browse…'),
  iconPath: new vscode.ThemeIcon('folder-opened'),
  alwaysShow: true,
  value: '',
});

/** Lets the person pick a folder: a workspace folder, a project with sessions, or any other. `except`, and folders that are gone, aren't listed. */
export async function chooseFolder(deps: CommandDeps, title: string, { except }: { readonly except?: string } = {}): Promise<string> {
  const known = (await newestFirst(deps.sessions())).map(({ cwd }) => cwd);
  const all = distinctFolders([...workspaceFolderPaths(), ...known], process.platform).filter(
    (folder) => folder !== '' && folder !== except,
  );
  const areMissing = await Promise.all(all.map((folder) => deps.untrustedPaths.isMissing(folder)));
  const folders = all.filter((_, index) => areMissing[index] !== true);
  const folder = await choose(title, vscode.l10n.t('Select a project'), [...folders.map(folderChoice), browseChoice()]);
  return folder === '' ? browseFolder(title) : folder;
}

export const folderChoice = (folder: string): Choice<string> => ({
  label: basename(folder) || folder,
  description: shortPath(folder),
  iconPath: vscode.ThemeIcon.Folder,
  value: folder,
});

/** Shows the dialog for folders. @param start the folder in which it begins @throws {vscode.CancellationError} */
export async function browseFolder(title: string, start?: string): Promise<string> {
  const picked = await vscode.window.showOpenDialog({
    canSelectFolders: true,
    canSelectFiles: false,
    title,
    openLabel: vscode.l10n.t('Select'),
    ...(start === undefined ? {} : { defaultUri: vscode.Uri.file(start) }),
  });
  if (!picked?.[0]) throw new vscode.CancellationError();
  return picked[0].fsPath;
}

/** Names that a dialog lists. */
const MAX_LISTED = 10;

/** Lists up to ten names, one per line, and the number of the others. */
export function nameList(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return [...names.slice(0, MAX_LISTED), ...(more > 0 ? [vscode.l10n.t('and {count} more', { count: more })] : [])].join('\n');
}
