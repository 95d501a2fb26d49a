/** Makes heads of many entries in steps. It's what takes longest in work on all entries of a large session. */
import type { HeadSource } from '../../columns/headSource';
import type { EntryHead } from '../../entry/entryHead';
import { STEP_LENGTH, type Steps } from '../steps';

/** Returns the heads at some places; by default all, in file order. Whoever needs them afterwards finds them made. */
export function* makeHeads(heads: HeadSource, places: Iterable<number> = Array(heads.length).keys()): Steps<EntryHead[]> {
  const made: EntryHead[] = [];
  for (const place of places) if (made.push(heads.at(place)) % STEP_LENGTH === 0) yield;
  return made;
}
