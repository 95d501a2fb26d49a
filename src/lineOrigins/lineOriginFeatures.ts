/**
 * Shows where lines come from, as the settings say. Each feature's code is loaded when it's first used, and what is off has no
 * listeners.
 */
import * as vscode from 'vscode';
import type { Catalog, LineOrigin, Session } from '../core/index';
import type { CurrentLineAnnotation } from './currentLineAnnotation';
import type { DocumentOrigins, DocumentOriginsDeps } from './documentOrigins';
import type { AnnotationKind, FileAnnotations } from './fileAnnotations';
import type { FailureLog } from './logFailure';
import type { OriginHover } from './originHover';
import type { SessionOfLines } from './sessionsOfLines';
import type { TextFunctions } from './turnText';

export interface LineOriginFeaturesDeps {
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

export class LineOriginFeatures implements vscode.Disposable {
  private origins: Promise<DocumentOrigins> | undefined;
  private hover: Promise<OriginHover> | undefined;
  private hovers: vscode.Disposable | undefined;
  private blame: Promise<CurrentLineAnnotation> | undefined;
  private annotations: Promise<FileAnnotations> | undefined;
  private lenses: Promise<vscode.Disposable> | undefined;
  private isDisposed = false;
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

  /** Annotates the current line or not, until the setting changes. Returns whether it is. @param on by default the opposite */
  toggleBlame(on = this.blame === undefined): boolean {
    if (on) this.blame ??= this.loadBlame();
    else {
      void this.blame?.then((blame) => blame.dispose());
      this.blame = undefined;
    }
    return on;
  }

  /**
   * Annotates a document, or not. It isn't if no line has an origin.
   *
   * @param on by default the opposite
   */
  async toggleFile(document: vscode.TextDocument, kind: AnnotationKind, on?: boolean): Promise<'shown' | 'hidden' | 'no origins'> {
    const annotations = await (this.annotations ??= this.loadAnnotations());
    if (on ?? annotations.kindOf(document) !== kind) {
      await this.refill();
      return (await annotations.show(document, kind)) ? 'shown' : 'no origins';
    }
    annotations.hide(document);
    return 'hidden';
  }

  /** Returns the sessions that wrote some lines of a document, newest first. */
  async sessionsOf(document: vscode.TextDocument, from: number, to: number): Promise<readonly SessionOfLines[]> {
    const { sessionsOfLines } = await import('./sessionsOfLines');
    await this.refill();
    return sessionsOfLines(await this.originsOf(document), from, to, this.deps);
  }

  dispose(): void {
    this.isDisposed = true;
    this.settings.dispose();
    this.hovers?.dispose();
    this.toggleBlame(false);
    this.toggleLenses(false);
    for (const loaded of [this.annotations, this.origins]) void loaded?.then((one) => one.dispose());
  }

  /** Fills the catalog again if it was cleared: a user requests what's in it. */
  private async refill(): Promise<void> {
    if (this.deps.catalog.progress().isCleared) await this.deps.catalog.open();
  }

  private apply(isCurrentLineSet: boolean): void {
    const isOn = (name: string): boolean => vscode.workspace.getConfiguration(SECTION).get(name) === true;
    if (isCurrentLineSet) this.toggleBlame(isOn('currentLine'));
    this.toggleLenses(isOn('codeLens'));
    if (isOn('hover') === (this.hovers !== undefined)) return;
    this.hovers?.dispose();
    this.hovers = isOn('hover')
      ? vscode.languages.registerHoverProvider(
          { scheme: 'file' },
          {
            provideHover: async (document, position, token) => {
              const hover = await (this.hover ??= this.loadHover());
              return hover.provideHover(document, position, token);
            },
          },
        )
      : undefined;
  }

  private toggleLenses(on: boolean): void {
    if (on) this.lenses ??= this.loadLenses();
    else {
      void this.lenses?.then((lenses) => void lenses.dispose());
      this.lenses = undefined;
    }
  }

  private documentOrigins(): Promise<DocumentOrigins> {
    return (this.origins ??= import('./documentOrigins').then(({ DocumentOrigins }) => {
      const made = new DocumentOrigins({ catalog: this.deps.catalog, log: this.deps.log });
      if (this.isDisposed) made.dispose();
      return made;
    }));
  }

  private async loadHover(): Promise<OriginHover> {
    const { OriginHover } = await import('./originHover');
    return new OriginHover({ ...this.deps, origins: await this.documentOrigins() });
  }

  private async loadBlame(): Promise<CurrentLineAnnotation> {
    const { CurrentLineAnnotation } = await import('./currentLineAnnotation');
    return new CurrentLineAnnotation({ ...this.deps, origins: await this.documentOrigins() });
  }

  /** Returns the registration. */
  private async loadLenses(): Promise<vscode.Disposable> {
    const { OriginLenses } = await import('./originLenses');
    const lenses = new OriginLenses({ ...this.deps, origins: await this.documentOrigins() });
    return vscode.languages.registerCodeLensProvider({ scheme: 'file' }, lenses);
  }

  private async loadAnnotations(): Promise<FileAnnotations> {
    const { FileAnnotations } = await import('./fileAnnotations');
    return new FileAnnotations({ ...this.deps, origins: await this.documentOrigins() });
  }
}
