/*
 * Judges what visitors meet while an apply changes an account request by request, for rehearsals. The parts of the platform are judged one by one, each
 * in every state of the way. The terms are in `src/model/way.ts`.
 */
import type { Address, View, WayJudgement } from '#kind';
import { hostOf, servedHostKinds } from '../redirects/index-redirects.ts';
import { readFirewallList } from './firewall-list.ts';
import { firewallIdOf, judgeFirewall } from './judge-firewall.ts';
import { isChanged, judgePart, type PartJudgement } from './part.ts';

/** Returns the judgement of a way, whose first view is the account before an apply, and each other one the account after a request. */
export function judgeWay(way: readonly View[]): WayJudgement {
  const judgements = projectsOf(way, ['firewallRule', 'firewallIp', 'firewall']).flatMap((project) => [
    judgeFirewallWay(way, project),
  ]);
  const changed = judgements.filter((judgement) => judgement !== undefined);
  return {
    partCount: changed.length,
    stateCount: changed.reduce((sum, { stateCount }) => sum + stateCount, 0),
    thirds: changed.flatMap(({ thirds }) => thirds),
    undecided: changed.flatMap(({ undecided }) => undecided),
    mixed: [],
    unanswered: [],
  };
}

/** Returns the projects with objects of some kinds in any state of the way. */
const projectsOf = (way: readonly View[], kinds: readonly string[]): Address[] => [
  ...new Set(
    way.flatMap((view) =>
      kinds.flatMap((kind) =>
        view.ofKind(kind).flatMap(({ parent }) => parent?.replace(/\/firewall$/, '') ?? []),
      ),
    ),
  ),
];

function judgeFirewallWay(way: readonly View[], project: Address): PartJudgement | undefined {
  const states = way.map((view) => readFirewallList(view, project));
  const firewall = {
    type: 'firewall' as const,
    part: `${project}/firewall`,
    project,
    states,
    ids: states.map(firewallIdOf),
  };
  if (!isChanged(firewall)) return undefined;
  const hosts = [...new Set(way.flatMap((view) => hostsOf(view, project)))];
  return judgePart(firewall, (before, during, after) => judgeFirewall({ before, during, after }, hosts));
}

const hostsOf = (view: View, project: Address): string[] =>
  servedHostKinds.flatMap((kind) => view.under(project, kind).flatMap((object) => hostOf(object) ?? []));
