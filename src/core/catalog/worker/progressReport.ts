/** Gathers the files that were read into progress messages. */
import { encodeFile } from '../encoding/fileColumns';
import type { EncodedFile, IndexResponse } from './workerProtocol';
import type { KnownFile } from '../rows/catalogRow';

/** Milliseconds between two messages. */
const REPORT_INTERVAL_MS = 50;

export class ProgressReport {
  private files: EncodedFile[] = [];
  private gone: string[] = [];
  private done = 0;
  private last = performance.now();

  constructor(
    private readonly id: number,
    /** Number of files that will be added. */
    private readonly total: number,
    private readonly post: (message: IndexResponse) => void,
  ) {}

  /** @param known `undefined` if the file is gone */
  add(path: string, known: KnownFile | undefined): void {
    this.done++;
    if (known) this.files.push({ path, columns: encodeFile(known) });
    else this.gone.push(path);
  }

  /** @param isStoring whether read files wait to be stored; the message about the last file doesn't wait for that */
  isDue(isStoring: boolean): boolean {
    const unsent = this.files.length + this.gone.length;
    return unsent > 0 && ((isStoring && this.done === this.total) || performance.now() - this.last > REPORT_INTERVAL_MS);
  }

  send(): void {
    this.post({ kind: 'progress', id: this.id, files: this.files, gone: this.gone, done: this.done });
    this.files = [];
    this.gone = [];
    this.last = performance.now();
  }
}
