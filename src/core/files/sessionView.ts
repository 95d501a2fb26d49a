/** What the documents' `SessionManager` can be asked. Every answer is there at once; bodies come from the disk when they are asked for. */
import { contextPlan } from '../format/context';
import { assembleContext, bodiesNeeded, type SourcedContext } from '../format/contextOf';
import type { Entry, SessionHeader } from '../format/entry';
import type { EntryHead } from '../format/head';
import { pathTo } from '../format/tree';
import { headIn, type SessionLog } from './sessionLog';

export interface SessionTreeNode {
  readonly entry: Entry;
  /** Oldest first. */
  readonly children: SessionTreeNode[];
  readonly label?: string;
}

export abstract class SessionView {
  protected abstract log: SessionLog;

  getHeader(): SessionHeader {
    return this.log.session.header;
  }

  getSessionId(): string {
    return this.log.session.header.id;
  }

  getSessionName(): string | undefined {
    return this.log.name;
  }

  /** All entries in file order, without the header. */
  getEntries(): Entry[] {
    return this.log.bodies(this.log.session.entries);
  }

  getEntry(id: string): Entry | undefined {
    const head = this.log.session.byId.get(id);
    return head && this.log.bodies([head])[0];
  }

  getLeafId(): string | null {
    return this.log.leafId;
  }

  getLeafEntry(): Entry | undefined {
    return this.log.leafId === null ? undefined : this.getEntry(this.log.leafId);
  }

  /** In file order, as the programs answer (a tree's children are oldest first); of `null` the entries without a parent. */
  getChildren(parentId: string | null): Entry[] {
    const { children, roots } = this.log.session;
    const heads = this.heads(parentId === null ? roots : (children.get(parentId) ?? []));
    return this.log.bodies(heads.sort((a, b) => a.line - b.line || a.offset - b.offset));
  }

  getLabel(id: string): string | undefined {
    return this.log.session.labels.get(id);
  }

  /** From the root to an entry, by default to the leaf; empty if there is no such entry. */
  getBranch(fromId?: string): Entry[] {
    return this.log.bodies(pathTo(this.log.session, fromId ?? this.log.leafId));
  }

  /** The older name of `getBranch`. */
  getPath(fromId?: string): Entry[] {
    return this.getBranch(fromId);
  }

  getTree(): SessionTreeNode[] {
    const { session } = this.log;
    const nodes = new Map<string, SessionTreeNode>();
    for (const entry of this.getEntries()) {
      const label = session.labels.get(entry.id);
      nodes.set(entry.id, { entry, children: [], ...(label === undefined ? {} : { label }) });
    }
    for (const [id, children] of session.children) {
      const node = nodes.get(id);
      if (node) for (const child of this.nodesOf(children, nodes)) node.children.push(child);
    }
    return this.nodesOf(session.roots, nodes);
  }

  /** What the model would see from the leaf. */
  buildSessionContext(): SourcedContext {
    const { session, leafId } = this.log;
    const plan = contextPlan(session, leafId);
    return assembleContext(plan, session.dialect, this.log.bodies(this.heads(bodiesNeeded(plan))));
  }

  /** Goes on from an earlier entry: the next append hangs off it. Nothing is written. */
  branch(entryId: string): void {
    this.log.leafId = headIn(this.log.session, entryId).id;
  }

  /** Goes on before the first entry: the next append is a root. */
  resetLeaf(): void {
    this.log.leafId = null;
  }

  private heads(ids: readonly string[]): EntryHead[] {
    return ids.map((id) => headIn(this.log.session, id));
  }

  private nodesOf(ids: readonly string[], nodes: ReadonlyMap<string, SessionTreeNode>): SessionTreeNode[] {
    return ids.flatMap((id) => nodes.get(id) ?? []);
  }
}
