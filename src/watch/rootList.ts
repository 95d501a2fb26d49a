/** The session folders as they are now: those found by themselves and those of the setting. */
import * as vscode from 'vscode';
import { currentEnvironment, expandPath, findRoots, isEntryLimitError, isDialect, type DiskAccess, type Root } from '../core/index';
import { TimeoutProbe } from './timeoutProbe';

export class RootList implements vscode.Disposable {
  private roots: readonly Root[] = [];
  private existingPaths: ReadonlySet<string> = new Set();
  /** Those that have yet to answer. */
  private pending: readonly Root[] = [];
  private readonly probe: TimeoutProbe;
  private readonly tooLarge = new Set<string>();

  /** `onNews`: a look would now find other roots than the last one, or more to say of them. */
  constructor(
    private readonly onProblem: (path: string, error: unknown) => void,
    onNews: () => void,
  ) {
    this.probe = new TimeoutProbe(onNews);
  }

  /** All roots that say whether they exist. A network mount whose server is gone doesn't, and nobody is to wait for it. */
  current(): readonly Root[] {
    return this.roots;
  }

  /** Those that have not answered for so long that a person wants to know. */
  silent(): readonly Root[] {
    return this.pending.filter(({ path }) => this.probe.isSilent(path));
  }

  /** Takes note of why something couldn't be listed. */
  recordListError(path: string, error: unknown): void {
    if (isEntryLimitError(error)) this.tooLarge.add(path);
  }

  /** Those that were too large to be listed whole. */
  crowded(): readonly Root[] {
    return this.roots.filter(({ path }) => this.tooLarge.has(path));
  }

  /** Finds the roots anew. Resolves to whether they, or which of them exist, changed. */
  async refresh(): Promise<boolean> {
    const before = this.fingerprint();
    const projects = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath) : [];
    const environment = currentEnvironment(projects);
    const there = new Set<string>();
    const ask: DiskAccess = async (path, how) => {
      const answer = await this.probe.run(path, how);
      there.add(path);
      return answer;
    };
    const found = await findRoots({ ...environment, added: configuredRoots(environment.home), ask }, this.onProblem);
    this.existingPaths = there;
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
  }

  private fingerprint(): string {
    return JSON.stringify(this.roots.map((root) => [root.path, root.dialect, root.flat, this.existingPaths.has(root.path)]));
  }
}

function configuredRoots(home: string): Root[] {
  const setting = vscode.workspace.getConfiguration('sessionTree').get<unknown>('roots');
  const base = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? home;
  return (Array.isArray(setting) ? (setting as unknown[]) : []).flatMap((item): Root[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ path: expandPath(item, home, base), dialect: 'pi', flat: false }];
    if (typeof item !== 'object' || item === null || !('path' in item) || typeof item.path !== 'string' || item.path === '') return [];
    const dialect = 'dialect' in item && isDialect(item.dialect) ? item.dialect : 'pi';
    const flat = 'flat' in item && item.flat === true;
    return [{ path: expandPath(item.path, home, base), dialect, flat }];
  });
}
