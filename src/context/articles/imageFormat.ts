/** Supported image types, and image sizes read from the first bytes. */

/** Never SVG: it is a document that can contain scripts. */
const SUPPORTED_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** An image as stored in a message. */
export interface ImageSource {
  readonly mimeType: string;
  /** Base64, or `blob:sha256:<64 hex>`. */
  readonly data: string;
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export function isSupportedType(mimeType: string): boolean {
  return SUPPORTED_TYPES.has(mimeType.toLowerCase());
}

/** Returns the hash of an image that is stored in a separate file. */
export function blobHash(data: string): string | undefined {
  return /^blob:sha256:([0-9a-f]{64})$/.exec(data)?.[1];
}

/** Returns a `data:` URL; `undefined` if the type isn't supported or the data isn't base64. */
export function dataUri({ mimeType, data }: ImageSource): string | undefined {
  const clean = data.replace(/\s+/g, '');
  if (!isSupportedType(mimeType) || clean === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(clean)) return undefined;
  return `data:${mimeType.toLowerCase()};base64,${clean}`;
}

/** Decodes the beginning of base64 data, enough for `imageSize`. */
export function firstBytes(data: string): Uint8Array {
  const clean = data.slice(0, 64 * 1024).replace(/[^A-Za-z0-9+/]/g, '');
  const text = atob(clean.slice(0, clean.length - (clean.length % 4)));
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Returns the size in pixels; `undefined` if the bytes don't contain it. */
export function imageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytes.length < 30 ? undefined : (png(view) ?? gif(view) ?? webp(view) ?? jpeg(view));
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

function png(view: DataView): ImageSize | undefined {
  return view.getUint32(0) === 0x89504e47 ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined;
}

function gif(view: DataView): ImageSize | undefined {
  return view.getUint32(0) === 0x47494638 ? { width: view.getUint16(6, true), height: view.getUint16(8, true) } : undefined;
}

function webp(view: DataView): ImageSize | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined;
  switch (view.getUint32(12)) {
    case 0x56503820: // VP8, lossy
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // VP8L, lossless
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // VP8X, extended
      return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint16(27, true) | (view.getUint8(29) << 16)) + 1 };
    default:
      return undefined;
  }
}

function jpeg(view: DataView): ImageSize | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Start of frame. C4, C8 and CC are tables.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}
