/** Loads what recognizes secrets, which takes longer than most answers. */
import { SecretFilter } from '../core/index';

export const createSecretFilter = (): Promise<SecretFilter> => SecretFilter.create();
