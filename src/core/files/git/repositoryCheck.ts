/**
 * Checks where a repository leads Git before Git runs in it: its configuration and `.git` can name files, folders and
 * other repositories, which may be on another computer or endless.
 */
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UntrustedPaths } from '../io/untrustedPaths';
import { runProgram } from '../programs/runProgram';
import { gitFoldersOf } from './gitFolder';
import { cannotCheck, leadsAway, MAX_CONFIG_BYTES, placeNamed, smallText, type PlaceCheck } from './repositoryFiles';

/**
 * Maximum number of configuration files, including the files that they include, and of object folders, including the
 * folders that they borrow from.
 */
const MAX_PLACES = 16;

/**
 * Options that replace settings of the configuration, with a word that its text contains if it has the setting. The
 * last value of these keys counts.
 */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/orderfile/i, 'diff.orderFile=/dev/null'],
  [/attributesfile/i, 'core.attributesFile=/dev/null'],
  [/excludesfile/i, 'core.excludesFile=/dev/null'],
  [/mailmap/i, 'mailmap.file=/dev/null'],
  [/mailmap/i, 'mailmap.blob='],
];
/** Words of the keys that no option replaces, so that their values are checked. */
const CHECKED = /include|ignorerevsfile/i;
const CHECKED_KEYS = /^(include(if\..*)?\.path|blame\.ignorerevsfile)$/s;

/**
 * Returns options for Git with which it opens nothing that the repository's configuration names.
 *
 * @throws {SessionError} `invalid` if the repository leads to another computer, to a repository that isn't its own, or to what isn't a small file
 */
export async function safeOptionsFor(
  repository: string,
  paths: Pick<UntrustedPaths, 'isRefused'> = new UntrustedPaths(),
): Promise<string[]> {
  const assertHere: PlaceCheck = async (path) => {
    // A person who works on a share has chosen it.
    if ((await paths.isRefused(path)) && !(await paths.isRefused(repository))) throw leadsAway(repository);
  };
  const { own, common } = await gitFoldersOf(repository, assertHere);
  await checkObjects(repository, join(common, 'objects'), assertHere);
  const texts: string[] = [];
  const files = [join(common, 'config'), join(common, 'config.worktree'), join(own, 'config.worktree')];
  for (let at = 0; at < files.length; at++) {
    const file = files[at] ?? '';
    if (at === MAX_PLACES) throw cannotCheck(repository);
    await assertHere(file);
    const text = await smallText(repository, file);
    texts.push(text);
    for (const [key, value] of CHECKED.test(text) ? await checkedValues(repository, text) : []) {
      const isInclude = key.startsWith('include');
      // Names of users, and of the folder that Git is installed in.
      if (/^(~[^/]|%\()/.test(value)) throw cannotCheck(repository);
      const path = value.startsWith('~/') ? join(homedir(), value.slice(2)) : placeNamed(isInclude ? dirname(file) : repository, value);
      await assertHere(path);
      if (isInclude) files.push(path);
      else await smallText(repository, path);
    }
  }
  return REPLACED.flatMap(([word, option]) => (texts.some((text) => word.test(text)) ? ['-c', option] : []));
}

/** Git borrows objects from the folders that `info/alternates` names, one per line, and from the folders that these name in turn. */
async function checkObjects(repository: string, objects: string, assertHere: PlaceCheck): Promise<void> {
  const folders = [objects];
  for (const [at, folder] of folders.entries()) {
    if (at === MAX_PLACES) throw cannotCheck(repository);
    await assertHere(folder);
    for (const line of (await smallText(repository, join(folder, 'info', 'alternates'))).split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      // Git takes the rest of such a line for an escaped path.
      if (line.startsWith('"')) throw cannotCheck(repository);
      folders.push(placeNamed(folder, line));
    }
  }
}

/** Has Git parse a text of configuration, without a repository, and returns the keys and values of what needs a check. */
async function checkedValues(repository: string, text: string): Promise<[key: string, value: string][]> {
  const found = await runProgram(
    'git',
    ['--git-dir=/dev/null', 'config', '--file', '-', '--no-includes', '-z', '--list'],
    // A listed line repeats the name of its section.
    { cwd: homedir(), input: text, timeout: 3000, maxBytes: 16 * MAX_CONFIG_BYTES },
  );
  if (found?.isComplete !== true) throw cannotCheck(repository);
  return found.output
    .toString('utf8')
    .split('\0')
    .flatMap((line): [string, string][] => {
      const end = line.includes('\n') ? line.indexOf('\n') : line.length;
      const key = line.slice(0, end);
      return CHECKED_KEYS.test(key) ? [[key, line.slice(end + 1)]] : [];
    });
}
