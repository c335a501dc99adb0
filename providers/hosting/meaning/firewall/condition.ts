/*
 * Reads the conditions of firewall rules. Source of the semantics, unless another is named:
 * https://vercel.com/docs/vercel-firewall/vercel-waf/rule-configuration (operators ignore case; `neq` and `neg` invert; `inc` is like an SQL IN;
 * `re` is a Perl compatible regular expression; a path starts with `/`).
 *
 * An attribute is the part of a request that a condition compares: the path, or the header of one name. Some can be absent, and some can have
 * several values at once, such as a query parameter. What an inverted comparison says of an absent attribute is not documented.
 */
import { canonicalJson, holesIn, isPlainObject, Sealed, type Value, type Verdict } from '#kind';
import { Automaton } from './automaton.ts';
import { hasForeignCase, type Pattern, parsePattern, patternOfText } from './pattern.ts';

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

export interface TextTest {
  type: 'text';
  comparison: Comparison;
  automaton: Automaton;
}

/** A test of a text as far as texts can be compared without an automaton; texts are in lower case. */
export type Comparison =
  | { type: 'one of'; texts: readonly string[] }
  | { type: 'prefix' | 'suffix' | 'part'; text: string }
  | { type: 'pattern' };

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
  /** False for what can change between two rules, such as the count of a rate limit: equal conditions then say nothing about each other. */
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
/** The operators that invert another one. */
const inverses: Record<string, string> = { neq: 'eq', ninc: 'inc', nex: 'ex' };

/** Returns a condition as a rule declares it; undefined if a part of it is not known yet, is secret, or has an unexpected form. */
export function readCondition(value: Value | undefined): Condition | undefined {
  if (!isPlainObject(value) || !isReadable(value)) return undefined;
  const { type, op, key, value: compared, neg } = value as Record<string, Value | undefined>;
  if (typeof type !== 'string' || typeof op !== 'string') return undefined;
  if (neg !== undefined && neg !== null && typeof neg !== 'boolean') return undefined;
  const attribute = attributeOf(type, typeof key === 'string' ? key : undefined);
  const positiveOp = inverses[op] ?? op;
  const isInverse = (positiveOp !== op) !== (neg === true);
  const text = readComparedValue(compared);
  const { test, invalid } = createTest(attribute, positiveOp, text);
  const testId = canonicalJson([attribute.id, positiveOp, normalValue(text)] as Value);
  const whenAbsent = verdictWhenAbsent(test, positiveOp, text, neg === true || positiveOp !== op, isInverse);
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

/** True for a value without holes and secrets. */
const isReadable = (value: Value) => [...holesIn(value)].length === 0 && !hasSecret(value);
const hasSecret = (value: Value): boolean =>
  value instanceof Sealed ||
  (typeof value === 'object' && value !== null && Object.values(value).some((part) => hasSecret(part)));

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

/** Returns a compared value; undefined for none, and for one of another form. */
const readComparedValue = (value: Value | undefined): Condition['value'] => {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? (value as string[])
    : undefined;
};

/** Returns a compared value as operators that ignore case see it. The order of a list does not matter. */
const normalValue = (value: Condition['value']): Value =>
  typeof value === 'object'
    ? [...new Set(value.map(lowerCase))].sort()
    : value === undefined
      ? null
      : lowerCase(String(value));

export const lowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

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
  if (op === 'eq' || op === 'inc') return { test: textTest(oneOf(texts), { type: 'one of', texts }) };
  const [text] = texts as [string];
  // What an empty text is a part of is not documented.
  if (text === '') return opaque;
  const pattern = patternOfText(text);
  const [start, end] = [{ type: 'start' }, { type: 'end' }] as const;
  if (op === 'pre')
    return { test: textTest({ type: 'sequence', parts: [start, pattern] }, { type: 'prefix', text }) };
  if (op === 'suf')
    return { test: textTest({ type: 'sequence', parts: [pattern, end] }, { type: 'suffix', text }) };
  if (op === 'sub') return { test: textTest(pattern, { type: 'part', text }) };
  return opaque;
}

/** Returns a test with an automaton that is made when it is first needed. */
function textTest(pattern: Pattern, comparison: Comparison): Test {
  let automaton: Automaton | undefined;
  return {
    type: 'text',
    comparison,
    get automaton() {
      automaton ??= new Automaton(pattern);
      return automaton;
    },
  };
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
  return { test: textTest(parsed.pattern, { type: 'pattern' }) };
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

/** An absent attribute does not exist, and neither equals, starts with, ends with nor contains a text. Of all else no source says anything. */
function verdictWhenAbsent(
  test: Test,
  op: string,
  value: Condition['value'],
  isWrittenInverse: boolean,
  isInverse: boolean,
): Verdict {
  if (test.type === 'exists') return isInverse ? 'yes' : 'no';
  if (isWrittenInverse || !['eq', 'inc', 'pre', 'suf', 'sub'].includes(op)) return 'unknown';
  const texts = typeof value === 'object' ? value : [String(value ?? '')];
  return texts.includes('') ? 'unknown' : 'no';
}
