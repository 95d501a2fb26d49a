/** Texts that many sessions have, each stored once: folders and models. */
import type { DatabaseSync } from 'node:sqlite';
import { prepareRows, rowChecker, type RowStatement } from './sqlite/resultRows';

const nameRow = rowChecker('number');

export class Names {
  /** Those of the running transaction: between two of them, another window may remove some. */
  private readonly known = new Map<string, number>();
  private readonly select: RowStatement;
  private readonly insert: RowStatement;

  constructor(private readonly database: DatabaseSync) {
    this.select = prepareRows(database, 'SELECT name FROM names WHERE text = ?');
    this.insert = prepareRows(database, 'INSERT INTO names (text) VALUES (?)');
  }

  /** To be called when a transaction begins. */
  begin(): void {
    this.known.clear();
  }

  /** The number of a text, which is stored if it isn't yet. Must run within a transaction. */
  of(text: string): number {
    let name = this.known.get(text);
    if (name === undefined) {
      const found = this.select.get(text);
      name = found ? nameRow(found)[0] : Number(this.insert.run(text).lastInsertRowid);
      this.known.set(text, name);
    }
    return name;
  }

  /** Removes what no session has any more. Must run within a transaction. */
  removeUnused(): void {
    this.known.clear();
    this.database.exec(
      'DELETE FROM names WHERE name NOT IN (SELECT folder FROM sessions UNION SELECT cwd FROM sessions UNION SELECT model FROM usage)',
    );
  }
}
