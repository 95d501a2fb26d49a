// Sessions of a test's own, in a project and a folder of their own, so that it knows every byte of them.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SessionBuilder } from '../fixtures/build';

export class OwnSessions {
  private constructor(
    /** The project's folder. */
    readonly cwd: string,
    /** Where its sessions lie, in pi's root. */
    readonly folder: string,
  ) {}

  static async make(): Promise<OwnSessions> {
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'own-')));
    const own = new OwnSessions(cwd, join(homedir(), '.pi', 'agent', 'sessions', `--${cwd.slice(1).replaceAll(/[/\\:]/g, '-')}--`));
    await mkdir(own.folder, { recursive: true });
    return own;
  }

  /** Writes a session as if its program had ended long ago; `fresh`: as if it wrote right now. */
  async put(name: string, content: SessionBuilder | string, { fresh = false } = {}): Promise<string> {
    const path = join(this.folder, `${name}.jsonl`);
    await writeFile(path, typeof content === 'string' ? content : content.text());
    const time = Date.now() / 1000 + (fresh ? 2 : -60);
    await utimes(path, time, time);
    await vscode.commands.executeCommand('sessionTree.refresh');
    return path;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await rm(this.cwd, { recursive: true, force: true });
    await vscode.commands.executeCommand('sessionTree.refresh');
  }
}

/** The lines of a session file, parsed. */
export async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  return (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Waits for what nothing tells of, at most some seconds. */
export async function eventually<T>(what: string, look: () => T | undefined | Promise<T | undefined>, limit = 8000): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${limit} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export const fileText = (path: string): string | undefined | Promise<string> => (existsSync(path) ? readFile(path, 'utf8') : undefined);
