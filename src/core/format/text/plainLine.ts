import { oneLine } from './oneLine';

/**
 * Returns a text as one line of at most `length` UTF-16 units, without common Markdown marks, which are noise there.
 * Regular expressions suffice: the text is short, each pattern is linear, and a mark that stays is harmless.
 */
export function plainLine(text: string, length: number): string {
  return oneLine(
    oneLine(text, length * 2)
      .replace(/^((?:user|assistant): )?(?:#{1,6}|[-*>]) +/, '$1')
      .replace(/!?\[([^\][]+)\]\([^()\s]*\)/g, '$1')
      .replace(/\*\*|~~|`/g, ''),
    length,
  );
}
