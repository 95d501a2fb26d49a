/** Answers come from a database that was checked since the catalog was opened. One that is damaged is made anew, and read again before the answer. */
import { DamagedDatabase, databaseError } from './damage';

/** As `WorkerLink` has it. */
interface Checker {
  check(damaged?: bigint): Promise<boolean>;
}

/** So often it is made anew for one catalog: a disk that damages all it is given would keep it at it. */
const MOST = 3;
/** Milliseconds after opening until it is checked, if no question came before: others have more to do at the start. */
const CHECK_AFTER = 10_000;

export class Mending {
  private checking: Promise<void> | undefined;
  private times = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `readAnew`: what was in the database must be read again; resolves when it was. */
  constructor(
    private readonly worker: Checker,
    private readonly readAnew: () => Promise<void>,
    private readonly cacheDir: string,
  ) {}

  /** Checks it even if no question comes. */
  checkLater(): void {
    this.timer = setTimeout(() => void this.checked(), CHECK_AFTER).unref();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** Checks it, once. Never rejects: where it can't be checked, the answer itself tells why. */
  checked(): Promise<void> {
    return (this.checking ??= this.mend(undefined).catch(() => {
      this.checking = undefined;
    }));
  }

  /** @throws what `ask` does; {SessionError} `damaged` if it is damaged again and again. */
  async answered<T>(ask: () => T | Promise<T>): Promise<T> {
    await this.checked();
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof DamagedDatabase) || this.times >= MOST) throw databaseError(error, this.cacheDir);
        await this.mend(error);
      }
    }
  }

  /** What can be read without the database, too: `undefined` where it is damaged, which is mended behind. */
  whole<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DamagedDatabase)) throw error;
      void this.mend(error).catch(() => undefined);
      return undefined;
    }
  }

  /** `met`: the damage, where some was met. */
  private async mend(met: DamagedDatabase | undefined): Promise<void> {
    if (met) this.times++;
    const isAnew = await this.worker.check(met?.ino);
    // Another window may have made it anew meanwhile.
    if (isAnew || met) await this.readAnew();
  }
}
