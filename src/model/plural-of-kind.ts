/** Returns the plural of a kind's name, for counts: `projects`, `policies`. */
export function pluralOfKind(kind: string): string {
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  if (/(?:ss|as|x|ch)$/.test(kind)) return `${kind}es`;
  // Some kinds have a plural name already: `bulkRedirects`.
  return kind.endsWith('s') ? kind : `${kind}s`;
}
