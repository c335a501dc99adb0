import { createReportPlaces } from '../app/ci-job.ts';
import { problemsOf } from '../app/problems-of.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { jsonText } from '../report/json-value.ts';
import { failureMarkdown } from '../report/markdown/failure-markdown.ts';
import { commentLimit } from '../report/markdown/forms.ts';
import { errorJson, failureJson, validationJson } from '../report/plan-json.ts';
import { stacksJson } from '../report/stacks/stacks-json.ts';
import { diagnosticLine } from '../report/terraform/ui-line.ts';
import { addStepSummary, annotate } from './actions-run.ts';
import type { CommandRun } from './command-run.ts';
import { type Terminal, terminalFor, writeStream } from './terminal.ts';

/** Says what went wrong, for people (and, with `--json`, for programs). A stack only with TRUEUP_DEBUG. */
export function reportError(error: unknown, argv: string[], run: CommandRun): void {
  const color = argv.includes('--no-color') ? false : argv.includes('--color') ? true : undefined;
  const unicode = argv.includes('--no-unicode') ? false : undefined;
  const terminal = terminalFor(run, { color, unicode });
  const diagnostics = problemsOf(error);
  if (argv.includes('--json-stream')) writeStream(diagnostics.map(diagnosticLine), run.host);
  if (isFormat('json', argv)) terminal.out(failureDocument(diagnostics, argv));
  if (run.host.env.TRUEUP_DEBUG && error instanceof Error) terminal.say(error.stack ?? '');
  terminal.say(diagnosticsText(diagnostics, { style: terminal.errStyle }));
  annotate(diagnostics, terminal);
  reportToReaders(diagnostics, argv, terminal);
}

/** Returns the JSON document of a failed command: of the kind that it prints if it succeeds, if that has room for problems. */
function failureDocument(diagnostics: Diagnostic[], argv: string[]): string {
  const [command = ''] = argv;
  if (command === 'validate') return validationJson(diagnostics);
  if (command === 'report' || (command === 'plan' && argv.includes('--all')))
    return jsonText(stacksJson([], undefined, diagnostics));
  return jsonText(
    command === 'plan' || command === 'show' ? failureJson(diagnostics) : errorJson(diagnostics),
  );
}

/** The word for what a failed command did not do, for each command that makes or shows a plan. */
const undone: Record<string, string> = {
  plan: 'planned',
  apply: 'applied',
  destroy: 'destroyed',
  show: 'shown',
};

/** Puts the failure where people expect the plan: in the pull request and in the summary of the step. */
function reportToReaders(diagnostics: Diagnostic[], argv: string[], terminal: Terminal): void {
  const [command = ''] = argv;
  const done = undone[command];
  if (done === undefined) return;
  const { stack } = terminal.run;
  const failure = { command, done, diagnostics, stack };
  const places = createReportPlaces(terminal.run.host);
  if (isFormat('markdown', argv)) terminal.out(failureMarkdown(failure, commentLimit, places));
  if (command !== 'show') addStepSummary((room) => failureMarkdown(failure, room, places), terminal);
}

const isFormat = (name: string, argv: string[]): boolean =>
  argv.some(
    (word, index) =>
      word === `--${name}` ||
      word === `--format=${name}` ||
      (word === name && argv[index - 1] === '--format'),
  );
