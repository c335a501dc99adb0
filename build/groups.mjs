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
    runs: new Set(runs.filter((run) => run.has(name))),
  }));
  for (;;) {
    let best;
    for (const [index, a] of groups.entries())
      for (const b of groups.slice(index + 1)) {
        const gain = gainOf(a, b);
        if (gain > (best?.gain ?? 0) && a.isFirst === b.isFirst && !isCircle(parts, groups, a, b))
          best = { gain, a, b };
      }
    if (!best) break;
    const { a, b } = best;
    const both = {
      parts: [...a.parts, ...b.parts],
      isFirst: a.isFirst,
      cost: a.cost + b.cost,
      runs: new Set([...a.runs, ...b.runs]),
    };
    groups = [...groups.filter((group) => group !== a && group !== b), both];
  }
  return Object.fromEntries(groups.flatMap((group, index) => group.parts.map((name) => [name, index])));
}

/** A run that loads both saves a file; a run that loads only one of them loads the other in vain. */
function gainOf(a, b) {
  const both = [...a.runs].filter((run) => b.runs.has(run)).length;
  return both * fileCost - (a.runs.size - both) * b.cost - (b.runs.size - both) * a.cost;
}

function loadedBy(parts, names) {
  const loaded = new Set(names);
  for (const name of loaded) for (const imported of parts[name].imports) loaded.add(imported);
  return loaded;
}

/** True if one of two groups needs the other through a third. */
function isCircle(parts, groups, a, b) {
  const groupOf = new Map(groups.flatMap((group) => group.parts.map((name) => [name, group])));
  const needs = (group) => group.parts.flatMap((name) => parts[name].imports.map((one) => groupOf.get(one)));
  const leadsTo = (from, to) => {
    const seen = new Set(needs(from).filter((group) => group !== to && group !== from));
    for (const group of seen)
      for (const next of needs(group)) {
        if (next === to) return true;
        if (next !== from) seen.add(next);
      }
    return false;
  };
  return leadsTo(a, b) || leadsTo(b, a);
}
