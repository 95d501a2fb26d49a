/**
 * The prompts of a session of Codex, each of which is an item, an event `user_message` before or after it, or, in some files, the
 * event alone.
 */
import { asString, isObject, type JsonObject } from '../../values/jsonValues';
import { textsOf } from '../converter';
import { isLikeContext, promptKey } from './codexTexts';

export class CodexPrompts {
  private last = '';
  /** A prompt that so far only an event has. */
  private waiting: string | undefined;
  /** There's a prompt since the last answer. */
  private hasPrompt = false;
  private doubtful: readonly JsonObject[] | undefined;

  /** True if nothing was answered since the last prompt. */
  get isUnanswered(): boolean {
    return this.hasPrompt || this.waiting !== undefined;
  }

  /** Called for each prompt that is added. */
  prompt(text: string): void {
    this.last = promptKey(text);
    this.hasPrompt = true;
    this.waiting = undefined;
  }

  /** Reads the event of a prompt. */
  event(text: string): void {
    const key = promptKey(text);
    if (!this.hasPrompt && key !== '' && key !== this.last) this.waiting = text;
  }

  /** Returns the prompt that only an event has. Called when its answer or the end of the session is read. */
  answer(): string | undefined {
    const text = this.waiting;
    this.waiting = undefined;
    this.hasPrompt = false;
    return text;
  }

  /** True for a message that may be Codex's or the person's. It's kept until `settle`. */
  isDoubtful(content: readonly JsonObject[]): boolean {
    const text = textsOf(content);
    if (content.length !== 1 || !isLikeContext(text) || promptKey(this.waiting ?? '') === promptKey(text)) return false;
    this.doubtful = content;
    return true;
  }

  /** Returns the message that was kept: the event of a prompt follows it if it's the person's. @param payload of the next line */
  settle(payload: unknown): { readonly content: readonly JsonObject[]; readonly isPrompt: boolean } | undefined {
    const content = this.doubtful;
    this.doubtful = undefined;
    if (!content) return undefined;
    const said = isObject(payload) && payload['type'] === 'user_message' ? asString(payload['message']) : undefined;
    return { content, isPrompt: said !== undefined && promptKey(said) === promptKey(textsOf(content)) };
  }
}
