import assert from 'node:assert/strict';

/** Waits until a command rejects with an `Error` that has this code and a sentence. Returns the error. */
export async function refuses(code: string, promise: Thenable<unknown>): Promise<Error> {
  const error = await Promise.resolve(promise).then(
    () => assert.fail(`was not refused with ${code}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error, 'rejected with something that is no Error');
  assert.equal((error as Error & { code?: unknown }).code, code, error.message);
  assert.match(error.message, /^\S.{10,}/);
  return error;
}
