import { type Address, addTo, type Check, type Finding, type View } from '#kind';
import { isServed } from '../dns/hosts.ts';
import { type Dns, dnsOf, routeOf } from '../dns/routes.ts';
import { canJudgeHosts, severityInZone } from '../dns/takeover.ts';
import { absoluteName, cutAbove, type Zone, zoneAround } from '../dns/zones.ts';
import { destinationField, mostRelated } from './describe-redirects.ts';
import { readDestination } from './destination.ts';
import { indexRedirects, servedHostKinds } from './index-redirects.ts';

/**
 * Finds redirects to hosts in a zone of the account that no project serves. Judged only if the view has zone and projects, as for records
 * that point to such hosts. A host whose records lead away from the platform is served elsewhere.
 */
export const unservedRedirects: Check = {
  codes: ['redirect/unserved'],
  *find(view) {
    const dns = dnsOf(view);
    if (dns.zones.size === 0) return;
    const byHost = new Map<string, Address[]>();
    for (const { address, host } of redirectsToHosts(view)) addTo(byHost, host, address);
    for (const [host, addresses] of byHost) {
      const zone = zoneAround(dns.zones, host);
      if (zone && isUnserved(dns, zone, host)) yield describeUnserved(dns, zone, host, addresses);
    }
  },
};

/** True if a host of a zone leads to the platform or nowhere, and no project has it. */
function isUnserved(dns: Dns, zone: Zone, host: string): boolean {
  if (!canJudgeHosts(dns, zone) || cutAbove(zone, host) !== undefined) return false;
  if (isServed(dns.hosts, host) !== 'no') return false;
  return ['platform', 'missing', 'empty'].includes(routeOf(dns, host).end);
}

/** Returns all redirects to another host, each with the host. */
export function* redirectsToHosts(view: View): Generator<{ address: Address; host: string }> {
  const index = indexRedirects(view);
  for (const { address, fields } of servedHostKinds.flatMap((kind) => view.ofKind(kind)))
    if (typeof fields.redirect === 'string' && fields.redirect !== '')
      yield { address, host: absoluteName(fields.redirect) };
  for (const project of index.projects) {
    const { bulk, routes } = index.projectAt(project);
    for (const { object, destination = '' } of bulk) {
      const host = hostIn(destination);
      if (host !== undefined) yield { address: object.address, host };
    }
    for (const { object, effect, isEnabled } of routes) {
      const host = effect.type === 'redirect' && isEnabled === 'yes' ? hostIn(effect.destination) : undefined;
      if (host !== undefined) yield { address: object.address, host };
    }
  }
}

/**
 * Returns the host of a destination, also if its path has parameters. Undefined without a host, with another port, or with parameters in
 * the host.
 */
function hostIn(destination: string): string | undefined {
  const [origin] = /^https?:\/\/[^/?#\\]+/i.exec(destination) ?? [];
  const host =
    origin === undefined || /[$*(){}]|:[a-z_]/i.test(origin.slice(6))
      ? undefined
      : readDestination(origin)?.host;
  return host === undefined || host.includes(':') ? undefined : absoluteName(host);
}

function describeUnserved(dns: Dns, zone: Zone, host: string, [address, ...others]: Address[]): Finding {
  const { view } = dns;
  const subject =
    others.length === 0 ? 'this redirect leads' : `this redirect and ${others.length} more lead`;
  // An undeclared record can lead the host elsewhere, such as to a shop.
  const isRecordCertain = zone.isWhole || routeOf(dns, host).end === 'platform';
  return {
    code: 'redirect/unserved',
    severity: isRecordCertain ? severityInZone(dns, zone) : 'note',
    message: `${subject} to ${host}, ${
      zone.knowledge === 'all'
        ? 'which no project serves, so visitors'
        : `which no declared project serves: unless an undeclared project${isRecordCertain ? '' : ' or record'} answers for it, visitors`
    } get an error page`,
    hint: `add ${host} to the \`domains\` of a project, or redirect to a host that answers`,
    address: address!,
    path: destinationField(address!, view),
    related: others.slice(0, mostRelated).map((other) => ({
      message: 'leads there as well',
      address: other,
      path: destinationField(other, view),
    })),
    subject: host,
  };
}
