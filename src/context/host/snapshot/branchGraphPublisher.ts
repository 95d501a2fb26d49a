/** The session's branches as the page draws them: a map over heads, with its words in the person's language. */
import * as vscode from 'vscode';
import { branchMap, activitySummary, branchLines, yieldToEventLoop, type EntryHead, type MapEntry, type MapRow, type Session } from '../../../core/index';
import type { BranchGraph, BranchRow } from '../../shared/protocol';
import { oneLine } from './oneLine';

interface ShownBranch {
  readonly session: Session;
  readonly placeId: string | null;
}

/** Milliseconds until the page is told: the messages come first. */
const FIRST_DELAY = 30;
/** So many times as long as a picture took to make it stays, at least: a large session at work costs no more than that. */
const PAUSE_FACTOR = 10;

/** Tells the page of the branches, and again when they are others. */
export class BranchGraphPublisher {
  private pending: ShownBranch | undefined;
  private posted: ShownBranch | undefined;
  private unfolded: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** When the next picture may be made, in milliseconds since 1970. */
  private nextTime = 0;

  constructor(private readonly post: (picture: BranchGraph) => void) {}

  show(session: Session, placeId: string | null): void {
    this.pending = { session, placeId };
    if (this.posted?.session === session && this.posted.placeId === placeId) return;
    this.timer ??= setTimeout(() => void this.publish(), Math.max(FIRST_DELAY, this.nextTime - Date.now()));
  }

  /** Draws these too, by the entries that they begin with. */
  unfold(unfolded: readonly string[]): void {
    this.unfolded = unfolded;
    if (this.pending) void this.publish();
  }

  /** The page is a new one, which knows nothing, or it is gone. */
  reset(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pending = undefined;
    this.posted = undefined;
    this.unfolded = [];
  }

  /** In two turns: the extension host has others to serve. */
  private async publish(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { pending: wanted } = this;
    if (!wanted) return;
    const started = Date.now();
    this.posted = wanted;
    const lines = branchLines(wanted.session, wanted.placeId);
    await yieldToEventLoop();
    if (this.posted !== wanted) return;
    this.post(buildBranchGraph(wanted, this.unfolded, lines));
    const ended = Date.now();
    this.nextTime = ended + PAUSE_FACTOR * (ended - started);
  }
}

function buildBranchGraph({ session, placeId }: ShownBranch, unfolded: readonly string[], lines: ReturnType<typeof branchLines>): BranchGraph {
  const map = branchMap(session, { currentId: placeId, expandedIds: new Set(unfolded), lines });
  return { rows: map.rows.map(buildRow), branchCount: map.branchCount };
}

const TEXT_LENGTH = 100;
const ID_LENGTH = 40;

function buildRow(row: MapRow): BranchRow {
  const place = { lane: row.lane, ...(row.parentRow === undefined ? {} : { parentRow: row.parentRow }) };
  if (row.kind === 'more') {
    const text = row.branchCount === 1 ? vscode.l10n.t('1 more branch') : vscode.l10n.t('{0} more branches', row.branchCount);
    return { ...place, id: row.startIds[0] ?? '', startIds: row.startIds, kind: 'more', messagesBetween: 0, text, name: text, details: vscode.l10n.t('The oldest are folded here.'), time: 0, isCurrent: false, isActive: false, isOnCurrentPath: false };
  }
  const { head, label, messagesBetween: between, isCurrent: isPlace, isActive, isOnCurrentPath: isOnWay } = row;
  const kind = kindOf(row);
  const text = oneLine(textOf(row), TEXT_LENGTH);
  const { details, sum, time } = row.line ? describeBranch(row.line) : { details: '', sum: undefined, time: head.time };
  return {
    ...place,
    id: head.id,
    kind,
    messagesBetween: between,
    text,
    ...(label === undefined ? {} : { label: oneLine(label, TEXT_LENGTH) }),
    name: `${nameOf(kind)}, ${label === undefined ? text : `${vscode.l10n.t('label {0}', oneLine(label, TEXT_LENGTH))} ${text}`}`,
    ...(sum === undefined ? {} : { summary: sum }),
    details: [oneLine(head.text, 300), ...(between > 0 ? [betweenText(between)] : []), details, vscode.l10n.t('Entry {0}', oneLine(head.id, ID_LENGTH))].filter((line) => line !== '').join('\n'),
    time,
    isCurrent: isPlace,
    isActive,
    isOnCurrentPath: isOnWay,
  };
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
      return vscode.l10n.t('the session goes on here');
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

/** A branch that was left is known by what was asked first on it, or since it last forked; everything else says what it is itself. */
function textOf({ head, isTip, isLeaf, line = [], own = [] }: MapEntry): string {
  const said = (one: EntryHead): boolean => one.role === 'user' && one.hasText === true;
  const found = isTip && !isLeaf ? own.find(said) ?? line.find(said) : isLeaf && head.type !== 'message' ? line.findLast((one) => one.type === 'message') : undefined;
  // In so little room the marks of markdown are noise.
  return (found ?? head).text.replace(/^(user|assistant): /, '').replace(/^\[(.*)\]$/, '$1').replace(/^#{1,6} +|\*\*|`/g, '');
}

function betweenText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 message before it') : vscode.l10n.t('{0} messages before it', count);
}

/** What a branch cost and when: in a few words, and in lines. */
function describeBranch(line: readonly EntryHead[]): { sum: string; details: string; time: number } {
  const { userMessages: turns, messages, usage, timeRange: span } = activitySummary(line);
  const turnText = turns === 1 ? vscode.l10n.t('1 turn') : vscode.l10n.t('{0} turns', turns);
  const messageText = messages === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', messages);
  const cost = usage.cost > 0 ? dollars(usage.cost) : undefined;
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  const tokens = read + usage.output > 0 ? vscode.l10n.t('{0} tokens in, {1} out', number(read), number(usage.output)) : undefined;
  const details = [joined(turnText, messageText), joined(cost, tokens), span ? spanText(span) : ''].filter((part) => part !== '');
  return { sum: joined(turnText, cost), details: details.join('\n'), time: span?.to ?? 0 };
}

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' · ');
const number = (value: number): string => new Intl.NumberFormat(vscode.env.language).format(value);
const dollars = (value: number): string =>
  new Intl.NumberFormat(vscode.env.language, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: value < 0.1 ? 4 : 2 }).format(value);
const spanText = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).formatRange(new Date(from), new Date(to));
