/** Loads `node:sqlite` on demand, because not every version of Node has it. */
import type * as Sqlite from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { isObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';

/** @throws {SessionError} `invalid` if this Node has no SQLite */
export function loadSqlite(): typeof Sqlite {
  // The types describe a newer version of Node than some that run this.
  const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined;
  if (!sqlite)
    throw new SessionError(
      'invalid',
      'Searching and changing sessions, and reading OpenClaw’s databases, needs SQLite, which Node.js {version} doesn’t include. Use Node.js 22.13 or later.',
      {
        version: process.versions.node,
      },
    );
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

/** @throws {SessionError} `invalid` if this Node has no SQLite, or one that was built without FTS5 */
export function requireFts5(): void {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(':memory:');
  try {
    if (database.prepare(`SELECT 1 FROM pragma_module_list WHERE name = 'fts5'`).get()) return;
  } finally {
    database.close();
  }
  throw new SessionError(
    'invalid',
    'The SQLite of this version of Node.js ({version}) has no full-text index (FTS5), so sessions can’t be searched.',
    { version: process.versions.node },
  );
}

/** Hardens a connection: schema content can't run functions, and pages are validated before use. */
export function disableTrustedSchema(database: DatabaseSync): void {
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
  // In defensive mode SQLite refuses to write the tables of its modules. It exists in newer versions of Node only.
  (database as DatabaseSync & { enableDefensive?: (active: boolean) => void }).enableDefensive?.(true);
}
