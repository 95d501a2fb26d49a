/** WebAssembly, as the build puts it into what it makes. */
declare module '*.wasm' {
  /** Returns the bytes of the module. */
  export default function bytes(): Uint8Array;
}
