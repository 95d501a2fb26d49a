/** The ids of all sessions that have events in a database, also of those that no other table names. A part is read at a time. */
import type { DatabaseConnection } from '../sqlite/databaseConnection';
import { CorruptDatabase } from '../sqlite/databaseErrors';
import { textOf } from '../sqlite/databaseTables';
import { MAX_SESSIONS } from '../sqlite/factTable';

export class EventIds {
  readonly ids = new Set<string>();
  isDone = false;
  private last = '';

  /** Reads at most some ids: each is found by the key of the table, without looking at the events. Returns their number. */
  readNext(connection: DatabaseConnection, limit: number): number {
    const table = connection.tables().get('transcript_events')?.byKey;
    const before = this.ids.size;
    const next = (after: string): string => `(SELECT session_id FROM ${table} WHERE session_id > ${after} ORDER BY session_id LIMIT 1)`;
    const rows =
      table === undefined
        ? []
        : connection.all(
            `WITH RECURSIVE found(id) AS (SELECT ${next('?')} UNION ALL SELECT ${next('found.id')} FROM found WHERE id IS NOT NULL LIMIT ?)
             SELECT ${textOf('id')} FROM found`,
            this.last,
            limit,
          );
    const found = rows.flatMap(([id]) => (typeof id === 'string' ? [id] : []));
    for (const id of found) this.ids.add((this.last = id));
    // Damaged pages can be in a circle.
    if (this.ids.size !== before + found.length) throw new CorruptDatabase('it’s damaged');
    if (this.ids.size > MAX_SESSIONS) throw new CorruptDatabase('it has too many sessions');
    this.isDone = found.length < limit;
    return found.length;
  }
}
