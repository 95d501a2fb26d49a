import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { decodeStructure, decodeVarints, encodeStructure, encodeVarints } from '../../../src/core/catalog/database/segments/fts5Records';
import { SegmentWriter } from '../../../src/core/catalog/database/segments/segmentWriter';
import { setDefensive } from '../../../src/core/files/io/loadSqlite';
import { bytesOfText, LineWordsWriter } from '../../../src/core/catalog/index/lineWords';
import { RepeatedWords } from '../../../src/core/catalog/index/repeatedWords';
import { SegmentBuilder } from '../../../src/core/format/scanner/segmentBuilder';
import { testFolder } from '../../fixtures/folder';
import { numbers } from '../../fixtures/random';

/** A text by its number in the index. */
type Texts = ReadonlyMap<number, string>;

const WORDS = `CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='ascii')`;

/** The bytes that FTS5 gets of a text, and those that a segment gets, which finds the repeated words itself. */
function bytesOf(text: string): { withRepeated: Uint8Array; bytes: Uint8Array } {
  const writer = new LineWordsWriter(Buffer.alloc(16), new RepeatedWords());
  const { from, to } = writer.add(text);
  const bytes = bytesOfText(writer.view([1, from, to]), 0).slice();
  return { withRepeated: bytesOfText(writer.finish([1, from, to]), 0), bytes };
}

/** Returns the document and the number of its words. */
const addText = (builder: SegmentBuilder, document: number, bytes: Uint8Array): Int32Array =>
  builder.addTexts({ positions: Uint32Array.of(1, 0, bytes.length), bytes }, () => document);

/** Adds texts with FTS5, in one segment. */
function insert(database: DatabaseSync, texts: Texts): void {
  const add = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
  database.exec('BEGIN');
  for (const [document, text] of texts) add.run(document, bytesOf(text).withRepeated);
  database.exec('COMMIT');
}

/** Adds texts as two segments, as two threads do. */
function addSegments(database: DatabaseSync, texts: Texts, pageSize: number): void {
  const writer = new SegmentWriter(database);
  assert.ok(writer.begin(2));
  const builders = [new SegmentBuilder(), new SegmentBuilder()];
  for (const [index, [document, text]] of [...texts].entries()) {
    writer.addSession(index, index % 2, addText(builders[index % 2]!, document, bytesOf(text).bytes));
  }
  for (const [index, builder] of builders.entries())
    writer.addStarts(
      index,
      builder.finish(pageSize, (pages) => writer.addPages(index, pages)),
    );
  writer.commit('seal');
}

/** Random texts, of which some words are frequent and others rare, long, or of bytes above ASCII. */
function randomTexts(count: number, seed: number, first: number): Texts {
  const next = numbers(seed);
  const random = (below: number): number => Math.floor(next() * below);
  const word = (): string => {
    const kind = random(12);
    if (kind === 0) return `w${random(5000)}`;
    if (kind === 1) return ['Straße', '中文', 'é', '😀x', 'naïve'][random(5)]!;
    if (kind === 2) return `${'long'.repeat(1 + random(12))}${random(40)}`;
    return `${'ABCDefgh0123'.slice(random(6), 7 + random(5))}${random(30)}`;
  };
  const separator = (): string => [' ', '\n', '-', ', ', '\0', '::'][random(6)]!;
  const texts = new Map<number, string>();
  for (let document = first; texts.size < count; document += 1 + random(3) * random(200))
    texts.set(document, Array.from({ length: random(60) * random(4) }, () => word() + separator()).join(''));
  return texts;
}

describe('Segments of the full-text index', () => {
  const folder = testFolder();

  /** An index in memory, or in a file that several connections can open. */
  function openIndex(pageSize: number, path = ':memory:'): DatabaseSync {
    const database = new DatabaseSync(path);
    setDefensive(database, false);
    database.exec(WORDS);
    // Everything that is added at once becomes one segment.
    database.exec(`INSERT INTO words (words, rank) VALUES ('pgsz', ${pageSize}), ('hashsize', 1000000000)`);
    database.exec('CREATE TABLE unindexed (n INTEGER PRIMARY KEY)');
    database.exec(`CREATE TABLE state (id INTEGER PRIMARY KEY, commits, base); INSERT INTO state VALUES (1, 0, '')`);
    return database;
  }

  /** The pages of the first segment that FTS5 makes, the beginnings by which they're found, and the texts' numbers of words. */
  function segmentOfFts5(texts: Texts, pageSize: number): unknown {
    const database = openIndex(pageSize);
    insert(database, texts);
    const rows = (sql: string): unknown[] =>
      database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row).map(plain));
    // An index of the pages of long lists is optional: it has rows of its own, and the lowest bit tells that it exists.
    return {
      pages: rows('SELECT block FROM words_data WHERE id >= 1 << 37 AND (id >> 36) % 2 = 0 ORDER BY id').flat(),
      starts: rows('SELECT pgno >> 1, term FROM words_idx WHERE pgno > 3 ORDER BY pgno'),
      sizes: rows('SELECT id, hex(sz) FROM words_docsize ORDER BY id'),
    };
  }

  const plain = (value: unknown): unknown => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value);

  function segmentOfBuilder(builder: SegmentBuilder, texts: Texts, pageSize: number): unknown {
    const added = [...texts].reverse();
    const parts = added.map(([, text]) => bytesOf(text).bytes);
    let end = 0;
    const positions = Uint32Array.from(parts.flatMap((part, line) => [line, end, (end += part.length)]));
    const numbers = builder.addTexts({ positions, bytes: Buffer.concat(parts) }, (line) => added[line]![0]);
    const sizes = [...texts].map(([document], index) => {
      assert.equal(numbers[index * 2], document);
      return [
        document,
        Buffer.from(encodeVarints([numbers[index * 2 + 1]!]))
          .toString('hex')
          .toUpperCase(),
      ];
    });
    const pages: unknown[] = [];
    const found = builder.finish(pageSize, ({ bytes, ends }) => {
      for (const [index, end] of ends.entries()) pages.push(plain(bytes.subarray(index > 0 ? ends[index - 1] : 0, end)));
    });
    const starts: unknown[] = [];
    let from = 0;
    for (let at = 0; at < found.pages.length; at += 2) {
      const end = from + found.pages[at + 1]!;
      starts.push([found.pages[at], plain(found.words.subarray(from, end))]);
      from = end;
    }
    return { pages, starts, sizes };
  }

  const builder = new SegmentBuilder();
  const cases: Readonly<Record<string, readonly [texts: Texts, pageSize: number]>> = {
    'of a few words': [
      new Map([
        [5, 'One two; three\0two'],
        [6, ''],
        [9, 'two TWO two two'],
        [10, '—'],
      ]),
      16_320,
    ],
    'of random texts': [randomTexts(400, 1, 2 ** 27), 16_320],
    'of small pages': [randomTexts(300, 2, 1), 64],
    'of lists over many pages': [randomTexts(3000, 3, 100_000), 100],
    'of numbers below zero': [randomTexts(200, 4, -5000), 80],
    'of more than a portion': [randomTexts(6000, 6, 7), 16_320],
    'of words longer than pages, and than FTS5 takes': [
      new Map([
        [1, `${'x'.repeat(200)} ${'y'.repeat(32_768)}a ${'y'.repeat(32_768)}b ${'z'.repeat(32_767)} ${`${'q'.repeat(32_767)} `.repeat(4)}`],
        [2, `${'x'.repeat(15)} ${'x'.repeat(16)} ${'x'.repeat(17)} `.repeat(4) + '1'.repeat(63)],
      ]),
      128,
    ],
    'of no texts': [new Map(), 128],
  };
  for (const [name, [texts, pageSize]] of Object.entries(cases))
    it(`${name} are, byte for byte, those that FTS5 writes`, () => {
      assert.deepEqual(segmentOfBuilder(builder, texts, pageSize), segmentOfFts5(texts, pageSize));
    });

  it('can’t have documents of more than 32 bits', () => {
    assert.throws(() => addText(builder, 2 ** 31, Buffer.from('x')), RangeError);
  });

  it('are searched, merged and removed from like those of FTS5', () => {
    const path = join(folder.path, 'index.sqlite');
    const pageSize = 200;
    const [ours, theirs] = [openIndex(pageSize, path), openIndex(pageSize)];
    const connection = new DatabaseSync(path);
    setDefensive(connection, false);
    const both = [ours, theirs];
    const check = (): void => {
      for (const database of both) database.exec(`INSERT INTO words (words, rank) VALUES ('integrity-check', 1)`);
      const found = (database: DatabaseSync, query: string): unknown[] =>
        database.prepare('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid').all(query);
      for (const query of ['defgh012', 'w1*', '"straße"', 'c* NOT d*', '"·defgh01" *', 'long* AND e*', 'nothing'])
        assert.deepEqual(found(ours, query), found(theirs, query), query);
      const sizes = (database: DatabaseSync): unknown[] => database.prepare('SELECT id, sz FROM words_docsize ORDER BY id').all();
      assert.deepEqual(sizes(ours), sizes(theirs));
    };
    for (let round = 0; round < 4; round++) {
      const added = randomTexts(150, 10 + round, round * 100_000);
      const later = randomTexts(20, 20 + round, round * 100_000 + 50_000);
      addSegments(connection, added, pageSize);
      insert(theirs, added);
      check();
      for (const database of both) {
        insert(database, later);
        for (const document of [...added.keys()].filter((_, index) => index % 3 === 0))
          database.prepare('DELETE FROM words WHERE rowid = ?').run(document);
        if (round === 2) database.exec(`INSERT INTO words (words, rank) VALUES ('merge', 1000)`);
      }
      check();
    }
    for (const database of both) database.exec(`INSERT INTO words (words) VALUES ('optimize')`);
    check();
    const rest = ours.prepare('SELECT block FROM words_data WHERE id = 1').get()?.['block'];
    assert.deepEqual(rest, theirs.prepare('SELECT block FROM words_data WHERE id = 1').get()?.['block']);
    for (const database of [...both, connection]) database.close();
  });

  it('leave nothing if they aren’t committed', () => {
    const path = join(folder.path, 'index.sqlite');
    const ours = openIndex(200, path);
    const connection = new DatabaseSync(path);
    setDefensive(connection, false);
    const writer = new SegmentWriter(connection);
    writer.begin(1);
    writer.addSession(1, 0, addText(builder, 1, Buffer.from('apple')));
    writer.addStarts(
      0,
      builder.finish(200, (pages) => writer.addPages(0, pages)),
    );
    writer.close();
    assert.deepEqual(ours.prepare('SELECT count(*) AS n FROM words_docsize').get()?.['n'], 0);
    ours.exec(`INSERT INTO words (words, rank) VALUES ('integrity-check', 1)`);
    ours.close();
  });

  it('aren’t added to an index of another format', () => {
    const database = openIndex(200);
    database.exec(`UPDATE words_data SET block = x'00000000000000' WHERE id = 10`);
    const writer = new SegmentWriter(database);
    assert.equal(writer.begin(1), false);
    assert.equal(database.isTransaction, false);
  });

  it('need a connection without defensive mode', () => {
    const database = openIndex(200);
    setDefensive(database, true);
    assert.throws(() => new SegmentWriter(database), /may not be modified/);
  });

  describe('are described by a record', () => {
    // One level with one segment.
    const contents = [1, 1, 300, 0, 1, 1, 1, 70_000, 4, 5, 0, 0, 2 ** 40];
    const record = Buffer.concat([Buffer.from([0, 0, 1, 2, 255, 0, 0, 1]), encodeVarints(contents)]);

    it('that is the same when it’s written again', () => {
      assert.deepEqual(Buffer.from(encodeStructure(decodeStructure(record)!)), record);
    });

    it('that isn’t taken if it has another version, or isn’t whole', () => {
      assert.equal(decodeStructure(Buffer.concat([record.subarray(0, 7), Buffer.from([2]), record.subarray(8)])), undefined);
      for (let size = 0; size < record.length; size++) assert.equal(decodeStructure(record.subarray(0, size)), undefined, `${size}`);
      assert.equal(decodeStructure(Buffer.concat([record, Buffer.from([0])])), undefined);
      assert.equal(decodeVarints(Buffer.alloc(9, 255)), undefined);
    });
  });
});
