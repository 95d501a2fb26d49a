/** Where a picture of branches has its rows and lines, in pixels. Pure, so that it can be tested without a page. */
import type { BranchRow } from '../../shared/protocol';

/** The height of a row, of the second line that tips have, of a gap in which an edge tells its messages. */
const ROW_HEIGHT = 24;
const SECOND_LINE_HEIGHT = 16;
const EDGE_GAP = 13;
const MARGIN = 14;
/** Lanes get narrower when there are many. */
const LANE_WIDTH = 16;
const MAX_LANES_WIDTH = 130;

export interface RowLayout {
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

export interface GraphLayout {
  readonly rows: readonly RowLayout[];
  readonly height: number;
}

export function layOutGraph(rows: readonly BranchRow[]): GraphLayout {
  const lanes = rows.reduce((highest, row) => Math.max(highest, row.lane), 0);
  const lane = lanes === 0 ? LANE_WIDTH : Math.max(4, Math.min(LANE_WIDTH, MAX_LANES_WIDTH / lanes));
  const layouts: RowLayout[] = [];
  let bottom = 0;
  for (const row of rows) {
    const gap = row.messagesBetween > 0 && row.parentRow !== undefined ? EDGE_GAP : 0;
    const top = bottom + gap;
    const height = ROW_HEIGHT + (row.summary === undefined ? 0 : SECOND_LINE_HEIGHT);
    const x = MARGIN + row.lane * lane;
    const y = top + ROW_HEIGHT / 2;
    const from = row.parentRow === undefined ? undefined : layouts[row.parentRow];
    layouts.push({ top, height, x, y, countY: bottom + gap / 2 + 2, ...(from ? edgeOf(from, { x, y, start: bottom }) : {}) });
    bottom = top + height;
  }
  return { rows: layouts, height: bottom };
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
