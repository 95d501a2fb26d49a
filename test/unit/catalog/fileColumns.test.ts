import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { SessionError } from '../../../src/core/index';
import { DamagedDatabase } from '../../../src/core/catalog/encoding/damagedDatabase';
import { Indexer } from '../../../src/core/catalog/database/indexer';
import { createTables } from '../../../src/core/catalog/database/schema';
import { decodeFile, encodeFile, type FileColumns } from '../../../src/core/catalog/encoding/fileColumns';
import { readableRow, toCatalogRow, unreadableRow, type KnownFile } from '../../../src/core/catalog/rows/catalogRow';
import type { SessionSummary } from '../../../src/core/catalog/rows/sessionSummary';
import { dice } from '../../fixtures/random';

describe('file columns', () => {
  const path = '/r/p/a.jsonl';
  const version = { size: 12, mtimeMs: 34.5, ino: '56' };
  const least: SessionSummary = {
    path,
    dialect: 'pi',
    id: 'a',
    cwd: '/w',
    title: '(no messages)',
    created: 0,
    modified: 7,
    messageCount: 0,
    problems: 0,
    writable: true,
    isOld: false,
  };
  const most: SessionSummary = {
    ...least,
    created: 3,
    messageCount: 2,
    name: 'N',
    title: 'N',
    parentSession: '/r/p/b.jsonl',
    suspectedTip: 'tip',
    writable: false,
    isOld: true,
  };
  const file = (row: KnownFile['row'], owner?: string): KnownFile => ({
    path,
    version,
    row,
    complete: true,
    ...(owner === undefined ? {} : { owner }),
  });
  const decoded = (known: KnownFile): KnownFile => decodeFile(known.path, encodeFile(known));

  it('restore the same record', () => {
    for (const known of [
      file(readableRow(least, undefined)),
      file(readableRow(most, 'first\nmessage'), '/r/p/owner.jsonl'),
      file({ ...readableRow({ ...least, name: 'N' }, 'x'.repeat(300)) }),
      file(readableRow({ ...least, marks: { state: 'working', isPinned: true, isArchived: true } }, undefined)),
      file(readableRow({ ...least, additionalDirectories: ['/lib', '/more'] }, 'm')),
      file(unreadableRow(path, new SessionError('permission', 'No right to read {path}', { path }), 'omp', 5)),
    ])
      assert.deepEqual(decoded(known), known);
  });

  it('restore any record from the database, whatever its texts and numbers are', () => {
    const random = dice(22);
    const database = new DatabaseSync(':memory:');
    createTables(database);
    const indexer = new Indexer(database);
    const text = (): string =>
      Array.from({ length: random.below(4) }, () => random.one(['a', '', '\0', '\ud83d', '\ude00', 'é', '😀', '\n', '"', "'", '_'])).join(
        '',
      );
    const number = (): number => random.one([0, 1, -1, 0.5, 1e3, 2 ** 31, Date.UTC(2026, 0), Number.MAX_SAFE_INTEGER]);
    const maybe = <T>(value: T): T | undefined => (random.once(2) ? value : undefined);
    indexer.begin();
    for (let count = 0; count < 500; count++) {
      const at = `/r/p${String(random.below(3))}/${random.one(['a', 'b_a', 'x'])}${String(count)}.jsonl`;
      const optional = {
        name: maybe(text()),
        parentSession: maybe(`p${text()}`),
        suspectedTip: maybe(text()),
        firstMessage: maybe(text()),
        additionalDirectories: maybe(['/lib', '/more']),
        marks: maybe({ state: random.one(['working', 'idle'] as const), isPinned: true }),
      };
      const summary: SessionSummary = {
        ...least,
        ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
        path: at,
        id: random.one([text(), `a${String(count)}`]),
        cwd: text(),
        title: text(),
        created: number(),
        modified: number(),
        messageCount: random.below(1e9),
        problems: random.below(3),
        dialect: random.one(['pi', 'omp', 'gsd']),
        writable: random.once(2),
        isOld: random.once(2),
      };
      const row = readableRow(summary, maybe(text()));
      const problem = maybe({ code: 'error', template: '{message}', args: { message: text() }, message: text() } as const);
      const known: KnownFile = {
        ...file(problem ? { ...row, problem } : row, maybe('/r/p/owner.jsonl')),
        path: at,
        version: { size: random.below(2 ** 40), mtimeMs: number(), ino: String(random.below(2 ** 40)) },
      };
      indexer.putUnreadable(known);
      assert.deepEqual(indexer.find(at)?.known, known);
    }
    indexer.rollback();
    database.close();
  });

  it('keep the texts that a column would change in the JSON', () => {
    const [cwd, id, firstMessage] = ['/w\0', 'i\ud800', 'cut \ud83d'];
    const known = file(readableRow({ ...least, cwd, id }, firstMessage));
    const columns = encodeFile(known).with(0, '/w').with(5, 'i\ufffd').with(9, 'cut \ufffd') as unknown as FileColumns;
    assert.deepEqual(decodeFile(path, columns), known);
  });

  it('restore the digest of a session’s facts in a database', () => {
    const known = file(readableRow(least, undefined));
    for (const ino of ['1:2', '1:2:#a', ''])
      for (const facts of [{ facts: 'ab'.repeat(16) }, {}]) {
        const stored: KnownFile = { ...known, version: { ...version, ino, ...facts } };
        assert.deepEqual(decoded(stored), stored);
      }
  });

  it('store the first message once, and derive the summary’s line', () => {
    const title = `first  message ${'x'.repeat(183)}`;
    const row = readableRow({ ...least, title, firstMessage: 'of the heads' }, `  first\n\tmessage ${'x'.repeat(300)}`);
    assert.equal(row.summary.firstMessage, title);
    assert.equal(toCatalogRow(file(row)).firstMessage, row.firstMessage);
    assert.equal(encodeFile(file(row)).join().split('message').length, 2);
    assert.deepEqual(readableRow(least, ' \n'), { summary: least, firstMessage: ' \n' });
  });

  it('omit the id that is in the file’s name', () => {
    for (const [name, id, isStored] of [
      ['a', 'a', false],
      ['2026-01-02_a', 'a', false],
      ['2026-01-02_a', '2026-01-02_a', true],
      ['b', 'a', true],
      ['a', '', true],
    ] as const) {
      const known: KnownFile = {
        path: `/r/${name}.jsonl`,
        version,
        row: { summary: { ...least, path: `/r/${name}.jsonl`, id } },
        complete: true,
      };
      assert.deepEqual(decoded(known), known);
      assert.equal(encodeFile(known)[5], isStored ? id : null);
    }
  });

  it('are encoded as in this version of the schema', () => {
    const usual = ['/w', 12, 34.5, '56', null, null, null, 7, 0, null, 'pi', 0, 1, 0, null];
    assert.deepEqual(encodeFile(file(readableRow(least, undefined))), usual);
    assert.deepEqual(encodeFile(file(readableRow(most, 'm'), 'o')), [
      ...['/w', 12, 34.5, '56', 'o', null, 3, 7, 2, 'm', 'pi', 0, 0, 1],
      '{"name":"N","parentSession":"/r/p/b.jsonl","suspectedTip":"tip"}',
    ]);
    const wrapped = readableRow({ ...least, title: 'm', firstMessage: 'm' }, '[x] m');
    assert.deepEqual(encodeFile(file(wrapped)), usual.with(9, '[x] m').with(14, '{"title":"m"}'));
    assert.deepEqual(decoded(file(wrapped)), file(wrapped));
  });

  it('become a catalog row with pi’s field names', () => {
    assert.deepEqual(toCatalogRow(file(readableRow(most, 'm'), 'o')), {
      path,
      id: 'a',
      cwd: '/w',
      name: 'N',
      parentSessionPath: '/r/p/b.jsonl',
      created: new Date(3),
      modified: new Date(7),
      messageCount: 2,
      firstMessage: 'm',
      title: 'N',
      dialect: 'pi',
      problems: 0,
      writable: false,
      isOld: true,
      suspectedTip: 'tip',
      complete: true,
    });
    const { firstMessage, created } = toCatalogRow(file(readableRow(least, undefined)));
    assert.deepEqual([firstMessage, created.getTime()], ['(no messages)', Number.NaN]);
  });

  for (const [column, value] of [
    [0, null],
    [1, '12'],
    [3, 56],
    [4, 5],
    [6, '3'],
    [9, 1],
    [10, 'unknown'],
    [14, ''],
    [14, 'null'],
    [14, '{"name":1}'],
    [14, '{"cwd":1}'],
    [14, '{"id":null}'],
    [14, '{"firstMessage":[]}'],
    [14, '{"marks":1}'],
    [14, '{"folders":"/lib"}'],
    [14, '{"problem":{"code":"error"}}'],
  ] as const) {
    it(`are rejected with ${JSON.stringify(value)} as column ${column}`, () => {
      const columns: unknown[] = encodeFile(file(readableRow(least, undefined))).with(column, value);
      assert.throws(() => decodeFile(path, columns), DamagedDatabase);
    });
  }
});
