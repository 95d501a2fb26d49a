import assert from 'node:assert/strict';
import { ByteReader, ByteWriter } from '../../../src/core/catalog/encoding/byteCodec';

describe('stored ids', () => {
  const IDS = ['0a1b2c3d', '0A1B2C3D', 'abc', 'V1StGXR8', 'é0a1', '', 'ff'.repeat(100), '019b7d2c-0000-7000-8000-000000000001', 'ÿþ', '00'];

  function written(ids: readonly string[]): Uint8Array {
    const writer = new ByteWriter();
    for (const id of ids) writer.id(id);
    return writer.bytes();
  }

  it('are what was written, whatever characters they have', () => {
    const reader = new ByteReader(written(IDS));
    assert.deepEqual(
      IDS.map(() => reader.id()),
      IDS,
    );
    assert.ok(reader.isAtEnd());
  });

  it('can be skipped', () => {
    for (const id of IDS) {
      const reader = new ByteReader(written([id, 'next']));
      reader.skipId();
      assert.equal(reader.id(), 'next', id);
    }
  });

  it('take half a byte per hexadecimal digit', () => assert.equal(written(['0a1b2c3d']).length, 5));

  it('of any length fit into the buffer', () => {
    const long = ['ab'.repeat(10_000), 'é'.repeat(10_000)];
    const reader = new ByteReader(written(long));
    assert.deepEqual([reader.id(), reader.id()], long);
  });
});
