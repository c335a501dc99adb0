import type { Diagnostic } from '../../model/diagnostic.ts';
import { clean, cleanLine } from '../text.ts';

/** A line of Terraform's stream, without its time. */
export interface StreamLine {
  '@level': 'info' | 'warn' | 'error';
  '@message': string;
  '@module': 'terraform.ui';
  type: string;
}

/**
 * Creates the line of one event in Terraform's stream (`terraform plan -json` and `apply -json`), still without its time. `@message` is for
 * people; `type` tells programs which member has the data.
 */
export const createStreamLine = <T extends object>(
  type: string,
  message: string,
  data: T,
  level: StreamLine['@level'] = 'info',
): StreamLine & T => ({
  '@level': level,
  '@message': cleanLine(message),
  '@module': 'terraform.ui',
  ...data,
  type,
});

/** The version of Terraform whose formats we write. Consumers require one. */
export const terraformVersion = '1.11.4';

/** Returns the first line of a stream. It has the versions of Terraform's format and of trueup, because tools check it. */
export const versionLine = (version: string): StreamLine & { ui: string } => ({
  ...createStreamLine('version', `trueup ${version}`, { terraform: terraformVersion, trueup: version }),
  ui: '1.2',
});

/** Creates a line with a text for people and no data. */
export const logLine = (text: string): StreamLine => ({
  ...createStreamLine('log', '', {}),
  '@message': clean(text).trim(),
});

/**
 * Creates the line of a problem in Terraform's stream. Terraform has no notes, so a note becomes a warning. Terraform also writes the byte
 * offset of a place; we have only its line and column.
 */
export function diagnosticLine({ severity, message, hint, address, at }: Diagnostic): StreamLine {
  const [summary = '', ...detailLines] = clean(message).trim().split('\n');
  const isError = severity === 'error';
  return createStreamLine(
    'diagnostic',
    `${isError ? 'Error' : 'Warning'}: ${summary}`,
    {
      diagnostic: {
        severity: isError ? 'error' : 'warning',
        summary,
        detail: [...detailLines, ...(hint === undefined ? [] : [clean(hint)])].join('\n'),
        address,
        range: at && {
          filename: cleanLine(at.file),
          start: { line: at.line, column: at.column },
          end: { line: at.line, column: at.column + 1 },
        },
        snippet: at?.text === undefined ? undefined : snippetOf(at.text, at.line, at.caret ?? at.column - 1),
      },
    },
    isError ? 'error' : 'warn',
  );
}

/**
 * Returns the line of a file with the position of the problem (`caret`) in it, as Terraform's stream writes it, so that its readers can
 * show the mistake.
 */
const snippetOf = (text: string, line: number, caret: number) => ({
  context: null,
  code: text,
  start_line: line,
  highlight_start_offset: caret,
  highlight_end_offset: caret + 1,
  values: [],
});
