// The same sessions of OpenClaw in each form that they can have on the disk: files, rows of OpenClaw's database, its
// archives beside that, and our compressed files. The same seed gives the same lines.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { writeRealSession } from './realSession.mjs';
import { Speech, vocabulary } from './speech.mjs';

const START = Date.parse('2026-01-02T08:00:00.000Z');
const REAL_DATABASE = resolve(import.meta.dirname, '..', 'fixtures', 'openclaw-sqlite', 'openclaw-agent.sqlite');

export const FORMS = ['files', 'database', 'cold', 'zst', 'gz'];

/** As in `stores.mjs`: 482 MB in 200 sessions, and one very long session. */
const STORES = {
  large: { sessions: 200, size: 2.41e6 },
  single: { sessions: 1, size: 101e6 },
};

/** Sessions that are at work at the same time, and how many lines one writes before the next one does. */
const AT_ONCE = 4;
const TURN_LINES = 8;

/** When OpenClaw compresses an event: its bytes, and the bytes that it must save, its outline included. */
const MIN_PACKED_BYTES = 1024;
const savedBytes = (size) => Math.max(64, Math.ceil(size / 10));

const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const CHECKED = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

function sessionLines(words, seed, size) {
  const lines = [];
  const write = (line) => lines.push(line.slice(0, -1));
  const cwd = `/work/project${seed % 12}`;
  writeRealSession(new Speech(words, seed), {
    seed,
    size,
    resultBytes: 2400,
    program: 'openclaw',
    cwd,
    start: START + seed * 60_000,
    write,
  });
  return { id: JSON.parse(lines[0]).id, lines };
}

/** Returns what OpenClaw keeps beside a compressed event. */
function outlineOf(line) {
  const { type, id, parentId = null, timestamp, message } = JSON.parse(line);
  const entry = { type, id, parentId, timestamp };
  const navigation = message ? { ...entry, message: { role: message.role } } : entry;
  return JSON.stringify({
    version: 1,
    report: { kind: 'canonical', hasParentId: true, entry },
    navigation,
    reset: navigation,
    model: message ? { ...entry, message: { ...message, content: [], details: undefined } } : entry,
    modelBytes: Buffer.byteLength(line),
    modelWithoutCheckpointBytes: Buffer.byteLength(line),
    withoutCustomDataBytes: Buffer.byteLength(line),
  });
}

/** Returns the columns of an event: its line, or that compressed. */
function packedColumns(line) {
  const size = Buffer.byteLength(line);
  const identity = [line, null, size, null];
  if (size < MIN_PACKED_BYTES || line.includes('\\u')) return identity;
  const packed = zstdCompressSync(Buffer.from(line), FAST);
  const outline = outlineOf(line);
  const isWorth = outline.length <= 16_384 && packed.length + outline.length <= size - savedBytes(size);
  return isWorth ? [null, packed, size, outline] : identity;
}

/** Creates a database with the tables and indexes that OpenClaw fills when it stores events. */
function createDatabase(path) {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF');
  const real = new DatabaseSync(`file:${REAL_DATABASE}?immutable=1`, { readOnly: true });
  const names = [
    'schema_meta',
    'session_nodes',
    'session_windows',
    'transcript_events',
    'transcript_event_identities',
    'transcript_rewrite_watermarks',
    'session_transcript_index_state',
    'session_transcript_active_events',
    'session_transcript_cold_archives',
  ];
  const statements = real.prepare(
    `SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type = 'index'`,
  );
  for (const name of names) for (const { sql } of statements.all(name)) database.exec(sql);
  real.close();
  database.exec("INSERT INTO schema_meta VALUES ('primary', 'agent', 23, 'main', '2026.9.6', 1, 1)");
  return database;
}

class Writer {
  constructor(path) {
    this.database = createDatabase(path);
    const insert = (table, columns) =>
      this.database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    this.node = insert('session_nodes', ['session_key', 'current_session_id', 'entry_json', 'updated_at']);
    this.window = insert('session_windows', ['session_id', 'session_key', 'created_at', 'updated_at']);
    this.generation = insert('transcript_rewrite_watermarks', ['session_id', 'generation', 'updated_at']);
    this.state = insert('session_transcript_index_state', ['session_id', 'indexed_seq', 'leaf_event_id', 'updated_at']);
    this.event = insert('transcript_events', [
      'session_id',
      'seq',
      'created_at',
      'event_json',
      'event_zstd',
      'event_utf8_bytes',
      'navigation_json',
    ]);
    this.identity = insert('transcript_event_identities', ['session_id', 'event_id', 'seq', 'event_type', 'parent_id', 'created_at']);
    this.active = insert('session_transcript_active_events', ['session_id', 'active_position', 'event_seq', 'message_position']);
    this.cold = insert('session_transcript_cold_archives', [
      'session_id',
      'generation',
      'archive_name',
      'archive_sha256',
      'event_count',
      'raw_bytes',
      'archive_bytes',
      'last_seq',
      'archived_at',
      'storage',
    ]);
  }

  addSession({ id }) {
    const key = `agent:main:${id}`;
    this.node.run(key, id, '{}', START);
    this.window.run(id, key, START, START);
    this.generation.run(id, createHash('md5').update(id).digest('hex'), START);
  }

  addEvent({ id, lines }, seq) {
    const line = lines[seq];
    const { id: event, type, parentId = null, timestamp } = JSON.parse(line);
    const time = Date.parse(timestamp);
    this.event.run(id, seq, time, ...packedColumns(line));
    this.identity.run(id, event, seq, type, parentId, time);
    if (seq > 0) this.active.run(id, seq - 1, seq, seq - 1);
  }

  endSession({ id, lines }) {
    this.state.run(id, lines.length - 1, JSON.parse(lines.at(-1)).id, START);
  }

  /** Adds a session whose events are in an archive beside the agent's folder. */
  addCold(session, folder) {
    const { id, lines } = session;
    this.addSession(session);
    const records = lines.map((line, seq) =>
      JSON.stringify({ kind: 'event', row: { session_id: id, seq, event_json: line, created_at: START } }),
    );
    const packed = zstdCompressSync(Buffer.from(`${records.join('\n')}\n`));
    const hash = createHash('sha256').update(packed).digest('hex');
    writeFileSync(join(folder, `${hash}.jsonl.zst`), packed);
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, -1);
    this.cold.run(id, hash, `${hash}.jsonl.zst`, hash, lines.length, bytes, packed.length, lines.length - 1, START, 'file');
  }

  inTransaction(work) {
    this.database.exec('BEGIN');
    work();
    this.database.exec('COMMIT');
  }
}

/** Sessions at work take turns, as with several channels. */
function writeDatabase(path, sessions) {
  const writer = new Writer(path);
  const positions = new Map();
  const waiting = [...sessions];
  for (;;) {
    while (positions.size < AT_ONCE && waiting.length > 0) {
      const session = waiting.shift();
      writer.addSession(session);
      positions.set(session, 0);
    }
    if (positions.size === 0) break;
    for (const [session, from] of positions) {
      const to = Math.min(from + TURN_LINES, session.lines.length);
      writer.inTransaction(() => {
        for (let seq = from; seq < to; seq++) writer.addEvent(session, seq);
      });
      positions.set(session, to);
      if (to < session.lines.length) continue;
      writer.endSession(session);
      positions.delete(session);
    }
  }
  writer.database.close();
}

const WRITE = {
  files: (folder, { id, lines }) => writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`),
  zst: (folder, { id, lines }) =>
    writeFileSync(join(folder, `${id}.jsonl.zst`), zstdCompressSync(Buffer.from(`${lines.join('\n')}\n`), CHECKED)),
  gz: (folder, { id, lines }) => writeFileSync(join(folder, `${id}.jsonl.gz`), gzipSync(Buffer.from(`${lines.join('\n')}\n`))),
};

/** Returns the root of a form of a store, and the paths of its sessions. */
function placeOf(folder, form, ids) {
  const inDatabase = form === 'database' || form === 'cold';
  const path = inDatabase ? join(folder, form, 'agent', 'openclaw-agent.sqlite') : join(folder, form);
  const suffix = inDatabase ? '.jsonl' : form === 'files' ? '.jsonl' : `.jsonl.${form}`;
  return { root: { path, dialect: 'openclaw', flat: true }, sessions: ids.map((id) => join(path, `${id}${suffix}`)) };
}

/** Writes the stores that don't exist yet. Returns the place of each form of each store. */
export function makeStoredStores(folder) {
  const words = vocabulary();
  return Object.fromEntries(
    Object.entries(STORES).map(([name, { sessions, size }]) => {
      const at = join(folder, `stored-${name}`);
      const complete = join(at, 'complete');
      if (!existsSync(complete)) {
        const made = Array.from({ length: sessions }, (_, index) => sessionLines(words, index + 1, size));
        for (const form of Object.keys(WRITE)) mkdirSync(join(at, form), { recursive: true });
        for (const session of made) for (const write of Object.entries(WRITE)) write[1](join(at, write[0]), session);
        mkdirSync(join(at, 'database', 'agent'), { recursive: true });
        writeDatabase(join(at, 'database', 'agent', 'openclaw-agent.sqlite'), made);
        const cold = join(at, 'cold', 'sessions', 'cold');
        mkdirSync(cold, { recursive: true });
        mkdirSync(join(at, 'cold', 'agent'), { recursive: true });
        const writer = new Writer(join(at, 'cold', 'agent', 'openclaw-agent.sqlite'));
        for (const session of made) writer.inTransaction(() => writer.addCold(session, cold));
        writer.database.close();
        writeFileSync(complete, JSON.stringify(made.map(({ id }) => id)));
      }
      const ids = JSON.parse(readFileSync(complete, 'utf8'));
      return [name, Object.fromEntries(FORMS.map((form) => [form, placeOf(at, form, ids)]))];
    }),
  );
}
