/** Moves of files that Windows refuses while another program has them open. */
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../io/fileErrors';

/** Error codes with which Windows refuses to move a file that a virus scanner, an indexer or another window has open. */
const REFUSALS: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Milliseconds between tries. Such programs close a file soon. */
const PAUSES = [10, 20, 50, 100, 200, 400, 800];

/** The machine on which files are moved; a parameter, so that tests cover all platforms. */
interface MovingHost {
  readonly platform: NodeJS.Platform;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

const THIS_HOST: MovingHost = { platform: process.platform, pause: delay };

/**
 * Moves a file or folder. On Windows, a move that is refused is tried again for 1.6 s; other systems move open files.
 *
 * @param move runs again for each try, so it must include all checks that have to precede the move directly.
 * @throws the errors of the last try
 */
export async function retryWhileOpen<T>(move: () => Promise<T>, { platform, pause }: MovingHost = THIS_HOST): Promise<T> {
  for (const milliseconds of platform === 'win32' ? PAUSES : []) {
    try {
      return await move();
    } catch (error) {
      if (!REFUSALS.has(errorCode(error) ?? '')) throw error;
      await pause(milliseconds);
    }
  }
  return move();
}
