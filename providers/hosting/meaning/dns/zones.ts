/**
 * The zones of a view, and what a name has in them (RFC 1034, section 4.3.2; RFC 4592 for wildcards).
 *
 * Names are absolute here, in lower case and ASCII, without the final dot: `www.example.com`.
 *
 *   | a name is           | if                                                              | `findName` answers             |
 *   | ------------------- | --------------------------------------------------------------- | ------------------------------ |
 *   | explicit            | records have it                                                 | `records`                      |
 *   | an empty node       | only names below it have records: it exists without records     | `empty`                        |
 *   | covered             | it does not exist, and its closest existing ancestor has a `*`  | `records`, with the wildcard   |
 *   | missing             | it does not exist, and there is no such `*`                     | `missing`                      |
 *   | delegated           | it or a name above it, below the apex, has NS records           | `unknown`                      |
 *   | outside             | it is in no zone that the platform answers for                  | `unknown`                      |
 *
 * The platform has records of its own in each zone, which cannot be deleted: an alias of the apex and a `*`, which lead to the platform
 * (StackExchange/dnscontrol, documentation/provider/vercel.md; vercel/vercel#15945). No source says whether they follow the rules above. So
 * a name without an address can still have one, but only that of the platform's web servers. A plan that has read a zone knows if it has
 * none of them.
 */
import type { Fields, Knowledge, Value, Verdict, View, ViewedObject } from '#kind';
import { normalDomain } from '../../kinds/domains/host-name.ts';
import { isPlatformNameserver } from './platform-targets.ts';

/** The record sets of a name, by type. */
export type SetsByType = ReadonlyMap<string, ViewedObject>;

/** A zone that the platform answers for. */
export interface Zone {
  name: string;
  domain: ViewedObject;
  /** What the view knows about the records of the zone. */
  knowledge: Knowledge;
  /** True if it has no other records than those of the view: a plan has read all, or the configuration declares all (`$exclusive`). */
  isWhole: boolean;
  /** True if names below the apex have NS records. */
  hasCuts: boolean;
  /** Whether records of the platform itself can lead a name to the platform: never a yes. */
  platformAnswers: Verdict;
  sets: ReadonlyMap<string, SetsByType>;
  /** All names that exist (explicit ones, empty ones and the apex), each with the first record set at or below it. */
  names: ReadonlyMap<string, ViewedObject | undefined>;
}

export type FoundName =
  | { state: 'records'; zone: Zone; sets: SetsByType; wildcard?: string }
  | { state: 'empty' | 'missing'; zone: Zone }
  | { state: 'unknown' };

const unknown: FoundName = { state: 'unknown' };

/** The types of records that give a name an address, or lead to a name that has one. */
export const addressTypes: readonly string[] = ['A', 'AAAA', 'ALIAS', 'CNAME'];

/** Returns a name in the form of this file: `example.com` for `Example.com.`. */
export function absoluteName(host: string): string {
  // Nearly all names are normal already, apart from the final dot, and this is called for each record.
  if (!/^[a-z0-9_.*-]*$/.test(host)) return normalDomain(host);
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** Returns a name and all names above it, the nearest first: `www.example.com`, `example.com` and `com`. */
export function withNamesAbove(name: string): string[] {
  const names = [name];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
    names.push(name.slice(dot + 1));
  return names;
}

/** True if a name is below another one. */
export const isBelow = (name: string, ancestor: string): boolean => name.endsWith(`.${ancestor}`);

/** Returns the records of a set whose content is readable. */
export const membersOf = (set: ViewedObject | undefined): Fields[] => {
  const records = set?.fields.records;
  return Array.isArray(records) ? records.filter(isFields) : [];
};

/** Returns a field of each record of a set, undefined where it is no text: a hole, a sealed secret, or missing. */
export const textsIn = (set: ViewedObject | undefined, field = 'value'): (string | undefined)[] =>
  membersOf(set).map((record) => textOrUndefined(record[field]));

/** Returns a text, or undefined for any other value, such as a hole or a sealed secret. */
export const textOrUndefined = (value: Value | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const isFields = (value: Value): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the zones of a view that the platform answers for, by name. A zone whose nameservers are elsewhere has no effect, so it is left
 * out.
 */
export function zonesOf(view: View): ReadonlyMap<string, Zone> {
  const zones = view.ofKind('domain').flatMap((domain): [string, Zone][] => {
    const written = textOrUndefined(domain.fields.name);
    if (written === undefined || !isAnswered(view, domain)) return [];
    const name = absoluteName(written);
    return [[name, createZone(view, name, domain)]];
  });
  return new Map(zones);
}

/** True unless the view says, or may say, that other nameservers than the platform's answer for a domain. */
function isAnswered(view: View, { address, fields, facts }: ViewedObject): boolean {
  const { zone = true } = fields;
  if (zone !== true && zone !== null) return false;
  if (facts && !isAnsweredNow(facts)) return false;
  return view
    .under(address, 'domainNameservers')
    .every(({ fields: { custom = [] } }) => Array.isArray(custom) && custom.every(isOfPlatform));
}

/**
 * True if the account says for sure that the platform's nameservers answer for a domain. Most companies have domains whose DNS is
 * elsewhere: the platform has no zone for them, or an old one (vercel/vercel, packages/sdk/docs/models/getdomainsresponsebody.md).
 */
function isAnsweredNow({ serviceType, nameservers, customNameservers }: Record<string, unknown>): boolean {
  if (serviceType !== 'zeit.world' || !Array.isArray(nameservers) || nameservers.length === 0) return false;
  return [nameservers, customNameservers ?? []].flat().every(isOfPlatform);
}

const isOfPlatform = (server: unknown): boolean =>
  typeof server === 'string' && isPlatformNameserver(absoluteName(server));

function createZone(view: View, name: string, domain: ViewedObject): Zone {
  const sets = new Map<string, Map<string, ViewedObject>>();
  const names = new Map<string, ViewedObject | undefined>([[name, undefined]]);
  let hasCuts = false;
  for (const set of view.under(domain.address, 'dnsRecord')) {
    const owner = ownerOf(set, name);
    const type = textOrUndefined(set.fields.type);
    if (owner === undefined || type === undefined) continue;
    const ofName = sets.get(owner) ?? new Map<string, ViewedObject>();
    sets.set(owner, ofName.set(type, set));
    hasCuts ||= type === 'NS' && owner !== name;
    for (const ancestor of withNamesAbove(owner)) {
      if (names.has(ancestor)) break;
      names.set(ancestor, set);
    }
  }
  const knowledge = view.knows('dnsRecord', domain.address);
  const isWhole = knowledge === 'all' || domain.exclusive?.includes('records') === true;
  return {
    name,
    domain,
    knowledge,
    isWhole,
    hasCuts,
    platformAnswers: answersOfPlatform(view, domain),
    sets,
    names,
  };
}

/** Returns whether records of the platform itself can answer in a zone: no if a plan has read the zone, and it has no such records. */
function answersOfPlatform(view: View, { address }: ViewedObject): Verdict {
  const records = view.undeclarable?.(address, 'dnsRecord');
  return records?.some(({ type }) => addressTypes.includes(String(type))) === false ? 'no' : 'unknown';
}

/** Returns the absolute name of a record set; undefined if it is outside the zone. */
export function ownerOf({ fields }: ViewedObject, zone: string): string | undefined {
  const name = textOrUndefined(fields.name);
  if (name === undefined || name.endsWith('.')) return undefined;
  return name === '@' ? zone : `${name.toLowerCase()}.${zone}`;
}

/** Returns the zone that a name is in, the longest if several match; undefined if it is in none. */
export function zoneAround(zones: ReadonlyMap<string, Zone>, name: string): Zone | undefined {
  for (const ancestor of withNamesAbove(name)) {
    const zone = zones.get(ancestor);
    if (zone) return zone;
  }
  return undefined;
}

/** Returns the name with NS records that delegates a name to other nameservers: itself or a name above it, below the apex. */
export function cutAbove(zone: Zone, name: string): string | undefined {
  if (!zone.hasCuts) return undefined;
  return withNamesAbove(name).findLast(
    (candidate) => isBelow(candidate, zone.name) && zone.sets.get(candidate)?.has('NS'),
  );
}

/** Returns what a name has in the zones of a view. If the records of its zone are not known, only explicit ones are an answer. */
export function findName(zones: ReadonlyMap<string, Zone>, name: string): FoundName {
  const zone = zoneAround(zones, name);
  if (!zone || cutAbove(zone, name) !== undefined) return unknown;
  const sets = zone.sets.get(name);
  if (sets) return { state: 'records', zone, sets };
  if (zone.knowledge === 'nothing') return unknown;
  if (zone.names.has(name)) return { state: 'empty', zone };
  const wildcard = wildcardFor(zone, name);
  const synthesized = zone.sets.get(wildcard);
  return synthesized ? { state: 'records', zone, sets: synthesized, wildcard } : { state: 'missing', zone };
}

/**
 * Returns the only wildcard that can answer for a name that does not exist: below its closest existing ancestor (RFC 4592, section 3.3.1).
 */
function wildcardFor(zone: Zone, name: string): string {
  const [, ...above] = withNamesAbove(name);
  return `*.${above.find((ancestor) => zone.names.has(ancestor))}`;
}
