import type { Command } from 'commander';
import troubleshooting from '../../docs/troubleshooting.md?raw';
import { createPathLocator } from '../app/ci-job.ts';
import type { Host } from '../app/host.ts';
import { closestName, quoted } from '../config/suggest.ts';
import type { Provider } from '../kind/provider.ts';
import {
  explanationListText,
  explanationOf,
  explanationsIn,
  explanationText,
} from '../manual/explanations.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { homepage, version } from '../model/version.ts';
import { jsonText } from '../report/json-value.ts';
import { sarif } from '../report/sarif.ts';
import type { CommandRun } from './command-run.ts';
import { withColor } from './options.ts';
import { terminalFor } from './terminal.ts';

/** All codes that have an entry of their own, for completion. */
export const explainedCodes = (): string[] =>
  explanationsIn(troubleshooting)
    .map(({ code }) => code)
    .filter((code) => !code.endsWith('*'));

/** Explains the code of an error or a warning from docs/troubleshooting.md. Needs no configuration and no account. */
export function explainCommand(command: Command, _provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('[code]', 'the code at the end of an error or warning, such as ledger/unsigned')
    .option('--json', 'print one JSON document')
    .action((given: string | undefined, options: { json?: boolean; color?: boolean }) => {
      const terminal = terminalFor(run, options);
      const explanations = explanationsIn(troubleshooting);
      if (given === undefined) {
        if (options.json) return terminal.out(jsonText({ formatVersion: '1.0', explanations: explanations }));
        return terminal.out(explanationListText(explanations, { style: terminal.outStyle }));
      }
      // As it is copied from the end of an error.
      const code = given.replace(/^\[|\]$/g, '');
      const explanation = explanationOf(explanations, code);
      if (!explanation)
        throw new Problems([
          unknownCodeProblem(
            code,
            explanations.map((explanation) => explanation.code),
          ),
        ]);
      if (options.json) return terminal.out(jsonText({ formatVersion: '1.0', ...explanation }));
      const shown = explanation.code.endsWith('*') ? { ...explanation, code } : explanation;
      terminal.out(explanationText(shown, { style: terminal.outStyle }));
    });
}

function unknownCodeProblem(code: string, codes: string[]) {
  // Of a code without its family the end is enough.
  const near = codes.find((one) => one.endsWith(`/${code}`)) ?? closestName(code, codes);
  const all =
    '`trueup explain` lists all codes; one without `/` comes from the platform: see `trueup explain http/400`';
  return problem('explain/unknown', `there is no code ${quoted(code)}`, {
    hint: near === undefined ? all : `did you mean \`${near}\`?`,
  });
}

/**
 * Formats diagnostics as a SARIF log for code scanning, with the explanations of their codes. `file`: shown for diagnostics without a
 * location.
 */
export function sarifLog(diagnostics: Diagnostic[], host: Host, file: string): string {
  const explanations = explanationsIn(troubleshooting);
  return sarif(diagnostics, {
    version,
    homepage,
    file,
    locate: createPathLocator(host),
    explain: (code) => explanationOf(explanations, code)?.text,
  });
}
