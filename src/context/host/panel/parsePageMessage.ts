/**
 * Validates a message from the page before the host acts on it. The page shows untrusted session text; even if some of
 * it ran as a script, it could only send messages of these shapes.
 */
import { CONTEXT_USAGE_KINDS, isCount, isObject, ownValue } from '../../../core/index';
import { PAGE_ACTIONS, TARGET_KINDS, VIEW_MODES, type FromPage } from '../../shared/protocol';

type Check = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const number: Check = (value) => Number.isFinite(value);
const whole: Check = (value) => Number.isSafeInteger(value);
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const one =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const object =
  (shape: Shape): Check =>
  (value) =>
    isObject(value) && fits(value, shape);

const fits = (value: Readonly<Record<string, unknown>>, shape: Shape): boolean =>
  Object.entries(shape).every(([name, check]) => check(ownValue(value, name)));

const step = one([1, -1]);
const MESSAGE_SHAPES: Readonly<Record<FromPage['type'], Shape>> = {
  ready: {},
  wantArticles: { from: isCount, to: isCount },
  wantText: { index: isCount, nth: isCount, from: isCount },
  wantImage: { index: isCount, nth: isCount },
  rendered: { revision: whole },
  wantOverview: {},
  wantLargest: { kind: maybe(one(CONTEXT_USAGE_KINDS)), tool: maybe(text) },
  view: { view: one(VIEW_MODES), anchor: maybe(object({ index: isCount, offset: number })) },
  stay: { entryId: text, offset: number },
  go: { entryId: text, view: maybe(one(VIEW_MODES)) },
  wantTarget: { kind: one(TARGET_KINDS), by: step, from: object({ position: number, entryId: maybe(text) }) },
  branches: { unfolded: texts },
  find: {
    id: whole,
    revision: whole,
    query: object({ text, matchCase: flag, wholeWord: flag, anyWord: maybe(flag) }),
    from: isCount,
  },
  wantMatch: { id: whole, index: isCount, nth: isCount },
  runAction: { action: one(PAGE_ACTIONS), entryId: maybe(text) },
  openLink: { href: text },
  wantPaths: { paths: texts },
  openPath: { path: text },
  copy: { text },
  focus: { hasFocus: flag },
  problem: { message: text },
};

/** Returns the message with its known fields only; `undefined` if it has another shape. */
export function parsePageMessage(message: unknown): FromPage | undefined {
  if (!isObject(message)) return undefined;
  const type = ownValue(message, 'type');
  if (typeof type !== 'string' || !Object.hasOwn(MESSAGE_SHAPES, type)) return undefined;
  // The table itself has this key.
  const shape = MESSAGE_SHAPES[type as FromPage['type']];
  if (!fits(message, shape)) return undefined;
  const fields = Object.keys(shape).filter((name) => ownValue(message, name) !== undefined);
  // `fits` has compared the fields with the shape of this type.
  return { type, ...Object.fromEntries(fields.map((name) => [name, message[name]])) } as FromPage;
}
