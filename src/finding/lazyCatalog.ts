/** The catalog as the editor has it: opened when somebody first asks, filled in the background, and kept to what the roots are. */
import * as vscode from 'vscode';
import { openCatalog, SessionError, type Catalog, type Root } from '../core/index';

export interface LazyCatalogDeps {
  /** For the database, for its owner alone. */
  readonly cacheDir: string;
  readonly roots: () => readonly Root[];
  /** Shows that something is going on until it is over. */
  readonly whileFilling: (work: Promise<void>) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** How far filling has come. */
export interface Filling {
  /** Files that were read of those that must be; the same when all were. */
  readonly done: number;
  readonly total: number;
  /** Why the last filling ended early. */
  readonly problem?: SessionError;
}

interface Opened {
  /** The roots that it was opened for. */
  readonly key: string;
  readonly catalog: Promise<Catalog>;
  readonly stop: AbortController;
}

const FILLED: Filling = { done: 0, total: 0 };

export class LazyCatalog implements vscode.Disposable {
  private opened: Opened | undefined;
  private filling: Promise<void> = Promise.resolve();
  private state = FILLED;
  private isDisposed = false;
  private readonly emitter = new vscode.EventEmitter<Filling>();
  /** More is known than before, or filling has come to its end. */
  readonly onDidChange = this.emitter.event;

  constructor(private readonly deps: LazyCatalogDeps) {}

  progress(): Filling {
    return this.state;
  }

  /**
   * Opens it where it is not open yet. What is missing in it is then read behind.
   *
   * @throws {SessionError} in words for a person, where there can be no catalog; the next call tries again.
   */
  async open(): Promise<Catalog> {
    if (this.isDisposed) throw new vscode.CancellationError();
    const roots = this.deps.roots();
    const key = JSON.stringify(roots);
    if (this.opened?.key !== key) {
      this.close();
      this.opened = this.openFor(roots, key);
    }
    return this.opened.catalog;
  }

  /** These files are other than they were. Before the first `open` it is nobody's business. */
  changed(paths: readonly string[]): void {
    if (this.opened && paths.length > 0) this.fill(this.opened, paths);
  }

  /** Looks at everything again. */
  refresh(): void {
    if (this.opened) this.fill(this.opened, undefined);
  }

  /** Resolves when all that has begun to be read is read, or after so many milliseconds. Never rejects. */
  async settled(limit: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, limit)));
    await Promise.race([this.filling, patience]);
    clearTimeout(timer);
  }

  dispose(): void {
    this.isDisposed = true;
    this.close();
    this.emitter.dispose();
  }

  private openFor(roots: readonly Root[], key: string): Opened {
    const stop = new AbortController();
    const { cacheDir } = this.deps;
    const onProgress = (done: number, total: number): void => this.tell({ done, total });
    const catalog = openCatalog({ roots, cacheDir, signal: stop.signal, onProgress }).catch((error: unknown) => {
      // The reason may be gone when somebody asks again: another window's lock, a full disk.
      if (this.opened?.key === key) this.opened = undefined;
      throw error instanceof SessionError ? error : unusable(error, cacheDir);
    });
    const opened = { key, catalog, stop };
    this.fill(opened, undefined);
    return opened;
  }

  private fill({ catalog, stop }: Opened, paths: readonly string[] | undefined): void {
    const work = catalog.then(
      async (open) => {
        const problem = await open.refresh(paths).then(
          () => undefined,
          (error: unknown) => this.failed(error, stop.signal),
        );
        if (!stop.signal.aborted) this.tell({ ...FILLED, ...(problem ? { problem } : {}) });
      },
      // Whoever opened it is told.
      () => undefined,
    );
    const before = this.filling;
    this.filling = before.then(() => work);
    if (paths === undefined) this.deps.whileFilling(work);
  }

  private failed(error: unknown, signal: AbortSignal): SessionError | undefined {
    if (signal.aborted) return undefined;
    this.deps.onError(error, 'filling the catalog');
    return error instanceof SessionError ? error : unusable(error, this.deps.cacheDir);
  }

  private tell(state: Filling): void {
    this.state = state;
    if (!this.isDisposed) this.emitter.fire(state);
  }

  private close(): void {
    const { opened } = this;
    this.opened = undefined;
    this.state = FILLED;
    if (!opened) return;
    opened.stop.abort();
    opened.catalog.then((catalog) => catalog.close()).catch((error: unknown) => {
      if (!(error instanceof SessionError)) this.deps.onError(error, 'closing the catalog');
    });
  }
}

function unusable(error: unknown, folder: string): SessionError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SessionError('permission', 'The catalog can’t be used ({reason}), so not all sessions can be searched: {folder}', { reason, folder }, { cause: error });
}
