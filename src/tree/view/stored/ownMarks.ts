/**
 * The pins, tags and notes that a person gave sessions in the Sessions view. They're kept by the ids of sessions, which stay when a
 * session is archived or moved, and are the same on other machines.
 */
import type * as vscode from 'vscode';
import type { MadeMarkChange, MarkChange } from '../../../contract';
import { isArray, isObject, oneLine, SessionError } from '../../../core/index';

const PINS_KEY = 'sessionTree.pinned';
const MARKS_KEY = 'sessionTree.marks';
/** The keys that Settings Sync takes to other machines. */
export const OWN_MARKS_KEYS: readonly string[] = [PINS_KEY, MARKS_KEY];

/** Marks of deleted sessions are kept, because these may be restored. Beyond this number of sessions the oldest marks are dropped. */
const MAX_SESSIONS = 1000;
/** Ids come from session files, and are stored; no program has longer ones. */
const MAX_ID_LENGTH = 200;
const MAX_TAGS = 20;
/** UTF-16 units of a tag. */
const MAX_TAG_LENGTH = 50;
/** UTF-16 units of a note. */
const MAX_NOTE_LENGTH = 1000;
/** Changes that can be undone. */
const MAX_CHANGES = 100;

/** The tags and the note of a session. */
export interface TagsAndNote {
  /** In the order in which they were added. */
  readonly tags?: readonly string[];
  readonly note?: string;
}

/** A change with its inverse. */
interface UndoableChange extends MadeMarkChange {
  readonly undo: readonly MarkChange[];
}

export class OwnMarks {
  private pinned: ReadonlySet<string> = new Set();
  private marks: ReadonlyMap<string, TagsAndNote> = new Map();
  private readonly made: UndoableChange[] = [];
  private readonly undone = new WeakSet<MadeMarkChange>();
  private stored = '';

  /** @param state shared by all windows */
  constructor(
    private readonly state: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly now: () => number = Date.now,
  ) {
    this.reload();
  }

  readonly isPinned = (id: string): boolean => this.pinned.has(keyOf(id));

  /** The tags and the note of a session. */
  readonly of = (id: string): TagsAndNote => this.marks.get(keyOf(id)) ?? {};

  /** Returns all tags, those of the most sessions first. */
  allTags(): readonly string[] {
    const counts = new Map<string, number>();
    for (const { tags = [] } of this.marks.values()) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([tag]) => tag);
  }

  /** Takes in what other windows changed. Returns true if anything differs. */
  reload(): boolean {
    const [pins, marks] = [this.state.get<unknown>(PINS_KEY), this.state.get<unknown>(MARKS_KEY)];
    const stored = JSON.stringify([pins, marks]);
    if (stored === this.stored) return false;
    this.stored = stored;
    this.pinned = new Set(isArray(pins) ? pins.filter((id) => typeof id === 'string') : []);
    this.marks = new Map(isObject(marks) ? Object.entries(marks).map(([id, value]) => [id, checked(value)]) : []);
    return true;
  }

  /** Makes changes of sessions as one, which `undo` takes back. Keeps what other windows changed meanwhile. @param path of the first session */
  async change(changes: readonly MarkChange[], path: string): Promise<void> {
    this.reload();
    const real = changes.flatMap((change) => this.differing(change));
    if (real.length === 0) return;
    const undo = real.map((change) => this.inverse(change)).reverse();
    await this.apply(real);
    this.made.push({ changes: real, path, time: this.now(), undo });
    if (this.made.length > MAX_CHANGES) this.made.shift();
  }

  /** Returns the newest change of this window that isn't undone. */
  lastChange(): MadeMarkChange | undefined {
    return this.made.at(-1);
  }

  /** Takes back a change. */
  async undo(change: MadeMarkChange): Promise<void> {
    const made = this.made.find((one) => one === change);
    if (!made) throw new SessionError('invalid', this.undone.has(change) ? 'This change was already undone.' : 'There’s nothing to undo.');
    this.reload();
    await this.apply(made.undo);
    // Another undo or change may have moved it meanwhile.
    const at = this.made.indexOf(made);
    if (at >= 0) this.made.splice(at, 1);
    this.undone.add(made);
  }

  /** The part of a change that changes anything. */
  private differing(change: MarkChange): MarkChange[] {
    if (change.kind === 'note') return (this.of(change.ids[0]).note ?? '') === noteText(change.text) ? [] : [change];
    const ids = [...new Set(change.ids)].filter((id) => this.has(id, change) !== change.isOn);
    if (change.kind === 'tag' && change.isOn && ids.some((id) => (this.of(id).tags ?? []).length >= MAX_TAGS))
      throw new SessionError('invalid', 'A session can have at most {count} tags.', { count: MAX_TAGS });
    return ids.length === 0 ? [] : [{ ...change, ids }];
  }

  private has(id: string, change: Exclude<MarkChange, { kind: 'note' }>): boolean {
    return change.kind === 'pin' ? this.isPinned(id) : (this.of(id).tags ?? []).some((tag) => isSameTag(tag, change.tag));
  }

  private inverse(change: MarkChange): MarkChange {
    return change.kind === 'note' ? { ...change, text: this.of(change.ids[0]).note ?? '' } : { ...change, isOn: !change.isOn };
  }

  private async apply(changes: readonly MarkChange[]): Promise<void> {
    const pinned = new Set(this.pinned);
    const marks = new Map(this.marks);
    for (const change of changes)
      for (const key of change.ids.map(keyOf)) {
        if (change.kind === 'pin') {
          pinned.delete(key);
          if (change.isOn) pinned.add(key);
          continue;
        }
        const now = changed(marks.get(key) ?? {}, change);
        marks.delete(key);
        if (now.tags || now.note !== undefined) marks.set(key, now);
      }
    this.pinned = new Set([...pinned].slice(-MAX_SESSIONS));
    this.marks = new Map([...marks].slice(-MAX_SESSIONS));
    const stored = [[...this.pinned], Object.fromEntries(this.marks)] as const;
    this.stored = JSON.stringify(stored);
    await this.state.update(PINS_KEY, stored[0]);
    await this.state.update(MARKS_KEY, stored[1]);
  }
}

/**
 * Returns a tag as it's stored: one line without quotation marks and a leading `#`, with the letters that another tag has already.
 *
 * @throws {SessionError} `invalid` if nothing is left
 */
export function tagName(text: string, known: readonly string[]): string {
  const tag = oneLine(
    text
      .normalize('NFC')
      .replaceAll('"', ' ')
      .replace(/^[\s#]+/, ''),
    MAX_TAG_LENGTH,
  );
  if (tag === '') throw new SessionError('invalid', 'A tag needs at least one character.');
  return known.find((one) => isSameTag(one, tag)) ?? tag;
}

const isSameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const noteText = (text: string): string => oneLine(text, MAX_NOTE_LENGTH);

function changed({ tags = [], note }: TagsAndNote, change: Exclude<MarkChange, { kind: 'pin' }>): TagsAndNote {
  if (change.kind === 'note') return marksOf(tags, noteText(change.text));
  const others = tags.filter((tag) => !isSameTag(tag, change.tag));
  return marksOf(change.isOn ? [...others, change.tag] : others, note);
}

const marksOf = (tags: readonly string[], note: string | undefined): TagsAndNote => ({
  ...(tags.length > 0 ? { tags } : {}),
  ...(note === undefined || note === '' ? {} : { note }),
});

/** Takes what another version or machine stored, as far as it's tags and a note. */
function checked(value: unknown): TagsAndNote {
  if (!isObject(value)) return {};
  const tags = isArray(value['tags']) ? value['tags'].filter((tag) => typeof tag === 'string') : [];
  return marksOf(
    tags.slice(0, MAX_TAGS).map((tag) => oneLine(tag, MAX_TAG_LENGTH)),
    typeof value['note'] === 'string' ? noteText(value['note']) : undefined,
  );
}

const keyOf = (id: string): string => id.slice(0, MAX_ID_LENGTH);
