import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Rows of the tables under “Boundaries”, without their heads. */
function boundaries(text: string): string[] {
  const rows = text.slice(text.indexOf('## Boundaries')).split('\n').filter((line) => line.startsWith('|'));
  return rows.filter((row) => !row.startsWith('| Who') && !row.startsWith('| ---'));
}

/** Whether a file has a test, or is a fuzz target, of that name. */
function hasTest(path: string, title: string): boolean {
  const source = existsSync(resolve(path)) ? readFileSync(resolve(path), 'utf8').replaceAll("\\'", "'") : '';
  const starts = path.startsWith('test/fuzz/') ? ['name: '] : ['it('];
  return starts.some((start) => ["'", '`', '"'].some((quote) => source.includes(`${start}${quote}${title}${quote}`)));
}

describe('docs/SECURITY-MODEL.md', () => {
  const rows = boundaries(readFileSync(resolve('docs/SECURITY-MODEL.md'), 'utf8'));

  it('names a test that exists in each line', () => {
    assert.ok(rows.length > 40, `${rows.length} lines`);
    const missing = rows.filter((row) => {
      const cells = row.split(/(?<!\\)\|/).slice(1, -1);
      const [, path = '', title = ''] = /^ `([^`]+)`: “(.+)” $/.exec(cells.at(-1) ?? '') ?? [];
      return cells.length !== 4 || !hasTest(path, title);
    });
    assert.deepEqual(missing, []);
  });

  it('would notice a test that is gone', () => {
    assert.ok(hasTest('test/unit/securityModel.test.ts', 'would notice a test that is gone'));
    assert.ok(!hasTest('test/unit/securityModel.test.ts', 'was never there'));
    assert.ok(!hasTest('test/unit/gone.test.ts', 'would notice a test that is gone'));
  });
});
