/**
 * Removes from images what cameras and programs write beside the picture: places, times, names and comments. The picture stays
 * byte for byte. PNG: ISO/IEC 15948, chapter 11; JPEG: ITU-T T.81, annex B; WebP: RFC 9649.
 */
import type { Steps } from '../session/steps';
import { hasMatch } from '../text/searchSteps';
import { jsonStrings, withStrings, type JsonString } from './jsonStrings';

/** The beginnings of the three formats in Base64. */
const STRIPPED = /"(?:iVBORw0KGgo|\/9j\/|UklGR)/;

const LONGEST_BEGINNING = '"iVBORw0KGgo'.length;

const STRIPPED_DATA = /^(?:iVBORw0KGgo|\/9j\/|UklGR)/;

/** Returns a line of JSON whose images have no metadata. Images that aren't whole stay as they are. */
export function* withoutImageMetadata(line: string): Steps<string> {
  if (!(yield* hasMatch(line, STRIPPED, LONGEST_BEGINNING))) return line;
  const strings = yield* jsonStrings(line);
  const values = new Map<JsonString, string>();
  for (const string of strings) {
    if (string.isKey || !STRIPPED_DATA.test(string.value)) continue;
    yield;
    const stripped = strip(string.value);
    if (stripped !== undefined) values.set(string, stripped);
  }
  return yield* withStrings(line, strings, values);
}

/** True for the Base64 of a whole PNG, JPEG, WebP or GIF, without texts that stay in it. */
export function isPicture(base64: string): boolean {
  const bytes = bytesOf(base64);
  return bytes !== undefined && (partsOf(bytes) !== undefined || isGif(bytes));
}

/** @returns `undefined` if there's nothing to remove. */
function strip(base64: string): string | undefined {
  const bytes = bytesOf(base64);
  const parts = bytes === undefined ? undefined : partsOf(bytes);
  if (bytes === undefined || !parts) return undefined;
  const stripped = parts.join('');
  return stripped.length === bytes.length && stripped === bytes ? undefined : btoa(stripped);
}

/** @returns `undefined` if the length or the padding is wrong, so no program shows it. */
function bytesOf(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

const partsOf = (bytes: string): string[] | undefined => pngParts(bytes) ?? jpegParts(bytes) ?? webpParts(bytes);

const uint32 = (bytes: string, at: number): number =>
  bytes.charCodeAt(at) * 0x1000000 + ((bytes.charCodeAt(at + 1) << 16) | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3));
const uint16 = (bytes: string, at: number): number => (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);

const PNG = '\x89PNG\r\n\x1a\n';
const PNG_METADATA = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME']);

/** Returns the chunks that stay, up to the end of the image. */
function pngParts(bytes: string): string[] | undefined {
  if (!bytes.startsWith(PNG)) return undefined;
  const parts = [PNG];
  for (let at = PNG.length; at + 12 <= bytes.length;) {
    const type = bytes.slice(at + 4, at + 8);
    const end = at + 12 + uint32(bytes, at);
    if (end > bytes.length) return undefined;
    if (!PNG_METADATA.has(type)) parts.push(bytes.slice(at, end));
    if (type === 'IEND') return parts;
    at = end;
  }
  return undefined;
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;

/** True for application data other than JFIF, color profiles and Adobe's transform; and for comments. */
function isJpegMetadata(marker: number, bytes: string, at: number): boolean {
  if (marker === COMMENT) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  return !(marker === 0xe0 || marker === 0xee || (marker === 0xe2 && bytes.startsWith('ICC_PROFILE', at + 4)));
}

/** Returns the segments that stay, up to the end of the image: a preview with data of its own may follow. */
function jpegParts(bytes: string): string[] | undefined {
  if (!bytes.startsWith('\xff\xd8')) return undefined;
  const parts = ['\xff\xd8'];
  for (let at = 2; at + 4 <= bytes.length || bytes.startsWith('\xff\xd9', at);) {
    const marker = bytes.charCodeAt(at + 1);
    if (bytes.charCodeAt(at) !== 0xff) return undefined;
    if (marker === END_OF_IMAGE) return [...parts, '\xff\xd9'];
    if (marker === 0xff) {
      at++;
      continue;
    }
    const data = at + 2 + uint16(bytes, at + 2);
    const end = marker === START_OF_SCAN ? endOfScan(bytes, data) : data;
    if (end > bytes.length) return undefined;
    if (!isJpegMetadata(marker, bytes, at)) parts.push(bytes.slice(at, end));
    at = end;
  }
  return undefined;
}

/** Returns the position of the next marker. In a scan, zeros follow other bytes of that value, and restarts are part of it. */
function endOfScan(bytes: string, from: number): number {
  for (let at = bytes.indexOf('\xff', from); at >= 0; at = bytes.indexOf('\xff', at + 1)) {
    const next = bytes.charCodeAt(at + 1);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length + 1;
}

/** Bits of an extended WebP's header that announce metadata. */
const WEBP_METADATA_BITS = 0x0c;

function webpParts(bytes: string): string[] | undefined {
  if (!bytes.startsWith('RIFF') || !bytes.startsWith('WEBP', 8)) return undefined;
  const size = littleEndian(bytes, 4) + 8;
  if (size > bytes.length) return undefined;
  const parts: string[] = [];
  for (let at = 12; at + 8 <= size;) {
    const type = bytes.slice(at, at + 4);
    const length = littleEndian(bytes, at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > size) return undefined;
    const chunk = bytes.slice(at, end);
    if (type === 'VP8X') parts.push(chunk.slice(0, 8), String.fromCharCode(chunk.charCodeAt(8) & ~WEBP_METADATA_BITS), chunk.slice(9));
    else if (type !== 'EXIF' && type !== 'XMP ') parts.push(chunk);
    at = end;
  }
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return ['RIFF', String.fromCharCode(length & 255, (length >> 8) & 255, (length >> 16) & 255, length >>> 24), 'WEBP', ...parts];
}

const littleEndian = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8) | (bytes.charCodeAt(at + 2) << 16)) + bytes.charCodeAt(at + 3) * 0x1000000;

/** True for a whole GIF whose extensions are those of animations: comments are texts. GIF89a, appendix B. */
function isGif(bytes: string): boolean {
  if (!/^GIF8[79]a/.test(bytes)) return false;
  const tableLength = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  for (let at = 13 + tableLength(bytes.charCodeAt(10)); at < bytes.length;) {
    const block = bytes.charAt(at);
    if (block === ';') return at === bytes.length - 1;
    if (block === ',') at = endOfBlocks(bytes, at + 11 + tableLength(bytes.charCodeAt(at + 9)));
    else if (block === '!' && GIF_EXTENSION.test(bytes.slice(at + 1, at + 15))) at = endOfBlocks(bytes, at + 2);
    else return false;
  }
  return false;
}

/** The control of a frame, and the number of repetitions. */
// eslint-disable-next-line no-control-regex
const GIF_EXTENSION = /^(?:\xf9|\xff\x0b(?:NETSCAPE2\.0|ANIMEXTS1\.0))/;

function endOfBlocks(bytes: string, from: number): number {
  let at = from;
  while (at < bytes.length && bytes.charCodeAt(at) > 0) at += bytes.charCodeAt(at) + 1;
  return at + 1;
}
