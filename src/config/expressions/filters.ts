import { hintFor, quoted } from '../suggest.ts';
import { type Expression, isNode, type Node, type ScalarNode } from '../yaml/nodes.ts';
import type { PathStep } from './parse-expressions.ts';
import type { ExpressionContext, ResolvedValue } from './resolve-roots.ts';

/** Letters that Unicode does not decompose into a base letter and marks, and their usual spelling. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
};

/**
 * Splits a text into words of `a-z` and `0-9` in lower case. Everything else separates words. Used by the filters that
 * make names.
 */
function splitWords(text: string): string[] {
  const asciiText = text
    .toLowerCase()
    .replace(/[ßæœøđðłþ]/g, (letter) => letters[letter]!)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return asciiText.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/**
 * The filters of expressions, such as `${input.country | upper}`. Names are made with them, and names are identities. So the result of a
 * filter for a text must never change; a table of cases in the tests makes sure of it.
 */
export const filters: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  /** `Österreich & Co.` becomes `osterreich-co`. */
  slug: (text) => splitWords(text).join('-'),
  /** `site-at` becomes `site_at`. */
  snake: (text) => splitWords(text).join('_'),
};

/**
 * Returns a text with filters applied, in order. Fails, after a report, for a value that is not text known now, for an
 * unknown filter, and for a filter that would remove the whole text.
 */
export function applyFilters(
  context: ExpressionContext,
  resolved: Expression | Node,
  names: PathStep[],
): ResolvedValue {
  const { at, stepAt } = context.place;
  if (!isNode(resolved) || resolved.type !== 'scalar' || resolved.value === null)
    return context.fail('expression/filter', 'a filter needs text that is known at this point', { at });
  let { text } = resolved;
  for (const { name, start } of names) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (!filter)
      return context.fail('expression/filter', `there is no filter ${quoted(name)}`, {
        at: stepAt({ name, start }),
        hint: hintFor(name, Object.keys(filters)),
      });
    const result = filter(text);
    if (result === '' && text !== '')
      return context.fail('expression/filter', `\`${name}\` removes all of this text`, {
        at: stepAt({ name, start }),
        hint: 'it keeps letters and digits of the Latin alphabet',
      });
    text = result;
  }
  return { ...resolved, text, value: text } satisfies ScalarNode;
}
