/** Lists of tasks in Markdown: `- [ ] open` and `- [x] done`, as GitHub has them. Each box is a sign, which the page names. */
import type { MarkdownIt } from 'markdown-it';

/** The classes of the elements of the boxes. */
export const TASK_CLASSES = { open: 'task-open', done: 'task-done' } as const;

const SIGNS = { open: '☐', done: '☑' } as const;
const TASK = /^\[([ xX])\][ \t]+/;

/** Installs the boxes. Call it once for each instance. */
export function drawTasks(md: MarkdownIt): void {
  md.core.ruler.push('tasks', ({ tokens, Token }) => {
    for (const [index, item] of tokens.entries()) {
      if (item.type !== 'list_item_open' || tokens[index + 1]?.type !== 'paragraph_open') continue;
      const { content = '', children } = tokens[index + 2] ?? {};
      const [mark = '', sign] = TASK.exec(content) ?? [];
      const text = children?.[0];
      // The brackets may be a link.
      if (!children || mark === '' || text?.type !== 'text') continue;
      const state = sign === ' ' ? 'open' : 'done';
      item.attrSet('class', 'task');
      text.content = ` ${text.content.slice(mark.length)}`;
      const box = new Token('task_open', 'span', 1);
      box.attrSet('class', TASK_CLASSES[state]);
      const inside = new Token('text', '', 0);
      inside.content = SIGNS[state];
      children.unshift(box, inside, new Token('task_close', 'span', -1));
    }
  });
}
