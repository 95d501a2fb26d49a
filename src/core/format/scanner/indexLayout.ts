/**
 * Constants of the index that the scanner's program builds: its inputs and outputs, and the tables that the catalog stores
 * as they are. Both languages compile this file; see `scannerLayout.ts`.
 */

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
/** One unit of the file's number in a touch. */
export const TOUCH_FILE_UNIT = 4;

/** Longer ids of prompts aren't stored with touches. */
export const MAX_PROMPT_ID_BYTES = 64;
