import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Test files that the suites run, and fuzz targets. */
const RUN = /^test\/(?:(?:unit|conformance|editor)\/.+\.test\.ts|host\/[^/]+\.test\.mjs)$/;
const FUZZED = /^test\/fuzz\/[^/]+\.ts$/;
/** A test in a cell: its file and its title, or the title of its group. */
const TEST = /`([^`]+)`: “([^“”]+)”(?:; |$)/y;
/** Minimum number of fixed letters in a title with `${…}`; otherwise it could match any test. */
const OWN_LETTERS = 10;

/** Returns the rows of the tables under “Boundaries”, without the table headers. */
function boundaries(text: string): string[] {
  const rows = text
    .slice(text.indexOf('## Boundaries'), text.indexOf('## Not defended'))
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.filter((row) => !row.startsWith('| Who') && !row.startsWith('| ---'));
}

/** Returns the titles of a source's tests and groups; `…` stands for each `${…}`. Tests that are skipped or commented out don't count. */
function titlesIn(source: string): string[] {
  const code = source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  if (/^\s*(?:describe|it)\.(?:skip|only)\(/m.test(code)) return [];
  // A function that defines a test with a given title.
  const helpers = [...code.matchAll(/const (\w+) = \(title: string,.*\): void => \{\s*it\(title,/g)].map(([, name]) => name!);
  const call = new RegExp(`(?<![\\w.$])(?:${['it', 'describe', ...helpers].join('|')})\\((['"\`])((?:\\\\.|(?!\\1)[^])*?)\\1`, 'g');
  return [...code.matchAll(call)].flatMap(([, quote, text = '']) => {
    const title = text.replace(/\\(.)/g, '$1');
    if (quote !== '`' || !text.includes('${')) return [title];
    const template = text.replace(/\$\{[^}]*\}/g, '…');
    return template.replace(/[^a-z]/gi, '').length < OWN_LETTERS ? [] : [template];
  });
}

function hasTest(path: string, title: string): boolean {
  if (!existsSync(resolve(path))) return false;
  const source = readFileSync(resolve(path), 'utf8');
  if (FUZZED.test(path)) return source.includes('export const target') && source.includes(`  name: '${title}',`);
  return RUN.test(path) && titlesIn(source).includes(title);
}

/** Returns the tests that a cell names; `undefined` if the cell contains anything else. */
function testsIn(cell: string): (readonly [path: string, title: string])[] | undefined {
  const text = cell.trim();
  const tests: (readonly [string, string])[] = [];
  TEST.lastIndex = 0;
  for (let at = 0; at < text.length; at = TEST.lastIndex) {
    const [, path, title] = TEST.exec(text) ?? [];
    if (path === undefined || title === undefined) return undefined;
    tests.push([path, title]);
  }
  return tests.length === 0 ? undefined : tests;
}

describe('docs/SECURITY-MODEL.md', () => {
  const rows = boundaries(readFileSync(resolve('docs/SECURITY-MODEL.md'), 'utf8'));

  it('names a test that exists in each line', () => {
    assert.ok(rows.length > 90, `${rows.length} lines`);
    const missing = rows.flatMap((row) => {
      const cells = row.split(/(?<!\\)\|/).slice(1, -1);
      const tests = cells.length === 4 ? testsIn(cells[3]!) : undefined;
      return tests ? tests.filter(([path, title]) => !hasTest(path, title)).map(([path, title]) => `${path}: ${title}`) : [row];
    });
    assert.deepEqual(missing, []);
  });

  it('would notice a test that is gone', () => {
    assert.ok(hasTest('test/unit/securityModel.test.ts', 'would notice a test that is gone'));
    assert.ok(hasTest('test/host/trust.test.mjs', 'names no session folder, neither by pi’s settings nor by the editor’s'));
    assert.ok(hasTest('test/fuzz/parser.ts', 'parser'));
    assert.ok(!hasTest('test/unit/securityModel.test.ts', 'was never there'));
    assert.ok(!hasTest('test/unit/gone.test.ts', 'would notice a test that is gone'));
    assert.ok(!hasTest('test/fuzz/parser.ts', 'parse'));
    assert.ok(!hasTest('test/fuzz/target.ts', 'parser'));
    assert.ok(!hasTest('test/host/processes.mjs', 'parser'));
  });

  it('takes only tests that run, and titles that identify a test', () => {
    const source = [
      "it('plain', f);",
      "  it('an \\'escaped\\' one', f);",
      'it(`in ${a} parts: ${String(b)} of them`, f);',
      "// it('in a comment', f);",
      "xit('switched off', f);",
      "other.it('of another', f);",
      'it(`${name}: short`, f);',
      'it(name, f);',
      "describe('a group', f);",
      'const meets = (title: string, test: () => Promise<void>): void => {\n  it(title, async () => test());\n};',
      'meets(`${kind} in the place of a lock`, f);',
      "reads('no test', f);",
    ];
    assert.deepEqual(titlesIn(source.join('\n')), [
      'plain',
      "an 'escaped' one",
      'in … parts: … of them',
      'a group',
      '… in the place of a lock',
    ]);
    assert.deepEqual(titlesIn("it('a', f);\nit.skip('b', f);"), []);
  });

  it('has nothing beside tests in their column', () => {
    assert.deepEqual(testsIn(' `a`: “b”; `c`: “d of `e`” '), [
      ['a', 'b'],
      ['c', 'd of `e`'],
    ]);
    for (const odd of ['', ' ', 'none', '`a`: “b”, `c`: “d”', 'see `a`: “b”', '`a`: “b” and more', '`a`'])
      assert.equal(testsIn(odd), undefined, odd);
  });
});
