/** Loads pi's own SessionManager. Opening may write, so a person's own files must not be used. */
import { importPi, type PiVersion } from './piPackage';

// The types of the module don't satisfy this project's strict settings.
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
/** The calls that both managers support. */
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

/** @param version by default 1.5.2 */
export async function loadPiManager(version?: PiVersion): Promise<PiManagers> {
  return (await importPi<{ SessionManager: PiManagers }>('session-manager', version)).SessionManager;
}
