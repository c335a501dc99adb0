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
    runs: bitsOf(runs.map((run) => run.has(name))),
  }));
  for (;;) {
    const needs = needsOf(parts, groups);
    const best = bestPair(groups, needs);
    if (!best) break;
    const { a, b } = best;
    // Whoever loads one of them loads the other now, and all that it needs.
    const either = a.runs.map((bits, at) => bits | b.runs[at]);
    for (const group of [...needs.get(a), ...needs.get(b)])
      group.runs = group.runs.map((bits, at) => bits | either[at]);
    const both = { ...a, parts: [...a.parts, ...b.parts], cost: a.cost + b.cost, runs: either };
    groups = [...groups.filter((group) => group !== a && group !== b), both];
  }
  return Object.fromEntries(groups.flatMap((group, index) => group.parts.map((name) => [name, index])));
}

/** Those that many runs load come first: what others could save is soon less than what was found. */
function bestPair(groups, needs) {
  const counted = groups
    .map((group) => ({ group, count: countOf(group.runs, group.runs) }))
    .sort((a, b) => b.count - a.count);
  let best = { gain: 0 };
  for (const [index, { group: a, count: most }] of counted.entries()) {
    if (most * fileCost <= best.gain) break;
    for (let at = index + 1; at < counted.length; at++) {
      const { group: b, count } = counted[at];
      if (count * fileCost <= best.gain) break;
      if (a.isFirst !== b.isFirst) continue;
      let gain = fileCost * countOf(a.runs, b.runs);
      if (gain > best.gain) gain -= inVain(a, b, needs);
      if (gain > best.gain) gain -= inVain(b, a, needs);
      if (gain > best.gain && !isCircle(needs, a, b)) best = { gain, a, b };
    }
  }
  return best.a && best;
}

/** The cost of `added`, and of all that it needs, to the runs that load only `group`. */
function inVain(group, added, needs) {
  const alone = group.runs.map((bits, at) => bits & ~added.runs[at]);
  const most = countOf(alone, alone);
  if (most === 0) return 0;
  let cost = 0;
  for (const needed of needs.get(added)) {
    const more = needed === added ? needed.cost : needed.cost + fileCost;
    cost += more * (most - countOf(alone, needed.runs));
  }
  return cost;
}

/** Runs as bits of numbers: each pair of groups is compared for all of them. */
function bitsOf(flags) {
  const bits = new Uint32Array(Math.ceil(flags.length / 32));
  for (const [at, is] of flags.entries()) if (is) bits[at >> 5] |= 1 << (at & 31);
  return bits;
}

/** How many runs two have in common. */
function countOf(a, b) {
  let count = 0;
  for (let at = 0; at < a.length; at++) for (let bits = a[at] & b[at]; bits !== 0; bits &= bits - 1) count++;
  return count;
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
      new Set(group.parts.flatMap((name) => parts[name].imports.map((one) => groupOf.get(one)))),
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
