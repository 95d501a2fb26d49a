/** The values of answers: the same in the output of `--json` and behind the text of a tool. Times are ISO 8601, costs in dollars. */
import type { Dialect } from '../../core/index';

export interface SessionAnswer {
  readonly ref: string;
  readonly path: string;
  readonly program: Dialect;
  readonly id: string;
  readonly title: string;
  /** The project's folder. */
  readonly project: string;
  readonly created?: string;
  readonly modified?: string;
  /** Absent until the file has been read. */
  readonly messages?: number;
  readonly state?: string;
  readonly unfinished?: string;
  readonly machine?: string;
  /** The session whose subagent wrote this one. */
  readonly parent?: string;
  readonly tags?: readonly string[];
  readonly note?: string;
  /** The reason why the file can't be read. */
  readonly problem?: string;
}

/** The branch that the person went on with. */
export interface Replacement {
  readonly ref: string;
  readonly prompt: string;
}

export interface HitAnswer {
  readonly ref: string;
  readonly session: string;
  readonly path: string;
  readonly entryId: string;
  readonly title: string;
  readonly project: string;
  readonly role: string;
  readonly time?: string;
  readonly state: 'active' | 'left';
  /** Set for a branch that was left. */
  readonly replacedBy?: Replacement;
  readonly snippet: string;
  /** The matches, in UTF-16 units of the snippet. */
  readonly marks: readonly (readonly [start: number, end: number])[];
  /** Words of the query that only other entries of the session have. */
  readonly elsewhere?: readonly string[];
  /** The prompt that the entry answers, and the answer with which its turn ended. Set for the first hits, if they were asked for. */
  readonly turn?: { readonly asked?: string; readonly answered?: string };
  /** Words of the query that the entry and those around it lack. */
  readonly missing?: readonly string[];
}

export interface EntryAnswer {
  readonly ref: string;
  readonly id: string;
  /** The nearest entry above that is in the answer. */
  readonly parentId: string | null;
  readonly type: string;
  readonly role?: string;
  readonly time?: string;
  readonly text: string;
  readonly label?: string;
  readonly state: 'active' | 'left';
  readonly isLeaf?: true;
  /** The number of forks above that lead to several entries of the answer. */
  readonly depth: number;
}

export interface MessageAnswer {
  readonly ref: string;
  readonly id: string;
  readonly type: string;
  readonly role: string;
  readonly time?: string;
  readonly state: 'active' | 'left';
  readonly text: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly tool?: string;
  readonly isError?: true;
  /** Bytes of the text that were cut. */
  readonly cutBytes?: number;
}

/** Returns a time in ISO 8601; `undefined` for a time that isn't known. */
export const isoTime = (time: number | Date | undefined): string | undefined => {
  const date = new Date(time ?? Number.NaN);
  return Number.isNaN(date.getTime()) || date.getTime() === 0 ? undefined : date.toISOString();
};
