/** Links in hovers that run commands of this extension. Pure. */

export interface CommandLink {
  /** Our own text, without markup. */
  readonly title: string;
  readonly command: `sessionTree.${string}`;
  /** The only argument of the command. */
  readonly argument: object;
}

/** Returns links as one line of Markdown. They only work in a `MarkdownString` that trusts their commands: {@link trustOf}. */
export const linksMarkdown = (links: readonly CommandLink[]): string =>
  links
    .map(({ title, command, argument }) => {
      const query = encodeURIComponent(JSON.stringify([argument])).replace(/[()']/g, percent);
      return `[${title}](command:${command}?${query})`;
    })
    .join(' · ');

/** Returns the value of `MarkdownString.isTrusted` that lets these links run, and no other commands. */
export const trustOf = (links: readonly CommandLink[]): { readonly enabledCommands: readonly string[] } => ({
  enabledCommands: links.map(({ command }) => command),
});

/** Parentheses would end the link. */
const percent = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
