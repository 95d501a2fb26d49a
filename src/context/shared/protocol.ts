/**
 * Messages between the host and the page of a context view, tagged by `type`.
 * The host sends the number of articles and an estimate of their lengths. The page requests the articles near the
 * visible range, images when they become visible, and the rest of a long text on demand.
 */
import type { ContextUsageKind, ContextUsagePart } from '../../core/format/context/contextUsage';
import type { FindQuery } from '../../core/format/text/findPattern';
import type { Totals } from '../../core/format/session/costs/usageTotals';
import type { Article } from './article';
import type { BranchGraph, PageHeader, LargestItem, Overview, ViewMode } from './pageSections';
import type { ScrollAnchor, MatchLocation, TargetKind, ReadingPosition } from './positions';

export * from './article';
export * from './pageSections';
export * from './positions';
export type { ContextUsageKind, ContextUsagePart, FindQuery, Totals };

/** Consecutive articles. */
export interface ArticleRange {
  /** The index of the first one. */
  readonly from: number;
  readonly articles: readonly Article[];
}

export const PAGE_ACTIONS = [
  'openMarkdown',
  'exportSession',
  'branchHere',
  'label',
  'fork',
  'resume',
  'copyText',
  'copyLink',
  'openRaw',
  'openToSide',
  'reveal',
  'goToSubagent',
  'goToCall',
  'contextHere',
  'leaf',
] as const;
/** Actions that the page can request. */
export type PageAction = (typeof PAGE_ACTIONS)[number];

export type ToPage =
  | {
      readonly type: 'open';
      readonly revision: number;
      readonly header: PageHeader;
      /** Estimated number of lines of each article. */
      readonly lines: readonly number[];
      /** The initial scroll position; absent if the page decides. */
      readonly anchor?: ScrollAnchor;
      /** The last articles, if they are known already. */
      readonly last?: ArticleRange;
    }
  /**
   * Articles from `from` on were replaced; `lines` has their estimated lengths, `added` the number of additional
   * messages. `abandonedLeaf` is the previous leaf, if the session continued on another branch.
   */
  | {
      readonly type: 'update';
      readonly revision: number;
      readonly header: PageHeader;
      readonly from: number;
      readonly lines: readonly number[];
      readonly added: number;
      readonly abandonedLeaf?: string;
      /** The last of these articles, if they are known already. */
      readonly last?: ArticleRange;
    }
  /** Scrolls to an entry's new position, or to the nearest one. */
  | { readonly type: 'stay'; readonly anchor: ScrollAnchor }
  | ({ readonly type: 'articles'; readonly revision: number } & ArticleRange)
  | { readonly type: 'text'; readonly index: number; readonly nth: number; readonly from: number; readonly text: string }
  | { readonly type: 'image'; readonly index: number; readonly nth: number; readonly src?: string; readonly missing?: 'gone' | 'damaged' }
  | { readonly type: 'overview'; readonly overview: Overview }
  | { readonly type: 'largest'; readonly kind?: ContextUsageKind; readonly tool?: string; readonly items: readonly LargestItem[] }
  /** The requested paths that are files. */
  | { readonly type: 'paths'; readonly found: readonly string[] }
  /** The file to be opened no longer exists. */
  | { readonly type: 'pathGone'; readonly path: string }
  /** Scrolls to an article and focuses the entry in it. */
  | { readonly type: 'go'; readonly index: number; readonly entryId: string }
  | { readonly type: 'branches'; readonly graph: BranchGraph }
  /** Says how many files would change by going to an entry. */
  | { readonly type: 'changes'; readonly entryId: string; readonly text: string }
  /** Steps to the next (1) or previous (-1) target. The page answers `wantTarget` with its position. */
  | { readonly type: 'step'; readonly kind: TargetKind; readonly by: 1 | -1 }
  /** A sentence for screen readers. */
  | { readonly type: 'announce'; readonly text: string }
  /** Copies the selected text. The page answers `copy`. */
  | { readonly type: 'copySelection' }
  /** Requests `runAction` for the message that has the focus; for the view's entry if none has it. */
  | { readonly type: 'runOnFocused'; readonly action: PageAction }
  /** Opens the find widget. */
  | { readonly type: 'openFind' }
  /** Shows the find widget with a query, without focusing it, and goes to the first match in one article. */
  | { readonly type: 'showMatches'; readonly query: FindQuery; readonly index: number }
  /** Index and match count of each article with matches, in order. All articles before `through` are searched. */
  | {
      readonly type: 'found';
      readonly id: number;
      readonly counts: readonly (readonly [number, number])[];
      readonly through: number;
      readonly done: boolean;
    }
  | { readonly type: 'match'; readonly id: number; readonly index: number; readonly nth: number; readonly location?: MatchLocation }
  | { readonly type: 'failed'; readonly message: string };

export type FromPage =
  /** The page is loaded and empty: when created, shown again, or restored. */
  | { readonly type: 'ready' }
  | { readonly type: 'wantArticles'; readonly from: number; readonly to: number }
  | { readonly type: 'wantText'; readonly index: number; readonly nth: number; readonly from: number }
  | { readonly type: 'wantImage'; readonly index: number; readonly nth: number }
  /** The visible range of this revision is on the screen. */
  | { readonly type: 'rendered'; readonly revision: number }
  /** Requests the overview, which is sent once it is computed. */
  | { readonly type: 'wantOverview' }
  /** Requests the largest messages, of one kind or of all. */
  | { readonly type: 'wantLargest'; readonly kind?: ContextUsageKind; readonly tool?: string }
  /** Switches to the other view at the same position; without an anchor, at the end. */
  | { readonly type: 'view'; readonly view: ViewMode; readonly anchor?: ScrollAnchor }
  /** Requests the new position of the entry at the top edge, after its article changed. */
  | { readonly type: 'stay'; readonly entryId: string; readonly offset: number }
  /**
   * Requests to show an entry of the branch. The host answers `go`, in the given view or in the one that contains the
   * entry.
   */
  | { readonly type: 'go'; readonly entryId: string; readonly view?: ViewMode }
  /** Requests the next or previous target from this position. The host answers `go`, or announces that there is none. */
  | { readonly type: 'wantTarget'; readonly kind: TargetKind; readonly by: 1 | -1; readonly from: ReadingPosition }
  /** Unfolds hidden branches, given by the entries with which they begin. */
  | { readonly type: 'branches'; readonly unfolded: readonly string[] }
  /** Requests how many files would change by going to an entry. Without one, the last request is no longer wanted. */
  | { readonly type: 'wantChanges'; readonly entryId?: string }
  /**
   * Searches all articles from `from` on, including folded text and articles that the page hasn't loaded. A new search
   * replaces the previous one.
   */
  | { readonly type: 'find'; readonly id: number; readonly revision: number; readonly query: FindQuery; readonly from: number }
  /** Requests the location of the `nth` match of an article. */
  | { readonly type: 'wantMatch'; readonly id: number; readonly index: number; readonly nth: number }
  | { readonly type: 'runAction'; readonly action: PageAction; readonly entryId?: string }
  | { readonly type: 'openLink'; readonly href: string }
  /** Requests which of these texts, such as `src/a.ts:12`, name existing files. */
  | { readonly type: 'wantPaths'; readonly paths: readonly string[] }
  | { readonly type: 'openPath'; readonly path: string }
  /** Copies through the host, because a webview may not have access to the clipboard. */
  | { readonly type: 'copy'; readonly text: string }
  /** The page got the keyboard focus or lost it. */
  | { readonly type: 'focus'; readonly hasFocus: boolean }
  | { readonly type: 'problem'; readonly message: string };
