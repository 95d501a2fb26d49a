/**
 * What the host and the page of a context view say to each other. Both sides are tagged by `type`.
 * The host sends how many articles there are and how long each probably is; the page asks for the articles
 * near what is shown, for images when they come into sight, for the rest of a long text when somebody wants it.
 */

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
  readonly missing?: 'gone' | 'type' | 'empty';
}

export type ToolState = 'ok' | 'error' | 'waiting';

export interface ToolPart {
  readonly kind: 'tool';
  readonly name: string;
  /** What it was called with, in one line. */
  readonly head: string;
  /** All arguments, if the head doesn't say everything. */
  readonly args?: CutText;
  readonly state: ToolState;
  readonly diff?: CutText;
  readonly result: readonly Part[];
  /** The entry that holds the result. */
  readonly entryId?: string;
  /** When the result came, in milliseconds since 1970. */
  readonly time?: number;
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

export const ARTICLE_KINDS = ['user', 'assistant', 'system', 'tool', 'run', 'custom', 'compaction', 'branch', 'other'] as const;
export type ArticleKind = (typeof ARTICLE_KINDS)[number];

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
  readonly facts: readonly Fact[];
  /** What is not in these files. */
  readonly note: string;
  /** Something that the reader must know: the file is gone. */
  readonly warning?: string;
  /** The session and entry, to be restored after a reload of the window. */
  readonly path: string;
  readonly entryId?: string;
}

export const PAGE_ACTIONS = ['openMarkdown', 'branchHere', 'label', 'fork', 'resume', 'copyText', 'openRaw', 'reveal', 'contextHere', 'leaf'] as const;
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
    }
  /** The articles from `from` on are other or new ones; `lines` are theirs. */
  | { readonly type: 'update'; readonly revision: number; readonly head: Head; readonly from: number; readonly lines: readonly number[] }
  | { readonly type: 'articles'; readonly revision: number; readonly from: number; readonly articles: readonly Article[] }
  | { readonly type: 'text'; readonly index: number; readonly n: number; readonly from: number; readonly text: string }
  | { readonly type: 'image'; readonly index: number; readonly n: number; readonly src?: string }
  | { readonly type: 'failed'; readonly message: string };

export type FromPage =
  /** The page is there and empty: after it was made, shown again, or restored. */
  | { readonly type: 'ready' }
  | { readonly type: 'want'; readonly revision: number; readonly from: number; readonly to: number }
  | { readonly type: 'wantText'; readonly index: number; readonly n: number; readonly from: number }
  | { readonly type: 'wantImage'; readonly index: number; readonly n: number }
  /** What is in sight at this revision is on the screen. */
  | { readonly type: 'rendered'; readonly revision: number }
  | { readonly type: 'act'; readonly action: PageAction; readonly entryId?: string }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'problem'; readonly message: string };

/** The page's own words, in the person's language. `{0}` stands for a number or a text. */
export interface PageStrings {
  readonly kinds: Readonly<Record<ArticleKind, string>>;
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
  readonly image: string;
  readonly showAllLines: string;
  readonly showLess: string;
  readonly showMore: string;
  readonly openRaw: string;
  readonly copy: string;
  readonly copyCode: string;
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
}
