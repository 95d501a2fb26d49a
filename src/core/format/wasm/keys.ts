/** The keys whose values the scanner reads, at any level of a line. */
import { NONE } from '../columns/scannerLayout';
import { createTable, find, intern } from './memory';

export enum Key {
  type,
  id,
  parentId,
  timestamp,
  message,
  payloadSha256,
  openclaw,
  appendMode,
  customType,
  content,
  modelId,
  thinkingLevel,
  role,
  provider,
  model,
  responseModel,
  usage,
  stopReason,
  errorMessage,
  toolCallId,
  toolName,
  isError,
  nestedCalls,
  text,
  name,
  arguments,
  input,
  output,
  cacheRead,
  cacheWrite,
  totalTokens,
  cost,
  total,
  path,
  file_path,
  filePath,
  file,
  offset,
  limit,
}

const table = createTable();

function add(name: string, key: Key): void {
  const letters = String.UTF8.encode(name);
  intern(table, changetype<usize>(letters), name.length, key);
}

add('type', Key.type);
add('id', Key.id);
add('parentId', Key.parentId);
add('timestamp', Key.timestamp);
add('message', Key.message);
add('payloadSha256', Key.payloadSha256);
add('__openclaw', Key.openclaw);
add('appendMode', Key.appendMode);
add('customType', Key.customType);
add('content', Key.content);
add('modelId', Key.modelId);
add('thinkingLevel', Key.thinkingLevel);
add('role', Key.role);
add('provider', Key.provider);
add('model', Key.model);
add('responseModel', Key.responseModel);
add('usage', Key.usage);
add('stopReason', Key.stopReason);
add('errorMessage', Key.errorMessage);
add('toolCallId', Key.toolCallId);
add('toolName', Key.toolName);
add('isError', Key.isError);
add('nestedCalls', Key.nestedCalls);
add('text', Key.text);
add('name', Key.name);
add('arguments', Key.arguments);
add('input', Key.input);
add('output', Key.output);
add('cacheRead', Key.cacheRead);
add('cacheWrite', Key.cacheWrite);
add('totalTokens', Key.totalTokens);
add('cost', Key.cost);
add('total', Key.total);
add('path', Key.path);
add('file_path', Key.file_path);
add('filePath', Key.filePath);
add('file', Key.file);
add('offset', Key.offset);
add('limit', Key.limit);

/** The longest name in the table has fewer bytes. */
const MAX_KEY_BYTES: usize = 16;

/** Returns the `Key` with this name, or `NONE`. */
export function keyNamed(from: usize, to: usize): i32 {
  return to - from > MAX_KEY_BYTES ? NONE : find(table, from, <u32>(to - from));
}
