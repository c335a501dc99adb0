import { type Command, Option } from 'commander';
import type { Provider } from '../kind/provider.ts';
import { jsonText } from '../report/json-value.ts';
import { planSchema } from '../report/plan-schema.ts';
import { modeline, schemaText, writeSchema } from './editor-schema-file.ts';
import type { Run } from './host.ts';
import { withColor } from './options.ts';
import { terminalFor } from './terminal.ts';

interface Options {
  out?: string;
  plan?: boolean;
  color?: boolean;
}

export function schemaCommand(command: Command, provider: Provider, run: Run): void {
  withColor(command)
    .option('--out <file>', 'write it to a file, and say how a YAML file names it')
    .addOption(new Option('--plan', 'print that of `plan --json` instead, for programs').conflicts('out'))
    .action(async (options: Options) => {
      const terminal = terminalFor(run, options);
      if (options.plan) return terminal.out(jsonText(planSchema()));
      if (options.out === undefined) return terminal.out(schemaText(provider));
      await writeSchema(provider, options.out, run.host);
      terminal.out(
        [
          `Wrote ${options.out}.`,
          'Editors use it for each YAML file that begins with this line (the path starts at the file):',
          '',
          modeline(options.out),
        ].join('\n'),
      );
    });
}
