/** Rows of files that nothing is known of yet, from their beginnings and ends: the newest at once, the others behind. */
import { Pause } from '../files/pause';
import type { CatalogOptions } from './catalogApi';
import { firstLook, roomToLook } from './firstLook';
import type { StaleFile } from './protocol';
import type { KnownFile } from './row';

/** Rows that the first answer waits for. */
const FIRST_ROWS = 20;

/** What is read in a quarter of a second, in files and in bytes. */
const SOON = { files: 200, bytes: 256 * 1024 * 1024 };

/** How many files are read soon. */
function soon(files: readonly StaleFile[]): number {
  let bytes = 0;
  const first = files.findIndex(({ version }, index) => index === SOON.files || (bytes += version.size) > SOON.bytes);
  return first < 0 ? files.length : first;
}

export class FirstRows {
  private room: Buffer | undefined;

  /** Rows go to `known`, unless there is one. */
  constructor(
    private readonly known: Map<string, KnownFile>,
    private readonly options: Pick<CatalogOptions, 'signal' | 'onRows'>,
  ) {}

  /** @returns the files that are left for `go`. */
  begin(files: readonly StaleFile[]): readonly StaleFile[] {
    for (const file of files.slice(0, FIRST_ROWS)) this.look(file);
    return files.slice(FIRST_ROWS);
  }

  /** `isRead`: they are being read in full, too, in their order: then the first of them need no look. */
  async go(given: readonly StaleFile[], isRead: boolean): Promise<void> {
    const files = isRead ? given.slice(soon(given)) : given;
    const pause = new Pause(this.options.signal);
    let told = 0;
    const tell = (upTo: number): void => {
      if (upTo > told) this.options.onRows?.(files.slice(told, upTo).map(({ path }) => path));
      told = upTo;
    };
    for (const [index, file] of files.entries()) {
      this.look(file);
      if (!pause.isDue()) continue;
      tell(index + 1);
      await pause.here();
    }
    tell(files.length);
    this.room = undefined;
  }

  private look({ path, owner, version, dialect }: StaleFile): void {
    if (this.known.has(path)) return;
    const row = firstLook({ path, version }, dialect, (this.room ??= roomToLook()));
    this.known.set(path, { path, version, row, complete: false, ...(owner === undefined ? {} : { owner }) });
  }
}
