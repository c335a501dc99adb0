import { type Command, Option } from 'commander';
import type { StackOptions, StacksOptions } from '../app/stack-options.ts';
import { type Validation, validateConfigurations } from '../app/validating.ts';
import { noTokenReason } from '../ci/ci-job.ts';
import type { Provider } from '../kind/provider.ts';
import { hasErrors, Problems } from '../model/diagnostic.ts';
import { countObjects } from '../model/logical-changes.ts';
import { asSuppressed, suppressedFindingsTexts } from '../report/finding-text.ts';
import { cleanLine, count } from '../report/text.ts';
import { annotateOnGithub, sayNotice } from '../terminal/actions-run.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { sayDiagnostics, type Terminal, terminalFor } from '../terminal/terminal.ts';
import { exitCodes } from './exit-codes.ts';
import { withConfiguration, withSources, withStacks } from './options.ts';

interface ValidateOptions extends StackOptions, StacksOptions {
  format: 'text' | 'json' | 'sarif';
}

/** Declares `trueup validate`, which checks configurations without an account, for people, programs and code scanning. */
export function validateCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withSources(withConfiguration(command)))
    .addOption(
      new Option('--format <format>', 'output format; sarif is for code scanning')
        .choices(['text', 'json', 'sarif'])
        .default('text'),
    )
    .action(async (options: ValidateOptions) => {
      const terminal = terminalFor(run, options);
      sayIfWithoutToken(terminal);
      const validating = validateConfigurations(provider, options, terminal);
      if (options.format === 'text') printValidation(await validating, terminal);
      else await printFindings(validating, options, terminal);
    });
}

/** Says in a CI job that gets no token, as for a pull request from a fork, that it is only validated and not planned, and why. */
function sayIfWithoutToken(terminal: Terminal): void {
  const reason = noTokenReason(terminal.run.host);
  if (reason === undefined) return;
  const sentence = `${reason[0]!.toUpperCase()}${reason.slice(1)}: validated, not planned.`;
  sayNotice(sentence, 'trueup validate', terminal);
}

/** Prints all diagnostics and suppressed findings for `validate --format json` or `sarif`, also if the check fails. Sets the exit code. */
async function printFindings(
  validating: Promise<Validation>,
  { format, file }: ValidateOptions,
  terminal: Terminal,
): Promise<void> {
  const { run } = terminal;
  const { diagnostics, suppressed } = await allDiagnosticsOf(validating);
  if (format === 'json')
    terminal.out((await import('../report/plan-json.ts')).validationJson(diagnostics, suppressed));
  else {
    const { sarifLog } = await import('./explain.ts');
    const findings = [...diagnostics, ...asSuppressed(suppressed)];
    terminal.out(sarifLog(findings, run.host, file?.[0] ?? 'trueup.yaml'));
  }
  if (hasErrors(diagnostics)) run.exitCode = exitCodes.failed;
}

/** Prints the result of `trueup validate` for people: warnings and notes, and a line per valid configuration. */
function printValidation({ valid, diagnostics, suppressed }: Validation, terminal: Terminal): void {
  sayDiagnostics(diagnostics, terminal);
  annotateOnGithub(diagnostics, terminal);
  terminal.say(suppressedFindingsTexts({ suppressedFindings: suppressed }).join('\n'));
  for (const { id, stage, desired } of valid) {
    const ofStack = id === undefined ? '' : ` of ${id}`;
    const ofStage = stage === undefined ? '' : ` of the stage ${stage}`;
    terminal.out(
      `The configuration${cleanLine(ofStack + ofStage)} is valid: ${count(countObjects(desired.resources.values()), 'object')} in ${count(desired.inputs.length, 'file')}.`,
    );
  }
}

/** Returns the diagnostics and the suppressed findings of a check. If the check fails, its errors take their place. */
const allDiagnosticsOf = (
  validating: Promise<Validation>,
): Promise<Pick<Validation, 'diagnostics' | 'suppressed'>> =>
  validating.catch((error) => {
    if (error instanceof Problems) return { diagnostics: error.diagnostics, suppressed: [] };
    throw error;
  });
