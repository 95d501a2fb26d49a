/**
 * Milliseconds that a test waits at most for something to happen. Tests don't measure time, so the limit is long enough
 * for a busy machine; it's below mocha's, so that the failure names what was expected.
 */
export const WAIT_LIMIT_MS = 45_000;

/** Mocha's limit for a test, in milliseconds. */
export const TEST_LIMIT_MS = 180_000;
