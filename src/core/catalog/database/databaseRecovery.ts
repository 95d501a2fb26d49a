/** Answers come from a database that was checked since the catalog was opened. One that is damaged is made anew, and read again before the answer. */
import { DamagedDatabase, mapDatabaseError } from './databaseErrors';

/** As `IndexWorkerClient` has it. */
interface Checker {
  check(damaged?: bigint): Promise<boolean>;
}

/** So often it is made anew for one catalog: a disk that damages all it is given would keep it at it. */
const MAX_REBUILDS = 3;
/** Milliseconds after opening until it is checked, if no question came before: others have more to do at the start. */
const CHECK_DELAY_MS = 10_000;

export class DatabaseRecovery {
  private checking: Promise<void> | undefined;
  private rebuildCount = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `rereadAll`: what was in the database must be read again; resolves when it was. */
  constructor(
    private readonly worker: Checker,
    private readonly rereadAll: () => Promise<void>,
    private readonly cacheDir: string,
  ) {}

  /** Checks it even if no question comes. */
  scheduleCheck(): void {
    this.timer = setTimeout(() => void this.ensureChecked(), CHECK_DELAY_MS).unref();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** Checks it, once. Never rejects: where it can't be checked, the answer itself tells why. */
  ensureChecked(): Promise<void> {
    return (this.checking ??= this.recover(undefined).catch(() => {
      this.checking = undefined;
    }));
  }

  /** @throws what `ask` does; {SessionError} `damaged` if it is damaged again and again. */
  async withRecovery<T>(ask: () => T | Promise<T>): Promise<T> {
    await this.ensureChecked();
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof DamagedDatabase) || this.rebuildCount >= MAX_REBUILDS) throw mapDatabaseError(error, this.cacheDir);
        await this.recover(error);
      }
    }
  }

  /** What can be read without the database, too: `undefined` where it is damaged, which is mended behind. */
  readOrRecover<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DamagedDatabase)) throw error;
      void this.recover(error).catch(() => undefined);
      return undefined;
    }
  }

  /** `met`: the damage, where some was met. */
  private async recover(met: DamagedDatabase | undefined): Promise<void> {
    if (met) this.rebuildCount++;
    const isAnew = await this.worker.check(met?.ino);
    // Another window may have made it anew meanwhile.
    if (isAnew || met) await this.rereadAll();
  }
}
