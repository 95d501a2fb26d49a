/** Selects the row of the active context view, document, terminal or session file. Never moves the focus. */
import * as vscode from 'vscode';
import type { Row, SessionRef } from '../../contract';
import type { KnownSession, ResumedTerminals } from '../terminal/resumedTerminals';
import { activeUri } from './activeUri';
import { sessionOfUri, type SessionOfUriDeps } from './revealSessionCommands';

interface AutoRevealDeps extends SessionOfUriDeps {
  /** Returns the session and the entry that the active context view shows, without an entry if it follows the leaf. */
  readonly activeTarget: () => SessionRef | undefined;
  /** Fires with the entry that the person went to in a context view. */
  readonly onDidNavigate: vscode.Event<SessionRef>;
  readonly sessions: () => readonly KnownSession[];
  readonly terminals: ResumedTerminals;
  readonly isVisible: () => boolean;
  readonly onDidBecomeVisible: vscode.Event<void>;
  readonly selection: () => readonly Row[];
  readonly reveal: (ref: SessionRef) => Promise<unknown>;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Milliseconds until what became active is revealed: opening an editor reports several changes. */
const DEBOUNCE = 100;

export function registerAutoReveal(deps: AutoRevealDeps): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const schedule = (find: () => Promise<SessionRef | undefined>, stands = standsFor): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      revealFound(deps, find, stands).catch((error: unknown) => deps.onError(error, 'revealing what is active'));
    }, DEBOUNCE);
  };
  const ofEditor = async (): Promise<SessionRef | undefined> => deps.activeTarget() ?? sessionOfUri(deps, activeUri());
  const ofTerminal = (terminal: vscode.Terminal): SessionRef | undefined => {
    const path = deps.terminals.pathOf(terminal, deps.sessions);
    return path === undefined ? undefined : { path };
  };
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(timer) },
    vscode.window.tabGroups.onDidChangeTabs(() => schedule(ofEditor)),
    vscode.window.tabGroups.onDidChangeTabGroups(() => schedule(ofEditor)),
    vscode.window.onDidChangeActiveTerminal((terminal) => terminal && schedule(() => Promise.resolve(ofTerminal(terminal)))),
    deps.onDidBecomeVisible(() => schedule(ofEditor)),
    deps.onDidNavigate((ref) => schedule(() => Promise.resolve(ref), isRowOf)),
  );
}

async function revealFound(deps: AutoRevealDeps, find: () => Promise<SessionRef | undefined>, stands: typeof standsFor): Promise<void> {
  if (!deps.isVisible() || vscode.workspace.getConfiguration('sessionTree').get('autoReveal') === false) return;
  const ref = await find();
  // A row that is selected already was most likely clicked to open this; revealing it could scroll or unselect others.
  if (ref && deps.isVisible() && !deps.selection().some((row) => stands(row, ref))) await deps.reveal(ref);
}

const isRowOf = (row: Row, { path, entryId }: SessionRef): boolean =>
  'path' in row && row.path === path && ('entryId' in row ? row.entryId : undefined) === entryId;

const standsFor = (row: Row, { path, entryId }: SessionRef): boolean =>
  'path' in row && row.path === path && (row.row === 'session' || entryId === undefined || ('entryId' in row && row.entryId === entryId));
