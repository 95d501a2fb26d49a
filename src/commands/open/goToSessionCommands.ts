/** Go to Session: a list like that of Ctrl+P, from which a session is opened, opened to the side, or resumed. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { SessionError } from '../../core/index';
import { requiredString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import { simpleHandler, type CommandHandler } from '../handler/commandHandler';
import { createSessionPicker, findSessions, sessionItem } from '../handler/sessionPicker';
import { checkedRef } from './openCommands';

/** Context key for the key that opens to the side. */
const OPEN_KEY = 'sessionTree.isGoingToSession';

type OpenHow = 'open' | 'side' | 'resume';

interface SessionChoice extends vscode.QuickPickItem {
  readonly path: string;
}

interface OpenButton extends vscode.QuickInputButton {
  readonly how: OpenHow;
}

type Answer = CommandContract['sessionTree.goToSession']['answer'];

export function goToSessionCommands(deps: CommandDeps) {
  /** Opens the active item of the shown list to the side. */
  let acceptToSide: (() => void) | undefined;

  const goToSession: CommandHandler<Answer> = {
    title: vscode.l10n.t('Go to Session'),
    runWithArguments: async (args) => {
      const found = await findSessions(deps, deps.listedSessions(), requiredString(args, 'query'));
      return found.map(({ path }): SessionRef => ({ path }));
    },
    runInteractive: async (call) => {
      const picked = await pickSession(deps, (accept) => {
        acceptToSide = accept;
        void vscode.commands.executeCommand('setContext', OPEN_KEY, accept !== undefined);
      });
      call.ref = { path: picked.path };
      await open(deps, call.ref, picked.how);
    },
  };

  return {
    'sessionTree.goToSession': goToSession,
    'sessionTree.goToSession.side': simpleHandler(() => acceptToSide?.()),
  };
}

async function open(deps: CommandDeps, ref: SessionRef, how: OpenHow): Promise<void> {
  if (how === 'resume') await vscode.commands.executeCommand('sessionTree.resume', { row: 'session', ...ref });
  else await deps.showContext(await checkedRef(deps, ref), { preserveFocus: false, toSide: how === 'side' });
}

/** Shows the list. @param setAccept receives what opens the active item to the side while the list is shown, and `undefined` after it. @throws {vscode.CancellationError} */
async function pickSession(
  deps: CommandDeps,
  setAccept: (accept: (() => void) | undefined) => void,
): Promise<{ readonly path: string; readonly how: OpenHow }> {
  if (deps.sessions().length === 0) throw new SessionError('not-found', 'There are no sessions yet.');
  const iconPath = new vscode.ThemeIcon('comment-discussion');
  const buttons = openButtons();
  const picker = await createSessionPicker(deps, deps.listedSessions(), (session): SessionChoice => ({
    ...sessionItem(deps, session),
    iconPath,
    buttons,
    path: session.path,
  }));
  picker.placeholder = vscode.l10n.t('Search sessions by title, project, label or ID');
  try {
    const picked = await new Promise<{ path: string; how: OpenHow } | undefined>((resolve) => {
      const choose = (choice: SessionChoice | undefined, how: OpenHow): void => choice && resolve({ path: choice.path, how });
      setAccept(() => choose(picker.activeItems[0], 'side'));
      picker.onDidAccept(() => choose(picker.selectedItems[0] ?? picker.activeItems[0], 'open'));
      // Items have no other buttons.
      picker.onDidTriggerItemButton(({ item, button }) => choose(item, (button as OpenButton).how));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!picked) throw new vscode.CancellationError();
    return picked;
  } finally {
    setAccept(undefined);
    picker.dispose();
  }
}

const openButtons = (): readonly OpenButton[] => [
  { how: 'side', iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: vscode.l10n.t('Open to the Side') },
  { how: 'resume', iconPath: new vscode.ThemeIcon('terminal'), tooltip: vscode.l10n.t('Resume in Terminal') },
];
