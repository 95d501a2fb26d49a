/** The command that shows which changed lines of a working tree come from sessions, and which from people and commands. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract } from '../../../contract';
import {
  repositoryOf,
  reviewChanges,
  SessionError,
  type Catalog,
  type Review,
  type ReviewedFile,
  type ReviewedRange,
} from '../../../core/index';
import { withCancellableProgress } from '../../handler/cancellableProgress';
import { optionalFolder, sessionRefOf } from '../../handler/commandArguments';
import type { CommandDeps } from '../../handler/commandDeps';
import { hasFile, type CommandHandler, type CommandInvocation } from '../../handler/commandHandler';
import type { Notifier } from '../../handler/notifications';
import { choose } from '../../handler/prompts';
import { sessionDisplayName } from '../../handler/sessions/sessionNames';
import { settledCatalog } from '../../handler/settledCatalog';
import { assertLocalFolder } from '../../terminal/terminalCommands';
import { assertTrusted, chooseRepository } from '../agentTrace/agentTraceInput';
import type { CommittedDocuments } from '../committedDocuments';
import { writerOf, type WriterTexts } from './reviewMarks';
import { ReviewView } from './reviewView';

type Answer = CommandContract['sessionTree.reviewChanges']['answer'];
type Progress = Parameters<Parameters<typeof withCancellableProgress>[1]>[0];

export function reviewCommands(deps: CommandDeps, notifier: Notifier, committed: CommittedDocuments) {
  let view: ReviewView | undefined;
  const review = async (repository: string, progress?: Progress): Promise<{ review: Review; catalog: Catalog }> => {
    const catalog = await settledCatalog(deps.catalog);
    return { review: await reviewChanges(catalog, repository, { editorText, ...progress }), catalog };
  };

  const command: CommandHandler<Answer> = {
    title: vscode.l10n.t('Review Changes in Working Tree'),
    runWithArguments: async (args) => {
      assertTrusted();
      const given = optionalFolder(args, 'repository');
      const repository = await (given === undefined ? repositoryOfSession(deps, sessionRefOf(args).path) : repositoryAt(given));
      const { files, left } = (await review(repository)).review;
      return { repository, files: [...files], left };
    },
    runInteractive: async (call) => {
      assertTrusted();
      const session = call.rows.find(hasFile)?.path;
      const repository = await targetRepository(deps, call, session);
      const found = await withCancellableProgress(vscode.l10n.t('Finding the origins of lines…'), (progress) =>
        review(repository, progress),
      );
      const { files, left } = found.review;
      if (files.length === 0) {
        notifier.info(vscode.l10n.t('No changes since the last commit: {path}', { path: repository }));
        return;
      }
      const only = await chooseFile(call.title, found.review, session);
      view?.dispose();
      const title =
        session === undefined ? vscode.l10n.t('Review: all sessions') : vscode.l10n.t('Review: {0}', sessionDisplayName(deps, session));
      view = new ReviewView({
        ...found,
        session,
        title,
        texts: writerTexts(deps, session),
        committed,
        onError: (error) => deps.log.error(error),
      });
      await view.open(only);
      if (left > 0) notifier.info(vscode.l10n.t('Too many files changed. This review leaves out {count} of them.', { count: left }));
    },
  };
  return {
    commands: { 'sessionTree.reviewChanges': command },
    dispose: () => view?.dispose(),
  };
}

/** The text of an open document, as it may not be saved. */
const editorText = (file: string): string | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file)?.getText();

async function targetRepository(deps: CommandDeps, call: CommandInvocation, session: string | undefined): Promise<string> {
  if (session !== undefined) return repositoryOfSession(deps, session);
  const [folder] = call.menuUris();
  return folder ? repositoryAt(folder.fsPath) : chooseRepository(call.title);
}

/** @throws {SessionError} `invalid` for a folder that may be on another computer, `not-found` outside of repositories */
async function repositoryOfSession(deps: CommandDeps, path: string): Promise<string> {
  const { cwd } = (await deps.session(path)).header;
  await assertLocalFolder(deps.untrustedPaths, cwd);
  return repositoryAt(cwd);
}

/** @throws {SessionError} `not-found` */
async function repositoryAt(folder: string): Promise<string> {
  const repository = folder === '' ? undefined : await repositoryOf(join(folder, '.git'));
  if (repository === undefined) throw new SessionError('not-found', 'This folder isn’t in a Git repository: {path}', { path: folder });
  return repository;
}

/** Lists the files with their counts; resolves to `undefined` for all. */
function chooseFile(title: string, { files }: Review, session: string | undefined): Promise<ReviewedFile | undefined> {
  const all = {
    label: vscode.l10n.t('All Files'),
    description: countsText(
      files.flatMap(({ ranges }) => ranges),
      session,
    ),
    iconPath: new vscode.ThemeIcon('diff-multiple'),
    value: undefined,
  };
  const each = files.map((file) => ({
    label: file.path,
    description: file.isDeleted ? vscode.l10n.t('deleted') : countsText(file.ranges, session),
    value: file,
  }));
  return choose<ReviewedFile | undefined>(title, vscode.l10n.t('Select what to review'), [all, ...each]);
}

/** Returns the number of lines by writer, such as “12 by this session, 3 by people or commands”. */
function countsText(ranges: readonly ReviewedRange[], session: string | undefined): string {
  const counts = { session: 0, otherSession: 0, others: 0 };
  for (const range of ranges) counts[writerOf(range, session)] += range.to - range.from + 1;
  const parts = [
    counts.session === 0
      ? ''
      : session === undefined
        ? vscode.l10n.t({ message: '{0} by sessions', args: [counts.session], comment: 'A number of changed lines' })
        : vscode.l10n.t({ message: '{0} by this session', args: [counts.session], comment: 'A number of changed lines' }),
    counts.otherSession === 0
      ? ''
      : vscode.l10n.t({ message: '{0} by other sessions', args: [counts.otherSession], comment: 'A number of changed lines' }),
    counts.others === 0
      ? ''
      : vscode.l10n.t({ message: '{0} by people or commands', args: [counts.others], comment: 'A number of changed lines' }),
  ].filter((part) => part !== '');
  return parts.length === 0 ? vscode.l10n.t('only removed lines') : parts.join(', ');
}

/** The words next to changed lines, and on pointing at them. */
function writerTexts(deps: CommandDeps, session: string | undefined): WriterTexts {
  const unknown = vscode.l10n.t('by a person or a command');
  return {
    short: ({ origin }) =>
      !origin ? unknown : origin.path === session ? vscode.l10n.t('this session') : sessionDisplayName(deps, origin.path),
    long: async ({ origin }) => {
      if (!origin) return [vscode.l10n.t('No session is known to have written these lines. A person or a command did.')];
      // The hover of every line says the same, with links.
      if (vscode.workspace.getConfiguration('sessionTree.lineOrigins').get('hover') === true) return [];
      const { path, promptId = '', certainty, time } = origin;
      const prompt = await deps.session(path).then(
        ({ byId }) => byId.get(promptId)?.text ?? '',
        () => '',
      );
      return [
        vscode.l10n.t('{session} · {time}', { session: sessionDisplayName(deps, path), time: deps.ago(time) }),
        ...(prompt === '' ? [] : [prompt]),
        ...(certainty === 'likely'
          ? [vscode.l10n.t('Likely: the lines were moved or reindented since, or there are equal lines nearby.')]
          : []),
      ];
    },
  };
}
