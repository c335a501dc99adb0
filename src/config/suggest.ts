/** Returns the candidate that a misspelled name probably means, for "did you mean"; undefined if none is similar. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 80) return undefined;
  const lowerName = name.toLowerCase();
  let best: string | undefined;
  let leastDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= leastDistance) continue;
    const distance = editDistance(lowerName, candidate.toLowerCase());
    if (distance < leastDistance) [best, leastDistance] = [candidate, distance];
  }
  return best;
}

/** Returns the candidate that a name probably means: a similar one, or the only one that begins with it (`prod` means `production`). */
export function meantBy(name: string, candidates: readonly string[]): string | undefined {
  const similar = closest(name, candidates);
  if (similar !== undefined || name.length < 2) return similar;
  const longer = candidates.filter((candidate) => candidate.toLowerCase().startsWith(name.toLowerCase()));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Returns the edit distance: the number of characters that are inserted, removed, changed, or swapped with a neighbour. */
export function editDistance(a: string, b: string): number {
  let previousRow: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, previousRow[j - 2]! + 1);
      next.push(cost);
    }
    [previousRow, row] = [row, next];
  }
  return row[b.length]!;
}

/** Returns a hint for a name that is not among `valid`: the probably intended one, or the valid ones. Undefined if there are none. */
export function hintFor(name: string, valid: string[], listLabel = 'valid here'): string | undefined {
  const similar = meantBy(name, valid);
  if (similar !== undefined) return `did you mean \`${similar}\`?`;
  if (valid.length === 0) return undefined;
  const shown = valid.slice(0, 12).map((item) => `\`${item}\``);
  return `${listLabel}: ${shown.join(', ')}${valid.length > shown.length ? `, and ${valid.length - shown.length} more` : ''}`;
}

/** Formats a name from the configuration for a message: in backquotes, shortened, on one line, without control characters. */
export function quoted(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return `\`${short.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�')}\``;
}
