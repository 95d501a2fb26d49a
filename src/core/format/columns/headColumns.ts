/** Heads as numbers in columns, and one of them as an object. */
import type { ModelRef, Usage } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';

/** What many heads have in common. */
export interface HeadProfile {
  readonly type: string;
  readonly role?: string;
  readonly hasText?: boolean;
  readonly model?: ModelRef;
  readonly stopReason?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  /** Whether there are such columns of it. */
  readonly hasUsage: boolean;
  readonly hasMessageTime: boolean;
  readonly hasCall: boolean;
}

/** By the place of a head. Texts are asked for one by one: they may lie in one piece. */
export interface HeadColumns {
  readonly profiles: readonly HeadProfile[];
  /** The place of its profile in `profiles`; one that is not there of those that are in `odd`. */
  readonly profile: ArrayLike<number>;
  /** The heads that do not fit into columns, in file order; of these only where they are and when stands here, too. */
  readonly irregular: ReadonlyMap<number, EntryHead>;
  /** The place of the parent, or `NO_PARENT`. */
  readonly parent: ArrayLike<number>;
  readonly line: ArrayLike<number>;
  readonly offset: ArrayLike<number>;
  readonly size: ArrayLike<number>;
  readonly time: ArrayLike<number>;
  readonly messageTime: ArrayLike<number>;
  /** The place of its first number in `tokens` and in `costs`. */
  readonly usage: ArrayLike<number>;
  readonly tokens: ArrayLike<number>;
  readonly costs: ArrayLike<number>;
  timestamp(place: number): string;
  text(place: number): string;
  toolCallId(place: number): string;
}

export const NO_PARENT = -1;

/** Ids by place, and back. */
export interface IdIndex {
  readonly length: number;
  at(place: number): string;
  indexOf(id: string): number | undefined;
}

/** What is asked of it is read from its columns: an object of its own for each of its values would cost more than reading the file does. */
class HeadView {
  constructor(
    private readonly columns: HeadColumns,
    private readonly ids: IdIndex,
    private readonly place: number,
  ) {}

  private get profile(): HeadProfile {
    return this.columns.profiles[this.columns.profile[this.place]!]!;
  }

  get id(): string {
    return this.ids.at(this.place);
  }

  get parentId(): string | null {
    const parent = this.columns.parent[this.place]!;
    return parent === NO_PARENT ? null : this.ids.at(parent);
  }

  get type(): string {
    return this.profile.type;
  }

  get role(): string | undefined {
    return this.profile.role;
  }

  get timestamp(): string {
    return this.columns.timestamp(this.place);
  }

  get time(): number {
    return this.columns.time[this.place]!;
  }

  get line(): number {
    return this.columns.line[this.place]!;
  }

  get offset(): number {
    return this.columns.offset[this.place]!;
  }

  get length(): number {
    return this.columns.size[this.place]!;
  }

  get text(): string {
    return this.columns.text(this.place);
  }

  get usage(): Usage | undefined {
    if (!this.profile.hasUsage) return undefined;
    const { tokens, costs } = this.columns;
    const at = this.columns.usage[this.place]!;
    return {
      input: tokens[at]!,
      output: tokens[at + 1]!,
      cacheRead: tokens[at + 2]!,
      cacheWrite: tokens[at + 3]!,
      totalTokens: tokens[at + 4]!,
      cost: { input: costs[at]!, output: costs[at + 1]!, cacheRead: costs[at + 2]!, cacheWrite: costs[at + 3]!, total: costs[at + 4]! },
    };
  }

  get model(): ModelRef | undefined {
    return this.profile.model;
  }

  get messageTime(): number | undefined {
    return this.profile.hasMessageTime ? this.columns.messageTime[this.place]! : undefined;
  }

  get hasText(): boolean | undefined {
    return this.profile.hasText;
  }

  get stopReason(): string | undefined {
    return this.profile.stopReason;
  }

  get toolCallId(): string | undefined {
    return this.profile.hasCall ? this.columns.toolCallId(this.place) : undefined;
  }

  get toolName(): string | undefined {
    return this.profile.toolName;
  }

  get isError(): boolean | undefined {
    return this.profile.isError;
  }
}

/** A head that looks like any other; what an entry lacks is `undefined` in it. */
export const headView = (columns: HeadColumns, ids: IdIndex, place: number): EntryHead => new HeadView(columns, ids, place) as unknown as EntryHead;
