/** Groups hits by their sessions. Pure. */
import type { SearchHit } from '../../core/index';

/** Hits of a session that are shown before it's expanded. */
const SHOWN = 3;

export interface HitGroup {
  readonly path: string;
  readonly shown: readonly SearchHit[];
  /** The number of further hits. */
  readonly hidden: number;
}

/**
 * Returns the hits of each session together, in the order of the first ones. Of the only session all are shown.
 *
 * @param expanded the paths of sessions whose hits are all shown
 * @param isCut true if there are more hits, which may be in other sessions
 */
export function groupHits(hits: readonly SearchHit[], expanded: ReadonlySet<string>, isCut: boolean): HitGroup[] {
  const byPath = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const group = byPath.get(hit.path);
    if (group) group.push(hit);
    else byPath.set(hit.path, [hit]);
  }
  return Array.from(byPath, ([path, all]) => {
    // A single one takes no more room than the item that stands for it.
    const isWhole = (byPath.size === 1 && !isCut) || expanded.has(path) || all.length <= SHOWN + 1;
    const shown = isWhole ? all : all.slice(0, SHOWN);
    return { path, shown, hidden: all.length - shown.length };
  });
}
