/** Ages in rows of a view: they change without any event. */
import * as vscode from 'vscode';

/** Milliseconds between looks at the ages. */
export const AGE_REFRESH_INTERVAL = 60_000;

/** Formats the times in the rows of a view. */
export interface AgeFormats {
  /** Formats how long ago a time was, in a few characters. */
  readonly age: (time: number) => string;
  /** Formats the same in words. */
  readonly ago: (time: number) => string;
  /** Returns the URI of a row that has an age as its badge; `undefined` if the editor shows none. */
  readonly ageBadge: (time: number) => vscode.Uri | undefined;
  /** The setting by which the editor shows badges. */
  readonly badgeSetting: string;
}

/** The age of a row. */
export interface ItemAge {
  /** In a few characters; empty if it's unknown. */
  readonly age: string;
  /** The same in words. */
  readonly ago: string;
  /** The URI by which the editor shows the age as a badge; absent if it's a part of the row's text. */
  readonly badge: vscode.Uri | undefined;
}

interface RowAgesDeps<T> {
  readonly formats: AgeFormats;
  readonly isVisible: () => boolean;
  /** Receives the rows whose age reads differently now. */
  readonly refresh: (rows: T[]) => void;
}

/** Refreshes rows whose age reads differently than when they were shown, and all when badges are switched on or off. */
export class RowAges<T extends object> {
  private readonly shown = new Map<T, { readonly time: number; readonly text: string }>();
  private readonly clock: NodeJS.Timeout;
  private readonly settings: vscode.Disposable;

  constructor(private readonly deps: RowAgesDeps<T>) {
    this.clock = setInterval(() => this.update(), AGE_REFRESH_INTERVAL);
    this.settings = vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration(deps.formats.badgeSetting) && deps.refresh([...this.shown.keys()]),
    );
  }

  /**
   * Returns the age for a row that is about to be shown.
   * @param time in milliseconds since 1970
   */
  of(row: T, time: number): ItemAge {
    const { age, ago, ageBadge } = this.deps.formats;
    this.shown.set(row, { time, text: this.textOf(time) });
    return { age: age(time), ago: ago(time), badge: ageBadge(time) };
  }

  /** Refreshes rows now, as when a view becomes visible. */
  update(): void {
    if (!this.deps.isVisible()) return;
    const old = [...this.shown].filter(([, { time, text }]) => this.textOf(time) !== text);
    if (old.length > 0) this.deps.refresh(old.map(([row]) => row));
  }

  /** Returns the age and its badge, which change at different times: after some days the age is a date. */
  private textOf(time: number): string {
    const { age, ageBadge } = this.deps.formats;
    return `${age(time)} ${ageBadge(time)?.path ?? ''}`;
  }

  /** Forgets all rows, because others replace them. */
  clear(): void {
    this.shown.clear();
  }

  dispose(): void {
    clearInterval(this.clock);
    this.settings.dispose();
  }
}
