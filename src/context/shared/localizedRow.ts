/** The row of an entry in the reader's language. */
import { plainRowWithRole } from '../../core/format/entry/plainRow';
import { t } from './localization';

/** Returns the text of an entry's row with its role, as `plainRowWithRole` does, in the reader's language. */
export const localizedRow = (row: Parameters<typeof plainRowWithRole>[0], length?: number): string =>
  plainRowWithRole(row, length, (role) => (role === 'user' ? t('user') : t('assistant')));
