/** Prompts that wait until their sessions are free, and what keeps two windows from sending to one session at once. */
import { createHash } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isObjectOf, isText, isWhole } from '../../format/values/checks';
import { SessionError } from '../../format/entry/problem';
import { isMissing } from '../io/fileErrors';
import { withLock } from '../storage/crossWindowLocks';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { makePrivateFolder } from '../storage/privateFolder';
import { isTimeOrderedId, MAX_VALUE_BYTES, readPrivateJson, timeOrderedId, writePrivateFile } from '../storage/privateStorage';

/** A prompt that waits. */
export interface WaitingPrompt {
  readonly id: string;
  readonly path: string;
  readonly entryId: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const isWaiting = isObjectOf<WaitingPrompt>({
  id: isTimeOrderedId,
  path: isNormalAbsolutePath,
  entryId: isText,
  text: isText,
  at: isWhole,
});

const NAME = /^(.+)\.prompt$/;
/** Prompts that are read. */
const MAX_WAITING = 200;
/** Milliseconds that a program takes at most until its process shows that it has a session. */
const START_TIME = 20_000;

/** Keeps a prompt. @throws {SessionError} `invalid` if it's too long, and if the storage can't be used */
export async function addPrompt(folder: string, prompt: Omit<WaitingPrompt, 'id' | 'at'>): Promise<WaitingPrompt> {
  await makePrivateFolder(folder);
  const waiting = { ...prompt, id: timeOrderedId(), at: Date.now() };
  const text = JSON.stringify(waiting);
  if (Buffer.byteLength(text) > MAX_VALUE_BYTES)
    throw new SessionError('invalid', 'This prompt is too long to wait. Close the session first: {path}', { path: prompt.path });
  await writePrivateFile(join(folder, `${waiting.id}.prompt`), text);
  return waiting;
}

/** Returns the prompts that wait, oldest first. Values of another shape are left out. @throws if the folder can't be read */
export async function waitingPrompts(folder: string): Promise<WaitingPrompt[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const found: WaitingPrompt[] = [];
  for (const name of names.sort().slice(0, MAX_WAITING)) {
    const [, id] = NAME.exec(name) ?? [];
    const prompt = id === undefined ? undefined : await readPrivateJson(join(folder, name));
    if (isWaiting(prompt) && prompt.id === id) found.push(prompt);
  }
  return found;
}

/** Removes a prompt. True in one of all windows, which sends it. */
export const takePrompt = (folder: string, id: string): Promise<boolean> =>
  unlink(join(folder, `${id}.prompt`)).then(
    () => true,
    () => false,
  );

/**
 * Claims a session for a program that is about to be started with it. False if a window has done so a moment ago: that program
 * may not show yet.
 */
export async function claimSession(folder: string, path: string, at?: number): Promise<boolean> {
  const file = join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.claim`);
  await makePrivateFolder(folder);
  return withLock(folder, path, async () => {
    const last = await readPrivateJson(file);
    const now = at ?? Date.now();
    // In both directions: the clock may have been set back a little. If it was set back far, the claim doesn't hold.
    if (typeof last === 'number' && Math.abs(now - last) < START_TIME) return false;
    await writePrivateFile(file, String(now));
    return true;
  });
}
