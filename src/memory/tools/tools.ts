/** The tools by which models ask about sessions: read-only, with answers that are bounded and quote what was recorded. */
import { SessionError } from '../../core/index';
import type { Memory } from '../memory';
import { Refusal, RequestError } from '../requestError';
import { branchTool } from './branchTool';
import { digestTool } from './digestTool';
import { checkInput, type ToolName } from './inputs';
import { listTool } from './listTool';
import { Quotation } from './quotation';
import { searchTool } from './searchTool';
import type { Tool } from './tool';
import { treeTool } from './treeTool';
import { usageTool } from './usageTool';
import { whyTool } from './whyTool';

export const TOOLS = {
  search_sessions: searchTool,
  list_sessions: listTool,
  session_tree: treeTool,
  read_branch: branchTool,
  branch_digest: digestTool,
  why_line: whyTool,
  session_usage: usageTool,
} as const satisfies Readonly<Record<ToolName, Tool>>;
export type { ToolName };
/** `Object.keys` gives the names of the table, which its type can't say. */
export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** Milliseconds that an answer waits for files that are being read. */
const MAX_WAIT = 900;

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Answers a call. Refusals are answers, too: a sentence that quotes what it speaks of. */
export async function answerTool(memory: Memory, name: ToolName, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
  try {
    checkInput(name, args);
    const { isComplete } = await memory.current(MAX_WAIT);
    const notes = isComplete ? [] : ['Some sessions may not be read yet. Ask again in a few seconds for all of them.'];
    return { text: await TOOLS[name].run({ memory, args, notes }), isError: false };
  } catch (error) {
    if (!(error instanceof SessionError || error instanceof RequestError || error instanceof Refusal)) throw error;
    const quotation = new Quotation();
    return { text: `Refused: ${quotation.inline(error.message, 2000)}\n${quotation.notice}`, isError: true };
  }
}
