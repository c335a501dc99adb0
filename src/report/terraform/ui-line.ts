import type { Change } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { clean, cleanLine } from '../clean.ts';
import { placeOf } from './sides.ts';

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

/** Anything else that there is to say. */
export const logLine = (text: string): UiLine => ({
  ...uiLine('log', '', {}),
  '@message': clean(text).trim(),
});

/** The name of a resource in the stream. */
export function uiResource({ kind, address }: Pick<Change, 'kind' | 'address'>) {
  const place = placeOf(kind, address);
  return {
    addr: place.address,
    module: '',
    resource: place.address,
    implied_provider: 'trueup',
    resource_type: place.type,
    resource_name: place.name,
    resource_key: place.index,
  };
}

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
        ...(address === undefined ? {} : { address }),
        ...(at
          ? {
              range: {
                filename: cleanLine(at.file),
                start: { line: at.line, column: at.column },
                end: { line: at.line, column: at.column + 1 },
              },
            }
          : {}),
        ...(at?.text === undefined
          ? {}
          : { snippet: snippetOf(at.text, at.line, at.caret ?? at.column - 1) }),
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
