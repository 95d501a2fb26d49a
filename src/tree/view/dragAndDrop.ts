/** Drag and drop in the view: sessions into the editor area, and session files onto rows. */
import * as vscode from 'vscode';
import { dropFiles, type DropActions } from './dropFiles';
import type { TreeParts } from './earlyTree';

export interface DragAndDropDeps extends DropActions {
  /** Returns the URI of the read-only document of a session's file. */
  readonly rawUri: (path: string) => vscode.Uri;
}

/** A session that is dragged into the editor area opens as its read-only file. Files that are dropped are opened or imported. */
export function dragAndDropController(deps: DragAndDropDeps): TreeParts['dragAndDrop'] {
  return {
    handleDrag: (rows, transfer) => {
      const files = rows.flatMap((row) => (row.row === 'session' || row.row === 'unreadable' ? [deps.rawUri(row.path).toString()] : []));
      if (files.length > 0) transfer.set('text/uri-list', new vscode.DataTransferItem(files.join('\r\n')));
    },
    handleDrop: (target, transfer) => dropFiles(transfer, target?.row === 'project' && target.cwd !== '' ? target.cwd : undefined, deps),
  };
}
