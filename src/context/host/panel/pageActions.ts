/** The actions of a page's buttons and menus on the session and its entries. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../../contract';
import type { FromPage, PageAction } from '../../shared/protocol';
import type { ContextView } from './contextView';

interface PageActionDeps {
  /** Runs a command, which shows its own errors. */
  readonly run: (command: string, ref: SessionRef) => void;
  /** Selects the entry's row in the Sessions view. */
  readonly reveal: (ref: SessionRef) => void;
  /** Called when the view shows the place that the person went to. */
  readonly navigated: (ref: SessionRef) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Actions that run a command of the same meaning. */
const COMMANDS: Readonly<Partial<Record<PageAction, string>>> = {
  openMarkdown: 'sessionTree.openMarkdown',
  exportSession: 'sessionTree.exportSession',
  branchHere: 'sessionTree.branchHere',
  label: 'sessionTree.label',
  fork: 'sessionTree.fork',
  resume: 'sessionTree.resume',
  copyText: 'sessionTree.copyText',
  copyLink: 'sessionTree.copyLink',
  openRaw: 'sessionTree.openRaw',
  openToSide: 'sessionTree.showContextToSide',
  goToSubagent: 'sessionTree.goToSubagent',
  goToCall: 'sessionTree.goToCall',
};

/** Runs an action on the entry that the page names, by default on the view's entry. */
export function runPageAction(
  view: ContextView,
  { action, entryId: named }: Extract<FromPage, { type: 'runAction' }>,
  { run, reveal, navigated, onError }: PageActionDeps,
): void {
  const { path } = view.ref;
  const entryId = named ?? view.entryId;
  const ref: SessionRef = entryId === undefined ? { path } : { path, entryId };
  const command = COMMANDS[action];
  if (command !== undefined) {
    run(command, ref);
    return;
  }
  if (action === 'reveal') {
    reveal(ref);
    return;
  }
  const target = action === 'leaf' ? { path } : ref;
  view.show(target).then(
    () => navigated(target),
    (error: unknown) => {
      if (!(error instanceof vscode.CancellationError)) onError(error, vscode.l10n.t('showing the context'));
    },
  );
}
