/** Calls of code mode with the calls that they make, as pi records them with a tool's result (FORMAT section 2, nested calls). */
import { asString, type JsonObject } from '../../values/jsonValues';
import { callsOfSource, commandOf, type CodeCalls } from './codeMode';
import { patchOf } from './codexPatches';

/** The source of a code mode call is preceded by its actions, as a command. */
export function customArguments(item: JsonObject): JsonObject {
  const code = codeCalls(item);
  const command = code ? commandOf(code) : '';
  return { ...(command === '' ? {} : { command }), input: item['input'] ?? '' };
}

/** Returns the calls that a call of code mode makes; `undefined` for other items. */
function codeCalls(item: JsonObject): CodeCalls | undefined {
  const { type, name, input } = item;
  if (type !== 'custom_tool_call' || (name !== 'exec' && name !== 'functions.exec') || typeof input !== 'string') return undefined;
  return callsOfSource(input);
}

/** A call of code mode, and the patches that were applied since. */
interface RunningCode {
  readonly code: CodeCalls;
  readonly patches: { readonly input: string; readonly isOk: boolean }[];
}

/** The facts that a result shows about the calls of its code. */
interface NestedResult {
  /** The field of the result, if there were calls. */
  readonly fields: JsonObject;
  /** The code as a command, if that's known only now. */
  readonly command?: string;
}

/** The calls of code mode whose results aren't there yet. */
export class NestedCalls {
  private readonly running = new Map<string, RunningCode>();

  /** Reads an item, which may be any. */
  add(item: JsonObject): void {
    const code = codeCalls(item);
    if (code) this.running.set(asString(item['call_id']) ?? '', { code, patches: [] });
  }

  /** Reads the event of an applied patch, which has a separate id. */
  patched(event: JsonObject): void {
    const input = patchOf(event);
    const running = [...this.running.values()].at(-1);
    if (running && input !== undefined) running.patches.push({ input, isOk: event['success'] !== false });
  }

  /** Returns the part of a call's result about the calls that it made. */
  ofResult(callId: string, output: string, isError: boolean): NestedResult {
    const found = this.running.get(callId);
    this.running.delete(callId);
    if (!found) return { fields: {} };
    const { complete } = found.code;
    const ended = isError || output.startsWith('Script failed') ? 'error' : 'ok';
    const made = found.code.calls.map((call): NestedCall => ({ ...call, status: ended }));
    const calls = withPatches(made, found.patches);
    if (calls.length === 0 && complete) return { fields: {} };
    const fields = { nestedCalls: { calls: calls.map((call, at) => ({ id: `${callId}-${String(at + 1)}`, ...call })), complete } };
    return calls === made ? { fields } : { fields, command: commandOf({ calls, complete }) };
  }
}

type NestedCall = CodeCalls['calls'][number] & { readonly status: 'ok' | 'error' };

/** Replaces patches that the source computes by the patches that were applied. */
function withPatches(calls: NestedCall[], patches: RunningCode['patches']): NestedCall[] {
  const isPatch = ({ name }: NestedCall): boolean => name === 'apply_patch';
  const isUnknown = calls.length === 0 || calls.some((call) => isPatch(call) && call.arguments === undefined);
  if (patches.length === 0 || !isUnknown) return calls;
  const at = Math.max(calls.findIndex(isPatch), 0);
  const applied = patches.map(({ input, isOk }): NestedCall => ({
    name: 'apply_patch',
    arguments: { input },
    status: isOk ? 'ok' : 'error',
  }));
  return [...calls.slice(0, at), ...applied, ...calls.slice(at).filter((call) => !isPatch(call))];
}
