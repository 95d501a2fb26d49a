/** The tables of OpenClaw's database that are read, and their columns, with that of oh-my-pi's recaps. FORMAT section 7. */
import type { ResultRow } from '../../io/sqliteRows';
import { CorruptDatabase } from './databaseErrors';

/** The columns that are read of each table. */
const COLUMNS = {
  session_windows: [
    'session_id',
    'session_key',
    'spawned_by',
    'parent_session_key',
    'previous_session_id',
    'display_name',
    'status',
    'updated_at',
  ],
  session_nodes: [
    'session_key',
    'current_session_id',
    'entry_json',
    'spawned_by',
    'parent_session_key',
    'fork_source_session_key',
    'fork_source_session_id',
    'display_name',
    'label',
    'status',
    'pinned_at',
    'archived_at',
    'updated_at',
  ],
  session_transcript_index_state: ['session_id', 'leaf_event_id', 'indexed_seq', 'needs_rebuild'],
  transcript_rewrite_watermarks: ['session_id', 'generation'],
  session_transcript_cold_archives: [
    'session_id',
    'archive_name',
    'archive_sha256',
    'archive_bytes',
    'raw_bytes',
    'storage',
    'archive_blob',
  ],
  session_transcript_archives: ['session_id', 'session_key', 'generation', 'encoding', 'archive_blob', 'archive_sha256', 'created_at'],
  transcript_events: ['session_id', 'seq', 'event_json', 'created_at', 'event_zstd', 'event_utf8_bytes', 'navigation_json'],
  session_recaps: ['session_id', 'recap'],
  session_progress_cards: ['session_key', 'markdown', 'steps_json', 'revision', 'updated_at'],
  schema_meta: ['meta_key', 'agent_id'],
  agent_databases: ['path', 'last_seen_at'],
} as const;

export type TableName = keyof typeof COLUMNS;
// `Object.keys` has the type of any text.
const NAMES = Object.keys(COLUMNS) as TableName[];

/** Columns of the index that SQLite makes of a primary key, for tables whose rows are found by it. */
const KEYS: Readonly<Partial<Record<TableName, readonly string[]>>> = {
  transcript_events: ['session_id', 'seq'],
  transcript_rewrite_watermarks: ['session_id'],
  session_nodes: ['session_key'],
  session_progress_cards: ['session_key'],
  session_transcript_cold_archives: ['session_id'],
  session_transcript_archives: ['session_id', 'generation'],
};

/** Tables that OpenClaw creates when it needs them, or that only its registry has; and oh-my-pi's. */
const OPTIONAL: ReadonlySet<TableName> = new Set([
  'session_transcript_archives',
  'session_progress_cards',
  'schema_meta',
  'agent_databases',
  'session_recaps',
]);

/** A table that is there. */
export interface Table {
  /** The table as a source of all rows. */
  readonly rows: string;
  /** The table as a source of rows by its primary key; `undefined` if it has none, or another one. */
  readonly byKey: string | undefined;
  /** Returns a column in SQL; `NULL` if there is no such column. */
  readonly column: (name: string) => string;
  /** The columns that are missing. */
  readonly missing: readonly string[];
}

export type Tables = ReadonlyMap<TableName, Table>;

/** Runs a statement, and returns its rows. */
type Query = (sql: string, ...values: string[]) => readonly ResultRow[];

/**
 * Returns the tables that are there. Columns that are computed are left out, as reading them might run anything.
 *
 * @throws {CorruptDatabase} if a view, a virtual table or another object has the name of a table
 */
export function readTables(query: Query): Tables {
  const tables = new Map<TableName, Table>();
  for (const name of NAMES) {
    const found = query(
      `SELECT type = 'table' AND rootpage > 0 AND substr(sql, 1, 13) = 'CREATE TABLE ' FROM main.sqlite_schema WHERE lower(name) = ? AND type IN ('table', 'view') LIMIT 2`,
      name,
    );
    if (found.length === 0) continue;
    if (found.length > 1 || found[0]?.[0] !== 1) throw new CorruptDatabase(`“${name}” isn’t a table`);
    tables.set(name, tableOf(query, name));
  }
  return tables;
}

function tableOf(query: Query, name: TableName): Table {
  const columns = new Set<string>();
  for (const [, column, , , , , hidden] of query(`PRAGMA main.table_xinfo(${name})`))
    if (typeof column === 'string' && hidden === 0) columns.add(column.toLowerCase());
  const index = [1, 2].map((number) => `sqlite_autoindex_${name}_${number}`).find((each) => isKey(query, name, each));
  return {
    rows: `main.${name} NOT INDEXED`,
    byKey: index === undefined ? undefined : `main.${name} INDEXED BY ${index}`,
    column: (column) => (columns.has(column) ? `"${column}"` : 'NULL'),
    missing: COLUMNS[name].filter((column) => !columns.has(column)),
  };
}

/** True if an index has the columns of a table's key. SQLite numbers the indexes in the order of the unique columns and keys. */
function isKey(query: Query, name: TableName, index: string): boolean {
  const wanted = KEYS[name];
  if (wanted === undefined) return false;
  const key = query(`PRAGMA main.index_xinfo(${index})`).filter((row) => row[5] === 1);
  return (
    key.length === wanted.length &&
    // The columns are the place, the column's place, its name, the order, and how texts are compared.
    key.every((row, at) => row[2] === wanted[at] && row[3] === 0 && row[4] === 'BINARY')
  );
}

/** Returns the names of the tables and columns that are missing. */
export function missingNames(tables: Tables): string[] {
  return NAMES.flatMap((name) => tables.get(name)?.missing.map((column) => `${name}.${column}`) ?? (OPTIONAL.has(name) ? [] : [name]));
}

/** Returns SQL for a text of at most some bytes; NULL for anything else. A text ends at a NUL in some versions of Node. */
export const textOf = (column: string, maxBytes = MAX_TEXT): string =>
  `CASE WHEN typeof(${column}) = 'text' AND octet_length(${column}) <= ${maxBytes} AND instr(${column}, char(0)) = 0 THEN ${column} END`;

/** Bytes of a name, a key or a state. */
const MAX_TEXT = 64 * 1024;

/** Returns SQL for an integer that a number can have; NULL for anything else. */
export const integerOf = (column: string): string =>
  `CASE WHEN typeof(${column}) = 'integer' AND ${column} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER} THEN ${column} END`;

/** Returns SQL for the number of bytes of a value, without reading it; NULL for anything but bytes. */
export const sizeOf = (column: string): string => `CASE WHEN typeof(${column}) = 'blob' THEN octet_length(${column}) END`;
