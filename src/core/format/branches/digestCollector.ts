/** Collects what a branch's entries asked, touched and ran, in bounded lists. */
import type { Entry } from '../entry/entry';
import { asString, isObject, type JsonObject } from '../values/jsonValues';
import { textOf } from '../entry/message';
import { plainRow } from '../entry/plainRow';
import { oneLine } from '../text/oneLine';
import { plainLine } from '../text/plainLine';
import { withoutChangeOfFolder } from '../toolCalls/callWords';
import { toolCallBlocks, touchesOfLine, type Touch } from '../toolCalls/fileTouches';
import { describeMessage } from '../entry/rowText';

/** Limits of the lists; the newest prompts and commands are kept. */
const [MAX_PROMPTS, MAX_FILES, MAX_COMMANDS] = [100, 500, 200];
/** UTF-16 units of a text. */
const [MAX_PROMPT, MAX_COMMAND, MAX_PATH, MAX_OUTCOME] = [400, 200, 1000, 600];
const COMMAND_TOOLS = new Set(['bash', 'exec', 'shell', 'run_command']);

export interface DigestPrompt {
  readonly id: string;
  readonly text: string;
}

export interface DigestCommand {
  readonly command: string;
  readonly failed: boolean;
}

export class DigestCollector {
  private readonly files = new Map<string, Touch>();
  private readonly calls = new Map<string, string>();
  private readonly ran: DigestCommand[] = [];
  private readonly asked: DigestPrompt[] = [];
  private failed = 0;
  private answer = '';

  /** Adds the next entry of the branch. */
  add(entry: Entry): void {
    const line: JsonObject = { ...entry };
    for (const touch of touchesOfLine(line)) this.addTouch(touch);
    const message = isObject(line['message']) ? line['message'] : {};
    const role = asString(message['role']);
    if (role === 'user') this.addPrompt(entry.id, describeMessage(message, undefined));
    else if (role === 'assistant') this.addAnswer(message);
    else if (role === 'toolResult') this.addResult(message);
    else if (role === 'bashExecution') this.addCommand(asString(message['command']) ?? '', isFailure(message['exitCode']));
  }

  get prompts(): readonly DigestPrompt[] {
    return this.asked.slice(-MAX_PROMPTS);
  }

  get touched(): readonly Touch[] {
    return [...this.files.values()];
  }

  get commands(): readonly DigestCommand[] {
    return this.ran.slice(-MAX_COMMANDS);
  }

  get failures(): number {
    return this.failed;
  }

  /** The beginning of the last answer or error. */
  get outcome(): string {
    return this.answer;
  }

  private addPrompt(id: string, row: string): void {
    this.asked.push({ id, text: plainRow({ type: 'message', role: 'user', text: row }, MAX_PROMPT) });
    if (this.asked.length > 2 * MAX_PROMPTS) this.asked.splice(0, MAX_PROMPTS);
  }

  private addAnswer(message: JsonObject): void {
    for (const { id, name, arguments: given } of toolCallBlocks(message['content'])) {
      const command = isObject(given) && COMMAND_TOOLS.has(String(name).toLowerCase()) ? asString(given['command']) : undefined;
      if (command !== undefined && typeof id === 'string') this.calls.set(id, command);
    }
    const isError = message['stopReason'] === 'error';
    if (isError) this.failed++;
    this.answer = outcomeText(isError ? (asString(message['errorMessage']) ?? '') : textOf(message['content'], '\n')) || this.answer;
  }

  private addResult(message: JsonObject): void {
    const isError = message['isError'] === true;
    const id = asString(message['toolCallId']) ?? '';
    const command = this.calls.get(id);
    this.calls.delete(id);
    if (command !== undefined) this.addCommand(command, isError);
    else if (isError) this.failed++;
  }

  private addCommand(command: string, failed: boolean): void {
    if (failed) this.failed++;
    this.ran.push({ command: oneLine(withoutChangeOfFolder(command), MAX_COMMAND), failed });
    if (this.ran.length > 2 * MAX_COMMANDS) this.ran.splice(0, MAX_COMMANDS);
  }

  /** A file that was written and read counts as written. */
  private addTouch({ file, kind }: Touch): void {
    if (file.length > MAX_PATH || (!this.files.has(file) && this.files.size >= MAX_FILES)) return;
    if (kind === 'write' || !this.files.has(file)) this.files.set(file, { file, kind });
  }
}

export const outcomeText = (text: string): string => plainLine(text, MAX_OUTCOME);

const isFailure = (exitCode: unknown): boolean => typeof exitCode === 'number' && exitCode !== 0;
