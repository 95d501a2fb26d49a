/** WebAssembly modules, as the build embeds them. */
declare module '*.wasm' {
  /** Returns the bytes of the module. */
  export default function bytes(): Uint8Array;
}
