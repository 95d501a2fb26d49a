/** The profiles of scanned lines, from the bytes that `wasm/profile.ts` writes. */
import { defined } from '../values/defined';
import type { JsonObject } from '../values/jsonValues';
import { parseHead } from '../entry/parseHead';
import type { HeadProfile } from '../columns/headColumns';
import { elementAt } from '../values/lookups';
import { ENTRY_TEXTS, MESSAGE_TEXTS } from './scannerFields';
import { LineMark, PROFILE_NAME_MARK, ProfileFlag, Role } from './scannerLayout';
import { ROLES } from './scannerRows';

/** A profile of lines that aren't messages: what `describeEntry` needs of them, apart from their content. */
interface ScannedProfile {
  readonly profile: HeadProfile;
  readonly line?: JsonObject;
}

type MessageText = (typeof MESSAGE_TEXTS)[number]['name'];

/** Returns the role of the lines with this profile; empty if they aren't messages. */
export const roleOfProfile = (text: string): string => elementAt(ROLES, text.charCodeAt(0));

const NAME_MARK = String.fromCharCode(PROFILE_NAME_MARK);
const NO_ROLE: number = Role.none;
/** The role, the flags and the marks. */
const FIXED = 3;

/** Returns the members of a line with this profile that may show the program that wrote it. */
export function dialectEvidence(text: string): JsonObject {
  const marks = text.charCodeAt(2);
  return {
    ...(text.charCodeAt(0) === NO_ROLE ? membersOf(text) : { type: 'message' }),
    ...((marks & LineMark.payloadHash) === 0 ? {} : { payloadSha256: '' }),
    ...((marks & LineMark.openclaw) === 0 ? {} : { __openclaw: null }),
  };
}

/** Returns the texts after the fixed part; `undefined` for an absent one. Each follows a NUL character. */
const textsOf = (profile: string): (string | undefined)[] =>
  profile
    .slice(FIXED)
    .split('\0')
    .slice(1)
    .map((text) => (text.startsWith(NAME_MARK) ? text.slice(1) : undefined));

/** Returns the members of lines without a role. */
function membersOf(profile: string): JsonObject {
  const [type, ...texts] = textsOf(profile);
  const members = Object.fromEntries(ENTRY_TEXTS.map((name, place) => [name, texts[place]]));
  const isHidden = (profile.charCodeAt(1) & ProfileFlag.isHidden) !== 0;
  return { ...defined({ type, ...members }), ...(isHidden ? { display: false } : {}) };
}

export function parseProfile(text: string): ScannedProfile {
  return text.charCodeAt(0) === NO_ROLE ? entryProfile(text) : { profile: messageProfile(text) };
}

function entryProfile(text: string): ScannedProfile {
  const line = membersOf(text);
  const { type, model, modelRole, thinkingLevel, customType, isHidden } = parseHead(
    line,
    { id: '', parentId: null, line: 0, offset: 0, length: 0 },
    { bases: { home: '', cwd: '' }, toolCallTexts: new Map() },
  );
  return {
    profile: {
      type,
      ...defined({ model, modelRole, thinkingLevel, customType, isHidden }),
      hasUsage: false,
      hasMessageTime: false,
      hasCall: false,
    },
    line,
  };
}

function messageProfile(text: string): HeadProfile {
  const role = roleOfProfile(text);
  const flags = text.charCodeAt(1);
  const texts = textsOf(text);
  const named = Object.fromEntries(MESSAGE_TEXTS.map(({ name }, place) => [name, texts[place]]));
  const { provider, model: modelId, stopReason, toolName, responseModel }: Partial<Record<MessageText, string>> = named;
  return {
    type: 'message',
    role,
    ...(role === 'toolResult' ? {} : { hasText: (flags & ProfileFlag.hasText) !== 0 }),
    ...(provider === undefined || modelId === undefined ? {} : { model: { provider, modelId } }),
    ...defined({ responseModel, stopReason, toolName }),
    ...((flags & ProfileFlag.isError) === 0 ? {} : { isError: true }),
    hasUsage: (flags & ProfileFlag.hasUsage) !== 0,
    hasMessageTime: (flags & ProfileFlag.hasMessageTime) !== 0,
    hasCall: (flags & ProfileFlag.hasToolCallId) !== 0,
  };
}
