/** Parses the forms in which tools write differences, in steps. Malformed parts are skipped; nothing throws. */
import { defined } from '../../values/defined';
import { lastOf } from '../../values/lookups';
import { MOVED_TO, PATCH_SECTION } from '../../toolCalls/patchedFiles';
import type { Steps } from '../../session/steps';
import { CHUNK } from '../work';
import type { Hunk, HunkLine, PastedLines, Replacement } from './fileEdit';

/** A file's part of a patch of several files. */
export interface FilePatch {
  readonly file: string;
  readonly operation: 'add' | 'update' | 'delete';
  readonly movedTo?: string;
  readonly hunks: readonly Hunk[];
  readonly replacements?: readonly Replacement[];
  /** See `FileEdit`. */
  readonly pasted?: PastedLines;
}

/** Lines of a difference that are read; more are ignored. */
const MAX_LINES = 200_000;

/** Passes the lines of a text on, in steps. */
export function* eachLine(text: string, take: (line: string, next: string | undefined) => void): Steps<void> {
  const lines = text.split(/\r\n|\n|\r/, MAX_LINES);
  for (const [index, line] of lines.entries()) {
    if (index % CHUNK === CHUNK - 1) yield;
    take(line, lines[index + 1]);
  }
}

/** Sections of a patch whose work takes about a millisecond. */
const SECTIONS_OF_STEP = 200;

const HUNK_HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,\d{1,9})? @@/;

/**
 * Parses a unified difference of one file. Headers without numbers, such as `@@ def f():`, begin a hunk whose place is
 * unknown; so does text before the first header.
 */
export function* parseUnifiedDiff(text: string): Steps<Hunk[]> {
  const hunks: Hunk[] = [];
  let start: number | undefined;
  let lines: HunkLine[] = [];
  let isInHunk = false;
  const end = (): void => {
    if (lines.some(({ sign }) => sign !== ' ')) hunks.push({ ...defined({ start }), lines });
    lines = [];
  };
  yield* eachLine(text, (line) => {
    const header = HUNK_HEADER.exec(line);
    if (header || line.startsWith('@@')) {
      end();
      const [from, count] = [Number(header?.[1]), Number(header?.[2] ?? 1)];
      // An empty range names the line before it.
      start = header ? (count === 0 ? from : from - 1) : undefined;
      isInHunk = true;
    } else if (!isInHunk && lines.length === 0 && /^(?:---|\+\+\+) /.test(line)) return;
    else if (isHunkLine(line)) lines.push(hunkLine(line));
    else if (line === '' && lines.length > 0) lines.push({ sign: ' ', text: '' });
  });
  // The text's last line break adds no line to the file.
  while (lines.length > 0 && lastOf(lines).sign === ' ' && lastOf(lines).text === '') lines.pop();
  end();
  return hunks;
}

const isHunkLine = (line: string): boolean => /^[ +-]/.test(line);
const signOf = (text: string): HunkLine['sign'] => (text.startsWith('+') ? '+' : text.startsWith('-') ? '-' : ' ');
const hunkLine = (line: string): HunkLine => ({ sign: signOf(line), text: line.slice(1) });

const NUMBERED_LINE = /^([ +-]) *(\d{1,9})(\||[ ]|$)/;

/**
 * Parses a difference whose lines have numbers, as pi (`+12 text`) and oh-my-pi (`+12|text`) show it; other lines are
 * gaps. Old versions of pi number the lines after a gap wrongly, so a hunk whose numbers don't count up has no place.
 * FORMAT section 2.
 */
export function* parseNumberedDiff(text: string): Steps<Hunk[]> {
  const hunks: Hunk[] = [];
  let lines: HunkLine[] = [];
  let numbers: (readonly [sign: string, number: number])[] = [];
  const end = (): void => {
    const start = placeOf(numbers);
    if (lines.some(({ sign }) => sign !== ' ')) hunks.push({ ...defined({ start }), lines });
    [lines, numbers] = [[], []];
  };
  yield* eachLine(text, (line) => {
    const found = NUMBERED_LINE.exec(line);
    if (!found) {
      end();
      return;
    }
    const [all, sign = '', number] = found;
    lines.push({ sign: signOf(sign), text: line.slice(all.length) });
    numbers.push([sign, Number(number)]);
  });
  end();
  return hunks;
}

/** The place in the old text, if the numbers of its lines count up: the numbers of unchanged lines may be old or new ones. */
function placeOf(numbers: readonly (readonly [sign: string, number: number])[]): number | undefined {
  const [first] = numbers;
  if (!first) return undefined;
  const start = first[1];
  let [old, now, isOld, isNew] = [start, start, true, true];
  for (const [sign, number] of numbers) {
    if (sign === '-' ? number !== old : sign === '+' ? number !== now && isFar(number, now) : false) return undefined;
    if (sign === ' ') {
      isOld &&= number === old;
      isNew &&= number === now;
    }
    if (sign !== '+') old++;
    if (sign !== '-') now++;
  }
  return (isOld || isNew) && numbers.some(([sign]) => sign !== '+') ? start - 1 : undefined;
}

/** The new numbers differ from the old ones by what earlier hunks added. */
const isFar = (number: number, other: number): boolean => Math.abs(number - other) > MAX_LINES;

/** Parses a patch of several files in the form `*** Begin Patch`. FORMAT section 2. */
export function* parsePatchEnvelope(text: string): Steps<FilePatch[]> {
  const sections: { file: string; operation: FilePatch['operation']; movedTo?: string; body: string[] }[] = [];
  yield* eachLine(text, (line) => {
    const header = PATCH_SECTION.exec(line);
    const section = sections.at(-1);
    if (header) {
      const [, verb = '', file = ''] = header;
      // The pattern finds these verbs only.
      sections.push({ file: file.trim(), operation: verb.toLowerCase() as FilePatch['operation'], body: [] });
    } else if (line.startsWith(MOVED_TO) && section) section.movedTo = line.slice(MOVED_TO.length).trim();
    else if (!line.startsWith('*** ')) section?.body.push(line);
  });
  const found: FilePatch[] = [];
  for (const { body, operation, ...rest } of sections) {
    if (found.length % SECTIONS_OF_STEP === SECTIONS_OF_STEP - 1) yield;
    const hunks =
      operation === 'add'
        ? [{ start: 0, lines: body.filter((line) => line.startsWith('+')).map(hunkLine) }]
        : operation === 'update'
          ? yield* parseUnifiedDiff(body.join('\n'))
          : [];
    found.push({ ...rest, operation, hunks });
  }
  return found;
}
