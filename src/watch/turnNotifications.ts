/** Notifications about long turns that have ended: one at a time, and in one window only. */
import * as vscode from 'vscode';
import { claimOnce, type SessionSummary } from '../core/index';
import { localizeSessionTitle } from '../ui/localize';
import { showInformation, showWarning } from '../ui/safe/messages';
import { TurnTracker, type EndedTurn } from './turnTracker';

const SETTING = 'sessionTree.notifications';

export interface TurnNotificationsDeps {
  /** The folder of the claims, which all windows share. */
  readonly folder: string;
  readonly isRunning: (path: string) => boolean;
  /** True for the session of a subagent: its parent's turn is the person's. */
  readonly isSubagent: (path: string) => boolean;
  /** True for a session that the person sees. */
  readonly isInSight: (path: string) => boolean;
  readonly onError: (error: unknown, doing: string) => void;
}

export class TurnNotifications {
  private readonly tracker = new TurnTracker();
  private isShowing = false;
  /** The newest turn that ended while a notification is shown. */
  private next: EndedTurn | undefined;

  constructor(private readonly deps: TurnNotificationsDeps) {}

  /** False if the person wants none. */
  get isOn(): boolean {
    return wanted() !== 'off';
  }

  /** Called with the sessions of the window as they are now. */
  update(sessions: readonly SessionSummary[]): void {
    const { isRunning, isSubagent, isInSight } = this.deps;
    const own = sessions.filter(({ path }) => !isSubagent(path));
    for (const turn of this.tracker.update(own, isRunning, Date.now()))
      if ((wanted() === 'all' || turn.outcome !== 'done') && !isInSight(turn.session.path)) this.next = turn;
    void this.showNext().catch((error: unknown) => this.deps.onError(error, 'telling of a turn'));
  }

  private async showNext(): Promise<void> {
    if (this.isShowing) return;
    this.isShowing = true;
    try {
      for (let turn = this.next; turn && this.isOn; turn = this.next) {
        this.next = undefined;
        const { path, modified } = turn.session;
        if (await claimOnce(this.deps.folder, `${path} ${modified}`)) await show(turn);
      }
    } finally {
      this.isShowing = false;
    }
  }
}

async function show({ session, outcome }: EndedTurn): Promise<void> {
  const title = localizeSessionTitle(session);
  const open = vscode.l10n.t('Show Context');
  const choice =
    outcome === 'failed'
      ? await showWarning(vscode.l10n.t('“{0}” ended with an error.', title), open)
      : await showInformation(
          outcome === 'waits' ? vscode.l10n.t('“{0}” asks you something.', title) : vscode.l10n.t('“{0}” is done.', title),
          open,
        );
  if (choice === open) await vscode.commands.executeCommand('sessionTree.showContext', { row: 'session', path: session.path });
}

function wanted(): 'off' | 'waitsAndFailures' | 'all' {
  const value = vscode.workspace.getConfiguration().get<unknown>(SETTING);
  return value === 'off' || value === 'all' ? value : 'waitsAndFailures';
}
