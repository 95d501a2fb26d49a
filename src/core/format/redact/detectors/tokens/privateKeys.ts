/** Finds private keys in PEM and PuTTY's form: whole ones, and what is left of those that were cut. */
import type { Detector } from '../span';

/** In a form's data, spaces are plus signs. */
const BEGIN = /-----BEGIN[A-Z0-9 +]{0,40}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----|Private-Lines: \d{1,4}/g;
const END = /-----END[A-Z0-9 +]{0,40}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----/g;
const END_HERE = new RegExp(END.source, 'y');
/**
 * The lines of a key, with the marks of diffs, quotes and line numbers between them, its own headers, escaped line breaks, or the
 * ends of texts. The backreference keeps what the lookahead took: some marks could be read in many ways, and trying all of them
 * would take exponential time.
 */
const MARKS = String.raw`(?=(?<marks>(?:\s|\0|\\[rnt]|\d{1,6}(?:[:#][A-Za-z0-9]{1,4})?(?=[\t|:→│])|[>|:,"'│→-]|(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?(?:(?!---|Private)[^\n\\]){0,120})*))\k<marks>`;
const BODY = new RegExp(`(?:${MARKS}[A-Za-z0-9+/=]{16,})+`, 'y');
/** The line of a key before its end. */
const LINE = new RegExp(`^${MARKS}[A-Za-z0-9+/=]{16,}(?:\\s|\\0|\\\\[rn])*$`);

/** UTF-16 units: no key is longer. */
const MAX_KEY = 16 * 1024;

export const findPrivateKeys: Detector = (text, add) => {
  if (!/PRIVATE[ +]KEY|Private-Lines/.test(text)) return;
  let closing = 0;
  let next = 0;
  let found = 0;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin; begin = BEGIN.exec(text)) {
    const start = begin.index;
    const from = start + begin[0].length;
    if (closing >= 0 && closing < from) closing = text.indexOf('-----END', from);
    if (next >= 0 && next < from) next = text.indexOf('-----BEGIN', from);
    let end = from;
    if (begin[0].startsWith('-') && closing >= 0 && closing - start <= MAX_KEY && (next < 0 || next > closing)) {
      END_HERE.lastIndex = closing;
      end = END_HERE.test(text) ? END_HERE.lastIndex : closing;
    } else {
      const limited = text.slice(from, from + MAX_KEY);
      BODY.lastIndex = 0;
      if (BODY.exec(limited)) end = from + BODY.lastIndex;
    }
    // A header alone, as in documentation, holds nothing.
    if (end - from >= 24 && !/^[\s.…<[]*(?:\.{3}|…|<|\[)/.test(text.slice(from, from + 40))) {
      cutBeginnings(text.slice(found, start), found, add);
      add({ start, end, rule: 'private-key', kind: 'format' });
      // The end may be that of a key in another text, whose beginning is missing.
      const border = text.slice(start, end + 1).lastIndexOf('\0');
      found = border > 0 ? start + border : end;
    }
    BEGIN.lastIndex = Math.max(from, end);
  }
  cutBeginnings(text.slice(found), found, add);
};

/** Finds the lines of keys whose beginning is missing, in a text without whole keys. @param offset of the text */
function cutBeginnings(text: string, offset: number, add: Parameters<Detector>[1]): void {
  let from = 0;
  for (const { index, 0: closing } of text.matchAll(END)) {
    const lines = text.slice(Math.max(from, index - MAX_KEY), index).split(/(?<=\n|\\n)/);
    let length = 0;
    for (let at = lines.length - 1; at >= 0 && LINE.test(lines[at] ?? ''); at--) length += lines[at]?.length ?? 0;
    from = index + closing.length;
    if (length >= 24) add({ start: offset + index - length, end: offset + from, rule: 'private-key', kind: 'format' });
  }
}
