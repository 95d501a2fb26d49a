/** The find widget, like the editor's own: an input, three toggles, a count and three buttons. */
import { t } from '../../shared/localization';
import { MAX_FIND_LENGTH } from '../../../core/format/text/findPattern';
import type { FindQuery } from '../../shared/protocol';
import { h } from '../ui/dom';
import { INPUT_MENU_CONTEXT } from '../shell/entryMenu';
import { iconButton } from '../ui/iconButton';

interface FindBar {
  readonly element: HTMLElement;
  query(): FindQuery;
  /** @param text the selected text, if any. */
  open(text: string | undefined): void;
  /** Shows a query. The focus doesn't move. */
  show(query: FindQuery): void;
  close(): void;
  isOpen(): boolean;
  showCount(count: string, isNone: boolean): void;
}

interface FindBarActions {
  readonly search: () => void;
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

export function findBar(actions: FindBarActions): FindBar {
  const input = h('input', {
    class: 'find-input',
    type: 'text',
    'data-vscode-context': INPUT_MENU_CONTEXT,
    'aria-label': t('Find'),
    placeholder: t('Find'),
    spellcheck: 'false',
    autocomplete: 'off',
    maxlength: String(MAX_FIND_LENGTH),
    oninput: actions.search,
  });
  const toggles = [
    ['matchCase', t('Match Case'), 'Alt+C', 'Aa'],
    ['wholeWord', t('Match Whole Word'), 'Alt+W', 'ab'],
    ['anyWord', t('Match Any Word'), 'Alt+A', 'a|b'],
  ] as const;
  const boxes = toggles.map(([name, title, key, text]) => {
    const flip = (): void => {
      box.setAttribute('aria-checked', String(box.getAttribute('aria-checked') !== 'true'));
      actions.search();
    };
    const box = h(
      'button',
      {
        class: `find-toggle ${name}`,
        type: 'button',
        role: 'checkbox',
        'aria-checked': 'false',
        'aria-label': title,
        title: `${title} (${key})`,
        'aria-keyshortcuts': key,
        onclick: flip,
      },
      h('span', { 'aria-hidden': 'true' }, text),
    );
    return box;
  });
  const count = h('div', { class: 'find-count', role: 'status', 'aria-live': 'polite', 'aria-atomic': 'true' });
  const steps = [
    iconButton(t('Previous Match (Shift+Enter)'), 'up', () => actions.step(-1)),
    iconButton(t('Next Match (Enter)'), 'down', () => actions.step(1)),
  ];
  const element = h(
    'div',
    { class: 'find', role: 'search', 'aria-label': t('Find in Context'), hidden: true },
    h('div', { class: 'find-field' }, input, ...boxes),
    count,
    ...steps,
    iconButton(t('Close (Escape)'), 'error', actions.close),
  );

  element.addEventListener('keydown', (event) => {
    const did = keyDown(event);
    if (did) event.preventDefault();
  });
  const keyDown = (event: KeyboardEvent): boolean => {
    if (event.key === 'Escape') actions.close();
    else if (event.key === 'Enter' && event.target === input) actions.step(event.shiftKey ? -1 : 1);
    else if (event.altKey && event.code === 'KeyC') boxes[0]?.click();
    else if (event.altKey && event.code === 'KeyW') boxes[1]?.click();
    else if (event.altKey && event.code === 'KeyA') boxes[2]?.click();
    else return false;
    return true;
  };

  const isOn = (box: HTMLElement | undefined): boolean => box?.getAttribute('aria-checked') === 'true';
  return {
    element,
    query: () => ({ text: input.value, matchCase: isOn(boxes[0]), wholeWord: isOn(boxes[1]), anyWord: isOn(boxes[2]) }),
    open: (text) => {
      element.hidden = false;
      if (text !== undefined) input.value = text;
      input.focus();
      input.select();
    },
    show: ({ text, matchCase, wholeWord, anyWord = false }) => {
      element.hidden = false;
      input.value = text;
      [matchCase, wholeWord, anyWord].forEach((isChecked, index) => boxes[index]?.setAttribute('aria-checked', String(isChecked)));
    },
    close: () => (element.hidden = true),
    isOpen: () => !element.hidden,
    showCount: (text, isNone) => {
      if (count.textContent !== text) count.textContent = text;
      element.classList.toggle('no-results', isNone);
      for (const step of steps) step.disabled = isNone;
    },
  };
}
