/** The session folders as they are now: those found by themselves and those of the setting. */
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { currentEnvironment, expandPath, findRoots, isDialect, type Root } from '../core/index';

export class RootList {
  private roots: readonly Root[] = [];

  constructor(private readonly onProblem: (path: string, error: unknown) => void) {}

  /** All roots, whether they exist or not. */
  current(): readonly Root[] {
    return this.roots;
  }

  /** Finds the roots anew. Resolves to whether they, or which of them exist, changed. */
  async look(): Promise<boolean> {
    const before = this.fingerprint();
    const projects = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath) : [];
    const environment = currentEnvironment(projects);
    this.roots = await findRoots({ ...environment, added: configuredRoots(environment.home) }, this.onProblem);
    return before !== this.fingerprint();
  }

  /** The roots that exist. */
  present(): readonly Root[] {
    return this.roots.filter((root) => existsSync(root.path));
  }

  private fingerprint(): string {
    return JSON.stringify(this.roots.map((root) => [root.path, root.dialect, root.flat, existsSync(root.path)]));
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
