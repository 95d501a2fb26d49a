/**
 * Links in the lines of terminals: ids of sessions, and paths of their files. Programs print anything, so a link only
 * leads to a session that is listed, and the work for a line is bounded.
 */
import { homedir } from 'node:os';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/index';
import { registerTerminalLinks, type TerminalLinkTarget } from '../../ui/safe/terminals';

type KnownSession = Pick<SessionSummary, 'path' | 'id' | 'modified'>;

interface TerminalLinkDeps {
  readonly sessions: () => Iterable<KnownSession>;
  /** The session folders. */
  readonly roots: () => readonly { readonly path: string }[];
}

/** The machine whose paths terminals print; a parameter, so that tests cover all platforms. */
interface PathStyle {
  readonly platform: NodeJS.Platform;
  readonly separator: string;
  readonly home: string;
}

/** UTF-16 units of a line that are searched. The editor finds no longer links either. */
const MAX_LINE = 2000;
/** Links of one line. */
const MAX_LINKS = 50;
/** Words that can be ids. All known ids have digits; a short word would be found by accident. */
const WORD = /(?<![\w.-])(?=[A-Za-z._-]*\d)[\w.-]{8,128}(?![\w.-])/g;
const UUID = /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/gi;
/** The rest of a session file's path after its root, with the shortest ending. */
const REST = /^[^\0"'<>|*?]{1,1000}?\.jsonl(?:\.gz|\.zst)?(?![\w-]|\.\w)/;

export function terminalLinks(deps: TerminalLinkDeps): vscode.Disposable {
  const style: PathStyle = { platform: process.platform, separator: sep, home: homedir() };
  const roots = (): string[] => deps.roots().map(({ path }) => path);
  return registerTerminalLinks(
    vscode.l10n.t('Show Context'),
    (line) => findSessionLinks(line, roots(), deps.sessions, style),
    (path) => void vscode.commands.executeCommand('sessionTree.showContext', { row: 'session', path }),
  );
}

/** Returns the parts of a line that name a known session by its path or id, with that session's path. If several sessions have the id, the most recently active one counts. */
export function findSessionLinks(
  line: string,
  roots: readonly string[],
  sessions: () => Iterable<KnownSession>,
  style: PathStyle,
): readonly TerminalLinkTarget<string>[] {
  const named = candidates(line.slice(0, MAX_LINE), roots, style);
  if (named.length === 0) return [];
  const found = new Map<string, KnownSession | undefined>(named.map(({ target }) => [target, undefined]));
  for (const session of sessions()) {
    for (const key of [session.id, pathKey(session.path, style)]) {
      const best = found.get(key);
      if (found.has(key) && (best === undefined || best.modified < session.modified)) found.set(key, session);
    }
  }
  const links: TerminalLinkTarget<string>[] = [];
  for (const { start, length, target } of named) {
    const path = found.get(target)?.path;
    const isFree = links.every((other) => start >= other.start + other.length || other.start >= start + length);
    if (path !== undefined && isFree && links.length < MAX_LINKS) links.push({ start, length, target: path });
  }
  return links;
}

/** Windows takes a path in any case, and with either separator. Only the case of ASCII changes, so that offsets stay. */
const pathKey = (path: string, { platform }: PathStyle): string =>
  platform === 'win32' ? path.replaceAll('/', '\\').replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : path;

/** Returns what may name a session, with the key to look for: paths before ids, because a file's name contains the id. */
function candidates(line: string, roots: readonly string[], style: PathStyle): TerminalLinkTarget<string>[] {
  const found = roots.flatMap((root) => pathsBelow(line, root, style));
  for (const pattern of [WORD, UUID])
    for (const match of line.matchAll(pattern)) found.push({ start: match.index, length: match[0].length, target: match[0] });
  return found;
}

/** Returns the paths of session files below a root, which may be written with `~`. Their folders may have spaces. */
function pathsBelow(line: string, root: string, style: PathStyle): TerminalLinkTarget<string>[] {
  const key = pathKey(line, style);
  const home = pathKey(style.home, style);
  const whole = pathKey(root, style);
  const beginnings = [whole, ...(whole.startsWith(home + style.separator) ? [`~${whole.slice(home.length)}`] : [])];
  const found: TerminalLinkTarget<string>[] = [];
  for (const beginning of beginnings) {
    for (let start = key.indexOf(beginning); start >= 0 && found.length < MAX_LINKS; start = key.indexOf(beginning, start + 1)) {
      const rest = REST.exec(key.slice(start + beginning.length))?.[0];
      if (rest === undefined || !rest.startsWith(style.separator)) continue;
      found.push({ start, length: beginning.length + rest.length, target: whole + rest });
    }
  }
  return found;
}
