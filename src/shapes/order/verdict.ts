/**
 * When is a list that is half way between two others as good as either of them?
 *
 * A request is given the verdict of the first rule that matches it. Nothing is known about what matches together, so
 * any subset of the verdicts may apply to some request, and equal verdicts always apply together: only the order of
 * first occurrence counts, and the fate of a request that nothing matches is one more verdict, at the end of every list.
 *
 * List X answers a request with x. That is neither the old answer nor the new one exactly if the request also matches
 * some a that stands before x in the old list but not in X, and some b that stands before x in the new list but not in
 * X (a or b is not needed where that list lacks x). The request that matches just {x, a, b} then goes wrong, and so no
 * request goes wrong unless one of three verdicts does. X is good if for each of its x
 *
 *     everything before x in the old list is before x in X, or everything before x in the new list is.
 *
 * With the places that X gives to the old list written down in the old list's order, the first half says that the
 * place of x is the greatest so far: a record. Each x must be a record in one of two sequences, one walk each.
 */
export function eitherVerdict(now: Ranking, before: Ranking, after: Ranking): boolean {
  const place = new Map(now.map((verdict, index) => [verdict, index]));
  const covered = new Set<string | null>();
  for (const ranking of [before, after]) {
    let latest = -1;
    for (const verdict of ranking) {
      const found = place.get(verdict) ?? Number.POSITIVE_INFINITY;
      if (found <= latest) continue;
      latest = found;
      covered.add(verdict);
    }
  }
  return now.every((verdict) => covered.has(verdict));
}

/** The verdicts of a first-match list, strongest first, each once; null, "no rule decided", is the last of every list. */
export type Ranking = (string | null)[];

/** Ranks the verdicts of a list, strongest first. */
export function ranking(list: readonly { decides: string | null }[]): Ranking {
  const verdicts = new Set<string | null>();
  for (const { decides } of list) if (decides !== null) verdicts.add(decides);
  return [...verdicts, null];
}
