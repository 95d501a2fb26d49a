/**
 * One answer of a model, which Claude Code writes as several lines: one for each block, all with the message's id. Results of
 * parallel calls hang on the lines of their calls, so the lines form a tree with branches that the user didn't make. The answer becomes
 * one entry with its results as a chain behind it.
 */
import type { JsonObject } from '../entry/jsonValues';
import { claudeUsage, stopReasonOf } from './claudeContent';
import { textsOf } from './converter';

export class ClaudeTurn {
  private readonly blocks: JsonObject[] = [];
  private readonly results: JsonObject[] = [];
  private usage: unknown;
  private stopReason: unknown;
  private tail: string;
  private isFailed = false;
  /** True once its entries were returned. */
  isClosed = false;

  /** @param key the message's id, or a unique text if it has none */
  constructor(
    readonly entryId: string,
    readonly key: string,
    private readonly given: {
      readonly parentId: string | null;
      readonly time: string;
      readonly model: string;
      readonly costUSD: unknown;
      readonly isSubagent: boolean;
    },
  ) {
    this.tail = entryId;
  }

  get isSubagent(): boolean {
    return this.given.isSubagent;
  }

  /** The last entry, which the next one follows. */
  get tailId(): string {
    return this.tail;
  }

  /** Adds the blocks of a line. The usage of the last line counts: while the model writes, it's that of the part so far. */
  add(blocks: readonly JsonObject[], message: JsonObject, isFailed: boolean): void {
    for (const block of blocks) this.blocks.push(block);
    if (message['usage'] !== undefined) this.usage = message['usage'];
    if (message['stop_reason'] !== null && message['stop_reason'] !== undefined) this.stopReason = message['stop_reason'];
    this.isFailed ||= isFailed;
  }

  /** Adds an entry behind the answer: a tool's result, or what the person said with it. */
  addResult(id: string, timestamp: string, message: JsonObject): void {
    this.results.push({ type: 'message', id, parentId: this.tail, timestamp, message });
    this.tail = id;
  }

  /** Returns the entries. @param isCounted true if an earlier entry has the answer's usage */
  close(isCounted: boolean): JsonObject[] {
    this.isClosed = true;
    const { parentId, time, model, costUSD } = this.given;
    const message = {
      role: 'assistant',
      content: this.isFailed ? [] : this.blocks,
      api: 'anthropic-messages',
      provider: 'anthropic',
      model,
      usage: claudeUsage(isCounted ? undefined : this.usage, isCounted ? undefined : costUSD),
      stopReason: this.isFailed ? 'error' : stopReasonOf(this.stopReason, this.blocks),
      ...(this.isFailed ? { errorMessage: textsOf(this.blocks) } : {}),
      timestamp: Date.parse(time),
    };
    return [{ type: 'message', id: this.entryId, parentId, timestamp: time, message }, ...this.results];
  }
}
