/*
 * Reads the IP entries of a firewall as rules. Entries come before all rules (https://vercel.com/docs/vercel-firewall, "Rule execution
 * order"). An entry is for one host, or for all hosts of the project if that is `*`
 * (https://vercel.com/guides/deny-traffic-from-a-set-of-ip-addresses), and for one address or a range. Which of several entries for one
 * address comes first is not documented.
 */
import type { View, ViewedObject } from '#kind';
import { type Condition, readCondition, TextTest } from './condition.ts';
import { charactersOf, type Pattern, patternOfText, plainPrefix } from './pattern.ts';
import type { Rule } from './rule.ts';

/**
 * Returns the IP entries of a firewall that deny requests, as rules above all others, because they can make rules unreachable. Returns none
 * if the firewall also has entries that may let the same requests through.
 */
export function denyingEntries(view: View, firewall: Rule['address']): Rule[] {
  const entries = view.under(firewall, 'firewallIp').map(readIpEntry);
  return entries.every(({ action }) => action === 'deny' || action === 'log')
    ? entries.filter(({ action }) => action === 'deny')
    : [];
}

/** Returns an IP entry as a rule that matches the addresses of the entry on its host. */
export function readIpEntry({ address, fields: { hostname, ip, action } }: ViewedObject): Rule {
  const isForAll = hostname === '*';
  return {
    address,
    name: isForAll ? String(ip) : `${String(ip)} on ${String(hostname)}`,
    isEntry: true,
    groups: [[...(isForAll ? [] : [hostCondition(hostname)]), addressCondition(ip)]],
    action: typeof action === 'string' ? action : undefined,
    effectId: typeof action === 'string' ? action : undefined,
    location: undefined,
    isLate: false,
  };
}

// What an entry for a wildcard matches is not documented.
const hostCondition = (hostname: ViewedObject['fields'][string] | undefined): Condition | undefined =>
  typeof hostname === 'string' && !hostname.includes('*')
    ? readCondition({ type: 'host', op: 'eq', value: hostname })
    : undefined;

function addressCondition(ip: ViewedObject['fields'][string] | undefined): Condition | undefined {
  if (typeof ip !== 'string') return undefined;
  const condition = readCondition({ type: 'ip_address', op: 'eq', value: ip });
  const pattern = rangePattern(ip);
  if (!condition || !pattern) return condition;
  const test = new TextTest({ type: 'pattern', prefix: plainPrefix(pattern) }, () => pattern);
  return { ...condition, test, op: 'in', testId: `range ${ip}`, id: `range ${ip}` };
}

/** Returns a pattern for the addresses of an IPv4 range, as they are written; undefined for anything else. */
function rangePattern(range: string): Pattern | undefined {
  const [address = '', length] = range.split('/');
  const octets = address.split('.').map(Number);
  const bits = Number(length);
  if (length === undefined || octets.length !== 4 || !(bits >= 8 && bits <= 32)) return undefined;
  const parts = octets.flatMap((octet, i): Pattern[] => {
    const fixedBits = Math.min(bits - 8 * i, 8);
    // Every address that begins as the parts before is in the range.
    if (fixedBits <= 0) return [];
    const end: Pattern[] = i === 3 ? [{ type: 'end' }] : charactersOf('.');
    if (fixedBits === 8) return [...charactersOf(String(octet)), ...end];
    const size = 2 ** (8 - fixedBits);
    const first = octet - (octet % size);
    const options = Array.from({ length: size }, (_, offset) => patternOfText(String(first + offset)));
    return [{ type: 'choice', options }, ...end];
  });
  return { type: 'sequence', parts: [{ type: 'start' }, ...parts] };
}
