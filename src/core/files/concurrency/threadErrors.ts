/** Errors of threads as plain data for the thread that sent the request, and the errors of lost threads. */
import { defined } from '../../format/values/defined';
import { SessionError, type MessageArgs, type SessionErrorCode } from '../../format/entry/problem';

export interface SerializedError {
  readonly message: string;
  readonly stack?: string;
  readonly session?: { readonly code: SessionErrorCode; readonly template: string; readonly args: MessageArgs };
}

export function serializeError(error: unknown): SerializedError {
  if (error instanceof SessionError)
    return { message: error.message, session: { code: error.code, template: error.template, args: error.args } };
  return error instanceof Error ? { message: error.message, ...defined({ stack: error.stack }) } : { message: String(error) };
}

export function deserializeError({ message, stack, session }: SerializedError): Error {
  if (session) return new SessionError(session.code, session.template, session.args);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** The error of a file that a thread made no progress with. */
export const stuckError = (milliseconds: number): SessionError =>
  new SessionError('invalid', 'The file is left out, because reading it made no progress for at least {seconds} seconds.', {
    seconds: milliseconds / 1000,
  });

/** The error of a file that a thread broke down with. */
export const breakdownError = (error: unknown): SessionError => {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? new SessionError('invalid', 'The file is left out, because reading it took too much memory.')
    : new SessionError('invalid', 'Reading this file failed: {reason}', { reason: error instanceof Error ? error.message : String(error) });
};
