/**
 * Rows of groups and sessions as JSON, and back. Rows are stored as data, so that texts and ages are computed again.
 * Restored rows look like the stored ones. They lack the data that rows don't show, and the rows below them.
 */
import {
  beginning,
  defined,
  DIALECTS,
  isArray,
  isObject,
  SessionError,
  type CopyOf,
  type MessageArgs,
  type SessionMarks,
  type SessionSummary,
  UNFINISHED,
} from '../../core/index';
import {
  DAYS,
  type DayGroup,
  type ForkOrigin,
  type ProgramGroup,
  type Project,
  type ReadableItem,
  STATE_GROUPS,
  type StateGroup,
  WORKTREE_KINDS,
} from '../projects/sessionGroups';
import { familyCounts } from '../projects/familyCounts';
import { forkCount, sessionsIn } from '../projects/shownCounts';
import { groupRow, itemRow, moreRow, type MoreRow, type ViewRow } from '../rows/viewRows';
import { count, flag, isTrue, list, number, object, oneOf, optional, record, text, time, type Parser } from './parsers';

/** UTF-16 units of a title; rows show fewer. */
const MAX_TITLE = 400;

const title: Parser<string> = (value) => beginning(text(value), MAX_TITLE);
const counts = { newest: time, hasOld: flag, stored: object<NonNullable<Project['stored']>>({ count }) };
const dialect = oneOf(DIALECTS);

const project = object<Omit<Project, 'items' | 'worktrees'>>({
  kind: oneOf(['project']),
  cwd: text,
  inWorkspace: flag,
  showsPath: flag,
  isMissing: optional(isTrue),
  worktree: optional(oneOf(WORKTREE_KINDS)),
  ...counts,
});
const day = object<Omit<DayGroup, 'items'>>({ kind: oneOf(['day']), day: oneOf(DAYS), ...counts });
const program = object<Omit<ProgramGroup, 'items'>>({ kind: oneOf(['program']), dialect, ...counts });
const state = object<Omit<StateGroup, 'items'>>({ kind: oneOf(['state']), state: oneOf(STATE_GROUPS), ...counts });

/** Rows show neither the first message in addition to the title nor other folders. */
const summary = object<Omit<SessionSummary, 'name' | 'firstMessage' | 'additionalDirectories' | 'agent' | 'calls' | 'rootIds'>>({
  path: text,
  dialect,
  id: text,
  cwd: text,
  title,
  parentSession: optional(text),
  created: time,
  modified: time,
  messageCount: count,
  problems: count,
  writable: flag,
  isOld: flag,
  suspectedTip: optional(text),
  unfinished: optional(oneOf(UNFINISHED)),
  marks: optional(
    object<SessionMarks>({
      state: optional(oneOf(['working', 'waiting', 'failed', 'idle'])),
      agent: optional(text),
      isPinned: optional(isTrue),
      isArchived: optional(isTrue),
    }),
  ),
  machine: optional(text),
  isProtected: optional(isTrue),
  isPartial: optional(isTrue),
});

const session = object<Omit<ReadableItem, 'children'>>({
  kind: oneOf(['session']),
  path: text,
  summary,
  size: count,
  cost: optional(number),
  familyCost: optional(number),
  isAtWork: optional(isTrue),
  isPinned: flag,
  tags: optional(list(text)),
  note: optional(text),
  isSubagent: flag,
  agent: optional(title),
  worktree: optional(text),
  copyOf: optional(object<CopyOf>({ path: text, hasDiverged: flag })),
  hasParentTitle: flag,
  showsProgram: flag,
  forkedFrom: optional(object<ForkOrigin>({ path: optional(text), title: optional(title), cwd: optional(text) })),
  newest: time,
  stored: object<NonNullable<ReadableItem['stored']>>({ forks: count, family: optional(object({ total: count, failed: count })) }),
});

const unreadable = object<StoredUnreadable>({
  path: text,
  template: text,
  args: record((value) => (typeof value === 'number' ? value : text(value))),
  isProtected: flag,
});

interface StoredUnreadable {
  readonly path: string;
  readonly template: string;
  readonly args: MessageArgs;
  readonly isProtected: boolean;
}

const more = object<Pick<MoreRow, 'list' | 'side' | 'hidden' | 'of'>>({
  list: text,
  side: oneOf(['earlier', 'later']),
  hidden: count,
  of: oneOf(['projects', 'worktrees', 'sessions']),
});

/** A program that runs now may have ended when the row is shown again. */
const NO_SIGNS = { isLive: () => false, needsInput: () => false };

/** Returns a row as JSON has it; `undefined` for rows that aren't stored. @throws {TypeError} if it's not what its type says */
export function storedRow(row: ViewRow): readonly [ViewRow['row'], object] | undefined {
  switch (row.row) {
    case 'project':
    case 'group': {
      const group = row.row === 'project' ? row.project : row.group;
      return [row.row, groupParser(group.kind)({ ...group, stored: { count: sessionsIn(group) } })];
    }
    case 'session':
      return [
        row.row,
        session({ ...row.item, stored: { forks: forkCount(row.item), ...defined({ family: familyCounts(row.item, NO_SIGNS) }) } }),
      ];
    case 'unreadable':
      // Other errors have no sentence that could be stored.
      return row.item.error instanceof SessionError
        ? [row.row, unreadable({ ...row.item, template: row.item.error.template, args: row.item.error.args })]
        : undefined;
    case 'more':
      return [row.row, more(row)];
    case 'entry':
    case 'branch':
    case 'note':
    case 'waiting':
    case 'problem':
      return undefined;
  }
}

/** Returns the row that was stored. @throws {TypeError} for anything else */
export function restoredRow(stored: unknown): ViewRow {
  const [kind, content] = isArray(stored) ? stored : [];
  switch (kind) {
    case 'project':
    case 'group': {
      const row = isObject(content) ? groupRow({ ...groupParser(content['kind'])(content), items: [] }) : undefined;
      if (!row) throw new TypeError('Expected a group');
      return row;
    }
    case 'session':
      return itemRow({ ...session(content), children: [] });
    case 'unreadable': {
      const { path, template, args, isProtected } = unreadable(content);
      // The code of the reason isn't shown.
      const error = new SessionError('not-a-session', template, args);
      return itemRow({ kind: 'unreadable', path, error, isProtected, size: 0, newest: 0 });
    }
    case 'more': {
      const { side, hidden, ...rest } = more(content);
      return moreRow(side, hidden, { ...rest, path: '' });
    }
    default:
      throw new TypeError('Expected a row');
  }
}

function groupParser(
  kind: unknown,
): Parser<Omit<Project, 'items' | 'worktrees'> | Omit<DayGroup, 'items'> | Omit<ProgramGroup, 'items'> | Omit<StateGroup, 'items'>> {
  return kind === 'project' ? project : kind === 'day' ? day : kind === 'state' ? state : program;
}
