/** The statements that write the catalog, and those that read what is stored of a session before it is written. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { FILE_COLUMNS, READ_COLUMNS } from '../encoding/fileColumns';
import { PATH, PLACES } from './schema';
import { prepareRows, type ResultRow, type RowStatement } from './sqlite/resultRows';

const COLUMN_VALUES = FILE_COLUMNS.replace(/\w+/g, '?');

/** The rows of a table that belong to the session whose number is the first parameter. */
const rowsIn = (table: string): string => `${table} WHERE place >= ?1 * ${PLACES} AND place < (?1 + 1) * ${PLACES}`;
/** The place of the session's next row. */
const nextIn = (table: string): string => `(SELECT coalesce(max(place) + 1, ?1 * ${PLACES}) FROM ${rowsIn(table)})`;

const STATEMENTS = {
  find: `SELECT n, ${READ_COLUMNS} FROM sessions WHERE hash = ? AND ${PATH} = ?`,
  has: `SELECT 1 FROM sessions WHERE hash = ? AND ${PATH} = ?`,
  add: `INSERT INTO sessions (hash, folder, file, ${FILE_COLUMNS}) VALUES (?, ?, ?, ${COLUMN_VALUES})`,
  update: `UPDATE sessions SET (${FILE_COLUMNS}) = (${COLUMN_VALUES}) WHERE n = ?`,
  remove: 'DELETE FROM sessions WHERE n = ?',
  lines: 'SELECT lines FROM contents WHERE n = ?',
  putContent: 'INSERT OR REPLACE INTO contents (n, lines) VALUES (?, ?)',
  removeContent: 'DELETE FROM contents WHERE n = ?',
  isUnindexed: 'SELECT 1 FROM unindexed WHERE n = ?',
  // In the order of their documents: the index has to write what it collected when these fall.
  unindexed: 'SELECT n FROM unindexed JOIN documents USING (n) ORDER BY first',
  putUnindexed: 'INSERT INTO unindexed VALUES (?)',
  removeUnindexed: 'DELETE FROM unindexed WHERE n = ?',
  path: `SELECT ${PATH} FROM sessions WHERE n = ?`,
  removeLabels: 'DELETE FROM labels WHERE n = ?',
  label: 'INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?)',
  removeAnswers: `DELETE FROM ${rowsIn('answers')}`,
  answers: `INSERT INTO answers VALUES (${nextIn('answers')}, ?2, ?3)`,
  removeTouches: `DELETE FROM ${rowsIn('touches')}`,
  touches: `INSERT INTO touches VALUES (${nextIn('touches')}, ?2, ?3)`,
  paths: `SELECT ${PATH} FROM sessions`,
  requestPurge: 'INSERT OR IGNORE INTO removed VALUES (1)',
  isPurgeDue: 'SELECT 1 FROM removed',
  purged: 'DELETE FROM removed',
} as const;

type StatementName = keyof typeof STATEMENTS;

/** Prepares each statement when it is first used. */
export class IndexStatements {
  private readonly prepared = new Map<StatementName, RowStatement>();

  constructor(private readonly database: DatabaseSync) {}

  /** Returns the first row of the result; `undefined` if it has none. */
  get(name: StatementName, ...values: SQLInputValue[]): ResultRow | undefined {
    return this.statement(name).get(...values);
  }

  /** Returns all rows of the result. */
  all(name: StatementName, ...values: SQLInputValue[]): ResultRow[] {
    return this.statement(name).all(...values);
  }

  /** Runs a statement that writes. */
  run(name: StatementName, ...values: SQLInputValue[]): { readonly lastInsertRowid: number | bigint } {
    return this.statement(name).run(...values);
  }

  private statement(name: StatementName): RowStatement {
    let statement = this.prepared.get(name);
    if (!statement) this.prepared.set(name, (statement = prepareRows(this.database, STATEMENTS[name])));
    return statement;
  }
}
