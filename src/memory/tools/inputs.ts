/**
 * The arguments of the tools as JSON schemas: of the MCP server, and of the language model tools in `package.json`, where a test compares
 * them.
 */
import { defined } from '../../core/index';
import { RequestError } from '../requestError';

interface TextInput {
  readonly type: 'string';
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength: number;
}

interface NumberInput {
  readonly type: 'integer';
  readonly description?: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** A type instead of an interface, because only types fit those of JSON schemas. */
export type ToolInput = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, TextInput | NumberInput>>;
  readonly required: string[];
};

const MAX_PATH = 8192;
const MAX_WORD = 100;
const MAX_LINE = 1_000_000_000;

const maxTokens: NumberInput = {
  type: 'integer',
  description: 'the most tokens of the answer, about 1,000 by default',
  minimum: 20,
  maximum: 1_000_000,
};
const session: TextInput = {
  type: 'string',
  description: 'a reference or path that an answer gave, or a session’s id',
  minLength: 1,
  maxLength: MAX_PATH,
};
const limit: NumberInput = { type: 'integer', description: 'the most answers', minimum: 1, maximum: 10_000 };
const project: TextInput = {
  type: 'string',
  description: 'only sessions of this folder, or of folders whose name begins like this',
  maxLength: MAX_PATH,
};
const word = (description?: string): TextInput => ({
  type: 'string',
  ...defined({ description }),
  maxLength: MAX_WORD,
});
const entry = (description: string): TextInput => ({ type: 'string', description, minLength: 1, maxLength: MAX_PATH });
const inputOf = (required: readonly string[], properties: ToolInput['properties']): ToolInput => ({
  type: 'object',
  properties: { ...properties, maxTokens },
  required: [...required],
});

export const INPUTS = {
  search_sessions: inputOf(['query'], {
    query: { type: 'string', description: 'words that were said or returned', maxLength: MAX_PATH },
    limit,
    project,
    role: word('user, assistant, tool, extension, command, name, label, summary or system'),
  }),
  list_sessions: inputOf([], { project, limit }),
  session_tree: inputOf(['session'], { session, filter: word() }),
  read_branch: inputOf(['session'], {
    session,
    entryId: entry('the last entry to read: its id or reference'),
    fromId: entry('the first entry to read'),
    maxBytes: { type: 'integer', description: 'the most bytes of the answer', minimum: 1, maximum: MAX_LINE },
  }),
  branch_digest: inputOf(['session'], { session, entryId: entry('an entry of the branch; by default the active one') }),
  why_line: inputOf(['file', 'line'], {
    file: { type: 'string', minLength: 1, maxLength: MAX_PATH },
    line: { type: 'integer', minimum: 1, maximum: MAX_LINE },
  }),
  session_usage: inputOf(['by'], { by: word('day, month, project, model, session, family, program or cause'), since: word() }),
} as const satisfies Readonly<Record<string, ToolInput>>;
export type ToolName = keyof typeof INPUTS;

/** Checks the arguments of a call as the schema says. Others than those of the schema are ignored. @throws {RequestError} */
export function checkInput(name: ToolName, args: Readonly<Record<string, unknown>>): void {
  const { properties, required }: ToolInput = INPUTS[name];
  for (const [key, schema] of Object.entries(properties)) {
    const value = args[key];
    if (value === undefined && !required.includes(key)) continue;
    if (!isValid(schema, value)) throw new RequestError(`The argument “${key}” of ${name} must be ${sentenceOf(schema)}.`);
  }
}

function isValid(schema: TextInput | NumberInput, value: unknown): boolean {
  if (schema.type === 'integer')
    return typeof value === 'number' && Number.isSafeInteger(value) && schema.minimum <= value && value <= schema.maximum;
  return typeof value === 'string' && (schema.minLength ?? 0) <= value.length && value.length <= schema.maxLength;
}

const sentenceOf = (schema: TextInput | NumberInput): string =>
  schema.type === 'integer'
    ? `a whole number from ${String(schema.minimum)} to ${String(schema.maximum)}`
    : `a string of ${String(schema.minLength ?? 0)} to ${String(schema.maxLength)} characters`;
