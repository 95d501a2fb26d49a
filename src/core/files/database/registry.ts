/** OpenClaw's registry of its agents' databases, which is a table of its state database. FORMAT section 7. */
import type { DatabaseConnection } from './sqlite/databaseConnection';
import { textOf } from './sqlite/databaseTables';

/** Bytes of a path. */
const MAX_PATH = 4096;

/** Returns the paths in a registry, beginning with the database that was used last. Anybody may have written them. */
export function readRegistry(connection: DatabaseConnection, most: number): string[] {
  const table = connection.tables().get('agent_databases');
  if (!table) return [];
  const path = textOf(table.column('path'), MAX_PATH);
  const rows = connection.all(`SELECT ${path} FROM ${table.rows} ORDER BY ${table.column('last_seen_at')} DESC LIMIT ?`, most);
  return rows.flatMap(([value]) => (typeof value === 'string' ? [value] : []));
}
