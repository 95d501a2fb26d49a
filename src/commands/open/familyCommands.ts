/** Commands that go from a call to the session of the subagent that it started, and back. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { jsonSteps, readBodies, SessionError, Yielder, type StartedSession } from '../../core/index';
import { localizeSessionTitle } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { sessionRefOf } from '../handler/commandArguments';
import { choose } from '../handler/prompts';

/** UTF-16 units of a call and its result that are compared with titles. */
const MAX_TEXT = 64 * 1024;

export function familyCommands(deps: CommandDeps) {
  const isOf = ({ call }: StartedSession, entryId: string): boolean => call?.entryId === entryId || call?.resultId === entryId;

  /** The sessions that a call has started, as far as the recording tells; without an entry all below the session. */
  const started = async ({ path, entryId }: SessionRef): Promise<readonly StartedSession[]> => {
    const all = await deps.subagentsOf(path);
    return entryId === undefined ? all : all.filter((each) => isOf(each, entryId));
  };

  const orNotFound = (found: readonly StartedSession[], { path }: SessionRef): readonly StartedSession[] => {
    if (found.length === 0)
      throw new SessionError('not-found', 'No session of a subagent that this call started is in your session folders: {path}', { path });
    return found;
  };

  /** The subagents' sessions that no call's result names, those whose titles have most words in common with a call first. */
  const likely = async ({ path, entryId }: SessionRef): Promise<readonly StartedSession[]> => {
    const unnamed = (await deps.subagentsOf(path)).filter(({ isNamed }) => !isNamed);
    if (entryId === undefined || unnamed.length < 2) return unnamed;
    const session = await deps.session(path);
    const parentId = session.byId.get(entryId)?.parentId;
    const bodies = await readBodies(session, [entryId, ...(parentId ? [parentId] : [])]);
    const pause = new Yielder(undefined);
    const texts: string[] = [];
    for (const body of bodies) texts.push((await pause.run(jsonSteps(body))).slice(0, MAX_TEXT));
    const words = wordsOf(texts.join(' '));
    const ranked = unnamed.map((each) => ({ each, share: commonShare(each.file.summary.title, words) }));
    return ranked.sort((a, b) => b.share - a.share).map(({ each }) => each);
  };

  const goToSubagent: CommandHandler<readonly SessionRef[]> = {
    title: vscode.l10n.t('Go to Subagent’s Session'),
    runWithArguments: async (args) => {
      const ref = sessionRefOf(args);
      return orNotFound(await started(ref), ref).map(({ file }) => ({ path: file.path }));
    },
    runInteractive: async (call) => {
      const ref = await call.resolveRef();
      const sure = await started(ref);
      const found = sure.length > 0 ? sure : orNotFound(await likely(ref), ref);
      const choices = found.map(({ file: { path, summary } }) => ({
        label: localizeSessionTitle(summary),
        description: [summary.agent ?? '', deps.ago(summary.modified)].filter((part) => part !== '').join(' · '),
        value: path,
      }));
      const placeholder =
        sure.length > 0
          ? vscode.l10n.t('Select a session to open')
          : vscode.l10n.t('The recording doesn’t say which session this call started. The likeliest one is first');
      const [only] = choices;
      const path = only && sure.length === 1 ? only.value : await choose(call.title, placeholder, choices);
      await deps.showContext({ path });
    },
  };

  const above = async ({ path }: SessionRef): Promise<SessionRef> => {
    const ref = await deps.callOf(path);
    if (!ref) throw new SessionError('not-found', 'No session in your session folders has started this one: {path}', { path });
    return ref;
  };

  const goToCall: CommandHandler<SessionRef> = {
    title: vscode.l10n.t('Go to Starting Call'),
    runWithArguments: async (args) => above(sessionRefOf(args)),
    runInteractive: async (call) => {
      await deps.showContext(await above(await call.resolveRef()));
    },
  };

  return { 'sessionTree.goToSubagent': goToSubagent, 'sessionTree.goToCall': goToCall };
}

/** The words of a text, and numbers, in lower case. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** The share of a title's words that are among others, from 0 to 1. */
function commonShare(title: string, words: ReadonlySet<string>): number {
  const own = [...wordsOf(title)];
  return own.length === 0 ? 0 : own.filter((word) => words.has(word)).length / own.length;
}
