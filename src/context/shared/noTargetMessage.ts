/** The message shown when there is no further target in a direction. */
import { t } from './localization';
import type { TargetKind } from './protocol';

export function noTargetMessage(kind: TargetKind, by: 1 | -1): string {
  switch (kind) {
    case 'user':
      return by === 1 ? t('No more user messages below') : t('No more user messages above');
    case 'error':
      return by === 1 ? t('No more tool errors below') : t('No more tool errors above');
    case 'label':
      return by === 1 ? t('No more labels below') : t('No more labels above');
    case 'cut':
      return by === 1 ? t('No more compactions or resets below') : t('No more compactions or resets above');
  }
}
