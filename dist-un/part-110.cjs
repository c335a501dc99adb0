"use strict";const part_CTT3WHFK=(()=>{const {
  lookups
}=require("./part-106.cjs").part_XLIZT65J;const {
  same
}=require("./part-85.cjs").part_HRKYGKTM;const {
  comparedFields,
  copied,
  defineKind,
  oneByOne,
  onlyDeclared,
  plain,
  request,
  resultOf,
  secretIdOf,
  stepOf,
  verbOf,
  wouldLose,
  written
}=require("./part-90.cjs").part_TFHCOW53;const {
  anyJson,
  atomic,
  createOnly,
  emptyCounts,
  immutable,
  label,
  mayIdentify,
  neededToCreate,
  openEnum,
  picture,
  readMayLack,
  refTo,
  safeguard,
  secret,
  secretUnlessWritten,
  setOf,
  softRefTo,
  traitsOf,
  updateOnly,
  withTraits,
  writeOnly
}=require("./part-90.cjs").part_A3A3FICV;const {
  iso_exports
}=require("./part-90.cjs").part_XRTKEBJF;const {
  _enum,
  any,
  array,
  boolean,
  cidrv4,
  cidrv6,
  discriminatedUnion,
  email,
  int,
  ipv4,
  ipv6,
  literal,
  number,
  object,
  record,
  strictObject,
  string,
  union,
  url
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  collectionId
}=require("./part-106.cjs").part_DT2CDXHV;const {
  asksForWrite
}=require("./part-106.cjs").part_HLUFGGLM;const {
  addressOf,
  escapeName,
  lastNameOf
}=require("./part-106.cjs").part_BACZRMMV;const {
  hasUnknown
}=require("./part-85.cjs").part_SJG7KYTO;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  holesIn,
  isHole,
  isPlainObject,
  isRef
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  definedOnly,
  revealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem,
  warning
}=require("./part-80.cjs").part_H2UX7ADC;const { isIPv6 }=require("node:net");const { domainToASCII }=require("node:url");const { isIPv4, isIPv6:isIPv62 }=require("node:net");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// providers/hosting/kinds/ai/ai-gateway-budget.ts
var whose = { team: void 0, project: "projectId", user: "userId" };
var isOf = (scopeType) => ({ before }) => before.fields.scopeType === scopeType;
var aiGatewayBudget = defineKind({
  name: "aiGatewayBudget",
  doc: "How much the team, one of its projects or one of its members may spend through the AI gateway.",
  section: "aiGatewayBudgets",
  key: ["scopeType"],
  yaml: {
    manyPerKey: true,
    names: ({ scopeType, projectId: projectId2, userId }) => [
      isRef(projectId2) ? `project@${escapeName(lastNameOf(projectId2.$ref))}` : userId === void 0 ? String(scopeType) : `user@${escapeName(String(userId))}`
    ]
  },
  id: ({ scopeType, scopeId }) => scopeType === "team" ? "team" : `${scopeType}:${scopeId}`,
  lifecycle: { replace: "free" },
  fields: () => ({
    scopeType: immutable(_enum(["team", "project", "user"])).describe("Whose budget it is."),
    projectId: immutable(refTo("project")).optional().describe("The project, for `project`."),
    userId: immutable(string().min(1)).optional().describe("For `user`: the user's id, as in the list of team members."),
    limitAmount: number().positive().describe("How much may be spent in a period."),
    refreshPeriod: openEnum(["daily", "weekly", "monthly", "none"]).optional().describe("When the period resets."),
    includeByokInQuota: boolean().optional().describe("Whether calls with your own keys count.")
  }),
  example: `projects: { web: {} }
aiGatewayBudgets:
  team: { limitAmount: 500, refreshPeriod: monthly }
  project:
    - { projectId: web, limitAmount: 50, refreshPeriod: monthly }
  user:
    - { userId: 8k2Xb4uWq1Yt5cZe7nVr3oPd, limitAmount: 20, refreshPeriod: monthly }`,
  rules: {
    check: ({ scopeType, ...fields }) => Object.entries(whose).flatMap(
      ([type3, name2]) => name2 === void 0 || type3 === scopeType === (fields[name2] !== void 0) ? [] : [
        {
          path: [name2],
          message: type3 === scopeType ? `name the \`${name2}\`` : `a budget of the type \`${scopeType}\` has no \`${name2}\``
        }
      ]
    )
  },
  read: { endpoint: "GET /ai-gateway/budgets/list", items: "budgets", gone: "archived" },
  decode: ({ scopeId, ...budget }) => {
    const name2 = Object.hasOwn(whose, String(budget.scopeType)) ? whose[budget.scopeType] : null;
    return name2 === null ? void 0 : { ...budget, ...name2 ? { [name2]: scopeId } : {} };
  },
  create: {
    endpoint: "PUT /ai-gateway/budgets",
    returns: ({ address, body: { projectId: projectId2, userId } }) => [
      {
        address,
        id: projectId2 ? { $join: ["project:", projectId2] } : userId ? `user:${userId}` : "team"
      }
    ]
  },
  update: "PUT /ai-gateway/budgets",
  delete: [
    {
      endpoint: "DELETE /ai-gateway/budgets?scopeType=project&projectId={projectId}",
      when: isOf("project"),
      params: ({ before }) => ({ projectId: before.fields.projectId })
    },
    {
      endpoint: "DELETE /ai-gateway/budgets?scopeType=user&userId={userId}",
      when: isOf("user"),
      params: ({ before }) => ({ userId: before.fields.userId })
    },
    { endpoint: "DELETE /ai-gateway/budgets?scopeType=team", when: isOf("team") }
  ]
});

// providers/hosting/kinds/ai/ai-gateway-budget-default.ts
var writable = ["project", "api-key", "user"];
var aiGatewayBudgetDefault = defineKind({
  name: "aiGatewayBudgetDefault",
  doc: "The AI gateway budget of projects, API keys or users that have none of their own.",
  section: "aiGatewayBudgetDefaults",
  key: ["scopeType"],
  id: "scopeType",
  lifecycle: { replace: "free" },
  fields: () => ({
    scopeType: _enum(writable).describe("What it applies to."),
    limitAmount: number().min(0).describe("How much each may spend in a period."),
    refreshPeriod: openEnum(["daily", "weekly", "monthly", "none"]).describe("When the period resets.")
  }),
  example: { project: { limitAmount: 50, refreshPeriod: "monthly" } },
  read: { endpoint: "GET /ai-gateway/budgets/defaults/list", items: "defaults" },
  // Those of teams are listed, and cannot be written.
  decode: (found2) => writable.some((type3) => type3 === found2.scopeType) ? found2 : void 0,
  create: "PUT /ai-gateway/budgets/defaults",
  update: "PUT /ai-gateway/budgets/defaults",
  delete: "DELETE /ai-gateway/budgets/defaults?scopeType={id}"
});

// src/shapes/batch.ts
var batch = (writes6, outcome2) => ({
  ...plain,
  ...outcome2 ? { outcome: outcome2 } : {},
  words: () => ["Several changes are sent in one request where the platform supports it."],
  arrange: ({ kind: kind2 }) => (changes2, context) => {
    const steps = changes2.flatMap((change2) => {
      const verb2 = verbOf(change2);
      return verb2 === void 0 ? [] : [stepOf(kind2, verb2, change2)];
    });
    if (steps.length === 0) return [];
    const verb = new Map(steps.map(({ address, action: action2 }) => [address, action2]));
    return copied(writes6(steps, context), (draft2) => ({
      ...draft2,
      verb: verb.get(draft2.changes[0]) ?? "update"
    }));
  }
});
var document = (whole, inner = plain) => ({
  ...inner,
  document: whole,
  words: (isHidden) => [...inner.words(isHidden), whole.doc]
});

// src/shapes/labelled.ts
var besideEachOther = {
  ...plain,
  arrange: oneByOne((kind2, change2) => {
    const creation = written(kind2, "create", change2);
    return [creation, { ...written(kind2, "delete", change2, { id: change2.before.id }), after: [creation] }];
  })
};
var labelled = (identity2, inner = besideEachOther) => ({
  ...inner,
  isNamed: false,
  pair: (collection) => pairBy(identity2, collection),
  labels: (kind2, objects) => labelsFor(identity2, kind2, objects),
  keyWords: () => {
    const sets = identity2.map((fields) => fields.map((name2) => `\`${name2}\``).join(" and "));
    return `It has no name of its own: the YAML gives it a label, and the live object is found by ${sets.join(", or else by ")}. If several match, the plan fails until \`$id\` selects one.`;
  }
});
function pairBy(identity2, { kind: kind2, wanted, found: all2, fieldsOf, isKnown }) {
  const resources = new Map(all2);
  const paired = { gone: [], put: [], claims: [] };
  const isWanted2 = new Set(wanted.map(({ address }) => address));
  const pool = new Set([...all2.values()].filter(({ address }) => !isWanted2.has(address)));
  const put = (one) => {
    resources.set(one.address, one);
    paired.put.push(one);
  };
  const assign = (want, found2) => {
    const [known] = found2.filter(({ address }) => isKnown(address));
    if (known && found2.length === 1 && !isKnown(want.address))
      paired.claims.push([want.address, known.address]);
    for (const one of found2) {
      pool.delete(one);
      resources.delete(one.address);
      paired.gone.push(one.address);
    }
    const meant2 = found2.map((one) => labelledAs(one, want, kind2));
    const [first] = meant2;
    if (first) put(meant2.length > 1 ? { ...first, alternatives: meant2 } : first);
  };
  besideOld(
    kind2,
    wanted,
    { pool, fieldsOf, oldOf: (address) => resources.get(address) },
    (want, old, made3) => {
      const beside = addressOf(want.parent, kind2.section, [escapeName(old.id)]);
      assign(want, [made3]);
      put({ ...old, address: beside });
      paired.claims.push([beside, want.address]);
    }
  );
  const isOpen3 = ({ address }) => !resources.has(address);
  for (const want of wanted.filter((one) => isOpen3(one) && one.meta.id !== void 0))
    assign(
      want,
      [...pool].filter(({ ids: ids2 }) => ids2.includes(want.meta.id))
    );
  let open = wanted.filter((one) => isOpen3(one) && one.meta.id === void 0);
  const secretId = secretIdOf(kind2);
  for (const names of identity2) {
    const known = open.map((want) => {
      const fields = fieldsOf(want);
      const isUntold = secretId !== void 0 && hasUnknown(fields[secretId]);
      return { want, isUntold, tells: telling(fields, names) };
    });
    const twins = groupBy(
      known.filter(({ tells }) => tells !== void 0),
      ({ tells }) => canonical(revealed(tells))
    );
    for (const equal of twins.values()) {
      const found2 = [...pool].filter((one) => fits(equal[0].tells, one.fields, kind2));
      if (equal.some(({ isUntold }) => isUntold) && found2.length + equal.length > 2) continue;
      if (found2.length > equal.length) assign(equal[0].want, found2);
      else for (const [index, one] of found2.entries()) assign(equal[index].want, [one]);
    }
    const told = new Set(known.filter(({ tells }) => tells !== void 0).map(({ want }) => want.address));
    open = open.filter((one) => isOpen3(one) && !told.has(one.address));
  }
  return paired;
}
function besideOld(kind2, wanted, {
  pool,
  fieldsOf,
  oldOf
}, found2) {
  const secretId = secretIdOf(kind2);
  for (const want of secretId === void 0 ? [] : wanted) {
    const old = oldOf(want.address);
    const tells = telling(fieldsOf(want), [secretId]);
    const made3 = tells && [...pool].find((one) => fits(tells, one.fields, kind2));
    if (old && made3 && !fits(tells, old.fields, kind2)) found2(want, old, made3);
  }
}
var labelledAs = (one, { address, fields }, kind2) => ({
  ...one,
  address,
  fields: { ...one.fields, ...Object.fromEntries(kind2.key.map((name2) => [name2, fields[name2]])) }
});
function telling(fields, names) {
  const declared2 = Object.entries(fields).filter(([name2, value4]) => names.includes(name2) && value4 !== null);
  return declared2.length === 0 || hasUnknown(declared2) ? void 0 : Object.fromEntries(declared2);
}
var fits = (tells, found2, kind2) => Object.entries(tells).every(
  ([name2, value4]) => same(value4, found2[name2], traitsOf(comparedFields(kind2)[name2]))
);
function labelsFor(identity2, kind2, objects) {
  const labels = /* @__PURE__ */ new Map();
  const used = /* @__PURE__ */ new Set();
  for (const one of [...objects].sort((a, b) => a.id < b.id ? -1 : 1)) {
    const words3 = identity2.flatMap((names) => names.map((name2) => wordOf(one.fields[name2]))).filter(Boolean);
    const base2 = words3.slice(0, 2).join("-").slice(0, 60) || firstWord(identity2, one) || kind2.section;
    let label2 = base2;
    for (let count = 2; used.has(label2); count++) label2 = `${base2}-${count}`;
    used.add(label2);
    labels.set(one, { text: label2, needsId: hasTwin(identity2, kind2, one, objects) });
  }
  return labels;
}
var firstWord = ([names = []], { fields }) => names.flatMap((name2) => fields[name2] ?? []).map(wordOf).find(Boolean) ?? "";
function wordOf(value4) {
  if (isPlainObject(value4))
    return Object.values(value4).map((item) => wordOf(item)).join("-");
  if (typeof value4 !== "string") return "";
  return value4.replace(/^https?:\/\/(?:[^/?#]*@)?([^/?#]*).*$/s, "$1").replace(/[^A-Za-z0-9._]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
}
var hasTwin = (identity2, kind2, one, all2) => secretIdOf(kind2) === void 0 && all2.some((other) => other !== one && isTwin(identity2, kind2, one, other));
var isTwin = (identity2, kind2, one, other) => identity2.some((names) => {
  const told = names.filter((name2) => one.fields[name2] != null);
  const [a, b] = [told.map((name2) => one.fields[name2]), told.map((name2) => other.fields[name2] ?? null)];
  return told.length > 0 && (canonical(a) === canonical(b) || told.every((name2, index) => same(a[index], b[index], traitsOf(comparedFields(kind2)[name2]))));
});

// src/shapes/order/reorder.ts
function compareLists(before, after, standing) {
  const found2 = new Map(before.map((item) => [item.key, item]));
  const wanted = new Map(after.map((item) => [item.key, item]));
  const foreign = new Set(before.filter((item) => !item.managed).map((item) => item.key));
  const last = placed([...found2.keys()], [...wanted.keys()], foreign, standing);
  const goal = new Map(last.map((key) => [key, (wanted.get(key) ?? found2.get(key)).decides]));
  return { before, found: found2, wanted, foreign, goal };
}
function reorder(change2, superseded) {
  const { before, found: found2, wanted, foreign, goal } = change2;
  const comes = (key) => wanted.has(key) && (!found2.has(key) || superseded.has(key));
  const leaves = (key) => !foreign.has(key) && (!wanted.has(key) || superseded.has(key));
  const place = new Map([...goal.keys()].map((key, index) => [key, index]));
  const remaining = [...found2.keys()].filter((key) => !leaves(key));
  const line = [...remaining, ...[...goal.keys()].filter(comes)];
  const settled = /* @__PURE__ */ new Set([...foreign, ...unmoved(line, place, foreign)]);
  const goesForward = (key) => line.slice(0, line.indexOf(key)).some((other) => settled.has(other) && place.get(other) > place.get(key));
  const early = [];
  const middle = [];
  const late = [];
  const task = (list, key, ...does) => {
    const steps = does.filter((step) => step !== false);
    if (steps.length > 0) list.push({ key, does: steps });
  };
  for (const key of wanted.keys()) {
    const moves = !settled.has(key) && "move";
    if (comes(key)) {
      task(early, key, "insert", moves);
      continue;
    }
    const [old, desired] = [found2.get(key), wanted.get(key)];
    const updates = old.content !== desired.content && "update";
    const direction = goesForward(key) ? early : late;
    if (old.decides === desired.decides) task(moves ? direction : early, key, moves, updates);
    else if (old.decides === null) task(early, key, moves, updates);
    else if (desired.decides === null) task(late, key, updates, moves);
    else {
      task(middle, key, updates);
      task(direction, key, moves);
    }
  }
  for (const key of found2.keys()) if (leaves(key)) task(late, key, "remove");
  const origin = new Map(before.map((item, index) => [item.key, index]));
  late.sort((a, b) => origin.get(b.key) - origin.get(a.key));
  return {
    start: before.map(({ key, decides: decides2 }) => ({ key, decides: decides2, leaving: leaves(key) })),
    goal,
    settled,
    tasks: [...early, ...middle, ...late]
  };
}
function unmoved(line, place, foreign) {
  const rank = (key) => place.get(key);
  const passable = line.filter(
    (key, index) => !foreign.has(key) && line.every((other, at2) => !foreign.has(other) || at2 < index === rank(other) < rank(key))
  );
  return longestRun(passable.map(rank)).map((index) => passable[index]);
}
function longestRun(values) {
  const length = values.map(() => 1);
  for (let i = values.length - 1; i >= 0; i--)
    for (let j = i + 1; j < values.length; j++)
      if (values[j] > values[i]) length[i] = Math.max(length[i], length[j] + 1);
  const run = [];
  let left = length.reduce((most2, one) => Math.max(most2, one), 0);
  for (let i = 0; i < values.length; i++) {
    if (length[i] !== left || run.length > 0 && values[i] < values[run.at(-1)]) continue;
    run.push(i);
    left--;
  }
  return run;
}
function placed(list, wanted, foreign, standing) {
  const others = list.filter((key) => foreign.has(key));
  if (standing === "last") return [...others, ...wanted];
  const at2 = others.findIndex((key) => standing?.before.has(key));
  if (at2 < 0) return weave(list, wanted, foreign);
  const behind = new Set(others.slice(at2));
  const front = list.filter((key) => !behind.has(key));
  return [...weave(front, wanted, foreign), ...behind];
}
function weave(list, wanted, foreign) {
  const rank = new Map(wanted.map((key, index) => [key, index]));
  const place = new Map(list.map((key, index) => [key, index]));
  const common = list.filter((key) => rank.has(key));
  const stays = new Set(longestRun(common.map((key) => rank.get(key))).map((index) => common[index]));
  const woven = [];
  const fixed = list.filter((key) => foreign.has(key) || stays.has(key));
  let passed = -1;
  const advance = (until) => {
    while (fixed.length > 0 && fixed[0] !== until) woven.push(fixed.shift());
  };
  wanted.forEach((key, index) => {
    const from = place.get(key) ?? Number.POSITIVE_INFINITY;
    if (stays.has(key) || from > passed) advance(wanted.slice(index).find((next) => stays.has(next)));
    if (!stays.has(key)) woven.push(key);
    else {
      woven.push(fixed.shift());
      passed = from;
    }
  });
  return [...woven, ...fixed];
}

// src/shapes/order/transition.ts
function transition(before, after, standing) {
  const change2 = compareLists(before, after, standing);
  const allowance = { tries: 3e3 };
  for (const { way, isProven } of ways(change2)) {
    const states = safeOrder(way, isProven ? { tries: way.tasks.length } : allowance);
    if (!states) continue;
    return states.map(({ does, key, at: at2 }) => {
      if (does === "move") return { type: "move", key, to: at2 };
      if (does === "remove" && change2.wanted.has(key)) return { type: "remove", key, superseded: true };
      return { type: does, key };
    });
  }
  throw new Error("unreachable: the way without doubtful updates is safe in the order given");
}
var arrival = (before, after, standing) => [...compareLists(before, after, standing).goal.keys()];
function ways(change2) {
  const doubtful = [...change2.wanted.keys()].filter((key) => {
    const [old, desired] = [change2.found.get(key)?.decides, change2.wanted.get(key).decides];
    return old != null && desired !== null && old !== desired;
  });
  const worthTrying = doubtful.filter((key) => mayStay(change2, key)).slice(0, 4);
  return subsets(worthTrying).map((inPlace) => {
    const way = reorder(change2, new Set(doubtful.filter((key) => !inPlace.includes(key))));
    const steps = way.tasks.reduce((sum, { does }) => sum + does.length, 0);
    return { way, isProven: inPlace.length === 0, steps, inPlace: inPlace.length };
  }).sort((a, b) => a.steps - b.steps || b.inPlace - a.inPlace);
}
function mayStay({ before, found: found2, goal }, key) {
  const last = [...goal.values()].map((decides2) => ({ decides: decides2 }));
  const [p, q] = [found2.get(key).decides, goal.get(key)];
  const isAlone = [...before, ...last].filter(({ decides: decides2 }) => decides2 === p || decides2 === q).length === 2;
  const [old, desired] = [ranking(before), ranking(last)];
  const isLast = (verdict, list, other) => list.slice(list.indexOf(verdict) + 1).every((behind) => other.includes(behind));
  return !isAlone || isLast(p, old, desired) && isLast(q, desired, old);
}
function subsets(items2) {
  let sets = [[]];
  for (const item of items2) sets = sets.flatMap((set) => [set, [...set, item]]);
  return sets;
}
function safeOrder(reorder2, allowance) {
  const slots = [...reorder2.goal].map(([key, decides2]) => ({ key, decides: decides2 }));
  const place = new Map(slots.map(({ key }, index) => [key, index]));
  const before = ranking(reorder2.start);
  const after = ranking(slots);
  const deadEnds = /* @__PURE__ */ new Set();
  const onward = (list, settled, left) => {
    if (left.length === 0) return [];
    const here = JSON.stringify(list.map((slot) => [slot.key, slot.decides, slot.leaving]));
    if (deadEnds.has(here)) return void 0;
    for (const task of left) {
      if (allowance.tries-- <= 0) return void 0;
      const states = run(task, list, settled);
      const next = states.at(-1).list;
      const placed3 = task.does.includes("move") ? /* @__PURE__ */ new Set([...settled, task.key]) : settled;
      if (!states.every((state) => isSafe(ranking(state.list))) || !isInOrder(next, placed3)) continue;
      const rest = onward(
        next,
        placed3,
        left.filter((other) => other !== task)
      );
      if (rest) return [...states, ...rest];
    }
    deadEnds.add(here);
    return void 0;
  };
  const isSafe = (now) => eitherVerdict(now, before, after);
  const isInOrder = (list, settled) => {
    const placed3 = list.filter((slot) => !slot.leaving && settled.has(slot.key));
    return placed3.every(
      ({ key }, index) => index === 0 || place.get(placed3[index - 1].key) < place.get(key)
    );
  };
  const run = ({ key, does }, start, settled) => {
    let list = start;
    return does.map((step) => {
      const slot = { key, decides: reorder2.goal.get(key) ?? null, leaving: false };
      const old = list.findIndex((other) => other.key === key && other.leaving === (step === "remove"));
      const others = step === "insert" ? list : list.toSpliced(old, 1);
      let at2 = step === "insert" ? list.length : old;
      if (step === "move") at2 = slotAfter(others, key, settled);
      if (step === "remove") list = others;
      else list = others.toSpliced(at2, 0, step === "move" ? list[old] : slot);
      return { list, does: step, key, at: at2 };
    });
  };
  const slotAfter = (others, key, settled) => others.findLastIndex(
    (slot) => !slot.leaving && settled.has(slot.key) && place.get(slot.key) < place.get(key)
  ) + 1;
  return onward(reorder2.start, reorder2.settled, reorder2.tasks);
}
function eitherVerdict(now, before, after) {
  const place = new Map(now.map((verdict, index) => [verdict, index]));
  const covered = /* @__PURE__ */ new Set();
  for (const ranking2 of [before, after]) {
    let latest = -1;
    for (const verdict of ranking2) {
      const found2 = place.get(verdict) ?? Number.POSITIVE_INFINITY;
      if (found2 <= latest) continue;
      latest = found2;
      covered.add(verdict);
    }
  }
  return now.every((verdict) => covered.has(verdict));
}
function ranking(list) {
  const verdicts = /* @__PURE__ */ new Set();
  for (const { decides: decides2 } of list) if (decides2 !== null) verdicts.add(decides2);
  return [...verdicts, null];
}

// src/shapes/ordered.ts
var ordered = (decides2 = () => null) => ({
  ...plain,
  orderDecides: true,
  byIndex: true,
  words: (isHidden) => [
    "The order of the list matters: the first match wins. Undeclared items keep their position.",
    ...isHidden ? [] : [
      "Changes are made one at a time, so that at every moment the list behaves as before or as after.",
      "Where a change in place could give some request another verdict for a moment, a changed copy is inserted and the old item then removed, even if the item was only just adopted: its id changes. The plan says so."
    ]
  ],
  arrange(siblings) {
    const list = orderList(siblings, decides2);
    mark(siblings, list);
    return (changes2, { isHidden }) => (isHidden ? placed2 : stepwise)(siblings.kind, changes2, list);
  }
});
function orderList({ changes: changes2, live: siblings, isExclusive, position, entryOf }, decides2) {
  const byAddress = new Map(changes2.map((change2) => [change2.address, change2]));
  const live = /* @__PURE__ */ new Map();
  const found2 = siblings.flatMap((resource) => resource.alternatives ?? [resource]).sort((a, b) => a.index - b.index);
  const before = found2.map((resource) => {
    const change2 = byAddress.get(resource.address);
    const isOurs2 = change2 !== void 0 && (isWanted(change2) || change2.action === "delete");
    const isMeant = isOurs2 && change2.before?.id === resource.id;
    const key = isMeant ? resource.address : `#${resource.id}`;
    live.set(key, resource);
    return {
      key,
      decides: verdictOf(decides2, resource.fields),
      managed: isMeant || isOurs2 && (isExclusive || isLeftover(resource, change2, entryOf(resource.address))),
      content: isMeant && isWritten(change2) ? "old" : "same"
    };
  });
  const after = changes2.filter(isWanted).sort((a, b) => a.after.index - b.after.index).map(
    (change2) => ({
      key: change2.address,
      decides: verdictOf(decides2, goalOf(change2)),
      managed: true,
      content: isWritten(change2) ? "new" : "same"
    })
  );
  const others = before.filter(({ managed }) => !managed).map(({ key }) => key);
  const standing = typeof position === "object" ? { before: new Set(others.filter((key) => position.before(live.get(key).id))) } : position;
  return { steps: transition(before, after, standing), goal: arrival(before, after, standing), live };
}
var isWanted = ({ action: action2, after }) => after !== void 0 && action2 !== "forget" && !after.meta.existing;
var isWritten = ({ action: action2, fields }) => action2 === "create" || fields.some(asksForWrite);
var goalOf = ({ before, after }) => ({ ...before?.fields, ...after?.fields });
function isLeftover(resource, change2, entry) {
  if (!entry) return false;
  const goal = goalOf(change2);
  const names = Object.keys({ ...goal, ...resource.fields });
  return entry.ids.includes(resource.id) || isWritten(change2) && names.every((name2) => same(goal[name2], resource.fields[name2], {}));
}
function verdictOf(decides2, fields) {
  const verdict = decides2(fields);
  return verdict === null ? null : canonical(revealed(verdict));
}
function mark({ changes: changes2, entryOf }, { steps, live }) {
  for (const change2 of changes2) {
    const isMoved = steps.some(({ type: type3, key }) => type3 === "move" && key === change2.address);
    const losesCopy = steps.some(
      ({ key }) => key !== change2.address && live.get(key)?.address === change2.address
    );
    const { action: action2 } = change2;
    if (isMoved) change2.moves = true;
    if (steps.some((step) => step.type === "remove" && step.superseded && step.key === change2.address))
      change2.anew = true;
    if (losesCopy && action2 !== "delete" && !isWritten(change2))
      Object.assign(change2, {
        action: action2 === "noop" ? "update" : action2,
        reason: "another copy of it is removed"
      });
    else if (isMoved && (action2 === "noop" || action2 === "adopt" && !isWritten(change2) && entryOf(change2.address)))
      Object.assign(change2, { action: "move", reason: "its position differs" });
  }
}
function stepwise(kind2, changes2, { steps, live }) {
  const byAddress = new Map(changes2.map((change2) => [change2.address, change2]));
  return steps.map((step) => {
    if (step.type === "move") return written(kind2, "move", byAddress.get(step.key), { to: step.to });
    if (step.type === "insert") return written(kind2, "create", byAddress.get(step.key));
    if (step.type === "update") return written(kind2, "update", byAddress.get(step.key));
    const { address, id } = live.get(step.key);
    const draft2 = written(kind2, "delete", byAddress.get(address), { id });
    return { ...draft2, requests: draft2.requests.map((one) => ({ ...one, drops: [{ address, id }] })) };
  });
}
function placed2(kind2, changes2, { steps, live, goal }) {
  const byAddress = new Map(changes2.map((change3) => [change3.address, change3]));
  const has = (type3, key) => steps.some((step) => step.type === type3 && step.key === key);
  const change2 = (key) => byAddress.get(live.get(key)?.address ?? key);
  const removed = steps.filter(({ type: type3, key }) => type3 === "remove" || type3 === "move" && live.has(key));
  const gone = removed.map(({ key }) => live.get(key));
  return [
    ...gone.length > 0 ? [removal(kind2, gone, change2(removed[0].key))] : [],
    ...goal.filter((key) => has("update", key) && !has("move", key)).map((key) => written(kind2, "update", change2(key))),
    ...goal.flatMap((key, index) => {
      if (!has("insert", key) && !has("move", key)) return [];
      const before = goal[index - 1];
      if (before === void 0) return [written(kind2, "create", change2(key))];
      const isPut = has("insert", before) || has("move", before);
      const behind = isPut ? { $ref: change2(before).address, attr: "id" } : live.get(before).id;
      return [written(kind2, "create", change2(key), { behind })];
    })
  ];
}
function removal(kind2, gone, first) {
  const draft2 = written(kind2, "delete", first, { id: gone.map(({ id }) => id) });
  const drops = gone.map(({ address, id }) => ({ address, id }));
  return {
    ...draft2,
    changes: gone.map(({ address }) => address),
    requests: draft2.requests.map((one) => ({ ...one, drops }))
  };
}

// src/shapes/rows.ts
function rows({ fields, place = [], placesIn: placesIn2, toUnits: toUnits2, merge, toRow: toRow2 }, inner = plain) {
  let made3;
  return {
    ...inner,
    byAddress: true,
    get fields() {
      made3 ??= fields();
      return made3;
    },
    place,
    ...placesIn2 ? { placesIn: placesIn2 } : {},
    units: toUnits2,
    ...merge ? { merged: merge, keyWords } : {},
    rowOf: toRow2
  };
}
var keyWords = ({ key }, around) => `${key.map((name2) => `\`${name2}\``).join(" and ")}: all live rows of ${around} with the same values form one set and are owned together.`;

// src/shapes/staged.ts
var staged = (staging, inner = plain) => ({
  ...inner,
  byIndex: false,
  staging,
  words: () => [
    ...inner.words(true),
    "Changes are staged and go live only when all of them are promoted. A version staged by somebody else blocks the plan."
  ],
  arrange(siblings) {
    const way = inner.arrange(siblings);
    return (changes2, context) => promoted(siblings.kind, way(changes2, { ...context, isHidden: true }), staging, context);
  }
});
var version = ["version", "id"];
function promoted({ name: name2 }, drafts, { versions, promote: promote2 }, { parent, left, versions: found2 }) {
  const refused = drafts.filter(({ problem: problem2 }) => problem2);
  if (refused.length > 0) return refused;
  const requests = drafts.flatMap((draft2) => draft2.requests);
  if (requests.length === 0) return drafts;
  const collection = collectionId(name2, parent);
  const act = (id, action2) => ({
    ...request(promote2, { id, action: action2 }),
    stages: { collection }
  });
  const before = [
    {
      ...request(versions),
      expects: [
        { path: ["versions", { isLive: true }, "id"], value: found2?.live },
        { path: ["versions", { isStaging: true }, "id"], value: found2?.staged }
      ]
    },
    ...left === void 0 ? [] : [act(left.id, "discard")]
  ];
  const of = [...new Set(drafts.flatMap(({ changes: changes2 }) => changes2))];
  const staging = requests.map((one) => ({ ...one, stages: { collection, version, of } }));
  const last = before.length + staging.length - 1;
  return [
    {
      ...drafts[0],
      ...drafts.length > 1 ? { verb: "update" } : {},
      changes: of,
      requests: [...before, ...staging, act(resultOf(last, ...version), "promote")]
    }
  ];
}

// providers/hosting/kinds/ai/ai-gateway-rule.ts
var aiGatewayRule = defineKind({
  name: "aiGatewayRule",
  doc: "A rule of the AI gateway: denies a model, or substitutes another one.",
  section: "aiGatewayRules",
  key: ["label"],
  shape: labelled([["type", "match"]]),
  id: "ruleId",
  lifecycle: { replace: "free" },
  form: 2,
  fields: () => ({
    label: label().describe("Its name here; the platform has none."),
    type: immutable(openEnum(["rewrite", "deny"])).describe("What it does."),
    match: immutable(strictObject({ model: string().min(1).optional().describe("The model.") })).default({}).describe("The model it applies to."),
    action: atomic(
      strictObject({
        rewriteModel: string().optional().describe("The model to use instead."),
        reason: string().optional().describe("The reason given when it denies.")
      })
    ).optional().describe("The action's settings, declared as a whole."),
    description: string().nullable().optional().describe("A note for humans."),
    enabled: updateOnly(boolean()).optional().describe("Whether it applies.")
  }),
  example: `aiGatewayRules:
  no-preview:
    type: deny
    match: { model: example/preview }
    action: { reason: Not for production }`,
  rules: {
    // Only the text can be written: an empty one is none.
    normal: (fields) => fields.description === null ? { ...fields, description: "" } : fields
  },
  read: {
    endpoint: "GET /v1/ai-gateway/rules?includeDisabled=true",
    items: "rules",
    gone: "deleted",
    facts: ["updatedBy"]
  },
  decode: (rule) => ({ match: {}, action: {}, description: "", ...rule }),
  create: "POST /v1/ai-gateway/rules",
  update: { endpoint: "PATCH /v1/ai-gateway/rules", body: ({ id, body }) => ({ ruleId: id, ...body }) },
  delete: "DELETE /v1/ai-gateway/rules?ruleId={id}"
});

// providers/hosting/kinds/ai/ai-gateway-virtual-model.ts
var text = () => string().min(1).optional();
var texts = () => setOf(string().min(1)).optional();
var flag = () => boolean().optional();
var aiGatewayVirtualModel = defineKind({
  name: "aiGatewayVirtualModel",
  doc: "A virtual model of the AI gateway: a name for one or more models and how to choose among them.",
  section: "aiGatewayVirtualModels",
  key: ["virtualModelSlug"],
  id: "virtualModelSlug",
  form: 2,
  fields: () => ({
    virtualModelSlug: string().min(1).describe("Its name in requests to the gateway."),
    kind: immutable(string().min(1)).optional().describe("The type of model; chosen by the platform if omitted."),
    displayName: text().describe("Its display name."),
    description: string().optional().describe("Its description."),
    models: array(string().min(1)).min(1).optional().describe("The models behind it, first choice first."),
    modelSlug: text().describe("The model behind it, if there is only one."),
    selector: openEnum(["priority", "cost", "ttft", "tps"]).optional().describe("How a model is chosen: by `priority`, `cost`, time to first token or tokens per second."),
    sort: openEnum(["cost", "price", "latency", "throughput", "ttft", "tps"]).optional().describe("How providers are ordered."),
    providerOrder: array(string().min(1)).optional().describe("The providers to try first, in order."),
    providerOnly: texts().describe("The only providers to use."),
    providerOptions: atomic(record(string(), record(string(), any()))).optional().describe("Extra options for each provider, by its name."),
    providerTimeouts: strictObject({ byok: record(string(), number().positive()).optional() }).optional().describe("The timeout of each provider with your own keys, in milliseconds, by its name."),
    byokCredentialIds: texts().describe("The ids of your own keys to use."),
    serviceTier: openEnum(["flex", "priority", "fast"]).optional().describe("The service tier to request from providers."),
    speed: openEnum(["fast"]).optional().describe("Use a model's faster, more expensive mode if it has one."),
    allowFallbackFromFast: flag().describe(
      "Whether to fall back to the normal mode if the fast one is unavailable."
    ),
    caching: openEnum(["auto"]).optional().describe("Whether the gateway marks what providers may cache."),
    inferenceRegion: strictObject({
      scope: openEnum(["global", "zone", "specific"]).optional().describe("How the location is specified."),
      geoRegion: text().describe("The part of the world, such as `eu`."),
      providerRegion: text().describe("The region, as named by the provider."),
      providers: atomic(record(string(), record(string(), string()))).optional().describe("Overrides by provider name.")
    }).optional().describe("Where requests are processed."),
    has: setOf(openEnum(["implicit-caching", "vision"])).optional().describe("Required model properties."),
    requires: texts().describe("Required model capabilities."),
    disallowPromptTraining: flag().describe("Only providers that do not train on prompts."),
    hipaaCompliant: flag().describe("Only providers that comply with HIPAA."),
    zeroDataRetention: flag().describe("Only providers with zero data retention."),
    observabilityTags: texts().describe("Tags for finding requests."),
    baseUrl: url().optional().describe("Where your own model is served."),
    visibility: text().describe("Who sees it.")
  }),
  example: `aiGatewayVirtualModels:
  support:
    displayName: Support
    models: [example/large, example/small]
    selector: cost
    zeroDataRetention: true`,
  read: {
    // Without the owner those of all teams of the token are listed.
    endpoint: "GET /ai-gateway/virtual-model-configs/list?ownerId={teamId}",
    items: "virtualModelConfigs",
    gone: "deleted",
    facts: ["updatedBy"]
  },
  create: "POST /ai-gateway/virtual-model-configs",
  update: "PATCH /ai-gateway/virtual-model-configs/{id}",
  delete: "DELETE /ai-gateway/virtual-model-configs/{id}?ownerId={teamId}"
});

// providers/hosting/kinds/config/global-config.ts
var globalConfig = defineKind({
  name: "globalConfig",
  doc: "A configuration store read at the edge, with its items, schema and tokens.",
  section: "globalConfigs",
  key: ["slug"],
  lifecycle: { replace: "never", container: true },
  fields: () => ({
    slug: string().regex(/^[\w-]{1,64}$/, "a slug must have 1 to 64 letters, digits, underscores and hyphens").describe("Its name, unique in the account.")
  }),
  example: { shop: { items: { banner: "Sale ends Sunday" } } },
  read: { endpoint: "GET /v1/global-config", items: "", gone: "deletedAt" },
  create: "POST /v1/global-config",
  update: "PUT /v1/global-config/{id}",
  delete: "DELETE /v1/global-config/{id}",
  // Stores of flags and experiments belong to the platform.
  decode: ({ slug, purpose }) => purpose ? void 0 : { slug: String(slug) }
});

// providers/hosting/kinds/config/global-config-item.ts
var items = "PATCH /v1/global-config/{globalConfig}/items";
var globalConfigItem = defineKind({
  name: "globalConfigItem",
  doc: "A value in a global config: any JSON.",
  section: "items",
  parent: "globalConfig",
  key: ["key"],
  id: "key",
  lifecycle: { lane: "globalConfig", replace: "free" },
  fields: () => ({
    key: string().regex(/^[\w-]{1,256}$/, "a key can have letters, digits, underscores and hyphens").describe("Its name in the store."),
    value: atomic(anyJson()).describe("Any JSON: text, number, true, false, null, list or object."),
    description: string().max(512).nullable().optional().describe("A note for humans.")
  }),
  yaml: { shorthand: (value4) => ({ value: value4 }) },
  example: { banner: "Sale ends Sunday", limits: { value: { perUser: 5 }, description: "Of one order" } },
  shape: batch((steps) => [writes(steps)]),
  read: { endpoint: "GET /v1/global-config/{globalConfig}/items", items: "" },
  create: items,
  update: items,
  delete: items
});
var writes = (steps) => ({
  changes: steps.map(({ address }) => address),
  requests: [
    {
      ...request(items, { items: steps.flatMap(itemsOf) }),
      returns: steps.filter(({ action: action2 }) => action2 === "create" || action2 === "replace").map(({ address, after }) => ({ address, id: keyOf(after) })),
      drops: steps.filter(({ action: action2 }) => action2 === "delete" || action2 === "replace").map(({ address, before }) => ({ address, id: before.id }))
    }
  ]
});
function itemsOf({ action: action2, before, after, body }) {
  const gone = () => ({ operation: "delete", key: keyOf(before) });
  const made3 = () => ({ operation: "create", ...before?.fields, ...after.fields });
  if (action2 === "create") return [made3()];
  if (action2 === "delete") return [gone()];
  return action2 === "replace" ? [gone(), made3()] : [{ operation: "update", key: keyOf(after), ...body }];
}
var keyOf = ({ fields }) => String(fields.key);

// providers/hosting/kinds/config/global-config-schema.ts
var requires = ({ body: { definition } }) => isPlainObject(definition) && Array.isArray(definition.required) && definition.required.length > 0;
var write = [
  { endpoint: "POST /v1/global-config/{globalConfig}/schema", when: (step) => !requires(step) },
  { endpoint: "POST /v1/global-config/{globalConfig}/schema", when: requires, phase: "last" }
];
var globalConfigSchema = defineKind({
  name: "globalConfigSchema",
  doc: "The JSON Schema for the items of a global config.",
  section: "schema",
  parent: "globalConfig",
  key: [],
  lifecycle: { lane: "globalConfig" },
  fields: () => ({
    definition: atomic(record(string(), any())).describe("The JSON Schema.")
  }),
  example: { definition: { type: "object", properties: { banner: { type: "string" } } } },
  read: {
    endpoint: "GET /v1/global-config/{globalConfig}/schema",
    // Whether it comes in a member, as it is written, is not documented.
    item: (answer) => "definition" in answer ? answer : { definition: answer }
  },
  create: write,
  update: write,
  delete: { endpoint: "DELETE /v1/global-config/{globalConfig}/schema", phase: "first" }
});

// providers/hosting/kinds/config/global-config-token.ts
var globalConfigToken = defineKind({
  name: "globalConfigToken",
  doc: "A token that reads a global config; its value is shown only once, at creation.",
  section: "tokens",
  parent: "globalConfig",
  key: ["label"],
  fields: () => ({ label: string().min(1).max(52).describe("Its display name.") }),
  example: { web: { $secretTo: { file: ".secrets/shop-token" } } },
  read: { endpoint: "GET /v1/global-config/{globalConfig}/tokens", items: "" },
  create: "POST /v1/global-config/{globalConfig}/token",
  delete: {
    endpoint: "DELETE /v1/global-config/{globalConfig}/tokens",
    body: ({ id }) => ({ ids: [id] })
  },
  shows: "token"
});

// providers/hosting/kinds/connect/connector.ts
var types = "api-key discord github linear linq microsoft-entra oauth photon salesforce sendblue slack snowflake snowflake-wif";
var data = () => object({
  clientSecret: secret(string()).optional().describe("The secret of an OAuth client or app."),
  privateKeyPem: secret(string()).optional().describe("The private key of a GitHub app, as PEM."),
  webhookSecret: secret(string()).optional().describe("The signing secret of webhooks."),
  signingSecret: secret(string()).optional().describe("The signing secret of Slack."),
  verificationToken: secret(string()).optional().describe("Slack's legacy webhook token."),
  consumerSecret: secret(string()).optional().describe("The secret of a Salesforce app."),
  apiSecretKey: secret(string()).optional().describe("The secret key of Sendblue."),
  projectSecret: secret(string()).optional().describe("The secret of a Photon project."),
  apiToken: secret(string()).optional().describe("The token of Linq."),
  projectId: createOnly(string()).optional().describe("The project at Photon."),
  subjectType: createOnly(openEnum(["app", "user"])).optional().describe("Whether an `api-key` connector has its own keys or each user's."),
  serviceUrls: createOnly(array(string())).optional().describe("Where the keys of an `api-key` connector are valid."),
  values: createOnly(
    array(
      strictObject({
        value: secret(string()).describe("The key."),
        scope: string().optional().describe("What it is valid for."),
        expiresAt: number().optional().describe("When it expires, in milliseconds since 1970.")
      })
    )
  ).optional().describe("The initial keys of an `api-key` connector; add later ones in the dashboard.")
}).catchall(any());
function changed({ fields, body }) {
  if (!body.data) return body;
  const isChanged = (name2) => fields.some(({ path: path2 }) => path2 === `data.${name2.replaceAll(".", "\\.")}`);
  return {
    ...body,
    data: Object.fromEntries(Object.entries(body.data).filter(([name2]) => isChanged(name2)))
  };
}
var connector = defineKind({
  name: "connector",
  doc: "Access to an external service (Slack, GitHub, any OAuth server or API): deployments get its tokens, the platform keeps its credentials.",
  section: "connectors",
  key: ["uid"],
  // What people granted it is lost with it.
  lifecycle: { replace: "never", container: true },
  usual: { triggers: false },
  fields: () => ({
    uid: string().regex(/^[^\s%#\p{Cc}]+$/u).describe("The name that code uses for it, such as `slack/my-bot`."),
    name: string().regex(/^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u).describe("Its display name."),
    type: immutable(openEnum(types.split(" "))).optional().describe("The type of service, with its settings in `data`. The alternative is `connectionMethod`."),
    service: createOnly(string().min(1)).optional().describe("The service, by short name or URL."),
    connectionMethod: readMayLack(immutable(string().min(1))).optional().describe("How to connect to the `service`, as known to the platform; `data` has the credentials."),
    target: readMayLack(immutable(string().min(1))).optional().describe("The part of the service it is for, if its `connectionMethod` has several."),
    params: createOnly(record(string(), string())).optional().describe("Input of the `connectionMethod` at creation."),
    data: writeOnly(data()).optional().describe(
      "Its settings at the service: `clientId`, `clientSecret`, `serverUrl` and others, as the API of the platform names them. They are never read back."
    ),
    icon: readMayLack(string().regex(/^[0-9a-f]{40}$/)).optional().describe("The SHA-1 digest of an image uploaded as a file."),
    backgroundColor: readMayLack(string()).optional().describe("The background colour of the icon, such as `#000000`."),
    accentColor: readMayLack(string()).optional().describe("The accent colour, such as `#ffffff`."),
    triggers: boolean().optional().describe("Whether the service sends events."),
    events: readMayLack(setOf(string().min(1))).optional().describe("The events it sends, as named by the service.")
  }),
  example: `secrets: { slack: { env: SLACK_SECRET } }
connectors:
  slack/my-bot:
    name: My bot
    type: slack
    triggers: true
    data: { appId: A0123, appName: My bot, clientId: "1234.5678", clientSecret: "\${secret.slack}" }`,
  rules: {
    check: ({ type: type3, service, connectionMethod }) => type3 !== void 0 || service !== void 0 && connectionMethod !== void 0 ? [] : [
      {
        path: ["type"],
        message: "a connector needs a `type`, or a `service` and a `connectionMethod`"
      }
    ],
    grade: ({ action: action2, fields }) => action2 === "update" && fields.some(({ path: path2 }) => path2 === "uid") ? { grade: "disruptive", reason: "code that uses its old `uid` no longer finds it" } : action2 === "update" && fields.some(({ path: path2 }) => path2.startsWith("data.")) ? { grade: "disruptive", reason: "users may have to authorize or install it again" } : void 0
  },
  read: {
    endpoint: "GET /v2/connect/connectors",
    items: "connectors",
    one: { endpoint: "GET /v1/connect/connectors/{id}" }
  },
  // `triggers` is only there while they are on, and `service` is what the platform makes of it.
  decode: ({ service: _, ...found2 }) => {
    const triggers = found2.triggers?.enabled === true;
    return { ...found2, triggers };
  },
  create: { endpoint: "POST /v1/connect/connectors", body: ({ body }) => ({ data: {}, ...body }) },
  update: { endpoint: "PATCH /v2/connect/connectors/{id}", body: changed },
  delete: "DELETE /v1/connect/connectors/{id}"
});

// providers/hosting/kinds/environments.ts
var builtIn = ["production", "preview", "development"];
var environments = () => setOf(mayIdentify("customEnvironment", string().min(1))).min(1).describe(
  "The environments: `production`, `preview`, `development`, or the id of a custom environment: `${projects.web.customEnvironments.staging.id}`."
);
var namedEnvironments = ({ environments: environments2 }) => environments2.flatMap(
  (one, index) => typeof one !== "string" || builtIn.includes(one) || one.startsWith("env_") ? [] : [
    {
      path: ["environments", index],
      severity: "warning",
      message: `\`${one}\` is neither production, preview or development, nor the id of a custom environment`,
      hint: `a custom environment is named by its id: \`\${projects.NAME.customEnvironments.${one}.id}\``
    }
  ]
);

// providers/hosting/kinds/connect/connector-project.ts
var idOf = ({ project: project2 }) => project2.id;
var connectorProject = defineKind({
  name: "connectorProject",
  doc: "Gives deployments of a project tokens of a connector.",
  section: "projects",
  parent: "connector",
  key: ["projectId"],
  id: idOf,
  lifecycle: { replace: "free" },
  fields: () => ({
    projectId: immutable(refTo("project")).describe("The project."),
    environments: environments()
  }),
  example: `projects: { web: {} }
connectors:
  auth.example.com/shop:
    name: Shop
    type: oauth
    data: { clientId: shop, serverUrl: "https://auth.example.com" }
    projects:
      web: { environments: [production] }`,
  rules: { check: namedEnvironments },
  read: { endpoint: "GET /v2/connect/connectors/{connector}/projects", items: "projects" },
  decode: (found2) => ({ projectId: idOf(found2), environments: found2.enabledEnvironments }),
  create: {
    endpoint: "POST /v1/connect/connectors/{connector}/projects/{projectId}",
    body: ({ body: { environments: environments2 } }) => ({ environments: environments2 }),
    returns: ({ address, after }) => [{ address, id: after.fields.projectId }]
  },
  update: {
    endpoint: "POST /v1/connect/connectors/{connector}/projects/{id}",
    body: ({ whole: { environments: environments2 } }) => ({ environments: environments2 })
  },
  delete: "DELETE /v1/connect/connectors/{connector}/projects/{id}"
});

// providers/hosting/kinds/connect/trigger-destinations.ts
var triggerDestinations = defineKind({
  name: "triggerDestinations",
  doc: "The deployments that receive the events of a connector.",
  section: "triggerDestinations",
  parent: "connector",
  key: [],
  lifecycle: { after: ["connectorProject"] },
  usual: { destinations: [] },
  form: 2,
  fields: () => ({
    destinations: setOf(
      strictObject({
        projectId: mayIdentify("project", string().min(1)).describe("The id of the project."),
        branch: string().min(1).optional().describe("The branch whose preview deployment receives them."),
        customEnvironmentId: mayIdentify("customEnvironment", string().min(1)).optional().describe("The id of the custom environment."),
        path: string().min(1).optional().describe("The route to send them to.")
      })
    ).max(3).describe(
      "The complete list, at most 3: `projectId` (`${projects.NAME.id}`), with a `branch` or a `customEnvironmentId`; production without either. `[]` for none."
    )
  }),
  example: `projects: { web: {} }
connectors:
  auth.example.com/shop:
    name: Shop
    type: oauth
    data: { clientId: shop, serverUrl: "https://auth.example.com" }
    triggerDestinations:
      destinations:
        - { projectId: "\${projects.web.id}", path: /api/events }`,
  rules: {
    check: ({ destinations }) => destinations.flatMap(
      ({ branch: branch2, customEnvironmentId }, index) => branch2 === void 0 || customEnvironmentId === void 0 ? [] : [
        {
          path: ["destinations", index, "branch"],
          message: "a destination can have a `branch` or a `customEnvironmentId`, not both"
        }
      ]
    )
  },
  read: {
    endpoint: "GET /v1/connect/connectors/{connector}",
    item: ({ triggerDestinations: triggerDestinations2 }) => ({ destinations: triggerDestinations2 ?? [] })
  },
  update: "PATCH /v1/connect/connectors/{connector}/trigger-destinations"
});

// providers/hosting/kinds/delivery/drain-delivery.ts
var text2 = () => string().optional();
var delivery = () => strictObject({
  type: openEnum(["http", "otlphttp", "s3"]).describe("The delivery type."),
  endpoint: union([string().min(1), strictObject({ traces: string().min(1) })]).describe("A URL; for `otlphttp` `{ traces: URL }`."),
  encoding: openEnum(["json", "ndjson", "proto"]).describe("The encoding."),
  compression: openEnum(["gzip", "none"]).nullable().optional().describe("Whether it is compressed."),
  headers: atomic(record(string(), secret(string()))).optional().describe("The complete set of request headers, up to 5; `{}` for none. Their values are secret."),
  secret: secret(string().min(32)).optional().describe("Signs each request; generated by the platform if omitted."),
  fileStructure: openEnum(["hive"]).optional().describe("How files are laid out, for `s3`."),
  roleArn: text2().describe("The role that writes, for `s3`."),
  region: text2().describe("The region of the bucket, for `s3`."),
  serverSideEncryption: openEnum(["AES256", "aws:kms", "aws:kms:dsse"]).optional().describe("For `s3`."),
  objectAcl: openEnum(["private", "bucket-owner-read", "bucket-owner-full-control"]).nullable().optional().describe("For `s3`.")
});
var s3 = ["fileStructure", "roleArn", "region", "serverSideEncryption", "objectAcl"];
var byType = {
  http: { needs: [], refuses: s3 },
  otlphttp: { needs: [], refuses: [...s3, "compression"] },
  s3: { needs: ["compression", "fileStructure", "roleArn", "region"], refuses: ["headers", "secret"] }
};
var refuses = (type3, name2) => byType[String(type3)]?.refuses.includes(name2) ?? false;
function deliveryProblems({ delivery: given }) {
  const way = given ?? {};
  const rules2 = byType[String(way.type)];
  if (!rules2) return [];
  const say = (name2, message) => ({ path: ["delivery", name2], message });
  const isTraces = typeof way.endpoint === "object";
  return [
    ...rules2.needs.filter((name2) => way[name2] == null).map((name2) => say(name2, `\`${way.type}\` needs \`${name2}\``)),
    ...rules2.refuses.filter((name2) => way[name2] != null).map((name2) => say(name2, `\`${way.type}\` has no \`${name2}\``)),
    ...isTraces === (way.type === "otlphttp") ? [] : [say("endpoint", isTraces ? `\`${way.type}\` needs a URL` : "`otlphttp` takes `{ traces: URL }`")]
  ];
}
function writtenDelivery(way) {
  const members = Object.entries(way).filter(([name2]) => !refuses(way.type, name2));
  return { ...refuses(way.type, "headers") ? {} : { headers: {} }, ...Object.fromEntries(members) };
}

// providers/hosting/kinds/delivery/named-projects.ts
var namedProjects = (projectIds) => Array.isArray(projectIds) && projectIds.length > 0 ? { projectIds } : {};

// providers/hosting/kinds/delivery/drain.ts
var data2 = ["log", "trace", "analytics", "speed_insights", "audit_log", "ai_gateway", "connect"];
var oldest = "v1";
var drain = defineKind({
  name: "drain",
  doc: "Sends logs, traces and other data of projects to an endpoint.",
  section: "drains",
  key: ["name"],
  form: 2,
  fields: () => ({
    name: string().min(1).describe("Its name."),
    projectIds: setOf(refTo("project")).optional().describe("Only these projects; all if empty."),
    schemas: atomic(record(string(), strictObject({ version: string().default(oldest) }))).describe(
      `Everything that is sent, by type of data (${data2.join(", ")}), and its format version.`
    ),
    filter: atomic(strictObject({ version: string(), filter: record(string(), any()) })).nullable().optional().describe("What is sent: `{ version: v2, filter: { type: basic, ... } }`."),
    delivery: delivery().optional().describe("Where it goes, and how."),
    sampling: atomic(
      array(
        strictObject({
          type: openEnum(["head_sampling"]),
          rate: number().min(0).max(1),
          env: openEnum(["production", "preview"]).optional(),
          requestPath: string().optional()
        })
      )
    ).nullable().optional().describe("The share that is sent (sampling)."),
    transforms: readMayLack(array(strictObject({ id: string() }))).nullable().optional().describe("Transformations before sending."),
    status: updateOnly(openEnum(["enabled", "disabled"])).optional().describe("Whether it is enabled.")
  }),
  example: `drains:
  audit:
    schemas: { log: {} }
    delivery: { type: http, endpoint: https://logs.example.com, encoding: ndjson }`,
  rules: { check: deliveryProblems },
  read: { endpoint: "GET /v1/drains", items: "drains" },
  create: { endpoint: "POST /v1/drains", body: ({ body }) => ({ projects: "all", ...body }) },
  update: "PATCH /v1/drains/{id}",
  delete: "DELETE /v1/drains/{id}",
  decode,
  encode: ({ projectIds, delivery: delivery2, ...fields }) => ({
    ...fields,
    ...projectIds === void 0 ? {} : projectsOf(projectIds),
    ...delivery2 ? { delivery: writtenDelivery(delivery2) } : {}
  })
});
function projectsOf(ids2) {
  const named = namedProjects(ids2);
  return { projects: named.projectIds ? "some" : "all", ...named };
}
function decode({
  filterV2,
  projectIds,
  delivery: delivery2,
  schemas,
  source: source2,
  ...drain2
}) {
  const { secret: secret2, ...way } = delivery2 ?? {};
  const isTold = typeof secret2 === "string" && !(secret2 === "" && refuses(way.type, "secret"));
  if (["clickhouse", "internal"].includes(String(way.type))) return void 0;
  if (source2?.kind === "integration") return void 0;
  return {
    filter: null,
    sampling: null,
    ...drain2,
    projectIds: projectIds ?? [],
    schemas: versioned(schemas),
    ...filterV2 ? { filter: filterV2 } : {},
    delivery: { ...way, ...isTold ? { secret: secret2 } : {} }
  };
}
var versioned = (schemas) => Object.fromEntries(
  Object.entries(schemas ?? {}).map(([name2, one]) => [
    name2,
    { version: oldest, ...one }
  ])
);

// providers/hosting/kinds/delivery/webhook-events.ts
var webhookEvents = `
  budget.reached domain.created domain.dns.records.changed domain.transfer-in.started
  domain.transfer-in.completed domain.transfer-in.failed domain.certificate.add
  domain.certificate.add.failed domain.certificate.renew domain.certificate.renew.failed
  domain.certificate.deleted domain.renewal domain.renewal.failed domain.auto-renew.changed
  deployment.created deployment.build-requested deployment.cleanup deployment.error deployment.blocked
  deployment.canceled deployment.succeeded deployment.ready deployment.check-rerequested
  deployment.promoted deployment.rollback deployment.integration.action.start
  deployment.integration.action.cancel deployment.integration.action.cleanup deployment.checkrun.start
  deployment.checkrun.cancel edge-config.created edge-config.deleted edge-config.items.updated
  firewall.attack firewall.system-rule-anomaly firewall.custom-rule-anomaly function.archival-required
  function.removal-required alerts.triggered integration-configuration.permission-upgraded
  integration-configuration.removed integration-configuration.scope-change-confirmed
  integration-configuration.transferred integration-resource.project-connected
  integration-resource.project-disconnected project.created project.removed project.renamed
  project.env-variable.created project.env-variable.updated project.env-variable.deleted
  project.domain.created project.domain.updated project.domain.deleted project.domain.verified
  project.domain.unverified project.domain.moved project.rolling-release.started
  project.rolling-release.aborted project.rolling-release.completed project.rolling-release.approved
  deployment.checks.failed deployment.checks.succeeded deployment-checks-completed deployment-ready
  deployment-prepared deployment-error deployment-check-rerequested deployment-canceled project-created
  project-removed domain-created deployment integration-configuration-permission-updated
  integration-configuration-removed integration-configuration-scope-change-confirmed
  marketplace.member.changed marketplace.invoice.created marketplace.invoice.paid
  marketplace.invoice.notpaid marketplace.invoice.overdue marketplace.invoice.refunded
  ai-gateway.balance-depleted ai-gateway.auto-reload.limit-reached observability.anomaly
  observability.anomaly-error observability.usage-anomaly observability.error-anomaly botid.anomaly
  flag.created flag.updated flag.deleted flag.segment.created flag.segment.updated flag.segment.deleted
  test-webhook message.created message.updated message.deleted thread.resolved thread.unresolved
  message.reaction-added message.reaction-removed message.mentioned comment.created comment.updated
  comment.deleted comment.resolved comment.unresolved comment.reaction-added comment.reaction-removed
  comment.mentioned
`.trim().split(/\s+/);

// providers/hosting/kinds/delivery/webhook.ts
var webhook = defineKind({
  name: "webhook",
  doc: "A URL that is called when something happens, for all projects or some.",
  section: "webhooks",
  key: ["label"],
  shape: labelled([["url", "events", "projectIds"]]),
  fields: () => ({
    label: label().describe("Its name here; the platform has none."),
    url: url({ protocol: /^https?$/ }).describe("The URL to call."),
    events: setOf(openEnum(webhookEvents)).min(1).describe("The events it is called for."),
    projectIds: setOf(refTo("project")).default([]).describe("Only these projects; all if omitted.")
  }),
  example: `webhooks:
  deploys:
    url: https://hooks.example.com/deploys
    events: [deployment.succeeded, deployment.error]
    $secretTo: { file: .secrets/deploys-webhook }`,
  read: { endpoint: "GET /v1/webhooks", items: "" },
  create: "POST /v1/webhooks",
  delete: "DELETE /v1/webhooks/{id}",
  shows: "secret",
  decode: ({ url: url2, events, projectIds }) => ({ url: url2, events, projectIds: projectIds ?? [] }),
  encode: ({ projectIds, ...fields }) => ({ ...fields, ...namedProjects(projectIds) })
});

// providers/hosting/kinds/domains/dns-content.ts
;
;
var hostTypes = ["ALIAS", "CNAME", "MX", "NS"];
var toAscii = (name2) => name2.toLowerCase().split(".").map((label2) => /^[\x20-\x7e]*$/.test(label2) ? label2 : domainToASCII(label2) || label2).join(".");
function normalName(name2, zone) {
  const ascii = toAscii(name2);
  if (ascii === "" || ascii === `${zone}.`) return "@";
  return ascii.endsWith(`.${zone}.`) ? ascii.slice(0, -zone.length - 2) : ascii;
}
function normalHost(host, zone) {
  const ascii = toAscii(host);
  if (ascii === "@") return `${zone}.`;
  if (ascii.endsWith(".")) return ascii;
  return ascii.includes(".") ? `${ascii}.` : `${ascii}.${zone}.`;
}
function normalRecord(type3, record2, zone) {
  const { value: value4, mxPriority, srv, https, ttl, comment } = record2;
  const host = (target2) => onText(target2, (text7) => normalHost(text7, zone));
  return present({
    value: value4 && onText(value4, (text7) => normalValue(type3, text7, zone)),
    mxPriority,
    srv: srv && normalSrv(srv, host),
    https: https && normalHttps(https, host),
    ttl,
    comment
  });
}
var normalSrv = ({ priority: priority2, weight, port, target: target2 }, host) => ({
  priority: priority2,
  weight,
  port,
  target: host(target2)
});
var normalHttps = ({ priority: priority2, target: target2, params = "" }, host) => ({
  priority: priority2,
  target: host(target2),
  params: onText(params, (text7) => text7.trim().split(/\s+/).join(" "))
});
function normalValue(type3, value4, zone) {
  if (hostTypes.includes(type3)) return normalHost(value4, zone);
  if (type3 === "AAAA" && isIPv6(value4) && URL.canParse(`http://[${value4}]`))
    return new URL(`http://[${value4}]`).hostname.slice(1, -1);
  if (type3 !== "CAA") return value4;
  const [, flags, tag, text7] = /^\s*(\d+)\s+(\w+)\s+(.*?)\s*$/s.exec(value4) ?? [];
  return flags === void 0 ? value4 : `${Number(flags)} ${tag.toLowerCase()} "${text7.replace(/^"(.*)"$/s, "$1")}"`;
}
function fromApi(row) {
  const { name: name2, type: type3, value: value4, ttl, comment, priority: priority2, mxPriority, srv, https } = row;
  const words3 = String(value4 ?? "").split(/\s+/);
  const absolute = (host) => `${String(host ?? "").replace(/\.$/, "")}.`;
  const whole = present({ name: name2 || "@", type: type3, ttl, comment: comment || "" });
  if (type3 === "SRV") {
    const [weight, port] = words3.map(Number);
    const packed = data3(srv) ?? { priority: priority2, weight, port, target: words3[2] };
    return { ...whole, srv: { ...packed, target: absolute(packed.target) } };
  }
  if (type3 === "HTTPS") {
    const packed = data3(https) ?? {
      priority: priority2,
      target: words3[0],
      params: words3.slice(1).join(" ")
    };
    return { ...whole, https: { ...packed, target: absolute(packed.target) } };
  }
  if (type3 === "MX") whole.mxPriority = mxPriority ?? priority2;
  return { ...whole, value: hostTypes.includes(String(type3)) ? absolute(value4) : value4 };
}
var data3 = (found2) => isPlainObject(found2) && Object.keys(found2).length > 0 ? found2 : void 0;
var memberKey = ({ ttl: _, comment: __, ...content }) => canonical(revealed(content));
var onText = (value4, change2) => {
  if (value4 instanceof Sealed) return new Sealed(change2(value4.reveal()), value4.secretName);
  return typeof value4 === "string" ? change2(value4) : value4;
};
var present = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value4]) => value4 !== void 0));

// providers/hosting/kinds/domains/host-name.ts
function nameProblems(written4) {
  const name2 = toAscii(written4).replace(/\.$/, "");
  const labels = name2.split(".");
  if (name2.length > 253) return [{ message: "a DNS name can have at most 253 characters" }];
  if (labels.some((label2) => label2 === ""))
    return [{ message: "a name cannot have two dots in a row or start with one" }];
  if (labels.some((label2) => label2.length > 63))
    return [{ message: "each part between dots can have at most 63 characters" }];
  if (/[^\x21-\x7e]/.test(name2))
    return [{ message: "this is not a valid name: it has spaces or invalid characters" }];
  const odd = labels.find((label2, at2) => !isPlain(label2) && !(label2 === "*" && at2 === 0));
  return odd === void 0 ? [] : [
    {
      message: `the platform may reject the name: \`${odd}\` is not a letter, digit, hyphen or underscore`,
      severity: "warning"
    }
  ];
}
var domainProblems = (written4) => toAscii(written4).includes(".") ? nameProblems(written4) : [{ message: "a domain must contain a dot", hint: "such as `www.example.com`" }];
var isPlain = (label2) => /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/i.test(label2);

// providers/hosting/kinds/deployments/alias.ts
var hostName = () => string().min(1).overwrite(toAscii);
var alias = defineKind({
  name: "alias",
  doc: "A host name that serves one fixed deployment. Not for domains of a project, which follow its deployments.",
  section: "aliases",
  parent: "project",
  key: ["alias"],
  shape: onlyDeclared,
  id: "uid",
  lifecycle: { after: ["projectDomain", "deployment"] },
  fields: () => ({
    alias: immutable(withTraits(hostName(), { within: "domain" })).describe(
      "The host name, such as `demo.example.com` or `acme-demo.vercel.app`."
    ),
    deploymentId: readMayLack(string().min(1)).describe(
      "The deployment to serve: `dpl_...`, or `${projects.web.deployments.v42.id}`. It must be ready."
    ),
    redirect: hostName().nullable().optional().describe("The host name to redirect visitors to, instead of the deployment; null for none.")
  }),
  example: `variables: { release: { default: dpl_5WJWYSyB7BpgTj3EuwF37WMRBXBtPQ2iTMJHJBJyRfd } }
projects:
  web:
    aliases:
      demo.example.com: { deploymentId: "\${var.release}" }`,
  rules: {
    check: ({ alias: alias2 }) => domainProblems(String(alias2)).map((finding) => ({ path: ["alias"], ...finding })),
    grade: ({ action: action2, fields }) => action2 !== "create" && fields.some(({ cause }) => cause !== "recorded") ? { grade: "disruptive", reason: "visitors of it see something else" } : void 0
  },
  read: {
    endpoint: "GET /v4/aliases?projectId={project}",
    items: "aliases",
    one: { endpoint: "GET /v4/aliases/{id}" }
  },
  decode: (found2) => found2.deletedAt ? void 0 : found2,
  create: {
    endpoint: "POST /v2/deployments/{deploymentId}/aliases",
    body: ({ body: { deploymentId: _, ...rest } }) => rest
  },
  // It moves a name that is there; what a body leaves out nobody tells.
  update: {
    endpoint: "POST /v2/deployments/{deploymentId}/aliases",
    body: ({ whole: { alias: alias2, redirect = null } }) => ({ alias: alias2, redirect })
  },
  delete: "DELETE /v2/aliases/{id}"
});

// providers/hosting/kinds/deployments/alias-bypass.ts
var everybody = "*";
var command = ({ who }, isGranted) => {
  if (who === everybody)
    return {
      override: { scope: "alias-protection-override", action: isGranted ? "create" : "revoke" }
    };
  const person = String(who).includes("@") ? { email: who } : { userId: who };
  return { scope: { ...person, access: isGranted ? "granted" : "denied" } };
};
var aliasBypass = defineKind({
  name: "aliasBypass",
  doc: "Lets a person, or everybody, view a protected alias.",
  section: "protectionBypasses",
  parent: "alias",
  key: ["who"],
  id: "who",
  lifecycle: { replace: "free", asks: { "remove-access": "delete" } },
  fields: () => ({
    who: string().min(1).overwrite((text7) => text7.includes("@") ? text7.toLowerCase() : text7).describe("A user id, the e-mail address of an invited person, or `*` for everybody.")
  }),
  example: `projects:
  web:
    aliases:
      demo.example.com:
        deploymentId: dpl_5WJWYSyB7BpgTj3EuwF37WMRBXBtPQ2iTMJHJBJyRfd
        protectionBypasses: { grace@example.com: {} }`,
  rules: {
    grade: ({ action: action2, after }) => action2 === "create" ? {
      grade: "disruptive",
      reason: `${after?.fields.who === everybody ? "everybody sees" : "another person sees"} what is protected`
    } : void 0
  },
  read: {
    endpoint: "GET /v4/aliases/{alias}",
    items: ({ protectionBypass: protectionBypass2 }) => Object.entries(protectionBypass2 ?? {}).flatMap(
      ([key, { scope, access }]) => {
        if (scope === "alias-protection-override") return { who: everybody };
        const isGranted = scope === "email_invite" || scope === "user" && access === "granted";
        return isGranted ? { who: key } : [];
      }
    )
  },
  create: {
    endpoint: "PATCH /aliases/{alias}/protection-bypass",
    body: ({ after }) => command(after.fields, true)
  },
  delete: {
    endpoint: "PATCH /aliases/{alias}/protection-bypass",
    body: ({ before }) => command(before.fields, false)
  }
});

// providers/hosting/kinds/pending.ts
var most = 200;
var quoted = (text7) => typeof text7 === "string" && text7 !== "" ? JSON.stringify(text7.slice(0, most)) : void 0;
var pendingByStatus = (ready, words3, message, member = "status") => (object2) => {
  const { [member]: status } = object2;
  if (status === ready || typeof status !== "string") return void 0;
  const known = Object.hasOwn(words3, status) ? words3[status] : { why: `its status is ${quoted(status)}` };
  const said = known.failed && message !== void 0 ? quoted(object2[message]) : void 0;
  return said === void 0 ? known : { ...known, why: `${known.why}: ${said}` };
};

// providers/hosting/kinds/deployments/deployment.ts
var mark2 = "trueup";
var gitSource = () => strictObject({
  type: openEnum(["github", "github-limited", "gitlab", "bitbucket", "cursor-origin", "vercel"]),
  ref: string().optional(),
  sha: string().optional(),
  repoId: union([int(), string()]).optional(),
  org: string().optional(),
  repo: string().optional(),
  projectId: union([int(), string()]).optional(),
  repoUuid: string().optional(),
  workspaceUuid: string().optional(),
  owner: string().optional(),
  slug: string().optional()
});
var isOurs = (meta) => isPlainObject(meta) && mark2 in meta;
function asDeclared(found2, declared2) {
  if (!isPlainObject(found2) || !isPlainObject(declared2)) return found2;
  const members = Object.entries(declared2).map(([name2, value4]) => {
    const other = found2[name2];
    return [name2, other === void 0 || String(other) === String(value4) ? value4 : other];
  });
  return Object.fromEntries(members);
}
var failed = ["ERROR", "CANCELED", "DELETED"];
var building = { why: "the platform is still building it" };
var waiting = { why: "its build has not started yet" };
var queued = { QUEUED: waiting, INITIALIZING: waiting };
var blocked = { why: "the platform is not building it", failed: true };
var deployment = defineKind({
  name: "deployment",
  doc: "A deployment of a project, built once from a commit or from the source of another deployment. A failed one is built again.",
  section: "deployments",
  parent: "project",
  key: ["name"],
  shape: onlyDeclared,
  // In the list and by itself.
  id: ({ uid, id }) => String(uid ?? id),
  form: 2,
  lifecycle: { replace: "never", container: true, after: ["projectEnvVar", "projectDomain"] },
  fields: () => ({
    name: string().min(1).max(100).describe("Its name here, stored in its metadata as `trueup`."),
    gitSource: immutable(readMayLack(atomic(gitSource()))).optional().describe("The commit to build: `type`, `ref` or `sha`, and the repository as named by its provider."),
    deploymentId: createOnly(string().min(1)).optional().describe("The deployment to rebuild, instead of `gitSource`: `dpl_...`. Only used at creation."),
    target: immutable(openEnum(["production", "staging"])).optional().describe("The target: `production` goes live as soon as it is built. A preview if omitted."),
    customEnvironmentId: immutable(refTo("customEnvironment")).optional().describe("The slug of its custom environment, instead of `target`.")
  }),
  example: `projects:
  web:
    deployments:
      v42:
        gitSource: { type: github, org: acme, repo: web, ref: main, sha: 8d5e957f297893487bd98fa830fa6413 }`,
  rules: {
    check: ({ gitSource: gitSource2, deploymentId, target: target2, customEnvironmentId }) => [
      ...gitSource2 !== void 0 && deploymentId !== void 0 ? [{ path: ["deploymentId"], message: "use either `gitSource` or `deploymentId`" }] : [],
      ...target2 !== void 0 && customEnvironmentId !== void 0 ? [{ path: ["target"], message: "use either a `target` or a custom environment" }] : []
    ],
    align: ({ desired: { fields }, live }) => ({
      desired: fields,
      ...live ? { live: { ...live.fields, gitSource: asDeclared(live.fields.gitSource, fields.gitSource) } } : {}
    }),
    grade: ({ action: action2, after }) => {
      if (action2 === "delete")
        return { grade: "irreversible", reason: "it cannot be restored, and it stops being served" };
      return action2 === "create" && after?.fields.target === "production" ? { grade: "disruptive", reason: "visitors see it as soon as it is built" } : void 0;
    }
  },
  read: {
    endpoint: "GET /v7/deployments?projectId={project}",
    items: "deployments",
    detail: {
      endpoint: "GET /v13/deployments/{id}",
      isNeeded: ({ gitSource: gitSource2, meta }) => gitSource2 === void 0 && isOurs(meta)
    },
    gone: ({ state, readyState }) => failed.includes(String(readyState ?? state)),
    later: {
      until: "it is built",
      pending: pendingByStatus(
        "READY",
        { BUILDING: building, ...queued, BLOCKED: blocked },
        "errorMessage",
        "readyState"
      ),
      ended: "its build failed or was canceled, or it was deleted; the next apply builds it again"
    }
  },
  decode: ({ meta, gitSource: gitSource2, target: target2, customEnvironment: customEnvironment2 }) => {
    const { [mark2]: name2 } = meta ?? {};
    const { id: customEnvironmentId } = customEnvironment2 ?? {};
    if (name2 === void 0) return void 0;
    return definedOnly({
      name: name2,
      gitSource: gitSource2,
      target: target2 ?? void 0,
      customEnvironmentId
    });
  },
  // Without `forceNew` the platform may answer with one that is like it, and not ours.
  create: {
    endpoint: "POST /v13/deployments?forceNew=1&skipAutoDetectionConfirmation=1",
    body: ({ parent, body: { name: name2, customEnvironmentId, ...rest } }) => ({
      name: projectOf(parent),
      project: parent,
      meta: { [mark2]: name2 },
      ...rest,
      ...customEnvironmentId === void 0 ? {} : { customEnvironmentSlugOrId: customEnvironmentId }
    }),
    refuses: withoutContent
  },
  delete: "DELETE /v13/deployments/{id}"
});
var projectOf = (parent) => isRef(parent) ? lastNameOf(parent.$ref) : void 0;
function withoutContent({ address, after, body }) {
  if (body.gitSource !== void 0 || body.deploymentId !== void 0) return void 0;
  return problem("deployment/content", `${address} does not exist, and its source is not declared`, {
    address,
    at: after.at,
    hint: "declare its `gitSource`, or a `deploymentId` to rebuild"
  });
}

// providers/hosting/kinds/domains/certificate.ts
var pem = (what) => immutable(writeOnly(string().min(1))).optional().describe(`${what}, as PEM. Changing it replaces the certificate.`);
var isUploaded = ({ cert, key, ca }) => [cert, key, ca].some((part) => part !== void 0);
var certificate = defineKind({
  name: "certificate",
  doc: "A certificate, issued by the platform or uploaded. Domains of projects get one automatically.",
  section: "certificates",
  key: ["label"],
  shape: labelled([["cns", "autoRenew"]]),
  usual: { autoRenew: true },
  fields: () => ({
    label: label().describe("Its name here; the platform has none."),
    cns: immutable(
      withTraits(setOf(string().min(1).overwrite(toAscii)).min(1), { within: "domain" })
    ).describe(
      "The names it covers, such as `www.example.com` or `*.example.com`. For an uploaded one, those in it."
    ),
    cert: pem("The certificate to upload, in place of one that the platform issues"),
    key: secret(immutable(writeOnly(string().min(1)))).optional().describe(
      "The private key of the certificate to upload, as PEM. Changing it replaces the certificate."
    ),
    ca: pem("The certificate chain of the one to upload"),
    skipValidation: createOnly(boolean()).optional().describe("Whether the platform skips validation of the upload."),
    autoRenew: boolean().optional().describe("Identifies it: the platform renews what it issued. It cannot be changed.")
  }),
  example: `secrets: { shop-cert: {}, shop-ca: {}, shop-key: {} }
certificates:
  wildcard: { cns: [example.com, '*.example.com'] }
  shop:
    cns: [shop.example.com]
    cert: \${secret.shop-cert}
    ca: \${secret.shop-ca}
    key: \${secret.shop-key}`,
  rules: {
    check: (fields) => problemsOf(fields),
    normal: (fields) => ({ autoRenew: !isUploaded(fields), ...fields }),
    // It tells which one is meant; whether that is still renewed is the platform's to decide.
    align: ({ desired: { fields }, live }) => ({
      desired: live ? { ...fields, autoRenew: live.fields.autoRenew } : fields
    }),
    grade: ({ action: action2 }) => action2 === "delete" || action2 === "replace" ? {
      grade: action2 === "delete" ? "irreversible" : "disruptive",
      reason: "names not covered by another certificate become unreachable"
    } : void 0
  },
  read: { endpoint: "GET /v8/certs", items: "certs" },
  create: [
    {
      endpoint: "POST /v8/certs",
      when: (step) => !isUploaded(step.after.fields),
      body: ({ body: { cns } }) => ({ cns }),
      // While the names are validated nothing is made that could be waited for: it has to be asked for again.
      late: ["validation_running"],
      refuses: withoutParts
    },
    {
      endpoint: "PUT /v8/certs",
      when: (step) => isUploaded(step.after.fields),
      body: ({ body: { cns: _, autoRenew: __, ...parts } }) => parts
    }
  ],
  delete: "DELETE /v8/certs/{id}"
});
function problemsOf(fields) {
  const { cns, autoRenew, skipValidation } = fields;
  const isWhole = ["cert", "key", "ca"].every((part) => fields[part] !== void 0);
  const together = "upload `cert`, `key` and `ca` together";
  return [
    ...cns.flatMap(
      (name2, index) => nameProblems(String(name2)).map((finding) => ({ path: ["cns", index], ...finding }))
    ),
    ...isUploaded(fields) && !isWhole ? [{ path: ["cert"], message: together }] : [],
    ...skipValidation !== void 0 && !isUploaded(fields) ? [{ path: ["skipValidation"], message: together }] : [],
    ...isUploaded(fields) && autoRenew === true ? [{ path: ["autoRenew"], message: "the platform cannot renew what is uploaded" }] : []
  ];
}
function withoutParts({ address, after }) {
  if (after.fields.autoRenew !== false) return void 0;
  return problem("certificate/parts", `${address}: it was uploaded and no longer exists`, {
    address,
    at: after.at,
    hint: "declare its `cert`, `key` and `ca`, or remove `autoRenew: false` to have one issued"
  });
}

// providers/hosting/kinds/domains/dns-problems.ts
;
var problemsOf2 = (record2, zone) => [
  ...wrongMembers(record2),
  ...wrongName(record2, zone),
  ...typeof record2.value === "string" ? wrongValue(String(record2.type), record2.value) : []
];
var contentOf = (type3) => type3 === "SRV" ? "srv" : type3 === "HTTPS" ? "https" : "value";
function wrongMembers(record2) {
  const { type: type3 } = record2;
  const needed2 = [contentOf(type3), ...type3 === "MX" ? ["mxPriority"] : []];
  const given = ["value", "srv", "https", "mxPriority"].filter((name2) => record2[name2] !== void 0);
  return [
    ...needed2.filter((name2) => !given.includes(name2)).map((name2) => ({ path: [], message: `a record of type ${type3} needs \`${name2}\`` })),
    ...given.filter((name2) => !needed2.includes(name2)).map((name2) => ({
      path: [name2],
      message: `a record of type ${type3} cannot have \`${name2}\``,
      hint: `it has ${needed2.map((other) => `\`${other}\``).join(" and ")}`
    }))
  ];
}
function wrongName({ type: type3, name: name2 }, zone) {
  const normal = normalName(String(name2), zone);
  const wrong = (message, hint) => [{ path: ["name"], message, ...hint ? { hint } : {} }];
  if (normal.endsWith("."))
    return wrong(
      `\`${name2}\` is not in the zone ${zone}`,
      "a name with a trailing dot is absolute; without one it is relative to the zone"
    );
  if (type3 === "NS" && normal === "@")
    return wrong("the platform does not allow NS records at the apex", "the domain has its own nameservers");
  return normal === "@" ? [] : nameProblems(normal).map((finding) => ({ path: ["name"], ...finding }));
}
function wrongValue(type3, value4) {
  const wrong = (message, hint) => [{ path: ["value"], message, ...hint ? { hint } : {} }];
  if (value4 === "") return wrong(`the platform rejects an empty record of type ${type3}`);
  if (type3 === "A" && !isIPv4(value4)) return wrong("a record of type A needs an IPv4 address");
  if (type3 === "AAAA" && !isIPv62(value4)) return wrong("a record of type AAAA needs an IPv6 address");
  if (type3 === "MX" && value4 === ".") return wrong("the platform rejects `.` as a mail server");
  if (type3 === "CAA") return wrongCaa(value4).map((finding) => ({ path: ["value"], ...finding }));
  if (!hostTypes.includes(type3) || value4 === "@") return [];
  return nameProblems(value4).map((finding) => ({ path: ["value"], ...finding }));
}
function wrongCaa(value4) {
  const [, flags, tag = "", quoted2 = ""] = /^\s*(\d+)\s+(\w+)\s+(\S.*?)\s*$/s.exec(value4) ?? [];
  if (flags === void 0)
    return [
      {
        message: 'a CAA record must be `flags tag "value"`',
        hint: 'for example `0 issue "letsencrypt.org"`'
      }
    ];
  if (Number(flags) > 255) return [{ message: "the flags of a CAA record must be a number from 0 to 255" }];
  const [issuer = "", ...parameters] = quoted2.replace(/^"(.*)"$/s, "$1").split(";").map((part) => part.trim());
  if (!/^issue(wild)?$/i.test(tag)) return [];
  if (issuer === "")
    return [
      {
        message: `the platform rejects a CAA record whose \`${tag}\` names no issuer`,
        hint: 'name the only authority that may issue certificates: `0 issue "letsencrypt.org"`'
      }
    ];
  const other = parameters.find((one) => !/^(cansignhttpexchanges\s*=\s*yes)?$/.test(one));
  return other === void 0 ? [] : [
    {
      message: `the platform rejects the parameter \`${other}\``,
      hint: "it only accepts `cansignhttpexchanges=yes`"
    }
  ];
}

// providers/hosting/kinds/domains/dns-set.ts
var membersOf = (fields) => fields?.records ?? [];
var recordOf = ({ fields }) => membersOf(fields)[0];
var normalSet = (fields, parent = "") => {
  const zone = parent.split("/").at(-1);
  return {
    ...fields,
    records: membersOf(fields).map((record2) => normalRecord(String(fields.type), record2, zone))
  };
};
function settle({ desired, live, ownedIds, exclusive }) {
  const { address, at: at2, fields } = desired;
  const wanted = new Set(membersOf(fields).map(memberKey));
  const strangers = (live?.rows ?? []).filter(
    (row) => !wanted.delete(memberKey(recordOf(row))) && !ownedIds.includes(row.id) && !exclusive
  );
  if (fields.type === "TXT") return { desired: fields, strangers: strangers.map(({ id }) => id) };
  if (strangers.length === 0) return { desired: fields };
  const told = strangers.map(recordOf).map(({ ttl: _, comment: __, ...content }) => JSON.stringify(content));
  const message = `${address} also has ${told.join(", ")} in the account, which is not declared`;
  const hint = "declare it too, or write `$exclusive: [records]` in the domain to delete everything undeclared";
  return { desired: fields, problems: [problem("dns/undeclared-members", message, { address, at: at2, hint })] };
}
function clashes(siblings) {
  return siblings.filter(({ fields }) => fields.type === "CNAME").flatMap((cname) => {
    const beside = siblings.filter((other) => other !== cname && other.fields.name === cname.fields.name);
    const isAlone = beside.length === 0 && membersOf(cname.fields).length === 1;
    if (isAlone) return [];
    const others = beside.map(({ address }) => address);
    return {
      addresses: [cname.address, ...others],
      message: others.length ? `${cname.address} conflicts with ${others.join(", ")}; a CNAME allows no other record at its name` : `${cname.address} has several values; a name can have only one CNAME`,
      hint: "keep one of them; at the apex, use an ALIAS instead of a CNAME"
    };
  });
}

// providers/hosting/kinds/domains/dns-writes.ts
function writes2(steps) {
  const sets = steps.map((step) => {
    const { name: name2, type: type3 } = (step.after ?? step.before).fields;
    return { action: step.action, name: name2, type: String(type3), before: step.before, draft: draftOf(step) };
  });
  for (const made3 of sets.filter(({ action: action2 }) => action2 === "create"))
    for (const other of sets)
      if (other !== made3 && (other.before?.rows ?? []).some(({ fields }) => isOf2(fields, made3)))
        runAfter(made3.draft, other.draft);
  for (const made3 of sets.filter(({ action: action2 }) => action2 === "create"))
    for (const gone of sets.filter(({ action: action2, name: name2 }) => action2 === "delete" && name2 === made3.name)) {
      const types5 = [made3.type, gone.type];
      if (types5.includes("CNAME")) runAfter(made3.draft, gone.draft, gap);
      else if (types5.every((type3) => ["A", "AAAA", "ALIAS"].includes(type3))) runAfter(gone.draft, made3.draft);
    }
  return sets.map(({ draft: draft2 }) => draft2);
}
var gap = "the name does not resolve between the deletion and the creation";
var isOf2 = (fields, { name: name2, type: type3 }) => fields.name === name2 && fields.type === type3;
var runAfter = (draft2, other, disrupts) => Object.assign(draft2, { after: [...draft2.after ?? [], other] }, disrupts ? { disrupts } : {});
function draftOf({ address, before, after }) {
  const { name: name2, type: type3 } = (after ?? before).fields;
  const wanted = [...membersOf(after?.fields)];
  let left = [...before?.rows ?? []].sort((a, b) => keyOf2(a) < keyOf2(b) ? -1 : 1);
  const patched2 = [];
  const pair = (isMatch) => {
    left = left.filter((row) => {
      const at2 = row.fields.type === type3 ? wanted.findIndex((record2) => isMatch(row, record2)) : -1;
      if (at2 >= 0) patched2.push(...patch(row, wanted.splice(at2, 1)[0], name2));
      return at2 < 0;
    });
  };
  pair((row, record2) => keyOf2(row) === memberKey(record2));
  pair((row, record2) => row.ours === true && targetOf(recordOf(row)) === targetOf(record2));
  pair((row) => row.ours === true);
  const created = wanted.map((record2) => ({
    ...request("POST /v2/domains/{domain}/records", { name: asSent(name2), type: type3, ...record2 }),
    returns: [{ address, path: ["uid"] }]
  }));
  const deleted = left.map(({ id }) => ({
    ...request("DELETE /v2/domains/{domain}/records/{record}", void 0, { record: id }),
    drops: [{ address, id }]
  }));
  const isCname = type3 === "CNAME" || left.some(({ fields }) => fields.type === "CNAME");
  const isSwap = isCname && created.length > 0 && deleted.length > 0;
  const requests = [...patched2, ...isSwap ? [...deleted, ...created] : [...created, ...deleted]];
  return { changes: [address], requests, ...isSwap ? { disrupts: gap } : {} };
}
var asSent = (name2) => name2 === "@" ? "" : name2;
function patch(row, record2, name2) {
  const found2 = recordOf(row);
  const { ttl, comment, ...content } = record2;
  const isOpen3 = (name3) => record2[name3] === void 0 || revealed(record2[name3]) === found2[name3];
  const body = {
    ...row.fields.name === name2 ? {} : { name: asSent(name2) },
    ...memberKey(found2) === memberKey(record2) ? {} : content,
    ...isOpen3("ttl") ? {} : { ttl },
    ...isOpen3("comment") ? {} : { comment }
  };
  if (Object.keys(body).length === 0) return [];
  return [request("PATCH /v1/domains/records/{record}", body, { record: row.id })];
}
var keyOf2 = (row) => memberKey(recordOf(row));
var targetOf = ({ value: value4, srv, https }) => revealed(value4 ?? (srv ?? https)?.target);

// providers/hosting/kinds/domains/dns-record.ts
var types2 = ["A", "AAAA", "ALIAS", "CAA", "CNAME", "HTTPS", "MX", "NS", "SRV", "TXT"];
var number16 = () => int().min(0).max(65535);
var priority = () => number16().describe("Lower numbers are tried first.");
var target = () => string().min(1, "for a service without a host, use the target `.`").describe("The target host; without a trailing dot it is relative to the zone.");
var dnsRecord = defineKind({
  name: "dnsRecord",
  doc: "A DNS record of a domain. All records with the same name and type form one set, declared as a whole (except TXT).",
  example: `
domains:
  example.com:
    records:
      - { type: A, name: "@", value: 192.0.2.1, ttl: 300 }
      - { type: MX, name: "@", value: mail.example.com, mxPriority: 10 }
      - { type: TXT, name: _dmarc, value: v=DMARC1; p=none }
      - { type: SRV, name: _sip._tcp, srv: { priority: 1, weight: 1, port: 5060, target: sip.example.com } }
`,
  section: "records",
  parent: "domain",
  key: ["name", "type"],
  lifecycle: { replace: "free" },
  usual: { ttl: 60 },
  fields: () => ({
    type: _enum(types2).describe("The type of the record."),
    name: string().describe("The name relative to the zone; `@` is the zone itself."),
    value: string().optional().describe(
      "The record's value: an address, host or text, depending on its type; not for SRV and HTTPS."
    ),
    ttl: int().min(60, "the platform accepts 60 seconds or more").max(2147483647).optional().describe("How long responses are cached, in seconds; 60 by default."),
    mxPriority: number16().optional().describe("For MX: mail servers with lower numbers are tried first."),
    srv: strictObject({
      priority: priority(),
      weight: number16().describe("The share among targets of the same priority."),
      port: number16().describe("The port of the service."),
      target: target()
    }).optional().describe("For SRV: its data, instead of a value."),
    https: strictObject({
      priority: priority(),
      target: target(),
      params: string().optional().describe("Service parameters, such as `alpn=h2,h3`.")
    }).optional().describe("For HTTPS: its data, instead of a value."),
    comment: string().max(500).optional().describe("A note about the record, up to 500 characters.")
  }),
  rules: {
    check: (record2, zone) => problemsOf2(record2, String(zone.name)),
    normal: normalSet,
    align: settle,
    clashes
  },
  yaml: { names: ({ name: name2, type: type3 }) => [escapeName(String(name2)), String(type3)] },
  shape: rows(
    {
      fields: () => ({
        name: string(),
        type: openEnum(types2),
        records: setOf(record(string(), any()), { whereDeclared: ["ttl", "comment"] })
      }),
      toUnits: ({ name: name2, type: type3, ...record2 }, zone) => [
        {
          name: normalName(String(name2), String(zone.name)),
          type: type3,
          records: [normalRecord(String(type3), record2, String(zone.name))]
        }
      ],
      merge: (one, other) => {
        const records = [...one.records, ...other.records];
        return new Set(records.map(memberKey)).size === records.length ? { ...one, records } : void 0;
      },
      toRow: ([{ name: name2, type: type3, records } = {}]) => ({ name: name2, type: type3, ...records[0] })
    },
    batch(writes2)
  ),
  read: { endpoint: "GET /v5/domains/{domain}/records", items: "records" },
  // The platform's own records cannot be changed, and give way to the user's.
  decode: (row) => row.creator === "system" ? void 0 : fromApi(row),
  create: "POST /v2/domains/{domain}/records",
  update: "PATCH /v1/domains/records/{record}",
  delete: "DELETE /v2/domains/{domain}/records/{record}"
});

// providers/hosting/kinds/domains/domain.ts
var domain = defineKind({
  name: "domain",
  doc: "An apex domain of the account: the home of DNS records.",
  example: { "example.com": { echMode: "auto" } },
  section: "domains",
  key: ["name"],
  id: "name",
  lifecycle: { replace: "never", container: true },
  usual: { zone: true, echMode: "disabled" },
  fields: () => ({
    name: string().min(1).overwrite(toAscii).describe("The apex domain, such as `example.com`."),
    zone: readMayLack(boolean()).optional().describe("Whether the platform keeps a DNS zone for the domain."),
    cdnEnabled: createOnly(boolean()).optional().describe("Whether the domain is added with the CDN enabled."),
    echMode: updateOnly(readMayLack(openEnum(["auto", "disabled"]))).optional().describe("Whether encrypted client hello is offered.")
  }),
  rules: {
    check: ({ name: name2 }) => domainProblems(String(name2)).map((finding) => ({ path: ["name"], ...finding }))
  },
  read: {
    endpoint: "GET /v5/domains",
    items: "domains",
    one: { endpoint: "GET /v5/domains/{id}", item: "domain" },
    later: {
      until: "the platform has verified that the domain is yours",
      person: true,
      rarely: true,
      // Nameservers of somebody else are no reason: many domains have their DNS elsewhere on purpose.
      pending({ verified, intendedNameservers }) {
        if (verified !== false) return void 0;
        const named = Array.isArray(intendedNameservers) ? intendedNameservers.slice(0, 4) : [];
        const wanted = named.flatMap((name2) => quoted(name2) ?? []).join(" and ");
        const takes = wanted && `: its registrar must be set to the nameservers ${wanted}`;
        return { why: `the platform has not verified yet that the domain is yours${takes}` };
      }
    }
  },
  create: { endpoint: "POST /v7/domains", body: ({ body }) => ({ method: "add", ...body }) },
  // The operation also takes `move-out`, a transfer: never sent from here.
  update: { endpoint: "PATCH /v3/domains/{id}", body: ({ body }) => ({ op: "update", ...body }) },
  delete: "DELETE /v6/domains/{id}"
});

// providers/hosting/kinds/switched-on.ts
var isSwitchedOn = (...path2) => ({ action: action2, before, after, fields }) => {
  const isWritten2 = action2 === "create" || action2 === "replace" || fields.some((field) => asksForWrite(field) && isPart(field.path.split("."), path2));
  return isWritten2 && !isOff(at(after?.fields, path2)) && isOff(at(before?.fields, path2));
};
var isOff = (value4) => value4 === void 0 || value4 === null || value4 === false;
var isPart = (one, other) => one.every((name2, index) => index >= other.length || other[index] === name2);
var at = (fields, path2) => path2.reduce(
  (value4, name2) => isPlainObject(value4) ? value4[name2] : void 0,
  fields
);

// providers/hosting/kinds/domains/registered.ts
function registeredIn(answer) {
  const domain2 = answer.domain;
  if (domain2 === void 0) throw new Error("the response does not contain the domain");
  return domain2.boughtAt == null && domain2.transferredAt == null ? void 0 : domain2;
}
var onlyRegistered = ({ address, before, after }) => before ? void 0 : problem("domain/not-registered", `${address}: the domain is not registered with the platform`, {
  address,
  ...after ? { at: after.at } : {},
  hint: "this only works for domains bought from or transferred to the platform; for others, set it at their registrar"
});

// providers/hosting/kinds/domains/domain-auto-renew.ts
var domainAutoRenew = defineKind({
  name: "domainAutoRenew",
  doc: "Whether a domain registered with the platform is renewed, and paid for, before its registration expires.",
  section: "autoRenew",
  parent: "domain",
  key: [],
  // Each renewal is paid for: the registrar sells nothing for free.
  lifecycle: { asks: { cost: isSwitchedOn("enabled") } },
  fields: () => ({
    enabled: boolean().describe(
      "Whether it renews automatically. If on, each renewal costs money; if off, the domain is lost when it expires."
    )
  }),
  example: `$allow: [cost]
domains:
  example.com:
    autoRenew: { enabled: true }`,
  rules: {
    grade: ({ fields: [enabled2] }) => enabled2?.after === false ? { grade: "destructive", reason: "the domain is lost when its registration expires" } : { grade: "disruptive", reason: "each renewal costs money" }
  },
  read: {
    endpoint: "GET /v5/domains/{domain}",
    item: (answer) => registeredIn(answer) && { enabled: registeredIn(answer).renew === true }
  },
  encode: ({ enabled: enabled2 }) => ({ autoRenew: enabled2 }),
  update: {
    endpoint: "PATCH /v1/registrar/domains/{domain}/auto-renew",
    refuses: onlyRegistered
  }
});

// providers/hosting/kinds/domains/domain-nameservers.ts
var name = () => string().overwrite((text7) => toAscii(text7).replace(/\.$/, "")).regex(/^([a-z0-9_-]+\.)+[a-z0-9-]+$/, "a nameserver must be a host name, such as `ns1.example.net`");
var domainNameservers = defineKind({
  name: "domainNameservers",
  doc: "Custom nameservers of a domain registered with the platform: its records are then kept elsewhere.",
  section: "nameservers",
  parent: "domain",
  key: [],
  fields: () => ({
    custom: readMayLack(setOf(name())).describe(
      "The complete list, in any order. Going back to the platform's nameservers is only possible in the dashboard."
    )
  }),
  example: { custom: ["ns1.example.net", "ns2.example.net"] },
  rules: {
    grade: () => ({
      grade: "destructive",
      reason: "the domain resolves by the new nameservers, and its records here have no effect"
    })
  },
  read: {
    endpoint: "GET /v5/domains/{domain}",
    item: (answer) => registeredIn(answer) && { custom: registeredIn(answer).customNameservers }
  },
  encode: ({ custom }) => ({ nameservers: custom }),
  update: {
    endpoint: "PATCH /v1/registrar/domains/{domain}/nameservers",
    refuses: (step) => onlyRegistered(step) ?? wayBack(step)
  }
});
function wayBack({ address, after, body }) {
  if (body.nameservers.length > 0) return void 0;
  return problem(
    "domain/way-back",
    `${address}: there is no API call to go back to the platform's nameservers`,
    {
      address,
      at: after.at,
      hint: "do it in the dashboard, or list the platform's nameservers here"
    }
  );
}

// providers/hosting/kinds/env/env-var-homes.ts
function housed(units, rows2, { fields }) {
  const open = rows2.filter(isOpen);
  const joining = /* @__PURE__ */ new Map();
  const created = [];
  const unclear = [];
  for (const unit of units) {
    const fitting = open.filter(({ stays }) => fits2(unit, stays[0], fields));
    const [row] = fitting;
    const fellows = created.find(([first]) => fits2(unit, first, fields));
    if (unit.fields.value === void 0 && !haveOneValue(fitting)) unclear.push({ unit, rows: fitting });
    else if (row) joining.set(row, [...joining.get(row) ?? [], unit]);
    else if (fellows) fellows.push(unit);
    else created.push([unit]);
  }
  return { joining, created, unclear };
}
var isOpen = ({ stays }) => stays.length > 0 && stays[0].entry !== void 0 && stays.every(({ entry, isSettled }) => entry === stays[0].entry && isSettled);
var haveOneValue = (rows2) => {
  const values = rows2.map(({ stays }) => stays[0].fields.value);
  return rows2.length < 2 || !values.includes(void 0) && new Set(values.map(contentOf2)).size === 1;
};
var fits2 = ({ entry, fields, isLive, keepsValue }, other, names) => entry === other.entry && (fields.type === other.fields.type || !isLive && keepsValue && takesType(fields, other)) && // Units of one entry have one value, unless the entry says none: then each brings its own.
[...names, ...keepsValue ? ["value"] : []].every(
  (name2) => !isLive && fields[name2] === void 0 || contentOf2(fields[name2]) === contentOf2(other.fields[name2])
);
var takesType = ({ type: type3, target: target2 }, other) => type3 === void 0 && !(target2 === "development" && other.fields.type === "sensitive");
var contentOf2 = (value4) => [revealed(value4) ?? []].flat().filter((one) => one !== "").map(canonical).sort().join();
var hasHoles = ({ fields }) => holesIn(fields).length > 0;

// providers/hosting/kinds/env/env-var-policy.ts
var isBound = ({ target: target2 }, facts) => facts.sensitiveEnvironmentVariablePolicy === "on" && target2 !== "development";
var alignedTo = (table) => ({ desired: { fields, address, at: at2 }, live, facts }) => {
  const bound = isBound(fields, facts);
  if (!bound || !fields.type) {
    const type3 = fields.type ? {} : impliedType(fields, live?.fields, bound, table);
    return { desired: { ...fields, ...type3 } };
  }
  if (fields.type === "sensitive") return { desired: fields };
  const message = `the team allows only sensitive variables here, but this one is declared ${fields.type}`;
  const hint = "remove `type` or set it to `sensitive`; development can stay `encrypted` in its own entry";
  return { desired: fields, problems: [problem("env/policy", message, { address, at: at2, hint })] };
};
function impliedType(wanted, found2, bound, { fields }) {
  if (!found2 && bound) return { type: "sensitive" };
  if (!found2) return wanted.value === void 0 ? {} : { type: "encrypted" };
  const differs = (name2) => wanted[name2] !== void 0 && !isHole(wanted[name2]) && contentOf2(wanted[name2]) !== contentOf2(found2[name2]);
  const isWritten2 = found2.value !== void 0 && differs("value") || fields.some(differs);
  return bound && found2.type !== "sensitive" && isWritten2 ? { type: "sensitive" } : {};
}
var forNewRow = (unit, facts) => isBound(unit.fields, facts) ? { ...unit, fields: asSensitive(unit.fields) } : unit;
var asSensitive = (fields) => ({
  ...fields,
  ...typeof fields.value === "string" ? { value: new Sealed(fields.value) } : {},
  type: "sensitive"
});
function writtenUnder(unit, facts) {
  const { step, fields } = unit;
  const writes6 = (name2) => step?.fields.some(({ path: path2 }) => path2 === name2) ?? false;
  if (step?.action !== "update" || !writes6("value") || writes6("type")) return unit;
  if (fields.type === "sensitive" || !isBound(fields, facts) || step.after?.meta.ignore?.includes("type"))
    return unit;
  return {
    ...unit,
    fields: asSensitive(fields),
    step: { ...step, fields: [...step.fields, { path: "type", after: "sensitive", cause: "edit" }] }
  };
}

// providers/hosting/kinds/env/env-var-row-table.ts
var addressesOf = ({ row: { stays, goes, leaves }, joining }) => [...stays.filter(({ step }) => step), ...joining, ...goes, ...leaves].map(({ address }) => address);

// providers/hosting/kinds/env/env-var-units.ts
var places = ["production", "preview", "development"];
function suffixOf({ target: target2, gitBranch, customEnvironmentId }) {
  if (isRef(customEnvironmentId)) return `custom:${lastNameOf(customEnvironmentId.$ref)}`;
  return gitBranch ? `${target2}:${gitBranch}` : String(target2);
}
function placesIn(name2) {
  const suffix = name2.slice(name2.indexOf("@") + 1);
  return [suffix, suffix.replace(/:.*/, ":")];
}
function toUnits({ target: target2, customEnvironmentIds, ...shared }) {
  const environments2 = customEnvironmentIds ?? [];
  const everywhere2 = environments2.length > 0 ? [] : shared.gitBranch ? ["preview"] : places;
  return [
    ...(target2 ?? everywhere2).map((place) => ({ ...shared, target: place })),
    ...environments2.map((environment2) => ({ ...shared, customEnvironmentId: environment2 }))
  ];
}
function toSharedUnits(entry) {
  const { target: target2, applyToAllCustomEnvironments } = entry;
  const isOnlyThere = Array.isArray(target2) && target2.length === 0 && applyToAllCustomEnvironments === true;
  return isOnlyThere ? [{ ...entry, target: "custom" }] : toUnits(entry);
}
function toRow(units) {
  const { target: _, customEnvironmentId: __, comment, ...shared } = units[0];
  const targets = places.filter((place) => units.some(({ target: target2 }) => target2 === place));
  const environments2 = units.flatMap(({ customEnvironmentId }) => customEnvironmentId ?? []);
  return {
    ...shared,
    ...comment ? { comment } : {},
    ...targets.length > 0 || environments2.length === 0 ? { target: targets } : {},
    ...environments2.length > 0 ? { customEnvironmentIds: environments2 } : {}
  };
}

// providers/hosting/kinds/env/env-var-drafts.ts
var asRow = (units) => toRow(units.map(({ fields }) => fields));
function placesOf(before, after) {
  const [old, now] = [asRow(before), asRow(after)];
  const isChanged = (name2) => JSON.stringify(old[name2] ?? []) !== JSON.stringify(now[name2] ?? []);
  return Object.fromEntries(
    ["target", "customEnvironmentIds"].filter(isChanged).map((name2) => [name2, now[name2] ?? []])
  );
}
function changesOf([first]) {
  const names = first?.step?.fields.map(({ path: path2 }) => path2) ?? [];
  return Object.fromEntries(names.map((name2) => [name2, first.fields[name2]]));
}
function changeOf(row, joining) {
  const { stays, leaves, goes } = row;
  if (stays.length === 0) return void 0;
  const body = { ...changesOf(stays), ...placesOf([...stays, ...goes, ...leaves], [...stays, ...joining]) };
  return Object.keys(body).length === 0 ? void 0 : { row, body, joining };
}
function patchedRows(changes2, context, table) {
  const drafts = /* @__PURE__ */ new Map();
  for (const of of groupBy(changes2, (change2) => table.patchedWith(change2, context)).values()) {
    const draft2 = {
      ...patched(of, table),
      ...of.some(({ row }) => row.leaves.length > 0) ? { disrupts: "the variable is split from a shared row and briefly absent" } : {}
    };
    for (const { row } of of) drafts.set(row, draft2);
  }
  return drafts;
}
function patched(changes2, table) {
  const rank = ({ row, joining }) => row.stays.some(({ step }) => step) ? 0 : joining.length > 0 ? 1 : 2;
  const inOrder2 = [...changes2].sort((a, b) => rank(a) - rank(b));
  const drops = inOrder2.flatMap(({ row }) => takenOut(row));
  const returns = inOrder2.flatMap(
    ({ row, joining }) => joining.map(({ address }) => ({ address, id: row.id }))
  );
  return {
    changes: inOrder2.flatMap(addressesOf),
    requests: [
      {
        ...table.patch(inOrder2),
        ...drops.length > 0 ? { drops } : {},
        ...returns.length > 0 ? { returns } : {}
      }
    ]
  };
}
function widenedRow(row, units, joining, after, table) {
  const wider = { id: row.id, stays: units.map(asItIs), leaves: [], goes: [] };
  const change2 = { row: wider, body: placesOf(units, [...units, ...joining]), joining };
  return { ...patched([change2], table), after };
}
var asItIs = ({ step: _, ...unit }) => unit;
function removedRows(rows2, table) {
  const drafts = /* @__PURE__ */ new Map();
  for (const of of groupBy(rows2, table.removedWith).values()) {
    const draft2 = {
      changes: of.flatMap(({ goes, leaves }) => [...goes, ...leaves].map(({ address }) => address)),
      requests: [{ ...table.remove(of), drops: of.flatMap(takenOut) }]
    };
    for (const row of of) drafts.set(row, draft2);
  }
  return drafts;
}
var createdRows = (rows2, after, table) => {
  const batch2 = rows2.map(({ units }) => units.map(({ address }) => address));
  return { changes: batch2.flat(), requests: [{ ...table.create(rows2), batch: batch2 }], after };
};
var takenOut = ({ id, goes, leaves }) => [...goes, ...leaves].map(({ address }) => ({ address, id }));

// providers/hosting/kinds/env/env-var-refusals.ts
var whyRefused = (row) => undeclaredPlaces(row) ?? unknownValues(row);
function undeclaredPlaces({ id, stays, leaves }) {
  const units = [...stays, ...leaves];
  const changing = units.filter(({ step }) => step);
  const undeclared = units.filter(({ entry }) => entry === void 0);
  if (changing.length === 0 || undeclared.length === 0) return void 0;
  const { key } = changing[0].fields;
  const places2 = undeclared.map(({ fields }) => suffixOf(fields)).join(", ");
  return refusal(
    changing,
    "env/undeclared-targets",
    `the live variable ${key} (${id}) also covers ${places2}, which this plan leaves alone`,
    `declare ${key} for ${places2} too, or narrow the live variable first: a change would affect them as well`
  );
}
function unknownValues({ id, leaves }) {
  const unknown = leaves.filter(
    ({ isUnknown, keepsValue, step }) => isUnknown && (keepsValue || step?.action !== "replace")
  );
  if (unknown.length === 0) return void 0;
  const names = unknown.map(({ address }) => address).join(", ");
  return refusal(
    unknown,
    "env/unknown-value",
    `${names} would have to be split from the live variable ${id}, but its value cannot be read and is not declared`,
    unknown.some(({ keepsValue }) => keepsValue) ? "set its `value`, or declare the same for all its targets" : "declare the same for all its targets, or send the configured values with --send-unverified"
  );
}
var noValue = (units) => units.every(({ fields }) => fields.value === void 0) ? refusal(
  units,
  "env/no-value",
  `${units.map(({ address }) => address).join(", ")} ${units.length === 1 ? "is" : "are"} missing, and cannot be created without a value`,
  'give it one: `value: TEXT`, or `value: "${secret.NAME}"` with NAME under `secrets:`; or create it in the account first'
) : void 0;
var whichValue = (unit, rows2) => refusal(
  [unit],
  "env/which-value",
  `${unit.address} has no value here, and the live variables it could join (${rows2.map(({ id }) => id).join(", ")}) may have different ones`,
  "set its `value`, or give it its own entry"
);
function refusal(units, code, message, hint) {
  const { address, step } = units[0];
  return {
    changes: units.map(({ address: address2 }) => address2),
    requests: [],
    problem: problem(code, message, { address, ...step?.after ? { at: step.after.at } : {}, hint })
  };
}

// providers/hosting/kinds/env/env-var-row.ts
function liveRows(steps, { live, desired, unverified, facts }) {
  const stepOf2 = new Map(steps.map((step) => [step.address, step]));
  const desiredOf = new Map(
    desired.filter(({ meta }) => !meta.existing).map((resource) => [resource.address, resource])
  );
  const units = live.map(({ address, ids: ids2, fields }) => {
    const step = stepOf2.get(address);
    const wanted = desiredOf.get(address);
    const writesValue = step?.fields.some(({ path: path2 }) => path2 === "value") ?? false;
    const value4 = wanted && declared(wanted).value;
    const isRead = fields.value !== void 0;
    const unit = {
      address,
      fields: { ...fields, ...wanted && declared(wanted) },
      entry: wanted?.group,
      step,
      isLive: true,
      keepsValue: value4 === void 0,
      isUnknown: !writesValue && !isRead && (value4 === void 0 || unverified.has(address)),
      isSettled: writesValue || value4 === void 0 || (isRead ? isSame(value4, fields.value) : !isHole(value4) && !unverified.has(address))
    };
    return { id: ids2[0], unit: writtenUnder(unit, facts) };
  });
  return [...groupBy(units, ({ id }) => id)].map(
    ([id, of]) => divided(
      id,
      of.map(({ unit }) => unit)
    )
  );
}
var declared = ({ fields, meta }) => Object.fromEntries(Object.entries(fields).filter(([name2]) => !meta.ignore?.includes(name2)));
var isSame = (a, b) => String(revealed(a)) === String(revealed(b));
var newUnits = (steps) => steps.filter(({ action: action2 }) => action2 === "create").map((step) => {
  const { fields, group } = step.after;
  const keepsValue = fields.value === void 0;
  return { address: step.address, fields, entry: group, step, isLive: false, keepsValue };
});
function divided(id, units) {
  const goes = units.filter(({ step }) => step?.action === "delete");
  const wanted = units.filter(({ step }) => step?.action !== "delete");
  const parts = groupBy(wanted, partOf);
  parts.delete("replaced");
  const stays = [...parts.values()].sort((a, b) => claim(b) - claim(a) || b.length - a.length)[0] ?? [];
  return { id, goes, stays, leaves: wanted.filter((unit) => !stays.includes(unit)) };
}
function partOf({ step, entry }) {
  if (!step) return "as it is";
  if (step.action === "replace") return "replaced";
  return JSON.stringify([entry, step.fields.map(({ path: path2 }) => path2).sort()]);
}
function claim(units) {
  if (units.some(({ fields }) => fields.target === "production")) return 3;
  if (units.some(({ isUnknown }) => isUnknown)) return 2;
  return units.some(({ step }) => step) ? 0 : 1;
}

// providers/hosting/kinds/env/env-var-rows.ts
var writesTo = (table) => (steps, context) => {
  const all2 = liveRows(steps, context).map((row) => ({ row, refusal: whyRefused(row) }));
  const refused = all2.flatMap(({ refusal: refusal2 }) => refusal2 ?? []);
  const rows2 = all2.flatMap(({ row, refusal: refusal2 }) => refusal2 ? [] : row);
  const leaving = rows2.flatMap(({ leaves }) => leaves.map((unit) => forNewRow(unit, context.facts)));
  const { joining, created, unclear } = housed([...leaving, ...newUnits(steps)], rows2, table);
  const joinsAtOnce = (unit) => !unit.isLive && table.waitsFor(unit, context) === "";
  const atOnce = (row) => (joining.get(row) ?? []).filter(joinsAtOnce);
  const changed2 = rows2.flatMap((row) => changeOf(row, atOnce(row)) ?? []);
  const patched2 = patchedRows(changed2, context, table);
  const removed = removedRows(
    rows2.filter(({ stays }) => stays.length === 0),
    table
  );
  const freed = new Map(
    rows2.flatMap(
      (row) => row.leaves.map(({ address }) => [address, patched2.get(row) ?? removed.get(row)])
    )
  );
  const freeing = (units) => [...new Set(units.flatMap(({ address }) => freed.get(address) ?? []))];
  const widened = [...joining].flatMap(([row, units]) => {
    const later = units.filter((unit) => !joinsAtOnce(unit));
    const after = /* @__PURE__ */ new Set([...freeing(later), ...patched2.get(row) ? [patched2.get(row)] : []]);
    return later.length === 0 ? [] : widenedRow(row, [...row.stays, ...atOnce(row)], later, [...after], table);
  });
  const drafts = [.../* @__PURE__ */ new Set([...patched2.values(), ...removed.values()])];
  const valueless = created.flatMap((units) => noValue(units) ?? []);
  const posts = groupBy(
    created.filter((units) => !noValue(units)).map((units) => ({ units, fields: asRow(units) })),
    ({ units, fields }) => JSON.stringify([
      units.map((unit) => table.waitsFor(unit, context)).find((text7) => text7 !== "") ?? "",
      freeing(units).map((draft2) => drafts.indexOf(draft2)),
      table.createdWith(fields)
    ])
  );
  const posted = [...posts.values()].map(
    (of) => createdRows(of, freeing(of.flatMap(({ units }) => units)), table)
  );
  const homeless = unclear.map(({ unit, rows: rows3 }) => whichValue(unit, rows3));
  return [...refused, ...homeless, ...valueless, ...drafts, ...widened, ...posted];
};

// providers/hosting/kinds/env/env-var-rules.ts
var variableName = () => string().regex(
  /^[A-Za-z_][A-Za-z0-9_]*$/,
  "a name can have letters, digits and underscores, and cannot start with a digit"
);
var sensitiveInDevelopment = ({
  type: type3,
  target: target2,
  gitBranch,
  customEnvironmentIds
}) => type3 === "sensitive" && !gitBranch && (target2 ? target2.includes("development") : !customEnvironmentIds) ? [
  {
    path: [target2 ? "target" : "type"],
    message: "a sensitive variable cannot be available in development",
    hint: "name its targets: `target: [production, preview]`"
  }
] : [];
var isOpen2 = ({ type: type3, visibility: visibility2 }) => type3 !== "sensitive" && visibility2 !== "secret";
var grade = ({ action: action2, fields }) => action2 === "delete" ? { grade: "irreversible", reason: "its value cannot be restored" } : fields.some(({ replaces }) => replaces) ? { grade: "disruptive", reason: "it is briefly absent" } : void 0;

// providers/hosting/kinds/env/env-var-answer.ts
var objectsAt = (answer, name2) => [memberOf(answer, name2)].flat().filter(isObject);
var textsAt = (answer, name2) => [memberOf(answer, name2)].flat().filter((one) => typeof one === "string");
var failuresIn = (answer) => objectsAt(answer, "failed").flatMap(({ error }) => isObject(error) ? [{ error }] : []);
var memberOf = (answer, name2) => isObject(answer) ? answer[name2] : void 0;
var isObject = (value4) => typeof value4 === "object" && value4 !== null && !Array.isArray(value4);
function createdOrNot(rows2, created, failed2) {
  const ids2 = new Map(created.map((row) => [identity(row), String(row.id)]));
  const isAbout = ({ envVarKey, key }, row) => (envVarKey ?? key) === row.key;
  return outcomesOf(rows2, (row) => ids2.get(identity(row)), failed2, isAbout);
}
var identity = ({ key, gitBranch, target: target2, customEnvironmentIds }) => JSON.stringify([
  key,
  gitBranch || null,
  [target2 ?? []].flat().sort(),
  [...customEnvironmentIds ?? []].sort()
]);
function outcomesOf(items2, doneAs, failed2, isAbout) {
  const open = items2.filter((item) => doneAs(item) === void 0);
  return items2.map((item) => {
    const id = doneAs(item);
    if (id !== void 0) return { id };
    const { error } = (failed2.length === open.length ? failed2[open.indexOf(item)] : failed2.find((one) => isAbout(one.error, item))) ?? {};
    if (error) return wordsOf(error);
    return { unknown: true, ...failed2.length > 0 ? { said: failed2.map((one) => wordsOf(one.error)) } : {} };
  });
}
var wordsOf = ({ code, message }) => ({ error: String(message), code: String(code) });

// providers/hosting/kinds/env/shared-env-var-rows.ts
var sharedRows = {
  fields: ["comment", "projectId", "applyToAllCustomEnvironments"],
  waitsFor: ({ fields, step }, context) => pending(fields, step ? [step] : [], context),
  createdWith: ({ type: type3, target: target2, projectId: projectId2, applyToAllCustomEnvironments = false }) => canonical([type3, target2, inOrder(projectId2), applyToAllCustomEnvironments]),
  patchedWith: ({ row, body }, context) => row.leaves.length > 0 ? row.id : pending(
    body,
    row.stays.flatMap(({ step }) => step ?? []),
    context
  ),
  removedWith: ({ id, leaves }) => leaves.length > 0 ? id : "",
  create(rows2) {
    const { type: type3, target: target2, projectId: projectId2 = [], applyToAllCustomEnvironments } = rows2[0].fields;
    const evs = rows2.map(({ fields: { key, value: value4, comment } }) => ({
      key,
      value: value4,
      ...comment ? { comment } : {}
    }));
    const links = inOrder(projectId2).length > 0 ? { projectId: projectId2 } : {};
    const everyCustom2 = applyToAllCustomEnvironments ? { applyToAllCustomEnvironments } : {};
    return request("POST /v1/env", { evs, type: type3, target: target2, ...links, ...everyCustom2 });
  },
  patch(changes2) {
    const byId2 = new Map(changes2.map((change2) => [change2.row.id, change2]));
    const updates = Object.fromEntries(
      [...byId2].map(([id, { row, body }]) => [id, encoded(body, row.stays[0].step?.before?.fields)])
    );
    const batch2 = Object.keys(updates).map((id) => addressesOf(byId2.get(id)));
    return { ...request("PATCH /v1/env", { updates }), batch: batch2 };
  },
  remove: (rows2) => ({
    ...request("DELETE /v1/env", { ids: rows2.map(({ id }) => id) }),
    batch: rows2.map((row) => addressesOf({ row, body: {}, joining: [] }))
  })
};
function pending(value4, steps, { exists }) {
  const holes = holesIn(value4).filter((hole) => !("$ref" in hole && exists(hole.$ref)));
  const needed2 = [...holes, ...steps.flatMap(({ after }) => after?.meta.dependsOn ?? [])];
  return [...new Set(needed2.map(canonical))].sort().join();
}
var inOrder = (set) => [...set ?? []].sort((a, b) => canonical(a) < canonical(b) ? -1 : 1);
function encoded({ projectId: projectId2, ...body }, before = {}) {
  if (projectId2 === void 0) return body;
  const [wanted, found2] = [inOrder(projectId2), inOrder(before.projectId)];
  const without = (all2, some2) => all2.filter((one) => !some2.some((other) => canonical(other) === canonical(one)));
  const [link, unlink] = [without(wanted, found2), without(found2, wanted)];
  const projectIdUpdates = { ...link.length > 0 ? { link } : {}, ...unlink.length > 0 ? { unlink } : {} };
  return { ...body, projectIdUpdates };
}
function doneOrFailed(answer, { endpoint: endpoint3, body }) {
  const failed2 = failuresIn(answer);
  const {
    evs = [],
    updates = {},
    ids: ids2 = Object.keys(updates),
    ...common
  } = body;
  if (endpoint3.startsWith("POST")) {
    const rows2 = evs.map(({ key }) => ({ key, target: common.target }));
    return createdOrNot(rows2, objectsAt(answer, "created"), failed2);
  }
  const done = /* @__PURE__ */ new Set([...objectsAt(answer, "updated").map(({ id }) => id), ...textsAt(answer, "deleted")]);
  const isAbout = ({ envVarId }, id) => envVarId === id;
  const outcomes = outcomesOf(ids2, (id) => done.has(id) ? id : void 0, failed2, isAbout);
  return outcomes.map(
    (one) => endpoint3.startsWith("DELETE") && "error" in one && one.code === "not_found" ? { unknown: true, said: [one] } : one
  );
}

// providers/hosting/kinds/env/shared-env-var.ts
var types3 = ["encrypted", "sensitive"];
var type = () => withTraits(_enum(types3), { immutable: (before) => before === "sensitive" }).optional().describe(
  "How the value is kept: `encrypted` (readable again) or `sensitive` (never readable); `encrypted` by default, `sensitive` if the team requires it."
);
var text3 = () => string().optional();
var value = () => neededToCreate(secretUnlessWritten(string(), true, isOpen2)).optional().describe(
  "The value that builds and functions of the linked projects see. If omitted, the value is kept and the variable must already exist."
);
var projectId = () => setOf(refTo("project")).optional().describe("The complete list of linked projects; if omitted, links are left as they are.");
var everyCustom = () => boolean().optional().describe("Whether it is also available in every custom environment of the linked projects.");
var sharedEnvVar = defineKind({
  name: "sharedEnvVar",
  doc: "An environment variable shared by the projects linked to it.",
  example: `
projects: { web: {}, docs: {} }
sharedEnv:
  LOG_LEVEL: info # in every target, linked to no project yet
  API_URL:
    - { value: "https://api.example.com", target: [production], projectId: [web, docs] }
    - { value: "https://staging.example.com", target: [preview, development], projectId: [web] }
    - { value: "https://qa.example.com", target: [], applyToAllCustomEnvironments: true, projectId: [web] }
`,
  section: "sharedEnv",
  key: ["key"],
  usual: { applyToAllCustomEnvironments: false },
  yaml: {
    manyPerKey: true,
    shorthand: (scalar) => ({ value: scalar }),
    names: ({ key, target: target2 }) => [`${escapeName(String(key))}@${target2}`]
  },
  fields: () => ({
    key: variableName().describe("The name of the variable."),
    value: value(),
    type: type(),
    target: emptyCounts(setOf(_enum(["production", "preview", "development"]))).optional().describe(
      "The targets; all three by default. `[]` requires `applyToAllCustomEnvironments: true`, and makes it available in those only."
    ),
    projectId: projectId(),
    comment: text3().describe("A note about the variable."),
    applyToAllCustomEnvironments: everyCustom()
  }),
  rules: {
    check: (fields, parent) => [...sensitiveInDevelopment(fields, parent), ...inNoPlace(fields)],
    align: alignedTo(sharedRows),
    grade
  },
  shape: rows(
    {
      fields: () => ({
        key: string(),
        target: text3(),
        value: value(),
        type: type(),
        projectId: projectId(),
        comment: text3(),
        applyToAllCustomEnvironments: everyCustom()
      }),
      place: ["target"],
      placesIn,
      toUnits: toSharedUnits,
      toRow
    },
    batch(writesTo(sharedRows), doneOrFailed)
  ),
  read: {
    endpoint: "GET /v1/env",
    items: "data",
    gone: "deletedAt",
    updatedAt: "updatedAt",
    facts: ["updatedBy"],
    // Values that can be read are told one by one.
    detail: {
      endpoint: "GET /v1/env/{id}",
      isNeeded: (row) => row.type === "encrypted" && row.decrypted !== true
    }
  },
  decode: decode2,
  create: "POST /v1/env",
  update: "PATCH /v1/env",
  delete: "DELETE /v1/env"
});
var inNoPlace = ({ target: target2, applyToAllCustomEnvironments }) => Array.isArray(target2) && target2.length === 0 && applyToAllCustomEnvironments !== true ? [
  {
    path: ["target"],
    message: "it would not be available anywhere",
    hint: "name a target, or write `applyToAllCustomEnvironments: true` as well"
  }
] : [];
function decode2(row) {
  if (!types3.some((known) => known === row.type)) return void 0;
  return {
    key: row.key,
    type: row.type,
    target: [row.target ?? []].flat(),
    projectId: row.projectId ?? [],
    // An empty one, which is how a comment is taken away, is none.
    comment: row.comment ?? "",
    applyToAllCustomEnvironments: row.applyToAllCustomEnvironments ?? false,
    ...row.type === "encrypted" && row.decrypted === true ? { value: row.value } : {}
  };
}

// providers/hosting/kinds/flags/complete-environments.ts
var system = ["production", "preview", "development"];
var needed = ["active", "pausedOutcome", "fallthrough"];
var environmentsOf = ({ environments: environments2 }) => isPlainObject(environments2) ? environments2 : {};
function completeEnvironments({ desired, live }) {
  const { fields, address, at: at2 } = desired;
  const isSame2 = live?.fields.slug === fields.slug && live?.fields.kind === fields.kind;
  const found2 = live && isSame2 ? environmentsOf(live.fields) : {};
  const wanted = environmentsOf(fields);
  const fresh = Object.keys(wanted).filter((name2) => found2[name2] === void 0);
  const missing = [
    ...isSame2 ? [] : system.filter((name2) => wanted[name2] === void 0),
    ...fresh.flatMap(
      (name2) => needed.filter((member) => wanted[name2][member] === void 0).map((member) => `${name2}.${member}`)
    )
  ];
  const complete = Object.fromEntries(fresh.map((name2) => [name2, { rules: [], ...wanted[name2] }]));
  return {
    desired: fresh.length === 0 ? fields : { ...fields, environments: { ...wanted, ...complete } },
    problems: missing.map(
      (path2) => problem("flag/incomplete", `${address} would be created, but \`environments.${path2}\` is missing`, {
        address,
        at: at2,
        hint: `a new flag needs ${needed.map((member) => `\`${member}\``).join(", ")} in each of ${system.join(", ")}`
      })
    )
  };
}

// providers/hosting/kinds/flags/rule-condition.ts
var listItem = () => strictObject({
  label: string().optional(),
  note: string().optional(),
  value: union([string(), number()])
});
var comparators = "eq !eq oneOf !oneOf containsAllOf containsAnyOf containsNoneOf startsWith !startsWith endsWith !endsWith contains !contains ex !ex gt gte lt lte regex !regex before after";
var entityAttribute = () => strictObject({
  type: literal("entity"),
  kind: string().min(1).describe("The entity, such as `user`."),
  attribute: string().min(1).describe("Its attribute, such as `id`.")
});
var ruleCondition = () => strictObject({
  lhs: discriminatedUnion("type", [strictObject({ type: literal("segment") }), entityAttribute()]).describe("What is compared: an attribute of an entity, or membership of segments."),
  cmp: openEnum(comparators.split(" ")).describe(
    "The comparison: `eq` equal, `oneOf` one of a list, `ex` exists."
  ),
  // False and an empty text are something to compare with.
  rhs: emptyCounts(
    union([
      strictObject({ type: literal("regex"), pattern: string(), flags: string() }),
      strictObject({ type: _enum(["list", "list/inline"]), items: array(listItem()) }),
      string(),
      number(),
      boolean()
    ])
  ).optional().describe("The value to compare with; a segment by its id, `${projects.web.segments.beta.id}`."),
  cmpOptions: strictObject({ ignoreCase: boolean().optional() }).optional()
});
var attributeValues = () => record(
  string().min(1),
  record(string().min(1), setOf(strictObject({ value: string(), note: string().optional() })))
);

// providers/hosting/kinds/flags/share.ts
var share = () => number().min(0).max(1e5);

// providers/hosting/kinds/flags/flag-environment.ts
var variantId = () => string().min(1).describe("The id of a variant.");
var variantOutcome = () => strictObject({ type: literal("variant"), variantId: variantId() });
var base = () => entityAttribute().describe("The attribute that decides who gets which variant.");
var defaultVariantId = () => variantId().describe("The variant for those who lack that attribute.");
var outcome = () => discriminatedUnion("type", [
  variantOutcome(),
  strictObject({
    type: literal("split"),
    base: base(),
    weights: record(string(), number().min(0)).describe("The weight of each variant, relative to the sum."),
    defaultVariantId: defaultVariantId()
  }),
  strictObject({
    type: literal("rollout"),
    base: base(),
    startTimestamp: number().describe("When it starts, in milliseconds since 1970."),
    rollFromVariantId: variantId().describe("The variant to roll out from."),
    rollToVariantId: variantId().describe("The variant to roll out to."),
    defaultVariantId: defaultVariantId(),
    slots: array(
      strictObject({
        promille: share().describe(
          "The share that gets `rollToVariantId`, in thousandths of a percent: 1000 is 1 %, 100000 is everyone."
        ),
        durationMs: number().min(0).describe("The duration of this step, in milliseconds.")
      })
    ).describe("Its steps, in order; after the last one everyone gets `rollToVariantId`.")
  })
]);
var flagEnvironment = () => strictObject({
  active: boolean().optional().describe("Whether rules are evaluated; otherwise everyone gets `pausedOutcome`."),
  // The platform's own tools write an empty one with `active: false`.
  reuse: atomic(
    strictObject({ active: boolean(), environment: string() }).refine(({ active: active2, environment: environment2 }) => !active2 || environment2 !== "", "`reuse` needs an `environment`")
  ).optional().describe("Another environment whose settings apply here while `active` is true."),
  targets: record(string(), attributeValues()).optional().describe(
    "By variant: who always gets it, regardless of rules, as lists of values by entity and attribute."
  ),
  pausedOutcome: atomic(variantOutcome()).optional().describe("The outcome while the flag is not active."),
  rules: array(
    strictObject({
      id: string().min(1).describe("Its id, unique in the environment."),
      conditions: array(ruleCondition()).describe("Conditions that must all be true."),
      outcome: outcome().describe("The outcome for those who match.")
    })
  ).optional().describe("Rules; the first match wins."),
  fallthrough: atomic(outcome()).optional().describe("The outcome if no rule matches.")
});

// providers/hosting/kinds/flags/segment-references.ts
function conditionProblems({ lhs, rhs }) {
  const isSegment = (value4) => isRef(value4) && value4.attr === "id" && /^projects\/[^/]+\/segments\/[^/]+$/.test(value4.$ref);
  if (lhs.type !== "segment")
    return holesIn(rhs).length === 0 ? [] : [
      {
        message: "a value compared with an attribute must be known when the file is read",
        hint: "only segments can be referenced, in a condition with `lhs: { type: segment }`"
      }
    ];
  return operands(rhs).every(isSegment) ? [] : [
    {
      message: "conditions must refer to segments by reference",
      hint: "write `${projects.PROJECT.segments.SLUG.id}`; declare a segment from elsewhere with `$existing: true`"
    }
  ];
}
function operands(rhs) {
  if (!isPlainObject(rhs)) return [rhs];
  return Array.isArray(rhs.items) ? rhs.items.map((item) => item.value) : [rhs];
}
function referringToSegments(found2, to) {
  const referring = (value4) => typeof value4 === "string" ? to(value4) ?? value4 : value4;
  const condition2 = (one) => {
    const { lhs, rhs } = one;
    if (!isPlainObject(lhs) || lhs.type !== "segment" || rhs === void 0) return one;
    if (!isPlainObject(rhs)) return { ...one, rhs: referring(rhs) };
    const items2 = rhs.items?.map((item) => ({
      ...item,
      value: referring(item.value)
    }));
    return items2 ? { ...one, rhs: { ...rhs, items: items2 } } : one;
  };
  if (!Array.isArray(found2.rules)) return found2;
  const rules2 = found2.rules.map((rule) => ({
    ...rule,
    conditions: (rule.conditions ?? []).map(condition2)
  }));
  return { ...found2, rules: rules2 };
}

// providers/hosting/kinds/flags/without-empty-maps.ts
function withoutEmptyMaps(value4) {
  if (!isPlainObject(value4)) return value4;
  const members = Object.entries(value4).flatMap(([name2, inner]) => {
    const kept = withoutEmptyMaps(inner);
    return kept === void 0 ? [] : [[name2, kept]];
  });
  return members.length === 0 ? void 0 : Object.fromEntries(members);
}

// providers/hosting/kinds/flags/flag-environments.ts
function declaredEnvironments({ environments: environments2, ...fields }) {
  const kept = Object.entries(environments2 ?? {}).flatMap(
    ([name2, { targets, ...environment2 }]) => {
      const some2 = withoutEmptyMaps(targets);
      const whole = { ...environment2, ...some2 === void 0 ? {} : { targets: some2 } };
      return Object.keys(whole).length === 0 ? [] : [[name2, whole]];
    }
  );
  return kept.length === 0 ? fields : { ...fields, environments: Object.fromEntries(kept) };
}
var foundEnvironments = (environments2, to) => Object.fromEntries(
  Object.entries(environments2 ?? {}).map(([name2, { revision, ...environment2 }]) => [
    name2,
    referringToSegments(environment2, to)
  ])
);

// providers/hosting/kinds/flags/rule-problems.ts
var ruleProblems = (rules2 = []) => rules2.flatMap(({ id, conditions }, index) => [
  ...rules2.findIndex((one) => one.id === id) < index ? [{ path: ["rules", index], message: `two rules have the id "${id}"` }] : [],
  ...conditions.flatMap(
    (condition2, at2) => conditionProblems(condition2).map((finding) => ({
      path: ["rules", index, "conditions", at2],
      ...finding
    }))
  )
]);

// providers/hosting/kinds/flags/flag-problems.ts
function flagProblems(fields) {
  const { kind: kind2, variants, environments: environments2 = {} } = fields;
  const ids2 = variants?.map(({ id }) => id);
  return [
    ...(variants ?? []).flatMap(({ id, value: value4 }, index) => {
      const path2 = ["variants", index];
      if (ids2.indexOf(id) < index) return [{ path: path2, message: `two variants have the id "${id}"` }];
      if (kind2 === "json" || isHole(value4) || typeof value4 === kind2) return [];
      return [
        { path: [...path2, "value"], message: `the value of a ${kind2} flag's variant must be a ${kind2}` }
      ];
    }),
    ...Object.entries(environments2).flatMap(
      ([name2, environment2]) => [...variantProblems(environment2, ids2), ...ruleProblems(environment2.rules)].map(
        ({ path: path2, ...finding }) => ({
          path: ["environments", name2, ...path2],
          ...finding
        })
      )
    )
  ];
}
function variantProblems(environment2, ids2) {
  if (!ids2) return [];
  const { fallthrough, pausedOutcome, rules: rules2 = [], targets = {} } = environment2;
  const named = [
    ...pausedOutcome ? [[namesIn(pausedOutcome), ["pausedOutcome"]]] : [],
    ...fallthrough ? [[namesIn(fallthrough), ["fallthrough"]]] : [],
    ...rules2.map(({ outcome: outcome2 }, index) => [namesIn(outcome2), ["rules", index]]),
    ...Object.keys(targets).map((id) => [[id], ["targets", id]])
  ];
  return named.flatMap(
    ([names, path2]) => names.filter((id) => !isHole(id) && !ids2.includes(id)).map((id) => ({
      path: path2,
      message: `the flag has no variant "${id}"`,
      hint: ids2.length === 0 ? "its `variants` are empty" : `its variants are ${ids2.join(", ")}`
    }))
  );
}
function namesIn(outcome2) {
  if (outcome2.type === "variant") return [outcome2.variantId];
  if (outcome2.type === "split") return [outcome2.defaultVariantId, ...Object.keys(outcome2.weights)];
  return [outcome2.rollFromVariantId, outcome2.rollToVariantId, outcome2.defaultVariantId];
}

// providers/hosting/kinds/flags/flag-slug.ts
var flagSlug = () => string().regex(/^[\w-]+$/, "a slug can have letters, digits, underscores and hyphens");

// providers/hosting/kinds/flags/flag-writes.ts
var found = {
  endpoint: "GET /v1/projects/{project}/feature-flags/flags/{id}",
  sameVersion: true,
  etag: true
};
var patch2 = (body) => ({
  endpoint: "PATCH /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}",
  body,
  params: () => ({ etag: resultOf(0, "etag") })
});
var updateFlag = [
  found,
  patch2(({ body: { environments: environments2, ...body }, before }) => {
    const changed2 = changedMembers(environments2, before?.fields.environments);
    return { ...body, ...changed2 ? { environments: changed2 } : {} };
  })
];
function changedMembers(wanted, before) {
  if (!isPlainObject(wanted)) return void 0;
  const known = isPlainObject(before) ? before : {};
  return Object.fromEntries(
    Object.entries(wanted).filter(([name2, value4]) => canonical(value4) !== canonical(known[name2]))
  );
}
var isArchived = ({ before }) => before.fields.state === "archived";
var isInUse = (step) => !isArchived(step);
var deleteFlag = [
  found,
  { ...patch2(() => ({ state: "archived" })), when: isInUse },
  // Whether the answer to a PATCH has an ETag is not documented.
  {
    endpoint: "GET /v1/projects/{project}/feature-flags/flags/{id}",
    when: isInUse,
    etag: true,
    expects: [{ path: ["state"], value: "archived" }]
  },
  {
    endpoint: "DELETE /v1/projects/{project}/feature-flags/flags/{id}?ifMatch={etag}",
    params: (step) => ({ etag: resultOf(isArchived(step) ? 0 : 2, "etag") })
  }
];

// providers/hosting/kinds/flags/feature-flag.ts
var featureFlag = defineKind({
  name: "featureFlag",
  doc: "A feature flag: its variants, and who gets which variant in each environment.",
  section: "featureFlags",
  parent: "project",
  key: ["slug"],
  lifecycle: { lane: "featureFlags", after: ["featureFlagSettings"] },
  form: 2,
  fields: () => ({
    slug: immutable(flagSlug()).describe("Its name in code, unique in the project."),
    kind: immutable(_enum(["boolean", "string", "number", "json"])).describe("The type of its values."),
    description: string().optional().describe("Its description."),
    state: _enum(["active", "archived"]).optional().describe("An archived flag is kept but not used."),
    variants: setOf(
      strictObject({
        id: string().min(1).describe("Its id, used in environments."),
        value: anyJson().describe("The value that code gets, of the flag's type."),
        label: string().optional().describe("Its display name."),
        description: string().optional().describe("Its description.")
      })
    ).optional().describe("Its possible values."),
    // Not one reference, but rules that hold some: to segments, on both sides by address.
    environments: withTraits(record(string().min(1), flagEnvironment()), { ref: "segment" }).optional().describe("The outcomes in each environment; environments not listed are left alone."),
    seed: number().optional().describe("The seed of percentage splits; random if omitted."),
    permanent: boolean().optional().describe("Whether it is permanent, and so never stale."),
    tags: setOf(string().min(1)).optional().describe("Its tags."),
    maintainerIds: setOf(string().min(1)).optional().describe("The ids of its maintainers.")
  }),
  example: `projects:
  web:
    featureFlags:
      new-checkout:
        kind: boolean
        variants: [{ id: "off", value: false }, { id: "on", value: true }]
        environments:
          production: &paused
            { active: false, pausedOutcome: &off { type: variant, variantId: "off" }, fallthrough: *off }
          preview: { <<: *paused, active: true }
          development: { <<: *paused, active: true }`,
  rules: { check: flagProblems, align: completeEnvironments, normal: declaredEnvironments },
  read: {
    // One list tells of one state only; without `state` it is that of the active ones.
    endpoint: [
      "GET /v2/projects/{project}/feature-flags/flags?state=active",
      "GET /v2/projects/{project}/feature-flags/flags?state=archived"
    ],
    items: "data",
    version: "revision"
  },
  // Flags of the marketplace's integrations may be among them.
  decode: ({ typeName = "flag", environments: environments2, ...fields }, references) => typeName === "flag" ? {
    ...fields,
    environments: foundEnvironments(environments2, (id) => references.to("segment", id))
  } : void 0,
  create: "PUT /v1/projects/{project}/feature-flags/flags",
  update: updateFlag,
  delete: deleteFlag
});

// providers/hosting/kinds/flags/feature-flag-settings.ts
var text4 = () => string().min(1);
var featureFlagSettings = defineKind({
  name: "featureFlagSettings",
  doc: "Settings of all feature flags of a project: whether they are enabled, and what rules can use.",
  section: "featureFlagSettings",
  parent: "project",
  key: [],
  form: 2,
  usual: { environments: ["production", "preview", "development"] },
  fields: () => ({
    enabled: boolean().optional().describe("Whether the project uses feature flags."),
    entities: setOf(
      strictObject({
        kind: text4().describe("Its name in rules, such as `user`."),
        label: string().describe("Its display name."),
        attributes: array(
          strictObject({
            key: text4().describe("The name of the attribute in rules."),
            type: text4().describe("The type of its values, such as `string`."),
            labels: array(strictObject({ label: string(), value: string() })).optional().describe("Display names of known values.")
          })
        ).describe("Its attributes.")
      })
    ).optional().describe("What the rules of flags and segments can use."),
    environments: setOf(text4()).optional().describe("The environments of flags.")
  }),
  example: `projects:
  web:
    featureFlagSettings:
      enabled: true
      entities:
        - { kind: user, label: User, attributes: [{ key: email, type: string }] }`,
  read: { endpoint: "GET /v1/projects/{project}/feature-flags/settings", absent: 404 },
  update: "PATCH /v1/projects/{project}/feature-flags/settings"
});

// providers/hosting/kinds/flags/flag-sdk-key.ts
var flagSdkKey = defineKind({
  name: "flagSdkKey",
  doc: "A key for reading the feature flags of a project; its value is shown only once, at creation.",
  section: "featureFlagSdkKeys",
  parent: "project",
  key: ["environment", "type", "label"],
  id: "hashKey",
  lifecycle: { after: ["featureFlagSettings"] },
  fields: () => ({
    environment: string().min(1).describe("The environment whose flags it reads, such as `production`."),
    type: openEnum(["server", "mobile", "client"]).describe("Where it is used."),
    label: string().describe("Its display name, which distinguishes keys of the same type; may be empty.")
  }),
  example: `projects:
  web:
    featureFlagSdkKeys:
      - { environment: production, type: server, label: web, $secretTo: { file: .secrets/flags-key } }`,
  read: {
    endpoint: "GET /v1/projects/{project}/feature-flags/sdk-keys",
    items: "data",
    gone: "deletedAt"
  },
  decode: (key) => ({ label: "", ...key }),
  encode: ({ environment: environment2, type: type3, label: label2 }) => ({ environment: environment2, sdkKeyType: type3, ...label2 ? { label: label2 } : {} }),
  create: "PUT /v1/projects/{project}/feature-flags/sdk-keys",
  delete: "DELETE /v1/projects/{project}/feature-flags/sdk-keys/{id}",
  shows: "keyValue"
});

// providers/hosting/kinds/flags/segment-data.ts
var membership = () => discriminatedUnion("type", [
  strictObject({ type: literal("all") }),
  strictObject({
    type: literal("split"),
    base: entityAttribute().describe("The attribute that decides who is included."),
    passPromille: share().describe(
      "The share that is included, in thousandths of a percent: 1000 is 1 %, 100000 is everyone."
    )
  })
]);
var segmentData = () => strictObject({
  rules: array(
    strictObject({
      id: string().min(1).describe("Its id, unique in the segment."),
      conditions: array(ruleCondition()).describe("Conditions that must all be true."),
      outcome: membership().describe("Whether everyone who matches is included, or only a share.")
    })
  ).optional().describe("Rules that include users."),
  include: attributeValues().optional().describe("Who is always included, as lists of values by entity and attribute."),
  exclude: attributeValues().optional().describe("Who is always excluded, as lists of values by entity and attribute.")
});
var normalSegment = ({ data: data4, ...fields }) => ({
  ...fields,
  ...definedOnly({ data: withoutEmptyMaps(data4) })
});

// providers/hosting/kinds/flags/segment-problems.ts
function segmentProblems({ slug, data: data4 }) {
  const { rules: rules2 } = data4;
  const own = holesIn(data4).find((hole) => isRef(hole) && lastNameOf(hole.$ref) === slug);
  return [
    ...ruleProblems(rules2).map(({ path: path2, ...finding }) => ({ path: ["data", ...path2], ...finding })),
    ...own ? [
      {
        path: ["data", "rules"],
        message: `the segment "${slug}" refers to itself`,
        hint: "refer to another one"
      }
    ] : []
  ];
}

// providers/hosting/kinds/flags/segment.ts
var segment = defineKind({
  name: "segment",
  doc: "A set of users, by rules and explicit lists, for conditions of feature flags.",
  section: "segments",
  parent: "project",
  key: ["slug"],
  lifecycle: { after: ["featureFlagSettings"] },
  form: 2,
  fields: () => ({
    slug: immutable(flagSlug()).describe("Its name, unique in the project."),
    label: string().describe("Its display name."),
    hint: string().describe("A short description of who is in it."),
    description: string().optional().describe("Its description."),
    // Not one reference, but rules that hold some: to other segments, on both sides by address.
    data: withTraits(segmentData(), { ref: "segment" }).describe(
      "Who is in it; lists that are not declared are left alone, `[]` empties one."
    )
  }),
  example: `projects:
  web:
    segments:
      beta:
        label: Beta testers
        hint: People of the beta programme
        data:
          include: { user: { email: [{ value: ada@example.com }] } }`,
  rules: { check: segmentProblems, normal: normalSegment },
  read: {
    endpoint: "GET /v1/projects/{project}/feature-flags/segments",
    items: "data",
    version: "updatedAt"
  },
  decode: ({ data: data4, ...fields }, { to }) => ({
    ...fields,
    data: referringToSegments(isPlainObject(data4) ? data4 : {}, (id) => to("segment", id))
  }),
  create: {
    endpoint: "PUT /v1/projects/{project}/feature-flags/segments",
    body: ({ body }) => ({ data: {}, ...body })
  },
  // A PATCH replaces all of `data`, so the segment must still be the one that was planned on.
  update: [
    {
      endpoint: "GET /v1/projects/{project}/feature-flags/segments/{id}",
      when: ({ body }) => "data" in body,
      sameVersion: true
    },
    "PATCH /v1/projects/{project}/feature-flags/segments/{id}"
  ],
  delete: "DELETE /v1/projects/{project}/feature-flags/segments/{id}"
});

// providers/hosting/kinds/kms/kms-issuer.ts
var algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"];
var kmsIssuer = defineKind({
  name: "kmsIssuer",
  doc: "A token issuer whose signing keys the platform keeps.",
  section: "kmsIssuers",
  key: ["name"],
  // Nothing that its keys signed can be verified without it.
  lifecycle: { replace: "never", container: true },
  usual: { algorithm: "RS512" },
  fields: () => ({
    name: string().min(1).describe("Its name in the team."),
    algorithm: immutable(openEnum(algorithms)).optional().describe("The signing algorithm; RS512 by default."),
    claimsSchema: atomic(record(string(), any())).nullable().optional().describe("The JSON Schema for the claims of each token; null removes it.")
  }),
  example: { sessions: { algorithm: "ES256", claimsSchema: { type: "object", required: ["sub"] } } },
  read: { endpoint: "GET /v1/kms/issuers", items: "issuers" },
  create: "POST /v1/kms/issuers",
  update: "PATCH /v1/kms/issuers/{id}",
  delete: "DELETE /v1/kms/issuers/{id}",
  // The platform's own issuers say who is in charge of them.
  decode: (issuer) => issuer.managedBy ? void 0 : { claimsSchema: null, ...issuer }
});

// providers/hosting/kinds/kms/kms-issuer-policy.ts
var kind = "project-grant";
var kmsIssuerPolicy = defineKind({
  name: "kmsIssuerPolicy",
  doc: "A grant: deployments of a project may sign tokens with a KMS issuer.",
  section: "policies",
  parent: "kmsIssuer",
  key: ["projectId"],
  id: "projectId",
  lifecycle: { replace: "free" },
  fields: () => ({
    projectId: immutable(refTo("project")).describe("The project."),
    environments: environments(),
    tokenClaims: atomic(record(string(), any())).nullable().optional().describe("Claims added to every token signed with this grant; null removes them.")
  }),
  example: `projects: { web: {} }
kmsIssuers:
  sessions:
    policies:
      web: { environments: [production], tokenClaims: { aud: shop } }`,
  rules: { check: namedEnvironments },
  read: {
    endpoint: "GET /v1/kms/issuers/{kmsIssuer}",
    items: ({ policies }) => policies.filter((policy2) => policy2.kind === kind)
  },
  decode: (policy2) => ({ tokenClaims: null, ...policy2 }),
  create: { endpoint: "POST /v1/kms/issuers/{kmsIssuer}/policies", body: ({ body }) => ({ kind, ...body }) },
  update: "PATCH /v1/kms/issuers/{kmsIssuer}/policies/project-grant/{id}",
  delete: "DELETE /v1/kms/issuers/{kmsIssuer}/policies/project-grant/{id}"
});

// providers/hosting/kinds/kms/kms-signing-key.ts
var rotation = {
  endpoint: "POST /v1/kms/issuers/{kmsIssuer}/keys",
  body: ({ after }) => after.fields,
  refuses: ({ address, after }) => after.fields.importKey === void 0 ? problem("kms/key", `${address} differs from the issuer's key, but there is no key to import`, {
    address,
    at: after.at,
    hint: "set `importKey` to a secret with the PEM private key"
  }) : void 0
};
var kmsSigningKey = defineKind({
  name: "kmsSigningKey",
  doc: "Your own signing key of a KMS issuer. Changing `importKeyId` rotates it: the previous key soon stops being used.",
  section: "signingKey",
  parent: "kmsIssuer",
  key: [],
  fields: () => ({
    importKeyId: string().min(1).describe(
      "The `kid` of the key in tokens and in the published set of keys. Changing it rotates the key."
    ),
    importKey: createOnly(secret(string().min(1))).optional().describe("The private key in PEM. It is sent when `importKeyId` changes, and never compared.")
  }),
  example: `secrets: { sessions_2027: {} }
kmsIssuers:
  sessions:
    signingKey: { importKeyId: '2027-01', importKey: "\${secret.sessions_2027}" }`,
  rules: {
    grade: ({ action: action2 }) => action2 === "create" || action2 === "update" ? {
      grade: "irreversible",
      reason: "it rotates the key: the previous one stops being used and cannot be restored"
    } : void 0
  },
  read: { endpoint: "GET /v1/kms/issuers/{kmsIssuer}", item: importedIn },
  create: rotation,
  update: rotation
});
function importedIn({ signingKeys }) {
  if (!Array.isArray(signingKeys)) throw new Error("the response does not contain the signing keys");
  const [newest] = signingKeys.filter(({ status }) => status !== "revoking").sort((a, b) => a.createdAt < b.createdAt ? 1 : -1);
  return newest?.importKeyId === void 0 ? void 0 : newest;
}

// providers/hosting/kinds/marketplace/experimentation-config.ts
var experimentationConfig = defineKind({
  name: "experimentationConfig",
  doc: "The values of a partner\u2019s flags as read by deployments, in a global config provided by the customer.",
  section: "experimentationConfig",
  parent: "marketplaceResource",
  key: [],
  fields: () => ({
    data: atomic(record(string(), any())).describe(
      "Any JSON by name; the complete content, everything else is removed."
    )
  }),
  example: `installations:
  icfg_cuwj0AdCdH3BwWT4LPijCC7t:
    resources:
      flags_1:
        productId: iap_flags
        name: shop
        status: ready
        experimentationConfig: { data: { checkout: { enabled: true } } }`,
  read: {
    endpoint: "GET /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/global-config",
    absent: 404,
    item: ({ items: items2 }) => ({ data: items2 }),
    updatedAt: "updatedAt"
  },
  update: "PUT /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/global-config"
});

// providers/hosting/kinds/marketplace/experimentation-item.ts
var withoutId = ({ whole: { id: _, ...body } }) => body;
var experimentationItem = defineKind({
  name: "experimentationItem",
  doc: "A partner's flag or experiment, as shown in the dashboard.",
  section: "experimentationItems",
  parent: "marketplaceResource",
  key: ["id"],
  lifecycle: { replace: "free" },
  fields: () => ({
    id: string().min(1).describe("Its id, chosen by the partner."),
    slug: writeOnly(string()).describe("Its name in code."),
    origin: writeOnly(string()).describe("Its page at the partner."),
    category: writeOnly(openEnum(["experiment", "flag"])).optional().describe("Its type."),
    name: writeOnly(string()).optional().describe("Its display name."),
    description: writeOnly(string()).optional().describe("Its description."),
    isArchived: writeOnly(boolean()).optional().describe("Whether it is archived.")
  }),
  example: `installations:
  icfg_cuwj0AdCdH3BwWT4LPijCC7t:
    resources:
      flags_1:
        productId: iap_flags
        name: shop
        status: ready
        experimentationItems:
          exp_1: { slug: new-checkout, origin: "https://flags.example.com/exp_1", category: experiment }`,
  read: {},
  create: {
    endpoint: "POST /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/items",
    body: ({ body }) => ({ items: [body] })
  },
  update: {
    endpoint: "PATCH /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/items/{id}",
    body: withoutId
  },
  delete: "DELETE /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/experimentation/items/{id}"
});

// providers/hosting/kinds/marketplace/billing-plan.ts
var statuses = ["ready", "pending", "onboarding", "suspended", "resumed", "uninstalled", "error"];
var details = array(strictObject({ label: string(), value: string().optional() })).optional();
var billingPlan = strictObject({
  id: string().describe("Its id among the product's plans."),
  type: openEnum(["subscription", "prepayment"]).describe("The payment schedule."),
  name: string().describe("Its display name."),
  description: string().optional().describe("Its description."),
  paymentMethodRequired: boolean().optional().describe("The customer must have a payment method."),
  cost: string().optional().describe("The displayed price."),
  details: details.describe("The details, as a table."),
  highlightedDetails: details.describe("The highlighted rows of the table."),
  effectiveDate: string().optional().describe("When it takes effect (ISO 8601).")
});
var notification = strictObject({
  level: openEnum(["info", "warn", "error"]).describe("Its severity."),
  title: string().describe("Its title."),
  message: string().optional().describe("Its text."),
  href: string().optional().describe("A page with more information.")
});

// providers/hosting/kinds/marketplace/marketplace-installation.ts
var marketplaceInstallation = defineKind({
  name: "marketplaceInstallation",
  doc: "An installed integration: what a team uses of it, and its status from the partner.",
  section: "installations",
  key: ["id"],
  lifecycle: { container: true },
  form: 2,
  undeclared: ["projects"],
  fields: () => ({
    id: string().min(1).describe("Its id, such as `icfg_\u2026`, as in the URL of the dashboard."),
    status: openEnum(statuses).optional().describe("Its status, set by the partner."),
    externalId: string().optional().describe("Its id at the partner."),
    billingPlan: writeOnly(atomic(billingPlan)).optional().describe("Its billing plan."),
    notification: atomic(notification).optional().describe("A message shown in the dashboard.")
  }),
  example: { icfg_cuwj0AdCdH3BwWT4LPijCC7t: { status: "ready", externalId: "customer-4711" } },
  rules: {
    grade: ({ fields, after }) => after?.fields.status === "uninstalled" && fields.some(({ path: path2 }) => path2 === "status") ? { grade: "irreversible", reason: "the integration is uninstalled, with its resources" } : void 0
  },
  read: { one: { endpoint: "GET /v1/integrations/configuration/{id}" } },
  update: "PATCH /v1/installations/{id}"
});

// providers/hosting/kinds/marketplace/marketplace-resource.ts
var idOf2 = ({ partnerId, id }) => String(partnerId ?? id);
var marketplaceResource = defineKind({
  name: "marketplaceResource",
  doc: "A resource that a partner provides to an installation, such as a database; written with the partner's token.",
  section: "resources",
  parent: "marketplaceInstallation",
  key: ["id"],
  id: idOf2,
  lifecycle: { replace: "never", container: true, asks: { cost: "create" } },
  form: 2,
  undeclared: ["protocolSettings"],
  fields: () => ({
    id: immutable(string().min(1)).describe("Its id, chosen by the partner."),
    productId: immutable(string()).describe("Its product."),
    name: string().min(1).describe("Its display name."),
    status: openEnum(statuses).describe("Its status."),
    ownership: writeOnly(_enum(["owned", "linked", "sandbox"])).optional().describe("Its ownership."),
    metadata: atomic(record(string(), any())).optional().describe("The fields of the product\u2019s form."),
    billingPlan: writeOnly(atomic(billingPlan)).optional().describe("Its billing plan."),
    notification: atomic(notification).optional().describe("A message shown in the dashboard."),
    extras: writeOnly(atomic(record(string(), any()))).optional().describe("Additional data, as agreed with the partner.")
  }),
  example: { db_4711: { productId: "iap_postgres", name: "orders", status: "ready" } },
  read: { endpoint: "GET /v1/installations/{marketplaceInstallation}/resources", items: "resources" },
  decode: (found2) => ({ ...found2, id: idOf2(found2) }),
  create: {
    endpoint: "PUT /v1/installations/{marketplaceInstallation}/resources/{id}",
    body: ({ body: { id: _, ...body } }) => body,
    params: ({ after }) => ({ id: after.fields.id })
  },
  update: "PATCH /v1/installations/{marketplaceInstallation}/resources/{id}",
  delete: "DELETE /v1/installations/{marketplaceInstallation}/resources/{id}"
});

// providers/hosting/kinds/marketplace/resource-secret.ts
var value2 = () => writeOnly(secret(string()));
var write2 = {
  endpoint: "PUT /v1/installations/{marketplaceInstallation}/resources/{marketplaceResource}/secrets",
  body: ({ whole }) => ({ secrets: [whole], partial: true })
};
var resourceSecret = defineKind({
  name: "resourceSecret",
  doc: "A secret of a partner's resource; projects get it as a variable at their next deployment.",
  section: "secrets",
  parent: "marketplaceResource",
  key: ["name"],
  id: "name",
  lifecycle: { lane: "resourceSecret" },
  fields: () => ({
    name: string().min(1).describe("Its name, which becomes the name of the variable."),
    value: value2().describe("Its value."),
    prefix: writeOnly(string()).optional().describe("A prefix for the name of the variable."),
    environmentOverrides: writeOnly(
      strictObject({
        development: value2().optional(),
        preview: value2().optional(),
        production: value2().optional()
      })
    ).optional().describe("Different values in some environments.")
  }),
  yaml: { shorthand: (value4) => ({ value: value4 }) },
  example: `secrets: { database: { env: DATABASE_URL } }
installations:
  icfg_cuwj0AdCdH3BwWT4LPijCC7t:
    resources:
      db_4711:
        productId: iap_postgres
        name: orders
        status: ready
        secrets:
          DATABASE_URL: { value: "\${secret.database}" }`,
  read: {},
  create: write2,
  update: write2
});

// providers/hosting/kinds/microfrontends/microfrontends-group.ts
var settings = ({ body: { fallbackEnvironment, enablePolyrepoBranchRouting } }) => Object.fromEntries(
  Object.entries({ fallbackEnvironment, enablePolyrepoBranchRouting }).filter(([, value4]) => value4 != null)
);
var microfrontendsGroup = defineKind({
  name: "microfrontendsGroup",
  doc: "Projects that are served together under the domains of one of them, the default application.",
  section: "microfrontends",
  key: ["name"],
  id: ({ group }) => String(group?.id),
  fields: () => ({
    name: string().min(1).describe("Its name in the team."),
    defaultApp: createOnly(withTraits(refTo("project"), { sole: "microfrontends" })).optional().describe(
      "The default application of a new group, whose domains serve all: required at creation. Afterwards, `isDefaultApp` of its projects decides."
    ),
    otherApplications: createOnly(setOf(refTo("project"))).optional().describe("Further initial projects of a new group; those in `projects` join anyway."),
    fallbackEnvironment: readMayLack(string().min(1)).optional().describe(
      "Where previews go for projects without a deployment of the same branch: `SAME_ENV`, `PRODUCTION`, or the name of a custom environment."
    ),
    enablePolyrepoBranchRouting: readMayLack(boolean()).optional().describe("Whether previews of same-named branches in different repositories belong together.")
  }),
  example: `projects: { web: {}, docs: {} }
microfrontends:
  shop:
    defaultApp: web
    fallbackEnvironment: PRODUCTION
    projects:
      web: { isDefaultApp: true }
      docs: { defaultRoute: /docs }`,
  rules: {
    grade: ({ action: action2 }) => action2 === "delete" ? { grade: "destructive", reason: "its projects are no longer served together" } : void 0
  },
  read: { endpoint: "GET /v1/microfrontends/groups", items: "groups" },
  decode: ({ group }) => group,
  create: [
    {
      endpoint: "POST /v1/microfrontends/group",
      refuses: ({ address, after }) => after.fields.defaultApp == null ? problem("microfrontends/default-app", `${address}: a new group needs its \`defaultApp\``, {
        address,
        at: after.at,
        hint: "name the project whose domains serve the group"
      }) : void 0,
      body: ({ body: { name: name2, defaultApp, otherApplications = [] } }) => ({
        groupName: name2,
        defaultApp: { projectId: defaultApp },
        otherApplications: otherApplications.map((projectId2) => ({ projectId: projectId2 }))
      }),
      returns: ({ address }) => [{ address, path: ["newMicrofrontendsGroup", "id"] }]
    },
    {
      endpoint: "PATCH /v1/teams/{teamId}/microfrontends/{id}",
      when: (step) => Object.keys(settings(step)).length > 0,
      params: () => ({ id: resultOf(0, "newMicrofrontendsGroup", "id") }),
      body: settings
    }
  ],
  update: "PATCH /v1/teams/{teamId}/microfrontends/{id}",
  delete: "DELETE /v1/teams/{teamId}/microfrontends/{id}"
});

// providers/hosting/kinds/microfrontends/microfrontends-project.ts
var endpoint = "PATCH /v1/projects/{id}/microfrontends";
function membershipWrites(steps, { live }) {
  const going = new Set(steps.flatMap(({ action: action2, address }) => action2 === "delete" ? [address] : []));
  const left = live.filter(({ address }) => !going.has(address));
  const isLed = steps.some(({ action: action2, after }) => action2 !== "delete" && after?.fields.isDefaultApp === true);
  const made3 = steps.map((step) => {
    const isLeading = (step.after ?? step.before)?.fields.isDefaultApp === true;
    const goes = step.action === "delete";
    const isNeeded = isLeading && goes && !isLed && left.length > 0;
    const draft2 = isNeeded ? { changes: [step.address], requests: [], problem: leaderless(step, left[0]) } : { changes: [step.address], requests: [requestOf(step)] };
    return { isLeading, goes, draft: draft2 };
  });
  for (const one of made3) {
    const others = made3.filter(({ isLeading, goes }) => goes === one.goes && isLeading !== one.goes);
    if (one.isLeading === one.goes) one.draft.after = others.map(({ draft: draft2 }) => draft2);
  }
  return made3.map(({ draft: draft2 }) => draft2);
}
var leaderless = ({ address }, { address: other }) => problem(
  "microfrontends/default-app",
  `${address}: the default application cannot leave the group while ${other} is in it`,
  { address, hint: "set `isDefaultApp: true` on another one, or remove that one as well" }
);
function requestOf({
  action: action2,
  address,
  id,
  parent,
  body: { projectId: _, ...body },
  before,
  after
}) {
  if (action2 === "delete") {
    const drops = before.ids.map((id2) => ({ address, id: id2 }));
    return { ...request(endpoint, { enabled: false }, { id }), drops };
  }
  if (action2 === "update") return request(endpoint, body, { id });
  const project2 = after.fields.projectId;
  const joined = { microfrontendsGroupId: parent, enabled: true, ...body };
  return { ...request(endpoint, joined, { id: project2 }), returns: [{ address, id: project2 }] };
}
var microfrontendsProject = defineKind({
  name: "microfrontendsProject",
  doc: "A project in a group of microfrontends. A project is in one group at most.",
  section: "projects",
  parent: "microfrontendsGroup",
  key: ["projectId"],
  id: "id",
  usual: {
    isDefaultApp: false,
    routeObservabilityToThisProject: false,
    doNotRouteWithMicrofrontendsRouting: false
  },
  fields: () => ({
    projectId: immutable(withTraits(refTo("project"), { sole: "microfrontends" })).describe("The project."),
    isDefaultApp: boolean().optional().describe("Whether its domains serve the group; true for exactly one project of a group."),
    defaultRoute: string().regex(/^\//, "a route must start with a slash").optional().describe("The path used in screenshots and links to its deployments, such as `/docs`."),
    routeObservabilityToThisProject: boolean().optional().describe("Whether observability data of its paths counts towards it, not the default application."),
    doNotRouteWithMicrofrontendsRouting: boolean().optional().describe("Whether its own domains serve only itself, without the group's routes.")
  }),
  example: `projects: { web: {}, docs: {} }
microfrontends:
  shop:
    defaultApp: web
    projects:
      web: { isDefaultApp: true }
      docs: { defaultRoute: /docs }`,
  rules: {
    clashes: (siblings) => {
      const leading = siblings.filter(({ fields }) => fields.isDefaultApp === true);
      return leading.length < 2 ? [] : [
        {
          addresses: leading.map(({ address }) => address),
          message: "a group can have only one default application",
          hint: "set `isDefaultApp: false` on all others"
        }
      ];
    },
    grade: ({ action: action2, fields }) => action2 === "delete" || fields.some(({ path: path2 }) => path2 === "isDefaultApp") ? { grade: "disruptive", reason: "paths of the group are served by another project, or by none" } : void 0
  },
  read: { endpoint: "GET /v1/microfrontends/groups/{microfrontendsGroup}/projects", items: "projects" },
  decode: ({ id, microfrontends }) => ({
    isDefaultApp: false,
    routeObservabilityToThisProject: false,
    doNotRouteWithMicrofrontendsRouting: false,
    ...microfrontends,
    projectId: String(id)
  }),
  shape: {
    ...batch(membershipWrites),
    words: () => ["The default application joins first and leaves last."]
  },
  create: endpoint,
  update: endpoint,
  delete: endpoint
});

// providers/hosting/kinds/network/network.ts
var network = defineKind({
  name: "network",
  doc: "A private network (Secure Compute) with fixed outgoing addresses, for builds and functions of projects. It costs money.",
  section: "networks",
  key: ["name"],
  // Its outgoing addresses do not come back.
  lifecycle: { replace: "never", container: true, asks: { cost: "create" } },
  fields: () => ({
    name: string().min(1).describe("Its name in the team."),
    region: immutable(string().min(1)).describe("Its region, such as `iad1`."),
    cidr: immutable(cidrv4()).describe(
      "Its private address block, such as `10.0.0.0/16`; it must not overlap with peered networks."
    ),
    awsAvailabilityZoneIds: immutable(setOf(string().min(1))).optional().describe("Its AWS availability zones, such as `use1-az1`; chosen by the platform if omitted.")
  }),
  example: { backend: { region: "iad1", cidr: "10.0.0.0/16" } },
  read: {
    endpoint: "GET /v1/connect/networks",
    items: "",
    // It is listed until its machines are gone.
    gone: ({ status }) => status === "delete_in_progress",
    later: {
      until: "the platform has set it up",
      pending: pendingByStatus("ready", {
        create_in_progress: { why: "the platform is still setting it up" },
        error: { why: "the platform could not set it up", failed: true }
      })
    }
  },
  create: "POST /v1/connect/networks",
  update: "PATCH /v1/connect/networks/{id}",
  delete: "DELETE /v1/connect/networks/{id}"
});

// providers/hosting/kinds/network/private-link.ts
var privateLink = defineKind({
  name: "privateLink",
  doc: "A private connection from a project to a service in AWS (PrivateLink). The owner of the service must accept it.",
  section: "privateLinks",
  parent: "project",
  key: ["name"],
  id: "endpointId",
  lifecycle: { asks: { cost: "create" } },
  fields: () => ({
    name: string().min(1).describe("Its name in the project."),
    vercelRegion: immutable(string().min(1)).describe(
      "Its region on the platform, such as `iad1`; the project's network must be there."
    ),
    awsServiceName: immutable(string().min(1)).describe(
      "The name of the service, such as `com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0`."
    ),
    enablePrivateDns: writeOnly(boolean()).optional().describe(
      "Whether the service's own host names resolve to it. The platform does not return this setting."
    )
  }),
  example: `projects:
  web:
    privateLinks:
      database:
        vercelRegion: iad1
        awsServiceName: com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0
        enablePrivateDns: true`,
  read: {
    endpoint: "GET /v1/networking/privatelink/endpoints?projectId={project}",
    items: "",
    // It is listed until it is taken down.
    gone: ({ status }) => status === "deleting",
    later: {
      until: "the owner of the service in AWS has accepted it",
      person: true,
      pending: pendingByStatus(
        "available",
        {
          creating: { why: "the platform is still setting it up" },
          provisioning: { why: "the platform is still setting it up" },
          "pending-acceptance": { why: "the owner of the service in AWS has not accepted it yet" },
          rejected: { why: "the owner of the service in AWS has rejected it", failed: true },
          failed: { why: "the platform could not set it up", failed: true }
        },
        "statusMessage"
      )
    }
  },
  create: {
    endpoint: "POST /v1/networking/privatelink/endpoints",
    body: ({ parent, body }) => ({ projectId: parent, ...body })
  },
  update: "PATCH /v1/networking/privatelink/endpoints/{id}?projectId={project}",
  delete: "DELETE /v1/networking/privatelink/endpoints/{id}?projectId={project}"
});

// providers/hosting/kinds/projects/project-answer.ts
function projectIn(answer) {
  if (typeof answer.id !== "string") throw new Error("the answer is not a project");
  return answer;
}

// providers/hosting/kinds/projects/avatar.ts
var avatar = defineKind({
  name: "avatar",
  doc: "The project's picture in the dashboard. The content of an SVG cannot be compared, since the platform rewrites it.",
  section: "avatar",
  parent: "project",
  key: [],
  fields: () => ({
    file: readMayLack(picture()).describe(
      "The path of a JPEG, PNG or SVG of at most 5 MiB, relative to the folder of this file. It must be tracked by git or allowed with `--allow-files`."
    )
  }),
  example: { file: "logo.png" },
  rules: {
    align: ({ desired: { fields }, live }) => {
      const isRewritten = String(fields.file).startsWith("svg:") && typeof live?.fields.file === "string";
      return { desired: fields, ...isRewritten ? { live: {} } : {} };
    }
  },
  read: {
    endpoint: "GET /v9/projects/{project}",
    item: (answer) => {
      const { avatar: avatar2 } = projectIn(answer);
      return typeof avatar2 === "string" ? { file: avatar2 } : {};
    }
  },
  decode: ({ file }) => ({ file: file ?? null }),
  update: {
    endpoint: "POST /v1/projects/{project}/avatar",
    body: ({ whole }) => ({ file: whole.file }),
    file: true
  }
});

// providers/hosting/kinds/projects/bulk-redirects.ts
var path = () => string().min(1).max(2048);
var flag2 = () => boolean().optional();
var bulkRedirects = defineKind({
  name: "bulkRedirects",
  doc: "Redirects of a project by source path, for thousands of redirects.",
  section: "bulkRedirects",
  parent: "project",
  key: ["source"],
  id: "source",
  lifecycle: { replace: "free" },
  shape: staged(
    {
      versions: "GET /v1/bulk-redirects/versions?projectId={project}",
      promote: "POST /v1/bulk-redirects/versions?projectId={project}"
    },
    batch(writes3)
  ),
  fields: () => ({
    source: path().describe("The path that is redirected."),
    destination: path().describe("A path or URL to go to."),
    statusCode: withTraits(literal([301, 302, 303, 307, 308]), {
      insteadOf: { permanent: "write `statusCode: 308` for permanent, `statusCode: 307` otherwise" }
    }).optional().describe("The status code; 307 by default."),
    caseSensitive: flag2().describe("Whether the source is case-sensitive."),
    query: flag2().describe("Whether the redirect keeps the query string of the request."),
    preserveQueryParams: flag2().describe("Same as `query`, as named by the platform's command line.")
  }),
  usual: { statusCode: 307, caseSensitive: false, query: false, preserveQueryParams: false },
  yaml: { shorthand: (destination) => ({ destination }) },
  example: { "/old": "/new", "/blog": { destination: "https://blog.example.com", statusCode: 308 } },
  read: { endpoint: "GET /v1/bulk-redirects?projectId={project}&versionId={version}", items: "redirects" },
  // `permanent` says the same as the two usual statuses, so only they are ours.
  decode: (row) => ({
    caseSensitive: false,
    query: false,
    preserveQueryParams: false,
    statusCode: row.permanent ? 308 : 307,
    ...row
  }),
  create: "PUT /v1/bulk-redirects",
  update: "PATCH /v1/bulk-redirects?projectId={project}",
  delete: "DELETE /v1/bulk-redirects?projectId={project}"
});
function writes3(steps, { facts: { teamId } }) {
  const of = (...actions) => steps.filter(({ action: action2 }) => actions.includes(action2));
  const sourceOf = (one) => String(one.fields.source);
  const [gone, changed2, made3] = [of("delete", "replace"), of("update"), of("create", "replace")];
  return [
    ...gone.length === 0 ? [] : [
      {
        changes: gone.map(({ address }) => address),
        requests: [
          {
            ...request("DELETE /v1/bulk-redirects?projectId={project}", {
              redirects: gone.map(({ before }) => sourceOf(before))
            }),
            drops: gone.map(({ address, before }) => ({ address, id: sourceOf(before) }))
          }
        ]
      }
    ],
    ...changed2.map(({ address, whole }) => ({
      changes: [address],
      requests: [request("PATCH /v1/bulk-redirects?projectId={project}", { redirect: whole })]
    })),
    ...made3.length === 0 ? [] : [
      {
        changes: made3.map(({ address }) => address),
        requests: [
          {
            ...request("PUT /v1/bulk-redirects", {
              projectId: made3[0].parent,
              ...teamId === void 0 ? {} : { teamId },
              redirects: made3.map(({ whole }) => whole)
            }),
            returns: made3.map(({ address, after }) => ({ address, id: sourceOf(after) }))
          }
        ]
      }
    ]
  ];
}

// providers/hosting/kinds/projects/check.ts
var source = () => strictObject({
  kind: openEnum(["integration", "webhook", "git-provider"]),
  provider: literal("github").optional(),
  externalCheckName: string().optional(),
  webhookId: string().optional(),
  externalResourceId: string().optional()
});
var declaredOf = (found2) => Object.fromEntries(Object.entries(found2).filter(([name2]) => name2 in source().shape));
var phases = ["build-start", "deployment-start", "deployment-alias", "deployment-promotion", "none"];
var usual = { requires: "deployment-url", blocks: "deployment-alias", timeout: 300 };
var check = defineKind({
  name: "check",
  doc: "A check that deployments of a project must pass.",
  example: { e2e: { requires: "deployment-url", blocks: "deployment-promotion", timeout: 600 } },
  section: "checks",
  parent: "project",
  key: ["name"],
  usual: { ...usual, isRerequestable: false, targets: [] },
  form: 2,
  fields: () => ({
    name: string().min(1).describe("Its name in the project."),
    requires: openEnum(["build-ready", "deployment-url", "none"]).optional().describe("What it waits for."),
    blocks: openEnum(phases).optional().describe("What it blocks until it has passed."),
    targets: setOf(string()).optional().describe("The environments it applies to; all if omitted."),
    timeout: number().min(0).optional().describe("Its timeout, in seconds."),
    isRerequestable: boolean().optional().describe("Whether it can be rerun."),
    source: immutable(atomic(source())).optional().describe("Who runs it.")
  }),
  read: { endpoint: "GET /v2/projects/{project}/checks", items: "checks", gone: "deletedAt" },
  decode: ({ source: found2 = {}, ...rest }) => ({ ...rest, source: declaredOf(found2) }),
  // What is left out the public client fills in, also of a PATCH: nobody knows what the platform would do.
  create: { endpoint: "POST /v2/projects/{project}/checks", body: ({ body }) => ({ ...usual, ...body }) },
  update: { endpoint: "PATCH /v2/projects/{project}/checks/{id}", sends: "whole" },
  delete: "DELETE /v2/projects/{project}/checks/{id}"
});

// providers/hosting/kinds/projects/custom-environment.ts
var customEnvironment = defineKind({
  name: "customEnvironment",
  doc: "An environment of a project in addition to production, preview and development.",
  example: `
projects:
  web:
    customEnvironments:
      staging:
        description: What the testers see
        branchMatcher: { type: startsWith, pattern: release/ }
`,
  section: "customEnvironments",
  parent: "project",
  key: ["slug"],
  fields: () => ({
    slug: string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "a slug must have 1 to 32 lower-case letters, digits and hyphens").refine(
      (slug) => !["production", "preview", "development"].includes(slug),
      "this name is reserved by the platform"
    ).describe("The name of the environment in URLs and settings."),
    description: string().optional().describe("What the environment is for."),
    branchMatcher: atomic(
      strictObject({
        type: openEnum(["equals", "startsWith", "endsWith"]).describe("How branch names are compared."),
        pattern: string().describe("The text to compare with.")
      })
    ).nullable().optional().describe("The branches that are deployed to the environment; null for none."),
    copyEnvVarsFrom: createOnly(string()).optional().describe("The environment whose variables are copied when this one is created.")
  }),
  read: { endpoint: "GET /v9/projects/{project}/custom-environments", items: "environments" },
  create: "POST /v9/projects/{project}/custom-environments",
  update: "PATCH /v9/projects/{project}/custom-environments/{id}",
  // Without the member the platform may also delete variables that were never declared here.
  delete: {
    endpoint: "DELETE /v9/projects/{project}/custom-environments/{id}",
    body: () => ({ deleteUnassignedEnvironmentVariables: false })
  }
});

// providers/hosting/kinds/projects/observability.ts
var observability = defineKind({
  name: "observability",
  doc: "Observability of a project: records what its functions and requests do. On by default.",
  section: "observability",
  parent: "project",
  key: [],
  usual: { enabled: true },
  fields: () => ({
    enabled: boolean().describe("Whether observability is enabled.")
  }),
  example: { enabled: false },
  rules: {
    grade: ({ fields }) => fields.some(({ after }) => after === false) ? { grade: "disruptive", reason: "nothing is recorded while it is off" } : void 0
  },
  read: {
    endpoint: "GET /v1/observability/manage/configuration/projects",
    item: ({ disabledProjects }, { project: project2 }) => {
      if (!Array.isArray(disabledProjects)) throw new Error("the answer does not list disabled projects");
      return { enabled: !disabledProjects.some(({ id }) => id === project2) };
    }
  },
  encode: ({ enabled: enabled2 }) => ({ disabled: !enabled2 }),
  update: "PUT /v1/observability/manage/configuration/projects/{project}"
});

// providers/hosting/kinds/protected-deployments.ts
var protectedDeployments = [
  "all",
  "preview",
  "prod_deployment_urls_and_all_previews",
  "all_except_custom_domains"
];
var deploymentType = () => openEnum(protectedDeployments).describe("The deployments that are protected.");
var ssoProtection = () => strictObject({ deploymentType: deploymentType() });
var passwordProtection = () => strictObject({
  deploymentType: deploymentType(),
  password: withTraits(secret(string()), { writeOnly: true }).optional().describe("The password that visitors must give.")
});

// providers/hosting/kinds/projects/project-access-fields.ts
var flagOrNull = () => boolean().nullable().optional();
var accessFields = () => ({
  ssoProtection: ssoProtection().nullable().optional().describe("Access for members of the team only; null disables it."),
  passwordProtection: updateOnly(passwordProtection()).nullable().optional().describe("Access with a password only; null disables it."),
  trustedIps: updateOnly(
    atomic(
      strictObject({
        deploymentType: openEnum([...protectedDeployments, "production"]).describe(
          "The deployments that are protected."
        ),
        addresses: array(
          strictObject({
            value: string().describe("An IP address or range."),
            note: string().optional().describe("A note.")
          })
        ).describe("The addresses with access."),
        protectionMode: openEnum(["exclusive", "additional"]).describe(
          "`exclusive`: only these addresses have access; `additional`: these pass without further protection."
        )
      })
    )
  ).nullable().optional().describe("Access by IP address; null disables it."),
  optionsAllowlist: updateOnly(
    atomic(
      strictObject({
        paths: array(strictObject({ value: string().describe("A path.") })).describe("The paths, including everything below them.")
      })
    )
  ).nullable().optional().describe("Paths whose OPTIONS requests (CORS preflights) pass every protection; null for none."),
  gitForkProtection: safeguard(updateOnly(boolean())).optional().describe("Whether pull requests from forks must be authorized before they are deployed."),
  publicSource: safeguard(readMayLack(boolean().nullable())).optional().describe("Whether everybody can see the source and logs of deployments."),
  protectedSourcemaps: updateOnly(boolean()).optional().describe("Whether only authenticated users can read source maps."),
  customerSupportCodeVisibility: updateOnly(boolean()).optional().describe("Whether the platform's support may see the source of deployments."),
  enablePreviewFeedback: flagOrNull().describe(
    "Whether preview deployments show the comment toolbar; null for the team's default."
  ),
  enableProductionFeedback: flagOrNull().describe(
    "Whether production deployments show the comment toolbar; null for the team's default."
  )
});

// providers/hosting/kinds/projects/project-build-fields.ts
var text5 = () => string().nullable().optional();
var flag3 = () => boolean().optional();
var frameworks = "container blitzjs nextjs gatsby remix react-router astro hexo eleventy docusaurus-2 docusaurus preact solidstart-1 solidstart dojo ember vue scully ionic-angular angular polymer svelte sveltekit sveltekit-1 ionic-react create-react-app gridsome umijs sapper saber stencil nuxtjs redwoodjs hugo jekyll brunch middleman zola hydrogen vite tanstack-start tanstack-start-lovable vitepress vuepress parcel fastapi flask fasthtml django ash factory-eve eve sanity sanity-v2 storybook nitro hono express h3 koa nestjs elysia fastify xmcp python ruby rust axum actix-web bun node go services mastra";
var commitStatus = () => strictObject({
  enabled: boolean().describe("Whether it is enabled."),
  propagateFailures: boolean().describe("Whether it fails if one deployment fails.")
}).optional().describe("One status for all deployments of a commit.");
var buildFields = () => ({
  framework: openEnum(frameworks.split(" ")).nullable().optional().describe("The framework that decides the build defaults; null for none."),
  rootDirectory: text5().describe("The folder of the repository that is built; null for its root."),
  buildCommand: text5().describe("The build command; null for the framework's default."),
  installCommand: text5().describe(
    "The command that installs dependencies; null for the framework's default."
  ),
  devCommand: text5().describe("The command that starts local development; null for the framework's default."),
  outputDirectory: text5().describe("The folder that the build writes to; null for the framework's default."),
  commandForIgnoringBuildStep: text5().describe(
    "A command that decides whether to build a commit: exit code 0 skips the build."
  ),
  nodeVersion: updateOnly(openEnum(["24.x", "22.x", "20.x", "18.x"])).optional().describe("The Node.js version of builds and functions."),
  // Reads answer it as `link`.
  gitRepository: atomic(
    strictObject({
      type: string().describe("The Git provider, such as `github`."),
      repo: string().describe("The repository, as `owner/name`.")
    }).nullable()
  ).optional().describe("The connected Git repository; null for none."),
  skipGitConnectDuringLink: createOnly(boolean()).optional().describe("Whether to skip connecting the Git repository at creation."),
  gitLFS: updateOnly(boolean()).optional().describe("Whether files in Git LFS are fetched for builds."),
  sourceFilesOutsideRootDirectory: updateOnly(boolean()).optional().describe("Whether builds see files outside `rootDirectory`."),
  enableAffectedProjectsDeployments: flag3().describe(
    "Whether a commit to a monorepo deploys only affected projects."
  ),
  previewDeploymentSuffix: readMayLack(string().nullable()).optional().describe("The domain suffix of preview deployment URLs; null for the platform's own."),
  previewDeploymentsDisabled: readMayLack(boolean().nullable()).optional().describe("Whether commits to branches other than production are not deployed."),
  autoExposeSystemEnvs: updateOnly(boolean()).optional().describe("Whether builds and functions see the platform's own environment variables."),
  autoAssignCustomDomains: updateOnly(boolean()).optional().describe("Whether the project's domains switch to each new production deployment."),
  // These three are in no body of the public SDK; the Terraform provider sends them, and reads have them.
  productionDeploymentsFastLane: updateOnly(boolean()).optional().describe("Whether production builds take priority over previews."),
  gitComments: updateOnly(
    atomic(
      strictObject({
        onCommit: boolean().describe("Whether commits get comments."),
        onPullRequest: boolean().describe("Whether pull requests get comments.")
      })
    )
  ).optional().describe("Where the platform comments on deployments in the Git repository."),
  gitProviderOptions: updateOnly(
    atomic(
      strictObject({
        createDeployments: openEnum(["enabled", "disabled"]).describe(
          "Whether to create GitHub deployments."
        ),
        disableRepositoryDispatchEvents: flag3().describe(
          "Whether to disable repository-dispatch events to GitHub."
        ),
        gitCommitStatus: flag3().describe("Whether commits get a status."),
        requireVerifiedCommits: flag3().describe("Whether only signed commits are deployed."),
        consolidatedGitCommitStatus: commitStatus()
      })
    )
  ).optional().describe("How the platform interacts with the Git provider.")
});

// providers/hosting/kinds/projects/project-runtime-fields.ts
var flag4 = () => boolean().optional();
var runtimeFields = () => ({
  serverlessFunctionRegion: readMayLack(string().nullable()).optional().describe("The region in which functions run, such as `fra1`."),
  serverlessFunctionZeroConfigFailover: flag4().describe("Whether functions fail over to other regions."),
  resourceConfig: strictObject({
    fluid: flag4().describe("Whether functions serve several requests at once (fluid compute)."),
    functionDefaultRegions: withTraits(array(string()), { unordered: true }).optional().describe("The default regions of functions."),
    functionDefaultTimeout: number().optional().describe("The default maximum duration of a function, in seconds."),
    functionDefaultMemoryType: openEnum(["standard_legacy", "standard", "performance", "performance_xl"]).optional().describe("The default memory and CPU of functions."),
    functionZeroConfigFailover: flag4().describe("Whether functions fail over to other regions."),
    elasticConcurrencyEnabled: flag4().describe(
      "Whether builds may start beyond the reserved concurrency, on demand."
    ),
    // `elastic` is asked for as a machine type, and read back as a selection whose machine drifts by itself.
    buildMachineType: openEnum(["basic", "enhanced", "standard", "turbo", "elastic"]).optional().describe("The size of the build machine; `elastic` lets the platform choose it."),
    buildQueue: strictObject({
      configuration: string().describe("`SKIP_NAMESPACE_QUEUE` or `WAIT_FOR_NAMESPACE_QUEUE`.")
    }).optional().describe("How builds of the same branch are queued."),
    isNSNBDisabled: flag4().describe("Whether to skip the check that commits come from team members."),
    enableFunctionsBeta: flag4().describe("Whether functions use the beta runtime.")
  }).optional().describe("Resources of builds and functions."),
  sandbox: strictObject({
    region: string().optional().describe("The region, such as `iad1`."),
    failoverRegions: array(string()).optional().describe("Failover regions, in order.")
  }).optional().describe("Where sandboxes of the project run."),
  oidcTokenConfig: strictObject({
    enabled: flag4().describe("Whether tokens are issued; true by default."),
    issuerMode: openEnum(["team", "global"]).optional().describe("Which issuer signs the tokens; `team` by default.")
  }).optional().describe("OIDC tokens that builds and functions use to authenticate elsewhere."),
  staticIps: updateOnly(strictObject({ enabled: boolean().describe("Whether they are enabled.") })).optional().describe("Static addresses for outgoing connections."),
  enableExternalRewriteCaching: updateOnly(boolean()).optional().describe("Whether responses of external rewrites are cached."),
  directoryListing: updateOnly(boolean()).optional().describe("Whether folders without an index page list their files."),
  skewProtectionBoundaryAt: updateOnly(int()).optional().describe("Deployments made before this time, in Unix milliseconds, get no skew protection."),
  skewProtectionMaxAge: updateOnly(int()).optional().describe("How long clients stay on the deployment they started with, in seconds."),
  skewProtectionAllowedDomains: updateOnly(array(string())).optional().describe("Other domains whose requests may take part in skew protection.")
});

// providers/hosting/kinds/projects/project.ts
var repositoryOf = ({ type: type3, ...link }) => {
  const owner = link.org ?? link.projectNamespace ?? link.owner;
  const repo = link.repo ?? link.projectName ?? link.slug ?? "";
  return { type: type3, repo: owner && !repo.includes("/") ? `${owner}/${repo}` : repo };
};
var elastic = ({ resourceConfig }) => resourceConfig?.buildMachineSelection === "elastic";
var machine = (config2) => (config2.buildMachineType ?? "elastic") === "elastic" ? config2 : { ...config2, buildMachineSelection: "fixed" };
var project = defineKind({
  name: "project",
  doc: "A project: build settings, deployment protection, and everything that belongs to it.",
  example: `
projects:
  web:
    framework: nextjs
    rootDirectory: apps/web
    buildCommand: null # the framework's own
    nodeVersion: 22.x
    ssoProtection: { deploymentType: preview }
`,
  section: "projects",
  key: ["name"],
  // Static addresses are a feature that is paid for.
  lifecycle: { replace: "never", container: true, asks: { cost: isSwitchedOn("staticIps", "enabled") } },
  form: 2,
  usual: {
    gitRepository: null,
    previewDeploymentsDisabled: false,
    publicSource: false,
    serverlessFunctionRegion: "iad1",
    resourceConfig: { fluid: true, functionDefaultRegions: ["iad1"], buildMachineType: "standard" },
    oidcTokenConfig: { enabled: true, issuerMode: "team" },
    autoExposeSystemEnvs: true,
    autoAssignCustomDomains: true,
    customerSupportCodeVisibility: false,
    directoryListing: false,
    gitForkProtection: true,
    gitLFS: false,
    sourceFilesOutsideRootDirectory: true
  },
  undeclared: ["tracing", "passport", "trustedSources", "deploymentPolicy", "connectConfigurations"],
  fields: () => ({
    name: string().min(1).max(100).describe("The name of the project, unique in the account."),
    ...buildFields(),
    ...runtimeFields(),
    ...accessFields()
  }),
  rules: {
    grade: ({ action: action2, fields }) => action2 !== "create" && fields.some((field) => field.path === "gitRepository" && asksForWrite(field)) ? { grade: "disruptive", reason: "different pushes will deploy, and deploy hooks are removed" } : void 0,
    check: ({ name: name2 }) => /^[a-z0-9._-]+$/.test(String(name2)) && !String(name2).includes("---") ? [] : [
      {
        path: ["name"],
        message: "a project name can have lower-case letters, digits, `.`, `_` and `-`, but not `---`"
      }
    ]
  },
  read: { endpoint: "GET /v10/projects", items: "projects", one: { endpoint: "GET /v9/projects/{id}" } },
  create: "POST /v11/projects",
  update: [
    {
      endpoint: "PATCH /v9/projects/{id}",
      body: ({ body: { gitRepository: _, ...settings2 } }) => settings2,
      when: ({ body: { gitRepository: _, ...settings2 } }) => Object.keys(settings2).length > 0
    },
    {
      endpoint: "POST /v9/projects/{id}/link",
      sends: "changed",
      body: ({ body }) => body.gitRepository,
      when: ({ action: action2, body }) => action2 === "update" && Boolean(body.gitRepository)
    },
    {
      endpoint: "DELETE /v9/projects/{id}/link",
      when: ({ action: action2, body }) => action2 === "update" && body.gitRepository === null
    }
  ],
  delete: "DELETE /v9/projects/{id}",
  decode: (object2) => ({
    ...object2,
    gitRepository: object2.link ? repositoryOf(object2.link) : null,
    ...elastic(object2) ? { resourceConfig: { ...object2.resourceConfig, buildMachineType: "elastic" } } : {}
  }),
  encode: ({ resourceConfig, ...fields }) => ({
    ...fields,
    ...resourceConfig ? { resourceConfig: machine(resourceConfig) } : {}
  })
});

// providers/hosting/kinds/projects/project-domain.ts
function wantedRecords(verification) {
  const challenges = Array.isArray(verification) ? verification : [];
  return challenges.slice(0, 3).flatMap((challenge) => {
    const { type: type3, domain: domain2, value: value4 } = challenge ?? {};
    const [what, at2, holds] = [type3, domain2, value4].map(quoted);
    return at2 === void 0 || holds === void 0 ? [] : [`${what ?? "a record"} at ${at2} with ${holds}`];
  });
}
var projectDomain = defineKind({
  name: "projectDomain",
  doc: "A domain that a project serves or redirects.",
  example: { "www.example.com": {}, "example.com": { redirect: "www.example.com", redirectStatusCode: 308 } },
  section: "domains",
  parent: "project",
  key: ["name"],
  id: "name",
  fields: () => ({
    name: withTraits(string().min(1).overwrite(toAscii), {
      immutable: true,
      within: "domain",
      sole: "domain"
    }).describe("The domain, such as `www.example.com`."),
    gitBranch: string().nullable().optional().describe("The branch whose latest deployment the domain serves; null for production."),
    customEnvironmentId: immutable(refTo("customEnvironment")).optional().describe("The slug of the custom environment that the domain serves."),
    redirect: softRefTo("projectDomain", string().overwrite(toAscii)).nullable().optional().describe("The domain to redirect to; null for no redirect."),
    redirectStatusCode: literal([301, 302, 307, 308]).nullable().optional().describe("The HTTP status of the redirect.")
  }),
  rules: {
    check: ({ name: name2, redirect, redirectStatusCode }) => [
      ...domainProblems(String(name2)).map((finding) => ({ path: ["name"], ...finding })),
      ...redirectStatusCode && !redirect ? [{ path: ["redirectStatusCode"], message: "a status code needs `redirect`" }] : []
    ]
  },
  read: {
    endpoint: "GET /v9/projects/{project}/domains",
    items: "domains",
    later: {
      until: "it is verified; under a domain of another account, that requires a DNS record there",
      person: true,
      rarely: true,
      // By itself it never looks.
      ask: "POST /v9/projects/{project}/domains/{id}/verify",
      pending({ verified, verification }) {
        if (verified !== false) return void 0;
        const records = wantedRecords(verification);
        const wanted = records.length > 0 ? `: it needs ${records.join(", or ")}` : "";
        return { why: `the platform has not verified it yet${wanted}` };
      }
    }
  },
  create: "POST /v10/projects/{project}/domains",
  update: "PATCH /v9/projects/{project}/domains/{id}",
  delete: "DELETE /v9/projects/{project}/domains/{id}",
  // It resets what it is not told.
  move: {
    endpoint: "POST /v1/projects/{from}/domains/{id}/move",
    params: ({ from }) => ({ from }),
    body: ({ parent, whole: { gitBranch = null, redirect = null, redirectStatusCode } }) => ({
      projectId: parent,
      gitBranch,
      redirect,
      ...redirect !== null && redirectStatusCode !== void 0 ? { redirectStatusCode } : {}
    })
  }
});

// providers/hosting/kinds/projects/project-env-var-rows.ts
var projectRows = {
  fields: ["comment", "visibility"],
  waitsFor: (unit) => hasHoles(unit) ? "what it refers to" : "",
  createdWith: () => "",
  patchedWith: ({ row }) => row.id,
  removedWith: () => "",
  create: (rows2) => request(
    "POST /v10/projects/{project}/env",
    rows2.map(({ fields }) => fields)
  ),
  patch: ([one]) => request("PATCH /v9/projects/{project}/env/{id}", one.body, { id: one.row.id }),
  remove: (rows2) => request("DELETE /v1/projects/{project}/env", { ids: rows2.map(({ id }) => id) })
};
var createdOrFailed = (answer, { body }) => createdOrNot(body, objectsAt(answer, "created"), failuresIn(answer));

// providers/hosting/kinds/projects/project-env-var.ts
var type2 = () => withTraits(_enum(["encrypted", "plain", "sensitive"]), {
  immutable: (before) => before === "sensitive"
}).optional().describe(
  "How the value is kept: `plain`, `encrypted` (readable again) or `sensitive` (never readable); `encrypted` by default, `sensitive` if the team requires it."
);
var text6 = () => string().optional();
var value3 = () => neededToCreate(secretUnlessWritten(string(), ({ type: type3 }) => type3 !== "plain", isOpen2)).optional().describe(
  "The value that builds and functions see. If omitted, the value is kept and the variable must already exist."
);
var visibility = () => _enum(["config", "secret"]).optional().describe("Whether it counts as configuration or as a secret.");
var branch = () => string().min(1).optional().describe("Limits the variable to one branch; only with the target preview.");
var projectEnvVar = defineKind({
  name: "projectEnvVar",
  doc: "An environment variable of a project, in the targets and custom environments named.",
  example: `
projects:
  web:
    env:
      LOG_LEVEL: info # everywhere, encrypted
      API_URL:
        - { value: "https://api.example.com", target: [production], type: plain }
        - { value: "https://staging.example.com", target: [preview, development] }
`,
  section: "env",
  parent: "project",
  key: ["key"],
  yaml: {
    manyPerKey: true,
    shorthand: (scalar) => ({ value: scalar }),
    names: (unit) => [
      `${escapeName(String(unit.key))}@${suffixOf(unit).split(":").map(escapeName).join(":")}`
    ]
  },
  fields: () => ({
    key: variableName().describe("The name of the variable."),
    value: value3(),
    type: type2(),
    target: withTraits(array(_enum(["production", "preview", "development"])).min(1), {
      unordered: true
    }).optional().describe("The targets; everywhere if neither targets nor custom environments are given."),
    gitBranch: branch(),
    customEnvironmentIds: setOf(refTo("customEnvironment")).optional().describe("The slugs of its custom environments."),
    comment: text6().describe("A note about the variable."),
    visibility: visibility()
  }),
  usual: { type: "encrypted", target: ["production", "preview", "development"] },
  rules: {
    check: (fields, parent) => [
      ...sensitiveInDevelopment(fields, parent),
      ...fields.gitBranch && (fields.customEnvironmentIds || fields.target && String(fields.target) !== "preview") ? [{ path: ["gitBranch"], message: "a branch can only be used with the target preview" }] : []
    ],
    align: alignedTo(projectRows),
    grade
  },
  shape: rows(
    {
      fields: () => ({
        key: string(),
        target: text6(),
        customEnvironmentId: refTo("customEnvironment").optional(),
        gitBranch: branch(),
        value: value3(),
        type: type2(),
        comment: text6(),
        visibility: visibility()
      }),
      place: ["target", "customEnvironmentId", "gitBranch"],
      placesIn,
      toUnits,
      toRow
    },
    batch(writesTo(projectRows), createdOrFailed)
  ),
  read: {
    endpoint: "GET /v10/projects/{project}/env?decrypt=true",
    // Whether it has the shared ones that are linked to the project is not documented.
    items: { list: "envs", without: "sharedEnvVar" },
    updatedAt: "updatedAt",
    facts: ["updatedBy"]
  },
  decode: decode3,
  create: "POST /v10/projects/{project}/env",
  update: "PATCH /v9/projects/{project}/env/{id}",
  delete: "DELETE /v1/projects/{project}/env"
});
function decode3(row) {
  if (row.system === true || row.configurationId || !["encrypted", "plain", "sensitive"].includes(String(row.type)))
    return void 0;
  const readable = row.type === "plain" || row.type === "encrypted" && row.decrypted !== false;
  const environments2 = row.customEnvironmentIds ?? [];
  return {
    key: row.key,
    type: row.type,
    target: [row.target ?? []].flat(),
    ...row.gitBranch ? { gitBranch: row.gitBranch } : {},
    ...environments2.length > 0 ? { customEnvironmentIds: environments2 } : {},
    // An empty one, which is how a comment is taken away, is none.
    comment: row.comment ?? "",
    ...row.visibility ? { visibility: row.visibility } : {},
    ...readable ? { value: row.value } : {}
  };
}

// providers/hosting/kinds/projects/project-member.ts
var roles = ["ADMIN", "PROJECT_VIEWER", "PROJECT_DEVELOPER"];
var projectMember = defineKind({
  name: "projectMember",
  doc: "A member of the team with a role in a project.",
  example: { "8k2Xb4uWq1Yt5cZe7nVr3oPd": { role: "PROJECT_DEVELOPER" } },
  section: "members",
  parent: "project",
  key: ["uid"],
  id: "uid",
  lifecycle: { replace: "free", asks: { "remove-access": "delete" } },
  fields: () => ({
    uid: string().min(1).describe("The user's id, as in the list of team members."),
    role: immutable(openEnum(roles)).describe("What the user may do in the project.")
  }),
  read: { endpoint: "GET /v1/projects/{project}/members", items: "members" },
  // Guests come by deployments that were shared with them, and cannot be written.
  decode: (member) => roles.includes(String(member.role)) ? member : void 0,
  create: "POST /v1/projects/{project}/members",
  delete: "DELETE /v1/projects/{project}/members/{id}"
});

// providers/hosting/kinds/telling.ts
var words = "auth|cookie|credential|jwt|key|passw|pwd|secret|session|sign|token|bypass";
var secretName = new RegExp(words, "i");
var credentials = /^\s*(basic|bearer|digest|token)\s/i;
function isTelling({ type: type3, key, value: value4 }) {
  const texts3 = [value4].flat().filter((one) => typeof one === "string");
  if (type3 === "cookie") return texts3.length > 0;
  if (type3 !== "header" && type3 !== "query") return false;
  return secretName.test(String(key)) || texts3.some((text7) => credentials.test(text7));
}
var telling2 = (condition2) => withTraits(condition2, { mayTell: (members) => isTelling(members) ? members.value : void 0 });

// providers/hosting/kinds/projects/project-route.ts
var flag5 = () => boolean().nullable().optional();
var matcher = () => telling2(
  strictObject({
    type: openEnum(["host", "header", "cookie", "query"]),
    key: string().optional(),
    value: string().optional()
  })
);
var transform = () => strictObject({
  type: openEnum(["request.headers", "request.query", "response.headers"]),
  op: openEnum(["append", "set", "delete"]),
  target: record(string(), any()).optional(),
  args: any().optional(),
  env: array(string()).optional()
});
var route = () => strictObject({
  src: string().min(1).describe("The path to match, in the syntax of `srcSyntax`."),
  dest: string().nullable().optional().describe("The destination."),
  status: int().min(100).max(999).nullable().optional().describe("The status code of the response."),
  headers: atomic(record(string(), string())).nullable().optional().describe("Response headers, as a complete set."),
  caseSensitive: flag5().describe("Whether matching is case-sensitive."),
  has: array(matcher()).nullable().optional().describe("Conditions that a request must meet."),
  missing: array(matcher()).nullable().optional().describe("Conditions that a request must not meet."),
  transforms: array(transform()).nullable().optional().describe("Changes to headers and query strings."),
  respectOriginCacheControl: flag5().describe("Whether the origin controls caching."),
  // Not in the documented body, but the platform's command line sends both.
  continue: flag5().describe("Whether later rules are also applied."),
  check: flag5().describe("Whether the new path is checked against files first.")
});
var projectRoute = defineKind({
  name: "projectRoute",
  doc: "A routing rule of a project: rewrites, redirects, headers and statuses in front of its deployments.",
  section: "routes",
  parent: "project",
  key: ["name"],
  shape: staged(
    {
      versions: "GET /v1/projects/{project}/routes/versions",
      promote: "POST /v1/projects/{project}/routes/versions"
    },
    ordered()
  ),
  lifecycle: { replace: "free" },
  form: 2,
  usual: { enabled: true },
  fields: () => ({
    name: string().min(1).max(256).describe("Its name, unique in the project."),
    description: string().max(1024).nullable().optional().describe("A note for humans."),
    enabled: safeguard(boolean()).optional().describe("Whether it applies."),
    srcSyntax: openEnum(["equals", "path-to-regexp", "regex"]).optional().describe("The syntax of `route.src`."),
    route: route().describe("What it matches and does.")
  }),
  example: `projects:
  web:
    routes:
      - name: docs
        srcSyntax: path-to-regexp
        route: { src: "/docs/:path*", dest: "https://docs.example.com/:path*" }`,
  read: { endpoint: "GET /v1/projects/{project}/routes?versionId={version}", items: "routes" },
  // The server compiles what was written, and keeps the original beside it.
  decode: ({ rawSrc, rawDest, route: route2, ...rule }) => {
    const { src, dest, ...rest } = route2;
    const written4 = { src: rawSrc ?? src, dest: rawDest ?? dest };
    return {
      ...rule,
      route: { ...rest, ...written4.dest === void 0 ? { src: written4.src } : written4 }
    };
  },
  create: {
    endpoint: "POST /v1/projects/{project}/routes",
    refuses: losing,
    body: (step) => ({
      route: written2(step),
      position: step.behind === void 0 ? { placement: "start" } : { placement: "after", referenceId: step.behind }
    }),
    returns: ({ address }) => [{ address, path: ["route", "id"] }]
  },
  update: {
    endpoint: "PATCH /v1/projects/{project}/routes/{id}",
    sends: "whole",
    refuses: losing,
    body: (step) => ({ route: written2(step) })
  },
  delete: {
    endpoint: "DELETE /v1/projects/{project}/routes",
    body: ({ id }) => ({ routeIds: [id].flat() })
  }
});
function losing(step) {
  return wouldLose(
    step,
    Object.entries(step.before?.fields.route ?? {}).filter(([name2, value4]) => !Object.hasOwn(route().shape, name2) && !saysNothing(value4)).map(([name2]) => `route.${name2}`)
  );
}
function written2({ after, fields, whole }) {
  const { srcSyntax: _, ...rule } = whole;
  const isGuessed = after?.fields.srcSyntax === void 0 && fields.some(({ path: path2 }) => path2 === "route.src");
  return isGuessed ? rule : whole;
}
var saysNothing = (value4) => ["null", "false", "[]", "{}"].includes(JSON.stringify(value4));

// providers/hosting/kinds/projects/protection-bypass-writes.ts
var bypass = "PATCH /v1/projects/{project}/protection-bypass";
var command2 = (body) => request(bypass, body);
function bypassWrites(steps, context) {
  const refused = severalDefaults(steps, context) ?? withoutDefault(steps, context);
  if (refused) return [refused];
  const isWanted2 = ({ after }) => after.fields.isEnvVar === true;
  const made3 = steps.filter(({ action: action2 }) => action2 === "create" || action2 === "replace").sort((a, b) => Number(isWanted2(b)) - Number(isWanted2(a)));
  const changed2 = steps.filter(({ action: action2 }) => action2 === "update");
  const [other] = [...made3, ...changed2].filter(isWanted2);
  const inherits = ({ action: action2, before }) => !other && action2 === "replace" && before.fields.isEnvVar === true;
  const isDefault = ({ before }) => Number(before.fields.isEnvVar === true);
  const isFirst = (step) => context.live.length === 0 && step === made3[0];
  const promoted2 = [...made3, ...changed2].filter(
    (step) => (isWanted2(step) || inherits(step)) && !isFirst(step)
  );
  const demoted = [...made3, ...changed2].filter(({ after }) => after.fields.isEnvVar === false);
  const drafts = [
    ...made3.map((step) => draft(step, generate(step))),
    // The one that is to be no default is demoted by the other's promotion.
    ...promoted2.map((step) => ({
      changes: [step, ...demoted].map(({ address }) => address),
      requests: [promote(step)]
    })),
    ...changed2.filter(({ body }) => "note" in body).map((step) => draft(step, note(step))),
    ...changed2.filter(({ body }) => body.isEnvVar === false && promoted2.length === 0).map((step) => draft(step, demote(step))),
    ...steps.filter(({ action: action2 }) => action2 !== "create" && action2 !== "update").sort((a, b) => isDefault(a) - isDefault(b)).map((step) => draft(step, revoke(step)))
  ];
  return drafts.map((one, index) => Object.assign(one, index > 0 ? { after: [drafts[index - 1]] } : {}));
}
var draft = ({ address }, one) => ({ changes: [address], requests: [one] });
var generate = ({ address, after }) => {
  const { secret: secret2, note: note2 } = after.fields;
  const members = Object.entries({ secret: secret2, note: note2 }).filter(([, value4]) => value4 !== void 0);
  return { ...command2({ generate: Object.fromEntries(members) }), batch: [[address]] };
};
var secretOf = ({ before, after, action: action2 }) => (action2 === "replace" || !before ? after : before).fields.secret;
var promote = (step) => command2({ update: { secret: secretOf(step), isEnvVar: true } });
var demote = (step) => command2({ update: { secret: secretOf(step), isEnvVar: false } });
var note = (step) => command2({ update: { secret: secretOf(step), note: step.body.note } });
var revoke = ({ address, before }) => ({
  ...command2({ revoke: { secret: before.fields.secret, regenerate: false } }),
  drops: before.ids.map((id) => ({ address, id }))
});
function severalDefaults(steps, { desired }) {
  const [one, other] = desired.filter(({ fields }) => fields.isEnvVar === true);
  const step = steps.find(({ address }) => address === one?.address || address === other?.address);
  if (!one || !other || !step) return void 0;
  const message = `${one.address} and ${other.address} would both be the default, but a project can have only one`;
  const hint = "keep `isEnvVar: true` on one of them";
  return {
    changes: [step.address],
    requests: [],
    problem: problem("bypass/default", message, { address: other.address, at: other.at, hint })
  };
}
function withoutDefault(steps, { live, desired }) {
  const stepOf2 = new Map(steps.map((step2) => [step2.address, step2]));
  const fieldsOf = (found2) => {
    const step2 = stepOf2.get(found2.address);
    return step2?.action === "delete" ? void 0 : { ...found2.fields, ...step2?.after?.fields };
  };
  const [old] = live.filter(({ fields }) => fields.isEnvVar === true);
  const left = live.map(fieldsOf).filter((fields) => fields !== void 0);
  const made3 = desired.filter(({ address }) => stepOf2.get(address)?.action === "create");
  const all2 = [...left, ...made3.map(({ fields }) => fields)];
  if (!old || all2.length === 0 || all2.some(({ isEnvVar }) => isEnvVar === true)) return void 0;
  const step = stepOf2.get(old.address);
  return {
    changes: [old.address],
    requests: [],
    problem: problem(
      "bypass/default",
      `${old.address} is the default of the project, and nothing would replace it`,
      {
        address: old.address,
        ...step.after ? { at: step.after.at } : {},
        hint: "set `isEnvVar: true` on the new default"
      }
    )
  };
}
function generated(answer, { body }) {
  const { secret: secret2, note: note2 = "" } = body.generate;
  const all2 = Object.entries((answer ?? {}).protectionBypass ?? {}).filter(
    (one) => typeof one[1] === "object" && one[1] !== null
  );
  const [found2] = all2.filter(([key, one]) => secret2 === void 0 ? (one.note ?? "") === note2 : key === secret2).sort(([, a], [, b]) => Number(b.createdAt) - Number(a.createdAt));
  return [found2 ? { id: found2[0] } : { unknown: true }];
}

// providers/hosting/kinds/projects/protection-bypass.ts
var protectionBypass = defineKind({
  name: "protectionBypass",
  doc: "A secret that lets automation bypass a project's deployment protection.",
  section: "protectionBypass",
  parent: "project",
  key: ["label"],
  id: "secret",
  lifecycle: { lane: "protectionBypass", replace: "free" },
  fields: () => ({
    label: label().describe("Its name here; the platform has none."),
    secret: immutable(
      secret(string().regex(/^[A-Za-z0-9]{32}$/, "a bypass secret must have 32 letters and digits"))
    ).optional().describe(
      "The secret, 32 letters and digits; generated by the platform if omitted. Changing it replaces the bypass."
    ),
    note: string().max(100).optional().describe("A note, which identifies it."),
    isEnvVar: boolean().optional().describe(
      "Whether deployments get it as a system variable. Exactly one bypass is; the first one always."
    )
  }),
  example: `secrets:
  e2e: {}
projects:
  web:
    protectionBypass:
      e2e: { secret: "\${secret.e2e}", note: End-to-end tests }`,
  rules: {
    check: ({ isEnvVar, secret: secret2, note: note2 }) => [
      ...secret2 === void 0 && !note2 ? [
        {
          path: ["label"],
          message: "it cannot be told apart from others of the project",
          hint: "give it a `note`, or your own `secret`"
        }
      ] : [],
      ...isEnvVar && secret2 === void 0 ? [
        {
          path: ["isEnvVar"],
          message: "a generated one cannot become the default right away",
          hint: "give it a `secret`; the first one of a project is the default anyway"
        }
      ] : []
    ],
    clashes: (siblings) => {
      const own = siblings.filter(({ fields }) => fields.secret instanceof Sealed);
      return [...groupBy(own, ({ fields }) => String(revealed(fields.secret))).values()].map((equal) => equal.map(({ address }) => address)).filter((addresses) => addresses.length > 1).map((addresses) => ({
        addresses,
        message: `${addresses.join(" and ")} have the same secret, which a project accepts only once`,
        hint: "keep one, or give each its own secret"
      }));
    },
    grade: ({ action: action2, fields }) => {
      if (action2 === "delete" || action2 === "replace")
        return { grade: "irreversible", reason: "whoever uses the old secret is locked out" };
      return fields.some(
        ({ path: path2, after, cause }) => path2 === "isEnvVar" && after === true && cause !== "recorded"
      ) ? {
        grade: "disruptive",
        reason: "deployments get this one instead of the previous default"
      } : void 0;
    }
  },
  shape: labelled([["secret"], ["note"]], batch(bypassWrites, generated)),
  read: {
    endpoint: "GET /v9/projects/{project}",
    items: (answer) => Object.entries(projectIn(answer).protectionBypass ?? {}).filter(([, { scope }]) => scope === "automation-bypass").map(([secret2, one]) => ({ secret: secret2, isEnvVar: true, note: "", ...one }))
  },
  create: bypass,
  update: bypass,
  delete: bypass
});

// providers/hosting/kinds/projects/rolling-release.ts
var rollingRelease = defineKind({
  name: "rollingRelease",
  doc: "Rolls out production deployments in stages, instead of serving everybody at once.",
  section: "rollingRelease",
  parent: "project",
  key: [],
  form: 2,
  undeclared: ["gate", "canaryResponseHeader", "stages.linearShift"],
  fields: () => ({
    advancementType: _enum(["automatic", "manual-approval"]).describe("Whether a stage ends after its duration or by approval."),
    stages: atomic(
      array(
        strictObject({
          targetPercentage: number().min(0).max(100),
          duration: int().min(1).max(1e4).optional()
        })
      ).min(2).max(10)
    ).describe(
      "2 to 10 stages with rising percentages, the last one 100; `duration` in whole minutes, for `automatic` only, and not in the last one."
    )
  }),
  example: `projects:
  web:
    rollingRelease:
      advancementType: automatic
      stages: [{ targetPercentage: 10, duration: 60 }, { targetPercentage: 100 }]`,
  rules: {
    check: ({ advancementType, stages }) => problemsOf3(advancementType, stages)
  },
  read: { endpoint: "GET /v1/projects/{project}/rolling-release/config", item: releaseIn },
  decode: (object2) => {
    const stages = object2.stages ?? [];
    const isManual = stages.some(({ requireApproval }) => requireApproval);
    const kept = stages.map(({ targetPercentage, duration }, index) => ({
      targetPercentage,
      ...duration == null || isManual || index === stages.length - 1 ? {} : { duration }
    }));
    return { advancementType: isManual ? "manual-approval" : "automatic", stages: kept };
  },
  encode: (fields) => ({ enabled: true, ...fields }),
  create: "PATCH /v1/projects/{project}/rolling-release/config",
  update: {
    endpoint: "PATCH /v1/projects/{project}/rolling-release/config",
    sends: "whole",
    // What is known of its body has no place for some of what the dashboard can set.
    refuses: (step) => wouldLose(step, step.before?.undeclared ?? [])
  },
  delete: "DELETE /v1/projects/{project}/rolling-release/config"
});
function problemsOf3(advancementType, stages) {
  const say = (index, message) => ({ path: ["stages", index], message });
  return stages.flatMap(({ targetPercentage, duration }, index) => [
    ...index > 0 && targetPercentage <= stages[index - 1].targetPercentage ? [say(index, "each stage must have a higher percentage than the previous one")] : [],
    ...index === stages.length - 1 && targetPercentage !== 100 ? [say(index, "the last stage must be 100")] : [],
    ...duration === void 0 && advancementType === "automatic" && index < stages.length - 1 ? [say(index, "with `advancementType: automatic`, each stage except the last needs a `duration`")] : [],
    ...duration !== void 0 && index === stages.length - 1 ? [say(index, "the last stage cannot have a `duration`")] : [],
    ...duration !== void 0 && advancementType !== "automatic" ? [say(index, "only `advancementType: automatic` can have durations")] : []
  ]);
}
function releaseIn(answer) {
  if (!("rollingRelease" in answer)) throw new Error("the response does not contain the rolling release");
  return answer.rollingRelease ?? void 0;
}

// providers/hosting/kinds/projects/insights.ts
function insightsIn(answer, name2) {
  const { enabledAt, disabledAt, canceledAt } = projectIn(answer)[name2] ?? {};
  return { enabled: enabledAt != null && enabledAt >= Math.max(disabledAt ?? 0, canceledAt ?? 0) };
}
var insightsGrade = ({ fields }) => fields.some(({ after }) => after === false) ? { grade: "disruptive", reason: "nothing is measured while it is off" } : void 0;

// providers/hosting/kinds/projects/speed-insights.ts
var speedInsights = defineKind({
  name: "speedInsights",
  doc: "Speed insights of a project: how fast its pages are for those who visit them.",
  section: "speedInsights",
  parent: "project",
  key: [],
  // The endpoint may ask for a payment (402), and nothing tells on which plans it does not.
  lifecycle: { asks: { cost: isSwitchedOn("enabled") } },
  usual: { enabled: false },
  fields: () => ({
    enabled: boolean().describe("Whether the speed of pages is measured. Some plans charge for it.")
  }),
  example: `$allow: [cost]
projects:
  web:
    speedInsights: { enabled: true }`,
  rules: { grade: insightsGrade },
  read: { endpoint: "GET /v9/projects/{project}", item: (answer) => insightsIn(answer, "speedInsights") },
  encode: ({ enabled: enabled2 }) => ({ value: enabled2 }),
  update: "POST /speed-insights/toggle?projectId={project}"
});

// providers/hosting/kinds/projects/static-ip-settings.ts
var staticIpSettings = defineKind({
  name: "staticIpSettings",
  doc: "How a project uses static IPs, once its `staticIps` are enabled: where, and whether for builds.",
  section: "staticIpSettings",
  parent: "project",
  key: [],
  usual: { builds: false, regions: [] },
  fields: () => ({
    builds: boolean().optional().describe("Whether builds also connect from static addresses."),
    regions: setOf(string().min(1)).optional().describe("The regions that have static addresses, such as `fra1`.")
  }),
  example: `$allow: [cost]
projects:
  web:
    staticIps: { enabled: true }
    staticIpSettings: { builds: true, regions: [fra1] }`,
  rules: {
    grade: () => ({
      grade: "disruptive",
      reason: "connections come from different addresses, which their targets may block"
    })
  },
  read: {
    endpoint: "GET /v9/projects/{project}",
    item: (answer) => ({
      builds: false,
      regions: [],
      ...projectIn(answer).staticIps
    })
  },
  update: "PATCH /v1/projects/{project}/shared-connect-links"
});

// providers/hosting/kinds/projects/web-analytics.ts
var webAnalytics = defineKind({
  name: "webAnalytics",
  doc: "Web analytics of a project: who visits which of its pages.",
  section: "webAnalytics",
  parent: "project",
  key: [],
  // The endpoint may ask for a payment (402), and nothing tells on which plans it does not.
  lifecycle: { asks: { cost: isSwitchedOn("enabled") } },
  usual: { enabled: false },
  fields: () => ({
    enabled: boolean().describe("Whether visits are counted. Some plans charge for it.")
  }),
  example: `$allow: [cost]
projects:
  web:
    webAnalytics: { enabled: true }`,
  rules: { grade: insightsGrade },
  read: { endpoint: "GET /v9/projects/{project}", item: (answer) => insightsIn(answer, "webAnalytics") },
  encode: ({ enabled: enabled2 }) => ({ value: enabled2 }),
  update: "POST /web/insights/toggle?projectId={project}"
});

// providers/hosting/kinds/registry/registry-permission.ts
var registryPermission = defineKind({
  name: "registryPermission",
  doc: "Another team that may pull the images of a repository.",
  section: "permissions",
  parent: "registryRepository",
  key: ["teamId"],
  id: "teamId",
  lifecycle: { replace: "free" },
  fields: () => ({
    teamId: immutable(string().min(1)).describe("The team's id, such as `team_\u2026` (not its slug).")
  }),
  example: { team_LLHUOMOoDlqOp8wPE4kFo9pE: {} },
  rules: {
    grade: ({ action: action2 }) => action2 === "create" ? { grade: "disruptive", reason: "another team can then pull all images of the repository" } : action2 === "delete" ? { grade: "disruptive", reason: "the team can then no longer pull images of the repository" } : void 0
  },
  read: {
    endpoint: "GET /v1/vcr/repository/{registryRepository}/permissions?projectId={project}",
    items: "permissions"
  },
  create: "POST /v1/vcr/repository/{registryRepository}/permissions?projectId={project}",
  delete: {
    endpoint: "DELETE /v1/vcr/repository/{registryRepository}/permissions?projectId={project}",
    body: ({ id }) => ({ teamId: id })
  }
});

// providers/hosting/kinds/registry/registry-repository.ts
var becomesPublic = ({ after, fields }) => after?.fields.public === true && fields.some(({ path: path2 }) => path2 === "public");
var registryRepository = defineKind({
  name: "registryRepository",
  doc: "A container image repository of a project. Deleting it deletes its images.",
  section: "registryRepositories",
  parent: "project",
  key: ["name"],
  lifecycle: { replace: "never", container: true },
  usual: { public: false },
  fields: () => ({
    name: immutable(string().min(1)).describe("Its name, unique in the project."),
    public: updateOnly(safeguard(boolean())).optional().describe("Whether anybody may pull its images; false for a new one.")
  }),
  example: { api: { public: false } },
  rules: {
    grade: (change2) => becomesPublic(change2) ? { grade: "disruptive", reason: "anybody can then pull all images of the repository" } : void 0
  },
  read: { endpoint: "GET /v1/vcr/repository?projectId={project}", items: "repositories" },
  create: {
    endpoint: "POST /v1/vcr/repository",
    body: ({ parent, body }) => ({ projectId: parent, ...body }),
    returns: ({ address }) => [{ address, path: ["repository", "id"] }]
  },
  // Not in the catalog; the platform's Terraform provider and its command line do it.
  update: "PATCH /v1/vcr/repository/{id}?projectId={project}",
  delete: "DELETE /v1/vcr/repository/{id}?projectId={project}"
});

// providers/hosting/kinds/sandboxes/sandbox.ts
var texts2 = () => setOf(string().min(1)).optional();
var networkPolicy = () => strictObject({
  mode: openEnum(["allow-all", "deny-all", "custom", "default-allow", "default-deny"]).describe(
    "The default policy."
  ),
  allowedDomains: texts2().describe("Allowed host names."),
  allowedCIDRs: texts2().describe("Allowed addresses."),
  deniedCIDRs: texts2().describe("Denied addresses."),
  injectionRules: writeOnly(
    atomic(
      array(
        strictObject({
          domain: string().min(1),
          headers: record(string(), secret(string())),
          match: record(string(), any()).optional()
        })
      )
    )
  ).optional().describe(
    "Headers to inject into requests to a `domain`; their values are secret. They cannot be read back, and updating the policy without them removes them."
  )
});
var made = ({ parent, body }) => ({ projectId: parent, ...body });
var sandbox = defineKind({
  name: "sandbox",
  doc: "A machine for running untrusted code. It costs money while a session runs; creating it starts one.",
  section: "sandboxes",
  parent: "project",
  key: ["name"],
  id: "name",
  lifecycle: { container: true, after: ["sandboxDrive", "registryRepository"], asks: { cost: "create" } },
  form: 2,
  fields: () => ({
    name: string().regex(/^[A-Za-z0-9_-]+$/).describe("Its name in the project: letters, digits, `-` and `_`."),
    runtime: readMayLack(openEnum(["node22", "node24", "python3.13"])).optional().describe("The runtime; alternatively, an `image`."),
    image: softRefTo("registryRepository", readMayLack(immutable(string().min(1)))).optional().describe("The container image to start from, in the project's registry."),
    source: createOnly(
      atomic(
        strictObject({
          type: openEnum(["git", "tarball", "snapshot"]).describe("What it is."),
          url: string().optional().describe("Where it is."),
          revision: string().optional().describe("The commit or branch of a repository."),
          depth: int().positive().optional().describe("The clone depth."),
          username: string().optional().describe("The user name for the repository."),
          password: secret(string()).optional().describe("The password or token for it."),
          snapshotId: string().optional().describe("The snapshot of another sandbox.")
        })
      )
    ).optional().describe("The initial files; only used at creation."),
    ports: createOnly(setOf(int().positive())).optional().describe("The exposed ports; only used at creation."),
    resources: strictObject({
      vcpus: int().positive().optional().describe("The number of vCPUs."),
      memory: int().positive().optional().describe("The memory, in MB.")
    }).optional().describe("The machine size."),
    timeout: int().positive().optional().describe("The session timeout, in milliseconds."),
    persistent: boolean().optional().describe("Whether its files are kept when a session ends."),
    snapshotExpiration: readMayLack(int().min(0)).optional().describe("How long a snapshot of its files is kept, in milliseconds."),
    keepLastSnapshots: readMayLack(
      immutable(
        atomic(
          strictObject({
            count: int().positive(),
            expiration: int().min(0).optional(),
            deleteEvicted: boolean()
          })
        )
      )
    ).optional().describe("How many snapshots are kept: `{ count: 3, deleteEvicted: true }`."),
    networkPolicy: readMayLack(networkPolicy()).optional().describe("Its network policy."),
    networkId: readMayLack(immutable(refTo("network"))).optional().describe("Its private network."),
    env: writeOnly(atomic(record(string(), secret(string())))).optional().describe("Its complete set of environment variables. They are secret and cannot be read back."),
    tags: record(string(), string()).optional().describe("Custom tags, by name."),
    mounts: readMayLack(
      immutable(
        record(
          string(),
          strictObject({
            drive: string().min(1).describe("The name of a drive of the project."),
            mode: openEnum(["read-write", "read-only", "snapshot"]).optional().describe("The access mode.")
          })
        )
      )
    ).optional().describe("Its mounted drives, by path: `/data: { drive: cache }`."),
    region: readMayLack(immutable(string().min(1))).optional().describe("Its region, such as `iad1`."),
    failoverRegions: readMayLack(immutable(texts2())).describe("The failover region.")
  }),
  example: `secrets: { token: { env: WORKER_TOKEN } }
projects:
  web:
    sandboxDrives: { cache: {} }
    sandboxes:
      worker:
        runtime: node24
        resources: { vcpus: 2 }
        networkPolicy: { mode: custom, allowedDomains: [api.example.com] }
        env: { TOKEN: "\${secret.token}" }
        mounts: { /cache: { drive: cache } }`,
  read: { endpoint: "GET /v2/sandboxes?project={project}", items: "sandboxes" },
  decode: ({ vcpus, memory, ...found2 }) => ({ ...found2, resources: { vcpus, memory } }),
  create: [
    { endpoint: "POST /v2/sandboxes", when: ({ body }) => body.runtime !== void 0, body: made },
    { endpoint: "POST /v3/sandboxes", when: ({ body }) => body.runtime === void 0, body: made }
  ],
  update: "PATCH /v2/sandboxes/{id}?projectId={project}",
  delete: "DELETE /v2/sandboxes/{id}?projectId={project}"
});

// providers/hosting/kinds/sandboxes/sandbox-drive.ts
var sandboxDrive = defineKind({
  name: "sandboxDrive",
  doc: "A disk that sandboxes of a project can mount; its content survives when they stop. It costs money, and deleting it deletes its content.",
  section: "sandboxDrives",
  parent: "project",
  key: ["name"],
  id: "name",
  lifecycle: { replace: "never", container: true, asks: { cost: "create" } },
  fields: () => ({
    name: string().min(1).describe("Its name in the project."),
    maxSizeBytes: immutable(int().positive()).optional().describe("Its maximum size; by default the most the plan allows (1 TiB, or 1 GiB on the hobby plan)."),
    region: immutable(string().min(1)).optional().describe("Its region; `iad1` by default.")
  }),
  usual: { region: "iad1" },
  example: { cache: { maxSizeBytes: 10737418240 } },
  read: { endpoint: "GET /v2/sandboxes/drives?projectId={project}", items: "drives" },
  create: {
    endpoint: "POST /v2/sandboxes/drives/{name}",
    body: ({ parent, body: { name: _, ...body } }) => ({ projectId: parent, ...body })
  },
  delete: "DELETE /v2/sandboxes/drives/{id}?projectId={project}"
});

// providers/hosting/kinds/moment.ts
var moment = () => union([int().min(0), iso_exports.datetime({ offset: true }).transform((text7) => Date.parse(text7))]);

// providers/hosting/kinds/security/attack-mode.ts
var off = { attackModeEnabled: false };
var withoutIdleDeadline = (fields) => fields.attackModeEnabled ? fields : off;
var attackMode = defineKind({
  name: "attackMode",
  doc: "Attack challenge mode of a project: challenges every visitor until a given time.",
  section: "attackMode",
  parent: "project",
  key: [],
  fields: () => ({
    attackModeEnabled: boolean().describe("Whether every visitor is challenged."),
    attackModeActiveUntil: readMayLack(moment()).nullable().optional().describe(
      "When it ends automatically: a time like `2027-01-31T18:00:00Z`, or milliseconds since 1970."
    )
  }),
  example: { attackModeEnabled: true, attackModeActiveUntil: "2027-01-31T18:00:00Z" },
  rules: {
    check: ({ attackModeEnabled, attackModeActiveUntil }) => attackModeEnabled || !attackModeActiveUntil ? [] : [
      {
        path: ["attackModeEnabled"],
        message: "`attackModeActiveUntil` has no effect while attack mode is off"
      }
    ],
    align: ({ desired, live, now }) => {
      const isOver = (until2) => typeof until2 === "number" && until2 <= now;
      const { attackModeEnabled, attackModeActiveUntil: until } = desired.fields;
      return {
        // Somebody may have prolonged it: what is wanted after its time is that it is off.
        desired: isOver(until) || attackModeEnabled === false ? off : desired.fields,
        ...isOver(live?.fields.attackModeActiveUntil) ? { live: off } : {},
        ...isOver(until) ? { over: `its time ended at ${new Date(until).toISOString()}` } : {}
      };
    },
    grade: ({ fields }) => fields.some(({ path: path2, after }) => path2 === "attackModeEnabled" && after === true) ? { grade: "disruptive", reason: "every visitor is challenged while it is on" } : void 0
  },
  read: {
    endpoint: "GET /v9/projects/{project}",
    item: (answer) => ({
      attackModeEnabled: false,
      ...projectIn(answer).security
    })
  },
  // The deadline of what is off says nothing, and nobody can tell whether it just ran out: then it is no conflict.
  decode: withoutIdleDeadline,
  // The SDK has no deadline beside `attackModeEnabled: false`.
  encode: withoutIdleDeadline,
  update: {
    endpoint: "POST /v1/security/attack-mode",
    body: ({ whole, parent }) => ({ projectId: parent, ...whole })
  }
});

// providers/hosting/kinds/security/firewall-config.ts
var config = "GET /v1/security/firewall/config?projectId={project}";
var changes = "PATCH /v1/security/firewall/config?projectId={project}";
var activeConfig = "GET /v1/security/firewall/config/active?projectId={project}";
function active(answer) {
  const found2 = answer.active;
  if (found2 === void 0 || found2 !== null && typeof found2.firewallEnabled !== "boolean")
    throw new Error("the answer is not a firewall configuration");
  return found2 ?? {};
}
var writes4 = (answer) => {
  const { version: version2 } = active(answer);
  return typeof version2 === "number" ? version2 : void 0;
};
var blocked2 = ({ draft: draft2 }) => draft2 ? {
  code: "firewall/draft",
  message: "the firewall has a pending draft from somewhere else",
  hint: "publish or discard it in the dashboard, or continue with --ignore-draft"
} : void 0;
var watched = { blocked: blocked2, writes: writes4 };
var lane = "firewall";
var listed = (member) => ({
  endpoint: config,
  items: (answer) => active(answer)[member] ?? [],
  ...watched
});
var envelope = (action2, made3) => ({
  endpoint: changes,
  body: (step) => ({ action: action2, ...made3(step) })
});
var envelopeRequest = (action2, id, value4) => request(changes, { action: action2, id, value: value4 });
var insertedId = (list, members) => ({
  endpoint: activeConfig,
  returns: ({ address, whole }) => [{ address, path: [list, members(whole), "id"] }]
});

// providers/hosting/kinds/security/firewall-condition.ts
var types4 = "host path method header query cookie target_path route raw_path ip_address region protocol scheme environment domain_environment user_agent geo_continent geo_country geo_country_region geo_city geo_as_number ja4_digest ja3_digest rate_limit_api_id server_action bot_name bot_category bot_status bot_protection shared_condition traffic_source ruleset";
var withKey = ["header", "query", "cookie"];
var withList = ["inc", "ninc"];
var withoutValue = ["ex", "nex"];
var condition = () => telling2(
  strictObject({
    type: openEnum(types4.split(" ")).describe("The part of the request to compare."),
    op: openEnum("re eq neq ex nex inc ninc pre suf sub gt gte lt lte list".split(" ")).describe(
      "The comparison: `eq` equal, `inc` one of a list, `pre`/`suf`/`sub` prefix, suffix or substring, `re` a pattern, `ex` exists."
    ),
    neg: boolean().optional().describe("Whether to negate the condition."),
    key: string().optional().describe("The name of the header, query parameter or cookie."),
    // An empty text is something to compare with.
    value: emptyCounts(union([string(), number(), array(string())])).optional().describe("The value to compare with; a list for `inc` and `ninc`, none for `ex` and `nex`.")
  }).superRefine(({ type: type3, op, key, value: value4 }, { addIssue }) => {
    const say = (member, message) => addIssue({ code: "custom", path: [member], message });
    if (withKey.includes(type3) && !key)
      say("key", `a condition on ${type3} needs a \`key\`: the name of the ${type3}`);
    if (withoutValue.includes(op)) {
      if (value4 !== void 0 && value4 !== "") say("value", `\`${op}\` takes no value`);
    } else if (value4 === void 0) say("value", `\`${op}\` needs a \`value\``);
    else if (withList.includes(op) !== Array.isArray(value4) && op !== "list")
      say(
        "value",
        Array.isArray(value4) ? `\`${op}\` compares with one value` : `\`${op}\` compares with a list`
      );
  })
);

// providers/hosting/kinds/security/protection.ts
var force = { rate_limit: 1, challenge: 2, deny: 3 };
var gradeOf = (actionOf2) => ({ action: action2, before, after }) => {
  if (!before || !(after || action2 === "delete")) return void 0;
  const forceOf = (fields) => force[String(actionOf2(fields))] ?? 0;
  const left = after ? forceOf({ ...before.fields, ...after.fields }) : 0;
  if (left < forceOf(before.fields))
    return { grade: "disruptive", reason: "weaker protection: fewer requests are blocked" };
  return action2 === "delete" ? { grade: "safe", reason: "it blocked nothing" } : void 0;
};

// providers/hosting/kinds/security/firewall-rule-form.ts
function normalized(rule) {
  const groups = rule.conditionGroup?.map((group) => ({
    ...group,
    ...group.conditions ? { conditions: group.conditions.map(withoutIdleValue) } : {}
  }));
  return { ...rule, ...groups ? { conditionGroup: groups } : {} };
}
var withoutIdleValue = ({ value: value4, ...condition2 }) => value4 === void 0 || withoutValue.includes(String(condition2.op)) ? condition2 : { ...condition2, value: value4 };
function written3(rule) {
  const groups = rule.conditionGroup;
  const conditionGroup = groups.map(({ conditions }) => ({
    conditions: conditions.map(
      (one) => withoutValue.includes(String(one.op)) ? { ...one, value: "" } : one
    )
  }));
  return { ...rule, conditionGroup };
}
var actionOf = ({ action: action2 }) => action2.mitigate?.action;
var decides = (rule) => rule.active && ![void 0, "log"].includes(actionOf(rule)) ? { conditionGroup: rule.conditionGroup, action: rule.action } : null;
var grade2 = gradeOf((rule) => rule.active && actionOf(rule));

// providers/hosting/kinds/security/firewall-document.ts
var endpoint2 = "PUT /v1/security/firewall/config?projectId={project}";
var firewallDocument = {
  doc: "The firewall of a project created in the same plan is written in one request.",
  endpoint: endpoint2,
  write(steps) {
    const of = (kind2) => steps.get(kind2) ?? [];
    const [rules2, ips, rulesets2] = [of("firewallRule"), of("firewallIp"), of("managedRuleset")];
    const body = {
      firewallEnabled: false,
      ...of("firewall")[0]?.whole,
      ...some("managedRules", byId(rulesets2, "id", { active: false })),
      ...some("crs", byId(of("coreRuleset"), "code", { active: false, action: "log" })),
      ...some(
        "rules",
        rules2.map(({ whole }) => written3(whole))
      ),
      ...some(
        "ips",
        ips.map(({ whole }) => whole)
      )
    };
    return {
      changes: [...steps.values()].flat().map(({ address }) => address),
      requests: [
        { ...request(config), expects: neverWritten },
        {
          ...request(endpoint2, body),
          returns: [
            ...rules2.map(({ address, whole: { name: name2 } }) => made2(address, "rules", { name: name2 })),
            ...ips.map(({ address, whole: { hostname, ip } }) => made2(address, "ips", { hostname, ip }))
          ]
        },
        ...rulesets2.flatMap(groupsOf)
      ]
    };
  }
};
var neverWritten = [
  { path: ["versions"], value: [] },
  { path: ["active", "version"], value: 0, orAbsent: true }
];
var made2 = (address, list, members) => ({
  address,
  path: ["active", list, members, "id"]
});
var some = (name2, value4) => Object.keys(value4).length > 0 ? { [name2]: value4 } : {};
var byId = (steps, id, usual3) => Object.fromEntries(
  steps.map(({ whole: { [id]: name2, groups: _, ...rest } }) => [String(name2), { ...usual3, ...rest }])
);
var groupsOf = ({ whole: { id, groups } }) => groups === void 0 ? [] : [envelopeRequest("managedRuleGroup.update", String(id), groups)];

// providers/hosting/kinds/security/core-ruleset.ts
var codes = ["sd", "ma", "lfi", "rfi", "rce", "php", "gen", "xss", "sqli", "sf", "java"];
var usual2 = { active: false, action: "log" };
var coreRuleset = defineKind({
  name: "coreRuleset",
  doc: "A category of the OWASP core rule set, in force while the managed ruleset `owasp` is active.",
  example: `
projects:
  web:
    firewall:
      managedRules: { owasp: { active: true } }
      crs:
        sqli: { active: true, action: deny }
        xss: { active: true, action: log }
`,
  section: "crs",
  parent: "firewall",
  lifecycle: { lane },
  key: ["code"],
  id: "code",
  usual: usual2,
  fields: () => ({
    code: _enum(codes).describe("The category, such as `sqli` for SQL injection."),
    active: safeguard(boolean()).optional().describe("Whether it is in force."),
    action: safeguard(readMayLack(openEnum(["deny", "log"]))).optional().describe("The action on matching requests; if omitted it keeps its value, initially `log`.")
  }),
  rules: {
    grade: gradeOf(({ active: active2, action: action2 }) => active2 && action2),
    // What one that is off would do may not be kept: then what was applied counts.
    align({ desired: { fields: desired }, live: found2 }) {
      const { action: action2, ...rest } = found2?.fields ?? {};
      const isOff2 = !rest.active && !desired.active;
      return { desired, ...isOff2 && action2 !== desired.action ? { live: rest } : {} };
    }
  },
  shape: document(
    firewallDocument,
    batch(
      (steps, context) => steps.length > 1 && leavesAllOff(steps, context) ? [
        {
          changes: steps.map(({ address }) => address),
          requests: [envelopeRequest("crs.disable", null, null)]
        }
      ] : steps.map(({ address, whole }) => {
        const { code, ...value4 } = { ...usual2, ...whole };
        return { changes: [address], requests: [envelopeRequest("crs.update", String(code), value4)] };
      })
    )
  ),
  read: { ...watched, endpoint: config, items: (answer) => categories(active(answer)) },
  update: changes
});
var categories = ({ crs = {} }) => codes.map((code) => ({ code, ...usual2, ...crs[code] }));
var leavesAllOff = (steps, { live }) => {
  const changed2 = new Set(steps.map(({ address }) => address));
  return steps.every(({ whole }) => whole.active === false) && live.every(({ address, fields }) => changed2.has(address) || !fields.active);
};

// providers/hosting/kinds/security/firewall.ts
var setting = (action2, field) => envelope(action2, ({ body }) => ({ id: null, value: body[field] }));
var enabled = setting("firewallEnabled", "firewallEnabled");
var firewall = defineKind({
  name: "firewall",
  doc: "The firewall of a project: whether it is on, BotID, and logging.",
  example: { firewallEnabled: true, botIdEnabled: true, logHeaders: ["user-agent"] },
  section: "firewall",
  parent: "project",
  lifecycle: { lane },
  key: [],
  shape: document(firewallDocument),
  usual: { botIdEnabled: false },
  undeclared: ["rulesets"],
  fields: () => ({
    firewallEnabled: boolean().optional().describe("Whether the firewall is on; rules without it do nothing."),
    botIdEnabled: boolean().optional().describe("Whether BotID is used to detect bots."),
    logHeaders: withTraits(union([literal("*"), array(string())]), { unordered: true }).nullable().optional().describe("The names of request headers to log, or `*` for all.")
  }),
  rules: {
    grade: ({ fields }) => fields.some(({ path: path2, after }) => path2 === "firewallEnabled" && after === false) ? {
      grade: "disruptive",
      reason: "weaker protection: nothing is blocked while the firewall is off"
    } : void 0
  },
  read: { ...watched, endpoint: config, item: active },
  decode: (object2) => ({ firewallEnabled: false, botIdEnabled: false, ...object2 }),
  // Switching on comes last and switching off first, so that no half-made list of rules is ever in force.
  update: [
    { ...setting("botId.toggle", "botIdEnabled"), when: ({ body }) => "botIdEnabled" in body },
    { ...setting("logHeaders.update", "logHeaders"), when: ({ body }) => "logHeaders" in body },
    { ...enabled, when: ({ body }) => body.firewallEnabled === true, phase: "last" },
    { ...enabled, when: ({ body }) => body.firewallEnabled === false, phase: "first" }
  ]
});

// providers/hosting/kinds/security/ip-range.ts
var ipRange = () => union([ipv4(), ipv6(), cidrv4(), cidrv6()], "an IP address, or a range like 192.0.2.0/24").refine(
  (text7) => !(Number(text7.split("/")[1]) < (text7.includes(":") ? 48 : 16)),
  "a range cannot be wider than /16, or /48 with IPv6"
);

// providers/hosting/kinds/security/firewall-bypass.ts
var all = "*";
var everywhere = [void 0, null, "", all, "0.0.0.0/0", "::/0"];
var meant = ({ domain: domain2, sourceIp }) => ({
  ...domain2 === all ? { projectScope: true } : { domain: domain2 },
  ...sourceIp === all ? { allSources: true } : { sourceIp }
});
var firewallBypass = defineKind({
  name: "firewallBypass",
  doc: "Lets requests through that the platform would block as an attack, until the block is removed: an end in time cannot be declared.",
  section: "firewallBypasses",
  parent: "project",
  key: ["domain", "sourceIp"],
  id: "Id",
  lifecycle: { after: ["projectDomain"], replace: "free" },
  undeclared: ["ExpiresAt"],
  fields: () => ({
    domain: string().min(1).toLowerCase().describe("A production domain of the project; `*` for the whole project."),
    sourceIp: string().toLowerCase().pipe(union([literal(all), ipRange()])).describe("The source address or range, no wider than /16; `*` for anywhere."),
    note: string().max(500).optional().describe("A note about the entry.")
  }),
  example: `projects:
  web:
    firewallBypasses:
      - { domain: '*', sourceIp: 192.0.2.7, note: the load test }
      - { domain: www.example.com, sourceIp: 198.51.100.0/24 }`,
  rules: {
    align: (unit) => ({ desired: unit.desired.fields, problems: expiring(unit) }),
    grade: ({ action: action2 }) => action2 === "create" ? { grade: "disruptive", reason: "the platform's protection lets more requests through" } : void 0
  },
  read: {
    endpoint: "GET /v1/security/firewall/bypass?projectId={project}",
    items: "result",
    gone: "DeletedAt",
    facts: ["ExpiresAt"]
  },
  decode: ({ Action, IsProjectRule, Domain, Ip, Note }) => Action === "block" ? void 0 : {
    domain: IsProjectRule === true ? all : String(Domain).toLowerCase(),
    sourceIp: everywhere.includes(Ip) ? all : String(Ip).toLowerCase(),
    note: Note
  },
  create: {
    endpoint: "POST /v1/security/firewall/bypass?projectId={project}",
    body: ({ after, body: { note: note2 } }) => ({ ...meant(after.fields), note: note2 }),
    returns: ({ address }) => [{ address, path: ["result", 0, "Id"] }]
  },
  delete: {
    endpoint: "DELETE /v1/security/firewall/bypass?projectId={project}",
    body: ({ before }) => meant(before.fields)
  }
});
function expiring({ desired: { address, at: at2 }, live }) {
  const seconds = live?.facts?.ExpiresAt;
  if (typeof seconds !== "number" || seconds === 0) return [];
  const end = new Date(seconds * 1e3).toISOString();
  return [
    warning(
      "firewall/bypass-ends",
      `${address} ends on its own at ${end}; declared, it is then created again, without an end`,
      { address, at: at2, hint: "remove the block to let it end" }
    )
  ];
}

// providers/hosting/kinds/security/firewall-ip.ts
var lower = (text7) => String(text7).toLowerCase();
var firewallIp = defineKind({
  name: "firewallIp",
  doc: "The firewall's action on an IP address or range.",
  example: `
projects:
  web:
    firewall:
      ips:
        - { hostname: www.example.com, ip: 192.0.2.0/24, action: deny, notes: an abusive crawler }
`,
  section: "ips",
  parent: "firewall",
  key: ["hostname", "ip"],
  lifecycle: { lane, replace: "free" },
  shape: document(firewallDocument),
  fields: () => ({
    hostname: string().min(1).toLowerCase().describe("The host it applies to."),
    ip: string().toLowerCase().pipe(ipRange()).describe("An IP address, or a range no wider than /16 (IPv6: /48)."),
    action: openEnum(["deny", "challenge", "log", "bypass"]).describe("The action on requests from there."),
    notes: string().nullable().optional().describe("A note about the entry.")
  }),
  rules: { grade: gradeOf(({ action: action2 }) => action2) },
  read: listed("ips"),
  decode: ({ hostname, ip, ...object2 }) => ({ ...object2, hostname: lower(hostname), ip: lower(ip) }),
  create: [
    envelope("ip.insert", ({ whole }) => ({ id: null, value: whole })),
    insertedId("ips", ({ hostname, ip }) => ({ hostname, ip }))
  ],
  update: envelope("ip.update", ({ id, whole }) => ({ id, value: whole })),
  delete: envelope("ip.remove", ({ id }) => ({ id, value: null }))
});

// providers/hosting/kinds/security/firewall-mitigate.ts
var mitigate = () => strictObject({
  action: openEnum(["log", "challenge", "deny", "bypass", "rate_limit", "redirect"]).describe(
    "The action; `log` only records the request, and later rules still apply."
  ),
  rateLimit: strictObject({
    algo: openEnum(["fixed_window", "token_bucket"]).describe("How requests are counted."),
    window: number().min(10).max(3600).describe("The window, 10 to 3600 seconds."),
    limit: number().min(1).max(1e7).describe("How many requests are allowed per window."),
    keys: array(string()).describe("What identifies a client, such as `ip`."),
    action: openEnum(["log", "challenge", "deny", "rate_limit"]).nullable().optional().describe("The action on requests above the limit.")
  }).nullable().optional().describe("For the action `rate_limit`: the limit."),
  redirect: strictObject({
    location: string().describe("The path or URL to redirect to."),
    permanent: boolean().describe("Whether the redirect is permanent.")
  }).nullable().optional().describe("For the action `redirect`: the target."),
  actionDuration: string().nullable().optional().describe("How long the action lasts for a matching client, such as `5m` or `1h`."),
  bypassSystem: boolean().nullable().optional().describe("For the action `bypass`: whether to bypass the system's own protection too."),
  logHeaders: union([literal("*"), array(string())]).optional().describe("The names of request headers to log, or `*` for all.")
}).describe("The action on matching requests.").superRefine(({ action: action2, rateLimit, redirect }, { addIssue }) => {
  const needs = (member) => addIssue({ code: "custom", path: [member], message: `the action \`${action2}\` needs \`${member}\`` });
  if (action2 === "rate_limit" && !rateLimit) needs("rateLimit");
  if (action2 === "redirect" && !redirect) needs("redirect");
});

// providers/hosting/kinds/security/firewall-rule.ts
var firewallRule = defineKind({
  name: "firewallRule",
  doc: "A custom firewall rule; the first active match wins, so the order matters.",
  example: `
projects:
  web:
    firewall:
      rules:
        - { name: let-health-checks-through, active: true, action: { mitigate: { action: bypass } },
            conditionGroup: [{ conditions: [{ type: path, op: eq, value: /health }] }] }
        - { name: block-admin, active: true, action: { mitigate: { action: deny } },
            conditionGroup: [{ conditions: [{ type: path, op: pre, value: /admin }] }] }
`,
  section: "rules",
  parent: "firewall",
  key: ["name"],
  shape: document(firewallDocument, ordered(decides)),
  lifecycle: { lane, replace: "free" },
  form: 2,
  fields: () => ({
    name: string().min(1).max(160).describe("The name of the rule, unique in the firewall."),
    description: string().max(256).nullable().optional().describe("What the rule is for."),
    active: boolean().describe("Whether the rule is in force."),
    conditionGroup: atomic(
      array(
        strictObject({
          conditions: array(condition()).min(1).describe("Conditions that must all be true.")
        })
      ).min(1)
    ).describe("Groups of conditions: a request matches if all conditions of any group are true."),
    action: atomic(strictObject({ mitigate: mitigate() })).describe("The action on matching requests.")
  }),
  rules: { normal: normalized, grade: grade2 },
  read: listed("rules"),
  decode: normalized,
  create: [
    envelope("rules.insert", ({ whole }) => ({ id: null, value: written3(whole) })),
    insertedId("rules", ({ name: name2 }) => ({ name: name2 }))
  ],
  update: envelope("rules.update", ({ id, whole }) => ({ id, value: written3(whole) })),
  delete: envelope("rules.remove", ({ id }) => ({ id, value: null })),
  move: envelope("rules.priority", ({ id, to }) => ({ id, value: to }))
});

// providers/hosting/kinds/security/managed-ruleset.ts
var ids = ["ai_bots", "bot_protection", "owasp", "traffic_sources", "vercel_ruleset"];
var action = () => openEnum(["log", "challenge", "deny"]);
var managedRuleset = defineKind({
  name: "managedRuleset",
  doc: "A ruleset maintained by the platform: whether it is active, its action, and exceptions for its groups.",
  example: { owasp: { active: true, action: "deny" }, ai_bots: { active: true, action: "log" } },
  section: "managedRules",
  parent: "firewall",
  lifecycle: { lane },
  key: ["id"],
  shape: document(firewallDocument),
  fields: () => ({
    id: openEnum(ids).describe("The ruleset."),
    active: boolean().optional().describe("Whether it is in force."),
    action: action().nullable().optional().describe("The action on matching requests."),
    // How groups are read back is not documented.
    groups: readMayLack(
      record(
        string(),
        strictObject({
          active: boolean().describe("Whether the group is in force."),
          action: action().optional().describe("The action on matching requests.")
        })
      )
    ).optional().describe("Exceptions for groups of rules, by the name of the group.")
  }),
  rules: { grade: gradeOf(({ active: active2, action: action2 }) => active2 && (action2 ?? "deny")) },
  read: { ...watched, endpoint: config, items: (answer) => rulesets(active(answer)) },
  decode: ({ rules: rules2, ...object2 }) => ({ ...object2, groups: rules2 }),
  update: [
    {
      ...envelope("managedRules.update", ({ whole: { id, groups: _, ...rest } }) => ({
        id: String(id),
        value: { active: false, ...rest }
      })),
      when: ({ body }) => "active" in body || "action" in body
    },
    {
      ...envelope("managedRuleGroup.update", ({ whole: { id, groups } }) => ({
        id: String(id),
        value: groups
      })),
      when: ({ body }) => "groups" in body
    }
  ]
});
var rulesets = ({ managedRules = {} }) => {
  const { bot_filter, ...found2 } = managedRules;
  const all2 = {
    ...Object.fromEntries(ids.map((id) => [id, { active: false }])),
    ...bot_filter ? { bot_protection: bot_filter } : {},
    ...found2
  };
  return Object.entries(all2).map(([id, ruleset]) => ({ id, ...ruleset }));
};

// providers/hosting/kinds/storage/stores-in.ts
var storesIn = (answer, type3) => {
  const { stores } = answer;
  if (!Array.isArray(stores) || !stores.every(isPlainObject))
    throw new Error("the answer has no list of stores");
  return stores.filter((one) => one.type === type3);
};

// providers/hosting/kinds/storage/blob-store.ts
var blobStore = defineKind({
  name: "blobStore",
  doc: "A file store. Deleting it deletes its files.",
  section: "blobStores",
  key: ["name"],
  lifecycle: { replace: "never", container: true, asks: { cost: "create" } },
  undeclared: ["projectId"],
  usual: { access: "public" },
  fields: () => ({
    name: immutable(string().min(1).max(100)).describe("Its display name."),
    region: immutable(openEnum(["iad1", "fra1", "cdg1", "lhr1", "sfo1", "hnd1", "sin1", "syd1", "gru1"])).optional().describe("Where the files are."),
    access: immutable(_enum(["public", "private"])).optional().describe("Who may read files by URL: everyone, or only token holders.")
  }),
  example: { uploads: { region: "fra1", access: "private" } },
  read: { endpoint: "GET /v1/storage/stores", items: (answer) => storesIn(answer, "blob") },
  create: {
    endpoint: "POST /storage/stores/blob",
    returns: ({ address }) => [{ address, path: ["store", "id"] }]
  },
  delete: "DELETE /storage/stores/blob/{id}"
});

// providers/hosting/kinds/storage/integration-connection.ts
var projectsOf2 = ({ store }) => store?.projectsMetadata ?? [];
var integrationConnection = defineKind({
  name: "integrationConnection",
  doc: "Connects a project to a resource of an integration, which gives it variables.",
  section: "connections",
  parent: "integrationStore",
  key: ["projectId"],
  id: "projectId",
  lifecycle: { replace: "never" },
  usual: { makeEnvVarsSensitive: false },
  fields: () => ({
    projectId: immutable(refTo("project")).describe("The project."),
    envVarEnvironments: immutable(setOf(string())).optional().describe("The environments that get the variables; all by default."),
    makeEnvVarsSensitive: immutable(boolean()).optional().describe("Whether the variables are unreadable (sensitive).")
  }),
  example: `projects:
  web: {}
installations:
  icfg_cuwj0AdCdH3BwWT4LPijCC7t:
    stores:
      orders:
        integrationProductIdOrSlug: postgres
        connections:
          web: { envVarEnvironments: [production, preview] }`,
  read: { endpoint: "GET /storage/stores/{integrationStore}", items: projectsOf2 },
  decode: ({ projectId: projectId2, environments: environments2, makeEnvVarsSensitive }, { to }) => ({
    projectId: to("project", String(projectId2)),
    envVarEnvironments: environments2,
    makeEnvVarsSensitive: makeEnvVarsSensitive === true
  }),
  create: "POST /v1/integrations/installations/{marketplaceInstallation}/resources/{integrationStore}/connections"
});

// providers/hosting/kinds/storage/integration-store.ts
var integrationStore = defineKind({
  name: "integrationStore",
  doc: "A resource of an installed integration, such as a database.",
  section: "stores",
  parent: "marketplaceInstallation",
  key: ["name"],
  lifecycle: { replace: "never", container: true, asks: { cost: "create" } },
  fields: () => ({
    name: immutable(string().min(1)).describe("Its display name."),
    integrationProductIdOrSlug: immutable(writeOnly(string())).describe("Its product."),
    metadata: immutable(writeOnly(atomic(record(string(), any())))).optional().describe("The fields of the product\u2019s form."),
    externalId: immutable(writeOnly(string())).optional().describe("Its id at the partner, if it already exists."),
    protocolSettings: immutable(writeOnly(atomic(record(string(), any())))).optional().describe("Settings of the product's protocols."),
    billingPlanId: immutable(writeOnly(string())).optional().describe("The plan; a free one by default."),
    paymentMethodId: immutable(writeOnly(string())).optional().describe("The payment method."),
    prepaymentAmountCents: immutable(writeOnly(number().int().min(1))).optional().describe("The prepayment in cents, if the plan requires one.")
  }),
  example: { orders: { integrationProductIdOrSlug: "postgres", metadata: { region: "fra1" } } },
  read: {
    endpoint: "GET /v1/storage/stores",
    items: (answer, { marketplaceInstallation: marketplaceInstallation2 }) => storesIn(answer, "integration").filter(
      ({ product }) => product?.integrationConfigurationId === marketplaceInstallation2
    )
  },
  decode: ({ name: name2 }) => ({ name: name2 }),
  create: {
    endpoint: "POST /v1/storage/stores/integration/direct",
    body: ({ body, parent }) => ({ integrationConfigurationId: parent, ...body }),
    returns: ({ address }) => [{ address, path: ["store", "id"] }]
  }
});

// providers/hosting/kinds/team/access-group.ts
var accessGroup = defineKind({
  name: "accessGroup",
  doc: "Team members with the same access to projects. A group's roles in the team itself (`teamRoles`, `teamPermissions`) cannot be set by API.",
  section: "accessGroups",
  key: ["name"],
  id: "accessGroupId",
  lifecycle: { replace: "never", container: true, asks: { "remove-access": "delete" } },
  fields: () => ({
    name: string().regex(/^[\w -]{1,50}$/, "a name can have up to 50 letters, digits, spaces, underscores and hyphens").describe("Its name, unique in the team.")
  }),
  example: { Frontend: {} },
  read: {
    endpoint: "GET /v1/access-groups",
    items: "accessGroups",
    facts: ["isDsyncManaged"],
    one: { endpoint: "GET /v1/access-groups/{id}" }
  },
  create: "POST /v1/access-groups",
  update: { endpoint: "POST /v1/access-groups/{id}", sends: "changed" },
  delete: "DELETE /v1/access-groups/{id}"
});

// providers/hosting/kinds/team/access-group-member-writes.ts
var memberWrites = (steps, context) => [
  ofDirectory(steps, context) ?? writes5(steps)
];
function ofDirectory(steps, { facts, parent }) {
  if (!facts.isDsyncManaged) return void 0;
  const [at2] = steps.flatMap(({ after }) => after?.at ?? []);
  return {
    changes: steps.map(({ address }) => address),
    requests: [],
    problem: problem("member/directory", `the team's directory manages the members of ${parent}`, {
      address: parent,
      ...at2 ? { at: at2 } : {},
      hint: "change its members in the directory; here remove them, and stop managing applied ones with `$forget: true`"
    })
  };
}
function writes5(steps) {
  const of = (...actions) => steps.filter(({ action: action2 }) => actions.includes(action2));
  const added = of("create", "replace").map(({ address, after }) => ({ address, id: uidOf(after) }));
  const removed = of("delete", "replace").map(({ address, before }) => ({ address, id: uidOf(before) }));
  const uids = (some2) => some2.map(({ id }) => id);
  return {
    changes: steps.map(({ address }) => address),
    requests: [
      {
        ...request("POST /v1/access-groups/{accessGroup}", {
          ...added.length > 0 ? { membersToAdd: uids(added) } : {},
          ...removed.length > 0 ? { membersToRemove: uids(removed) } : {}
        }),
        // Whoever has just joined the team is not known everywhere at once.
        late: ["member_not_found"],
        returns: added,
        drops: removed
      }
    ]
  };
}
var uidOf = ({ fields }) => String(fields.uid);

// providers/hosting/kinds/team/access-group-member.ts
var accessGroupMember = defineKind({
  name: "accessGroupMember",
  doc: "A member of an access group, who must already be in the team.",
  section: "members",
  parent: "accessGroup",
  key: ["uid"],
  id: "uid",
  lifecycle: { replace: "free", asks: { "remove-access": "delete" } },
  fields: () => ({ uid: string().min(1).describe("The user's id, as in the list of team members.") }),
  example: { "8k2Xb4uWq1Yt5cZe7nVr3oPd": {} },
  shape: batch(memberWrites),
  read: { endpoint: "GET /v1/access-groups/{accessGroup}/members", items: "members" },
  create: "POST /v1/access-groups/{accessGroup}",
  delete: "POST /v1/access-groups/{accessGroup}"
});

// providers/hosting/kinds/team/access-group-project.ts
var accessGroupProject = defineKind({
  name: "accessGroupProject",
  doc: "What the members of an access group may do in a project.",
  section: "projects",
  parent: "accessGroup",
  key: ["projectId"],
  id: "projectId",
  lifecycle: { replace: "free", asks: { "remove-access": "delete" } },
  fields: () => ({
    projectId: immutable(refTo("project")).describe("The project."),
    role: openEnum(["ADMIN", "PROJECT_VIEWER", "PROJECT_DEVELOPER"]).refine((role) => role !== "PROJECT_GUEST", "only the platform can assign `PROJECT_GUEST`").describe("What they may do in it.")
  }),
  example: `projects: { web: {} }
accessGroups:
  Frontend:
    projects: { web: { role: PROJECT_DEVELOPER } }`,
  read: { endpoint: "GET /v1/access-groups/{accessGroup}/projects", items: "projects" },
  create: "POST /v1/access-groups/{accessGroup}/projects",
  update: "PATCH /v1/access-groups/{accessGroup}/projects/{id}",
  delete: "DELETE /v1/access-groups/{accessGroup}/projects/{id}"
});

// providers/hosting/kinds/team/auth-token.ts
var authToken = defineKind({
  name: "authToken",
  doc: "An API token for this account, owned by the user of the current token; its value is shown only once, at creation.",
  section: "authTokens",
  key: ["name"],
  fields: () => ({
    name: string().min(1).describe("Its display name. The platform allows duplicates."),
    expiresAt: immutable(moment()).optional().describe(
      "When it expires: a time like `2027-01-31T18:00:00Z`, or milliseconds since 1970; never if omitted."
    ),
    projectId: immutable(writeOnly(refTo("project"))).optional().describe("The only project it is valid for. The platform does not return this.")
  }),
  example: `authTokens:
  deploys:
    expiresAt: 2027-01-31T18:00:00Z
    $secretTo: { file: .secrets/deploys-token }`,
  read: {
    endpoint: "GET /v6/user/tokens",
    items: { list: "tokens", isOfAccount: isOnlyFor },
    gone: "revokedAt"
  },
  // Of the list only what somebody made by hand is a matter for a configuration: a session of a browser is not.
  decode: (token) => isMade(token) ? token : void 0,
  create: {
    endpoint: "POST /v3/user/tokens",
    returns: ({ address }) => [{ address, path: ["token", "id"] }]
  },
  delete: "DELETE /v3/user/tokens/{id}",
  shows: "bearerToken"
});
function isOnlyFor({ scopes }, { teamId }) {
  if (!Array.isArray(scopes) || scopes.length === 0) return false;
  const isThis = (scope) => teamId === void 0 ? scope.type === "user" : scope.type === "team" && scope.teamId === teamId;
  return scopes.every(isThis);
}
var isMade = ({ origin }) => !origin || origin === "manual";

// providers/hosting/kinds/team/team-roles.ts
var ranks = {
  VIEWER: 0,
  VIEWER_FOR_PLUS: 1,
  CONTRIBUTOR: 2,
  DEVELOPER: 3,
  MEMBER: 4,
  OWNER: 5,
  SECURITY: void 0,
  BILLING: void 0
};
var teamRoles = Object.keys(ranks);
function isLowered(before, after) {
  if (before === after || after === "OWNER") return false;
  const [from, to] = [ranks[String(before)], ranks[String(after)]];
  return from === void 0 || to === void 0 || to < from;
}
var projectRoles = ["ADMIN", "PROJECT_DEVELOPER", "PROJECT_VIEWER"];
function isLoweredInProject(before, after) {
  if (before === void 0 || before === after) return false;
  const [from, to] = [projectRoles.indexOf(String(before)), projectRoles.indexOf(String(after))];
  return to < 0 || from < 0 || to > from;
}
var free = ["VIEWER", "VIEWER_FOR_PLUS", "CONTRIBUTOR", "BILLING"];
var isSeat = (role) => !free.includes(String(role));

// providers/hosting/kinds/team/directory-role.ts
function roleWrites(steps, { live }) {
  const roles2 = new Map(live.map(({ fields }) => [String(fields.group), fields.role]));
  for (const { action: action2, before, after } of steps) {
    if (action2 === "delete") roles2.delete(String(before.fields.group));
    else roles2.set(String(after.fields.group), after.fields.role);
  }
  const made3 = steps.filter(({ action: action2 }) => action2 === "create" || action2 === "replace");
  const gone = steps.filter(({ action: action2 }) => action2 === "delete");
  return [
    {
      changes: steps.map(({ address }) => address),
      requests: [
        {
          ...request("POST /v1/teams/{teamId}/dsync-roles", { roles: Object.fromEntries(roles2) }),
          returns: made3.map(({ address, after }) => ({ address, id: after.fields.group })),
          drops: gone.flatMap(({ address, before }) => before.ids.map((id) => ({ address, id })))
        }
      ]
    }
  ];
}
function takesAway({ action: action2, fields, before, after }) {
  if (action2 === "delete") return true;
  if (action2 === "create" || !fields.some(asksForWrite)) return false;
  return isLowered(before?.fields.role, after?.fields.role);
}
var directoryRole = defineKind({
  name: "directoryRole",
  doc: "Maps a group of the company's directory to a team role or access group.",
  section: "directoryRoles",
  key: ["group"],
  id: "group",
  lifecycle: {
    replace: "free",
    // The team's own settings are written with the roles as they were found.
    after: ["team"],
    asks: { "remove-access": takesAway }
  },
  fields: () => ({
    group: string().min(1).describe("The id of the group in the directory."),
    role: atomic(
      union([openEnum(teamRoles), strictObject({ accessGroupId: string().min(1) })])
    ).describe("The role of its members, or the id of their access group.")
  }),
  example: `directoryRoles:
  directory_group_01H: { role: DEVELOPER }
  directory_group_02H: { role: { accessGroupId: ag_1a9GFrontend } }`,
  rules: {
    grade: (change2) => takesAway(change2) ? { grade: "destructive", reason: "members of the group may lose access" } : void 0
  },
  shape: batch(roleWrites),
  read: {
    endpoint: "GET /v2/teams/{teamId}",
    items: ({ saml }) => Object.entries(saml?.roles ?? {}).map(
      ([group, role]) => ({ group, role })
    )
  },
  create: "POST /v1/teams/{teamId}/dsync-roles",
  update: "POST /v1/teams/{teamId}/dsync-roles",
  delete: "POST /v1/teams/{teamId}/dsync-roles"
});

// providers/hosting/kinds/team/team-defaults.ts
var days = {
  ...{ "1d": 1, "1w": 7, "2w": 14, "1m": 30, "2m": 60, "3m": 90, "6m": 180 },
  ...{ "1y": 365, "2y": 730, "3y": 1095, unlimited: 36500 }
};
var words2 = Object.keys(days);
var shorter = words2.filter((word) => word !== "2y" && word !== "3y");
var wordOf2 = (count) => words2.find((word) => days[word] === count);
var readAs = {
  expiration: "expirationDays",
  expirationProduction: "expirationDaysProduction",
  expirationCanceled: "expirationDaysCanceled",
  expirationErrored: "expirationDaysErrored"
};
var expirationOf = ({ defaultExpirationSettings: found2 }) => {
  if (typeof found2 !== "object" || found2 === null) return {};
  const settings2 = Object.entries(readAs).flatMap(([name2, member]) => {
    const word = wordOf2(found2[member]);
    return word === void 0 ? [] : [[name2, word]];
  });
  return { defaultExpirationSettings: Object.fromEntries(settings2) };
};
var environment = union([
  strictObject({ type: literal("system"), target: openEnum(["production", "preview"]) }),
  strictObject({ type: literal("custom"), environmentId: string().min(1) })
]);
var repositories = union([
  strictObject({
    provider: openEnum(["github", "bitbucket"]),
    org: string().min(1),
    repo: string().min(1).optional()
  }),
  strictObject({
    provider: literal("gitlab"),
    namespace: string().min(1),
    project: string().min(1).optional()
  })
]);
var origins = openEnum(["git", "cli", "rest-api", "deploy-hook", "integration", "v0"]);
var rules = (source2) => setOf(strictObject({ enabled: boolean(), environments: setOf(environment), sources: setOf(source2) }));
var job = () => strictObject({
  targets: setOf(string().min(1)).describe("Where it must pass: `production`, `preview`.")
});
var teamDefaults = () => ({
  defaultPassport: strictObject({
    connectorId: string().min(1).describe("The connector that visitors sign in with, by its id."),
    deploymentType: openEnum(protectedDeployments).optional().describe("The deployments that require it.")
  }).nullable().optional().describe("The sign-in required by deployments of new projects; null for none."),
  defaultDeploymentProtection: safeguard(
    strictObject({
      ssoProtection: ssoProtection().nullable().optional().describe("Access for members of the team only; null disables it."),
      passwordProtection: passwordProtection().nullable().optional().describe("Access with a password only; null disables it.")
    })
  ).optional().describe("Who may see the deployments of new projects."),
  defaultProjectJobs: strictObject({
    lint: job().optional().describe("The linter."),
    typecheck: job().optional().describe("The check of types.")
  }).optional().describe("The code checks of new projects."),
  defaultExpirationSettings: strictObject({
    expiration: openEnum(words2).optional().describe("Deployments that are not in production."),
    expirationProduction: openEnum(words2).optional().describe("Deployments of production."),
    expirationCanceled: openEnum(shorter).optional().describe("Deployments that were canceled."),
    expirationErrored: openEnum(shorter).optional().describe("Deployments that failed.")
  }).optional().describe("How long new projects keep deployments: `1w`, `3m`, `1y`, `unlimited`."),
  deploymentPolicy: safeguard(
    strictObject({
      gitSources: rules(repositories).optional().describe("The repositories that may be deployed, by environment."),
      deploymentSources: rules(origins).optional().describe("Where deployments may come from, by environment.")
    })
  ).optional().describe("What may be deployed in all projects of the team; a project can override it.")
});

// providers/hosting/kinds/team/team.ts
var off2 = {
  requireVerifiedCommits: false,
  disableRepositoryDispatchEvents: false,
  hideIpAddresses: false,
  hideIpAddressesInLogDrains: false
};
var feedback = openEnum(["on", "off", "default", "on-force", "off-force", "default-force"]);
var policy = openEnum(["on", "off", "default"]);
var strict = strictObject({ enabled: boolean() });
var teamWrites = (steps, { facts }) => steps.map(({ action: action2, address, before, id, body }) => {
  const changes2 = [address];
  if (action2 === "update") return { changes: changes2, requests: [request("PATCH /v2/teams/{id}", body, { id })] };
  if (action2 === "delete") {
    const drops = before.ids.map((one) => ({ address, id: one }));
    if (before.id !== facts.teamId)
      return { changes: changes2, requests: [{ ...request("DELETE /v1/teams/{id}", {}, { id }), drops }] };
    const own = problem("team/own", `${address} is the team of this account, with everything in it`, {
      address,
      hint: "delete it in the dashboard, or stop managing it here with `$forget: true`"
    });
    return { changes: changes2, requests: [], problem: own };
  }
  const { slug, name: name2, ...settings2 } = body;
  const created = request("POST /v1/teams", { slug, ...name2 == null ? {} : { name: name2 } });
  const made3 = { ...created, returns: [{ address, path: ["id"] }] };
  const rest = request("PATCH /v2/teams/{id}", settings2, { id: resultOf(0, "id") });
  return { changes: changes2, requests: Object.keys(settings2).length > 0 ? [made3, rest] : [made3] };
});
function takesAway2({ action: action2, fields, after }) {
  if (action2 === "create" || action2 === "delete") return action2 === "delete";
  const isEnforced = after?.fields.saml?.enforced === true;
  return isEnforced && fields.some((field) => field.path.startsWith("saml") && asksForWrite(field));
}
var team = defineKind({
  name: "team",
  doc: "A team and its settings: the team of this account, or another one of the current token's user. A new one costs money.",
  section: "teams",
  key: ["slug"],
  form: 2,
  lifecycle: { replace: "never", container: true, asks: { cost: "create", "remove-access": takesAway2 } },
  usual: off2,
  fields: () => ({
    slug: string().regex(
      /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/,
      "a slug can have up to 48 lower-case letters, digits and hyphens"
    ).describe("Its name in URLs, unique on the platform."),
    name: string().min(1).optional().describe("Its display name."),
    description: string().optional().describe("A short description."),
    emailDomain: string().nullable().optional().describe("Anyone with a verified address of this domain may ask to join."),
    previewDeploymentSuffix: string().nullable().optional().describe("The domain suffix of deployment URLs; null for the platform's own."),
    enablePreviewFeedback: feedback.optional().describe("Whether previews can be commented on."),
    enableProductionFeedback: feedback.optional().describe("Whether production can be commented on."),
    sensitiveEnvironmentVariablePolicy: safeguard(policy).optional().describe("Whether new variables must be sensitive, which makes their values unreadable."),
    disjunctiveProductionSecretPolicy: policy.optional().describe("Whether production secrets must differ from those elsewhere."),
    remoteCaching: strict.optional().describe("Whether builds may share a remote cache."),
    hideIpAddresses: boolean().optional().describe("Whether IP addresses of visitors are hidden in the dashboard."),
    hideIpAddressesInLogDrains: boolean().optional().describe("Whether IP addresses of visitors are hidden from log drains."),
    dpAccessRequestsMode: openEnum(["all", "none", "email-domain"]).optional().describe("Who may ask for access to protected deployments."),
    requireVerifiedCommits: safeguard(boolean()).optional().describe("Whether only verified commits are deployed."),
    disableRepositoryDispatchEvents: boolean().optional().describe("Whether to disable repository-dispatch events to GitHub."),
    strictDeploymentProtectionSettings: safeguard(strict).optional().describe("Whether only owners can change the deployment protection of projects."),
    strictShareableLinks: safeguard(strict).optional().describe("Whether only owners can create links that bypass deployment protection."),
    strictPasswordProtectionSettings: safeguard(strict).optional().describe("Whether only owners can change the password protection of projects."),
    strictConnectors: safeguard(strict).optional().describe("Whether only owners can change connectors."),
    nsnbConfig: strictObject({ preference: openEnum(["auto-approval", "manual-approval", "block"]) }).optional().describe("What happens to commits of people who are not in the team."),
    saml: strictObject({ enforced: safeguard(boolean()) }).optional().describe("Whether everybody must sign in with SAML single sign-on."),
    ...teamDefaults()
  }),
  example: `$allow: [cost]
teams:
  acme:
    name: Acme
    requireVerifiedCommits: true`,
  rules: {
    grade: ({ action: action2 }) => action2 === "delete" ? { grade: "irreversible", reason: "everything in the team is deleted, and all members lose access" } : void 0
  },
  // The user's other teams are nobody's business here.
  shape: {
    ...batch(teamWrites),
    onlyDeclared: true,
    words: () => ["The team of the account itself is never deleted."]
  },
  read: { endpoint: "GET /v2/teams", items: "teams", gone: "limited" },
  decode: (answer) => ({
    ...off2,
    ...Object.fromEntries(Object.entries(answer).filter(([name2, value4]) => value4 !== null || !(name2 in off2))),
    ...expirationOf(answer)
  }),
  create: "POST /v1/teams",
  update: "PATCH /v2/teams/{id}",
  delete: "DELETE /v1/teams/{id}"
});

// providers/hosting/kinds/team/team-member-writes.ts
var invite = "POST /v2/teams/{teamId}/members";
var change = "PATCH /v1/teams/{teamId}/members/{uid}";
var remove = "DELETE /v1/teams/{teamId}/members/{uid}";
var revoke2 = "DELETE /v1/teams/{teamId}/invites/{inviteId}";
var personOf = ({ before }) => {
  const { uid, id } = before?.facts ?? {};
  return uid === void 0 ? { inviteId: id ?? null } : { uid };
};
var memberRequests = {
  create: [{ endpoint: invite }],
  update: [
    { endpoint: change, params: personOf },
    { endpoint: revoke2, params: personOf },
    { endpoint: invite }
  ],
  delete: [
    { endpoint: remove, params: personOf },
    { endpoint: revoke2, params: personOf }
  ]
};
var memberWrites2 = (steps, context) => steps.map((step) => {
  const lockedOut = lockOut(step, steps, context);
  return {
    changes: [step.address],
    requests: lockedOut ? [] : requestsOf(step),
    ...lockedOut ? { problem: lockedOut } : {}
  };
});
var memberProjects = (one) => one?.fields.projects ?? [];
function projectChanges({ before, after }) {
  const roles2 = new Map(memberProjects(after).map(({ projectId: projectId2, role }) => [projectId2, role]));
  const known = memberProjects(before);
  const gone = known.filter(({ projectId: projectId2 }) => !roles2.has(projectId2));
  const isNew = ({ projectId: projectId2, role }) => !known.some((one) => one.projectId === projectId2 && one.role === role);
  return [
    ...gone.map(({ projectId: projectId2 }) => ({ projectId: projectId2, role: null })),
    ...memberProjects(after).filter(isNew).map((one) => ({ ...one }))
  ];
}
function requestsOf(step) {
  const { action: action2, address, before, after, whole, body } = step;
  const person = personOf(step);
  const { email: email2, role, projects } = whole;
  const invited = () => ({
    ...request(invite, [
      { email: email2, role, ...Array.isArray(projects) && projects.length > 0 && { projects } }
    ]),
    returns: [{ address, id: after.fields.email }]
  });
  const gone = (endpoint3) => ({
    ...request(endpoint3, void 0, person),
    drops: before.ids.map((id) => ({ address, id }))
  });
  if (action2 === "create") return [invited()];
  if (action2 === "delete") return [gone(person.uid === void 0 ? revoke2 : remove)];
  if (person.uid === void 0) return [gone(revoke2), invited()];
  return [request(change, { role, ..."projects" in body && { projects: projectChanges(step) } }, person)];
}
var isOwner = ({ fields, facts }) => fields.role === "OWNER" && facts?.uid !== void 0 && facts.confirmed !== false;
var isLoss = ({ action: action2, before, after }) => action2 === "delete" || action2 === "update" && isLowered(before?.fields.role, after?.fields.role);
function lockOut(step, steps, { live, facts }) {
  const { address, before, after } = step;
  if (!before || !isLoss(step)) return void 0;
  const place = { address, ...after ? { at: after.at } : {} };
  const { uid } = facts.membership ?? {};
  if (uid !== void 0 && before.facts?.uid === uid)
    return problem("member/yourself", `${address} is the user of the current token, who would lose access`, {
      ...place,
      hint: "somebody else must do this with their own token; keep it here, or stop managing it with `$forget: true`"
    });
  const losing2 = new Set(steps.filter(isLoss).map((one) => one.address));
  if (isOwner(before) && !live.some((one) => isOwner(one) && !losing2.has(one.address)))
    return problem("member/last-owner", `${address} is the last owner`, {
      ...place,
      hint: "make somebody else an `OWNER` first, in an earlier apply"
    });
  return void 0;
}

// providers/hosting/kinds/team/team-member.ts
var isRoleWritten = ({ fields }) => fields.some((field) => field.path === "role" && asksForWrite(field));
var rolesOf = ({ before, after }) => [before?.fields.role, after?.fields.role];
function losesProjects({ before, after, fields }) {
  if (!fields.some((field) => field.path === "projects" && asksForWrite(field))) return false;
  const now = new Map(memberProjects(after).map(({ projectId: projectId2, role }) => [projectId2, role]));
  return memberProjects(before).some(({ projectId: projectId2, role }) => isLoweredInProject(role, now.get(projectId2)));
}
function takesAway3(change2) {
  if (change2.action === "create" || change2.action === "delete") return change2.action === "delete";
  return losesProjects(change2) || isRoleWritten(change2) && isLowered(...rolesOf(change2));
}
function takesSeat(change2) {
  const [old, now] = rolesOf(change2);
  if (change2.action === "create") return isSeat(now);
  return change2.action !== "delete" && isRoleWritten(change2) && isSeat(now) && !isSeat(old);
}
function projectsOf3({ projects }) {
  const listed2 = Array.isArray(projects) ? projects.map(({ id, role }) => [id, role]) : Object.entries(projects ?? {});
  return listed2.filter(([, role]) => projectRoles.includes(String(role))).map(([projectId2, role]) => ({ projectId: String(projectId2), role: String(role) }));
}
var teamMember = defineKind({
  name: "teamMember",
  doc: "A member of the team. New members get an invitation by e-mail and join once they accept it.",
  section: "members",
  key: ["email"],
  id: "email",
  lifecycle: { replace: "free", asks: { cost: takesSeat, "remove-access": takesAway3 } },
  fields: () => ({
    email: email().describe("The e-mail address, as in the list of members."),
    role: openEnum(teamRoles).describe("What they may do in the team. Some roles cost a seat."),
    projects: withTraits(
      setOf(
        strictObject({
          projectId: string().min(1).describe("The id of the project."),
          role: openEnum(projectRoles).describe("What they may do in it.")
        })
      ),
      {
        readMayLack: true,
        mirrors: { kind: "projectMember", parent: "projectId", own: { field: "uid", fact: "uid" } }
      }
    ).optional().describe(
      "The complete list of projects with a separate role: `projectId` (`${projects.NAME.id}`) and `role`. `[]` for none; do not repeat these in `members` of the project."
    )
  }),
  example: `$allow: [cost]
members:
  grace@example.com: { role: MEMBER }
  alan@example.com: { role: VIEWER }`,
  rules: {
    grade: (change2) => takesAway3(change2) ? { grade: "destructive", reason: "they lose permissions" } : void 0
  },
  shape: {
    ...batch(memberWrites2),
    words: () => [
      "A pending invitation is withdrawn instead. The last owner and the user of the current token never lose access.",
      "Additional permissions (`teamPermissions`) cannot be declared: the API accepts them for a member but never returns them, so drift would go unnoticed."
    ]
  },
  read: {
    endpoint: "GET /v3/teams/{teamId}/members",
    items: ["members", "emailInviteCodes"],
    facts: ["uid", "id", "confirmed"],
    // Nobody can accept it any more. Those of the directory are its own.
    gone: ({ expired, isDSyncUser }) => expired === true || isDSyncUser === true
  },
  // Who has not confirmed yet shows no projects (Terraform provider); of anybody else a list without any has no such member.
  decode: ({ email: email2, role, confirmed, ...found2 }) => ({
    ...{ email: email2, role },
    ...confirmed === false && found2.projects === void 0 ? void 0 : { projects: projectsOf3(found2).map((one) => ({ ...one })) }
  }),
  ...memberRequests
});

// providers/hosting/kinds/index.ts
var kinds = [
  project,
  customEnvironment,
  projectEnvVar,
  sharedEnvVar,
  domain,
  domainAutoRenew,
  domainNameservers,
  dnsRecord,
  projectDomain,
  certificate,
  firewall,
  managedRuleset,
  coreRuleset,
  firewallIp,
  firewallRule,
  attackMode,
  firewallBypass,
  protectionBypass,
  bulkRedirects,
  projectRoute,
  rollingRelease,
  avatar,
  check,
  projectMember,
  staticIpSettings,
  speedInsights,
  webAnalytics,
  observability,
  microfrontendsGroup,
  microfrontendsProject,
  registryRepository,
  registryPermission,
  featureFlagSettings,
  segment,
  featureFlag,
  flagSdkKey,
  team,
  teamMember,
  deployment,
  alias,
  aliasBypass,
  accessGroup,
  accessGroupProject,
  accessGroupMember,
  directoryRole,
  globalConfig,
  globalConfigSchema,
  globalConfigItem,
  globalConfigToken,
  network,
  privateLink,
  sandboxDrive,
  sandbox,
  authToken,
  kmsIssuer,
  kmsSigningKey,
  kmsIssuerPolicy,
  webhook,
  drain,
  connector,
  connectorProject,
  triggerDestinations,
  aiGatewayVirtualModel,
  aiGatewayRule,
  aiGatewayBudget,
  aiGatewayBudgetDefault,
  marketplaceInstallation,
  marketplaceResource,
  resourceSecret,
  experimentationItem,
  experimentationConfig,
  integrationStore,
  integrationConnection,
  blobStore
];

// providers/hosting/pace.ts
var pace = {
  requestSeconds: 0.3,
  limits: [
    {
      endpoint: "POST /v2/domains/{domain}/records",
      what: "DNS record creations",
      allowed: 100,
      window: 3600
    },
    { endpoint: "PATCH /v1/domains/records/{recordId}", what: "DNS record updates", allowed: 50, window: 60 }
  ]
};

// providers/hosting/index.ts
var loadTwin = () => Promise.resolve().then(()=>require("./part-10.cjs").part_75CU3BB5);
var hosting = {
  name: "hosting",
  baseUrl: "https://api.vercel.com",
  kinds,
  operations: async () => {
    const [{ catalog }, { instead }] = await Promise.all([Promise.resolve().then(()=>require("./part-109.cjs").part_XHBG4NJK), Promise.resolve().then(()=>require("./part-17.cjs").part_CIS75V67)]);
    return catalog.map((one) => {
      const other = instead[`${one.method} ${one.path}`];
      return other ? { ...one, instead: other } : one;
    });
  },
  dayTwo: async () => (await Promise.resolve().then(()=>require("./part-79.cjs").part_ZG3VEZSV)).dayTwo,
  foreignFiles: async () => (await Promise.resolve().then(()=>require("./part-6.cjs").part_545GNIII)).foreignFiles,
  lookups: Object.values(lookups),
  pace,
  connect: async (options) => (await Promise.resolve().then(()=>require("./part-44.cjs").part_KDAQAJK4)).connect(options),
  startTwin: async ({ seed, faults, ...settings2 }) => {
    const { FaultPlanError, SeedError, startTwin } = await loadTwin();
    try {
      return await startTwin({
        ...settings2,
        ...seed === void 0 ? {} : { seed },
        ...faults === void 0 ? {} : { faults }
      });
    } catch (error) {
      const [code, hint] = error instanceof SeedError ? ["twin/seed", "fix the seed"] : error instanceof FaultPlanError ? ["twin/faults", "fix the fault plan"] : ["twin/start", "if its state file is corrupt, remove it: the twin then starts fresh"];
      throw new Problems([problem(code, error.message, { hint })]);
    }
  },
  openApi: async () => {
    const { openApi, version: version2 } = await loadTwin();
    return openApi(version2);
  },
  emptyAccount: (scope) => {
    if (!("team" in scope)) return {};
    return { team: scope.team.startsWith("team_") ? { id: scope.team } : { slug: scope.team } };
  }
};

return{hosting:hosting};})();exports.part_CTT3WHFK=part_CTT3WHFK;
const part_SFYWP2GJ=(()=>{const {
  hosting
}=part_CTT3WHFK;require("./part-106.cjs").part_XLIZT65J;require("./part-13.cjs").part_AQ5AAHW5;require("./part-85.cjs").part_HRKYGKTM;require("./part-90.cjs").part_TFHCOW53;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-106.cjs").part_DT2CDXHV;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-85.cjs").part_SJG7KYTO;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
return{hosting:hosting};})();exports.part_SFYWP2GJ=part_SFYWP2GJ;
