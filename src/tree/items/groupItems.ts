/** The rows of projects, days and programs, which have sessions below them. */
import * as vscode from 'vscode';
import { DIALECT_FACTS, shortPath } from '../../core/index';
import { sessionsIn } from '../projects/shownCounts';
import type { GroupRow, ProjectRow } from '../rows/viewRows';
import { themeIcon } from './icons';
import { contextValueOf, type RowContext } from './rowContext';
import * as words from './rowText';

const { t } = vscode.l10n;
const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** The row of a project, or of a worktree below it. */
export function projectItem(row: ProjectRow, { isExpanded, now }: RowContext): vscode.TreeItem {
  const { cwd, project } = row;
  const item = new vscode.TreeItem(words.projectName(cwd), isExpanded(row) ? Expanded : Collapsed);
  const count = words.sessionCount(sessionsIn(project));
  const missing = project.isMissing ? t('folder not found') : undefined;
  const main = project.worktree === 'main' ? t('main working tree') : undefined;
  item.description = words.joinParts(missing, main, words.age(project.newest, now), project.showsPath ? shortPath(cwd) : undefined, count);
  item.iconPath = themeIcon(projectIcon(row));
  item.contextValue =
    cwd === ''
      ? 'nowhere'
      : contextValueOf(project.worktree ? 'worktree' : 'project', { old: project.hasOld, missing: project.isMissing === true });
  const kind = main ?? (project.worktree ? t('worktree') : project.inWorkspace ? t('project of this workspace') : t('project'));
  item.accessibilityInformation = {
    label: [words.projectName(cwd), kind, missing, count, words.ago(project.newest, now), shortPath(cwd)].filter(Boolean).join(', '),
  };
  return item;
}

function projectIcon({ cwd, project }: ProjectRow): string {
  if (cwd === '') return 'question';
  if (project.isMissing) return 'warning';
  if (project.worktree) return project.worktree === 'main' ? 'repo' : 'git-branch';
  return project.inWorkspace ? 'root-folder-opened' : 'folder';
}

/** The row of a day, a program or a state. */
export function groupItem(row: GroupRow, { isExpanded, now }: RowContext): vscode.TreeItem {
  const { group } = row;
  const [name, icon] = nameAndIcon(group);
  const item = new vscode.TreeItem(name, isExpanded(row) ? Expanded : Collapsed);
  const count = words.sessionCount(sessionsIn(group));
  item.description = words.joinParts(group.kind === 'day' ? undefined : words.age(group.newest, now), count);
  item.iconPath = themeIcon(icon);
  item.contextValue = 'group';
  item.accessibilityInformation = { label: [name, count].join(', ') };
  return item;
}

function nameAndIcon(group: GroupRow['group']): readonly [name: string, icon: string] {
  switch (group.kind) {
    case 'day':
      return [words.dayName(group.day), group.day === 'pinned' ? 'pinned' : 'calendar'];
    case 'program':
      return [DIALECT_FACTS[group.dialect].label, 'terminal'];
    case 'state':
      return group.state === 'unfinished' ? [t('Unfinished'), 'circle-large-outline'] : [t('Others'), 'pass'];
  }
}
