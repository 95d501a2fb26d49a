// An extension beside the one under development: shows the Sessions view with a session in it, and its context.
import { commands } from 'vscode';

export async function activate() {
  const path = process.env.PST_SAMPLE_SESSION;
  await commands.executeCommand('sessionTree.sessions.focus');
  await commands.executeCommand('sessionTree.showContext', { path });
  await commands.executeCommand('sessionTree.revealSession', { path });
}
