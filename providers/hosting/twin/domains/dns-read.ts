import type { Switches } from '../switches.ts';
import type { DnsRecord } from './dns-record-body.ts';
import type { Domain } from './domain-state.ts';

const withoutDot = (host: string) => host.replace(/\.$/, '');

/** Returns a stored CAA value as reads show it: without the quotes around its text unless `quotes` is true or the text has spaces. */
function caa(value: string, quotes: boolean): string {
  const [, head = '', text = ''] = /^(\S+ \S+) "(.*)"$/.exec(value) ?? [];
  return quotes || text.includes(' ') ? `${head} "${text}"` : `${head} ${text}`;
}

/** Returns the members with the content of a record, as the list shows them. */
function listValue(record: DnsRecord, switches: Switches): Record<string, unknown> {
  const { type, value = '', srv, https } = record;
  if (srv !== undefined) {
    if (switches.srvRead === 'object') return { srv };
    return { priority: srv.priority, value: `${srv.weight} ${srv.port} ${srv.target}` };
  }
  if (https !== undefined) {
    if (switches.httpsRead === 'object') return { https };
    return { priority: https.priority, value: `${https.target} ${https.params}`.trimEnd() };
  }
  if (type === 'CAA') return { value: caa(value, switches.caaQuotes) };
  if (type === 'MX') {
    return { mxPriority: record.mxPriority, value: switches.hostDot ? value : withoutDot(value) };
  }
  if (type === 'CNAME') return { value: switches.hostDot ? value : withoutDot(value) };
  return { value };
}

/** Returns a record as the list shows it. */
export function listItem(record: DnsRecord, switches: Switches): Record<string, unknown> {
  const { id, type, name, ttl, comment, creator, createdAt, updatedAt } = record;
  return {
    id,
    slug: id,
    name: name === '' ? switches.apexName : name,
    type,
    ...listValue(record, switches),
    ttl,
    comment,
    creator,
    created: createdAt,
    createdAt,
    updated: updatedAt,
    updatedAt,
  };
}

/** Returns the content of a record as one text, as a read by id shows it: with the numbers of MX, SRV and HTTPS in front. */
function packed(record: DnsRecord, switches: Switches): string {
  const { type, value = '', srv, https } = record;
  if (srv !== undefined) {
    const target = srv.target === '.' ? '' : ` ${srv.target}`;
    return `${srv.priority} ${srv.weight} ${srv.port}${target}`;
  }
  if (https !== undefined) return `${https.priority} ${https.target} ${https.params}`.trimEnd();
  if (type === 'MX') return `${record.mxPriority} ${value}`;
  return type === 'CAA' ? caa(value, switches.caaQuotesById || switches.caaQuotes) : value;
}

/** Returns a record as a read by its id shows it. */
export function recordById(record: DnsRecord, domain: Domain, switches: Switches): Record<string, unknown> {
  const { id, type, name, ttl, comment, creator, createdAt } = record;
  const sort = creator === 'system' ? 'record-sys' : 'record';
  return {
    id,
    domain: domain.name,
    name,
    recordType: type,
    type: switches.recordByIdType === 'dns' ? type : sort,
    value: packed(record, switches),
    ttl,
    comment,
    creator,
    createdAt,
  };
}

/** Returns a record as PATCH answers it: like a read by id, but `type` is always record or record-sys (SDK). */
export function patchedRecord(
  record: DnsRecord,
  domain: Domain,
  switches: Switches,
): Record<string, unknown> {
  return recordById(record, domain, { ...switches, recordByIdType: 'record' });
}
