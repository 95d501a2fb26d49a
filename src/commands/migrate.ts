/** Bringing old sessions to the current format: some, or all of a project. */
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CommandContract } from '../contract';
import { migrateAll, planMigration, rootOf, SessionError, type MigrationPlan, type MigrationResult } from '../core/index';
import { confirm } from './ask';
import type { CommandDeps } from './deps';
import type { Handler } from './frame';
import { submitOptions, type Insist } from './insist';
import { flag, refOf, required } from './plain';
import { projectOf } from './run';
import { sentence, type Voice } from './speak';

type Answer<Id extends keyof CommandContract> = CommandContract[Id]['answer'];

/** Files that a question lists. */
const LISTED = 12;

export function migrateCommands(deps: CommandDeps, voice: Voice, insist: Insist) {
  const migrate: Handler<Answer<'sessionTree.migrate'>> = {
    title: vscode.l10n.t('Migrate'),
    plain: async (args) => {
      const { path } = refOf(args);
      const { backupPath } = await deps.write.migrate(path, submitOptions(deps, path, flag(args, 'force')));
      await deps.changed([path]);
      return { path, backupPath };
    },
    asked: async (call) => {
      const paths = [...new Set((await call.files()).map((ref) => ref.path))];
      for (const path of paths) await assertOld(deps, path);
      await confirm(
        paths.length === 1 ? vscode.l10n.t('Migrate “{name}” to the current format?', { name: basename(paths[0]!) }) : vscode.l10n.t('Migrate {count} sessions to the current format?', { count: paths.length }),
        whatMigrationDoes(),
        vscode.l10n.t('Migrate'),
      );
      const backups: string[] = [];
      for (const path of paths) {
        call.ref = { path };
        const { backupPath } = await insist({ path }, (force) => deps.write.migrate(path, submitOptions(deps, path, force)));
        await deps.changed([path]);
        backups.push(backupPath);
      }
      voice.done(
        backups.length === 1 ? vscode.l10n.t('The session now has the current format. Its old content is kept in {backup}', { backup: basename(backups[0]!) }) : vscode.l10n.t('{count} sessions now have the current format. Their old content is kept beside them.', { count: backups.length }),
      );
    },
  };

  const pathsOf = (cwd: string): string[] => deps.sessions().flatMap((session) => (session.cwd === cwd ? [session.path] : []));
  const dialectOf = (path: string) => rootOf(path, deps.roots())?.dialect;

  const all: Handler<Answer<'sessionTree.migrateAll'>> = {
    title: vscode.l10n.t('Migrate All'),
    plain: async (args) => {
      const { ready, left } = await planMigration(pathsOf(required(args, 'cwd')), { dialectOf });
      const results = await migrateAll(ready.map(({ path }) => path), deps.write, { dialectOf, force: flag(args, 'force') });
      await deps.changed(results.map(({ path }) => path));
      const refused = results.flatMap((result) => (result.did === 'refused' ? [{ path: result.path, reason: result.reason }] : []));
      return {
        migrated: results.flatMap((result) => (result.did === 'migrated' ? [{ path: result.path, backupPath: result.backupPath }] : [])),
        left: [...left, ...refused].map(({ path, reason }) => ({ path, reason: reason instanceof Error ? reason.message : String(reason) })),
      };
    },
    asked: async (call) => {
      const cwd = await projectOf(deps, call);
      const plan = await withProgress(vscode.l10n.t('Looking at the sessions of {name}', { name: basename(cwd) }), (work) => planMigration(pathsOf(cwd), { dialectOf, ...work }));
      if (plan.ready.length === 0) throw new SessionError('already-current', 'No session of this project can be migrated: {reasons}', { reasons: leftOut(plan).join('; ') || vscode.l10n.t('there is none') });
      await confirm(
        vscode.l10n.t('Migrate {count} of the {all} sessions of {name}?', { count: plan.ready.length, all: plan.ready.length + plan.left.length, name: basename(cwd) }),
        planned(plan),
        vscode.l10n.t('Migrate All'),
      );
      const results = await withProgress(vscode.l10n.t('Migrating sessions of {name}', { name: basename(cwd) }), (work) => migrateAll(plan.ready.map(({ path }) => path), deps.write, { dialectOf, ...work }));
      await deps.changed(results.map(({ path }) => path));
      tellResults(deps, voice, results);
    },
  };

  return { 'sessionTree.migrate': migrate, 'sessionTree.migrateAll': all };
}

const whatMigrationDoes = (): string =>
  vscode.l10n.t('The file is written anew in version 3, which every program of today opens. What it holds now is kept beside it, in a backup that no program lists. A program that has the session open does not notice, so close the session there first.');

/** Says before the question what the writing would say after it. */
async function assertOld(deps: CommandDeps, path: string): Promise<void> {
  const session = await deps.session(path);
  if (session.version === 3 && !session.hasGivenIds) throw new SessionError('already-current', 'The session already has the current format: {path}', { path });
}

function planned(plan: MigrationPlan): string {
  const files = plan.ready.slice(0, LISTED).map(({ path, version, size }) => vscode.l10n.t('{file}: version {version}, {size} KB', { file: basename(path), version, size: Math.ceil(size / 1024) }));
  const more = plan.ready.length - files.length;
  if (more > 0) files.push(vscode.l10n.t('and {count} more', { count: more }));
  const left = leftOut(plan);
  const rest = left.length === 0 ? [] : ['', vscode.l10n.t('These stay as they are:'), ...left];
  return [...files, ...rest, '', whatMigrationDoes()].join('\n');
}

/** Those that are current are counted; for the others each reason is said. */
function leftOut({ left }: MigrationPlan): string[] {
  const current = left.filter(({ reason }) => reason.code === 'already-current').length;
  const others = left.filter(({ reason }) => reason.code !== 'already-current');
  const lines = others.slice(0, LISTED).map(({ path, reason }) => `${basename(path)}: ${sentence(new SessionError(reason.code, reason.template, { ...reason.args, path: basename(path) }))}`);
  if (others.length > LISTED) lines.push(vscode.l10n.t('and {count} more', { count: others.length - LISTED }));
  if (current > 0) lines.unshift(current === 1 ? vscode.l10n.t('one session already has the current format') : vscode.l10n.t('{count} sessions already have the current format', { count: current }));
  return lines;
}

/** One line for each file in the log, and one sentence for all. */
function tellResults(deps: CommandDeps, voice: Voice, results: readonly MigrationResult[]): void {
  const count = { migrated: 0, refused: 0, cancelled: 0 };
  for (const result of results) {
    count[result.did] += 1;
    if (result.did === 'migrated') deps.log.info(`migrated: ${result.path}, the old content is in ${result.backupPath}`);
    else if (result.did === 'cancelled') deps.log.info(`not migrated, as it was cancelled before: ${result.path}`);
    else deps.log.warn(`not migrated: ${result.path}:`, result.reason instanceof Error ? result.reason.message : String(result.reason));
  }
  const parts = [
    count.migrated === 1 ? vscode.l10n.t('One session was migrated.') : vscode.l10n.t('{count} sessions were migrated.', { count: count.migrated }),
    count.refused === 0 ? '' : vscode.l10n.t('Refused: {count}.', { count: count.refused }),
    count.cancelled === 0 ? '' : vscode.l10n.t('Cancelled before their turn: {count}.', { count: count.cancelled }),
  ];
  voice.done(parts.filter((part) => part !== '').join(' '), { title: vscode.l10n.t('Show Log'), run: () => vscode.commands.executeCommand('sessionTree.showLog') });
}

interface Work {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Work shorter than this many milliseconds shows no progress: it would only flash, and keep other messages out of sight. */
const QUICK = 500;

/** Work over many files that shows how far it is, and can be cancelled between two of them. */
async function withProgress<T>(title: string, work: (work: Work) => Promise<T>): Promise<T> {
  const aborting = new AbortController();
  let show: Work['onProgress'] | undefined;
  const running = work({ signal: aborting.signal, onProgress: (done, total) => show?.(done, total) });
  if (await Promise.race([running.then(() => true), wait(QUICK, false)])) return running;
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (progress, token) => {
    token.onCancellationRequested(() => aborting.abort(new vscode.CancellationError()));
    let shown = 0;
    show = (done, total) => {
      const now = (100 * done) / total;
      progress.report({ increment: now - shown, message: `${String(done)}/${String(total)}` });
      shown = now;
    };
    return running;
  });
}
