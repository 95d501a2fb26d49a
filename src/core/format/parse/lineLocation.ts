/** Where a line stands in its file. */
export interface LineLocation {
  /** From 1. */
  readonly line: number;
  /** In bytes, of the line's first byte. */
  readonly offset: number;
  /** In bytes, without the line break. */
  readonly length: number;
  /** Whether a line break followed. */
  readonly hasLineBreak: boolean;
}
