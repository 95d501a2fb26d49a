/** Opens conflicts of a restore in the merge editor: the state at the point, and the file as it is now. */
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import { lastRecordedText, readSmallText, type Catalog, type PlannedFile } from '../../core/index';
import { choose } from '../handler/prompts';
import { openDocument } from '../lines/versionTarget';
import { nameIn } from './restoreItems';
import { RestoreDiff } from './restoreDiff';
import type { RestoreDocuments } from './restoreDocuments';

/** The command that the editor's own Git extension uses for this. It isn't part of the API, so it may be missing. */
const MERGE_EDITOR = '_open.mergeEditor';

interface Conflicts {
  readonly ref: EntryRef;
  readonly folder: string;
  readonly files: readonly PlannedFile[];
}

/** Lets the person pick a conflict, if there are several, and opens it. Nothing is written before the person completes the merge. */
export async function openConflict(catalog: Catalog, documents: RestoreDocuments, { ref, folder, files }: Conflicts): Promise<void> {
  const [first, ...others] = files;
  if (!first) return;
  const choices = files.map((file) => ({ label: nameIn(folder, file.file), value: file }));
  const title = vscode.l10n.t('Open in Merge Editor');
  const file = others.length === 0 ? first : await choose(title, vscode.l10n.t('Select a file'), choices);
  // Both sides come from it.
  const base = await lastRecordedText(catalog, ref, file.file);
  const isThere = (await vscode.commands.getCommands()).includes(MERGE_EDITOR);
  if (base === undefined || file.text === undefined || !isThere) {
    await new RestoreDiff(documents, title).open(file);
    return;
  }
  const now = await currentText(file.file);
  await vscode.commands.executeCommand(MERGE_EDITOR, {
    base: documents.add(file.file, base),
    input1: {
      uri: documents.add(file.file, file.text),
      title: vscode.l10n.t({ message: 'Then', comment: 'A side of the merge editor: the file as it was at a point of a session' }),
    },
    input2: {
      uri: documents.add(file.file, now),
      title: vscode.l10n.t({ message: 'Now', comment: 'A side of the merge editor: the file as it is' }),
    },
    output: vscode.Uri.file(file.file),
  });
}

/** Bytes of a text. Larger files are never conflicts. */
const MAX_BYTES = 50 * 1024 * 1024;

/** Returns the text of an open document, as it may not be saved, or of the file. @throws {SessionError} `invalid` or `not-found` */
const currentText = async (file: string): Promise<string> =>
  openDocument(file)?.getText() ?? readSmallText(file, { maxBytes: MAX_BYTES, followLink: false });
