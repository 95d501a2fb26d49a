/** Which of a session's lines are drawn, where there are too many to be read. */
import type { BranchLine } from './branchLines';

export interface SelectionOptions {
  /** How many, beside those that must be there. */
  readonly limit: number;
  /** Ids of the entries that lines begin with which were asked for. */
  readonly expandedIds: ReadonlySet<string>;
}

/** The active line, the one with the place, those that were asked for, and the newest; each with the lines that it hangs off. */
export function selectBranchLines(lines: readonly BranchLine[], { limit, expandedIds: unfolded }: SelectionOptions): Set<BranchLine> {
  const shown = new Set<BranchLine>();
  const show = (line: BranchLine): void => {
    for (let at: BranchLine | undefined = line; at && !shown.has(at); at = at.parent) shown.add(at);
  };
  for (const line of lines) if (line.isActive || line.isOnCurrentPath || unfolded.has(line.heads[0]!.id)) show(line);
  const newest = lines.filter((line) => line.branchCount > 0).sort((a, b) => b.newestTime - a.newestTime);
  const most = shown.size + limit;
  for (const line of newest) {
    if (shown.size >= most) break;
    show(line);
  }
  return shown;
}
