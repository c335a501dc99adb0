/*
 * Generated firewalls, and a brute-force interpreter of their rules. It is written on its own: texts are compared by the functions of the language,
 * expressions by its regular expressions.
 *
 * What no source says is tried in every way, as different worlds: whether an inverted comparison holds for an absent header, and which of several
 * values of a query parameter is compared.
 */
import fc from 'fast-check';
import type { ViewedObject } from '../../src/kind/meaning.ts';
import type { WrittenCondition } from './firewall-lines.ts';

export interface WrittenRule {
  name: string;
  active: boolean;
  action: { mitigate: { action: string } };
  conditionGroup: { conditions: WrittenCondition[] }[];
}
export interface SmallRequest {
  path: string;
  method: string;
  header: string | undefined;
  query: readonly string[];
}
export interface World {
  absentInverse: boolean;
  severalValues: 'any' | 'all' | 'first';
}

const letters = ['a', 'b', 'c'];
/** All texts of some letters up to a length. */
const textsUpTo = (length: number, some = letters): string[] =>
  length === 0
    ? ['']
    : ['', ...textsUpTo(length - 1, some).flatMap((text) => some.map((letter) => letter + text))];

// Longer than any two conditions of a generated group can demand.
// `/d` stands for all letters that no generated value has, but that `\w` means as well.
const paths = [...textsUpTo(4, [...letters, '/']), 'd'].map((text) => `/${text}`);
export const plainRequests: SmallRequest[] = paths.flatMap((path) =>
  ['GET', 'POST', 'PUT', 'DELETE'].map((method) => ({ path, method, header: undefined, query: [] })),
);
export const oddRequests: SmallRequest[] = ['/', '/a', '/bc'].flatMap((path) =>
  [undefined, ...textsUpTo(3)].flatMap((header) =>
    [[], ['a'], ['b'], ['a', 'b'], ['c']].map((query) => ({ path, method: 'GET', header, query })),
  ),
);
export const worlds: World[] = [true, false].flatMap((absentInverse) =>
  (['any', 'all', 'first'] as const).map((severalValues) => ({ absentInverse, severalValues })),
);

export function matches(rule: WrittenRule, request: SmallRequest, world: World): boolean {
  return rule.conditionGroup.some(({ conditions }) =>
    conditions.every((condition) => holds(condition, request, world)),
  );
}

function holds(
  { type, op, neg = false, value }: WrittenCondition,
  request: SmallRequest,
  world: World,
): boolean {
  const values = { path: [request.path], method: [request.method], query: request.query }[type] ?? [
    request.header,
  ];
  const present = values.filter((text) => text !== undefined);
  const isInverse = op.startsWith('n') !== neg;
  const plain = op.replace(/^n/, '');
  if (plain === 'ex') return present.length > 0 !== isInverse;
  if (present.length === 0) return (isInverse || op.startsWith('n') || plain === 're') && world.absentInverse;
  const results = present.map((text) => compare(plain, text.toLowerCase(), value!));
  const isTrue =
    world.severalValues === 'any'
      ? results.includes(true)
      : world.severalValues === 'all'
        ? !results.includes(false)
        : results[0]!;
  return isTrue !== isInverse;
}

function compare(op: string, text: string, value: string | number | string[]): boolean {
  if (typeof value === 'object') return value.some((item) => item.toLowerCase() === text);
  const other = String(value).toLowerCase();
  if (op === 'eq') return text === other;
  if (op === 'pre') return text.startsWith(other);
  if (op === 'suf') return text.endsWith(other);
  return op === 'sub' ? text.includes(other) : new RegExp(String(value), 'i').test(text);
}

const text = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: least, maxLength: most });
const pathText = text(0, 1).map((rest) => `/${rest}`);
const upper = fc.boolean();
const expression = fc.constantFrom('^/a', 'b$', '^/[ab]+$', '^/a?b*$', '^[^a]*$', '.*', '^/\\w$', '^/(a|b)');
const comparison = (value: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.record({ op: fc.constantFrom('eq', 'neq', 'pre', 'suf', 'sub'), value }),
    fc.record({ op: fc.constantFrom('inc', 'ninc'), value: fc.array(value, { minLength: 0, maxLength: 3 }) }),
    fc.record({ op: fc.constant('re'), value: expression }),
  );
const nonEmpty = text(1, 2);
const withNegation = <T extends object>(part: fc.Arbitrary<T>) =>
  fc.tuple(part, fc.boolean()).map(([condition, neg]) => (neg ? { ...condition, neg } : condition));

/** Conditions on parts of a request that are always there, once. */
export const plainCondition: fc.Arbitrary<WrittenCondition> = withNegation(
  fc.oneof(
    {
      weight: 3,
      arbitrary: comparison(
        fc.tuple(pathText, upper).map(([value, isUpper]) => (isUpper ? value.toUpperCase() : value)),
      ).map((rest) => ({ type: 'path', ...rest })),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('method'),
        op: fc.constantFrom('eq', 'neq'),
        value: fc.constantFrom('GET', 'post'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('method'),
        op: fc.constantFrom('inc', 'ninc'),
        value: fc.subarray(['GET', 'post', 'PUT']),
      }),
    },
  ),
);
/** Conditions on parts that can be absent, or there several times. */
export const oddCondition: fc.Arbitrary<WrittenCondition> = withNegation(
  fc.oneof(
    fc
      .oneof(comparison(nonEmpty), fc.record({ op: fc.constantFrom('ex', 'nex') }))
      .map((rest) => ({ type: 'header', key: 'x', ...rest })),
    fc
      .oneof(comparison(nonEmpty), fc.record({ op: fc.constantFrom('ex', 'nex') }))
      .map((rest) => ({ type: 'query', key: 'q', ...rest })),
  ),
);

export const rulesOf = (condition: fc.Arbitrary<WrittenCondition>): fc.Arbitrary<WrittenRule[]> =>
  fc
    .array(
      fc.record({
        active: fc.oneof(
          { weight: 9, arbitrary: fc.constant(true) },
          { weight: 1, arbitrary: fc.constant(false) },
        ),
        action: fc
          .constantFrom('deny', 'deny', 'bypass', 'redirect', 'log', 'challenge', 'rate_limit')
          .map((action) => ({ mitigate: { action } })),
        conditionGroup: fc.array(
          fc.array(condition, { minLength: 1, maxLength: 2 }).map((conditions) => ({ conditions })),
          { minLength: 1, maxLength: 2 },
        ),
      }),
      { minLength: 2, maxLength: 5 },
    )
    .map((rules) => rules.map((rule, i) => ({ name: `r${i}`, ...rule })));

export const objectsOf = (rules: readonly WrittenRule[]): ViewedObject[] =>
  rules.map((rule) => ({
    address: rule.name,
    kind: 'firewallRule',
    parent: 'firewall',
    fields: rule as never,
    isDeclared: true,
  }));
