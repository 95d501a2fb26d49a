import assert from 'node:assert/strict';
import { foldCharacter } from '../../../src/core/catalog/index/words/foldCharacter';
import { probe } from '../../../src/core/format/columns/stringTable';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import { NONE } from '../../../src/core/format/scanner/scannerLayout';
import { entryId, session } from '../../fixtures/build';
import { CAPACITY, readBytes } from '../properties/readBytes';

const LARGE_TEXT = 'ä'.repeat(200_000);

describe('The scanner’s memory', () => {
  it('isn’t taken while views of it are in use', async () => {
    const scanner = new Scanner(CAPACITY, 0, foldCharacter);
    assert.ok(scanner.foldText('Größe'));
    const bytes = Buffer.from(session().user('one').assistant('two').user('three').assistant('four').text());
    const { read, messages } = await readBytes(bytes, scanner);
    assert.ok(read && messages > 2);
    const { rows } = scanner;
    assert.equal(scanner.foldText(LARGE_TEXT), undefined);
    assert.throws(() => rows?.putCall('call', 1), /sealed/);
    assert.equal(read.byId.get(entryId(3))?.text, 'user: three');
    // Of another file.
    scanner.beginFile('words');
    assert.ok(scanner.foldText(LARGE_TEXT));
  });

  it('is never searched for ever: a table without a free slot is an error', () => {
    // Entries with the hashes 3, 3 and 8.
    const slots = Int32Array.of(3, 0, 0, 1, 2, 0, 0, 0);
    assert.equal(
      probe(slots, 3, (index) => index === 1),
      1,
    );
    assert.equal(
      probe(slots, 5, () => true),
      NONE,
    );
    for (const full of [new Int32Array(0), Int32Array.of(1, 2, 3, 4)]) assert.throws(() => probe(full, 3, () => false), /no free slot/);
  });
});
