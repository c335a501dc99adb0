import { type Command, Option } from 'commander';
import { type EditorSchemaOptions, modeline, schemaText, writeSchema } from '../app/editor-schema.ts';
import type { Provider } from '../kind/provider.ts';
import { raise } from '../model/diagnostic.ts';
import { planSchema } from '../report/plan-document.ts';
import { jsonText } from '../report/show.ts';
import { matrixSchema, stacksSchema } from '../report/stacks/stacks-json.ts';
import type { CommandRun } from '../terminal/command-run.ts';
import { terminalFor } from '../terminal/terminal.ts';
import { collect, withColor } from './options.ts';

interface SchemaCommandOptions extends EditorSchemaOptions {
  out?: string;
  plan?: boolean;
  all?: boolean;
  stacks?: boolean;
  tests?: boolean;
  color?: boolean;
}

/** Declares `trueup schema`, which prints or writes JSON Schemas: of configurations, guards and test files for editors, of JSON outputs for programs. */
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
    .addOption(
      new Option('--tests', 'print the schema of a test file instead, for editors').conflicts([
        'plan',
        'stacks',
        'guards',
      ]),
    )
    .action(async ({ tests, ...commandOptions }: SchemaCommandOptions) => {
      const options = tests ? { ...commandOptions, compose: await loadTestSchema() } : commandOptions;
      const terminal = terminalFor(run, options);
      if (options.all && !options.plan)
        raise('cli/options', '--all requires --plan', { hint: 'trueup schema --plan --all' });
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

/** Loads the code for the schema of test files only if it is needed. */
const loadTestSchema = async () => (await import('../testing/test-schema.ts')).testFileJsonSchema;
