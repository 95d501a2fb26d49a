/** Highlights matches without changing the DOM. Searchable elements have a `data-find` attribute. */
import { elementAt } from '../../../core/format/values/lookups';

/** Limits on the UTF-16 units searched and the matches highlighted, so that the page stays responsive. */
const MAX_CHARACTERS = 400_000;
const MAX_HIGHLIGHTS = 2000;
/** Controls between the texts, which aren't searched. */
const BUTTONS = '.copy-code, .show-more';

export class FindHighlights {
  private readonly all = new Highlight();
  private readonly current = new Highlight();

  constructor() {
    this.current.priority = 1;
    CSS.highlights.set('find', this.all);
    CSS.highlights.set('find-current', this.current);
  }

  /** Highlights all matches in the texts within an element. */
  show(within: Element, pattern: RegExp): void {
    this.all.clear();
    let left = MAX_CHARACTERS;
    for (const text of within.querySelectorAll('[data-find]')) {
      if (left <= 0 || this.all.size >= MAX_HIGHLIGHTS) return;
      const { ranges, length } = rangesIn(text, pattern, left, MAX_HIGHLIGHTS - this.all.size);
      left -= length;
      for (const range of ranges) this.all.add(range);
    }
  }

  setCurrent(range: Range | undefined): void {
    this.current.clear();
    if (range) this.current.add(range);
  }

  /** The range of the current match, if it is drawn. */
  get currentRange(): Range | undefined {
    return [...this.current].find((range): range is Range => range instanceof Range && range.startContainer.isConnected);
  }

  clear(): void {
    this.all.clear();
    this.current.clear();
  }
}

/** Returns the range of the `nth` match in an element, or of the last match if there are fewer. */
export function rangeOf(element: Element, pattern: RegExp, nth: number): Range | undefined {
  const { ranges } = rangesIn(element, pattern, Infinity, nth + 1);
  return ranges[nth] ?? ranges.at(-1);
}

function rangesIn(
  element: Element,
  pattern: RegExp,
  characters: number,
  limit: number,
): { readonly ranges: Range[]; readonly length: number } {
  const nodes: Text[] = [];
  const starts: number[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element ? (node.matches(BUTTONS) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP) : NodeFilter.FILTER_ACCEPT,
  );
  while (text.length < characters && walker.nextNode()) {
    // The walker accepts text nodes only.
    const node = walker.currentNode as Text;
    nodes.push(node);
    starts.push(text.length);
    text += node.data;
  }
  const ranges: Range[] = [];
  let at = 0;
  const locate = (offset: number): [Text, number] => {
    while (at + 1 < nodes.length && elementAt(starts, at + 1) <= offset) at++;
    return [elementAt(nodes, at), offset - elementAt(starts, at)];
  };
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match && ranges.length < limit; match = pattern.exec(text)) {
    const range = new Range();
    range.setStart(...locate(match.index));
    // The end of the last character; the next position may be in another element.
    const [node, offset] = locate(match.index + match[0].length - 1);
    range.setEnd(node, offset + 1);
    ranges.push(range);
  }
  return { ranges, length: text.length };
}
