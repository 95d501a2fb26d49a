/** The session's branches as the page draws them: a map over heads, with its words in the person's language. */
import * as vscode from 'vscode';
import { branchMap, doingsOf, linesOf, turn, type EntryHead, type MapEntry, type MapRow, type Session } from '../core/index';
import type { BranchPicture, BranchRow } from './protocol';
import { oneLine } from './text';

interface Shown {
  readonly session: Session;
  readonly placeId: string | null;
}

/** Milliseconds until the page is told: the messages come first. */
const SOON = 30;
/** So many times as long as a picture took to make it stays, at least: a large session at work costs no more than that. */
const REST = 10;

/** Tells the page of the branches, and again when they are others. */
export class BranchPictures {
  private wanted: Shown | undefined;
  private told: Shown | undefined;
  private unfolded: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** When the next picture may be made, in milliseconds since 1970. */
  private next = 0;

  constructor(private readonly tell: (picture: BranchPicture) => void) {}

  show(session: Session, placeId: string | null): void {
    this.wanted = { session, placeId };
    if (this.told?.session === session && this.told.placeId === placeId) return;
    this.timer ??= setTimeout(() => void this.draw(), Math.max(SOON, this.next - Date.now()));
  }

  /** Draws these too, by the entries that they begin with. */
  unfold(unfolded: readonly string[]): void {
    this.unfolded = unfolded;
    if (this.wanted) void this.draw();
  }

  /** The page is a new one, which knows nothing, or it is gone. */
  forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wanted = undefined;
    this.told = undefined;
    this.unfolded = [];
  }

  /** In two turns: the extension host has others to serve. */
  private async draw(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { wanted } = this;
    if (!wanted) return;
    const started = Date.now();
    this.told = wanted;
    const lines = linesOf(wanted.session, wanted.placeId);
    await turn();
    if (this.told !== wanted) return;
    this.tell(pictureOf(wanted, this.unfolded, lines));
    const ended = Date.now();
    this.next = ended + REST * (ended - started);
  }
}

function pictureOf({ session, placeId }: Shown, unfolded: readonly string[], lines: ReturnType<typeof linesOf>): BranchPicture {
  const map = branchMap(session, { placeId, unfolded: new Set(unfolded), lines });
  return { rows: map.rows.map(rowOf), branches: map.branches };
}

const TEXT_LENGTH = 100;
const ID_LENGTH = 40;

function rowOf(row: MapRow): BranchRow {
  const place = { lane: row.lane, ...(row.above === undefined ? {} : { above: row.above }) };
  if (row.kind === 'more') {
    const text = row.branches === 1 ? vscode.l10n.t('1 more branch') : vscode.l10n.t('{0} more branches', row.branches);
    return { ...place, id: row.starts[0] ?? '', starts: row.starts, kind: 'more', between: 0, text, name: text, details: vscode.l10n.t('The oldest are folded here.'), time: 0, isHere: false, isActive: false, isOnWay: false };
  }
  const { head, label, between, isPlace, isActive, isOnWay } = row;
  const kind = kindOf(row);
  const text = oneLine(textOf(row), TEXT_LENGTH);
  const { details, sum, time } = row.line ? branchFacts(row.line) : { details: '', sum: undefined, time: head.time };
  return {
    ...place,
    id: head.id,
    kind,
    between,
    text,
    ...(label === undefined ? {} : { label: oneLine(label, TEXT_LENGTH) }),
    name: `${nameOf(kind)}, ${label === undefined ? text : `${vscode.l10n.t('label {0}', oneLine(label, TEXT_LENGTH))} ${text}`}`,
    ...(sum === undefined ? {} : { sum }),
    details: [oneLine(head.text, 300), ...(between > 0 ? [betweenText(between)] : []), details, vscode.l10n.t('Entry {0}', oneLine(head.id, ID_LENGTH))].filter((line) => line !== '').join('\n'),
    time,
    isHere: isPlace,
    isActive,
    isOnWay,
  };
}

function kindOf(row: MapEntry): BranchRow['kind'] {
  if (row.isLeaf) return 'leaf';
  if (row.isTip) return 'tip';
  if (row.isFork) return 'fork';
  if (row.head.type === 'compaction') return 'compaction';
  if (row.label !== undefined) return 'label';
  return row.above === undefined ? 'start' : 'entry';
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
function branchFacts(line: readonly EntryHead[]): { sum: string; details: string; time: number } {
  const { turns, messages, usage, span } = doingsOf(line);
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
