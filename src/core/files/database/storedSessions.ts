/** OpenClaw's sessions in a database, without their events. FORMAT section 7. */
import { CorruptDatabase } from './databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { ROW_START, scanRows, type Row, type Table } from './tables';

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

/** All that the database tells of a session beside its events. */
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
}

/** Reads the sessions by id, of tables that may be missing or have other columns than are known. */
export function* readStoredSessions(pages: PageReader, tables: ReadonlyMap<string, Table>): Reading<ReadonlyMap<string, StoredSession>> {
  const windows = yield* factsBy(pages, tables.get('session_windows'), 'session_id', windowOf);
  const nodes = yield* factsBy(pages, tables.get('session_nodes'), 'session_key', nodeOf);
  const leaves = yield* factsBy(pages, tables.get('session_transcript_index_state'), 'session_id', leafOf);
  const generations = yield* factsBy(pages, tables.get('transcript_rewrite_watermarks'), 'session_id', (row) => row.text('generation'));
  const archives = yield* factsBy(pages, tables.get('session_transcript_cold_archives'), 'session_id', archiveOf, ROW_START);
  const sessions = new Map<string, StoredSession>();
  for (const [id, window] of windows) {
    const { key } = window;
    const node = key === undefined ? undefined : nodes.get(key);
    const current = node?.sessionId === id ? node : undefined;
    const ownerKey = node?.ownerKey ?? window.ownerKey;
    const ownerId = ownerKey === undefined ? undefined : nodes.get(ownerKey)?.sessionId;
    const parentId = window.parentId ?? current?.parentId;
    const name = window.name ?? current?.name;
    const state = STATES.find((one) => one === (current?.status ?? window.status));
    const leaf = leaves.get(id);
    const generation = generations.get(id);
    const cold = archives.get(id);
    sessions.set(id, {
      id,
      ...(key === undefined || !current ? {} : { key }),
      ...(name === undefined ? {} : { name }),
      ...(state === undefined ? {} : { state }),
      ...(parentId === undefined || parentId === id ? {} : { parentId }),
      ...(ownerId === undefined || ownerId === id ? {} : { ownerId }),
      isPinned: current?.isPinned === true,
      isArchived: cold !== undefined || current?.isArchived === true,
      ...(leaf ? { leaf } : {}),
      ...(generation === undefined ? {} : { generation }),
      ...(cold ? { cold } : {}),
      updated: Math.max(window.updated, node?.updated ?? 0),
    });
  }
  return sessions;
}

/** Returns what `take` returns for the rows of a table, by a column. The rows themselves aren't kept. */
function* factsBy<T>(
  pages: PageReader,
  table: Table | undefined,
  key: string,
  take: (row: Row) => T,
  length?: number,
): Reading<ReadonlyMap<string, T>> {
  const facts = new Map<string, T>();
  if (!table) return facts;
  const onRow = (row: Row): boolean => {
    const value = row.text(key);
    if (value !== undefined) facts.set(value, take(row));
    if (facts.size > MAX_SESSIONS) throw new CorruptDatabase('it has too many sessions');
    return true;
  };
  yield* scanRows(pages, table, onRow, length);
  return facts;
}

const windowOf = (row: Row) => ({
  key: row.text('session_key'),
  ownerKey: row.text('spawned_by'),
  parentId: row.text('previous_session_id'),
  name: row.text('display_name'),
  status: row.text('status'),
  updated: row.integer('updated_at') ?? 0,
});

const nodeOf = (row: Row) => ({
  sessionId: row.text('current_session_id'),
  ownerKey: row.text('spawned_by') ?? row.text('parent_session_key'),
  parentId: row.text('fork_source_session_id'),
  name: row.text('display_name') ?? row.text('label'),
  status: row.text('status'),
  isPinned: row.integer('pinned_at') !== undefined,
  isArchived: row.integer('archived_at') !== undefined,
  updated: row.integer('updated_at') ?? 0,
});

function leafOf(row: Row): StoredSession['leaf'] {
  const [id, seq] = [row.text('leaf_event_id'), row.integer('indexed_seq')];
  return id === undefined || seq === undefined || row.integer('needs_rebuild') !== 0 ? undefined : { id, seq };
}

function archiveOf(row: Row): ColdArchive {
  const fileName = row.text('storage') === 'file' ? row.text('archive_name') : undefined;
  return {
    fileName,
    size: row.integer('archive_bytes') ?? 0,
    sha256: row.text('archive_sha256') ?? '',
    // OpenClaw counts line breaks between the lines only.
    unpackedSize: (row.integer('raw_bytes') ?? 0) + 1,
  };
}
