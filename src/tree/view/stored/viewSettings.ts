/** Reads the view's settings, and writes the chosen filter. */
import * as vscode from 'vscode';
import { isDialect, isFilter, type Dialect, type Filter } from '../../../core/index';

export interface ViewSettings {
  readonly filter: Filter;
  readonly program: Dialect | 'all';
  readonly hideEmpty: boolean;
  readonly hideSubagents: boolean;
  /** True if the worktrees of a project are rows above their sessions. */
  readonly worktreeLevel: boolean;
  readonly opensOnClick: boolean;
  /** The editor's own setting: false if file decorations have no badges. */
  readonly showsBadges: boolean;
}

const SECTION = 'sessionTree';
/** The editor's setting for badges of file decorations. */
export const BADGES = 'explorer.decorations.badges';

export const showsBadges = (): boolean => vscode.workspace.getConfiguration().get<unknown>(BADGES) !== false;

/** Invalid values count as the default. */
export function readViewSettings(): ViewSettings {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const filter = settings.get<unknown>('filter');
  const program = settings.get<unknown>('program');
  return {
    filter: isFilter(filter) ? filter : 'default',
    program: isDialect(program) ? program : 'all',
    hideEmpty: settings.get<unknown>('hideEmpty') !== false,
    hideSubagents: settings.get<unknown>('hideSubagents') === true,
    worktreeLevel: settings.get<unknown>('worktrees') === 'level',
    opensOnClick: settings.get<unknown>('openOnClick') !== false,
    showsBadges: showsBadges(),
  };
}

/** Writes the filter to the workspace's settings if they have one, else to the user's. */
export async function writeFilter(filter: Filter): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const inWorkspace = settings.inspect('filter')?.workspaceValue !== undefined;
  await settings.update('filter', filter, inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/** Removes the values of the settings that hide rows, from the workspace's settings and the user's. */
export async function clearFilterSettings(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  for (const name of ['filter', 'program', 'hideSubagents']) {
    const { workspaceValue, globalValue } = settings.inspect(name) ?? {};
    if (workspaceValue !== undefined) await settings.update(name, undefined, vscode.ConfigurationTarget.Workspace);
    if (globalValue !== undefined) await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}

export function affectsViewSettings(event: vscode.ConfigurationChangeEvent): boolean {
  const own = ['filter', 'program', 'hideEmpty', 'hideSubagents', 'worktrees', 'openOnClick'].map((name) => `${SECTION}.${name}`);
  return [...own, BADGES].some((name) => event.affectsConfiguration(name));
}
