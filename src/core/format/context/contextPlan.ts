/**
 * Plans the context that the model sees at an entry: the entries that contribute, their order, their edits, and the
 * settings. Needs heads only; the bodies are read afterwards. FORMAT section 4; the rules are those of the programs' own
 * context builders.
 */
import type { ModelRef } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';
import { requireEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { pathTo } from '../session/treeTraversal';

/** An entry that contributes to the context. FORMAT section 4. */
export interface ContextStep {
  readonly id: string;
  /** The `context_edit` whose replacement is used instead of the entry's content. */
  readonly editId?: string;
}

/** The compaction that applies on a path. FORMAT section 4, rule 3. */
export interface ContextCompaction {
  readonly compactionId: string;
  /** The oldest entry before the compaction that is kept; `null` if the summary replaces all of them. */
  readonly firstKeptEntryId: string | null;
  /** The number of messages and summaries that the summary replaces. */
  readonly summarized: number;
}

/** The settings at an entry. FORMAT section 4, rule 2. */
export interface ContextSettings {
  /** `off` unless the header or an entry sets it. */
  readonly thinkingLevel: string;
  readonly model: ModelRef | null;
  /** oh-my-pi: the model of each role, as `provider/id`. */
  readonly models?: Readonly<Record<string, string>>;
  /** oh-my-pi: names of the injected rules, each once, in order. */
  readonly injectedTtsrRules?: readonly string[];
  /** oh-my-pi: the current mode, or `none`. */
  readonly mode?: string;
}

/** The entries that contribute to a context, and its settings. FORMAT section 4. */
export interface ContextPlan {
  /** The last entry of the path; `null` before the first one. */
  readonly leafId: string | null;
  /** From the root to the leaf. */
  readonly path: readonly EntryHead[];
  readonly steps: readonly ContextStep[];
  readonly compaction?: ContextCompaction;
  /** oh-my-pi: the boundary that hides everything before it. */
  readonly resetId?: string;
  readonly settings: ContextSettings;
}

/**
 * Plans the context at an entry: which entries contribute, and which settings apply. FORMAT section 4.
 *
 * @param leafId the entry; by default the session's leaf, `null` for the context before the first entry.
 * @throws {SessionError} `unknown-entry`
 */
export function contextPlan(session: Session, leafId: string | null = session.leafId): ContextPlan {
  if (leafId !== null) requireEntry(session, leafId);
  const path = pathTo(session, leafId);
  const settings = session.dialect === 'omp' ? ompSettings(session, path) : defaultSettings(session, path);
  const compaction = path.findLastIndex((head) => head.type === 'compaction');
  const reset = path.findLastIndex((head) => head.type === 'reset_boundary');
  const plan = { leafId, path, settings, ...(reset < 0 ? {} : { resetId: path[reset]!.id }) };
  if (compaction < 0 || reset > compaction) return { ...plan, steps: stepsOf(path.slice(reset + 1)) };

  const summary = path[compaction]!;
  // The compaction's own id, or one that isn't before it on the path, keeps nothing.
  const named = path.findIndex((head, index) => index < compaction && head.id === summary.firstKeptEntryId);
  const first = named < 0 || summary.retainedTail ? compaction : Math.max(named, reset + 1);
  const kept = path.slice(first, compaction).filter((head) => head.role !== 'system' || session.dialect === 'omp');
  return {
    ...plan,
    steps: stepsOf([summary, ...kept, ...path.slice(compaction + 1)]),
    compaction: {
      compactionId: summary.id,
      firstKeptEntryId: first < compaction ? path[first]!.id : null,
      summarized: path.slice(reset + 1, first).filter(addsMessages).length,
    },
  };
}

/** Returns whether an entry's type adds messages. Compactions aren't included: only the newest one adds any. */
function addsMessages(head: EntryHead): boolean {
  return head.type === 'message' || head.type === 'custom_message' || (head.type === 'branch_summary' && head.hasText === true);
}

/** Returns the contributions of entries in context order. A compaction contributes only in first place; only edits among the entries apply. */
function stepsOf(entries: readonly EntryHead[]): ContextStep[] {
  const edits = new Map<string, EntryHead>();
  for (const head of entries) if (head.type === 'context_edit' && typeof head.targetId === 'string') edits.set(head.targetId, head);
  const steps: ContextStep[] = [];
  entries.forEach((head, index) => {
    if (!addsMessages(head) && !(head.type === 'compaction' && index === 0)) return;
    const edit = edits.get(head.id);
    if (edit?.omits) return;
    steps.push(edit ? { id: head.id, editId: edit.id } : { id: head.id });
  });
  return steps;
}

function defaultSettings({ header }: Session, path: readonly EntryHead[]): ContextSettings {
  let thinkingLevel = header.thinkingLevel ?? 'off';
  let model = header.provider !== undefined && header.modelId !== undefined ? { provider: header.provider, modelId: header.modelId } : null;
  for (const head of path) {
    if (head.type === 'thinking_level_change') thinkingLevel = head.thinkingLevel ?? 'off';
    if ((head.type === 'model_change' || head.role === 'assistant') && head.model) model = head.model;
  }
  return { thinkingLevel, model };
}

function ompSettings({ header }: Session, path: readonly EntryHead[]): ContextSettings {
  let thinkingLevel = header.thinkingLevel ?? 'off';
  let mode = 'none';
  const models = new Map<string, ModelRef>();
  const rules = new Set<string>();
  if (header.provider !== undefined && header.modelId !== undefined) models.set('default', { provider: header.provider, modelId: header.modelId });
  // Models of answers don't overwrite a chosen default, because they may be fallbacks.
  let chosen = false;
  for (const head of path) {
    if (head.type === 'thinking_level_change') thinkingLevel = head.thinkingLevel ?? 'off';
    if (head.type === 'mode_change') mode = head.mode ?? 'none';
    for (const rule of head.rules ?? []) rules.add(rule);
    if (!head.model) continue;
    if (head.type === 'model_change') {
      const role = head.modelRole ?? 'default';
      models.set(role, head.model);
      chosen ||= role === 'default';
    } else if (head.role === 'assistant' && !chosen) models.set('default', head.model);
  }
  return {
    thinkingLevel,
    model: models.get('default') ?? null,
    models: Object.fromEntries([...models].map(([role, model]) => [role, modelName(model)])),
    injectedTtsrRules: [...rules],
    mode,
  };
}

/** Returns `provider/id`, or only the id if the provider is unknown. */
export function modelName({ provider, modelId }: ModelRef): string {
  return provider === '' ? modelId : `${provider}/${modelId}`;
}
