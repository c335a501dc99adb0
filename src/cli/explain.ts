import type { Command } from 'commander';
import troubleshooting from '../../docs/troubleshooting.md?raw';
import { createPathLocator } from '../ci/ci-job.ts';
import { quoted } from '../config/suggest.ts';
import type { Host } from '../host.ts';
import type { Provider } from '../kind/provider.ts';
import {
  explanationListText,
  explanationOf,
  explanationsIn,
  explanationText,
} from '../manual/explanations.ts';
import { type Diagnostic, problem, raise } from '../model/diagnostic.ts';
import { closestName } from '../model/similar-name.ts';
import { homepage, version } from '../model/version.ts';
import { sarif } from '../report/sarif.ts';
import { jsonText } from '../report/show.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { type Terminal, terminalFor } from '../terminal/terminal.ts';
import { withColor } from './options.ts';

/** Returns the error codes that have an explanation, for completion. Entries for whole families (`http/*`) are left out. */
export const explainedCodes = (): string[] =>
  explanationsIn(troubleshooting)
    .map(({ code }) => code)
    .filter((code) => !code.endsWith('*'));

/** Declares `trueup explain`. The command prints the entry of an error code in docs/troubleshooting.md, or all codes. Needs no configuration. */
export function explainCommand(command: Command, _provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('[code]', 'the code at the end of an error or warning, such as ledger/unsigned')
    .option('--json', 'print one JSON document')
    .action((code: string | undefined, options: { json?: boolean; color?: boolean }) => {
      const terminal = terminalFor(run, options);
      if (code !== undefined) return explainCode(code, options.json, terminal);
      const explanations = explanationsIn(troubleshooting);
      terminal.out(
        options.json
          ? jsonText({ formatVersion: '1.0', explanations })
          : explanationListText(explanations, { style: terminal.outStyle }),
      );
    });
}

/**
 * Prints the explanation of one code for `trueup explain CODE`, with or without the brackets that it has in an error. An explanation may be
 * about a family of codes, such as `http/*`: JSON has that code, and the text the code of the user. Throws `Problems` for an unknown code.
 */
function explainCode(writtenCode: string, isJson: boolean | undefined, terminal: Terminal): void {
  const explanations = explanationsIn(troubleshooting);
  const code = writtenCode.replace(/^\[|\]$/g, '');
  const explanation = explanationOf(explanations, code);
  if (!explanation) {
    const codes = explanations.map((candidate) => candidate.code);
    raise(unknownCodeProblem(code, codes));
  }

  const shown = explanation.code.endsWith('*') ? { ...explanation, code } : explanation;
  terminal.out(
    isJson
      ? jsonText({ formatVersion: '1.0', ...explanation })
      : explanationText(shown, { style: terminal.outStyle }),
  );
}

/**
 * Returns the problem with an unknown code of `trueup explain`, and suggests a similar one. A code without its family (`unsigned`) finds the
 * complete code (`ledger/unsigned`).
 */
function unknownCodeProblem(code: string, codes: string[]) {
  const suggestion = codes.find((candidate) => candidate.endsWith(`/${code}`)) ?? closestName(code, codes);
  return problem('explain/unknown', `there is no code ${quoted(code)}`, {
    hint:
      suggestion === undefined
        ? '`trueup explain` lists all codes; one without `/` comes from the platform: see `trueup explain http/400`'
        : `did you mean \`${suggestion}\`?`,
  });
}

/**
 * Formats diagnostics as a SARIF log (a report format for code scanning, such as on GitHub) for `plan --format sarif` and `validate --format
 * sarif`, with the explanations of their codes. `file`: shown for diagnostics without a location.
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
