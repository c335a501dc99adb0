/**
 * Where the visitors of a name end up: CNAME and ALIAS records are followed through the zones of a view.
 */
import { memoize, type View, type ViewedObject } from '#kind';
import { type Hosts, hostsOf } from './hosts.ts';
import { isPlatformAddress, isPlatformHost } from './platform-targets.ts';
import { absoluteName, findName, type SetsByType, textsIn, type Zone, zonesOf } from './zones.ts';

/**
 * The end of a route. `addresses`: none of them is known to be the platform's. `empty` and `missing`: the last name has no address, as in
 * `zones.ts`. `unknown`: the route leaves the zones of the view, or its next step is not known.
 */
export type RouteEnd = 'platform' | 'addresses' | 'empty' | 'missing' | 'loop' | 'unknown';

export interface Route {
  end: RouteEnd;
  /** The last name. */
  at: string;
}

/** The next step from a name: another name, by a record set, or the end. */
export type RouteStep = { to: string; set: ViewedObject; wildcard?: string } | { end: RouteEnd };

/** All that checks of DNS ask of a view. */
export interface Dns {
  view: View;
  zones: ReadonlyMap<string, Zone>;
  hosts: Hosts;
  routes: Map<string, Route>;
}

/** Returns what a view says about DNS. Computed once, because all checks of DNS need it. */
export const dnsOf = memoize(
  (view: View): Dns => ({ view, zones: zonesOf(view), hosts: hostsOf(view), routes: new Map() }),
);

/** Returns the route of a name. Each name is followed once. */
export function routeOf(dns: Dns, name: string): Route {
  const passed = new Set<string>();
  let current = name;
  let route: Route | undefined;
  while (route === undefined) {
    if (passed.has(current)) route = { end: 'loop', at: current };
    else route = dns.routes.get(current);
    if (route) break;
    passed.add(current);
    const step = stepFrom(dns, current);
    if ('to' in step) current = step.to;
    else route = { end: step.end, at: current };
  }
  for (const passedName of passed) dns.routes.set(passedName, route);
  return route;
}

/** Returns the next step from a name on the way to an address. */
export function stepFrom({ zones }: Dns, name: string): RouteStep {
  if (isPlatformHost(name)) return { end: 'platform' };
  const nameState = findName(zones, name);
  if (nameState.state !== 'records') return { end: nameState.state };
  const { sets, zone, wildcard } = nameState;
  const cname = sets.get('CNAME');
  if (cname) return stepBy(cname, wildcard);
  const end = endIn(sets);
  if (end) return { end };
  const alias = sets.get('ALIAS');
  if (alias) return stepBy(alias, wildcard);
  // Clients that know HTTPS records can take another host from one.
  return { end: zone.knowledge === 'nothing' || sets.has('HTTPS') ? 'unknown' : 'empty' };
}

/** Returns where the address records of a name end; undefined if there are none. */
function endIn(sets: SetsByType): RouteEnd | undefined {
  const addresses = textsIn(sets.get('A'));
  if (addresses.some((address) => address !== undefined && isPlatformAddress(address))) return 'platform';
  if (addresses.includes(undefined) || (sets.has('ALIAS') && (addresses.length > 0 || sets.has('AAAA'))))
    return 'unknown';
  return addresses.length > 0 || sets.has('AAAA') ? 'addresses' : undefined;
}

function stepBy(set: ViewedObject, wildcard: string | undefined): RouteStep {
  const [target, ...others] = textsIn(set);
  return target === undefined || others.length > 0
    ? { end: 'unknown' }
    : { to: absoluteName(target), set, wildcard };
}
