/** The context that every part of the page receives. */
import type { FromPage, PageAction } from '../../shared/protocol';
import type { ArticleStore } from '../messages/articleStore';
import type { Folds } from './foldStates';
import type { PageState } from './pageState';
import type { PathLinks } from '../content/pathLinks';
import type { MarkdownPreparer } from '../markdown/markdownPreparer';

export interface PageContext {
  /** The text in the place of an image that isn't there. */
  readonly imageGone: string;
  readonly send: (message: FromPage) => void;
  /** The actions that the page offers for entries and for the session. */
  readonly actions: ReadonlySet<PageAction>;
  /** True if entries have a context menu with further actions. */
  readonly hasMenus: boolean;
  readonly store: ArticleStore;
  readonly folds: Folds;
  readonly state: PageState;
  readonly pathLinks: PathLinks;
  readonly markdown: MarkdownPreparer;
  /** Announces a text in a live region for screen readers. */
  readonly announce: (text: string) => void;
}
