/** Findings of an export, with those of the same text as one. */
import { findSecrets, type FindSecretsOptions, type Finding, type Session } from '../../core/index';

/** A text that is found once or in several places. */
export interface FindingGroup {
  /** The first place. */
  readonly finding: Finding;
  /** The number of places. */
  readonly count: number;
}

/** Number of groups that a list can show. Those beyond it are replaced without a review. */
const MAX_GROUPS = 2000;

/** Finds what an export replaces, in the order of the session. */
export async function groupFindings(session: Session, options: FindSecretsOptions): Promise<FindingGroup[]> {
  const groups = new Map<string, { finding: Finding; count: number }>();
  for await (const finding of findSecrets(session, options)) {
    const known = groups.get(finding.key);
    if (known) known.count++;
    else if (groups.size < MAX_GROUPS) groups.set(finding.key, { finding, count: 1 });
  }
  return [...groups.values()];
}
