/** Session text in the context view: its rendered Markdown has nothing that loads or runs, even before it is sanitized. */
import assert from 'node:assert/strict';
import { createMarkdownRenderer } from '../../src/context/shared/markdownRenderer';
import { MARKDOWN } from './markdown';
import { harmInHtml } from './markdownRenderers';
import type { FuzzTarget, Random } from './target';

const { toHtml: html, toHtmlPieces: pieces } = createMarkdownRenderer();

const ELEMENTS = new Set('p h3 h4 h5 h6 ul ol li blockquote pre code span em strong s a br hr table thead tbody tr th td'.split(' '));
/** Links have no target, or one with http, https or mailto, and their addresses have no characters that browsers ignore. */
const ATTRIBUTE =
  /^(?:href="(?:(?:https?:\/\/|mailto:)[^\s"<>]*)?"|title="[^"<>]*"|start="\d+"|dir="(?:auto|ltr)"|class="(?:image-link|file-link|task|task-open|task-done|code|language-[\w+#.-]{1,30}|align-(?:left|center|right))")$/i;

export const target: FuzzTarget = {
  name: 'Markdown in the context view',
  cases: 1_000,
  run(random: Random): void {
    const text = random.text(24, MARKDOWN);
    const made = html(text);
    const harm = harmInHtml(made, ELEMENTS, ATTRIBUTE);
    assert.ok(harm.length === 0, `${JSON.stringify(text)} has ${harm.join(', ')}`);
    assert.doesNotMatch(made, /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/, JSON.stringify(text));
    assert.equal([...pieces(text, 20)].join(''), made, JSON.stringify(text));
  },
};
