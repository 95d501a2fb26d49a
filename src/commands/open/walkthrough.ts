/** Opens the walkthrough once, when there are sessions to try it with. */
import * as vscode from 'vscode';

const WALKTHROUGH = 'pi-session-tree.pi-session-tree#sessionTree.start';
const SHOWN = 'sessionTree.walkthroughShown';
/** The editor's own setting for walkthroughs of new extensions. */
const SETTING = 'workbench.welcomePage.walkthroughs.openOnInstall';

/** @param state the extension's global state, which remembers that the walkthrough was opened */
export async function openWalkthroughOnce(state: vscode.Memento): Promise<void> {
  if (state.get(SHOWN) === true || vscode.workspace.getConfiguration().get<unknown>(SETTING) === false) return;
  // Before it opens, so that a second window doesn't open it, too.
  await state.update(SHOWN, true);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH, false);
}
