import type { TokenFacts, TokenRules, TokenScope } from '../kind/evidence.ts';
import { formatLabelledTexts, sectionsText, widthOf } from '../manual/columns.ts';
import { groupBy } from '../model/graph.ts';
import type { Style } from '../report/style.ts';
import { count } from '../report/text.ts';
import type { CommandNeeds, Need, NeededOperation } from './find-needs.ts';

/** Whether a token may do what a need says; `unknown` if no source says it. */
type Allowed = 'yes' | 'no' | 'unknown';

/** A need that a token does not meet for certain, with the reason. */
interface NeedFinding {
  resource: string;
  access: Need['access'];
  allowed: Allowed;
  /** Why, for people. */
  why: string;
}

/** What a token may do of the needs of one command. */
export interface CommandCheck {
  command: string;
  allowed: Allowed;
  findings: NeedFinding[];
}

/**
 * Returns for each command whether the token in use suffices for all of its needs, and which it may not meet, for
 * `trueup permissions --check` and `trueup doctor`. `rules`: what the platform documents about tokens and roles.
 */
export const checkCommandNeeds = (
  commands: readonly CommandNeeds[],
  token: TokenFacts,
  rules: TokenRules,
): CommandCheck[] =>
  commands.map(({ command, needs, reach }) => {
    // `reach`: the narrowest token that can see all objects of the command.
    const reachesEveryProject = reach === 'project' || token.scope !== 'project';
    const findings = needs.flatMap((need) => judgeNeed(need, token, rules, reachesEveryProject) ?? []);
    const isFound = (outcome: Allowed) => findings.some(({ allowed }) => allowed === outcome);
    return { command, allowed: (['no', 'unknown'] as const).find(isFound) ?? 'yes', findings };
  });

/**
 * True if no command for this configuration is refused, for the exit codes of `permissions --check` and `doctor`. An export is about the
 * whole account, so it does not count. `unknown` is no refusal, because it depends on the objects of the account, or on a role.
 */
export const isSufficient = (checks: readonly CommandCheck[]): boolean =>
  checks.every(({ command, allowed }) => command === 'export' || allowed !== 'no');

/**
 * Returns why a token may not meet a need of a command (the API operations for one kind of object), for
 * `permissions --check` and `doctor`; undefined if it meets the need. `reachesEveryProject`: false if a token of
 * one project is used for several projects, or for the whole account.
 */
function judgeNeed(
  { resource, access, scopes, operations }: Need,
  { scope, role }: TokenFacts,
  { limitedTo, readOnlyRoles, fullRoles }: TokenRules,
  reachesEveryProject: boolean,
): NeedFinding | undefined {
  const find = (allowed: Allowed, why: string): NeedFinding => ({ resource, access, allowed, why });
  // With a token of one project, commands look up that project and take the account from it, so they need no read of the account.
  if (resource === 'account' && scope === 'project') return undefined;
  if (scope === undefined) return find('unknown', 'the platform does not say what the token is limited to');
  if (!scopes.includes(scope)) {
    const { allowed, why } = judgeUnreached(operations, scope, resource === limitedTo);
    return find(allowed, why);
  }
  if (!reachesEveryProject) return find('unknown', 'the token reaches one project only');
  if (access === 'read' || role === undefined || fullRoles.includes(role)) return undefined;
  if (readOnlyRoles.includes(role)) return find('no', `the role ${role} of the token's user changes nothing`);
  return find('unknown', `it depends on the role ${role} of the token's user`);
}

/**
 * Returns whether a token may still meet a need although it cannot call all of its operations: `no` if it can call none of them, or none of
 * those that create objects; `unknown` otherwise.
 *
 * `scope`: that of the token. `isLimitingKind`: true if the need is about the kind that tokens can be limited to (projects). The project of
 * a token of one project exists already, so it need not be created.
 */
function judgeUnreached(
  operations: readonly NeededOperation[],
  scope: TokenScope,
  isLimitingKind: boolean,
): Pick<NeedFinding, 'allowed' | 'why'> {
  const isUnreached = (operation: NeededOperation) => !operation.scopes.includes(scope);
  const wider = `needs a token of ${widerThan(scope)}`;
  if (operations.every(isUnreached)) return { allowed: 'no', why: `it ${wider}` };
  const creating = operations.filter(({ creates }) => creates);
  const isCreationRefused = creating.length > 0 && creating.every(isUnreached);
  const existsAlready = scope === 'project' && isLimitingKind;
  const cannotCreate = isCreationRefused && !existsAlready;
  const unreached = cannotCreate ? creating : operations.filter(isUnreached);
  const names = unreached.map(({ operation }) => operation).join(', ');
  return { allowed: cannotCreate ? 'no' : 'unknown', why: `${names} ${wider}` };
}

/** Returns words for the next wider scope of a token. */
const widerThan = (scope: TokenScope) => (scope === 'project' ? 'the team' : 'the whole user account');

/** What a token of each scope is limited to, in words. */
const tokenWords = { user: 'its user', team: 'this team', project: 'this project' } as const;

/** The words for the outcome of a comparison with the token in use. */
const allowedWords = { yes: 'allowed', no: 'refused', unknown: 'not certain' } as const;

/**
 * Formats the needs of a configuration for `trueup permissions`: the narrowest token for each command, the
 * operations for each kind of object, and, with `--check`, whether the token in use suffices.
 */
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

/**
 * Returns a line for each kind of object, and for each action, that apply needs: read or write, the number of
 * operations, and the narrowest token that may call them.
 */
function describeNeeds(commands: readonly CommandNeeds[]): [string, string][] {
  const writingCommands = commands.filter(({ command }) => command === 'apply' || command.startsWith('run '));
  const needs = groupBy(
    writingCommands.flatMap((command) => command.needs),
    ({ resource }) => resource,
  );
  return [...needs].map(([resource, resourceNeeds]) => {
    // Several commands have the same need.
    const byAccess = [...new Map(resourceNeeds.map((need) => [need.access, need])).values()];
    const accesses = byAccess.map(
      ({ access, operations }) => `${access} (${count(operations.length, 'operation')})`,
    );
    // The scopes of a need are sorted from wide to narrow, and the needs to read come before those to write.
    const narrowest = byAccess.map(({ scopes }) => tokenWords[scopes.at(-1) ?? 'user']);
    return [
      resource,
      `${accesses.join(', ')}; a token limited to ${[...new Set(narrowest)].join(' or, to write, ')}`,
    ];
  });
}

/**
 * Returns a line for each group of commands with the same result: whether the token in use suffices and,
 * unless that is certain, the reasons.
 */
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
 * Returns the reasons why a token may not suffice, each once, for a line of `permissions --check` or `doctor`. Up
 * to three needs with the same reason are named, such as `project (write)`; for more, only the number is given.
 */
const describeReasons = (findings: readonly NeedFinding[]): string[] =>
  [...groupBy(findings, ({ why }) => why)].map(([why, about]) => {
    const isShort = about.length <= mostNamedNeeds;
    const names = about.map(({ resource, access }) => `${resource} (${access})`).join(', ');
    return `${isShort ? names : count(about.length, 'need')}: ${why}`;
  });
