import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Command } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { type FoundFile, findFiles } from '../config/find-files.ts';
import { formatYaml } from '../config/format/format-yaml.ts';
import { readBytes, sourceOf } from '../config/yaml/read-documents.ts';
import { lineWithoutValues, Source } from '../config/yaml/source.ts';
import type { Provider } from '../kind/provider.ts';
import { type Diagnostic, Problems, problem } from '../model/diagnostic.ts';
import { standardInput } from '../model/resource.ts';
import { describeSystemError } from '../model/system-error.ts';
import { count } from '../report/count.ts';
import type { CommandRun } from './command-run.ts';
import { collect, withColor } from './options.ts';
import { type Terminal, terminalFor } from './terminal.ts';

interface FormatCommandOptions {
  file?: string[];
  check?: boolean;
  color?: boolean;
}

export function fmtCommand(command: Command, _provider: Provider, run: CommandRun): void {
  withColor(command)
    .argument('[paths...]', 'files and folders, or `-` from standard input to standard output')
    .option(
      '-f, --file <path>',
      'a file or folder of the configuration; repeatable (default: trueup.yaml or trueup/)',
      collect,
    )
    .option('--check', 'write nothing; show what would change, and exit with 1 if anything would')
    .action(async (paths: string[], { file = [], ...options }: FormatCommandOptions) => {
      const given = [...paths, ...file];
      const terminal = terminalFor(run, options);
      if (!given.includes(standardInput)) await formatFiles(given, options, terminal);
      else if (given.length === 1) await formatInput(options, terminal);
      else
        throw new Problems('cli/options', '`-` (standard input) cannot be combined with files', {
          hint: 'format the files in a separate run',
        });
    });
}

/** Formats each file by itself: one with errors is left alone, and does not keep the others from it. */
async function formatFiles(
  given: string[],
  { check }: FormatCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { files, diagnostics } = await findFiles(terminal.run.host.cwd, given.length > 0 ? given : undefined);
  let changed = 0;
  for (const file of files) {
    const found = await formatFile(file, check ?? false, terminal);
    if (found === 'changed') changed++;
    else if (found !== 'same') diagnostics.push(...found);
  }
  if (diagnostics.length > 0) throw new Problems(diagnostics);
  terminal.say(formatSummary(changed, files.length, check ?? false));
  if (check && changed > 0) terminal.run.exitCode = 1;
}

const formatSummary = (changed: number, all: number, check: boolean) =>
  changed === 0
    ? `${count(all, 'file')}: nothing to format.`
    : `${count(all, 'file')}: ${changed} ${check ? 'would be reformatted; run `trueup fmt`' : 'formatted'}.`;

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
  if (check) terminal.out([name, ...firstChangedLines(bytes.toString('utf8'), text)].join('\n'));
  else {
    try {
      // Replacing a file asks for nothing but its folder; a file that is protected stays as it is.
      await access(path, constants.W_OK);
      await writeFileAtomic(path, text);
    } catch (error) {
      return [
        problem('fmt/unwritable', `${name} cannot be written: ${describeSystemError(error as Error)}`, {
          hint: 'check the permissions of the file and its folder; the file is unchanged',
        }),
      ];
    }
    terminal.out(name);
  }
  return 'changed';
}

async function formatInput({ check }: FormatCommandOptions, terminal: Terminal): Promise<void> {
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
  terminal.out([name, ...firstChangedLines(bytes.toString('utf8'), text)].join('\n'));
  terminal.run.exitCode = 1;
}

function format(name: string, bytes: Buffer): ReturnType<typeof formatYaml> {
  const source = sourceOf(name, bytes);
  return source instanceof Source ? formatYaml(source) : { diagnostics: [source] };
}

const around = 1;
const mostNamedFiles = 3;
const farthest = 40;

/**
 * The first difference of two texts, as lines for people: the line number, then a few lines of each text. A file may hold secret
 * values, and formatting changes no value, so of each line only its shape is shown.
 */
function firstChangedLines(before: string, after: string): string[] {
  const [a, b] = [before, after].map((text) => text.split(/(?<=\n)/)) as [string[], string[]];
  const first = a.findIndex((line, index) => line !== b[index]);
  const position = first < 0 ? a.length : first;
  const [gone, come] = differingLines(a.slice(position), b.slice(position));
  return [
    `  @@ line ${position + 1} @@`,
    ...a.slice(Math.max(0, position - around), position).map((line) => `    ${lineShapeOf(line)}`),
    ...marked('-', gone),
    ...marked('+', come),
  ];
}

/** The lines of both up to the first one that they have in common again, if it comes soon. */
function differingLines(a: string[], b: string[]): [string[], string[]] {
  for (let sum = 1; sum <= farthest; sum++)
    for (let i = 0; i <= sum; i++)
      if (a[i]?.trim() && a[i] === b[sum - i]) return [a.slice(0, i), b.slice(0, sum - i)];
  return [a, b];
}

const marked = (mark: string, lines: string[]) => [
  ...lines.slice(0, mostNamedFiles).map((line) => `  ${mark} ${lineShapeOf(line)}`.trimEnd()),
  ...(lines.length > mostNamedFiles ? [`  ${mark} ... ${lines.length - mostNamedFiles} more lines`] : []),
];

/** Shows a line's shape. The difference is often invisible, so it marks byte order marks, tabs, trailing blanks and line ends. */
function lineShapeOf(line: string): string {
  const [, mark, text, blanks, end] = /^(\ufeff?)(.*?)([ \t]*)(\r?\n)?$/s.exec(line)!;
  return [
    mark && '(BOM)',
    lineWithoutValues(text!.replaceAll('\t', '→'), true),
    blanks!.replaceAll(' ', '·').replaceAll('\t', '→'),
    end === undefined
      ? ' (no newline at end of file)'
      : end.replace(/\r?\n/, (one) => (one === '\n' ? '' : '␍')),
  ].join('');
}
