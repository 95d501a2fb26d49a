/** Finds the changes of a file between recorded events that no session recorded and no command can have made: a person's. */
import { createHash } from 'node:crypto';
import type { Yielder } from '../../files/concurrency/eventLoop';
import type { VersionEvent } from '../../format/lineOrigins/versions/foundVersion';
import { VersionFinder } from '../../format/lineOrigins/versions/versionFinder';
import { compareTexts, wholeText } from '../../format/lineOrigins/versions/wholeText';
import type { ForeignChange } from '../../format/restore/planFile';

/** A question about a file's events. */
interface ChangeQuery {
  /** The index of the last event before the changes. */
  readonly at: number;
  /** The times of the events, in milliseconds since 1970. */
  readonly times: readonly number[];
  /** Returns true for an event that shows what a restore wrote, which is no change of a person. */
  readonly isOwn: (index: number) => boolean;
  /** Resolves to true if a command ran in a time. */
  readonly ran: (since: number, until: number) => Promise<boolean>;
}

/** @throws the signal's reason if aborted */
export async function unrecordedChanges(
  facts: readonly VersionEvent[],
  { at, times, isOwn, ran }: ChangeQuery,
  pause: Yielder,
): Promise<ForeignChange[]> {
  const found: ForeignChange[] = [];
  /** The hashes of what edits left. Someone who goes back to such a text changes nothing. */
  const left = new Set<string>();
  const finder = new VersionFinder(facts.length - 1, 'later', undefined);
  let since = -Infinity;
  for (const [index, fact] of facts.entries()) {
    const [from, to, until] = [finder.isAbsent() ? undefined : finder.state(), shownBefore(fact), times[index] ?? Infinity];
    const isForeign =
      index > at &&
      to !== undefined &&
      (from !== undefined || finder.isAbsent()) &&
      !isOwn(index) &&
      !left.has(hashOf(to)) &&
      (from === undefined || compareTexts(wholeText(from), wholeText(to)) === 'different');
    if (isForeign && !(await ran(since, until))) found.push({ from, to });
    await pause.run(finder.add(fact));
    if (fact.kind === 'edit' || to !== undefined) since = until;
    const state = fact.kind === 'edit' ? finder.state() : undefined;
    if (state !== undefined) left.add(hashOf(state));
    await pause.yieldIfDue();
  }
  return found;
}

/** The whole text that an event found. */
function shownBefore(fact: VersionEvent): string | undefined {
  if (fact.kind === 'edit') return fact.edit.isCertain ? fact.edit.before : undefined;
  return fact.kind === 'reading' && fact.shown.isWhole && fact.shown.isEndRecorded ? fact.shown.text : undefined;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
