/** Turns a tool call and its result into edits and readings of files. FORMAT section 2. */
import { defined } from '../../values/defined';
import { appendAll } from '../../values/lists';
import { parseJson } from '../../parse/parseJson';
import { finishSteps, type Steps } from '../../session/steps';
import { asString, isObject, type JsonObject } from '../../values/jsonValues';
import { textOf } from '../../entry/message';
import { cellCalls, cellCode } from '../../toolCalls/cellCalls';
import { fileArgument } from '../../toolCalls/fileTouches';
import { patchArgument } from '../../toolCalls/patchedFiles';
import { quotedForm } from '../../toolCalls/quotedPatch';
import { linesOf } from '../lineTexts';
import type { FileEdit, FileReading, Hunk, Replacement } from './fileEdit';
import { parseHashedPatch } from './hashedPatch';
import { parseNumberedDiff, parsePatchEnvelope, parseUnifiedDiff, type FilePatch } from './patchText';
import { parseQuotedPatch } from './quotedEdits';

/** Names of tools in lower case. */
const WRITE_TOOLS = new Set(['write', 'create', 'write_file', 'writefile']);
const EDIT_TOOLS = new Set(['edit', 'multiedit', 'multi_edit', 'edit_file', 'str_replace', 'apply_patch', 'ast_edit']);
const READ_TOOLS = new Set(['read', 'view', 'read_file', 'readfile', 'open', 'cat']);

/** UTF-16 units of a text that is followed, and replacements of a call; edits with more are left out. */
const MAX_TEXT = 8 * 1024 * 1024;
const MAX_REPLACEMENTS = 1000;

/**
 * Returns the changes that a call made, one for each file. A call that failed made none.
 *
 * @param call a block of type `toolCall`, or a nested call
 * @param result the message with the result; `undefined` if there is none
 */
export const editsOfCall = (call: JsonObject, result: JsonObject | undefined): FileEdit[] => finishSteps(callEditSteps(call, result));

/** Does what {@link editsOfCall} does, in steps. */
export function* callEditSteps(call: JsonObject, result: JsonObject | undefined): Steps<FileEdit[]> {
  if (result?.['isError'] === true || hasFailed(call)) return [];
  const name = (asString(call['name']) ?? '').toLowerCase();
  const given = isObject(call['arguments']) ? call['arguments'] : {};
  const isCertain = result !== undefined;
  const file = fileArgument(given);
  if (WRITE_TOOLS.has(name)) {
    const text = asString(given['content']) ?? asString(given['contents']) ?? asString(given['file_text']);
    return file === undefined || text === undefined || text.length > MAX_TEXT ? [] : [{ ...NO_PARTS, file, text, isCertain }];
  }
  const code = cellCode(name, given);
  if (code !== undefined) return yield* cellEdits(code);
  if (!EDIT_TOOLS.has(name)) return [];
  const recorded = yield* recordedChanges(result);
  const argued = (yield* arguedEdits(given, file)).map((edit) => ({ ...edit, isCertain }));
  const [first] = recorded;
  if (!first) return argued;
  if (recorded.length === 1 && argued.length <= 1) {
    const edit = argued[0] ?? (file === undefined ? undefined : { ...NO_PARTS, file, isCertain });
    const source = edit?.file ?? first.file;
    return source === undefined ? [] : [{ ...(edit ?? NO_PARTS), ...first.change, file: source, isCertain }];
  }
  // Results and arguments sometimes spell the same path differently, so edits without a matching result are kept.
  const arguedByName = byName(argued.map((edit) => ({ path: plainPath(edit.file), edit })));
  const left = new Set<FileEdit>(argued);
  const edits: FileEdit[] = [];
  for (const { file: one, change } of recorded) {
    if (one === undefined) continue;
    yield;
    const path = plainPath(one);
    const same = (arguedByName.get(nameOf(path)) ?? []).filter((each) => samePath(path, each.path));
    for (const { edit } of same) left.delete(edit);
    edits.push({ ...(same[0]?.edit ?? NO_PARTS), ...change, file: one, isCertain });
  }
  return [...edits, ...left];
}

/** The edits that a cell's code may have made. Nothing records whether it came to them. */
function* cellEdits(code: string): Steps<FileEdit[]> {
  const edits: FileEdit[] = [];
  for (const call of cellCalls(code)) appendAll(edits, yield* callEditSteps(call, undefined));
  return edits;
}

const NO_PARTS = { hunks: [], replacements: [] } as const;

/** Nested calls record how they ended. */
const hasFailed = (call: JsonObject): boolean =>
  call['isError'] === true || ['error', 'failed', 'aborted', 'blocked'].includes(asString(call['status']) ?? '');

/** True if one plain path ends with the other. */
const samePath = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Groups edits by the last part of their plain paths. */
function byName<T extends { readonly path: string }>(list: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of list) {
    const others = found.get(nameOf(one.path));
    if (others) others.push(one);
    else found.set(nameOf(one.path), [one]);
  }
  return found;
}

/** Returns a path with slashes, without `./` at its beginning. */
const plainPath = (path: string): string => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');

interface RecordedChange {
  readonly file: string | undefined;
  readonly change: Partial<FileEdit>;
}

/** The changes in a result's `details`: whole texts, or a difference. */
function* recordedChanges(result: JsonObject | undefined): Steps<RecordedChange[]> {
  const details = result?.['details'];
  if (!isObject(details)) return [];
  const results = details['perFileResults'];
  const parts: readonly unknown[] = Array.isArray(results) ? results.slice(0, MAX_REPLACEMENTS) : [details];
  const found: RecordedChange[] = [];
  for (const part of parts) {
    if (!isObject(part) || part['isError'] === true) continue;
    const moved = asString(part['move']);
    const change: Partial<FileEdit> = {
      ...wholeTexts(part),
      ...defined({ movedTo: moved, isDeletion: part['op'] === 'delete' || undefined }),
    };
    const hunks = yield* hunksIn(part);
    if (hunks.length > 0) Object.assign(change, { hunks });
    if (Object.keys(change).length > 0) found.push({ file: asString(part['sourcePath']) ?? asString(part['path']), change });
    yield;
  }
  return found;
}

function wholeTexts(part: JsonObject): { before?: string; text?: string } {
  const [before, text] = [asString(part['oldText']), asString(part['newText'])];
  if (text === undefined || text.length > MAX_TEXT || part['op'] === 'delete') return {};
  return before === undefined || before.length > MAX_TEXT ? { text } : { before, text };
}

function* hunksIn(part: JsonObject): Steps<Hunk[]> {
  const [patch, diff] = [asString(part['patch']), asString(part['diff'])];
  if (patch !== undefined && patch.length <= MAX_TEXT) {
    const hunks = yield* parseUnifiedDiff(patch);
    if (hunks.length > 0) return hunks;
  }
  if (diff === undefined || diff.length > MAX_TEXT) return [];
  const numbered = yield* parseNumberedDiff(diff);
  return numbered.length > 0 ? numbered : yield* parseUnifiedDiff(diff);
}

/** The changes that the arguments name. */
function* arguedEdits(given: JsonObject, file: string | undefined): Steps<Omit<FileEdit, 'isCertain'>[]> {
  const input = patchArgument(given);
  if (input !== undefined && input.length <= MAX_TEXT) {
    return (yield* patchesIn(input)).map(editOfPatch);
  }
  if (file === undefined) return [];
  const edits = [...(yield* editList(given['edits'])), given].slice(0, MAX_REPLACEMENTS);
  const replacements = edits.flatMap(replacementOf);
  const diffs: Hunk[] = [];
  for (const edit of edits) appendAll(diffs, yield* diffOf(edit));
  const texts = edits.flatMap((edit) => (edit['op'] === 'create' && typeof edit['diff'] === 'string' ? [edit['diff']] : []));
  const isDeletion = edits.some(({ op }) => op === 'delete');
  const movedTo = edits.map(({ rename }) => asString(rename)).find((name) => name !== undefined && name !== '');
  if (replacements.length + diffs.length + texts.length === 0 && !isDeletion && movedTo === undefined) return [];
  return [
    {
      file,
      replacements,
      hunks: diffs,
      ...defined({ text: texts[0], isDeletion: isDeletion || undefined, movedTo }),
    },
  ];
}

/** A patch in any of the forms. */
function* patchesIn(input: string): Steps<FilePatch[]> {
  const form = quotedForm(input);
  if (form) return yield* parseQuotedPatch(input, form);
  const patches = yield* parsePatchEnvelope(input);
  return patches.length > 0 ? patches : yield* parseHashedPatch(input);
}

/** Some models pass the list as JSON, or a single edit instead of a list. */
function* editList(value: unknown): Steps<JsonObject[]> {
  if (Array.isArray(value)) return (value as unknown[]).slice(0, MAX_REPLACEMENTS).filter(isObject);
  if (isObject(value)) return [value];
  if (typeof value !== 'string' || value.length > MAX_TEXT) return [];
  const parsed = yield* parseJson(value);
  return typeof parsed === 'string' ? [] : yield* editList(parsed);
}

function replacementOf(edit: JsonObject): Replacement[] {
  const before = firstString(edit, ['oldText', 'old_text', 'old_string', 'oldString', 'old_str']);
  const after = firstString(edit, ['newText', 'new_text', 'new_string', 'newString', 'new_str']);
  if (before === undefined || after === undefined || before.length + after.length > MAX_TEXT) return [];
  return [{ before, after, all: edit['all'] === true || edit['replace_all'] === true || edit['replaceAll'] === true }];
}

const firstString = (from: JsonObject, keys: readonly string[]): string | undefined =>
  keys.map((key) => asString(from[key])).find((value) => value !== undefined);

function* diffOf(edit: JsonObject): Steps<Hunk[]> {
  const diff = asString(edit['diff']);
  if (diff === undefined || diff.length > MAX_TEXT || edit['op'] === 'create' || edit['op'] === 'delete') return [];
  return yield* parseUnifiedDiff(diff);
}

function editOfPatch({ file, operation, movedTo, hunks, replacements = [], pasted }: FilePatch): Omit<FileEdit, 'isCertain'> {
  if (operation === 'add') return { ...NO_PARTS, file, text: hunks.flatMap(({ lines }) => lines.map(({ text }) => `${text}\n`)).join('') };
  return {
    file,
    hunks,
    replacements,
    ...defined({ movedTo, isDeletion: operation === 'delete' || undefined, pasted }),
  };
}

const MAX_NOTICE = 310;
/** The share of numbered lines from which on the numbers aren't part of the text. */
const NUMBERED_SHARE = 0.8;
/** oh-my-pi puts numbers, with or without hashes, and a header before the lines. */
const NUMBERED = /^\s{0,10}\d{1,9}(?:#[0-9A-Za-z]{1,4})?[:|\t→]/;
export const HEADER = /^\[.{1,2000}#[0-9A-Za-z]{2,16}\]$/;

export const isReadTool = (call: JsonObject): boolean => READ_TOOLS.has((asString(call['name']) ?? '').toLowerCase());

/** Returns the lines that a call of a reading tool showed; `undefined` for other calls. */
export function readingOfCall(call: JsonObject, result: JsonObject | undefined): FileReading | undefined {
  const given = isObject(call['arguments']) ? call['arguments'] : {};
  const file = fileArgument(given);
  if (!isReadTool(call) || file === undefined || !result || result['isError'] === true) return undefined;
  const { content, details } = result;
  const shown = textOf(content);
  if (shown === '' || shown.length > MAX_TEXT) return undefined;
  const text = withoutNotice(shown);
  // Splitting a long text only to see that it has no numbers takes longer than all else.
  const lines = areNumbered(numberedLines(text.slice(0, SAMPLE))) ? numberedLines(text) : [];
  const isNumbered = areNumbered(lines);
  const isPart = given['offset'] !== undefined || given['limit'] !== undefined || text !== shown;
  const isCut = isObject(details) && isObject(details['truncation']) && details['truncation']['truncated'] === true;
  const isOneText = typeof content === 'string' || (Array.isArray(content) && content.length === 1);
  return {
    file,
    text: isNumbered ? withoutNumbers(lines).join('\n') : text,
    isWhole: !isNumbered && !isPart && !isCut && isOneText,
  };
}

/** Removes a tool's notice from the end of a text that it cut, and the line breaks before it. Nothing else may be left. */
function withoutNotice(text: string): string {
  const end = text.trimEnd().length;
  const start = text.lastIndexOf('\n', end - 1) + 1;
  if (end - start <= 2 || end - start > MAX_NOTICE) return text;
  const last = text.slice(start, end);
  if (!NOTICE.test(last) || (start === 0 && !PLACEHOLDER.test(last))) return text;
  let cut = start;
  while (cut > 0 && text[cut - 1] === '\n') cut--;
  return text.slice(0, cut);
}

/** Early versions of pi write `... (9 more lines not shown)`, and OpenClaw a sign before the bracket. */
const NOTICE = /^(?:[^\w\s]{0,3} ?\[.*\]|\.{3} ?\(.*\))$/;
/** A line that stands for a text that was too long, or that was removed later. */
const PLACEHOLDER = /truncat|elided|supersed|exceed|omitted|cleared|removed|not shown/i;

/** UTF-16 units at the beginning of a text that tell whether its lines have numbers. */
const SAMPLE = 10_000;

/** Removes the numbers; a space after each one belongs to them. */
export function withoutNumbers(lines: readonly string[]): string[] {
  const plain = lines.map((line) => line.replace(NUMBERED, ''));
  return plain.every((line) => line === '' || line.startsWith(' ')) ? plain.map((line) => line.slice(1)) : plain;
}

/** The lines of a text without its header. */
export function numberedLines(text: string): string[] {
  const lines = linesOf(text);
  if (HEADER.test(lines[0] ?? '')) lines.shift();
  return lines;
}

export function areNumbered(lines: readonly string[]): boolean {
  let others = 0;
  const most = lines.length * (1 - NUMBERED_SHARE);
  for (const line of lines) if (!NUMBERED.test(line) && ++others > most) return false;
  return others < lines.length;
}
