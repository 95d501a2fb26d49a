/** Texts of an exported page in the language of the export. */
import { ownValue } from '../../../core/format/values/jsonValues';
import { formatMessage } from '../../../core/format/entry/problem';
import type { ExportInfo } from '../../../core/format/export/exportInfo';
import { localizationBy, textKey, type Localization } from '../../shared/localization';

/** Returns the localization by the translations in an export. Other texts are English. */
export function embeddedLocalization({ language = 'en', translations = {} }: Pick<ExportInfo, 'language' | 'translations'>): Localization {
  return localizationBy(language, ({ message, args = [], comment }) => {
    const text = ownValue(translations, textKey(message, comment));
    return formatMessage(typeof text === 'string' ? text : message, Object.fromEntries(Object.entries(args)));
  });
}
