/**
 * Caches the shares of a session's messages. Reads each body once, in slices, yielding to the event loop between them.
 */
import { asModelGot } from '../../core/format/entry/prompts/modelPrompt';
import { entryMessages } from '../../core/format/context/contextMessages';
import { type MessageShare, messageShares } from '../../core/format/context/contextUsage';
import { imageTokens } from '../../core/format/context/imageTokens';
import { systemMessageSteps } from '../../core/format/context/systemMessage';
import type { Entry } from '../../core/format/entry/entry';
import type { EntryHead } from '../../core/format/entry/entryHead';
import type { JsonObject } from '../../core/format/values/jsonValues';
import { valueOf } from '../../core/format/values/lookups';
import { parseSystemMessage } from '../../core/format/entry/prompts/systemPrompt';
import type { ModelRef } from '../../core/format/entry/usage';
import { requireEntry } from '../../core/format/session/requireEntry';
import type { Session } from '../../core/format/session/session';
import { runSteps } from '../../core/format/session/steps';
import { firstEntry } from './compareSnapshots';
import type { ContextSnapshot } from './contextSnapshot';
import { blobHash, firstBytes, imageSize } from '../articles/imageFormat';
import { oneLine } from '../../core/format/text/oneLine';

/** Bytes and entries read without yielding. */
const SLICE_BYTES = 256 * 1024;
const SLICE_ENTRIES = 64;
/** Entries compared with the cache without yielding. */
const CHECKED_ENTRIES = 500;
const TOOL_NAME = 60;

/** The shares of an entry's messages. Valid while the entry and the edit that applies to it keep their offsets. */
interface CountedEntry {
  readonly offset: number;
  readonly editOffset: number | undefined;
  readonly messages: readonly (readonly MessageShare[])[];
}

interface CountedPrompt {
  /** Ids and offsets of the entries from which the prompt is replayed. */
  readonly key: string;
  readonly shares: readonly MessageShare[];
  /** False if some of the tools are only named, so that their definitions aren't counted. */
  readonly isWhole: boolean;
}

/** The shares of one session's messages, as one model counts them. */
export class MessageShareCache {
  /** The first entry of the session whose messages were counted; see `firstEntry`. */
  private first: EntryHead | undefined;
  /** The model whose formula counts images. */
  private model: ModelRef | null = null;
  private readonly counted = new Map<string, CountedEntry>();
  private prompt: CountedPrompt | undefined;

  /** Removes all counts if they belong to another session or model, or to a file that was rewritten. Must be called before the other methods. */
  use(session: Session, model: ModelRef | null): void {
    const first = firstEntry(session);
    if (first !== this.first || model?.modelId !== this.model?.modelId) {
      this.counted.clear();
      this.prompt = undefined;
    }
    this.first = first;
    this.model = model;
  }

  /** Counts the system prompt as a whole: a section that was replaced counts once. */
  async countPrompt({ session, source, prompt }: ContextSnapshot): Promise<CountedPrompt | undefined> {
    if (!prompt) return undefined;
    const key = prompt.ids.map((id) => `${id} ${String(requireEntry(session, id).offset)}`).join('\n');
    if (this.prompt?.key === key) return this.prompt;
    const entries = await source.bodies(session, prompt.ids);
    const yielder = source.yielder(undefined);
    const message = await runSteps(systemMessageSteps(entries), () => yielder.yieldIfDue());
    const isWhole = prompt.hasText && !!message && parseSystemMessage(message).tools.every(({ parameters }) => parameters !== undefined);
    return (this.prompt = { key, shares: message ? mergeShares(messageShares(message)) : [], isWhole });
  }

  /** Returns the shares of each of an entry's messages; none before `countEntries`. */
  sharesOf(id: string, editId?: string): readonly (readonly MessageShare[])[] {
    return this.counted.get(shareKey(id, editId))?.messages ?? [];
  }

  /** Counts entries, each with the id of the edit that applies to it. @returns false if `isCurrent` returned false in between. */
  async countEntries(
    { session, source }: ContextSnapshot,
    entries: readonly (readonly [string, string | undefined])[],
    isCurrent: () => boolean,
  ): Promise<boolean> {
    const offsetOf = (id: string): number => requireEntry(session, id).offset;
    const editOffsetOf = (editId: string | undefined): number | undefined => (editId === undefined ? undefined : offsetOf(editId));
    const missing: (readonly [string, string | undefined])[] = [];
    const yielder = source.yielder(undefined);
    for (const [index, entry] of entries.entries()) {
      if (index % CHECKED_ENTRIES === 0) await yielder.yieldIfDue();
      const [id, editId] = entry;
      const known = this.counted.get(shareKey(id, editId));
      if (known?.offset !== offsetOf(id) || known.editOffset !== editOffsetOf(editId)) missing.push(entry);
    }
    await source.yield();
    for (const slice of slices(session, missing)) {
      const ids = new Set(slice.flatMap(([id, editId]) => (editId === undefined ? [id] : [id, editId])));
      const bodies = new Map<string, Entry>((await source.bodies(session, [...ids])).map((entry) => [entry.id, entry]));
      for (const [id, editId] of slice) {
        const messages = entryMessages(valueOf(bodies, id), editId === undefined ? undefined : bodies.get(editId));
        this.counted.set(shareKey(id, editId), {
          offset: offsetOf(id),
          editOffset: editOffsetOf(editId),
          messages: messages.map((message) => {
            const sent = editId === undefined ? asModelGot(message) : message;
            return mergeShares(messageShares(sent, (image) => tokensOfImage(image, this.model)));
          }),
        });
      }
      await source.yield();
      if (!isCurrent()) return false;
    }
    return true;
  }
}

/** An edited entry is also cached without the edit: the first answer may have read the original. */
export const shareKey = (id: string, editId: string | undefined): string => (editId === undefined ? id : `${id} ${editId}`);

function* slices<E extends readonly [string, string | undefined]>(session: Session, entries: readonly E[]): Generator<E[]> {
  let slice: E[] = [];
  let bytes = 0;
  for (const entry of entries) {
    slice.push(entry);
    bytes += requireEntry(session, entry[0]).length;
    if (bytes < SLICE_BYTES && slice.length < SLICE_ENTRIES) continue;
    yield slice;
    [slice, bytes] = [[], 0];
  }
  if (slice.length > 0) yield slice;
}

function tokensOfImage({ data }: JsonObject, model: ModelRef | null): number {
  const isHere = typeof data === 'string' && blobHash(data) === undefined;
  return imageTokens(isHere ? imageSize(firstBytes(data)) : undefined, model);
}

/** Merges shares of the same kind and drops empty ones, because the result is cached for every entry. */
function mergeShares(shares: readonly MessageShare[]): MessageShare[] {
  const found: MessageShare[] = [];
  for (const { tool, ...rest } of shares) {
    // The tool's name comes from a model and is shown, so it is sanitized.
    const share: MessageShare = tool === undefined ? rest : { ...rest, tool: oneLine(tool, TOOL_NAME) };
    const at = found.findIndex(({ kind, tool }) => kind === share.kind && tool === share.tool);
    const same = found[at];
    if (same) found[at] = { ...share, chars: same.chars + share.chars };
    else if (share.chars > 0) found.push(share);
  }
  return found;
}
