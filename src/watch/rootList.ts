/** The current session folders: the folders found automatically and the folders of the setting. */
import * as vscode from 'vscode';
import {
  currentEnvironment,
  findRoots,
  parseRootSetting,
  type RootSetting,
  type SessionError,
  isEntryLimitError,
  type DiskAccess,
  type Root,
  type RootEnvironment,
} from '../core/index';
import { TimeoutProbe } from './timeoutProbe';

export class RootList implements vscode.Disposable {
  private roots: readonly Root[] = [];
  private existingPaths: ReadonlySet<string> = new Set();
  /** The roots that haven't answered yet. */
  private pending: readonly Root[] = [];
  private readonly probe: TimeoutProbe;
  private readonly tooLarge = new Set<string>();
  private readonly reported = new Set<string>();
  private readonly settingProblem = new vscode.EventEmitter<SessionError>();
  /** Fires with each value of the setting that can't be used, once. */
  readonly onSettingProblem = this.settingProblem.event;

  /** @param onAnswer called when `refresh` would find other roots, because a folder has answered or hasn't answered for long */
  constructor(
    private readonly onProblem: (path: string, error: unknown) => void,
    onAnswer: () => void,
  ) {
    this.probe = new TimeoutProbe(onAnswer);
  }

  /** The roots that have answered whether they exist. A network mount whose server is gone doesn't, and must not hold anything up. */
  current(): readonly Root[] {
    return this.roots;
  }

  /** The roots that haven't answered for so long that the user should know. */
  silent(): readonly Root[] {
    return this.pending.filter(({ path }) => this.probe.isSilent(path));
  }

  /** Records the reason why a folder couldn't be listed. */
  recordListError(path: string, error: unknown): void {
    if (isEntryLimitError(error)) this.tooLarge.add(path);
  }

  /** The roots that were too large to be listed completely. */
  truncated(): readonly Root[] {
    return this.roots.filter(({ path }) => this.tooLarge.has(path));
  }

  /** The roots of the setting, existing or not. */
  configured(): RootSetting {
    const { home } = currentEnvironment();
    const setting = vscode.workspace.getConfiguration('sessionTree').get<unknown>('roots');
    return parseRootSetting(setting, home, vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? home);
  }

  /** The folders of the setting, and the projects whose own settings may name one. */
  ofWindow(): Required<Pick<RootEnvironment, 'added' | 'projects'>> {
    const projects = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath) : [];
    return { added: this.configured().roots, projects };
  }

  /** Finds the roots again. Resolves to true if the roots changed, or whether they exist. */
  async refresh(): Promise<boolean> {
    const before = this.fingerprint();
    const { added, projects } = this.ofWindow();
    const existing = new Set<string>();
    const access: DiskAccess = async (path, operation) => {
      const answer = await this.probe.run(path, operation);
      existing.add(path);
      return answer;
    };
    const found = await findRoots({ ...currentEnvironment(projects), added, access }, this.onProblem);
    for (const problem of this.configured().problems) this.reportOnce(problem);
    this.existingPaths = existing;
    this.roots = found.filter(({ path }) => !this.probe.isPending(path));
    this.pending = found.filter(({ path }) => this.probe.isPending(path));
    return before !== this.fingerprint();
  }

  /** The roots that exist. */
  existing(): readonly Root[] {
    return this.roots.filter(({ path }) => this.existingPaths.has(path));
  }

  dispose(): void {
    this.probe.dispose();
    this.settingProblem.dispose();
  }

  private reportOnce(problem: SessionError): void {
    if (!this.reported.has(problem.message)) this.settingProblem.fire(problem);
    this.reported.add(problem.message);
  }

  /** The roots with their settings, and whether they exist. */
  fingerprint(): string {
    return JSON.stringify(this.roots.map((root) => [root, this.existingPaths.has(root.path)]));
  }
}
