/** Commands for the view as a whole: refresh, filters, settings, the log. */
import * as vscode from 'vscode';
import { DIALECT_FACTS, DIALECTS, FILTERS, isFilter, SessionError, type Dialect, type Filter } from '../core/index';
import { chooseSettingValue, type Choice } from './handler/prompts';
import type { CommandDeps } from './handler/commandDeps';
import { simpleHandler, type CommandHandler } from './handler/commandHandler';
import { optionalOneOf, requiredString } from './handler/commandArguments';

const PROGRAMS = ['all', ...DIALECTS] as const;

export function viewCommands(deps: CommandDeps) {
  const setFilter: CommandHandler<undefined> = {
    title: vscode.l10n.t('Filter Entries'),
    runWithArguments: async (args) => {
      const filter = requiredString(args, 'filter');
      if (!isFilter(filter))
        throw new SessionError('invalid', '“{name}” must be one of: {values}', { name: 'filter', values: FILTERS.join(', ') });
      await deps.setFilter(filter);
      return undefined;
    },
    runInteractive: async (call) => {
      const current = setting('filter');
      const filter = await chooseSettingValue(
        call.title,
        vscode.l10n.t('Which entries have a row?'),
        filterChoices(),
        isFilter(current) ? current : 'default',
      );
      await deps.setFilter(filter);
    },
  };

  const setProgram: CommandHandler<undefined> = {
    title: vscode.l10n.t('Show Only One Program'),
    runWithArguments: async (args) => {
      requiredString(args, 'program');
      await changeSetting('program', optionalOneOf(args, 'program', PROGRAMS));
      return undefined;
    },
    runInteractive: async (call) => {
      const current = PROGRAMS.find((program) => program === setting('program')) ?? 'all';
      await changeSetting(
        'program',
        await chooseSettingValue(call.title, vscode.l10n.t('Whose sessions are shown?'), programChoices(), current),
      );
    },
  };

  return {
    'sessionTree.refresh': simpleHandler(() => deps.refresh()),
    'sessionTree.setFilter': setFilter,
    // The same command with another icon, which shows that a filter is on.
    'sessionTree.changeFilter': setFilter,
    'sessionTree.setProgram': setProgram,
    'sessionTree.hideEmpty': simpleHandler(() => changeSetting('hideEmpty', true)),
    'sessionTree.showEmpty': simpleHandler(() => changeSetting('hideEmpty', false)),
    'sessionTree.openSettings': simpleHandler(() =>
      vscode.commands.executeCommand('workbench.action.openSettings', '@ext:pi-session-tree.pi-session-tree'),
    ),
    'sessionTree.showLog': simpleHandler(() => deps.log.show()),
  };
}

const setting = (name: string): unknown => vscode.workspace.getConfiguration('sessionTree').get(name);

/** Changes a setting in the workspace if it has a value there, otherwise for the user. */
async function changeSetting(name: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('sessionTree');
  const inWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  await configuration.update(name, value, inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

function filterChoices(): Choice<Filter>[] {
  const details: Readonly<Record<Filter, string>> = {
    default: vscode.l10n.t('Messages, tool results, compactions and summaries'),
    'no-tools': vscode.l10n.t('As default, without tool results'),
    'user-only': vscode.l10n.t('Only what the person wrote'),
    'labeled-only': vscode.l10n.t('Only entries that carry a label'),
    all: vscode.l10n.t('Everything'),
  };
  return FILTERS.map((filter) => ({ label: filter, detail: details[filter], value: filter }));
}

function programChoices(): Choice<'all' | Dialect>[] {
  return PROGRAMS.map((program) => ({
    label: program === 'all' ? vscode.l10n.t('All programs') : DIALECT_FACTS[program].label,
    value: program,
  }));
}
