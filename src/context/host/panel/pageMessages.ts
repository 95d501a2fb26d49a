/** Handles the messages of a context view's page: answers requests, and passes on what changes the view. */
import * as vscode from 'vscode';
import type { Uri } from 'vscode';
import { MODEL_WINDOWS, SessionError, type UntrustedPaths } from '../../../core/index';
import { localizeError } from '../../../ui/localize';
import { setStatusBarMessage } from '../../../ui/safe/messages';
import type { FromPage, TargetKind, ViewMode } from '../../shared/protocol';
import { ContextSearch } from '../../search/contextSearch';
import { ContextOverview } from '../../snapshot/contextOverview';
import type { ContextSnapshot } from '../../snapshot/contextSnapshot';
import type { RestorePosition } from '../../snapshot/snapshotPositions';
import { findTarget } from '../../snapshot/navigationTargets';
import { noTargetMessage } from '../../shared/noTargetMessage';
import type { PageConnection } from './pageConnection';
import type { PageContent } from './pageContent';
import { answerFromSnapshot, type SnapshotAnswers, type SnapshotRequest } from '../../articles/snapshotRequests';
import { existingFiles, openFile } from './filePaths';

/** Changes of the view that messages request. */
export interface ViewActions {
  /** Called when the page is loaded and empty. */
  readonly ready: () => Promise<void>;
  readonly switchView: (view: ViewMode, position: RestorePosition | undefined) => Promise<void>;
  readonly goToEntry: (entryId: string, view?: ViewMode) => Promise<void>;
  /** Called after the person has gone to an entry in the page. */
  readonly navigated: (entryId: string) => void;
  readonly unfoldBranches: (unfolded: readonly string[]) => void;
  /** Shows how many files would change at an entry; `undefined` ends that. */
  readonly countChanges: (entryId: string | undefined) => Promise<void>;
  readonly runAction: (message: Extract<FromPage, { type: 'runAction' }>) => void;
  readonly focusChanged: (hasFocus: boolean) => void;
}

export interface PageMessageDeps {
  readonly fileUri: (path: string) => vscode.Uri;
  readonly untrustedPaths: UntrustedPaths;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Milliseconds that a status bar message is shown. */
const STATUS_MESSAGE_DURATION = 4000;

export class PageMessages {
  private readonly usage = new ContextOverview(MODEL_WINDOWS);
  private readonly search: ContextSearch;

  constructor(
    private readonly page: PageConnection,
    private readonly content: PageContent,
    private readonly view: ViewActions,
    private readonly deps: PageMessageDeps,
  ) {
    this.search = new ContextSearch((message) => page.post(message));
  }

  /** Handles a message, and shows errors on the page. Never rejects. @param path the session that the view shows */
  async receive(message: FromPage, path: string): Promise<void> {
    try {
      await this.handleMessage(message);
    } catch (error) {
      if (error instanceof vscode.CancellationError) return;
      if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', path));
      // If the session can't be read, the header already shows why.
      if (!this.content.hasWarning) this.page.post({ type: 'failed', message: localizeError(error) });
    }
  }

  private async handleMessage(message: FromPage): Promise<void> {
    const { snapshot } = this.content;
    switch (message.type) {
      case 'ready':
        this.page.pageReady();
        return this.view.ready();
      case 'rendered':
        this.page.markRendered(message.revision);
        return;
      case 'wantArticles':
      case 'wantText':
      case 'wantImage':
      case 'wantPaths':
      case 'openPath':
      case 'stay':
      case 'wantOverview':
      case 'wantLargest':
      case 'find':
      case 'wantMatch':
        if (snapshot) await this.answer(snapshot, message);
        return;
      case 'view': {
        const group = message.anchor && snapshot?.groups[message.anchor.index];
        const position = message.anchor && group && { entryId: group.first.entryId, offset: message.anchor.offset };
        return this.view.switchView(message.view, position);
      }
      case 'go':
        await this.view.goToEntry(message.entryId, message.view);
        this.view.navigated(message.entryId);
        return;
      case 'wantTarget': {
        const target = snapshot && findTarget(snapshot, message.kind, message.by, message.from);
        if (!target) {
          this.announceNoTarget(message.kind, message.by);
          return;
        }
        this.page.post({ type: 'go', ...target });
        this.view.navigated(target.entryId);
        return;
      }
      case 'branches':
        this.view.unfoldBranches(message.unfolded);
        return;
      case 'wantChanges':
        return this.view.countChanges(message.entryId);
      case 'runAction':
        this.view.runAction(message);
        return;
      case 'openLink':
        if (/^(https?|mailto):/i.test(message.href)) await vscode.env.openExternal(vscode.Uri.parse(message.href, true));
        return;
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'focus':
        this.view.focusChanged(message.hasFocus);
        return;
      case 'problem':
        this.deps.onError(new Error(message.message), vscode.l10n.t('showing the context'));
        return;
    }
  }

  private async answer(snapshot: ContextSnapshot, request: PageRequest): Promise<void> {
    const { page, content, usage, search } = this;
    const { fileUri, untrustedPaths } = this.deps;
    try {
      await handleRequest(snapshot, request, {
        revision: () => page.revision,
        shown: () => (page.isConnected ? content.snapshot : undefined),
        post: (answer) => page.post(answer),
        fileUri,
        untrustedPaths,
        usage,
        search,
      });
    } catch (error) {
      // The page has received the changed session by now, and requests from it.
      const isOutdated = content.snapshot?.session !== snapshot.session;
      if (!(isOutdated && error instanceof SessionError && error.code === 'changed')) throw error;
    }
  }

  /** Shows the message in the status bar and announces it to screen readers. */
  private announceNoTarget(kind: TargetKind, by: 1 | -1): void {
    const text = noTargetMessage(kind, by);
    setStatusBarMessage(text, STATUS_MESSAGE_DURATION);
    this.page.post({ type: 'announce', text });
  }
}

type PageRequest = SnapshotRequest | Extract<FromPage, { readonly type: 'wantPaths' | 'openPath' }>;

interface RequestContext extends SnapshotAnswers {
  /** Returns the URI under which a file opens. */
  readonly fileUri: (path: string) => Uri;
  readonly untrustedPaths: UntrustedPaths;
}

async function handleRequest(snapshot: ContextSnapshot, request: PageRequest, context: RequestContext): Promise<void> {
  const { post, fileUri, untrustedPaths } = context;
  const { cwd } = snapshot.session.header;
  switch (request.type) {
    case 'wantPaths':
      post({ type: 'paths', found: await existingFiles(request.paths, cwd, untrustedPaths) });
      return;
    case 'openPath':
      if (!(await openFile(request.path, cwd, untrustedPaths, fileUri))) post({ type: 'pathGone', path: request.path });
      return;
    default:
      return answerFromSnapshot(snapshot, request, context);
  }
}
