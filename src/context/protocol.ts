/**
 * What the host and the page of a context view say to each other. Both sides are tagged by `type`.
 * The host sends how many articles there are and how long each probably is; the page asks for the articles
 * near what is shown, for images when they come into sight, for the rest of a long text when somebody wants it.
 */
import type { FillKind, FillPart } from '../core/format/fill';
import type { FindQuery } from '../core/format/find';
import type { Totals } from '../core/format/usage';

export type { FillKind, FillPart, FindQuery, Totals };

/** A text that may be sent without its middle. */
export interface CutText {
  /** The beginning, or all. */
  readonly text: string;
  /** The end, if the middle was left out. */
  readonly tail?: string;
  /** UTF-16 units that were left out between `text` and `tail`. */
  readonly omitted?: number;
  /** Which of its article's texts this is. */
  readonly n: number;
}

export interface ImagePart {
  readonly kind: 'image';
  readonly mimeType: string;
  /** Which of its article's images this is. */
  readonly n: number;
  /** In pixels, so that nothing moves when the image comes. */
  readonly width?: number;
  readonly height?: number;
  /** Why it can't be shown. */
  readonly missing?: 'gone' | 'type' | 'empty' | 'damaged';
}

export type ToolState = 'ok' | 'error' | 'waiting';

export interface ToolPart {
  readonly kind: 'tool';
  readonly name: string;
  /** What it was called with, in one line. */
  readonly head: string;
  /** If the head is a file: which, and where in it. */
  readonly path?: string;
  /** All arguments, if the head doesn't say everything. */
  readonly args?: CutText;
  readonly state: ToolState;
  readonly diff?: CutText;
  readonly result: readonly Part[];
  /** The entry that holds the result. */
  readonly entryId?: string;
  /** When the result came, in milliseconds since 1970. */
  readonly time?: number;
  /** What became of the result, if that is not what became of the message. */
  readonly fate?: ShownFate;
}

/** A command that the person ran. */
export interface RunPart {
  readonly kind: 'run';
  readonly language: 'bash' | 'python';
  readonly command: CutText;
  readonly output?: CutText;
  readonly state: 'ok' | 'error' | 'cancelled';
  readonly exitCode?: number;
  /** Where the program kept the whole output. */
  readonly fullOutputPath?: string;
}

export type Part =
  | { readonly kind: 'markdown'; readonly text: CutText }
  | { readonly kind: 'thinking'; readonly text: CutText }
  | { readonly kind: 'output'; readonly text: CutText }
  | { readonly kind: 'error'; readonly text: CutText }
  | { readonly kind: 'empty' }
  | ImagePart
  | ToolPart
  | RunPart;

export const ARTICLE_KINDS = ['user', 'assistant', 'system', 'tool', 'run', 'custom', 'compaction', 'branch', 'other', 'row'] as const;
export type ArticleKind = (typeof ARTICLE_KINDS)[number];

/** What became of a message that the model does not get as it stands; `excluded`: the person kept it to themselves (`!!`). */
export type ShownFate = 'edited' | 'omitted' | 'compacted' | 'reset' | 'failed' | 'excluded';

export const ROW_KINDS = ['label', 'model', 'thinking', 'compaction', 'branch', 'edit', 'name', 'extension', 'reset', 'other'] as const;

/** An entry in one line: one that is no message, or a message that was taken out. Its parts are folded. */
export interface Row {
  readonly kind: (typeof ROW_KINDS)[number];
  readonly text: string;
  /** The entry that it is about. */
  readonly about?: string;
}

/** The messages that the model gets, or every entry of the branch. */
export const VIEW_MODES = ['model', 'transcript'] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

/** An article and how far into it the top edge is, in pixels. */
export interface Anchor {
  readonly index: number;
  readonly offset: number;
}

/** One message; an assistant's together with the results of its tool calls. */
export interface Article {
  /** The same as long as it is the same message. */
  readonly key: string;
  readonly kind: ArticleKind;
  /** What kind of custom message, which unknown role. */
  readonly name?: string;
  readonly entryId: string;
  /** Milliseconds since 1970; 0 if it is not known. */
  readonly time: number;
  readonly label?: string;
  /** The entry that has the label, if that is not the first of the article's. */
  readonly labelId?: string;
  /** Who answered. */
  readonly model?: string;
  /** How an answer ended, if not by itself: `length`, `error`, `aborted` … */
  readonly stopReason?: string;
  /** What the recorded tokens and their cost were, in words. */
  readonly usage?: string;
  /** A sentence on a line before the article: the cut of a compaction. */
  readonly line?: string;
  /** The article before it is of the same kind: it goes on. */
  readonly again?: true;
  /** Absent: the model gets it as it is. */
  readonly fate?: ShownFate;
  /** Of the kind `row`. */
  readonly row?: Row;
  readonly parts: readonly Part[];
}

/** A line of the header: what it is and what it says. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
}

export interface Head {
  readonly title: string;
  /** At the leaf, or at which entry. */
  readonly place: string;
  readonly atLeaf: boolean;
  readonly view: ViewMode;
  readonly facts: readonly Fact[];
  /** What is not in these files. */
  readonly note: string;
  /** Something may be appended to the file. */
  readonly isWritable: boolean;
  /** Something that the reader must know: the file is gone. */
  readonly warning?: string;
  /** The session and entry, to be restored after a reload of the window. */
  readonly path: string;
  readonly entryId?: string;
}

/** What there is to say of a context as a whole. */
export interface Overview {
  readonly fill: {
    /** Tokens. */
    readonly total: number;
    /** All of it was recorded; else some of it, or all, is estimated. */
    readonly isRecorded: boolean;
    readonly parts: readonly FillPart[];
  };
  readonly growth: {
    /** Entry, place on the branch from 0, tokens in the context after it. */
    readonly points: readonly (readonly [string, number, number])[];
    /** Compactions and resets: entry and place. */
    readonly cuts: readonly (readonly [string, number])[];
    /** Entries of the branch. */
    readonly length: number;
  };
  /** Of the session, and if there is an entry, of its branch, and of what only this branch has. */
  readonly totals: readonly Totals[];
}

/** A message, or what it has of one kind. */
export interface LargestItem {
  readonly entryId: string;
  readonly text: string;
  readonly tokens: number;
}

/** What a row of the picture is: an entry of the graph, or branches that are not drawn. */
export interface BranchRow {
  /** The entry; of what is not drawn, what it would begin with. */
  readonly id: string;
  readonly kind: 'start' | 'fork' | 'tip' | 'leaf' | 'compaction' | 'label' | 'entry' | 'more';
  /** Columns from the left, from 0. */
  readonly lane: number;
  /** The row that the edge to this one comes from. */
  readonly above?: number;
  /** Messages on that edge. */
  readonly between: number;
  readonly text: string;
  readonly label?: string;
  /** What a screen reader calls it. */
  readonly name: string;
  /** Of a tip: turns and cost of its branch, in a few words. */
  readonly sum?: string;
  /** What there is to say about it, in lines. */
  readonly details: string;
  /** Of what is not drawn: what to ask for to see the newest of it. */
  readonly starts?: readonly string[];
  /** When it was made, of a tip when it was last active, in milliseconds since 1970; 0 if it is not known. */
  readonly time: number;
  /** The view stands here. */
  readonly isHere: boolean;
  /** On the way to the leaf, to where the view stands. */
  readonly isActive: boolean;
  readonly isOnWay: boolean;
}

/** The session's branches as a graph that runs from top to bottom. */
export interface BranchPicture {
  readonly rows: readonly BranchRow[];
  /** All branches there are, drawn or not. */
  readonly branches: number;
}

/** Where in an article a match is. */
export interface FoundPlace {
  /** Which of the article's texts, as the page marks it. */
  readonly key: string;
  /** Which match in that text, from 0. */
  readonly nth: number;
  /** Folds to be opened, the outer first, as the page names them within the article. */
  readonly folds: readonly string[];
  /** Of a text that is sent without its middle: what is around the match. */
  readonly excerpt?: Excerpt;
}

/** A piece of a text; `from` in UTF-16 units of the whole. */
export interface Excerpt {
  readonly from: number;
  readonly text: string;
  /** Which match in the piece, from 0. */
  readonly nth: number;
}

/** What one can go to, one after the other: messages of the user, failed tool calls, labels, compactions and resets. */
export const PLACE_KINDS = ['user', 'error', 'label', 'cut'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** Where the reader stands: at the entry that they went to, else at or between articles (`1.5`: between 1 and 2). */
export interface Stand {
  readonly position: number;
  readonly entryId?: string;
}

export const PAGE_ACTIONS = ['openMarkdown', 'branchHere', 'label', 'fork', 'resume', 'copyText', 'copyLink', 'openRaw', 'reveal', 'contextHere', 'leaf'] as const;
/** What a person can ask for on the page. */
export type PageAction = (typeof PAGE_ACTIONS)[number];

export type ToPage =
  | {
      readonly type: 'open';
      readonly revision: number;
      readonly strings: PageStrings;
      readonly head: Head;
      /** About how many lines each article has. */
      readonly lines: readonly number[];
      /** Where to begin, if the host knows better than the page. */
      readonly anchor?: Anchor;
    }
  /**
   * The articles from `from` on are other or new ones; `lines` are theirs. `added`: how many messages there are more.
   * `movedFrom`: the entry that was the leaf, where the session went on on another branch.
   */
  | { readonly type: 'update'; readonly revision: number; readonly head: Head; readonly from: number; readonly lines: readonly number[]; readonly added: number; readonly movedFrom?: string }
  /** Where an entry is now, or what is nearest to it. */
  | { readonly type: 'stay'; readonly anchor: Anchor }
  | { readonly type: 'articles'; readonly revision: number; readonly from: number; readonly articles: readonly Article[] }
  | { readonly type: 'text'; readonly index: number; readonly n: number; readonly from: number; readonly text: string }
  | { readonly type: 'image'; readonly index: number; readonly n: number; readonly src?: string; readonly missing?: 'gone' | 'damaged' }
  | { readonly type: 'overview'; readonly overview: Overview }
  | { readonly type: 'largest'; readonly kind?: FillKind; readonly tool?: string; readonly items: readonly LargestItem[] }
  /** Of the paths that were asked for, those that are files. */
  | { readonly type: 'paths'; readonly found: readonly string[] }
  /** What was to be opened is no file any more. */
  | { readonly type: 'pathGone'; readonly path: string }
  /** Shows an article, and of it the entry. */
  | { readonly type: 'go'; readonly index: number; readonly entryId: string }
  | { readonly type: 'branches'; readonly picture: BranchPicture }
  /** Somebody wants the next (1) or previous (-1) place; the page answers with `wantPlace`, which says from where. */
  | { readonly type: 'step'; readonly kind: PlaceKind; readonly by: 1 | -1 }
  /** A sentence for those who do not see the page. */
  | { readonly type: 'say'; readonly text: string }
  /** Opens the search in the page. */
  | { readonly type: 'openFind' }
  /** Matches for each article that has some: index and count, in order. All articles before `through` are searched. */
  | { readonly type: 'found'; readonly id: number; readonly counts: readonly (readonly [number, number])[]; readonly through: number; readonly done: boolean }
  | { readonly type: 'match'; readonly id: number; readonly index: number; readonly nth: number; readonly place?: FoundPlace }
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
  | { readonly type: 'wantLargest'; readonly kind?: FillKind; readonly tool?: string }
  /** Shows the other view, at the same place; without one at the end. */
  | { readonly type: 'view'; readonly view: ViewMode; readonly anchor?: Anchor }
  /** What was read has changed places: the page stood there. */
  | { readonly type: 'stay'; readonly entryId: string; readonly offset: number }
  /** Wants to see an entry of the branch; the host answers `go`, in this view, or in the one in which it is. */
  | { readonly type: 'go'; readonly entryId: string; readonly view?: ViewMode }
  /** Wants the next or previous place from here; the host answers `go`, or says that there is none. */
  | { readonly type: 'wantPlace'; readonly kind: PlaceKind; readonly by: 1 | -1; readonly from: Stand }
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
  | { readonly type: 'problem'; readonly message: string };

/** `{0}` stands for a number or a name, `{1}` and `{2}` for what comes next. */
export interface OverviewStrings {
  readonly title: string;
  readonly show: string;
  readonly counting: string;
  readonly kinds: Readonly<Record<FillKind, string>>;
  readonly prompt: string;
  readonly resultsOf: string;
  readonly tokens: string;
  readonly about: string;
  readonly recordedHint: string;
  readonly estimatedHint: string;
  readonly part: string;
  readonly kind: string;
  readonly share: string;
  readonly tokensHead: string;
  readonly growth: string;
  readonly growthText: string;
  readonly growthNone: string;
  readonly growthCut: string;
  readonly growthCuts: string;
  readonly goThere: string;
  readonly point: string;
  readonly cut: string;
  readonly totals: string;
  readonly totalsOf: readonly [string, string, string];
  readonly input: string;
  readonly output: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly cost: string;
  readonly largest: string;
  readonly largestOf: string;
  readonly showLargest: string;
  readonly allKinds: string;
  readonly nothing: string;
}

export interface FindStrings {
  readonly title: string;
  readonly input: string;
  readonly matchCase: string;
  readonly wholeWord: string;
  readonly previous: string;
  readonly next: string;
  readonly close: string;
  readonly count: string;
  readonly countSoFar: string;
  readonly none: string;
  readonly searching: string;
}

export interface GoToStrings {
  readonly title: string;
  readonly next: Readonly<Record<PlaceKind, string>>;
  readonly previous: Readonly<Record<PlaceKind, string>>;
}

/** The page's own words, in the person's language. `{0}` stands for a number or a text. */
export interface PageStrings {
  readonly kinds: Readonly<Record<ArticleKind, string>>;
  /** In a word or two, and in a sentence. */
  readonly fates: Readonly<Record<ShownFate, readonly [string, string]>>;
  readonly views: Readonly<Record<ViewMode, readonly [string, string]>>;
  readonly view: string;
  readonly overview: OverviewStrings;
  readonly find: FindStrings;
  readonly goTo: GoToStrings;
  readonly original: string;
  readonly thinking: string;
  readonly arguments: string;
  readonly result: string;
  readonly noOutput: string;
  readonly emptyMessage: string;
  readonly waiting: string;
  readonly ok: string;
  readonly failed: string;
  readonly cancelled: string;
  readonly exitCode: string;
  readonly fullOutput: string;
  readonly imageGone: string;
  readonly imageType: string;
  readonly imageEmpty: string;
  readonly imageDamaged: string;
  readonly fileGone: string;
  readonly moved: string;
  readonly movedBack: string;
  readonly dismiss: string;
  readonly moreActions: string;
  readonly image: string;
  readonly showAllLines: string;
  readonly showLess: string;
  readonly showMore: string;
  readonly openRaw: string;
  readonly copy: string;
  readonly copyCode: string;
  readonly copyLink: string;
  readonly openFile: string;
  readonly copied: string;
  readonly reveal: string;
  readonly contextHere: string;
  readonly openMarkdown: string;
  readonly branchHere: string;
  readonly label: string;
  readonly fork: string;
  readonly resume: string;
  readonly toLeaf: string;
  readonly entry: string;
  readonly newMessages: string;
  readonly newMessage: string;
  readonly messages: string;
  readonly actions: string;
  readonly loading: string;
  readonly empty: string;
  readonly stopped: string;
  readonly toEnd: string;
  readonly branches: string;
  readonly showBranches: string;
  readonly hideBranches: string;
}
