import type { Diagnostic } from '../../model/diagnostic.ts';
import { clean, cleanLine } from '../clean.ts';

/** A line of the stream, but for the time. */
export interface UiLine {
  '@level': 'info' | 'warn' | 'error';
  '@message': string;
  '@module': 'terraform.ui';
  type: string;
}

/** The line of one event. `@message` is for people; `type` says which member has the data. */
export const uiLine = <T extends object>(
  type: string,
  message: string,
  data: T,
  level: UiLine['@level'] = 'info',
): UiLine & T => ({
  '@level': level,
  '@message': cleanLine(message),
  '@module': 'terraform.ui',
  ...data,
  type,
});

/** The Terraform that consumers take a plan or a stream to be of. */
export const terraformVersion = '1.11.4';

/** The first line of a stream: what it is, and that it can be read as Terraform's. */
export const versionLine = (version: string): UiLine & { ui: string } => ({
  ...uiLine('version', `trueup ${version}`, { terraform: terraformVersion, trueup: version }),
  ui: '1.2',
});

/** Anything else that there is to say. */
export const logLine = (text: string): UiLine => ({
  ...uiLine('log', '', {}),
  '@message': clean(text).trim(),
});

/** A problem; where it stands in the file is told by line and column only. */
export function diagnosticLine({ severity, message, hint, address, at }: Diagnostic): UiLine {
  const [summary = '', ...rest] = clean(message).trim().split('\n');
  const isError = severity === 'error';
  return uiLine(
    'diagnostic',
    `${isError ? 'Error' : 'Warning'}: ${summary}`,
    {
      diagnostic: {
        severity,
        summary,
        detail: [...rest, ...(hint === undefined ? [] : [clean(hint)])].join('\n'),
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

const snippetOf = (text: string, line: number, caret: number) => ({
  context: null,
  code: text,
  start_line: line,
  highlight_start_offset: caret,
  highlight_end_offset: caret + 1,
  values: [],
});
