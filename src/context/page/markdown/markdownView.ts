/** Draws a Markdown text. */
import { t } from '../../shared/localization';
import { MARKDOWN_PIECE_LENGTH } from '../../shared/markdownRenderer';
import { TASK_CLASSES } from '../../shared/markdownTasks';
import type { TruncatedText } from '../../shared/protocol';
import type { PageContext } from '../shell/pageContext';
import { h } from '../ui/dom';
import { focusWhenScrollable } from '../ui/scrollFocus';
import { longText, type TextLocation } from '../content/longText';
import { buildMarkdown } from './markdownPreparer';

export function drawMarkdown(text: TruncatedText, location: TextLocation, context: PageContext): HTMLElement {
  const draw = (piece: string): HTMLElement => {
    const box = h('div', { class: 'markdown', dir: 'auto' }, piece === text.text ? context.markdown.take(text) : buildMarkdown(piece));
    context.pathLinks.linkPathsIn(box);
    nameTasks(box);
    for (const table of box.querySelectorAll('table')) focusWhenScrollable(table);
    for (const block of box.querySelectorAll('pre.code')) block.append(copyButton(block, context));
    return box;
  };
  // A text that the host truncated is long.
  if (text.omitted !== undefined) return longText(text, location, draw, t('Messages'), context, MARKDOWN_PIECE_LENGTH);
  const box = draw(text.text);
  box.dataset['find'] = String(text.nth);
  return box;
}

/** Names the boxes of a task list, because screen readers don't read the meaning of their signs. */
function nameTasks(box: Element): void {
  const { open, done } = TASK_CLASSES;
  for (const task of box.querySelectorAll(`.${open}, .${done}`)) {
    task.setAttribute('role', 'img');
    task.setAttribute(
      'aria-label',
      task.classList.contains(done)
        ? t({ message: 'done', comment: 'A checkbox in a list of tasks' })
        : t({ message: 'not done', comment: 'A checkbox in a list of tasks' }),
    );
  }
}

function copyButton(block: Element, context: PageContext): HTMLElement {
  const code = block.querySelector('code');
  const copy = (event: Event): void => {
    context.send({ type: 'copy', text: code?.textContent ?? '' });
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.textContent = t('Copied');
    context.announce(t('Copied'));
  };
  return h('button', { class: 'copy-code', type: 'button', onclick: copy }, t('Copy'));
}
