/**
 * Finds secrets in the columns of tables whose heading is a secret's name. Tables of Markdown and databases have bars
 * (https://github.github.com/gfm/#tables-extension-, https://www.postgresql.org/docs/current/app-psql.html), files of values have
 * commas, semicolons or tabs (https://www.rfc-editor.org/rfc/rfc4180, https://support.google.com/chrome/answer/95606), and many
 * programs write their columns below each other (https://kubernetes.io/docs/reference/kubectl/#output-options).
 */
import { certaintyOf, findName, ruleOfName, secretName } from './secretNames';
import { isSecretValue } from '../secretValues';
import type { Detector } from '../span';

/** A cell's content: its place in the text. */
interface Cell {
  readonly start: number;
  readonly end: number;
}
type Split = (text: string, start: number, end: number) => readonly Cell[];

interface Column {
  /** The position among the cells. */
  readonly index: number;
  readonly name: string;
  readonly before: string;
}

/** UTF-16 units of a line. */
const MAX_LINE = 4096;
/** One to three words. */
const HEADING = /^[\p{L}_/#][\p{L}\d_./-]{0,39}(?: [\p{L}\d_./-]{1,20}){0,2}$/u;
/** A line between the headings and the rows, or around them. */
const BORDER = /^[\s|+:=-]+$/;
/** A line behind the last row: a blank one, or one between two texts. */
const END = /^[\s\0]*$/;
/** Marks around a cell's content. */
const MARKS = /[\s"'`*]/;
const GAP = /[ \t]{2,}/g;
/** The path of a file. */
const FILE = /^[\w.-]+(?:\/[\w.-]+)+\.[A-Za-z]\w{0,4}$/;

/** Returns a cell without the marks around its content. */
function trimmed(text: string, from: number, to: number): Cell {
  let [start, end] = [from, to];
  while (start < end && MARKS.test(text.charAt(start))) start++;
  while (end > start && MARKS.test(text.charAt(end - 1))) end--;
  return { start, end };
}

/** Divides a line at a character that isn't in double quotes. */
const splitAt =
  (separator: string): Split =>
  (text, start, end) => {
    const cells: Cell[] = [];
    let [from, isQuoted] = [start, false];
    for (let at = start; at < end; at++) {
      const character = text.charAt(at);
      if (character === '"') isQuoted = !isQuoted;
      if (character !== separator || isQuoted) continue;
      cells.push(trimmed(text, from, at));
      from = at + 1;
    }
    return [...cells, trimmed(text, from, end)];
  };

/** Divides a line where it has several spaces. */
const splitAtGaps: Split = (text, start, end) => {
  const cells: Cell[] = [];
  let from = start;
  for (const { index, 0: gap } of text.slice(start, end).matchAll(GAP)) {
    if (start + index > from) cells.push({ start: from, end: start + index });
    from = start + index + gap.length;
  }
  return [...cells, { start: from, end }];
};

/** Returns the columns of a heading that are named like secrets; none if the line isn't a heading. */
function columnsOf(text: string, cells: readonly Cell[]): Column[] {
  const texts = cells.map(({ start, end }) => text.slice(start, end));
  if (texts.length < 2 || !texts.every((heading) => heading === '' || HEADING.test(heading))) return [];
  return texts.flatMap((heading, index) => {
    const named = secretName(heading);
    return named ? [{ index, ...named }] : [];
  });
}

/** Returns the end of the line that begins at a place. */
function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Finds secrets in the rows of a table. @returns the end of the last row */
function findInRows(text: string, heading: Cell, split: Split, isAligned: boolean, add: Parameters<Detector>[1]): number {
  const cells = split(text, heading.start, heading.end);
  const columns = columnsOf(text, cells);
  let last = heading.end;
  while (columns.length > 0 && last < text.length) {
    const start = last + 1;
    const end = endOfLine(text, start);
    if (end - start > MAX_LINE || END.test(text.slice(start, end))) break;
    if (!BORDER.test(text.slice(start, end))) {
      const row = split(text, start, end);
      if (!isAligned && row.length !== cells.length) break;
      for (const { index, name, before } of columns) {
        const offset = (cells[index]?.start ?? 0) - heading.start;
        const cell = isAligned ? row.find((each) => each.start - start === offset) : row[index];
        const value = cell ? text.slice(cell.start, cell.end) : '';
        if (!cell || FILE.test(value) || !isSecretValue(name, value, false)) continue;
        add({ ...cell, rule: ruleOfName(name), ...certaintyOf(before, name, value) });
      }
    }
    last = end;
  }
  return last;
}

/** Finds the values in columns of secrets. */
export const findInColumns: Detector = (text, add) => {
  let next = 0;
  for (let found = findName(text, next); found; found = findName(text, next)) {
    const start = Math.max(next, text.lastIndexOf('\n', found.start) + 1);
    const end = endOfLine(text, found.end);
    next = end;
    if (end - start > MAX_LINE) continue;
    const heading = { start, end };
    const line = text.slice(start, end);
    const separator = ['|', '\t', ';', ','].find((each) => line.includes(each));
    if (separator !== undefined) next = findInRows(text, heading, splitAt(separator), false, add);
    if (separator !== '|' && /\S {2,}\S/.test(line)) next = Math.max(next, findInRows(text, heading, splitAtGaps, true, add));
  }
};
