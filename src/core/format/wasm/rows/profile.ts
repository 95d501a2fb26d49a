/** The profile of a line: what many lines have in common. `PROFILE_NAME_MARK` describes its bytes. */
import { LineKind, LineMark, NONE, PROFILE_NAME_MARK, ProfileFlag, Role } from '../../scanner/scannerLayout';
import { hasText } from '../line/contentBlocks';
import { entryTexts, isHidden, kind, marks, type } from '../line/line';
import { append, createBytes, find, intern, reserve } from '../memory/memory';
import { hasUsage, isError, messageTexts, messageTime, ofCurrentRole, role, toolCall } from '../line/message';
import { textAt } from '../line/texts';
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
  putByte(<u8>(kind == LineKind.message ? messageFlags() : entryFlags()));
  putByte(<u8>(LineMark.printable | marks));
  if (kind == LineKind.message) putMessage();
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

function entryFlags(): i32 {
  return ProfileFlag.printable | (kind == LineKind.customMessage && isHidden ? ProfileFlag.isHidden : 0);
}

function putMessage(): void {
  for (let text = 0; text < messageTexts.fields.count; text++) putName(textAt(messageTexts, text), ofCurrentRole(text));
}

function putEntry(): void {
  putName(type, true);
  for (let text = 0; text < entryTexts.fields.count; text++) putName(textAt(entryTexts, text), true);
}

/** Appends a NUL character, and the mark and the name if there is one that counts. */
function putName(name: Span, counts: bool): void {
  putByte(0);
  if (!counts || name.from == 0) return;
  putByte(<u8>PROFILE_NAME_MARK);
  append(profile, name.from, name.to - name.from);
}

function putByte(byte: u8): void {
  store<u8>(reserve(profile, 1), byte);
  profile.size++;
}
