import { hasErrors, Problems, problem } from '../model/diagnostic.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { jsonText } from '../report/json-value.ts';
import { failureJson } from '../report/plan-json.ts';
import { diagnosticLine } from '../report/terraform/ui-line.ts';
import { annotate } from './actions-run.ts';
import { writeStream } from './stream.ts';
import { terminalFor } from './terminal.ts';

/** Says what went wrong, for people (and, with `--json`, for programs). A stack only with TRUEUP_DEBUG. */
export function reportError(error: unknown, argv: string[]): void {
  const color = argv.includes('--no-color') ? false : argv.includes('--color') ? true : undefined;
  const unicode = argv.includes('--no-unicode') ? false : undefined;
  const terminal = terminalFor({ color, unicode });
  const diagnostics =
    error instanceof Problems && hasErrors(error.diagnostics) ? error.diagnostics : [unexpected(error)];
  if (argv.includes('--json-stream')) writeStream(diagnostics.map(diagnosticLine));
  if (isForPrograms(argv)) terminal.out(jsonText(failureJson(diagnostics)));
  if (process.env.TRUEUP_DEBUG && error instanceof Error) terminal.err(error.stack ?? '');
  terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
  annotate(diagnostics, terminal);
}

function unexpected(error: unknown) {
  const { message, hint, code } = error as { message?: string; hint?: string; code?: string };
  return problem(code ?? 'internal', message ?? String(error), {
    hint: hint ?? 'this is a fault of trueup itself: run again with TRUEUP_DEBUG=1 and report what it prints',
  });
}

const isForPrograms = (argv: string[]): boolean =>
  argv.some(
    (word, at) =>
      word === '--json' || word === '--format=json' || (word === 'json' && argv[at - 1] === '--format'),
  );
