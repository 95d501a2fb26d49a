/** Lists of todos as the programs record them. FORMAT section 5. */
import { asString, isArray, isObject, type JsonObject } from '../values/jsonValues';

/** The todos of a list that has no more than these. */
const MAX_TODOS = 2000;

/** The tools of pi's and other extensions, oh-my-pi, and Claude Code as it's imported. */
export const isTodoTool = (name: string | undefined): boolean =>
  name !== undefined && /^(?:update_?|manage_?)?todo(?:s|[-_]?(?:write|list))?$/i.test(name);
/** The custom entries of extensions that keep their list there, and of oh-my-pi's `/todo`. */
export const isTodoEntry = (customType: string | undefined): boolean =>
  customType !== undefined && /(?:^|[-_:.])todos?(?:$|[-_:.])/i.test(customType);

const OPEN = new Set(['pending', 'in_progress', 'in-progress', 'blocked', 'open', 'todo', 'not_started', 'not-started']);

/**
 * Returns how many todos of a recorded list are open; `undefined` if it isn't a list. The details of a result, the arguments of a
 * call, or the data of a custom entry: `phases` with `tasks` in oh-my-pi, `todos` or `items` elsewhere.
 */
export function countOpenTodos(recorded: unknown): number | undefined {
  if (!isObject(recorded)) return undefined;
  const phases = recorded['phases'];
  const lists = isArray(phases)
    ? phases.slice(0, MAX_TODOS).map((phase) => (isObject(phase) ? phase['tasks'] : undefined))
    : [recorded['todos'] ?? recorded['items']];
  if (!lists.every(isArray)) return undefined;
  return lists
    .flat()
    .slice(0, MAX_TODOS)
    .filter((todo) => isObject(todo) && isOpen(todo)).length;
}

/** A todo without a text of its own is one of a list of the project, in files, which isn't the session's. */
function isOpen(todo: JsonObject): boolean {
  const { text, content, done, completed, status } = todo;
  if (asString(text ?? content) === undefined) return false;
  if (typeof status === 'string') return OPEN.has(status);
  return done === false || completed === false;
}
