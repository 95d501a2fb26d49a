// The messages that the window shows.
import { driver } from './driver';
import { untilMatches } from './waiting';

/** Waits until the messages match. Returns them. */
export const showsMessage = (pattern: RegExp): Promise<string> =>
  untilMatches(() => driver.plainText('.notification-toast .notification-list-item-message'), pattern);

/** Clicks a button of a message. */
export const pressButton = (text: string): Promise<void> => driver.click(`.notification-toast .monaco-button >> text=${text}`);
