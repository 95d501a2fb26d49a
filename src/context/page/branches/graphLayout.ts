/** Computes the positions of the branch graph's rows and edges, in pixels. Pure, for tests without a page. */
import type { BranchRow } from '../../shared/protocol';

/** Heights of a row, of the second line that tips have, and of the gap for an edge's message count. */
const ROW_HEIGHT = 24;
const SECOND_LINE_HEIGHT = 16;
const EDGE_GAP = 13;
const MARGIN = 14;
/** Lanes become narrower when there are many. */
const LANE_WIDTH = 16;
const MAX_LANES_WIDTH = 130;

export interface RowLayout {
  readonly top: number;
  readonly height: number;
  /** The center of the node. */
  readonly x: number;
  readonly y: number;
  /** The edge from the parent row, as path data. */
  readonly edge?: string;
  /** The stretch along the parent's lane before the edge leaves it, if the lanes differ. */
  readonly stem?: string;
  /** The vertical position of the edge's message count. */
  readonly countY: number;
}

interface GraphLayout {
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

/** Goes straight down within a lane, and into another lane by a curve above the row. */
function edgeOf(
  from: { readonly x: number; readonly y: number },
  { x, y, start }: { readonly x: number; readonly y: number; readonly start: number },
): { edge: string; stem?: string } {
  if (from.x === x) return { edge: `M${String(x)} ${String(from.y)}V${String(y)}` };
  const begin = Math.max(from.y, start - 6);
  const end = begin + 16;
  const middle = (begin + end) / 2;
  return {
    edge: `M${String(from.x)} ${String(begin)}C${String(from.x)} ${String(middle)} ${String(x)} ${String(middle)} ${String(x)} ${String(end)}V${String(y)}`,
    stem: `M${String(from.x)} ${String(from.y)}V${String(begin)}`,
  };
}
