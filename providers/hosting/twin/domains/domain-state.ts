import type { Call, Making } from '../call.ts';
import { notFound } from '../errors.ts';
import { shownOf } from '../outside.ts';
import { lower } from '../validate.ts';
import type { DnsRecord } from './dns-record-body.ts';

export type ServiceType = 'external' | 'na' | 'zeit.world';

/** A domain of an owner with its zone. */
export interface Domain {
  id: string;
  name: string;
  ownerId: string;
  zone: boolean;
  cdnEnabled: boolean;
  renew: boolean;
  echMode: 'auto' | 'disabled';
  customNameservers: string[];
  /**
   * Whose nameservers answer, and which ones, for domains of seeds whose DNS is elsewhere. By default they are the platform's if there is a
   * zone.
   */
  serviceType?: ServiceType;
  nameservers?: string[];
  verified: boolean;
  boughtAt: number | null;
  transferredAt: number | null;
  expiresAt: number | null;
  createdAt: number;
  records: DnsRecord[];
  /** Members that clients wrote although the public schema does not know them, by name. */
  outside?: Record<string, unknown>;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'domains', Domain> {}
}

const platformNameservers = ['ns1.vercel-dns.com', 'ns2.vercel-dns.com'];

/** Returns the owner's domain of that name, or throws 404. */
export function findDomain(call: Call): Domain {
  const name = call.params.domain!;
  const wanted = lower(name);
  const domain = call.account.domains.find(
    (domain) => domain.name === wanted && domain.ownerId === call.owner.id,
  );
  if (domain === undefined) throw notFound(`The domain ${name}`);
  return domain;
}

/** Adds a domain of an owner to the account, without records. Used for seeds, which list all records of a zone, and for new domains. */
export function addDomain(making: Making, name: string): Domain {
  const domain: Domain = {
    id: making.id('', 24),
    name,
    ownerId: making.owner.id,
    zone: true,
    cdnEnabled: false,
    renew: false,
    echMode: 'disabled',
    customNameservers: [],
    verified: true,
    boughtAt: null,
    transferredAt: null,
    expiresAt: null,
    createdAt: making.time(),
    records: [],
  };
  making.account.domains.push(domain);
  making.taken?.addDomain(domain);
  return domain;
}

/** The records that the platform puts into a new zone (dnscontrol). */
const systemRecords: Pick<DnsRecord, 'type' | 'name' | 'value'>[] = [
  { type: 'CAA', name: '', value: '0 issue "letsencrypt.org"' },
  { type: 'CNAME', name: '*', value: 'cname.vercel-dns.com.' },
];

/**
 * Adds the platform's own records to a new domain, unless they are switched off. Their ids and times are made from the domain's, so that
 * the switch changes nothing else in the account.
 */
export function addSystemRecords(making: Making, { id, createdAt, records }: Domain): void {
  if (!making.switches.systemRecords) return;
  const about = { ttl: 60, comment: '', creator: 'system', createdAt, updatedAt: createdAt };
  records.push(
    ...systemRecords.map((record, index) => ({ id: `rec_${index}${id.slice(1)}`, ...record, ...about })),
  );
}

const readable = [
  'id',
  'name',
  'renew',
  'echMode',
  'customNameservers',
  'verified',
  'boughtAt',
  'transferredAt',
  'expiresAt',
  'createdAt',
] as const;

/** Returns whose nameservers answer for a domain. */
export const serviceTypeOf = ({ serviceType, zone }: Domain): ServiceType =>
  serviceType ?? (zone ? 'zeit.world' : 'external');

/** Returns a domain as answers show it. */
export function readDomain(call: Call, domain: Domain): Record<string, unknown> {
  const { zone, cdnEnabled, ownerId, customNameservers } = domain;
  const { id, username, email } = call.account.user;
  return {
    ...shownOf(domain, readable),
    ...(call.switches.domainZoneReadable && { zone, cdnEnabled }),
    serviceType: serviceTypeOf(domain),
    nameservers:
      domain.nameservers ??
      (customNameservers.length > 0 ? customNameservers : zone ? platformNameservers : []),
    intendedNameservers: platformNameservers,
    creator: { id, username, email, customerId: null, isDomainReseller: false },
    userId: id,
    teamId: ownerId === id ? null : ownerId,
    suffix: false,
  };
}
