/** The bytes of a session, whether they are a file or rows of a database. */

/** The methods of an open file that reading takes; a `FileHandle` has them. */
export interface ByteSource {
  /** Reads up to `length` bytes from `position` into `bytes` at `at`. Reads 0 bytes at the end only. */
  read(bytes: Buffer, at: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{ readonly size: number }>;
  close(): Promise<void>;
}
