/** The lines of an exported session: all branches or one, without the entries that were left out. Ids and the tree stay. */
import { NO_PARENT } from '../columns/headSource';
import { defined } from '../values/defined';
import { elementAt } from '../values/lookups';
import { CURRENT_VERSION } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';
import type { JsonObject } from '../values/jsonValues';
import { isDamaged } from '../parse/damagedLine';
import { migrateHeader, type LineIds } from '../parse/migrateLine';
import { headsOf } from '../linking/headsById';
import { EntrySet } from '../session/entrySet';
import { makeHeads } from '../session/read/makeHeads';
import { requireEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { STEP_LENGTH, type Steps } from '../session/steps';
import { BRANCH_MARK, pathPlaces } from '../session/treeTraversal';
import { lineIds } from './fork';
import { movedFirstKept } from './keptByCompactions';
import { newEntryId, type Stamp } from './sessionNames';

export interface ExportRequest {
  /** The branch that ends at this entry. */
  readonly entryId?: string;
  /** By default all branches, or with `entryId` that branch. Without an `entryId`, the active branch is the branch of the leaf. */
  readonly branches?: 'active' | 'all';
  /** Ids of entries that are left out. Their children hang off the nearest entry above that isn't. */
  readonly leaveOut?: ReadonlySet<string>;
}

export interface ExportPlan {
  readonly header: JsonObject;
  readonly entries: readonly { readonly head: EntryHead; readonly target: LineIds }[];
  /** Lines to write after the entries: the line that preserves the leaf. */
  readonly addedLines: readonly JsonObject[];
  /** Entries whose lines are damaged, which can't be exported. */
  readonly damaged: readonly EntryHead[];
  readonly leafId: string | null;
  /** The session's name, unless what gave it isn't in the export. */
  readonly name?: string;
  /** Set if entries are left out: compactions mustn't keep copies of them. */
  readonly dropsRetainedTails?: true;
}

/**
 * Plans an export in steps. Leaving out a model's message leaves out the results of its calls as well, and so are labels and edits of
 * entries that aren't in the export, and the name if its line isn't.
 *
 * @throws {SessionError} `unknown-entry`.
 */
export function* planExport(session: Session, request: ExportRequest, stamp: Stamp): Steps<ExportPlan> {
  const heads = headsOf(session);
  const all = yield* makeHeads(heads);
  const end = request.entryId === undefined ? session.leafId : requireEntry(session, request.entryId).id;
  const isBranch = request.branches === 'active' || (request.branches === undefined && request.entryId !== undefined);
  const path = isBranch ? pathPlaces(heads, end) : Array.from(all.keys());
  const leaveOut = request.leaveOut ?? new Set();
  const out = yield* outOfExport(all, leaveOut);
  const inside = new EntrySet(heads);
  for (const [index, place] of path.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (!out.has(heads.idAt(place))) inside.add(place);
  }
  /** A label of an entry that never existed stays, too. */
  const isDropped = (id: unknown): boolean => typeof id === 'string' && session.byId.has(id) && !inside.has(id);
  const ids = new EntrySet(heads);
  const kept: EntryHead[] = [];
  for (const [index, place] of path.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const head = elementAt(all, place);
    if (!inside.hasPlace(place) || (isAbout(head) && isDropped(head.targetId))) continue;
    ids.add(place);
    kept.push(head);
  }
  const parentOf = keptParents(session, ids);
  const moved = yield* movedFirstKept(heads, ids);
  const firstKept = ({ id, firstKeptEntryId }: EntryHead): string | undefined => {
    const place = firstKeptEntryId === undefined ? undefined : moved.get(heads.placeOf(id) ?? NO_PARENT);
    return place === undefined ? firstKeptEntryId : heads.idAt(place);
  };
  const entries: { head: EntryHead; target: LineIds }[] = [];
  for (const head of kept) {
    if (entries.length % STEP_LENGTH === 0) yield;
    entries.push({ head, target: targetOf(session, head, parentOf(head.id), firstKept(head)) });
  }
  let last = kept.at(-1)?.id ?? null;
  if (isBranch)
    for (const head of labelsOf(session, all, ids, inside, out)) {
      entries.push({ head, target: targetOf(session, head, last, undefined) });
      last = head.id;
    }
  const leaf = end === null || ids.has(end) ? end : parentOf(end);
  const isLeafLast = isBranch || leaf === last;
  yield;
  const name = keptName(session, all, ids, leaveOut);
  yield;
  return {
    header: headerOf(session, name),
    entries,
    addedLines: isLeafLast ? [] : [leafLine(leaf, last, newEntryId(stamp, session.byId), stamp)],
    damaged: path.map((place) => elementAt(all, place)).filter(isDamaged),
    leafId: leaf,
    ...defined({ name, dropsRetainedTails: leaveOut.size > 0 || undefined }),
  };
}

function headerOf(session: Session, name: string | undefined): JsonObject {
  const header = session.version > CURRENT_VERSION ? { ...session.header } : migrateHeader(session.header);
  if (session.dialect !== 'omp' || session.name === undefined) return header;
  if (name !== undefined) return { ...header, title: name };
  const untitled: Record<string, unknown> = { ...header };
  delete untitled['title'];
  return untitled;
}

/**
 * Returns the session's name if the export may show it. Lines give most names, then one of these has to be kept. oh-my-pi and
 * databases keep names elsewhere, often made of a message: such a name goes with its message.
 */
function keptName({ name }: Session, all: readonly EntryHead[], kept: EntrySet, leaveOut: ReadonlySet<string>): string | undefined {
  if (name === undefined) return undefined;
  // oh-my-pi cuts long names.
  const givers = all.filter(({ type, label = '' }) => NAMING.has(type) && label.trim().startsWith(name.trim()));
  if (givers.length > 0) return givers.some(({ id }) => kept.has(id)) ? name : undefined;
  const beginning = withSingleSpaces(name).replace(/(?:…|\.\.\.)$/, '');
  return all.some(({ id, text }) => leaveOut.has(id) && withSingleSpaces(text).includes(beginning)) ? undefined : name;
}

const NAMING = new Set(['session_info', 'title_change']);

const withSingleSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** True for lines that describe another entry. */
const isAbout = ({ type }: EntryHead): boolean => type === 'label' || type === 'context_edit';

/** Returns the ids of damaged entries, of entries to leave out, and of the results of calls in them. */
function* outOfExport(all: readonly EntryHead[], leaveOut: ReadonlySet<string>): Steps<Set<string>> {
  const out = new Set<string>();
  /** Messages of the model that are left out, and the results after them. */
  const calls = new Set<string>();
  for (const [index, head] of all.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const { id, role, parentId } = head;
    if (isDamaged(head) || leaveOut.has(id)) out.add(id);
    const isResult = role === 'toolResult' && parentId !== null && calls.has(parentId);
    if (!isResult && !(role === 'assistant' && leaveOut.has(id))) continue;
    calls.add(id);
    out.add(id);
  }
  return out;
}

/** Returns a function that gives the nearest kept entry above one. */
function keptParents({ byId }: Session, kept: EntrySet): (id: string) => string | null {
  const known = new Map<string, string | null>();
  return (id) => {
    const passed: string[] = [];
    let parent = byId.get(id)?.parentId ?? null;
    // A parent that isn't in the file stays: it was missing before, too.
    while (parent !== null && byId.has(parent) && !kept.has(parent) && !known.has(parent)) {
      passed.push(parent);
      parent = byId.get(parent)?.parentId ?? null;
    }
    const found = parent === null ? null : (known.get(parent) ?? (kept.has(parent) || !byId.has(parent) ? parent : null));
    for (const one of passed) known.set(one, found);
    return found;
  };
}

/** Returns the label lines of other branches that label entries of this one. */
function labelsOf(session: Session, all: readonly EntryHead[], kept: EntrySet, inside: EntrySet, out: ReadonlySet<string>): EntryHead[] {
  const newest = new Map<string, EntryHead>();
  for (const head of all)
    if (head.type === 'label' && typeof head.targetId === 'string' && !out.has(head.id)) newest.set(head.targetId, head);
  return [...newest].flatMap(([target, head]) => (inside.has(target) && !kept.has(head.id) && session.labels.has(target) ? [head] : []));
}

const targetOf = (session: Session, head: EntryHead, parentId: string | null, firstKeptEntryId: string | undefined): LineIds =>
  lineIds(session, head, parentId, firstKeptEntryId);

/** Returns the line that makes an entry the leaf which isn't the last one. */
const leafLine = (leaf: string | null, last: string | null, id: string, stamp: Stamp): JsonObject => ({
  type: 'custom',
  id,
  parentId: leaf,
  timestamp: stamp.now().toISOString(),
  customType: BRANCH_MARK,
  data: { from: last, at: leaf },
});
