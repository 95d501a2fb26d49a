/** Go to Session: a list like the one of Ctrl+P, from which a session is opened, opened to the side, or resumed. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { SessionError } from '../../core/index';
import { requiredString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { createSessionPicker, findSessions, sessionItem } from '../handler/sessions/sessionPicker';
import type { SideKey } from '../handler/sideKey';
import { checkedRef } from './openCommands';

type OpenHow = 'open' | 'side' | 'resume';

interface SessionChoice extends vscode.QuickPickItem {
  readonly path: string;
}

interface OpenButton extends vscode.QuickInputButton {
  readonly how: OpenHow;
}

type Answer = CommandContract['sessionTree.goToSession']['answer'];

export function goToSessionCommands(deps: CommandDeps, sideKey: SideKey) {
  const goToSession: CommandHandler<Answer> = {
    title: vscode.l10n.t('Go to Session'),
    runWithArguments: async (args) => {
      const found = await findSessions(deps, deps.listedSessions(), requiredString(args, 'query'));
      return found.map(({ path }): SessionRef => ({ path }));
    },
    runInteractive: async (call) => {
      const picked = await pickSession(deps, sideKey);
      call.ref = { path: picked.path };
      await open(deps, call.ref, picked.how);
    },
  };

  return { 'sessionTree.goToSession': goToSession };
}

async function open(deps: CommandDeps, ref: SessionRef, how: OpenHow): Promise<void> {
  if (how === 'resume') await vscode.commands.executeCommand('sessionTree.resume', { row: 'session', ...ref });
  else await deps.showContext(await checkedRef(deps, ref), { preserveFocus: false, toSide: how === 'side' });
}

/** Shows the list. @throws {vscode.CancellationError} */
async function pickSession(deps: CommandDeps, sideKey: SideKey): Promise<{ readonly path: string; readonly how: OpenHow }> {
  if (deps.sessions().length === 0) throw new SessionError('not-found', 'There are no sessions yet.');
  const iconPath = new vscode.ThemeIcon('comment-discussion');
  const buttons = openButtons();
  const parents = await deps.subagentParents();
  const picker = await createSessionPicker(deps, deps.listedSessions(), (session): SessionChoice => ({
    ...sessionItem(deps, session, parents),
    iconPath,
    buttons,
    path: session.path,
  }));
  picker.placeholder = vscode.l10n.t('Search sessions by title, project, label or ID');
  let sideUse: vscode.Disposable | undefined;
  try {
    const picked = await new Promise<{ path: string; how: OpenHow } | undefined>((resolve) => {
      const choose = (choice: SessionChoice | undefined, how: OpenHow): void => choice && resolve({ path: choice.path, how });
      sideUse = sideKey.use(() => choose(picker.activeItems[0], 'side'));
      picker.onDidAccept(() => choose(picker.selectedItems[0] ?? picker.activeItems[0], 'open'));
      // Items have no other buttons.
      picker.onDidTriggerItemButton(({ item, button }) => choose(item, (button as OpenButton).how));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!picked) throw new vscode.CancellationError();
    return picked;
  } finally {
    sideUse?.dispose();
    picker.dispose();
  }
}

const openButtons = (): readonly OpenButton[] => [
  { how: 'side', iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: vscode.l10n.t('Open to the Side') },
  { how: 'resume', iconPath: new vscode.ThemeIcon('terminal'), tooltip: vscode.l10n.t('Resume in Terminal') },
];
