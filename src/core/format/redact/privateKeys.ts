/** Finds private keys in PEM: whole ones, and what is left of those that were cut. */
import type { Detector } from './span';

const BEGIN = /-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** The lines of a key, with the marks of diffs, quotes and line numbers between them, escaped line breaks, or the ends of texts. */
const BODY = /(?:(?:\s|\0|\\[rnt]|[>|:,"'-])*[A-Za-z0-9+/=]{16,})+/y;

/** UTF-16 units: no key is longer. */
const MAX_KEY = 16 * 1024;

export const findPrivateKeys: Detector = (text, add) => {
  if (!text.includes('PRIVATE KEY')) return;
  let closing = 0;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin; begin = BEGIN.exec(text)) {
    const start = begin.index;
    const from = start + begin[0].length;
    if (closing >= 0 && closing < from) closing = text.indexOf('-----END', from);
    const next = text.indexOf('-----BEGIN', from);
    let end = from;
    if (closing >= 0 && closing - start <= MAX_KEY && (next < 0 || next > closing)) {
      END.lastIndex = closing;
      end = END.exec(text) ? END.lastIndex : closing;
    } else {
      const limited = text.slice(from, from + MAX_KEY);
      BODY.lastIndex = 0;
      if (BODY.exec(limited)) end = from + BODY.lastIndex;
    }
    // A header alone, as in documentation, holds nothing.
    if (end - from >= 24 && !/^[\s.…<[]*(?:\.{3}|…|<|\[)/.test(text.slice(from, from + 40)))
      add({ start, end, rule: 'private-key', kind: 'format' });
    BEGIN.lastIndex = Math.max(from, end);
  }
};
