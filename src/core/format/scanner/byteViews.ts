/** Bytes as numbers, apart from the program, which an exported page doesn't have. */

export const intsOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Int32Array =>
  new Int32Array(buffer, byteOffset, length / 4);

export const doublesOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Float64Array =>
  new Float64Array(buffer, byteOffset, length / 8);
