/** Bytes as numbers, apart from the program, which an exported page doesn't have. */

export const intsOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Int32Array =>
  new Int32Array(buffer, byteOffset, length / 4);

const decoder = new TextDecoder();

/** Returns ASCII bytes as text, of any length. */
export const asciiOf = (bytes: Uint8Array): string => decoder.decode(bytes);

export const doublesOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Float64Array =>
  new Float64Array(buffer, byteOffset, length / 8);
