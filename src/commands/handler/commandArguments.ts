/** Validates the plain arguments that other extensions and keybindings pass to commands. Only own properties count. */
import { isAbsolute, resolve } from 'node:path';
import type { EntryRef, SessionRef } from '../../contract';
import { isArray, SessionError, isObject } from '../../core/index';

export type CommandArguments = Readonly<Record<string, unknown>>;

/** Checks that a value is an object. @throws {SessionError} `invalid` */
export function toArguments(value: unknown): CommandArguments {
  if (isObject(value)) return value;
  throw new SessionError('invalid', 'The command takes an object, such as { path, entryId }.');
}

/** Reads `path`, which must be absolute, and the optional `entryId`. @throws {SessionError} `invalid` */
export function sessionRefOf(args: CommandArguments): SessionRef {
  const path = requiredString(args, 'path');
  if (!isAbsolute(path) || path.includes('\0')) throw new SessionError('invalid', 'The session path must be absolute: {path}', { path });
  const entryId = optionalString(args, 'entryId');
  return entryId === undefined ? { path } : { path, entryId };
}

/** Takes one session or an array of them, for {@link refsOf}. */
export const refsAsArguments = (first: unknown): CommandArguments => (isArray(first) ? { refs: first } : toArguments(first));

/** Reads the arguments made by {@link refsAsArguments}: one session or several. @throws {SessionError} `invalid` */
export function refsOf(args: CommandArguments): SessionRef[] {
  const given = Object.hasOwn(args, 'refs') ? args['refs'] : [args];
  return (isArray(given) ? given : [given]).map((one) => sessionRefOf(toArguments(one)));
}

/** Reads `path` and `entryId`. @throws {SessionError} `invalid`, `entry-required` */
export function entryRefOf(args: CommandArguments): EntryRef {
  const { path, entryId } = sessionRefOf(args);
  if (entryId === undefined) throw new SessionError('entry-required', 'The command needs an entry ID (entryId).');
  return { path, entryId };
}

/** Reads a string that must be present; it may be empty. @throws {SessionError} `invalid` */
export function requiredString(args: CommandArguments, name: string): string {
  const value = optionalString(args, name);
  if (value === undefined) throw new SessionError('invalid', 'The command needs a string for “{name}”.', { name });
  return value;
}

/** @throws {SessionError} `invalid` if the value isn't a string */
export function optionalString(args: CommandArguments, name: string): string | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new SessionError('invalid', '“{name}” must be a string.', { name });
}

/** Reads a boolean that is false by default. @throws {SessionError} `invalid` */
export function flag(args: CommandArguments, name: string): boolean {
  const value = (Object.hasOwn(args, name) ? args[name] : undefined) ?? false;
  if (typeof value === 'boolean') return value;
  throw new SessionError('invalid', '“{name}” must be true or false.', { name });
}

/** @throws {SessionError} `invalid` if the value isn't an absolute path */
export function optionalFolder(args: CommandArguments, name: string): string | undefined {
  const folder = optionalString(args, name);
  if (folder !== undefined && (!isAbsolute(folder) || folder.includes('\0')))
    throw new SessionError('invalid', '“{name}” must be an absolute path: {folder}', { name, folder });
  return folder;
}

/** Reads the absolute path of a folder. @throws {SessionError} `invalid` */
export const requiredFolder = (args: CommandArguments, name: string): string => optionalFolder(args, name) ?? requiredString(args, name);

/** Reads `files`, a list of absolute paths. @throws {SessionError} `invalid` */
export function optionalFiles(args: CommandArguments): string[] | undefined {
  const files = Object.hasOwn(args, 'files') ? args['files'] : undefined;
  if (files === undefined) return undefined;
  if (isArray(files) && files.every((file): file is string => typeof file === 'string' && isAbsolute(file) && !file.includes('\0')))
    return [...files];
  throw new SessionError('invalid', '“{name}” must be a list of absolute paths.', { name: 'files' });
}

/** @throws {SessionError} `invalid` if the value isn't in the list */
export function optionalOneOf<T extends string>(args: CommandArguments, name: string, values: readonly T[]): T | undefined {
  const value = optionalString(args, name);
  const found = values.find((candidate) => candidate === value);
  if (value !== undefined && found === undefined) {
    throw new SessionError('invalid', '“{name}” must be one of: {values}', { name, values: values.join(', ') });
  }
  return found;
}

/**
 * Reads `file`, which must be an absolute path, and normalizes it like the paths of open documents. @throws
 * {SessionError} `invalid`
 */
export function absoluteFile(args: CommandArguments): string {
  const file = requiredString(args, 'file');
  if (!isAbsolute(file) || file.includes('\0')) throw new SessionError('invalid', 'The file path must be absolute: {path}', { path: file });
  return resolve(file);
}

/** Reads an optional number that isn't negative. @throws {SessionError} `invalid` */
export function optionalAmount(args: CommandArguments, name: string): number | undefined {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw new SessionError('invalid', '“{name}” must be a number that isn’t negative.', { name });
}

/** Reads an optional line number, from 1. @throws {SessionError} `invalid` */
export function lineNumber(args: CommandArguments, name: string): number | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw new SessionError('invalid', '“{name}” must be a line number, starting at 1.', { name });
  return value;
}
