/** A check of the types of a row's columns. */
import type { ResultRow } from '../../../files/io/sqliteRows';
import { DamagedDatabase } from '../../encoding/damagedDatabase';

export { prepareRows, type ResultRow, type RowStatement } from '../../../files/io/sqliteRows';

/** The types of columns; those with `?` may be NULL. */
interface ColumnTypes {
  readonly number: number;
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly 'number?': number | null;
  readonly 'bytes?': Uint8Array<ArrayBuffer> | null;
}

type ColumnType = keyof ColumnTypes;

type TypedRow<Types extends readonly ColumnType[]> = { readonly [Index in keyof Types]: ColumnTypes[Types[Index]] };

const hasType: { readonly [Type in ColumnType]: (value: unknown) => boolean } = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  'number?': (value) => value === null || typeof value === 'number',
  'bytes?': (value) => value === null || value instanceof Uint8Array,
};

/**
 * Returns a function that checks a row and returns it as a tuple. SQLite stores values of any type in any column, and
 * a database is read before it is verified.
 *
 * @param types of the columns, in their order
 * @throws {DamagedDatabase} from the function, if a value has another type
 */
export function rowChecker<const Types extends readonly ColumnType[]>(...types: Types): (row: ResultRow) => TypedRow<Types> {
  const fits = (row: ResultRow): row is TypedRow<Types> =>
    row.length === types.length && types.every((type, index) => hasType[type](row[index]));
  return (row) => {
    if (!fits(row)) throw new DamagedDatabase('Invalid values in a stored row.');
    return row;
  };
}
