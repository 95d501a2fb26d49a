/**
 * The half of the session data's code that reads session files, loaded separately: loading all of it together would be
 * one long task.
 */
import { readSession } from '../core/index';

export { readSession };
