import { type Address, canonicalJson, revealed, type View, type ViewedObject } from '#kind';
import { hostOf, servedHostKinds } from '../redirects/index-redirects.ts';
import { toExampleRequest } from './example-request.ts';
import type { PartWay, StateJudgement } from './part.ts';

/** What a host does in one state. */
interface HostState {
  /** The domains and aliases with the host. */
  objects: readonly ViewedObject[];
  /** True if the host has no other domain. */
  isKnown: boolean;
}

/** Returns the hosts of a way: which project serves each of them, and where it redirects. */
export function hostWays(way: readonly View[]): PartWay<HostState>[] {
  const byHost = way.map(objectsByHost);
  const hosts = new Set(byHost.flatMap((objects) => [...objects.keys()]));
  return [...hosts].map((host) => {
    const objectsOf = byHost.map((objects) => objects.get(host) ?? []);
    const projects = new Set(objectsOf.flat().flatMap(({ parent }) => parent ?? []));
    const states = way.map(
      (view, i): HostState => ({
        objects: objectsOf[i]!,
        isKnown: [...projects].every(
          (project) => view.at(project) === undefined || view.knows('projectDomain', project) === 'all',
        ),
      }),
    );
    const [project] = projects;
    return {
      type: 'host',
      part: host,
      project: projects.size === 1 ? project : undefined,
      states,
      ids: states.map(({ objects }) => JSON.stringify(objects.map(describeHost))),
      isAbsent: states.map(({ objects }) => objects.length === 0),
    };
  });
}

function objectsByHost(view: View): Map<string, ViewedObject[]> {
  const byHost = new Map<string, ViewedObject[]>();
  for (const object of servedHostKinds.flatMap((kind) => view.ofKind(kind))) {
    const host = hostOf(object);
    if (host !== undefined) byHost.set(host, [...(byHost.get(host) ?? []), object]);
  }
  return byHost;
}

/** Judges a host in a state on the way: a host that moves to another project must not be without one. */
export function judgeHost(
  host: string,
  before: HostState,
  during: HostState,
  after: HostState,
): StateJudgement {
  const states = [before, during, after];
  const rules = [...new Set(states.flatMap(({ objects }) => objects.map(({ address }) => address)))];
  if (states.some(({ objects, isKnown }) => objects.length > 1 || (objects.length === 0 && !isKnown)))
    return { type: 'undecided', why: `it is not known which project serves ${host}`, rules };
  const url = new URL(`https://${host.replace(/^\*/, 'any')}/`);
  const request = toExampleRequest({ method: 'GET', url, headers: new Map() });
  const [textBefore, textDuring, textAfter] = states.map(({ objects }) => formatHost(objects[0])) as [
    string,
    string,
    string,
  ];
  return { type: 'third', request, before: textBefore, during: textDuring, after: textAfter, rules };
}

/** The fields by which visitors notice a change of an object, for kinds that also have others. */
const noticedFields: Record<string, readonly string[]> = {
  projectDomain: ['redirect', 'redirectStatusCode', 'gitBranch', 'customEnvironmentId'],
};

/** Returns what an object says about its host, without what visitors cannot notice. */
function describeHost({ kind, parent, fields }: ViewedObject): unknown {
  const names = noticedFields[kind] ?? Object.keys(fields).sort();
  const noticed = names.map((name) => fields[name] ?? null);
  return [kind, parent, names, canonicalJson(revealed(noticed))];
}

function formatHost(object: ViewedObject | undefined): string {
  if (!object) return 'no project serves it';
  const { redirect, redirectStatusCode, gitBranch } = object.fields;
  const status = typeof redirectStatusCode === 'number' ? ` (${redirectStatusCode})` : '';
  if (typeof redirect === 'string') return `redirect to ${redirect}${status} by ${object.address}`;
  const branch = typeof gitBranch === 'string' ? `, branch ${gitBranch}` : '';
  return `served by ${projectOf(object)}${branch}`;
}

const projectOf = ({ parent, address }: ViewedObject): Address => parent ?? address;
