/** Finds the files that a patch in a call's arguments names. FORMAT section 2. */
import { asString, type JsonObject } from '../values/jsonValues';
import { quotedForm, quotedMarker, unquoted, withMarkersOnLines } from './quotedPatch';

/** Tools whose patches name their files in the middle of a text. Names in lower case. */
const PATCH_TOOLS = new Set(['edit', 'apply_patch']);
const PATCH_ARGUMENTS = ['input', 'patch', '_input'];

/** A file's part in a patch of the form `*** Begin Patch`. */
export const PATCH_SECTION = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
/** A file's part in a patch by line numbers and hashes: `[path#1A2B]`, in older versions `¶path#1A2B`. */
export const HASHED_SECTION = /^(?:\[(.+?)#[0-9A-Za-z]{2,16}\]|¶(.+?)(?:#[0-9A-Za-z]{2,16})?)$/;
export const MOVED_TO = '*** Move to: ';
export const HASHED_MOVE = 'MV ';

/** Files of one patch; more aren't indexed. */
const MAX_FILES = 1000;
/** A longer line names no file. */
const MAX_NAME = 5000;
/** UTF-16 units of a patch that are read. */
const MAX_PATCH = 8 * 1024 * 1024;

export const isPatchTool = (tool: string): boolean => PATCH_TOOLS.has(tool.toLowerCase());

/** True for a text that begins as a patch does. */
export const isPatch = (text: string): boolean =>
  quotedForm(text) !== undefined ||
  /^\s*(?:\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )|\[[^\n]{1,2000}#[0-9A-Za-z]{2,16}\]\r?\n|¶)/.test(text);

/** Returns the patch in a call's arguments. */
export const patchArgument = (given: JsonObject): string | undefined =>
  PATCH_ARGUMENTS.map((key) => asString(given[key])).find((text) => text !== undefined);

/** Returns the files that a patch changes, under their old and new names. */
export function filesOfPatch(patch: string): string[] {
  const files = new Set<string>();
  const read = patch.slice(0, MAX_PATCH);
  const form = quotedForm(read);
  const lines = (form ? withMarkersOnLines(read, form) : read).split(LINE_BREAK);
  for (const [index, line] of lines.entries()) {
    if (files.size >= MAX_FILES) break;
    if (line.length > MAX_NAME) continue;
    const marker = form && quotedMarker(form, line, lines[index + 1]);
    const file = form ? marker?.kind === 'file' && marker.file : fileOfLine(line);
    if (file) files.add(file);
  }
  return [...files];
}

const LINE_BREAK = /\r\n|\n|\r/;

function fileOfLine(line: string): string | undefined {
  if (line.startsWith(MOVED_TO)) return line.slice(MOVED_TO.length).trim();
  if (line.startsWith(HASHED_MOVE)) return unquoted(line.slice(HASHED_MOVE.length).trim());
  const [section, hashed] = [PATCH_SECTION.exec(line), HASHED_SECTION.exec(line.trim())];
  return (section?.[2] ?? hashed?.[1] ?? hashed?.[2])?.trim();
}
