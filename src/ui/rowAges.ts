/** Ages in rows of a view: they change without any event. */

/** Milliseconds between looks at the ages. */
export const AGE_REFRESH_INTERVAL = 60_000;

interface RowAgesDeps<T> {
  /** Formats how long ago a time was. */
  readonly age: (time: number) => string;
  readonly isVisible: () => boolean;
  /** Receives the rows whose age reads differently now. */
  readonly refresh: (rows: T[]) => void;
}

/** Refreshes rows whose age reads differently than when they were shown. */
export class RowAges<T extends object> {
  private readonly shown = new Map<T, { readonly time: number; readonly age: string }>();
  private readonly clock: NodeJS.Timeout;

  constructor(private readonly deps: RowAgesDeps<T>) {
    this.clock = setInterval(() => this.update(), AGE_REFRESH_INTERVAL);
  }

  /**
   * Returns the age for a row that is about to be shown.
   * @param time in milliseconds since 1970
   */
  of(row: T, time: number): string {
    const age = this.deps.age(time);
    this.shown.set(row, { time, age });
    return age;
  }

  /** Refreshes rows now, as when a view becomes visible. */
  update(): void {
    if (!this.deps.isVisible()) return;
    const old = [...this.shown].filter(([, { time, age }]) => this.deps.age(time) !== age);
    if (old.length > 0) this.deps.refresh(old.map(([row]) => row));
  }

  /** Forgets all rows, because others replace them. */
  clear(): void {
    this.shown.clear();
  }

  dispose(): void {
    clearInterval(this.clock);
  }
}
