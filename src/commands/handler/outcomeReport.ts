/** The text of a report on many sessions: a summary, and the result for each file. */
import { uiLine } from '../../core/index';

interface ReportedFile {
  readonly path: string;
  readonly detail: string;
}

/** @param sections titles and files; empty ones are left out */
export function outcomeReport(
  summary: string,
  sections: readonly (readonly [title: string, files: readonly ReportedFile[]])[],
  nameOf: (path: string) => string,
): string {
  const lines = sections.flatMap(([title, files]) =>
    files.length === 0
      ? []
      : ['', title, ...files.flatMap(({ path, detail }) => ['', `  ${nameOf(path)}`, `    ${uiLine(path)}`, `    ${uiLine(detail)}`])],
  );
  return [summary, ...lines, ''].join('\n');
}
