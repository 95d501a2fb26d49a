/**
 * The folder for what programs outside of the editor read or run: the settings of look-ups, their record, and the launcher. Each editor
 * has its own. Unlike the editor's storage it's found without the editor, as the script that runs after uninstalling has to.
 */
import { isAbsolute, join } from 'node:path';
import type { RootEnvironment } from '../core/index';

export interface AgentFiles {
  readonly folder: string;
  /** See `MemorySettings`. */
  readonly settings: string;
  /** See `Lookup`. */
  readonly log: string;
  /** The program that starts the command line of the current version, whose own folder each update changes. */
  readonly launcher: string;
  /** See `InstalledRecord`. */
  readonly record: string;
}

/** Returns the folder of the folders of all editors. */
export function agentsFolder({ env, home }: RootEnvironment): string {
  const named = env['XDG_DATA_HOME'];
  return join(named !== undefined && isAbsolute(named) ? named : join(home, '.local', 'share'), 'session-tree');
}

/** @param editor a name such as `vscode` or `vscode-insiders` */
export function agentFiles(environment: RootEnvironment, editor: string): AgentFiles {
  return filesIn(join(agentsFolder(environment), editor.replaceAll(/[^\w-]/g, '') || 'editor'));
}

export function filesIn(folder: string): AgentFiles {
  return {
    folder,
    settings: join(folder, 'settings.json'),
    log: join(folder, 'lookups.jsonl'),
    launcher: join(folder, process.platform === 'win32' ? 'session-tree.cmd' : 'session-tree'),
    record: join(folder, 'installed.json'),
  };
}
