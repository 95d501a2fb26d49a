import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mock } from 'node:test';
import { ArticleStore } from '../../../../src/context/page/messages/articleStore';
import { PAGE_ACTIONS } from '../../../../src/context/shared/protocol';
import type {
  Article,
  BranchRow,
  FromPage,
  PageHeader,
  Part,
  ToolPart,
  Totals,
  TruncatedText,
} from '../../../../src/context/shared/protocol';
import { Event, KeyboardEvent, type HTMLButtonElement, type HTMLElement, type Range } from 'happy-dom';
import { allIn, oneIn, useDom } from '../../../fixtures/dom';
import { until } from '../../../fixtures/until';

/** Modules of the page have the types of a browser, which aren't there in tests. */
const requirePage = createRequire(__filename);

type CreateElement = (tag: string, attributes: object, ...children: readonly (HTMLElement | string)[]) => HTMLElement;
const loadH = (): CreateElement => (requirePage('../../../../src/context/page/ui/dom.js') as { readonly h: CreateElement }).h;

describe('The page draws', () => {
  const dom = useDom();
  let sent: FromPage[];
  let context: object;
  let store: ArticleStore;

  beforeEach(() => {
    sent = [];
    store = new ArticleStore();
    const folds = { isOpen: (_: string, byDefault: boolean) => byDefault, set: () => undefined };
    context = {
      imageGone: 'This image’s file no longer exists.',
      send: (message: FromPage) => sent.push(message),
      actions: new Set(PAGE_ACTIONS),
      hasMenus: true,
      store,
      folds,
      pathLinks: { linkWhenFile: () => undefined },
    };
  });

  const press = (element: HTMLElement, key: string): boolean =>
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const textsOf = (element: HTMLElement, selector: string): string[] => allIn(element, selector).map((one) => one.textContent);
  const text = (nth: number, content: string, given: Partial<TruncatedText> = {}): TruncatedText => ({ nth, text: content, ...given });

  it('all tokens that the model read as those in, of which some were cached', () => {
    const { drawTotals } = requirePage('../../../../src/context/page/overview/totalsView.js') as {
      readonly drawTotals: (totals: readonly Totals[]) => HTMLElement[];
    };
    const table = drawTotals([{ input: 10, output: 5, cacheRead: 200, cacheWrite: 3000, cost: 0.5 }])[1]!;
    assert.deepEqual(textsOf(table, 'thead th'), ['Session']);
    assert.deepEqual(textsOf(table, 'tbody th'), ['Cost', 'In', 'Cached', 'Cache written', 'Out']);
    assert.deepEqual(
      allIn(table, 'tbody td').flatMap((cell) => cell.getAttribute('title') ?? []),
      ['3,210', '200', '3,000', '5'],
    );
  });

  describe('a message', () => {
    const article = (given: Partial<Article>): HTMLElement => {
      const { drawArticle } = requirePage('../../../../src/context/page/messages/articleView.js') as {
        readonly drawArticle: (article: Article, index: number, context: object) => HTMLElement;
      };
      return drawArticle({ key: 'k', kind: 'user', entryId: 'e1', time: 0, parts: [], ...given }, 0, context);
    };
    const menuOf = (element: HTMLElement): unknown => JSON.parse(element.dataset['vscodeContext'] ?? 'null');

    it('says of an answer how long it took, and that it comes later', () => {
      const details = (given: Partial<Article>): string => oneIn(article({ kind: 'assistant', ...given }), '.article-details').textContent;
      assert.equal(
        details({ model: 'm', usage: ['1K in, 5 out', '$0.50'], duration: '12.3 s', stopReason: 'deferred' }),
        'm · 1K in, 5 out · $0.50 · 12.3 s · Deferred: the provider delivers the answer later',
      );
      assert.equal(details({ stopReason: 'length' }), 'ended early: length');
    });

    it('has a line for a fork right above, whose attempts lead to their branches', () => {
      const line = { title: '2 attempts:', attempts: [{ text: '“<b>” failed', tipId: 't' }, { text: '“c” was kept' }], more: 'and 4 more' };
      const element = article({ forks: [line] });
      const group = oneIn(element, '.attempts');
      assert.deepEqual([group.getAttribute('role'), group.getAttribute('aria-label')], ['group', '2 attempts:']);
      assert.deepEqual(textsOf(group, 'li'), ['“<b>” failed', '“c” was kept', 'and 4 more']);
      assert.deepEqual(textsOf(group, '[aria-current=true]'), ['“c” was kept']);
      oneIn(group, 'button').click();
      assert.deepEqual(sent, [{ type: 'go', entryId: 't' }]);
      assert.equal(allIn(article({}), '.attempts').length, 0);
    });

    it('marks a nested call that wasn’t finished, and says how long a call took', () => {
      const tool: ToolPart = { kind: 'tool', name: 'bash', summary: 'ls', state: 'ok', duration: '1.5 s', result: [] };
      const box = article({ kind: 'assistant', parts: [tool, { ...tool, state: 'unfinished', isNested: true }] });
      assert.deepEqual(textsOf(box, '.tool > summary'), ['bashls1.5 sdone', 'bashls1.5 snot finished']);
    });

    describe('with its buttons only', () => {
      const actionsOf = (element: HTMLElement): unknown[] =>
        allIn(element, '.actions [data-action]').map(({ dataset }) => dataset['action']);
      interface Actions {
        readonly makeActions: (within: HTMLElement) => void;
        readonly ActionMaker: new (list: HTMLElement) => { drawn(): void };
      }
      const loadActions = (): Actions => requirePage('../../../../src/context/page/messages/entryActions.js') as Actions;
      const ALL = ['copyText', 'copyLink', 'reveal', 'contextHere', 'label', 'branchHere'];

      it('once they are requested, and never twice', () => {
        const drawn = article({});
        assert.deepEqual(actionsOf(drawn), []);
        loadActions().makeActions(drawn);
        loadActions().makeActions(drawn);
        assert.deepEqual(actionsOf(drawn), ALL);
      });

      it('when the pointer or the focus reaches it', () => {
        for (const type of ['pointerover', 'focusin']) {
          const [reached, other] = [article({}), article({})];
          const list = loadH()('main', {}, reached, other);
          new (loadActions().ActionMaker)(list);
          oneIn(reached, '.body').dispatchEvent(new Event(type, { bubbles: true }));
          assert.deepEqual([actionsOf(reached), actionsOf(other)], [ALL, []]);
        }
      });

      it('when the list rests', async () => {
        const articles = [article({}), article({}), article({})];
        const maker = new (loadActions().ActionMaker)(loadH()('main', {}, ...articles));
        for (const _ of articles) maker.drawn();
        await until(() => articles.every((each) => actionsOf(each).length === ALL.length));
        const later = article({});
        articles[0]!.parentElement!.append(later);
        assert.deepEqual(actionsOf(later), []);
        maker.drawn();
        await until(() => actionsOf(later).length === ALL.length);
      });
    });

    it('that continues the one before it without its header, unless it has a status of its own', () => {
      const isContinuation = (given: Partial<Article>): boolean => article(given).classList.contains('is-continuation');
      assert.equal(isContinuation({}), false);
      assert.equal(isContinuation({ isContinuation: true }), true);
      assert.equal(isContinuation({ isContinuation: true, contextStatus: 'compacted' }), true);
      for (const contextStatus of ['edited', 'omitted', 'excluded'] as const)
        assert.equal(isContinuation({ isContinuation: true, contextStatus }), false, contextStatus);
    });

    it('with its header if the answer ended early, unless an error below says so', () => {
      const isContinuation = (parts: Article['parts']): boolean =>
        article({ kind: 'assistant', isContinuation: true, stopReason: 'aborted', parts }).classList.contains('is-continuation');
      assert.equal(isContinuation([]), false);
      assert.equal(isContinuation([{ kind: 'error', text: text(0, 'Overloaded') }]), true);
    });

    it('with names for the boxes of tasks', () => {
      const h = loadH();
      const boxes = [h('span', { class: 'task-done' }, '☑'), h('span', { class: 'task-open' }, '☐')];
      Object.assign(context, { markdown: { take: () => h('li', {}, ...boxes) }, pathLinks: { linkPathsIn: () => undefined } });
      article({ parts: [{ kind: 'markdown', text: text(0, '- [x] …') }] });
      assert.deepEqual(
        boxes.map((box) => [box.getAttribute('role'), box.getAttribute('aria-label')]),
        [
          ['img', 'done'],
          ['img', 'not done'],
        ],
      );
    });

    it('with the whole of a long error', () => {
      const drawn = article({ parts: [{ kind: 'error', text: text(0, 'begins', { tail: 'ends', omitted: 9 }) }] });
      assert.deepEqual(textsOf(drawn, '.error-text'), ['begins', 'ends']);
      assert.deepEqual(textsOf(drawn, '.error-note .show-more'), ['Show 9 More Characters']);
    });

    it('with its label, whose menu is that of the entry that has the label', () => {
      const own = article({ label: 'plan' });
      assert.deepEqual(textsOf(own, '.label'), ['plan']);
      assert.deepEqual(menuOf(oneIn(own, '.label')), { webviewSection: 'entry', entryId: 'e1', entryLabeled: true });
      const others = article({ label: 'plan', labelId: 'e2' });
      assert.deepEqual(menuOf(oneIn(others, '.label')), { webviewSection: 'entry', entryId: 'e2', entryLabeled: true });
      assert.deepEqual(menuOf(others), { webviewSection: 'entry', entryId: 'e1', entryLabeled: false });
    });

    it('that is an entry row with its label', () => {
      const row = article({ kind: 'row', row: { kind: 'model', text: 'Model: a' }, label: 'plan' });
      assert.deepEqual(textsOf(row, '[data-find="label"]'), ['plan']);
      assert.deepEqual(textsOf(article({ kind: 'row', row: { kind: 'model', text: 'Model: a' } }), '.label'), []);
    });
  });

  describe('a tool call', () => {
    /** Draws a call and unfolds it. */
    const tool = (given: Partial<ToolPart>): HTMLElement => {
      const { drawPart } = requirePage('../../../../src/context/page/content/articleParts.js') as {
        readonly drawPart: (part: Part, at: string, location: object, context: object) => HTMLElement;
      };
      const part: ToolPart = { kind: 'tool', name: 'edit', summary: 'a.ts', state: 'ok', result: [], ...given };
      const drawn = drawPart(part, '0', { key: 'k', index: 0, entryId: 'e1' }, context);
      oneIn(drawn, '.fold').dispatchEvent(new Event('unfold'));
      return drawn;
    };

    it('with its arguments and its result', () => {
      const drawn = tool({ args: text(0, 'path: a.ts'), result: [{ kind: 'output', text: text(1, 'done') }] });
      assert.deepEqual(textsOf(drawn, '.output'), ['path: a.ts', 'done']);
      assert.deepEqual(textsOf(drawn, '.fold-name'), ['Arguments', 'Result']);
    });

    it('with its diff, and its arguments in a fold if it has more of them', () => {
      const alone = tool({ diff: text(0, '-a\n+b') });
      assert.deepEqual(textsOf(alone, '.diff-line'), ['-a\n', '+b\n']);
      assert.deepEqual(allIn(alone, '.arguments'), []);
      const both = tool({ args: text(0, 'path: a.ts'), diff: text(1, '-a\n+b') });
      assert.equal(allIn(both, '.arguments').length, 1);
    });

    it('without a result with a note', () => {
      assert.deepEqual(textsOf(tool({}), '.muted'), ['No output']);
      assert.deepEqual(textsOf(tool({ state: 'waiting' }), '.muted'), ['no result']);
      assert.deepEqual(textsOf(tool({ lacksCalls: true, result: [{ kind: 'empty' }] }), '.muted'), [
        'Some of this tool’s calls weren’t recorded.',
        'Empty message',
      ]);
      assert.deepEqual(textsOf(tool({ result: [{ kind: 'output', text: text(0, 'done') }] }), '.muted'), []);
    });
  });

  describe('a long text', () => {
    const draw = (truncated: TruncatedText, isOpen: boolean): HTMLElement => {
      const { longText } = requirePage('../../../../src/context/page/content/longText.js') as {
        readonly longText: (
          text: TruncatedText,
          location: object,
          draw: (text: string) => unknown,
          name: string,
          context: object,
        ) => HTMLElement;
      };
      const h = loadH();
      const folds = { isOpen: () => isOpen, set: () => undefined };
      return longText(truncated, { key: 'k', index: 0, entryId: 'e1' }, (piece) => h('pre', {}, piece), 'Result', { ...context, folds });
    };
    const buttons = (element: HTMLElement): string[] => textsOf(element, 'button');

    it('with buttons for what the page does not have yet, until it has all', () => {
      const truncated = text(3, 'begin', { omitted: 10, tail: 'end' });
      const some = draw(truncated, true);
      assert.deepEqual(buttons(some), ['Show 10 More Characters', 'Open Raw File', 'Show Less']);
      oneIn(some, 'button').click();
      assert.deepEqual(sent, [{ type: 'wantText', index: 0, nth: 3, from: 5 }]);
      store.addPiece(0, 3, '0123456789');
      const all = draw(truncated, true);
      assert.deepEqual(buttons(all), ['Show Less']);
      assert.deepEqual(textsOf(all, 'pre'), ['begin', '0123456789', 'end']);
    });

    it('folded if it has many lines', () => {
      assert.deepEqual(buttons(draw(text(0, 'a\nb'), false)), []);
      assert.deepEqual(buttons(draw(text(0, 'a\n'.repeat(99)), false)), ['Show All 100 Lines']);
    });
  });

  describe('the branch graph', () => {
    const row = (id: string): BranchRow => ({
      id,
      kind: 'tip',
      lane: 0,
      messagesBetween: 0,
      text: id,
      name: id,
      details: '',
      time: 0,
      isCurrent: false,
      isActive: false,
      isOnCurrentPath: false,
    });

    it('with rows that open by click, Enter and space, and by no other key', () => {
      const { drawBranchGraph } = requirePage('../../../../src/context/page/branches/branchGraphView.js') as {
        readonly drawBranchGraph: (graph: HTMLElement, rows: readonly BranchRow[], options: { go: (row: BranchRow) => void }) => void;
      };
      const graph = dom.add('div');
      const opened: string[] = [];
      drawBranchGraph(graph, [row('a'), row('b')], { go: ({ id }) => opened.push(id) });
      const [first, second] = allIn(graph, '.branch-row');
      first!.click();
      for (const key of ['Enter', ' ', 'x']) press(second!, key);
      assert.deepEqual(opened, ['a', 'b', 'b']);
    });
  });

  describe('the header', () => {
    const header: PageHeader = {
      title: 'Fix the cart',
      location: 'Current leaf',
      atLeaf: true,
      view: 'model',
      fields: [],
      note: '',
      path: '/a.jsonl',
      isWritable: true,
      hasHiddenMessages: false,
    };

    it('with the problems of the file', () => {
      const { headerPart } = requirePage('../../../../src/context/page/shell/headerPart.js') as {
        readonly headerPart: (
          context: object,
          switchView: () => void,
          menu: HTMLElement,
          tools: readonly HTMLElement[],
        ) => {
          readonly element: HTMLElement;
          readonly receive: { readonly open: (message: object) => void; readonly update: (message: object) => void };
        };
      };
      const { element, receive } = headerPart(context, () => undefined, dom.document.createElement('div'), []);
      dom.document.body.append(element);
      receive.open({ header });
      // The stylesheet keeps this element at the top.
      assert.equal(element.className, 'header');
      assert.deepEqual(textsOf(element, '.problems'), []);
      oneIn(element, '[data-key=fork]').focus();
      const focusing = mock.method(dom.window.HTMLElement.prototype, 'focus');
      receive.update({ header: { ...header, problems: 'Line 3 is odd.' } });
      assert.deepEqual(textsOf(element, '.problems'), ['Line 3 is odd.']);
      assert.equal(dom.document.activeElement, oneIn(element, '[data-key=fork]'), 'the focus was lost');
      assert.deepEqual(
        focusing.mock.calls.map((call) => call.arguments),
        [[{ preventScroll: true }]],
      );
    });
  });

  describe('the menu of targets', () => {
    it('which Tab leaves and closes', () => {
      const { navigationPart } = requirePage('../../../../src/context/page/shell/navigationMenu.js') as {
        readonly navigationPart: (context: object, messages: object) => { readonly element: HTMLElement };
      };
      const { element } = navigationPart(context, { main: dom.document.createElement('main') });
      let closed = 0;
      Object.assign(element, { hidePopover: () => closed++ });
      for (const key of ['ArrowDown', 'Tab']) press(element, key);
      assert.equal(closed, 1);
    });
  });

  describe('the growth of the context', () => {
    interface GrowthView {
      readonly element: HTMLElement;
      readonly show: (growth: object) => void;
    }
    const view = (growth: object): HTMLElement => {
      const { growthView } = requirePage('../../../../src/context/page/overview/growthView.js') as {
        readonly growthView: (context: object) => GrowthView;
      };
      const { element, show } = growthView(context);
      show(growth);
      return element;
    };

    it('as a line for each stretch between two cuts', () => {
      const points = [0, 1, 2, 3].map((position) => [`e${position}`, position, 10 * (position + 1)]);
      const lines = (cuts: readonly unknown[]): (string | null)[] =>
        allIn(view({ points, cuts, length: 4 }), '.plot-line').map((line) => line.getAttribute('d'));
      assert.deepEqual(lines([]), ['M0.0 75.0L333.3 50.0L666.7 25.0L1000.0 0.0']);
      assert.deepEqual(lines([['e1', 1]]), ['M0.0 75.0L333.3 50.0', 'M666.7 25.0L1000.0 0.0']);
    });

    it('with its maximum only if it is drawn', () => {
      const maximum = (...tokens: readonly number[]): string[] =>
        textsOf(view({ points: tokens.map((one, position) => [`e${position}`, position, one]), cuts: [], length: 3 }), '.plot-max');
      assert.deepEqual([maximum(), maximum(5), maximum(5, 7)], [[''], [''], ['7']]);
    });

    it('with a dot at the point that the keys moved to', () => {
      const element = view({ points: [0, 1].map((position) => [`e${position}`, position, 10]), cuts: [], length: 2 });
      const dot = oneIn(element, '.plot-dot');
      assert.equal(dot.hidden, true);
      press(oneIn(element, '.plot-slider'), 'Home');
      assert.deepEqual([dot.hidden, dot.style.left, dot.style.bottom], [false, '0%', '100%']);
    });
  });

  describe('the find widget', () => {
    it('with buttons that are off while nothing is found', () => {
      const { findBar } = requirePage('../../../../src/context/page/find/findBar.js') as {
        readonly findBar: (
          context: object,
          actions: object,
        ) => { readonly element: HTMLElement; readonly showCount: (count: string, isNone: boolean) => void };
      };
      const { element, showCount } = findBar(context, {});
      const steps = (): boolean[] =>
        allIn(element, '.icon-button:not([title="Close (Escape)"])').map((button) => (button as HTMLButtonElement).disabled);
      showCount('No results', true);
      assert.deepEqual(steps(), [true, true]);
      assert.deepEqual(textsOf(element, '.find-count'), ['No results']);
      showCount('1 of 2', false);
      assert.deepEqual(steps(), [false, false]);
    });

    it('with highlights that may span several elements, but no buttons', () => {
      const { rangeOf } = requirePage('../../../../src/context/page/find/findHighlights.js') as {
        readonly rangeOf: (element: HTMLElement, pattern: RegExp, nth: number) => Range | undefined;
      };
      const h = loadH();
      const element = h('div', {}, 'a nee', h('button', { class: 'copy-code' }, 'Copy'), h('b', {}, 'dle, a needle'));
      const at = (nth: number): unknown => {
        const { startContainer, startOffset, endContainer, endOffset } = rangeOf(element, /needle/g, nth)!;
        return [startContainer.textContent, startOffset, endContainer.textContent, endOffset];
      };
      assert.deepEqual(at(0), ['a nee', 2, 'dle, a needle', 3]);
      assert.deepEqual(at(1), ['dle, a needle', 7, 'dle, a needle', 13]);
      assert.deepEqual(at(9), at(1), 'the last one if there are fewer');
    });
  });

  describe('links to files', () => {
    it('of Markdown, whose paths are their titles, with no other link in them', () => {
      const { PathLinks } = requirePage('../../../../src/context/page/content/pathLinks.js') as {
        PathLinks: new (
          send: (message: FromPage) => void,
          announce: () => void,
        ) => { linkPathsIn(element: HTMLElement): void; confirmFiles(found: string[]): void };
      };
      const h = loadH();
      // The page asks for paths a moment later, when another test may run.
      const sent: FromPage[] = [];
      const links = new PathLinks(
        (message) => sent.push(message),
        () => undefined,
      );
      const box = h('p', {}, h('span', { class: 'file-link', title: 'src/a.ts:12' }, h('code', {}, 'src/a.ts')), h('code', {}, 'src/b.ts'));
      dom.document.body.append(box);
      links.linkPathsIn(box);
      links.confirmFiles(['src/a.ts', 'src/a.ts:12', 'src/b.ts']);
      for (const button of allIn(box, 'button')) button.click();
      assert.deepEqual(sent, [
        { type: 'openPath', path: 'src/a.ts:12' },
        { type: 'openPath', path: 'src/b.ts' },
      ]);
      box.remove();
    });

    it('that are replaced by a note when the file is gone', () => {
      const { PathLinks } = requirePage('../../../../src/context/page/content/pathLinks.js') as {
        PathLinks: new (
          send: (message: FromPage) => void,
          announce: (text: string) => void,
        ) => {
          linkWhenFile(element: HTMLElement, path: string): void;
          confirmFiles(found: string[]): void;
          markMissing(path: string): void;
        };
      };
      const h = loadH();
      const announced: string[] = [];
      const links = new PathLinks(
        (message) => sent.push(message),
        (text) => announced.push(text),
      );
      const inText = h('code', {}, 'a.ts');
      const inSummary = h('span', {}, 'a.ts');
      const box = h('div', { class: 'tool-box' }, h('details', {}, h('summary', {}, inSummary)), h('span', { class: 'tool-buttons' }));
      dom.document.body.append(inText, box);
      for (const element of [inText, inSummary]) links.linkWhenFile(element, 'a.ts');
      links.confirmFiles(['a.ts']);
      oneIn(inText, 'button').click();
      oneIn(box, '.tool-buttons button').click();
      assert.deepEqual(sent, [
        { type: 'openPath', path: 'a.ts' },
        { type: 'openPath', path: 'a.ts' },
      ]);
      links.markMissing('a.ts');
      assert.equal(inText.textContent, `a.ts This file no longer exists.`);
      assert.equal(inSummary.textContent, `a.ts This file no longer exists.`);
      assert.deepEqual(allIn(dom.document, 'button'), []);
      assert.deepEqual(announced, ['This file no longer exists.']);
    });
  });

  describe('times and shares', () => {
    it('that are updated, also in the names and tooltips that end with them', () => {
      const { timeElement, updateTimes } = requirePage('../../../../src/context/page/ui/timeElement.js') as {
        readonly timeElement: (time: number) => HTMLElement;
        readonly updateTimes: (root: HTMLElement, now: number) => void;
      };
      const now = Date.now();
      const time = timeElement(now - 61_000);
      const row = loadH()(
        'div',
        { 'aria-label': 'Left. 1 turn · 1 min. ago', title: '1 turn\n1 min. ago', 'aria-description': 'other' },
        time,
      );
      const list = loadH()('div', { 'aria-label': 'Branches' }, row);
      updateTimes(list, now + 120_000);
      assert.deepEqual(
        [time.textContent, row.getAttribute('aria-label'), row.getAttribute('title'), row.getAttribute('aria-description')],
        ['3 min. ago', 'Left. 1 turn · 3 min. ago', '1 turn\n3 min. ago', 'other'],
      );
      assert.equal(list.getAttribute('aria-label'), 'Branches');
    });

    it('that are too small for a percentage as less than one', () => {
      const { formatPercent } = requirePage('../../../../src/context/shared/formatNumbers.js') as {
        readonly formatPercent: (share: number) => string;
      };
      assert.deepEqual([0, 0.00007, 0.01, 0.904, 1].map(formatPercent), ['0%', '<1%', '1%', '90%', '100%']);
    });
  });
});
