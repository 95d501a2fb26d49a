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
  /** Index of the first of the row's `UsageField` numbers in `Part.usages`. */
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

/** Growable byte arrays that the rows refer to. */
export enum Part {
  usages = 0,
  contents = 1,
  words = 2,
}

/** Tables of strings. */
export enum NameTable {
  ids = 0,
  profiles = 1,
  /** Key: the id of a tool call. Value: the call's row, or a number of the caller's below `NONE`. */
  calls = 2,
  tools = 3,
  files = 4,
}

/** Integers that the caller passes to the index builder. */
export enum IndexInput {
  /** By profile: the number of its role. */
  roles = 0,
  /** By profile: the number of the model that is charged, or `NONE` if its usage isn't counted. */
  usageSources = 1,
  /** By tool: its `TouchKind`. */
  toolKinds = 2,
  /** By file: the first file with the same path. */
  canonicalFiles = 3,
  /** `NOTE_LENGTH` numbers for each note, in row order. */
  notes = 4,
  /** `LABEL_TARGET_LENGTH` numbers for each label, in row order. */
  labelTargets = 5,
}

/** Byte arrays that the index builder makes. */
export enum IndexOutput {
  /** The lines, as `catalog/encoding/lineTable.ts` stores them. */
  lines = 0,
  /** `BLOCK_LENGTH` integers for each block of lines. */
  blocks = 1,
  /** Line, start and end of each line's words. */
  wordPositions = 2,
  /** The touched files, as `catalog/encoding/touchTable.ts` stores them. */
  touches = 3,
  /** `COST_CELL_LENGTH` floats for each day and usage source. */
  costCells = 4,
  /** The tools and the files that occur, in the order of their first occurrence. */
  usedTools = 5,
  usedFiles = 6,
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
}
/**
 * A profile is its role, its flags, its marks, and what its lines have in common: for messages five names, for all other
 * lines an object as JSON. A NUL character precedes each name, and an equals sign marks one that is present.
 */
export const PROFILE_NAME_MARK = 0x3d;

/**
 * Numbers of a usage, tokens, then dollars. A missing number is 0, except that `totalTokens` is `NaN` if it is missing,
 * and `inputCost` if there are no costs.
 */
export enum UsageField {
  input = 0,
  output = 1,
  cacheRead = 2,
  cacheWrite = 3,
  totalTokens = 4,
  inputCost = 5,
  outputCost = 6,
  cacheReadCost = 7,
  cacheWriteCost = 8,
  totalCost = 9,
}
export const USAGE_LENGTH = 10;

/** Numbers of a cost cell: usage of one source on one day (days since 1970). */
export enum CostField {
  day = 0,
  usageSource = 1,
  input = 2,
  output = 3,
  cacheRead = 4,
  cacheWrite = 5,
  cost = 6,
}
export const COST_CELL_LENGTH = 7;

/** A note on a line that the caller parsed: its row, a tool, or a file with its `TouchKind`. */
export const NOTE_LENGTH = 4;
/** The row of a label, and the row of the entry that it labels. */
export const LABEL_TARGET_LENGTH = 2;

/** The action of a tool on the file that it names. */
export enum TouchKind {
  none = 0,
  read = 1,
  write = 2,
}

/** The bit of a stored id's size that says that two hexadecimal digits share a byte. The size in characters follows above it. */
export const PACKED_ID = 1;

/** Bits of a line in the stored table of lines; the number of its role follows above them. */
export enum LineFlag {
  active = 1,
  textless = 2,
  hasTools = 4,
}
/** One unit of the role's number in a line's flags. */
export const LINE_ROLE_UNIT = 8;
/** Lines in a block: one line is found without decoding all those before it. */
export const BLOCK_LINES = 16;

/** Integers of a block. */
export enum BlockField {
  firstLine = 0,
  lineCount = 1,
  /** Start of its lines, in bytes. */
  start = 2,
}
export const BLOCK_LENGTH = 3;

/** Bits of a stored touch; the number of its file follows above them. */
export enum TouchFlag {
  writes = 1,
  sameEntry = 2,
}
/** Longer ids of prompts aren't stored with touches. */
export const MAX_PROMPT_ID_BYTES = 64;
/** One unit of the file's number in a touch. */
export const TOUCH_FILE_UNIT = 4;

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

/** The least number of UTF-16 units that are kept of an answer's text. Rows show no more (`MAX_CONTENT_LENGTH`). */
export const KEPT_TEXT_LENGTH = 200;

/** Maximum length of an id in bytes. The caller parses lines with longer ids, and keeps longer ids of calls. */
export const MAX_ID_LENGTH = 1024;
