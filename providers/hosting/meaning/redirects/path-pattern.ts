/*
 * Whether the source of a redirect or route matches a path, and what its parameters stand for.
 *
 * No source says how the platform treats a trailing slash, a regular expression without `^` and `$`, percent-encoding, or upper and lower
 * case if `caseSensitive` is not stated. So a pattern has several readings, and it matches for sure only if it matches in all of them. The
 * syntaxes are those of the API: `equals`, `path-to-regexp` (version 6, as in the files of deployments) and `regex`.
 */
import type { Verdict } from '#kind';
import { decodePath } from '../decode-path.ts';
import type { MatchBudget } from './match-budget.ts';
import {
  compileSimpleRegex,
  costOfPart,
  costOfSearch,
  hasOpenAlternatives,
  isCheapMatch,
  isSimpleRegex,
  type MatchCost,
  requiredText,
  stepsOfMatch,
} from './simple-regex.ts';

/** The values of parameters by name, and of groups by number. */
export type Parameters = ReadonlyMap<string, string>;

/** The source of a redirect or route. */
export interface PathPattern {
  source: string;
  syntax: 'equals' | 'path-to-regexp' | 'regex';
  /** Undefined if the configuration does not say it. */
  isCaseSensitive: boolean | undefined;
  /** Set if the source is a plain path: the path. */
  literal: string | undefined;
  /** What it may mean. Empty for a plain path, and if it uses something that is not understood. */
  readings: readonly RegExp[];
  /** The names of the groups of its readings, in order. */
  names: readonly string[];
  /** Limits the time for a match. */
  cost: MatchCost;
  /** Limits the time for all matches. Absent if there are few. */
  budget?: MatchBudget | undefined;
  /** The parts that all matching paths start with, in lower case: `/docs` for `/docs/:path*`. Empty if it can match anything. */
  prefix: string;
  /**
   * A text that all matching paths contain, in lower case. Empty if there is none. Compared first, because it is faster than the readings.
   */
  needle: string;
}

export interface PathMatch {
  verdict: Verdict;
  /** Set for yes, if all readings agree on them. */
  parameters?: Parameters | undefined;
}

const plainPath = /^\/[\w\-.~!@&',;=/]*$/;

/**
 * Returns a path in a form that is equal for all spellings that the platform may treat alike: decoded, lower case, without a slash at the
 * end.
 */
export function alikeKey(path: string): string {
  const isSimple = !/[%A-Z]|\/\/|.\/$/.test(path);
  return isSimple
    ? path
    : decodePath(path)
        .toLowerCase()
        .replace(/\/{2,}/g, '/')
        .replace(/(?<=.)\/$/, '');
}

/** Returns whether a plain source matches a path. `yes` only for the same text, or for another case if that cannot matter. */
export function matchLiteral(source: string, isCaseSensitive: boolean | undefined, path: string): Verdict {
  if (source === path) return plainPath.test(source) && !source.includes('//') ? 'yes' : 'unknown';
  if (alikeKey(source) !== alikeKey(path)) return 'no';
  if (source.toLowerCase() !== path.toLowerCase() || !plainPath.test(source)) return 'unknown';
  return isCaseSensitive === undefined ? 'unknown' : isCaseSensitive ? 'no' : 'yes';
}

/** Returns what a source means; undefined if its syntax is unknown or unclear. */
export function compilePattern(
  source: string,
  statedSyntax: unknown,
  isCaseSensitive: boolean | undefined,
  budget?: MatchBudget,
): PathPattern | undefined {
  const syntax = statedSyntax ?? inferSyntax(source);
  if (syntax !== 'equals' && syntax !== 'path-to-regexp' && syntax !== 'regex') return undefined;
  const uncompiled: PathPattern = {
    source,
    syntax,
    isCaseSensitive,
    literal: undefined,
    readings: [],
    names: [],
    cost: { repetitions: 0, choices: 1 },
    budget,
    prefix: '',
    needle: '',
  };
  const isLiteral = syntax === 'equals' || (syntax === 'path-to-regexp' && plainPath.test(source));
  if (isLiteral) return { ...uncompiled, literal: source, prefix: alikeKey(source) };
  const compiled = syntax === 'regex' ? compileRegex(source) : compilePath(source);
  if (!compiled) return uncompiled;
  const { texts, prefix, ...others } = compiled;
  const flags = isCaseSensitive === undefined ? ['', 'i'] : isCaseSensitive ? [''] : ['i'];
  return {
    ...uncompiled,
    ...others,
    readings: texts.flatMap((text) => flags.map((flag) => new RegExp(text, flag))),
    prefix: alikeKey(prefix),
  };
}

/** Returns the syntax of a source without a stated one, where it is obvious. The platform infers it from the pattern. */
function inferSyntax(source: string): PathPattern['syntax'] | undefined {
  if (plainPath.test(source)) return 'equals';
  if (source.startsWith('^')) return 'regex';
  return /^(\/([\w\-.~]+|:[a-z]\w*[*+?]?))+$/i.test(source) ? 'path-to-regexp' : undefined;
}

interface CompiledPattern {
  /** The sources of its readings. */
  texts: string[];
  names: string[];
  cost: MatchCost;
  prefix: string;
  needle: string;
}

/** Returns the readings of a regular expression: as it is, and for the whole path. */
function compileRegex(source: string): CompiledPattern | undefined {
  if (!isSimpleRegex(source)) return undefined;
  const count = compileSimpleRegex(`${source}|`).exec('')!.length - 1;
  const isWhole = source.startsWith('^') && /[^\\]\$$/.test(source) && !hasOpenAlternatives(source);
  const literalStart = /^\^((?:\/[\w-]+)*)(?=\/|\$$)/.exec(hasOpenAlternatives(source) ? '' : source);
  const isRepeated = literalStart !== null && /^.[*+?{]/.test(source.slice(literalStart[0].length));
  return {
    texts: isWhole ? [source] : [source, `^(?:${source})$`],
    names: Array.from({ length: count }, (_, index) => String(index + 1)),
    cost: costOfSearch(source),
    prefix: literalStart && !isRepeated ? literalStart[1]! : '',
    needle: requiredText(source),
  };
}

/** Matches a parameter, a group, or a text of a path pattern. */
const pathToken =
  /(\/?):([a-z_]\w*)(\((?!\?)[^()]*\))?([*+?]?)|(\/?)\((?!\?)([^()]*)\)(?![*+?])|([\w\-.~!@&',;=/%]+?(?=\/?[:(]|$))/giy;

/** Returns the readings of a path pattern: with and without a slash at the end. */
function compilePath(source: string): CompiledPattern | undefined {
  if (!source.startsWith('/')) return undefined;
  const names: string[] = [];
  let text = '';
  let prefix: string | undefined;
  let needle = '';
  let repetitions = 0;
  let choices = 1;
  let end = 0;
  for (const token of source.matchAll(pathToken)) {
    if (token.index !== end) return undefined;
    end += token[0].length;
    const [, slash, name, group, modifier, groupSlash, groupOnly, literal] = token;
    if (literal !== undefined) {
      text += literal.replace(/[.\\]/g, '\\$&');
      if (literal.length > needle.length) needle = literal.toLowerCase();
      continue;
    }
    prefix ??= source.slice(0, token.index);
    const inner = group === undefined ? groupOnly : group.slice(1, -1);
    if (inner !== undefined && (!isSimpleRegex(inner) || modifier)) return undefined;
    const cost = costOfParameter(inner, modifier, source.slice(end));
    repetitions += cost.repetitions;
    choices *= cost.choices;
    names.push(name ?? String(names.length + 1));
    if (inner !== undefined) text += `${slash ?? groupSlash}(${inner})`;
    else if (modifier === '') text += `${slash}([^/]+?)`;
    else if (slash !== '/') return undefined;
    else text += modifier === '?' ? '(?:/([^/]+?))?' : `((?:/[^/]+)${modifier})`;
  }
  if (end !== source.length) return undefined;
  // Only whole parts: `/docs` for `/docs-:name`.
  const whole = (prefix ?? source).replace(/\/$/, '');
  const isWhole = source[whole.length] === '/';
  return {
    texts: [`^${text}$`, `^${text}/?$`],
    names,
    cost: { repetitions, choices },
    prefix: isWhole ? whole : whole.replace(/\/[^/]*$/, ''),
    needle,
  };
}

/**
 * Returns the cost of one parameter of a path pattern. A parameter in front of a slash has one possible end. `next`: the text behind it.
 */
function costOfParameter(inner: string | undefined, modifier: string | undefined, next: string): MatchCost {
  if (inner !== undefined) return costOfPart(inner);
  const hasOneEnd = modifier !== '*' && modifier !== '+' && /^(?:\/|$)/.test(next);
  return { repetitions: hasOneEnd ? 0 : 1, choices: modifier === '?' ? 2 : 1 };
}

/** Returns whether a pattern matches a path, and with which parameters. */
export function matchPattern(pattern: PathPattern | undefined, path: string): PathMatch {
  if (!pattern) return { verdict: 'unknown' };
  const { source, literal, isCaseSensitive, readings, names, cost, budget, prefix } = pattern;
  if (literal !== undefined)
    return { verdict: matchLiteral(literal, isCaseSensitive, path), parameters: new Map() };
  if (readings.length === 0 || !isCheapMatch(path, cost)) return { verdict: 'unknown' };
  if (prefix !== '' && !alikeKey(path).startsWith(prefix)) return { verdict: 'no' };
  const spellings = path.includes('%') ? [path, decodePath(path)] : [path];
  const steps = stepsOfMatch(path, cost) * readings.length * spellings.length;
  if (budget?.take(source, steps) === false) return { verdict: 'unknown' };
  const matches = readings.flatMap((reading) => spellings.map((spelling) => reading.exec(spelling)));
  const matching = matches.filter((match) => match !== null);
  if (matching.length === 0) return { verdict: 'no' };
  if (matching.length < matches.length) return { verdict: 'unknown' };
  const [first, ...others] = matching.map((match) => match.slice(1));
  const isAgreed = others.every((groups) => groups.every((group, index) => group === first![index]));
  // A repeated parameter has the slash in front of its first part.
  const entries = names.flatMap((name, index): [string, string][] => {
    const value = first![index];
    return value === undefined || value === '' ? [] : [[name, value.replace(/^\//, '')]];
  });
  return { verdict: 'yes', parameters: isAgreed ? new Map(entries) : undefined };
}
