/** The thread of `RedactionThread`. */
import { parentPort, workerData } from 'node:worker_threads';
import { isObject } from '../../format/values/jsonValues';
import type { Finding, Redactor } from '../../format/redact/redactor';
import { finishSteps } from '../../format/session/steps';
import { serializeError } from '../concurrency/threadErrors';
import { exportedLine } from '../export/exportedLine';
import { createRedactor, type RedactorData } from './createRedactor';
import { buffersOf, receivedText, sentText } from './sentText';
import { FINDINGS_OF_MESSAGE, type RedactionMethods, type RedactionRequest, type RedactionResponse } from './redactionThread';

/** Returns the methods of the thread. */
async function methods(data: RedactorData | undefined): Promise<RedactionMethods> {
  const created = data && (await createRedactor(data));
  const redactorOf = (): Redactor => {
    if (!created) throw new Error('This thread only parses.');
    return created;
  };
  let found: readonly Finding[] = [];
  let sent = 0;
  const findings = (): readonly Finding[] => found.slice(sent, (sent += FINDINGS_OF_MESSAGE));
  return {
    choose: (choices) => {
      redactorOf().choose(choices);
      return undefined;
    },
    learn: (line) => finishSteps(redactorOf().learn(finishSteps(receivedText(line)))),
    redact: (line, hasFindings, entryId) => {
      const redacted = finishSteps(redactorOf().redact(finishSteps(receivedText(line)), hasFindings, entryId));
      found = redacted.findings;
      sent = 0;
      return { text: finishSteps(sentText(redacted.text)), findings: findings() };
    },
    findings,
    exportedLine: (bytes, request) => {
      const changed = finishSteps(exportedLine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), request));
      return changed ? { ...changed, text: finishSteps(sentText(changed.text)) } : { text: bytes };
    },
  };
}

async function serve(): Promise<void> {
  if (!parentPort) throw new Error('This module runs in a thread.');
  const port = parentPort;
  // `RedactionThread` starts the thread with this data.
  const all = await methods(workerData as RedactorData | undefined);
  port.on('message', ({ id, method, params }: RedactionRequest) => {
    try {
      // The types of the parameters are those of the method; see `RedactionThread.request`.
      const call = all[method] as (...values: readonly unknown[]) => unknown;
      const result = call(...params);
      port.postMessage({ id, result } satisfies RedactionResponse, buffersOf(isObject(result) ? result['text'] : undefined));
    } catch (error) {
      port.postMessage({ id, error: serializeError(error) } satisfies RedactionResponse);
    }
  });
}

void serve();
