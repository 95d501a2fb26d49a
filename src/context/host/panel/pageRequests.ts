/** Answers the page's requests that change nothing. Requests that change the view are handled by `ContextView`. */
import type { Uri } from 'vscode';
import type { UntrustedPaths } from '../../../core/index';
import { answerFromSnapshot, type SnapshotAnswers, type SnapshotRequest } from '../../articles/snapshotRequests';
import type { FromPage } from '../../shared/protocol';
import type { ContextSnapshot } from '../../snapshot/contextSnapshot';
import { existingFiles, openFile } from './filePaths';

export type PageRequest = SnapshotRequest | Extract<FromPage, { readonly type: 'wantPaths' | 'openPath' }>;

export interface RequestContext extends SnapshotAnswers {
  /** Returns the URI under which a file opens. */
  readonly fileUri: (path: string) => Uri;
  readonly untrustedPaths: UntrustedPaths;
}

export async function handleRequest(snapshot: ContextSnapshot, request: PageRequest, context: RequestContext): Promise<void> {
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
