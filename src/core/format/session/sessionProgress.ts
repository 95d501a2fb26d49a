/** The progress of a session as its program keeps it outside of the lines. Models wrote the texts. */
import { withoutMarkdown } from '../text/plainText';

export interface SessionProgress {
  /** A few sentences about the session so far. */
  readonly recap?: string;
  /** The agent's own card. */
  readonly markdown?: string;
  readonly steps?: readonly ProgressStep[];
}

export interface ProgressStep {
  readonly text: string;
  /** `pending`, `in_progress` or `completed`. */
  readonly status: string;
}

/** Returns the agent's card as plain text: its Markdown without marks, and a line for each step. */
export const progressText = ({ markdown = '', steps = [] }: SessionProgress): string =>
  [withoutMarkdown(markdown).trim(), ...steps.map(({ text, status }) => `${signOf(status)} ${withoutMarkdown(text)}`)]
    .filter((line) => line !== '')
    .join('\n');

const signOf = (status: string): string => (status === 'completed' ? '✓' : status === 'in_progress' ? '→' : '○');
