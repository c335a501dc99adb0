import type { Command } from 'commander';
import { maskInActions } from '../app/ci-job.ts';
import type { Run } from '../app/host.ts';
import { inFolder, readWorkspaceStacks } from '../app/planning/workspace-stacks.ts';
import { loadConfiguration } from '../app/session/load-configuration.ts';
import { sourcesFor } from '../app/session/sources-for.ts';
import { namesSeveralStacks, type StackOptions, type StacksOptions } from '../app/stack-options.ts';
import { type Configuration, resourcesBySecret } from '../config/configuration.ts';
import { judgeSecretReferences, secretReferences } from '../config/judge-references.ts';
import { type Readings, resolveSecrets } from '../config/resolve-secrets.ts';
import { type Origin, originText } from '../config/sources/verdict.ts';
import type { Provider } from '../kind/provider.ts';
import { type Diagnostic, hasErrors, Problems } from '../model/diagnostic.ts';
import { groupBy } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { referenceSource } from '../model/reference-origins.ts';
import { jsonText } from '../report/json-value.ts';
import { type SecretLine, secretsText } from '../report/rows-text.ts';
import type { CommandRun } from './command-run.ts';
import { refuseSingleStackOptions } from './command-stacks.ts';
import { withConfiguration, withSources, withStacks } from './options.ts';
import { type Terminal, terminalFor } from './terminal.ts';

interface SecretsOptions extends StackOptions, StacksOptions {
  json?: boolean;
  check?: boolean;
}

/** The secrets of one stack; `id` where it is one of several. */
interface Listed {
  id?: string;
  stack: string;
  secrets: SecretLine[];
}

/** Names, sources, who needs them, and which are missing. Each source is read, once for all stacks, and no value is told. */
export function secretsCommand(command: Command, provider: Provider, run: CommandRun): void {
  withStacks(withSources(withConfiguration(command)))
    .option('--check', 'exit with 1 if a needed secret is missing')
    .option('--json', 'print one JSON document')
    .action(async (options: SecretsOptions) => {
      const terminal = terminalFor(run, options);
      const listed = namesSeveralStacks(options)
        ? await listedOfAll(provider, options, run, terminal)
        : [await listedOf(provider, options, run, terminal)];
      const secretLines = listed.flatMap(({ secrets }) => secrets);
      const head = { formatVersion: '1.0' };
      if (options.json)
        terminal.out(
          jsonText(namesSeveralStacks(options) ? { ...head, stacks: listed } : { ...head, ...listed[0] }),
        );
      else
        for (const { id, secrets } of listed)
          terminal.out(secretsText(secrets, { style: terminal.outStyle, of: id }));
      if (options.check && secretLines.some(({ state }) => state === 'missing')) run.exitCode = 1;
    });
}

async function listedOf(
  provider: Provider,
  options: SecretsOptions,
  run: CommandRun,
  terminal: Terminal,
): Promise<Listed> {
  const sources = sourcesFor(options, run.host, terminal);
  const configuration = await loadConfiguration(provider, options, run, { sources });
  return {
    stack: configuration.desired.stack,
    secrets: await secretReportLines(configuration, { sources, readings: new Map(), run, terminal }),
  };
}

async function listedOfAll(
  provider: Provider,
  options: SecretsOptions,
  run: CommandRun,
  terminal: Terminal,
): Promise<Listed[]> {
  const { json: _, check: __, ...rest } = options;
  refuseSingleStackOptions(rest, run);
  const { chosen, folder, notes } = await readWorkspaceStacks(provider, options, run);
  for (const note of notes) terminal.say(note);
  const wrong = chosen.flatMap(({ configuration }) =>
    configuration.diagnostics.filter(({ severity }) => severity === 'error'),
  );
  if (hasErrors(wrong)) throw new Problems(wrong);
  const here = inFolder(run, folder);
  const sources = sourcesFor(options, here.host, terminal);
  const readings: Readings = new Map();
  const listed: Listed[] = [];
  for (const { id, configuration } of chosen)
    listed.push({
      id,
      stack: configuration.desired.stack,
      secrets: await secretReportLines(configuration, { sources, readings, run: here, terminal }),
    });
  return listed;
}

interface SecretReading {
  sources: ReturnType<typeof sourcesFor>;
  readings: Readings;
  run: Run;
  terminal: Terminal;
}

/** The message without the name of the secret, and a line for each further mistake in the source. */
const whyMissing = ({ message, related = [] }: Diagnostic): string =>
  [
    message.replace(/^the secret `.*?` is not available: /, ''),
    ...related.map(({ message: mistake, at }) => `${at.file}:${at.line}:${at.column}: ${mistake}`),
  ].join('\n');

async function secretReportLines(
  configuration: Configuration,
  { sources, readings, run, terminal }: SecretReading,
): Promise<SecretLine[]> {
  const { env, cwd } = run.host;
  const { secrets, usedSecrets, writtenStack } = configuration;
  const asked = { secrets, usedSecrets, writtenStack };
  const { values, diagnostics } = await resolveSecrets(asked, { env, cwd, sources, readings });
  maskInActions(values, configuration.secrets, terminal);
  const uses = resourcesBySecret(configuration.desired.resources.values());
  const missing = new Map(diagnostics.map((diagnostic) => [diagnostic.secret?.name, diagnostic]));
  const names = [...configuration.secrets.keys()].sort();
  const declared = await Promise.all(
    names.map(async (name): Promise<SecretLine> => {
      const source = configuration.secrets.get(name)!;
      const file = 'file' in source ? await sources.nameOf(source.file, source.folder) : undefined;
      const neededBy = [
        ...new Set((uses.get(name) ?? []).map(({ address }) => addressWithoutTarget(address))),
      ].sort();
      const problem = missing.get(name);
      return {
        name,
        source: `${originText(file === undefined ? (source as Origin) : { file })}${source.pick ? `, key ${source.pick.key}` : ''}`,
        neededBy,
        state: values.has(name) ? 'there' : problem ? 'missing' : 'not needed',
        ...(problem ? { why: whyMissing(problem) } : {}),
        hint: problem?.hint,
      };
    }),
  );
  return [...declared, ...(await referenceLines(configuration, sources, cwd))];
}

/** The secrets that fields take from other resources by reference. */
async function referenceLines(
  configuration: Configuration,
  sources: SecretReading['sources'],
  cwd: string,
): Promise<SecretLine[]> {
  const { refused, undecided } = await judgeSecretReferences(configuration, sources, cwd);
  return [...groupBy(secretReferences(configuration.desired), referenceSource)].map(([name, references]) => {
    const neededBy = [
      ...new Set(references.map(({ target }) => addressWithoutTarget(target.address))),
    ].sort();
    const problem = refused.find(({ address }) =>
      references.some(({ target }) => target.address === address),
    );
    const why = problem?.message ?? undecided.get(name);
    return {
      name,
      source: references[0]!.isLive ? 'account' : 'configuration',
      neededBy,
      state: problem ? 'missing' : why === undefined ? 'there' : 'not checked',
      ...(why === undefined ? {} : { why }),
      hint: problem?.hint,
    };
  });
}
