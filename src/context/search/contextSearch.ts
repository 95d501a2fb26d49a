/**
 * Searches all articles of a snapshot in slices, yielding to the event loop, and reports matches to the page as it
 * finds them.
 */

import { defined } from '../../core/format/values/defined';
import { ArticleMatcher } from './articleMatcher';
import type { FromPage, ToPage } from '../shared/protocol';
import type { ContextSnapshot } from '../snapshot/contextSnapshot';
import { buildArticles } from '../articles/articleLoader';

/** Bytes of the file, and articles, searched without yielding. */
const SLICE_BYTES = 128 * 1024;
const SLICE_GROUPS = 24;
/** Milliseconds between two reports. */
const REPORT_INTERVAL = 100;
/** Matches counted at most, as in the editor's own find widget. */
const MAX_MATCHES = 20_000;

type FindRequest = Extract<FromPage, { type: 'find' }>;
type MatchRequest = Extract<FromPage, { type: 'wantMatch' }>;

export class ContextSearch {
  /** The latest search; older ones stop. */
  private currentQuery: FindRequest | undefined;
  private matcher: ArticleMatcher | undefined;

  constructor(private readonly post: (message: Extract<ToPage, { type: 'found' | 'match' }>) => void) {}

  /** @param isCurrent returns true while the page shows this snapshot. */
  async search(snapshot: ContextSnapshot, request: FindRequest, isCurrent: () => boolean): Promise<void> {
    this.currentQuery = request;
    const { id } = request;
    const matcher = (this.matcher = new ArticleMatcher(request.query, snapshot.source.yield));
    const { length } = snapshot.groups;
    let counts: [number, number][] = [];
    let lastReport = Date.now();
    let left = MAX_MATCHES;
    for (let at = request.from; at < length && left > 0;) {
      const to = endOfSlice(snapshot, at);
      const articles = await buildArticles(snapshot, snapshot.groups.slice(at, to));
      for (const [offset, built] of articles.entries()) {
        const count = await matcher.count(built, left);
        left -= count;
        if (count > 0) counts.push([at + offset, count]);
        // One large article takes as long as many small ones.
        if (built.texts.some((text) => text.length > SLICE_BYTES)) await snapshot.source.yield();
      }
      at = to;
      await snapshot.source.yield();
      if (this.currentQuery !== request || !isCurrent()) return;
      if (Date.now() - lastReport < REPORT_INTERVAL) continue;
      this.post({ type: 'found', id, counts, through: at, done: false });
      [counts, lastReport] = [[], Date.now()];
    }
    this.post({ type: 'found', id, counts, through: length, done: left > 0 });
  }

  /** Posts the location of a match, or that it no longer exists. */
  async reportMatch(snapshot: ContextSnapshot, { id, index, nth }: MatchRequest): Promise<void> {
    const { currentQuery: query, matcher } = this;
    if (!matcher || id !== query?.id) return;
    const group = snapshot.groups[index];
    const built = group && (await buildArticles(snapshot, [group]))[0];
    const location = built && (await matcher.locate(built, nth));
    if (this.currentQuery !== query) return;
    this.post({ type: 'match', id, index, nth, ...defined({ location }) });
  }
}

function endOfSlice({ groups, slots }: ContextSnapshot, at: number): number {
  let bytes = 0;
  let to = at;
  while (to < groups.length && to - at < SLICE_GROUPS && bytes < SLICE_BYTES) {
    const group = groups[to++];
    for (const slot of slots.slice(group?.from, group?.to)) bytes += slot.bytes;
  }
  return to;
}
