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
  const longer = candidates.filter((candidate) => candidate.toLowerCase().startsWith(name.toLowerCase()));
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
