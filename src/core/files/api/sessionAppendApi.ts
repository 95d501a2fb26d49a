/**
 * The appending half of the documented `SessionManager`. Each method resolves to the entry's id once the entry is on
 * disk.
 */
import { withoutLineBreaks } from '../../format/write/change';
import { DIALECT_FACTS, type DialectFacts } from '../../format/entry/dialect';
import type { Content, Message } from '../../format/entry/message';
import type { Entry } from '../../format/entry/entry';
import type { JsonObject } from '../../format/values/jsonValues';
import type { Usage } from '../../format/entry/usage';
import { currentSystemMessage } from '../../format/context/systemMessage';
import { defined } from '../../format/values/defined';
import { finishSteps } from '../../format/session/steps';
import { SessionError } from '../../format/entry/problem';
import { assertEntry, requireEntry } from '../../format/session/requireEntry';
import { isOnPath } from '../../format/session/treeTraversal';
import { SessionReadApi } from './sessionReadApi';

/** The settings that a subagent of oh-my-pi was started with. FORMAT section 2. */
export interface SessionInit {
  readonly systemPrompt: string;
  readonly task: string;
  readonly tools: readonly string[];
  readonly outputSchema?: unknown;
  /** Keys of later versions. */
  readonly [key: string]: unknown;
}

/** A message in the documented form. Other values are written as they are. */
export type NewMessage = Message | JsonObject;

export abstract class SessionAppendApi extends SessionReadApi {
  async appendMessage(message: NewMessage): Promise<string> {
    return this.buffer.append({ type: 'message', message });
  }

  async appendThinkingLevelChange(thinkingLevel: string): Promise<string> {
    return this.buffer.append({ type: 'thinking_level_change', thinkingLevel });
  }

  /** Arguments for pi and its relatives: provider and model id. For oh-my-pi: `provider/id`, and the role it's for. */
  async appendModelChange(provider: string, modelId: string): Promise<string>;
  async appendModelChange(model: string, role?: string): Promise<string>;
  async appendModelChange(first: string, second?: string): Promise<string> {
    if (this.isOmp()) return this.buffer.append({ type: 'model_change', model: first, role: second });
    if (second === undefined)
      throw new SessionError('invalid', 'A model change in {program} needs a provider and a model ID.', { program: this.facts().label });
    return this.buffer.append({ type: 'model_change', provider: first, modelId: second });
  }

  /** Arguments for pi and its relatives; with `null` pi keeps nothing. */
  async appendCompaction(
    summary: string,
    firstKeptEntryId: string | null,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean,
    usage?: Usage,
  ): Promise<string>;
  /** Arguments for oh-my-pi. */
  async appendCompaction(
    summary: string,
    shortSummary: string | undefined,
    firstKeptEntryId: string,
    tokensBefore: number,
    details?: unknown,
    fromExtension?: boolean,
    preserveData?: unknown,
  ): Promise<string>;
  async appendCompaction(summary: string, ...rest: unknown[]): Promise<string> {
    if (this.isOmp()) {
      const [shortSummary, firstKeptEntryId, tokensBefore, details, fromExtension, preserveData] = rest;
      return this.buffer.append({
        type: 'compaction',
        summary,
        shortSummary,
        firstKeptEntryId,
        tokensBefore,
        details,
        fromExtension,
        preserveData,
      });
    }
    const [firstKeptEntryId, tokensBefore, details, fromHook, usage] = rest;
    if (!this.facts().isCurrentPi)
      return this.buffer.append({ type: 'compaction', summary, firstKeptEntryId, tokensBefore, details, fromHook, usage });
    // Follows pi: with the entry's own id nothing is kept, and the system messages so far are merged into one.
    const id = this.buffer.freshId();
    const timestamp = this.buffer.now();
    const system = finishSteps(currentSystemMessage(this.buildSessionContext().messages, Date.parse(timestamp)));
    return this.buffer.append({
      type: 'compaction',
      id,
      timestamp,
      summary,
      firstKeptEntryId: firstKeptEntryId ?? id,
      tokensBefore,
      details,
      usage,
      fromHook,
      systemMessage: system,
    });
  }

  /** Appends an entry that isn't part of the model's context. */
  async appendCustomEntry(customType: string, data?: unknown): Promise<string> {
    return this.buffer.append({ type: 'custom', customType, data });
  }

  /** Appends an entry that is part of the model's context, as a user message. */
  async appendCustomMessageEntry(customType: string, content: Content, display: boolean, details?: unknown): Promise<string> {
    return this.buffer.append({ type: 'custom_message', customType, content, display, details });
  }

  /**
   * Changes what an entry of the active branch contributes to the context: `null` omits it, anything else replaces its
   * content. Only for pi. FORMAT section 4, rule 5.
   *
   * @throws {SessionError} `unknown-entry`; `invalid` for an entry that is not on the active branch or contributes no
   * content, and for a replacement without content.
   */
  async appendContextEdit(targetId: string, replacement: { readonly content: Content } | null): Promise<string> {
    this.assertPi('context_edit');
    const { session, leafId } = this.buffer;
    if (replacement !== null && typeof replacement.content !== 'string' && !Array.isArray(replacement.content))
      throw new SessionError('invalid', 'An edit’s replacement needs text or a list of blocks as its content.');
    const target = requireEntry(session, targetId);
    if (!isOnPath(session, leafId, targetId)) throw new SessionError('invalid', 'Entry {id} isn’t on the active branch.', { id: targetId });
    const isAnswer = target.role === 'assistant' || target.role === 'toolResult';
    if (!isAnswer && target.role !== 'user' && target.type !== 'custom_message')
      throw new SessionError('invalid', 'Entry {id} has no content that the model sees.', { id: targetId });
    const text = isAnswer && typeof replacement?.content === 'string' ? replacement.content : undefined;
    return this.buffer.append({
      type: 'context_edit',
      targetId,
      replacement: text === undefined ? replacement : { content: [{ type: 'text', text }] },
    });
  }

  /**
   * Records usage of a model outside of the conversation; it counts in totals. Only for pi. FORMAT section 5.
   *
   * @param kind any name of the operation, for example `cache_warm`
   * @returns the entry.
   */
  async appendUsage(kind: string, provider: string, model: string, usage: Usage, note?: string): Promise<Entry> {
    this.assertPi('usage');
    const appended = this.buffer.append({ type: 'usage', kind, provider, model, usage, ...defined({ note: note || undefined }) });
    const entry = this.getLeafEntry();
    await appended;
    if (!entry) throw new Error('The appended usage isn’t the leaf.');
    return entry;
  }

  /** Names the session in the way of its dialect; an empty name clears it. */
  async appendSessionInfo(name: string): Promise<string> {
    return this.buffer.rename(name);
  }

  /**
   * Labels an entry; an empty label clears.
   *
   * @throws {SessionError} `unknown-entry`.
   */
  async appendLabelChange(targetId: string, label: string | undefined): Promise<string> {
    assertEntry(this.buffer.session, targetId);
    return this.buffer.append({ type: 'label', targetId, label: withoutLineBreaks(label ?? '') || undefined });
  }

  /** Only for oh-my-pi. */
  async appendSessionInit(init: SessionInit): Promise<string> {
    this.assertOmp('session_init');
    return this.buffer.append({ ...init, type: 'session_init' });
  }

  /** Only for oh-my-pi. */
  async appendTtsrInjection(ruleNames: readonly string[]): Promise<string> {
    this.assertOmp('ttsr_injection');
    return this.buffer.append({ type: 'ttsr_injection', injectedRules: ruleNames });
  }

  /** Branches from an earlier entry (`null`: before the first), with a summary of the branch that was left. */
  async branchWithSummary(
    entryId: string | null,
    summary: string,
    details?: unknown,
    fromExtension?: boolean,
    usage?: Usage,
  ): Promise<string> {
    if (entryId !== null) assertEntry(this.buffer.session, entryId);
    const { isCurrentPi, extensionFlag } = this.facts();
    const from = isCurrentPi ? this.buffer.leafId : entryId;
    return this.buffer.append({
      type: 'branch_summary',
      parentId: entryId,
      fromId: from ?? 'root',
      summary,
      details,
      usage,
      [extensionFlag]: fromExtension,
    });
  }

  private isOmp(): boolean {
    return this.buffer.session.dialect === 'omp';
  }

  private facts(): DialectFacts {
    return DIALECT_FACTS[this.buffer.session.dialect];
  }

  private assertPi(type: string): void {
    if (this.facts().isCurrentPi) return;
    throw new SessionError('invalid', 'Only pi writes {type} lines, and this is a {program} session.', {
      type,
      program: this.facts().label,
    });
  }

  private assertOmp(type: string): void {
    if (this.isOmp()) return;
    throw new SessionError('invalid', 'Only oh-my-pi writes {type} lines, and this is a {program} session.', {
      type,
      program: this.facts().label,
    });
  }
}
