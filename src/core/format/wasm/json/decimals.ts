/**
 * Decimal fractions to the nearest float, by the method of Eisel and Lemire: the digits are multiplied with an
 * approximation of a power of five. The product decides the result, since digits and powers here are small.
 */

/** The longest fraction in digits: for the powers up to it 128 bits are always enough. */
export const MAX_FRACTION = 27;

/** 1 / 5ⁿ for n from 1, as 128 bits each of which the first is set, rounded up: the high half, then the low half. */
// prettier-ignore
const INVERSES: StaticArray<u64> = [
  0xcccccccccccccccc, 0xcccccccccccccccd,
  0xa3d70a3d70a3d70a, 0x3d70a3d70a3d70a4,
  0x83126e978d4fdf3b, 0x645a1cac083126ea,
  0xd1b71758e219652b, 0xd3c36113404ea4a9,
  0xa7c5ac471b478423, 0x0fcf80dc33721d54,
  0x8637bd05af6c69b5, 0xa63f9a49c2c1b110,
  0xd6bf94d5e57a42bc, 0x3d32907604691b4d,
  0xabcc77118461cefc, 0xfdc20d2b36ba7c3e,
  0x89705f4136b4a597, 0x31680a88f8953031,
  0xdbe6fecebdedd5be, 0xb573440e5a884d1c,
  0xafebff0bcb24aafe, 0xf78f69a51539d749,
  0x8cbccc096f5088cb, 0xf93f87b7442e45d4,
  0xe12e13424bb40e13, 0x2865a5f206b06fba,
  0xb424dc35095cd80f, 0x538484c19ef38c95,
  0x901d7cf73ab0acd9, 0x0f9d37014bf60a11,
  0xe69594bec44de15b, 0x4c2ebe687989a9b4,
  0xb877aa3236a4b449, 0x09befeb9fad487c3,
  0x9392ee8e921d5d07, 0x3aff322e62439fd0,
  0xec1e4a7db69561a5, 0x2b31e9e3d06c32e6,
  0xbce5086492111aea, 0x88f4bb1ca6bcf585,
  0x971da05074da7bee, 0xd3f6fc16ebca5e04,
  0xf1c90080baf72cb1, 0x5324c68b12dd6339,
  0xc16d9a0095928a27, 0x75b7053c0f178294,
  0x9abe14cd44753b52, 0xc4926a9672793543,
  0xf79687aed3eec551, 0x3a83ddbd83f52205,
  0xc612062576589dda, 0x95364afe032a819e,
  0x9e74d1b791e07e48, 0x775ea264cf55347e,
];

/** Bits of a float's fraction. */
const FRACTION_BITS: u64 = 52;
const EXPONENT_BIAS = 1023;
/** Bits of the product below a float's fraction and the bit that rounds it. */
const SPARE_BITS: u64 = 64 - FRACTION_BITS - 3;

/** Returns `digits` / 10ⁿ. `digits` isn't 0, and `n` is from 1 to `MAX_FRACTION`. */
export function decimalFraction(digits: u64, n: i32): f64 {
  const zeros = clz(digits);
  const factor = digits << zeros;
  const inverse = changetype<usize>(INVERSES) + ((<usize>(n - 1)) << 4);
  let low = factor * load<u64>(inverse);
  let high = highHalf(factor, load<u64>(inverse));
  const spare = ((<u64>1) << SPARE_BITS) - 1;
  // The low half of the power matters only if it could carry into the bits that count.
  if ((high & spare) == spare) {
    const more = highHalf(factor, load<u64>(inverse, 8));
    low += more;
    if (low < more) high++;
  }
  const upper = high >>> 63;
  let fraction = high >>> (upper + SPARE_BITS);
  // Exactly between two floats, the even one counts.
  if (low <= 1 && n <= 4 && (fraction & 3) == 1 && fraction << (upper + SPARE_BITS) == high) fraction &= ~(<u64>1);
  fraction = (fraction + (fraction & 1)) >>> 1;
  let exponent = (((152170 + 65536) * -n) >> 16) + 63 + <i32>upper - <i32>zeros + EXPONENT_BIAS;
  if (fraction >= (<u64>2) << FRACTION_BITS) {
    fraction = (<u64>1) << FRACTION_BITS;
    exponent++;
  }
  return reinterpret<f64>((fraction & ~((<u64>1) << FRACTION_BITS)) | ((<u64>exponent) << FRACTION_BITS));
}

/** Returns the high 64 bits of a product. */
function highHalf(a: u64, b: u64): u64 {
  const lowA = a & 0xffffffff;
  const highA = a >>> 32;
  const lowB = b & 0xffffffff;
  const highB = b >>> 32;
  const first = lowA * highB + ((lowA * lowB) >>> 32);
  const second = highA * lowB + (first & 0xffffffff);
  return highA * highB + (first >>> 32) + (second >>> 32);
}
