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
      const count = countLookups(dns, name, counts);
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
      message: `the SPF record of ${name} has ${unreadable.map(({ text }) => `\`${text}\``).join(', ')}, which no receiver of mail can read: they take the whole record for an error`,
      hint: 'correct the term, such as `ip4:192.0.2.1`, `include:example.net` or `-all`',
    });
  const all = evaluatedTerms(terms).find((term) => term.name === 'all');
  if (all?.qualifier === '+' && unreadable.length === 0)
    yield finding('all', set, {
      message: `the SPF record of ${name} ends with \`${all.text}\`: it allows everyone to send mail in its name`,
      hint: 'end it with `-all` or `~all`, after the terms of the servers that may send',
    });
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
function countLookups(dns: Dns, name: string, counts: Counts): Count {
  if (counts.has(name)) return counts.get(name) ?? { lookups: Number.POSITIVE_INFINITY, cause: name };
  counts.set(name, undefined);
  const count: Count = { lookups: 0, cause: undefined };
  for (const term of evaluatedTerms(termsAt(dns, name))) {
    if (needsLookup(term)) count.lookups += 1;
    const host = referredHost(term);
    if (host === undefined) continue;
    const referred = countLookups(dns, absoluteName(host), counts);
    count.lookups += referred.lookups;
    if (referred.lookups > mostLookups) count.cause ??= referred.cause ?? absoluteName(host);
  }
  // A record that includes itself is its own cause.
  if (count.cause === name) count.cause = undefined;
  counts.set(name, count);
  return count;
}

/** Returns the terms of the only SPF record of a name; none if it has none, or if that is unknown. */
function termsAt({ zones }: Dns, name: string): SpfTerm[] {
  const found = findName(zones, name);
  if (found.state !== 'records') return [];
  const [record, ...others] = spfRecords(found.sets.get('TXT'));
  return record === undefined || others.length > 0 ? [] : (termsOf(record) ?? []);
}
