/**
 * Replays the events of a file: the texts that it had according to its record, and its changes in between that no session recorded
 * and no command can have made: a person's.
 */
import { createHash } from 'node:crypto';
import type { Yielder } from '../../files/concurrency/eventLoop';
import type { VersionEvent } from '../../format/lineOrigins/versions/foundVersion';
import type { VersionFinder } from '../../format/lineOrigins/versions/versionFinder';
import { compareTexts, wholeText } from '../../format/lineOrigins/versions/wholeText';
import type { ForeignChange } from '../../format/restore/planFile';

/** A question about a file's events. */
interface ReplayQuery {
  /** Finds the state after all events. */
  readonly last: VersionFinder;
  /** Finds another state of them. */
  readonly other: VersionFinder | undefined;
  /** The index of the last event before a person's changes. */
  readonly at: number;
  /** The times of the events, in milliseconds since 1970. */
  readonly times: readonly number[];
  /** Returns true for an event that shows what a restore wrote, which is no change of a person. */
  readonly isOwn: (index: number) => boolean;
  /** Resolves to true if a command ran in a time. */
  readonly ran: (since: number, until: number) => Promise<boolean>;
}

export interface RecordedStates {
  /** The texts before and after each edit. */
  readonly recorded: RecordedTexts;
  readonly gaps: readonly ForeignChange[];
}

/** Gives all events to the finders. @throws the signal's reason if aborted */
export async function recordedStates(
  facts: readonly VersionEvent[],
  { last, other, at, times, isOwn, ran }: ReplayQuery,
  pause: Yielder,
): Promise<RecordedStates> {
  const gaps: ForeignChange[] = [];
  const recorded = new RecordedTexts();
  /** The texts that edits left. Someone who goes back to such a text changes nothing. */
  const left = new RecordedTexts(recorded);
  let isFirst = true;
  let since = -Infinity;
  for (const [index, fact] of facts.entries()) {
    const [from, to, until] = [last.isAbsent() ? undefined : last.state(), shownBefore(fact), times[index] ?? Infinity];
    const isForeign =
      index > at &&
      to !== undefined &&
      (from !== undefined || last.isAbsent()) &&
      !isOwn(index) &&
      (from === undefined || compareTexts(wholeText(from), wholeText(to)) === 'different') &&
      !left.has(to);
    if (isForeign && !(await ran(since, until))) gaps.push({ from, to });
    const edit = fact.kind === 'edit' && fact.edit.isCertain ? fact.edit : undefined;
    if (edit) {
      const isNew = isFirst && edit.before === undefined && edit.text !== undefined;
      if (edit.before !== undefined) recorded.add(edit.before);
      if (isNew || last.state() !== undefined) recorded.add(from);
      isFirst = false;
    }
    await pause.run(last.add(fact));
    if (other) await pause.run(other.add(fact));
    if (fact.kind === 'edit' || to !== undefined) since = until;
    if (fact.kind === 'edit' && last.state() !== undefined) {
      left.add(last.state());
      if (edit) recorded.add(last.isAbsent() ? undefined : last.state());
    }
    await pause.yieldIfDue();
  }
  return { recorded, gaps };
}

/** The whole text that an event found. */
function shownBefore(fact: VersionEvent): string | undefined {
  if (fact.kind === 'edit') return fact.edit.isCertain ? fact.edit.before : undefined;
  return fact.kind === 'reading' && fact.shown.isWhole && fact.shown.isEndRecorded ? fact.shown.text : undefined;
}

/** Texts that a file had, and its absence, in little memory. */
export class RecordedTexts {
  private readonly hashes = new Set<string | undefined>();
  private last: { readonly text: string; readonly hash: string } | undefined;

  /** @param other where the hash of the same text was often made just before */
  constructor(private readonly other?: RecordedTexts) {}

  add(text: string | undefined): void {
    this.hashes.add(this.hashOf(text));
  }

  has(text: string | undefined): boolean {
    return this.hashes.has(this.hashOf(text));
  }

  private hashOf(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    if (this.other) return this.other.hashOf(text);
    if (this.last?.text !== text) this.last = { text, hash: createHash('sha256').update(text).digest('base64') };
    return this.last.hash;
  }
}
