/** Turns the heads that a reader found into the heads of a session: each id once, no parents that are `leaf` lines, no circles. */
import { elementAt } from '../values/lookups';
import type { EntryHead } from '../entry/entryHead';
import { AppendedHeads } from '../columns/appendedHeads';
import { HeadList } from '../columns/headList';
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { problem, type Problem } from '../entry/problem';
import { isDamaged } from '../parse/damagedLine';
import { LineProblems } from '../parse/lineProblems';
import { breakCycles } from './breakCycles';
import { applyEntry, type LeafAndLabels } from './leafAndLabels';
import { resolveParent } from './leafLine';
import type { LinkState } from './readerState';

/** Input of the linker. */
export interface ResolvedHeads extends LeafAndLabels, Pick<LinkState, 'leafTargets'> {
  readonly heads: HeadSource;
  readonly problems: readonly Problem[];
  /** The places of all entries without a parent in the file, if they're known without a walk over all heads. */
  readonly roots?: readonly number[];
}

/** The session that lines are appended to. */
interface EarlierHeads extends Pick<LinkState, 'leafTargets' | 'missing'> {
  readonly heads: HeadSource;
  readonly leafId: string | null;
  readonly labels: ReadonlyMap<string, string>;
  readonly archived: ReadonlySet<string>;
}

/**
 * Resolves heads in file order, with `leaf` lines and repeated ids among them.
 *
 * @param earlier the lines before these, if these were appended
 * @returns `undefined` if the lines change how the earlier ones are read (one has an id that is already there, or that an
 *   earlier entry names as its parent): then the file has to be read from its start, which is rare
 */
export function resolveHeads(lines: readonly EntryHead[], earlier?: EarlierHeads): ResolvedHeads | undefined {
  const state: LeafAndLabels = { leafId: earlier?.leafId ?? null, labels: new Map(earlier?.labels), archived: new Set(earlier?.archived) };
  const leafTargets = new Map(earlier?.leafTargets);
  const repeated = new LineProblems();
  /** The last line of each id. */
  const places = new Map<string, number>();
  const known = earlier ? { has: (id: string): boolean => places.has(id) || earlier.heads.placeOf(id) !== undefined } : places;
  let isPlain = true;
  for (const [index, head] of lines.entries()) {
    const { id } = head;
    if (earlier && (earlier.missing.has(id) || earlier.heads.placeOf(id) !== undefined)) return undefined;
    applyEntry(state, head, known, leafTargets);
    if (head.type === 'leaf') {
      isPlain = false;
      continue;
    }
    const count = places.size;
    // A readable entry takes precedence over an unreadable one.
    if (!isDamaged(head) || !places.has(id)) places.set(id, index);
    if (places.size > count) continue;
    isPlain = false;
    repeated.add('duplicate-id', { line: head.line, id }, id);
  }
  let heads = isPlain ? lines : lines.filter(({ type, id }, index) => type !== 'leaf' && places.get(id) === index);
  if (leafTargets.size > 0) {
    heads = heads.map((head) => {
      const parentId = resolveParent(head.parentId, leafTargets);
      return parentId === head.parentId ? head : { ...head, parentId };
    });
  }
  if (!isPlain) for (const [index, { id }] of heads.entries()) places.set(id, index);
  const circles: Problem[] = [];
  const first = earlier?.heads.length ?? 0;
  const { parents, isOrdered } = parentPlaces(heads, places, earlier?.heads);
  if (!isOrdered) {
    const broken = [...heads];
    for (const cut of breakCycles(parents, first)) {
      const head = elementAt(heads, cut);
      broken[cut] = { ...head, parentId: null };
      circles.push(problem('cycle', { line: head.line }, head.id));
    }
    heads = broken;
  }
  return {
    ...state,
    heads: earlier ? AppendedHeads.to(earlier.heads, heads) : new HeadList(heads, places, parents),
    leafTargets,
    problems: [...repeated.list, ...circles],
  };
}

/** Returns the parents' places, and whether all parents precede their children, which excludes circles. */
function parentPlaces(
  heads: readonly EntryHead[],
  places: ReadonlyMap<string, number>,
  earlier: HeadSource | undefined,
): { readonly parents: Int32Array; readonly isOrdered: boolean } {
  const first = earlier?.length ?? 0;
  const parents = new Int32Array(heads.length);
  let isOrdered = true;
  let before: string | undefined;
  for (const [index, { id, parentId }] of heads.entries()) {
    // Most entries are children of the previous one, which needs no look-up.
    const own = parentId === null ? undefined : parentId === before ? index - 1 : places.get(parentId);
    const parent = own === undefined ? (parentId === null ? undefined : earlier?.placeOf(parentId)) : first + own;
    parents[index] = parent ?? NO_PARENT;
    if (parent !== undefined && parent >= first + index) isOrdered = false;
    before = id;
  }
  return { parents, isOrdered };
}
