/** Which of a session's lines are drawn, where there are too many to be read. */
import type { Line } from './branchLines';

export interface ChoiceOptions {
  /** How many, beside those that must be there. */
  readonly limit: number;
  /** Ids of the entries that lines begin with which were asked for. */
  readonly unfolded: ReadonlySet<string>;
}

/** The active line, the one with the place, those that were asked for, and the newest; each with the lines that it hangs off. */
export function chooseLines(lines: readonly Line[], { limit, unfolded }: ChoiceOptions): Set<Line> {
  const shown = new Set<Line>();
  const show = (line: Line): void => {
    for (let at: Line | undefined = line; at && !shown.has(at); at = at.parent) shown.add(at);
  };
  for (const line of lines) if (line.isActive || line.isOnWay || unfolded.has(line.heads[0]!.id)) show(line);
  const newest = lines.filter((line) => line.branches > 0).sort((a, b) => b.newest - a.newest);
  const most = shown.size + limit;
  for (const line of newest) {
    if (shown.size >= most) break;
    show(line);
  }
  return shown;
}
