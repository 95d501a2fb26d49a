/** The fields whose values other lines, the programs or the providers compare, so that they must survive a redaction. */

/**
 * `text`: everything is searched. `identifier`: only what no identifier holds by chance, such as a token with its
 * issuer's prefix. It's then replaced wherever it occurs, so that references still match. `opaque`: the same, for a
 * provider's signature.
 */
export type FieldKind = 'text' | 'identifier' | 'opaque';

/** The member of an export's first line that has facts about it while it's redacted. */
export const FACTS_KEY = 'exportFacts';

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
  `${FACTS_KEY}.leafId`,
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
