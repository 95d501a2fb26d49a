/** Session text in Markdown for a pull request: nothing in it mentions a person, refers to an issue or a commit, or links. */
import { inlineCode, inlineText, joinMarkdown } from '../text/markdown/markdownText';
import { plainLine } from '../text/plainLine';

/** Words that GitHub would turn into a mention, a reference to an issue, a pull request, a commit or an advisory, or a link. */
const LINKED = /[@#]|:\/\/|www\.|\b[0-9a-f]{7,64}\b|\b[a-z]+-\d/i;

/** Returns text as one line without markup, in which such words are code. @param limit UTF-16 units */
export function githubText(text: string, limit: number): string {
  const words = plainLine(text, limit).split(/(\s+)/);
  return joinMarkdown(words.map((word) => (LINKED.test(word) ? inlineCode(word) : /^\s*$/.test(word) ? word : inlineText(word))));
}
