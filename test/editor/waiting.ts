// Limits of time, and waits for states that no event reports.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

/**
 * Milliseconds that a test waits at most for something to happen. Tests don't measure time, so the limit is long enough
 * for a busy machine; it's below mocha's, so that the failure names what was expected.
 */
export const WAIT_LIMIT_MS = 45_000;

/** Mocha's limit for a test, in milliseconds. */
export const TEST_LIMIT_MS = 180_000;

/** Polls until there is a value that is neither `undefined` nor `false`, for `limit` milliseconds at most. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  limit = WAIT_LIMIT_MS,
): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`${what}: timed out after ${limit} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Waits until what is read equals the expected value. A failure shows what was read last. */
export async function untilEqual<T>(read: () => T | Promise<T>, expected: T, what = 'the expected value'): Promise<void> {
  let seen: T | undefined;
  await eventually(what, async () => isDeepStrictEqual((seen = await read()), expected)).catch((error: unknown) =>
    assert.deepEqual(seen, expected, String(error)),
  );
}

/** Waits until a text matches. Returns the text. A failure shows what was read last. */
export async function untilMatches(read: () => string | Promise<string>, pattern: RegExp): Promise<string> {
  let seen = '';
  await eventually(String(pattern), async () => pattern.test((seen = await read()))).catch((error: unknown) =>
    assert.match(seen, pattern, `${String(error)}; last seen: ${JSON.stringify(seen)}`),
  );
  return seen;
}
