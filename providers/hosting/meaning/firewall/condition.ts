/*
 * Reads the conditions of firewall rules. Source of the semantics, unless another is named:
 * https://vercel.com/docs/vercel-firewall/vercel-waf/rule-configuration (operators ignore case; `neq` and `neg` invert; `inc` is like an
 * SQL IN; `re` is a Perl compatible regular expression; a path starts with `/`).
 *
 * An attribute is the part of a request that a condition compares: the path, or the header of one name. Some can be absent, and some can
 * have several values at once, such as a query parameter. What an inverted comparison says of an absent attribute is not documented.
 */
import { isPlainObject, type Value, type Verdict, verdictOf } from '#kind';
import { Automaton } from './automaton.ts';
import {
  hasForeignCase,
  mostNodes,
  type Pattern,
  parsePattern,
  patternOfText,
  plainPrefix,
  sizeOf,
} from './pattern.ts';

/** The part of a request that a condition compares. */
export interface Attribute {
  /** Equal for the same part of a request: `path`, `header user-agent`. */
  id: string;
  type: string;
  /** The name of the header, query parameter or cookie. */
  key: string | undefined;
  mayBeAbsent: boolean;
  mayRepeat: boolean;
}

/** What a condition asks about the value of an attribute, before it is inverted. `opaque`: something that cannot be decided here. */
export type Test =
  | TextTest
  | { type: 'number'; accepts: (number: number) => boolean; bounds: readonly number[] }
  | { type: 'exists' }
  | { type: 'opaque' };

/** A test of a text. Simple ones are compared as they are (`comparison`), the others as automata. */
export class TextTest {
  readonly type = 'text';
  readonly comparison: Comparison;
  private readonly createPattern: () => Pattern;
  private created: Automaton | undefined;
  constructor(comparison: Comparison, createPattern: () => Pattern) {
    this.comparison = comparison;
    this.createPattern = createPattern;
  }

  /** The texts that pass. Made when it is first needed, since most tests can be compared without. */
  get automaton(): Automaton {
    this.created ??= new Automaton(this.createPattern());
    return this.created;
  }
}

/** A test of a text as far as texts can be compared without an automaton; texts are in lower case. */
export type Comparison =
  | { type: 'one of'; texts: ReadonlySet<string> }
  | { type: 'prefix' | 'suffix' | 'part'; text: string }
  /** `prefix`: how every text that matches begins, as far as it is plain. */
  | { type: 'pattern'; prefix: string };

/** A condition of a firewall rule: it holds for a request if the attribute passes the test or, with `isInverse`, fails it. */
export interface Condition {
  attribute: Attribute;
  test: Test;
  /** Equal for conditions with the same test. */
  testId: string;
  isInverse: boolean;
  /** Whether the condition holds if the attribute is absent. */
  whenAbsent: Verdict;
  /** Equal for conditions that always hold together. */
  id: string;
  /** False if the answer can change from one rule to the next, such as the count of a rate limit. Two equal conditions can then differ. */
  isStable: boolean;
  /** Why the regular expression is none. */
  invalid?: string;
  op: string;
  value: string | number | readonly string[] | undefined;
}

/** The part that is always there in a request. */
const alwaysThere = 'path raw_path method host ip_address scheme protocol environment region'.split(' ');
const withKey = ['header', 'query', 'cookie'];
/** Judged by the platform from more than the request itself. */
const judged = /^(bot_\w+|rate_limit_api_id)$/;
/** A rule with a condition on one of these runs after the middleware, so after rules without. */
export const isLate = ({ attribute: { type } }: Condition): boolean =>
  ['route', 'target_path', 'server_action'].includes(type);
/** The operators that invert another one, each with that one. */
export const inverses: Readonly<Record<string, string>> = { neq: 'eq', ninc: 'inc', nex: 'ex' };

/**
 * Parses a condition as a rule declares it, to compare it with other conditions and requests. Undefined if a part of it is known only after
 * an apply, is secret, or has an unexpected form.
 */
export function readCondition(value: Value | undefined): Condition | undefined {
  if (!isPlainObject(value)) return undefined;
  const { type, op, key, value: compared, neg } = value as Record<string, Value | undefined>;
  if (typeof type !== 'string' || typeof op !== 'string' || !isTextOrNothing(key)) return undefined;
  if (!isNothing(neg) && typeof neg !== 'boolean') return undefined;
  if (!isNothing(compared) && !isComparedValue(compared)) return undefined;
  const attribute = attributeOf(type, key ?? undefined);
  const positiveOp = inverses[op] ?? op;
  const isInverse = (positiveOp !== op) !== (neg === true);
  const text = compared ?? undefined;
  const { test, invalid } = createTest(attribute, positiveOp, text);
  const testId = `${attribute.id} ${positiveOp} ${JSON.stringify(normalValue(text))}`;
  const isWrittenInverse = neg === true || positiveOp !== op;
  const whenAbsent =
    test.type === 'exists' ? verdictOf(isInverse) : verdictWhenAbsent(positiveOp, text, isWrittenInverse);
  return {
    attribute,
    test,
    testId,
    isInverse,
    whenAbsent,
    id: `${testId} ${isInverse} ${whenAbsent}`,
    isStable: !judged.test(type),
    invalid,
    op,
    value: text,
  };
}

const isNothing = (value: Value | undefined): value is null | undefined =>
  value === undefined || value === null;
const isTextOrNothing = (value: Value | undefined): value is string | null | undefined =>
  isNothing(value) || typeof value === 'string';
/** True for a value that is there in full: no hole, and no secret. */
const isComparedValue = (value: Value): value is string | number | string[] =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'));

function attributeOf(type: string, key: string | undefined): Attribute {
  const isKeyed = withKey.includes(type);
  return {
    id: isKeyed ? `${type} ${type === 'header' ? key?.toLowerCase() : key}` : type,
    type,
    key: isKeyed ? key : undefined,
    mayBeAbsent: !alwaysThere.includes(type),
    mayRepeat: isKeyed,
  };
}

/** Returns a compared value as operators that ignore case see it. The order of a list does not matter. */
const normalValue = (value: Condition['value']): Value =>
  typeof value === 'object'
    ? [...new Set(value.map(lowerCase))].sort()
    : value === undefined
      ? null
      : lowerCase(String(value));

export const lowerCase = (text: string): string =>
  /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;

const opaque = { test: { type: 'opaque' } } as const;

function createTest(
  attribute: Attribute,
  op: string,
  value: Condition['value'],
): { test: Test; invalid?: string } {
  if (op === 'ex') return { test: { type: 'exists' } };
  if (value === undefined || judged.test(attribute.type)) return opaque;
  if (op === 're') return typeof value === 'object' ? opaque : patternTest(attribute, String(value));
  const texts = (typeof value === 'object' ? value : [String(value)]).map(lowerCase);
  if (attribute.type === 'geo_as_number') return { test: numberTest(op, texts) };
  if (!texts.every((text) => isComparable(attribute, text))) return opaque;
  if (op === 'inc' ? typeof value !== 'object' : typeof value === 'object') return opaque;
  if (op === 'eq' || op === 'inc')
    return { test: new TextTest({ type: 'one of', texts: new Set(texts) }, () => oneOf(texts)) };
  const [text] = texts as [string];
  // What an empty text is a part of is not documented.
  if (text === '') return opaque;
  const pattern = () => patternOfText(text);
  const [start, end] = [{ type: 'start' }, { type: 'end' }] as const;
  if (op === 'pre')
    return {
      test: new TextTest({ type: 'prefix', text }, () => ({ type: 'sequence', parts: [start, pattern()] })),
    };
  if (op === 'suf')
    return {
      test: new TextTest({ type: 'suffix', text }, () => ({ type: 'sequence', parts: [pattern(), end] })),
    };
  if (op === 'sub') return { test: new TextTest({ type: 'part', text }, pattern) };
  return opaque;
}

const oneOf = (texts: readonly string[]): Pattern => ({
  type: 'sequence',
  parts: [{ type: 'start' }, { type: 'choice', options: texts.map(patternOfText) }, { type: 'end' }],
});

function patternTest({ type }: Attribute, text: string): { test: Test; invalid?: string } {
  const parsed = parsePattern(text);
  if (parsed.type === 'invalid') return { ...opaque, invalid: parsed.reason };
  // A value with a line break would make `.` and `$` mean more than they do here, and ranges of addresses are no texts.
  if (parsed.type === 'unsupported' || type === 'query' || type === 'ip_address') return opaque;
  if (sizeOf(parsed.pattern) > mostNodes) return opaque;
  return {
    test: new TextTest({ type: 'pattern', prefix: plainPrefix(parsed.pattern) }, () => parsed.pattern),
  };
}

/**
 * True if a text can be compared with the value of an attribute character by character. An IPv6 address has several spellings, a range of
 * addresses is no text, and whether an encoded character of a path is decoded first is not documented.
 */
function isComparable({ type }: Attribute, text: string): boolean {
  if (type === 'ip_address') return /^\d{1,3}(\.\d{1,3}){3}$/.test(text);
  if (/^(path|raw_path|target_path|route)$/.test(type) && /[% ]/.test(text)) return false;
  return !hasForeignCase(text) && !text.includes('\n');
}

/** Returns a test of the number of an autonomous system. */
function numberTest(op: string, texts: readonly string[]): Test {
  if (!texts.every((text) => /^\d{1,10}$/.test(text))) return { type: 'opaque' };
  const bounds = texts.map(Number);
  const compare = comparisons[op];
  return compare
    ? { type: 'number', bounds, accepts: (number) => bounds.some((bound) => compare(number, bound)) }
    : { type: 'opaque' };
}

const comparisons: Record<string, (number: number, bound: number) => boolean> = {
  eq: (number, bound) => number === bound,
  inc: (number, bound) => number === bound,
  gt: (number, bound) => number > bound,
  gte: (number, bound) => number >= bound,
  lt: (number, bound) => number < bound,
  lte: (number, bound) => number <= bound,
};

/**
 * Returns whether a comparison holds for an absent attribute, which neither equals, starts with, ends with nor contains a text. No source
 * says anything about other operators and inverted ones.
 */
function verdictWhenAbsent(op: string, value: Condition['value'], isWrittenInverse: boolean): Verdict {
  if (isWrittenInverse || !['eq', 'inc', 'pre', 'suf', 'sub'].includes(op)) return 'unknown';
  const texts = typeof value === 'object' ? value : [String(value ?? '')];
  return texts.includes('') ? 'unknown' : 'no';
}
