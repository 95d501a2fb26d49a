/**
 * Stands in for the parts of Bun, and of oh-my-pi's native module, that its session code uses, so that this code runs in
 * Node. Everything else throws when it's called. Sets `globalThis.Bun`, so only a process of its own imports it.
 */
import { Blob } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** Returns a value whose parts can be taken and passed around; calling one of them throws. */
function missing(name) {
  return new Proxy(function () {}, {
    get: (_, key) => (typeof key === 'symbol' || key === 'prototype' ? undefined : missing(`${name}.${key}`)),
    apply: () => {
      throw new Error(`${name} isn't available here.`);
    },
    construct: () => {
      throw new Error(`${name} isn't available here.`);
    },
  });
}

/** A lock that nobody else holds: a test's files belong to one process. */
class FileLock {
  static tryAcquire() {
    return new FileLock();
  }
  static acquire() {
    return new FileLock();
  }
  release() {}
  [Symbol.dispose]() {}
}

/** Stands in for a module that isn't there. */
export function absent(name) {
  const parts = name === '@oh-my-pi/pi-natives' ? { FileLock } : {};
  return new Proxy(parts, { get: (all, key) => (key in all ? all[key] : missing(`${name}.${String(key)}`)) });
}

const file = (path) => ({
  get size() {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  },
  text: () => readFile(path, 'utf8'),
  json: async () => JSON.parse(await readFile(path, 'utf8')),
  bytes: async () => new Uint8Array(await readFile(path)),
  arrayBuffer: async () => new Uint8Array(await readFile(path)).buffer,
  exists: async () => statSync(path, { throwIfNoEntry: false }) !== undefined,
  slice: (from, to) => new Blob([readFileSync(path).subarray(from, to)]),
  stream: () => new Blob([readFileSync(path)]).stream(),
});

async function write(path, content) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return Buffer.byteLength(content);
}

/** Bun's parser of JSON Lines: returns the values before the first error, and where the next one would begin. */
const JSONL = {
  parseChunk(chunk, from = 0, to = chunk.length) {
    const isText = typeof chunk === 'string';
    const bytes = isText ? undefined : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const values = [];
    let read = from;
    while (read < to) {
      const next = isText ? chunk.indexOf('\n', read) : bytes.indexOf(10, read);
      const end = next === -1 || next >= to ? to : next;
      const line = (isText ? chunk.slice(read, end) : bytes.toString('utf8', read, end)).trim();
      if (line !== '') {
        try {
          values.push(JSON.parse(line));
        } catch (error) {
          // A last line without a line break may go on in the next chunk.
          return { values, read, done: false, error: end === to ? null : error };
        }
      }
      read = Math.min(end + 1, to);
    }
    return { values, read, done: true, error: null };
  },
};

class SHA256 {
  #hash = createHash('sha256');
  static hash = (data, encoding) => createHash('sha256').update(data).digest(encoding);
  update(data) {
    this.#hash.update(data);
    return this;
  }
  digest(encoding) {
    return this.#hash.digest(encoding);
  }
}

class Glob {
  constructor(pattern) {
    this.pattern = pattern;
  }
  scanSync(folder) {
    return globSync(this.pattern, { cwd: typeof folder === 'string' ? folder : folder.cwd });
  }
  async *scan(folder) {
    yield* this.scanSync(folder);
  }
}

/** A version 7 UUID: the time, then random digits. */
function randomUUIDv7() {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const parts = {
  env: process.env,
  version: '1.3.14',
  isMainThread: true,
  file,
  write,
  JSONL,
  SHA256,
  Glob,
  randomUUIDv7,
  deepEquals: isDeepStrictEqual,
  sleep: (milliseconds) => pause(milliseconds),
  hash: (text) => BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 16)}`),
  stringWidth: (text) => text.length,
};

globalThis.Bun = new Proxy(parts, { get: (all, key) => (key in all ? all[key] : missing(`Bun.${String(key)}`)) });
