/** Selects the lines of a session that are drawn, where there are too many. */
import type { BranchLine } from './branchLines';

export interface SelectionOptions {
  /** The number of lines in addition to the lines that must be drawn. */
  readonly limit: number;
  /** The first entries of lines that must be drawn. */
  readonly expandedIds: ReadonlySet<string>;
}

/** Returns the active and the current line, the expanded ones, and the newest, each with its parent lines. */
export function selectBranchLines(lines: readonly BranchLine[], { limit, expandedIds }: SelectionOptions): Set<BranchLine> {
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
