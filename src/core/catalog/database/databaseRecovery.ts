/** Has a damaged database rebuilt: before the answer if a query meets the damage, or after a check in idle time. */
import { mapDatabaseError } from './databaseErrors';
import { DamagedDatabase } from '../encoding/damagedDatabase';

/** Implemented by `IndexWorkerClient`. */
interface Checker {
  check(damaged?: bigint): Promise<boolean>;
}

/** The number of rebuilds per catalog. A disk that damages everything would otherwise keep it rebuilding. */
const MAX_REBUILDS = 3;
/** The delay in milliseconds before the database is checked; the start has more urgent work. */
const CHECK_DELAY_MS = 10_000;

export class DatabaseRecovery {
  /** The inodes of damaged files. Several queries may meet the same damage. */
  private readonly damaged = new Set<bigint | undefined>();
  private timer: NodeJS.Timeout | undefined;

  /** @param rereadAll reads everything again that was in the database */
  constructor(
    private readonly worker: Checker,
    private readonly rereadAll: () => Promise<void>,
    private readonly cacheDir: string,
  ) {}

  /** Schedules a check. */
  scheduleCheck(): void {
    this.timer = setTimeout(() => void this.recover(undefined).catch(() => undefined), CHECK_DELAY_MS).unref();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** @throws the errors of `query`; {SessionError} `damaged` if the database is damaged repeatedly */
  async withRecovery<T>(query: () => T | Promise<T>): Promise<T> {
    const met = new Set<bigint | undefined>();
    for (;;) {
      try {
        return await query();
      } catch (error) {
        if (!(error instanceof DamagedDatabase) || met.has(error.ino)) throw mapDatabaseError(error, this.cacheDir);
        if (!this.damaged.has(error.ino) && this.damaged.size >= MAX_REBUILDS) throw mapDatabaseError(error, this.cacheDir);
        met.add(error.ino);
        await this.recover(error);
      }
    }
  }

  /** @param damage the damage that a query met, if any */
  private async recover(damage: DamagedDatabase | undefined): Promise<void> {
    if (damage) this.damaged.add(damage.ino);
    const isRebuilt = await this.worker.check(damage?.ino);
    // Another window may have rebuilt it meanwhile.
    if (isRebuilt || damage) await this.rereadAll();
  }
}
