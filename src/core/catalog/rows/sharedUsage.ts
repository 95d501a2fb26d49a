/** Usage of answers that several sessions have, and the sessions that it counts for. Pure. */
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import type { Totals } from '../../format/session/costs/usageTotals';
import type { SessionUsage } from './usageBy';
import { causeBit } from './usageCauses';

/** The usage, with one model on one day, of the answers that all of some sessions have and no other session has. */
export interface SharedUsage extends Totals {
  /** The sessions, at least one. */
  readonly paths: readonly string[];
  readonly day: string;
  readonly model: string;
  /** The files of subagents' sessions whose usage this is, as far as a tool's result names them. */
  readonly children: readonly string[];
  /** The bits of `causeBit`. */
  readonly causes: number;
}

/** Returns the sessions that usage counts for: some of those that have it, or others. */
export type CountedFor = (paths: readonly string[]) => Iterable<string>;

/** Counts usage for the session that had it first: the one with the earliest header, and of several the first path. */
export const countOnce =
  (createdAt: (path: string) => number): CountedFor =>
  ([first = '', ...others]) => {
    // An unknown time is 0.
    const time = (path: string): number => createdAt(path) || Infinity;
    const isBefore = (a: string, b: string): boolean => time(a) < time(b) || (time(a) === time(b) && a < b);
    return [others.reduce((found, path) => (isBefore(path, found) ? path : found), first)];
  };

/** Counts usage for each session that has it, as if there were no other. */
export const countEach: CountedFor = (paths) => paths;

/**
 * Counts usage once for each family that has it. A family has the path of its oldest member: each session is one, with all
 * sessions below it.
 *
 * @param parentOf must not lead in circles
 */
export const countFamilies =
  (parentOf: (path: string) => string | undefined): CountedFor =>
  (paths) => {
    const families = new Set<string>();
    for (const path of paths)
      for (let at: string | undefined = path; at !== undefined && !families.has(at); at = parentOf(at)) families.add(at);
    return families;
  };

/**
 * Returns the usage of sessions. What a tool's result tells of sessions that are there isn't counted.
 *
 * @param isThere true for the file of a session that counts itself
 */
export function* usageOfSessions(
  shared: readonly SharedUsage[],
  countedFor: CountedFor,
  isThere: (path: string) => boolean,
): Steps<SessionUsage[]> {
  const usage: SessionUsage[] = [];
  for (const [index, { paths, children, ...fact }] of shared.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (children.some(isThere)) continue;
    // A result has the usage of subagents whose sessions aren't there.
    const causes = fact.causes | (children.length > 0 ? causeBit('subagent') : 0);
    for (const path of countedFor(paths)) usage.push({ path, ...fact, causes });
  }
  return usage;
}
