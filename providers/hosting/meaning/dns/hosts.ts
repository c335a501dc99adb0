/**
 * The hosts that projects serve: their domains, including those that redirect, and aliases of deployments.
 */
import type { Knowledge, Verdict, View, ViewedObject } from '#kind';
import { absoluteName, textOrUndefined, withNamesAbove } from './zones.ts';

/** The hosts of all projects whose domains a plan does not read, and the suffixes of their previews. See `read-hosts.ts`. */
export class OtherHosts {
  readonly names: ReadonlySet<string>;
  readonly suffixes: ReadonlySet<string>;

  constructor(names: Iterable<string>, suffixes: Iterable<string>) {
    this.names = new Set(names);
    this.suffixes = new Set(suffixes);
  }
}

/** The hosts of a view. */
export interface Hosts {
  /** What the view knows about the domains of all projects. */
  knowledge: Knowledge;
  /** The domains of projects. */
  ofProjects: ReadonlyMap<string, ViewedObject>;
  ofAliases: ReadonlyMap<string, ViewedObject>;
  ofOthers: ReadonlySet<string>;
  /** The suffixes of preview deployments: any host below one can be served. */
  suffixes: ReadonlySet<string>;
  /** All names that have a host or a suffix at or below them. */
  above: ReadonlySet<string>;
}

const rank: Record<Knowledge, number> = { nothing: 0, declared: 1, all: 2 };

/** True if a view knows at least as much in one place as in another. */
export const knowsAsMuch = (knowledge: Knowledge, other: Knowledge): boolean =>
  rank[knowledge] >= rank[other];

/** Returns the hosts of a view. */
export function hostsOf(view: View): Hosts {
  const ofProjects = byName(view.ofKind('projectDomain'), 'name');
  const ofAliases = byName(view.ofKind('alias'), 'alias');
  const above = new Set<string>();
  for (const name of [...ofProjects.keys(), ...ofAliases.keys()]) addWithAncestors(above, name);
  const otherHosts = view.more instanceof OtherHosts ? view.more : undefined;
  const besides = typeof view.besides === 'object' ? view.besides : [];
  const ofOthers = new Set([
    ...(otherHosts?.names ?? []),
    ...besides.flatMap((other) => [...byName(other.ofKind('projectDomain'), 'name').keys()]),
  ]);
  for (const name of ofOthers) addWithAncestors(above, name);
  const suffixes = new Set(otherHosts?.suffixes);
  for (const { fields } of [...view.ofKind('project'), ...view.ofKind('team')]) {
    const suffix = textOrUndefined(fields.previewDeploymentSuffix);
    if (suffix === undefined || suffixes.has(absoluteName(suffix))) continue;
    suffixes.add(absoluteName(suffix));
    addWithAncestors(above, absoluteName(suffix));
  }
  return {
    knowledge: otherHosts && view.besides !== 'unread' ? 'all' : knowledgeOf(view),
    ofProjects,
    ofAliases,
    ofOthers,
    suffixes,
    above,
  };
}

/** Returns objects by the host in one of their fields. */
const byName = (objects: readonly ViewedObject[], field: string): Map<string, ViewedObject> =>
  new Map(
    objects.flatMap((object): [string, ViewedObject][] => {
      const host = textOrUndefined(object.fields[field]);
      return host === undefined ? [] : [[absoluteName(host), object]];
    }),
  );

function addWithAncestors(names: Set<string>, name: string): void {
  for (const ancestor of withNamesAbove(name)) {
    if (names.has(ancestor)) return;
    names.add(ancestor);
  }
}

/** Returns what a view knows about the domains of all projects: no more than about the projects, and about the domains of each. */
function knowledgeOf(view: View): Knowledge {
  if (view.besides === 'unread') return 'nothing';
  let least = view.knows('project');
  for (const { address } of view.ofKind('project')) {
    const ofProject = view.knows('projectDomain', address);
    if (!knowsAsMuch(ofProject, least)) least = ofProject;
  }
  return least;
}

/**
 * Returns whether a project serves a host, as far as the view has projects: check `knowledge` before a `no` counts. Unknown below the
 * suffix of preview deployments, and more than one label below a wildcard domain, since no source says how deep that reaches.
 */
export function isServed(hosts: Hosts, host: string): Verdict {
  const { ofProjects, ofAliases, ofOthers, suffixes, above } = hosts;
  if (ofProjects.has(host) || ofAliases.has(host) || ofOthers.has(host)) return 'yes';
  if (host.startsWith('*.') && above.has(host.slice(2))) return 'unknown';
  let isDirect = true;
  let isBelowSuffix = suffixes.has(host);
  for (const ancestor of withNamesAbove(host).slice(1)) {
    if (ofProjects.has(`*.${ancestor}`) || ofOthers.has(`*.${ancestor}`))
      return isDirect && !host.startsWith('*.') ? 'yes' : 'unknown';
    isBelowSuffix ||= suffixes.has(ancestor);
    isDirect = false;
  }
  return isBelowSuffix ? 'unknown' : 'no';
}
