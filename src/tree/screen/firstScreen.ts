/** Keeps the rows that the view showed for the next start, which shows them before the sessions are known. */
import { createHash } from 'node:crypto';
import type { CacheFolder } from '../../core/index';
import type { Levels } from '../rows/levels';
import type { ViewRow } from '../rows/viewRows';
import { parseScreen, screenText, type Screen } from './screen';

/** Increased when the format of stored rows changes, so that no version shows the rows of another version. */
const VERSION = 2;
/** Milliseconds from the first change of rows until they're stored, and between two times after it. */
const FIRST_DELAY = 2000;
const DELAY = 30_000;

export interface FirstScreenDeps {
  readonly folder: Pick<CacheFolder, 'read' | 'write' | 'clear'>;
  /** Resolves when the session folders are known. */
  readonly rootsFound: () => Promise<void>;
  /** The session folders, with everything of them that rows depend on. */
  readonly roots: () => string;
  /** True if a path is in one of them. */
  readonly isInRoots: (path: string) => boolean;
  /** Resolves to false while no data of sessions may be stored. */
  readonly mayStore: () => Promise<boolean>;
  readonly onError: (error: unknown, doing: string) => void;
}

/** The settings and the state of the window that rows depend on. */
export interface ScreenSettings {
  readonly folders: readonly string[];
  readonly others: unknown;
}

export class FirstScreen {
  private loading: Promise<Screen | undefined> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private delay = FIRST_DELAY;
  private stored: string | undefined;
  private hasFailed = false;
  private isDisposed = false;

  constructor(
    private readonly deps: FirstScreenDeps,
    private readonly settings: () => ScreenSettings,
  ) {}

  /** Resolves to the stored rows, if they match this window's state and settings. Never rejects. */
  load(): Promise<Screen | undefined> {
    return (this.loading ??= this.read().catch((error: unknown) => {
      this.deps.onError(error, 'reading the first rows');
      return undefined;
    }));
  }

  /** Stores the rows soon. */
  rowsChanged(levels: Levels, isExpanded: (row: ViewRow) => boolean): void {
    if (this.isDisposed || this.hasFailed) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.delay = DELAY;
      this.store(levels, isExpanded).catch((error: unknown) => {
        // The next try would fail, too.
        this.hasFailed = true;
        this.deps.onError(error, 'storing the first rows');
      });
    }, this.delay);
  }

  /** Removes the rows of all windows. Never rejects. */
  async clear(): Promise<void> {
    this.stored = undefined;
    await this.deps.folder.clear().catch((error: unknown) => this.deps.onError(error, 'removing the first rows'));
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
  }

  private async read(): Promise<Screen | undefined> {
    const text = await this.deps.folder.read(this.name());
    if (text === undefined) return undefined;
    await this.deps.rootsFound();
    return parseScreen(text, this.key(), this.deps.isInRoots);
  }

  private async store(levels: Levels, isExpanded: (row: ViewRow) => boolean): Promise<void> {
    if (!(await this.deps.mayStore()) || this.isDisposed) return;
    const text = screenText(this.key(), levels, isExpanded) ?? '';
    if (text === this.stored) return;
    this.stored = text;
    await this.deps.folder.write(this.name(), text);
  }

  private name(): string {
    const { folders } = this.settings();
    return `${createHash('sha256').update(JSON.stringify(folders)).digest('hex').slice(0, 32)}.json`;
  }

  private key(): string {
    return JSON.stringify([VERSION, this.settings(), this.deps.roots()]);
  }
}
