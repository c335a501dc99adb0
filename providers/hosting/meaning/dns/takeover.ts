import type { Check, Finding, FindingSeverity, ViewedObject } from '#kind';
import { isServed, knowsAsMuch } from './hosts.ts';
import { type Dns, dnsOf, routeOf, stepFrom } from './routes.ts';
import { cutAbove, findName, type SetsByType, type Zone } from './zones.ts';

/**
 * Finds names that point to the platform although no project serves them. Wildcards are left out: the platform's own `*` points there
 * anyway, in every zone.
 */
export const takeover: Check = {
  codes: ['dns/takeover'],
  *find(view) {
    const dns = dnsOf(view);
    for (const zone of dns.zones.values())
      if (canJudgeHosts(dns, zone))
        for (const { name, set } of unservedNames(dns, zone)) yield describe(dns, zone, name, set);
  },
};

/**
 * Yields the names of a zone that lead to the platform, and that no project of the view serves, each with the record set that leads there.
 */
export function* unservedNames(dns: Dns, zone: Zone): Generator<{ name: string; set: ViewedObject }> {
  for (const [name, sets] of zone.sets) {
    const set = addressSetOf(sets);
    if (!set || name.startsWith('*.') || cutAbove(zone, name) !== undefined) continue;
    if (routeOf(dns, name).end === 'platform' && isServed(dns.hosts, name) === 'no') yield { name, set };
  }
}

/**
 * True if a host that is not among the domains of projects is served by no project. A view of a configuration has to own the zone and
 * projects; a view of an account has to have read all of both.
 */
export const canJudgeHosts = ({ hosts }: Dns, { knowledge }: Zone): boolean =>
  knowledge !== 'nothing' && knowsAsMuch(hosts.knowledge, knowledge);

/**
 * Returns how bad it is that no project of the view serves a host of a zone. If no declared project has a domain in the zone, undeclared
 * projects are likely there: the zone may be parked, or belong to projects that other configurations or people run.
 */
export const severityInZone = ({ hosts }: Dns, { name, knowledge }: Zone): FindingSeverity =>
  knowledge === 'all' || hosts.above.has(name) ? 'warning' : 'note';

/** Returns the record set of a name (its records of one type) that leads visitors to an address; undefined if it has none. */
const addressSetOf = (sets: SetsByType): ViewedObject | undefined =>
  sets.get('CNAME') ?? sets.get('A') ?? sets.get('ALIAS');

/**
 * Returns the second record set on the way from a name to the platform, which the finding mentions: for `a CNAME b`, `b CNAME platform`,
 * that of `b`. Undefined if the first one leads to the platform itself.
 */
function secondSetOnWay(dns: Dns, name: string): ViewedObject | undefined {
  const step = stepFrom(dns, name);
  const next = 'to' in step ? findName(dns.zones, step.to) : undefined;
  return next?.state === 'records' ? addressSetOf(next.sets) : undefined;
}

function describe(dns: Dns, zone: Zone, name: string, set: ViewedObject): Finding {
  const next = secondSetOnWay(dns, name);
  const doubt =
    zone.knowledge === 'declared'
      ? 'no declared project has it as a domain: unless an undeclared project has it,'
      : 'no project has it as a domain:';
  return {
    code: 'dns/takeover',
    severity: severityInZone(dns, zone),
    message: `${name} points to the platform, but ${doubt} visitors get an error page, and a project of another account may claim the name`,
    hint: `add ${name} to the \`domains\` of the project that should answer, or remove the record if the name is not used`,
    address: set.address,
    path: 'records',
    related: next && [{ message: 'the record by which it gets there', address: next.address }],
  };
}
