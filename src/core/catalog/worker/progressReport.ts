/** How far reading has come, as it is told of. */
import type { IndexResponse } from './workerProtocol';
import type { KnownFile } from '../rows/catalogRow';

/** Milliseconds between two reports. */
const REPORT_INTERVAL_MS = 50;

/** Tells of files as they are done, not of each alone. `total`: files that there are. */
export class ProgressReport {
  private files: KnownFile[] = [];
  private gone: string[] = [];
  private done = 0;
  private last = performance.now();

  constructor(
    private readonly id: number,
    private readonly total: number,
    private readonly answer: (message: IndexResponse) => void,
  ) {}

  add(path: string, known: KnownFile | undefined): void {
    this.done++;
    if (known) this.files.push(known);
    else this.gone.push(path);
  }

  /** `isPending`: there is still something to be stored, which is not waited for when all were read. */
  isDue(isWaiting: boolean): boolean {
    const untold = this.files.length + this.gone.length;
    return untold > 0 && ((isWaiting && this.done === this.total) || performance.now() - this.last > REPORT_INTERVAL_MS);
  }

  send(): void {
    this.answer({ kind: 'progress', id: this.id, files: this.files, gone: this.gone, done: this.done });
    this.files = [];
    this.gone = [];
    this.last = performance.now();
  }
}
