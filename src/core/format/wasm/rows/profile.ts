/** The profile of a line: what many lines have in common. `PROFILE_NAME_MARK` describes its bytes. */
import { LineKind, LineMark, NONE, PROFILE_NAME_MARK, ProfileFlag, Role } from '../../scanner/scannerLayout';
import { hasText } from '../line/contentBlocks';
import {
  customType,
  hidden,
  kind,
  marks,
  model as chosenModel,
  modelId,
  modelRole,
  provider as chosenProvider,
  thinkingLevel,
  type,
} from '../line/line';
import { append, createBytes, find, intern, reserve } from '../memory/memory';
import { hasUsage, isError, messageTime, model, provider, responseModel, role, stopReason, toolCall, toolName } from '../line/message';
import { Span } from '../json/spans';
import { profiles } from '../memory/storage';

/** The longest profile in bytes of a line that isn't a message. The parser reads lines with longer ones. */
const MAX_ENTRY_PROFILE: usize = 512;

const profile = createBytes(1024);
/** True if the last profile is the first of its kind, and may show the program that wrote the line. */
export let mayShowProgram = false;

/** Returns the index of the line's profile, which is added with `row` if it is new; `NONE` if it is too long. */
export function profileNumber(row: i32): i32 {
  profile.size = 0;
  putByte(<u8>role);
  putByte(<u8>(kind == LineKind.message ? messageFlags() : ProfileFlag.printable));
  putByte(<u8>(LineMark.printable | marks));
  if (kind == LineKind.message) putNames();
  else putEntry();
  if (kind != LineKind.message && profile.size > MAX_ENTRY_PROFILE) return NONE;
  const size = <u32>profile.size;
  mayShowProgram = (kind != LineKind.message || marks != 0) && find(profiles, profile.at, size) == NONE;
  return intern(profiles, profile.at, size, row);
}

function messageFlags(): i32 {
  const isResult = role == Role.toolResult;
  let flags: i32 = ProfileFlag.printable;
  if (!isResult && hasText) flags |= ProfileFlag.hasText;
  if (hasUsage) flags |= ProfileFlag.hasUsage;
  if (messageTime == messageTime) flags |= ProfileFlag.hasMessageTime;
  if (isResult && toolCall.from != 0) flags |= ProfileFlag.hasToolCallId;
  if (isResult && isError) flags |= ProfileFlag.isError;
  return flags;
}

function putNames(): void {
  const isAnswer = role == Role.assistant;
  const hasModel = isAnswer && provider.from != 0 && model.from != 0;
  putName(provider, hasModel);
  putName(model, hasModel);
  putName(stopReason, isAnswer && stopReason.from != 0);
  putName(toolName, role == Role.toolResult && toolName.from != 0);
  putName(responseModel, isAnswer && responseModel.from != 0);
}

/** Appends a NUL character, and the mark and the name if there is one. */
function putName(name: Span, isThere: bool): void {
  putByte(0);
  if (!isThere) return;
  putByte(<u8>PROFILE_NAME_MARK);
  append(profile, name.from, name.to - name.from);
}

/** Appends the line's members that make up its head, as JSON. */
function putEntry(): void {
  putText('{"type":');
  append(profile, type.from - 1, type.to - type.from + 2);
  putMember(',"customType":', customType);
  if (kind == LineKind.customMessage) putMember(',"display":', hidden);
  putMember(',"provider":', chosenProvider);
  putMember(',"modelId":', modelId);
  putMember(',"model":', chosenModel);
  putMember(',"role":', modelRole);
  putMember(',"thinkingLevel":', thinkingLevel);
  putText('}');
}

function putMember(key: string, value: Span): void {
  if (value.from == 0) return;
  putText(key);
  append(profile, value.from, value.to - value.from);
}

function putText(text: string): void {
  for (let index = 0; index < text.length; index++) putByte(<u8>text.charCodeAt(index));
}

function putByte(byte: u8): void {
  store<u8>(reserve(profile, 1), byte);
  profile.size++;
}
