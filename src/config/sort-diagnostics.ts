import type { Diagnostic } from '../model/diagnostic.ts';

/** By place; what has none comes first. The same problem at the same place (seen through several aliases) is told once. */
export function sortDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const once = diagnostics.filter(({ code, message, at }) => {
    const identity = JSON.stringify([code, message, at?.file, at?.line, at?.column]);
    return !seen.has(identity) && seen.add(identity);
  });
  return once.sort(
    (a, b) =>
      compare(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
      compare(a.code, b.code),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
