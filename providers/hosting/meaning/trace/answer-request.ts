/*
 * Says what happens to a request of a visitor as data, for tests of configurations. The layers and doubts are those of `trueup trace`.
 */
import type { Address, RequestAnswer, TraceStep, View, VisitorRequest } from '#kind';
import { traceFirewall } from '../firewall/trace.ts';
import { indexRedirects } from '../redirects/index-redirects.ts';
import { type Outcome, servedHost, urlOf } from '../redirects/next-hop.ts';
import { traceIpEntries } from './trace-ip-entries.ts';
import { traceRedirects, visitOf } from './trace-redirects.ts';
import { doubtAboutProtection, doubtAboutRule, traceRequest } from './trace-request.ts';

/** The answer of one layer, without the project and the doubts. */
type LayerAnswer = Omit<RequestAnswer, 'doubts' | 'project'>;

/**
 * Returns the verdict on a request in the state that a view shows, and the rule behind it, so that a test can compare them. `doubts` has
 * everything that could change the verdict and that the view does not show.
 */
export function answerRequest(view: View, request: VisitorRequest): RequestAnswer {
  const { outcome, doubts } = traceRequest(view, request);
  const index = indexRedirects(view);
  const served = servedHost(index, request.url.hostname);
  if (served === undefined) return { verdict: 'unserved', doubts };
  if (served === 'unknown') return { verdict: undefined, doubts: [outcome, ...doubts] };
  const { project } = served;
  const { answer: firewallAnswer, solvedDoubts, switchDoubts } = answerOfFirewall(view, project, request);
  const remaining = [...doubts.filter((doubt) => !solvedDoubts.includes(doubt)), ...switchDoubts];
  const redirecting = traceRedirects(index, visitOf(request, project)).flatMap(({ outcomes, mayPass }) =>
    mayPass ? [] : outcomes.slice(0, 1),
  );
  const [redirect] = redirecting;
  if (firewallAnswer && firewallAnswer.verdict !== 'serve') {
    // If the rule denies or redirects, the trace has this doubt.
    const isOrderUnclear = redirect && ['challenge', 'rate_limit'].includes(firewallAnswer.verdict ?? '');
    const orderDoubt = 'redirects or routes answer the request, too: no source states the order';
    return { ...firewallAnswer, project, doubts: isOrderUnclear ? [...remaining, orderDoubt] : remaining };
  }
  const answer = redirect && answerOfOutcome(redirect, view);
  const queryDoubts =
    redirect?.type === 'redirect' && redirect.to.query === undefined
      ? ['no source says whether the redirect keeps the query of the request']
      : [];
  return {
    ...(answer ?? firewallAnswer ?? { verdict: 'serve' }),
    project,
    doubts: [...remaining, ...queryDoubts],
  };
}

/** What a firewall does with a request. */
interface FirewallAnswer {
  /** Undefined if no entry and no rule decides. */
  answer?: LayerAnswer;
  /** The doubts of the trace that the answer includes: a rule that challenges the request is the answer here. */
  solvedDoubts: readonly string[];
  /** The doubt whether the firewall is on. */
  switchDoubts: readonly string[];
}

/** Returns the answer of a project's firewall: its IP entries come first, then its rules. */
function answerOfFirewall(view: View, project: Address, request: VisitorRequest): FirewallAnswer {
  const [firewall] = view.under(project, 'firewall');
  if (!firewall || firewall.fields.firewallEnabled === false) return { solvedDoubts: [], switchDoubts: [] };
  const entry = traceIpEntries(view.under(firewall.address, 'firewallIp'), request).find(
    ({ matches, effect }) => matches === 'yes' && effect === 'deny',
  );
  const rules = entry ? [] : view.under(firewall.address, 'firewallRule');
  const { decision, undecided } = traceFirewall(rules, request);
  const [first] = undecided;
  const stopping = first?.matches === 'yes' ? stoppingVerdict(first) : undefined;
  const rule = ({ address }: TraceStep) => ({ address, name: nameOf(view, address) });
  const answer: LayerAnswer | undefined = entry
    ? { verdict: 'deny', rule: rule(entry) }
    : stopping
      ? { verdict: stopping, rule: rule(first!) }
      : decision && {
          verdict: decision.action === 'bypass' ? 'serve' : decision.action,
          rule: rule(decision.step),
          // The platform documents no status for redirects of the firewall.
          redirect: decision.action === 'redirect' ? locationOf(view, decision.step, request) : undefined,
        };
  const switchDoubts =
    answer && firewall.fields.firewallEnabled !== true
      ? [`${firewall.address} may be off: \`firewallEnabled\` is not declared`]
      : [];
  // Managed rulesets come behind the rules (https://vercel.com/docs/vercel-firewall, "Rule execution order"), so they do not see what a
  // rule stops.
  const laterRulesets =
    answer && answer.verdict !== 'serve'
      ? ['managedRuleset', 'coreRuleset'].flatMap((kind) => view.under(firewall.address, kind))
      : [];
  return {
    ...(answer ? { answer } : {}),
    solvedDoubts: [
      ...(stopping ? undecided.map(doubtAboutRule) : []),
      ...laterRulesets.map(doubtAboutProtection),
    ],
    switchDoubts,
  };
}

/** Returns the verdict of a rule that stops some of the requests that it matches, depending on more than the request. */
const stoppingVerdict = ({ effect }: TraceStep): 'challenge' | 'rate_limit' | undefined =>
  effect === 'challenge' ? 'challenge' : effect === 'rate limit' ? 'rate_limit' : undefined;

/** Returns the name of an object as its configuration states it, because tests name rules by it. */
function nameOf(view: View, address: Address): string {
  const { name, source, ip } = view.at(address)?.fields ?? {};
  const text = [name, source, ip].find((value) => typeof value === 'string');
  return typeof text === 'string' ? text : address;
}

/** Returns where a firewall rule redirects to. */
function locationOf(view: View, { address }: TraceStep, { url }: VisitorRequest): string | undefined {
  const { location } = redirectOf(view, address);
  return typeof location === 'string' && URL.canParse(location, url.href)
    ? new URL(location, url).href
    : undefined;
}

/** Returns the redirect of a firewall rule; an empty one for other actions. */
function redirectOf(view: View, address: Address): { location?: unknown } {
  const { action } = (view.at(address)?.fields ?? {}) as { action?: { mitigate?: { redirect?: object } } };
  return action?.mitigate?.redirect ?? {};
}

/** Returns the outcome of a redirect or route as an answer. The verdict is undefined if it is not certain. */
function answerOfOutcome(outcome: Outcome, view: View): LayerAnswer {
  const rule = outcome.by === undefined ? undefined : { address: outcome.by, name: nameOf(view, outcome.by) };
  switch (outcome.type) {
    case 'redirect':
      return { verdict: 'redirect', rule, redirect: urlOf(outcome.to), status: outcome.status };
    case 'outside':
      return { verdict: 'redirect', rule, redirect: outcome.url, status: outcome.status };
    case 'answer':
      return { verdict: 'answer', rule };
    default:
      return { verdict: undefined, rule };
  }
}
