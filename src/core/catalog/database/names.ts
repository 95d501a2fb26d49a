/** Texts that many sessions have, each stored once: folders and models. */
import type { DatabaseSync } from 'node:sqlite';
import { prepareRows, rowChecker, type RowStatement } from './sqlite/resultRows';

const idRow = rowChecker('number');

export class Names {
  /** The ids of texts that the running transaction has used. Between two transactions, another window may remove some. */
  private readonly known = new Map<string, number>();
  private readonly select: RowStatement;
  private readonly insert: RowStatement;

  constructor(private readonly database: DatabaseSync) {
    this.select = prepareRows(database, 'SELECT id FROM names WHERE text = ?');
    this.insert = prepareRows(database, 'INSERT INTO names (text) VALUES (?)');
  }

  /** To be called when a transaction begins. */
  begin(): void {
    this.known.clear();
  }

  /** Returns the id of a text, which is stored if it isn't yet. Must run within a transaction. */
  of(text: string): number {
    let id = this.known.get(text);
    if (id === undefined) {
      const found = this.select.get(text);
      id = found ? idRow(found)[0] : Number(this.insert.run(text).lastInsertRowid);
      this.known.set(text, id);
    }
    return id;
  }

  /** Removes what no session has any more. Must run within a transaction. */
  removeUnused(): void {
    this.known.clear();
    this.database.exec(
      'DELETE FROM names WHERE id NOT IN (SELECT folder FROM sessions UNION SELECT cwd FROM sessions UNION SELECT model FROM answers)',
    );
  }
}
