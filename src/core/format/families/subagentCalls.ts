/** Calls that start subagents, and the sessions that their results name. Pure. FORMAT section 1. */
import { defined } from '../values/defined';
import { isArray, isObject, asString, type JsonObject } from '../values/jsonValues';

/** A call of a tool that starts subagents. */
export interface SubagentCall {
  /** The id of the call in its message. */
  readonly callId: string;
  /** The entry of the message with the call. */
  readonly entryId: string;
  /** The entry of the result; absent while the call runs. */
  readonly resultId?: string;
  /** When the call began, in milliseconds since 1970. */
  readonly from: number;
  /** When its result came; absent while the call runs. */
  readonly until?: number;
  /** The sessions that the result names. */
  readonly sessions?: readonly NamedSession[];
}

/** A session as the result of a call names it. */
export interface NamedSession {
  /** The path of its file, as the result has it. */
  readonly file: string;
  /** The name of the agent. */
  readonly agent?: string;
}

/** Tools of pi's extensions and of the other programs that start subagents. Others are recognized by their names. */
const TOOLS = new Set(['agent', 'agents', 'task', 'subagent', 'subagents', 'sessions_spawn', 'delegate', 'dispatch_agent', 'spawn_agent']);
const TOOL_NAME = /sub[-_]?agent|spawn[-_]?agent/i;

/** True for the name of a tool that starts subagents. */
export const isSubagentTool = (name: string | undefined): boolean =>
  name !== undefined && (TOOLS.has(name.toLowerCase()) || TOOL_NAME.test(name));

/** Limits of a search for sessions in the details of a result: values that are looked at, sessions, and UTF-16 units of a path and a name. */
const [MAX_VALUES, MAX_SESSIONS, MAX_PATH, MAX_NAME] = [20_000, 64, 4096, 80];

/** Lists of oh-my-pi's `task`: of the agents that are done, and of those that run in the background. */
const OMP_LISTS = ['results', 'progress'];

const AGENT_KEYS = ['agent', 'agentName', 'subagentType', 'subagent_type', 'displayName'];

/** Keys of pi-subagents whose values name other files that end like sessions: logs of runs, and the session with the call itself. */
const OTHER_FILES = new Set(['jsonlPath', 'transcriptPath', 'mission']);

/**
 * Returns the sessions that the details of a tool's result name: strings that end like a session's file, with the agent beside
 * them. oh-my-pi has ids instead, which are the files' names.
 */
export function namedSessions(details: unknown): NamedSession[] {
  const found = new Map<string, NamedSession>();
  for (const list of isObject(details) ? OMP_LISTS.map((key) => details[key]) : [])
    for (const each of isArray(list) ? list.slice(0, MAX_SESSIONS) : []) {
      const id = isObject(each) && each['sessionFile'] === undefined ? asString(each['id']) : undefined;
      if (!isObject(each) || id === undefined || !/^[\w-][\w.-]{0,199}$/.test(id) || asString(each['agentSource']) === undefined) continue;
      found.set(`${id}.jsonl`, { file: `${id}.jsonl`, ...defined({ agent: agentIn(each) }) });
    }
  let left = MAX_VALUES;
  // The last one is looked at next, so lists are put in from their end.
  const waiting: { readonly value: unknown; readonly agent: string | undefined }[] = [{ value: details, agent: undefined }];
  for (let next = waiting.pop(); next && left > 0 && found.size < MAX_SESSIONS; next = waiting.pop()) {
    left--;
    const { value } = next;
    if (typeof value === 'string') {
      if (value.length > MAX_PATH || !/[^\\/]\.jsonl$/.test(value)) continue;
      found.set(value, { file: value, ...defined({ agent: next.agent }) });
    } else if (isArray(value)) for (const each of value.slice(0, left).reverse()) waiting.push({ value: each, agent: next.agent });
    else if (isObject(value)) {
      const agent = agentIn(value) ?? next.agent;
      for (const [key, each] of Object.entries(value).slice(0, left).reverse())
        if (!OTHER_FILES.has(key)) waiting.push({ value: each, agent });
    }
  }
  return [...found.values()];
}

function agentIn(value: JsonObject): string | undefined {
  for (const key of AGENT_KEYS) {
    const name = asString(value[key])?.trim();
    if (name) return name.slice(0, MAX_NAME);
  }
  return undefined;
}

/** The facts of a session that tell whether it's another one's child. */
export interface ChildFacts {
  readonly path: string;
  readonly created: number;
  /** The ids of its first entries; see `FamilyFacts`. */
  readonly rootIds?: readonly string[];
}

/** The call of a session that started another session, as far as the recording tells. */
export function callThatStarted(
  parent: { readonly calls?: readonly SubagentCall[]; readonly rootIds?: readonly string[] },
  child: ChildFacts,
): SubagentCall | undefined {
  const { calls = [] } = parent;
  const naming = calls.find((call) => isNamedBy(call, child.path));
  if (naming) return naming;
  // A fork repeats the entries of its session.
  if (child.created === 0 || child.rootIds?.some((id) => parent.rootIds?.includes(id))) return undefined;
  // If calls overlap, the last one that began counts.
  return calls.findLast(({ from, until = Infinity }) => from <= child.created && child.created <= until);
}

/** True if the result of a call names a session. */
export const isNamedBy = (call: SubagentCall | undefined, path: string): boolean =>
  call?.sessions?.some(({ file }) => isFile(path, file)) === true;

/** The name of the agent that a result gives to a session. */
export const agentOfCall = (call: SubagentCall | undefined, path: string): string | undefined =>
  call?.sessions?.find(({ file }) => isFile(path, file))?.agent;

/** True if a name stands for a file: its path, or the end of it. */
const isFile = (path: string, name: string): boolean =>
  path === name || (path.endsWith(name) && /[\\/]$/.test(path.slice(0, path.length - name.length)));
