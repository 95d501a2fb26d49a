/** The real pi, on copies of files in temporary folders. Opening may write: never give it a person's file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// pi is a module that `require` can't load on every Node, and its types are not written for this project's strictness.
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
  getTree(): PiNode[];
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
  TreeSelectorComponent: new (tree: readonly PiNode[], leafId: string | null, height: number, ...handlers: (() => void)[]) => { getTreeList(): PiTreeList };
  convertToLlm(messages: readonly unknown[]): unknown[];
  initTheme(name: string): void;
}

export interface Pi {
  open(path: string): PiSession;
  rows(session: PiSession, filter: string): { id: string; text: string }[];
  copyTexts(session: PiSession): Map<string, string>;
  convertToLlm(messages: readonly unknown[]): unknown[];
}

export async function loadPi(): Promise<Pi> {
  const pi = (await import('@earendil-works/pi-coding-agent')) as unknown as PiModule;
  pi.initTheme('dark');
  const list = (session: PiSession): PiTreeList => {
    const nothing = (): void => undefined;
    return new pi.TreeSelectorComponent(session.getTree(), session.getLeafId(), 1000, nothing, nothing).getTreeList();
  };
  return {
    open: (path) => pi.SessionManager.open(path),
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

/** A copy of a text for us and one for pi, which may change it. */
export function copies(folder: string, text: string): { ours: string; theirs: string } {
  const ours = join(folder, 'ours.jsonl');
  const theirs = join(folder, 'theirs.jsonl');
  writeFileSync(ours, text);
  writeFileSync(theirs, text);
  return { ours, theirs };
}
