/** The calling thread's end of the one that answers questions: started with the first, and again if it broke down or doesn't answer. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SessionError } from '../format/problem';
import type { Answering, Question, Questions, Told, ToAnswer } from './answering';
import { DamagedDatabase } from './damage';
import { errorOf } from './protocol';

interface Waiting {
  readonly question: Question;
  readonly resolve: (told: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds that an answer may take, and that the thread may take to leave a question that was stopped. */
export interface Patience {
  readonly answer: number;
  readonly stop: number;
}

const PATIENCE: Patience = { answer: 60_000, stop: 1000 };

export class AskLink {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  /** Questions that were stopped, and that the thread hasn't left yet. */
  private readonly stopping = new Map<number, NodeJS.Timeout>();
  private ids = 0;
  private closed = false;

  constructor(
    private readonly answering: Answering,
    private readonly patience = PATIENCE,
  ) {}

  /** Starts the thread, which then waits for a question. */
  begin(): void {
    if (!this.closed) this.worker ??= this.start();
  }

  /** @throws the signal's reason when it is aborted, and what went wrong there; {SessionError} `invalid` if it takes too long. */
  async ask<K extends keyof Questions>(kind: K, of: Questions[K]['of'], signal?: AbortSignal, patience = this.patience.answer): Promise<Questions[K]['told']> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The catalog is closed.');
    const id = ++this.ids;
    const question = { id, kind, of } as Question;
    this.post(question);
    const told = new Promise<Questions[K]['told']>((resolve, reject) => this.waiting.set(id, { question, resolve, reject }));
    this.worker?.ref();
    const onAbort = (): void => {
      this.stop(id);
      this.take(id)?.reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const late = setTimeout(() => {
      this.take(id)?.reject(new SessionError('invalid', 'This took longer than {seconds} seconds and was ended. Search for fewer or longer words.', { seconds: Math.round(patience / 1000) }));
      this.restart();
    }, patience).unref();
    try {
      return await told;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** As `ask`, for what can as well be done elsewhere; `undefined` while the thread has something else to do, or doesn't run. */
  async askIdle<K extends keyof Questions>(kind: K, of: Questions[K]['of'], patience: number): Promise<Questions[K]['told'] | undefined> {
    const isIdle = this.worker !== undefined && this.waiting.size + this.stopping.size === 0;
    return isIdle ? this.ask(kind, of, undefined, patience) : undefined;
  }

  async close(): Promise<void> {
    const told = this.worker && this.ask('close', undefined);
    this.closed = true;
    await told?.catch(() => undefined);
    this.forgetStopping();
    await this.worker?.terminate();
  }

  /** A thread that is in the middle of something long answers nothing else meanwhile. */
  private stop(id: number): void {
    this.worker?.postMessage({ id, kind: 'stop' } satisfies ToAnswer);
    this.stopping.set(id, setTimeout(() => this.restart(), this.patience.stop).unref());
  }

  /** With a new thread, which gets the questions that still wait. */
  private restart(): void {
    const before = this.worker;
    this.worker = undefined;
    this.forgetStopping();
    void before?.terminate();
    for (const { question } of this.waiting.values()) this.post(question);
  }

  private forgetStopping(): void {
    for (const timer of this.stopping.values()) clearTimeout(timer);
    this.stopping.clear();
  }

  private post(question: Question): void {
    (this.worker ??= this.start()).postMessage(question);
    if (this.waiting.size > 0) this.worker.ref();
  }

  private start(): Worker {
    // It lies beside whatever this is built into.
    const worker = new Worker(join(__dirname, 'catalogWorker.js'), { name: 'session-tree search', workerData: this.answering });
    worker.unref();
    const failed = (error: unknown): void => {
      // Another one has its place already.
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.forgetStopping();
      for (const id of [...this.waiting.keys()]) this.take(id)?.reject(error);
    };
    worker.on('message', (message: Told) => {
      if (this.worker === worker) this.tell(message);
    });
    worker.on('error', failed);
    worker.on('exit', (code) => failed(new Error(`The catalog's searching thread ended with code ${code}.`)));
    return worker;
  }

  private tell(message: Told): void {
    clearTimeout(this.stopping.get(message.id));
    this.stopping.delete(message.id);
    const waiting = this.take(message.id);
    if ('error' in message) waiting?.reject(errorOf(message.error));
    else if ('damaged' in message) waiting?.reject(new DamagedDatabase('The database is damaged.', message.damaged));
    else if ('told' in message) waiting?.resolve(message.told as never);
  }

  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (this.waiting.size === 0) this.worker?.unref();
    return waiting;
  }
}
