import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import { withoutImageMetadata } from '../../../src/core/format/redact/imageMetadata';
import { finishSteps } from '../../../src/core/format/session/steps';

const SECRET = 'Jane at 52.5163, 13.3777';
const stripped = (text: string): string => finishSteps(withoutImageMetadata(text));
const base64 = (...parts: readonly Buffer[]): string => Buffer.concat(parts).toString('base64');
const line = (data: string): string => JSON.stringify({ type: 'image', data, more: ['x', { deep: data }] });
const bytesOf = (text: string): Buffer => {
  const { data, more } = JSON.parse(text) as { data: string; more: [string, { deep: string }] };
  assert.equal(more[1].deep, data);
  return Buffer.from(data, 'base64');
};

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
};
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEAD = chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]));
const DATA = chunk('IDAT', Buffer.alloc(40, 7));
const END = chunk('IEND', Buffer.alloc(0));

const segment = (marker: number, data: Buffer | string): Buffer => {
  const body = Buffer.from(data);
  return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);
};
const SOI = Buffer.from([0xff, 0xd8]);
const EOI = Buffer.from([0xff, 0xd9]);
/** Two scans, with stuffed zeros and a restart, and a table between them that has the bytes of the end in it. */
const SCANS = Buffer.concat([
  segment(0xda, Buffer.alloc(8, 1)),
  Buffer.from([1, 0xff, 0, 2, 0xff, 0xd3, 3]),
  segment(0xc4, Buffer.from([0xff, 0xd9])),
  segment(0xda, Buffer.alloc(8, 2)),
  Buffer.alloc(40, 5),
]);

const webpChunk = (type: string, data: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)]);
};
const webp = (...chunks: readonly Buffer[]): Buffer => webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

describe('Metadata of images', () => {
  it('is removed from PNGs, with what follows the image', () => {
    const texts = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'].map((type) => chunk(type, Buffer.from(SECRET)));
    const bare = stripped(line(base64(PNG, HEAD, ...texts, DATA, ...texts, END, Buffer.from(SECRET))));
    assert.deepEqual(bytesOf(bare), Buffer.concat([PNG, HEAD, DATA, END]));
  });

  it('is removed from JPEGs, with the preview that follows the image; color profiles stay', () => {
    const kept = [segment(0xe0, 'JFIF\0'), segment(0xe2, 'ICC_PROFILE\0x'), segment(0xee, 'Adobe'), segment(0xdb, Buffer.alloc(65))];
    const lost = [segment(0xe1, `Exif\0\0${SECRET}`), segment(0xe2, 'MPF\0'), segment(0xed, SECRET), segment(0xfe, SECRET)];
    const image = base64(SOI, ...kept, ...lost, SCANS, EOI, SOI, segment(0xe1, SECRET), EOI);
    assert.deepEqual(bytesOf(stripped(line(image))), Buffer.concat([SOI, ...kept, SCANS, EOI]));
  });

  it('is removed from WebPs, whose header no longer announces it', () => {
    const extended = (flags: number): Buffer => webpChunk('VP8X', Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    const picture = webpChunk('VP8 ', Buffer.alloc(41, 3));
    const image = webp(extended(0x1c), picture, webpChunk('EXIF', Buffer.from(SECRET)), webpChunk('XMP ', Buffer.from(`${SECRET}!`)));
    assert.deepEqual(bytesOf(stripped(line(base64(image)))), webp(extended(0x10), picture));
  });

  it('isn’t looked for in images without any or that aren’t whole, and in other texts: these stay byte for byte', () => {
    const images = [
      base64(PNG, HEAD, DATA, END),
      base64(PNG, HEAD, DATA),
      base64(PNG, uint32(0xffffffff), Buffer.alloc(80)),
      base64(SOI, SCANS, EOI),
      base64(SOI, SCANS),
      base64(SOI, segment(0xe1, SECRET), Buffer.alloc(80)),
      base64(webp(webpChunk('VP8 ', Buffer.alloc(60)))),
      base64(Buffer.from('RIFF\xff\xff\xff\xffWEBP', 'latin1'), Buffer.alloc(60)),
      `${base64(PNG, HEAD, DATA, END)}=====`,
    ];
    for (const text of [...images.map(line), '{"a": "iVBORw0KGgo is a beginning", "b" : 1}', 'not "/9j/ JSON'])
      assert.equal(stripped(text), text);
  });
});
