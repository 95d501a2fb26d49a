/**
 * Contents that Claude Code's lines without a message gave to the model, until the next message. The program also writes these lines in
 * parallel to the answer, so their own parents would make branches that nobody made.
 */
import type { JsonObject } from '../../values/jsonValues';
import type { GivenContent } from './claudeAttachments';
import { agentOf, type ClaudeTree, type Spot } from './claudeTree';

interface Waiting {
  readonly value: JsonObject;
  readonly spot: Spot;
  /** ISO 8601. */
  readonly time: string;
  readonly given: GivenContent;
}

/** Maximum number of contents that wait. */
const MAX_WAITING = 100;

export class ClaudeContext {
  private waiting: Waiting[] = [];

  constructor(private readonly tree: ClaudeTree) {}

  /** Keeps the content of a line. @param spot of its parent */
  add(value: JsonObject, spot: Spot, time: string, given: GivenContent): void {
    this.tree.skip(value, spot);
    this.waiting.push({ value, spot, time, given });
    if (this.waiting.length > MAX_WAITING) this.end();
  }

  /** Adds what led to a message of the same conversation, and returns the message's place. */
  addBefore(message: JsonObject, spot: Spot): Spot {
    let at = spot;
    const mine = this.waiting.filter(({ value }) => agentOf(value) === agentOf(message));
    if (mine.length === 0) return spot;
    this.waiting = this.waiting.filter(({ value }) => agentOf(value) !== agentOf(message));
    for (const one of mine) {
      if (one.spot.prompt === spot.prompt) at = this.emit(one, at);
      else this.emit(one, this.tree.tipOf(one.spot));
    }
    return at;
  }

  /** Adds everything that waits, where it was said. */
  end(): void {
    for (const one of this.waiting.splice(0)) this.emit(one, this.tree.tipOf(one.spot));
  }

  private emit({ value, time, given }: Waiting, at: Spot): Spot {
    return this.tree.add(value, at, time, { type: 'custom_message', ...given }, 'other');
  }
}
