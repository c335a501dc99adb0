import { dnsChecks } from '../../providers/hosting/meaning/dns/index.ts';
import type { Finding, View } from '../../src/kind/meaning.ts';
import { viewOf } from '../support/view-of.ts';

/** Returns the findings of the DNS checks in a view. */
export const findingsIn = (view: View): Finding[] => dnsChecks.flatMap((check) => [...check.find(view)]);

/** Returns the view of an account that has exactly what a configuration declares, as a plan has it that reads everything. */
export async function accountOf(yaml: string): Promise<View> {
  const view = await viewOf(yaml);
  return { ...view, knows: () => 'all' };
}

/** Returns findings as short texts: `warning dns/takeover domains/example.com/records/docs/CNAME`. */
export const shortTexts = (findings: Finding[]): string[] =>
  findings.map(({ severity, code, address, subject }) =>
    [severity, code, address, ...(subject === undefined ? [] : [subject])].join(' '),
  );

/** A record as a line: `CNAME www cname.vercel-dns.com`, `MX @ 10 mail`, `SRV _sip._tcp 1 1 5060 sip`. */
function recordOf(line: string): object {
  const [type = '', name = '', ...words] = line.split(' ');
  if (type === 'MX') return { type, name, mxPriority: Number(words[0]), value: words[1] };
  if (type === 'SRV') {
    const [priority, weight, port] = words.map(Number);
    return { type, name, srv: { priority, weight, port, target: words[3] } };
  }
  if (type === 'HTTPS') return { type, name, https: { priority: Number(words[0]), target: words[1] } };
  return { type, name, value: words.join(' ') };
}

/** Returns the YAML of a zone with these records, and of projects with these domains; no projects without `hosts`. */
export function zoneYaml(records: readonly string[], hosts?: readonly string[], meta = ''): string {
  const domains = Object.fromEntries((hosts ?? []).map((host) => [host, {}]));
  const projects = hosts ? `projects: ${JSON.stringify({ web: { domains } })}\n` : '';
  return `${projects}domains:\n  example.com:\n${meta && `    ${meta}\n`}    records: ${JSON.stringify(records.map(recordOf))}\n`;
}
