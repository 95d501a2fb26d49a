/** Answers the page's requests that need a snapshot only: articles, texts, images, positions, sizes and matches. */
import type { ContextSearch } from '../search/contextSearch';
import type { FromPage, ToPage } from '../shared/protocol';
import type { ContextOverview } from '../snapshot/contextOverview';
import { anchorAt } from '../snapshot/snapshotPositions';
import type { ContextSnapshot } from '../snapshot/contextSnapshot';
import { readArticles, readImage, readTextPiece } from './articleLoader';

export type SnapshotRequest = Extract<
  FromPage,
  { readonly type: 'wantArticles' | 'wantText' | 'wantImage' | 'stay' | 'wantOverview' | 'wantLargest' | 'find' | 'wantMatch' }
>;

export interface SnapshotAnswers {
  /** The revision of the snapshot. */
  readonly revision: number;
  /** Returns true while the page shows this revision. */
  readonly isCurrent: () => boolean;
  /** Returns the snapshot that the page shows now; `undefined` if there is none. */
  readonly shown: () => ContextSnapshot | undefined;
  readonly post: (message: ToPage) => void;
  readonly usage: ContextOverview;
  readonly search: ContextSearch;
}

export async function answerFromSnapshot(
  snapshot: ContextSnapshot,
  request: SnapshotRequest,
  { revision, isCurrent, shown, post, usage, search }: SnapshotAnswers,
): Promise<void> {
  switch (request.type) {
    case 'wantArticles':
      if (request.revision !== revision) return;
      for await (const page of readArticles(snapshot, request.from, request.to)) {
        if (!isCurrent()) return;
        post({ type: 'articles', revision, ...page });
      }
      return;
    case 'wantText': {
      const text = await readTextPiece(snapshot, request.index, request.nth, request.from);
      if (text && isCurrent()) post(text);
      return;
    }
    case 'wantImage': {
      const image = await readImage(snapshot, request.index, request.nth);
      if (isCurrent()) post(image);
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
      if (request.revision === revision) await search.search(snapshot, request, () => shown() === snapshot);
      return;
    case 'wantMatch':
      return search.reportMatch(snapshot, request);
  }
}
