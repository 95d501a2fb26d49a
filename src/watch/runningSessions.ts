/** Shows the running sessions of the window's folders in the status bar, and at the view's icon how many need input. */
import * as vscode from 'vscode';
import { finishSteps, isWithin, sortSteps, STEP_LENGTH, Yielder, type SessionSummary, type Steps } from '../core/index';
import { localizeSessionTitle } from '../ui/localize';
import { createStatusBarItem, type StatusBarItem } from '../ui/safe/statusBar';
import { workspaceFolderPaths } from '../ui/workspaceFolders';
import { AdaptiveInterval } from './adaptiveInterval';
import type { IdleTime } from './idleTime';
import type { TurnNotifications } from './turnNotifications';

interface RunningSessionsDeps {
  /** Returns all known sessions, in any order. */
  readonly sessions: () => Iterable<SessionSummary>;
  /** Checks which of these sessions another program has. */
  readonly check: (paths: readonly string[]) => Promise<void>;
  readonly isRunning: (path: string) => boolean;
  /** True if a session's program waits for the person. */
  readonly needsInput: (path: string) => boolean;
  /** Shows at the view's icon how many sessions need input. */
  readonly showBadge: (count: number) => void;
  /** Notices the ends of turns. */
  readonly turns?: Pick<TurnNotifications, 'isOn' | 'update'>;
  /** The sessions that the window shows, in whatever folder they are. */
  readonly shown?: () => readonly SessionSummary[];
  readonly idle: IdleTime;
  readonly onError: (error: unknown, doing: string) => void;
}

const RUNNING_COMMAND = 'sessionTree.goToRunning';
const STATUS_BAR_SETTING = 'sessionTree.statusBar';
const BADGE_SETTING = 'sessionTree.badge';
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
  private readonly timer: AdaptiveInterval;

  constructor(private readonly deps: RunningSessionsDeps) {
    this.timer = new AdaptiveInterval(...CHECK_DELAYS, () => this.check(), deps.idle);
  }

  /** Checks the newest sessions of the window's folders, and shows the result. Never rejects. */
  async check(): Promise<void> {
    try {
      const isShown = isOn(STATUS_BAR_SETTING);
      const hasBadge = isOn(BADGE_SETTING);
      const { turns, shown } = this.deps;
      const isNeeded = isShown || hasBadge || turns?.isOn === true;
      const candidates = isNeeded ? await new Yielder(undefined).run(this.candidates()) : [];
      if (isNeeded) await this.deps.check(candidates.map(({ path }) => path));
      if (turns?.isOn) turns.update([...new Set([...candidates, ...(shown?.() ?? [])])]);
      const running = this.runningAmong(candidates);
      this.show(isShown ? running : []);
      this.deps.showBadge(hasBadge ? running.filter(({ path }) => this.deps.needsInput(path)).length : 0);
    } catch (error) {
      this.deps.onError(error, 'looking for running sessions');
    }
  }

  /** Returns the running sessions of the window's folders as of the last check, newest first, including sessions that need input. */
  running(): readonly SessionSummary[] {
    return this.runningAmong(finishSteps(this.candidates()));
  }

  dispose(): void {
    this.timer.dispose();
    this.item.dispose();
  }

  private runningAmong(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
    return sessions.filter(({ path }) => this.deps.isRunning(path) || this.deps.needsInput(path));
  }

  /** Returns the newest sessions of the window's folders. Compares each folder only once: thousands of sessions have few folders. */
  private *candidates(): Steps<readonly SessionSummary[]> {
    const folders = workspaceFolderPaths();
    const known = new Map([['', false]]);
    const isHere = ({ cwd }: SessionSummary): boolean => {
      const is = known.get(cwd) ?? folders.some((folder) => isWithin(cwd, folder, process.platform));
      known.set(cwd, is);
      return is;
    };
    // By path: a session that is replaced in a pause may come again.
    const here = new Map<string, SessionSummary>();
    let walked = 0;
    for (const summary of folders.length > 0 ? this.deps.sessions() : []) {
      if (isHere(summary)) here.set(summary.path, summary);
      if (++walked % STEP_LENGTH === 0) yield;
    }
    return (yield* sortSteps([...here.values()], (a, b) => b.modified - a.modified)).slice(0, MAX_CHECKED);
  }

  private show(running: readonly SessionSummary[]): void {
    const titles = running.map((session) => {
      const title = localizeSessionTitle(session);
      return this.deps.needsInput(session.path) ? `${title} · ${vscode.l10n.t('needs input')}` : title;
    });
    const count =
      running.length === 1 ? vscode.l10n.t('1 running session') : vscode.l10n.t('{count} running sessions', { count: running.length });
    this.item.show(
      running.length === 0
        ? undefined
        : { text: String(running.length), tooltip: [count, ...titles].join('\n'), label: `${count}: ${titles.join(', ')}` },
    );
  }
}

const isOn = (setting: string): boolean => vscode.workspace.getConfiguration().get<unknown>(setting) !== false;
