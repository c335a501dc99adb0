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
import { canonicalJson, dropUndefined, isPlainObject, type Value, type View, type ViewedObject } from '#kind';
import { type Condition, isLate, readCondition } from './condition.ts';

/** Conditions that must all hold. Undefined in place of one that cannot be read. */
export type Group = readonly (Condition | undefined)[];

export interface Rule {
  address: ViewedObject['address'];
  name: string;
  /** Its groups; undefined if they cannot be read. */
  groups: readonly Group[] | undefined;
  action: string | undefined;
  /** Equal for rules that do the same to a request. Undefined if that cannot be read. */
  effectId: string | undefined;
  /** Equal for rules with the same conditions and action. */
  contentId: string | undefined;
  /** True if the rule runs after the middleware. */
  isLate: boolean;
}

/** True if no rule below a rule with this action sees a request that it matches. */
export const decides = ({ action }: Rule): boolean => ['deny', 'redirect', 'bypass'].includes(action ?? '');

/** Returns the rules of each firewall of a view that are in force, in their order. */
export function activeRules(view: View): Map<Rule['address'], Rule[]> {
  const rules = new Map<Rule['address'], Rule[]>();
  for (const object of view.ofKind('firewallRule')) {
    if (object.parent === undefined) continue;
    const others = rules.get(object.parent) ?? [];
    rules.set(object.parent, others);
    if (object.fields.active === true) others.push(readRule(object));
  }
  return rules;
}

/** Returns a firewall rule as far as it can be read. */
export function readRule({ address, fields }: ViewedObject): Rule {
  const groups = readGroups(fields.conditionGroup);
  const mitigate = isPlainObject(fields.action) ? fields.action.mitigate : undefined;
  const action = isPlainObject(mitigate) ? mitigate.action : undefined;
  const effectId = isPlainObject(mitigate) ? readEffect(mitigate) : undefined;
  const conditions = groups?.flat();
  return {
    address,
    name: typeof fields.name === 'string' ? fields.name : address,
    groups,
    action: typeof action === 'string' ? action : undefined,
    effectId,
    contentId:
      effectId !== undefined && groups && conditions?.every((condition) => condition !== undefined)
        ? `${effectId} ${groups.map(groupId).sort().join(' or ')}`
        : undefined,
    isLate: conditions?.some((condition) => condition !== undefined && isLate(condition)) ?? false,
  };
}

const groupId = (group: Group): string =>
  [...new Set(group.map((condition) => condition!.id))].sort().join(' and ');

function readGroups(value: Value | undefined): Group[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const groups = value.map((group) => {
    const conditions = isPlainObject(group) ? group.conditions : undefined;
    // What a group without conditions matches is not documented.
    return Array.isArray(conditions) && conditions.length > 0 ? conditions.map(readCondition) : [undefined];
  });
  return groups;
}

/** Returns the action with its settings as a text; undefined if a part of it is not known. What it logs does not count. */
function readEffect({ logHeaders: _, ...mitigate }: Record<string, Value>): string | undefined {
  const settings = Object.entries(mitigate).filter(([, value]) => value !== null && value !== false);
  const text = canonicalJson(dropUndefined(Object.fromEntries(settings)) as Value);
  return /"\$(ref|secret|lookup|result|join)"/.test(text) ? undefined : text;
}
