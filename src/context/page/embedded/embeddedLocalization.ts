/** Texts of an exported page in the language of the export. */
import { ownValue } from '../../../core/format/entry/jsonValues';
import { formatMessage } from '../../../core/format/entry/problem';
import type { ExportInfo } from '../../../core/format/export/exportInfo';
import { shortTextKey, textKey } from '../../../core/format/text/textKeys';
import { localizationBy, type Localization } from '../../shared/localization';

/** Returns the localization by the translations in an export, whose keys are whole or short. Other texts are English. */
export function embeddedLocalization({ language = 'en', translations = {} }: Pick<ExportInfo, 'language' | 'translations'>): Localization {
  return localizationBy(language, ({ message, args = [], comment }) => {
    const key = textKey(message, comment);
    const text = ownValue(translations, shortTextKey(key)) ?? ownValue(translations, key);
    return formatMessage(typeof text === 'string' ? text : message, Object.fromEntries(Object.entries(args)));
  });
}
