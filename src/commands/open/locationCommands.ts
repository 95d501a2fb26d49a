/** The command that shows where sessions and programs were looked for, and the results. */
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { DIALECT_FACTS, isMissing, type Root, shortPath } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { openSettings } from '../handler/openSettings';
import { choose, type Choice } from '../handler/prompts';
import { locatePrograms, type ProgramLocation } from '../terminal/installedPrograms';

type Answer = CommandContract['sessionTree.showLocations']['answer'];
type RootState = Answer['folders'][number]['state'];

export function locationCommands(deps: CommandDeps) {
  const locate = async (): Promise<{ roots: { root: Root; state: RootState }[]; programs: ProgramLocation[] }> => {
    await deps.rootsReady();
    const roots = await Promise.all(deps.roots().map(async (root) => ({ root, state: await stateOf(root) })));
    return { roots, programs: await locatePrograms() };
  };

  const showLocations: CommandHandler<Answer> = {
    title: vscode.l10n.t('Session Folders and Programs'),
    runWithArguments: async () => {
      const { roots, programs } = await locate();
      return {
        folders: roots.map(({ root: { path, dialect }, state }) => ({ path, dialect, state })),
        programs: programs.map(({ dialect, name, path }) => ({ dialect, name, path: path ?? null })),
      };
    },
    runInteractive: async (call) => {
      const { roots, programs } = await locate();
      // Many more places are looked at than there are.
      const foundFirst = roots.toSorted((a, b) => Number(a.state === 'missing') - Number(b.state === 'missing'));
      const { remoteName } = vscode.env;
      const place =
        remoteName === undefined
          ? vscode.l10n.t('Searched on this computer. Select an item to change its setting.')
          : vscode.l10n.t('Searched on the remote machine ({0})', remoteName);
      const choices = [
        separator(vscode.l10n.t('Session folders')),
        ...foundFirst.map(({ root, state }) => ({
          label: shortPath(root.path),
          description: `${DIALECT_FACTS[root.dialect].label} · ${describeState(state)}`,
          iconPath: new vscode.ThemeIcon(state === 'found' ? 'folder' : state === 'missing' ? 'circle-slash' : 'warning'),
          value: 'roots',
        })),
        separator(vscode.l10n.t('Programs')),
        ...programs.map(({ dialect, name, path }) => ({
          label: DIALECT_FACTS[dialect].label,
          description: path === undefined ? vscode.l10n.t('“{0}” isn’t on the PATH', name) : shortPath(path),
          iconPath: new vscode.ThemeIcon(path === undefined ? 'circle-slash' : 'check'),
          value: 'programs',
        })),
      ];
      await openSettings(await choose(call.title, place, choices));
    },
  };
  return { 'sessionTree.showLocations': showLocations };
}

const separator = (label: string): Choice<string> => ({ label, kind: vscode.QuickPickItemKind.Separator, value: '' });

const stateOf = ({ path }: Root): Promise<RootState> =>
  stat(path).then(
    () => 'found' as const,
    (error: unknown) => (isMissing(error) ? ('missing' as const) : ('unreadable' as const)),
  );

function describeState(state: RootState): string {
  switch (state) {
    case 'found':
      return vscode.l10n.t('found');
    case 'missing':
      return vscode.l10n.t('doesn’t exist');
    case 'unreadable':
      return vscode.l10n.t('can’t be read');
  }
}
