/** Links heads to a session: roots, children, the leaf, labels, and the problems that only appear in all lines together. */
import { defined } from '../values/defined';
import type { Dialect } from '../entry/dialect';
import type { EntryHead } from '../entry/entryHead';
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { LineProblems } from '../parse/lineProblems';
import { problem, type Problem } from '../entry/problem';
import { ChildIndex, withChildren } from './childIndex';
import { HeadsById, headsOf } from './headsById';
import { LayeredMap } from './layeredMap';
import { attachReaderState, readerStateOf, type LinesState } from './readerState';
import { resolveHeads, type ResolvedHeads } from './resolveHeads';
import type { Session, SessionMarks } from '../session/session';
import type { SessionProgress } from '../session/sessionProgress';

/** A reader's result without the heads. */
export interface SessionParts {
  readonly path: string;
  readonly dialect: Dialect;
  readonly name?: string;
  /** The leaf as the program has it. Counts if it's an entry; by default the lines say where the leaf is. */
  readonly leafId?: string;
  readonly marks?: SessionMarks;
  readonly progress?: SessionProgress;
  readonly problems: readonly Problem[];
  readonly hasGivenIds: boolean;
  readonly size: number;
  readonly lines: LinesState;
}

/**
 * Links the heads of a file, or of the lines that were appended to it.
 *
 * @param found the resolved heads, or heads in file order with `leaf` lines and repeated ids
 * @param previous the session of the lines before these, if these were appended
 * @returns `undefined` if the appended lines change how the earlier ones are read: then the file has to be read from its start
 */
export function linkSession(parts: SessionParts, found: ResolvedHeads | readonly EntryHead[], previous?: Session): Session | undefined {
  const earlier = previous && {
    ...readerStateOf(previous).links,
    heads: headsOf(previous),
    leafId: previous.leafId,
    labels: previous.labels,
    archived: previous.archived,
  };
  const resolved = 'heads' in found ? found : resolveHeads(found, earlier);
  if (!resolved) return undefined;
  const { heads, leafId, labels, archived, leafTargets } = resolved;
  const first = earlier?.heads.length ?? 0;
  const { roots, missing, problems } = rootsAt(resolved.roots ?? parentless(heads, first), heads);
  const { lines } = parts;
  const children = childrenFrom(heads, first, earlier?.children);
  const byId = new HeadsById(heads);
  const session: Session = {
    path: parts.path,
    dialect: parts.dialect,
    header: lines.header,
    version: typeof lines.header.version === 'number' ? lines.header.version : 1,
    ...defined({ name: parts.name }),
    hasGivenIds: parts.hasGivenIds,
    ...defined({ marks: parts.marks, progress: parts.progress }),
    size: parts.size,
    byId,
    children,
    // Reads `this`, because V8 keeps a getter's scope, and all objects that the scope refers to, until a full
    // collection.
    get entries() {
      return headsOf(this).all();
    },
    roots: previous ? (roots.length === 0 ? previous.roots : previous.roots.concat(roots)) : roots,
    leafId: parts.leafId !== undefined && byId.has(parts.leafId) ? parts.leafId : leafId,
    labels,
    archived,
    problems: allProblems(previous?.problems ?? [], parts.problems, [...resolved.problems, ...problems]),
  };
  return attachReaderState(session, {
    lines,
    links: { leafTargets, missing: new Set([...(earlier?.missing ?? []), ...missing]), children },
  });
}

/** Returns the places from `first` on whose entries have no parent in the file. */
function parentless(heads: HeadSource, first: number): number[] {
  const places: number[] = [];
  for (let place = first; place < heads.length; place++) if (heads.parentAt(place) === NO_PARENT) places.push(place);
  return places;
}

/** Returns the roots at these places, and the parents that they name but the file doesn't have. */
function rootsAt(
  places: readonly number[],
  heads: HeadSource,
): { readonly roots: string[]; readonly missing: string[]; readonly problems: Problem[] } {
  const roots: string[] = [];
  const missing: string[] = [];
  const problems: Problem[] = [];
  for (const place of places) {
    roots.push(heads.idAt(place));
    const { parentId } = heads.traitsAt(place);
    if (parentId === null || parentId === undefined) continue;
    const { id, line } = heads.at(place);
    missing.push(parentId);
    problems.push(problem('unknown-parent', { line, parent: parentId }, id));
  }
  return { roots, missing, problems };
}

/** Above this many appended entries, child lists are built on request, as for a whole file. */
const MANY = 500;

function childrenFrom(heads: HeadSource, first: number, earlier: LayeredMap<readonly string[]> | undefined): LayeredMap<readonly string[]> {
  if (!earlier || heads.length - first > MANY) return LayeredMap.of<readonly string[]>(new ChildIndex(heads));
  const added = new Map<number, number[]>();
  for (let place = first; place < heads.length; place++) {
    const parent = heads.parentAt(place);
    if (parent === NO_PARENT) continue;
    const siblings = added.get(parent);
    if (siblings) siblings.push(place);
    else added.set(parent, [place]);
  }
  const lists = new Map<string, readonly string[]>();
  for (const [parent, places] of added) {
    const id = heads.idAt(parent);
    lists.set(id, withChildren(heads, earlier.get(id) ?? [], places));
  }
  return earlier.with(lists);
}

/** Returns the problems of a session, sorted by line. */
function allProblems(earlier: readonly Problem[], ofLines: readonly Problem[], linked: readonly Problem[]): readonly Problem[] {
  // An earlier torn line was read again. If it still is torn, the new problems include it.
  const kept = earlier.filter(({ code }) => code !== 'torn-line');
  if (kept.length === earlier.length && ofLines.length === 0 && linked.length === 0) return earlier;
  const problems = new LineProblems(kept);
  for (const one of [...ofLines, ...linked]) problems.addMade(one);
  return problems.list.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
