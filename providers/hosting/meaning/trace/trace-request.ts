/*
 * Says what happens to a request of a visitor, for `trueup trace`.
 *
 * A layer is a part of the platform that may answer a request: the entries of the firewall for IP addresses, its rules, the redirect of the domain,
 * the bulk redirects, the routes, and last the project itself. The entries for IP addresses come before the rules (https://vercel.com/docs/vercel-firewall).
 * No source says in which other order the platform asks the layers before the last. So the outcome is certain only if no more than one of them
 * answers, and each other one surely does not.
 */
import type { Trace, View, ViewedObject, VisitorRequest } from '#kind';
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
  steps: Trace['steps'];
  answers: string[];
  doubts: string[];
}

/**
 * Returns what happens to a request of a visitor in the state that a view shows, with each rule, redirect and route that was compared with it. For
 * `trueup trace`, so that a reviewer sees which of them decides. What cannot be told becomes a doubt, never part of the outcome.
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
  const answering = layers.filter(({ answers }) => answers.length > 0);
  const [first, ...others] = answering;
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
function outcomeOf({ name, answers }: LayerResult, index: RedirectIndex, visit: Visit): string {
  const [answer] = answers as [string];
  if (name.includes('firewall')) return answer;
  const certainWay = new RedirectFollower(index).certainWay(visit);
  return certainWay && certainWay.hops > 1
    ? `${answer}; after ${certainWay.hops} redirects it ends at ${certainWay.end}`
    : answer;
}

function resultOfRedirects({ name, steps, outcomes, mayPass }: TracedLayer): LayerResult {
  const texts = outcomes.map((outcome) => `${outcome.by ?? 'the platform'} ${formatOutcome(outcome)}`);
  if (outcomes.length === 0) return { name, steps, answers: [], doubts: [] };
  const hidden = steps.find(({ matches, effect }) => matches === 'yes' && effect === unknownEffect);
  if (hidden)
    return { name, steps, answers: [`${hidden.address} matches, but what it does is not known`], doubts: [] };
  return mayPass
    ? { name, steps, answers: [], doubts: texts.map((text) => `${text}, if it matches`) }
    : { name, steps, answers: [...new Set(texts)], doubts: [] };
}

/** Returns what the firewall of a project does with a request. A firewall that is off does nothing. */
function firewallLayers(view: View, project: string, request: VisitorRequest): LayerResult[] {
  const [firewall] = view.under(project, 'firewall');
  if (!firewall || firewall.fields.firewallEnabled === false) return [];
  const { address, fields } = firewall;
  const isOn = fields.firewallEnabled === true;
  const ips = traceIpEntries(view.under(address, 'firewallIp'), request);
  const ends = ips.filter(({ effect }) => effect === 'deny');
  const passingEntries = ips.filter(
    ({ matches, effect }) => matches !== 'no' && effect !== 'deny' && effect !== 'log',
  );
  const isDenied = ends.some(({ matches }) => matches === 'yes') && passingEntries.length === 0;
  // The rules see no request that an entry denies.
  const reachedRules = isDenied ? [] : view.under(address, 'firewallRule');
  const rules = traceFirewall(reachedRules, request);
  const { decision } = rules;
  const stops = decision !== undefined && decision.action !== 'bypass';
  const ruleAnswer = decision?.action === 'deny' ? 'denies the request' : `answers: ${decision?.step.effect}`;
  const unlessOff = isOn ? '' : ', unless the firewall is off, which is not declared';
  return [
    {
      name: 'IP entries of the firewall',
      steps: ips,
      answers: ends
        .filter(({ matches }) => matches === 'yes')
        .map((step) => `${step.address} denies the request${unlessOff}`),
      doubts: ips
        .filter(
          (step) =>
            step.matches === 'unknown' ||
            (step.matches === 'yes' && step.effect !== 'deny' && step.effect !== 'log'),
        )
        .map((step) => `${step.address} may ${step.effect} the request`),
    },
    {
      name: 'rules of the firewall',
      steps: rules.steps,
      answers: stops ? [`${decision.step.address} ${ruleAnswer}${unlessOff}`] : [],
      doubts: rules.undecided.map((step) => `${step.address} may decide first: ${step.effect}`),
    },
    otherProtection(view, project, address),
  ];
}

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
    steps: [],
    answers: [],
    doubts: objects.map(({ address }) => `${address} may stop the request`),
  };
}

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
