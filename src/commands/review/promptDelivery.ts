/** Takes prompts to their sessions: into a program that is started, into a terminal that waits, into a fork, or later. */
import { join } from 'node:path';
import {
  addPrompt,
  CacheFolder,
  claimSession,
  endsWithAnswer,
  fitsArgument,
  isOnPath,
  newGroupId,
  promptArguments,
  rootOf,
  SessionError,
  writeRefusal,
  type RoutedPrompt,
  type SentHow,
  type Session,
} from '../../core/index';
import { pasteInto, runningTerminals } from '../../ui/safe/terminals';
import type { CommandDeps } from '../handler/commandDeps';
import { submitOptions } from '../handler/confirmForce';
import { sessionInArguments } from '../terminal/resumedTerminals';
import { prepareResume } from '../terminal/terminalCommands';

/** A prompt with where and how it went, or would go. */
export interface SentPrompt extends RoutedPrompt {
  readonly how: SentHow;
}

export interface Delivery {
  readonly sent: SentPrompt[];
  readonly left: { readonly comment: number; readonly error: SessionError }[];
}

/** The way to sessions that another program uses. `anyway` sends where that is only possible, not where it's known. */
export type WhenInUse = 'later' | 'fork' | 'anyway';

interface DeliveryOptions {
  readonly inUse?: WhenInUse;
  /** Branches with the files, where `isWithFiles` says so. By default the files stay. */
  readonly branchWithFiles?: (prompt: RoutedPrompt) => PromiseLike<unknown>;
  readonly isWithFiles?: (prompt: RoutedPrompt) => boolean;
}

interface Planned {
  readonly prompt: RoutedPrompt;
  readonly session: Session;
  readonly how: SentHow;
}

/** Files with prompts that are too long for an argument. */
const PROMPT_FILES = { maxBytes: 4 * 1024 * 1024, maxFiles: 100 };

export class PromptDelivery {
  private readonly files: CacheFolder;

  constructor(private readonly deps: CommandDeps) {
    this.files = new CacheFolder(join(deps.reviewFolder, 'texts'), PROMPT_FILES);
  }

  /** The folder of the prompts that wait. */
  get queue(): string {
    return join(this.deps.reviewFolder, 'waiting');
  }

  /** Returns what `send` would do now. */
  async plan(prompts: readonly RoutedPrompt[], inUse: WhenInUse = 'later'): Promise<Delivery> {
    const { planned, left } = await this.planAll(prompts, inUse);
    return { sent: planned.map(({ prompt, how }) => ({ ...prompt, how })), left };
  }

  /**
   * Sends prompts. Everything is prepared first; then, right before any program is started, it's checked again that no other one has its
   * session. What can't be sent is left with the reason, and the others go.
   */
  async send(prompts: readonly RoutedPrompt[], { inUse = 'later', branchWithFiles, isWithFiles }: DeliveryOptions = {}): Promise<Delivery> {
    const { planned, left } = await this.planAll(prompts, inUse);
    const sent: SentPrompt[] = [];
    const starts: { readonly prompt: RoutedPrompt; readonly how: SentHow; readonly start: () => unknown }[] = [];
    const later = async (prompt: RoutedPrompt): Promise<unknown> => {
      const { path, entryId, text } = prompt;
      await addPrompt(this.queue, { path, entryId, text });
      return sent.push({ ...prompt, how: 'later' });
    };
    const orLeft = async (prompt: RoutedPrompt, run: () => Promise<unknown>): Promise<void> => {
      try {
        await run();
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        for (const comment of prompt.comments) left.push({ comment, error });
      }
    };
    for (const { prompt, session, how } of planned) {
      await orLeft(prompt, async () => {
        if (how === 'later') return later(prompt);
        if (how === 'terminal') {
          const terminal = await this.waitingTerminal(session);
          if (!terminal) return later(prompt);
          pasteInto(terminal, prompt.text);
          return sent.push({ ...prompt, how });
        }
        if (how === 'fork') {
          const fork = await this.fork(prompt);
          return starts.push({ prompt: fork, how, start: await this.prepare(fork, await this.deps.session(fork.path)) });
        }
        // Checked before anything is written.
        const start = await this.prepare(prompt, session);
        if (!(await claimSession(this.queue, prompt.path))) return later(prompt);
        try {
          if (!isOnTip(session, prompt)) await (isWithFiles?.(prompt) && branchWithFiles ? branchWithFiles(prompt) : this.branch(prompt));
        } catch (error) {
          if (error instanceof SessionError && (error.code === 'live' || (error.code === 'unsure' && inUse !== 'anyway')))
            return later(prompt);
          throw error;
        }
        return starts.push({ prompt, how, start });
      });
    }
    const presence = await this.deps.writer.presence(starts.map(({ prompt }) => prompt.path));
    for (const { prompt, how, start } of starts) {
      const state = presence.get(prompt.path)?.state ?? 'free';
      await orLeft(prompt, async () => {
        if (how === 'resume' && (state === 'live' || (state === 'unsure' && inUse !== 'anyway'))) return later(prompt);
        start();
        return sent.push({ ...prompt, how });
      });
    }
    return { sent, left };
  }

  private async planAll(
    prompts: readonly RoutedPrompt[],
    inUse: WhenInUse,
  ): Promise<{ readonly planned: Planned[]; readonly left: { comment: number; error: SessionError }[] }> {
    const presence = await this.deps.writer.presence(prompts.map(({ path }) => path));
    const planned: Planned[] = [];
    const left: { comment: number; error: SessionError }[] = [];
    for (const prompt of prompts) {
      try {
        const session = await this.deps.session(prompt.path);
        // Refuses programs that take no prompt.
        promptArguments(session.dialect, { text: '' });
        planned.push({ prompt, session, how: await this.howFor(prompt, session, presence.get(prompt.path)?.state ?? 'free', inUse) });
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        for (const comment of prompt.comments) left.push({ comment, error });
      }
    }
    return { planned, left };
  }

  private async howFor(prompt: RoutedPrompt, session: Session, state: 'free' | 'live' | 'unsure', inUse: WhenInUse): Promise<SentHow> {
    if (!(await this.isWritable(session))) return 'fork';
    if (state === 'free') return 'resume';
    if (isOnTip(session, prompt) && fitsArgument(prompt.text) && (await this.waitingTerminal(session))) return 'terminal';
    if (inUse === 'anyway') return state === 'unsure' ? 'resume' : 'later';
    return inUse;
  }

  private async isWritable(session: Session): Promise<boolean> {
    try {
      await this.deps.writer.assertChangeable(session.path);
    } catch (error) {
      if (error instanceof SessionError) return false;
      throw error;
    }
    const refusal = writeRefusal(session);
    return refusal === undefined || refusal.code === 'torn';
  }

  /**
   * Returns the terminal of this window whose own program, not a command in a shell, has a session, if it waits for the person. The
   * session's last message is read from the disk, because what is known of programs may be some seconds old.
   */
  private async waitingTerminal({ path, header }: Session): Promise<ReturnType<typeof runningTerminals>[number] | undefined> {
    if (!this.deps.needsInput(path) || !endsWithAnswer(await this.deps.session(path))) return undefined;
    return runningTerminals().find(({ creationOptions }) => {
      const args = 'shellArgs' in creationOptions ? (creationOptions.shellArgs ?? []) : [];
      return sessionInArguments(args, [{ path, id: header.id, modified: 0 }]) !== undefined;
    });
  }

  private async branch({ path, entryId }: RoutedPrompt): Promise<void> {
    await this.deps.writer.submit(path, { kind: 'branch', entryId }, submitOptions(this.deps, path, false));
    await this.deps.refreshAfterWrite([path]);
  }

  private async fork(prompt: RoutedPrompt): Promise<RoutedPrompt> {
    const { path, entryId } = prompt;
    const roots = this.deps.roots();
    const root = rootOf(path, roots);
    const options = { entryId, position: 'at', roots, ...(root ? { dialect: root.dialect } : {}) } as const;
    const forked = await this.deps.writer.forkSession(path, options);
    await this.deps.refreshAfterWrite([forked.path]);
    return { ...prompt, path: forked.path };
  }

  /** Returns a function that starts the program with the prompt. @throws {SessionError} if it can't be started */
  private async prepare({ text }: RoutedPrompt, session: Session): Promise<() => unknown> {
    // Windows passes on no line ends.
    if (fitsArgument(text) && process.platform !== 'win32')
      return prepareResume(this.deps, session, promptArguments(session.dialect, { text }));
    const name = `${newGroupId()}.md`;
    await this.files.write(name, text);
    const file = join(this.deps.reviewFolder, 'texts', name);
    return prepareResume(this.deps, session, promptArguments(session.dialect, { file }));
  }
}

/** True if a session continues below the prompt's entry when it's resumed. */
export const isOnTip = (session: Session, { entryId }: Pick<RoutedPrompt, 'entryId'>): boolean =>
  session.leafId !== null && isOnPath(session, session.leafId, entryId);
