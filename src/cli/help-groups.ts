import { type Command, Help } from 'commander';

/** The options that most people do not need, under the headings of their groups. */
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
    ...['base-url', 'token-file', 'limits', 'ledger', 'ledger-index', 'lock-wait', 'history'],
    'ephemeral-ledger',
  ],
  'Speed and waiting:': ['parallelism', 'actions-at-once', 'max-wait', 'settle'],
  'Output:': [
    ...['requests', 'verbose', 'json-stream', 'detailed-exitcode', 'drift-exitcode'],
    ...['color', 'no-color', 'no-unicode'],
  ],
};

const headingOf = new Map(
  Object.entries(optionGroups).flatMap(([heading, names]) => names.map((name) => [`--${name}`, heading])),
);

/** The heading that commander gives to options without a group. */
const standardHeading = 'Options:';

/** The most options that a help shows at once. */
const mostAtOnce = 14;

/**
 * Puts the options of a command that has many into groups, so that its help shows the ten that people use, and the others with `--all`. Does
 * the same for the commands in it. `isWholeHelp`: the help shows all of them.
 */
export function groupOptions(command: Command, isWholeHelp: boolean): void {
  const options = command.options.filter(({ hidden }) => !hidden);
  if (options.length > mostAtOnce)
    for (const option of options) {
      const heading = headingOf.get(option.long ?? '');
      if (heading !== undefined) option.helpGroup(heading);
    }
  const number = options.filter(({ helpGroupHeading }) => helpGroupHeading !== undefined).length;
  if (number > 0 && !isWholeHelp)
    command.addHelpText('after', () => `\n${number} more options: ${callOf(command)} --help --all`);
  for (const inner of command.commands) groupOptions(inner, isWholeHelp);
}

/** Returns the words that call a command: `trueup ledger move`. */
const callOf = (command: Command): string =>
  command.parent ? `${callOf(command.parent)} ${command.name()}` : command.name();

/** Returns the visible options of a command by the headings of their groups, those that people use first. */
export function optionsByGroup({ options }: Command): [heading: string, options: Command['options']][] {
  const visible = options.filter(({ hidden }) => !hidden);
  const headings = [standardHeading, ...Object.keys(optionGroups)];
  return headings.flatMap((heading): [string, Command['options']][] => {
    const inGroup = visible.filter(({ helpGroupHeading = standardHeading }) => helpGroupHeading === heading);
    return inGroup.length > 0 ? [[heading, inGroup]] : [];
  });
}

/** Returns the settings of the help. With `isWholeHelp` it shows the options in groups, too. */
export function groupedHelp(isWholeHelp: boolean): Partial<Help> {
  const standardHelp = new Help();
  return {
    visibleOptions: (command) =>
      standardHelp
        .visibleOptions(command)
        .filter(({ helpGroupHeading }) => isWholeHelp || helpGroupHeading === undefined),
    groupItems(items, visibleItems, getGroup) {
      const grouped = standardHelp.groupItems(items, visibleItems, getGroup);
      const rankOf = ([heading]: [string, unknown]) =>
        [standardHeading, ...Object.keys(optionGroups)].indexOf(heading);
      return new Map([...grouped].sort((a, b) => rankOf(a) - rankOf(b)));
    },
  };
}
