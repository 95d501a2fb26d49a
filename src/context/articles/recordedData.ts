/** Recorded data that rows have no words for: that of extensions, and the fields of types that nobody here knows. */
import type { Entry } from '../../core/format/entry/entry';
import type { EntryHead } from '../../core/format/entry/entryHead';
import { isObject, keysOf } from '../../core/format/values/jsonValues';
import { isBranchMark, isOriginMark } from '../../core/format/session/treeTraversal';
import type { Steps } from '../../core/format/session/steps';
import { jsonSteps } from '../../core/format/text/jsonText';
import { oneLine } from '../../core/format/text/oneLine';
import { t } from '../shared/localization';
import type { Part } from '../shared/protocol';
import { outputParts } from './contentParts';
import type { PartCollector } from './partCollector';

/** Fields that every entry has; the row and its menu show them. */
/** Types whose rows have folds of their own, or that a row stands for. */
const WITHOUT_DATA = new Set(['message', 'custom_message', 'damaged']);
const COMMON_FIELDS = new Set(['type', 'id', 'parentId', 'timestamp']);
const CODE_MODE_STORE = 'codemode-store';
const MAX_KEYS = 20;
const KEY_LENGTH = 60;

/** True if an entry has data besides what its row says. @param isKnown its type has a row of its own */
export const mayHaveData = (head: EntryHead, isKnown: boolean): boolean =>
  head.type === 'custom' ? !isBranchMark(head) && !isOriginMark(head) : !isKnown && !WITHOUT_DATA.has(head.type);

/** Returns the recorded data as JSON; nothing if there is none. */
export function* dataParts(body: Entry, collector: PartCollector): Steps<Part[]> {
  const data: unknown = body.type === 'custom' ? body['data'] : otherFields(body);
  if (data === undefined || data === null) return [];
  return yield* outputParts(yield* jsonSteps(data, 2), collector);
}

function otherFields(body: Entry): Record<string, unknown> | undefined {
  const names = keysOf(body).filter((name) => !COMMON_FIELDS.has(name));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, body[name]]));
}

/** Names the values that a script of pi's code mode kept or removed; `undefined` for other entries. FORMAT section 2. */
export function storeText(body: Entry | undefined): string | undefined {
  if (body?.type !== 'custom' || body.customType !== CODE_MODE_STORE) return undefined;
  const data: unknown = body['data'];
  if (!isObject(data) || !isObject(data['set']) || !Array.isArray(data['delete'])) return undefined;
  const kept = names(keysOf(data['set']));
  const removed = names(data['delete']);
  const texts = [kept === '' ? '' : t('Code mode stored: {0}', kept), removed === '' ? '' : t('Code mode removed: {0}', removed)];
  return texts.filter((text) => text !== '').join('. ') || undefined;
}

const names = (keys: readonly unknown[]): string =>
  keys
    .slice(0, MAX_KEYS)
    .flatMap((key) => (typeof key === 'string' ? [oneLine(key, KEY_LENGTH)] : []))
    .join(', ');
