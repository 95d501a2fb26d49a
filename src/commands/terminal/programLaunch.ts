/** Starting a program without a shell in between: where it is, and how a terminal runs it. */
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, extname, isAbsolute, join } from 'node:path';
import { SessionError } from '../../core/index';

export interface HostEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The whole path of a program by the name that people call it by, `undefined` if there is none. A path is taken as it is. */
export async function findProgram(name: string, { platform, env, home }: HostEnvironment): Promise<string | undefined> {
  const windows = platform === 'win32';
  const path = /^~[/\\]/.test(name) ? join(home, name.slice(2)) : name;
  // What Windows can run is told by the ending; one that is given is taken.
  const endings = windows && extname(path) === '' ? (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  const folders = isAbsolute(path) ? [''] : (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter(isAbsolute);
  if (!isAbsolute(path) && /[/\\]/.test(path)) return undefined;
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = `${folder === '' ? path : join(folder, path)}${ending}`;
      if (await isExecutable(candidate, windows)) return candidate;
    }
  }
  return undefined;
}

async function isExecutable(path: string, windows: boolean): Promise<boolean> {
  try {
    if (!windows) await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export interface ShellOptions {
  readonly shellPath: string;
  /** One string only on Windows: the command line as it is. */
  readonly shellArgs: string[] | string;
}

/**
 * What a terminal runs. Windows can't run a `.cmd` by itself: its shell does, with everything quoted.
 *
 * @throws {SessionError} `invalid` for what that shell would not pass on as it is.
 */
export function shellOptionsFor(program: string, args: readonly string[], { platform, env }: HostEnvironment): ShellOptions {
  if (platform !== 'win32' || !/\.(cmd|bat)$/i.test(program)) return { shellPath: program, shellArgs: [...args] };
  const parts = [program, ...args];
  const odd = parts.find((part) => /["%\r\n]/.test(part));
  if (odd !== undefined) throw new SessionError('invalid', 'Windows can not pass this on to a script as it is: {text}', { text: odd });
  return { shellPath: env['ComSpec'] ?? 'cmd.exe', shellArgs: `/d /s /c "${parts.map((part) => `"${part}"`).join(' ')}"` };
}

/**
 * A command that can be pasted into a shell: bash, zsh, fish and other shells of Unix; on Windows PowerShell and cmd.
 *
 * @throws {SessionError} `invalid` for what a terminal, or one of the shells, would take for something else.
 */
export function quoteCommand(command: readonly string[], platform: NodeJS.Platform): string {
  const odd = command.find((part) => (platform === 'win32' ? UNSAFE_ON_WINDOWS : CONTROL_CHARACTERS).test(part));
  if (odd !== undefined) throw new SessionError('invalid', 'This can’t be pasted into a terminal safely: {text}', { text: odd });
  return command.map(platform === 'win32' ? quoteForWindows : quoteForPosix).join(' ');
}

/** Keys to a terminal: pasted, one of them can end the line, or the paste. */
// eslint-disable-next-line no-control-regex -- they are what this looks for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/;
/** Between quotation marks cmd replaces `%x%`, and PowerShell runs `$(…)`; to PowerShell curly ones are marks, too. */
// eslint-disable-next-line no-control-regex -- they are among what this looks for
const UNSAFE_ON_WINDOWS = /[\u0000-\u001f\u007f-\u009f"%$`\u201c-\u201e]/;

/** Backslashes stand outside the quotes: to fish `\'` within them is a quote. */
const quoteForPosix = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll(/['\\]/g, "'\\$&'")}'`);

const quoteForWindows = (text: string): string => (/^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text}"`);
