import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Command } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { type FoundFile, findFiles, standardInput } from '../config/find-files.ts';
import { formatYaml } from '../config/format/format-yaml.ts';
import { readBytes, sourceOf } from '../config/yaml/read-documents.ts';
import { Source } from '../config/yaml/source.ts';
import type { Provider } from '../kind/provider.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { count } from '../report/count.ts';
import { firstDifference } from './first-difference.ts';
import type { Run } from './host.ts';
import { collect, withColor } from './options.ts';
import { type Terminal, terminalFor } from './terminal.ts';

interface Options {
  file?: string[];
  check?: boolean;
  color?: boolean;
}

export function fmtCommand(command: Command, _provider: Provider, run: Run): void {
  withColor(command)
    .argument('[paths...]', 'files and folders, or `-` from standard input to standard output')
    .option(
      '-f, --file <path>',
      'a file or folder of the configuration; repeatable (default: trueup.yaml or trueup/)',
      collect,
    )
    .option('--check', 'write nothing, show what would change, and exit with 1 if something would')
    .action(async (paths: string[], { file = [], ...options }: Options) => {
      const given = [...paths, ...file];
      const terminal = terminalFor(run, options);
      if (!given.includes(standardInput)) await formatFiles(given, options, terminal);
      else if (given.length === 1) await formatInput(options, terminal);
      else
        throw new Problems([
          problem('fmt/input', '`-` is standard input, and stands alone', {
            hint: 'format the files in a run of their own',
          }),
        ]);
    });
}

/** Formats each file by itself: one with errors is left alone, and does not keep the others from it. */
async function formatFiles(given: string[], { check }: Options, terminal: Terminal): Promise<void> {
  const { files, diagnostics } = await findFiles(terminal.run.host.cwd, given.length > 0 ? given : undefined);
  let changed = 0;
  for (const file of files) {
    const found = await formatFile(file, check ?? false, terminal);
    if (found === 'changed') changed++;
    else if (found !== 'same') diagnostics.push(...found);
  }
  if (diagnostics.length > 0) throw new Problems(diagnostics);
  terminal.err(summaryOf(changed, files.length, check ?? false));
  if (check && changed > 0) terminal.run.exitCode = 1;
}

const summaryOf = (changed: number, all: number, check: boolean) =>
  changed === 0
    ? `${count(all, 'file')}: nothing to format.`
    : `${count(all, 'file')}: ${changed} ${check ? 'would be formatted; `trueup fmt` does it' : 'formatted'}.`;

async function formatFile(
  { path, name }: FoundFile,
  check: boolean,
  terminal: Terminal,
): Promise<'same' | 'changed' | Diagnostic[]> {
  const bytes = await readBytes({ path, name });
  if (!Buffer.isBuffer(bytes)) return [bytes];
  const { text, diagnostics } = format(name, bytes);
  if (diagnostics) return diagnostics;
  if (bytes.equals(Buffer.from(text))) return 'same';
  if (check) terminal.out([name, ...firstDifference(bytes.toString('utf8'), text)].join('\n'));
  else {
    try {
      // Replacing a file asks for nothing but its folder; a file that is protected stays as it is.
      await access(path, constants.W_OK);
      await writeFileAtomic(path, text);
    } catch (error) {
      return [
        problem('fmt/unwritable', `${name} cannot be written: ${(error as Error).message}`, {
          hint: 'check the permissions of the file and its folder; it was left alone',
        }),
      ];
    }
    terminal.out(name);
  }
  return 'changed';
}

async function formatInput({ check }: Options, terminal: Terminal): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of terminal.run.host.stdin) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const name = '<stdin>';
  const { text, diagnostics } = format(name, bytes);
  if (diagnostics) throw new Problems(diagnostics);
  if (!check) {
    terminal.run.host.stdout.write(text);
    return;
  }
  if (bytes.equals(Buffer.from(text))) return;
  terminal.out([name, ...firstDifference(bytes.toString('utf8'), text)].join('\n'));
  terminal.run.exitCode = 1;
}

function format(name: string, bytes: Buffer): ReturnType<typeof formatYaml> {
  const source = sourceOf(name, bytes);
  return source instanceof Source ? formatYaml(source) : { diagnostics: [source] };
}
