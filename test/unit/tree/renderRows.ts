/** Renders rows as text, so that a test can compare all of them at once. */
import { finishSteps, type Session, type Filter } from '../../../src/core/index';
import * as made from '../../../src/tree/rows/outline';
import type { Outline, OutlineRow } from '../../../src/tree/rows/outline';
import * as listed from '../../../src/tree/projects/projects';
import { DEFAULT_ARRANGEMENT } from '../../../src/tree/projects/arrangement';
import type { Project, SessionGroup, SessionItem } from '../../../src/tree/projects/projects';

export const outlineOf = (session: Session, filter: Filter): Outline => finishSteps(made.buildOutline(session, filter));

type Given = Partial<listed.ProjectsInput> & Pick<listed.ProjectsInput, 'files'>;

/** Sessions are grouped by project, unless something else is given. */
export const inputFrom = (given: Given): listed.ProjectsInput => ({
  ...DEFAULT_ARRANGEMENT,
  workspace: [],
  realPath: (cwd) => cwd,
  program: 'all',
  hideEmpty: true,
  hideSubagents: false,
  cost: () => undefined,
  isPinned: () => false,
  now: 0,
  ...given,
});
export const groupsOf = (given: Given): SessionGroup[] => finishSteps(listed.buildGroups(inputFrom(given)));
export const projectsOf = (given: Given): Project[] => groupsOf(given).filter((group) => group.kind === 'project');

export const levelOf = (outline: Outline, startId?: string): readonly OutlineRow[] =>
  finishSteps(made.outlineLevel(outline, startId)).map((element) => made.outlineRow(outline, element));

/** All levels of a session with branches expanded: `▸` starts a branch's row, `←` marks the leaf. */
export function outlinePicture(session: Session, filter: Filter = 'default'): string {
  const outline = outlineOf(session, filter);
  const lines: string[] = [];
  const draw = (rows: readonly OutlineRow[], indent: string): void => {
    for (const row of rows) {
      const label = row.label === undefined ? '' : `[${row.label}] `;
      if (row.kind === 'entry') lines.push(`${indent}${label}${row.head.text}${row.isLeaf ? ' ←' : ''}`);
      else {
        lines.push(`${indent}▸ ${label}${row.head.text} (${String(row.turnCount)} turns, ${String(row.visibleCount)} rows)`);
        draw(levelOf(outline, row.startId), `${indent}  `);
      }
    }
  };
  draw(levelOf(outline), '');
  return lines.join('\n');
}

export function projectsPicture(projects: readonly SessionGroup[]): string {
  const lines: string[] = [];
  const draw = (items: readonly SessionItem[], indent: string): void => {
    for (const item of items) {
      lines.push(indent + itemPicture(item));
      if (item.kind === 'session') draw(item.children, `${indent}  `);
    }
  };
  for (const project of projects.filter((group) => group.kind === 'project')) {
    lines.push(`${project.inWorkspace ? '▾' : '▸'} ${project.cwd === '' ? '(no folder)' : project.cwd}`);
    draw(project.items, '  ');
  }
  return lines.join('\n');
}

function itemPicture(item: SessionItem): string {
  if (item.kind === 'unreadable') return `✗ ${item.path}`;
  const { forkedFrom } = item;
  const origin =
    forkedFrom === undefined
      ? ''
      : ` ← ${forkedFrom.title ?? forkedFrom.path ?? '?'}${forkedFrom.cwd === undefined ? '' : ` in ${forkedFrom.cwd}`}`;
  return `${item.summary.name ?? item.path}${item.isSubagent ? ' (subagent)' : ''}${origin}`;
}

/** A text block without its indentation. */
export function text(block: string): string {
  const lines = block.replace(/^\n|\n *$/g, '').split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)![0].length));
  return lines.map((line) => line.slice(indent)).join('\n');
}
