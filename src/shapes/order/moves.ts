/** The longest run of increasing numbers (not necessarily neighbours), as indices; of several, the one that begins earliest. */
export function longestRun(values: readonly number[]): number[] {
  const length = values.map(() => 1);
  for (let i = values.length - 1; i >= 0; i--)
    for (let j = i + 1; j < values.length; j++)
      if (values[j]! > values[i]!) length[i] = Math.max(length[i]!, length[j]! + 1);

  const run: number[] = [];
  let left = length.reduce((most, one) => Math.max(most, one), 0);
  for (let i = 0; i < values.length; i++) {
    if (length[i] !== left || (run.length > 0 && values[i]! < values[run.at(-1)!]!)) continue;
    run.push(i);
    left--;
  }
  return run;
}

/**
 * The list to arrive at: `wanted` in its order, woven into what is not ours (`foreign`). Whatever can stay, stays: the
 * longest run of wanted keys keeps its places among the foreign ones. What must move crosses as few foreign keys as
 * possible. What is new yields to them: it stands right before the next key that stays, or at the end.
 */
export function weave(
  list: readonly string[],
  wanted: readonly string[],
  foreign: ReadonlySet<string>,
): string[] {
  const rank = new Map(wanted.map((key, index) => [key, index]));
  const place = new Map(list.map((key, index) => [key, index]));
  const common = list.filter((key) => rank.has(key));
  const stays = new Set(longestRun(common.map((key) => rank.get(key)!)).map((index) => common[index]!));

  const woven: string[] = [];
  const fixed = list.filter((key) => foreign.has(key) || stays.has(key));
  let passed = -1;
  const advance = (until: string | undefined) => {
    while (fixed.length > 0 && fixed[0] !== until) woven.push(fixed.shift()!);
  };
  wanted.forEach((key, index) => {
    const from = place.get(key) ?? Number.POSITIVE_INFINITY;
    // What comes from behind, or from nowhere, goes as far back as it may; what comes from the front no farther than needed.
    if (stays.has(key) || from > passed) advance(wanted.slice(index).find((next) => stays.has(next)));
    if (!stays.has(key)) woven.push(key);
    else {
      woven.push(fixed.shift()!);
      passed = from;
    }
  });
  return [...woven, ...fixed];
}
