/** Sends prompts that wait, once their sessions are free. */
import * as vscode from 'vscode';
import { addPrompt, SessionError, takePrompt, waitingPrompts, type WaitingPrompt } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { PromptDelivery } from './promptDelivery';

interface WaitingSenderOptions {
  readonly deps: CommandDeps;
  readonly delivery: PromptDelivery;
  /** Called when other prompts wait than before. */
  readonly onChange: () => void;
  /** Called once for each prompt that can't be sent, and goes on waiting. */
  readonly onProblem: (error: unknown) => void;
}

/** Milliseconds between looks at the sessions. */
const INTERVAL = 3000;

/** Looks at the sessions for as long as prompts wait. Any window that is open sends them, each once. */
export class WaitingSender {
  private waiting: readonly WaitingPrompt[] = [];
  private readonly failed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(private readonly options: WaitingSenderOptions) {}

  isWaiting(path: string): boolean {
    return this.waiting.some((prompt) => prompt.path === path);
  }

  /** Reads the prompts that wait, and sends those whose sessions are free. Never rejects. */
  async look(): Promise<void> {
    clearTimeout(this.timer);
    try {
      await this.readQueue();
      if (this.waiting.length > 0) await this.sendFree();
    } catch (error) {
      this.options.onProblem(error);
    }
    if (this.waiting.length === 0 || this.isDisposed) return;
    this.timer = setTimeout(() => void this.look(), INTERVAL);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
  }

  private async readQueue(): Promise<void> {
    const before = JSON.stringify(this.waiting);
    this.waiting = await waitingPrompts(this.options.delivery.queue);
    if (JSON.stringify(this.waiting) !== before) this.options.onChange();
  }

  private async sendFree(): Promise<void> {
    const { deps, delivery, onProblem } = this.options;
    if (!vscode.workspace.isTrusted) return;
    const presence = await deps.writer.presence(this.waiting.map(({ path }) => path));
    for (const { id, path, entryId, text } of this.waiting) {
      const isFree = presence.get(path)?.state === 'free';
      const waitsThere = deps.needsInput(path);
      if ((!isFree && !waitsThere) || this.failed.has(id)) continue;
      const gone = await deps.session(path).then(
        () => undefined,
        (error: unknown) => (error instanceof SessionError && error.code === 'not-found' ? error : undefined),
      );
      if (gone) {
        if (await takePrompt(delivery.queue, id)) onProblem(gone);
        continue;
      }
      const { sent } = await delivery.plan([{ path, entryId, text, comments: [0] }]);
      if (sent[0]?.how === 'later' || !(await takePrompt(delivery.queue, id))) continue;
      const { left } = await delivery.send([{ path, entryId, text, comments: [0] }]);
      const [problem] = left;
      if (!problem) continue;
      const kept = await addPrompt(delivery.queue, { path, entryId, text });
      this.failed.add(kept.id);
      onProblem(problem.error);
    }
    await this.readQueue();
  }
}
