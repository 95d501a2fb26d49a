/** The keys whose values the scanner reads, at any level of a line. */
import { NONE } from '../../scanner/scannerLayout';

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
  _input,
  patch,
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
  display,
}

/** Limits of the names' lengths in bytes. */
const MIN_KEY_BYTES: usize = 2;
const MAX_KEY_BYTES: usize = 16;
/** A name's slot follows from some of its letters and its length, by a multiplier and a shift for which no two names have the same one. */
const SLOTS: u32 = 128;
const MULTIPLIER: u32 = 235;
const SHIFT: u32 = 9;
const slots: usize = heap.alloc(SLOTS * offsetof<Slot>());
memory.fill(slots, 0, SLOTS * offsetof<Slot>());

@unmanaged
class Slot {
  low: u64;
  high: u64;
  size: u32;
  key: i32;
}

function slotOf(from: usize, size: usize): Slot {
  const letters = <u32>load<u16>(from) + ((<u32>load<u8>(from + size - 1)) << 6) + ((<u32>size) << 13);
  return changetype<Slot>(slots + <usize>(((letters * MULTIPLIER) >> SHIFT) & (SLOTS - 1)) * offsetof<Slot>());
}

function add(name: string, key: Key): void {
  const letters = changetype<usize>(String.UTF8.encode(name));
  const slot = slotOf(letters, name.length);
  if (slot.size != 0) unreachable();
  memory.copy(changetype<usize>(slot), letters, name.length);
  slot.size = name.length;
  slot.key = key;
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
add('_input', Key._input);
add('patch', Key.patch);
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
add('display', Key.display);

/** Returns the `Key` with this name, or `NONE`. */
export function keyNamed(from: usize, to: usize): i32 {
  const size = to - from;
  if (size < MIN_KEY_BYTES || size > MAX_KEY_BYTES) return NONE;
  const slot = slotOf(from, size);
  if (<usize>slot.size != size) return NONE;
  const differing = i8x16.bitmask(i8x16.ne(v128.load(from), v128.load(changetype<usize>(slot))));
  return (differing & ((1 << (<i32>size)) - 1)) == 0 ? slot.key : NONE;
}
