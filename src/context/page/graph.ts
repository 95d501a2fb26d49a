/** Where a picture of branches has its rows and lines, in pixels. Pure, so that it can be tested without a page. */
import type { BranchRow } from '../protocol';

/** The height of a row, of the second line that tips have, of a gap in which an edge tells its messages. */
const ROW = 24;
const SECOND = 16;
const GAP = 13;
const MARGIN = 14;
/** Lanes get narrower when there are many. */
const LANE = 16;
const LANES = 130;

export interface PlacedRow {
  readonly top: number;
  readonly height: number;
  /** The centre of its node. */
  readonly x: number;
  readonly y: number;
  /** The edge that leads to it, as the data of a path. */
  readonly edge?: string;
  /** Where it comes from another lane: the way along that lane to where it leaves it. */
  readonly stem?: string;
  /** Where the edge's count stands. */
  readonly countY: number;
}

export interface PlacedGraph {
  readonly rows: readonly PlacedRow[];
  readonly height: number;
}

export function placeGraph(rows: readonly BranchRow[]): PlacedGraph {
  const lanes = rows.reduce((most, row) => Math.max(most, row.lane), 0);
  const lane = lanes === 0 ? LANE : Math.max(4, Math.min(LANE, LANES / lanes));
  const placed: PlacedRow[] = [];
  let bottom = 0;
  for (const row of rows) {
    const gap = row.between > 0 && row.above !== undefined ? GAP : 0;
    const top = bottom + gap;
    const height = ROW + (row.sum === undefined ? 0 : SECOND);
    const x = MARGIN + row.lane * lane;
    const y = top + ROW / 2;
    const from = row.above === undefined ? undefined : placed[row.above];
    placed.push({ top, height, x, y, countY: bottom + gap / 2 + 2, ...(from ? edgeOf(from, { x, y, start: bottom }) : {}) });
    bottom = top + height;
  }
  return { rows: placed, height: bottom };
}

/** Straight down in a lane; into another one by a bend above the row, where the lane that it leaves goes by. */
function edgeOf(from: { readonly x: number; readonly y: number }, { x, y, start }: { readonly x: number; readonly y: number; readonly start: number }): { edge: string; stem?: string } {
  if (from.x === x) return { edge: `M${String(x)} ${String(from.y)}V${String(y)}` };
  const begin = Math.max(from.y, start - 6);
  const end = begin + 16;
  const middle = (begin + end) / 2;
  return {
    edge: `M${String(from.x)} ${String(begin)}C${String(from.x)} ${String(middle)} ${String(x)} ${String(middle)} ${String(x)} ${String(end)}V${String(y)}`,
    stem: `M${String(from.x)} ${String(from.y)}V${String(begin)}`,
  };
}
