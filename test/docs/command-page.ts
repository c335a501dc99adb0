import type { Argument, Command, Option } from 'commander';
import { commands } from '../../src/cli/commands.ts';
import { exitCodeRows } from '../../src/cli/exit-codes.ts';
import { optionHeadings } from '../../src/cli/help-groups.ts';
import { inline, opened, sections, sentence, table } from './markdown.ts';

/** Where more is said of what a command is for. */
const guides: Record<string, [title: string, file: string][]> = {
  accept: [['Drift', 'drift']],
  apply: [
    ['Pull requests', 'pull-requests'],
    ['Recovering', 'recovering'],
  ],
  comment: [['Pull requests', 'pull-requests']],
  fleet: [['A fleet', 'fleet']],
  report: [['A fleet', 'fleet']],
  destroy: [['Recovering', 'recovering']],
  export: [['An existing account', 'existing-account']],
  ledger: [
    ['Recovering', 'recovering'],
    ['Several teams', 'several-teams'],
  ],
  log: [['Drift', 'drift']],
  blame: [['Drift', 'drift']],
  doctor: [['An existing account', 'existing-account']],
  permissions: [['Pull requests', 'pull-requests']],
  plan: [
    ['An existing account', 'existing-account'],
    ['Policies', 'policies'],
  ],
  secrets: [['Secrets', 'secrets']],
  diff: [['Staging to production', 'staging-to-production']],
  stacks: [['Monorepo', 'monorepo']],
  undo: [['Recovering', 'recovering']],
  run: [['Day two', 'day-two']],
  get: [['Day two', 'day-two']],
  wait: [['Day two', 'day-two']],
};

/** The page of a command: what `trueup NAME --help` says, as Markdown, with the commands in it. */
export function commandPage(command: Command): string {
  const name = command.name();
  const links = (guides[name] ?? []).map(([title, file]) => `- [${title}](../guides/${file}.md)`);
  return (
    opened(`trueup ${name}`, command.description()) +
    `\n${inline(sentence(command.description()))}\n` +
    sections([
      ['Usage', usageOf(command, `trueup ${name}`)],
      ['Examples', `\`\`\`text\n${(commands[name]?.examples ?? []).join('\n')}\n\`\`\``],
      ...inside(command, `trueup ${name}`),
      ['Exit codes', exitsOf(name)],
      ['See also', links.join('\n')],
    ])
  );
}

/** The exit codes of a command with meanings of its own. */
function exitsOf(name: string): string {
  const rows = exitCodeRows(commands[name]?.exits ?? {}).map(([code, meaning]) => [
    code,
    inline(sentence(meaning)),
  ]);
  return rows.length > 0 ? table(['Code', 'Meaning'], rows) : '';
}

/** The commands in a command, and those in them. */
const inside = (command: Command, words: string): [string, string][] =>
  command.commands.flatMap((inner): [string, string][] => {
    const call = `${words} ${inner.name()}`;
    const own: [string, string] = [
      call,
      `${inline(sentence(inner.description()))}\n\n${usageOf(inner, call)}`,
    ];
    return [...(inner.commands.length > 0 ? [] : [own]), ...inside(inner, call)];
  });

/** All commands that the help names. */
export const commandIndex = (all: Command[]): string =>
  opened('Commands', 'What each command does.') +
  '\nWhat each command does. `trueup NAME --help` prints the same in a terminal.\n\n' +
  `${table(
    ['Command', 'Does'],
    all.map((one) => [`[${one.name()}](${one.name()}.md)`, inline(sentence(one.description()))]),
  )}\n`;

function usageOf(command: Command, words: string): string {
  const shown = command.options.filter(({ hidden }) => !hidden);
  const isGroup = command.commands.length > 0;
  const argumentsOf = command.registeredArguments.map(argumentName);
  const line = [
    words,
    ...argumentsOf,
    ...(isGroup ? ['COMMAND'] : []),
    ...(shown.length > 0 ? ['[options]'] : []),
  ].join(' ');
  const parts = [`\`\`\`text\n${line}\n\`\`\``];
  if (command.registeredArguments.length > 0)
    parts.push(
      table(
        ['Argument', 'Meaning'],
        command.registeredArguments.map((one) => [
          `\`${argumentName(one)}\``,
          inline(sentence(one.description)),
        ]),
      ),
    );
  for (const heading of optionHeadings) {
    const options = command.options.filter(
      ({ hidden, helpGroupHeading = 'Options:' }) => !hidden && helpGroupHeading === heading,
    );
    if (options.length === 0) continue;
    // The first group has the options that `--help` shows without `--all`.
    if (heading !== 'Options:') parts.push(heading);
    parts.push(
      table(
        ['Option', 'Meaning'],
        options.map((option) => [`\`${option.flags}\``, inline(optionText(option))]),
      ),
    );
  }
  return parts.join('\n\n');
}

function argumentName(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** What an option does, what it can be, and what it is where it is not given. */
function optionText({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices ? ` One of ${argChoices.map((one) => `\`${one}\``).join(', ')}.` : '';
  const isTold =
    defaultValue === undefined || typeof defaultValue === 'boolean' || /default:/.test(description);
  return `${sentence(description)}${choices}${isTold ? '' : ` Default: \`${JSON.stringify(defaultValue)}\`.`}`;
}
