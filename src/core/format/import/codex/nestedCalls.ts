/** Calls of code mode with the calls that they make, as pi records them with a tool's result (FORMAT section 2, nested calls). */
import { asString, type JsonObject } from '../../entry/jsonValues';
import { callsOfSource, commandOf, type CodeCalls } from './codeMode';

/** A source of code mode is preceded by what it does, as a command. */
export function customArguments(item: JsonObject): JsonObject {
  const calls = codeCalls(item);
  const command = calls ? commandOf(calls) : '';
  return { ...(command === '' ? {} : { command }), input: item['input'] ?? '' };
}

/** Returns the calls that a call of code mode makes; `undefined` for other items. */
function codeCalls(item: JsonObject): CodeCalls | undefined {
  const { type, name, input } = item;
  if (type !== 'custom_tool_call' || (name !== 'exec' && name !== 'functions.exec') || typeof input !== 'string') return undefined;
  const calls = callsOfSource(input);
  return calls.calls.length === 0 && calls.complete ? undefined : calls;
}

/** The calls of code mode whose results aren't there yet. */
export class NestedCalls {
  private readonly calls = new Map<string, CodeCalls>();

  /** Reads an item, which may be any. */
  add(item: JsonObject): void {
    const calls = codeCalls(item);
    if (calls) this.calls.set(asString(item['call_id']) ?? '', calls);
  }

  /** Returns what a call's result says about the calls that it made. */
  ofResult(callId: string, output: string, isError: boolean): JsonObject {
    const found = this.calls.get(callId);
    this.calls.delete(callId);
    if (!found) return {};
    const status = isError || output.startsWith('Script failed') ? 'error' : 'ok';
    const calls = found.calls.map((call, at) => ({ id: `${callId}-${String(at + 1)}`, ...call, status }));
    return { nestedCalls: { calls, complete: found.complete } };
  }
}
