import type { Check, Finding, ViewedObject } from '#kind';
import { type Dns, dnsOf } from './routes.ts';
import {
  evaluatedTerms,
  isSpf,
  mostLookups,
  needsLookup,
  referredHost,
  type SpfTerm,
  termsOf,
  unreadableTerms,
} from './spf.ts';
import { absoluteName, cutAbove, findName, textsIn } from './zones.ts';

/** A name with SPF records. */
interface SpfName {
  name: string;
  set: ViewedObject;
  records: string[];
}

/** Finds mistakes in SPF records. Each makes receivers of mail ignore the record, or accept mail of anyone. */
export const spfChecks: Check = {
  codes: ['dns/spf-all', 'dns/spf-lookups', 'dns/spf-several', 'dns/spf-syntax'],
  *find(view) {
    const dns = dnsOf(view);
    const counts: Counts = new Map();
    for (const spf of spfNames(dns)) {
      const { name, set, records } = spf;
      const [record, ...others] = records as [string];
      if (others.length > 0)
        yield finding('several', set, {
          message: `${name} has ${records.length} SPF records: receivers of mail take that for an error, and use none of them`,
          hint: 'join them into one record: `v=spf1`, then the terms of all',
        });
      const terms = others.length > 0 ? undefined : termsOf(record);
      if (!terms) continue;
      yield* findInTerms(name, set, terms);
      const count = counts.get(name) ?? countLookups(dns, name, counts);
      if (count.lookups > mostLookups && count.cause === undefined) yield describeLookups(spf, count);
    }
  },
};

/** Returns the names that have SPF records, of zones that the platform answers for. */
const spfNames = ({ zones }: Dns): SpfName[] =>
  [...zones.values()].flatMap((zone) =>
    [...zone.sets].flatMap(([name, sets]) => {
      const set = sets.get('TXT');
      if (!set || cutAbove(zone, name) !== undefined) return [];
      const records = spfRecords(set);
      return records.length > 0 ? [{ name, set, records }] : [];
    }),
  );

const spfRecords = (set: ViewedObject | undefined): string[] =>
  textsIn(set).filter((text) => text !== undefined && isSpf(text)) as string[];

function* findInTerms(name: string, set: ViewedObject, terms: readonly SpfTerm[]): Generator<Finding> {
  const unreadable = unreadableTerms(terms);
  if (unreadable.length > 0)
    yield finding('syntax', set, {
      message: `the SPF record of ${name} has ${formatTerms(unreadable)}, which no receiver of mail can read: they take the whole record for an error`,
      hint: 'correct the term, such as `ip4:192.0.2.1`, `include:example.net` or `-all`',
    });
  const allTerm = evaluatedTerms(terms).find((term) => term.name === 'all');
  if (allTerm?.qualifier === '+' && unreadable.length === 0)
    yield finding('all', set, {
      message: `the SPF record of ${name} ends with \`${allTerm.text}\`: it allows everyone to send mail in its name`,
      hint: 'end it with `-all` or `~all`, after the terms of the servers that may send',
    });
}

const mostTerms = 5;

/** Returns terms for a message. The last ones of many are only counted, and long ones are cut. */
function formatTerms(terms: readonly SpfTerm[]): string {
  const texts = terms
    .slice(0, mostTerms)
    .map(({ text }) => `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``);
  return `${texts.join(', ')}${terms.length > mostTerms ? ` and ${terms.length - mostTerms} more` : ''}`;
}

const finding = (
  what: 'all' | 'lookups' | 'several' | 'syntax',
  set: ViewedObject,
  texts: { message: string; hint: string },
): Finding => ({ code: codes[what], severity: 'warning', ...texts, address: set.address, path: 'records' });

const codes = {
  all: 'dns/spf-all',
  lookups: 'dns/spf-lookups',
  several: 'dns/spf-several',
  syntax: 'dns/spf-syntax',
};

const describeLookups = ({ name, set }: SpfName, { lookups }: Count): Finding =>
  finding('lookups', set, {
    message: Number.isFinite(lookups)
      ? `the SPF record of ${name} needs at least ${lookups} DNS lookups: receivers of mail allow ${mostLookups}, and take more for an error`
      : `the SPF record of ${name} includes itself, so receivers of mail never get to its end, and take it for an error`,
    hint: 'remove terms that are no longer used, or replace `include` by the `ip4` and `ip6` terms behind it',
  });

/** What the record of a name needs. */
interface Count {
  /** At least that many; infinite if it includes itself. */
  lookups: number;
  /** The name whose record is the cause, if that is not the counted record: it is included, and needs too many by itself. */
  cause: string | undefined;
}

/** The counts by name; `undefined` while one is being counted. */
type Counts = Map<string, Count | undefined>;

/** Returns how many lookups the SPF record of a name needs at least: records outside of the zones of the view are not followed. */
function countLookups(dns: Dns, start: string, counts: Counts): Count {
  // A list of open records instead of a recursion, because chains can be long. `position`: the first host that may not be counted yet.
  const open = [{ name: start, ...needsOf(dns, start), position: 0 }];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (!counts.has(last.name)) counts.set(last.name, undefined);
    let next = last.hosts[last.position];
    while (next !== undefined && counts.has(next)) next = last.hosts[++last.position];
    if (next !== undefined) open.push({ name: next, ...needsOf(dns, next), position: 0 });
    else {
      counts.set(last.name, sumOf(last, counts));
      open.pop();
    }
  }
  return counts.get(start)!;
}

/** What the record of a name needs: its own lookups, and those of the records of hosts. */
interface Needs {
  own: number;
  hosts: string[];
}

function needsOf(dns: Dns, name: string): Needs {
  const terms = evaluatedTerms(termsAt(dns, name));
  const hosts = terms.flatMap((term) => referredHost(term) ?? []);
  return { own: terms.filter(needsLookup).length, hosts: hosts.map(absoluteName) };
}

/** Returns the count of a record whose hosts are counted. A host that is still being counted includes the record itself. */
function sumOf({ name, own, hosts }: Needs & { name: string }, counts: Counts): Count {
  const circle = (host: string): Count => ({ lookups: Number.POSITIVE_INFINITY, cause: host });
  const referred = hosts.map((host) => ({ host, ...(counts.get(host) ?? circle(host)) }));
  const tooMany = referred.find(({ lookups }) => lookups > mostLookups);
  const cause = tooMany && (tooMany.cause ?? tooMany.host);
  return {
    lookups: referred.reduce((sum, { lookups }) => sum + lookups, own),
    // A record that includes itself is its own cause.
    cause: cause === name ? undefined : cause,
  };
}

/** Returns the terms of the only SPF record of a name; none if it has none, or if that is unknown. */
function termsAt({ zones }: Dns, name: string): SpfTerm[] {
  const nameState = findName(zones, name);
  if (nameState.state !== 'records') return [];
  const [record, ...others] = spfRecords(nameState.sets.get('TXT'));
  return record === undefined || others.length > 0 ? [] : (termsOf(record) ?? []);
}
