/** The cost of loading one more file, in characters of code that V8 reads in that time. */
const fileCost = 8_000;
/** The same for a module of Node. */
const builtinCost = 20_000;

/**
 * Puts parts together that are mostly loaded together: `{ name: group }`, groups as numbers. `parts`: for each name `size`,
 * `imports` and `later` (what it imports at once, and when it is called), and `builtins`, how many modules of Node it needs.
 * Nothing is put to what `first` loads at once, and no group needs itself through others.
 */
export function groupsOf(parts, first) {
  const names = Object.keys(parts).sort();
  const starts = [...new Set(names.flatMap((name) => parts[name].later))].sort();
  const atFirst = loadedBy(parts, [first]);
  const runs = starts.map((start) => loadedBy(parts, [first, start]));
  let groups = names.map((name) => ({
    parts: [name],
    isFirst: atFirst.has(name),
    cost: parts[name].size + builtinCost * parts[name].builtins,
    runs: runs.map((run) => run.has(name)),
  }));
  for (;;) {
    const needs = needsOf(parts, groups);
    const best = bestPair(groups, needs);
    if (!best) break;
    const { a, b } = best;
    // Whoever loads one of them loads the other now, and all that it needs.
    const either = a.runs.map((is, run) => is || b.runs[run]);
    for (const group of [...needs.get(a), ...needs.get(b)])
      group.runs = group.runs.map((is, run) => is || either[run]);
    const both = { ...a, parts: [...a.parts, ...b.parts], cost: a.cost + b.cost, runs: either };
    groups = [...groups.filter((group) => group !== a && group !== b), both];
  }
  return Object.fromEntries(groups.flatMap((group, index) => group.parts.map((name) => [name, index])));
}

/** Those that many runs load come first: what others could save is soon less than what was found. */
function bestPair(groups, needs) {
  const counted = groups
    .map((group) => ({ group, count: group.runs.filter(Boolean).length }))
    .sort((a, b) => b.count - a.count);
  let best = { gain: 0 };
  for (const [index, { group: a, count: most }] of counted.entries()) {
    if (most * fileCost <= best.gain) break;
    for (const { group: b, count } of counted.slice(index + 1)) {
      if (count * fileCost <= best.gain) break;
      if (a.isFirst !== b.isFirst) continue;
      const saved = fileCost * a.runs.filter((is, run) => is && b.runs[run]).length;
      if (saved <= best.gain) continue;
      let gain = saved - inVain(a, b, needs);
      if (gain > best.gain) gain -= inVain(b, a, needs);
      if (gain > best.gain && !isCircle(needs, a, b)) best = { gain, a, b };
    }
  }
  return best.a && best;
}

/** The cost of `added`, and of all that it needs, to the runs that load only `group`. */
function inVain(group, added, needs) {
  const alone = group.runs.flatMap((is, run) => (is && !added.runs[run] ? run : []));
  if (alone.length === 0) return 0;
  let cost = 0;
  for (const needed of needs.get(added)) {
    const more = needed === added ? needed.cost : needed.cost + fileCost;
    for (const run of alone) if (!needed.runs[run]) cost += more;
  }
  return cost;
}

function loadedBy(parts, names) {
  const loaded = new Set(names);
  for (const name of loaded) for (const imported of parts[name].imports) loaded.add(imported);
  return loaded;
}

/** For each group all that is loaded with it, itself included. */
function needsOf(parts, groups) {
  const groupOf = new Map(groups.flatMap((group) => group.parts.map((name) => [name, group])));
  const direct = new Map(
    groups.map((group) => [
      group,
      group.parts.flatMap((name) => parts[name].imports.map((one) => groupOf.get(one))),
    ]),
  );
  return new Map(
    groups.map((group) => {
      const all = new Set([group]);
      for (const one of all) for (const next of direct.get(one)) all.add(next);
      return [group, all];
    }),
  );
}

/** True if one of two groups needs the other through a third. */
function isCircle(needs, a, b) {
  const through = (from, to) =>
    [...needs.get(from)].some((group) => group !== from && group !== to && needs.get(group).has(to));
  return through(a, b) || through(b, a);
}
