import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { HTMLElement } from 'happy-dom';
import { useDom } from '../../../fixtures/dom';

/** Modules of the page have the types of a browser, which aren't there in tests. */
const requirePage = createRequire(__filename);

interface MessageFocus {
  save(): boolean;
  restore(): void;
}

describe('The focus of a message', () => {
  const dom = useDom();
  let main: HTMLElement;
  let focus: MessageFocus;

  /** Draws the messages again, as the page does: the list keeps the focus until the message is there. */
  const drawAgain = (...entries: readonly string[]): void => {
    const hadFocus = focus.save();
    main.replaceChildren(
      ...entries.map((entry) => {
        const article = dom.document.createElement('article');
        article.tabIndex = -1;
        article.dataset['entry'] = entry;
        return article;
      }),
    );
    if (hadFocus) main.focus();
  };
  const article = (entry: string): HTMLElement => main.querySelector(`[data-entry="${entry}"]`) as HTMLElement;
  const focused = (): unknown => (dom.document.activeElement as HTMLElement | null)?.dataset['entry'];

  beforeEach(() => {
    main = dom.add('main');
    main.tabIndex = 0;
    const page = requirePage('../../../../src/context/page/messages/messageFocus.js') as {
      readonly MessageFocus: new (main: HTMLElement) => MessageFocus;
    };
    focus = new page.MessageFocus(main);
    drawAgain('one', 'two');
    article('two').focus();
  });

  it('returns once the message is drawn, even if all are drawn again before that', () => {
    drawAgain();
    focus.restore();
    assert.equal(dom.document.activeElement, main);
    drawAgain('one', 'two');
    focus.restore();
    assert.equal(focused(), 'two');
  });

  it('is forgotten once a key is pressed in the list', () => {
    drawAgain();
    main.dispatchEvent(new dom.window.KeyboardEvent('keydown'));
    drawAgain('one', 'two');
    focus.restore();
    assert.equal(dom.document.activeElement, main);
  });

  it('stays where the person has moved it meanwhile', () => {
    drawAgain();
    const button = dom.add('button');
    button.focus();
    drawAgain('one', 'two');
    focus.restore();
    assert.equal(dom.document.activeElement, button);
    article('one').focus();
    drawAgain('one', 'two');
    focus.restore();
    assert.equal(focused(), 'one');
  });
});
