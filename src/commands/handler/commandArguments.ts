/**
 * Plain arguments, from code and keybindings: checked here, since nothing has checked them before.
 * What is wrong is a `SessionError` with a sentence.
 */
import { isAbsolute } from 'node:path';
import type { SessionRef } from '../../contract';
import { SessionError } from '../../core/index';

export type CommandArguments = Readonly<Record<string, unknown>>;

/** @throws {SessionError} `invalid` */
export function toArguments(value: unknown): CommandArguments {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as CommandArguments;
  throw new SessionError('invalid', 'The command takes an object, such as { path, entryId }.');
}

/** @throws {SessionError} `invalid` */
export function sessionRefOf(args: CommandArguments): SessionRef {
  const path = requiredString(args, 'path');
  if (!isAbsolute(path) || path.includes('\0')) throw new SessionError('invalid', 'The path of a session must be absolute: {path}', { path });
  const entryId = optionalString(args, 'entryId');
  return entryId === undefined ? { path } : { path, entryId };
}

/** @throws {SessionError} `invalid`, `entry-required` */
export function entryRefOf(args: CommandArguments): Required<SessionRef> {
  const { path, entryId } = sessionRefOf(args);
  if (entryId === undefined) throw new SessionError('entry-required', 'The command needs the id of an entry (entryId).');
  return { path, entryId };
}

/** A text that has to be there, empty or not. */
export function requiredString(args: CommandArguments, name: string): string {
  const value = optionalString(args, name);
  if (value === undefined) throw new SessionError('invalid', 'The command needs a text for “{name}”.', { name });
  return value;
}

export function optionalString(args: CommandArguments, name: string): string | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new SessionError('invalid', '“{name}” must be a text.', { name });
}

/** Absent means no. */
export function flag(args: CommandArguments, name: string): boolean {
  const value = (Object.hasOwn(args, name) ? args[name] : undefined) ?? false;
  if (typeof value === 'boolean') return value;
  throw new SessionError('invalid', '“{name}” must be true or false.', { name });
}

export function optionalFolder(args: CommandArguments, name: string): string | undefined {
  const folder = optionalString(args, name);
  if (folder !== undefined && (!isAbsolute(folder) || folder.includes('\0'))) throw new SessionError('invalid', '“{name}” must be an absolute path: {folder}', { name, folder });
  return folder;
}

export function optionalOneOf<T extends string>(args: CommandArguments, name: string, values: readonly T[]): T | undefined {
  const value = optionalString(args, name);
  const found = values.find((one) => one === value);
  if (value !== undefined && found === undefined) {
    throw new SessionError('invalid', '“{name}” must be one of: {values}', { name, values: values.join(', ') });
  }
  return found;
}
