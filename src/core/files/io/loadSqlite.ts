/** Loads `node:sqlite` on demand, because not every version of Node has it. */
import type * as Sqlite from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { isObject } from '../../format/entry/jsonValues';
import { SessionError } from '../../format/entry/problem';

/** @throws {SessionError} `invalid` if this Node has no SQLite */
export function loadSqlite(): typeof Sqlite {
  // The types describe a newer version of Node than some that run this.
  const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined;
  if (!sqlite)
    throw new SessionError('invalid', 'This version of Node.js ({version}) doesn’t include SQLite, so sessions can’t be searched.', {
      version: process.versions.node,
    });
  return sqlite;
}

/** SQLite's primary result code; `undefined` for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const code = extendedSqliteCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** SQLite's extended result code; `undefined` for other errors. */
export function extendedSqliteCode(error: unknown): number | undefined {
  const code = isObject(error) ? error['errcode'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** True if this Node's SQLite was built with FTS5. */
export function hasFts5(): boolean {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(':memory:');
  try {
    return database.prepare(`SELECT 1 FROM pragma_module_list WHERE name = 'fts5'`).get() !== undefined;
  } finally {
    database.close();
  }
}

/** Hardens a connection: schema content can't run functions, and pages are validated before use. */
export function disableTrustedSchema(database: DatabaseSync): void {
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
  // In defensive mode SQLite refuses to write the tables of its modules. It exists in newer versions of Node only.
  (database as DatabaseSync & { enableDefensive?: (active: boolean) => void }).enableDefensive?.(true);
}
