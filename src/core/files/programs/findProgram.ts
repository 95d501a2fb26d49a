/** Locates programs in the folders of `PATH`. */
import { access, constants, stat } from 'node:fs/promises';
import { extname, isAbsolute, join } from 'node:path';

/** The machine that programs run on; a parameter, so that tests cover all platforms. */
export interface HostEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Endings of files that Windows can run, if the environment names none. */
const DEFAULT_PATHEXT = '.COM;.EXE;.BAT;.CMD';

/**
 * Locates a program like a shell does, without running anything.
 *
 * The `which` package isn't used here: on Windows it looks in the working directory before `PATH`, and on every system
 * it accepts relative folders in `PATH`. Either could run a program that was planted in the editor's working
 * directory, for example in a cloned repository. It also reads the platform when it's loaded, so the rules for Windows
 * couldn't be tested elsewhere.
 *
 * @param name a name to look for in the absolute folders of `PATH`, or a path: absolute, or below the home folder (`~/`)
 * @returns the absolute path of an executable file; `undefined` if there is none, and for any other relative path
 */
export async function findProgram(name: string, { platform, env, home }: HostEnvironment): Promise<string | undefined> {
  const isWindows = platform === 'win32';
  const path = /^~[/\\]/.test(name) ? join(home, name.slice(2)) : name;
  const endings = isWindows ? windowsEndings(path, env['PATHEXT'] ?? DEFAULT_PATHEXT) : [''];
  const folders = isAbsolute(path) ? [''] : pathFolders(env, isWindows);
  if (!isAbsolute(path) && /[/\\]/.test(path)) return undefined;
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = `${folder === '' ? path : join(folder, path)}${ending}`;
      if (await isExecutable(candidate, isWindows)) return candidate;
    }
  }
  return undefined;
}

/** Returns the absolute folders of `PATH`, in order. On Windows a folder may be in quotation marks. */
function pathFolders(env: HostEnvironment['env'], isWindows: boolean): string[] {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(isWindows ? ';' : ':');
  return folders.map((folder) => (isWindows ? folder.replace(/^"(.*)"$/, '$1') : folder)).filter((folder) => isAbsolute(folder));
}

/** Returns the endings to try after a path: none but the path's own if Windows can run that, and its own last in `name.2` or the like. */
function windowsEndings(path: string, pathExt: string): string[] {
  const runnable = pathExt.split(';').filter((ending) => ending !== '');
  const own = extname(path);
  if (runnable.some((ending) => ending.toLowerCase() === own.toLowerCase())) return [''];
  return own === '' ? runnable : [...runnable, ''];
}

/** Returns whether a path is a file that may be run. On Windows every file with the right ending may. */
async function isExecutable(path: string, isWindows: boolean): Promise<boolean> {
  try {
    if (!isWindows) await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
