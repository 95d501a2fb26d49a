/** The scanner's program, running. */
import program from '../wasm/scanner.wasm';

/** What it exports: as `wasm/scanner.ts` says. */
export interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(capacity: number): number;
  begin(searched: boolean, size: number): void;
  scan(at: number, last: number, line: number, offset: number): number;
  scanEnd(): number;
  pendingWork(): number;
  findExtraData(at: number): number;
  readonly extraDataEnd: { readonly value: number };
  addParsedEntry(at: number, size: number, parentAt: number, parentSize: number, line: number, offset: number, length: number, time: number, messageTime: number): void;
  putUsage(input: number, output: number, cacheRead: number, cacheWrite: number, cost: number): void;
  findCall(at: number, size: number): number;
  putCall(at: number, size: number, value: number): void;
  lastRole(): number;
  contentStart(): number;
  contentEnd(): number;
  column(which: number): number;
  count(): number;
  part(which: number): number;
  table(which: number): number;
  reserveIndex(more: number, notes: number, targets: number): void;
  indexInput(which: number, count: number): number;
  buildIndex(leaf: number, base: number): number;
  indexOutput(which: number): number;
  ownCost(tip: number): number;
}

/** As far as it is needed here: TypeScript's library for Node has no types for it. */
interface WasmHost {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: ScannerExports };
}

/** @throws where there is no WebAssembly, or no room for its memory. */
export function instantiateScanner(): ScannerExports {
  const host = (globalThis as unknown as { readonly WebAssembly: WasmHost }).WebAssembly;
  const toNumber = (from: number, to: number): number => Number(new TextDecoder().decode(new Uint8Array(running.memory.buffer, from, to - from)));
  const running = new host.Instance(new host.Module(program), { json: { toNumber } }).exports;
  return running;
}
