/** Errors of questions, with one sentence in English. They may have texts of sessions in them. */

/** A question that was asked wrongly: with an option or an argument that there isn't. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}

/** A question that has no answer as things are. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
