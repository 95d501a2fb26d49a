import assert from 'node:assert/strict';
import { blobHash, dataUri, imageSize, isSupportedType } from '../../../src/context/articles/imageFormat';
import { barChart } from '../../fixtures/sample/chart';

describe('An image of a session', () => {
  it('is shown if its type is a bitmap format', () => {
    assert.deepEqual(['image/png', 'image/JPEG', 'image/gif', 'image/webp', 'image/svg+xml', 'text/html', ''].map(isSupportedType), [
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('becomes a data URL only if it is base64 and of a supported type', () => {
    assert.equal(dataUri({ mimeType: 'image/PNG', data: 'aGk=\n' }), 'data:image/png;base64,aGk=');
    assert.equal(dataUri({ mimeType: 'image/png', data: 'a"onerror="x' }), undefined);
    assert.equal(dataUri({ mimeType: 'image/svg+xml', data: 'aGk=' }), undefined);
    assert.equal(dataUri({ mimeType: 'image/png', data: '' }), undefined);
  });

  it('may be stored beside the session', () => {
    assert.equal(blobHash(`blob:sha256:${'a'.repeat(64)}`), 'a'.repeat(64));
    assert.equal(blobHash(`blob:sha256:../../${'a'.repeat(58)}`), undefined);
  });

  it('has its size in its first bytes', () => {
    const bytes = (...parts: (string | readonly number[])[]): Uint8Array => {
      const all = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
      return Buffer.concat([all, Buffer.alloc(Math.max(0, 40 - all.length))]);
    };
    assert.deepEqual(imageSize(Buffer.from(String(barChart([0.5])['data']), 'base64')), { width: 240, height: 96 });
    assert.deepEqual(imageSize(bytes('GIF89a', [3, 0, 4, 0])), { width: 3, height: 4 });
    assert.deepEqual(imageSize(bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0])), {
      width: 100,
      height: 50,
    });
    assert.deepEqual(imageSize(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 7, 0, 9])), { width: 9, height: 7 });
    assert.equal(imageSize(bytes('what is this')), undefined);
    assert.equal(imageSize(new Uint8Array()), undefined);
  });
});
