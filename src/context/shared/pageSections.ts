/** Data of the page's sections around the messages: header, overview, branch graph. */
import type { ContextUsagePart } from '../../core/format/context/contextUsage';
import type { Totals } from '../../core/format/session/costs/usageTotals';

/** `model`: the messages that the model gets. `transcript`: every entry of the branch. */
export const VIEW_MODES = ['model', 'transcript'] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

/** A named value in the header. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
}

export interface PageHeader {
  /** Set while the session's program runs: it works, or waits for the person. */
  readonly state?: 'running' | 'waiting';
  /** Says what is missing at the end of the messages. */
  readonly ending?: string;
  readonly title: string;
  /** Localized description of the entry that the view shows: the leaf, or another entry. */
  readonly location: string;
  readonly atLeaf: boolean;
  readonly view: ViewMode;
  readonly fields: readonly HeaderField[];
  /** A note on the parts that the session file doesn't contain; empty if nothing is missing. */
  readonly note: string;
  /** Localized summary of the problems found in the file. */
  readonly problems?: string;
  /** True if entries may be appended to the file. */
  readonly isWritable: boolean;
  /** The view has messages that their program doesn't show. */
  readonly hasHiddenMessages: boolean;
  /** Set for the session of a subagent: the page leads back to the call that started it. */
  readonly isSubagent?: true;
  /** Localized error, such as that the file is gone. */
  readonly warning?: string;
  /** True if the next context replaces this one. */
  readonly isPreview?: boolean;
  /** The session and entry, saved so that the view can be restored after a window reload. */
  readonly path: string;
  readonly entryId?: string;
}

/** Summary of the whole context. */
export interface Overview {
  readonly contextUsage: {
    /** In tokens. */
    readonly total: number;
    /** True if the last answer recorded the total; otherwise it is partly or wholly estimated. */
    readonly isRecorded: boolean;
    /** The model's window in tokens, if it is known. */
    readonly window?: number;
    readonly parts: readonly ContextUsagePart[];
  };
  readonly growth: {
    /** Entry id, position on the branch from 0, tokens in the context after the entry. */
    readonly points: readonly (readonly [string, number, number])[];
    /** Compactions and resets: entry id and position. */
    readonly cuts: readonly (readonly [string, number])[];
    /** The number of entries on the branch. */
    readonly length: number;
  };
  /** Totals of the session; if it has entries, also of the branch, and of the entries that only this branch has. */
  readonly totals: readonly Totals[];
}

/** A message, or its share of one kind. */
export interface LargestItem {
  readonly entryId: string;
  readonly text: string;
  readonly tokens: number;
}

/** A row of the branch graph: an entry, or a group of hidden branches. */
export interface BranchRow {
  /** The entry's id. For hidden branches: the first of `startIds`. */
  readonly id: string;
  readonly kind: 'start' | 'fork' | 'tip' | 'leaf' | 'compaction' | 'label' | 'entry' | 'more';
  /** The column, from 0 at the left. */
  readonly lane: number;
  /** The index of the row at which the edge to this row begins. */
  readonly parentRow?: number;
  /** The number of messages on that edge. */
  readonly messagesBetween: number;
  readonly text: string;
  readonly label?: string;
  /** The accessible name. */
  readonly name: string;
  /** Turns and cost of the branch; only on tips. */
  readonly summary?: string;
  /** Lines of the tooltip. */
  readonly details: string;
  /** The entries with which the newest hidden branches begin, sent back to unfold them. */
  readonly startIds?: readonly string[];
  /** Creation time, or on a tip the time of the last activity, in milliseconds since 1970; 0 if unknown. */
  readonly time: number;
  /** True if the view shows the context at this entry. */
  readonly isCurrent: boolean;
  /** Set if the files that are on the disk now are those of this entry: the localized words for that. */
  readonly filesHere?: string;
  /** `isActive`: on the path to the session's leaf. `isOnCurrentPath`: on the path to the entry that the view shows. */
  readonly isActive: boolean;
  readonly isOnCurrentPath: boolean;
}

/** The session's branches as a graph from top to bottom. */
export interface BranchGraph {
  readonly rows: readonly BranchRow[];
  /** The number of all branches, including hidden ones. */
  readonly branchCount: number;
}
