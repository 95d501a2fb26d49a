/** The profiles of scanned lines, from the bytes that `wasm/profile.ts` writes. */
import { defined } from '../entry/defined';
import type { JsonObject } from '../entry/jsonValues';
import { parseHead } from '../entry/parseHead';
import type { HeadProfile } from '../columns/headColumns';
import { elementAt } from '../entry/lookups';
import { LineMark, PROFILE_NAME_MARK, ProfileFlag, Role } from './scannerLayout';
import { ROLES } from './scannerRows';

/** A profile of lines that aren't messages: what `describeEntry` needs of them, apart from their content. */
export interface ScannedProfile {
  readonly profile: HeadProfile;
  readonly line?: JsonObject;
}

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

/** The members of lines without a role: the scanner writes them as an object. */
const membersOf = (text: string): JsonObject => JSON.parse(text.slice(FIXED)) as JsonObject;

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
  // Each name follows a NUL character.
  const [provider, modelId, stopReason, toolName, responseModel] = text
    .slice(FIXED)
    .split('\0')
    .slice(1)
    .map((name) => (name.startsWith(NAME_MARK) ? name.slice(1) : undefined));
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
