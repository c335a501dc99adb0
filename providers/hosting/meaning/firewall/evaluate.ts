/*
 * Decides whether a condition of a firewall rule holds for one request of a visitor, for `trueup trace`.
 */
import { negate, type Verdict, type VisitorRequest, verdictOf } from '#kind';
import { decodePath } from '../decode-path.ts';
import { passes } from './compare-texts.ts';
import { type Attribute, type Condition, lowerCase } from './condition.ts';

/** The answer, and why there is no certain one. */
export interface Answer {
  verdict: Verdict;
  why?: string;
}

/** The values of an attribute: none if it is absent, several for a repeated query parameter. Or why they are not known. */
type Values = { values: readonly string[] } | { why: string };

/**
 * Returns whether a condition holds for a request, with the reason if that is not certain. Used for the steps that `trueup trace` prints.
 */
export function evaluate(condition: Condition, request: VisitorRequest): Answer {
  const actual = valuesOf(condition.attribute, request);
  if ('why' in actual) return { verdict: 'unknown', why: actual.why };
  if (actual.values.length === 0) return whenAbsent(condition);
  const answers = actual.values.map((value) => evaluateValue(condition, value));
  const [first] = answers as [Answer, ...Answer[]];
  return answers.every(({ verdict }) => verdict === first.verdict)
    ? first
    : unknown('no source says which of several values is compared');
}

const unknown = (why: string): Answer => ({ verdict: 'unknown', why });

const whenAbsent = ({ whenAbsent: verdict }: Condition): Answer =>
  verdict === 'unknown'
    ? unknown('it is absent, and no source says what the operator means then')
    : { verdict };

/** How many steps the comparison of one value with one expression may cost. */
const mostSteps = 1_000_000;

function evaluateValue(condition: Condition, value: string): Answer {
  const { attribute, test, isInverse } = condition;
  const answer = (isPassed: boolean): Answer => ({
    verdict: isInverse ? negate(verdictOf(isPassed)) : verdictOf(isPassed),
  });
  if (test.type === 'exists') return answer(true);
  if (test.type === 'text') {
    const budget = { steps: mostSteps };
    const spellings = spellingsOf(attribute, value).map((spelling) =>
      passes(lowerCase(spelling), test, budget),
    );
    if (spellings.includes('unknown')) return unknown('comparing them takes too many steps');
    return new Set(spellings).size === 1
      ? answer(spellings[0] === 'yes')
      : unknown('no source says whether the path is compared as it is written');
  }
  if (test.type === 'number' && /^\d+$/.test(value)) return answer(test.accepts(Number(value)));
  const isPassed = attribute.type === 'ip_address' ? passesAddressTest(condition, value) : undefined;
  return isPassed === undefined ? unknown(whyOpaque(condition)) : answer(isPassed);
}

/** Returns the spellings of a path that the platform may compare: as sent, decoded, and each without a slash at its end. */
function spellingsOf({ type }: Attribute, value: string): string[] {
  if (type !== 'path') return [value];
  const short = value.length > 1 ? value.replace(/\/$/, '') : value;
  return [...new Set([value, short, decodePath(value), decodePath(short)])];
}

/** Returns whether a condition lists an address. Undefined if only a range or another spelling could match, because neither is compared. */
function passesAddressTest({ value, op }: Condition, address: string): boolean | undefined {
  if (!/^n?(eq|inc)$/.test(op)) return undefined;
  const listed = [value].flat().map((text) => String(text).toLowerCase());
  if (listed.includes(address.toLowerCase())) return true;
  // If all of them are global IPv6 addresses, none is an IPv4 address in another spelling.
  const areOtherVersion = !address.includes(':') && listed.every((text) => /^[23][0-9a-f]{3}:/.test(text));
  return areOtherVersion ? false : undefined;
}

function whyOpaque({ invalid, attribute: { type }, op, value }: Condition): string {
  if (invalid !== undefined) return `it is no regular expression: ${invalid}`;
  if (op === 're') return 'the expression uses more than can be compared here';
  if (type === 'ip_address') return 'ranges and other spellings of addresses are not compared';
  return value === undefined || value === ''
    ? 'no source says what an empty value means'
    : 'this comparison cannot be decided here';
}

const notGiven = 'the request does not say';

function valuesOf({ type, key = '' }: Attribute, request: VisitorRequest): Values {
  const { url, headers, method, ip, country, hasAllHeaders = false, attributes } = request;
  const toValues = (value: string | undefined): Values =>
    value === undefined ? { why: notGiven } : { values: [value] };
  const toHeaderValues = (value: string | undefined): Values =>
    value === undefined && hasAllHeaders ? { values: [] } : toValues(value);
  switch (type) {
    case 'path':
    case 'raw_path':
      return toValues(url.pathname);
    case 'host':
      return toValues(url.hostname);
    case 'method':
      return toValues(method);
    case 'scheme':
      return toValues(url.protocol.replace(':', ''));
    case 'ip_address':
      return toValues(ip);
    case 'geo_country':
      return toValues(country);
    case 'user_agent':
      return toHeaderValues(headers.get('user-agent'));
    case 'header':
      return toHeaderValues(headers.get(key.toLowerCase()));
    case 'query':
      return named([...url.searchParams], key);
    case 'cookie':
      return cookies(headers.get('cookie') ?? (hasAllHeaders ? '' : undefined), key);
    default: {
      const value = attributes?.get(type);
      return value === undefined ? { why: 'only the platform knows it' } : { values: [value] };
    }
  }
}

function cookies(header: string | undefined, key: string): Values {
  if (header === undefined) return { why: notGiven };
  const pairs = header.split(';').map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=');
    return [name.trim(), value.join('=').trim()];
  });
  return named(pairs, key);
}

/** Returns the values of a name. Whether names are compared by case is not documented. */
function named(pairs: readonly (readonly [string, string])[], key: string): Values {
  const values = pairs.flatMap(([name, value]) => (name === key ? [value] : []));
  const similar = pairs.filter(([name]) => name.toLowerCase() === key.toLowerCase());
  return similar.length === values.length
    ? { values }
    : { why: 'no source says whether the case of its name counts' };
}
