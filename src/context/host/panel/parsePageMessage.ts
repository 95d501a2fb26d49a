/**
 * Validates a message from the page before the host acts on it. The page shows untrusted session text; even if some of
 * it ran as a script, it could only send messages of these shapes.
 */
import {
  CONTEXT_USAGE_KINDS,
  hasMembers,
  isCount,
  isFlag,
  isListOf,
  isNumber,
  isObject,
  isObjectOf,
  isOneOf,
  isOptional,
  isText,
  isWhole,
  ownValue,
  type Shape,
} from '../../../core/index';
import { PAGE_ACTIONS, TARGET_KINDS, VIEW_MODES, type FindQuery, type FromPage, type ReadingPosition } from '../../shared/protocol';

const isStep = isOneOf([1, -1]);
const isView = isOptional(isOneOf(VIEW_MODES));

const MESSAGE_SHAPES: { readonly [T in FromPage['type']]: Shape<Omit<Extract<FromPage, { readonly type: T }>, 'type'>> } = {
  ready: {},
  wantArticles: { from: isCount, to: isCount },
  wantText: { index: isCount, nth: isCount, from: isCount },
  wantImage: { index: isCount, nth: isCount },
  rendered: { revision: isWhole },
  wantOverview: {},
  wantLargest: { kind: isOptional(isOneOf(CONTEXT_USAGE_KINDS)), tool: isOptional(isText) },
  view: { view: isOneOf(VIEW_MODES), anchor: isOptional(isObjectOf({ index: isCount, offset: isNumber })) },
  stay: { entryId: isText, offset: isNumber },
  go: { entryId: isText, view: isView },
  wantTarget: {
    kind: isOneOf(TARGET_KINDS),
    by: isStep,
    from: isObjectOf<ReadingPosition>({ position: isNumber, entryId: isOptional(isText) }),
  },
  branches: { unfolded: isListOf(isText) },
  wantChanges: { entryId: isOptional(isText) },
  find: {
    id: isWhole,
    revision: isWhole,
    query: isObjectOf<FindQuery>({ text: isText, matchCase: isFlag, wholeWord: isFlag, anyWord: isOptional(isFlag) }),
    from: isCount,
  },
  wantMatch: { id: isWhole, index: isCount, nth: isCount },
  runAction: { action: isOneOf(PAGE_ACTIONS), entryId: isOptional(isText) },
  openLink: { href: isText },
  wantPaths: { paths: isListOf(isText) },
  openPath: { path: isText },
  copy: { text: isText },
  focus: { hasFocus: isFlag },
  problem: { message: isText },
};

/** Returns the message with its known fields only; `undefined` if it has another shape. */
export function parsePageMessage(message: unknown): FromPage | undefined {
  if (!isObject(message)) return undefined;
  const type = ownValue(message, 'type');
  if (typeof type !== 'string' || !Object.hasOwn(MESSAGE_SHAPES, type)) return undefined;
  // The table itself has this key.
  const shape = MESSAGE_SHAPES[type as FromPage['type']];
  if (!hasMembers<object>(message, shape)) return undefined;
  const fields = Object.keys(shape).filter((name) => ownValue(message, name) !== undefined);
  // `hasMembers` has compared the fields with the shape of this type.
  return { type, ...Object.fromEntries(fields.map((name) => [name, message[name]])) } as FromPage;
}
