/**
 * Collects what a person typed while Claude Code worked. Its `queue-operation` lines record it (FORMAT section 8): `enqueue`; `remove`
 * when the running turn took it, mostly together with an attachment `queued_command`; `dequeue` when it became a separate prompt;
 * `popAll` when the person took it back.
 */
import { asString, type JsonObject } from '../../values/jsonValues';

/** A text that reached the model without a separate line. */
interface QueuedText {
  readonly text: string;
  /** ISO 8601. */
  readonly time: string;
  /** The operation didn't say which text it's about. */
  readonly isGuess: boolean;
}

/** Maximum number of waiting texts, and of their UTF-16 units. Earlier texts are dropped. */
const MAX_WAITING = 100;
const MAX_WAITING_SIZE = 4 * 1024 * 1024;
const MAX_CREDITS = 1000;

export class ClaudeQueue {
  private waiting: string[] = [];
  private delivered: QueuedText[] = [];
  /** Texts whose attachment came before its operation (above 0), or whose operation was enough (below 0). */
  private readonly credits = new Map<string, number>();

  /** Reads an operation. Returns false if the text reached another conversation. */
  operation(value: JsonObject, time: string): boolean {
    const content = asString(value['content'])?.trim() || undefined;
    const reason = asString(value['reason']);
    switch (value['operation']) {
      case 'enqueue':
        if (content !== undefined) this.enqueue(content);
        return true;
      case 'dequeue':
        this.spend(this.leave(content));
        return true;
      case 'popAll':
        if (content === undefined || !this.waiting.includes(content)) this.waiting = [];
        else this.leave(content);
        return true;
      case 'remove': {
        const text = this.leave(content) ?? content;
        if (text !== undefined && (reason === undefined || reason === 'absorbed_mid_turn') && !this.spend(text))
          this.delivered.push({ text, time, isGuess: content === undefined });
        return !reason?.startsWith('delivered');
      }
      default:
        return true;
    }
  }

  /** Reads the text of an attachment. Returns false if the text is in the conversation already. */
  attached(given: string): boolean {
    const text = given.trim();
    const owed = this.credits.get(text) ?? 0;
    if (owed < 0) {
      this.credit(text, 1);
      return false;
    }
    const guess = this.delivered.findIndex(({ isGuess }) => isGuess);
    if (!this.drop(text)) {
      // The operation meant this text.
      if (guess >= 0 && this.waiting.includes(text)) {
        this.leave(text);
        this.waiting.unshift(...this.delivered.splice(guess, 1).map((item) => item.text));
      } else {
        const parts = this.waiting.filter((part) => contains(text, part));
        for (const part of parts.length === 0 ? [text] : parts) this.credit(part, 1);
      }
    }
    return true;
  }

  /** True if so many texts reached the model without a line that they have to be taken. */
  get isFull(): boolean {
    return this.delivered.length >= MAX_WAITING;
  }

  /** Reads a prompt, which may be one or several of the texts. */
  said(text: string): void {
    this.drop(text.trim());
  }

  /** Returns the texts that reached the model by now and have no other line. */
  take(): readonly QueuedText[] {
    for (const { text } of this.delivered) this.credit(text, -1);
    return this.delivered.splice(0);
  }

  private enqueue(text: string): void {
    if (!this.waiting.includes(text)) this.credits.delete(text);
    this.waiting.push(text);
    let size = this.waiting.reduce((sum, { length }) => sum + length, 0);
    while (this.waiting.length > MAX_WAITING || size > MAX_WAITING_SIZE) size -= this.waiting.shift()?.length ?? size;
  }

  /** Removes one of the waiting texts: the named one, otherwise an attached one, otherwise the first. */
  private leave(named: string | undefined): string | undefined {
    const isNext = (text: string): boolean => (named === undefined ? (this.credits.get(text) ?? 0) > 0 : text === named);
    const at = this.waiting.findIndex(isNext);
    return at >= 0 ? this.waiting.splice(at, 1)[0] : named === undefined ? this.waiting.shift() : undefined;
  }

  /** Removes the texts that a line contains from the texts without a line. */
  private drop(text: string): boolean {
    const left = this.delivered.filter((item) => !contains(text, item.text));
    const isFound = left.length < this.delivered.length;
    this.delivered = left;
    return isFound;
  }

  /** True if an attachment with the text came before. */
  private spend(text: string | undefined): boolean {
    if (text === undefined || (this.credits.get(text) ?? 0) <= 0) return false;
    this.credit(text, -1);
    return true;
  }

  private credit(text: string, by: number): void {
    const value = (this.credits.get(text) ?? 0) + by;
    if (value === 0) this.credits.delete(text);
    else this.credits.set(text, value);
    if (this.credits.size > MAX_CREDITS) for (const first of this.credits.keys()) return void this.credits.delete(first);
  }
}

/** True if a text equals another text, or has it as whole lines: prompts that waited together become one. */
const contains = (text: string, part: string): boolean => `\n${text}\n`.includes(`\n${part}\n`);
