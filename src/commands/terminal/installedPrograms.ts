/** Finds out which programs are installed, as the launch of a terminal would locate them. Runs none of them. */
import * as vscode from 'vscode';
import { DIALECTS, findProgram, type Dialect } from '../../core/index';
import { configuredStartCommand, thisHost } from './configuredPrograms';

export interface ProgramLocation {
  readonly dialect: Dialect;
  /** The name or path that was looked for. */
  readonly name: string;
  /** Absolute; `undefined` if it isn't installed. */
  readonly path: string | undefined;
}

export function locatePrograms(): Promise<ProgramLocation[]> {
  const host = thisHost();
  return Promise.all(
    DIALECTS.map(async (dialect) => {
      const [name = ''] = configuredStartCommand(dialect);
      return { dialect, name, path: await findProgram(name, host) };
    }),
  );
}

/** Sets the context key of installed programs, such as `pi omp` or `none`, which the welcome content of the empty view depends on. */
export async function updateInstalledKey(): Promise<void> {
  const installed = (await locatePrograms()).filter(({ path }) => path !== undefined).map(({ dialect }) => dialect);
  await vscode.commands.executeCommand('setContext', 'sessionTree.installed', installed.join(' ') || 'none');
}
