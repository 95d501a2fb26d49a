/** The interface of the page's data source: the extension host, or the session that is embedded in an exported page. */
import type { FromPage, PageAction, ToPage } from '../../shared/protocol';
import type { PageContext } from './pageContext';
import type { PagePart } from './pagePart';
import type { StateStore } from './pageState';

export interface PageHost extends StateStore {
  readonly send: (message: FromPage) => void;
  /** Calls the listener with each message to the page. */
  readonly listen: (listener: (message: ToPage) => void) => void;
  /** The actions that it offers. */
  readonly actions: ReadonlySet<PageAction>;
  /** True if entries have a context menu with further actions. */
  readonly hasMenus: boolean;
  /** The text in the place of an image that isn't there. */
  readonly imageGone: string;
  /** Creates the part next to the messages, and the buttons that the header has in addition to the buttons of `actions`. */
  readonly createFrame: (context: PageContext) => { readonly side: PagePart; readonly tools: readonly HTMLElement[] };
}
