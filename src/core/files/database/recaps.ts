/** Recaps of oh-my-pi: what it says of a session that rests. They are in its history alone. FORMAT section 1. */
import type { DatabaseConnection } from './sqlite/databaseConnection';
import { textOf } from './sqlite/databaseTables';

/** The newest rows that are looked at; oh-my-pi adds one whenever a session rests. */
const MAX_ROWS = 20_000;

/** Returns the newest recap of a session; `undefined` if there is none, or no table of recaps. */
export function newestRecap(connection: DatabaseConnection, sessionId: string): string | undefined {
  const table = connection.tables().get('session_recaps');
  if (!table) return undefined;
  const [id, recap] = [textOf(table.column('session_id')), textOf(table.column('recap'))];
  const newest = `SELECT rowid AS place, ${id} AS id, ${recap} AS recap FROM ${table.rows} ORDER BY rowid DESC LIMIT ${MAX_ROWS}`;
  const [row] = connection.all(`SELECT recap FROM (${newest}) WHERE id = ? AND recap IS NOT NULL ORDER BY place DESC LIMIT 1`, sessionId);
  const found = row?.[0];
  return typeof found === 'string' ? found : undefined;
}
