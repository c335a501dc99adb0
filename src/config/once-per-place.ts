import type { Diagnostic } from '../model/diagnostic.ts';

const shown = 3;

/**
 * Problems with one cause as one: a mistake in a template stands at one place, however many blocks use it. The first three of these are
 * named, and the rows of data that their values come from.
 */
export function oncePerPlace(diagnostics: Diagnostic[]): Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    const { code, at, severity } = one;
    const key = at ? `${severity} ${code} ${at.file} ${at.line} ${at.column}` : `${groups.size}`;
    const same = groups.get(key);
    if (same) same.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()].flatMap((all) => {
    const [first] = all as [Diagnostic, ...Diagnostic[]];
    const messages = new Set(all.map(({ message }) => message));
    const usedBy = [...new Set(all.flatMap(({ address }) => address ?? []))].sort();
    if (usedBy.length < 2) return all.filter(({ message }) => messages.delete(message));
    const named = usedBy.slice(0, shown).join(', ');
    const values = messages.size > 1 ? ` with ${messages.size} values` : '';
    const message = `${first.message} (used by ${usedBy.length}${values}: ${named}${usedBy.length > shown ? ', …' : ''})`;
    return [{ ...first, message, ...relatedOf(all) }];
  });
}

/** The places that belong to any of them, each once: the first three rows of data, and the first three of whatever else there is. */
function relatedOf(all: Diagnostic[]): Pick<Diagnostic, 'related'> {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const related = all
    .flatMap(({ related = [] }) => related)
    .filter(({ message, at }) => {
      const place = `${message} ${at.file} ${at.line} ${at.column}`;
      const count = counts.get(message) ?? 0;
      if (seen.has(place) || count === shown) return false;
      seen.add(place);
      counts.set(message, count + 1);
      return true;
    });
  return related.length === 0 ? {} : { related };
}
