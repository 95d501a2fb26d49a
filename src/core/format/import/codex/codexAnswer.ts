/** An answer in a session of Codex, which stays open until its usage is known or the next one begins, and the results of its calls. */
import { isObject, type JsonObject } from '../../values/jsonValues';

export class CodexAnswer {
  readonly blocks: JsonObject[] = [];
  readonly results: JsonObject[] = [];
  usage: JsonObject | undefined;
  /** The end of the answer. Set if no further part of it follows. */
  end: { readonly stopReason: string; readonly errorMessage?: string } | undefined;

  constructor(
    readonly id: string,
    private readonly parentId: string | null,
    private readonly timestamp: string,
  ) {}

  /** True if the next item belongs to another answer. */
  get isDone(): boolean {
    return this.results.length > 0 || this.usage !== undefined || this.end !== undefined;
  }

  /** Adds the command that a code call ran, which is known only with its result. */
  describe(callId: string, command: string): void {
    const at = this.blocks.findIndex(({ type, id }) => type === 'toolCall' && id === callId);
    const block = this.blocks[at];
    if (block && isObject(block['arguments'])) this.blocks[at] = { ...block, arguments: { ...block['arguments'], command } };
  }

  entries(provider: string, model: string): readonly JsonObject[] {
    const { id, parentId, timestamp, blocks, results, usage } = this;
    const message = {
      role: 'assistant',
      content: blocks,
      api: 'openai-responses',
      provider,
      model,
      usage,
      stopReason: blocks.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop',
      ...this.end,
      timestamp: Date.parse(timestamp),
    };
    return [{ type: 'message', id, parentId, timestamp, message }, ...results];
  }
}
