/** CodeLens above functions and classes: how many sessions wrote their lines, and the last of them. */
import * as vscode from 'vscode';
import { uiLine } from '../core/index';
import type { DocumentOrigins } from './documentOrigins';
import { sessionsOfLines } from './sessionsOfLines';
import type { TurnReaderDeps } from './turnReader';

const { t } = vscode.l10n;

interface OriginLensesDeps extends TurnReaderDeps {
  readonly origins: Pick<DocumentOrigins, 'of' | 'onDidChange'>;
}

const KINDS: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
]);
/** Symbols of a document; more get no lens. */
const MAX_SYMBOLS = 2000;
const MAX_TITLE_LENGTH = 60;

class OriginLens extends vscode.CodeLens {
  /** @param lines the lines of the symbol */
  constructor(
    readonly document: vscode.TextDocument,
    readonly lines: vscode.Range,
  ) {
    super(new vscode.Range(lines.start, lines.start));
  }
}

export class OriginLenses implements vscode.CodeLensProvider<OriginLens> {
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(private readonly deps: OriginLensesDeps) {
    this.onDidChangeCodeLenses = deps.origins.onDidChange;
  }

  async provideCodeLenses(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<OriginLens[]> {
    const origins = await this.deps.origins.of(document, token);
    if (origins.length === 0 || token.isCancellationRequested) return [];
    const symbols = await vscode.commands.executeCommand<Symbols | undefined>('vscode.executeDocumentSymbolProvider', document.uri);
    const byLine = new Map<number, vscode.Range>();
    for (const { range } of functionsAndClasses(symbols ?? []))
      if (origins.some(({ from, to }) => from <= range.end.line + 1 && range.start.line + 1 <= to)) byLine.set(range.start.line, range);
    return [...byLine.values()].map((range) => new OriginLens(document, range));
  }

  /** Only lenses in sight are resolved, and only these read sessions. */
  async resolveCodeLens(lens: OriginLens, token: vscode.CancellationToken): Promise<OriginLens> {
    const { document, lines } = lens;
    const [from, to] = [lines.start.line + 1, lines.end.line + 1];
    const sessions = await sessionsOfLines(await this.deps.origins.of(document, token), from, to, this.deps);
    const title = uiLine(sessions[0]?.title ?? '', MAX_TITLE_LENGTH);
    const text = sessions.length === 1 ? t('1 session: {0}', title) : t('{0} sessions, last: {1}', sessions.length, title);
    lens.command = { title: uiLine(text), command: 'sessionTree.sessionsOfLines', arguments: [document.uri, from, to] };
    return lens;
  }
}

/** Providers give either of two types. */
type Symbols = readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[];

/** The symbols of functions and classes, nested ones included. */
function functionsAndClasses(symbols: Symbols): { range: vscode.Range }[] {
  const found: { range: vscode.Range }[] = [];
  const rest = [...symbols].reverse();
  for (let next = rest.pop(), count = 0; next && count < MAX_SYMBOLS; next = rest.pop(), count++) {
    const range = 'location' in next ? next.location.range : next.range;
    if (KINDS.has(next.kind)) found.push({ range });
    if ('children' in next) rest.push(...next.children.slice(0, MAX_SYMBOLS).reverse());
  }
  return found;
}
