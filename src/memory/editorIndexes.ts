/** The folders in which the extension keeps its index, in the editors that it runs in. */
import { isAbsolute, join } from 'node:path';
import type { RootEnvironment } from '../core/index';

const EXTENSION = 'pi-session-tree.pi-session-tree';
/** The names of the editors' folders for settings, and those of their servers on remotes. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor'];
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.vscodium-server', '.cursor-server'];

/** Returns the folders, whether they exist or not. */
export function editorIndexes({ env, home }: RootEnvironment, platform: NodeJS.Platform = process.platform): string[] {
  const named = (variable: string, ...otherwise: readonly string[]): string => {
    const value = env[variable];
    return value !== undefined && isAbsolute(value) ? value : join(home, ...otherwise);
  };
  const settings =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? named('APPDATA', 'AppData', 'Roaming')
        : named('XDG_CONFIG_HOME', '.config');
  return [
    ...EDITORS.map((name) => join(settings, name)),
    ...SERVERS.map((name) => join(home, name, 'data')),
    join(named('XDG_DATA_HOME', '.local', 'share'), 'code-server'),
  ].map((folder) => join(folder, 'User', 'globalStorage', EXTENSION, 'catalog'));
}
