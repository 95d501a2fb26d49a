/** The number of files that would change by going to an entry, as a sentence for the page. */
import type { EntryRef } from '../../../contract';
import { SessionError } from '../../../core/index';
import { changeCountText } from '../../../ui/changeCountText';
import type { ToPage } from '../../shared/protocol';

/** Facts about the files at entries. */
export interface PointFacts {
  /** Returns the entry of a session whose files are on the disk now. */
  readonly filesHere: (path: string) => string | undefined;
  /** Counts the files that would change; `undefined` if that would take too long. */
  readonly changeCount: (ref: EntryRef, signal: AbortSignal) => Promise<number | undefined>;
}

export class PointChanges {
  private running = new AbortController();

  constructor(
    private readonly facts: PointFacts,
    private readonly post: (message: Extract<ToPage, { type: 'changes' }>) => void,
  ) {}

  /** Counts for an entry, and no longer for the one before. Where no files can be restored, nothing is shown. */
  async show(ref: EntryRef | undefined): Promise<void> {
    this.running.abort();
    const { signal } = (this.running = new AbortController());
    if (!ref) return;
    try {
      const count = await this.facts.changeCount(ref, signal);
      if (!signal.aborted && count !== undefined) this.post({ type: 'changes', entryId: ref.entryId, text: changeCountText(count) });
    } catch (error) {
      if (!signal.aborted && !(error instanceof SessionError)) throw error;
    }
  }
}
