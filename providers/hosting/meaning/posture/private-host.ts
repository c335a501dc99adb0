import { BlockList, isIP } from 'node:net';
import { computeOnce } from '#kind';

/**
 * The names that no public DNS answers. Sources: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), and the reservation of
 * `internal` for private networks by ICANN.
 */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/**
 * The networks that the internet does not route. Sources: RFC 1918, RFC 1122, RFC 3927, RFC 6598; for IPv6, RFC 4193 and RFC 4291. A
 * `BlockList` also finds an IPv4 address in IPv6 form.
 */
const privateNetworks = computeOnce(() => {
  const list = new BlockList();
  for (const [network, length] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
  ] as const)
    list.addSubnet(network, length, 'ipv4');
  for (const [network, length] of [
    ['::', 127],
    ['fc00::', 7],
    ['fe80::', 10],
  ] as const)
    list.addSubnet(network, length, 'ipv6');
  return list;
});

/**
 * True for a host that only a private network or the machine itself knows, so the platform cannot call it. `hostname`: as a parsed URL has
 * it, with IPv6 addresses in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  const version = isIP(host);
  return version === 0
    ? privateNames.test(host)
    : privateNetworks().check(host, version === 4 ? 'ipv4' : 'ipv6');
}
