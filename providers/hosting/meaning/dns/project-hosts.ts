/**
 * Finds domains of projects that DNS does not lead to the platform.
 *
 *   | the name of the domain                                            | finding                                        |
 *   | ----------------------------------------------------------------- | ---------------------------------------------- |
 *   | leads to the platform, or it is unknown where it leads            | none                                           |
 *   | has other records, so that a wildcard which leads there is hidden | `dns/wildcard-hidden`                          |
 *   | leads to addresses that are not known to be the platform's        | `domain/record-missing`, a note: a proxy there |
 *   |                                                                   | may pass requests on                           |
 *   | has no address in a configuration                                 | `domain/record-missing`, a note: the account   |
 *   |                                                                   | may have a record                              |
 *   | has no address in an account, also none by the platform's own     | `domain/record-missing`, a warning; a note if  |
 *   | records                                                           | the platform was not asked                     |
 *   | has no address, and the platform says that it does not work       | `domain/record-missing`, a warning             |
 *
 * The platform itself says whether the DNS of a domain leads to it (fact PF37): then nothing is found. If it says so of a domain for which
 * its zone has nothing, the zone is not the one that the world asks, so it tells nothing about its other domains either.
 */
import { addTo, type Check, type Finding, type ViewedObject } from '#kind';
import { type Dns, dnsOf, type Route, routeOf } from './routes.ts';
import { cutAbove, findName, ownerOf, withNamesAbove, type Zone, zoneAround } from './zones.ts';

/** A domain of a project whose name is in a zone of the view. */
interface ZonedHost {
  host: string;
  object: ViewedObject;
  zone: Zone;
}

/** A wildcard that leads to the platform, and the record set that hides it from hosts. */
interface HiddenWildcard {
  wildcard: string;
  hider: ViewedObject;
}

export const projectHosts: Check = {
  codes: ['dns/wildcard-hidden', 'domain/record-missing'],
  *find(view) {
    const dns = dnsOf(view);
    const hidden = new Map<string, (ZonedHost & HiddenWildcard)[]>();
    const contradicted = contradictedZones(dnsOf(view.before ?? view));
    for (const zoned of zonedHosts(dns)) {
      if (contradicted.has(zoned.zone.name)) continue;
      const route = routeOf(dns, zoned.host);
      const wildcard = hiddenWildcard(dns, zoned, route);
      if (wildcard)
        addTo(hidden, `${wildcard.hider.address} ${wildcard.wildcard}`, { ...zoned, ...wildcard });
      else yield* missingRecord(dns, zoned, route);
    }
    for (const hosts of hidden.values()) yield describeHidden(hosts);
  },
};

/** Returns the domains of projects for which a zone of the view answers. */
function zonedHosts({ hosts, zones }: Dns): ZonedHost[] {
  return [...hosts.ofProjects].flatMap(([host, object]) => {
    const zone = zoneAround(zones, host);
    if (!zone || zone.knowledge === 'nothing' || cutAbove(zone, host) !== undefined) return [];
    return [{ host, object, zone }];
  });
}

/** Returns the zones that lack a record for a domain which works, as the platform says. */
const contradictedZones = (dns: Dns): Set<string> =>
  new Set(
    zonedHosts(dns).flatMap(({ host, object, zone }) =>
      object.facts?.misconfigured === false && hasNoAddress(routeOf(dns, host)) ? zone.name : [],
    ),
  );

/**
 * Returns the wildcard that would lead a host to the platform if no record hid it; undefined if there is none, or if the host has an
 * address.
 */
function hiddenWildcard(dns: Dns, { host, zone }: ZonedHost, route: Route): HiddenWildcard | undefined {
  if (host.startsWith('*.') || !isWithoutAddress(dns, host, route)) return undefined;
  for (const name of withNamesAbove(host)) {
    if (name === zone.name) return undefined;
    const hider = zone.names.get(name);
    const wildcard = nearestWildcard(zone, name);
    if (hider && wildcard) return routeOf(dns, wildcard).end === 'platform' ? { wildcard, hider } : undefined;
  }
  return undefined;
}

/** True if a host has no address, and no wildcard answers for it. */
function isWithoutAddress({ zones }: Dns, host: string, { end, at }: Route): boolean {
  if (at !== host || !hasNoAddress({ end, at })) return false;
  const nameState = findName(zones, host);
  return nameState.state !== 'records' || nameState.wildcard === undefined;
}

/** Returns the nearest wildcard above a name that has records. */
function nearestWildcard(zone: Zone, name: string): string | undefined {
  const above = withNamesAbove(name).slice(1);
  return above.map((ancestor) => `*.${ancestor}`).find((wildcard) => zone.sets.has(wildcard));
}

function describeHidden(hosts: (ZonedHost & HiddenWildcard)[]): Finding {
  const [{ host, zone, wildcard, hider }] = hosts as [(typeof hosts)[number]];
  const wildcardSet = [...zone.sets.get(wildcard)!.values()][0]!;
  const more = hosts.length > 1 ? ` (and ${hosts.length - 1} more)` : '';
  const hidingSet = `the ${hider.fields.type} record of ${ownerOf(hider, zone.name)} hides`;
  const reliance = zone.isWhole
    ? ` and relies on the record of ${wildcard}, but ${hidingSet} it`
    : `, and of the declared records only that of ${wildcard} leads it to the platform, but ${hidingSet} that one`;
  return {
    code: 'dns/wildcard-hidden',
    severity: 'warning',
    message: `${host}${more} is a domain of a project${reliance}: a wildcard does not answer for names that exist`,
    hint: `add an ALIAS record for ${host} that leads to the platform`,
    address: hider.address,
    path: 'records',
    subject: wildcard,
    related: [
      { message: 'the hidden wildcard', address: wildcardSet.address },
      ...hosts.map((other) => ({ message: 'relies on it', address: other.object.address })),
    ],
  };
}

/** Yields the finding about a domain that no record of its zone leads to the platform, as far as the view tells. */
function* missingRecord(dns: Dns, zonedHost: ZonedHost, route: Route): Generator<Finding> {
  const { host, object, zone } = zonedHost;
  const answer = answerAbout(dns, zonedHost, route);
  if (answer === 'works') return;
  const isWithout = hasNoAddress(route);
  const message = isWithout ? withoutRecord(host, zone, answer) : elsewhere(host, route);
  if (message === undefined) return;
  const isCertain = answer === 'misconfigured' || (answer === 'none' && zone.knowledge === 'all');
  yield {
    code: 'domain/record-missing',
    severity: isWithout && isCertain ? 'warning' : 'note',
    message,
    hint:
      isWithout && zone.knowledge === 'declared'
        ? '`trueup plan` tells whether the account has a record; if not, add a CNAME, or an ALIAS at the apex and beside other records'
        : `point ${host} to the platform: with a CNAME record, or at the apex and beside other records with an ALIAS`,
    address: object.address,
    related: [{ message: 'its zone', address: zone.domain.address }],
  };
}

/**
 * What the platform says about the DNS of a domain. `unread`: it was not asked, or did not answer. `none`: it cannot know, because the
 * domain is new, or because the plan changes where its name leads.
 */
type PlatformAnswer = 'works' | 'misconfigured' | 'unread' | 'none';

function answerAbout({ view }: Dns, { host, object: { facts } }: ZonedHost, route: Route): PlatformAnswer {
  if (!facts) return 'none';
  const before = routeOf(dnsOf(view.before ?? view), host);
  if (before.end !== route.end || before.at !== route.at) return 'none';
  const { misconfigured } = facts;
  return misconfigured === false ? 'works' : misconfigured === true ? 'misconfigured' : 'unread';
}

const hasNoAddress = ({ end }: Route): boolean => end === 'empty' || end === 'missing';

/** Returns what to say about a host with an address; undefined unless its addresses are known, and none is known to be the platform's. */
const elsewhere = (host: string, { end, at }: Route): string | undefined =>
  end === 'addresses'
    ? `${host} leads to ${at === host ? 'addresses' : at} outside the platform, as far as we know: unless a proxy there passes requests on, the project does not serve it`
    : undefined;

/** Returns what to say about a host without an address; undefined if the platform's own records can answer for it. */
function withoutRecord(host: string, zone: Zone, answer: PlatformAnswer): string | undefined {
  const start = `no record leads ${host} to the platform`;
  if (answer === 'misconfigured')
    return `${start}, and the platform says that its DNS does not point there: the project does not serve it`;
  if (zone.knowledge === 'all')
    return zone.platformAnswers === 'no'
      ? `${start}, and the platform has no record of its own in the zone: ${answer === 'unread' ? 'as far as the zone tells, ' : ''}the project does not serve it`
      : undefined;
  return zone.sets.size > 0
    ? `no declared record leads ${host} to the platform: the project serves it only if the account has one, or by the platform's own records`
    : undefined;
}
