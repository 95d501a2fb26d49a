/** The line of an event, as its row has it: a text, or compressed. FORMAT section 7. */
import * as zlib from 'node:zlib';
import { isObject } from '../../../format/values/jsonValues';

/** The reason why an event isn't shown as it was. */
export type EventDamage = 'unsupported-event' | 'damaged-event';

export interface EventLine {
  /** The event's line without its line break. Its length is that in the transcript. */
  readonly bytes: Buffer;
  readonly damage: EventDamage | undefined;
}

/** The facts of a row beside the bytes of its event. */
interface EventFacts {
  /** True if the event isn't compressed. */
  readonly isText: boolean;
  /** The length of the line, and true if the row states it. */
  readonly length: number;
  readonly isKnown: boolean;
  /** Reads the place in the tree and the role, which OpenClaw keeps in the row of a compressed event. */
  readonly navigation: () => unknown;
}

/** Returns the line of an event. @param stored its bytes in the row; `undefined` if they can't be read or are too many */
export function lineOf(stored: Buffer | undefined, { isText, length, isKnown, navigation }: EventFacts): EventLine {
  const damaged = (damage: EventDamage): EventLine => damagedLine(navigation(), length, damage);
  if (!stored || !isKnown) return damaged('damaged-event');
  if (isText) return { bytes: onOneLine(stored), damage: undefined };
  const { zstdDecompressSync } = zlib;
  // Node has it since 22.15.
  if (typeof zstdDecompressSync !== 'function') return damaged('unsupported-event');
  try {
    const bytes = zstdDecompressSync(stored, { maxOutputLength: length, chunkSize: Math.max(MIN_CHUNK, length) });
    if (bytes.length === length) return { bytes: onOneLine(bytes), damage: undefined };
  } catch {
    // It is shown as damaged.
  }
  return damaged('damaged-event');
}

/** The smallest `chunkSize` that Node takes. With that of the event, it's unpacked in one step. */
const MIN_CHUNK = 64;

/** Texts may contain line breaks between the parts of an object, and nowhere else. */
function onOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(NEWLINE)) return bytes;
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(NEWLINE); at >= 0; at = copy.indexOf(NEWLINE, at)) copy[at] = SPACE;
  return copy;
}

const [NEWLINE, SPACE] = [10, 32];

function damagedLine(navigation: unknown, length: number, damage: EventDamage): EventLine {
  const bytes = Buffer.alloc(length, '?');
  const outline = outlineOf(navigation);
  if (outline && outline.length <= length) outline.copy(bytes.fill(SPACE));
  return { bytes, damage };
}

function outlineOf(navigation: unknown): Buffer | undefined {
  try {
    const parsed: unknown = typeof navigation === 'string' ? JSON.parse(navigation) : undefined;
    const outline = isObject(parsed) ? (parsed['model'] ?? parsed['navigation']) : undefined;
    return isObject(outline) ? Buffer.from(JSON.stringify(outline)) : undefined;
  } catch {
    return undefined;
  }
}
