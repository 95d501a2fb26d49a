/**
 * Shows where lines come from, depending on the settings. Each feature's code is loaded when it's first used, and disabled
 * features have no listeners.
 */
import * as vscode from 'vscode';
import type { Catalog, LineOrigin, Session } from '../core/index';
import { loadCode, once } from '../ui/loadCode';
import type { AnnotationKind } from './annotationDecorations';
import type { CurrentLineAnnotation } from './currentLineAnnotation';
import type { DocumentOriginsDeps } from './documentOrigins';
import type { FailureLog } from './logFailure';
import type { OriginHover } from './originHover';
import type { SessionOfLines } from './sessionsOfLines';
import type { TextFunctions } from './turnText';

interface LineOriginFeaturesDeps {
  readonly catalog: Omit<DocumentOriginsDeps['catalog'], 'progress'> & {
    /** Fills a cleared catalog again. @throws {SessionError} */
    readonly open: () => Promise<Catalog>;
    readonly progress: () => { readonly done: number; readonly total: number; readonly isCleared?: true };
  };
  readonly session: (path: string) => Promise<Session>;
  readonly text: TextFunctions;
  readonly escapeMarkdown: (text: string) => string;
  readonly log: FailureLog;
}

const SECTION = 'sessionTree.lineOrigins';

/** Settles a promise that failed because code couldn't be loaded, which a message says already. */
const isShown = (): void => undefined;

export class LineOriginFeatures implements vscode.Disposable {
  private hover: Promise<OriginHover> | undefined;
  private hovers: vscode.Disposable | undefined;
  private blame: Promise<CurrentLineAnnotation> | undefined;
  private lenses: Promise<vscode.Disposable> | undefined;
  private isDisposed = false;
  private readonly made: vscode.Disposable[] = [];
  private readonly documentOrigins = once(async () => {
    const { DocumentOrigins } = await this.load(() => import('./documentOrigins'));
    return this.keep(new DocumentOrigins({ catalog: this.deps.catalog, log: this.deps.log }));
  });
  private readonly fileAnnotations = once(async () => {
    const { FileAnnotations } = await this.load(() => import('./fileAnnotations'));
    return this.keep(new FileAnnotations({ ...this.deps, origins: await this.documentOrigins() }));
  });
  private readonly settings = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) this.apply(event.affectsConfiguration(`${SECTION}.currentLine`));
  });

  constructor(private readonly deps: LineOriginFeaturesDeps) {
    this.apply(true);
  }

  /** As `DocumentOrigins.of`. */
  async originsOf(document: vscode.TextDocument, token?: vscode.CancellationToken): Promise<readonly LineOrigin[]> {
    return (await this.documentOrigins()).of(document, token);
  }

  /** Annotates the current line or not, until the setting changes. Resolves to whether it is. @param on by default the opposite */
  async toggleBlame(on = this.blame === undefined): Promise<boolean> {
    const blame = this.blame;
    if (!on) {
      this.blame = undefined;
      blame?.then((shown) => shown.dispose(), isShown);
      return false;
    }
    const loading = (this.blame ??= this.loadBlame());
    try {
      await loading;
    } catch (error) {
      if (this.blame === loading) this.blame = undefined;
      throw error;
    }
    return true;
  }

  /**
   * Annotates a document, or not. It isn't if no line has an origin.
   *
   * @param on by default the opposite
   */
  async toggleFile(document: vscode.TextDocument, kind: AnnotationKind, on?: boolean): Promise<'shown' | 'hidden' | 'no origins'> {
    const annotations = await this.fileAnnotations();
    if (on ?? annotations.kindOf(document) !== kind) {
      await this.refill();
      return (await annotations.show(document, kind)) ? 'shown' : 'no origins';
    }
    annotations.hide(document);
    return 'hidden';
  }

  /** Returns the sessions that wrote some lines of a document, newest first. */
  async sessionsOf(document: vscode.TextDocument, from: number, to: number): Promise<readonly SessionOfLines[]> {
    const { sessionsOfLines } = await this.load(() => import('./sessionsOfLines'));
    await this.refill();
    return sessionsOfLines(await this.originsOf(document), from, to, this.deps);
  }

  dispose(): void {
    this.isDisposed = true;
    this.settings.dispose();
    this.hovers?.dispose();
    void this.toggleBlame(false);
    this.toggleLenses(false);
    for (const one of this.made) one.dispose();
  }

  /** Fills the catalog again if it was cleared: a user requests what's in it. */
  private async refill(): Promise<void> {
    if (this.deps.catalog.progress().isCleared) await this.deps.catalog.open();
  }

  private apply(isCurrentLineSet: boolean): void {
    const isOn = (name: string): boolean => vscode.workspace.getConfiguration(SECTION).get(name) === true;
    if (isCurrentLineSet) this.toggleBlame(isOn('currentLine')).catch(isShown);
    this.toggleLenses(isOn('codeLens'));
    if (isOn('hover') === (this.hovers !== undefined)) return;
    this.hovers?.dispose();
    this.hovers = isOn('hover')
      ? vscode.languages.registerHoverProvider(
          // The least specific selector: the editor shows its hover below the ones of languages, such as types.
          { language: '*' },
          {
            provideHover: async (document, position, token) => {
              if (document.uri.scheme !== 'file') return undefined;
              // Tried only once, so that reading code doesn't show a message for each word.
              const hover = await (this.hover ??= this.loadHover());
              return hover.provideHover(document, position, token);
            },
          },
        )
      : undefined;
  }

  private toggleLenses(on: boolean): void {
    if (on) {
      this.lenses ??= this.loadLenses();
      this.lenses.catch(isShown);
    } else {
      this.lenses?.then((lenses) => void lenses.dispose(), isShown);
      this.lenses = undefined;
    }
  }

  private load<T>(load: () => Promise<T>): Promise<T> {
    return loadCode(load, this.deps.log.error);
  }

  /** Disposes of it with the features, or now if they are disposed. */
  private keep<T extends vscode.Disposable>(one: T): T {
    if (this.isDisposed) one.dispose();
    else this.made.push(one);
    return one;
  }

  private async loadHover(): Promise<OriginHover> {
    const { OriginHover } = await this.load(() => import('./originHover'));
    return new OriginHover({ ...this.deps, origins: await this.documentOrigins() });
  }

  private async loadBlame(): Promise<CurrentLineAnnotation> {
    const { CurrentLineAnnotation } = await this.load(() => import('./currentLineAnnotation'));
    return new CurrentLineAnnotation({ ...this.deps, origins: await this.documentOrigins() });
  }

  /** Returns the registration. */
  private async loadLenses(): Promise<vscode.Disposable> {
    const { OriginLenses } = await this.load(() => import('./originLenses'));
    const lenses = new OriginLenses({ ...this.deps, origins: await this.documentOrigins() });
    return vscode.languages.registerCodeLensProvider({ scheme: 'file' }, lenses);
  }
}
