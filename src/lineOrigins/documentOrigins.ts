/** The origins of the lines of open documents, as the editor has them: with unsaved text, and no longer than they're needed. */
import * as vscode from 'vscode';
import { lineOrigins, TooManyChanges, type Catalog, type LineOrigin } from '../core/index';
import { logFailure, type FailureLog } from './logFailure';

export interface DocumentOriginsDeps {
  readonly catalog: {
    /** Resolves to `undefined` if there is none, or if this or another window has cleared it. */
    readonly catalog: () => Promise<Catalog | undefined>;
    readonly progress: () => { readonly done: number; readonly total: number };
    /** Fires when sessions differ and the catalog has read them. */
    readonly onDidChangeSessions: vscode.Event<void>;
  };
  readonly log: FailureLog;
}

/** Origins that are found in about a tenth of a second, or that this would take longer. */
type QuickOrigins = readonly LineOrigin[] | 'too many changes';

interface Computation {
  readonly version: number;
  /** The state of the sessions. */
  readonly state: number;
  readonly origins: Promise<QuickOrigins>;
  readonly stop: AbortController;
  /** Callers that still need the result. */
  waiting: number;
  isDone: boolean;
}

export class DocumentOrigins implements vscode.Disposable {
  private readonly computations = new WeakMap<vscode.TextDocument, Computation>();
  private readonly quickComputations = new WeakMap<vscode.TextDocument, Computation>();
  private readonly running = new Set<AbortController>();
  private state = 0;
  private readonly emitter = new vscode.EventEmitter<void>();
  /** Fires when sessions differ, so that origins may. */
  readonly onDidChange = this.emitter.event;
  private readonly sessions: vscode.Disposable;

  constructor(private readonly deps: DocumentOriginsDeps) {
    this.sessions = deps.catalog.onDidChangeSessions(() => {
      this.state++;
      this.emitter.fire();
    });
  }

  /**
   * Returns the origins of a document's lines, in order and not overlapping. They are found once for each version of the
   * document, for all callers together. Empty for documents that aren't files, aren't text or are too large, if the token is
   * cancelled, and if origins can't be found; the log has the reason. Never rejects: readers of code didn't ask for anything, so no message is shown.
   */
  async of(document: vscode.TextDocument, token?: vscode.CancellationToken): Promise<readonly LineOrigin[]> {
    const found = await this.wait(document, token, false);
    // Only quick searches end with too many changes.
    return found === 'too many changes' ? [] : found;
  }

  /** Like `of`, for what appears unasked, such as hovers: it doesn't go on when there are many changes. */
  async quick(document: vscode.TextDocument, token?: vscode.CancellationToken): Promise<QuickOrigins> {
    return this.wait(document, token, true);
  }

  private async wait(document: vscode.TextDocument, token: vscode.CancellationToken | undefined, isQuick: boolean): Promise<QuickOrigins> {
    if (document.uri.scheme !== 'file' || token?.isCancellationRequested) return [];
    const computation = this.computationOf(document, isQuick);
    computation.waiting++;
    let cancelled: vscode.Disposable | undefined;
    const cancellation = new Promise<QuickOrigins>((resolve) => {
      cancelled = token?.onCancellationRequested(() => {
        if (--computation.waiting === 0) computation.stop.abort();
        resolve([]);
      });
    });
    try {
      return await Promise.race([computation.origins, cancellation]);
    } finally {
      cancelled?.dispose();
    }
  }

  dispose(): void {
    for (const stop of this.running) stop.abort();
    this.sessions.dispose();
    this.emitter.dispose();
  }

  private computationOf(document: vscode.TextDocument, isQuick: boolean): Computation {
    const complete = this.computations.get(document);
    if (isQuick && complete?.isDone && this.isValid(complete, document)) return complete;
    const computations = isQuick ? this.quickComputations : this.computations;
    const known = computations.get(document);
    if (known && this.isValid(known, document)) return known;
    const stop = new AbortController();
    const computation: Computation = {
      version: document.version,
      state: this.state,
      origins: this.find(document, stop, isQuick).finally(() => (computation.isDone = true)),
      stop,
      waiting: 0,
      isDone: false,
    };
    computations.set(document, computation);
    return computation;
  }

  private isValid({ version, state, stop, isDone }: Computation, document: vscode.TextDocument): boolean {
    if (version !== document.version || state !== this.state || stop.signal.aborted) return false;
    const { done, total } = this.deps.catalog.progress();
    // While sessions are being read, a result may lack some of them.
    return !isDone || done === total;
  }

  private async find(document: vscode.TextDocument, stop: AbortController, isQuick: boolean): Promise<QuickOrigins> {
    const { signal } = stop;
    this.running.add(stop);
    try {
      // The text at the time of the call; it may change while the catalog is opened.
      const text = document.getText();
      // Reading code must not fill a catalog again that a person has cleared.
      const catalog = await this.deps.catalog.catalog();
      if (!catalog) return [];
      signal.throwIfAborted();
      // Git runs in the repository of the file, which an untrusted workspace may have brought along.
      return await lineOrigins(catalog, document.uri.fsPath, { text, signal, git: vscode.workspace.isTrusted, isQuick });
    } catch (error) {
      if (error instanceof TooManyChanges) return 'too many changes';
      if (!signal.aborted) logFailure(this.deps.log, error, 'finding the origins of lines');
      return [];
    } finally {
      this.running.delete(stop);
    }
  }
}
