/** The fields whose values other lines, the programs or the providers compare, so that they must survive a redaction. */

/**
 * `text`: everything is searched. `identifier`: only what no identifier holds by chance, such as a token with its
 * issuer's prefix. It's then replaced wherever it occurs, so that references still match. `opaque`: the same, for a
 * provider's signature.
 */
export type FieldKind = 'text' | 'identifier' | 'opaque';

/** Paths of keys, without indexes. */
const IDENTIFIERS = new Set([
  'id',
  'type',
  'parentId',
  'timestamp',
  'targetId',
  'fromId',
  'firstKeptEntryId',
  'message.role',
  'message.toolCallId',
  'message.stopReason',
  'message.responseId',
  'message.content.id',
  'message.content.type',
  'message.content.mimeType',
  'content.id',
  'content.type',
  'content.mimeType',
]);
const SIGNATURES = new Set(['textSignature', 'thinkingSignature', 'thoughtSignature', 'signature', 'encrypted_content']);

/** Keys of the messages that a compaction keeps in itself. */
const RETAINED = 'retainedTail';

/** @param keys as from `keysTo`; `undefined` for a place too deep to be one of a format. */
export function fieldKind(keys: readonly string[] | undefined): FieldKind {
  if (!keys) return 'text';
  const last = keys.at(-1);
  if (last !== undefined && SIGNATURES.has(last)) return 'opaque';
  const path = (keys[0] === RETAINED ? ['message', ...keys.slice(1)] : keys).join('.');
  return IDENTIFIERS.has(path) ? 'identifier' : 'text';
}

/** The beginnings of PNG, JPEG, GIF, WebP (RIFF), BMP, TIFF and AVIF files in Base64. */
const IMAGE = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|Qk[0-9A-Za-z+/]{2}|SUkqAA|TU0AKg|AAAA[A-Za-z0-9+/]{2}Z0eX)/;
const NOT_BASE64 = /[^A-Za-z0-9+/=\r\n]/;
const MIN_IMAGE = 64;

/** True for the Base64 of an image. Its bytes aren't text. */
export const isImageData = (value: string): boolean => value.length >= MIN_IMAGE && IMAGE.test(value) && !NOT_BASE64.test(value);
