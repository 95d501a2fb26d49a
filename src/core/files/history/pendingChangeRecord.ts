/** The stored form of a pending change. Since it leads to a write, it's validated strictly when it's read. */
import { defined } from '../../format/entry/defined';
import type { Change } from '../../format/write/change';
import { isObject } from '../../format/entry/jsonValues';
import type { MessageArgs, SessionErrorCode } from '../../format/entry/problem';
import { isTimeOrderedId } from '../storage/privateStorage';
import { isNormalAbsolutePath } from '../storage/pathChecks';

/** A change that can wait, because it names its place itself. */
export type DeferrableChange = Extract<Change, { readonly kind: 'label' | 'rename' | 'branch' }>;

/** A change that waits until its session is free. */
export interface PendingChange {
  readonly id: string;
  readonly path: string;
  /** Time of the request, in milliseconds since 1970. */
  readonly at: number;
  readonly change: DeferrableChange;
  /**
   * The reason why it can't be written although the session is free. It stays until it's dropped or requested again.
   */
  readonly stuck?: { readonly code: SessionErrorCode; readonly template: string; readonly args: MessageArgs };
}

export interface StoredPendingChange extends PendingChange {
  /** State at the time of the request: the leaf, and the label of the entry. */
  readonly leafId: string | null;
  readonly label: string;
}

/** Removes the internal fields of a stored change. */
export const toPendingChange = ({ id, path, at, change, stuck }: StoredPendingChange): PendingChange => ({
  id,
  path,
  at,
  change,
  ...defined({ stuck }),
});

export function isStoredPendingChange(value: unknown): value is StoredPendingChange {
  if (!isObject(value) || !isTimeOrderedId(value['id']) || !isNormalAbsolutePath(value['path']) || !Number.isFinite(value['at']))
    return false;
  const { change, leafId, label, stuck } = value;
  if (!isObject(change) || typeof label !== 'string' || !(leafId === null || typeof leafId === 'string')) return false;
  return isChange(change) && (stuck === undefined || isReason(stuck));
}

/** True if an object has exactly the fields of a change, so that nothing else reaches the writer. */
function isChange(change: Readonly<Record<string, unknown>>): boolean {
  const has = (...fields: string[]): boolean =>
    fields.every((field) => typeof change[field] === 'string') &&
    Object.keys(change).every((key) => key === 'kind' || fields.includes(key));
  switch (change['kind']) {
    case 'label':
      return has('entryId', 'label');
    case 'branch':
      return change['summary'] === undefined ? has('entryId') : has('entryId', 'summary');
    case 'rename':
      return has('name');
    default:
      return false;
  }
}

function isReason(stuck: unknown): boolean {
  if (!isObject(stuck) || typeof stuck['code'] !== 'string' || typeof stuck['template'] !== 'string' || !isObject(stuck['args']))
    return false;
  return Object.values(stuck['args']).every((arg) => typeof arg === 'string' || typeof arg === 'number');
}
