/**
 * Answers the page's requests that only read a snapshot: articles, texts, images, positions and files. Requests that
 * change the view are handled by `ContextView`.
 */
import type { Uri } from 'vscode';
import type { UntrustedPaths } from '../../../core/index';
import { existingFiles, openFile } from './filePaths';
import { anchorAt, type ContextSnapshot } from '../snapshot/contextSnapshot';
import type { FromPage, ToPage } from '../../shared/protocol';
import { readArticles, readImage, readTextPiece } from '../articles/articleLoader';

export type PageRequest = Extract<FromPage, { readonly type: 'want' | 'wantText' | 'wantImage' | 'wantPaths' | 'openPath' | 'stay' }>;

export interface RequestContext {
  /** The revision of the snapshot. */
  readonly revision: number;
  /** Returns true while the page shows this revision. */
  readonly isCurrent: () => boolean;
  readonly post: (message: ToPage) => void;
  /** Returns the URI under which a file opens. */
  readonly fileUri: (path: string) => Uri;
  readonly untrustedPaths: UntrustedPaths;
}

export async function handleRequest(
  snapshot: ContextSnapshot,
  request: PageRequest,
  { revision, isCurrent, post, fileUri, untrustedPaths }: RequestContext,
): Promise<void> {
  const { cwd } = snapshot.session.header;
  switch (request.type) {
    case 'want':
      if (request.revision !== revision) return;
      for await (const page of readArticles(snapshot, request.from, request.to)) {
        if (!isCurrent()) return;
        post({ type: 'articles', revision, ...page });
      }
      return;
    case 'wantText': {
      const text = await readTextPiece(snapshot, request.index, request.n, request.from);
      if (text && isCurrent()) post(text);
      return;
    }
    case 'wantImage': {
      const image = await readImage(snapshot, request.index, request.n);
      if (isCurrent()) post(image);
      return;
    }
    case 'wantPaths':
      post({ type: 'paths', found: await existingFiles(request.paths, cwd, untrustedPaths) });
      return;
    case 'openPath':
      if (!(await openFile(request.path, cwd, untrustedPaths, fileUri))) post({ type: 'pathGone', path: request.path });
      return;
    case 'stay': {
      const anchor = anchorAt(snapshot, request.entryId, request.offset);
      if (anchor) post({ type: 'stay', anchor });
      return;
    }
  }
}
