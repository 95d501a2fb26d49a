import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Event, type HTMLElement } from 'happy-dom';
import { allIn, oneIn, useDom } from '../../../fixtures/dom';

/** Modules of the page have the types of a browser, which aren't there in tests. */
const requirePage = createRequire(__filename);

interface Anchor {
  readonly index: number;
  readonly offset: number;
}

interface List {
  readonly reset: (anchor?: Anchor) => void;
  readonly update: () => void;
  readonly show: (anchor: Anchor) => void;
  readonly toEnd: () => void;
  readonly isAtEnd: boolean;
  readonly isDrawn: boolean;
  readonly anchor: Anchor | undefined;
  readonly top: number;
}

const VIEW_HEIGHT = 100;
const ARTICLE_HEIGHT = 30;

/** Gives an element a height, in which it scrolls over its first child. */
function makeScroll(element: HTMLElement): void {
  let position = 0;
  const content = (): number => Math.max(VIEW_HEIGHT, (element.children[0] as HTMLElement).offsetHeight);
  const inRange = (top: number): number => Math.max(0, Math.min(top, content() - VIEW_HEIGHT));
  Object.defineProperties(element, {
    clientHeight: { value: VIEW_HEIGHT },
    clientWidth: { value: 300 },
    scrollHeight: { get: content },
    scrollTop: {
      get: () => inRange(position),
      set: (top: number) => {
        const before = inRange(position);
        position = inRange(top);
        // Like a browser, which reports it with the next frame.
        if (position !== before) setImmediate(() => element.dispatchEvent(new Event('scroll')));
      },
    },
    scrollTo: { value: ({ top }: { readonly top: number }) => (element.scrollTop = top) },
  });
}

/** The height that the style gives, in pixels; without one that of the children. */
function offsetHeight(this: HTMLElement): number {
  if (this.style.height !== '') return parseFloat(this.style.height);
  return [...this.children].reduce((sum, child) => sum + (child as HTMLElement).offsetHeight, 0);
}

describe('The list of articles', () => {
  const dom = useDom();
  let scroller: HTMLElement;
  let list: List;
  let count: number;
  let range: readonly [number, number];
  const globals = globalThis as unknown as Record<string, unknown>;

  beforeEach(() => {
    globals['requestAnimationFrame'] = setImmediate;
    globals['scheduler'] = { postTask: (run: () => void) => void setImmediate(run) };
    const { ArticleList } = requirePage('../../../../src/context/page/messages/articleList.js') as {
      readonly ArticleList: new (scroller: HTMLElement, source: object) => List;
    };
    Object.defineProperty(dom.window.HTMLElement.prototype, 'offsetHeight', { get: offsetHeight });
    scroller = dom.add('main');
    makeScroll(scroller);
    count = 20;
    const box = (): object => {
      const element = dom.document.createElement('article');
      element.style.height = `${ARTICLE_HEIGHT}px`;
      return element;
    };
    list = new ArticleList(scroller, {
      count: () => count,
      estimate: () => ARTICLE_HEIGHT,
      has: () => true,
      prepare: () => true,
      draw: box,
      placeholder: box,
      onRange: (from: number, to: number) => (range = [from, to]),
      onScroll: () => undefined,
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(globals, 'requestAnimationFrame');
    Reflect.deleteProperty(globals, 'scheduler');
  });

  const end = (): number => count * ARTICLE_HEIGHT - VIEW_HEIGHT;
  const frames = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const reset = async (anchor?: Anchor): Promise<void> => {
    list.reset(anchor);
    await frames();
  };
  const scroll = async (top: number): Promise<void> => {
    scroller.scrollTop = top;
    await frames();
  };
  const grow = async (): Promise<void> => {
    count += 5;
    list.update();
    await frames();
  };

  it('begins at the end, and stays there when articles are added', async () => {
    await reset();
    assert.equal(scroller.scrollTop, end());
    assert.deepEqual([list.isAtEnd, list.anchor], [true, undefined]);
    await grow();
    assert.equal(scroller.scrollTop, end());
    assert.equal(list.isAtEnd, true);
  });

  it('stays where the user scrolled to, and follows again after a scroll to the end', async () => {
    await reset();
    await scroll(95);
    await grow();
    assert.equal(scroller.scrollTop, 95);
    assert.deepEqual([list.isAtEnd, list.top, list.anchor], [false, 3, { index: 3, offset: 5 }]);
    await scroll(end());
    await grow();
    assert.equal(scroller.scrollTop, end());
  });

  it('begins at an article, and keeps it in place until the user scrolls', async () => {
    await reset({ index: 4, offset: 7 });
    assert.equal(scroller.scrollTop, 4 * ARTICLE_HEIGHT + 7);
    await grow();
    assert.equal(scroller.scrollTop, 4 * ARTICLE_HEIGHT + 7);
    list.show({ index: 9, offset: 0 });
    await frames();
    assert.equal(scroller.scrollTop, 9 * ARTICLE_HEIGHT);
    list.toEnd();
    await frames();
    assert.equal(scroller.scrollTop, end());
  });

  it('has rows for the articles in sight and a few around them', async () => {
    count = 1000;
    await reset({ index: 500, offset: 0 });
    const rows = allIn(scroller, '[data-index]').map((row) => Number(row.dataset['index']));
    assert.ok(rows.includes(500) && rows.includes(503), rows.join(' '));
    assert.ok(rows.length < 20, rows.join(' '));
  });

  it('keeps a focused row far away, without asking for the articles between', async () => {
    count = 1000;
    await reset({ index: 3, offset: 0 });
    oneIn(scroller, '[data-index="3"]').focus();
    await scroll(500 * ARTICLE_HEIGHT);
    oneIn(scroller, '[data-index="3"]');
    assert.deepEqual(range, [500, 504]);
  });

  it('shows nothing of an empty session', async () => {
    count = 0;
    await reset({ index: 3, offset: 0 });
    assert.deepEqual([scroller.scrollTop, list.isAtEnd, list.isDrawn], [0, true, true]);
    assert.deepEqual(allIn(scroller, '[data-index]'), []);
  });
});
