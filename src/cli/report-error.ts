import { createReportPlaces } from '../ci/ci-job.ts';
import { problemsOf } from '../model/describe-errors.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { commentLimit } from '../report/markdown/forms.ts';
import { failureMarkdown } from '../report/markdown/stacks-markdown.ts';
import { errorJson, failureJson, validationJson } from '../report/plan-json.ts';
import { jsonText } from '../report/show.ts';
import { stacksJson } from '../report/stacks/stacks-json.ts';
import { diagnosticLine } from '../report/terraform/stream-line.ts';
import { addStepSummary, annotateOnGithub } from '../terminal/actions-run.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor, writeStream } from '../terminal/terminal.ts';

/**
 * Reports the error that ended a command: on the terminal, as JSON if the command prints JSON, and in the reports of a CI job. The options
 * are read from `argv`, because the command may have failed before they were parsed. Stack traces are shown only with TRUEUP_DEBUG.
 */
export function reportError(error: unknown, argv: string[], run: CommandRun): void {
  const terminal = terminalFor(run, { color: !argv.includes('--no-color') });
  const diagnostics = problemsOf(error);
  if (argv.includes('--json-stream')) writeStream(diagnostics.map(diagnosticLine), run.host);
  if (isFormat('json', argv)) terminal.out(failureDocument(diagnostics, argv));
  if (run.host.env.TRUEUP_DEBUG && error instanceof Error) terminal.say(error.stack ?? '');
  sayDiagnostics(diagnostics, terminal);
  annotateOnGithub(diagnostics, terminal);
  reportToReaders(diagnostics, argv, terminal);
}

/** Returns the JSON document of a failed command, so that its readers need not parse text. `validate`, `plan`, `show` and `report` keep their usual form. */
function failureDocument(diagnostics: Diagnostic[], argv: string[]): string {
  const [command = ''] = argv;
  if (command === 'validate') return validationJson(diagnostics);
  const isOfSeveral = argv.some((word) => /^--(?:all|changed-since(?:=.*)?)$/s.test(word));
  if (command === 'report' || (command === 'plan' && isOfSeveral))
    return jsonText(stacksJson([], undefined, diagnostics));
  return jsonText(
    command === 'plan' || command === 'show' ? failureJson(diagnostics) : errorJson(diagnostics),
  );
}

/** The verb of the failure's title (`not planned`) for each command whose users look for a plan in a pull request or job summary. */
const failedVerbs: Record<string, string> = {
  plan: 'planned',
  apply: 'applied',
  destroy: 'destroyed',
  show: 'shown',
};

/** Reports the failure of a command such as `plan` where people expect the plan: as Markdown for the pull request, and in the summary of the CI step. */
function reportToReaders(diagnostics: Diagnostic[], argv: string[], terminal: Terminal): void {
  const [command = ''] = argv;
  const verb = failedVerbs[command];
  if (verb === undefined) return;
  const { stack } = terminal.run;
  const failure = { command, done: verb, diagnostics, stack };
  const places = createReportPlaces(terminal.run.host);
  if (isFormat('markdown', argv)) terminal.out(failureMarkdown(failure, commentLimit, places));
  if (command !== 'show') addStepSummary((room) => failureMarkdown(failure, room, places), terminal);
}

/**
 * True if the arguments ask for an output format, in any of the spellings `--json`, `--format=json` and `--format json`. Used to report an error
 * in that format, even if the arguments could not be parsed.
 */
const isFormat = (name: string, argv: string[]): boolean =>
  argv.some(
    (word, index) =>
      word === `--${name}` ||
      word === `--format=${name}` ||
      (word === name && argv[index - 1] === '--format'),
  );
