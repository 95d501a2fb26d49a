/** The scanner's program, running. */
import program from './wasm/scanner.wasm';

/** What it exports: as `wasm/scanner.ts` says. */
export interface ScannerProgram {
  readonly memory: { readonly buffer: ArrayBuffer };
  memoryFor(capacity: number): number;
  begin(searched: boolean, size: number): void;
  scan(at: number, last: number, line: number, offset: number): number;
  stopped(): number;
  left(): number;
  extraIn(at: number): number;
  readonly extraEnd: { readonly value: number };
  putOther(at: number, size: number, parentAt: number, parentSize: number, line: number, offset: number, length: number, time: number, messageTime: number): void;
  putUsage(input: number, output: number, cacheRead: number, cacheWrite: number, cost: number): void;
  callAt(at: number, size: number): number;
  putCall(at: number, size: number, value: number): void;
  lastRole(): number;
  contentStart(): number;
  contentEnd(): number;
  column(which: number): number;
  count(): number;
  part(which: number): number;
  table(which: number): number;
  prepare(more: number, notes: number, targets: number): void;
  given(which: number, count: number): number;
  gather(leaf: number, base: number): number;
  made(which: number): number;
  takenBy(tip: number): number;
}

/** As far as it is needed here: TypeScript's library for Node has no types for it. */
interface WasmHost {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: ScannerProgram };
}

/** @throws where there is no WebAssembly, or no room for its memory. */
export function startProgram(): ScannerProgram {
  const host = (globalThis as unknown as { readonly WebAssembly: WasmHost }).WebAssembly;
  const toNumber = (from: number, to: number): number => Number(new TextDecoder().decode(new Uint8Array(running.memory.buffer, from, to - from)));
  const running = new host.Instance(new host.Module(program), { json: { toNumber } }).exports;
  return running;
}
