/** Answers the page's requests that need a snapshot only: articles, texts, images, positions, sizes and matches. */
import type { ContextSearch } from '../search/contextSearch';
import type { FromPage, ToPage } from '../shared/protocol';
import type { ContextOverview } from '../snapshot/contextOverview';
import { firstDifference } from '../snapshot/compareSnapshots';
import { anchorAt } from '../snapshot/snapshotPositions';
import type { ContextSnapshot } from '../snapshot/contextSnapshot';
import { readArticles, readImage, readTextPiece } from './articleLoader';

export type SnapshotRequest = Extract<
  FromPage,
  { readonly type: 'wantArticles' | 'wantText' | 'wantImage' | 'stay' | 'wantOverview' | 'wantLargest' | 'find' | 'wantMatch' }
>;

export interface SnapshotAnswers {
  /** Returns the revision that the page shows now. */
  readonly revision: () => number;
  /** Returns the snapshot that the page shows now; `undefined` if there is none. */
  readonly shown: () => ContextSnapshot | undefined;
  readonly post: (message: ToPage) => void;
  readonly usage: ContextOverview;
  readonly search: ContextSearch;
}

/**
 * Answers a request from the snapshot that the page showed when it arrived. Articles that the page still shows are sent
 * even if it shows another snapshot by then: while a session grows quickly, none would be drawn otherwise.
 */
export async function answerFromSnapshot(
  snapshot: ContextSnapshot,
  request: SnapshotRequest,
  { revision, shown, post, usage, search }: SnapshotAnswers,
): Promise<void> {
  /** Returns how many of the first articles the page still shows. */
  const unchanged = (): number => {
    const now = shown();
    return now?.view === snapshot.view ? firstDifference(snapshot, now) : 0;
  };
  switch (request.type) {
    case 'wantArticles':
      for await (const { from, articles } of readArticles(snapshot, request.from, request.to)) {
        const shownArticles = articles.slice(0, Math.max(0, unchanged() - from));
        if (shownArticles.length === 0) return;
        post({ type: 'articles', revision: revision(), from, articles: shownArticles });
      }
      return;
    case 'wantText': {
      const text = await readTextPiece(snapshot, request.index, request.nth, request.from);
      if (text && request.index < unchanged()) post(text);
      return;
    }
    case 'wantImage': {
      const image = await readImage(snapshot, request.index, request.nth);
      if (request.index < unchanged()) post(image);
      return;
    }
    case 'stay': {
      const anchor = anchorAt(snapshot, request.entryId, request.offset);
      if (anchor) post({ type: 'stay', anchor });
      return;
    }
    case 'wantOverview': {
      // Both views have the same context, so switching between them doesn't make the overview outdated.
      const isSameContext = (): boolean => {
        const now = shown();
        return now?.session === snapshot.session && now.plan.leafId === snapshot.plan.leafId;
      };
      const overview = await usage.overview(snapshot, isSameContext);
      if (overview && isSameContext()) post({ type: 'overview', overview });
      return;
    }
    case 'wantLargest':
      post({ ...request, type: 'largest', items: usage.largest(snapshot.session, request.kind, request.tool) });
      return;
    case 'find':
      if (request.revision === revision()) await search.search(snapshot, request, () => shown() === snapshot);
      return;
    case 'wantMatch':
      return search.reportMatch(snapshot, request);
  }
}
