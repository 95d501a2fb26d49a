/** A redactor as a redaction uses it: on the calling thread for little text, on a thread of its own for more. */
import type { Redactor } from '../../format/redact/redactor';
import { Yielder } from '../concurrency/eventLoop';
import { createRedactor, type LineRedactor, type RedactorData } from './createRedactor';
import { RedactionThread } from './redactionThread';

/**
 * Bytes of all lines from which a thread is used. Its start takes as long as the redaction of a third of these, and the objects that
 * less text takes are soon collected.
 */
const MIN_THREAD_BYTES = 1024 * 1024;

/** @param bytes the size of all lines together */
export const lineRedactor = async (data: RedactorData, bytes: number): Promise<LineRedactor> =>
  bytes < MIN_THREAD_BYTES ? onThisThread(await createRedactor(data)) : new RedactionThread(data);

function onThisThread(redactor: Redactor): LineRedactor {
  return {
    choose: (choices) => redactor.choose(choices),
    learn: (line, signal) => new Yielder(signal).run(redactor.learn(line)),
    learnAll: (lines, signal) => new Yielder(signal).run(redactor.learnAll(lines)),
    redact: (line, found, entryId, signal) => new Yielder(signal).run(redactor.redact(line, found, entryId)),
    end: () => undefined,
  };
}
