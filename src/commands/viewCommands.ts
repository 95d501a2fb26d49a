/** Commands for the view as a whole: refresh, filters, settings, the log. */
import * as vscode from 'vscode';
import { SESSION_GROUPINGS, SESSION_SORTS, type Arrangement, type SessionGrouping, type SessionSort } from '../contract';
import { localizeFilter } from '../ui/localize';
import {
  defined,
  DIALECT_FACTS,
  DIALECTS,
  FILTER_FACTS,
  FILTERS,
  isFilter,
  MAX_QUERY_UNITS,
  SessionError,
  type Dialect,
  type Filter,
} from '../core/index';
import { chooseSettingValue, type Choice } from './handler/prompts';
import type { CommandDeps } from './handler/commandDeps';
import { simpleHandler, type CommandHandler } from './handler/commandHandler';
import { flag, optionalOneOf, optionalString, requiredString, type CommandArguments } from './handler/commandArguments';
import { openSettings } from './handler/openSettings';

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
        vscode.l10n.t('Select entries to show'),
        filterChoices(),
        isFilter(current) ? current : 'default',
      );
      await deps.setFilter(filter);
    },
  };

  const setProgram: CommandHandler<undefined> = {
    title: vscode.l10n.t('Filter by Program'),
    runWithArguments: async (args) => {
      requiredString(args, 'program');
      await changeSetting('program', optionalOneOf(args, 'program', PROGRAMS));
      return undefined;
    },
    runInteractive: async (call) => {
      const current = PROGRAMS.find((program) => program === setting('program')) ?? 'all';
      await changeSetting('program', await chooseSettingValue(call.title, vscode.l10n.t('Select a program'), programChoices(), current));
    },
  };

  const arrange: CommandHandler<undefined> = {
    title: vscode.l10n.t('Arrange Sessions'),
    runWithArguments: async (args) => {
      await deps.arrange(arrangementOf(args));
      return undefined;
    },
    runInteractive: async (call) => sortSessions.runInteractive(call),
  };

  const sortSessions: CommandHandler<undefined> = {
    ...arrange,
    title: vscode.l10n.t('Sort Sessions'),
    runInteractive: async (call) => {
      const choices = SESSION_SORTS.map((value) => ({ label: sortName(value), value }));
      await deps.arrange({
        sort: await chooseSettingValue(call.title, vscode.l10n.t('Select a sort order'), choices, deps.arrangement().sort),
      });
    },
  };

  const groupSessions: CommandHandler<undefined> = {
    ...arrange,
    title: vscode.l10n.t('Group Sessions'),
    runInteractive: async (call) => {
      const choices = SESSION_GROUPINGS.map((value) => ({ label: groupingName(value), value }));
      await deps.arrange({
        group: await chooseSettingValue(call.title, vscode.l10n.t('Select a grouping'), choices, deps.arrangement().group),
      });
    },
  };

  const openSettingsCommand: CommandHandler<undefined> = {
    title: vscode.l10n.t('Open Settings'),
    runWithArguments: async (args) => {
      requiredString(args, 'setting');
      await openSettings(optionalOneOf(args, 'setting', ['roots', 'programs']));
      return undefined;
    },
    runInteractive: async () => {
      await openSettings();
    },
  };

  return {
    'sessionTree.arrange': arrange,
    'sessionTree.sortSessions': sortSessions,
    'sessionTree.groupSessions': groupSessions,
    ...menuCommands('sortBy', SESSION_SORTS, (sort) => deps.arrange({ sort })),
    ...menuCommands('groupBy', SESSION_GROUPINGS, (group) => deps.arrange({ group })),
    'sessionTree.showWorkspaceOnly': simpleHandler(() => deps.arrange({ workspaceOnly: true })),
    'sessionTree.showAllFolders': simpleHandler(() => deps.arrange({ workspaceOnly: false })),
    'sessionTree.showUnfinishedOnly': simpleHandler(() => deps.arrange({ unfinishedOnly: true })),
    'sessionTree.showFinishedToo': simpleHandler(() => deps.arrange({ unfinishedOnly: false })),
    'sessionTree.refresh': simpleHandler(() => deps.refresh()),
    'sessionTree.setFilter': setFilter,
    // The same command with another icon, which shows that a filter is on.
    'sessionTree.changeFilter': setFilter,
    'sessionTree.setProgram': setProgram,
    'sessionTree.hideEmpty': simpleHandler(() => changeSetting('hideEmpty', true)),
    'sessionTree.showEmpty': simpleHandler(() => changeSetting('hideEmpty', false)),
    'sessionTree.hideSubagents': simpleHandler(() => changeSetting('hideSubagents', true)),
    'sessionTree.showSubagents': simpleHandler(() => changeSetting('hideSubagents', false)),
    'sessionTree.openSettings': openSettingsCommand,
    'sessionTree.showLog': simpleHandler(() => deps.log.show()),
  };
}

/** The items of a submenu. Each has a second command with a mark before its title, which the menu shows for the current value. */
function menuCommands<T extends string>(
  menu: string,
  values: readonly T[],
  choose: (value: T) => Promise<void>,
): Record<string, CommandHandler<undefined>> {
  const pairs = values.flatMap((value) => {
    const handler = simpleHandler(() => choose(value));
    return [`sessionTree.${menu}.${value}`, `sessionTree.${menu}.${value}.current`].map((id) => [id, handler] as const);
  });
  return Object.fromEntries(pairs);
}

/** @throws {SessionError} `invalid` */
function arrangementOf(args: CommandArguments): Partial<Arrangement> {
  const sort = optionalOneOf(args, 'sort', SESSION_SORTS);
  const group = optionalOneOf(args, 'group', SESSION_GROUPINGS);
  const change: { -readonly [K in keyof Arrangement]?: Arrangement[K] } = {};
  if (sort !== undefined) change.sort = sort;
  if (group !== undefined) change.group = group;
  const tag = optionalString(args, 'tag');
  if (tag !== undefined) change.tag = tag;
  const query = optionalString(args, 'query');
  if (query !== undefined) change.query = query.slice(0, MAX_QUERY_UNITS);
  if (args['workspaceOnly'] !== undefined) change.workspaceOnly = flag(args, 'workspaceOnly');
  if (args['unfinishedOnly'] !== undefined) change.unfinishedOnly = flag(args, 'unfinishedOnly');
  return change;
}

function sortName(sort: SessionSort): string {
  switch (sort) {
    case 'modified':
      return vscode.l10n.t('Last Active');
    case 'created':
      return vscode.l10n.t('Created');
    case 'name':
      return vscode.l10n.t('Name');
    case 'cost':
      return vscode.l10n.t('Cost');
    case 'size':
      return vscode.l10n.t('Size');
  }
}

function groupingName(group: SessionGrouping): string {
  switch (group) {
    case 'project':
      return vscode.l10n.t('Project');
    case 'day':
      return vscode.l10n.t('Day');
    case 'program':
      return vscode.l10n.t('Program');
    case 'state':
      return vscode.l10n.t('State');
    case 'none':
      return vscode.l10n.t('None');
  }
}

export const setting = (name: string): unknown => vscode.workspace.getConfiguration('sessionTree').get(name);

/** Changes a setting in the workspace if it has a value there, otherwise for the user. */
export async function changeSetting(name: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('sessionTree');
  const inWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  await configuration.update(name, value, inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

function filterChoices(): Choice<Filter>[] {
  return FILTERS.map((filter) => {
    const description = FILTER_FACTS[filter].description?.((message, args) => vscode.l10n.t(message, args));
    return { label: localizeFilter(filter), ...defined({ description }), value: filter };
  });
}

function programChoices(): Choice<'all' | Dialect>[] {
  return PROGRAMS.map((program) => ({
    label: program === 'all' ? vscode.l10n.t('All Programs') : DIALECT_FACTS[program].label,
    value: program,
  }));
}
