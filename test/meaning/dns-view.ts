import { dnsChecks } from '../../providers/hosting/meaning/dns/index.ts';
import type { Finding, View } from '../../src/kind/meaning.ts';
import { groupBy } from '../../src/model/graph.ts';
import { viewOf } from '../support/view-of.ts';

/** Returns the findings of the DNS checks in a view. */
export const findingsIn = (view: View): Finding[] => dnsChecks.flatMap((check) => [...check.find(view)]);

/** Returns the view of an account that has exactly what a configuration declares, as a plan has it that reads everything. */
export async function accountOf(yaml: string): Promise<View> {
  const view = await viewOf(yaml);
  return { ...view, knows: () => 'all' };
}

/** Returns a view in which the platform was asked whether domains of projects work: its `misconfigured` for each, `undefined` if it did not answer. */
export function withAnswers(view: View, misconfigured: Readonly<Record<string, boolean | undefined>>): View {
  const answered = view.ofKind('projectDomain').map((object) => {
    const host = String(object.fields.name);
    return Object.hasOwn(misconfigured, host)
      ? { ...object, facts: { misconfigured: misconfigured[host] } }
      : object;
  });
  return { ...view, ofKind: (kind) => (kind === 'projectDomain' ? answered : view.ofKind(kind)) };
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

/** A record set of a made-up zone: an absolute name, a type and values. */
export interface MadeSet {
  name: string;
  type: string;
  values: string[];
}

/** Returns the view of an account with one zone and one project, made without a configuration, because properties make many. */
export function madeView(zone: string, sets: readonly MadeSet[], hosts: readonly string[]): View {
  const domain = {
    address: `domains/${zone}`,
    kind: 'domain',
    parent: undefined,
    fields: { name: zone },
    isDeclared: true,
  };
  const project = {
    address: 'projects/web',
    kind: 'project',
    parent: undefined,
    fields: {},
    isDeclared: true,
  };
  const records = sets.map(({ name, type, values }) => {
    const relative = name === zone ? '@' : name.slice(0, -zone.length - 1);
    return {
      address: `${domain.address}/records/${relative}/${type}`,
      kind: 'dnsRecord',
      parent: domain.address,
      fields: { name: relative, type, records: values.map((value) => ({ value })) },
      isDeclared: true,
    };
  });
  const domains = hosts.map((name) => ({
    address: `${project.address}/domains/${name}`,
    kind: 'projectDomain',
    parent: project.address,
    fields: { name },
    isDeclared: true,
  }));
  const byKind = groupBy([domain, project, ...records, ...domains], ({ kind }) => kind);
  return {
    ofKind: (kind) => byKind.get(kind) ?? [],
    under: (_, kind) => byKind.get(kind) ?? [],
    at: () => undefined,
    knows: () => 'all',
  };
}
