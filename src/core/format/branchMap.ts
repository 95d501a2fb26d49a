/**
 * A session's branches as a graph that runs from top to bottom: what happened on one line is left out but for
 * forks, tips, labels, compactions, the leaf and the place one is at. A line that forks off is drawn whole, one
 * lane further in, before the line that it left goes on; so a lane is never crossed.
 */
import type { EntryHead } from './head';
import { chooseLines } from './branchChoice';
import { linesOf, type Line, type Lines } from './branchLines';
import type { Session } from './session';

export interface BranchMapOptions {
  /** The place one is at; it always has a row. */
  readonly placeId?: string | null;
  /** How many branches are drawn, the newest, beside the active one and the one with the place; by default 30. */
  readonly limit?: number;
  /** Branches that were asked for, by the entries that they begin with. */
  readonly unfolded?: ReadonlySet<string>;
  /** `linesOf` the session and the place, where that was done in a turn of its own: it is most of the work. */
  readonly lines?: Lines;
}

interface Placed {
  /** Columns from the left, from 0. */
  readonly lane: number;
  /** The row that the edge to this one comes from; none at a beginning. */
  readonly above?: number;
}

/** An entry that is drawn. */
export interface MapEntry extends Placed {
  readonly kind: 'entry';
  readonly head: EntryHead;
  readonly label?: string;
  /** Messages on the edge that leads here, between the two rows. */
  readonly between: number;
  readonly isFork: boolean;
  readonly isTip: boolean;
  readonly isLeaf: boolean;
  readonly isPlace: boolean;
  /** On the way from the root to the leaf, to the place. */
  readonly isActive: boolean;
  readonly isOnWay: boolean;
  /** At the tip: all entries of its line, from where it forked off. */
  readonly line?: readonly EntryHead[];
  /** At the tip: its entries since the last fork on it that is drawn. */
  readonly own?: readonly EntryHead[];
}

/** Branches that are not drawn: of a fork, or of several of which none is drawn. */
export interface MapMore extends Placed {
  readonly kind: 'more';
  readonly branches: number;
  /** What to add to `unfolded` to see the newest of them. */
  readonly starts: readonly string[];
}

export type MapRow = MapEntry | MapMore;

export interface BranchMap {
  readonly rows: readonly MapRow[];
  readonly lanes: number;
  /** All there are, drawn or not. */
  readonly branches: number;
}

const NONE: readonly Line[] = [];
/** Branches that are asked for at a time. */
const MORE = 25;
/** Labels and compactions that have rows, the newest. */
const MOST_MARKS = 300;

/** Walks the session once; what is drawn costs what is drawn. */
export function branchMap(session: Session, { placeId = session.leafId, limit = 30, unfolded = new Set(), lines: known }: BranchMapOptions = {}): BranchMap {
  const { lines, active, way } = known ?? linesOf(session, placeId);
  const shown = chooseLines(lines, { limit, unfolded });
  const marked = marksOf(session, shown);
  const rows: MapRow[] = [];
  // What is yet to be drawn, the next one last.
  const stretches: Stretch[] = [];
  const roots = lines.filter((line) => !line.parent);
  const main = roots.find((line) => line.isActive) ?? roots.at(-1);
  const fold = (hidden: readonly Line[], lane: number, above: number | undefined): void => {
    const branches = hidden.reduce((sum, line) => sum + line.branches, 0);
    if (branches === 0) return;
    const newest = hidden.filter((line) => line.branches > 0).sort((a, b) => b.newest - a.newest);
    rows.push({ kind: 'more', branches, starts: newest.slice(0, MORE).map((line) => line.heads[0]!.id), lane, ...from(above) });
  };
  fold(roots.filter((line) => !shown.has(line)), 1, undefined);
  // The line with the leaf comes last at the beginning, as after a fork.
  if (main) stretches.push({ line: main, at: 0, lane: 0 });
  for (const line of roots.filter((one) => one !== main && shown.has(one)).reverse()) stretches.push({ line, at: 0, lane: 1 });

  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    const { line, lane } = stretch;
    let { above } = stretch;
    let between = 0;
    // What is folded hangs off a row of this line.
    let isBegun = stretch.at > 0;
    let hidden: Line[] = [];
    for (let at = stretch.at; at < line.heads.length; at++) {
      const head = line.heads[at]!;
      const forked = line.forks.get(head.id) ?? NONE;
      const drawn = forked.length === 0 ? NONE : forked.filter((other) => shown.has(other));
      const isFork = forked.some((other) => other.branches > 0 || shown.has(other));
      const isTip = at === line.heads.length - 1;
      const isLeaf = head.id === session.leafId;
      const isPlace = head.id === placeId;
      if (!(drawn.length > 0 || (isFork && !isBegun) || isTip || isLeaf || isPlace || marked.has(head.id) || (at === 0 && !line.parent))) {
        if (head.type === 'message') between++;
        hidden.push(...forked);
        continue;
      }
      fold(hidden, lane + 1, above);
      const label = session.labels.get(head.id);
      const end = isTip ? { line: line.heads, own: line.heads.slice(stretch.at) } : {};
      rows.push({ kind: 'entry', head, lane, ...from(above), ...(label === undefined ? {} : { label }), between, isFork, isTip, isLeaf, isPlace, isActive: active.has(head.id), isOnWay: way.has(head.id), ...end });
      above = rows.length - 1;
      isBegun = true;
      between = 0;
      hidden = forked.filter((other) => !shown.has(other));
      if (drawn.length === 0) continue;
      fold(hidden, lane + 1, above);
      stretches.push({ line, at: at + 1, lane, above });
      for (const other of drawn.toReversed()) stretches.push({ line: other, at: 0, lane: lane + 1, above });
      break;
    }
  }
  return { rows, lanes: rows.reduce((most, row) => Math.max(most, row.lane + 1), 0), branches: roots.reduce((sum, line) => sum + line.branches, 0) };
}

/** A part of a line, from an entry to the next fork that is drawn. */
interface Stretch {
  readonly line: Line;
  readonly at: number;
  readonly lane: number;
  readonly above?: number;
}

const from = (above: number | undefined): { readonly above?: number } => (above === undefined ? {} : { above });

/** The labels and compactions that get rows. */
function marksOf(session: Session, shown: ReadonlySet<Line>): Set<string> {
  const marks: EntryHead[] = [];
  for (const line of shown) for (const head of line.heads) if (head.type === 'compaction' || session.labels.has(head.id)) marks.push(head);
  if (marks.length > MOST_MARKS) marks.sort((a, b) => b.time - a.time).length = MOST_MARKS;
  return new Set(marks.map((head) => head.id));
}
