/*
 * Makes up a request of a visitor that meets some conditions of firewall rules and fails others, to show it as an example. Each part of the
 * request is chosen on its own: readable values are tried first, then a search with the conditions as automata.
 */
import { groupBy, type VisitorRequest, verdictOf } from '#kind';
import { Automaton, type SearchBudget, type TextRequirement } from '../firewall/automaton.ts';
import type { Attribute } from '../firewall/condition.ts';
import { evaluate } from '../firewall/evaluate.ts';
import { findText } from '../firewall/find-text.ts';
import { parsePattern } from '../firewall/pattern.ts';
import { type Assertion, domains } from '../firewall/requests.ts';

/** What an example may choose from. */
export interface ExampleContext {
  /** The hosts of the project. */
  hosts: readonly string[];
  budget: SearchBudget;
}

/** Readable values of each part; the first one that fits is taken. The addresses are reserved for documentation (RFC 5737). */
const usualValues: Readonly<Record<string, readonly string[]>> = {
  path: ['/', '/a', '/about', '/index.html'],
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
  scheme: ['https', 'http'],
  ip_address: ['203.0.113.9', '198.51.100.7', '192.0.2.1'],
  geo_country: ['DE', 'US', 'FR', 'JP', 'BR'],
  geo_continent: ['EU', 'NA', 'AS', 'SA', 'AF'],
  user_agent: ['Mozilla/5.0'],
};
const anyValues = ['x', '1', 'a'];
/** What the place of a text takes. */
const allowedCharacters: Readonly<Record<string, RegExp>> = {
  path: /[a-z0-9/\-._~=,;:!@$&*()+]/,
  host: /[a-z0-9.-]/,
  ip_address: /[0-9.]/,
  method: /[a-z]/,
  query: /[a-z0-9\-._~]/,
  cookie: /[a-z0-9\-._~]/,
};

/** Returns a request for which all assertions are surely true; undefined if none is found. */
export function buildRequest(
  assertions: readonly Assertion[],
  context: ExampleContext,
): VisitorRequest | undefined {
  const [host = 'host.example'] = context.hosts;
  let request: VisitorRequest = {
    method: 'GET',
    url: new URL(`https://${host}/`),
    headers: new Map(),
    hasAllHeaders: true,
  };
  const byPart = groupBy(assertions, ({ condition: { attribute } }) =>
    attribute.type === 'raw_path' ? 'path' : attribute.id,
  );
  for (const group of byPart.values()) {
    const changed = chooseValue(group, request, context);
    if (!changed) return undefined;
    request = changed;
  }
  // A later part can change an earlier one: the header `cookie` has all cookies.
  return assertions.every((assertion) => isTrue(assertion, request)) ? request : undefined;
}

/** Returns a request with a value for one part, such that the assertions about it are true. */
function chooseValue(
  group: readonly Assertion[],
  request: VisitorRequest,
  context: ExampleContext,
): VisitorRequest | undefined {
  const { attribute } = group[0]!.condition;
  if (attribute.mayBeAbsent && group.every((assertion) => isTrue(assertion, request))) return request;
  for (const value of candidateValues(attribute, group, context)) {
    const changed = withValue(request, attribute, value);
    if (changed && group.every((assertion) => isTrue(assertion, changed))) return changed;
  }
  return undefined;
}

const isTrue = ({ condition, holds }: Assertion, request: VisitorRequest): boolean =>
  evaluate(condition, request).verdict === verdictOf(holds);

/**
 * Yields values for one part of a request, the most readable first: usual ones, those that the conditions state, then one from the
 * automata.
 */
function* candidateValues(
  { type }: Attribute,
  group: readonly Assertion[],
  { hosts, budget }: ExampleContext,
): Generator<string> {
  const valuePlace = type === 'raw_path' ? 'path' : type;
  const stated = group.flatMap(({ condition: { value, attribute, test } }) => {
    if (test.type === 'number')
      return test.bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).map(String);
    // A range of addresses is no address.
    return [value ?? []]
      .flat(2)
      .map(String)
      .filter((text) => attribute.type !== 'ip_address' || !text.includes('/'));
  });
  if (valuePlace === 'host') yield* hosts;
  yield* usualValues[valuePlace] ?? anyValues;
  yield* stated;
  if (valuePlace === 'path')
    yield* stated.flatMap((text) => [`/${text}`, `${text}a`, `${text}/a`, `/a${text}`, `/a/${text}a`]);
  const requirements = group.flatMap(({ condition: { test, isInverse }, holds }): TextRequirement[] =>
    test.type === 'text' ? [{ automaton: test.automaton, isIn: holds !== isInverse }] : [],
  );
  const domain = valuePlace === 'ip_address' ? ipAddressDomain() : domains[valuePlace];
  const text = findText(
    domain ? [...requirements, domain] : requirements,
    budget,
    allowedCharacters[valuePlace],
  );
  if (text !== undefined) yield text;
}

/** Returns the requirement that a text is an IPv4 address. */
function ipAddressDomain(): TextRequirement | undefined {
  const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
  const parsed = parsePattern(`^${octet}\\.${octet}\\.${octet}\\.${octet}$`);
  return parsed.type === 'pattern' ? { automaton: new Automaton(parsed.pattern), isIn: true } : undefined;
}

/** Returns a request with a value for one part; undefined if that part cannot have the value. */
function withValue(
  request: VisitorRequest,
  { type, key = '' }: Attribute,
  value: string,
): VisitorRequest | undefined {
  const withHeader = (name: string, text: string): VisitorRequest => ({
    ...request,
    headers: new Map([...request.headers, [name.toLowerCase(), text]]),
  });
  const url = new URL(request.url);
  switch (type) {
    case 'path':
    case 'raw_path':
      if (!value.startsWith('/')) return undefined;
      url.pathname = value;
      return url.pathname === value ? { ...request, url } : undefined;
    case 'host':
      url.hostname = value;
      return url.hostname === value ? { ...request, url } : undefined;
    case 'scheme':
      url.protocol = value;
      return url.protocol === `${value}:` ? { ...request, url } : undefined;
    case 'method':
      return { ...request, method: value.toUpperCase() };
    case 'ip_address':
      return { ...request, ip: value };
    case 'geo_country':
      return { ...request, country: value.toUpperCase() };
    case 'user_agent':
      return withHeader('user-agent', value);
    case 'header':
      return withHeader(key, value);
    case 'query':
      url.searchParams.append(key, value);
      return { ...request, url };
    case 'cookie': {
      const cookies = request.headers.get('cookie');
      return withHeader('cookie', `${cookies === undefined ? '' : `${cookies}; `}${key}=${value}`);
    }
    default:
      return { ...request, attributes: new Map([...(request.attributes ?? []), [type, value]]) };
  }
}
