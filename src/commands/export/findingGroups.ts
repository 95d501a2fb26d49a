/** Findings of an export, with those of the same text as one. */
import type { SessionFinding } from '../../core/index';

/** A text that is found once or in several places. */
export interface FindingGroup {
  /** The first place. */
  readonly finding: SessionFinding;
  /** The number of places. */
  readonly count: number;
}

/** Number of groups that a list can show. Those beyond it are replaced without a review. */
const MAX_GROUPS = 2000;

/** Collects what an export replaces, in its order. */
export async function groupFindings(findings: AsyncIterable<SessionFinding>): Promise<FindingGroup[]> {
  const groups = new Map<string, { finding: SessionFinding; count: number }>();
  for await (const finding of findings) {
    const known = groups.get(finding.key);
    if (known) known.count++;
    else if (groups.size < MAX_GROUPS) groups.set(finding.key, { finding, count: 1 });
  }
  return [...groups.values()];
}
