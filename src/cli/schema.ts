import { type Command, Option } from 'commander';
import { writeOutputFile } from '../app/output-file.ts';
import { createLoadOptions } from '../app/session/load-configuration.ts';
import { readDeclaredNames } from '../config/editor/declared-names.ts';
import { editorSchema } from '../config/editor/editor-schema.ts';
import { openSources } from '../config/sources/sources.ts';
import { openTracking } from '../git/tracking.ts';
import { guardsSchema } from '../guards/guards.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { type Diagnostic, Problems } from '../model/diagnostic.ts';
import { jsonText } from '../report/json-value.ts';
import { planSchema } from '../report/plan-document.ts';
import { matrixSchema, stacksSchema } from '../report/stacks/stacks-json.ts';
import type { CommandRun } from './command-run.ts';
import { collect, withColor } from './options.ts';
import { terminalFor } from './terminal.ts';

interface SchemaCommandOptions {
  file?: string[];
  out?: string;
  plan?: boolean;
  all?: boolean;
  guards?: boolean;
  stacks?: boolean;
  color?: boolean;
}

export function schemaCommand(command: Command, provider: Provider, run: CommandRun): void {
  withColor(command)
    .addOption(
      new Option(
        '-f, --file <path>',
        "include this configuration's templates and variables; repeatable (default: trueup.yaml or trueup/, if present)",
      )
        .argParser(collect)
        .conflicts('plan'),
    )
    .option('--out <file>', 'write it to a file and print the line that a YAML file needs')
    .addOption(
      new Option('--plan', 'print the schema of `plan --json` instead, for programs').conflicts('out'),
    )
    .option('--all', 'with --plan: the schema of `plan --all --json`')
    .addOption(
      new Option('--stacks', 'print the schema of `stacks --json` instead, for programs').conflicts([
        'plan',
        'file',
        'out',
      ]),
    )
    .addOption(
      new Option('--guards', 'print the schema of a guards file instead, for editors').conflicts([
        'plan',
        'file',
      ]),
    )
    .action(async (options: SchemaCommandOptions) => {
      const terminal = terminalFor(run, options);
      if (options.all && !options.plan)
        throw new Problems('cli/options', '--all requires --plan', { hint: 'trueup schema --plan --all' });
      if (options.stacks) return terminal.out(jsonText(matrixSchema()));
      if (options.plan) return terminal.out(jsonText(options.all ? stacksSchema() : planSchema()));
      if (options.out === undefined) return terminal.out(await schemaText(provider, run, options));
      await writeSchema(provider, options.out, run, options);
      terminal.out(
        [
          `Wrote ${options.out}.`,
          'Editors use it for YAML files that start with this line (the path is relative to the file):',
          '',
          modeline(options.out),
        ].join('\n'),
      );
    });
}

/** The JSON Schema for editors, as text: one line, since nobody reads it. */
async function schemaText(
  provider: Provider,
  run: CommandRun,
  { file, guards }: Pick<SchemaCommandOptions, 'file' | 'guards'>,
): Promise<string> {
  if (guards) return `${JSON.stringify(guardsSchema(provider.kinds.map(({ name }) => name)))}\n`;
  const { env, cwd } = run.host;
  const diagnostics: Diagnostic[] = [];
  const knownNames = await readDeclaredNames(
    {
      ...createLoadOptions(provider, file ? { file } : {}, run),
      sources: openSources({ env, cwd, tracking: openTracking(env) }),
    },
    diagnostics,
  );
  // A mistake in the configuration is for `validate` to tell; one in the command is told here.
  const missing = diagnostics.filter(({ code, at }) => file && code === 'file/missing' && !at);
  if (missing.length > 0) throw new Problems(missing);
  return `${JSON.stringify(editorSchema(kindsOf(provider.kinds), knownNames, await provider.dayTwo()))}\n`;
}

/** The first line of a YAML file whose editor is to use the schema at `path`, which is relative to that file. */
export const modeline = (path: string): string =>
  `# yaml-language-server: $schema=${path.replaceAll('\\', '/')}`;

/** Writes the schema in place of what is there; throws `Problems` where that cannot be done. */
export async function writeSchema(
  provider: Provider,
  path: string,
  run: CommandRun,
  options: Pick<SchemaCommandOptions, 'file' | 'guards'> = {},
): Promise<void> {
  await writeOutputFile(run.host, path, await schemaText(provider, run, options));
}
