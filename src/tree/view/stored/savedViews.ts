/** The views that a person saved: the order, the groups and the filters of the Sessions view, each under a name. */
import type * as vscode from 'vscode';
import type { SavedView } from '../../../contract';
import { isArray, isDialect, isFilter, isObject, oneLine, SessionError } from '../../../core/index';
import { checkedArrangement } from './arrangementState';

const KEY = 'sessionTree.views';
/** The keys that Settings Sync takes to other machines. */
export const SAVED_VIEWS_KEYS: readonly string[] = [KEY];

const MAX_VIEWS = 50;
/** UTF-16 units of a name. */
const MAX_NAME_LENGTH = 100;

export class SavedViews {
  /** @param state shared by all windows */
  constructor(private readonly state: Pick<vscode.Memento, 'get' | 'update'>) {}

  /** In the order of their names. */
  all(): readonly SavedView[] {
    const stored = this.state.get<unknown>(KEY);
    const views = isArray(stored) ? stored.flatMap(checked) : [];
    return views.sort((a, b) => a.name.localeCompare(b.name));
  }

  /** @throws {SessionError} `not-found` */
  get(name: string): SavedView {
    const view = this.all().find((one) => one.name === viewName(name));
    if (!view) throw new SessionError('not-found', 'There’s no saved view “{name}”.', { name: viewName(name) });
    return view;
  }

  /** Replaces a view with the same name. @throws {SessionError} `invalid` if there's no name, or if there are too many views */
  async save(view: SavedView): Promise<void> {
    const name = viewName(view.name);
    if (name === '') throw new SessionError('invalid', 'A view needs a name.');
    const others = this.all().filter((one) => one.name !== name);
    if (others.length >= MAX_VIEWS) throw new SessionError('invalid', 'There can be at most {count} saved views.', { count: MAX_VIEWS });
    await this.state.update(KEY, [...others, { ...view, name }]);
  }

  /** @throws {SessionError} `not-found` */
  async delete(name: string): Promise<void> {
    const view = this.get(name);
    await this.state.update(
      KEY,
      this.all().filter((one) => one.name !== view.name),
    );
  }
}

const viewName = (name: string): string => oneLine(name, MAX_NAME_LENGTH);

/** Takes what another version or machine stored. Unknown values count as the default. */
function checked(stored: unknown): SavedView[] {
  if (!isObject(stored) || typeof stored['name'] !== 'string') return [];
  const { filter, program } = stored;
  return [
    {
      name: viewName(stored['name']),
      arrangement: checkedArrangement(stored['arrangement']),
      filter: isFilter(filter) ? filter : 'default',
      program: isDialect(program) ? program : 'all',
    },
  ];
}
