/** The half of the session data's code that reads session files, by itself: all of it at once would be one long task. */
import { readSession } from '../core/index';

export { readSession };
