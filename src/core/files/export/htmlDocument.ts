/** The frame of an HTML file that needs no network. */
import { createHash } from 'node:crypto';

interface HtmlHead {
  readonly title: string;
  /** The tag of the language. */
  readonly language: string;
  /** Texts of style sheets. */
  readonly styles: readonly string[];
  /** Further directives of the policy, beside those of the styles. */
  readonly directives?: readonly string[];
}

/** Returns the beginning of a document, up to its body. Its policy allows the styles and the directives, and nothing else. */
export function htmlHead({ title, language, styles, directives = [] }: HtmlHead): string {
  const policy = [
    `default-src 'none'`,
    `style-src ${styles.map(policyHash).join(' ')}`,
    ...directives,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${languageTag(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Pi Session Tree">
<title>${escapeHtml(title)}</title>
${styles.map((style) => `<style>${style}</style>`).join('\n')}
</head>
`;
}

/** Returns the source expression by which a policy allows a script or a style sheet. */
export const policyHash = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/** Makes text safe between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Makes the tag of a language safe in an attribute. */
export const languageTag = (language: string): string => language.replace(/[^\w-]/g, '');
