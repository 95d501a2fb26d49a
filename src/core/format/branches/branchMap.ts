/**
 * A session's branches as a graph from top to bottom. Only forks, tips, labels, compactions, the leaf and the current entry
 * have rows. A line that forks off is drawn completely, one lane further in, before its parent line
 * continues, so that no edges cross.
 */
import { elementAt } from '../values/lookups';
import type { HeadSource } from '../columns/headSource';
import { defined } from '../values/defined';
import type { EntryHead } from '../entry/entryHead';
import { headsOf } from '../linking/headsById';
import { branchLines, type BranchLine } from './branchLines';
import type { Session } from '../session/session';
import { finishSteps, STEP_LENGTH, type Steps } from '../session/steps';

export interface BranchMapOptions {
  /** The current entry, which always has a row; by default the leaf. */
  readonly currentId?: string | null;
  /** Another entry that has a row if its branch is drawn. */
  readonly markedId?: string;
  /** The number of newest branches that are drawn in addition to the active and the current one; by default 30. */
  readonly limit?: number;
  /** Branches that must be drawn, by the ids of their first entries. */
  readonly expandedIds?: ReadonlySet<string>;
}

interface MapPosition {
  /** Columns from the left, from 0. */
  readonly lane: number;
  /** The row where the edge to this one starts; absent for the first row of a root. */
  readonly parentRow?: number;
}

/** A row for an entry. */
export interface MapEntry extends MapPosition {
  readonly kind: 'entry';
  readonly head: EntryHead;
  readonly label?: string;
  /** The number of messages on the edge to this row. */
  readonly messagesBetween: number;
  readonly isFork: boolean;
  readonly isTip: boolean;
  readonly isLeaf: boolean;
  readonly isCurrent: boolean;
  /** True if it's on the path to the leaf, and on the path to the current entry. */
  readonly isActive: boolean;
  readonly isOnCurrentPath: boolean;
  /** At a tip: the places of all entries of its line, for `activityAt` and `findEntry`. */
  readonly line?: readonly number[];
  /** At a tip: the places of the entries of its line since the last fork that is drawn. */
  readonly own?: readonly number[];
}

/** Branches that aren't drawn, of one fork or of several consecutive ones. Archived ones have a row of their own. */
export interface CollapsedBranches extends MapPosition {
  readonly kind: 'more' | 'archived';
  readonly branchCount: number;
  /** The ids to add to `expandedIds` to show the newest of them. */
  readonly startIds: readonly string[];
}

/** A row of the map. */
export type MapRow = MapEntry | CollapsedBranches;

/** A map of branches: rows of entries and collapsed branches, in lanes. */
export interface BranchMap {
  readonly rows: readonly MapRow[];
  readonly laneCount: number;
  /** All branches that aren't archived, drawn or not. */
  readonly branchCount: number;
}

const COLLAPSED_KINDS = [
  ['more', 'branchCount'],
  ['archived', 'archivedCount'],
] as const;

const NONE: readonly BranchLine[] = [];
/** Branches that are expanded at a time. */
const MAX_EXPANDED_AT_ONCE = 25;
/** The number of newest labels and compactions that have rows. */
const MAX_MARKED = 300;

/**
 * Lays out a map of a session's branches. Walks the session once; beyond that, the cost grows with the
 * number of rows. Makes only the heads that have rows.
 */
export function branchMap(session: Session, options?: BranchMapOptions): BranchMap {
  return finishSteps(branchMapSteps(session, options));
}

/** Does the same as {@link branchMap} in steps. */
export function* branchMapSteps(
  session: Session,
  { currentId = session.leafId, markedId, limit = 30, expandedIds = new Set() }: BranchMapOptions = {},
): Steps<BranchMap> {
  const { lines, activePath, currentPath } = yield* branchLines(session, currentId);
  const heads = headsOf(session);
  const leaf = session.leafId === null ? undefined : heads.placeOf(session.leafId);
  const current = currentId === null ? undefined : heads.placeOf(currentId);
  const extra = markedId === undefined ? undefined : heads.placeOf(markedId);
  const shown = selectBranchLines(lines, { limit, expandedIds });
  yield;
  const marked = yield* markedPlaces(session, heads, shown);
  const rows: MapRow[] = [];
  // A stack of the segments still to be drawn.
  const segments: LineSegment[] = [];
  let count = 0;
  const roots = lines.filter((line) => !line.parent);
  const main = roots.find((line) => line.isActive) ?? roots.at(-1);
  const collapse = (hidden: readonly BranchLine[], lane: number, parentRow: number | undefined): void => {
    for (const [kind, count] of COLLAPSED_KINDS) {
      const newest = hidden.filter((line) => line[count] > 0).sort((a, b) => b.newestTime - a.newestTime);
      if (newest.length === 0) continue;
      rows.push({
        kind,
        branchCount: newest.reduce((sum, line) => sum + line[count], 0),
        startIds: newest.slice(0, MAX_EXPANDED_AT_ONCE).map((line) => line.startId),
        lane,
        ...from(parentRow),
      });
    }
  };
  collapse(
    roots.filter((line) => !shown.has(line)),
    1,
    undefined,
  );
  // The line with the leaf comes last among the roots, as after a fork.
  if (main) segments.push({ line: main, at: 0, lane: 0 });
  for (const line of roots.filter((one) => one !== main && shown.has(one)).reverse()) segments.push({ line, at: 0, lane: 1 });

  for (let segment = segments.pop(); segment; segment = segments.pop()) {
    const { line, lane } = segment;
    let { parentRow } = segment;
    let between = 0;
    // Collapsed branches are attached to a row of this line, so it needs one before the first of them.
    let isBegun = segment.at > 0;
    let hidden: BranchLine[] = [];
    for (let at = segment.at; at < line.places.length; at++) {
      if (++count % STEP_LENGTH === 0) yield;
      const place = elementAt(line.places, at);
      const forked = line.forks.get(place) ?? NONE;
      const drawn = forked.length === 0 ? NONE : forked.filter((other) => shown.has(other));
      const isFork = forked.some((other) => other.branchCount + other.archivedCount > 0 || shown.has(other));
      const isTip = at === line.places.length - 1;
      const isLeaf = place === leaf;
      const isCurrent = place === current;
      if (
        !(
          drawn.length > 0 ||
          (isFork && !isBegun) ||
          isTip ||
          isLeaf ||
          isCurrent ||
          place === extra ||
          marked.has(place) ||
          (at === 0 && !line.parent)
        )
      ) {
        if (heads.traitsAt(place).type === 'message') between++;
        for (const other of forked) hidden.push(other);
        continue;
      }
      collapse(hidden, lane + 1, parentRow);
      const head = heads.at(place);
      const label = session.labels.get(head.id);
      const end = isTip ? { line: line.places, own: line.places.slice(segment.at) } : {};
      rows.push({
        kind: 'entry',
        head,
        lane,
        ...from(parentRow),
        ...defined({ label }),
        messagesBetween: between,
        isFork,
        isTip,
        isLeaf,
        isCurrent,
        isActive: activePath[place] === 1,
        isOnCurrentPath: currentPath[place] === 1,
        ...end,
      });
      parentRow = rows.length - 1;
      isBegun = true;
      between = 0;
      hidden = forked.filter((other) => !shown.has(other));
      if (drawn.length === 0) continue;
      collapse(hidden, lane + 1, parentRow);
      segments.push({ line, at: at + 1, lane, parentRow });
      for (const other of drawn.toReversed()) segments.push({ line: other, at: 0, lane: lane + 1, parentRow });
      break;
    }
  }
  return {
    rows,
    laneCount: rows.reduce((most, row) => Math.max(most, row.lane + 1), 0),
    branchCount: roots.reduce((sum, line) => sum + line.branchCount, 0),
  };
}

/** The part of a line from an entry to the next fork that is drawn. */
interface LineSegment {
  readonly line: BranchLine;
  readonly at: number;
  readonly lane: number;
  readonly parentRow?: number;
}

const from = (parentRow: number | undefined): { readonly parentRow?: number } => (parentRow === undefined ? {} : { parentRow });

/** Returns the places of the labels and compactions that get rows. */
function* markedPlaces(session: Session, heads: HeadSource, shown: ReadonlySet<BranchLine>): Steps<Set<number>> {
  const labeled = new Set<number | undefined>();
  for (const id of session.labels.keys()) labeled.add(heads.placeOf(id));
  const marks: number[] = [];
  let count = 0;
  for (const line of shown) {
    for (const place of line.places) {
      if (++count % STEP_LENGTH === 0) yield;
      if (heads.traitsAt(place).type === 'compaction' || labeled.has(place)) marks.push(place);
    }
  }
  if (marks.length > MAX_MARKED) marks.sort((a, b) => heads.timeAt(b) - heads.timeAt(a)).length = MAX_MARKED;
  return new Set(marks);
}

interface SelectionOptions {
  /** The number of lines in addition to the lines that must be drawn. */
  readonly limit: number;
  /** The first entries of lines that must be drawn. */
  readonly expandedIds: ReadonlySet<string>;
}

/** Returns the active and the current line, the expanded ones, and the newest, each with its parent lines. */
function selectBranchLines(lines: readonly BranchLine[], { limit, expandedIds }: SelectionOptions): Set<BranchLine> {
  const shown = new Set<BranchLine>();
  const show = (line: BranchLine): void => {
    for (let at: BranchLine | undefined = line; at && !shown.has(at); at = at.parent) shown.add(at);
  };
  for (const line of lines) if (line.isActive || line.isOnCurrentPath || expandedIds.has(line.startId)) show(line);
  const newest = lines.filter((line) => line.branchCount > 0).sort((a, b) => b.newestTime - a.newestTime);
  const most = shown.size + limit;
  for (const line of newest) {
    if (shown.size >= most) break;
    show(line);
  }
  return shown;
}
