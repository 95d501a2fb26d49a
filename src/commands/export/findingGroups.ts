/** Findings of an export, with those of the same text as one. */
import type { SessionFinding } from '../../core/index';

/** A text that is found once or in several places. */
export interface FindingGroup {
  /** The first place. */
  readonly finding: SessionFinding;
  /** The number of places. */
  readonly count: number;
}

/** The findings of a review. */
export interface GroupedFindings {
  /** Those that a list shows. */
  readonly groups: readonly FindingGroup[];
  /** Keys of uncertain findings that the list has no room for. Only what was reviewed may stay, so they're replaced. */
  readonly unlisted: readonly string[];
  /** Number of different texts that the list has no room for. All are replaced. */
  readonly more: number;
}

/** Number of groups that a list can show. Those beyond it are replaced without a review. */
const MAX_GROUPS = 2000;

/** Collects what an export replaces, in its order. */
export async function groupFindings(findings: AsyncIterable<SessionFinding>): Promise<GroupedFindings> {
  const groups = new Map<string, { finding: SessionFinding; count: number }>();
  const unlisted = new Set<string>();
  const beyond = new Set<string>();
  for await (const finding of findings) {
    const known = groups.get(finding.key);
    if (known) known.count++;
    else if (groups.size < MAX_GROUPS) groups.set(finding.key, { finding, count: 1 });
    else {
      beyond.add(finding.key);
      if (finding.uncertain === true) unlisted.add(finding.key);
    }
  }
  return { groups: [...groups.values()], unlisted: [...unlisted], more: beyond.size };
}
