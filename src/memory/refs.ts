/**
 * References to sessions and entries: `<program>:<session id>[#<entry id>]` or `<path>[#<entry id>]`. Ids may be shortened to a
 * beginning that is unique.
 */
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { databaseOf, errorCode, expandPath, isDialect, isMissing, rootOf, uiLine, type CatalogRow, type Session } from '../core/index';
import type { Memory } from './memory';
import { Refusal } from './requestError';

/** A session that a reference names, and its entry. */
export interface Located {
  readonly session: Session;
  readonly entryId?: string;
  /** Makes references to this session. */
  readonly refs: RefMaker;
}

/** References that an error lists. */
const MAX_LISTED = 8;
/** Ids that can stand in a reference without being taken for something else. */
const PLAIN_ID = /^[\w][\w.-]*$/;

type Named = Pick<CatalogRow, 'path' | 'id' | 'dialect'>;

/** Makes references to sessions; a session has its path as reference if another one has its id. */
export class RefMaker {
  private readonly counts: ReadonlyMap<string, number>;

  constructor(rows: readonly Named[]) {
    this.counts = countsOf(rows);
  }

  /** A session that isn't among the rows has its path as reference: another one may have its id. */
  of({ path, id, dialect }: Named, entryId?: string): string {
    const session = PLAIN_ID.test(id) && this.counts.get(id) === 1 ? `${dialect}:${id}` : path;
    return entryId === undefined ? session : `${session}#${entryId}`;
  }
}

/** The counts of the ids of rows: those of an index are the same for many questions. */
const known = new WeakMap<readonly Named[], ReadonlyMap<string, number>>();

function countsOf(rows: readonly Named[]): ReadonlyMap<string, number> {
  const found = known.get(rows);
  if (found) return found;
  const counts = new Map<string, number>();
  for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
  known.set(rows, counts);
  return counts;
}

export const namesOf = ({ path, dialect, header }: Session): Named => ({ path, dialect, id: header.id });

/**
 * Finds what a reference names. Without the index only if it's a path.
 *
 * @param isAllowed false for a path that isn't answered about
 * @throws {Refusal} if it names nothing, or several sessions or entries; {SessionError} as `readSession`
 */
export async function locate(memory: Memory, ref: string): Promise<Located> {
  return opened(memory, (await asPath(ref, isFile, 'There is no session at this path')) ?? (await asId(memory, ref)));
}

/** Works like {@link locate}, but only for sessions of the index. Asks the disk for no other path. */
export async function locateKnown(memory: Memory, ref: string): Promise<Located> {
  const catalog = await memory.catalog();
  const roots = await memory.roots();
  const isKnown = async (path: string): Promise<boolean> => {
    // A session that was written since the last look at the disk.
    if (!catalog.files().has(path) && rootOf(path, roots)) await memory.lookAgain();
    return catalog.files().has(path) && !(await memory.isHidden(path));
  };
  return opened(memory, (await asPath(ref, isKnown, 'No session of the known folders is at this path')) ?? (await asId(memory, ref)));
}

async function opened(memory: Memory, named: NamedSession): Promise<Located> {
  const session = await memory.session(named.path);
  if (memory.excludes(session.header)) throw new Refusal(`This session’s project is excluded from look-ups: ${named.path}`);
  // Without the index, nobody knows whether another session has the same id.
  const refs = new RefMaker(memory.isOpen ? await memory.rows() : []);
  return named.entry === undefined ? { session, refs } : { session, refs, entryId: entryOf(session, named.entry) };
}

interface NamedSession {
  readonly path: string;
  readonly entry?: string;
}

/** Takes the longest beginning that is a file. A text that looks like a path is one, even if there is no file. */
async function asPath(ref: string, isThere: (path: string) => Promise<boolean>, refusal: string): Promise<NamedSession | undefined> {
  if (ref.includes('\0')) throw new Refusal('A reference can’t have a null character.');
  const resolved = (text: string): string => expandPath(text, homedir(), process.cwd());
  for (let end = ref.length; end > 0; end = ref.lastIndexOf('#', end - 1)) {
    const path = resolved(ref.slice(0, end));
    if (await isThere(path)) return end === ref.length ? { path } : { path, entry: ref.slice(end + 1) };
  }
  const looksLikePath = /[\\/]/.test(ref) || /\.jsonl(?:\.\w+)?(?:#|$)/.test(ref);
  if (!looksLikePath) return undefined;
  const hash = ref.lastIndexOf('#');
  throw new Refusal(`${refusal}: ${resolved(hash < 0 ? ref : ref.slice(0, hash))}`);
}

async function isFile(path: string): Promise<boolean> {
  try {
    // The session of a database is looked for when it's read.
    return (await stat(databaseOf(path) ?? path)).isFile() && databaseOf(path) !== path;
  } catch (error) {
    if (isMissing(error) || errorCode(error) === 'ENAMETOOLONG') return false;
    throw error;
  }
}

async function asId(memory: Memory, ref: string): Promise<NamedSession> {
  const [whole = '', ...rest] = ref.split('#');
  const entry = rest.length === 0 ? {} : { entry: rest.join('#') };
  const colon = whole.indexOf(':');
  const program = colon < 0 ? undefined : whole.slice(0, colon);
  const id = colon < 0 ? whole : whole.slice(colon + 1);
  if (program !== undefined && !isDialect(program)) throw new Refusal(`There is no program “${program}” in this reference: ${ref}`);
  if (id === '') throw unknown(ref);
  await memory.current();
  const named = async (): Promise<readonly CatalogRow[]> => {
    const rows = (await memory.rows()).filter(({ dialect }) => program === undefined || dialect === program);
    const exact = rows.filter((row) => row.id === id);
    return exact.length > 0 ? exact : rows.filter((row) => row.id.startsWith(id));
  };
  let found = await named();
  if (found.length === 0) {
    // A session that was written since the last look at the disk.
    await memory.lookAgain();
    found = await named();
  }
  const [first] = found;
  if (!first) throw unknown(ref);
  const refs = new RefMaker(await memory.rows());
  if (found.length > 1)
    throw ambiguous(
      ref,
      found.map((row) => refs.of(row)),
    );
  return { path: first.path, ...entry };
}

/** @throws {Refusal} if the session has no such entry, or the beginning isn't unique */
export function entryOf(session: Session, id: string): string {
  if (session.byId.has(id)) return id;
  const found = id === '' ? [] : session.entries.filter((head) => head.id.startsWith(id)).map((head) => head.id);
  const [first] = found;
  if (first === undefined) throw new Refusal(`This session has no entry ${id}. Its tree has the ids of all entries.`);
  if (found.length > 1) throw ambiguous(id, found);
  return first;
}

const unknown = (ref: string): Refusal =>
  new Refusal(`No session is known under this reference: ${ref}. A list and the hits of a search have references.`);

function ambiguous(ref: string, found: readonly string[]): Refusal {
  const more = found.length > MAX_LISTED ? `, and ${String(found.length - MAX_LISTED)} more` : '';
  const list = found.slice(0, MAX_LISTED).map((one) => uiLine(one, 200));
  return new Refusal(`“${uiLine(ref, 200)}” could be any of these. Add more of the id: ${list.join(', ')}${more}`);
}
