/** The content of a fork: its entries with their ids, and the labels that still apply. FORMAT section 6, rule 6. */
import { branchPoint, isPrompt } from './change';
import { CURRENT_VERSION } from '../entry/entry';
import type { JsonObject } from '../values/jsonValues';
import type { EntryHead } from '../entry/entryHead';
import type { LineIds } from '../parse/migrateLine';
import { newEntryId, newSessionId, type Stamp } from './sessionNames';
import { elementAt } from '../values/lookups';
import { SessionError } from '../entry/problem';
import { isDamaged } from '../parse/damagedLine';
import { headsOf } from '../linking/headsById';
import { EntrySet } from '../session/entrySet';
import { makeHeads } from '../session/read/makeHeads';
import { requireEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { STEP_LENGTH, type Steps } from '../session/steps';
import { BRANCH_MARK, pathPlaces } from '../session/treeTraversal';

export interface ForkRequest {
  /** If absent, the active branch or the whole session is forked. */
  readonly entryId?: string;
  /** Without `entryId`: true for the whole session, false for the active branch. By default true if `cwd` is given. */
  readonly isWhole?: boolean;
  /** Default: `before` for user and custom messages, otherwise `at`. */
  readonly position?: 'before' | 'at';
  /** The project of the fork, if it differs from the session's. */
  readonly cwd?: string;
  /** The new session's id; by default a new one. */
  readonly id?: string;
}

export interface ForkPlan {
  readonly header: JsonObject;
  /** The entries to copy, in order; their bodies are read when the file is written. */
  readonly entries: readonly { readonly head: EntryHead; readonly target: LineIds }[];
  /** New lines, written after the entries. */
  readonly addedLines: readonly JsonObject[];
  /** The prompt that the fork ends before, so that it can be asked again. */
  readonly prompt?: EntryHead;
}

/**
 * Plans a fork of any readable session up to version 3, in steps.
 *
 * @throws {SessionError} `version`, `unknown-entry`.
 */
export function* planFork(session: Session, request: ForkRequest, stamp: Stamp): Steps<ForkPlan> {
  if (session.version > CURRENT_VERSION) {
    throw new SessionError(
      'version',
      'This session has format {version}, which is newer than this extension supports, so it can’t be forked here. Use its own program: {path}',
      {
        version: session.version,
        path: session.path,
      },
    );
  }
  const header = forkHeader(session, request, stamp);
  const { isWhole = request.cwd !== undefined } = request;
  if (request.entryId === undefined && isWhole) return { header, ...(yield* forkWholeSession(session, stamp)) };
  if (request.entryId === undefined) return { header, ...(yield* forkBranch(session, session.leafId, stamp)) };
  const head = requireEntry(session, request.entryId);
  const before = (request.position ?? (isPrompt(head) ? 'before' : 'at')) === 'before';
  if (!before) return { header, ...(yield* forkBranch(session, head.id, stamp)) };
  return {
    header,
    ...(yield* forkBranch(session, isPrompt(head) ? branchPoint(session, head) : head.parentId, stamp)),
    ...(isPrompt(head) ? { prompt: head } : {}),
  };
}

/** Header keys of this session alone. The rest (initial settings, unknown keys) is copied. */
const OWN_KEYS = new Set([
  'type',
  'version',
  'id',
  'timestamp',
  'cwd',
  'parentSession',
  'branchedFrom',
  'title',
  'titleSource',
  'previousSessionFiles',
  'payloadSha256',
]);

/** Returns the header's keys that are true of a copy, too: initial settings, and unknown ones. */
export const inheritedHeader = (session: Session): JsonObject =>
  Object.fromEntries(Object.entries(session.header).filter(([key]) => !OWN_KEYS.has(key)));

function forkHeader(session: Session, { cwd, id }: ForkRequest, stamp: Stamp): JsonObject {
  const rest = inheritedHeader(session);
  return {
    type: 'session',
    version: CURRENT_VERSION,
    id: id ?? newSessionId(stamp),
    timestamp: stamp.now().toISOString(),
    cwd: cwd ?? session.header.cwd,
    parentSession: session.path,
    ...rest,
  };
}

type ForkLines = Pick<ForkPlan, 'entries' | 'addedLines'>;

/** True for a line that a branch's fork leaves out: labels are written again as new lines, and a damaged line has nothing to write. */
const isLeftOut = (head: EntryHead): boolean => head.type === 'label' || isDamaged(head);

/** Takes the path to an entry without its label lines and damaged ones, with new parent ids, and adds the labels of these entries. */
function* forkBranch(session: Session, id: string | null, stamp: Stamp): Steps<ForkLines> {
  const heads = headsOf(session);
  const places = pathPlaces(heads, id);
  yield;
  const path = yield* makeHeads(heads, places);
  const replacements = labelReplacements(path);
  const kept = new EntrySet(heads);
  const entries: { head: EntryHead; target: LineIds }[] = [];
  let parentId: string | null = null;
  for (const [index, head] of path.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (isLeftOut(head)) continue;
    const firstKept = head.firstKeptEntryId === undefined ? undefined : (replacements.get(head.firstKeptEntryId) ?? head.firstKeptEntryId);
    entries.push({ head, target: lineIds(session, head, parentId, firstKept) });
    kept.add(elementAt(places, index));
    parentId = head.id;
  }
  return { entries, addedLines: yield* labelLines(session, kept, parentId, stamp) };
}

/** Maps each line that is left out of a path to the next one that isn't: a compaction may keep entries from such a line on. */
function labelReplacements(path: readonly EntryHead[]): Map<string, string> {
  const replacements = new Map<string, string>();
  let next: string | undefined;
  for (const head of path.toReversed()) {
    if (!isLeftOut(head)) next = head.id;
    else if (next !== undefined) replacements.set(head.id, next);
  }
  return replacements;
}

function* labelLines(session: Session, kept: EntrySet, last: string | null, stamp: Stamp): Steps<JsonObject[]> {
  const heads = headsOf(session);
  const times = new Map<string, string>();
  for (let place = 0; place < heads.length; place++) {
    if (place % STEP_LENGTH === 0) yield;
    const { type, targetId } = heads.traitsAt(place);
    if (type === 'label' && typeof targetId === 'string') times.set(targetId, heads.at(place).timestamp);
  }
  const added = new Set<string>();
  const taken = { has: (id: string): boolean => added.has(id) || kept.has(id) };
  let parentId = last;
  const lines: JsonObject[] = [];
  let count = 0;
  for (const [targetId, label] of session.labels) {
    if (++count % STEP_LENGTH === 0) yield;
    if (!kept.has(targetId)) continue;
    const id = newEntryId(stamp, taken);
    added.add(id);
    lines.push({ type: 'label', id, parentId, timestamp: times.get(targetId) || stamp.now().toISOString(), targetId, label });
    parentId = id;
  }
  return lines;
}

/** Takes all entries with all branches, without damaged ones. If the leaf isn't the last entry, a line at the end preserves it. */
function* forkWholeSession(session: Session, stamp: Stamp): Steps<ForkLines> {
  const entries = yield* entriesWithout(session, isDamaged, parentsWithout(session, isDamaged));
  const last = entries.at(-1)?.head.id ?? null;
  if (session.leafId === last) return { entries, addedLines: [] };
  const id = newEntryId(stamp, session.byId);
  const data = { from: last, at: session.leafId };
  return {
    entries,
    addedLines: [{ type: 'custom', id, parentId: session.leafId, timestamp: stamp.now().toISOString(), customType: BRANCH_MARK, data }],
  };
}

type HeadTest = (head: EntryHead) => boolean;

/** Returns the entries in file order that aren't left out, each with its parent in the copy. */
export function* entriesWithout(
  session: Session,
  isLeft: HeadTest,
  parentOf: (head: EntryHead) => string | null,
): Steps<ForkPlan['entries']> {
  const entries: { head: EntryHead; target: LineIds }[] = [];
  const heads = yield* makeHeads(headsOf(session));
  for (const [index, head] of heads.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (!isLeft(head)) entries.push({ head, target: lineIds(session, head, parentOf(head), head.firstKeptEntryId) });
  }
  return entries;
}

/** Returns a function that finds an entry's parent, skipping entries that are left out. */
export function parentsWithout({ byId }: Session, isLeft: HeadTest): (head: Pick<EntryHead, 'parentId'>) => string | null {
  /** The parents that replace entries that are left out by their ids; `null` at a root. */
  const standIns = new Map<string, string | null>();
  return ({ parentId }) => {
    const passed: string[] = [];
    let id = parentId;
    for (let head = id === null ? undefined : byId.get(id); head && isLeft(head) && !standIns.has(head.id);) {
      passed.push(head.id);
      // A line that is left out may name a parent that isn't in the file: what hung on it becomes a root.
      head = head.parentId === null ? undefined : byId.get(head.parentId);
      id = head?.id ?? null;
    }
    const known = id === null ? null : standIns.get(id);
    const found = known === undefined ? id : known;
    for (const one of passed) standIns.set(one, found);
    return found;
  };
}

/** Returns the ids of a line of version 3. `firstKeptEntryIndex` of version 1 may refer to no entry: then nothing is kept. */
export function lineIds(session: Session, head: EntryHead, parentId: string | null, firstKeptEntryId: string | undefined): LineIds {
  const dangling = session.version < 2 && firstKeptEntryId !== undefined && !session.byId.has(firstKeptEntryId);
  return { id: head.id, parentId, ...(firstKeptEntryId === undefined || dangling ? {} : { firstKeptEntryId }) };
}
