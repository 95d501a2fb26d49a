/** Answers only from a database that was checked since the catalog was opened. A damaged one is rebuilt before the answer. */
import { DamagedDatabase, mapDatabaseError } from '../databaseErrors';

/** Implemented by `IndexWorkerClient`. */
interface Checker {
  check(damaged?: bigint): Promise<boolean>;
}

/** The number of rebuilds per catalog. A disk that damages everything would otherwise keep it rebuilding. */
const MAX_REBUILDS = 3;
/** The delay in milliseconds before the database is checked without a query; the start has more urgent work. */
const CHECK_DELAY_MS = 10_000;

export class DatabaseRecovery {
  private checking: Promise<void> | undefined;
  private rebuildCount = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param rereadAll reads everything again that was in the database */
  constructor(
    private readonly worker: Checker,
    private readonly rereadAll: () => Promise<void>,
    private readonly cacheDir: string,
  ) {}

  /** Schedules a check in case no query triggers one. */
  scheduleCheck(): void {
    this.timer = setTimeout(() => void this.ensureChecked(), CHECK_DELAY_MS).unref();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** Checks the database once. Never rejects: if the check fails, the query that follows reports why. */
  ensureChecked(): Promise<void> {
    return (this.checking ??= this.recover(undefined).catch(() => {
      this.checking = undefined;
    }));
  }

  /** @throws the errors of `query`; {SessionError} `damaged` if the database is damaged repeatedly */
  async withRecovery<T>(query: () => T | Promise<T>): Promise<T> {
    await this.ensureChecked();
    for (;;) {
      try {
        return await query();
      } catch (error) {
        if (!(error instanceof DamagedDatabase) || this.rebuildCount >= MAX_REBUILDS) throw mapDatabaseError(error, this.cacheDir);
        await this.recover(error);
      }
    }
  }

  /** For data that can be read elsewhere: returns `undefined` if the database is damaged, and repairs it in the background. */
  readOrRecover<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DamagedDatabase)) throw error;
      void this.recover(error).catch(() => undefined);
      return undefined;
    }
  }

  /** @param damage the damage that a query met, if any */
  private async recover(damage: DamagedDatabase | undefined): Promise<void> {
    if (damage) this.rebuildCount++;
    const isRebuilt = await this.worker.check(damage?.ino);
    // Another window may have rebuilt it meanwhile.
    if (isRebuilt || damage) await this.rereadAll();
  }
}
