/**
 * Finds records that point to a name of a zone that has nothing for them.
 *
 * The platform's own `*` can answer for a missing target. It leads to the platform's web servers:
 *
 *   | record      | needs at its target   | the answer of the platform's `*`                       |
 *   | ----------- | --------------------- | ------------------------------------------------------ |
 *   | MX, NS, SRV | an address            | of no use, except for an SRV record of a web service   |
 *   | ALIAS       | an address            | works if a project serves the host of the record       |
 *   | CNAME       | a record of any type  | works if a project serves the host of the record       |
 */
import { addTo, type Check, type Finding, type ViewedObject } from '#kind';
import { isServed } from './hosts.ts';
import { isPlatformHost } from './platform-targets.ts';
import { type Dns, dnsOf } from './routes.ts';
import { canJudgeHosts, severityInZone } from './takeover.ts';
import {
  absoluteName,
  addressTypes,
  cutAbove,
  findName,
  isBelow,
  membersOf,
  type SetsByType,
  textOrUndefined,
  type Zone,
} from './zones.ts';

/** A record that points to a host. */
interface Pointer {
  owner: string;
  type: string;
  set: ViewedObject;
  zone: Zone;
  target: string;
  /** Of an SRV record. */
  port?: unknown;
}

/** Why a target is of no use to a record. */
type Lack = 'record' | 'address';

interface DanglingPointer {
  pointer: Pointer;
  lack: Lack;
  /** The zone of the target. */
  zone: Zone;
}

export const dangling: Check = {
  codes: ['dns/dangling'],
  *find(view) {
    const dns = dnsOf(view);
    const pointers = pointersIn(dns);
    const cnamesTo = new Map<string, string[]>();
    for (const { owner, type, target } of pointers)
      if (type === 'CNAME' || type === 'ALIAS') addTo(cnamesTo, target, owner);
    const byTarget = new Map<string, DanglingPointer[]>();
    for (const pointer of pointers) {
      const danglingPointer = lackOf(dns, pointer, cnamesTo);
      if (danglingPointer) addTo(byTarget, pointer.target, danglingPointer);
    }
    for (const lacks of byTarget.values()) yield describe(dns, lacks);
  },
};

/** Returns the records that point to a host, of names for which the platform answers. */
function pointersIn({ zones }: Dns): Pointer[] {
  return [...zones.values()].flatMap((zone) =>
    [...zone.sets].flatMap(([owner, sets]) => {
      const cut = cutAbove(zone, owner);
      if (cut !== undefined && cut !== owner) return [];
      return [...sets].flatMap(([type, set]) =>
        cut === undefined || type === 'NS' ? pointersOf(owner, type, set, zone) : [],
      );
    }),
  );
}

function pointersOf(owner: string, type: string, set: ViewedObject, zone: Zone): Pointer[] {
  if (!['ALIAS', 'CNAME', 'MX', 'NS', 'SRV'].includes(type)) return [];
  return membersOf(set).flatMap(({ value, srv }): Pointer[] => {
    const data = typeof srv === 'object' && srv !== null && 'target' in srv ? srv : undefined;
    const written = textOrUndefined(type === 'SRV' ? data?.target : value);
    const target = absoluteName(written ?? '');
    return target === '' || isPlatformHost(target)
      ? []
      : [{ owner, type, set, zone, target, port: data?.port }];
  });
}

/** Returns what a record lacks at its target; undefined if it lacks nothing, or if that is unknown. */
function lackOf(
  dns: Dns,
  pointer: Pointer,
  cnamesTo: ReadonlyMap<string, string[]>,
): DanglingPointer | undefined {
  const { type, target, owner, zone } = pointer;
  // The addresses of nameservers below a delegation have to be in the zone above it (RFC 1034, section 4.2.1).
  if (type === 'NS' && (target === owner || isBelow(target, owner)))
    return isJudged(dns, zone) && !hasAddress(zone.sets.get(target))
      ? { pointer, zone, lack: 'address' }
      : undefined;
  const nameState = findName(dns.zones, target);
  if (nameState.state === 'unknown' || !isJudged(dns, nameState.zone)) return undefined;
  // The platform has an alias of its own at the apex.
  if (target === nameState.zone.name && nameState.zone.platformAnswers !== 'no') return undefined;
  if (nameState.state === 'records' && (type === 'CNAME' || hasAddress(nameState.sets))) return undefined;
  if (isAnsweredByPlatform(dns, pointer, nameState.zone, cnamesTo)) return undefined;
  return { pointer, zone: nameState.zone, lack: nameState.state === 'records' ? 'address' : 'record' };
}

/** True unless the answer of the platform's own wildcard is of no use to a record for sure. */
function isAnsweredByPlatform(
  dns: Dns,
  { owner, type, target, port }: Pointer,
  zone: Zone,
  cnamesTo: ReadonlyMap<string, string[]>,
): boolean {
  if (type === 'MX' || type === 'NS') return false;
  // The target of such a record has a value only while a certificate is issued.
  if (owner.startsWith('_acme-challenge')) return true;
  if (zone.platformAnswers === 'no') return false;
  if (type === 'SRV')
    return (
      !(typeof port === 'number' && port !== 80 && port !== 443) &&
      !(canJudgeHosts(dns, zone) && isServed(dns.hosts, target) === 'no')
    );
  return (
    !canJudgeHosts(dns, zone) ||
    reachedFrom(owner, cnamesTo).some((host) => isServed(dns.hosts, host) !== 'no')
  );
}

/** Returns a name and all names whose CNAME or ALIAS records lead to it. */
function reachedFrom(name: string, cnamesTo: ReadonlyMap<string, string[]>): string[] {
  const reached = new Set([name]);
  for (const current of reached) for (const source of cnamesTo.get(current) ?? []) reached.add(source);
  return [...reached];
}

/** True if a missing name counts: a plan has read the whole zone, or a configuration owns the zone and projects. */
const isJudged = (dns: Dns, zone: Zone): boolean =>
  zone.knowledge === 'all' || (zone.knowledge === 'declared' && canJudgeHosts(dns, zone));

const hasAddress = (sets: SetsByType | undefined): boolean =>
  sets !== undefined && addressTypes.some((type) => sets.has(type));

function describe(dns: Dns, lacks: DanglingPointer[]): Finding {
  const [{ pointer, lack, zone }, ...others] = lacks as [DanglingPointer, ...DanglingPointer[]];
  const { owner, type, set, target } = pointer;
  const otherSets = new Set(others.map((other) => other.pointer.set.address));
  otherSets.delete(set.address);
  return {
    code: 'dns/dangling',
    severity: zone.isWhole ? 'warning' : severityInZone(dns, zone),
    message: `the ${type} record of ${owner} points to ${target}, which has no ${zone.isWhole ? '' : 'declared '}${lack} in its zone: ${zone.isWhole ? '' : 'unless the account has one, '}${consequences[type] ?? 'the name leads nowhere'}`,
    hint: `add the record that ${target} needs, or correct the target`,
    address: set.address,
    path: 'records',
    subject: target,
    related: [...otherSets].map((address) => ({ message: 'points there as well', address })),
  };
}

const consequences: Record<string, string> = {
  MX: 'mail is not delivered there',
  NS: 'the names below cannot be found there',
  SRV: 'the service cannot be found there',
};
