/** Finds texts that are known to be secrets wherever else they stand, for instance in a sentence without their name. */
import type { Detector } from './span';

/** UTF-16 units: shorter ones may be words. */
const MIN_LENGTH = 8;
const MAX_LENGTH = 4096;
/** Number of values, and of those with the same beginning, so that a search takes linear time. */
const MAX_VALUES = 10_000;
const MAX_ALIKE = 16;

/** A set of texts, found by their first characters. */
export class KnownValues {
  private readonly byStart = new Map<string, string[]>();
  /** True at the hash of each beginning. */
  private readonly starts = new Uint8Array(1 << 16);
  private size = 0;

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Adds a text, and the forms that it has in JSON, and in JSON in JSON. */
  add(value: string): void {
    this.addForm(value);
    if (!/["\\]/.test(value)) return;
    const escaped = JSON.stringify(value).slice(1, -1);
    this.addForm(escaped);
    this.addForm(JSON.stringify(escaped).slice(1, -1));
  }

  private addForm(value: string): void {
    if (value.length < MIN_LENGTH || value.length > MAX_LENGTH || this.size >= MAX_VALUES || /^[a-z]+$/i.test(value)) return;
    const start = value.slice(0, MIN_LENGTH);
    const alike = this.byStart.get(start);
    if (alike?.includes(value) || (alike?.length ?? 0) >= MAX_ALIKE) return;
    if (alike) alike.push(value);
    else this.byStart.set(start, [value]);
    // The longest that fits is taken.
    alike?.sort((a, b) => b.length - a.length);
    this.starts[hashAt(value, 0)] = 1;
    this.size++;
  }

  readonly find: Detector = (text, add) => {
    if (this.size === 0) return;
    for (let i = 0; i + MIN_LENGTH <= text.length; i++) {
      if (this.starts[hashAt(text, i)] === 0) continue;
      const value = this.byStart.get(text.slice(i, i + MIN_LENGTH))?.find((one) => text.startsWith(one, i));
      if (value === undefined) continue;
      // Spans of this kind aren't replaced in identifiers, since a password may equal an entry's type or id.
      add({ start: i, end: i + value.length, rule: 'secret', kind: 'context' });
      i += value.length - 1;
    }
  };
}

/** Hashes four characters. */
const hashAt = (text: string, i: number): number =>
  (Math.imul(text.charCodeAt(i), 0x9e3779b1) ^
    Math.imul(text.charCodeAt(i + 1), 0x85ebca6b) ^
    Math.imul(text.charCodeAt(i + 2), 0xc2b2ae35) ^
    Math.imul(text.charCodeAt(i + 3), 0x27d4eb2f)) >>>
  16;
