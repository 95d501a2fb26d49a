/**
 * Computes the overview: context usage, growth, totals. Reads each body once, in slices, yielding to the event loop
 * between them.
 */
import { contextGrowth, downsample, firstAnswer, lastRecordedTokens } from '../../core/format/context/contextGrowth';
import { entryMessages } from '../../core/format/context/contextMessages';
import { type ContextUsage, type MessageShare, contextUsage, messageShares, totalChars } from '../../core/format/context/contextUsage';
import { imageTokens } from '../../core/format/context/imageTokens';
import { contextWindow } from '../../core/format/context/modelWindows';
import { replaySystemMessage } from '../../core/format/context/systemMessage';
import type { Entry } from '../../core/format/entry/entry';
import type { EntryHead } from '../../core/format/entry/entryHead';
import type { JsonObject } from '../../core/format/entry/jsonValues';
import { valueOf } from '../../core/format/entry/lookups';
import { parseSystemMessage } from '../../core/format/entry/systemPrompt';
import type { ModelRef } from '../../core/format/entry/usage';
import { requireEntry } from '../../core/format/session/requireEntry';
import type { Session } from '../../core/format/session/session';
import { type Totals, branchUsage, ownUsage, sessionUsage } from '../../core/format/session/usageTotals';
import type { ContextUsageKind, LargestItem, Overview } from '../shared/protocol';
import type { PlannedSlot, ContextSnapshot } from './contextSnapshot';
import { blobHash, firstBytes, imageSize } from '../articles/imageFormat';
import { oneLine } from '../../core/format/text/oneLine';
import { plainRowWithRole } from '../../core/format/entry/plainRow';

/** Bytes and entries read without yielding. */
const SLICE_BYTES = 256 * 1024;
const SLICE_ENTRIES = 64;
/** Points that a plot can show. */
const MAX_POINTS = 240;
const LARGEST = 20;
/** UTF-16 units of a message in the list of the largest. */
const TEXT_LENGTH = 120;
const TOOL_NAME = 60;
/** Tool calls that name a message without text. */
const MAX_CALLS = 3;

/** The shares of an entry's messages. Valid while the entry and the edit that applies to it keep their offsets. */
interface CountedEntry {
  readonly offset: number;
  readonly editOffset: number | undefined;
  readonly messages: readonly (readonly MessageShare[])[];
}

/** A message of the context, or its whole system prompt, by the entry that shows it. */
type CountedSlot = Pick<PlannedSlot, 'entryId'>;

interface CountedPrompt {
  /** Ids and offsets of the entries from which the prompt is replayed. */
  readonly key: string;
  readonly shares: readonly MessageShare[];
  /** False if some of the tools are only named, so that their definitions aren't counted. */
  readonly isWhole: boolean;
}

interface Counted {
  readonly slots: readonly CountedSlot[];
  /** The shares of each slot. */
  readonly shares: readonly (readonly MessageShare[])[];
  readonly usage: ContextUsage;
}

/** Caches the shares of a session's messages. One for each view; the session may grow or be replaced by another one. */
export class ContextUsageCache {
  private path = '';
  private readonly counted = new Map<string, CountedEntry>();
  private prompt: CountedPrompt | undefined;
  private last: Counted | undefined;

  /** The model whose formula counts images. */
  private model: ModelRef | null = null;

  /** @returns `undefined` if `isCurrent` returns false in between. */
  async overview(snapshot: ContextSnapshot, isCurrent: () => boolean): Promise<Overview | undefined> {
    const { session, source, plan } = snapshot;
    const { model } = plan.settings;
    if (session.path !== this.path || model?.modelId !== this.model?.modelId) {
      this.counted.clear();
      this.prompt = undefined;
    }
    this.path = session.path;
    this.model = model;
    // System messages are counted as what they come to together: a replaced section counts once.
    const promptIds = new Set(snapshot.prompt?.ids);
    const messages = snapshot.modelSlots.filter(
      ({ isEntryRow, role, step }) => !isEntryRow && !(role === 'system' && promptIds.has(step.id)),
    );
    const first = firstAnswer(plan.path);
    const before = first?.before.filter(({ id }) => !promptIds.has(id)) ?? [];
    const entries = [
      ...new Map(messages.map(({ step }) => [keyOf(step.id, step.editId), [step.id, step.editId] as const])).values(),
      ...before.map(({ id }) => [id, undefined] as const),
    ];
    const prompt = await this.countPrompt(snapshot);
    if (!(await this.countEntries(snapshot, entries, isCurrent))) return undefined;
    const slots: readonly CountedSlot[] = [...(snapshot.prompt ? [snapshot.prompt] : []), ...messages];
    const shares = [...(prompt ? [prompt.shares] : []), ...messages.map(({ step, nth }) => this.sharesOf(step.id, step.editId)[nth] ?? [])];
    const chars = before.reduce((sum, { id }) => sum + totalChars(this.sharesOf(id).flat()), totalChars(prompt?.shares ?? []));
    await source.yield();
    const recorded = lastRecordedTokens(
      plan,
      session.byId,
      slots.map(({ entryId }) => entryId),
    );
    const usage = contextUsage(shares, recorded, prompt?.isWhole ? 'none-missing' : first && { tokens: first.tokens, chars });
    this.last = { slots, shares, usage };
    await source.yield();
    const growth = growthPlot(plan.path);
    await source.yield();
    const totals = await totalsOf(snapshot);
    const window = model ? contextWindow(model) : undefined;
    return {
      contextUsage: {
        total: usage.total,
        isRecorded: recorded?.index === slots.length - 1,
        parts: usage.parts,
        // A larger context shows that the model has another window here.
        ...(window === undefined || usage.total > window ? {} : { window }),
      },
      growth,
      totals,
    };
  }

  /** Returns the largest messages, of one kind or of all, largest first. */
  largest(session: Session, kind?: ContextUsageKind, tool?: string): LargestItem[] {
    if (!this.last) return [];
    const { slots, shares, usage } = this.last;
    const matches = (share: MessageShare): boolean => kind === undefined || (share.kind === kind && share.tool === tool);
    return slots
      .map(({ entryId }, index) => ({ entryId, tokens: Math.round(tokensOf((shares[index] ?? []).filter(matches), usage)) }))
      .filter(({ tokens }) => tokens > 0)
      .sort((a, b) => b.tokens - a.tokens)
      .slice(0, LARGEST)
      .map(({ entryId, tokens }) => ({ entryId, tokens, text: messageText(session, entryId) }));
  }

  private async countPrompt({ session, source, prompt }: ContextSnapshot): Promise<CountedPrompt | undefined> {
    if (!prompt) return undefined;
    const key = prompt.ids.map((id) => `${id} ${String(requireEntry(session, id).offset)}`).join('\n');
    if (this.prompt?.key === key) return this.prompt;
    const message = replaySystemMessage(await source.bodies(session, prompt.ids));
    const isWhole = prompt.hasText && !!message && parseSystemMessage(message).tools.every(({ parameters }) => parameters !== undefined);
    return (this.prompt = { key, shares: message ? mergeShares(messageShares(message)) : [], isWhole });
  }

  private sharesOf(id: string, editId?: string): readonly (readonly MessageShare[])[] {
    return this.counted.get(keyOf(id, editId))?.messages ?? [];
  }

  private async countEntries(
    { session, source }: ContextSnapshot,
    entries: readonly (readonly [string, string | undefined])[],
    isCurrent: () => boolean,
  ): Promise<boolean> {
    const offsetOf = (id: string): number => requireEntry(session, id).offset;
    const editOffsetOf = (editId: string | undefined): number | undefined => (editId === undefined ? undefined : offsetOf(editId));
    const missing = entries.filter(([id, editId]) => {
      const known = this.counted.get(keyOf(id, editId));
      return known?.offset !== offsetOf(id) || known.editOffset !== editOffsetOf(editId);
    });
    await source.yield();
    for (const slice of slices(session, missing)) {
      const ids = new Set(slice.flatMap(([id, editId]) => (editId === undefined ? [id] : [id, editId])));
      const bodies = new Map<string, Entry>((await source.bodies(session, [...ids])).map((entry) => [entry.id, entry]));
      for (const [id, editId] of slice) {
        const messages = entryMessages(valueOf(bodies, id), editId === undefined ? undefined : bodies.get(editId));
        this.counted.set(keyOf(id, editId), {
          offset: offsetOf(id),
          editOffset: editOffsetOf(editId),
          messages: messages.map((message) => mergeShares(messageShares(message, (image) => tokensOfImage(image, this.model)))),
        });
      }
      await source.yield();
      if (!isCurrent()) return false;
    }
    return true;
  }
}

/** An edited entry is also cached without the edit: the first answer may have read the original. */
const keyOf = (id: string, editId: string | undefined): string => (editId === undefined ? id : `${id} ${editId}`);

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

const tokensOf = (shares: readonly MessageShare[], usage: ContextUsage): number =>
  shares.reduce((sum, { kind, chars }) => sum + chars * (kind === 'image' ? usage.imageTokensPerChar : usage.tokensPerChar), 0);

function tokensOfImage({ data }: JsonObject, model: ModelRef | null): number {
  const isHere = typeof data === 'string' && blobHash(data) === undefined;
  return imageTokens(isHere ? imageSize(firstBytes(data)) : undefined, model);
}

/** Returns the text of a message's row; for a message that only calls tools, what its results say was called. */
function messageText(session: Session, entryId: string): string {
  const { byId, children } = session;
  const head = requireEntry(session, entryId);
  if (head.role !== 'assistant' || head.hasText === true) return plainRowWithRole(head, TEXT_LENGTH);
  const calls: string[] = [];
  let next = children.get(entryId)?.[0];
  for (let result = byId.get(next ?? ''); result?.role === 'toolResult' && calls.length < MAX_CALLS; result = byId.get(next ?? '')) {
    calls.push(result.text);
    next = children.get(result.id)?.[0];
  }
  return calls.length > 0 ? oneLine(calls.join(' '), TEXT_LENGTH) : plainRowWithRole(head, TEXT_LENGTH);
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

function growthPlot(path: readonly EntryHead[]): Overview['growth'] {
  const { points, resets: cuts, length } = contextGrowth(path);
  return {
    points: downsample(points, MAX_POINTS).map(({ id, at, tokens }) => [id, at, tokens]),
    cuts: cuts.map(({ id, at }) => [id, at]),
    length,
  };
}

async function totalsOf({ session, source, plan: { leafId } }: ContextSnapshot): Promise<Overview['totals']> {
  const whole = sums(sessionUsage(session));
  if (leafId === null) return [whole];
  await source.yield();
  const branch = sums(branchUsage(session, leafId));
  await source.yield();
  return [whole, branch, sums(ownUsage(session, leafId))];
}

const sums = ({ input, output, cacheRead, cacheWrite, cost }: Totals): Totals => ({ input, output, cacheRead, cacheWrite, cost });
