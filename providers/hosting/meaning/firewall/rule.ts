/*
 * Reads firewall rules for checks and `trueup trace`. A rule matches a request if all conditions of any of its groups hold.
 *
 * What a rule does to a request that it matches, from https://vercel.com/docs/vercel-firewall/vercel-waf/rule-configuration:
 *
 *   | action       | effect                                                       | do rules below it see the request? |
 *   | ------------ | ------------------------------------------------------------ | ---------------------------------- |
 *   | `deny`       | blocks it                                                    | no                                 |
 *   | `redirect`   | answers with a redirect                                      | no                                 |
 *   | `bypass`     | skips all remaining custom rules                             | no                                 |
 *   | `log`        | records it                                                   | yes                                |
 *   | `challenge`  | blocks it until the client has solved the challenge          | yes, once it is solved             |
 *   | `rate_limit` | acts above the limit; below it, no source says what happens  | not known                          |
 */
import {
  canonicalJson,
  type Fields,
  holesIn,
  isPlainObject,
  type Value,
  type View,
  type ViewedObject,
} from '#kind';
import { type Condition, isLate, readCondition } from './condition.ts';

/** Conditions that must all hold. `undefined` stands for a condition that cannot be read: the group may match less than the others say. */
export type Group = readonly (Condition | undefined)[];

/** A firewall rule, or an IP entry, as far as the checks and traces need it. */
export interface Rule {
  address: ViewedObject['address'];
  name: string;
  /** True for an IP entry, which comes before all rules. */
  isEntry: boolean;
  /** Its groups; undefined if they cannot be read. */
  groups: readonly Group[] | undefined;
  action: string | undefined;
  /** Where a rule with the action `redirect` leads to. Undefined if that is not known. */
  location: string | undefined;
  /** Equal for rules that do the same to a request. Undefined if that cannot be read. */
  effectId: string | undefined;
  /** True if the rule runs after the middleware. */
  isLate: boolean;
}

const decidingActions = ['deny', 'redirect', 'bypass'] as const;
/** A rule that decides the requests that it matches: no rule below it sees them. */
export type DecidingRule = Rule & { action: (typeof decidingActions)[number] };

/** True if a rule decides the requests that it matches. */
export const decides = (rule: Rule): rule is DecidingRule =>
  decidingActions.some((action) => action === rule.action);

/** Returns the project of a firewall rule, for messages and to look at its other objects. */
export const projectOf = ({ address }: Rule): Rule['address'] => address.split('/firewall/')[0]!;

/** The rules of one firewall that are in force. */
export interface RuleList {
  firewall: Rule['address'];
  /** In the order of the platform. */
  rules: readonly Rule[];
  /** Rules of the same firewall in other configurations. They may be above or below these. */
  elsewhere: readonly Rule[];
}

/**
 * Yields the rules of each firewall of a view, one list for each configuration, because only rules of one configuration have a known order.
 */
export function* ruleLists(view: View): Generator<RuleList> {
  let rules: (Rule & { configuration: number | undefined })[] = [];
  let firewall: Rule['address'] | undefined;
  // The objects of one parent are next to each other.
  for (const object of view.ofKind('firewallRule')) {
    const { parent, configuration } = object;
    if (parent === undefined || object.fields.active !== true) continue;
    if (firewall !== undefined && parent !== firewall) {
      yield* splitByConfiguration(firewall, rules);
      rules = [];
    }
    firewall = parent;
    rules.push({ ...readRule(object), configuration });
  }
  if (firewall !== undefined) yield* splitByConfiguration(firewall, rules);
}

function* splitByConfiguration(
  firewall: Rule['address'],
  rules: readonly (Rule & { configuration: number | undefined })[],
): Generator<RuleList> {
  for (const configuration of new Set(rules.map((rule) => rule.configuration)))
    yield {
      firewall,
      rules: rules.filter((rule) => rule.configuration === configuration),
      elsewhere: rules.filter((rule) => rule.configuration !== configuration),
    };
}

/** Parses a firewall rule. Parts that cannot be read, such as secrets and values that are known only after an apply, are undefined. */
export function readRule({ address, fields }: ViewedObject): Rule {
  const groups = readGroups(fields.conditionGroup);
  const mitigate = mitigateOf(fields);
  const { action } = mitigate;
  return {
    address,
    name: typeof fields.name === 'string' ? fields.name : address,
    isEntry: false,
    groups,
    action: typeof action === 'string' ? action : undefined,
    location: action === 'redirect' ? redirectLocationOf(mitigate) : undefined,
    effectId: effectIdOf(mitigate),
    isLate: groups?.some((group) => group.some((condition) => condition && isLate(condition))) ?? false,
  };
}

/** Returns the action of a rule with its settings; empty if it cannot be read. */
export const mitigateOf = ({ action }: Fields): Partial<Fields> =>
  isPlainObject(action) && isPlainObject(action.mitigate) ? (action.mitigate as Fields) : {};

const redirectLocationOf = ({ redirect }: Partial<Fields>): string | undefined =>
  isPlainObject(redirect) && typeof redirect.location === 'string' ? redirect.location : undefined;

/**
 * Returns a text that is equal for rules with the same conditions and action, to find copies of a rule. Undefined if a part cannot be read.
 */
export function contentIdOf({ effectId, groups }: Rule): string | undefined {
  if (effectId === undefined || !groups || groups.some((group) => group.includes(undefined)))
    return undefined;
  const groupIds = groups.map((group) =>
    [...new Set(group.map((condition) => condition!.id))].sort().join(' and '),
  );
  return `${effectId} ${groupIds.sort().join(' or ')}`;
}

function readGroups(value: Value | undefined): Group[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map((group) => {
    const conditions = isPlainObject(group) ? group.conditions : undefined;
    // What a group without conditions matches is not documented.
    return Array.isArray(conditions) && conditions.length > 0 ? conditions.map(readCondition) : [undefined];
  });
}

/** Returns the action with its settings as a text; undefined if a part of it is not known. What it logs does not count. */
function effectIdOf({ action, logHeaders: _, ...settings }: Partial<Fields>): string | undefined {
  if (typeof action !== 'string') return undefined;
  const set = Object.entries(settings).filter(([, value]) => value !== null && value !== false);
  if (set.length === 0) return action;
  return set.some(([, value]) => holesIn(value).length > 0)
    ? undefined
    : `${action} ${canonicalJson(Object.fromEntries(set))}`;
}
