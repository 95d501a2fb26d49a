/** The hover of a line: the turn that wrote it, and links to its session. Text of sessions is escaped, so only our links work. */
import * as vscode from 'vscode';
import { beginning, promptExcerpt, sanitizeText, turnOf, type LineOrigin, type Session, type Turn } from '../core/index';
import type { DocumentOrigins } from './documentOrigins';
import { logFailure, type FailureLog } from './logFailure';
import { linksMarkdown, trustOf, type CommandLink } from '../ui/safe/commandLink';
import { certaintyText, promptText, sessionText, turnFacts, type TextFunctions } from './turnText';

const { t } = vscode.l10n;

interface OriginHoverDeps {
  readonly origins: Pick<DocumentOrigins, 'quick'>;
  readonly session: (path: string) => Promise<Session>;
  readonly text: TextFunctions;
  readonly escapeMarkdown: (text: string) => string;
  readonly log: FailureLog;
}

/** Shown instead of an origin that isn't found quickly. */
export const tooManyChangesText = (): string => t('Too many changes to find this line’s origin quickly.');

/** Characters of the prompt. */
const MAX_PROMPT_LENGTH = 500;
const MAX_PROMPT_LINES = 8;

export class OriginHover implements vscode.HoverProvider {
  constructor(private readonly deps: OriginHoverDeps) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const origins = await this.deps.origins.quick(document, token);
    if (origins === 'too many changes') return new vscode.Hover(tooManyChanges(document, position.line));
    const origin = originAt(origins, position.line);
    if (!origin || token.isCancellationRequested) return undefined;
    try {
      const session = await this.deps.session(origin.path);
      const turn = turnOf(session, origin.entryId);
      const prompt = await promptExcerpt(session, turn);
      return new vscode.Hover(this.content(document, position.line, origin, turn, prompt ?? promptText(turn)));
    } catch (error) {
      // The session may have been deleted a moment ago; a hover reports no error.
      logFailure(this.deps.log, error, 'reading the turn that wrote a line');
      return undefined;
    }
  }

  private content(document: vscode.TextDocument, line: number, origin: LineOrigin, turn: Turn, prompt: string): vscode.MarkdownString {
    const { text, escapeMarkdown } = this.deps;
    const { path, entryId } = origin;
    const file = document.uri.fsPath;
    const links: readonly CommandLink[] = [
      { title: t('Open Context There'), command: 'sessionTree.showContext', argument: { row: 'entry', path, entryId } },
      { title: t('Show the Change'), command: 'sessionTree.showFileChange', argument: { path, entryId, file } },
      allEdits(document, line),
      { title: t('Resume'), command: 'sessionTree.resume', argument: { row: 'session', path } },
    ];
    const markdown = new vscode.MarkdownString(
      [
        escapeMarkdown(excerptOf(sanitizeText(prompt))),
        '---',
        [sessionText(turn, text), turnFacts(turn, origin.time, text), certaintyText(origin.certainty)]
          .map((fact) => escapeMarkdown(sanitizeText(fact)))
          .join('  \n'),
        linksMarkdown(links),
      ].join('\n\n'),
    );
    markdown.isTrusted = trustOf(links);
    return markdown;
  }
}

/** @param line from 0 */
const allEdits = ({ uri: { fsPath: file } }: vscode.TextDocument, line: number): CommandLink => ({
  title: t('All Edits of This Line'),
  command: 'sessionTree.whyThisLine',
  argument: { row: 'line', file, line: line + 1 },
});

/** Says that it takes longer, with a link to the command that goes on until it's found or cancelled. */
function tooManyChanges(document: vscode.TextDocument, line: number): vscode.MarkdownString {
  const links = [allEdits(document, line)];
  const markdown = new vscode.MarkdownString([tooManyChangesText(), linksMarkdown(links)].join('\n\n'));
  markdown.isTrusted = trustOf(links);
  return markdown;
}

/** @param line from 0 */
export const originAt = (origins: readonly LineOrigin[], line: number): LineOrigin | undefined =>
  origins.find(({ from, to }) => from <= line + 1 && line + 1 <= to);

/** The first lines of a prompt. */
function excerptOf(prompt: string): string {
  const lines = prompt.split(/\r\n|\n|\r/);
  const shown = beginning(lines.slice(0, MAX_PROMPT_LINES).join('\n'), MAX_PROMPT_LENGTH).trimEnd();
  return shown.length < prompt.trimEnd().length ? `${shown}…` : shown;
}
