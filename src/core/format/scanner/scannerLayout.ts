/**
 * Constants of the memory that TypeScript and the scanner's program share. Both compile this file: TypeScript reads it
 * as a module, AssemblyScript imports it from `wasm/`. It therefore uses only what both languages have: constants and
 * enums.
 */

/** Marks an absent row, profile, call, tool or file. */
export const NONE = -1;

/** Columns of 64-bit floats, one number per row. */
export enum DoubleColumn {
  /** Offset of the line in the file, in bytes. */
  offset = 0,
  /** Time of the entry, in milliseconds since 1970. */
  time = 1,
  /** Time of the message, in milliseconds since 1970; `NaN` if it has none. */
  messageTime = 2,
}
export const DOUBLE_COLUMN_COUNT = 3;

/** Columns of 32-bit integers, one number per row. */
export enum IntColumn {
  /** Number of the line in the file, from 1. */
  line = 0,
  /** Length of the line in bytes, without its line break. */
  size = 1,
  /** Row of the parent, or `NONE`. */
  parent = 2,
  /** Index in the table of profiles, or `NONE` for a line that the caller parsed. */
  profile = 3,
  /** Index of the first of the row's numbers in `Part.usages`: `TOKENS`, then `COSTS`. */
  usage = 4,
  /** Start of the id in the bytes of the table of ids. */
  idFrom = 5,
  /** Length of the id in bytes. */
  idSize = 6,
  /** For a tool result: the index of its call in the table of calls, or `NONE`. */
  call = 7,
  /** For a tool result: the value of its call when the result was read, or `NONE`. */
  callPlace = 8,
  /** Start of the content in `Part.contents`. */
  contentFrom = 9,
  /** Length of the content in bytes; 0 if it isn't kept. */
  contentSize = 10,
  /** Start of the searchable words in `Part.words`. */
  wordsFrom = 11,
  /** End of the searchable words; equal to the start if there are none. */
  wordsTo = 12,
}
export const INT_COLUMN_COUNT = 13;

/** Growable byte arrays. */
export enum Part {
  usages = 0,
  contents = 1,
  words = 2,
  /** The words of a text that the caller has read itself. Rows don't refer to it. */
  givenWords = 3,
  /** For each row with an id that an earlier row has: the row, and the last earlier row with this id. */
  repeats = 4,
  /** `CALL_LENGTH` integers for each tool call, in the order of the rows. */
  toolCalls = 5,
}

/** Integers of a tool call. `tool` and `file` are indexes in their tables, or `NONE`. */
export enum CallField {
  row = 0,
  tool = 1,
  file = 2,
}
export const CALL_LENGTH = 3;

/** Tables of strings. */
export enum NameTable {
  ids = 0,
  profiles = 1,
  /** Key: the id of a tool call. Value: the call's row, or a number of the caller's below `NONE`. */
  calls = 2,
  tools = 3,
  files = 4,
}

/** Parts of lines that are collected besides their rows. */
export enum Collection {
  none = 0,
  /** Tool calls, and which messages have text. A message with text has one byte of words. */
  calls = 1,
  /** Tool calls and searchable words. */
  words = 2,
}

/** Work left to the caller after the last row of a scan, as bits. */
export enum PendingWork {
  none = 0,
  /** The content is too long to be kept: the caller makes the row's text. */
  text = 1,
  /** The words can't be collected from the bytes: the caller collects them. */
  words = 2,
  /** The profile is new and may show the program that wrote the line. */
  profile = 4,
}

/** The part of a character in a word. */
export enum CharacterKind {
  /** It ends a word. */
  separator = 1,
  /** It ends a word, and is white space. */
  space = 2,
  /** It is part of a word, as its folded character. */
  letter = 3,
  /** It is a word by itself. */
  ideograph = 4,
  /** It is left out of its word. */
  mark = 5,
  /** A word with it can't be folded by its characters. */
  complex = 6,
}
/** One unit of a character's kind, above its folded code point. */
export const CHARACTER_KIND_UNIT = 0x1000000;

/** Kinds of lines that become rows. */
export enum LineKind {
  none = 0,
  message = 1,
  customMessage = 2,
  /** Its head has no more than a few short strings, which many lines have in common. */
  simple = 3,
}

/** Bits of a profile's third byte: what shows the program that wrote the line. */
export enum LineMark {
  payloadHash = 1,
  openclaw = 2,
  /** As `ProfileFlag.printable`. */
  printable = 32,
}

export enum Role {
  none = 0,
  user = 1,
  assistant = 2,
  toolResult = 3,
}

/** Bits of a profile's second byte. */
export enum ProfileFlag {
  hasText = 1,
  hasUsage = 2,
  hasMessageTime = 4,
  hasToolCallId = 8,
  isError = 16,
  /** Always set, so that the separators are the only control characters in a profile. */
  printable = 32,
  isHidden = 64,
}
/**
 * A profile is its role, its flags, its marks, and the names that its lines have in common: for messages `MESSAGE_TEXTS`,
 * for all other lines the type and `ENTRY_TEXTS`. A NUL character precedes each name, and an equals sign marks one that
 * is present.
 */
export const PROFILE_NAME_MARK = 0x3d;

/** 32-bit fields of a growable byte array. */
export enum BytesField {
  at = 0,
  capacity = 1,
  size = 2,
}
export const BYTES_LENGTH = 3;

/** 32-bit fields of a table of strings. `entries` and `bytes` are addresses of growable byte arrays. */
export enum TableField {
  slots = 0,
  mask = 1,
  entries = 2,
  bytes = 3,
}
export const TABLE_LENGTH = 4;

/** 32-bit fields of an entry in a table of strings. */
export enum TableEntry {
  from = 0,
  length = 1,
  hash = 2,
  value = 3,
}
export const TABLE_ENTRY_LENGTH = 4;
/** Multiplier of the tables' hash, as a signed integer (0x9e3779b1). The hashes are stored in the catalog. */
export const HASH_MULTIPLIER = -1640531535;

/** The most UTF-16 units of a code point. */
export const LONGEST_CODE_POINT = 2;
/** The least number of UTF-16 units that are kept of an answer's text: what rows show (`MAX_CONTENT_LENGTH`), and a code point. */
export const KEPT_TEXT_LENGTH = 202;

/** UTF-16 units at the beginning and at the end of a longer text of a tool or an extension that are searched. */
export const OUTER_LENGTH = 512;

/** Maximum length of an id in bytes. The caller parses lines with longer ids, and keeps longer ids of calls. */
export const MAX_ID_LENGTH = 1024;
