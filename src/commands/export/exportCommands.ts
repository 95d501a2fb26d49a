/** The command that exports a session to a file, after a review of the replacements. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import {
  defined,
  EXPORT_FORMATS,
  exportSession,
  fileImages,
  findSecrets,
  FORMAT_FACTS,
  shortPath,
  type ExportFormat,
  type FindSecretsOptions,
  type Session,
  type SessionFinding,
} from '../../core/index';
import { localizeSessionTitle } from '../../ui/localize';
import { withCancellableProgress } from '../handler/cancellableProgress';
import { flag, optionalOneOf, requiredString, sessionRefOf } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import { hasFile, type CommandHandler } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';
import { subagentPaths, subagentsSentence } from '../cleanUp/withSubagents';
import type { Choice } from '../handler/prompts';
import { askTarget, assertOutside, chooseExport, exportTexts, isRedacted } from './exportChoices';
import { groupFindings } from './findingGroups';
import { openExport } from './openExport';
import { redactionSettings } from './redactionSettings';
import { reviewFindings, type Reviewed } from './reviewFindings';

type Answer = CommandContract['sessionTree.exportSession']['answer'];

export function exportCommands(deps: CommandDeps, notifier: Notifier) {
  const exportOne: CommandHandler<Answer> = {
    title: vscode.l10n.t('Export Session'),
    runWithArguments: async (args) => {
      const { path, entryId } = sessionRefOf(args);
      const format = optionalOneOf(args, 'format', EXPORT_FORMATS);
      if (format === undefined) requiredString(args, 'format');
      const branches = optionalOneOf(args, 'branches', ['active', 'all']);
      const target = requiredString(args, 'target');
      await assertOutside(deps, target);
      const { bytes, redacted, problems } = await exportSession(await deps.session(path), {
        format: format ?? 'jsonl',
        target,
        overwrite: flag(args, 'overwrite'),
        redact: isRedacted(args) && redactionSettings(),
        ...defined({ entryId, branches }),
      });
      return { path: target, bytes, redacted, problems };
    },
    runInteractive: async (call) => {
      if (
        new Set(
          call
            .targetRows()
            .filter(hasFile)
            .map(({ path }) => path),
        ).size > 1
      ) {
        await vscode.commands.executeCommand('sessionTree.exportSessions', ...call.targetRows().slice(0, 1), call.targetRows());
        return;
      }
      const ref = await call.resolveRef();
      const session = await deps.session(ref.path);
      const subagents = ref.entryId === undefined ? await subagentPaths(deps, [ref.path]) : [];
      const chosen = await chooseExport(deps, call.title, session, ref, withSubagents(subagents.length));
      if (chosen === 'subagents') {
        const rows = [ref.path, ...subagents].map((path) => ({ row: 'session', path }));
        await vscode.commands.executeCommand('sessionTree.exportSessions', rows[0], rows);
        return;
      }
      const { format, range } = chosen;
      const { keep, also, leaveOut, withoutFileImages, sessionTitle } = await reviewSession(deps, session, range, format, call.title);
      const target = await askTarget(deps, call.title, session, format, sessionTitle);
      const { path, redacted, problems } = await withCancellableProgress(vscode.l10n.t('Exporting the session…'), (progress) =>
        exportSession(session, {
          ...range,
          ...progress,
          ...exportTexts(),
          format,
          target,
          withoutFileImages,
          leaveOut: leaveOut.map(({ entryId }) => entryId),
          redact: { ...redactionSettings(), keep, also },
          overwrite: true,
        }),
      );
      const done = vscode.l10n.t('Exported to {path}. Texts replaced: {count}.', { path: shortPath(path), count: redacted.length });
      const missing = problems.length === 0 ? '' : ` ${vscode.l10n.t('Lines that couldn’t be read: {count}.', { count: problems.length })}`;
      notifier.info(`${done}${missing}`, {
        title: vscode.l10n.t('Open'),
        run: () => openExport(path),
      });
    },
  };
  return { 'sessionTree.exportSession': exportOne };
}

/** The choice to export the sessions of a session's subagents, too, if there are any. */
const withSubagents = (count: number): readonly Choice<'subagents'>[] =>
  count === 0
    ? []
    : [{ label: vscode.l10n.t('This Session and Its Subagents’ Sessions'), description: subagentsSentence(count), value: 'subagents' }];

/** Lets the person review what an export of a session replaces. Returns the session's title without secrets, too. @throws {vscode.CancellationError} */
export async function reviewSession(
  deps: CommandDeps,
  session: Session,
  range: Pick<FindSecretsOptions, 'branches' | 'entryId'>,
  format: ExportFormat,
  title: string,
): Promise<Reviewed & { readonly sessionTitle: string }> {
  // The last word of a title that was cut may be a part of a secret, which nothing would recognize.
  const { title: known, messageCount } = deps.summary(session.path) ?? { title: '', messageCount: 0 };
  let sessionTitle = '';
  const onLearned = async (redact: (text: string) => Promise<string>): Promise<void> => {
    // Secrets are recognized in the title as it was written, with its Markdown.
    sessionTitle = localizeSessionTitle({ title: await redact(known.replace(/\S*…$/, '')), messageCount });
  };
  const [groups, images] = await withCancellableProgress(vscode.l10n.t('Looking for secrets…'), async (progress) => [
    await groupFindings(located(session, findSecrets(session, { ...range, ...redactionSettings(), ...progress, onLearned }))),
    FORMAT_FACTS[format].hasFileImages ? await fileImages(session, { ...range, signal: progress.signal }) : 0,
  ]);
  return { ...(await reviewFindings(deps, groups, images, title)), sessionTitle };
}

async function* located({ path }: SessionRef, findings: ReturnType<typeof findSecrets>): AsyncGenerator<SessionFinding, void> {
  for await (const finding of findings) yield { ...finding, path };
}
