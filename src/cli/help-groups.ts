import { type Command, Help } from 'commander';

/** The options that most people do not need, by the headings of their groups in the help. */
const optionGroups: Record<string, string[]> = {
  'Which part of the account:': ['exclude', 'changed-since', 'workspace', 'allow-incomplete'],
  'What a change may do:': [
    ...['max-deletions', 'allow', 'overwrite-conflicts', 'send-unverified', 'adopt-renamed', 'fewer-inputs'],
    ...['ignore-draft', 'no-actions', 'no-canary', 'guards', 'check'],
  ],
  'What the configuration may read:': [
    ...['var-file', 'allow-env', 'allow-env-shown', 'allow-files', 'allow-command', 'allow-live'],
  ],
  'Account and ledger:': [
    ...['base-url', 'token-file', 'limits', 'ledger', 'ledger-index', 'lock-wait', 'ephemeral-ledger'],
  ],
  'Planning without the account:': [
    ...['snapshot', 'anonymous', 'from', 'rehearse', 'crash-points', 'recording'],
  ],
  'Speed and waiting:': ['parallelism', 'max-wait', 'settle'],
  'Output:': [
    ...['requests', 'verbose', 'changes-only', 'json-stream', 'detailed-exitcode', 'drift-exitcode'],
    'no-color',
  ],
};

const headingOf = new Map(
  Object.entries(optionGroups).flatMap(([heading, names]) => names.map((name) => [`--${name}`, heading])),
);

/** The headings of the help in their order. The first is the one that commander gives to options without a group. */
export const optionHeadings = ['Options:', ...Object.keys(optionGroups)];

/** A command with more options than this shows only some of them in its help. */
const maxUngrouped = 14;

/**
 * Puts rarely used options of a command with many options into groups, so that its help is short, and does the same for each of its
 * subcommands. Changes the commands. The help shows only the options without a group and how many others there are; with `--help --all` it
 * shows all. `isWholeHelp`: true if this run shows all options.
 */
export function groupOptions(command: Command, isWholeHelp: boolean): void {
  const options = command.options.filter(({ hidden }) => !hidden);
  if (options.length > maxUngrouped)
    for (const option of options) {
      const heading = headingOf.get(option.long ?? '');
      if (heading !== undefined) option.helpGroup(heading);
    }
  const grouped = options.filter(({ helpGroupHeading }) => helpGroupHeading !== undefined);
  if (grouped.length > 0 && !isWholeHelp)
    command.addHelpText(
      'after',
      () => `\n${grouped.length} more options: ${commandPathOf(command)} --help --all`,
    );
  for (const subcommand of command.commands) groupOptions(subcommand, isWholeHelp);
}

/** Returns the words that call a command: `trueup ledger move`. */
const commandPathOf = (command: Command): string =>
  command.parent ? `${commandPathOf(command.parent)} ${command.name()}` : command.name();

/**
 * Returns settings for commander, the library that prints `--help`: the help leaves out the options in groups, or with `isWholeHelp` (`--help
 * --all`) shows the groups in our order.
 */
export function groupedHelp(isWholeHelp: boolean): Partial<Help> {
  const standardHelp = new Help();
  return {
    visibleOptions: (command) =>
      standardHelp
        .visibleOptions(command)
        .filter(({ helpGroupHeading }) => isWholeHelp || helpGroupHeading === undefined),
    groupItems(items, visibleItems, getGroup) {
      const grouped = standardHelp.groupItems(items, visibleItems, getGroup);
      const rankOf = ([heading]: [string, unknown]) => optionHeadings.indexOf(heading);
      return new Map([...grouped].sort((a, b) => rankOf(a) - rankOf(b)));
    },
  };
}
