/** The synchronous form of `byteSource`. */

/** The bytes of a session, as worker threads read them. */
export interface ByteSourceSync {
  /** Reads up to `length` bytes from `position` into `bytes` at `at`. Returns their number, which is 0 at the end only. */
  read(bytes: Buffer, at: number, length: number, position: number): number;
  /** Returns the start of a line, which saves searching from the first line on. @param line from 1 */
  expectLine?(line: number, offset: number): void;
  close(): void;
}
