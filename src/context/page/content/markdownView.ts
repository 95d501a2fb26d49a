/**
 * Markdown as it is drawn. Making the elements of a long text takes longer than a frame, so they can be made before
 * it is drawn, a piece at a time.
 */
import { MARKDOWN_PIECE_LENGTH } from '../../shared/markdownRenderer';
import type { Article, TruncatedText } from '../../shared/protocol';
import { h } from '../ui/dom';
import { highlightCode, isHighlighted, type HighlightedText } from './highlightCode';
import { longText, type TextLocation } from './longText';
import { markdownPieces } from './renderMarkdown';
import type { FoldStates, PageContext } from '../shell/pageContext';
import { sanitizeHtml } from './sanitizeHtml';

/** Characters of markdown that are made at a time. */
const PIECE_LENGTH = 2000;

export class MarkdownPreparer {
  private readonly builds = new WeakMap<TruncatedText, MarkdownBuild>();

  /** Goes on making what will be drawn of an article, at least a piece. @param until on the clock of `performance`. @returns whether all is made. */
  prepare(article: Article, folds: FoldStates, until: number): boolean {
    for (const cut of initiallyShown(article, folds)) {
      const making = this.buildFor(cut);
      while (!making.isDone) {
        making.step();
        if (performance.now() >= until) return false;
      }
    }
    return true;
  }

  /** The nodes of a text, to be put somewhere. */
  take(cut: TruncatedText): DocumentFragment {
    const making = this.buildFor(cut);
    this.builds.delete(cut);
    return making.finish();
  }

  private buildFor(cut: TruncatedText): MarkdownBuild {
    const making = this.builds.get(cut) ?? new MarkdownBuild(cut.text);
    this.builds.set(cut, making);
    return making;
  }
}

/** Nodes that are being made. */
class MarkdownBuild {
  isDone = false;
  private readonly nodes = new DocumentFragment();
  private readonly steps: Iterator<unknown>;

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

function* buildNodes(text: string, into: DocumentFragment): Generator<undefined, void> {
  for (const html of markdownPieces(text, PIECE_LENGTH)) {
    into.append(sanitizeHtml(html));
    yield;
  }
  for (const code of into.querySelectorAll('pre.code > code[class]')) yield* colour(code);
}

function* colour(code: Element): Generator<undefined, void> {
  const text = code.textContent;
  const language = code.className.replace(/^language-/, '');
  if (!isHighlighted(text, language)) return;
  const coloured = new DocumentFragment();
  for (const piece of highlightCode(text, language)) {
    coloured.append(...piece.map(spans));
    yield;
  }
  code.replaceChildren(coloured);
}

const spans = ({ text, classes }: HighlightedText): Node => classes.reduceRight<Node>((inner, name) => h('span', { class: name }, inner), new Text(text));

/** The texts of an article that are drawn with it, and not when somebody unfolds them. */
function initiallyShown({ key, row, parts }: Article, folds: FoldStates): TruncatedText[] {
  if (row && !folds.isOpen(`${key}/row`, false)) return [];
  return parts.flatMap((part, at) => {
    if (part.kind !== 'markdown' && !(part.kind === 'thinking' && folds.isOpen(`${key}/${at}`, false))) return [];
    return part.text.omitted === undefined || folds.isOpen(`${key}/text/${part.text.n}`, false) ? [part.text] : [];
  });
}

export function drawMarkdown(cut: TruncatedText, place: TextLocation, room: PageContext): HTMLElement {
  const draw = (text: string): HTMLElement => {
    const box = h('div', { class: 'markdown', dir: 'auto' }, text === cut.text ? room.markdown.take(cut) : new MarkdownBuild(text).finish());
    room.pathLinks.linkPathsIn(box);
    for (const block of box.querySelectorAll('pre.code')) block.append(copyButton(block, room));
    return box;
  };
  // What the host cut is long.
  if (cut.omitted !== undefined) return longText(cut, place, draw, room.strings.messages, room, MARKDOWN_PIECE_LENGTH);
  const box = draw(cut.text);
  box.dataset['find'] = String(cut.n);
  return box;
}

function copyButton(block: Element, room: PageContext): HTMLElement {
  const code = block.querySelector('code');
  const copy = (event: Event): void => {
    room.send({ type: 'copy', text: code?.textContent ?? '' });
    (event.currentTarget as HTMLElement).textContent = room.strings.copied;
    room.announce(room.strings.copied);
  };
  return h('button', { class: 'copy-code', type: 'button', onclick: copy }, room.strings.copyCode);
}
