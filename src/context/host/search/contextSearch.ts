/** Searches all of a reading in slices, and tells the page what was found as it goes: the extension host has others to serve. */
import { yieldToEventLoop } from '../../../core/index';
import { ArticleMatcher } from './articleMatcher';
import type { FromPage, ToPage } from '../../shared/protocol';
import type { ContextSnapshot } from '../snapshot/contextSnapshot';
import { buildArticles } from '../articles/articleLoader';

/** Bytes in the file, and articles, that are searched without a pause. */
const SLICE_BYTES = 128 * 1024;
const SLICE_GROUPS = 24;
/** Milliseconds between two words to the page. */
const REPORT_INTERVAL = 100;
/** So many are counted, as in the editor's own search. */
export const MAX_MATCHES = 20_000;

type FindRequest = Extract<FromPage, { type: 'find' }>;
type MatchRequest = Extract<FromPage, { type: 'wantMatch' }>;

export class ContextSearch {
  /** The last question; an older one is given up. */
  private currentQuery: FindRequest | undefined;
  private matcher: ArticleMatcher | undefined;

  constructor(private readonly post: (message: Extract<ToPage, { type: 'found' | 'match' }>) => void) {}

  /** @param goesOn whether this reading is still what the page shows. */
  async search(reading: ContextSnapshot, question: FindRequest, goesOn: () => boolean): Promise<void> {
    this.currentQuery = question;
    const { id } = question;
    const finder = (this.matcher = new ArticleMatcher(question.query));
    const { length } = reading.groups;
    let counts: [number, number][] = [];
    let told = Date.now();
    let left = MAX_MATCHES;
    for (let at = question.from; at < length && left > 0; ) {
      const to = endOfSlice(reading, at);
      const articles = await buildArticles(reading, reading.groups.slice(at, to));
      for (const [offset, built] of articles.entries()) {
        const count = await finder.count(built, left);
        left -= count;
        if (count > 0) counts.push([at + offset, count]);
        // One large article takes as long as many small ones.
        if (built.texts.some((text) => text.length > SLICE_BYTES)) await yieldToEventLoop();
      }
      at = to;
      await yieldToEventLoop();
      if (this.currentQuery !== question || !goesOn()) return;
      if (Date.now() - told < REPORT_INTERVAL) continue;
      this.post({ type: 'found', id, counts, through: at, done: false });
      [counts, told] = [[], Date.now()];
    }
    this.post({ type: 'found', id, counts, through: length, done: left > 0 });
  }

  /** Says where a match is, or that it is not there any more. */
  async reportMatch(reading: ContextSnapshot, { id, index, nth }: MatchRequest): Promise<void> {
    const { currentQuery: asked, matcher: finder } = this;
    if (!finder || id !== asked?.id) return;
    const group = reading.groups[index];
    const built = group && (await buildArticles(reading, [group]))[0];
    const place = built && (await finder.locate(built, nth));
    if (this.currentQuery !== asked) return;
    this.post({ type: 'match', id, index, nth, ...(place ? { place } : {}) });
  }
}

function endOfSlice({ groups, slots }: ContextSnapshot, at: number): number {
  let bytes = 0;
  let to = at;
  while (to < groups.length && to - at < SLICE_GROUPS && bytes < SLICE_BYTES) {
    const group = groups[to++]!;
    for (let slot = group.from; slot < group.to; slot++) bytes += slots[slot]!.bytes;
  }
  return to;
}
