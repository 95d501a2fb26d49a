/**
 * A session's branches as a graph that runs from top to bottom: what happened on one line is left out but for
 * forks, tips, labels, compactions, the leaf and the place one is at. A line that forks off is drawn whole, one
 * lane further in, before the line that it left goes on; so a lane is never crossed.
 */
import type { EntryHead } from '../entry/entryHead';
import { selectBranchLines } from './selectBranchLines';
import { branchLines, type BranchLine, type BranchLines } from './branchLines';
import type { Session } from '../session/session';

export interface BranchMapOptions {
  /** The place one is at; it always has a row. */
  readonly currentId?: string | null;
  /** How many branches are drawn, the newest, beside the active one and the one with the place; by default 30. */
  readonly limit?: number;
  /** Branches that were asked for, by the entries that they begin with. */
  readonly expandedIds?: ReadonlySet<string>;
  /** `linesOf` the session and the place, where that was done in a turn of its own: it is most of the work. */
  readonly lines?: BranchLines;
}

interface MapPosition {
  /** Columns from the left, from 0. */
  readonly lane: number;
  /** The row that the edge to this one comes from; none at a beginning. */
  readonly parentRow?: number;
}

/** An entry that is drawn. */
export interface MapEntry extends MapPosition {
  readonly kind: 'entry';
  readonly head: EntryHead;
  readonly label?: string;
  /** Messages on the edge that leads here, between the two rows. */
  readonly messagesBetween: number;
  readonly isFork: boolean;
  readonly isTip: boolean;
  readonly isLeaf: boolean;
  readonly isCurrent: boolean;
  /** On the way from the root to the leaf, to the place. */
  readonly isActive: boolean;
  readonly isOnCurrentPath: boolean;
  /** At the tip: all entries of its line, from where it forked off. */
  readonly line?: readonly EntryHead[];
  /** At the tip: its entries since the last fork on it that is drawn. */
  readonly own?: readonly EntryHead[];
}

/** Branches that are not drawn: of a fork, or of several of which none is drawn. */
export interface CollapsedBranches extends MapPosition {
  readonly kind: 'more';
  readonly branchCount: number;
  /** What to add to `unfolded` to see the newest of them. */
  readonly startIds: readonly string[];
}

export type MapRow = MapEntry | CollapsedBranches;

export interface BranchMap {
  readonly rows: readonly MapRow[];
  readonly laneCount: number;
  /** All there are, drawn or not. */
  readonly branchCount: number;
}

const NONE: readonly BranchLine[] = [];
/** Branches that are asked for at a time. */
const MAX_EXPANDED_AT_ONCE = 25;
/** Labels and compactions that have rows, the newest. */
const MAX_MARKED = 300;

/** Walks the session once; what is drawn costs what is drawn. */
export function branchMap(session: Session, { currentId: placeId = session.leafId, limit = 30, expandedIds: unfolded = new Set(), lines: known }: BranchMapOptions = {}): BranchMap {
  const { lines, activePath: active, currentPath: way } = known ?? branchLines(session, placeId);
  const shown = selectBranchLines(lines, { limit, expandedIds: unfolded });
  const marked = markedIds(session, shown);
  const rows: MapRow[] = [];
  // What is yet to be drawn, the next one last.
  const stretches: LineSegment[] = [];
  const roots = lines.filter((line) => !line.parent);
  const main = roots.find((line) => line.isActive) ?? roots.at(-1);
  const fold = (hidden: readonly BranchLine[], lane: number, parentRow: number | undefined): void => {
    const branches = hidden.reduce((sum, line) => sum + line.branchCount, 0);
    if (branches === 0) return;
    const newest = hidden.filter((line) => line.branchCount > 0).sort((a, b) => b.newestTime - a.newestTime);
    rows.push({ kind: 'more', branchCount: branches, startIds: newest.slice(0, MAX_EXPANDED_AT_ONCE).map((line) => line.heads[0]!.id), lane, ...from(parentRow) });
  };
  fold(roots.filter((line) => !shown.has(line)), 1, undefined);
  // The line with the leaf comes last at the beginning, as after a fork.
  if (main) stretches.push({ line: main, at: 0, lane: 0 });
  for (const line of roots.filter((one) => one !== main && shown.has(one)).reverse()) stretches.push({ line, at: 0, lane: 1 });

  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    const { line, lane } = stretch;
    let { parentRow } = stretch;
    let between = 0;
    // What is folded hangs off a row of this line.
    let isBegun = stretch.at > 0;
    let hidden: BranchLine[] = [];
    for (let at = stretch.at; at < line.heads.length; at++) {
      const head = line.heads[at]!;
      const forked = line.forks.get(head.id) ?? NONE;
      const drawn = forked.length === 0 ? NONE : forked.filter((other) => shown.has(other));
      const isFork = forked.some((other) => other.branchCount > 0 || shown.has(other));
      const isTip = at === line.heads.length - 1;
      const isLeaf = head.id === session.leafId;
      const isPlace = head.id === placeId;
      if (!(drawn.length > 0 || (isFork && !isBegun) || isTip || isLeaf || isPlace || marked.has(head.id) || (at === 0 && !line.parent))) {
        if (head.type === 'message') between++;
        hidden.push(...forked);
        continue;
      }
      fold(hidden, lane + 1, parentRow);
      const label = session.labels.get(head.id);
      const end = isTip ? { line: line.heads, own: line.heads.slice(stretch.at) } : {};
      rows.push({ kind: 'entry', head, lane, ...from(parentRow), ...(label === undefined ? {} : { label }), messagesBetween: between, isFork, isTip, isLeaf, isCurrent: isPlace, isActive: active.has(head.id), isOnCurrentPath: way.has(head.id), ...end });
      parentRow = rows.length - 1;
      isBegun = true;
      between = 0;
      hidden = forked.filter((other) => !shown.has(other));
      if (drawn.length === 0) continue;
      fold(hidden, lane + 1, parentRow);
      stretches.push({ line, at: at + 1, lane, parentRow });
      for (const other of drawn.toReversed()) stretches.push({ line: other, at: 0, lane: lane + 1, parentRow });
      break;
    }
  }
  return { rows, laneCount: rows.reduce((most, row) => Math.max(most, row.lane + 1), 0), branchCount: roots.reduce((sum, line) => sum + line.branchCount, 0) };
}

/** A part of a line, from an entry to the next fork that is drawn. */
interface LineSegment {
  readonly line: BranchLine;
  readonly at: number;
  readonly lane: number;
  readonly parentRow?: number;
}

const from = (parentRow: number | undefined): { readonly parentRow?: number } => (parentRow === undefined ? {} : { parentRow });

/** The labels and compactions that get rows. */
function markedIds(session: Session, shown: ReadonlySet<BranchLine>): Set<string> {
  const marks: EntryHead[] = [];
  for (const line of shown) for (const head of line.heads) if (head.type === 'compaction' || session.labels.has(head.id)) marks.push(head);
  if (marks.length > MAX_MARKED) marks.sort((a, b) => b.time - a.time).length = MAX_MARKED;
  return new Set(marks.map((head) => head.id));
}
