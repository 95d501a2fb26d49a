/** Gathers the files that were read into progress messages. */
import { encodeFile } from '../../encoding/fileColumns';
import type { EncodedFile, IndexResponse } from '../protocol/workerProtocol';
import type { KnownFile } from '../../rows/catalogRow';

/** Milliseconds between two messages. */
const REPORT_INTERVAL_MS = 50;

export class ProgressReport {
  private files: EncodedFile[] = [];
  private gone: number[] = [];
  private read = 0;
  /** Files that were read without their words. */
  private unindexed = 0;
  private last = performance.now();
  private lastDone = 0;

  constructor(
    private readonly id: number,
    /** Number of files that will be added. */
    private total: number,
    private readonly post: (message: IndexResponse) => void,
  ) {}

  /**
   * @param index the file's index in the list
   * @param known `undefined` if the file is gone
   * @param isUnindexed true if its words will follow
   */
  add(index: number, known: KnownFile | undefined, isUnindexed: boolean): void {
    this.read++;
    if (isUnindexed) this.unindexed++;
    if (known) this.files.push({ index, columns: encodeFile(known) });
    else this.gone.push(index);
  }

  /** Adds files whose words an earlier request has left. */
  addUnindexed(files: number): void {
    this.read += files;
    this.total += files;
    this.unindexed += files;
  }

  /** @param files the files whose words remain to be read */
  setUnindexed(files: number): void {
    this.unindexed = files;
  }

  /** @param isStoring whether read files wait to be stored; the message about the last file doesn't wait for that */
  isDue(isStoring: boolean): boolean {
    const unsent = this.files.length + this.gone.length;
    if (unsent > 0 && isStoring && this.read === this.total) return true;
    return (unsent > 0 || this.done !== this.lastDone) && performance.now() - this.last > REPORT_INTERVAL_MS;
  }

  send(): void {
    const { id, files, gone, done, total } = this;
    this.post({ kind: 'progress', id, files, gone, done, total });
    this.files = [];
    this.gone = [];
    this.last = performance.now();
    this.lastDone = done;
  }

  /** A file without its words counts half. */
  private get done(): number {
    return Math.floor(this.read - this.unindexed / 2);
  }
}
