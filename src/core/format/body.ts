/**
 * A whole entry out of a parsed line. Missing and malformed parts become empty ones; every other key stays.
 * Version 1 and 2 names become those of version 3, so that nobody after this has to know of them.
 */
import { isObject, type Entry, type JsonObject, type Message } from './entry';
import type { EntryHead } from './head';

/** `head` gives the id and the parent: in version 1 the line has none. */
export function entryOf(line: JsonObject, head: Pick<EntryHead, 'id' | 'parentId' | 'firstKeptEntryId'>): Entry {
  const entry: Record<string, unknown> = { ...line, id: head.id, parentId: head.parentId };
  if (typeof entry['timestamp'] !== 'string') entry['timestamp'] = '';
  if (line['type'] === 'message') entry['message'] = messageOf(line['message']);
  if (line['type'] === 'compaction') {
    entry['summary'] = text(line['summary']);
    if (typeof line['tokensBefore'] !== 'number') entry['tokensBefore'] = 0;
    if (typeof line['firstKeptEntryIndex'] === 'number') {
      delete entry['firstKeptEntryIndex'];
      if (head.firstKeptEntryId !== undefined) entry['firstKeptEntryId'] = head.firstKeptEntryId;
    }
  }
  if (line['type'] === 'branch_summary') entry['summary'] = text(line['summary']);
  if (line['type'] === 'custom_message') entry['content'] = contentOf(line['content']);
  return entry as unknown as Entry;
}

function messageOf(value: unknown): Message {
  if (!isObject(value) || typeof value['role'] !== 'string') return { ...(isObject(value) ? value : {}), role: 'other' };
  const role = value['role'] === 'hookMessage' ? 'custom' : value['role'];
  return { ...value, role, ...('content' in value || WITH_CONTENT.has(role) ? { content: contentOf(value['content']) } : {}) } as unknown as Message;
}

const WITH_CONTENT = new Set(['user', 'assistant', 'toolResult', 'custom']);

function contentOf(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return [];
  return value.every(isObject) ? value : value.filter(isObject);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
