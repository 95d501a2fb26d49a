/**
 * Detects paths whose mere inspection may contact another computer. The platform and the mounts are passed in.
 * The writer of a session file chooses its `cwd` and the paths in it. Inspecting `\\host\share` sends Windows
 * credentials to that host, and inspecting a path below an automounter's folder mounts it.
 */

/** A file system as `/proc/self/mountinfo` lists it. */
export interface Mount {
  readonly point: string;
  readonly type: string;
}

/** Folders that automounters serve by convention: autofs' maps, AFS' cells, and the automounter of macOS. */
const AUTOMOUNTED = ['/net', '/misc', '/afs', '/Network/Servers'];
/** On macOS `/home` is an automounter's map; home folders are in `/Users`. */
const AUTOMOUNTED_ON_MACOS = [...AUTOMOUNTED, '/home'];

/**
 * True if accessing a path may contact another computer: a share (UNC), a Windows device or namespace (`\\?\`, `\\.\`),
 * or a path that an automounter serves and that isn't mounted yet. WSL's folders below `/mnt` aren't remote; `\\wsl$\`
 * is UNC.
 *
 * @param mounts in the order of `/proc/self/mountinfo`; empty where there is none.
 */
export function mayContactServer(path: string, platform: NodeJS.Platform, mounts: readonly Mount[]): boolean {
  if (isUnc(path)) return true;
  if (platform === 'win32') return false;
  const folders = platform === 'darwin' ? AUTOMOUNTED_ON_MACOS : AUTOMOUNTED;
  return folders.some((folder) => isAtOrUnder(path, folder)) || mountOf(path, mounts)?.type === 'autofs';
}

/** True if a path begins with two slashes of either kind, which name another computer on Windows. */
export const isUnc = (path: string): boolean => /^[\\/]{2}/.test(path);

/** Returns the innermost mount that contains a path; of several at one point the last. */
function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts) if (isAtOrUnder(path, mount.point) && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  return found;
}

const isAtOrUnder = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** Reads `/proc/self/mountinfo` (proc(5)): `<id> <parent> <device> <root> <point> <options> [fields] - <type> …`. */
export function parseMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, point, type] = /^\d+ \d+ \S+ \S+ (\S+) \S+.*? - (\S+)/.exec(line) ?? [];
    // Spaces, tabs, line breaks and backslashes are written in octal.
    return point === undefined || type === undefined
      ? []
      : [{ point: point.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))), type }];
  });
}
