/** Describes the facts about a file from which its text at a point is found, and what is found. */
import type { FileEdit } from '../record/fileEdit';
import type { ShownText } from '../record/shownText';

/** A fact about a file, in order of time. */
export type VersionEvent =
  /** `isAway`: the edit moved the file to another name. */
  | { readonly kind: 'edit'; readonly edit: FileEdit; readonly isAway: boolean }
  /** `since`: the index of the first of several readings whose parts make the whole text. */
  | { readonly kind: 'reading'; readonly shown: ShownText; readonly since?: number }
  /** A call found no such file. */
  | { readonly kind: 'missing' }
  /** `text` is `undefined` if the commit doesn't have the file. */
  | { readonly kind: 'commit'; readonly text: string | undefined };

/**
 * A reason why a text isn't certain. `record`: it's not recorded in all respects. `later`: nothing shows that the file was still like
 * that. `commands`: commands ran in between.
 */
export type VersionDoubt = 'record' | 'later' | 'commands';
/** A reason why a text isn't known. `unrecorded`: no whole text is recorded, or the result of an edit isn't. `contradicted`: the steps don't fit. */
export type VersionGap = 'unrecorded' | 'contradicted';

/** A text that the file probably had. */
export interface VersionGuess {
  readonly text: string;
  readonly isAbsent: boolean;
}

export type FoundVersion =
  /** `guess`: the text that was found, if something later contradicts it. */
  | { readonly kind: 'gap'; readonly gap: VersionGap; readonly guess?: VersionGuess }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** True if the file wasn't there; `text` is empty then. */
      readonly isAbsent: boolean;
      readonly doubt: VersionDoubt | undefined;
      /** The index of the event that had the whole text. */
      readonly since: number;
      /** True if the text was recorded at that moment, or if a later one is the result of it. */
      readonly isProven: boolean;
      /** The index of the event that proved it; the number of events if the disk did. Absent if nothing later did. */
      readonly provenBy?: number;
    };
