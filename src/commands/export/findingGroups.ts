/** Findings of an export, with one group for each secret. */
import type { SessionFinding } from '../../core/index';

/** A finding in an entry. */
type EntryFinding = SessionFinding & { readonly entryId: string };

/** A secret that is found once or in several places. */
export interface FindingGroup {
  /** The first place. */
  readonly finding: SessionFinding;
  /** The number of places. */
  readonly count: number;
  /** The first place in each entry. */
  readonly places: readonly EntryFinding[];
  /** Number of further entries that a list has no room for. */
  readonly unlistedEntries: number;
}

/** The findings of a review. */
export interface GroupedFindings {
  /** The findings that a list shows. */
  readonly groups: readonly FindingGroup[];
  /** Keys of uncertain findings that the list has no room for. Only reviewed findings may stay, so these are replaced. */
  readonly unlisted: readonly string[];
  /** Number of different texts that the list has no room for. All are replaced. */
  readonly more: number;
}

/** Number of groups that a list can show. Those beyond it are replaced without a review. */
const MAX_GROUPS = 2000;
/** Number of entries that the lists of all groups have. Each group has at least its first one. */
const MAX_PLACES = 20_000;

/** Collects the findings that an export replaces, in its order. */
export async function groupFindings(findings: AsyncIterable<SessionFinding> | Iterable<SessionFinding>): Promise<GroupedFindings> {
  const groups = new Map<string, MutableGroup>();
  const unlisted = new Set<string>();
  const beyond = new Set<string>();
  let room = MAX_PLACES;
  for await (const finding of findings) {
    const known = groups.get(finding.key);
    if (known || groups.size < MAX_GROUPS) {
      const group = known ?? { finding, count: 0, places: [], unlistedEntries: 0 };
      groups.set(finding.key, group);
      group.count++;
      if (!isInNewEntry(finding, group.last)) continue;
      group.last = finding;
      if (group.places.length === 0 || --room >= 0) group.places.push(finding);
      else group.unlistedEntries++;
    } else {
      beyond.add(finding.key);
      if (finding.uncertain === true) unlisted.add(finding.key);
    }
  }
  return { groups: [...groups.values()], unlisted: [...unlisted], more: beyond.size };
}

type MutableGroup = { -readonly [Key in Exclude<keyof FindingGroup, 'places'>]: FindingGroup[Key] } & {
  readonly places: EntryFinding[];
  last?: EntryFinding;
};

/** The findings of an entry follow each other. */
const isInNewEntry = (finding: SessionFinding, last: EntryFinding | undefined): finding is EntryFinding =>
  finding.entryId !== undefined && (finding.entryId !== last?.entryId || finding.path !== last.path);
