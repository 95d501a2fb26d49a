/** Adds records of Agent Trace to their commits as Git notes: first shown, then written if the person says so. */
import * as vscode from 'vscode';
import { addNote, beginning, notedCommits, NOTES_REF, sanitizeText, type TracedCommit, type Writer } from '../../../core/index';
import { withCancellableProgress } from '../../handler/cancellableProgress';
import type { NotificationAction, Notifier } from '../../handler/notifications';
import { confirm } from '../../handler/prompts';
import type { ReportDocuments } from '../../handler/reportDocuments';

interface NotesAnswer {
  /** The commits that got a note, or would with `dryRun`. */
  added: string[];
  /** The commits that keep the note they had. */
  kept: string[];
}

interface AddOptions {
  /** Replaces notes. */
  readonly overwrite: boolean;
  /** Writes nothing. */
  readonly dryRun?: boolean;
  readonly assertChangeable: Writer['assertChangeable'];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** UTF-16 units of a commit's subject in the preview. */
const MAX_SUBJECT = 200;

const noteText = ({ record }: TracedCommit): string => JSON.stringify(record, undefined, 2);

/** @throws {SessionError} `invalid` if Git refuses; the notes before stay */
export async function addNotes(
  repository: string,
  commits: readonly TracedCommit[],
  { overwrite, dryRun = false, assertChangeable, signal, onProgress }: AddOptions,
): Promise<NotesAnswer> {
  const noted = await notedCommits(repository, signal);
  const wanted = commits.filter(({ hash }) => overwrite || !noted.has(hash));
  for (const [index, commit] of wanted.entries()) {
    signal?.throwIfAborted();
    if (!dryRun) await addNote(repository, commit.hash, noteText(commit), { overwrite, assertChangeable, signal });
    onProgress?.(index + 1, wanted.length);
  }
  return {
    added: wanted.map(({ hash }) => hash),
    kept: commits.filter((commit) => !wanted.includes(commit)).map(({ hash }) => hash),
  };
}

/** Shows the notes in a document, and a message with the buttons that write them. */
export async function offerNotes(
  repository: string,
  commits: readonly TracedCommit[],
  notifier: Notifier,
  reports: ReportDocuments,
  assertChangeable: Writer['assertChangeable'],
): Promise<void> {
  const { added, kept } = await addNotes(repository, commits, { overwrite: false, dryRun: true, assertChangeable });
  await reports.show(vscode.l10n.t('Git Notes: Preview'), previewText(repository, commits, new Set(kept)));
  const write = async (overwrite: boolean): Promise<void> => {
    if (overwrite)
      await confirm(
        vscode.l10n.t('Replace the notes that these commits have?'),
        vscode.l10n.t('Git will show the new notes instead of the current ones.'),
        vscode.l10n.t('Replace'),
      );
    await withCancellableProgress(vscode.l10n.t('Adding notes…'), (progress) =>
      addNotes(repository, commits, { overwrite, assertChangeable, ...progress }),
    );
    notifier.info(vscode.l10n.t('Added the notes. Git shows them with: {command}', { command: `git log --notes=${NOTES_REF}` }));
  };
  const action = (title: string, overwrite: boolean): NotificationAction => ({
    title,
    run: () => write(overwrite).catch((error: unknown) => notifier.error(error, undefined)),
  });
  notifier.info(
    vscode.l10n.t('The notes in the preview aren’t written yet.'),
    ...(added.length > 0 ? [action(vscode.l10n.t('Add Notes'), false)] : []),
    ...(kept.length > 0 ? [action(vscode.l10n.t('Add and Replace…'), true)] : []),
  );
}

/** @param kept the commits that have a note */
function previewText(repository: string, commits: readonly TracedCommit[], kept: ReadonlySet<string>): string {
  const rows = commits.map((commit) => {
    const { hash, subject } = commit;
    const state = kept.has(hash) ? ` (${vscode.l10n.t('already has a note, which is kept')})` : '';
    return `${hash} ${sanitizeText(beginning(subject, MAX_SUBJECT))}${state}\n\n${noteText(commit)}\n`;
  });
  return [
    vscode.l10n.t('Notes that would be written to refs/notes/{ref} in {repository}', { ref: NOTES_REF, repository }),
    '',
    ...rows,
  ].join('\n');
}
