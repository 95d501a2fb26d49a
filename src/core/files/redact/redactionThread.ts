/**
 * Parses and redacts lines of exports on a thread of its own: one line may hold hundreds of thousands of texts, and collecting the
 * objects that they take would stop this thread.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Finding, RedactedLine, RedactionChoices } from '../../format/redact/redactor';
import { breakdownError, deserializeError, type SerializedError } from '../concurrency/threadErrors';
import type { ChangedLine, LineRequest } from '../export/exportedLine';
import { Yielder } from '../concurrency/eventLoop';
import type { LineRedactor, RedactorData } from './createRedactor';
import { buffersOf, receivedText, sentText, type SentText } from './sentText';

/** The methods of the thread, with their parameters and results. */
export interface RedactionMethods {
  readonly choose: (choices: RedactionChoices) => undefined;
  readonly learn: (line: SentText) => boolean;
  /** Returns the first findings of a line; {@link RedactionMethods.findings} returns the next ones until there are none. */
  readonly redact: (line: SentText, found: boolean, entryId: string | undefined) => WithSentText<RedactedLine>;
  readonly findings: () => readonly Finding[];
  readonly exportedLine: (bytes: Uint8Array, request: LineRequest) => WithSentText<ChangedLine>;
}

type WithSentText<T> = Omit<T, 'text'> & { readonly text: SentText };

type Method = keyof RedactionMethods;

export interface RedactionRequest {
  readonly id: number;
  readonly method: Method;
  readonly params: readonly unknown[];
}

export type RedactionResponse =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: SerializedError };

/** Findings of one message, which take about a millisecond to receive. */
export const FINDINGS_OF_MESSAGE = 250;

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class RedactionThread implements LineRedactor {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  /** Set when the thread has ended. It isn't started again, because what it learned is lost. */
  private failure: Error | undefined;
  private lastId = 0;

  /**
   * @param data absent for a thread that only parses
   * @param file the module of the thread, which is beside the bundle that this is built into
   */
  constructor(data?: RedactorData, file = join(__dirname, 'redactionWorker.js')) {
    this.worker = new Worker(file, { name: 'session-tree redaction', workerData: data });
    this.worker.unref();
    this.worker.on('message', (response: RedactionResponse) => {
      const pending = this.take(response.id);
      if ('error' in response) pending?.reject(deserializeError(response.error));
      // The response has the id of its request, so its result is the result of the request's method.
      else pending?.resolve(response.result as never);
    });
    this.worker.on('error', (error) => this.fail(error));
    this.worker.on('exit', (code) => this.fail(new Error(`The thread of a redaction ended with code ${code}.`)));
  }

  choose(choices: RedactionChoices): void {
    // Without these choices, a secret that was chosen would stay.
    this.request('choose', [choices], undefined).catch((error: unknown) => this.fail(error));
  }

  async learn(line: string, signal: AbortSignal | undefined): Promise<boolean> {
    return this.request('learn', [await new Yielder(signal).run(sentText(line))], signal);
  }

  async learnAll(lines: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    for (const line of lines) await this.learn(line, signal);
  }

  /** @throws {SessionError} `invalid` if the thread broke down */
  async redact(line: string, found: boolean, entryId: string | undefined, signal: AbortSignal | undefined): Promise<RedactedLine> {
    const turn = new Yielder(signal);
    const { text: sent, findings: first } = await this.request('redact', [await turn.run(sentText(line)), found, entryId], signal);
    const text = await turn.run(receivedText(sent));
    const findings = [...first];
    for (let more = first; more.length === FINDINGS_OF_MESSAGE;) {
      more = await this.request('findings', [], signal);
      for (const finding of more) findings.push(finding);
    }
    return { text, findings };
  }

  /** Returns what the function of that name does, or the text of the bytes. They are moved to the thread, with all others of their buffer. */
  async exportedLine(bytes: Uint8Array, request: LineRequest, signal: AbortSignal | undefined): Promise<ChangedLine> {
    const line = await this.request('exportedLine', [bytes, request], signal);
    return { ...line, text: await new Yielder(signal).run(receivedText(line.text)) };
  }

  end(): void {
    void this.worker.terminate();
  }

  private async request<M extends Method>(
    method: M,
    params: Parameters<RedactionMethods[M]>,
    signal: AbortSignal | undefined,
  ): Promise<ReturnType<RedactionMethods[M]>> {
    signal?.throwIfAborted();
    if (this.failure) throw this.failure;
    const id = ++this.lastId;
    const result = new Promise<ReturnType<RedactionMethods[M]>>((resolve, reject) => this.pending.set(id, { resolve, reject }));
    const onAbort = (): void => this.take(id)?.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.worker.ref();
    this.worker.postMessage({ id, method, params } satisfies RedactionRequest, buffersOf(params[0]));
    try {
      return await result;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  private take(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (this.pending.size === 0) this.worker.unref();
    return pending;
  }

  private fail(error: unknown): void {
    this.failure ??= breakdownError(error);
    for (const id of [...this.pending.keys()]) this.take(id)?.reject(this.failure);
  }
}
