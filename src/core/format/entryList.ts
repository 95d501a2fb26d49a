/** A session's entries in file order, put together when somebody asks for all of them. */
import type { EntryHead } from './head';

/** So many are added before they are put with the others: adding costs what is added. */
const FOLD_AT = 512;

export class EntryList {
  private made: readonly EntryHead[] | undefined;

  constructor(
    private readonly first: () => readonly EntryHead[],
    private readonly added: readonly EntryHead[] = [],
  ) {}

  get all(): readonly EntryHead[] {
    return (this.made ??= this.added.length === 0 ? this.first() : this.first().concat(this.added));
  }

  /** The list with more at its end; this one stays as it is. */
  with(more: readonly EntryHead[]): EntryList {
    if (more.length === 0) return this;
    return this.added.length < FOLD_AT ? new EntryList(this.first, [...this.added, ...more]) : new EntryList(() => this.all, more);
  }
}
