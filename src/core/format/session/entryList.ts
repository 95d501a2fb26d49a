/** A session's entries in file order, put together when somebody asks for all of them. */
import type { EntryHead } from '../entry/entryHead';

/** So many are added before they are put with the others: adding costs what is added. */
const MERGE_THRESHOLD = 512;

export class EntryList {
  private cached: readonly EntryHead[] | undefined;

  constructor(
    private readonly loadFirst: () => readonly EntryHead[],
    private readonly added: readonly EntryHead[] = [],
  ) {}

  get all(): readonly EntryHead[] {
    return (this.cached ??= this.added.length === 0 ? this.loadFirst() : this.loadFirst().concat(this.added));
  }

  /** The list with more at its end; this one stays as it is. */
  with(more: readonly EntryHead[]): EntryList {
    if (more.length === 0) return this;
    return this.added.length < MERGE_THRESHOLD ? new EntryList(this.loadFirst, [...this.added, ...more]) : new EntryList(() => this.all, more);
  }
}
