import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { testFolder } from '../fixtures/folder';

const CONFIG = resolve('.oxlintrc.json');
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
  'for-direction': 'for (let at = 0; at < 10; at--) console.log(at);',
  'no-array-constructor': 'export const f = new Array(1, 2);',
  'no-async-promise-executor': 'export const f = new Promise<void>(async (done) => { await f; done(); });',
  'no-case-declarations':
    'export const f = (value: string): string => { switch (value) { case "a": let b = value; return b; default: return ""; } };',
  'no-compare-neg-zero': 'export const f = (value: number): boolean => value === -0;',
  'no-cond-assign': 'export const f = (value: number): void => { if (value = 1) f(value); };',
  'no-constant-binary-expression': 'export const f = (value: number): boolean => value === 1 || {} === null;',
  'no-constant-condition': 'export const f = (): void => { if (true) f(); };',
  'no-control-regex': 'export const f = /\\u0000/;',
  'no-debugger': 'debugger;',
  'no-dupe-else-if': 'export const f = (a: boolean): void => { if (a) f(a); else if (a) f(a); };',
  'no-duplicate-case': 'export const f = (a: number): void => { switch (a) { case 1: f(a); break; case 1: f(2); } };',
  'no-empty': 'export const f = (a: boolean): void => { if (a) {} };',
  'no-empty-character-class': 'export const f = /a[]/;',
  'no-empty-pattern': 'export const f = ({}: object): void => {};',
  'no-empty-static-block': 'export class A { static {} b = 1; }',
  'no-ex-assign': 'try { console.log(); } catch (error) { error = 1; }',
  'no-extra-boolean-cast': 'export const f = (a: string): void => { if (!!a) f(a); };',
  'no-fallthrough': 'export const f = (a: number): void => { switch (a) { case 1: f(a); case 2: f(2); } };',
  'no-global-assign': 'Object = 1;',
  'no-invalid-regexp': 'export const f = new RegExp("[");',
  'no-irregular-whitespace': 'export const f =\u00a01;',
  'no-loss-of-precision': 'export const f = 9007199254740993;',
  'no-misleading-character-class': 'export const f = /[👍🏻]/;',
  'no-prototype-builtins': 'export const f = (a: object): boolean => a.hasOwnProperty("b");',
  'no-regex-spaces': 'export const f = /a  b/;',
  'no-self-assign': 'let a = 1; a = a;',
  'no-shadow-restricted-names': 'export const f = (undefined: number): number => undefined;',
  'no-sparse-arrays': 'export const f = [1, , 2];',
  'no-unassigned-vars': 'let a: number | undefined; export const f = a;',
  'no-unexpected-multiline': 'export const f = (a: (b: number) => number): number => a\n(1);',
  'no-unsafe-finally': 'export const f = (): number => { try { return 1; } finally { return 2; } };',
  'no-unsafe-optional-chaining': 'export const f = (a?: { b: { c: number } }): number => (a?.b as { c: number }).c;',
  'no-unused-expressions': 'export const f = (a: number): void => { a + 1; };',
  'no-unused-labels': 'a: for (;;) break;',
  'no-unused-private-class-members': 'export class A { #a = 1; b = 1; }',
  'no-unused-vars': 'const a = 1;',
  'no-useless-backreference': 'export const f = /(a)|\\1b/;',
  'no-useless-catch': 'export const f = (): void => { try { f(); } catch (error) { throw error; } };',
  'no-useless-constructor': 'export class A { b = 1; constructor() {} }',
  'no-useless-escape': 'export const f = "\\a";',
  'no-var': 'export var f = 1;',
  'prefer-const': 'let a = 1; export const f = a;',
  'prefer-rest-params': 'export function f(): number { return arguments[0]; }',
  'prefer-spread': 'export const f = (a: (...b: number[]) => void, b: number[]): void => { a.apply(undefined, b); };',
  'preserve-caught-error': 'export const f = (): void => { try { f(); } catch (error) { throw new Error("a"); } };',
  'require-yield': 'export function* f(): Generator<number> { console.log(); }',
  'use-isnan': 'export const f = (a: number): boolean => a === NaN;',
  'valid-typeof': 'export const f = (a: unknown): boolean => typeof a === "strin";',
  'ban-ts-comment': '// @ts-ignore\nexport const f = 1;',
  'no-duplicate-enum-values': 'export enum A { B = 1, C = 1 }',
  'no-dynamic-delete': 'export const f = (a: Record<string, number>, b: string): void => { delete a[b]; };',
  'no-empty-object-type': 'export type A = {};',
  'no-explicit-any': 'export const f = (a: any): void => { console.log(a); };',
  'no-extra-non-null-assertion': 'export const f = (a?: string): string => a!!;',
  'no-extraneous-class': 'export class A { static b = 1; }',
  'no-invalid-void-type': 'export type A = string | void;',
  'no-misused-new': 'export interface A { new (): A }',
  'no-namespace': 'namespace A { export const b = 1; }',
  'no-non-null-asserted-nullish-coalescing': 'export const f = (a: { b?: string }): string => a.b! ?? "";',
  'no-non-null-asserted-optional-chain': 'export const f = (a?: { b: string }): string => a?.b!;',
  'no-require-imports': 'export const f = require("node:fs");',
  'no-this-alias': 'export class A { b = 1; f(): number { const self = this; return self.b; } }',
  'no-unnecessary-type-constraint': 'export const f = <T extends unknown>(a: T): T => a;',
  'no-unsafe-declaration-merging': 'export class A { b = 1; } export interface A { c: number }',
  'no-unsafe-function-type': 'export const f = (a: Function): void => { console.log(a); };',
  'no-wrapper-object-types': 'export const f = (a: String): void => { console.log(a); };',
  'prefer-as-const': 'export const f: "a" = "a";',
  'prefer-literal-enum-member': 'export enum A { B = "a".length }',
  'prefer-namespace-keyword': 'declare module A { export const b: number; }',
  'triple-slash-reference': '/// <reference path="./a.ts" />\nexport const f = 1;',
  'unified-signatures': 'export declare function f(a: string): void; export declare function f(a: number): void;',
  'consistent-type-imports': 'import { Stats } from "node:fs"; export type A = Stats;',
};

/** A violation of each rule that only modules without types need. In others TypeScript reports the same. */
const VIOLATIONS_IN_MODULES: Readonly<Record<string, string>> = {
  'constructor-super': 'export class A extends Object { constructor() { console.log(); } }',
  'getter-return': 'export const f = { get a() { console.log(); } };',
  'no-class-assign': 'class A {} A = 1;',
  'no-const-assign': 'const a = 1; a = 2;',
  'no-dupe-class-members': 'export class A { a() {} a() {} }',
  'no-dupe-keys': 'export const f = { a: 1, a: 2 };',
  'no-func-assign': 'function a() {} a = 1;',
  'no-import-assign': 'import { a } from "b"; a = 1;',
  'no-new-native-nonconstructor': 'export const f = new Symbol();',
  'no-obj-calls': 'export const f = Math();',
  'no-redeclare': 'var a = 1; var a = 2;',
  'no-setter-return': 'export const f = { set a(b) { return b; } };',
  'no-this-before-super': 'export class A extends Object { constructor() { this.a = 1; super(); } }',
  'no-undef': 'export const f = missing;',
  'no-unreachable': 'export const f = () => { return 1; f(); };',
  'no-unsafe-negation': 'export const f = (a) => !a in {};',
};

/** Violations of the project's own rules, and what they accept. */
const OWN_RULES: Readonly<Record<string, { readonly violations: readonly string[]; readonly accepted: readonly string[] }>> = {
  'explained-cast': {
    violations: ['export const f = (a: unknown): string => a as string;'],
    accepted: ['// It was checked before.\nexport const f = (a: unknown): string => a as string;', 'export const f = [1] as const;'],
  },
  'non-null-assertion': {
    violations: ['export const f = (a?: string): string => a!;', 'export const f = (a: string[]): string => a[0]!;'],
    accepted: ['export const f = (a: Uint8Array, b: readonly number[]): number => a[0]! + b[0]!;'],
  },
  'optional-property': {
    violations: ['export const f = (a?: string): object => ({ ...(a ? { a } : {}) });'],
    accepted: ['export const f = (a: boolean, b: string): object => ({ ...(a ? { b } : {}) });'],
  },
};

/** A syntax error has no code. */
interface Diagnostic {
  readonly code?: string;
  readonly filename: string;
}

interface Config {
  readonly rules: object;
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules?: object }[];
}

describe('Lint', () => {
  const folder = testFolder();
  const { rules, overrides } = JSON.parse(readFileSync(CONFIG, 'utf8')) as Config;
  const rulesOf = (files: string): object => overrides.find((override) => override.files[0] === files)?.rules ?? {};
  const namesOf = (all: object): string[] => Object.keys(all).map((rule) => rule.replace(/^\w+\//, ''));
  const names = namesOf({ ...rules, ...rulesOf('**/*.ts') });
  const namesInModules = namesOf(rulesOf('**/*.mjs'));

  it('has exactly the rules that this test has violations of', () => {
    assert.deepEqual(names.toSorted(), Object.keys(VIOLATIONS).sort());
    assert.deepEqual(namesInModules.toSorted(), Object.keys(VIOLATIONS_IN_MODULES).sort());
  });

  it('reports a violation of each rule, and wrong types', async () => {
    for (const rule of names) await folder.write(`${rule}.ts`, `${VIOLATIONS[rule]}\nexport {};\n`);
    for (const rule of namesInModules) await folder.write(`${rule}.mjs`, `${VIOLATIONS_IN_MODULES[rule]}\nexport {};\n`);
    await folder.write('wrongType.ts', 'export const f: string = 1;\n');
    const reported = await lint();
    const isReported = (rule: string, file: string): boolean =>
      reported.some(({ code, filename }) => code?.endsWith(`(${rule})`) === true && basename(filename) === file);
    assert.deepEqual(
      names.filter((rule) => !isReported(rule, `${rule}.ts`)),
      [],
    );
    assert.deepEqual(
      namesInModules.filter((rule) => !isReported(rule, `${rule}.mjs`)),
      [],
    );
    assert.ok(reported.some(({ code, filename }) => code === 'typescript(TS2322)' && basename(filename) === 'wrongType.ts'));
  });

  it('reports violations of the project’s own rules only', async () => {
    await mkdir(join(folder.path, 'src'));
    for (const [rule, { violations, accepted }] of Object.entries(OWN_RULES)) {
      for (const [at, text] of violations.entries()) await folder.write(`src/${rule}-violation-${at}.ts`, `${text}\n`);
      for (const [at, text] of accepted.entries()) await folder.write(`src/${rule}-accepted-${at}.ts`, `${text}\n`);
    }
    const found = (await lint()).map(({ code, filename }) => [code, basename(filename)]);
    const expected = Object.entries(OWN_RULES).flatMap(([rule, { violations }]) =>
      violations.map((_, at) => [`local(${rule})`, `${rule}-violation-${at}.ts`]),
    );
    assert.deepEqual(found.sort(), expected.sort());
  });

  async function lint(): Promise<readonly Diagnostic[]> {
    const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { compilerOptions: object };
    await folder.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] }, include: ['.'] }));
    const args = ['node_modules/oxlint/bin/oxlint', '--config', CONFIG, '--format', 'json', folder.path];
    const printed = await new Promise<string>((done) => execFile(process.execPath, args, { maxBuffer: 1e8 }, (_error, text) => done(text)));
    return (JSON.parse(printed) as { diagnostics: readonly Diagnostic[] }).diagnostics;
  }
});
