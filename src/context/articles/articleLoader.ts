/** Reads articles, text pieces and images of a snapshot for the page. */
import { t } from '../shared/localization';
import { systemPromptSteps } from '../../core/format/context/systemMessage';
import { defined } from '../../core/format/values/defined';
import { SessionError } from '../../core/format/entry/problem';
import { runSteps } from '../../core/format/session/steps';
import { requireEntry } from '../../core/format/session/requireEntry';
import { attemptsBefore } from './attempts';
import { buildArticle, type BuiltArticle } from './buildArticle';
import { elementAt } from '../../core/format/values/lookups';
import { estimateLines } from '../snapshot/messageGroups';
import { usageText } from '../snapshot/pageHeader';
import { blobHash, dataUri, imageSize } from './imageFormat';
import type { Article, ArticleRange, ImagePart, Part, ShownStatus, ToPage } from '../shared/protocol';
import { readMessages, type PlannedSlot, type ContextSnapshot, type PlannedGroup } from '../snapshot/contextSnapshot';
import { buildEntryRows, missingKeptMessage, summaryExtras } from './entryRows';
import { unreadableArticle } from './unreadableArticle';
import { sliceAtLine } from './truncateText';

/** UTF-16 units of articles in one message. */
const PAGE_SIZE = 1_000_000;
/** Articles read at a time. */
const BATCH = 16;
/** UTF-16 units of text in one answer. */
const MAX_PIECE_LENGTH = 256_000;

/** Yields the articles `from` to `to` (exclusive), in chunks of about 1 MB. */
export async function* readArticles(snapshot: ContextSnapshot, from: number, to: number): AsyncGenerator<ArticleRange> {
  const end = Math.min(to, snapshot.groups.length);
  let page: Article[] = [];
  let first = Math.max(0, from);
  let size = 0;
  for (let at = first; at < end; at += BATCH) {
    for (const built of await buildReadable(snapshot, snapshot.groups.slice(at, Math.min(at + BATCH, end)))) {
      const article = await withImages(built, snapshot);
      const length = JSON.stringify(article).length;
      if (page.length > 0 && size + length > PAGE_SIZE) {
        yield { from: first, articles: page };
        first += page.length;
        page = [];
        size = 0;
      }
      page.push(article);
      size += length;
    }
  }
  if (page.length > 0) yield { from: first, articles: page };
}

/** Estimated lines of the last articles. More than a screen has. */
const LAST_LINES = 100;

/** Returns the last articles, none before `start`: enough for a screen, unless they are larger than one message. */
export async function readLastArticles(snapshot: ContextSnapshot, start: number): Promise<ArticleRange | undefined> {
  const { groups } = snapshot;
  let from = groups.length;
  for (let lines = 0; from > start && lines < LAST_LINES; from--) lines += estimateLines(elementAt(groups, from - 1));
  let last: ArticleRange | undefined;
  for await (const range of readArticles(snapshot, from, groups.length)) last = range;
  return last;
}

/** Returns a piece of a text from `from` on; `undefined` if there is no such text. */
export async function readTextPiece(
  snapshot: ContextSnapshot,
  index: number,
  nth: number,
  from: number,
): Promise<Extract<ToPage, { type: 'text' }> | undefined> {
  const text = (await buildArticleAt(snapshot, index))?.texts[nth];
  if (text === undefined || from < 0 || from >= text.length) return undefined;
  return { type: 'text', index, nth, from, text: sliceAtLine(text, from, text.length, MAX_PIECE_LENGTH) };
}

/** Returns an image as a `data:` URL; without `src` if it can't be shown. */
export async function readImage(snapshot: ContextSnapshot, index: number, nth: number): Promise<Extract<ToPage, { type: 'image' }>> {
  const source = (await buildArticleAt(snapshot, index))?.images[nth];
  const answer = { type: 'image', index, nth } as const;
  if (!source) return answer;
  const hash = blobHash(source.data);
  let data: string | undefined;
  try {
    data = hash === undefined ? source.data : await snapshot.source.blob(snapshot.session, hash);
  } catch {
    // A FIFO, a file that is too large or unreadable: only this image is missing.
    return { ...answer, missing: 'damaged' };
  }
  const src = data === undefined ? undefined : dataUri({ mimeType: source.mimeType, data });
  return src === undefined ? { ...answer, missing: data === undefined ? 'gone' : 'damaged' } : { ...answer, src };
}

async function buildArticleAt(snapshot: ContextSnapshot, index: number): Promise<BuiltArticle | undefined> {
  const group = snapshot.groups[index];
  return group && (await buildArticles(snapshot, [group]))[0];
}

/**
 * Builds articles. Entries that are no longer readable, because their file was rewritten, become an error article each;
 * the others are read.
 */
async function buildReadable(snapshot: ContextSnapshot, groups: readonly PlannedGroup[]): Promise<BuiltArticle[]> {
  try {
    return await buildArticles(snapshot, groups);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    const [single, ...rest] = groups;
    if (single && rest.length === 0) return [unreadableArticle(snapshot, single, error)];
  }
  const built: BuiltArticle[] = [];
  for (const group of groups) built.push(...(await buildReadable(snapshot, [group])));
  return built;
}

/** Builds the articles of some groups, in order. */
export async function buildArticles(snapshot: ContextSnapshot, groups: readonly PlannedGroup[]): Promise<BuiltArticle[]> {
  const { session, slots, source } = snapshot;
  const yielder = source.yielder(undefined);
  const rowSlots = groups.map(({ first }) => first).filter(({ isEntryRow }) => isEntryRow);
  const rows = new Map((await buildEntryRows(snapshot, rowSlots)).map((row, index) => [rowSlots[index], row]));
  const startSlot = snapshot.view === 'transcript' ? contextStart(snapshot) : -1;
  // An agent often answers many times in a row.
  const isContinuation = (group: PlannedGroup): boolean =>
    group.first.role === 'assistant' && previousRole(slots, group.from) === 'assistant';
  const messages = await readMessages(snapshot, groups);
  const summaryIds = groups.flatMap(({ first }) => (SUMMARY_ROLES.has(first.role) && !first.isEntryRow ? [first.entryId] : []));
  const files = new Map((await source.bodies(session, summaryIds)).map((entry) => [entry.id, summaryExtras(entry)]));
  const promptIds = groups.find(({ first }) => first.promptIds)?.first.promptIds;
  const prompt = promptIds
    ? await runSteps(systemPromptSteps(await source.bodies(session, promptIds)), () => yielder.yieldIfDue())
    : undefined;
  const bases = { home: source.home, cwd: session.header.cwd };
  const built: BuiltArticle[] = [];
  for (const [index, group] of groups.entries()) {
    // A text may have millions of characters.
    await yielder.yieldIfDue();
    const row = rows.get(group.first);
    if (row) {
      built.push(row);
      continue;
    }
    const read = messages[index] ?? [];
    const groupSlots = slots.slice(group.from, group.to);
    const labeled = groupSlots.find((slot) => slot.label !== undefined);
    const { promptIds, entryId } = group.first;
    const usage = usageText(session.byId.get(entryId)?.usage, read[0]?.message['usage']);
    const extras = files.get(entryId);
    const dividerText = dividerBefore(snapshot, group, startSlot);
    const forks = await runSteps(attemptsBefore(snapshot, group), () => yielder.yieldIfDue());
    const contextStatuses = new Map(groupSlots.map((slot) => [slot.entryId, shownStatusOf(slot)]));
    const steps = buildArticle({
      key: group.key,
      bases,
      messages: read.map(({ message }) => message),
      entries: read.map(({ source }) => {
        const contextStatus = contextStatuses.get(source);
        return { id: source, time: requireEntry(session, source).time, ...defined({ contextStatus }) };
      }),
      ...(promptIds && prompt ? { prompt } : { isPromptChange: entryId !== snapshot.declarationId }),
      ...(labeled?.label === undefined ? {} : { label: labeled.label, labelId: labeled.entryId }),
      ...defined({ usage, forks, files: extras || undefined }),
      ...(dividerText === undefined ? { isContinuation: isContinuation(group) } : { dividerText }),
    });
    built.push(await runSteps(steps, () => yielder.yieldIfDue()));
  }
  return built;
}

/** Messages that stand for other entries, whose files their own entries may name. */
const SUMMARY_ROLES: ReadonlySet<string> = new Set(['compactionSummary', 'branchSummary']);

const shownStatusOf = ({ contextStatus }: PlannedSlot): ShownStatus | undefined =>
  contextStatus === 'in' || contextStatus === 'state' ? undefined : contextStatus;

/** Returns the text of the divider above an article, if the context starts there or was compacted or reset there. */
function dividerBefore(
  { session, plan, slots, groups, view }: ContextSnapshot,
  group: PlannedGroup,
  startSlot: number,
): string | undefined {
  const slot = group.first;
  if (view === 'transcript')
    return startSlot === group.from && group.from > 0 ? t('The model sees the full messages from here on') : undefined;
  if (plan.compaction && slot.role === 'compactionSummary') {
    const { summarized: count, compactionId } = plan.compaction;
    const summary = count === 1 ? t('1 earlier message is summarized here') : t('{0} earlier messages are summarized here', count);
    const missing = missingKeptMessage(session, requireEntry(session, compactionId));
    return missing === undefined ? summary : `${summary}. ${missing}`;
  }
  if (plan.compaction?.firstKeptEntryId != null && group.from > 0) {
    const compaction = requireEntry(session, plan.compaction.compactionId);
    const before = slots[group.from - 1];
    const after = (id: string): boolean => requireEntry(session, id).line > compaction.line;
    if (before && before.entryId !== compaction.id && after(slot.entryId) && !after(before.entryId))
      return t('Compacted here; the messages above are kept');
  }
  return plan.resetId !== undefined && group === groups[0] ? t('Everything before the reset is left out') : undefined;
}

/** Adds the sizes of images that are stored outside the session file, or marks them as missing. */
async function withImages({ article, images }: BuiltArticle, { session, source }: ContextSnapshot): Promise<Article> {
  if (!images.some(({ data }) => blobHash(data) !== undefined)) return article;
  const details = await Promise.all(
    images.map(async ({ data }) => {
      const hash = blobHash(data);
      if (hash === undefined) return {};
      try {
        const bytes = await source.blobStart(session, hash);
        return bytes ? { ...imageSize(bytes) } : { missing: 'gone' as const };
      } catch {
        return { missing: 'damaged' as const };
      }
    }),
  );
  const completeImage = (part: ImagePart): ImagePart => (part.missing === undefined ? { ...part, ...details[part.nth] } : part);
  // The parts of folds are texts only.
  const completePart = (part: Part): Part =>
    part.kind === 'image' ? completeImage(part) : part.kind === 'tool' ? { ...part, result: part.result.map(completePart) } : part;
  return { ...article, parts: article.parts.map(completePart) };
}

/**
 * Returns the index of the first message of a transcript that is in the context, if some before it aren't; -1
 * otherwise.
 */
function contextStart({ plan, slots }: ContextSnapshot): number {
  if (!plan.compaction && plan.resetId === undefined) return -1;
  return slots.findIndex(({ contextStatus, isEntryRow }) => !isEntryRow && (contextStatus === 'in' || contextStatus === 'edited'));
}

function previousRole(slots: ContextSnapshot['slots'], at: number): string | undefined {
  let before = at - 1;
  while (slots[before]?.role === 'toolResult') before--;
  return slots[before]?.role;
}
