/** The script that starts the command line of the extension's current version with the editor's own Node.js. */
import { chmod } from 'node:fs/promises';
import { makePrivateFolder, readSmallText, writePrivateFile } from '../core/index';
import type { AgentFiles } from './agentFiles';

export interface LauncherOptions {
  /** The editor's program, which is Node.js if `ELECTRON_RUN_AS_NODE` is set. An update of a remote server replaces it. */
  readonly execPath: string;
  /** The path of `cli.js`. */
  readonly cli: string;
}

/** Returns the script for the shell of POSIX, or for `cmd` of Windows. */
export function launcherText({ execPath, cli }: LauncherOptions, platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return [
      '@echo off',
      'rem Written by the extension Pi Session Tree.',
      'set ELECTRON_RUN_AS_NODE=1',
      `"${execPath}" "${cli}" %*`,
      '',
    ].join('\r\n');
  return `#!/bin/sh
# Written by the extension Pi Session Tree. Starts its command line.
node=${quoted(execPath)}
cli=${quoted(cli)}
if [ ! -f "$cli" ]; then
  echo 'session-tree: The extension Pi Session Tree is gone or was updated. Open the editor once.' >&2
  exit 1
fi
[ -x "$node" ] || node=node
ELECTRON_RUN_AS_NODE=1 exec "$node" "$cli" "$@"
`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Writes the script if it isn't there as it should be. @throws {SessionError} if it can't be written */
export async function writeLauncher(
  { folder, launcher }: Pick<AgentFiles, 'folder' | 'launcher'>,
  options: LauncherOptions,
): Promise<void> {
  const text = launcherText(options, process.platform);
  // A file that can't be read is replaced.
  if ((await readSmallText(launcher, { followLink: false }).catch(() => undefined)) === text) return;
  await makePrivateFolder(folder);
  await writePrivateFile(launcher, text);
  await chmod(launcher, 0o700);
}
