/**
 * What the host and the page of a context view say to each other. Both sides are tagged by `type`.
 * The host sends how many articles there are and how long each probably is; the page asks for the articles
 * near what is shown, for images when they come into sight, for the rest of a long text when somebody wants it.
 */
import type { ContextUsageKind, ContextUsagePart } from '../../core/format/context/contextUsage';
import type { FindQuery } from '../../core/format/text/findPattern';
import type { Totals } from '../../core/format/session/usageTotals';
import type { Article } from './article';
import type { BranchGraph, PageHeader, LargestItem, Overview, ViewMode } from './pageSections';
import type { ScrollAnchor, MatchLocation, TargetKind, ReadingPosition } from './positions';
import type { PageStrings } from './pageStrings';

export * from './article';
export * from './pageSections';
export * from './positions';
export * from './pageStrings';
export type { ContextUsageKind, ContextUsagePart, FindQuery, Totals };

export const PAGE_ACTIONS = ['openMarkdown', 'branchHere', 'label', 'fork', 'resume', 'copyText', 'copyLink', 'openRaw', 'reveal', 'contextHere', 'leaf'] as const;
/** What a person can ask for on the page. */
export type PageAction = (typeof PAGE_ACTIONS)[number];

export type ToPage =
  | {
      readonly type: 'open';
      readonly revision: number;
      readonly strings: PageStrings;
      readonly header: PageHeader;
      /** About how many lines each article has. */
      readonly lines: readonly number[];
      /** Where to begin, if the host knows better than the page. */
      readonly anchor?: ScrollAnchor;
    }
  /**
   * The articles from `from` on are other or new ones; `lines` are theirs. `added`: how many messages there are more.
   * `displacedLeaf`: the entry that was the leaf, where the session went on on another branch.
   */
  | { readonly type: 'update'; readonly revision: number; readonly header: PageHeader; readonly from: number; readonly lines: readonly number[]; readonly added: number; readonly abandonedLeaf?: string }
  /** Where an entry is now, or what is nearest to it. */
  | { readonly type: 'stay'; readonly anchor: ScrollAnchor }
  | { readonly type: 'articles'; readonly revision: number; readonly from: number; readonly articles: readonly Article[] }
  | { readonly type: 'text'; readonly index: number; readonly n: number; readonly from: number; readonly text: string }
  | { readonly type: 'image'; readonly index: number; readonly n: number; readonly src?: string; readonly missing?: 'gone' | 'damaged' }
  | { readonly type: 'overview'; readonly overview: Overview }
  | { readonly type: 'largest'; readonly kind?: ContextUsageKind; readonly tool?: string; readonly items: readonly LargestItem[] }
  /** Of the paths that were asked for, those that are files. */
  | { readonly type: 'paths'; readonly found: readonly string[] }
  /** What was to be opened is no file any more. */
  | { readonly type: 'pathGone'; readonly path: string }
  /** Shows an article, and of it the entry. */
  | { readonly type: 'go'; readonly index: number; readonly entryId: string }
  | { readonly type: 'branches'; readonly graph: BranchGraph }
  /** Somebody wants the next (1) or previous (-1) place; the page answers with `wantPlace`, which says from where. */
  | { readonly type: 'step'; readonly kind: TargetKind; readonly by: 1 | -1 }
  /** A sentence for those who do not see the page. */
  | { readonly type: 'say'; readonly text: string }
  /** Opens the search in the page. */
  | { readonly type: 'openFind' }
  /** Matches for each article that has some: index and count, in order. All articles before `through` are searched. */
  | { readonly type: 'found'; readonly id: number; readonly counts: readonly (readonly [number, number])[]; readonly through: number; readonly done: boolean }
  | { readonly type: 'match'; readonly id: number; readonly index: number; readonly nth: number; readonly location?: MatchLocation }
  | { readonly type: 'failed'; readonly message: string };

export type FromPage =
  /** The page is there and empty: after it was made, shown again, or restored. */
  | { readonly type: 'ready' }
  | { readonly type: 'want'; readonly revision: number; readonly from: number; readonly to: number }
  | { readonly type: 'wantText'; readonly index: number; readonly n: number; readonly from: number }
  | { readonly type: 'wantImage'; readonly index: number; readonly n: number }
  /** What is in sight at this revision is on the screen. */
  | { readonly type: 'rendered'; readonly revision: number }
  /** What there is to say of the context as a whole, as soon as it is counted. */
  | { readonly type: 'wantOverview' }
  /** The messages that take the most room, of one kind or of all. */
  | { readonly type: 'wantLargest'; readonly kind?: ContextUsageKind; readonly tool?: string }
  /** Shows the other view, at the same place; without one at the end. */
  | { readonly type: 'view'; readonly view: ViewMode; readonly anchor?: ScrollAnchor }
  /** What was read has changed places: the page stood there. */
  | { readonly type: 'stay'; readonly entryId: string; readonly offset: number }
  /** Wants to see an entry of the branch; the host answers `go`, in this view, or in the one in which it is. */
  | { readonly type: 'go'; readonly entryId: string; readonly view?: ViewMode }
  /** Wants the next or previous place from here; the host answers `go`, or says that there is none. */
  | { readonly type: 'wantPlace'; readonly kind: TargetKind; readonly by: 1 | -1; readonly from: ReadingPosition }
  /** Branches that are to be drawn, too, by the entries that they begin with. */
  | { readonly type: 'branches'; readonly unfolded: readonly string[] }
  /** Looks for a text in all articles from `from` on, also in what is folded and what the page does not have; the last question counts. */
  | { readonly type: 'find'; readonly id: number; readonly revision: number; readonly query: FindQuery; readonly from: number }
  /** Asks where a match is: which of its article's. */
  | { readonly type: 'wantMatch'; readonly id: number; readonly index: number; readonly nth: number }
  | { readonly type: 'act'; readonly action: PageAction; readonly entryId?: string }
  | { readonly type: 'openLink'; readonly href: string }
  /** Asks which texts, as `src/a.ts:12`, name files that are there. */
  | { readonly type: 'wantPaths'; readonly paths: readonly string[] }
  | { readonly type: 'openPath'; readonly path: string }
  /** To the clipboard; a page may not be allowed to. */
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'problem'; readonly message: string };

