/** Stored data that isn't what was written, and parsing of stored JSON. */

/** The stored data isn't what was written. The remedy is a new database. */
export class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase';
  /** @param ino the file's inode, if known */
  constructor(
    message: string,
    readonly ino?: bigint,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Parses stored JSON. @throws {DamagedDatabase} */
export function parseStoredJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DamagedDatabase('Stored JSON is damaged.', undefined, { cause: error });
  }
}

/** Parses a stored array of strings. @throws {DamagedDatabase} */
export function parseStoredStrings(text: string): string[] {
  const texts = parseStoredJson(text);
  if (!isStrings(texts)) throw new DamagedDatabase('Invalid stored list.');
  return texts;
}

const isStrings = (value: unknown): value is string[] => Array.isArray(value) && value.every((text) => typeof text === 'string');
