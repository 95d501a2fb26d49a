/** Shows the running sessions of the window's folders in the status bar. */
import * as vscode from 'vscode';
import { isWithin, type SessionSummary } from '../core/index';
import { localizeTitle } from '../ui/localize';
import { createStatusBarItem, type StatusBarItem } from '../ui/statusBar';
import { AdaptiveInterval } from './adaptiveInterval';

export interface RunningSessionsDeps {
  /** Returns all known sessions, newest first. */
  readonly sessions: () => readonly SessionSummary[];
  /** Checks which of these sessions another program has. */
  readonly check: (paths: readonly string[]) => Promise<void>;
  readonly isRunning: (path: string) => boolean;
  readonly onError: (error: unknown, doing: string) => void;
}

const RUNNING_COMMAND = 'sessionTree.goToRunning';
const SETTING = 'sessionTree.statusBar';
/** Sessions that are checked: a folder's older ones are rarely running. */
const MAX_CHECKED = 50;
/** Shortest and longest pause between checks, in milliseconds. */
const CHECK_DELAYS = [3000, 30_000] as const;

export class RunningSessions implements vscode.Disposable {
  private readonly item: StatusBarItem = createStatusBarItem(
    'sessionTree.running',
    vscode.l10n.t('Running Sessions'),
    'comment-discussion',
    RUNNING_COMMAND,
  );
  private readonly timer = new AdaptiveInterval(...CHECK_DELAYS, () => this.check());

  constructor(private readonly deps: RunningSessionsDeps) {}

  /** Checks the newest sessions of the window's folders, and shows the result. Never rejects. */
  async check(): Promise<void> {
    try {
      const isShown = vscode.workspace.getConfiguration().get<unknown>(SETTING) !== false;
      if (isShown) await this.deps.check(this.candidates().map(({ path }) => path));
      this.show(isShown ? this.running() : []);
    } catch (error) {
      this.deps.onError(error, 'looking for running sessions');
    }
  }

  /** Returns the running sessions of the window's folders as of the last check, newest first. */
  running(): readonly SessionSummary[] {
    return this.candidates().filter(({ path }) => this.deps.isRunning(path));
  }

  dispose(): void {
    this.timer.dispose();
    this.item.dispose();
  }

  private candidates(): readonly SessionSummary[] {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
    const isHere = ({ cwd }: SessionSummary): boolean => cwd !== '' && folders.some((folder) => isWithin(cwd, folder, process.platform));
    return folders.length === 0 ? [] : this.deps.sessions().filter(isHere).slice(0, MAX_CHECKED);
  }

  private show(running: readonly SessionSummary[]): void {
    const titles = running.map(({ title }) => localizeTitle(title));
    const count =
      running.length === 1 ? vscode.l10n.t('1 running session') : vscode.l10n.t('{count} running sessions', { count: running.length });
    this.item.show(
      running.length === 0
        ? undefined
        : { text: String(running.length), tooltip: [count, ...titles].join('\n'), label: `${count}: ${titles.join(', ')}` },
    );
  }
}
