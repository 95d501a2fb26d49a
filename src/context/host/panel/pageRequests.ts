/** Answers to what the page wants of a reading: articles, texts, images, places and files. What moves the view is not among them. */
import type { Uri } from 'vscode';
import type { UntrustedPaths } from '../../../core/index';
import { existingFiles, openFile } from './filePaths';
import { anchorAt, type ContextSnapshot } from '../snapshot/contextSnapshot';
import type { FromPage, ToPage } from '../../shared/protocol';
import { readArticles, readImage, readTextPiece } from '../articles/articleLoader';

export type PageRequest = Extract<FromPage, { readonly type: 'want' | 'wantText' | 'wantImage' | 'wantPaths' | 'openPath' | 'stay' }>;

export interface RequestContext {
  /** Of the reading that was asked of. */
  readonly revision: number;
  /** Whether the page still has this revision. */
  readonly isCurrent: () => boolean;
  readonly post: (message: ToPage) => void;
  /** The address under which a file opens. */
  readonly fileUri: (path: string) => Uri;
  readonly named: UntrustedPaths;
}

export async function handleRequest(reading: ContextSnapshot, wish: PageRequest, { revision, isCurrent: isThere, post, fileUri, named }: RequestContext): Promise<void> {
  const { cwd } = reading.session.header;
  switch (wish.type) {
    case 'want':
      if (wish.revision !== revision) return;
      for await (const page of readArticles(reading, wish.from, wish.to)) {
        if (!isThere()) return;
        post({ type: 'articles', revision, ...page });
      }
      return;
    case 'wantText': {
      const text = await readTextPiece(reading, wish.index, wish.n, wish.from);
      if (text && isThere()) post(text);
      return;
    }
    case 'wantImage': {
      const image = await readImage(reading, wish.index, wish.n);
      if (isThere()) post(image);
      return;
    }
    case 'wantPaths':
      post({ type: 'paths', found: await existingFiles(wish.paths, cwd, named) });
      return;
    case 'openPath':
      if (!(await openFile(wish.path, cwd, named, fileUri))) post({ type: 'pathGone', path: wish.path });
      return;
    case 'stay': {
      const anchor = anchorAt(reading, wish.entryId, wish.offset);
      if (anchor) post({ type: 'stay', anchor });
      return;
    }
  }
}
