/** The entries that compactions keep, in an export without some entries. */
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { elementAt } from '../values/lookups';
import { ChildPlaces } from '../linking/childIndex';
import type { EntrySet } from '../session/entrySet';
import { STEP_LENGTH, type Steps } from '../session/steps';

/**
 * Returns where the kept entries of compactions begin that name an entry which isn't in the export: with the next one below
 * that is, by the compaction's place. In one walk, because each of a hundred thousand entries may be such a compaction.
 */
export function* movedFirstKept(heads: HeadSource, inExport: EntrySet): Steps<Map<number, number>> {
  const moved = new Map<number, number>();
  const children = new ChildPlaces(heads);
  const depths = new Int32Array(heads.length);
  /** The path to the entry above the one that is visited, and the places of the entries on it that are in the export. */
  const path: number[] = [];
  const kept: number[] = [];
  const waiting: number[] = [];
  for (let place = heads.length - 1; place >= 0; place--) if (heads.parentAt(place) === NO_PARENT) waiting.push(place);
  let count = 0;
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (count++ % STEP_LENGTH === 0) yield;
    const parent = heads.parentAt(place);
    const depth = (depths[place] = parent === NO_PARENT ? 0 : depths[parent]! + 1);
    path.length = depth;
    while (kept.length > 0 && depths[elementAt(kept, kept.length - 1)]! >= depth) kept.pop();
    const first = firstKeptAt(heads, place);
    if (first !== undefined && !inExport.hasPlace(first)) {
      const isAbove = path[depths[first]!] === first;
      const next = kept[isAbove ? countUpTo(kept, depths, depths[first]!) : 0];
      if (next !== undefined) moved.set(place, next);
    }
    path.push(place);
    if (inExport.hasPlace(place)) kept.push(place);
    for (let child = children.firstAt(place); child >= 0; child = children.nextAt(child)) waiting.push(child);
  }
  return moved;
}

function firstKeptAt(heads: HeadSource, place: number): number | undefined {
  const { firstKeptEntryId } = heads.traitsAt(place);
  return firstKeptEntryId === undefined ? undefined : heads.placeOf(firstKeptEntryId);
}

/** Returns how many of the places, whose depths ascend, aren't deeper than `depth`. */
function countUpTo(places: readonly number[], depths: Int32Array, depth: number): number {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (depths[elementAt(places, middle)]! <= depth) from = middle + 1;
    else to = middle;
  }
  return from;
}
