import type { Diagnostic } from '../model/diagnostic.ts';
import { addTo, byText } from '../model/graph.ts';

/** The candidate that was probably meant by `name`: "did you mean". Undefined where none is near. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 80) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The likely meaning: a near name, or the only one that begins with this. `prod` is short for `production`. */
export function meantBy(name: string, candidates: readonly string[]): string | undefined {
  const near = closest(name, candidates);
  if (near !== undefined || name.length < 2) return near;
  const longer = candidates.filter((one) => one.toLowerCase().startsWith(name.toLowerCase()));
  return longer.length === 1 ? longer[0] : undefined;
}

/** The edit distance: characters inserted, removed, changed, or swapped with a neighbour. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

/** A hint for a name that is not among `valid`: the one that was meant, or those there are. */
export function hintFor(name: string, valid: string[], what = 'valid here'): string | undefined {
  const near = meantBy(name, valid);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (valid.length === 0) return undefined;
  const shown = valid.slice(0, 12).map((item) => `\`${item}\``);
  return `${what}: ${shown.join(', ')}${valid.length > shown.length ? `, and ${valid.length - shown.length} more` : ''}`;
}

/** A name from the configuration inside a message: in backquotes, short, on one line. */
export function quoted(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return `\`${short.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�')}\``;
}

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
