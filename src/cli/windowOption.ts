/** The hidden option `--window <json>`: the folders that a window of the editor adds, as its extension writes them. */
import { isAbsolute } from 'node:path';
import {
  currentEnvironment,
  defined,
  isDialect,
  isFlag,
  isListOf,
  isObject,
  isObjectOf,
  isOneOf,
  isOptional,
  isText,
  type Check,
  type PathMap,
  type Root,
  type RootEnvironment,
} from '../core/index';
import { RequestError } from '../memory/requestError';

/** UTF-16 units of the option, about a thousand folders. */
const MAX_LENGTH = 100 * 1024;

type Window = Pick<RootEnvironment, 'added' | 'projects'>;

const isPath: Check<string> = (value): value is string => isText(value) && isAbsolute(value) && !value.includes('\0');
const isMap: Check<PathMap> = (value): value is PathMap => isObject(value) && Object.values(value).every(isText);

const isWindow = isObjectOf<Window>({
  added: isOptional(
    isListOf(
      isObjectOf<Root>({
        path: isPath,
        dialect: isDialect,
        flat: isFlag,
        names: isOptional(isListOf(isText)),
        ofSubagents: isOptional(isOneOf([true])),
        mayBeMissing: isOptional(isOneOf([true])),
        machine: isOptional(isText),
        map: isOptional(isMap),
        readOnly: isOptional(isFlag),
      }),
    ),
  ),
  projects: isOptional(isListOf(isPath)),
});

/** Returns the environment with the folders of a window. @throws {RequestError} if the text has another form, or is too long */
export function environmentOfWindow(text: string): RootEnvironment {
  const window = text.length > MAX_LENGTH ? undefined : parsed(text);
  if (!isWindow(window)) throw new RequestError('The value of “--window” isn’t one that the editor’s extension writes.');
  const { added, projects } = window;
  return { ...currentEnvironment(projects), ...defined({ added }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
