/** The frame of an HTML document whose policy forbids what it doesn't name. */
import { createHash } from 'node:crypto';

interface HtmlFrame {
  readonly title: string;
  /** The tag of the language. */
  readonly language: string;
  /** The content security policy. */
  readonly policy: string;
  /** Further elements of the head, as HTML. */
  readonly elements: readonly string[];
}

interface HtmlHead extends Pick<HtmlFrame, 'title' | 'language'> {
  /** Texts of style sheets. */
  readonly styles: readonly string[];
  /** Further directives of the policy, in addition to the ones for styles. */
  readonly directives?: readonly string[];
}

/** Returns the beginning of a document, up to its body. */
export function htmlFrame({ title, language, policy, elements }: HtmlFrame): string {
  return `<!DOCTYPE html>
<html lang="${languageTag(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${elements.join('\n')}
</head>
`;
}

/** Returns the beginning of a document that needs no network, up to its body. Its policy allows the styles and the directives, and nothing else. */
export function htmlHead({ title, language, styles, directives = [] }: HtmlHead): string {
  const policy = [
    `default-src 'none'`,
    `style-src ${styles.map(policyHash).join(' ')}`,
    ...directives,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const elements = [
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="generator" content="Pi Session Tree">',
    ...styles.map((style) => `<style>${style}</style>`),
  ];
  return htmlFrame({ title, language, policy, elements });
}

/** Returns the source expression by which a policy allows a script or a style sheet. */
export const policyHash = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/** Makes text safe between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Makes the tag of a language safe in an attribute. */
const languageTag = (language: string): string => language.replace(/[^\w-]/g, '');
