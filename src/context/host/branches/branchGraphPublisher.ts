/** The session's branches as the page draws them: the core's branch map with localized texts. */
import * as vscode from 'vscode';
import {
  defined,
  branchMapSteps,
  activityAt,
  findEntry,
  Yielder,
  type EntryHead,
  type MapEntry,
  type MapRow,
  type Session,
  type Steps,
  oneLine,
  plainRow,
  tokensIn,
} from '../../../core/index';
import { localizeRow } from '../../../ui/localize';
import type { BranchGraph, BranchRow } from '../../shared/protocol';
import { formatCents, formatCost, formatNumber } from '../../shared/formatNumbers';

interface ShownBranch {
  readonly session: Session;
  readonly currentId: string | null;
  /** The entry whose files are on the disk now. */
  readonly filesId: string | undefined;
}

/** Milliseconds before a graph is built, for more changes to come. */
const FIRST_DELAY = 30;
/**
 * The pause after a graph, as a multiple of the time it took to build. Bounds the cost for a large session that keeps
 * growing.
 */
const PAUSE_FACTOR = 10;

interface BranchGraphPage {
  readonly post: (graph: BranchGraph) => void;
  /** Resolves when the messages are on the screen, or won't be. They come first. */
  readonly whenDrawn: () => Promise<void>;
}

/** Posts the branch graph to the page, and again when it changes. */
export class BranchGraphPublisher {
  private pending: ShownBranch | undefined;
  private posted: ShownBranch | undefined;
  private unfolded: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** The earliest time of the next graph, in milliseconds since 1970. */
  private nextTime = 0;

  constructor(private readonly page: BranchGraphPage) {}

  /** @param filesId the entry whose files are on the disk now, if that's known; it always has a row */
  show(session: Session, currentId: string | null, filesId?: string): void {
    this.pending = { session, currentId, filesId };
    if (this.posted?.session === session && this.posted.currentId === currentId && this.posted.filesId === filesId) return;
    this.timer ??= setTimeout(() => void this.publish(), Math.max(FIRST_DELAY, this.nextTime - Date.now()));
  }

  /** Shows hidden branches, given by the entries with which they begin. */
  unfold(unfolded: readonly string[]): void {
    this.unfolded = unfolded;
    if (this.pending) void this.publish();
  }

  /** Forgets the posted graph: the page is new or gone. */
  reset(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending = undefined;
    this.posted = undefined;
    this.unfolded = [];
  }

  /** Builds the graph in slices, yielding to the event loop, unless another graph is to be built. */
  private async publish(): Promise<void> {
    clearTimeout(this.timer);
    const { timer } = this;
    await this.page.whenDrawn();
    const { pending } = this;
    if (!pending || this.timer !== timer) return;
    this.timer = undefined;
    const started = Date.now();
    const posted = (this.posted = { ...pending });
    const yielder = new Yielder(undefined);
    const steps = buildBranchGraph(posted, this.unfolded);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      await yielder.yieldIfDue();
      if (this.posted !== posted) return;
    }
    this.page.post(step.value);
    const ended = Date.now();
    this.nextTime = ended + PAUSE_FACTOR * (ended - started);
  }
}

function* buildBranchGraph({ session, currentId, filesId }: ShownBranch, unfolded: readonly string[]): Steps<BranchGraph> {
  const map = yield* branchMapSteps(session, { currentId, expandedIds: new Set(unfolded), ...defined({ markedId: filesId }) });
  const rows: BranchRow[] = [];
  for (const row of map.rows) {
    rows.push(yield* buildRow(session, row, filesId));
    yield;
  }
  return { rows, branchCount: map.branchCount };
}

const TEXT_LENGTH = 100;
const ID_LENGTH = 40;

function* buildRow(session: Session, row: MapRow, filesId: string | undefined): Steps<BranchRow> {
  const position = { lane: row.lane, ...defined({ parentRow: row.parentRow }) };
  if (row.kind !== 'entry') {
    const text = collapsedText(row);
    return {
      ...position,
      id: row.startIds[0] ?? '',
      startIds: row.startIds,
      kind: 'more',
      messagesBetween: 0,
      text,
      name: text,
      details:
        row.kind === 'archived'
          ? vscode.l10n.t('These branches were archived in oh-my-pi. Choose this row to show them.')
          : vscode.l10n.t('The oldest branches are folded here.'),
      time: 0,
      isCurrent: false,
      isActive: false,
      isOnCurrentPath: false,
    };
  }
  const { head, label, messagesBetween, isCurrent, isActive, isOnCurrentPath } = row;
  const filesHere = head.id === filesId ? vscode.l10n.t('files are here') : undefined;
  const kind = kindOf(row);
  const text = textOf(session, row);
  const { details, summary, time } = row.line
    ? yield* describeBranch(session, row.line)
    : { details: '', summary: undefined, time: head.time };
  return {
    ...position,
    id: head.id,
    kind,
    messagesBetween,
    text,
    ...(label === undefined ? {} : { label: oneLine(label, TEXT_LENGTH) }),
    name: `${nameOf(kind)}, ${label === undefined ? text : `${vscode.l10n.t('label {0}', oneLine(label, TEXT_LENGTH))} ${text}`}${filesHere === undefined ? '' : `, ${filesHere}`}`,
    ...defined({ summary, filesHere }),
    details: [
      localizeRow(head, 300),
      ...(filesHere === undefined ? [] : [vscode.l10n.t('Files were restored to this point, and are unchanged since.')]),
      ...(messagesBetween > 0 ? [betweenText(messagesBetween)] : []),
      details,
      vscode.l10n.t('Entry {0}', oneLine(head.id, ID_LENGTH)),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    time,
    isCurrent,
    isActive,
    isOnCurrentPath,
  };
}

function collapsedText({ kind, branchCount }: Exclude<MapRow, MapEntry>): string {
  if (kind === 'archived')
    return branchCount === 1 ? vscode.l10n.t('1 archived branch') : vscode.l10n.t('{0} archived branches', branchCount);
  return branchCount === 1 ? vscode.l10n.t('1 more branch') : vscode.l10n.t('{0} more branches', branchCount);
}

function kindOf(row: MapEntry): BranchRow['kind'] {
  if (row.isLeaf) return 'leaf';
  if (row.isTip) return 'tip';
  if (row.isFork) return 'fork';
  if (row.head.type === 'compaction') return 'compaction';
  if (row.label !== undefined) return 'label';
  return row.parentRow === undefined ? 'start' : 'entry';
}

function nameOf(kind: BranchRow['kind']): string {
  switch (kind) {
    case 'leaf':
      return vscode.l10n.t('current leaf');
    case 'tip':
      return vscode.l10n.t('branch');
    case 'fork':
      return vscode.l10n.t('fork');
    case 'compaction':
      return vscode.l10n.t('compaction');
    case 'start':
      return vscode.l10n.t('beginning');
    default:
      return vscode.l10n.t('entry');
  }
}

/**
 * Returns the row's text. An abandoned branch is identified by the first question on it, or since its last fork; other
 * rows show their own text.
 */
function textOf(session: Session, { head, isTip, isLeaf, line = [], own = [] }: MapEntry): string {
  const isQuestion = (one: Pick<EntryHead, 'role' | 'hasText'>): boolean => one.role === 'user' && one.hasText === true;
  const found =
    isTip && !isLeaf
      ? (findEntry(session, isQuestion, own) ?? findEntry(session, isQuestion, line))
      : isLeaf && head.type !== 'message'
        ? findEntry(session, (one) => one.type === 'message', line.toReversed())
        : undefined;
  return plainRow(found ?? head, TEXT_LENGTH).replace(/^\[(.*)\]$/, '$1');
}

function betweenText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 message before it') : vscode.l10n.t('{0} messages before it', count);
}

/** Describes a branch's cost and time: a short summary, and tooltip lines. */
function* describeBranch(session: Session, line: readonly number[]): Steps<{ summary: string; details: string; time: number }> {
  const { userMessages, messages, usage, timeRange } = yield* activityAt(session, line);
  const turnText = userMessages === 1 ? vscode.l10n.t('1 turn') : vscode.l10n.t('{0} turns', userMessages);
  const messageText = messages === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', messages);
  const cost = usage.cost > 0 ? formatCost(usage.cost) : undefined;
  const read = tokensIn(usage);
  const tokens =
    read + usage.output > 0 ? vscode.l10n.t('{0} tokens in, {1} out', formatNumber(read), formatNumber(usage.output)) : undefined;
  const details = [joined(turnText, messageText), joined(cost, tokens), timeRange ? timeRangeText(timeRange) : ''].filter(
    (part) => part !== '',
  );
  // The summaries stand below each other.
  const cents = usage.cost > 0 ? formatCents(usage.cost) : undefined;
  return { summary: joined(turnText, cents), details: details.join('\n'), time: timeRange?.to ?? 0 };
}

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' · ');
const timeRangeText = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).formatRange(new Date(from), new Date(to));
