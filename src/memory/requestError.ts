/** A question that can't be answered as it was asked: a wrong option or argument. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}
