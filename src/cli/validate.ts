import { type Command, Option } from 'commander';
import { noTokenReason } from '../app/ci-job.ts';
import { loadStages } from '../app/session/load-configuration.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import { namesSeveralStacks, type StackOptions, type StacksOptions } from '../app/stack-options.ts';
import { judgeReferences } from '../config/judge-references.ts';
import { judgeSecrets } from '../config/judge-secrets.ts';
import type { Provider } from '../kind/provider.ts';
import { addDiagnostics, type Diagnostic, hasErrors, Problems } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import type { Desired } from '../model/resource.ts';
import { cleanLine } from '../report/clean.ts';
import { count } from '../report/count.ts';
import { diagnosticsText } from '../report/diagnostics-text.ts';
import { annotate, sayNotice } from './actions-run.ts';
import type { CommandRun } from './command-run.ts';
import { withConfiguration, withSources, withStacks } from './options.ts';
import { terminalFor } from './terminal.ts';

interface ValidateOptions extends StackOptions, StacksOptions {
  format: 'text' | 'json' | 'sarif';
}

export function validateCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withSources(withConfiguration(command)))
    .addOption(
      new Option('--format <format>', 'output format; sarif is for code scanning')
        .choices(['text', 'json', 'sarif'])
        .default('text'),
    )
    .option('--twin', 'accepted for consistency; no account is contacted')
    .action(async (options: ValidateOptions) => {
      const terminal = terminalFor(run, options);
      const reason = noTokenReason(run.host);
      if (reason !== undefined)
        sayNotice(`${capitalizeFirst(reason)}: validated, not planned.`, 'trueup validate', terminal);
      if (options.format !== 'text') {
        const diagnostics = await validateStacks(provider, options, run);
        const file = options.file?.[0] ?? 'trueup.yaml';
        terminal.out(
          options.format === 'json'
            ? (await import('../report/plan-json.ts')).validationJson(diagnostics)
            : (await import('./sarif-log.ts')).sarifLog(diagnostics, run.host, file),
        );
        if (hasErrors(diagnostics)) run.exitCode = 1;
        return;
      }
      const { looked, diagnostics, notes } = await look(provider, options, run);
      terminal.say(diagnosticsText(diagnostics, { style: terminal.errStyle }));
      annotate(diagnostics, terminal);
      for (const { name, desired } of looked)
        terminal.out(
          `The configuration${cleanLine(name)} is valid: ${count(desired.resources.size, 'resource')} in ${count(desired.inputs.length, 'file')}.`,
        );
      for (const { message, hint, at } of notes)
        terminal.say(`Note: ${cleanLine(message)} (${at?.file}:${at?.line}).\n  ${cleanLine(hint ?? '')}`);
    });
}

const capitalizeFirst = (text: string) => text[0]!.toUpperCase() + text.slice(1);

type ReadStacks = { name: string; desired: Desired }[];

/** The same of all stacks of the workspace, or of those that changed. */
async function lookAtStacks(provider: Provider, options: ValidateOptions, run: CommandRun) {
  if (options.file || options.stage)
    throw new Problems('all/one-stack', '--file and --stage cannot be combined with --all', {
      hint: 'validate one stack with --file and --stage, or all stacks with --all',
    });
  const { inFolder, readWorkspaceStacks } = await import('../app/planning/workspace-stacks.ts');
  const { chosen, folder, notes: said } = await readWorkspaceStacks(provider, options, run);
  for (const text of said) terminalFor(run, options).say(cleanLine(text));
  const looked: ReadStacks = [];
  const diagnostics: Diagnostic[] = [];
  const notes: Diagnostic[] = [];
  const sources = sourcesFor(options, inFolder(run, folder).host);
  for (const { id, configuration } of chosen) {
    looked.push({ name: ` of ${id}`, desired: configuration.desired });
    addDiagnostics(diagnostics, configuration.diagnostics);
    notes.push(...configuration.notAllowed, ...(await judgeSecrets(configuration, sources)));
    addDiagnostics(
      diagnostics,
      await judgeReferences(configuration, sources, inFolder(run, folder).host.cwd),
    );
  }
  if (hasErrors(diagnostics)) throw new Problems(foldDiagnostics(diagnostics));
  return { looked, diagnostics: foldDiagnostics(diagnostics), notes: foldDiagnostics(notes) };
}

/**
 * The configuration, of all stages where it has some and none is chosen, and what could not be read here as things are; nothing is read
 * but variables.
 */
async function look(provider: Provider, options: ValidateOptions, run: CommandRun) {
  if (namesSeveralStacks(options)) return lookAtStacks(provider, options, run);
  const sources = sourcesFor(options, run.host);
  const looked: ReadStacks = [];
  const diagnostics: Diagnostic[] = [];
  const notes: Diagnostic[] = [];
  const wrong: Diagnostic[] = [];
  for (const { stage, load } of await loadStages(provider, options, run, { sources, isLook: true }))
    try {
      const configuration = await load();
      looked.push({
        name: stage === undefined ? '' : ` of the stage ${stage}`,
        desired: configuration.desired,
      });
      addDiagnostics(diagnostics, configuration.diagnostics);
      notes.push(...configuration.notAllowed, ...(await judgeSecrets(configuration, sources)));
      addDiagnostics(wrong, await judgeReferences(configuration, sources, run.host.cwd));
    } catch (error) {
      if (!(error instanceof Problems)) throw error;
      addDiagnostics(wrong, error.diagnostics);
    }
  // The stages have most of it in common.
  if (wrong.length > 0) throw new Problems(foldDiagnostics([...wrong, ...diagnostics]));
  return { looked, diagnostics: foldDiagnostics(diagnostics), notes: foldDiagnostics(notes) };
}

/** All that is wrong with the configuration, whether or not it can be used. */
async function validateStacks(
  provider: Provider,
  options: ValidateOptions,
  run: CommandRun,
): Promise<Diagnostic[]> {
  try {
    const { diagnostics, notes } = await look(provider, options, run);
    return [...diagnostics, ...notes.map((note) => ({ ...note, severity: 'warning' as const }))];
  } catch (error) {
    if (error instanceof Problems) return error.diagnostics;
    throw error;
  }
}
