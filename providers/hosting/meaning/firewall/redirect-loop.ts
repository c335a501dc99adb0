/*
 * Finds firewall rules that redirect to an address which they redirect as well, such as a rule for every path that leads to `/maintenance`.
 *
 * A client that follows a redirect sends the same request again, to another address: path, query and perhaps host differ, the rest stays.
 * So the rule matches again for sure if each condition holds for the new address, or is about a part that stays.
 */
import type { Finding, View } from '#kind';
import type { SearchBudget } from './automaton.ts';
import { type Condition, readCondition } from './condition.ts';
import { evaluate } from './evaluate.ts';
import { allHold, isPossible } from './requests.ts';
import { type Group, projectOf, type Rule, type RuleList } from './rule.ts';
import { describeRule } from './texts.ts';
import { type ComparedRules, canMatch } from './unreachable.ts';

/** The types of attributes that stay the same in each redirected request. */
const stableTypes = [
  'ip_address',
  'user_agent',
  'geo_continent',
  'geo_country',
  'geo_country_region',
  'geo_city',
  'geo_as_number',
];

/** The types that also stay the same if the redirect keeps the host. */
const stableOnSameHost = ['host', 'environment'];

/** Where a redirect leads to. `host`: undefined for the host of the request. */
interface Target {
  url: URL;
  host: string | undefined;
}

/** Reports the rules of a firewall that redirect their visitors to a URL that the same rule redirects again. */
export function* reportRedirectLoops(
  { rules, unreached, budget }: ComparedRules,
  { elsewhere }: RuleList,
  view: View,
): Generator<Finding> {
  if (elsewhere.length > 0) return;
  for (const rule of rules) {
    const target =
      rule.isLate || unreached.some((other) => other.rule === rule) ? undefined : targetOf(rule, view);
    if (!target || !staysInLoop(rule, target, rules, budget)) continue;
    const { url, host } = target;
    yield {
      code: 'firewall/redirect-loop',
      // No error: it ends if something else answers before the firewall.
      severity: 'warning',
      message: `${describeRule(rule)} redirects to ${host ?? ''}${url.pathname}, and redirects that request as well, so it never ends`,
      hint: `exclude the target: add the condition \`{ type: path, op: neq, value: ${url.pathname} }\``,
      address: rule.address,
      path: 'action',
    };
  }
}

/**
 * Returns where a rule redirects to, if the firewall of the project sees that request for sure. Whether bulk redirects and routes come
 * before the firewall is not documented, so a project with any is left alone; so is a domain that redirects itself.
 */
function targetOf(rule: Rule, view: View): Target | undefined {
  const { location } = rule;
  if (location === undefined || !/^(\/(?!\/)|https:\/\/)/.test(location)) return undefined;
  const project = projectOf(rule);
  if (['bulkRedirects', 'projectRoute'].some((kind) => view.under(project, kind).length > 0))
    return undefined;
  const base = 'https://host.invalid';
  if (!URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  if (location.startsWith('/')) return { url, host: undefined };
  const domain = view.under(project, 'projectDomain').find(({ fields }) => fields.name === url.hostname);
  return domain && !domain.fields.redirect ? { url, host: url.hostname } : undefined;
}

function staysInLoop(rule: Rule, target: Target, rules: readonly Rule[], budget: SearchBudget): boolean {
  const path = readCondition({ type: 'path', op: 'eq', value: target.url.pathname });
  if (path?.test.type !== 'text') return false;
  const above = rules
    .slice(0, rules.indexOf(rule))
    .filter(({ action }) => !['log', 'challenge'].includes(action ?? ''));
  return (rule.groups ?? []).some((group) => {
    const staying = conditionsThatStay(group, target);
    if (!staying || !canMatch(group, budget)) return false;
    const again = [path, ...staying];
    return above.every(
      (other) => other.groups?.every((otherGroup) => excludes(again, otherGroup, budget)) ?? false,
    );
  });
}

/** Returns the conditions of a group about what a client sends again; undefined if the group may not match the redirected request. */
function conditionsThatStay(group: Group, { url, host }: Target): Condition[] | undefined {
  const request = { method: 'GET', url, headers: new Map<string, string>() };
  const staying: Condition[] = [];
  for (const condition of group) {
    if (condition === undefined) return undefined;
    const { type } = condition.attribute;
    if (stableTypes.includes(type) || (host === undefined && stableOnSameHost.includes(type)))
      staying.push(condition);
    else if (evaluate(condition, request).verdict !== 'yes') return undefined;
  }
  return staying;
}

/** True if for certain no request meets these conditions and those of a group. */
const excludes = (conditions: readonly Condition[], group: Group, budget: SearchBudget): boolean =>
  isPossible(allHold([...conditions, ...group]), budget) === 'no';
