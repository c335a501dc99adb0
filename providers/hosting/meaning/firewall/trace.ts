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
import { type DecidingRule, decides, type Group, mitigateOf, type Rule, readRule } from './rule.ts';
import { formatCondition } from './texts.ts';

/** What the rules of a firewall do to a request. */
export interface FirewallTrace {
  /** The rules that see the request, in the order of the platform, up to the one that decides. */
  steps: readonly TraceStep[];
  /** The rule that decides, unless one of `undecided` does. Undefined if no rule decides: the request passes. */
  decision: { step: TraceStep; action: DecidingRule['action'] } | undefined;
  /**
   * The steps that may stop the request before: it is not known whether they match, or what they do depends on more than the request, as a
   * challenge that the client may have solved or a rate limit.
   */
  undecided: readonly TraceStep[];
}

/**
 * Returns what the rules of one firewall do to a request, condition by condition. `objects`: the rules in their order; those that are not
 * active are left out. A firewall that is off applies no rule: its caller knows that.
 */
export function traceFirewall(objects: readonly ViewedObject[], request: VisitorRequest): FirewallTrace {
  const steps: TraceStep[] = [];
  const undecided: TraceStep[] = [];
  const active = objects
    .filter(({ fields }) => fields.active !== false)
    .map((object) => ({ object, rule: readRule(object) }));
  // Rules with a condition on the route run after the middleware, behind all others.
  const inOrder = [...active.filter(({ rule }) => !rule.isLate), ...active.filter(({ rule }) => rule.isLate)];
  for (const { object, rule } of inOrder) {
    const step = traceRule(object, rule, request);
    steps.push(step);
    if (step.matches === 'no' || rule.action === 'log') continue;
    if (step.matches === 'yes' && decides(rule))
      return { steps, undecided, decision: { step, action: rule.action } };
    undecided.push(step);
  }
  return { steps, undecided, decision: undefined };
}

function traceRule({ fields }: ViewedObject, rule: Rule, request: VisitorRequest): TraceStep {
  const groups = (rule.groups ?? [[undefined]]).map((group) => traceGroup(group, request));
  const isActive: Verdict = fields.active === true ? 'yes' : 'unknown';
  const isSplit = groups.length > 1;
  return {
    address: rule.address,
    type: 'firewall rule',
    matches: allOf([isActive, anyOf(groups.map((group) => allOf(group.map(({ verdict }) => verdict))))]),
    conditions: groups.flatMap((group, i) =>
      group.map(({ text, ...answer }) => ({ text: isSplit ? `group ${i + 1}: ${text}` : text, ...answer })),
    ),
    effect: formatEffect(rule, fields),
  };
}

const traceGroup = (group: Group, request: VisitorRequest): (Answer & { text: string })[] =>
  group.map((condition) =>
    condition
      ? { text: formatCondition(condition), ...evaluate(condition, request) }
      : { text: 'a condition', verdict: 'unknown', why: 'its value is not known, or is a secret' },
  );

/** Returns what a rule does to a request that it matches: `deny`, `redirect to /login (temporary)`. */
function formatEffect({ action, location }: Rule, fields: ViewedObject['fields']): string {
  if (action === undefined) return 'not known';
  if (location === undefined) return action.replaceAll('_', ' ');
  const { redirect } = mitigateOf(fields);
  const isPermanent = isPlainObject(redirect) && redirect.permanent === true;
  return `redirect to ${location} (${isPermanent ? 'permanent' : 'temporary'})`;
}
