/**
 * Builds the DOM nodes of Markdown texts in pieces. The nodes of a long text take longer than a frame to build, so the
 * page prepares them ahead, a piece at a time, before it draws the article.
 */
import type { Steps } from '../../../core/format/session/steps';
import type { Article, TruncatedText } from '../../shared/protocol';
import type { Folds } from '../shell/foldStates';
import { h } from '../ui/dom';
import { highlightCode, isHighlighted, type HighlightedText } from '../content/highlightCode';
import { markdownPieces } from './renderMarkdown';
import { sanitizeHtml } from './sanitizeHtml';

/** UTF-16 units of Markdown that one step builds. */
const PIECE_LENGTH = 2000;

export class MarkdownPreparer {
  private readonly builds = new WeakMap<TruncatedText, MarkdownBuild>();

  /**
   * Continues to build the texts that are drawn with an article, by at least one step.
   *
   * @param until when to stop, on the clock of `performance`.
   * @returns true if everything is built.
   */
  prepare(article: Article, folds: Folds, until: number): boolean {
    for (const text of initiallyShown(article, folds)) {
      const build = this.buildFor(text);
      while (!build.isDone) {
        build.step();
        if (performance.now() >= until) return false;
      }
    }
    return true;
  }

  /** Returns the nodes of a text, finishing the build if necessary. Each build can be taken once. */
  take(text: TruncatedText): DocumentFragment {
    const build = this.buildFor(text);
    this.builds.delete(text);
    return build.finish();
  }

  private buildFor(text: TruncatedText): MarkdownBuild {
    const build = this.builds.get(text) ?? new MarkdownBuild(text.text);
    this.builds.set(text, build);
    return build;
  }
}

/** Builds all nodes of a text without a pause. */
export function buildMarkdown(text: string): DocumentFragment {
  return new MarkdownBuild(text).finish();
}

/** A build in progress. */
class MarkdownBuild {
  isDone = false;
  private readonly nodes = new DocumentFragment();
  private readonly steps: Steps<void>;

  constructor(text: string) {
    this.steps = buildNodes(text, this.nodes);
  }

  step(): void {
    this.isDone = this.steps.next().done === true;
  }

  finish(): DocumentFragment {
    while (!this.isDone) this.step();
    return this.nodes;
  }
}

function* buildNodes(text: string, into: DocumentFragment): Steps<void> {
  for (const html of markdownPieces(text, PIECE_LENGTH)) {
    into.append(sanitizeHtml(html));
    yield;
  }
  for (const code of into.querySelectorAll('pre.code > code[class]')) yield* highlight(code);
}

function* highlight(code: Element): Steps<void> {
  const text = code.textContent;
  const language = code.className.replace(/^language-/, '');
  if (!isHighlighted(text, language)) return;
  const highlighted = new DocumentFragment();
  const isLong = text.length > PIECE_LENGTH;
  for (const piece of highlightCode(text, language)) {
    const nodes = piece.map(spans);
    if (isLong && nodes.length > 0) highlighted.append(codePiece(piece, nodes));
    else highlighted.append(...nodes);
    yield;
  }
  code.replaceChildren(highlighted);
}

/** Wraps whole lines of long code. The browser styles and lays out only the pieces near the visible range; the others have as many lines. */
function codePiece(piece: readonly HighlightedText[], nodes: readonly Node[]): HTMLElement {
  const text = piece.map((part) => part.text).join('');
  const element = h('span', { class: 'code-piece' }, ...nodes);
  element.style.setProperty('--lines', String(text.replace(/\n$/, '').split('\n').length));
  return element;
}

const spans = ({ text, classes }: HighlightedText): Node =>
  classes.reduceRight<Node>((inner, name) => h('span', { class: name }, inner), new Text(text));

/** Returns the texts that are drawn with an article; texts in closed folds are drawn when the fold opens. */
function initiallyShown({ key, row, parts }: Article, folds: Folds): TruncatedText[] {
  if (row && !folds.isOpen(`${key}/row`, false)) return [];
  return parts.flatMap((part, at) => {
    if (part.kind !== 'markdown' && !(part.kind === 'thinking' && folds.isOpen(`${key}/${at}`, false))) return [];
    return part.text.omitted === undefined || folds.isOpen(`${key}/text/${part.text.nth}`, false) ? [part.text] : [];
  });
}
