/** Commands that compress sessions in their place, and bring them back. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { defined, isArchivedSession, newGroupId, type ArchivePaths } from '../../core/index';
import { flag, refsAsArguments, refsOf, type CommandArguments } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { Answer, CommandHandler, CommandInvocation } from '../handler/commandHandler';
import type { Notifier } from '../handler/notifications';
import type { UndoAction } from '../changes/undoCommands';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { submitOptions, type ConfirmForce } from '../handler/confirmForce';
import { assertNotLive } from '../handler/assertNotLive';
import { changeEach } from '../handler/changeEach';
import { refusalToMove } from './refusalToMove';
import { askWithSubagents, subagentPaths, subagentsSentence } from './withSubagents';

export function archiveCommands(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce, undoAction: UndoAction) {
  /** @param group the group id of several sessions, which one undo restores together */
  const archive = async (path: string, group: string | undefined, force: boolean): Promise<void> => {
    const done = await deps.writer.archive(path, { ...submitOptions(deps, path, force), ...defined({ group }) });
    await refresh(done);
  };
  const unarchive = async (path: string): Promise<string> => {
    const done = await deps.writer.unarchive(path);
    await refresh(done);
    return done.path;
  };
  const refresh = ({ path, archive: archived }: ArchivePaths): Promise<void> => deps.refreshAfterWrite([path, archived]);

  /** Asks whether the sessions of subagents are archived, too; returns their paths if so. @throws {SessionError} `live` */
  const subagentsToArchive = async (call: CommandInvocation, paths: readonly string[]): Promise<readonly string[]> => {
    const subagents = (await subagentPaths(deps, paths)).filter((path) => !isArchivedSession(path));
    const [first] = paths;
    if (first === undefined || subagents.length === 0) return [];
    const question =
      paths.length === 1
        ? vscode.l10n.t('Archive “{name}”?', { name: sessionDisplayName(deps, first) })
        : vscode.l10n.t('Archive {count} sessions?', { count: paths.length });
    if (!(await askWithSubagents(question, subagentsSentence(subagents.length), vscode.l10n.t('Archive All')))) return [];
    await assertNotLive(deps, call, [...paths, ...subagents]).catch((error: unknown) => {
      throw refusalToMove(deps, error);
    });
    return subagents;
  };

  const archiveHandler: CommandHandler<Answer<'sessionTree.archive'>> = {
    title: vscode.l10n.t('Archive'),
    normalizeArguments: refsAsArguments,
    runWithArguments: async (args) => {
      const group = newGroupId();
      await deps.turns.take(() => forEachRef(args, ({ path }) => archive(path, group, flag(args, 'force'))));
      return undefined;
    },
    runInteractive: async (call) => {
      const chosen = new Set((await call.resolveRefs()).map(({ path }) => path));
      const paths = new Set([...(await subagentsToArchive(call, [...chosen])), ...chosen]);
      const group = paths.size > 1 ? newGroupId() : undefined;
      const goToPlace = call.rememberPlace();
      let count = 0;
      let name = '';
      try {
        await changeEach(deps, call.title, [...paths], async (path) => {
          call.ref = { path };
          name = sessionDisplayName(deps, path);
          await confirmForce({ path }, (force) => archive(path, group, force), {
            forceLabel: vscode.l10n.t('Archive Anyway'),
            canFork: false,
          }).catch((error: unknown) => {
            throw refusalToMove(deps, error);
          });
          count += 1;
        });
      } finally {
        if (count > 0)
          notifier.info(
            count === 1 && paths.size === 1
              ? vscode.l10n.t('Archived: {name}', { name })
              : vscode.l10n.t('Archived sessions: {count}', { count }),
            undoAction(),
          );
        await goToPlace();
      }
    },
  };

  const unarchiveHandler: CommandHandler<Answer<'sessionTree.unarchive'>> = {
    title: vscode.l10n.t('Unarchive'),
    normalizeArguments: refsAsArguments,
    runWithArguments: async (args) => {
      await deps.turns.take(() => forEachRef(args, ({ path }) => unarchive(path)));
      return undefined;
    },
    runInteractive: async (call) => {
      const paths = new Set((await call.resolveRefs()).map(({ path }) => path));
      await changeEach(deps, call.title, [...paths], async (path) => {
        call.ref = { path };
        const restored = await unarchive(path);
        if (paths.size === 1) await deps.reveal({ path: restored }, { focus: call.isOnViewRow });
      });
    },
  };

  return { 'sessionTree.archive': archiveHandler, 'sessionTree.unarchive': unarchiveHandler };
}

/** Runs work for each session, also after one failed. @throws the first failure */
async function forEachRef(args: CommandArguments, work: (ref: SessionRef) => Promise<unknown>): Promise<void> {
  const problems: unknown[] = [];
  for (const ref of refsOf(args)) await work(ref).catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw problems[0];
}
