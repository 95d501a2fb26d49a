/**
 * One answer of a model, which Claude Code writes as several lines: one for each block, all with the message's id. Results of parallel
 * calls hang on the lines of their calls, so the lines form a tree with branches that the user didn't make. The answer becomes one
 * entry, followed by a chain of its results, and then by the texts that were sent while the calls ran.
 */
import type { JsonObject } from '../../values/jsonValues';
import { claudeUsage, stopReasonOf } from './claudeContent';
import { textsOf } from '../converter';

export class ClaudeTurn {
  private readonly blocks: JsonObject[] = [];
  private readonly results: JsonObject[] = [];
  private readonly others: JsonObject[] = [];
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
      readonly prompt: string | null;
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

  /** The entry of the prompt that led to it. */
  get prompt(): string | null {
    return this.given.prompt;
  }

  /** The last entry, which the next one follows. Known once the answer is closed. */
  get tailId(): string {
    return this.tail;
  }

  /** The ids of its calls. */
  get callIds(): readonly string[] {
    return this.blocks.flatMap(({ type, id }) => (type === 'toolCall' ? [String(id)] : []));
  }

  /** Adds the blocks of a line. The usage of the last line counts: while the model writes, a line has the usage of the part so far. */
  add(blocks: readonly JsonObject[], message: JsonObject, isFailed: boolean): void {
    for (const block of blocks) this.blocks.push(block);
    if (message['usage'] !== undefined) this.usage = message['usage'];
    if (message['stop_reason'] !== null && message['stop_reason'] !== undefined) this.stopReason = message['stop_reason'];
    this.isFailed ||= isFailed;
  }

  /** Adds an entry without a parent after the answer. Results come first, because a model's service wants them next to the calls. */
  addBehind(entry: JsonObject, isResult: boolean): void {
    (isResult ? this.results : this.others).push(entry);
  }

  /** Returns an entry after the last entry of a closed answer. */
  follow(entry: JsonObject): JsonObject {
    const { type, id, ...rest } = entry;
    const parentId = this.tail;
    this.tail = String(id);
    return { type, id, parentId, ...rest };
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
    const behind = [...this.results, ...this.others].map((entry) => this.follow(entry));
    return [{ type: 'message', id: this.entryId, parentId, timestamp: time, message }, ...behind];
  }
}
