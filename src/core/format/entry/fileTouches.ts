/** Which files an entry's tool calls read or wrote, by the names that tools and their arguments have. */
import { asString, isObject, type JsonObject } from './entry';

export interface Touch {
  /** As the tool was given it. */
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

/** What a tool does with a file, by its name; `undefined` where it is not known to have one. */
export function touchKindOfTool(tool: string): Touch['kind'] | undefined {
  const name = tool.toLowerCase();
  return READ_TOOLS.has(name) ? 'read' : WRITE_TOOLS.has(name) ? 'write' : undefined;
}

/** The files that a line's tool calls read or wrote; those that a person mentioned count as read. `without`: ids of calls that don't count. */
export function touchesOfLine(line: JsonObject, without?: ReadonlySet<string>): Touch[] {
  const message = line['message'];
  if (line['type'] !== 'message' || !isObject(message)) return [];
  if (message['role'] === 'fileMention')
    return (Array.isArray(message['files']) ? message['files'] : []).flatMap((file) => touch(isObject(file) ? file : {}, 'read'));
  if (message['role'] !== 'assistant') return [];
  const touches: Touch[] = [];
  for (const call of toolCallBlocks(message['content'])) {
    const kind = touchKindOfTool(asString(call['name']) ?? '');
    if (kind && isObject(call['arguments']) && !without?.has(asString(call['id']) ?? '')) touches.push(...touch(call['arguments'], kind));
  }
  return touches;
}

function touch(given: JsonObject, kind: Touch['kind']): Touch[] {
  const file = fileArgument(given);
  return file === undefined ? [] : [{ file, kind }];
}

/** The file that a call's arguments name. */
export function fileArgument(given: JsonObject): string | undefined {
  for (const key of PATH_ARGUMENTS) {
    const file = asString(given[key]);
    if (file) return file;
  }
  return undefined;
}

/** The calls of tools among a message's content, whatever that is. */
export function toolCallBlocks(content: unknown): JsonObject[] {
  const calls: JsonObject[] = [];
  if (Array.isArray(content))
    for (const block of content as unknown[]) if (isObject(block) && block['type'] === 'toolCall') calls.push(block);
  return calls;
}
