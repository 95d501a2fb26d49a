/**
 * The differences between pi's answers about one session file and ours, by kind. Intended kinds have a name of their own;
 * `docs/CONFORMANCE.md` explains each.
 */
import {
  buildSessionContext,
  FILTERS,
  isVisible,
  readBodies,
  textOf,
  type Content,
  type EntryHead,
  type Session,
} from '../../src/core/index';
import { isDeepStrictEqual } from 'node:util';
import { compareShapes, compareTotals, type Both } from './compareWithPi';

/** `unexplained` ones are what a person looks at first. */
export type DifferenceKind =
  | 'row: a message without its wrapper'
  | 'row: a path that is relative or loses folders'
  | 'row: a command without its folder'
  | 'row: a call in words'
  | 'row: pi has no text'
  | 'row: a model of oh-my-pi'
  | 'entries: several on one line'
  | 'entries: a line that is no JSON'
  | 'entries: a second header'
  | 'entries: a line without an ID'
  | 'context: an answer that names no model'
  | 'context: the model in the header'
  | 'context: missing parts of a block'
  | 'totals: pi fails on incomplete usage'
  | 'visible rows: bookkeeping of oh-my-pi'
  | 'oh-my-pi: unexplained'
  | 'entries: unexplained'
  | 'tree: unexplained'
  | 'row: unexplained'
  | 'visible rows: unexplained'
  | 'totals: unexplained'
  | 'context: unexplained';

export interface Difference {
  readonly kind: DifferenceKind;
  /** The number of entries; 1 where a comparison ends at its first difference. */
  readonly count: number;
  readonly example: string;
}

/** The contexts of a file that are compared; comparing all contexts of a long session takes quadratic time. */
const CONTEXTS = 40;

export async function fileDifferences(both: Both): Promise<Difference[]> {
  return [
    ...attempt('tree: unexplained', () => {
      compareShapes(both);
    }),
    ...totalDifferences(both),
    // pi knows no roles of models, modes and rules; oh-my-pi itself judges its contexts.
    ...(both.ours.dialect === 'omp' ? [] : await contextDifferences(both)),
    ...visibleDifferences(both),
    ...(await rowDifferences(both)),
  ];
}

/** @returns the difference that a comparison ended at, if it did */
function attempt(kind: DifferenceKind, compare: () => void): Difference[] {
  try {
    compare();
    return [];
  } catch (error) {
    return [{ kind, count: 1, example: error instanceof Error ? error.message : String(error) }];
  }
}

function totalDifferences(both: Both): Difference[] {
  const fails = (): boolean => {
    try {
      return Object.values(both.pi.totals(both.theirs)).some((sum) => Number.isNaN(sum));
    } catch {
      return true;
    }
  };
  return attempt(fails() ? 'totals: pi fails on incomplete usage' : 'totals: unexplained', () => {
    compareTotals(both);
  });
}

/** Compares contexts at entries that are evenly spread, and at the leaf. */
async function contextDifferences({ ours, theirs, known }: Both): Promise<Difference[]> {
  const leaf = theirs.getLeafId();
  const ids = theirs.getEntries().map(({ id }) => id);
  const step = Math.max(1, ids.length / CONTEXTS);
  const found = new Map<DifferenceKind, Difference>();
  for (const place of [
    ...ids.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)),
    ...(leaf === null ? [] : [leaf]),
  ]) {
    theirs.branch(place);
    const { messages, model, thinkingLevel } = await buildSessionContext(ours, known.get(place));
    const judged = theirs.buildSessionContext();
    const add = (kind: DifferenceKind, example: string): void => {
      found.set(kind, { kind, count: (found.get(kind)?.count ?? 0) + 1, example });
    };
    if (!isDeepStrictEqual(messages, judged.messages)) {
      const kind = isDeepStrictEqual(withoutEmptyParts(messages), withoutEmptyParts(judged.messages))
        ? 'context: missing parts of a block'
        : 'context: unexplained';
      add(kind, `messages at ${place}`);
    }
    const settings = JSON.stringify([model, thinkingLevel]);
    const theirSettings = JSON.stringify([judged.model, judged.thinkingLevel]);
    if (settings !== theirSettings) {
      const kind =
        theirSettings === '[{},"off"]' || theirSettings.startsWith('[{},')
          ? 'context: an answer that names no model'
          : ours.version === 1 || judged.model === null
            ? 'context: the model in the header'
            : 'context: unexplained';
      add(kind, `${settings} ← ${theirSettings} at ${place}`);
    }
  }
  if (leaf !== null) theirs.branch(leaf);
  return [...found.values()];
}

const EMPTY = new Set(['data', 'id', 'toolCallId', 'toolName', 'mimeType']);

/** Ours gives a block without its data or its ID an empty one. */
const withoutEmptyParts = (messages: readonly unknown[]): unknown =>
  JSON.parse(JSON.stringify(messages, (key, value: unknown) => (EMPTY.has(key) && value === '' ? undefined : value)));

function visibleDifferences({ pi, ours, theirs, known }: Both): Difference[] {
  return FILTERS.flatMap((filter) => {
    const shown = new Set(pi.rows(theirs, filter).map(({ id }) => known.get(id)!));
    const differ = ours.entries.filter((head) => isVisible(ours, head, filter) !== shown.has(head.id));
    if (differ.length === 0) return [];
    const kind =
      ours.dialect === 'omp' && differ.every(({ type }) => OMP_TYPES.has(type))
        ? 'visible rows: bookkeeping of oh-my-pi'
        : 'visible rows: unexplained';
    const example = `${filter}: ${differ[0]!.type} ${differ[0]!.id} ${shown.has(differ[0]!.id) ? 'only in pi' : 'only in ours'}`;
    return [{ kind, count: differ.length, example }];
  });
}

const OMP_TYPES = new Set([
  'mcp_tool_selection',
  'service_tier_change',
  'mode_change',
  'ttsr_injection',
  'session_init',
  'title_change',
  'credential_pin',
]);

async function rowDifferences({ pi, ours, theirs, known }: Both): Promise<Difference[]> {
  const texts = new Map(pi.rows(theirs, 'all').map(({ id, text }) => [known.get(id)!, text]));
  const differ = ours.entries.filter((head) => {
    const text = texts.get(head.id);
    return text !== undefined && head.text.slice(0, ROW) !== text.slice(0, ROW);
  });
  const bodies = await userTexts(
    ours,
    differ.filter(({ role }) => role === 'user'),
  );
  const found = new Map<DifferenceKind, { count: number; example: string }>();
  for (const head of differ) {
    const text = texts.get(head.id)!;
    const kind = rowKind(head, text, bodies.get(head.id));
    const { count, example } = found.get(kind) ?? { count: 0, example: `${head.text.slice(0, ROW)} ← ${text.slice(0, ROW)}` };
    found.set(kind, { count: count + 1, example });
  }
  return [...found].map(([kind, rest]) => ({ kind, ...rest }));
}

/** Our rows end after this many UTF-16 units; pi's are longer for some types. */
const ROW = 200;

/** @param body the whole text of a user message */
function rowKind({ text, role }: EntryHead, theirs: string, body: string | undefined): DifferenceKind {
  if (theirs === '') return 'row: pi has no text';
  if (role === 'user') {
    const said = text
      .replace(/^\[?user: ?/, '')
      .replace(/[…\]]$/, '')
      .replace(/\s+/g, ' ')
      .trim();
    return body?.includes(said) ? 'row: a message without its wrapper' : 'row: unexplained';
  }
  if (theirs === '[model: undefined]') return 'row: a model of oh-my-pi';
  const [ourTool, theirTool] = [text, theirs].map((row) => /^\[([^:\]]+)/.exec(row)?.[1]);
  if (ourTool === undefined || ourTool !== theirTool) return 'row: unexplained';
  if (/^\[[^:\]]+: \{/.test(theirs) || /^\[(find|ls|grep): /.test(theirs)) return 'row: a call in words';
  if (theirTool === 'bash') return /^\[bash: \s*cd /.test(theirs) ? 'row: a command without its folder' : 'row: unexplained';
  return 'row: a path that is relative or loses folders';
}

/** The texts of user messages in one line each, as rows show them, by entry. */
async function userTexts(session: Session, heads: readonly EntryHead[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { id, message } of await readBodies(
    session,
    heads.map(({ id }) => id),
  )) {
    texts.set(
      id,
      textOf((message as { content?: Content } | undefined)?.content ?? '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  }
  return texts;
}
