/*
 * Says what happens to a request of a visitor, for `trueup trace`.
 *
 * A layer is a part of the platform that may answer a request: the entries of the firewall for IP addresses, its rules, the redirect of the
 * domain, the bulk redirects, the routes, and last the project itself. The entries for IP addresses come before the rules
 * (https://vercel.com/docs/vercel-firewall). No source says in which other order the platform asks the layers before the last. So the
 * outcome is certain only if no more than one of them answers, and each other one surely does not.
 */
import type { Trace, TraceStep, View, ViewedObject, VisitorRequest } from '#kind';
import { traceFirewall } from '../firewall/trace.ts';
import { RedirectFollower } from '../redirects/follow-redirects.ts';
import { indexRedirects, type RedirectIndex } from '../redirects/index-redirects.ts';
import { servedHost, type Visit } from '../redirects/next-hop.ts';
import { traceIpEntries } from './trace-ip-entries.ts';
import {
  formatOutcome,
  type TracedLayer,
  traceRedirects,
  unknownEffect,
  visitOf,
} from './trace-redirects.ts';

/** What a layer does with a request. `answers`: what it surely does if the request reaches it. `doubts`: why it may answer. */
interface LayerResult {
  name: string;
  /** True if the trace follows its redirects to their end. Redirects of firewall rules are not followed. */
  isFollowed: boolean;
  steps: Trace['steps'];
  answers: string[];
  doubts: string[];
}

/**
 * Returns what happens to a request of a visitor in the state that a view shows, with each rule, redirect and route that was compared with
 * it. For `trueup trace`, so that a reviewer sees which of them decides. Anything that cannot be determined becomes a doubt, never part of
 * the outcome.
 */
export function traceRequest(view: View, request: VisitorRequest): Trace {
  const index = indexRedirects(view);
  const host = request.url.hostname;
  const served = servedHost(index, host);
  if (served === undefined)
    return {
      steps: [],
      outcome: `no project serves ${host}`,
      doubts:
        view.knows('projectDomain') === 'all'
          ? []
          : [`${host} may be a domain of a project that is not declared here`],
    };
  if (served === 'unknown')
    return {
      steps: [],
      outcome: `it is not known which project serves ${host}`,
      doubts: ['several domains may match the host'],
    };
  const visit = visitOf(request, served.project);
  const redirects = traceRedirects(index, visit);
  const layers = [...firewallLayers(view, served.project, request), ...redirects.map(resultOfRedirects)];
  const [first, ...others] = layers.filter(({ answers }) => answers.length > 0);
  const groupDoubts = index.groupProjects.has(served.project)
    ? ['other projects of its microfrontends group may serve the path']
    : [];
  return {
    steps: layers.flatMap(({ steps }) => steps),
    outcome: first ? outcomeOf(first, index, visit) : `served by ${served.project}`,
    doubts: [
      ...others.map(
        ({ name, answers }) => `${answers.join(', or ')}, if ${name} come first: no source states the order`,
      ),
      ...layers.flatMap(({ doubts }) => doubts),
      ...groupDoubts,
      ...missingObjects(view, served.project),
    ],
  };
}

/** Returns the outcome of the layer that answers, and where further redirects lead. */
function outcomeOf({ isFollowed, answers }: LayerResult, index: RedirectIndex, visit: Visit): string {
  const [answer] = answers as [string];
  if (!isFollowed) return answer;
  const certainWay = new RedirectFollower(index).certainWay(visit);
  return certainWay && certainWay.hops > 1
    ? `${answer}; after ${certainWay.hops} redirects it ends at ${certainWay.end}`
    : answer;
}

function resultOfRedirects({ name, steps, outcomes, mayPass }: TracedLayer): LayerResult {
  const layer = { name, isFollowed: true, steps, answers: [], doubts: [] };
  const hidden = steps.find(({ matches, effect }) => matches === 'yes' && effect === unknownEffect);
  if (outcomes.length > 0 && hidden)
    return { ...layer, answers: [`${hidden.address} matches, but what it does is not known`] };
  const texts = outcomes.map((outcome) => `${outcome.by ?? 'the platform'} ${formatOutcome(outcome)}`);
  return mayPass
    ? { ...layer, doubts: texts.map((text) => `${text}, if it matches`) }
    : { ...layer, answers: [...new Set(texts)] };
}

/** Returns what the firewall of a project does with a request. A firewall that is off does nothing. */
function firewallLayers(view: View, project: string, request: VisitorRequest): LayerResult[] {
  const [firewall] = view.under(project, 'firewall');
  if (!firewall || firewall.fields.firewallEnabled === false) return [];
  const { address, fields } = firewall;
  const unlessOff =
    fields.firewallEnabled === true ? '' : ', unless the firewall is off, which is not declared';
  const steps = traceIpEntries(view.under(address, 'firewallIp'), request);
  const denying = steps.filter(({ matches, effect }) => matches === 'yes' && effect === 'deny');
  const isDenied = denying.length > 0 && !steps.some((step) => step.matches !== 'no' && isOtherAction(step));
  // The rules see no request that an entry denies.
  const rules = isDenied ? [] : view.under(address, 'firewallRule');
  return [
    {
      name: 'IP entries of the firewall',
      isFollowed: false,
      steps,
      answers: denying.map((step) => `${step.address} denies the request${unlessOff}`),
      doubts: steps
        .filter((step) => step.matches === 'unknown' || (step.matches === 'yes' && isOtherAction(step)))
        .map((step) => `${step.address} may ${step.effect} the request`),
    },
    resultOfRules(rules, request, unlessOff),
    otherProtection(view, project, address),
  ];
}

/**
 * True for an IP entry that neither denies requests nor only logs them. No source says which of several entries for one address comes
 * first.
 */
const isOtherAction = ({ effect }: TraceStep): boolean => effect !== 'deny' && effect !== 'log';

/** Returns what the rules of a firewall do with a request. `unlessOff`: what to add to an answer if the firewall may be off. */
function resultOfRules(
  rules: readonly ViewedObject[],
  request: VisitorRequest,
  unlessOff: string,
): LayerResult {
  const { steps, decision, undecided } = traceFirewall(rules, request);
  const answers: string[] = [];
  if (decision && decision.action !== 'bypass') {
    const { address, effect } = decision.step;
    const answer = decision.action === 'deny' ? 'denies the request' : `answers: ${effect}`;
    answers.push(`${address} ${answer}${unlessOff}`);
  }
  return {
    name: 'rules of the firewall',
    isFollowed: false,
    steps,
    answers,
    doubts: undecided.map(doubtAboutRule),
  };
}

/** Returns the doubt about a rule that may stop the request before another one decides. */
export const doubtAboutRule = ({ address, effect }: TraceStep): string =>
  `${address} may decide first: ${effect}`;

/** Protection that judges more than the request says: it may stop any request. */
function otherProtection(view: View, project: string, firewall: string): LayerResult {
  const isInForce = ({ fields }: ViewedObject) => fields.active === true || fields.attackModeEnabled === true;
  const objects = [
    ...view.under(firewall, 'managedRuleset'),
    ...view.under(firewall, 'coreRuleset'),
    ...view.under(project, 'attackMode'),
  ].filter(isInForce);
  return {
    name: 'other protection',
    isFollowed: false,
    steps: [],
    answers: [],
    doubts: objects.map(doubtAboutProtection),
  };
}

/** Returns the doubt about an object that protects a project by more than rules. */
export const doubtAboutProtection = ({ address }: Pick<ViewedObject, 'address'>): string =>
  `${address} may stop the request`;

/** Returns doubts about objects that the view lacks: those of a project that is only referred to, or those that a plan file leaves out. */
function missingObjects(view: View, project: string): string[] {
  const kinds = { firewallRule: `${project}/firewall`, bulkRedirects: project, projectRoute: project };
  const unknown = Object.entries(kinds).filter(([kind, parent]) => view.knows(kind, parent) === 'nothing');
  return unknown.length === 0
    ? []
    : [
        `some of the firewall rules, redirects and routes of ${project} are not known here: \`--live\` reads them`,
      ];
}
