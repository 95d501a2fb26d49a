/** Values of the rows of one table of a database, by a column. A part of the rows is read at a time. */
import { CorruptDatabase } from './databaseErrors';
import type { DatabaseConnection } from './databaseConnection';
import { integerOf, sizeOf, textOf, type Table, type TableName } from './databaseTables';

/** Sessions of one database. */
export const MAX_SESSIONS = 200_000;

/** The columns that are read of a table. */
export interface FactColumns {
  readonly texts: readonly string[];
  readonly integers: readonly string[];
  /** Columns of bytes, of which only the number is read. */
  readonly sizes?: readonly string[];
}

/** The values of a row. */
export class FactRow {
  constructor(private readonly values: ReadonlyMap<string, unknown>) {}

  text(name: string): string | undefined {
    const value = this.values.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  integer(name: string): number | undefined {
    const value = this.values.get(name);
    return typeof value === 'number' ? value : undefined;
  }
}

/** The row of a session that has none. */
export const NO_ROW = new FactRow(new Map());

/** Values of the rows of one table, by a column. The rows themselves aren't kept. */
export class Facts<T> {
  readonly byKey = new Map<string, T>();
  isDone = false;
  /** The number of the last row that was read. As text, because it may be too large for a number. */
  private last = '-9223372036854775808';

  constructor(
    private readonly name: TableName,
    private readonly key: string,
    private readonly columns: FactColumns,
    private readonly take: (row: FactRow) => T,
  ) {}

  /** Reads at most some rows. Returns their number. */
  readNext(connection: DatabaseConnection, limit: number): number {
    const table = connection.tables().get(this.name);
    const { texts, integers, sizes = [] } = this.columns;
    const names = [this.key, ...texts, ...integers, ...sizes];
    const rows = table ? connection.all(this.statement(table), this.last, limit) : [];
    for (const [number, ...values] of rows) {
      // Damaged pages can be in a circle.
      if (typeof number !== 'string' || !/^-?\d+$/.test(number) || BigInt(number) <= BigInt(this.last))
        throw new CorruptDatabase('it’s damaged');
      this.last = number;
      const row = new FactRow(new Map(names.map((name, at) => [name, values[at]])));
      const key = row.text(this.key);
      if (key !== undefined) this.byKey.set(key, this.take(row));
    }
    if (this.byKey.size > MAX_SESSIONS) throw new CorruptDatabase('it has too many sessions');
    this.isDone = rows.length < limit;
    return rows.length;
  }

  private statement({ rows, column }: Table): string {
    const texts = [this.key, ...this.columns.texts].map((name) => textOf(column(name)));
    const values = [
      ...texts,
      ...this.columns.integers.map((name) => integerOf(column(name))),
      ...(this.columns.sizes ?? []).map((name) => sizeOf(column(name))),
    ];
    return `SELECT CAST(rowid AS TEXT), ${values.join(', ')} FROM ${rows} WHERE rowid > CAST(? AS INTEGER) ORDER BY rowid LIMIT ?`;
  }
}
