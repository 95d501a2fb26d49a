import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configs, plugin } from 'typescript-eslint';
import { testFolder } from '../fixtures/folder';

const CONFIG = resolve('.oxlintrc.json');
/**
 * Rules that oxlint lacks. The first concerns classes without a private member only: TypeScript itself accepts nothing else
 * as an instance of the others. The second comes with a later oxlint-tsgolint; TypeScript itself refuses literal numbers that no member has.
 */
const MISSING = ['no-unsafe-class-instance-assignment', 'no-unsafe-enum-assignment'];
/** Rules that this project adds to the strict ones. */
const ADDED = ['switch-exhaustiveness-check'];

/** A violation of each rule. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  'await-thenable': 'export const f = async (): Promise<number> => await 1;',
  'no-array-delete': 'export const f = (list: number[]): void => { delete list[0]; };',
  'no-base-to-string': 'export const f = (value: object): string => String(value);',
  'no-confusing-void-expression': 'declare const f: () => void; export const g = [f()];',
  'no-deprecated': '/** @deprecated */ function old(): void { old.name.trim(); } old();',
  'no-duplicate-type-constituents': 'export type A = string | string;',
  'no-floating-promises': 'export const f = (promise: Promise<void>): void => { promise; };',
  'no-for-in-array': 'export const f = (list: number[]): void => { for (const at in list) at.trim(); };',
  'no-generated-empty-object-type': 'export type A<T extends { a: 1 }> = Omit<T, never>; export type B = Omit<{ a: 1 }, "a">;',
  'no-implied-eval': 'export const f = new Function("a", "return a");',
  'no-meaningless-void-operator': 'declare const f: () => void; void f();',
  'no-misused-promises': 'declare const f: () => Promise<boolean>; export const g = (): number => { if (f()) return 1; return 2; };',
  'no-misused-spread': 'declare const map: Map<string, string>; export const f = { ...map };',
  'no-mixed-enums': 'export enum A { B = 1, C = "c" }',
  'no-redundant-type-constituents': 'export type A = unknown | string;',
  'no-unnecessary-boolean-literal-compare': 'export const f = (value: boolean): boolean => value === true;',
  'no-unnecessary-condition': 'export const f = (value: { a: string }): string | undefined => value?.a;',
  'no-unnecessary-template-expression': 'export const f = (value: string): string => `${value}`;',
  'no-unnecessary-type-arguments': 'declare function f<T = string>(value?: T): void; f<string>();',
  'no-unnecessary-type-assertion': 'export const f = (value: string): string => value as string;',
  'no-unnecessary-type-conversion': 'export const f = (value: string): string => String(value);',
  'no-unnecessary-type-parameters':
    'export function f<T>(value: T): void { console.log(value); } declare const console: { log(value: unknown): void };',
  'no-unsafe-argument': 'declare const value: any; declare const f: (value: string) => void; f(value);',
  'no-unsafe-assignment': 'declare const value: any; export const f = value;',
  'no-unsafe-call': 'declare const value: any; value();',
  'no-unsafe-enum-comparison': 'enum A { B, C } export const f = (value: A): boolean => value === 1;',
  'no-unsafe-member-access': 'declare const value: any; value.a;',
  'no-unsafe-return': 'declare const value: any; export const f = (): string => value;',
  'no-unsafe-unary-minus': 'export const f = (value: string): number => -value;',
  'no-useless-default-assignment': 'export const f = ({ a = 1 }: { a: number }): number => a;',
  'only-throw-error': 'export const f = (): never => { throw "text"; };',
  'prefer-promise-reject-errors': 'export const f = Promise.reject("text");',
  'prefer-reduce-type-parameter':
    'export const f = (list: string[]): string[] => list.reduce((all, one) => [...all, one], [] as string[]);',
  'prefer-return-this-type': 'export class A { b = 1; f(): A { return this; } }',
  'related-getter-setter-pairs': 'export class A { get b(): string { return ""; } set b(value: number) { value.toFixed(); } }',
  'require-await': 'export const f = async (): Promise<void> => { f.name.trim(); };',
  'restrict-plus-operands': 'export const f = (a: number, b: string): string => a + b;',
  'restrict-template-expressions': 'export const f = (value: object): string => `a ${value}`;',
  'return-await':
    'declare const f: () => Promise<void>; export const g = async (): Promise<void> => { try { return f(); } catch { await f(); } };',
  'switch-exhaustiveness-check': 'export const f = (value: "a" | "b"): void => { switch (value) { case "a": f("b"); } };',
  'unbound-method': 'class A { b = 1; f(): number { return this.b; } } export const g = new A().f;',
  'use-unknown-in-catch-callback-variable':
    'export const f = (promise: Promise<void>): Promise<void> => promise.catch((error: Error) => { error.name.trim(); });',
};

describe('Typed lint', () => {
  const folder = testFolder();
  const { rules } = JSON.parse(readFileSync(CONFIG, 'utf8')) as { rules: Readonly<Record<string, unknown>> };
  const names = Object.keys(rules).map((rule) => rule.replace('typescript/', ''));

  // The types of the plugin leave out its rules.
  const { rules: all } = plugin as unknown as { rules: Readonly<Record<string, { meta: { docs: { requiresTypeChecking?: boolean } } }>> };
  const typedRules = new Set(Object.keys(all).filter((rule) => all[rule]?.meta.docs.requiresTypeChecking === true));

  it('has each rule with types of typescript-eslint’s strict ones', () => {
    const strict = configs.strictTypeChecked.flatMap(({ rules: of = {} }) => Object.entries(of).filter(([, level]) => level !== 'off'));
    const typed = strict
      .map(([rule]) => rule.replace('@typescript-eslint/', ''))
      .filter((rule) => typedRules.has(rule) && !MISSING.includes(rule));
    assert.deepEqual(names.toSorted(), [...new Set([...typed, ...ADDED])].sort());
  });

  it('reports a violation of each rule, and wrong types', async () => {
    const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: object };
    await folder.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] }, include: ['.'] }));
    for (const rule of names) await folder.write(`${rule}.ts`, `${VIOLATIONS[rule] ?? ''}\nexport {};\n`);
    await folder.write('wrongType.ts', 'export const f: string = 1;\n');
    const args = ['node_modules/oxlint/bin/oxlint', '--config', CONFIG, '--format', 'json', folder.path];
    const printed = await new Promise<string>((done) => execFile(process.execPath, args, { maxBuffer: 1e8 }, (_error, text) => done(text)));
    const { diagnostics } = JSON.parse(printed) as { diagnostics: readonly { code: string; filename: string }[] };
    const reported = names.filter((rule) =>
      diagnostics.some(({ code, filename }) => code.endsWith(`(${rule})`) && filename.endsWith(`${rule}.ts`)),
    );
    assert.deepEqual(reported, names);
    assert.ok(diagnostics.some(({ code, filename }) => code === 'typescript(TS2322)' && filename.endsWith('wrongType.ts')));
  });
});
