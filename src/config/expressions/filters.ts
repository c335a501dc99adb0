import { hintFor, quoted } from '../suggest.ts';
import { type Expression, isNode, type Node, type ScalarNode } from '../yaml/nodes.ts';
import type { Step } from './parse-expressions.ts';
import type { ExpressionContext, ResolvedValue } from './resolve-roots.ts';

/** Letters that come apart into no base letter and mark, and how they are written without. */
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

/** Words of `a-z` and `0-9`, in lower case; everything else is between them. */
function splitWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/[ßæœøđðłþ]/g, (letter) => letters[letter]!)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/**
 * The filters of expressions, such as `${input.country | upper}`. They make names, and so identities: what one of them answers never
 * changes (a table of cases in the tests holds it).
 */
export const filters: Readonly<Record<string, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  /** `Österreich & Co.` becomes `osterreich-co`. */
  slug: (text) => splitWords(text).join('-'),
  /** `site-at` becomes `site_at`. */
  snake: (text) => splitWords(text).join('_'),
};

/** Text with filters applied. */
export function applyFilters(of: ExpressionContext, found: Expression | Node, names: Step[]): ResolvedValue {
  const { at, stepAt } = of.place;
  if (!isNode(found) || found.type !== 'scalar' || found.value === null)
    return of.fail('expression/filter', 'a filter needs text that is known at this point', at);
  let { text } = found;
  for (const { name, start } of names) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (!filter)
      return of.fail(
        'expression/filter',
        `there is no filter ${quoted(name)}`,
        stepAt({ name, start }),
        hintFor(name, Object.keys(filters)),
      );
    const filtered = filter(text);
    if (filtered === '' && text !== '')
      return of.fail(
        'expression/filter',
        `\`${name}\` removes all of this text`,
        stepAt({ name, start }),
        'it keeps letters and digits of the Latin alphabet',
      );
    text = filtered;
  }
  return { ...found, text, value: text } satisfies ScalarNode;
}
