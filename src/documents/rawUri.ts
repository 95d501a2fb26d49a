/** URIs of the read-only documents of session files: the file's own URI with another scheme. */
import * as vscode from 'vscode';
import { RAW_SCHEME } from '../contract';

export const rawUri = (path: string): vscode.Uri => vscode.Uri.file(path).with({ scheme: RAW_SCHEME });

/** Returns the file that such a document shows; `undefined` for any other URI. */
export function pathOfRawUri(uri: vscode.Uri): string | undefined {
  return uri.scheme === RAW_SCHEME && uri.query === '' && uri.fragment === '' ? uri.with({ scheme: 'file' }).fsPath : undefined;
}
