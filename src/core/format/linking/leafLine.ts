/**
 * `leaf` lines, which OpenClaw and pi's agent-core write. They aren't entries and only move the leaf. The rules were
 * observed in OpenClaw 2026.7.1.
 */
import type { EntryHead } from '../entry/entryHead';

interface LeafLine {
  /** The parent of entries that name this line as theirs; never a `leaf` line itself. */
  readonly parentOfChildren: string | null;
  /** The new leaf; `undefined` for a line that has no effect. */
  readonly leafId?: string | null;
}

/**
 * Resolves a `leaf` line. A line has an effect if its target is `null`, an earlier entry, or another `leaf` line, whose
 * own target then applies.
 *
 * @param leafTargets the results of the earlier lines
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

/** Returns the parent that an id in `parentId` leads to, which is never a `leaf` line. */
export function resolveParent(id: string | null, leafTargets: ReadonlyMap<string, string | null>): string | null {
  const target = id === null ? undefined : leafTargets.get(id);
  return target === undefined ? id : target;
}
