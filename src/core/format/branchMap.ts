/**
 * A session's branches as a graph that runs from top to bottom: what happened on one line is left out but for
 * forks, tips, labels, compactions, the leaf and the place one is at. A line that forks off is drawn whole, one
 * lane further in, before the line that it left goes on; so a lane is never crossed.
 */
import type { EntryHead } from './head';
import { chooseLines } from './branchChoice';
import { linesOf, type Line } from './branchLines';
import type { Session } from './session';

export interface BranchMapOptions {
  /** The place one is at; it always has a row. */
  readonly placeId?: string | null;
  /** How many branches are drawn, the newest, beside the active one and the one with the place; by default 40. */
  readonly limit?: number;
  /** By fork (`null`: the beginning): how many more of its branches are drawn. */
  readonly unfolded?: ReadonlyMap<string | null, number>;
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
}

/** Branches of a fork that are not drawn. */
export interface MapMore extends Placed {
  readonly kind: 'more';
  readonly forkId: string | null;
  readonly branches: number;
}

export type MapRow = MapEntry | MapMore;

export interface BranchMap {
  readonly rows: readonly MapRow[];
  readonly lanes: number;
  /** All there are, drawn or not. */
  readonly branches: number;
}

/** Labels and compactions that have rows, the newest. */
const MOST_MARKS = 300;

/** Walks the session once; what is drawn costs what is drawn. */
export function branchMap(session: Session, { placeId = session.leafId, limit = 40, unfolded = new Map() }: BranchMapOptions = {}): BranchMap {
  const { lines, active, way } = linesOf(session, placeId);
  const shown = chooseLines(lines, { limit, unfolded });
  const marked = marksOf(session, shown);
  const rows: MapRow[] = [];
  let lanes = 0;
  // Steps yet to do, the next one last: a part of a line, or what is not drawn at a fork.
  const steps: Step[] = [];
  const roots = lines.filter((line) => !line.parent);
  const main = roots.find((line) => line.isActive) ?? roots.at(-1);
  const begin = (forked: readonly Line[], forkId: string | null, lane: number, above: number | undefined): void => {
    const drawn = forked.filter((line) => shown.has(line));
    for (const line of drawn.reverse()) steps.push({ line, from: 0, lane: line === main ? 0 : lane, ...(above === undefined ? {} : { above }) });
    const branches = forked.reduce((sum, line) => sum + (shown.has(line) ? 0 : line.branches), 0);
    if (branches > 0) steps.push({ more: { kind: 'more', forkId, branches, lane, ...(above === undefined ? {} : { above }) } });
  };
  // The active line comes last at the beginning, as after a fork.
  begin([...roots.filter((line) => line !== main), ...(main ? [main] : [])], null, 1, undefined);
  for (let step = steps.pop(); step; step = steps.pop()) {
    if ('more' in step) {
      lanes = Math.max(lanes, step.more.lane + 1);
      rows.push(step.more);
      continue;
    }
    const { line, from, lane } = step;
    lanes = Math.max(lanes, lane + 1);
    let { above } = step;
    let between = 0;
    for (let at = from; at < line.heads.length; at++) {
      const head = line.heads[at]!;
      const forked = line.forks.get(head.id) ?? [];
      const isTip = at === line.heads.length - 1;
      const isFork = forked.some((other) => other.branches > 0 || shown.has(other));
      const isLeaf = head.id === session.leafId;
      const isPlace = head.id === placeId;
      if (!(isFork || isTip || isLeaf || isPlace || marked.has(head.id) || (at === 0 && !line.parent))) {
        if (head.type === 'message') between++;
        continue;
      }
      const label = session.labels.get(head.id);
      rows.push({
        kind: 'entry',
        head,
        lane,
        ...(above === undefined ? {} : { above }),
        ...(label === undefined ? {} : { label }),
        between,
        isFork,
        isTip,
        isLeaf,
        isPlace,
        isActive: active.has(head.id),
        isOnWay: way.has(head.id),
        ...(isTip ? { line: line.heads } : {}),
      });
      above = rows.length - 1;
      between = 0;
      if (!isFork) continue;
      if (!isTip) steps.push({ line, from: at + 1, lane, above });
      begin(forked, head.id, lane + 1, above);
      break;
    }
  }
  return { rows, lanes, branches: lines.reduce((sum, line) => sum + (line.parent ? 0 : line.branches), 0) };
}

type Step = { readonly line: Line; readonly from: number; readonly lane: number; readonly above?: number } | { readonly more: MapMore };

/** The labels and compactions that get rows. */
function marksOf(session: Session, shown: ReadonlySet<Line>): Set<string> {
  const marks: EntryHead[] = [];
  for (const line of shown) for (const head of line.heads) if (head.type === 'compaction' || session.labels.has(head.id)) marks.push(head);
  if (marks.length > MOST_MARKS) marks.sort((a, b) => b.time - a.time).length = MOST_MARKS;
  return new Set(marks.map((head) => head.id));
}
