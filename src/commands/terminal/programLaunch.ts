/** Locates programs, and makes the terminal options and shell commands that run them. */
import { access, constants, stat } from 'node:fs/promises';
import { extname, isAbsolute, join } from 'node:path';
import { SessionError } from '../../core/index';

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

export interface ShellOptions {
  readonly shellPath: string;
  /** A string only on Windows: the whole command line, unparsed. */
  readonly shellArgs: string[] | string;
}

/**
 * Returns the options of a terminal that runs a program. Windows runs a `.cmd` or `.bat` only through its shell, where
 * every part of the command line is quoted.
 *
 * @throws {SessionError} `invalid` if that shell would change a part.
 */
export function shellOptionsFor(program: string, args: readonly string[], { platform, env }: HostEnvironment): ShellOptions {
  if (platform !== 'win32' || !/\.(cmd|bat)$/i.test(program)) return { shellPath: program, shellArgs: [...args] };
  const parts = [program, ...args];
  const unsafe = parts.find((part) => /["%\r\n]/.test(part));
  if (unsafe !== undefined) throw new SessionError('invalid', 'Windows can’t pass this to a script: {text}', { text: unsafe });
  return { shellPath: env['ComSpec'] ?? 'cmd.exe', shellArgs: `/d /s /c "${parts.map((part) => `"${part}"`).join(' ')}"` };
}

/** Runs the program that follows the message `$0`. If it fails, shows the message and waits for Enter. A program that was ended by a signal isn't waited for. */
const SHOW_ERROR = '"$@"; code=$?; if [ $code -gt 0 ] && [ $code -lt 128 ]; then printf "\\n%s\\n" "$0"; read -r _; fi; exit 0';

/**
 * Returns the options of a terminal that stays open if its program fails, because the editor would close it with the
 * program's last words. The program and its arguments are parameters of the shell, which interprets none of them.
 *
 * Windows has no such shell, so the options are returned as they are.
 *
 * @param message shown below what the program printed
 */
export function keptOpenOnError({ shellPath, shellArgs }: ShellOptions, message: string, { platform }: HostEnvironment): ShellOptions {
  if (platform === 'win32' || typeof shellArgs === 'string') return { shellPath, shellArgs };
  return { shellPath: '/bin/sh', shellArgs: ['-c', SHOW_ERROR, message, shellPath, ...shellArgs] };
}

/**
 * Quotes a command for pasting into a shell: bash, zsh, fish and other Unix shells; on Windows PowerShell and cmd.
 *
 * @throws {SessionError} `invalid` if a terminal or one of these shells would interpret a part.
 */
export function quoteCommand(command: readonly string[], platform: NodeJS.Platform): string {
  const unsafe = command.find((part) => (platform === 'win32' ? UNSAFE_ON_WINDOWS : CONTROL_CHARACTERS).test(part));
  if (unsafe !== undefined) throw new SessionError('invalid', 'Can’t safely paste this into a terminal: {text}', { text: unsafe });
  return command.map(platform === 'win32' ? quoteForWindows : quoteForPosix).join(' ');
}

/** A terminal takes these for keys: pasted, one of them can end the line or the paste. */
// eslint-disable-next-line no-control-regex -- control characters are what this matches
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/;
/** Between quotation marks cmd replaces `%x%` and PowerShell runs `$(…)`. PowerShell also accepts curly quotation marks. */
// eslint-disable-next-line no-control-regex -- control characters are part of what this matches
const UNSAFE_ON_WINDOWS = /[\u0000-\u001f\u007f-\u009f"%$`\u201c-\u201e]/;

/** Puts backslashes outside the quotes, because fish takes `\'` within them for a quote. */
const quoteForPosix = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll(/['\\]/g, "'\\$&'")}'`);

const quoteForWindows = (text: string): string => (/^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text}"`);
