/** OpenClaw's sessions in a database, without their events. FORMAT section 7. */
import { createHash } from 'node:crypto';
import { defined } from '../../format/values/defined';
import { stepCounter, type Steps } from '../../format/session/steps';
import { FACTS_DIGITS } from '../read/versions/fileVersion';
import type { DatabaseConnection } from './sqlite/databaseConnection';
import { EventIds } from './lines/eventIds';
import { Facts, NO_ROW, type FactRow } from './sqlite/factTable';

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
  /** True if that is a guess: opening the session finds it. */
  readonly isEstimate?: true;
  /** For a deleted or reset transcript, whose archive has the lines alone: its part of the key, and how it's compressed. */
  readonly removed?: { readonly generation: string; readonly encoding: 'identity' | 'zstd' };
}

/** All facts of a session in the database, without its events. */
export interface StoredSession {
  readonly id: string;
  /** The key by which OpenClaw opens it; `undefined` for sessions that another one has followed. */
  readonly key?: string;
  readonly name?: string;
  /** The agent whose session it is. */
  readonly agent?: string;
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

/** Reads the sessions by id, of tables that may be missing or have other columns than are known. A part of the rows is read at a time. */
export class StoredSessionReader {
  private readonly windows = new Facts('session_windows', 'session_id', WINDOW, windowOf);
  private readonly nodes = new Facts('session_nodes', 'session_key', NODE, nodeOf);
  private readonly leaves = new Facts('session_transcript_index_state', 'session_id', LEAF, leafOf);
  private readonly generations = new Facts('transcript_rewrite_watermarks', 'session_id', GENERATION, generationOf);
  private readonly archives = new Facts('session_transcript_cold_archives', 'session_id', ARCHIVE, archiveOf);
  private readonly removed = new Facts('session_transcript_archives', 'session_id', REMOVED, removedOf);
  private readonly agents = new Facts('schema_meta', 'meta_key', AGENT, agentOf);
  private readonly cards = new Facts('session_progress_cards', 'session_key', CARD, cardOf);
  private readonly events = new EventIds();
  private readonly all = [
    this.windows,
    this.nodes,
    this.leaves,
    this.generations,
    this.archives,
    this.removed,
    this.agents,
    this.cards,
    this.events,
  ];

  /** Reads the next rows. Returns false if there are no more. */
  readNext(connection: DatabaseConnection): boolean {
    let room = ROWS_AT_ONCE;
    for (const facts of this.all) {
      if (!facts.isDone) room -= facts.readNext(connection, room);
      if (room <= 0) return true;
    }
    return false;
  }

  /** Returns the sessions of the rows that were read. */
  *sessions(): Steps<ReadonlyMap<string, StoredSession>> {
    const sessions = new Map<string, StoredSession>();
    const isStep = stepCounter();
    const agent = this.agents.byKey.get('primary');
    // Events and archives can be all that's left of a session.
    for (const id of new Set([...this.windows.byKey.keys(), ...this.removed.byKey.keys(), ...this.events.ids])) {
      const window = this.windows.byKey.get(id) ?? windowOf(NO_ROW);
      const node = window.key === undefined ? undefined : this.nodes.byKey.get(window.key);
      const ownerKey = node?.ownerKey ?? window.ownerKey ?? (window.parentKey === node?.forkKey ? undefined : window.parentKey);
      const owner = ownerKey === undefined ? undefined : this.nodes.byKey.get(ownerKey);
      const [leaf, generation, cold] = [this.leaves.byKey.get(id), this.generations.byKey.get(id), this.archives.byKey.get(id)];
      const removed = this.removed.byKey.get(id);
      const own = agentOfKey(window.key ?? removed?.key) ?? agent;
      sessions.set(id, joinFacts(id, [window, node, owner, leaf, generation, cold, removed, own, this.cards.byKey.get(window.key ?? '')]));
      if (isStep()) yield;
    }
    return sessions;
  }
}

/** Rows of all tables that are read in one state of the database. */
const ROWS_AT_ONCE = 1000;

type SessionFacts = readonly [
  window: ReturnType<typeof windowOf>,
  node: ReturnType<typeof nodeOf> | undefined,
  owner: ReturnType<typeof nodeOf> | undefined,
  leaf: StoredSession['leaf'],
  generation: string | undefined,
  cold: ColdArchive | undefined,
  removed: ReturnType<typeof removedOf>,
  agent: string | undefined,
  card: ReturnType<typeof cardOf> | undefined,
];

function joinFacts(id: string, [window, node, owner, leaf, generation, putAside, removed, agent, card]: SessionFacts): StoredSession {
  const { key } = window;
  const cold = putAside ?? removed?.archive;
  const current = node?.sessionId === id ? node : undefined;
  const ownerId = owner?.sessionId;
  const parent = window.parentId ?? current?.parentId;
  const parentId = parent === id ? undefined : parent;
  const name = window.name ?? current?.name;
  const state = STATES.find((one) => one === (current?.status ?? window.status));
  const isPinned = current?.isPinned === true;
  // A session that goes on after it was reset has an archive, too.
  const isRemoved = removed !== undefined && !current;
  const isArchived = putAside !== undefined || isRemoved || current?.isArchived === true;
  const shown = JSON.stringify([leaf?.id, leaf?.seq, name, state, isPinned, isArchived, parentId, agent, current && card]);
  return {
    id,
    ...(key === undefined || !current ? {} : { key }),
    ...defined({ name, agent, state, parentId }),
    ...(ownerId === undefined || ownerId === id ? {} : { ownerId }),
    isPinned,
    isArchived,
    ...defined({ leaf, generation, cold }),
    updated: Math.max(window.updated, node?.updated ?? 0, removed?.time ?? 0),
    digest: createHash('sha256').update(shown).digest('hex').slice(0, FACTS_DIGITS),
  };
}

const CARD = { texts: [], integers: ['revision', 'updated_at'] };

/** Identifies a state of a progress card. */
const cardOf = (row: FactRow) => [row.integer('revision'), row.integer('updated_at')] as const;

const AGENT = { texts: ['agent_id'], integers: [] };

const agentOf = (row: FactRow) => agentNamed(row.text('agent_id'));

/** Returns the agent that a session's key names: `agent:<agent>:…`. Several agents can share a database. */
const agentOfKey = (key: string | undefined): string | undefined =>
  key?.startsWith('agent:') === true ? agentNamed(key.split(':')[1]) : undefined;

const agentNamed = (name: string | undefined): string | undefined =>
  name !== undefined && /^[\p{L}\p{N}_.-]{1,64}$/u.test(name) ? name : undefined;

const WINDOW = {
  texts: ['session_key', 'spawned_by', 'parent_session_key', 'previous_session_id', 'display_name', 'status'],
  integers: ['updated_at'],
};

const windowOf = (row: FactRow) => ({
  key: row.text('session_key'),
  ownerKey: row.text('spawned_by'),
  parentKey: row.text('parent_session_key'),
  parentId: row.text('previous_session_id'),
  name: row.text('display_name'),
  status: row.text('status'),
  updated: row.integer('updated_at') ?? 0,
});

const NODE = {
  texts: [
    'current_session_id',
    'spawned_by',
    'parent_session_key',
    'fork_source_session_key',
    'fork_source_session_id',
    'display_name',
    'label',
    'status',
  ],
  integers: ['pinned_at', 'archived_at', 'updated_at'],
};

const nodeOf = (row: FactRow) => ({
  sessionId: row.text('current_session_id'),
  ownerKey: row.text('spawned_by') ?? parentKeyOf(row),
  forkKey: row.text('fork_source_session_key'),
  parentId: row.text('fork_source_session_id'),
  name: row.text('display_name') ?? row.text('label'),
  status: row.text('status'),
  isPinned: row.integer('pinned_at') !== undefined,
  isArchived: row.integer('archived_at') !== undefined,
  updated: row.integer('updated_at') ?? 0,
});

/** Returns the key of the parent; none for a fork, whose parent is the session that it was forked from. */
function parentKeyOf(row: FactRow): string | undefined {
  const parent = row.text('parent_session_key');
  return parent === row.text('fork_source_session_key') ? undefined : parent;
}

const LEAF = { texts: ['leaf_event_id'], integers: ['indexed_seq', 'needs_rebuild'] };

function leafOf(row: FactRow): StoredSession['leaf'] {
  const [id, seq] = [row.text('leaf_event_id'), row.integer('indexed_seq')];
  return id === undefined || seq === undefined || row.integer('needs_rebuild') !== 0 ? undefined : { id, seq };
}

const GENERATION = { texts: ['generation'], integers: [] };

const generationOf = (row: FactRow) => row.text('generation');

const ARCHIVE = { texts: ['storage', 'archive_name', 'archive_sha256'], integers: ['archive_bytes', 'raw_bytes'] };

function archiveOf(row: FactRow): ColdArchive {
  const fileName = row.text('storage') === 'file' ? row.text('archive_name') : undefined;
  return {
    fileName,
    size: row.integer('archive_bytes') ?? 0,
    sha256: row.text('archive_sha256') ?? '',
    // OpenClaw counts line breaks between the lines only.
    unpackedSize: (row.integer('raw_bytes') ?? 0) + 1,
  };
}

const REMOVED = { texts: ['session_key', 'generation', 'encoding', 'archive_sha256'], integers: ['created_at'], sizes: ['archive_blob'] };

/** Bytes of lines for each byte that Zstandard makes of them, about. */
const USUAL_RATIO = 4;

/** Returns the archive of a deleted or reset transcript; `undefined` for an encoding that isn't known. */
function removedOf(row: FactRow): { readonly key: string | undefined; readonly archive: ColdArchive; readonly time: number } | undefined {
  const [generation, encoding] = [row.text('generation'), row.text('encoding')];
  if (generation === undefined || (encoding !== 'identity' && encoding !== 'zstd')) return undefined;
  const size = row.integer('archive_blob') ?? 0;
  const isPacked = encoding === 'zstd';
  return {
    key: row.text('session_key'),
    archive: {
      fileName: undefined,
      size,
      sha256: row.text('archive_sha256') ?? '',
      unpackedSize: isPacked ? size * USUAL_RATIO : size,
      ...(isPacked ? { isEstimate: true } : {}),
      removed: { generation, encoding },
    },
    time: row.integer('created_at') ?? 0,
  };
}
