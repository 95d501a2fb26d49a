/**
 * Escapes text as Markdown that renders literally: nothing in it becomes a link, an image, a heading or HTML. Pure.
 * Unlike `MarkdownString.appendText`, it keeps spaces, so that lines wrap between words.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\*_{}[\]()#+\-.!|>~:@^=]/g, '\\$&')
    .replace(/[`$]/g, (character) => `&#${String(character.charCodeAt(0))};`)
    .split(/\r\n|\n|\r/)
    .map((line) => line.replace(/^[ \t]+/, (indent) => '&nbsp;'.repeat(indent.replaceAll('\t', '  ').length)) || '&nbsp;')
    .join('  \n');
}
