/** The stored form of a pending change. Since it leads to a write, it's validated strictly when it's read. */
import { defined } from '../../format/values/defined';
import type { Change } from '../../format/write/change';
import { hasMembers, isNullOr, isNumber, isObjectOf, isOptional, isText, type Check, type Shape } from '../../format/values/checks';
import { isObject, ownValue } from '../../format/values/jsonValues';
import { isMessageArgs, type MessageArgs, type SessionErrorCode } from '../../format/entry/problem';
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

/** The members of each kind of change. */
const CHANGES: {
  readonly [K in DeferrableChange['kind']]: Shape<Omit<Extract<DeferrableChange, { readonly kind: K }>, 'kind' | 'details'>>;
} = {
  label: { entryId: isText, label: isText },
  branch: { entryId: isText, summary: isOptional(isText) },
  rename: { name: isText },
};

/** True if an object has exactly the members of a change, so that nothing else reaches the writer. */
const isChange: Check<DeferrableChange> = (value): value is DeferrableChange => {
  if (!isObject(value)) return false;
  const { kind, ...members } = value;
  const shape = isText(kind) ? ownValue<Shape<object>>(CHANGES, kind) : undefined;
  return shape !== undefined && hasMembers(members, shape) && Object.keys(members).every((name) => Object.hasOwn(shape, name));
};

export const isStoredPendingChange = isObjectOf<StoredPendingChange>({
  id: isTimeOrderedId,
  path: isNormalAbsolutePath,
  at: isNumber,
  change: isChange,
  leafId: isNullOr(isText),
  label: isText,
  // The codes are the keys of no table: an unknown one is shown like the others.
  stuck: isOptional(isObjectOf({ code: isText as Check<SessionErrorCode>, template: isText, args: isMessageArgs })),
});
