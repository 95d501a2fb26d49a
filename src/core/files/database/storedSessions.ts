/** OpenClaw's sessions in a database, without their events. FORMAT section 7. */
import { createHash } from 'node:crypto';
import { defined } from '../../format/entry/defined';
import { FACTS_DIGITS } from '../read/fileVersion';
import { CorruptDatabase } from './databaseErrors';
import type { Reading } from './pages/diskRequests';
import type { PageReader } from './pages/pageReader';
import type { TreeNodes } from './pages/tableTree';
import { mapRows, ROW_START, type TableRow, type Table } from './pages/tables';

/** Sessions of one database. */
const MAX_SESSIONS = 200_000;

/** States that OpenClaw gives a session. */
const STATES = ['running', 'done', 'failed', 'killed', 'timeout'] as const;
export type StoredState = (typeof STATES)[number];

/** A transcript that was moved out of the tables. */
export interface ColdArchive {
  /** The file's name in `sessions/cold` beside the agent's folder; `undefined` if the database holds the bytes itself. */
  readonly fileName: string | undefined;
  /** Bytes, and lower-case hex, of the compressed archive. */
  readonly size: number;
  readonly sha256: string;
  /** Bytes of the session's lines. */
  readonly unpackedSize: number;
}

/** All facts of a session in the database, without its events. */
export interface StoredSession {
  readonly id: string;
  /** The key by which OpenClaw opens it; `undefined` for sessions that another one has followed. */
  readonly key?: string;
  readonly name?: string;
  readonly state?: StoredState;
  /** The session that it was forked from, or that it continues. */
  readonly parentId?: string;
  /** The session whose subagent it is. */
  readonly ownerId?: string;
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** The leaf as OpenClaw's index has it, and the `seq` up to which that index reaches. */
  readonly leaf?: { readonly id: string; readonly seq: number };
  readonly generation?: string;
  readonly cold?: ColdArchive;
  /** The time of the last change to any of this, in milliseconds since 1970. */
  readonly updated: number;
  /** A digest of what the session shows of all this; see `FileVersion.facts`. */
  readonly digest: string;
}

/** Reads the sessions by id, of tables that may be missing or have other columns than are known. Reads only the changed pages of tables that it has read before. */
export class StoredSessionReader {
  private readonly windows = new Facts('session_windows', 'session_id', windowOf);
  private readonly nodes = new Facts('session_nodes', 'session_key', nodeOf);
  private readonly leaves = new Facts('session_transcript_index_state', 'session_id', leafOf);
  private readonly generations = new Facts('transcript_rewrite_watermarks', 'session_id', (row) => row.text('generation'));
  private readonly archives = new Facts('session_transcript_cold_archives', 'session_id', archiveOf, ROW_START);
  private joined: ReadonlyMap<string, JoinedSession> = new Map();

  constructor(private readonly pages: PageReader) {}

  /** Returns the same object for a session whose facts are the same as before. */
  *read(tables: ReadonlyMap<string, Table>): Reading<ReadonlyMap<string, StoredSession>> {
    const windows = yield* this.windows.read(this.pages, tables);
    const nodes = yield* this.nodes.read(this.pages, tables);
    const leaves = yield* this.leaves.read(this.pages, tables);
    const generations = yield* this.generations.read(this.pages, tables);
    const archives = yield* this.archives.read(this.pages, tables);
    const joined = new Map<string, JoinedSession>();
    for (const [id, window] of windows) {
      const node = window.key === undefined ? undefined : nodes.get(window.key);
      const ownerKey = node?.ownerKey ?? window.ownerKey;
      const owner = ownerKey === undefined ? undefined : nodes.get(ownerKey);
      const facts: SessionFacts = [window, node, owner, leaves.get(id), generations.get(id), archives.get(id)];
      const before = this.joined.get(id);
      const isSame = before?.facts.every((fact, index) => fact === facts[index]) === true;
      joined.set(id, isSame ? before : { facts, stored: joinFacts(id, facts) });
    }
    this.joined = joined;
    return new Map(Array.from(joined, ([id, { stored }]) => [id, stored]));
  }
}

type SessionFacts = readonly [
  window: ReturnType<typeof windowOf>,
  node: ReturnType<typeof nodeOf> | undefined,
  owner: ReturnType<typeof nodeOf> | undefined,
  leaf: StoredSession['leaf'],
  generation: string | undefined,
  cold: ColdArchive | undefined,
];

interface JoinedSession {
  readonly facts: SessionFacts;
  readonly stored: StoredSession;
}

function joinFacts(id: string, [window, node, owner, leaf, generation, cold]: SessionFacts): StoredSession {
  const { key } = window;
  const current = node?.sessionId === id ? node : undefined;
  const ownerId = owner?.sessionId;
  const parent = window.parentId ?? current?.parentId;
  const parentId = parent === id ? undefined : parent;
  const name = window.name ?? current?.name;
  const state = STATES.find((one) => one === (current?.status ?? window.status));
  const isPinned = current?.isPinned === true;
  const isArchived = cold !== undefined || current?.isArchived === true;
  const shown = JSON.stringify([leaf?.id, leaf?.seq, name, state, isPinned, isArchived, parentId]);
  return {
    id,
    ...(key === undefined || !current ? {} : { key }),
    ...defined({ name, state, parentId }),
    ...(ownerId === undefined || ownerId === id ? {} : { ownerId }),
    isPinned,
    isArchived,
    ...defined({ leaf, generation, cold }),
    updated: Math.max(window.updated, node?.updated ?? 0),
    digest: createHash('sha256').update(shown).digest('hex').slice(0, FACTS_DIGITS),
  };
}

/** Values of the rows of one table, by a column. The rows themselves aren't kept. */
class Facts<T> {
  private table: Table | undefined;
  private nodes: TreeNodes<readonly [key: string | undefined, fact: T]> = new Map();
  private byKey: ReadonlyMap<string, T> = new Map();

  constructor(
    private readonly name: string,
    private readonly key: string,
    private readonly take: (row: TableRow) => T,
    private readonly length?: number,
  ) {}

  *read(pages: PageReader, tables: ReadonlyMap<string, Table>): Reading<ReadonlyMap<string, T>> {
    const table = tables.get(this.name);
    if (!table) return new Map();
    // Its columns may be others.
    const before = table === this.table ? this.nodes : new Map<never, never>();
    const nodes = yield* mapRows(pages, table, before, (row) => [row.text(this.key), this.take(row)] as const, this.length);
    if (nodes === this.nodes) return this.byKey;
    const facts = new Map<string, T>();
    for (const { value } of nodes.values()) {
      for (const [key, fact] of value.values) if (key !== undefined) facts.set(key, fact);
      if (facts.size > MAX_SESSIONS) throw new CorruptDatabase('it has too many sessions');
    }
    this.table = table;
    this.nodes = nodes;
    this.byKey = facts;
    return facts;
  }
}

const windowOf = (row: TableRow) => ({
  key: row.text('session_key'),
  ownerKey: row.text('spawned_by'),
  parentId: row.text('previous_session_id'),
  name: row.text('display_name'),
  status: row.text('status'),
  updated: row.integer('updated_at') ?? 0,
});

const nodeOf = (row: TableRow) => ({
  sessionId: row.text('current_session_id'),
  ownerKey: row.text('spawned_by') ?? parentKeyOf(row),
  parentId: row.text('fork_source_session_id'),
  name: row.text('display_name') ?? row.text('label'),
  status: row.text('status'),
  isPinned: row.integer('pinned_at') !== undefined,
  isArchived: row.integer('archived_at') !== undefined,
  updated: row.integer('updated_at') ?? 0,
});

/** Returns the key of the parent; none for a fork, whose parent is the session that it was forked from. */
function parentKeyOf(row: TableRow): string | undefined {
  const parent = row.text('parent_session_key');
  return parent === row.text('fork_source_session_key') ? undefined : parent;
}

function leafOf(row: TableRow): StoredSession['leaf'] {
  const [id, seq] = [row.text('leaf_event_id'), row.integer('indexed_seq')];
  return id === undefined || seq === undefined || row.integer('needs_rebuild') !== 0 ? undefined : { id, seq };
}

function archiveOf(row: TableRow): ColdArchive {
  const fileName = row.text('storage') === 'file' ? row.text('archive_name') : undefined;
  return {
    fileName,
    size: row.integer('archive_bytes') ?? 0,
    sha256: row.text('archive_sha256') ?? '',
    // OpenClaw counts line breaks between the lines only.
    unpackedSize: (row.integer('raw_bytes') ?? 0) + 1,
  };
}
