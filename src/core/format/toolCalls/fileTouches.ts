/** Finds the files that an entry's tool calls read or wrote, by the names of the tools and of their arguments. */
import { asString, isArray, isObject, type JsonObject } from '../values/jsonValues';
import { cellCalls, cellCode } from './cellCalls';
import { filesOfPatch, isPatchTool, patchArgument } from './patchedFiles';
import { appendAll } from '../values/lists';

export interface Touch {
  /** The path as the tool received it. */
  readonly file: string;
  readonly kind: 'read' | 'write';
}

const READ_TOOLS = new Set(['read', 'view', 'read_file', 'readfile', 'open', 'cat']);
const WRITE_TOOLS = new Set([
  'write',
  'edit',
  'multiedit',
  'multi_edit',
  'create',
  'write_file',
  'writefile',
  'edit_file',
  'notebookedit',
  'notebook_edit',
  'str_replace',
  'ast_edit',
]);
const PATH_ARGUMENTS = ['path', 'file_path', 'filePath', 'file'];

/** Returns the kind of access that a tool makes; `undefined` if the tool isn't known to access files. */
export function touchKindOfTool(tool: string): Touch['kind'] | undefined {
  const name = tool.toLowerCase();
  return READ_TOOLS.has(name) ? 'read' : WRITE_TOOLS.has(name) ? 'write' : undefined;
}

/**
 * Returns the files that a line's tool calls read or wrote, nested calls included. Files that the person mentioned count
 * as read. A summary has the files of the entries that it stands for. FORMAT section 2.
 *
 * @param without ids of calls that don't count
 */
export function touchesOfLine(line: JsonObject, without?: ReadonlySet<string>): Touch[] {
  const message = line['message'];
  if (line['type'] === 'compaction' || line['type'] === 'branch_summary') return touchesOfSummary(line);
  if (line['type'] !== 'message' || !isObject(message)) return [];
  if (message['role'] === 'fileMention')
    return (isArray(message['files']) ? message['files'] : []).flatMap((file) => touch(isObject(file) ? file : {}, 'read'));
  const touches: Touch[] = [];
  for (const call of message['role'] === 'toolResult' ? nestedCalls(message) : toolCallBlocks(answerContent(message))) {
    if (!isObject(call['arguments']) || without?.has(asString(call['id']) ?? '')) continue;
    appendAll(touches, touchesOfCall(asString(call['name']) ?? '', call['arguments']));
  }
  return touches;
}

/** Returns the files that a call names in its arguments, or in its patch. */
function touchesOfCall(tool: string, given: JsonObject): Touch[] {
  const patch = isPatchTool(tool) ? patchArgument(given) : undefined;
  const patched = patch === undefined ? [] : filesOfPatch(patch);
  if (patched.length > 0) return patched.map((file): Touch => ({ file, kind: 'write' }));
  const code = cellCode(tool, given);
  if (code !== undefined) return cellCalls(code).flatMap(touchesOfCellCall);
  const kind = touchKindOfTool(tool);
  return kind ? touch(given, kind) : [];
}

const touchesOfCellCall = ({ name, arguments: given }: JsonObject): Touch[] =>
  touchesOfCall(asString(name) ?? '', isObject(given) ? given : {});

const answerContent = (message: JsonObject): unknown => (message['role'] === 'assistant' ? message['content'] : undefined);

/** The calls that a tool made while it ran, as its result records them (pi's code mode). FORMAT section 2. */
export function nestedCalls(message: JsonObject): JsonObject[] {
  const recorded = message['nestedCalls'];
  const calls = isObject(recorded) && isArray(recorded['calls']) ? recorded['calls'] : [];
  return calls.slice(0, MAX_NESTED_CALLS).filter(isObject);
}

/** True if a result doesn't have all calls that the tool made, or not all of their arguments. FORMAT section 2. */
export function lacksNestedCalls(message: JsonObject): boolean {
  const recorded = message['nestedCalls'];
  if (!isObject(recorded)) return false;
  if (isArray(recorded['calls']) && recorded['calls'].length > MAX_NESTED_CALLS) return true;
  if (recorded['complete'] !== false) return false;
  // pi also calls a record incomplete if a call wasn't finished, which is said of that call.
  const calls = nestedCalls(message);
  const isUnfinished = calls.some((call) => call['status'] === 'unfinished');
  return !isUnfinished || calls.length === MAX_NESTED_CALLS || calls.some((call) => !('arguments' in call));
}

/** pi records no more. */
const MAX_NESTED_CALLS = 256;

/** The files that a compaction or a branch summary names; a written file isn't listed among the files that were only read. */
export interface SummaryFiles {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/** Returns the files of a summary's `details`, as pi records them; `undefined` if there are none. FORMAT section 2. */
export function summaryFiles(details: unknown): SummaryFiles | undefined {
  if (!isObject(details)) return undefined;
  const files = (key: keyof SummaryFiles): string[] =>
    isArray(details[key])
      ? details[key]
          .slice(0, MAX_SUMMARY_FILES)
          .filter((file) => typeof file === 'string' && file !== '')
          .map(String)
      : [];
  const found = { readFiles: files('readFiles'), modifiedFiles: files('modifiedFiles') };
  return found.readFiles.length + found.modifiedFiles.length === 0 ? undefined : found;
}

const MAX_SUMMARY_FILES = 10_000;

function touchesOfSummary(line: JsonObject): Touch[] {
  const files = summaryFiles(line['details']);
  if (!files) return [];
  return [
    ...files.readFiles.map((file): Touch => ({ file, kind: 'read' })),
    ...files.modifiedFiles.map((file): Touch => ({ file, kind: 'write' })),
  ];
}

function touch(given: JsonObject, kind: Touch['kind']): Touch[] {
  const file = fileArgument(given);
  return file === undefined ? [] : [{ file, kind }];
}

/** Returns the file that a call's arguments name. */
export function fileArgument(given: JsonObject): string | undefined {
  for (const key of PATH_ARGUMENTS) {
    const file = asString(given[key]);
    if (file) return file;
  }
  return undefined;
}

/** Returns the tool calls in a message's content, which may be any value. */
export function toolCallBlocks(content: unknown): JsonObject[] {
  const calls: JsonObject[] = [];
  if (isArray(content)) for (const block of content) if (isObject(block) && block['type'] === 'toolCall') calls.push(block);
  return calls;
}
