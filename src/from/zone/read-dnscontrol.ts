import { type Diagnostic, problem, raise, raiseErrors, shellQuoted } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/graph.ts';
import { isPlainObject } from '../../model/value.ts';
import { type LeftOutItem, parseJson } from '../tally.ts';
import type { FoundRecord, Zone } from './read-zone-file.ts';

type DnsControlObject = Record<string, unknown>;
/** Returns the normal spelling of a DNS name. */
type NormalName = (name: string) => string;

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
 * Reads the zones in a file that `dnscontrol print-ir` wrote, for `trueup from dnscontrol`. A zone can have several views there, each with
 * records for some of its clients, but only one on the platform. So the user has to choose one: by its name `ZONE!TAG`
 * (`example.com!inside`, or `example.com!` for the view without a tag) or by its tag (`inside`). Throws `Problems` for another file, for
 * unknown names, and unless exactly one of several views is chosen.
 * @param options.chosenViews the names and tags that the user wrote
 * @param options.normalName returns the normal spelling of a zone's name
 */
export function readDnscontrol(
  text: string,
  file: string,
  { chosenViews = [], normalName }: { chosenViews?: readonly string[] | undefined; normalName: NormalName },
): DnscontrolZones {
  const views = parseDomains(text, file).map((domain) => readView(domain, normalName));
  const chosen = chosenViews.map((name) => normalViewName(name, normalName));
  const viewsByZone = groupBy(views, ({ zone }) => zone);
  const selections = [...viewsByZone.values()].map((viewsOfZone) => selectView(viewsOfZone, chosen));
  raiseErrors([
    ...selections.flatMap(({ problem }) => problem ?? []),
    ...findUnknownViews(chosen, views, file),
  ]);
  return {
    zones: selections.flatMap(({ view }) => (view ? [{ name: view.zone, records: view.records }] : [])),
    leftOut: selections.flatMap(({ otherViews }) => otherViews.map(toLeftOutView)),
  };
}

/**
 * Returns the domains in the file that `trueup from dnscontrol` reads, the JSON of a dnscontrol configuration: one for each `D(...)` in it.
 * Throws `Problems` for another file.
 */
function parseDomains(text: string, file: string): DnsControlObject[] {
  const configuration = parseJson(text, file);
  const domains = isPlainObject(configuration) ? configuration.domains : undefined;
  if (Array.isArray(domains) && domains.every(isDomain)) return domains;
  raise('from/dnscontrol', `${file}: this is not a dnscontrol configuration`, {
    hint: 'create one with `dnscontrol print-ir --pretty > dns.json`',
  });
}

/** Returns a view's name as the user wrote it, `ZONE!TAG`, with the normal spelling of its zone. A tag alone stays as it is. */
function normalViewName(name: string, normalName: NormalName): string {
  const [zone = '', tag] = name.split('!');
  return tag === undefined ? name : `${normalName(zone)}!${tag}`;
}

/**
 * Returns a problem for each view of a zone (its records for one network, `example.com!internal`) that the user chose with `--view` by a
 * name or tag that no view of the file has.
 */
function findUnknownViews(chosen: readonly string[], views: readonly ZoneView[], file: string): Diagnostic[] {
  const names = new Set(views.flatMap((view) => [view.tag, viewName(view)]));
  const hint = `its views: ${joinNames(names)}`;
  return chosen
    .filter((name) => !names.has(name))
    .map((name) => problem('from/view', `${file}: there is no view \`${name}\``, { hint }));
}

/**
 * Returns a view of a zone that was not selected as an item of the report of `trueup from dnscontrol`, so that no record is lost without a
 * message.
 */
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
function readView(domain: DnsControlObject, normalName: NormalName): ZoneView {
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
  problem?: Diagnostic;
}

/**
 * Selects the view of a zone that is converted. A view is a `D(...)` of DNSControl; `example.com!inside` is the view of `example.com` with
 * the tag `inside`. Views are never merged, because each is for other clients. The only view is selected if it has no tag, and any other
 * one if the user chose it. Returns a problem if none of several is selected. The caller reports `otherViews` as left out, also an only
 * view that was not selected.
 */
function selectView(views: readonly ZoneView[], chosen: readonly string[]): ViewSelection {
  const isChosen = (view: ZoneView) =>
    chosen.includes(viewName(view)) || (view.tag !== '' && chosen.includes(view.tag));
  const isOnlyView = views.length === 1;
  const candidates = isOnlyView && views[0]!.tag === '' ? views : views.filter(isChosen);
  const [first, ...otherCandidates] = candidates;
  if (first && otherCandidates.length === 0)
    return { view: first, otherViews: views.filter((view) => view !== first) };
  return isOnlyView ? { otherViews: [...views] } : { otherViews: [], problem: ambiguousViewProblem(views) };
}

/** Returns the problem that no view of a zone with several is selected: the user has to choose one, or to make their names different. */
function ambiguousViewProblem(views: readonly ZoneView[]): Diagnostic {
  const names = views.map(viewName);
  const { zone } = views[0]!;
  if (new Set(names).size < names.length)
    return problem('from/view', `${zone} appears more than once with the same tag: ${names.join(', ')}`, {
      hint: 'combine them into one `D(...)`, or remove one',
    });
  return problem(
    'from/view',
    `${zone} has ${views.length} views, and a zone of the platform can have only one: ${names.join(', ')}`,
    { hint: `choose one with --view ${shellQuoted(names[0]!)}; the others are left out` },
  );
}

/**
 * Reads one DNS record from the JSON of `dnscontrol print-ir`, in the form that records of zone files have, so that both are converted
 * alike. An ANAME becomes an ALIAS, and a missing or zero TTL the default one. A record that cannot be converted gets a reason (`why`),
 * which `trueup from` reports.
 */
function readRecord(record: DnsControlObject, zone: string, normalName: NormalName): FoundRecord {
  const type = typeof record.type === 'string' ? record.type.toUpperCase() : '';
  const { name = '@', ttl = 0, subdomain } = record;
  const fullName = String(subdomain === undefined || subdomain === '' ? name : `${name}.${subdomain}`);
  const isTtl = typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 0;
  const defect = isTtl ? undefined : 'its TTL is not a whole number';
  return {
    // `@.www` is `www`. A final dot makes a name absolute.
    name: `${normalName(fullName.replace(/^@\./, ''))}${fullName.endsWith('.') ? '.' : ''}`,
    type: type === 'ANAME' ? 'ALIAS' : type,
    ttl: isTtl && ttl > 0 ? ttl : defaultTtl,
    data: dataOf(type, record, { zone, normalName }),
    // JSON has no lines.
    line: 0,
    why: type === '' ? 'it has no type' : defect,
  };
}

/** A zone, for names that are relative to it. */
interface ZoneSpelling {
  zone: string;
  normalName: NormalName;
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
