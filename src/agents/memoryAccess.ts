/** The settings of look-ups, and the files by which programs outside of the editor obey them. */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { currentEnvironment, expandPath, isArray, isMissing, makePrivateFolder, writePrivateFile } from '../core/index';
import type { MemorySettings } from '../memory/settings';
import { agentFiles } from './agentFiles';
import { writeLauncher } from './launcher';

const SECTION = 'sessionTree.memory';

export class MemoryAccess implements vscode.Disposable {
  readonly files = agentFiles(currentEnvironment(), vscode.env.uriScheme);
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when a setting has changed. */
  readonly onDidChange = this.changed.event;
  private readonly listener: vscode.Disposable;

  /** @param extension the extension's folder */
  constructor(
    private readonly extension: string,
    onError: (error: unknown, doing: string) => void,
  ) {
    const update = (): void => void this.update().catch((error: unknown) => onError(error, 'writing the settings of look-ups'));
    this.listener = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(SECTION) && !event.affectsConfiguration('sessionTree.roots')) return;
      update();
      this.changed.fire();
    });
    // The extension's folder is another one after an update.
    update();
  }

  /** The path of a program of the extension, such as `mcp.js`. */
  program(name: string): string {
    return join(this.extension, 'dist', name);
  }

  settings(): MemorySettings {
    const settings = vscode.workspace.getConfiguration(SECTION);
    const excluded = settings.get<unknown>('excludedProjects');
    return {
      isEnabled: settings.get('enabled') !== false,
      excludedProjects: (isArray(excluded) ? excluded : [])
        .filter((folder) => typeof folder === 'string' && folder !== '')
        .map((folder) => expandPath(String(folder), homedir())),
      added: [],
      log: this.files.log,
    };
  }

  /** Writes the settings and the launcher. Resolves when programs that start now obey them. @throws {SessionError} */
  async write(): Promise<void> {
    const { isEnabled, excludedProjects, log } = this.settings();
    // A workspace's own value is only for its window.
    const roots = vscode.workspace.getConfiguration('sessionTree').inspect('roots')?.globalValue;
    await makePrivateFolder(this.files.folder);
    await writePrivateFile(this.files.settings, JSON.stringify({ version: 1, enabled: isEnabled, excludedProjects, roots, log }));
    await writeLauncher(this.files, { execPath: process.execPath, cli: this.program('cli.js') });
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }

  /** Nothing is written before some program needs it. */
  private async update(): Promise<void> {
    try {
      await stat(this.files.settings);
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    await this.write();
  }
}
