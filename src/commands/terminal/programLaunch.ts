/** Makes the terminal options and shell commands that run programs. */
import { win32 } from 'node:path';
import { SessionError, type HostEnvironment } from '../../core/index';

interface ShellOptions {
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
  return { shellPath: windowsShell(env), shellArgs: `/d /s /c "${parts.map((part) => `"${part}"`).join(' ')}"` };
}

/** By its path: a name would be looked for in the folder of the session, too. */
function windowsShell(env: HostEnvironment['env']): string {
  const shell = env['ComSpec'] ?? '';
  return win32.isAbsolute(shell) ? shell : win32.join(env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'cmd.exe');
}

/** Runs the program that follows the message `$0`. If it fails, shows the message and waits for Enter. A program that was ended by a signal isn't waited for. */
const SHOW_ERROR = '"$@"; code=$?; if [ $code -gt 0 ] && [ $code -lt 128 ]; then printf "\\n%s\\n" "$0"; read -r _; fi; exit 0';

/**
 * Returns the options of a terminal that stays open if its program fails, because the editor would close it with the
 * program's last words. The program and its arguments are parameters of the shell, which interprets none of them.
 *
 * Windows has no such shell, so the options are returned unchanged.
 *
 * @param message shown below the program's output
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
