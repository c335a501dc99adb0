import { problem, raise, raiseErrors } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { isPlainObject } from '../../model/value.ts';
import { type LeftOutItem, parseJson } from '../tally.ts';
import type { FoundRecord, Zone } from './read-zone-file.ts';

type DnsControlObject = Record<string, unknown>;

/** The TTL, in seconds, that dnscontrol gives a record without one. */
const defaultTtl = 300;

/** The zones of a dnscontrol configuration, and the views that are not converted. */
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
 * Reads the zones in the output of `dnscontrol print-ir`, for `trueup from dnscontrol`. A zone with several
 * views (records for some of its clients) can be converted only for one of them, because the platform has
 * one. Throws `Problems` for another file, and if not exactly one view of a zone is chosen.
 * @param options.views names of views (`example.com!inside`, `example.com!`) or tags (`inside`), for zones
 * with several views
 * @param options.normalName returns the normal spelling of a zone's name
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
  const configuration = parseJson(text, file);
  const domains = isPlainObject(configuration) ? configuration.domains : undefined;
  if (!Array.isArray(domains) || !domains.every(isDomain))
    raise('from/dnscontrol', `${file}: this is not a dnscontrol configuration`, {
      hint: 'create one with `dnscontrol print-ir --pretty > dns.json`',
    });
  const viewsByZone = groupBy(
    domains.map((domain) => readView(domain, normalName)),
    ({ zone }) => zone,
  );
  const selected = [...viewsByZone.values()].map((views) => selectView(views, chosen));
  const names = new Set([...viewsByZone.values()].flat().flatMap((view) => [view.tag, viewName(view)]));
  const unknownNames = chosen.filter((name) => !names.has(name));
  const problems = [
    ...selected.flatMap(({ problem }) => problem ?? []),
    ...unknownNames.map((name) =>
      problem('from/view', `${file}: there is no view \`${name}\``, {
        hint: `its views: ${joinNames(names)}`,
      }),
    ),
  ];
  raiseErrors(problems);
  return {
    zones: selected.flatMap(({ view }) => (view ? [{ name: view.zone, records: view.records }] : [])),
    leftOut: selected.flatMap(({ otherViews }) => otherViews.map(toLeftOutView)),
  };
}

/** Returns a view of a zone that was not selected as an item of the report of `trueup from dnscontrol`, so that no record is lost without a message. */
const toLeftOutView = (view: ZoneView): LeftOutItem => ({
  name: viewName(view),
  reason: view.records.length === 0 ? 'a view without records' : 'a view for some clients; --view chooses it',
  count: view.records.length,
});

const viewName = ({ zone, tag }: ZoneView): string => `${zone}!${tag}`;
const joinNames = (names: Iterable<string>): string => [...names].filter((name) => name !== '').join(', ');

const isDomain = (value: unknown): value is DnsControlObject =>
  isPlainObject(value) && typeof value.name === 'string' && Array.isArray(value.records ?? []);

/**
 * Reads one view of a zone (records for some of the clients, such as those inside a network) for `trueup from dnscontrol`. Its tag is a
 * member, or part of the name (`example.com!inside`) in the output of earlier versions of dnscontrol.
 */
function readView(domain: DnsControlObject, normalName: (name: string) => string): ZoneView {
  const unique = [domain.uniquename, domain.name].find((name) => String(name ?? '').includes('!'));
  const [name = '', tagInName = ''] = String(unique ?? domain.name).split('!');
  const zone = normalName(name);
  const records = (domain.records ?? []) as unknown[];
  return {
    zone,
    tag: typeof domain.tag === 'string' ? domain.tag : tagInName,
    records: records.map((record) =>
      isPlainObject(record) ? readRecord(record, zone, normalName) : notARecord,
    ),
  };
}

/** Replaces an item that is not a record, so that it is reported as left out. */
const notARecord: FoundRecord = { name: '@', type: '', data: [], line: 0, why: 'it is not a record' };

/** The view that is converted for a zone and the others, or the problem if the user has to choose one. */
interface ViewSelection {
  view?: ZoneView;
  otherViews: ZoneView[];
  problem?: ReturnType<typeof problem>;
}

/**
 * Selects the view of a zone that is converted. A view is a `D(...)` of DNSControl; `example.com!inside` is the view of `example.com` with the tag
 * `inside`. Views are never merged, because each is for other clients. The only view is selected if it has no tag, and any other one if the user
 * chose it. The caller reports `otherViews` as left out.
 */
function selectView(views: readonly ZoneView[], chosen: readonly string[]): ViewSelection {
  const isChosen = (view: ZoneView) =>
    chosen.includes(viewName(view)) || (view.tag !== '' && chosen.includes(view.tag));
  const isOnlyView = views.length === 1;
  const candidates = isOnlyView && views[0]!.tag === '' ? views : views.filter(isChosen);
  const [first, ...otherCandidates] = candidates;
  if (first && otherCandidates.length === 0)
    return { view: first, otherViews: views.filter((view) => view !== first) };
  if (isOnlyView) return { otherViews: [...views] };
  const names = views.map(viewName);
  const { zone } = views[0]!;
  const isRepeated = new Set(names).size < names.length;
  const message = isRepeated
    ? `${zone} appears more than once with the same tag: ${names.join(', ')}`
    : `${zone} has ${views.length} views, and a zone of the platform can have only one: ${names.join(', ')}`;
  const hint = isRepeated
    ? 'combine them into one `D(...)`, or remove one'
    : `choose one with --view '${names[0]}'; the others are left out`;
  return { otherViews: [], problem: problem('from/view', message, { hint }) };
}

/**
 * Reads one DNS record from the JSON of `dnscontrol print-ir`, in the form that records of zone files have,
 * so that both are converted alike. A record that cannot be converted gets a reason (`why`), which `trueup
 * from` reports.
 */
function readRecord(
  record: DnsControlObject,
  zone: string,
  normalName: (name: string) => string,
): FoundRecord {
  const type = typeof record.type === 'string' ? record.type.toUpperCase() : '';
  const { name = '@', ttl = 0, subdomain } = record;
  const fullName = String(subdomain === undefined || subdomain === '' ? name : `${name}.${subdomain}`);
  const isTtl = typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 0;
  return {
    // A final dot makes a name absolute.
    name: `${normalName(fullName.replace(/^@\./, ''))}${fullName.endsWith('.') ? '.' : ''}`,
    type: type === 'ANAME' ? 'ALIAS' : type,
    ttl: isTtl && ttl > 0 ? ttl : defaultTtl,
    data: dataOf(type, record, { zone, normalName }),
    line: 0,
    why: type === '' ? 'it has no type' : isTtl ? undefined : 'its TTL is not a whole number',
  };
}

/** A zone, for names that are relative to it. */
interface ZoneSpelling {
  zone: string;
  normalName(name: string): string;
}

/**
 * Returns the fields of a dnscontrol record's data in the order of zone files, so that both kinds of file are converted alike. Numbers that
 * are 0 are not in the JSON.
 */
function dataOf(type: string, record: DnsControlObject, spelling: ZoneSpelling): string[] {
  const number = (name: string) => String(record[name] ?? 0);
  const target = String(record.target ?? '');
  const host = () => toAbsoluteHost(target, spelling);
  if (['ALIAS', 'ANAME', 'CNAME', 'NS'].includes(type)) return [host()];
  if (type === 'MX') return [number('mxpreference'), host()];
  if (type === 'SRV') return [number('srvpriority'), number('srvweight'), number('srvport'), host()];
  if (type === 'HTTPS') return [number('svcpriority'), host(), String(record.svcparams ?? '')];
  if (type === 'CAA') return [number('caaflag'), String(record.caatag ?? ''), target];
  if (type === 'TXT' && record.target === undefined && Array.isArray(record.txtstrings))
    return record.txtstrings.map(String);
  return [target];
}

/** Returns the absolute name of a host, with a final dot. A host without a final dot is relative to the zone. */
function toAbsoluteHost(host: string, { zone, normalName }: ZoneSpelling): string {
  if (host.endsWith('.')) return `${normalName(host)}.`;
  return host === '@' || host === '' ? `${zone}.` : `${normalName(host)}.${zone}.`;
}
