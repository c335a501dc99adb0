import { type Command, Option } from 'commander';
import { judgeSecrets } from '../config/resolve-secrets.ts';
import type { Provider } from '../kind/provider.ts';
import { type Diagnostic, hasErrors, Problems } from '../model/diagnostic.ts';
import { version } from '../model/version.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { validationJson } from '../report/plan-json.ts';
import { sarif } from '../report/sarif.ts';
import { annotate, locateOn, note } from './actions-run.ts';
import type { Run } from './host.ts';
import { loadConfiguration, sourcesFor } from './load-configuration.ts';
import { noTokenReason } from './open-account.ts';
import { type StackOptions, withConfiguration, withSources } from './options.ts';
import { terminalFor } from './terminal.ts';

interface Options extends StackOptions {
  format: 'text' | 'json' | 'sarif';
}

export function validateCommand(command: Command, provider: Provider, run: Run): void {
  withSources(withConfiguration(command))
    .addOption(
      new Option('--format <format>', 'how to write what is wrong; sarif is for code scanning')
        .choices(['text', 'json', 'sarif'])
        .default('text'),
    )
    .option('--twin', 'accepted as everywhere; no account is asked')
    .action(async (options: Options) => {
      const terminal = terminalFor(run, options);
      const reason = noTokenReason(run.host);
      if (reason !== undefined)
        note(`${capitalized(reason)}: it is validated, not planned.`, 'trueup validate', terminal);
      if (options.format !== 'text') {
        const diagnostics = await diagnosticsOf(provider, options, run);
        const file = options.file?.[0] ?? 'trueup.yaml';
        terminal.out(
          options.format === 'json'
            ? validationJson(diagnostics)
            : sarif(diagnostics, { version, file, locate: locateOn(run.host) }),
        );
        if (hasErrors(diagnostics)) run.exitCode = 1;
        return;
      }
      const { desired, diagnostics, notes } = await look(provider, options, run);
      terminal.err(diagnosticsText(diagnostics, { style: terminal.errStyle }));
      annotate(diagnostics, terminal);
      terminal.out(
        `The configuration is valid: ${count(desired.resources.size, 'resource')} in ${count(desired.inputs.length, 'file')}.`,
      );
      for (const { message, hint, at } of notes)
        terminal.err(`Note: ${cleanLine(message)} (${at?.file}:${at?.line}).\n  ${cleanLine(hint ?? '')}`);
    });
}

const capitalized = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** The configuration, and what of it could not be read here as things are; nothing is read but variables. */
async function look(provider: Provider, options: StackOptions, run: Run) {
  const sources = sourcesFor(options, run.host);
  const configuration = await loadConfiguration(provider, options, run, { sources, isLook: true });
  const notes = [...configuration.notAllowed, ...(await judgeSecrets(configuration, sources))];
  return { ...configuration, notes };
}

/** All that is wrong with the configuration, whether or not it can be used. */
async function diagnosticsOf(provider: Provider, options: StackOptions, run: Run): Promise<Diagnostic[]> {
  try {
    const { diagnostics, notes } = await look(provider, options, run);
    return [...diagnostics, ...notes.map((one) => ({ ...one, severity: 'warning' as const }))];
  } catch (error) {
    if (error instanceof Problems) return error.diagnostics;
    throw error;
  }
}
