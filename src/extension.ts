/** The extension's entry point. */
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import type { SessionTreeApi } from './api';
import { EarlyTree } from './tree/view/earlyTree';
import { loadCode } from './ui/loadCode';
import { openLog } from './ui/log';

/** Milliseconds until the message of the view has left for the window. Loading code would hold it back. */
const SENDING = 3;

/** Tells the window of the Sessions view first, and loads everything else while the window prepares the view. */
export async function activate(context: vscode.ExtensionContext): Promise<SessionTreeApi> {
  const log = openLog('Pi Session Tree');
  const onError = (error: unknown, doing: string): void => log.error(error, doing);
  let api: SessionTreeApi | undefined;
  const tree = new EarlyTree(async (view) => {
    await delay(SENDING);
    // The turn right after a timer still belongs to the timer's task.
    await turn();
    // Each is a task of about ten milliseconds.
    await loadCode(() => import('./activation/sessionReader'), onError);
    await loadCode(() => import('./activation/sessionData'), onError);
    const { connect } = await loadCode(() => import('./activation/connect'), onError);
    const made = connect(context, view, log);
    api = made.api;
    return made.parts;
  });
  context.subscriptions.push(log, tree);
  await tree.ready;
  if (!api) throw new Error('The view is ready before anything is connected.');
  return api;
}
