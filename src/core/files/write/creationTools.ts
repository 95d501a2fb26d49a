/** The tools that functions need to create session files. */
import type { Stamp } from '../../format/write/sessionNames';
import type { Disk } from '../io/disk';
import type { RootGuard } from '../locate/readOnlyRoots';

/** Source of ids and times, the disk, and the guard of read-only roots. */
export interface CreationTools {
  readonly stamp: Stamp;
  /** The calls that change files; replaced in tests. */
  readonly disk: Disk;
  /** Refuses the path of a new file in a read-only root. */
  readonly assertChangeable: RootGuard;
}
