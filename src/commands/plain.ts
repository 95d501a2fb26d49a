/**
 * Plain arguments, from code and keybindings: checked here, since nothing has checked them before.
 * What is wrong is a `SessionError` with a sentence.
 */
import { isAbsolute } from 'node:path';
import type { SessionRef } from '../contract';
import { SessionError } from '../core/index';

export type Plain = Readonly<Record<string, unknown>>;

/** @throws {SessionError} `invalid` */
export function plainOf(value: unknown): Plain {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Plain;
  throw new SessionError('invalid', 'The command takes an object, such as { path, entryId }.');
}

/** @throws {SessionError} `invalid` */
export function refOf(args: Plain): SessionRef {
  const path = required(args, 'path');
  if (!isAbsolute(path) || path.includes('\0')) throw new SessionError('invalid', 'The path of a session must be absolute: {path}', { path });
  const entryId = optional(args, 'entryId');
  return entryId === undefined ? { path } : { path, entryId };
}

/** @throws {SessionError} `invalid`, `entry-required` */
export function entryRefOf(args: Plain): Required<SessionRef> {
  const { path, entryId } = refOf(args);
  if (entryId === undefined) throw new SessionError('entry-required', 'The command needs the id of an entry (entryId).');
  return { path, entryId };
}

/** A text that has to be there, empty or not. */
export function required(args: Plain, name: string): string {
  const value = optional(args, name);
  if (value === undefined) throw new SessionError('invalid', 'The command needs a text for “{name}”.', { name });
  return value;
}

export function optional(args: Plain, name: string): string | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new SessionError('invalid', '“{name}” must be a text.', { name });
}

/** Absent means no. */
export function flag(args: Plain, name: string): boolean {
  const value = (Object.hasOwn(args, name) ? args[name] : undefined) ?? false;
  if (typeof value === 'boolean') return value;
  throw new SessionError('invalid', '“{name}” must be true or false.', { name });
}

export function optionalFolder(args: Plain, name: string): string | undefined {
  const folder = optional(args, name);
  if (folder !== undefined && (!isAbsolute(folder) || folder.includes('\0'))) throw new SessionError('invalid', '“{name}” must be an absolute path: {folder}', { name, folder });
  return folder;
}

export function optionalOf<T extends string>(args: Plain, name: string, values: readonly T[]): T | undefined {
  const value = optional(args, name);
  const found = values.find((one) => one === value);
  if (value !== undefined && found === undefined) {
    throw new SessionError('invalid', '“{name}” must be one of: {values}', { name, values: values.join(', ') });
  }
  return found;
}
