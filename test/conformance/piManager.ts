/**
 * pi's own SessionManager, from its file in the package: the package's door needs Node 22, this file does not.
 * Opening may write: never give it a person's file.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Its types are not written for this project's strictness.
interface PiEntry {
  readonly id: string;
  readonly type: string;
}
export interface PiManager {
  getEntries(): PiEntry[];
  getBranch(fromId?: string): PiEntry[];
  getChildren(parentId: string): PiEntry[];
  getTree(): unknown[];
  getHeader(): Record<string, unknown> | null;
  getLeafId(): string | null;
  getLabel(id: string): string | undefined;
  getSessionName(): string | undefined;
  buildSessionContext(): { messages: unknown[]; thinkingLevel: string; model: unknown };
  createBranchedSession(leafId: string): string | undefined;
  getSessionFile(): string | undefined;
  appendMessage(message: object): string;
  appendLabelChange(targetId: string, label: string | undefined): string;
}
/** The calls that both managers take alike. */
export interface Calls {
  appendMessage(message: object): unknown;
  appendThinkingLevelChange(level: string): unknown;
  appendModelChange(provider: string, modelId: string): unknown;
  appendCompaction(summary: string, firstKeptEntryId: string, tokensBefore: number, details?: unknown, fromHook?: boolean): unknown;
  appendCustomEntry(customType: string, data?: unknown): unknown;
  appendCustomMessageEntry(customType: string, content: string, display: boolean, details?: unknown): unknown;
  appendSessionInfo(name: string): unknown;
  appendLabelChange(targetId: string, label: string | undefined): unknown;
  branchWithSummary(id: string | null, summary: string, details?: unknown, fromHook?: boolean): unknown;
  branch(id: string): void;
  resetLeaf(): void;
  createBranchedSession(leafId: string): unknown;
  newSession(options?: { parentSession?: string }): unknown;
}
export interface PiManagers {
  inMemory(cwd?: string): PiManager & Calls;
  create(cwd: string, sessionDir: string): PiManager & Calls;
  open(path: string): PiManager;
  forkFrom(sourcePath: string, targetCwd: string, sessionDir: string): PiManager;
  list(cwd: string, sessionDir?: string): Promise<unknown[]>;
}

export async function loadPiManager(): Promise<PiManagers> {
  const file = resolve('node_modules', '@earendil-works', 'pi-coding-agent', 'dist', 'core', 'session-manager.js');
  const module = (await import(pathToFileURL(file).href)) as { SessionManager: PiManagers };
  return module.SessionManager;
}
