/** The form of a text: its line breaks and its byte order mark, apart from its lines. */
import { plainOf } from '../lineOrigins/versions/wholeText';
import type { Versions } from './threeWay';

const MARK = '\uFEFF';

/** `none`: the text has no line break. */
type LineBreaks = 'crlf' | 'lf' | 'none';

interface TextForm {
  readonly breaks: LineBreaks;
  readonly hasMark: boolean;
}

interface MergedForm extends TextForm {
  /** The texts with line feeds only, and without a mark. */
  readonly plain: Versions<string>;
}

/** Merges the forms of three texts: that of the side which changed it. Returns `undefined` if one has several kinds of line breaks. */
export function mergedForm({ base, theirs, mine }: Versions<string>): MergedForm | undefined {
  const [from, their, own] = [formOf(base), formOf(theirs), formOf(mine)];
  if (!from || !their || !own) return undefined;
  const isOwn = own.breaks !== 'none' && (own.breaks !== from.breaks || their.breaks === 'none');
  return {
    breaks: isOwn ? own.breaks : their.breaks,
    hasMark: own.hasMark === from.hasMark ? their.hasMark : own.hasMark,
    plain: { base: plainOf(base), theirs: plainOf(theirs), mine: plainOf(mine) },
  };
}

/** Gives a form to a text with line feeds only. */
export const withForm = (plain: string, { breaks, hasMark }: TextForm): string =>
  (hasMark ? MARK : '') + (breaks === 'crlf' ? plain.replaceAll('\n', '\r\n') : plain);

function formOf(text: string): TextForm | undefined {
  const all = count(text, '\n');
  const crlf = count(text, '\r\n');
  if (crlf > 0 && crlf < all) return undefined;
  return { breaks: all === 0 ? 'none' : crlf > 0 ? 'crlf' : 'lf', hasMark: text.startsWith(MARK) };
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++;
  return found;
}
