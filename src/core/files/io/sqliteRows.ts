/** Statements of SQLite whose result rows are arrays. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';

/** A row of a result, in the order of its columns. */
export type ResultRow = readonly SQLOutputValue[];

/** A prepared statement whose rows are arrays. */
export interface RowStatement {
  all(...values: SQLInputValue[]): ResultRow[];
  get(...values: SQLInputValue[]): ResultRow | undefined;
  iterate(...values: SQLInputValue[]): Iterable<ResultRow>;
  run(...values: SQLInputValue[]): { readonly lastInsertRowid: number | bigint };
}

/** Prepares a statement that returns rows as arrays. */
export function prepareRows(database: DatabaseSync, sql: string): RowStatement {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  // Node's types always describe rows as objects.
  return statement as unknown as RowStatement;
}
