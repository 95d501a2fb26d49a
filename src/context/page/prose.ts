/**
 * Markdown as it is drawn. Making the elements of a long text takes longer than a frame, so they can be made before
 * it is drawn, a piece at a time.
 */
import { PROSE_LENGTH } from '../markdown';
import type { Article, CutText } from '../protocol';
import { h } from './dom';
import { highlight, isHighlighted, type Coloured } from './highlight';
import { longText, type TextPlace } from './longText';
import { markdownPieces } from './markdown';
import type { Folds, Room } from './room';
import { sanitize } from './sanitize';

/** Characters of markdown that are made at a time. */
const PIECE = 2000;

export class Prose {
  private readonly made = new WeakMap<CutText, Making>();

  /** Goes on making what will be drawn of an article, at least a piece. @param until on the clock of `performance`. @returns whether all is made. */
  prepare(article: Article, folds: Folds, until: number): boolean {
    for (const cut of shownAtOnce(article, folds)) {
      const making = this.making(cut);
      while (!making.isDone) {
        making.goOn();
        if (performance.now() >= until) return false;
      }
    }
    return true;
  }

  /** The nodes of a text, to be put somewhere. */
  take(cut: CutText): DocumentFragment {
    const making = this.making(cut);
    this.made.delete(cut);
    return making.all();
  }

  private making(cut: CutText): Making {
    const making = this.made.get(cut) ?? new Making(cut.text);
    this.made.set(cut, making);
    return making;
  }
}

/** Nodes that are being made. */
class Making {
  isDone = false;
  private readonly nodes = new DocumentFragment();
  private readonly steps: Iterator<unknown>;

  constructor(text: string) {
    this.steps = make(text, this.nodes);
  }

  goOn(): void {
    this.isDone = this.steps.next().done === true;
  }

  all(): DocumentFragment {
    while (!this.isDone) this.goOn();
    return this.nodes;
  }
}

function* make(text: string, into: DocumentFragment): Generator<undefined, void> {
  for (const html of markdownPieces(text, PIECE)) {
    into.append(sanitize(html));
    yield;
  }
  for (const code of into.querySelectorAll('pre.code > code[class]')) yield* colour(code);
}

function* colour(code: Element): Generator<undefined, void> {
  const text = code.textContent;
  const language = code.className.replace(/^language-/, '');
  if (!isHighlighted(text, language)) return;
  const coloured = new DocumentFragment();
  for (const piece of highlight(text, language)) {
    coloured.append(...piece.map(spans));
    yield;
  }
  code.replaceChildren(coloured);
}

const spans = ({ text, classes }: Coloured): Node => classes.reduceRight<Node>((inner, name) => h('span', { class: name }, inner), new Text(text));

/** The texts of an article that are drawn with it, and not when somebody unfolds them. */
function shownAtOnce({ key, row, parts }: Article, folds: Folds): CutText[] {
  if (row && !folds.isOpen(`${key}/row`, false)) return [];
  return parts.flatMap((part, at) => {
    if (part.kind !== 'markdown' && !(part.kind === 'thinking' && folds.isOpen(`${key}/${at}`, false))) return [];
    return part.text.omitted === undefined || folds.isOpen(`${key}/text/${part.text.n}`, false) ? [part.text] : [];
  });
}

export function drawProse(cut: CutText, place: TextPlace, room: Room): HTMLElement {
  const draw = (text: string): HTMLElement => {
    const box = h('div', { class: 'markdown', dir: 'auto' }, text === cut.text ? room.prose.take(cut) : new Making(text).all());
    room.paths.lookIn(box);
    for (const block of box.querySelectorAll('pre.code')) block.append(copyButton(block, room));
    return box;
  };
  // What the host cut is long.
  if (cut.omitted !== undefined) return longText(cut, place, draw, room.strings.messages, room, PROSE_LENGTH);
  const box = draw(cut.text);
  box.dataset['find'] = String(cut.n);
  return box;
}

function copyButton(block: Element, room: Room): HTMLElement {
  const code = block.querySelector('code');
  const copy = (event: Event): void => {
    room.send({ type: 'copy', text: code?.textContent ?? '' });
    (event.currentTarget as HTMLElement).textContent = room.strings.copied;
    room.say(room.strings.copied);
  };
  return h('button', { class: 'copy-code', type: 'button', onclick: copy }, room.strings.copyCode);
}
