/** Runs the real pi on copies of files in temporary folders. Opening may write, so a person's own files must not be used. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importPi, type PiVersion } from './piPackage';

// Not every Node can load pi's module with `require`, and its types don't satisfy this project's strict settings.
interface PiEntry {
  readonly id: string;
  readonly type: string;
  readonly message?: { readonly role?: string };
}
export interface PiNode {
  readonly entry: PiEntry;
  readonly children: readonly PiNode[];
  readonly label?: string;
}
export interface PiSession {
  getEntries(): PiEntry[];
  getBranch(fromId?: string): PiEntry[];
  getTree(): PiNode[];
  getHeader(): Readonly<Record<string, unknown>> | null;
  getLeafId(): string | null;
  getLabel(id: string): string | undefined;
  getSessionName(): string | undefined;
  branch(id: string): void;
  resetLeaf(): void;
  buildSessionContext(): { messages: unknown[]; thinkingLevel: string; model: unknown };
}
interface PiTreeList {
  filterMode: string;
  applyFilter(): void;
  filteredNodes: { node: PiNode }[];
  getEntryDisplayText(node: PiNode, selected: boolean): string;
  getEntryCopyText(node: PiNode): string | undefined;
}
interface PiModule {
  SessionManager: { open(path: string): PiSession };
  AgentSession: { prototype: { getSessionStats(this: object): PiStats } };
  TreeSelectorComponent: new (
    tree: readonly PiNode[],
    leafId: string | null,
    height: number,
    ...handlers: (() => void)[]
  ) => { getTreeList(): PiTreeList };
  convertToLlm(messages: readonly unknown[]): unknown[];
  estimateTokens(message: object): number;
  initTheme(name: string): void;
}

interface PiStats {
  readonly tokens: { readonly input: number; readonly output: number; readonly cacheRead: number; readonly cacheWrite: number };
  readonly cost: number;
}

export interface Pi {
  estimateTokens(message: object): number;
  open(path: string): PiSession;
  /** Returns the session's cost as pi's status line and `/session` show it. */
  totals(session: PiSession): { input: number; output: number; cacheRead: number; cacheWrite: number; cost: number };
  /** Returns the same by model, the most expensive first. `tokens` is the sum of all kinds. */
  costs(session: PiSession): { key: string; cost: number; tokens: number }[];
  rows(session: PiSession, filter: string): { id: string; text: string }[];
  copyTexts(session: PiSession): Map<string, string>;
  convertToLlm(messages: readonly unknown[]): unknown[];
}

/** @param version by default 1.5.2 */
export async function loadPi(version?: PiVersion): Promise<Pi> {
  const pi = await importPi<PiModule>('index', version);
  const usage = await importPi<{ getUsageCostBreakdown(entries: readonly PiEntry[]): ReturnType<Pi['costs']> }>('usage-totals', version);
  pi.initTheme('dark');
  const list = (session: PiSession): PiTreeList => {
    const nothing = (): void => undefined;
    return new pi.TreeSelectorComponent(session.getTree(), session.getLeafId(), 1000, nothing, nothing).getTreeList();
  };
  return {
    estimateTokens: (message) => pi.estimateTokens(message),
    open: (path) => pi.SessionManager.open(path),
    totals: (session) => {
      const { tokens, cost } = pi.AgentSession.prototype.getSessionStats.call({
        sessionManager: session,
        getContextUsage: () => undefined,
      });
      const { input, output, cacheRead, cacheWrite } = tokens;
      return { input, output, cacheRead, cacheWrite, cost };
    },
    costs: (session) => usage.getUsageCostBreakdown(session.getEntries()),
    rows: (session, filter) => {
      const tree = list(session);
      tree.filterMode = filter;
      tree.applyFilter();
      return tree.filteredNodes.map(({ node }) => ({ id: node.entry.id, text: plain(tree.getEntryDisplayText(node, false)) }));
    },
    copyTexts: (session) => {
      const tree = list(session);
      tree.filterMode = 'all';
      tree.applyFilter();
      return new Map(tree.filteredNodes.map(({ node }) => [node.entry.id, tree.getEntryCopyText(node) ?? '']));
    },
    convertToLlm: (messages) => pi.convertToLlm(messages),
  };
}

// eslint-disable-next-line no-control-regex -- colours of a terminal
const plain = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '');

/** Writes two copies of a text: one for our reader, and one for pi, which may change it. */
export function copies(folder: string, text: string): { ours: string; theirs: string } {
  const ours = join(folder, 'ours.jsonl');
  const theirs = join(folder, 'theirs.jsonl');
  writeFileSync(ours, text);
  writeFileSync(theirs, text);
  return { ours, theirs };
}
