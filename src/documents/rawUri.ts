/** The address of the read-only document of a session's file: that of the file itself, with another scheme. */
import * as vscode from 'vscode';
import { RAW_SCHEME } from '../contract';

export const rawUri = (path: string): vscode.Uri => vscode.Uri.file(path).with({ scheme: RAW_SCHEME });

/** The file that such a document shows; `undefined` for any other address. */
export function pathOfRawUri(uri: vscode.Uri): string | undefined {
  return uri.scheme === RAW_SCHEME && uri.query === '' && uri.fragment === '' ? uri.with({ scheme: 'file' }).fsPath : undefined;
}
