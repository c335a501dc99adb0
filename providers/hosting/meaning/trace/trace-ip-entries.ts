import { BlockList, isIP } from 'node:net';
import { type TraceStep, type Verdict, type ViewedObject, type VisitorRequest, verdictOf } from '#kind';

/**
 * Returns the entries of a firewall for IP addresses on the host of a request, each with whether it applies to the visitor. Entries for
 * other hosts are left out. The host `*` stands for all (https://vercel.com/guides/deny-traffic-from-a-set-of-ip-addresses).
 */
export const traceIpEntries = (entries: readonly ViewedObject[], { url, ip }: VisitorRequest): TraceStep[] =>
  entries.flatMap(({ address, fields }) => {
    if (typeof fields.hostname === 'string' && ![url.hostname, '*'].includes(fields.hostname)) return [];
    const range = typeof fields.ip === 'string' ? fields.ip : undefined;
    const verdict = range === undefined || ip === undefined ? 'unknown' : isInRange(ip, range);
    const why = ip === undefined ? 'pass the address of the visitor with --ip' : undefined;
    return [
      {
        address,
        type: 'firewall IP entry',
        matches: typeof fields.hostname === 'string' ? verdict : 'unknown',
        conditions: [
          {
            text: `ip is in ${range ?? 'a range that is not known yet'}`,
            verdict,
            ...(why && verdict === 'unknown' ? { why } : {}),
          },
        ],
        effect: typeof fields.action === 'string' ? fields.action : 'not known',
      },
    ];
  });

/** Returns whether an address is in a range such as `192.0.2.0/24`, or is the only address of it. */
function isInRange(ip: string, range: string): Verdict {
  const [network = '', bits] = range.split('/');
  const version = isIP(network);
  if (version === 0) return 'unknown';
  if (isIP(ip) !== version) return 'no';
  const [family, longest] = version === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const length = bits === undefined ? longest : Number(bits);
  if (!Number.isInteger(length) || length < 0 || length > longest) return 'unknown';
  const list = new BlockList();
  list.addSubnet(network, length, family);
  return verdictOf(list.check(ip, family));
}
