/*
 * Says which firewall rule decides a request of a visitor, for `trueup trace`.
 */
import {
  allOf,
  anyOf,
  isPlainObject,
  type TraceStep,
  type Verdict,
  type ViewedObject,
  type VisitorRequest,
} from '#kind';
import { type Answer, evaluate } from './evaluate.ts';
import { readIpEntry } from './ip-entry.ts';
import { decides, type Group, type Rule, readRule } from './rule.ts';
import { formatCondition } from './texts.ts';

/** What the rules of a firewall do to a request. */
export interface FirewallTrace {
  /** The rules that see the request, in the order of the platform, up to the one that decides. */
  steps: readonly TraceStep[];
  /** The rule that decides, unless one of `undecided` does. Undefined if no rule decides: the request passes. */
  decision: { step: TraceStep; action: 'deny' | 'redirect' | 'bypass' } | undefined;
  /**
   * The steps that may stop the request before: it is not known whether they match, or what they do depends on more than the request, as a challenge
   * that the client may have solved or a rate limit.
   */
  undecided: readonly TraceStep[];
}

/** The objects of one firewall, the rules in their order. */
export interface FirewallObjects {
  ips: readonly ViewedObject[];
  rules: readonly ViewedObject[];
}

/**
 * Returns what one firewall does to a request, condition by condition: IP entries that may match first, then the rules in their order. Rules that are
 * not active are left out. A firewall that is off does nothing: its caller knows that.
 */
export function traceFirewall({ ips, rules }: FirewallObjects, request: VisitorRequest): FirewallTrace {
  const active = rules
    .filter(({ fields }) => fields.active !== false)
    .map((object) => ({ object, rule: readRule(object) }));
  // Rules with a condition on the route run after the middleware, behind all others.
  const inOrder = [...active.filter(({ rule }) => !rule.isLate), ...active.filter(({ rule }) => rule.isLate)];
  const entries = traceEntries(ips, request);
  if (entries.decision) return entries;
  const steps = [...entries.steps];
  const undecided = [...entries.undecided];
  for (const { object, rule } of inOrder) {
    const step = traceRule(rule, object.fields, request);
    steps.push(step);
    if (step.matches === 'no' || rule.action === 'log') continue;
    if (step.matches === 'yes' && decides(rule))
      return { steps, undecided, decision: { step, action: rule.action as 'deny' | 'redirect' | 'bypass' } };
    undecided.push(step);
  }
  return { steps, undecided, decision: undefined };
}

/** Returns what IP entries do to a request. If entries with several actions may match, which of them counts is not documented. */
function traceEntries(ips: readonly ViewedObject[], request: VisitorRequest): FirewallTrace {
  const traced = ips.map((object) => {
    const rule = readIpEntry(object);
    return { rule, step: traceRule(rule, object.fields, request) };
  });
  const matching = traced.filter(({ step }) => step.matches !== 'no');
  const effective = matching.filter(({ rule }) => rule.action !== 'log');
  const decision = effective.every(({ rule }) => rule.action === 'deny')
    ? effective.find(({ step }) => step.matches === 'yes')
    : undefined;
  return {
    steps: matching.map(({ step }) => step),
    undecided: decision ? [] : effective.map(({ step }) => step),
    decision: decision && { step: decision.step, action: 'deny' },
  };
}

function traceRule(rule: Rule, fields: ViewedObject['fields'], request: VisitorRequest): TraceStep {
  const groups = (rule.groups ?? [[undefined]]).map((group) => traceGroup(group, request));
  const isActive: Verdict = rule.isEntry || fields.active === true ? 'yes' : 'unknown';
  const isSplit = groups.length > 1;
  return {
    address: rule.address,
    type: rule.isEntry ? 'IP entry of the firewall' : 'firewall rule',
    matches: allOf([isActive, anyOf(groups.map((group) => allOf(group.map(({ verdict }) => verdict))))]),
    conditions: groups.flatMap((group, i) =>
      group.map(({ text, ...answer }) => ({ text: isSplit ? `group ${i + 1}: ${text}` : text, ...answer })),
    ),
    effect: rule.isEntry ? (rule.action ?? 'not known') : formatEffect(fields),
  };
}

const traceGroup = (group: Group, request: VisitorRequest): (Answer & { text: string })[] =>
  group.map((condition) =>
    condition
      ? { text: formatCondition(condition), ...evaluate(condition, request) }
      : { text: 'a condition', verdict: 'unknown', why: 'its value is not known, or is a secret' },
  );

/** Returns what a rule does to a request that it matches: `deny`, `redirect to /login (temporary)`. */
function formatEffect({ action }: ViewedObject['fields']): string {
  const mitigate = isPlainObject(action) && isPlainObject(action.mitigate) ? action.mitigate : {};
  const { action: name, redirect } = mitigate;
  if (typeof name !== 'string') return 'not known';
  if (name === 'redirect' && isPlainObject(redirect) && typeof redirect.location === 'string')
    return `redirect to ${redirect.location} (${redirect.permanent === true ? 'permanent' : 'temporary'})`;
  return name.replaceAll('_', ' ');
}
