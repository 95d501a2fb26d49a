/** Position of a line in its file. */
export interface LineLocation {
  /** Line number, from 1. */
  readonly line: number;
  /** Position of the line's first byte, in bytes. */
  readonly offset: number;
  /** Length in bytes, without the line break. */
  readonly length: number;
  /** True if a line break follows. */
  readonly hasLineBreak: boolean;
}
