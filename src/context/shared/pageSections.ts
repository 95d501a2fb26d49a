/** What stands around the messages: the head, the context as a whole, the picture of the branches. */
import type { ContextUsagePart } from '../../core/format/context/contextUsage';
import type { Totals } from '../../core/format/session/usageTotals';

/** The messages that the model gets, or every entry of the branch. */
export const VIEW_MODES = ['model', 'transcript'] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

/** A line of the header: what it is and what it says. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
}

export interface PageHeader {
  readonly title: string;
  /** At the leaf, or at which entry. */
  readonly location: string;
  readonly atLeaf: boolean;
  readonly view: ViewMode;
  readonly fields: readonly HeaderField[];
  /** What is not in these files. */
  readonly note: string;
  /** What is odd in the file. */
  readonly problems?: string;
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
  readonly contextUsage: {
    /** Tokens. */
    readonly total: number;
    /** All of it was recorded; else some of it, or all, is estimated. */
    readonly isRecorded: boolean;
    readonly parts: readonly ContextUsagePart[];
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
  readonly parentRow?: number;
  /** Messages on that edge. */
  readonly messagesBetween: number;
  readonly text: string;
  readonly label?: string;
  /** What a screen reader calls it. */
  readonly name: string;
  /** Of a tip: turns and cost of its branch, in a few words. */
  readonly summary?: string;
  /** What there is to say about it, in lines. */
  readonly details: string;
  /** Of what is not drawn: what to ask for to see the newest of it. */
  readonly startIds?: readonly string[];
  /** When it was made, of a tip when it was last active, in milliseconds since 1970; 0 if it is not known. */
  readonly time: number;
  /** The view stands here. */
  readonly isCurrent: boolean;
  /** On the way to the leaf, to where the view stands. */
  readonly isActive: boolean;
  readonly isOnCurrentPath: boolean;
}

/** The session's branches as a graph that runs from top to bottom. */
export interface BranchGraph {
  readonly rows: readonly BranchRow[];
  /** All branches there are, drawn or not. */
  readonly branchCount: number;
}
