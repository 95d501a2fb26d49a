import assert from 'node:assert/strict';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import * as layout from '../../../src/core/format/scanner/scannerLayout';
import type { ScannedRows } from '../../../src/core/format/scanner/scannerRows';

const line = (id: string, parent: string | null): string =>
  `{"type":"message","id":"${id}","parentId":${JSON.stringify(parent)},"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":"words"}}\n`;
const FILE = Buffer.from(line('a', null) + line('b', 'a'));

describe('Scanner', () => {
  const scanner = new Scanner(1024, 0);
  const scanFile = (): { rows: ScannedRows; end: number } => {
    const scan = scanner.beginFile('words').scan(scanner.load(FILE), 0, FILE.length, { line: 2, offset: 0 });
    return { rows: scan!.rows, end: scan!.end };
  };

  it('turns bytes into rows', () => {
    const { rows, end } = scanFile();
    assert.deepEqual([end, [...rows.ints('parent')], [...rows.ints('line')], rows.lastId], [FILE.length, [layout.NONE, 0], [2, 3], 'b']);
  });

  it('refuses the rows of a file once another has begun', () => {
    const { rows } = scanFile();
    scanner.beginFile('none');
    for (const use of [
      () => rows.ints('line'),
      () => rows.table('ids'),
      () => rows.findCall('a'),
      () => rows.scan(scanner.load(FILE), 0, FILE.length, { line: 2, offset: 0 }),
    ]) {
      assert.throws(use, /another file/);
    }
  });

  it('refuses bytes once others are loaded, and more than its capacity', () => {
    const first = scanner.load(FILE);
    scanner.load(FILE);
    assert.throws(() => scanner.beginFile('none').scan(first, 0, FILE.length, { line: 2, offset: 0 }), /other bytes/);
    assert.throws(() => scanner.load(Buffer.alloc(1025)), RangeError);
  });

  it('adds no row once the rows are sealed', () => {
    const { rows } = scanFile();
    rows.seal();
    for (const use of [() => rows.scan(scanner.load(FILE), 0, FILE.length, { line: 2, offset: 0 }), () => rows.putCall('c', -2)])
      assert.throws(use, /sealed/);
  });
});

describe('The layout of the scanner’s memory', () => {
  const numbersOf = (members: object): number[] => Object.values(members).filter((value) => typeof value === 'number');

  it('numbers the members of each list from 0 without gaps', () => {
    const { DoubleColumn, IntColumn, Part, CallField, NameTable, Role, BytesField, TableField, TableEntry } = layout;
    for (const members of [DoubleColumn, IntColumn, Part, CallField, NameTable, Role, BytesField, TableField, TableEntry]) {
      const numbers = numbersOf(members);
      assert.deepEqual(numbers, [...numbers.keys()]);
    }
  });

  it('has as many columns and fields as its counts', () => {
    const counts = [
      [layout.DoubleColumn, layout.DOUBLE_COLUMN_COUNT],
      [layout.IntColumn, layout.INT_COLUMN_COUNT],
      [layout.CallField, layout.CALL_LENGTH],
      [layout.BytesField, layout.BYTES_LENGTH],
      [layout.TableField, layout.TABLE_LENGTH],
      [layout.TableEntry, layout.TABLE_ENTRY_LENGTH],
    ] as const;
    for (const [members, count] of counts) assert.equal(numbersOf(members).length, count);
  });

  it('has flags of one bit each, below 128', () => {
    assert.equal(
      numbersOf(layout.ProfileFlag).reduce((sum, flag) => sum + flag, 0),
      127,
    );
  });
});
