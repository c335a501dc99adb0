import { formatLabelledTexts, sectionsText, widthOf } from '../manual/columns.ts';
import { groupBy } from '../model/graph.ts';
import type { Style } from '../report/style.ts';
import { count } from '../report/text.ts';
import type { CommandCheck, NeedFinding } from './check-needs.ts';
import type { CommandNeeds } from './find-needs.ts';

/** Words for the narrowest token that suffices. */
const tokenWords = { user: 'its user', team: 'this team', project: 'this project' } as const;

/** The words for the outcome of a comparison with the token in use. */
const allowedWords = { yes: 'allowed', no: 'refused', unknown: 'not certain' } as const;

/** Formats the needs of a configuration for `trueup permissions`: one line for each command and each kind, and what the token in use lacks. */
export function permissionsText(
  commands: readonly CommandNeeds[],
  checks: readonly CommandCheck[] | undefined,
  style: Style,
): string {
  const width = widthOf(style);
  const rows = (lines: [label: string, text: string][]) => formatLabelledTexts(lines, width);
  return sectionsText(
    [
      [
        'Least token for each command',
        rows(commands.map((needs) => [needs.command, describeLeastToken(needs)])),
      ],
      ['Needed of each kind', rows(describeNeeds(commands))],
      ['The token in use', rows(describeChecks(checks ?? []))],
    ],
    style,
  );
}

/** Describes the least token for a command: its scope, and whether it must be able to change the account. */
const describeLeastToken = ({ scope, writes }: CommandNeeds): string =>
  `limited to ${tokenWords[scope]}, ${writes ? 'may change it' : 'only reads'}`;

/** Returns a line for each kind that plan and apply need, and for each action: access, number of operations, and the narrowest token. */
function describeNeeds(commands: readonly CommandNeeds[]): [string, string][] {
  const writingCommands = commands.filter(({ command }) => command === 'apply' || command.startsWith('run '));
  const needs = groupBy(
    writingCommands.flatMap((command) => command.needs),
    ({ resource }) => resource,
  );
  return [...needs].map(([resource, each]) => {
    const byAccess = [...new Map(each.map((need) => [need.access, need])).values()];
    const accesses = byAccess.map(
      ({ access, operations }) => `${access} (${count(operations.length, 'operation')})`,
    );
    const narrowest = byAccess.map(({ scopes }) => tokenWords[scopes.at(-1) ?? 'user']);
    return [
      resource,
      `${accesses.join(', ')}; a token limited to ${[...new Set(narrowest)].join(' or, to write, ')}`,
    ];
  });
}

/** Returns a line for the commands with the same outcome: whether the token in use suffices, and the reasons if it does not for certain. */
export function describeChecks(checks: readonly CommandCheck[]): [string, string][] {
  const lines = checks.map(({ command, allowed, findings }) => ({
    command,
    outcome: [allowedWords[allowed], ...describeReasons(findings)].join('; '),
  }));
  return [...groupBy(lines, ({ outcome }) => outcome)].map(([outcome, same]) => [
    same.map(({ command }) => command).join(', '),
    outcome,
  ]);
}

/** The number of needs up to which a line names them. */
const mostNamedNeeds = 3;

/**
 * Returns the reasons why a token may not suffice, each once, for a line of `permissions --check` or `doctor`. Names the needs that a reason is about if
 * there are few, otherwise says how many.
 */
const describeReasons = (findings: readonly NeedFinding[]): string[] =>
  [...groupBy(findings, ({ why }) => why)].map(([why, about]) => {
    const isShort = about.length <= mostNamedNeeds;
    const named = about.map(({ resource, access }) => `${resource} (${access})`).join(', ');
    return `${isShort ? named : count(about.length, 'need')}: ${why}`;
  });
