/**
 * Shows where lines come from, as the settings say. Each feature's code is loaded when it's first used, and what is off has no
 * listeners.
 */
import * as vscode from 'vscode';
import type { LineOrigin, Session } from '../core/index';
import type { DocumentOrigins, DocumentOriginsDeps } from './documentOrigins';
import type { FailureLog } from './logFailure';
import type { OriginHover } from './originHover';
import type { TextFunctions } from './turnText';

export interface LineOriginFeaturesDeps {
  readonly catalog: DocumentOriginsDeps['catalog'];
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
  private isDisposed = false;
  private readonly settings = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) this.apply();
  });

  constructor(private readonly deps: LineOriginFeaturesDeps) {
    this.apply();
  }

  /** As `DocumentOrigins.of`. */
  async originsOf(document: vscode.TextDocument, token?: vscode.CancellationToken): Promise<readonly LineOrigin[]> {
    return (await this.documentOrigins()).of(document, token);
  }

  dispose(): void {
    this.isDisposed = true;
    this.settings.dispose();
    this.hovers?.dispose();
    void this.origins?.then((origins) => origins.dispose());
  }

  private apply(): void {
    const isOn = (name: string): boolean => vscode.workspace.getConfiguration(SECTION).get(name) === true;
    if (isOn('hover') === (this.hovers !== undefined)) return;
    this.hovers?.dispose();
    this.hovers = isOn('hover')
      ? vscode.languages.registerHoverProvider(
          { scheme: 'file' },
          { provideHover: async (...args) => (await this.originHover()).provideHover(...args) },
        )
      : undefined;
  }

  private documentOrigins(): Promise<DocumentOrigins> {
    return (this.origins ??= import('./documentOrigins').then(({ DocumentOrigins }) => {
      const made = new DocumentOrigins({ catalog: this.deps.catalog, log: this.deps.log });
      if (this.isDisposed) made.dispose();
      return made;
    }));
  }

  private originHover(): Promise<OriginHover> {
    return (this.hover ??= import('./originHover').then(async ({ OriginHover }) => {
      const { session, text, escapeMarkdown, log } = this.deps;
      return new OriginHover({ origins: await this.documentOrigins(), session, text, escapeMarkdown, log });
    }));
  }
}
