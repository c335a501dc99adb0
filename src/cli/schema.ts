import { type Command, Option } from 'commander';
import { editorSchema } from '../config/editor/editor-schema.ts';
import { kindsOf } from '../kind/define-kind.ts';
import type { Provider } from '../kind/provider.ts';
import { jsonText } from '../report/json-value.ts';
import { planSchema } from '../report/plan-document.ts';
import type { Host, Run } from './host.ts';
import { withColor } from './options.ts';
import { writeOutput } from './output-file.ts';
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

/** The JSON Schema for editors, as text: one line, since nobody reads it. */
const schemaText = ({ kinds }: Provider): string => `${JSON.stringify(editorSchema(kindsOf(kinds)))}\n`;

/** The first line of a YAML file whose editor is to use the schema at `path`, which is relative to that file. */
export const modeline = (path: string): string =>
  `# yaml-language-server: $schema=${path.replaceAll('\\', '/')}`;

/** Writes the schema in place of what is there; throws `Problems` where that cannot be done. */
export async function writeSchema(provider: Provider, path: string, host: Host): Promise<void> {
  await writeOutput(host, path, schemaText(provider));
}
