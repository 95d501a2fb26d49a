/** When the branches of a session were last active, and where each continues. Pure. */
import { activityTimeAt, type ChildPlaces, type HeadSource, type Steps } from '../../core/index';

/** The value in `ActivityTimes.newestChild` of entries without children. */
const NO_CHILD = -1;
/** The value in `ActivityTimes.newestChild` of entries on the active path. */
const IS_ACTIVE = -2;

/** Both arrays are indexed by place. Entries that were appended to the active path later have none. */
export interface ActivityTimes {
  /** For entries off the active path: the place of the child whose subtree has the newest message, or `NO_CHILD`. */
  readonly newestChild: Int32Array;
  /** For entries off the active path: the time of the newest message at or below it, in milliseconds since 1970. */
  readonly newestTimes: Float64Array;
}

/** True for an entry off the active path. */
export const isOnBranch = ({ newestChild }: Pick<ActivityTimes, 'newestChild'>, place: number): boolean =>
  (newestChild[place] ?? IS_ACTIVE) !== IS_ACTIVE;

/** Computes `newestChild` and `newestTimes` for the entries at these places and all their descendants. */
export function* activityTimes(
  heads: HeadSource,
  children: ChildPlaces,
  starts: readonly number[],
  isDue: () => boolean,
): Steps<ActivityTimes> {
  const newestChild = new Int32Array(heads.length).fill(IS_ACTIVE);
  const newestTimes = new Float64Array(heads.length);
  if (starts.length === 0) return { newestChild, newestTimes };
  /** For each place, the last place at or below it. */
  const last = new Int32Array(heads.length);
  const order = yield* subtreesOf(children, starts, isDue);
  // Descendants come first.
  for (let index = order.length - 1; index >= 0; index--) {
    const place = order[index]!;
    let time = activityTimeAt(heads, place) ?? 0;
    let end = place;
    let best = NO_CHILD;
    for (let child = children.firstAt(place); child >= 0; child = children.nextAt(child)) {
      const [childTime, childEnd] = [newestTimes[child]!, last[child]!];
      if (best < 0 || childTime > newestTimes[best]! || (childTime === newestTimes[best]! && childEnd > last[best]!)) best = child;
      time = Math.max(time, childTime);
      end = Math.max(end, childEnd);
      if (isDue()) yield;
    }
    newestChild[place] = best;
    newestTimes[place] = time;
    last[place] = end;
    if (isDue()) yield;
  }
  return { newestChild, newestTimes };
}

/** The places of some entries and of all their descendants, parents before children. */
function* subtreesOf(children: ChildPlaces, starts: readonly number[], isDue: () => boolean): Steps<number[]> {
  const order: number[] = [];
  const stack = [...starts];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    order.push(place);
    for (let child = children.firstAt(place); child >= 0; child = children.nextAt(child)) stack.push(child);
    if (isDue()) yield;
  }
  return order;
}
