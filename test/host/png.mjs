// Makes PNG files smaller. The format: https://www.w3.org/TR/png-3/
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Bytes of a pixel with red, green, blue and alpha. */
const PIXEL = 4;
const SIGNATURE = 8;

/**
 * Returns the same picture without filters, which make a flat drawing larger, and compressed as well as possible.
 * @param {Buffer} png with 8 bits for each of red, green, blue and alpha, as browsers write it
 * @returns {Buffer}
 */
export function smallPng(png) {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR').data;
  if (header[8] !== 8 || header[9] !== 6 || header[12] !== 0) throw new Error('This PNG has another kind of pixels.');
  const rows = inflateSync(Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []))));
  removeFilters(rows, 1 + header.readUInt32BE(0) * PIXEL);
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([png.subarray(0, SIGNATURE), chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunksOf(png) {
  const chunks = [];
  for (let at = SIGNATURE; at < png.length; at += 12 + png.readUInt32BE(at))
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)) });
  return chunks;
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

/** Undoes the filters of all rows in place. A row begins with the byte that names its filter. */
function removeFilters(rows, length) {
  for (let start = 0; start < rows.length; start += length) {
    const filter = rows[start];
    rows[start] = 0;
    for (let at = start + 1; at < start + length; at++) {
      const isFirst = at - start <= PIXEL;
      const left = isFirst ? 0 : rows[at - PIXEL];
      const above = start === 0 ? 0 : rows[at - length];
      const corner = isFirst || start === 0 ? 0 : rows[at - length - PIXEL];
      rows[at] += [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter];
    }
  }
}

/** Paeth’s predictor. */
function nearest(left, above, corner) {
  const distance = (value) => Math.abs(left + above - corner - value);
  const [a, b, c] = [distance(left), distance(above), distance(corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
