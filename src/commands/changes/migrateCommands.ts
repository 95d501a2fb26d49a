/** Commands that migrate sessions to the current format: selected ones, or all of a project. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import {
  migrateAll,
  migrationRefusal,
  permissionRefusal,
  planMigration,
  rootOf,
  SessionError,
  uiLine,
  type MigrationPlan,
  type MigrationResult,
} from '../../core/index';
import { localizeError, localizeProblem } from '../../ui/localize';
import { assertNotLive } from '../handler/assertNotLive';
import { withCancellableProgress } from '../handler/cancellableProgress';
import { confirm } from '../handler/prompts';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import type { CommandDeps } from '../handler/commandDeps';
import type { Answer, CommandHandler } from '../handler/commandHandler';
import { submitOptions, type ConfirmForce } from '../handler/confirmForce';
import { flag, sessionRefOf, requiredString } from '../handler/commandArguments';
import type { ReportDocuments } from '../handler/reportDocuments';
import { resolveProject } from '../terminal/terminalCommands';
import type { Notifier } from '../handler/notifications';
import { pathsInProject } from '../handler/sessions/newestFirst';

/** Files that a dialog lists. */
const MAX_LISTED = 8;

export function migrateCommands(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce, reports: ReportDocuments) {
  const migrate: CommandHandler<Answer<'sessionTree.migrate'>> = {
    title: vscode.l10n.t('Migrate'),
    runWithArguments: async (args) => {
      const { path } = sessionRefOf(args);
      const { backupPath } = await deps.writer.migrate(path, submitOptions(deps, path, flag(args, 'force')));
      await deps.refreshAfterWrite([path]);
      return { path, backupPath };
    },
    runInteractive: async (call) => {
      const paths = [...new Set((await call.resolveRefs()).map((ref) => ref.path))];
      for (const path of paths) {
        call.ref = { path };
        await assertCanMigrate(deps, path);
      }
      await assertNotLive(deps, call, paths);
      const only = paths.length === 1 ? paths[0] : undefined;
      await confirm(
        only !== undefined
          ? vscode.l10n.t('Migrate “{name}” to the current format?', { name: sessionDisplayName(deps, only) })
          : vscode.l10n.t('Migrate {count} sessions to the current format?', { count: paths.length }),
        migrationNotice(),
        vscode.l10n.t('Migrate'),
      );
      const backups: string[] = [];
      for (const path of paths) {
        call.ref = { path };
        const { backupPath } = await confirmForce({ path }, (force) => deps.writer.migrate(path, submitOptions(deps, path, force)));
        await deps.refreshAfterWrite([path]);
        backups.push(backupPath);
      }
      const backup = backups.length === 1 ? backups[0] : undefined;
      notifier.info(
        backup !== undefined
          ? vscode.l10n.t('Migrated to the current format. The original is kept as {backup}', { backup: basename(backup) })
          : vscode.l10n.t('Migrated {count} sessions to the current format. The originals are kept as backups.', {
              count: backups.length,
            }),
      );
    },
  };

  const dialectOf = (path: string) => rootOf(path, deps.roots())?.dialect;

  const migrateProject: CommandHandler<Answer<'sessionTree.migrateAll'>> = {
    title: vscode.l10n.t('Migrate All'),
    runWithArguments: async (args) => {
      const { ready, left } = await planMigration(await pathsInProject(deps, requiredString(args, 'cwd')), { dialectOf });
      const results = await migrateAll(
        ready.map(({ path }) => path),
        deps.writer,
        { dialectOf, force: flag(args, 'force') },
      );
      await deps.refreshAfterWrite(results.map(({ path }) => path));
      const refused = results.flatMap((result) => (result.did === 'refused' ? [{ path: result.path, reason: result.reason }] : []));
      return {
        migrated: results.flatMap((result) => (result.did === 'migrated' ? [{ path: result.path, backupPath: result.backupPath }] : [])),
        left: [...left, ...refused].map(({ path, reason }) => ({
          path,
          reason: reason instanceof Error ? reason.message : String(reason),
        })),
      };
    },
    runInteractive: async (call) => {
      const cwd = await resolveProject(deps, call);
      const plan = await withCancellableProgress(vscode.l10n.t('Checking sessions in {name}', { name: basename(cwd) }), async (options) =>
        planMigration(await pathsInProject(deps, cwd), { dialectOf, ...options }),
      );
      if (plan.ready.length === 0)
        throw new SessionError('already-current', 'No sessions in this project can be migrated: {reasons}', {
          reasons: skippedReasons(deps, plan).join('; ') || vscode.l10n.t('no sessions'),
        });
      await confirm(migrateAllQuestion(plan, basename(cwd)), planDescription(deps, plan), vscode.l10n.t('Migrate All'));
      // Collected first: a migrated file has a new time, and its name may depend on what is listed.
      const names = new Map(plan.ready.map(({ path }) => [path, sessionDisplayName(deps, path)]));
      const results = await withCancellableProgress(vscode.l10n.t('Migrating sessions in {name}', { name: basename(cwd) }), (options) =>
        migrateAll(
          plan.ready.map(({ path }) => path),
          deps.writer,
          { dialectOf, ...options },
        ),
      );
      await deps.refreshAfterWrite(results.map(({ path }) => path));
      const summary = summaryText(results);
      notifier.info(summary, {
        title: vscode.l10n.t('Show Report'),
        run: () => reports.show(vscode.l10n.t('Migration Report: {name}', { name: basename(cwd) }), reportText(summary, results, names)),
      });
    },
  };

  return { 'sessionTree.migrate': migrate, 'sessionTree.migrateAll': migrateProject };
}

const migrationNotice = (): string =>
  vscode.l10n.t('The file is rewritten in format 3, and the original is kept as a backup. Close this session in other programs first.');

/** Checks before the dialog whatever the migration would refuse, except for programs that use the session. @throws {SessionError} */
async function assertCanMigrate(deps: CommandDeps, path: string): Promise<void> {
  await deps.writer.assertChangeable(path);
  const refusal = migrationRefusal(await deps.session(path)) ?? (await permissionRefusal(path));
  if (refusal) throw refusal;
}

function migrateAllQuestion({ ready, left }: MigrationPlan, name: string): string {
  const count = ready.length;
  if (left.length > 0) return vscode.l10n.t('Migrate {count} of {all} sessions in {name}?', { count, all: count + left.length, name });
  return count === 1
    ? vscode.l10n.t('Migrate 1 session in {name}?', { name })
    : vscode.l10n.t('Migrate {count} sessions in {name}?', { count, name });
}

function planDescription(deps: CommandDeps, plan: MigrationPlan): string {
  const files = plan.ready.slice(0, MAX_LISTED).map(({ path, version, size }) =>
    vscode.l10n.t('{name} · format {version}, {size} KB', {
      name: sessionDisplayName(deps, path),
      version,
      size: Math.ceil(size / 1024),
    }),
  );
  const more = plan.ready.length - files.length;
  if (more > 0) files.push(vscode.l10n.t('and {count} more', { count: more }));
  const left = skippedReasons(deps, plan);
  const rest = left.length === 0 ? [] : ['', vscode.l10n.t('Not migrated:'), ...left];
  const notice = vscode.l10n.t(
    'Files are rewritten in format 3, and the originals are kept as backups. Close these sessions in other programs first.',
  );
  return [notice, '', ...files, ...rest].join('\n');
}

/** Lists the reasons why sessions aren't migrated. Sessions in the current format are only counted. */
function skippedReasons(deps: CommandDeps, { left }: MigrationPlan): string[] {
  const current = left.filter(({ reason }) => reason.code === 'already-current').length;
  const others = left.filter(({ reason }) => reason.code !== 'already-current');
  const lines = others
    .slice(0, MAX_LISTED)
    .map(
      ({ path, reason }) =>
        `${sessionDisplayName(deps, path)} · ${localizeProblem({ template: reason.template, args: { ...reason.args, path: basename(path) } })}`,
    );
  if (others.length > MAX_LISTED) lines.push(vscode.l10n.t('and {count} more', { count: others.length - MAX_LISTED }));
  if (current > 0)
    lines.unshift(
      current === 1
        ? vscode.l10n.t('1 session is already in the current format')
        : vscode.l10n.t('{count} sessions are already in the current format', { count: current }),
    );
  return lines;
}

function summaryText(results: readonly MigrationResult[]): string {
  const count = (did: MigrationResult['did']): number => results.filter((result) => result.did === did).length;
  const [migrated, refused, cancelled] = [count('migrated'), count('refused'), count('cancelled')];
  const parts = [
    migrated === 1 ? vscode.l10n.t('Migrated 1 session.') : vscode.l10n.t('Migrated {count} sessions.', { count: migrated }),
    refused === 0
      ? ''
      : refused === 1
        ? vscode.l10n.t('Couldn’t migrate 1 session.')
        : vscode.l10n.t('Couldn’t migrate {count} sessions.', { count: refused }),
    cancelled === 0
      ? ''
      : cancelled === 1
        ? vscode.l10n.t('Canceled before migrating 1 session.')
        : vscode.l10n.t('Canceled before migrating {count} sessions.', { count: cancelled }),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Makes the text of the report: the result for each file, refused ones first. */
function reportText(summary: string, results: readonly MigrationResult[], names: ReadonlyMap<string, string>): string {
  const section = (title: string, did: MigrationResult['did'], detailOf: (result: MigrationResult) => string): string[] => {
    const found = results.filter((result) => result.did === did);
    return found.length === 0
      ? []
      : [
          '',
          title,
          ...found.flatMap((result) => [
            '',
            `  ${names.get(result.path) ?? ''}`,
            `    ${uiLine(result.path)}`,
            ...(detailOf(result) === '' ? [] : [`    ${detailOf(result)}`]),
          ]),
        ];
  };
  return [
    summary,
    ...section(vscode.l10n.t('Couldn’t migrate'), 'refused', (result) => (result.did === 'refused' ? localizeError(result.reason) : '')),
    ...section(vscode.l10n.t('Canceled'), 'cancelled', () => ''),
    ...section(vscode.l10n.t('Migrated'), 'migrated', (result) =>
      result.did === 'migrated' ? vscode.l10n.t('backup: {file}', { file: basename(result.backupPath) }) : '',
    ),
    '',
  ].join('\n');
}
