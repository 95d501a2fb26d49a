/** Memory that is taken piece by piece and freed as a whole. */

const BLOCK_SIZE: usize = 1 << 20;
/** The bytes that a processor loads at once. */
export const LINE_SIZE: usize = 64;

let block: usize = 0;
let next: usize = 0;
let end: usize = 0;
let taken: usize = 0;

/** Returns memory filled with zeros that begins with a line of the cache. `size`: a multiple of `LINE_SIZE`. */
export function take(size: usize): usize {
  if (end - next < size) addBlock(max(size + 2 * LINE_SIZE, BLOCK_SIZE));
  const at = next;
  next += size;
  taken += size;
  return at;
}

/** The bytes taken since the last `freeAll`. */
export function takenBytes(): usize {
  return taken;
}

/** In front of a block's first line is the address of the block before it. */
function addBlock(size: usize): void {
  const at = heap.alloc(size);
  memory.fill(at, 0, size);
  store<usize>(at, block);
  block = at;
  next = (at + sizeof<usize>() + LINE_SIZE - 1) & ~(LINE_SIZE - 1);
  end = at + size;
}

export function freeAll(): void {
  while (block != 0) {
    const before = load<usize>(block);
    heap.free(block);
    block = before;
  }
  next = end = taken = 0;
}
