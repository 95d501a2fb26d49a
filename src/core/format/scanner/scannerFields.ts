/** Tells the scanner's program what to look for in lines. A field that heads need is added here and where heads are made of it. */
import { COSTS, TOKENS } from '../entry/usage';
import { Key } from './scannerKeys';
import { Role } from './scannerLayout';

/** The types of lines whose heads have no more than some of `ENTRY_TEXTS`. */
const SIMPLE_TYPES = ['custom', 'model_change', 'thinking_level_change'];

/** Strings of lines that aren't messages. Profiles have them in this order, after the type. */
export const ENTRY_TEXTS = ['customType', 'provider', 'modelId', 'model', 'role', 'thinkingLevel'];

/** Strings of messages, with the role that has them. Profiles have them in this order. */
export const MESSAGE_TEXTS = [
  { name: 'provider', role: Role.assistant },
  { name: 'model', role: Role.assistant },
  { name: 'stopReason', role: Role.assistant },
  { name: 'toolName', role: Role.toolResult },
  { name: 'responseModel', role: Role.assistant },
] as const;

/** Exports of `wasm/scanner.ts`, which describes them. `at` and `size`: the ASCII bytes of a name. A key has 2 to 16. */
export interface FieldExports {
  allocate(capacity: number): number;
  addKey(at: number, size: number): number;
  addSimpleType(at: number, size: number): void;
  addEntryText(key: number): void;
  addMessageText(key: number, role: Role): void;
  addTokens(key: number, missing: number): void;
  addCost(key: number): void;
}

/** @param bytes returns a view of the program's memory */
export function defineFields(program: FieldExports, bytes: (from: number, to: number) => Uint8Array): void {
  const write = (name: string): number => {
    const address = program.allocate(name.length);
    new TextEncoder().encodeInto(name, bytes(address, address + name.length));
    return address;
  };
  const keyOf = (name: string): number => program.addKey(write(name), name.length);
  for (const name of Object.values(Key)) if (typeof name === 'string') keyOf(name);
  for (const type of SIMPLE_TYPES) program.addSimpleType(write(type), type.length);
  for (const name of ENTRY_TEXTS) program.addEntryText(keyOf(name));
  for (const { name, role } of MESSAGE_TEXTS) program.addMessageText(keyOf(name), role);
  for (const { name, isOptional } of TOKENS) program.addTokens(keyOf(name), isOptional ? NaN : 0);
  for (const name of COSTS) program.addCost(keyOf(name));
}
