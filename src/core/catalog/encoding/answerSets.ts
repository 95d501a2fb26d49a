/**
 * Finds the sessions that have each answer, by fingerprints. Answers are added session by session. Forks have many answers in
 * common, so that there are far fewer sets of sessions than answers.
 */

/** Stands for a missing set. */
export const NO_SET = -1;

/** The first number of slots. Always a power of two, and at most half of them are used. */
const SLOTS = 1024;

/** A number that is above those of all sessions. */
const MAX_SESSIONS = 2 ** 26;

export class AnswerSets {
  /** A table with open addressing: fingerprints, and the set of each plus one. */
  private fingerprints = new Float64Array(SLOTS);
  private setsOf = new Int32Array(SLOTS);
  /** The bits that an answer has in all sessions that have it. */
  private bits = new Uint8Array(SLOTS);
  private count = 0;
  /** By set: its last session, its first one, and the set of its other sessions. */
  readonly sessions: number[] = [];
  readonly others: number[] = [];
  private readonly firsts: number[] = [];
  private readonly known = new Map<number, number>();
  /** The first sessions of answers that were added more than once. */
  readonly repeated = new Set<number>();

  /**
   * Adds an answer of a session. Sessions have numbers from 0, and follow each other.
   *
   * @param bits its causes there
   * @returns the set of the session alone; `NO_SET` if the answer was added before
   */
  add(fingerprint: number, session: number, bits: number): number {
    if (this.count * 2 >= this.setsOf.length) this.grow();
    const slot = this.slotOf(fingerprint);
    const before = this.setsOf[slot]! - 1;
    if (before === NO_SET) {
      this.count++;
      this.fingerprints[slot] = fingerprint;
      this.bits[slot] = bits;
    } else {
      this.bits[slot]! &= bits;
      this.repeated.add(this.firsts[before]!);
      if (this.sessions[before] === session) return NO_SET;
    }
    const set = this.setWith(before, session);
    this.setsOf[slot] = set + 1;
    return before === NO_SET ? set : NO_SET;
  }

  /** Returns the set of an answer for the first session that has it; `NO_SET` for any other session. */
  setFor(fingerprint: number, session: number): number {
    const set = this.setsOf[this.slotOf(fingerprint)]! - 1;
    return set === NO_SET || this.firsts[set] !== session ? NO_SET : set;
  }

  /** Returns the bits that an answer has in all of its sessions: one that a fork kept isn't on a branch that was left. */
  bitsOf(fingerprint: number): number {
    return this.bits[this.slotOf(fingerprint)]!;
  }

  private setWith(others: number, session: number): number {
    const key = (others + 1) * MAX_SESSIONS + session;
    let set = this.known.get(key);
    if (set === undefined) {
      this.known.set(key, (set = this.sessions.length));
      this.sessions.push(session);
      this.others.push(others);
      this.firsts.push(others === NO_SET ? session : this.firsts[others]!);
    }
    return set;
  }

  /** Returns the slot of a fingerprint, or the free one where it belongs. */
  private slotOf(fingerprint: number): number {
    const mask = this.setsOf.length - 1;
    let slot = fingerprint & mask;
    while (this.setsOf[slot] !== 0 && this.fingerprints[slot] !== fingerprint) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { fingerprints, setsOf, bits } = this;
    this.fingerprints = new Float64Array(fingerprints.length * 2);
    this.setsOf = new Int32Array(setsOf.length * 2);
    this.bits = new Uint8Array(setsOf.length * 2);
    for (let slot = 0; slot < setsOf.length; slot++) {
      if (setsOf[slot] === 0) continue;
      const to = this.slotOf(fingerprints[slot]!);
      this.fingerprints[to] = fingerprints[slot]!;
      this.setsOf[to] = setsOf[slot]!;
      this.bits[to] = bits[slot]!;
    }
  }
}
