/** Lines of Claude Code that are in a file twice: some compactions write the messages that they keep again. */
import { asString, isArray, isObject, type JsonObject } from '../../values/jsonValues';

export class ClaudeRepeats {
  /** Prints of the lines with a message, by `uuid`. */
  private readonly prints = new Map<string, string>();
  /** The `uuid`s of the messages, by what identifies them. */
  private readonly messages = new Map<string, string>();
  /** Set at the first compaction: from then on, a message that occurred before is a repetition by the compaction. */
  hasCompaction = false;

  /** Returns the `uuid` that a message had when it was first read, which may be its own. */
  firstOf(value: JsonObject, isKnown: boolean): string | undefined {
    const uuid = asString(value['uuid']);
    if (uuid === undefined) return undefined;
    if (isKnown) return uuid;
    return this.hasCompaction && value['isCompactSummary'] !== true ? this.messages.get(identityOf(value) ?? '') : undefined;
  }

  /** True if the content differs from the content of the first line with the same `uuid`. */
  differs(value: JsonObject, uuid: string): boolean {
    return this.has(uuid) && value['uuid'] === uuid && this.prints.get(uuid) !== printOf(value['message']);
  }

  /** True for a line with a message. */
  has(uuid: string): boolean {
    return this.prints.has(uuid);
  }

  remember(value: JsonObject): void {
    const uuid = asString(value['uuid']);
    if (uuid === undefined || !isObject(value['message'])) return;
    this.prints.set(uuid, printOf(value['message']));
    const identity = identityOf(value);
    if (identity !== undefined && !this.messages.has(identity)) this.messages.set(identity, uuid);
  }
}

/** Returns the parts that a message shares with a copy under another `uuid`: its ID or its time, and its content. */
function identityOf(value: JsonObject): string | undefined {
  const { message, timestamp } = value;
  if (!isObject(message)) return undefined;
  const name = asString(message['id']) ?? asString(timestamp);
  return name === undefined ? undefined : `${String(value['type'])} ${name} ${printOf(message)}`;
}

/** Returns a short text that is the same for the same texts and calls, whatever else the blocks have. */
function printOf(message: unknown): string {
  const content = isObject(message) ? message['content'] : undefined;
  const blocks = isArray(content) ? content.filter(isObject) : [{ text: content }];
  let first = 0x811c9dc5;
  let second = 0;
  let length = 0;
  for (const { type, text, thinking, id, tool_use_id: callId, content: inner } of blocks)
    for (const part of [type, text, thinking, id, callId, inner]) {
      if (typeof part !== 'string') continue;
      length += part.length + 1;
      for (let at = 0; at < part.length; at++) {
        first = Math.imul(first ^ part.charCodeAt(at), 0x01000193);
        second = (Math.imul(second, 31) + part.charCodeAt(at)) | 0;
      }
      second = (Math.imul(second, 31) + 1) | 0;
    }
  return `${String(length)} ${(first >>> 0).toString(36)} ${(second >>> 0).toString(36)}`;
}
