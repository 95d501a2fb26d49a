import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SessionError } from '../../src/core/index';
import { entryId, session } from '../fixtures/build';
import { openWindow } from '../fixtures/doomed';
import { age } from '../fixtures/writes';
import type { FuzzTarget, Random } from './target';

/** Limit for a case in milliseconds. A window waits ten seconds for a lock. */
const LIMIT = 30_000;
const TRASH = '.session-tree-trash';
const DAY = 24 * 60 * 60 * 1000;

/**
 * Whatever bytes a trash folder among sessions has: starting, forgetting, listing and restoring only move, create and
 * delete what this extension deleted. Whatever bytes the extension's own storage has: only `SessionError`s are thrown,
 * nothing hangs, and no file outside the sessions' folder changes.
 */
export const target: FuzzTarget = {
  name: 'notes and records',
  cases: 25,
  run: async (random) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'fuzz-records-')));
    try {
      await runIn(folder, random);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function runIn(folder: string, random: Random): Promise<void> {
  const [storage, root, decoy] = ['storage', 'sessions', 'home'].map((name) => join(folder, name)) as [string, string, string];
  const done: string[] = [];
  for (const name of ['.ssh/id', '.bashrc', 'work/a.jsonl']) await put(join(decoy, name), `${name} of the person`);
  for (const name of ['a', 'b', 'deleted'])
    await age(await put(join(root, 'p', `${name}.jsonl`), session().user('one').assistant('first').text()));
  const before = await openWindow(storage, root);
  await before.writer.submit(join(root, 'p', 'a.jsonl'), { kind: 'label', entryId: entryId(1), label: 'x' });
  await before.queue.enqueue(join(root, 'p', 'b.jsonl'), { kind: 'label', entryId: entryId(1), label: 'y' });
  await before.trash.delete(join(root, 'p', 'deleted.jsonl'));
  const isPlanted = random.once(2);
  for (let left = random.int(3); left >= 0; left--) done.push(await (isPlanted ? plant : spoil)(random, { storage, root, decoy }));
  // Planted files follow a planted link to its target.
  const sessions = await snapshot(join(root, 'p'));
  const outside = await snapshot(decoy);
  const at = `after ${done.join('; ')}`;
  await within(use(storage, root, isPlanted), at);
  assert.deepEqual(await snapshot(decoy), outside, at);
  if (!isPlanted) return;
  const { 'deleted.jsonl': restored, ...others } = await snapshot(join(root, 'p'));
  assert.deepEqual(others, sessions, at);
  assert.ok(restored === undefined || restored.startsWith('{"type":"session"'), at);
}

/** Performs everything that a window does by itself, and everything that a person may request. */
async function use(storage: string, root: string, isPlanted: boolean): Promise<void> {
  const writes = await ours(() => openWindow(storage, root, { onProblem: () => undefined }));
  if (!writes) return;
  await ours(() => writes.recover());
  await ours(() => writes.prune(30 * DAY));
  await ours(() => writes.queue.list());
  await ours(() => writes.nextUndo());
  const items = (await ours(() => writes.trash.list())) ?? [];
  for (const { trashId } of items) await ours(() => writes.trash.restore(trashId));
  if (isPlanted) return;
  await ours(() => writes.queue.settle(join(root, 'p', 'b.jsonl'), writes.writer));
  await ours(() => writes.undo());
  await ours(() => writes.trash.empty());
}

async function ours<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

interface Places {
  readonly storage: string;
  readonly root: string;
  readonly decoy: string;
}

/** Changes a file of the extension's storage, as a broken disk or an older version could have left it. */
async function spoil(random: Random, { storage, root }: Places): Promise<string> {
  const files = Object.keys(await snapshot(storage)).filter((name) => !name.endsWith('/'));
  const name = random.pick(files);
  const bytes = await readFile(join(storage, name));
  const changed = random.once(2)
    ? random.mutate(bytes)
    : Buffer.from(oddJson(random, bytes.toString(), [root, storage, '/nowhere', '', '..', 'a\0b']));
  await writeFile(join(storage, name), changed);
  return `${name} of the storage became ${JSON.stringify(changed.toString('latin1'))}`;
}

/** Puts a note into the trash folder, or replaces the folder, as a repository could contain it. */
async function plant(random: Random, { root, decoy }: Places): Promise<string> {
  const trash = join(root, TRASH);
  const victims = [
    decoy,
    join(decoy, '.ssh'),
    join(decoy, '.ssh', 'id'),
    join(decoy, '.bash_profile'),
    join(root, 'p', 'a.jsonl'),
    join(root, 'p', 'new.jsonl'),
    join(root, '..', 'home', '.bashrc'),
    '..',
    '.',
    '/',
    '',
  ];
  const place = join(trash, random.pick([`${Date.now().toString(36)}-abcdef12`, '000000000-00000000', 'x', 'n.1.new']));
  if (random.once(6)) {
    await rm(trash, { recursive: true, force: true });
    await symlink(random.pick(victims.slice(0, 5)), trash);
    return 'a trash folder that is a link';
  }
  if (random.once(6)) {
    await mkdir(trash, { recursive: true }).catch(() => undefined);
    await symlink(random.pick(victims.slice(0, 5)), place).catch(() => undefined);
    return 'a place in the trash that is a link';
  }
  const from = random.pick(victims);
  const kept = random.pick(['0', '..', '../..', 'note.json', '/', join(decoy, '.bashrc'), '']);
  const note = {
    trashId: random.pick([place.split('/').at(-1), '..', 'x']),
    path: from,
    name: random.text(3),
    at: random.pick([0, Date.now(), 1e21, -1]),
    size: 1,
    state: random.pick(['deleting', 'deleted', 'restoring', 'x']),
    doer: { pid: random.pick([999_999_999, 0, -1, 1]), began: 0, machine: random.pick(['', 'elsewhere']), since: 0 },
    things: [{ from, as: kept }, ...random.list(2, () => ({ from: random.pick(victims), as: random.pick(['1', '..', kept]) }))],
  };
  const text = random.once(4) ? oddJson(random, JSON.stringify(note), victims) : JSON.stringify(note);
  await put(join(place, 'note.json'), text).catch(() => undefined);
  if (random.once(2)) await put(join(place, '0'), 'planted').catch(() => undefined);
  return `the note ${text}`;
}

/** Returns JSON with one value replaced or removed. */
function oddJson(random: Random, text: string, paths: readonly string[]): string {
  const values = [...text.matchAll(/(?<=:)("(?:[^"\\]|\\.)*"|-?\d[\d.e+]*|null|true|false)/g)];
  const found = values[random.int(values.length)];
  if (!found) return text;
  const other = random.pick([
    'null',
    '{}',
    '[]',
    '-1',
    '1e999',
    '"\\ud800"',
    '""',
    '"__proto__"',
    JSON.stringify(random.pick(paths)),
    JSON.stringify(random.text(4)),
    '"deleting"',
    '"restoring"',
    '"deleted"',
    '"undo"',
  ]);
  return text.slice(0, found.index) + other + text.slice(found.index + found[0].length);
}

async function put(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o600);
  return path;
}

/** Returns each file's text and each link's target by path. Paths of folders end with a slash. */
async function snapshot(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    const stats = await lstat(path);
    if (stats.isDirectory()) found[`${name}/`] = '';
    else found[name] = stats.isSymbolicLink() ? `-> ${await readlink(path)}` : await readFile(path, 'utf8');
  }
  return found;
}

async function within(work: Promise<unknown>, at: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`timed out ${at}`)), LIMIT)));
  try {
    await Promise.race([work, late]);
  } catch (error) {
    throw new Error(at, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
