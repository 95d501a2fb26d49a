/** Searches all of a reading in slices, and tells the page what was found as it goes: the extension host has others to serve. */
import { turn } from '../core/index';
import { Finder } from './find';
import type { FromPage, ToPage } from './protocol';
import type { Reading } from './reading';
import { build } from './serve';

/** Bytes in the file, and articles, that are searched without a pause. */
const SLICE_BYTES = 128 * 1024;
const SLICE_GROUPS = 24;
/** Milliseconds between two words to the page. */
const TELL = 100;
/** So many are counted, as in the editor's own search. */
export const MOST = 20_000;

type Find = Extract<FromPage, { type: 'find' }>;
type Wanted = Extract<FromPage, { type: 'wantMatch' }>;

export class ContextFind {
  /** The last question; an older one is given up. */
  private asked: Find | undefined;
  private finder: Finder | undefined;

  constructor(private readonly tell: (message: Extract<ToPage, { type: 'found' | 'match' }>) => void) {}

  /** @param goesOn whether this reading is still what the page shows. */
  async find(reading: Reading, question: Find, goesOn: () => boolean): Promise<void> {
    this.asked = question;
    const { id } = question;
    const finder = (this.finder = new Finder(question.query));
    const { length } = reading.groups;
    let counts: [number, number][] = [];
    let told = Date.now();
    let left = MOST;
    for (let at = question.from; at < length && left > 0; ) {
      const to = endOfSlice(reading, at);
      const articles = await build(reading, reading.groups.slice(at, to));
      for (const [offset, built] of articles.entries()) {
        const count = await finder.count(built, left);
        left -= count;
        if (count > 0) counts.push([at + offset, count]);
        // One large article takes as long as many small ones.
        if (built.texts.some((text) => text.length > SLICE_BYTES)) await turn();
      }
      at = to;
      await turn();
      if (this.asked !== question || !goesOn()) return;
      if (Date.now() - told < TELL) continue;
      this.tell({ type: 'found', id, counts, through: at, done: false });
      [counts, told] = [[], Date.now()];
    }
    this.tell({ type: 'found', id, counts, through: length, done: left > 0 });
  }

  /** Says where a match is, or that it is not there any more. */
  async tellPlace(reading: Reading, { id, index, nth }: Wanted): Promise<void> {
    const { asked, finder } = this;
    if (!finder || id !== asked?.id) return;
    const group = reading.groups[index];
    const built = group && (await build(reading, [group]))[0];
    const place = built && (await finder.place(built, nth));
    if (this.asked !== asked) return;
    this.tell({ type: 'match', id, index, nth, ...(place ? { place } : {}) });
  }
}

function endOfSlice({ groups, slots }: Reading, at: number): number {
  let bytes = 0;
  let to = at;
  while (to < groups.length && to - at < SLICE_GROUPS && bytes < SLICE_BYTES) {
    const group = groups[to++]!;
    for (let slot = group.from; slot < group.to; slot++) bytes += slots[slot]!.bytes;
  }
  return to;
}
