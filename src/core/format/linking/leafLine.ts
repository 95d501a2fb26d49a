/**
 * `leaf` lines, which OpenClaw and pi's agent-core write: they are no entries, they only move the leaf.
 * The rules are those that OpenClaw 2026.7.1 was seen to keep.
 */
import type { EntryHead } from '../entry/entryHead';

export interface LeafLine {
  /** Where the line's children hang; never a `leaf` line itself. */
  readonly parentOfChildren: string | null;
  /** Where the leaf moves to; `undefined` for a line that does not count. */
  readonly leafId?: string | null;
}

/**
 * A line counts if its target is `null`, an entry that stands before it, or another `leaf` line, whose target
 * is then meant. `leafTargets` holds what the earlier lines came to.
 */
export function resolveLeafLine(
  head: EntryHead,
  known: { has(id: string): boolean },
  leafTargets: ReadonlyMap<string, string | null>,
): LeafLine {
  const target = head.targetId === undefined ? undefined : resolveParent(head.targetId, leafTargets);
  if (target === undefined || (target !== null && !known.has(target)))
    return { parentOfChildren: resolveParent(head.parentId, leafTargets) };
  return { parentOfChildren: target, leafId: target };
}

/** The entry that a parent's id stands for. */
export function resolveParent(id: string | null, leafTargets: ReadonlyMap<string, string | null>): string | null {
  const target = id === null ? undefined : leafTargets.get(id);
  return target === undefined ? id : target;
}
