/**
 * The names that no public DNS answers. Sources: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), and the reservation of `internal` for
 * private networks by ICANN.
 */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** The IPv4 networks that the internet does not route, as first bytes. Sources: RFC 1918, RFC 1122, RFC 3927, RFC 6598. */
const privateNetworks: [first: number, secondFrom: number, secondTo: number][] = [
  [0, 0, 255],
  [10, 0, 255],
  [100, 64, 127],
  [127, 0, 255],
  [169, 254, 254],
  [172, 16, 31],
  [192, 168, 168],
];

/**
 * True for a host that only a private network or the machine itself knows, so the platform cannot call it. `hostname`: as a parsed URL has it, with
 * IPv4 addresses in their usual form, and IPv6 addresses in brackets and compressed.
 */
export function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/, '');
  return /^\d+(\.\d+){3}$/.test(name) ? isPrivateIpv4(name) : privateNames.test(name);
}

function isPrivateIpv4(address: string): boolean {
  const [first, second] = address.split('.').map(Number);
  return privateNetworks.some(([network, from, to]) => first === network && second! >= from && second! <= to);
}

/** True for the loopback and unspecified addresses, fc00::/7 and fe80::/10 (RFC 4193, RFC 4291), and for private IPv4 addresses in IPv6 form. */
function isPrivateIpv6(address: string): boolean {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high !== undefined && low !== undefined) return isPrivateIpv4(ipv4Of(high, low));
  return address === '::' || address === '::1' || /^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/.test(address);
}

const ipv4Of = (...groups: string[]): string =>
  groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
