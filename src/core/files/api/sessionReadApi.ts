/**
 * The reading half of the documented `SessionManager`. Every method returns synchronously; bodies are read from the
 * disk on demand.
 */
import { elementAt } from '../../format/values/lookups';
import { contextPlan } from '../../format/context/contextPlan';
import { assembleContext, requiredBodies, type SourcedContext } from '../../format/context/assembleContext';
import type { Entry, SessionHeader } from '../../format/entry/entry';
import type { Message } from '../../format/entry/message';
import type { EntryHead } from '../../format/entry/entryHead';
import { pathTo } from '../../format/session/treeTraversal';
import { requireEntry } from '../../format/session/requireEntry';
import type { BufferedSession } from './bufferedSession';

/** An entry in the tree of a session. FORMAT section 5. */
export interface SessionTreeNode {
  readonly entry: Entry;
  /** Sorted by timestamp, oldest first. */
  readonly children: SessionTreeNode[];
  readonly label?: string;
  /** Time of the line that set the label, ISO 8601. */
  readonly labelTimestamp?: string;
}

/** The context with the entries that its messages came from. FORMAT section 4. */
export interface SessionProjection extends Omit<SourcedContext, 'sources'> {
  /** An entry without messages contributes none, for example one that an edit omits. */
  readonly entries: readonly { readonly sourceEntry: Entry; readonly messages: readonly Message[] }[];
}

export abstract class SessionReadApi {
  protected abstract buffer: BufferedSession;

  getHeader(): SessionHeader {
    return this.buffer.session.header;
  }

  getSessionId(): string {
    return this.buffer.session.header.id;
  }

  getSessionName(): string | undefined {
    return this.buffer.name;
  }

  /** Returns all entries in file order, without the header. */
  getEntries(): Entry[] {
    return this.buffer.bodies(this.buffer.session.entries);
  }

  /** Returns the number of entries, without reading them. */
  getEntryCount(): number {
    return this.buffer.session.byId.size;
  }

  getEntry(id: string): Entry | undefined {
    const head = this.buffer.session.byId.get(id);
    return head && this.buffer.bodies([head])[0];
  }

  getLeafId(): string | null {
    return this.buffer.leafId;
  }

  getLeafEntry(): Entry | undefined {
    return this.buffer.leafId === null ? undefined : this.getEntry(this.buffer.leafId);
  }

  /**
   * Returns the children in file order, like the programs (a tree's children are oldest first). For `null`, the entries
   * without a parent.
   */
  getChildren(parentId: string | null): Entry[] {
    const { children, roots } = this.buffer.session;
    const heads = this.heads(parentId === null ? roots : (children.get(parentId) ?? []));
    return this.buffer.bodies(heads.sort((a, b) => a.line - b.line || a.offset - b.offset));
  }

  getLabel(id: string): string | undefined {
    return this.buffer.session.labels.get(id);
  }

  /** Returns the entries from the root to an entry, by default to the leaf; empty if the entry doesn't exist. */
  getBranch(fromId?: string): Entry[] {
    return this.buffer.bodies(pathTo(this.buffer.session, fromId ?? this.buffer.leafId));
  }

  /** The older name of `getBranch`. */
  getPath(fromId?: string): Entry[] {
    return this.getBranch(fromId);
  }

  getTree(): SessionTreeNode[] {
    const { session } = this.buffer;
    const times = new Map<string, string>();
    for (const { type, targetId, timestamp } of session.entries)
      if (type === 'label' && typeof targetId === 'string') times.set(targetId, timestamp);
    const nodes = new Map<string, SessionTreeNode>();
    for (const entry of this.getEntries()) {
      const label = session.labels.get(entry.id);
      nodes.set(entry.id, { entry, children: [], ...(label === undefined ? {} : { label, labelTimestamp: times.get(entry.id) ?? '' }) });
    }
    for (const [id, children] of session.children) {
      const node = nodes.get(id);
      if (node) for (const child of this.nodesOf(children, nodes)) node.children.push(child);
    }
    return this.nodesOf(session.roots, nodes);
  }

  /** Returns the context that the model would receive at the leaf. */
  buildSessionContext(): SourcedContext {
    const { session, leafId } = this.buffer;
    const plan = contextPlan(session, leafId);
    return assembleContext(plan, session.dialect, this.buffer.bodies(this.heads(requiredBodies(plan))));
  }

  /**
   * Returns the entries of the active branch that the context is built from: from the newest compaction on, first the
   * compaction and then the entries that it kept. FORMAT section 4.
   */
  buildContextEntries(): Entry[] {
    const path = pathTo(this.buffer.session, this.buffer.leafId);
    const at = path.findLastIndex(({ type }) => type === 'compaction');
    const compaction = path[at];
    if (!compaction) return this.buffer.bodies(path);
    const before = path.slice(0, at);
    const firstKept = before.findIndex(({ id }) => id === compaction.firstKeptEntryId);
    const kept = firstKept < 0 ? [] : before.slice(firstKept).filter(({ role }) => role !== 'system');
    return this.buffer.bodies([compaction, ...kept, ...path.slice(at + 1)]);
  }

  /** Returns the context at the leaf, and which entry each message came from. */
  buildSessionProjection(): SessionProjection {
    const { sources, ...context } = this.buildSessionContext();
    const messages = new Map<string, Message[]>();
    for (const [index, source] of sources.entries()) {
      const message = elementAt(context.messages, index);
      const ofEntry = messages.get(source);
      if (ofEntry) ofEntry.push(message);
      else messages.set(source, [message]);
    }
    return {
      ...context,
      entries: this.buildContextEntries().map((sourceEntry) => ({ sourceEntry, messages: messages.get(sourceEntry.id) ?? [] })),
    };
  }

  /** Continues from an earlier entry: it becomes the parent of the next append. Writes nothing. */
  branch(entryId: string): void {
    this.buffer.leafId = requireEntry(this.buffer.session, entryId).id;
  }

  /** Continues before the first entry: the next append is a root. Writes nothing. */
  resetLeaf(): void {
    this.buffer.leafId = null;
  }

  private heads(ids: readonly string[]): EntryHead[] {
    return ids.map((id) => requireEntry(this.buffer.session, id));
  }

  private nodesOf(ids: readonly string[], nodes: ReadonlyMap<string, SessionTreeNode>): SessionTreeNode[] {
    return ids.flatMap((id) => nodes.get(id) ?? []);
  }
}
