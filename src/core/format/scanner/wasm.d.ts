/** WebAssembly, as the build puts it into what it makes. */
declare module '*.wasm' {
  const bytes: Uint8Array;
  export default bytes;
}
