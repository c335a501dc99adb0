import { type ApiObject, escapeName, type Fields, type LiveResource, type Pending } from '#kind';
import { normalName, normalRecord } from '../domains/dns-content.ts';
import { quoted } from '../pending.ts';

/*
 * Whether the DNS of a project's domain points to the platform, and the record that it needs if not. A domain serves if it is verified and
 * `misconfigured` in the answer about its configuration is false (fact PF37). Redirects need the record as well, because the platform
 * answers them.
 */

/**
 * True for a domain whose DNS is up to the user and can be checked. A wildcard is not checked, because no source says what its answer
 * means.
 */
export const hasOwnDns = ({ name }: Fields): boolean => !/^\*\.|\.vercel\.app$/.test(String(name));

/** Returns why a domain does not serve, with the DNS record that it needs; undefined if it serves. Throws if the answer does not say it. */
export function misconfiguration(answer: ApiObject, { id, facts }: LiveResource): Pending | undefined {
  const { misconfigured, recommendedIPv4, recommendedCNAME } = answer;
  if (typeof misconfigured !== 'boolean')
    throw new Error('the response does not say whether the domain is misconfigured');
  if (!misconfigured) return undefined;
  const zone = String(facts?.apexName);
  const addresses = firstRanked(recommendedIPv4);
  const hosts = firstRanked(recommendedCNAME);
  const [type, values] = id === zone ? ['A', addresses] : ['CNAME', hosts];
  const texts = values.flatMap((value) => quoted(value) ?? []);
  return {
    reason: 'its DNS does not point to the platform, so it serves nothing',
    needs: {
      what:
        texts.length > 0
          ? `the DNS record ${type} with ${texts.join(' and ')}`
          : 'a DNS record that points to the platform',
      from: [
        ...recordsAt(id, zone, 'A', addresses),
        ...['CNAME', 'ALIAS'].flatMap((hostType) => recordsAt(id, zone, hostType, hosts)),
      ],
      hintIfLive:
        'DNS changes take time; if this stays, look whether the nameservers of the domain are those of the platform',
    },
  };
}

/** The most values that are compared and shown. The platform recommends one or two. */
const mostValues = 8;

/** Returns the values of the first rank in a list of recommended DNS values. The form and length of the list are not trusted. */
function firstRanked(recommended: unknown): unknown[] {
  const ranked: Record<string, unknown>[] = Array.isArray(recommended)
    ? recommended.filter((item) => item?.rank === 1)
    : [];
  return ranked.flatMap(({ value }) => value).slice(0, mostValues);
}

/** Returns where a configuration declares records of this type for a domain: at its name in the zone, or at a wildcard above it. */
function recordsAt(domain: string, zone: string, type: string, values: readonly unknown[]) {
  const name = normalName(`${domain}.`, zone);
  const labels = name.split('.');
  const names =
    name === '@' ? [name] : [name, ...labels.map((_, index) => ['*', ...labels.slice(index + 1)].join('.'))];
  return names.flatMap((recordName) =>
    values.map((value) => ({
      address: `domains/${escapeName(zone)}/records/${escapeName(recordName)}/${type}`,
      value: String(normalRecord(type, { value: String(value) }, zone).value),
    })),
  );
}
