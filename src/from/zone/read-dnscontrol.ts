import { Problems, problem } from '../../model/diagnostic.ts';
import { isPlainObject } from '../../model/value.ts';
import { parseJson } from '../parse-json.ts';
import type { FoundRecord, Zone } from './read-zone-file.ts';

type Json = Record<string, unknown>;

/** The time, in seconds, that dnscontrol gives a record without one. */
const usualTtl = 300;

/** Zones of a dnscontrol configuration, and what is left of it. */
interface DnscontrolZones {
  zones: Zone[];
  left: string[];
}

/** Reads what `dnscontrol print-ir` prints. Throws `Problems`. */
export function readDnscontrol(text: string, file: string): DnscontrolZones {
  const read = parseJson(text, file);
  const domains = isPlainObject(read) ? read.domains : undefined;
  if (!Array.isArray(domains))
    throw new Problems([
      problem('from/dnscontrol', `${file}: this is not a dnscontrol configuration`, {
        hint: 'create one with `dnscontrol print-ir --pretty > dns.json`',
      }),
    ]);
  const left: string[] = [];
  const named = domains.filter((one): one is Json => isPlainObject(one) && typeof one.name === 'string');
  const zones = named.flatMap((domain) => {
    const [name = '', tag] = String(domain.name).split('!');
    if (tag !== undefined) {
      left.push(`${domain.name}: one of several views of ${name}; only one view per zone is supported`);
      return [];
    }
    const records = Array.isArray(domain.records) ? domain.records.filter(isPlainObject) : [];
    return [{ name: name.toLowerCase(), records: records.map((one) => recordOf(one as Json, name)) }];
  });
  return { zones, left };
}

function recordOf(record: Json, zone: string): FoundRecord {
  const type = String(record.type).toUpperCase();
  const { name = '@', ttl, subdomain } = record;
  const called = subdomain === undefined || subdomain === '' ? name : `${name}.${subdomain}`;
  return {
    name: String(called).replace(/^@\./, ''),
    type,
    ttl: typeof ttl === 'number' && ttl > 0 ? ttl : usualTtl,
    data: dataOf(type, record, zone),
    line: 0,
  };
}

/** The fields of a record's data in the order of zone files. Numbers that are 0 are not in the JSON. */
function dataOf(type: string, record: Json, zone: string): string[] {
  const number = (name: string) => String(record[name] ?? 0);
  const target = String(record.target ?? '');
  const host = () => absolute(target, zone);
  if (['ALIAS', 'CNAME', 'NS'].includes(type)) return [host()];
  if (type === 'MX') return [number('mxpreference'), host()];
  if (type === 'SRV') return [number('srvpriority'), number('srvweight'), number('srvport'), host()];
  if (type === 'HTTPS') return [number('svcpriority'), host(), String(record.svcparams ?? '')];
  if (type === 'CAA') return [number('caaflag'), String(record.caatag ?? ''), target];
  if (type === 'TXT' && record.target === undefined && Array.isArray(record.txtstrings))
    return record.txtstrings.map(String);
  return [target];
}

/** A host with a final dot; what has none is relative to the zone. */
function absolute(host: string, zone: string): string {
  if (host.endsWith('.')) return host;
  return host === '@' || host === '' ? `${zone}.` : `${host}.${zone}.`;
}
