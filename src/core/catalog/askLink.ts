/** The calling thread's end of the one that answers questions: started with the first, and again if it broke down. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Answering, Questions, Told, ToAnswer } from './answering';
import { DamagedDatabase } from './damage';
import { errorOf } from './protocol';

interface Waiting {
  readonly resolve: (told: never) => void;
  readonly reject: (error: unknown) => void;
}

export class AskLink {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private ids = 0;
  private closed = false;

  constructor(private readonly answering: Answering) {}

  /** @throws the signal's reason when it is aborted, and what went wrong there. */
  async ask<K extends keyof Questions>(kind: K, of: Questions[K]['of'], signal?: AbortSignal): Promise<Questions[K]['told']> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The catalog is closed.');
    const worker = (this.worker ??= this.start());
    const id = ++this.ids;
    worker.postMessage({ id, kind, of });
    const told = new Promise<Questions[K]['told']>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    worker.ref();
    const onAbort = (): void => {
      worker.postMessage({ id, kind: 'stop' } satisfies ToAnswer);
      this.take(id)?.reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await told;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    const told = this.worker && this.ask('close', undefined);
    this.closed = true;
    await told?.catch(() => undefined);
    await this.worker?.terminate();
  }

  private start(): Worker {
    // It lies beside whatever this is built into.
    const worker = new Worker(join(__dirname, 'catalogWorker.js'), { name: 'session-tree search', workerData: this.answering });
    worker.unref();
    const failed = (error: unknown): void => {
      // Another one has its place already.
      if (this.worker !== worker) return;
      this.worker = undefined;
      for (const id of [...this.waiting.keys()]) this.take(id)?.reject(error);
    };
    worker.on('message', (message: Told) => {
      const waiting = this.take(message.id);
      if ('error' in message) waiting?.reject(errorOf(message.error));
      else if ('damaged' in message) waiting?.reject(new DamagedDatabase('The database is damaged.', message.damaged));
      else if ('told' in message) waiting?.resolve(message.told as never);
    });
    worker.on('error', failed);
    worker.on('exit', (code) => failed(new Error(`The catalog's searching thread ended with code ${code}.`)));
    return worker;
  }

  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (this.waiting.size === 0) this.worker?.unref();
    return waiting;
  }
}
