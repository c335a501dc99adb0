import { Problems, problem } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { isPlainObject } from '../../model/value.ts';
import { parseJson } from '../parse-json.ts';
import type { LeftOutItem } from '../tally.ts';
import type { FoundRecord, Zone } from './read-zone-file.ts';

type DnsControlObject = Record<string, unknown>;

/** The TTL, in seconds, that dnscontrol gives a record without one. */
const defaultTtl = 300;

/** Zones of a dnscontrol configuration, and its views that are not converted. */
interface DnscontrolZones {
  zones: Zone[];
  leftOut: LeftOutItem[];
}

/** One `D(...)` of a dnscontrol configuration. Several with one name are views of a zone, which differ by their tags. */
interface ZoneView {
  zone: string;
  /** `''` for the view without a tag. */
  tag: string;
  records: FoundRecord[];
}

/**
 * Reads the output of `dnscontrol print-ir`. `views`: names of views (`example.com!inside`, `example.com!`) or tags (`inside`), for
 * zones with several. `normalName`: the one spelling of a zone's name. Throws `Problems`, also if a zone has several views and none or more than one is chosen.
 */
export function readDnscontrol(
  text: string,
  file: string,
  { views = [], normalName }: { views?: readonly string[] | undefined; normalName(name: string): string },
): DnscontrolZones {
  const chosen = views.map((view) => {
    const [zone = '', tag] = view.split('!');
    return tag === undefined ? view : `${normalName(zone)}!${tag}`;
  });
  const read = parseJson(text, file);
  const domains = isPlainObject(read) ? read.domains : undefined;
  if (!Array.isArray(domains) || !domains.every(isDomain))
    throw new Problems('from/dnscontrol', `${file}: this is not a dnscontrol configuration`, {
      hint: 'create one with `dnscontrol print-ir --pretty > dns.json`',
    });
  const byZone = groupBy(
    domains.map((domain) => readView(domain, normalName)),
    ({ zone }) => zone,
  );
  const selected = [...byZone.values()].map((views) => selectView(views, chosen));
  const names = new Set([...byZone.values()].flat().flatMap((view) => [view.tag, viewName(view)]));
  const unknown = chosen.filter((name) => !names.has(name));
  const problems = [
    ...selected.flatMap(({ problem }) => problem ?? []),
    ...unknown.map((name) =>
      problem('from/view', `${file}: there is no view \`${name}\``, {
        hint: `its views: ${listNames(names)}`,
      }),
    ),
  ];
  if (problems.length > 0) throw new Problems(problems);
  return {
    zones: selected.flatMap(({ view }) => (view ? [{ name: view.zone, records: view.records }] : [])),
    leftOut: selected.flatMap(({ others }) =>
      others.map((view) => ({
        name: viewName(view),
        reason:
          view.records.length === 0 ? 'a view without records' : 'a view for some clients; --view chooses it',
        count: view.records.length,
      })),
    ),
  };
}

const viewName = ({ zone, tag }: ZoneView): string => `${zone}!${tag}`;
const listNames = (names: Iterable<string>): string => [...names].filter((name) => name !== '').join(', ');

const isDomain = (value: unknown): value is DnsControlObject =>
  isPlainObject(value) && typeof value.name === 'string' && Array.isArray(value.records ?? []);

/** The tag is a member of its own, or part of the name in the output of earlier versions. */
function readView(domain: DnsControlObject, normalName: (name: string) => string): ZoneView {
  const unique = [domain.uniquename, domain.name].find((name) => String(name ?? '').includes('!'));
  const [name = '', inName = ''] = String(unique ?? domain.name).split('!');
  const zone = normalName(name);
  const records = (domain.records ?? []) as unknown[];
  return {
    zone,
    tag: typeof domain.tag === 'string' ? domain.tag : inName,
    records: records.map((record) =>
      isPlainObject(record) ? readRecord(record, zone, normalName) : notARecord,
    ),
  };
}

const notARecord: FoundRecord = { name: '@', type: '', data: [], line: 0, why: 'it is not a record' };

interface ViewSelection {
  view?: ZoneView;
  others: ZoneView[];
  problem?: ReturnType<typeof problem>;
}

/** Chooses the view of one zone. Views are never merged: each answers other clients. A view with a tag has to be asked for. */
function selectView(views: readonly ZoneView[], chosen: readonly string[]): ViewSelection {
  const isChosen = (view: ZoneView) =>
    chosen.includes(viewName(view)) || (view.tag !== '' && chosen.includes(view.tag));
  const isAlone = views.length === 1;
  const [first, ...more] = isAlone && views[0]!.tag === '' ? views : views.filter(isChosen);
  if (first && more.length === 0) return { view: first, others: views.filter((view) => view !== first) };
  if (isAlone) return { others: [...views] };
  const names = views.map(viewName);
  const { zone } = views[0]!;
  const isRepeated = new Set(names).size < names.length;
  const message = isRepeated
    ? `${zone} appears more than once with the same tag: ${names.join(', ')}`
    : `${zone} has ${views.length} views, and a zone of the platform can have only one: ${names.join(', ')}`;
  const hint = isRepeated
    ? 'combine them into one `D(...)`, or remove one'
    : `choose one with --view '${names[0]}'; the others are left out`;
  return { others: [], problem: problem('from/view', message, { hint }) };
}

function readRecord(
  record: DnsControlObject,
  zone: string,
  normalName: (name: string) => string,
): FoundRecord {
  const type = typeof record.type === 'string' ? record.type.toUpperCase() : '';
  const { name = '@', ttl = 0, subdomain } = record;
  const whole = subdomain === undefined || subdomain === '' ? name : `${name}.${subdomain}`;
  const isTtl = typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 0;
  return {
    // A final dot makes a name absolute.
    name: `${normalName(String(whole).replace(/^@\./, ''))}${String(whole).endsWith('.') ? '.' : ''}`,
    type: type === 'ANAME' ? 'ALIAS' : type,
    ttl: isTtl && ttl > 0 ? ttl : defaultTtl,
    data: dataOf(type, record, { zone, normalName }),
    line: 0,
    why: type === '' ? 'it has no type' : isTtl ? undefined : 'its TTL is not a whole number',
  };
}

/** How names in a zone are written. */
interface ZoneSpelling {
  zone: string;
  normalName(name: string): string;
}

/** The fields of a record's data in the order of zone files. Numbers that are 0 are not in the JSON. */
function dataOf(type: string, record: DnsControlObject, spelling: ZoneSpelling): string[] {
  const number = (name: string) => String(record[name] ?? 0);
  const target = String(record.target ?? '');
  const host = () => absolute(target, spelling);
  if (['ALIAS', 'ANAME', 'CNAME', 'NS'].includes(type)) return [host()];
  if (type === 'MX') return [number('mxpreference'), host()];
  if (type === 'SRV') return [number('srvpriority'), number('srvweight'), number('srvport'), host()];
  if (type === 'HTTPS') return [number('svcpriority'), host(), String(record.svcparams ?? '')];
  if (type === 'CAA') return [number('caaflag'), String(record.caatag ?? ''), target];
  if (type === 'TXT' && record.target === undefined && Array.isArray(record.txtstrings))
    return record.txtstrings.map(String);
  return [target];
}

/** A host with a final dot; a host without one is relative to the zone. */
function absolute(host: string, { zone, normalName }: ZoneSpelling): string {
  if (host.endsWith('.')) return `${normalName(host)}.`;
  return host === '@' || host === '' ? `${zone}.` : `${normalName(host)}.${zone}.`;
}
