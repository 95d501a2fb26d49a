/** The attempts at the forks of a branch: what was asked on each, how it ended and what it cost. Needs heads only. */
import { NO_PARENT, type HeadSource } from '../columns/headSource';
import { plainRow } from '../entry/plainRow';
import { ChildPlaces } from '../linking/childIndex';
import { headsOf } from '../linking/headsById';
import { unfinishedOf } from '../session/lastAnswer';
import type { Session } from '../session/session';
import { STEP_LENGTH, type Steps } from '../session/steps';
import { pathMarks } from '../session/treeTraversal';
import { hasMessages } from './branchPart';
import { newestTipPlace } from './newestBranches';

/** A branch that begins at a fork. */
export interface Attempt {
  /** Its newest tip; the leaf if it was kept; the last entry of the branch whose forks these are. */
  readonly tipId: string;
  /** The first prompt, or else the first message, as a row. */
  readonly prompt: string;
  /** `kept`: the session goes on there. */
  readonly end: 'kept' | 'failed' | 'interrupted' | 'unanswered' | 'left';
  /** Failed tool calls and answers. Only of attempts that were left, as the cost. */
  readonly failures: number;
  /** In dollars. */
  readonly cost: number;
  /** True for the branch whose forks these are. */
  readonly isOwn: boolean;
}

export interface Fork {
  /** The newest attempts, and that of the branch itself, in file order. */
  readonly attempts: readonly Attempt[];
  /** The number of older ones. */
  readonly more: number;
}

const MAX_ATTEMPTS = 8;
const MAX_PROMPT = 60;
/** Entries of the branch itself in which its prompt is looked for. */
const MAX_PROMPT_DISTANCE = 200;
const ENDS = { error: 'failed', interrupted: 'interrupted', unanswered: 'unanswered' } as const;

/**
 * Prepares the forks of a branch, in steps.
 *
 * @param places the entries of the branch from the root on
 */
export function* branchForks(session: Session, places: readonly number[]): Steps<BranchForks> {
  const heads = headsOf(session);
  const children = new ChildPlaces(heads);
  yield;
  const isActive = pathMarks(heads, session.leafId);
  yield;
  const indexes = new Int32Array(heads.length).fill(-1);
  for (const [index, place] of places.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    indexes[place] = index;
  }
  return new BranchForks(session, places, { heads, children, isActive, indexes });
}

interface Tree {
  readonly heads: HeadSource;
  readonly children: ChildPlaces;
  /** By place: 1 on the path to the leaf. */
  readonly isActive: Uint8Array;
  /** By place: the index on the branch. */
  readonly indexes: Int32Array;
}

export class BranchForks {
  constructor(
    private readonly session: Session,
    private readonly places: readonly number[],
    private readonly tree: Tree,
  ) {}

  /** Returns the forks between a message of the branch and the message before it; none for other entries. */
  *before(id: string): Steps<Fork[]> {
    const found: Fork[] = [];
    const { heads, indexes } = this.tree;
    let index = indexes[heads.placeOf(id) ?? NO_PARENT] ?? NO_PARENT;
    if (index < 0 || !this.isMessage(this.places[index]!)) return found;
    do {
      if (index % STEP_LENGTH === 0) yield;
      const fork = yield* this.forkAbove(index);
      if (fork) found.push(fork);
      index--;
    } while (index > 0 && !this.isMessage(this.places[index]!));
    return found.reverse();
  }

  private *forkAbove(index: number): Steps<Fork | undefined> {
    const { heads, children } = this.tree;
    const [own, fork] = [this.places[index]!, this.places[index - 1]];
    if (fork === undefined || !children.isFork(fork)) return undefined;
    const starts: number[] = [];
    let count = 0;
    for (let child = children.firstAt(fork); child >= 0; child = children.nextAt(child)) {
      if (++count % STEP_LENGTH === 0) yield;
      if (child === own || (yield* hasMessages(heads, children, child))) starts.push(child);
    }
    if (starts.length < 2) return undefined;
    const newest = starts.slice(-MAX_ATTEMPTS);
    if (!newest.includes(own)) newest[0] = own;
    const attempts: Attempt[] = [];
    for (const start of newest) attempts.push(start === own ? this.ownAttempt(index) : yield* this.attempt(start));
    return { attempts, more: starts.length - attempts.length };
  }

  private *attempt(start: number): Steps<Attempt> {
    const { heads, children, isActive } = this.tree;
    const isKept = isActive[start] === 1;
    const tip = isKept ? (heads.placeOf(this.session.leafId ?? '') ?? start) : yield* newestTipPlace(heads, children, start);
    let [prompt, message, failures, cost, count] = [NO_PARENT, start, 0, 0, 0];
    for (let place = tip; place !== NO_PARENT; place = heads.parentAt(place)) {
      if (++count % STEP_LENGTH === 0) yield;
      const { type, isError, stopReason } = heads.traitsAt(place);
      if (this.isPrompt(place)) prompt = place;
      if (type === 'message') message = place;
      if (isError || stopReason === 'error') failures++;
      cost += heads.usageAt(place)?.cost?.total ?? 0;
      if (place === start) break;
    }
    const shown = { ...this.ending(start, tip), prompt: this.rowOf(prompt === NO_PARENT ? message : prompt) };
    return isKept ? { ...shown, failures: 0, cost: 0, isOwn: false } : { ...shown, failures, cost, isOwn: false };
  }

  /** Adds nothing up: a branch may have a fork at each of its entries. */
  private ownAttempt(index: number): Attempt {
    const start = this.places[index]!;
    const near = this.places.slice(index, index + MAX_PROMPT_DISTANCE);
    const prompt = near.find((place) => this.isPrompt(place)) ?? near.find((place) => this.isMessage(place)) ?? start;
    return { ...this.ending(start, this.places.at(-1) ?? start), prompt: this.rowOf(prompt), failures: 0, cost: 0, isOwn: true };
  }

  private ending(start: number, tip: number): Pick<Attempt, 'tipId' | 'end'> {
    const tipId = this.tree.heads.idAt(tip);
    if (this.tree.isActive[start] === 1) return { tipId, end: 'kept' };
    const unfinished = unfinishedOf(this.session, tipId);
    return { tipId, end: unfinished ? ENDS[unfinished] : 'left' };
  }

  private rowOf(place: number): string {
    return plainRow(this.tree.heads.peek(place), MAX_PROMPT);
  }

  private isPrompt(place: number): boolean {
    const { role, hasText } = this.tree.heads.traitsAt(place);
    return role === 'user' && hasText === true;
  }

  private isMessage(place: number): boolean {
    const { type } = this.tree.heads.traitsAt(place);
    return type === 'message' || type === 'custom_message' || type === 'branch_summary';
  }
}
