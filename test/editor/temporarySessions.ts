// Sessions for a single test, in a project and a folder of their own, so that the test knows every byte.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';

export class OwnSessions {
  private constructor(
    /** The project's folder. */
    readonly cwd: string,
    /** The folder of its sessions, in pi's root. */
    readonly folder: string,
  ) {}

  static async make(): Promise<OwnSessions> {
    const cwd = await realpath(await mkdtemp(join(tmpdir(), 'own-')));
    const own = new OwnSessions(cwd, join(homedir(), '.pi', 'agent', 'sessions', `--${cwd.slice(1).replaceAll(/[/\\:]/g, '-')}--`));
    await mkdir(own.folder, { recursive: true });
    return own;
  }

  /** Writes a session that looks like that of an ended program; with `fresh`, like that of a running one. */
  async put(name: string, content: SessionBuilder | string, { fresh = false } = {}): Promise<string> {
    const path = join(this.folder, `${name}.jsonl`);
    await writeFile(path, typeof content === 'string' ? content : content.text());
    // A time up to 10 seconds ahead counts as recent, too, which leaves a slow machine time until it's read.
    const time = Date.now() / 1000 + (fresh ? 9 : -60);
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

/** Returns the text of a session of version 1, whose lines have no ids. */
export function oldSession(cwd: string, { id = '01a1fa45-0000-4000-8000-000000000001', text = 'Long ago' } = {}): string {
  return session({ version: undefined, id, cwd })
    .user(text, { id: undefined, parentId: undefined })
    .assistant('Indeed', { id: undefined, parentId: undefined })
    .text();
}

/** Returns the parsed lines of a session file. */
export async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  return (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export const fileText = (path: string): string | undefined | Promise<string> => (existsSync(path) ? readFile(path, 'utf8') : undefined);
