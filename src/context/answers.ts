/** Answers to what the page wants of a reading: articles, texts, images, places and files. What moves the view is not among them. */
import type { Uri } from 'vscode';
import type { NamedPaths } from '../core/index';
import { filesAmong, openFile } from './filePaths';
import { anchorAt, type Reading } from './reading';
import type { FromPage, ToPage } from './protocol';
import { articles, imageOf, restOfText } from './serve';

export type Wish = Extract<FromPage, { readonly type: 'want' | 'wantText' | 'wantImage' | 'wantPaths' | 'openPath' | 'stay' }>;

export interface Asker {
  /** Of the reading that was asked of. */
  readonly revision: number;
  /** Whether the page still has this revision. */
  readonly isThere: () => boolean;
  readonly post: (message: ToPage) => void;
  /** The address under which a file opens. */
  readonly fileUri: (path: string) => Uri;
  readonly named: NamedPaths;
}

export async function answerWish(reading: Reading, wish: Wish, { revision, isThere, post, fileUri, named }: Asker): Promise<void> {
  const { cwd } = reading.session.header;
  switch (wish.type) {
    case 'want':
      if (wish.revision !== revision) return;
      for await (const page of articles(reading, wish.from, wish.to)) {
        if (!isThere()) return;
        post({ type: 'articles', revision, ...page });
      }
      return;
    case 'wantText': {
      const text = await restOfText(reading, wish.index, wish.n, wish.from);
      if (text && isThere()) post(text);
      return;
    }
    case 'wantImage': {
      const image = await imageOf(reading, wish.index, wish.n);
      if (isThere()) post(image);
      return;
    }
    case 'wantPaths':
      post({ type: 'paths', found: await filesAmong(wish.paths, cwd, named) });
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
