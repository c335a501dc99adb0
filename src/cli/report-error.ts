import { hasErrors, Problems, problem } from '../model/diagnostic.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { jsonText } from '../report/json-value.ts';
import { diagnosticJson } from '../report/plan-json.ts';
import { diagnosticLine } from '../report/terraform/ui-line.ts';
import { writeStream } from './stream.ts';
import { terminalFor } from './terminal.ts';

/** Says what went wrong, for people (and, with `--json`, for programs). A stack only with TRUEUP_DEBUG. */
export function reportError(error: unknown, argv: string[]): void {
  const color = argv.includes('--no-color') ? false : argv.includes('--color') ? true : undefined;
  const terminal = terminalFor({ color });
  const diagnostics =
    error instanceof Problems && hasErrors(error.diagnostics) ? error.diagnostics : [unexpected(error)];
  if (argv.includes('--json-stream')) writeStream(diagnostics.map(diagnosticLine));
  if (argv.includes('--json'))
    terminal.out(
      jsonText({
        formatVersion: '1.0',
        complete: false,
        summary: {},
        changes: [],
        operations: [],
        diagnostics: diagnostics.map(diagnosticJson),
      }),
    );
  if (process.env.TRUEUP_DEBUG && error instanceof Error) terminal.err(error.stack ?? '');
  terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
}

function unexpected(error: unknown) {
  const { message, hint, code } = error as { message?: string; hint?: string; code?: string };
  return problem(code ?? 'internal', message ?? String(error), {
    hint: hint ?? 'this is a fault of trueup itself: run again with TRUEUP_DEBUG=1 and report what it prints',
  });
}
