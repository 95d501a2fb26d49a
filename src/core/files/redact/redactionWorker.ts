/** The thread of `RedactionThread`. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Finding } from '../../format/redact/redactor';
import { finishSteps } from '../../format/session/steps';
import { serializeError } from '../concurrency/threadErrors';
import { createRedactor, type RedactorData } from './createRedactor';
import { FINDINGS_OF_MESSAGE, type RedactionMethods, type RedactionRequest, type RedactionResponse } from './redactionThread';

/** Returns the methods of the thread. */
async function methods(data: RedactorData): Promise<RedactionMethods> {
  const redactor = await createRedactor(data);
  let found: readonly Finding[] = [];
  let sent = 0;
  const findings = (): readonly Finding[] => found.slice(sent, (sent += FINDINGS_OF_MESSAGE));
  return {
    choose: (choices) => {
      redactor.choose(choices);
      return undefined;
    },
    learn: (line) => finishSteps(redactor.learn(line)),
    redact: (line, hasFindings, entryId) => {
      const redacted = finishSteps(redactor.redact(line, hasFindings, entryId));
      found = redacted.findings;
      sent = 0;
      return { text: redacted.text, findings: findings() };
    },
    findings,
  };
}

async function serve(): Promise<void> {
  if (!parentPort) throw new Error('This module runs in a thread.');
  const port = parentPort;
  // `RedactionThread` starts the thread with this data.
  const all = await methods(workerData as RedactorData);
  port.on('message', ({ id, method, params }: RedactionRequest) => {
    try {
      // The types of the parameters are those of the method; see `RedactionThread.request`.
      const call = all[method] as (...values: readonly unknown[]) => unknown;
      port.postMessage({ id, result: call(...params) } satisfies RedactionResponse);
    } catch (error) {
      port.postMessage({ id, error: serializeError(error) } satisfies RedactionResponse);
    }
  });
}

void serve();
