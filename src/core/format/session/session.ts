/**
 * Heads → one immutable value: who is whose child, where the leaf is, labels, name, and what is odd.
 * `link` makes it of a whole file, `extend` of an earlier value and what was appended since.
 */
import type { Dialect } from '../entry/dialect';
import type { SessionHeader } from '../entry/entry';
import type { ToolCallTexts, EntryHead } from '../entry/entryHead';
import { breakCycles } from './breakCycles';
import { EntryList } from './entryList';
import type { HeadTable } from '../columns/headTable';
import { LayeredMap } from './layeredMap';
import { LineProblems } from '../parse/lineProblems';
import { resolveParent } from './leafLine';
import { applyEntry, type LeafAndLabels } from './leafAndLabels';
import { problem, type Problem } from '../entry/problem';

export interface Session {
  readonly path: string;
  readonly dialect: Dialect;
  readonly header: SessionHeader;
  /** As the file says; 1 if it says none. */
  readonly version: number;
  /** In file order, without `leaf` lines; of entries with the same id the last. */
  readonly entries: readonly EntryHead[];
  readonly byId: ReadonlyMap<string, EntryHead>;
  /** Ids of an entry's children, oldest first. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** Ids of the entries that have no parent (in the file), in file order. */
  readonly roots: readonly string[];
  /** Where the programs would go on; `null` before the first entry. */
  readonly leafId: string | null;
  readonly name?: string;
  /** Labels by the entry they stand on, over all branches. */
  readonly labels: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
  /** Some entries have no id of their own: ids were given by their place, and the file is not written to. */
  readonly hasGivenIds: boolean;
  /** Bytes that were read, up to the end of the last line that is complete or an entry. */
  readonly size: number;
  /** What reading on needs; nobody else's. */
  readonly readerState: ReaderState;
}

/** What is known after some lines of a file, beside the heads. */
export interface ReaderState {
  readonly header: SessionHeader;
  /** The title of omp's slot, if the file begins with one. */
  readonly slotTitle?: string;
  /** The slot fills exactly the 256 bytes that it must. */
  readonly slotIsExact?: boolean;
  /** The name by `session_info` lines, so far. */
  readonly infoName?: string;
  /** What lines told of the program that wrote them. */
  readonly evidence?: Dialect;
  readonly calls: ToolCallTexts;
  /** The id of the last entry, for files whose entries are a chain. */
  readonly lastId: string | null;
  /** Objects so far, the header being number 0. */
  readonly objects: number;
  /** The place behind the last line that ended with a line break. */
  readonly offset: number;
  readonly line: number;
  /** How the file begins, and how what was read ends: by these one sees whether a file only grew. */
  readonly beginning: string;
  readonly ending: string;
  /** Where a `leaf` line's children belong, by the line's id. */
  readonly leafTargets: ReadonlyMap<string, string | null>;
  /** Parents that were named and not found. */
  readonly missing: ReadonlySet<string>;
  /** `byId`, `children` and `entries` of the session, in the form that can be extended. */
  readonly maps: SessionMaps;
  /** The session as it was before a last line without a line break, if there is one. */
  readonly beforeLastLine?: Session;
}

export interface SessionMaps {
  readonly byId: LayeredMap<EntryHead>;
  readonly children: LayeredMap<readonly string[]>;
  readonly entryList: EntryList;
  /** The heads, where they are in columns. */
  readonly table?: HeadTable;
}

/** What a reader hands over: everything but the structure. */
export interface SessionParts {
  readonly path: string;
  readonly dialect: Dialect;
  readonly name?: string;
  readonly heads: readonly EntryHead[];
  readonly problems: readonly Problem[];
  readonly hasGivenIds: boolean;
  readonly size: number;
  readonly readerState: Omit<ReaderState, 'leafTargets' | 'missing' | 'maps'>;
}

/** Makes the session of all heads of a file, in file order. */
export function linkSession(lines: SessionParts): Session {
  const problems = [...lines.problems];
  const byId = new Map<string, EntryHead>();
  const leafTargets = new Map<string, string | null>();
  const state: LeafAndLabels = { leafId: null, labels: new Map() };
  let repeated = false;
  for (const head of lines.heads) {
    applyEntry(state, head, byId, leafTargets);
    if (head.type === 'leaf') continue;
    const known = byId.size;
    byId.set(head.id, head);
    if (byId.size > known) continue;
    repeated = true;
    problems.push(problem('duplicate-id', { line: head.line, id: head.id }, head.id));
  }
  resolveParents(lines.heads, byId, leafTargets);
  const missing = new Set<string>();
  const children = new Map<string, string[]>();
  const roots: string[] = [];
  let ordered = true;
  const isPlain = !repeated && leafTargets.size === 0;
  const entries = isPlain ? lines.heads : uniqueEntries(lines.heads, byId);
  let before: EntryHead | undefined;
  for (const head of entries) {
    // Most entries hang off the one before them, to which nothing is tied yet: that need not be looked up.
    const last = before;
    before = head;
    const parent = head.parentId === null ? undefined : head.parentId === last?.id ? last : byId.get(head.parentId);
    if (head.parentId !== null && parent) {
      ordered &&= parent.offset < head.offset;
      const siblings = ordered && parent === last ? undefined : children.get(head.parentId);
      if (siblings) siblings.push(head.id);
      else children.set(head.parentId, [head.id]);
      continue;
    }
    roots.push(head.id);
    if (head.parentId !== null) {
      missing.add(head.parentId);
      problems.push(problem('unknown-parent', { line: head.line, parent: head.parentId }, head.id));
    }
  }
  // Where every parent stands before its children there is no circle to look for.
  if (!ordered) breakCycles(entries, byId, children, roots, problems);
  for (const siblings of children.values()) if (siblings.length > 1) siblings.sort((a, b) => byId.get(a)!.time - byId.get(b)!.time);
  sortByLine(problems);
  const all = isPlain && ordered ? entries : entries.map((head) => byId.get(head.id)!);
  const maps = { byId: LayeredMap.of(byId), children: LayeredMap.of<readonly string[]>(children), entryList: new EntryList(() => all) };
  return createSession(lines, maps, { roots, leafId: state.leafId, labels: state.labels, problems, leafTargets, missing });
}

/**
 * The session with what was appended. `undefined` where the new lines change what was there (an id comes
 * again, a missing parent turns up): then the file is to be read anew, which is rare.
 */
export function extendSession(session: Session, lines: SessionParts): Session | undefined {
  const byId = new Map<string, EntryHead>();
  const children = new Map<string, string[]>();
  const siblingsOf = (id: string): string[] => {
    let siblings = children.get(id);
    if (!siblings) children.set(id, (siblings = [...(session.children.get(id) ?? [])]));
    return siblings;
  };
  const find = (id: string): EntryHead | undefined => byId.get(id) ?? session.byId.get(id);
  const missing = new Set(session.readerState.missing);
  const leafTargets = new Map(session.readerState.leafTargets);
  // A torn line was read again: what there is to say about it now is among the new problems.
  const earlier = session.problems.filter(({ code }) => code !== 'torn-line');
  const lineProblems = new LineProblems(earlier);
  for (const found of lines.problems) lineProblems.add(found);
  const problems = lineProblems.list;
  const roots: string[] = [];
  const state: LeafAndLabels = { leafId: session.leafId, labels: new Map(session.labels) };
  const added: EntryHead[] = [];
  for (const read of lines.heads) {
    if (missing.has(read.id) || find(read.id)) return undefined;
    const parentId = resolveParent(read.parentId, leafTargets);
    const head = parentId === read.parentId ? read : { ...read, parentId };
    if (head.type !== 'leaf') {
      if (head.parentId === head.id) return undefined;
      byId.set(head.id, head);
      added.push(head);
      const parent = head.parentId === null ? undefined : find(head.parentId);
      if (parent) insertByTime(siblingsOf(parent.id), head, find);
      else {
        roots.push(head.id);
        if (head.parentId !== null) {
          missing.add(head.parentId);
          problems.push(problem('unknown-parent', { line: head.line, parent: head.parentId }, head.id));
        }
      }
    }
    applyEntry(state, head, { has: (id) => find(id) !== undefined }, leafTargets);
  }
  const unchanged = lines.problems.length === 0 && problems.length === earlier.length && earlier.length === session.problems.length;
  const { maps } = session.readerState;
  return createSession(lines, { byId: maps.byId.with(byId), children: maps.children.with(children), entryList: maps.entryList.with(added) }, {
    roots: roots.length === 0 ? session.roots : session.roots.concat(roots),
    leafId: state.leafId,
    labels: state.labels,
    problems: unchanged ? session.problems : sortByLine(problems),
    leafTargets,
    missing,
  });
}

type Structure = Pick<Session, 'roots' | 'leafId' | 'labels' | 'problems'> & Pick<ReaderState, 'leafTargets' | 'missing'>;

export function createSession(lines: Omit<SessionParts, 'heads'>, maps: SessionMaps, { leafTargets, missing, ...structure }: Structure): Session {
  const { header } = lines.readerState;
  return {
    path: lines.path,
    dialect: lines.dialect,
    header,
    version: typeof header.version === 'number' ? header.version : 1,
    ...(lines.name === undefined ? {} : { name: lines.name }),
    hasGivenIds: lines.hasGivenIds,
    size: lines.size,
    byId: maps.byId,
    children: maps.children,
    // Of `this`, since V8 keeps getters, and with them whatever else they would see, until it clears up as a whole.
    get entries() {
      return this.readerState.maps.entryList.all;
    },
    ...structure,
    readerState: { ...lines.readerState, leafTargets, missing, maps },
  };
}

export const sortByLine = (problems: Problem[]): Problem[] => problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));

/** Of entries with the same id the last, as they are by now. */
function uniqueEntries(heads: readonly EntryHead[], byId: ReadonlyMap<string, EntryHead>): EntryHead[] {
  const found: EntryHead[] = [];
  for (const { type, id, line, offset } of heads) {
    const head = byId.get(id);
    if (type !== 'leaf' && head?.line === line && head.offset === offset) found.push(head);
  }
  return found;
}

function resolveParents(heads: readonly EntryHead[], byId: Map<string, EntryHead>, leafTargets: ReadonlyMap<string, string | null>): void {
  if (leafTargets.size === 0) return;
  for (const head of heads) {
    const parentId = resolveParent(head.parentId, leafTargets);
    if (parentId !== head.parentId && byId.get(head.id) === head) byId.set(head.id, { ...head, parentId });
  }
}

/** Puts one more among children, oldest first; among equals the newcomer is last. */
function insertByTime(siblings: string[], head: EntryHead, find: (id: string) => EntryHead | undefined): void {
  let at = siblings.length;
  while (at > 0 && find(siblings[at - 1]!)!.time > head.time) at--;
  siblings.splice(at, 0, head.id);
}
