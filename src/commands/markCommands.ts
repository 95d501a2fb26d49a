/** Commands for what the person keeps about sessions: pins, tags and notes. */
import * as vscode from 'vscode';
import type { MarkChange, SessionRef } from '../contract';
import { isArray } from '../core/index';
import { refsAsArguments, refsOf, requiredString, sessionRefOf, type CommandArguments } from './handler/commandArguments';
import type { CommandDeps } from './handler/commandDeps';
import type { CommandHandler } from './handler/commandHandler';
import type { Notifier } from './handler/notifications';
import { askText, chooseSettingValue } from './handler/prompts';
import { sessionDisplayName } from './handler/sessions/sessionNames';
import { chooseTags } from './chooseTags';
import { undoMarkChange } from './changes/undoMarks';

export function markCommands(deps: CommandDeps, notifier: Notifier) {
  const idOf = async (path: string): Promise<string> => deps.summary(path)?.id ?? (await deps.session(path)).header.id;
  const change = async (
    refs: readonly SessionRef[],
    changesOf: (ids: readonly [string, ...string[]]) => readonly MarkChange[],
  ): Promise<void> => {
    const [first, ...rest] = await Promise.all(refs.map(({ path }) => idOf(path)));
    if (first !== undefined) await deps.marks.change(changesOf([first, ...rest]), refs[0]?.path ?? '');
  };

  const pinning = (title: string, isOn: boolean): CommandHandler<undefined> => ({
    title,
    normalizeArguments: refsAsArguments,
    runWithArguments: async (args) => {
      await change(refsOf(args), (ids) => [{ kind: 'pin', ids, isOn }]);
      return undefined;
    },
    runInteractive: async (call) => change(await call.resolveRefs(), (ids) => [{ kind: 'pin', ids, isOn }]),
  });

  const tagging = (isOn: boolean): CommandHandler<undefined> => ({
    title: vscode.l10n.t('Tags'),
    runWithArguments: async (args) => {
      const tag = deps.marks.tagName(requiredString(args, 'tag'));
      await change(listedRefs(args), (ids) => [{ kind: 'tag', ids, tag, isOn }]);
      return undefined;
    },
    runInteractive: async (call) => {
      const refs = await call.resolveRefs();
      const ids = await Promise.all(refs.map(({ path }) => idOf(path)));
      const changes = await chooseTags(deps.marks, call.title, ids);
      if (changes.length === 0) return;
      await deps.marks.change(changes, refs[0].path);
      const made = deps.marks.lastChange();
      // A single row shows what changed.
      if (made && refs.length > 1)
        notifier.info(vscode.l10n.t('Changed the tags of {count} sessions', { count: refs.length }), {
          title: vscode.l10n.t('Undo'),
          run: () => undoMarkChange(deps, notifier, made),
        });
    },
  });

  const note: CommandHandler<undefined> = {
    title: vscode.l10n.t('Note'),
    runWithArguments: async (args) => {
      const text = requiredString(args, 'text');
      await change([sessionRefOf(args)], ([id]) => [{ kind: 'note', ids: [id], text }]);
      return undefined;
    },
    runInteractive: async (call) => {
      const refs = await call.resolveRefs();
      const [{ path }] = refs;
      const ids = await Promise.all(refs.map((ref) => idOf(ref.path)));
      const [current = '', ...others] = new Set(ids.map((id) => deps.marks.of({ id }).note ?? ''));
      // Different notes are replaced by one.
      const value = others.length === 0 ? current : '';
      const text = await askText({
        title: call.title,
        value,
        placeHolder:
          refs.length > 1
            ? vscode.l10n.t('Note about {count} sessions', { count: refs.length })
            : vscode.l10n.t('Note about “{name}”', { name: sessionDisplayName(deps, path) }),
        prompt:
          current === '' && others.length === 0
            ? vscode.l10n.t('Only you see it: it isn’t written into the session.')
            : vscode.l10n.t('Leave empty to remove the note.'),
      });
      await deps.marks.change(
        ids.map((id) => ({ kind: 'note', ids: [id], text })),
        path,
      );
    },
  };

  const filterByTag: CommandHandler<undefined> = {
    title: vscode.l10n.t('Filter by Tag'),
    runWithArguments: async (args) => {
      await deps.arrange({ tag: requiredString(args, 'tag') });
      return undefined;
    },
    runInteractive: async (call) => {
      const tags = deps.marks.allTags();
      const choices = [{ label: vscode.l10n.t('All Sessions'), value: '' }, ...tags.map((tag) => ({ label: tag, value: tag }))];
      const placeholder =
        tags.length === 0
          ? vscode.l10n.t('There are no tags yet. To add one, choose Tags… in a session’s menu.')
          : vscode.l10n.t('Select a tag');
      await deps.arrange({ tag: await chooseSettingValue(call.title, placeholder, choices, deps.arrangement().tag ?? '') });
    },
  };

  return {
    'sessionTree.pin': pinning(vscode.l10n.t('Pin'), true),
    'sessionTree.unpin': pinning(vscode.l10n.t('Unpin'), false),
    'sessionTree.tag': tagging(true),
    'sessionTree.untag': tagging(false),
    'sessionTree.note': note,
    'sessionTree.filterByTag': filterByTag,
  };
}

/** Reads `refs`, one session or several. @throws {SessionError} `invalid` */
const listedRefs = (args: CommandArguments): SessionRef[] =>
  refsOf({ refs: isArray(args['refs']) ? args['refs'] : [args['refs'] ?? args] });
