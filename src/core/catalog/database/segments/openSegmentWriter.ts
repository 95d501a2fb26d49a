/** Opens the connection that adds segments to the full-text index. */
import { openForSegments, type DatabaseLocation } from '../database';
import { isDatabaseError } from '../databaseErrors';
import { SegmentWriter } from './segmentWriter';

/** @returns `undefined` where the tables of the index can't be written, or if another window has replaced the database */
export function openSegmentWriter(location: DatabaseLocation, ino: bigint | undefined): SegmentWriter | undefined {
  const database = location.hasWordIndex ? openForSegments(location, ino) : undefined;
  try {
    return database && new SegmentWriter(database);
  } catch (error) {
    database?.close();
    if (!isDatabaseError(error)) throw error;
    // SQLite refuses the statements where its defensive mode can't be left.
    return undefined;
  }
}
