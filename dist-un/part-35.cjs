"use strict";const part_GHYH6KYJ=(()=>{const {
  findingsOfIssue
}=require("./part-97.cjs").part_BQI24POO;const {
  iso_exports
}=require("./part-90.cjs").part_XRTKEBJF;const {
  _enum,
  array,
  int,
  strictObject,
  string,
  toJSONSchema,
  union
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  parseYaml
}=require("./part-97.cjs").part_UADL7KU7;const {
  require_picomatch
}=require("./part-63.cjs").part_QPVMELDP;const {
  describe
}=require("./part-84.cjs").part_XK3EKDRU;const {
  Source,
  positionOf
}=require("./part-84.cjs").part_CV56RMV4;const {
  hintFor,
  quoted,
  sortDiagnostics
}=require("./part-84.cjs").part_IUECLPFZ;const {
  actions,
  fieldCauses,
  grades
}=require("./part-106.cjs").part_HLUFGGLM;const {
  digest
}=require("./part-85.cjs").part_SJG7KYTO;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;;
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

// src/guards/guards.ts
var import_picomatch = __toESM(require_picomatch(), 1);
var oneOrMore = (one) => union([one, array(one).min(1)]);
var text = string().min(1);
var globs = oneOrMore(text);
var stack = globs.optional().describe("Only plans of these stacks (globs): `shop@production`, `*@production`.");
var count = int().min(0, "a limit must be 0 or more").optional();
var time = iso_exports.datetime({
  offset: true,
  error: "a time must look like 2026-12-20T18:00:00Z, or have +01:00 instead of Z"
}).describe("Absolute: `2026-12-20T18:00:00Z`, or with an offset.");
var done = actions.filter((action) => action !== "noop");
var denied = (kinds) => strictObject({
  message: text.describe("Why, and whom to ask; shown when the rule applies."),
  at: globs.optional().describe("Addresses, as for `--target`: `projects/*/firewall/**`."),
  kind: oneOrMore(kinds ? _enum(kinds) : text).optional().describe("Kinds, as named by `trueup kinds`."),
  action: oneOrMore(_enum(done)).optional().describe("`delete` includes replacements, and contents deleted with their container."),
  field: globs.optional().describe("A changed field, by its dotted path or that of a parent."),
  grade: oneOrMore(_enum(grades)).optional(),
  cause: oneOrMore(_enum(fieldCauses)).optional().describe("Why a field differs; with `field`, why that one does."),
  run: globs.optional().describe(
    "Only actions, as named by `trueup run --list` (globs): `promote`, `*Rollout`. Without this, an action from `trueup run` or `$then` counts as an update of its target."
  ),
  stack
});
var limits = strictObject({
  deletions: count.describe("How many objects may be deleted, including their contents."),
  requests: count.describe("How many requests a plan may send."),
  cost: count.describe("How many changes that cost money a plan may have."),
  duration: string({ error: "a duration must be a number with `s`, `m` or `h`: `90s`, `10m`" }).regex(/^[1-9]\d*(s|m|h)$/, "a duration must be a number with `s`, `m` or `h`: `90s`, `10m`").optional().describe("How long a plan may take, by the forecast: `90s`, `10m`, `2h`.")
});
var frozen = strictObject({
  from: time,
  until: time,
  message: text.describe("Why; shown when the rule applies."),
  at: globs.optional().describe("Only changes to these addresses."),
  stack
});
var guardsForm = (kinds) => strictObject({
  deny: array(denied(kinds)).optional().describe("A plan with a matching change is rejected."),
  limits: limits.optional().describe("A plan that exceeds one of these is rejected."),
  freeze: array(frozen).optional().describe("Periods during which nothing is applied.")
});
var guardsSchema = (kinds) => ({
  title: "trueup guards",
  ...toJSONSchema(guardsForm(kinds))
});
var listOf = (given) => given === void 0 ? void 0 : Array.isArray(given) ? given : [given];
var secondsOf = (duration) => Number(duration.slice(0, -1)) * { s: 1, m: 60, h: 3600 }[duration.at(-1)];
async function readGuards(file, text2, kinds, actions2) {
  const source = new Source(file, text2);
  const { documents, diagnostics } = await parseYaml(source);
  const [root, another] = documents;
  const say = (message, node, hint) => void diagnostics.push(
    problem("guards/file", message, { at: positionOf(node.at), ...hint ? { hint } : {} })
  );
  if (another) say("a guards file can have only one document", another);
  if (!hasErrors(diagnostics) && root?.type !== "map")
    diagnostics.push(
      problem("guards/file", `${file} contains no guards: it is ${root ? describe(root) : "empty"}`, {
        hint: 'deny: [{ at: "projects/*/firewall/**", action: delete, message: Ask the security team. }]'
      })
    );
  const guards = root?.type === "map" && !hasErrors(diagnostics) ? understood(root, kinds, diagnostics) : void 0;
  const named = (guards?.deny ?? []).flatMap(
    ({ run, place }) => (listOf(run) ?? []).map((name) => ({ name, place }))
  );
  const known = named.length > 0 ? await actions2() : [];
  for (const { name, place } of named)
    if (!known.some((one) => (0, import_picomatch.default)(name)(one)))
      diagnostics.push(
        problem("guards/file", `there is no action ${quoted(name)}`, {
          at: place,
          hint: hintFor(name, [...known]) ?? "`trueup run --list` lists all"
        })
      );
  source.quote();
  if (!guards || hasErrors(diagnostics)) throw new Problems(sortDiagnostics(diagnostics));
  return { file, digest: digest("guards", text2), ...guards };
}
function understood(root, kinds, diagnostics) {
  const form = guardsForm();
  const raw = plain(root);
  const result = form.safeParse(raw);
  const say = (message, path, hint, onKey = false) => void diagnostics.push(
    problem("guards/file", message, { at: placeAt(root, path, onKey), ...hint ? { hint } : {} })
  );
  for (const issue of result.error?.issues ?? []) {
    const [name, ...inner] = issue.path;
    if (issue.code === "unrecognized_keys" && name === void 0)
      for (const key of issue.keys)
        say(`a guards file has no ${quoted(key)}`, [key], hintFor(key, Object.keys(form.shape)), true);
    else
      for (const found of findingsOfIssue({ ...issue, path: inner }, {
        name: String(name),
        schema: form.shape[name],
        raw: raw[String(name)]
      }))
        say(found.message, found.path, found.hint, found.onKey);
  }
  if (!result.success) return void 0;
  const { deny = [], limits: limits2 = {}, freeze = [] } = result.data;
  for (const [at, { message: _, stack: __, ...says }] of deny.entries()) {
    if (Object.keys(says).length === 0)
      say(
        "this rule has no conditions",
        ["deny", at],
        'add one of `at`, `kind`, `action`, `run`, `field`, `grade` or `cause`; `at: "**"` matches everything'
      );
    for (const kind of listOf(says.kind) ?? [])
      if (!kinds.includes(kind))
        say(`there is no kind ${quoted(kind)}`, ["deny", at, "kind"], hintFor(kind, [...kinds]));
  }
  for (const [at, { from, until }] of freeze.entries())
    if (Date.parse(from) >= Date.parse(until)) say("this ends before it starts", ["freeze", at, "until"]);
  const placed = (given, path) => ({
    ...given,
    place: placeAt(root, path, false)
  });
  return {
    deny: deny.map((one, at) => placed(one, ["deny", at])),
    limits: Object.fromEntries(
      Object.entries(limits2).map(([name, most]) => [
        name,
        placed({ most: typeof most === "string" ? secondsOf(most) : most }, ["limits", name])
      ])
    ),
    freeze: freeze.map((one, at) => placed(one, ["freeze", at]))
  };
}
function plain(node) {
  if (node.type === "list") return node.items.map(plain);
  if (node.type === "map")
    return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, plain(value)]));
  return node.type === "scalar" ? node.value : void 0;
}
function placeAt(root, path, onKey = false) {
  let [at, spot] = [root, root.at];
  for (const [depth, step] of path.entries()) {
    if (at.type === "list" && at.items[Number(step)]) {
      at = at.items[Number(step)];
      spot = at.at;
    } else if (at.type === "map") {
      const entry = at.entries.find(({ key }) => key.text === String(step));
      if (!entry) break;
      at = entry.value;
      spot = onKey && depth === path.length - 1 ? entry.key.at : at.at;
    } else break;
  }
  return positionOf(spot);
}

return{guardsSchema:guardsSchema,listOf:listOf,readGuards:readGuards};})();exports.part_GHYH6KYJ=part_GHYH6KYJ;
