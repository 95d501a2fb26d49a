/** Go to Session: a list like that of Ctrl+P, from which a session is opened, opened to the side, or resumed. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { DIALECT_FACTS, SessionError, Yielder, type SessionSummary } from '../../core/index';
import { localizeTitle } from '../../ui/localize';
import { createQuickPick } from '../../ui/quickInput';
import { requiredString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import { simpleHandler, type CommandHandler } from '../handler/commandHandler';
import { checkedRef } from './openCommands';
import { matchSessions, sessionCandidates, withLabels, type SessionCandidate } from './matchSessions';
import { newestFirst } from '../handler/newestFirst';

/** Items in the list. More are found by typing. */
const MAX_ITEMS = 100;
/** Context key for the key that opens to the side. */
const OPEN_KEY = 'sessionTree.isGoingToSession';

type OpenHow = 'open' | 'side' | 'resume';

interface SessionChoice extends vscode.QuickPickItem {
  readonly session: SessionSummary;
}

interface OpenButton extends vscode.QuickInputButton {
  readonly how: OpenHow;
}

type Answer = CommandContract['sessionTree.goToSession']['answer'];

export function goToSessionCommands(deps: CommandDeps) {
  /** Opens the active item of the shown list to the side. */
  let acceptToSide: (() => void) | undefined;

  const goToSession: CommandHandler<Answer> = {
    title: vscode.l10n.t('Go to Session'),
    runWithArguments: async (args) => {
      const candidates = await labeledCandidates(deps, await listCandidates(deps));
      return matchSessions(requiredString(args, 'query'), candidates, MAX_ITEMS).map(({ path }): SessionRef => ({ path }));
    },
    runInteractive: async (call) => {
      const picked = await pickSession(deps, (accept) => {
        acceptToSide = accept;
        void vscode.commands.executeCommand('setContext', OPEN_KEY, accept !== undefined);
      });
      call.ref = { path: picked.path };
      await open(deps, call.ref, picked.how);
    },
  };

  return {
    'sessionTree.goToSession': goToSession,
    'sessionTree.goToSession.side': simpleHandler(() => acceptToSide?.()),
  };
}

async function open(deps: CommandDeps, ref: SessionRef, how: OpenHow): Promise<void> {
  if (how === 'resume') await vscode.commands.executeCommand('sessionTree.resume', { row: 'session', ...ref });
  else await deps.showContext(await checkedRef(deps, ref), { preserveFocus: false, toSide: how === 'side' });
}

/** Shows the list. @param setAccept receives what opens the active item to the side while the list is shown, and `undefined` after it. @throws {vscode.CancellationError} */
async function pickSession(
  deps: CommandDeps,
  setAccept: (accept: (() => void) | undefined) => void,
): Promise<{ readonly path: string; readonly how: OpenHow }> {
  if (deps.sessions().length === 0) throw new SessionError('not-found', 'There are no sessions yet.');
  let candidates = await listCandidates(deps);
  const picker = createQuickPick<SessionChoice>();
  // Keeps the order, the best first. The editor's typings lack this property.
  Object.assign(picker, { sortByLabel: false });
  picker.placeholder = vscode.l10n.t('Search sessions by title, project, label or ID');
  const buttons = openButtons();
  const update = (): void => {
    picker.items = matchSessions(picker.value, candidates, MAX_ITEMS).map((session) => choiceOf(deps, session, buttons));
  };
  try {
    update();
    let isShown = true;
    // The list doesn't wait for the labels.
    void labeledCandidates(deps, candidates).then((all) => {
      candidates = all;
      if (isShown && picker.value !== '') update();
    });
    const picked = await new Promise<{ path: string; how: OpenHow } | undefined>((resolve) => {
      const choose = (choice: SessionChoice | undefined, how: OpenHow): void => choice && resolve({ path: choice.session.path, how });
      setAccept(() => choose(picker.activeItems[0], 'side'));
      picker.onDidChangeValue(update);
      picker.onDidAccept(() => choose(picker.selectedItems[0] ?? picker.activeItems[0], 'open'));
      // Items have no other buttons.
      picker.onDidTriggerItemButton(({ item, button }) => choose(item, (button as OpenButton).how));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    isShown = false;
    if (!picked) throw new vscode.CancellationError();
    return picked;
  } finally {
    setAccept(undefined);
    picker.dispose();
  }
}

/** Returns the sessions to choose from, newest first, without their labels. */
const listCandidates = async (deps: CommandDeps): Promise<SessionCandidate[]> =>
  new Yielder(undefined).run(sessionCandidates(await newestFirst(deps.listedSessions())));

/** Returns the sessions with their labels; without these if the catalog can't be used. */
async function labeledCandidates(deps: CommandDeps, candidates: SessionCandidate[]): Promise<SessionCandidate[]> {
  const labels = new Map<string, string[]>();
  const known = await deps.catalog
    .open()
    .then((catalog) => catalog.labels())
    .catch(() => []);
  for (const { path, label } of known) {
    const list = labels.get(path);
    if (list) list.push(label);
    else labels.set(path, [label]);
  }
  return new Yielder(undefined).run(withLabels(candidates, labels));
}

function choiceOf(deps: CommandDeps, session: SessionSummary, buttons: readonly OpenButton[]): SessionChoice {
  const { title, cwd, dialect, modified } = session;
  return {
    label: localizeTitle(title),
    description: [basename(cwd), deps.ago(modified), DIALECT_FACTS[dialect].label].filter((part) => part !== '').join(' · '),
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    // The editor's own filter knows only the texts of the item.
    alwaysShow: true,
    buttons,
    session,
  };
}

const openButtons = (): readonly OpenButton[] => [
  { how: 'side', iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: vscode.l10n.t('Open to the Side') },
  { how: 'resume', iconPath: new vscode.ThemeIcon('terminal'), tooltip: vscode.l10n.t('Resume in Terminal') },
];
