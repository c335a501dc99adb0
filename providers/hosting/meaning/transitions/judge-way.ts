/*
 * Judges what visitors meet while an apply changes an account request by request, for rehearsals. The parts of the platform are judged one
 * by one, each in every state of the way. The terms are in `src/model/way.ts`.
 */
import { type Address, canonicalJson, revealed, type View, type WayJudgement } from '#kind';
import { hostOf, servedHostKinds } from '../redirects/index-redirects.ts';
import { findMixed } from './find-mixed.ts';
import { findUnanswered } from './find-unanswered.ts';
import { type FirewallList, readFirewallList } from './firewall-list.ts';
import { bulkWay, judgeBulkRedirects } from './judge-bulk-redirects.ts';
import { firewallIdOf, judgeFirewall } from './judge-firewall.ts';
import { hostWays, judgeHost } from './judge-hosts.ts';
import { judgeRoutes, routeWay } from './judge-routes.ts';
import { judgePart, type PartJudgement, type PartWay } from './part.ts';

/** Returns the judgement of a way, whose first view is the account before an apply, and each other one the account after a request. */
export function judgeWay(way: readonly View[]): WayJudgement {
  const hosts = hostWays(way);
  const projects = projectsOf(way).map((project) => {
    const firewall = firewallWay(way, project);
    const bulk = bulkWay(way, project);
    const routes = routeWay(way, project);
    return { project, firewall, bulk, routes, hosts: hosts.filter((host) => host.project === project) };
  });
  const judged = [
    ...projects.flatMap(({ project, firewall, bulk, routes }) => {
      const hostNames = hostsOf(way, project);
      const where = { project, host: hostNames.find((host) => !host.startsWith('*')) };
      return [
        judgePart(firewall, (before, during, after) => judgeFirewall({ before, during, after }, hostNames)),
        judgePart(bulk, (before, during, after) => judgeBulkRedirects(where, { before, during, after })),
        judgePart(routes, (before, during, after) => judgeRoutes(where, { before, during, after })),
      ];
    }),
    ...hosts.map((host) =>
      judgePart(host, (before, during, after) => judgeHost(host.part, before, during, after)),
    ),
    ...protectionWays(way).map((protection) =>
      judgePart(protection, () => ({
        type: 'undecided',
        why: 'what it does to single requests is not known',
        rules: [protection.part],
      })),
    ),
  ];
  const changed = judged.filter((judgement): judgement is PartJudgement => judgement !== undefined);
  return {
    partCount: changed.length,
    stateCount: changed.reduce((sum, { stateCount }) => sum + stateCount, 0),
    thirds: changed.flatMap(({ thirds }) => thirds),
    undecided: changed.flatMap(({ undecided }) => undecided),
    mixed: projects
      // A project that the apply creates has no deployment yet, so nothing answers for it.
      .filter(({ project }) => way[0]?.at(project) !== undefined)
      .flatMap((parts) => findMixed(parts) ?? []),
    unanswered: findUnanswered(way),
  };
}

/** The kinds of parts that are not evaluated request by request. */
const protectionKinds = ['attackMode', 'coreRuleset', 'firewallBypass', 'managedRuleset'];

/** Returns the projects with a part of their own in any state of the way. */
function projectsOf(way: readonly View[]): Address[] {
  const parents = way.flatMap((view) =>
    ['bulkRedirects', 'firewall', 'projectRoute', ...servedHostKinds].flatMap((kind) =>
      view.ofKind(kind).flatMap(({ parent }) => parent ?? []),
    ),
  );
  return [...new Set(parents)];
}

function firewallWay(way: readonly View[], project: Address): PartWay<FirewallList> {
  const states = way.map((view) => readFirewallList(view, project));
  return { type: 'firewall', part: `${project}/firewall`, project, states, ids: states.map(firewallIdOf) };
}

function hostsOf(way: readonly View[], project: Address): string[] {
  const objects = way.flatMap((view) => servedHostKinds.flatMap((kind) => view.under(project, kind)));
  return [...new Set(objects.flatMap((object) => hostOf(object) ?? []))];
}

/** Returns each object of a kind that protects a project as a part of its own. */
function protectionWays(way: readonly View[]): PartWay<undefined>[] {
  const objects = way.flatMap((view) => protectionKinds.flatMap((kind) => view.ofKind(kind)));
  return [...new Set(objects.map(({ address }) => address))].map((address) => {
    const ids = way.map((view) => canonicalJson(revealed(view.at(address)?.fields ?? null)));
    return { type: 'protection', part: address, project: undefined, states: way.map(() => undefined), ids };
  });
}
