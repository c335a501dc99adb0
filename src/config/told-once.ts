import type { Diagnostic } from '../model/diagnostic.ts';
import { addTo, byText, groupBy } from '../model/graph.ts';

/** By place; what has none comes first. The same problem at the same place (seen through several aliases) is told once. */
export function sortDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const once = diagnostics.filter(({ code, message, at }) => {
    const identity = JSON.stringify([code, message, at?.file, at?.line, at?.column]);
    return !seen.has(identity) && seen.add(identity);
  });
  return once.sort(
    (a, b) =>
      byText(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
      byText(a.code, b.code),
  );
}

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
    addTo(groups, key, one);
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

/** The codes of messages that say which name is missing, and nothing else. */
const missingNames: ReadonlySet<string> = new Set([
  'lookup/undeclared',
  'ref/undeclared',
  'ref/unknown',
  'secret/undeclared',
  'var/undeclared',
]);

/** A name that is not declared as one problem, at the first place that mentions it: one declaration mends all. */
export function oncePerName(diagnostics: Diagnostic[]): Diagnostic[] {
  const mentions = groupBy(
    diagnostics.filter(({ code, at }) => at && missingNames.has(code)),
    // A `$dependsOn` quotes the address.
    ({ message }) => message.replaceAll('`', ''),
  );
  const told = new Map<Diagnostic, Diagnostic[]>();
  for (const all of mentions.values()) {
    // What several blocks say of one place is a matter of `oncePerPlace`.
    const [first, ...others] = sortDiagnostics(all) as [Diagnostic, ...Diagnostic[]];
    if (others.length === 0) continue;
    for (const one of all) told.set(one, []);
    const message = `${first.message} (mentioned in ${others.length + 1} places)`;
    told.set(first, [
      { ...first, message, related: others.map(({ at }) => ({ message: 'also here', at: at! })) },
    ]);
  }
  return diagnostics.flatMap((one) => told.get(one) ?? [one]);
}
