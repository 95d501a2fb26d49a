import assert from 'node:assert/strict';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import * as indexLayout from '../../../src/core/format/scanner/indexLayout';
import * as scannerLayout from '../../../src/core/format/scanner/scannerLayout';
import type { ScannedRows } from '../../../src/core/format/scanner/scannerRows';

const line = (id: string, parent: string | null): string =>
  `{"type":"message","id":"${id}","parentId":${JSON.stringify(parent)},"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":"words"}}\n`;
const FILE = Buffer.from(line('a', null) + line('b', 'a'));
const LIMITS = { names: 0, notes: 0, labelTargets: 0 };
const layout = { ...scannerLayout, ...indexLayout };

const INPUTS = { roles: [1], usageSources: [layout.NONE], toolKinds: [], canonicalFiles: [], notes: [], labelTargets: [] };

describe('Scanner', () => {
  const scanner = new Scanner(1024, 0);
  const scanFile = (): { rows: ScannedRows; end: number } => {
    const scan = scanner.beginFile('words').scan(scanner.load(FILE), 0, FILE.length, { line: 2, offset: 0 });
    return { rows: scan!.rows, end: scan!.end };
  };

  it('turns bytes into rows and rows into an index', () => {
    const { rows, end } = scanFile();
    const builder = rows.prepareIndex(LIMITS);
    assert.deepEqual([end, [...rows.ints('parent')], [...rows.ints('line')], rows.lastId], [FILE.length, [layout.NONE, 0], [2, 3], 'b']);
    const built = builder.build(INPUTS, 1, 0)!;
    assert.deepEqual([...new Int32Array(built.output('blocks').slice().buffer)], [2, 2, 0]);
  });

  it('refuses the rows of a file once another has begun', () => {
    const { rows } = scanFile();
    scanner.beginFile('none');
    for (const use of [
      () => rows.ints('line'),
      () => rows.table('ids'),
      () => rows.findCall('a'),
      () => rows.prepareIndex(LIMITS),
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

  it('adds no row once the index is prepared', () => {
    const { rows } = scanFile();
    rows.prepareIndex(LIMITS);
    for (const use of [
      () => rows.scan(scanner.load(FILE), 0, FILE.length, { line: 2, offset: 0 }),
      () => rows.putCall('c', -2),
      () => rows.prepareIndex(LIMITS),
    ])
      assert.throws(use, /sealed/);
  });

  it('refuses more inputs than were reserved', () => {
    for (const [name, values] of Object.entries({
      roles: [1, 1],
      usageSources: [1, 1],
      toolKinds: [1],
      canonicalFiles: [0],
      notes: [0, 0, 0, 0],
      labelTargets: [0, 1],
    })) {
      const builder = scanFile().rows.prepareIndex(LIMITS);
      assert.throws(() => builder.build({ ...INPUTS, [name]: values }, 1, 0), new RegExp(`More ${name}`));
    }
  });
});

describe('The layout of the scanner’s memory', () => {
  const numbersOf = (members: object): number[] => Object.values(members).filter((value) => typeof value === 'number');

  it('numbers the members of each list from 0 without gaps', () => {
    const {
      DoubleColumn,
      IntColumn,
      Part,
      NameTable,
      IndexInput,
      IndexOutput,
      Role,
      UsageField,
      CostField,
      TouchKind,
      BlockField,
      BytesField,
      TableField,
      TableEntry,
    } = layout;
    for (const members of [
      DoubleColumn,
      IntColumn,
      Part,
      NameTable,
      IndexInput,
      IndexOutput,
      Role,
      UsageField,
      CostField,
      TouchKind,
      BlockField,
      BytesField,
      TableField,
      TableEntry,
    ]) {
      const numbers = numbersOf(members);
      assert.deepEqual(numbers, [...numbers.keys()]);
    }
  });

  it('has as many columns and fields as its counts', () => {
    const counts = [
      [layout.DoubleColumn, layout.DOUBLE_COLUMN_COUNT],
      [layout.IntColumn, layout.INT_COLUMN_COUNT],
      [layout.UsageField, layout.USAGE_LENGTH],
      [layout.CostField, layout.COST_CELL_LENGTH],
      [layout.BlockField, layout.BLOCK_LENGTH],
      [layout.BytesField, layout.BYTES_LENGTH],
      [layout.TableField, layout.TABLE_LENGTH],
      [layout.TableEntry, layout.TABLE_ENTRY_LENGTH],
    ] as const;
    for (const [members, count] of counts) assert.equal(numbersOf(members).length, count);
  });

  it('has flags of one bit each, below the unit that follows them', () => {
    for (const [flags, unit] of [
      [layout.ProfileFlag, 64],
      [layout.LineFlag, layout.LINE_ROLE_UNIT],
      [layout.TouchFlag, layout.TOUCH_FILE_UNIT],
    ] as const) {
      assert.equal(
        numbersOf(flags).reduce((sum, flag) => sum + flag, 0),
        unit - 1,
      );
    }
  });
});
