/** The list in which the person chooses the tags of sessions, and adds new ones. */
import * as vscode from 'vscode';
import type { MarkChange } from '../contract';
import { defined } from '../core/index';
import { createFilledQuickPick } from '../ui/safe/quickInput';
import type { CommandDeps } from './handler/commandDeps';

interface TagItem extends vscode.QuickPickItem {
  readonly tag: string;
}

/**
 * Shows all tags. Those that all sessions have are checked; what's typed can be added. Resolves to the changes that were chosen.
 *
 * @param ids of the sessions
 * @throws {vscode.CancellationError}
 */
export async function chooseTags(marks: CommandDeps['marks'], title: string, ids: readonly string[]): Promise<MarkChange[]> {
  const have = ids.map((id) => marks.of({ id }).tags ?? []);
  const countOf = (tag: string): number => have.filter((tags) => tags.includes(tag)).length;
  const tags = [...marks.allTags()];
  const itemOf = (tag: string): TagItem => {
    const count = countOf(tag);
    const isPartial = count > 0 && count < ids.length;
    const description = isPartial ? vscode.l10n.t('{count} of {total} sessions', { count, total: ids.length }) : undefined;
    return { label: tag, tag, ...defined({ description }) };
  };
  const picker = await createFilledQuickPick(tags.map(itemOf));
  try {
    picker.title = title;
    picker.canSelectMany = true;
    picker.placeholder = tags.length === 0 ? vscode.l10n.t('Type a new tag') : vscode.l10n.t('Type a new tag, or select tags');
    const isWhole = (tag: string): boolean => countOf(tag) === ids.length;
    picker.selectedItems = picker.items.filter(({ tag }) => isWhole(tag));
    /** Checked as long as it's typed, so that Enter adds it. */
    let typed: TagItem | undefined;
    picker.onDidChangeValue((value) => {
      const chosen = picker.selectedItems.filter((item) => item !== typed);
      const known = tags.map((tag) => picker.items.find((item) => item.tag === tag) ?? itemOf(tag));
      typed = typedItem(marks, value, known);
      const isNew = typed !== undefined && !known.includes(typed);
      picker.items = [...(typed && isNew ? [typed] : []), ...known];
      if (typed && chosen.includes(typed)) typed = undefined;
      picker.selectedItems = [...chosen, ...(typed ? [typed] : [])];
    });
    const accepted = await new Promise<readonly TagItem[] | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!accepted) throw new vscode.CancellationError();
    const chosen = new Set(accepted.map(({ tag }) => tag));
    const change = (tag: string, isOn: boolean): MarkChange => ({ kind: 'tag', ids, tag, isOn });
    return [
      ...[...chosen].filter((tag) => !isWhole(tag)).map((tag) => change(tag, true)),
      ...tags.filter((tag) => isWhole(tag) && !chosen.has(tag)).map((tag) => change(tag, false)),
    ];
  } finally {
    picker.dispose();
  }
}

/** The item of the tag that was typed, which may be a new one. */
function typedItem(marks: CommandDeps['marks'], typed: string, known: readonly TagItem[]): TagItem | undefined {
  if (typed.replaceAll(/[\s"#]/g, '') === '') return undefined;
  const tag = marks.tagName(typed);
  return known.find((item) => item.tag === tag) ?? { label: tag, tag, description: vscode.l10n.t('new tag'), alwaysShow: true };
}
