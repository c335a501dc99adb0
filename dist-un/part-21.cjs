"use strict";const part_DGVZ2EVC=(()=>{const {
  isFailed
}=require("./part-87.cjs").part_PVJV4EET;const {
  _enum,
  array,
  boolean,
  int,
  literal,
  record,
  strictObject,
  string,
  toJSONSchema,
  unknown
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  permissions
}=require("./part-106.cjs").part_DT2CDXHV;const {
  actionStates
}=require("./part-80.cjs").part_R4CIL4FR;const {
  diagnosticJson,
  planJson
}=require("./part-88.cjs").part_IIODRIIT;const {
  actions,
  fieldCauses,
  grades,
  undoable
}=require("./part-106.cjs").part_HLUFGGLM;const {
  definedOnly
}=require("./part-80.cjs").part_YNHFC6K5;;
;
;
;
;
;
;

// src/report/plan-document.ts
var count = int().min(0);
var address = string().describe("A resource's place in the YAML, and its identity everywhere.");
var place = strictObject({ file: string(), line: int().min(1), column: int().min(1) }).describe("A place in the configuration; lines and columns count from 1.");
var account = strictObject({
  type: _enum(["team", "personal"]),
  name: string(),
  baseUrl: string().optional().describe("Only if it is not the platform's default.")
}).describe("The account of the plan. Absent if unknown.");
var summary = strictObject({
  create: count,
  adopt: count,
  adoptAndUpdate: count.describe("How many of the adopted ones are also changed."),
  update: count,
  replace: count,
  delete: count,
  move: count,
  release: count.describe("No longer managed, and not deleted."),
  noop: count,
  renew: count.describe(
    "The account already matches; only the ledger is updated. Not included in the other numbers."
  ),
  unmanaged: count.describe(
    "In the account but not managed here. Does not include the kinds in `unlisted`."
  )
}).describe(
  "The number of changes by type, as people count them: a variable in several targets counts once, although `changes` lists each target."
);
var side = unknown().optional().describe(
  `Any JSON. A secret reads "(secret)" or { "$secret": NAME }, another resource's attribute { "$ref": ADDRESS, "attr": NAME }.`
);
var field = strictObject({
  path: string().describe("Dotted."),
  before: side,
  after: side,
  cause: _enum(fieldCauses).describe(
    "edit: changed in the configuration. drift: changed outside, will be reverted. conflict: both. unknown: cannot be determined. recorded: already set. released: no longer managed. unverified: a secret that cannot be compared."
  ),
  secret: boolean().describe("At least one side is a secret."),
  replaces: boolean().describe("The platform cannot change it in place.")
});
var change = strictObject({
  address,
  kind: string(),
  action: _enum(actions),
  id: string().optional().describe("The id on the platform, if there already is one."),
  reason: string().optional().describe("For humans."),
  grade: _enum(grades).describe("The risk of the change."),
  gradeReason: string().optional().describe("For humans."),
  permissions: array(_enum(permissions)).optional().describe("The permissions it needs: it costs money, or removes access."),
  moves: boolean().describe(
    "Changes position among its ordered siblings, or moves to another parent, possibly along with other changes."
  ),
  renews: literal(true).optional().describe("Nothing is sent: only the ledger is updated to record that the account matches."),
  undo: _enum(undoable).describe(
    "Whether `trueup undo` can restore the current state. Also `wholly` for a container that undo needs --delete for."
  ),
  undoLost: array(string()).optional().describe("The fields whose values it cannot restore."),
  undoReason: string().optional().describe("For humans; present if not `wholly`."),
  fields: array(field),
  source: place.optional()
});
var request = strictObject({
  method: _enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: string().describe("Unknown values are in braces."),
  body: unknown().optional()
});
var operation = strictObject({
  id: string(),
  kind: string(),
  changes: array(address),
  dependsOn: array(string()).describe("Ids of operations that must come first."),
  requests: array(request)
}).describe("Requests that belong together, in order.");
var action = strictObject({
  id: string().describe("Unique in the plan."),
  action: string().describe("Its name in `trueup run`."),
  about: address.optional(),
  input: record(string(), unknown()),
  state: _enum(actionStates).describe(
    "due: it will be sent. busy: it cannot be sent now and stays pending. over: there is nothing to do. unknown: sent before without a response, and not sent again. left: not part of this plan."
  ),
  why: string().optional().describe("For humans; present if not due."),
  starts: string().optional().describe("What it triggers: `build`."),
  grade: _enum(grades),
  gradeReason: string().optional().describe("For humans."),
  after: array(address).describe("The changes that trigger it; empty if it is pending from an earlier run."),
  owedBy: string().optional().describe("The run it is pending from, for humans."),
  waits: count.optional().describe("How many minutes apply waits for it to finish."),
  request: request.optional().describe("As it would be sent now; values from the account are read again when it is sent.")
}).describe("Actions that run after all changes.");
var forecast = strictObject({
  requests: count,
  seconds: count.describe("Estimated duration, including waits for rate limits."),
  limits: array(
    strictObject({
      what: string(),
      requests: count.describe("How many requests of this plan count towards it."),
      allowed: int().min(1).describe("How many are allowed per window."),
      window: int().min(1).describe("In seconds."),
      shared: strictObject({
        left: count.describe("How many requests are left in this window."),
        reserved: array(count).describe("How many requests each of the other runs has reserved, or will send by its plan."),
        endsIn: count.optional().describe("Seconds until the window ends; absent while it has not begun.")
      }).optional().describe("What is known where runs share their limits; absent without `--limits`.")
    })
  ).describe("The published rate limits that apply to the plan.")
}).describe("What applying the plan will take.");
var diagnostic = strictObject({
  severity: _enum(["error", "warning"]),
  code: string(),
  message: string(),
  hint: string().optional(),
  address: address.optional(),
  source: place.optional(),
  related: array(strictObject({ message: string(), source: place }))
});
var source = strictObject({
  name: string().describe("`secret NAME` or `variable NAME`."),
  source: string().describe("`env NAME`, `file PATH` or `command WORDS`. Never a value."),
  since: _enum(["new", "changed"]).optional().describe("Compared with the last apply; absent if unchanged."),
  before: string().optional().describe("Its value at the last apply, if different.")
}).describe("Where a secret or variable of the configuration is read from.");
var waiting = strictObject({
  address,
  why: string().describe("For humans."),
  minutes: int().min(1).optional().describe("How long apply waits for it: `$wait`."),
  failed: literal(true).optional().describe("It will not become ready by waiting.")
}).describe(
  "Declared objects that are not ready, or will not be ready right after creation. These are not changes."
);
var changedBy = strictObject({
  address,
  who: string(),
  when: string().describe("ISO 8601, UTC."),
  through: string().optional()
}).describe("Who made changes outside, according to the platform. May be incomplete.");
var guards = strictObject({
  file: string().optional().describe("The guards file, as given."),
  digest: string().optional().describe("The digest of its text."),
  checks: array(string()).optional().describe("The check programs that ran."),
  verdict: _enum(["allowed", "refused"])
}).describe("The verdict of the guards; rejections are in the diagnostics.");
var planDocument = strictObject({
  formatVersion: literal("1.8"),
  stack: string().optional().describe("Absent if the configuration could not be read."),
  account: account.optional(),
  complete: boolean().describe("Everything could be read and planned."),
  summary,
  changes: array(change),
  operations: array(operation),
  actions: array(action).optional().describe("Actions requested by `$then` or pending from an earlier run; absent if none."),
  forecast,
  unlisted: array(string()).optional().describe(
    "Kinds with long lists, of which only the declared objects were read; others were not counted."
  ),
  reads: count.optional().describe("How many requests planning took. Absent for a saved plan."),
  waiting: array(waiting).optional(),
  changedBy: array(changedBy).optional(),
  guards: guards.optional(),
  sources: array(source).optional(),
  diagnostics: array(diagnostic)
}).describe("A trueup plan.");
var planSchema = () => ({
  title: "trueup plan",
  ...toJSONSchema(planDocument)
});

// src/report/stacks/stacks-json.ts
var stacksJson = (reports, pace) => ({
  formatVersion: "1.0",
  complete: reports.every((one) => !isFailed(one)),
  stacks: reports.map((report) => ({
    id: report.id,
    path: report.path,
    ...definedOnly({ stage: report.stage, stack: report.stack }),
    needs: report.needs,
    ...report.plan?.awaits ? { awaits: report.plan.awaits } : {},
    ...report.plan ? { plan: planJson(report.plan, pace) } : {},
    ...report.failed ? { diagnostics: report.failed.map(diagnosticJson) } : {},
    ...definedOnly({ skipped: report.skipped })
  }))
});
var id = string().describe("`shop`, or `shop@staging`: unique in the workspace.");
var stack = strictObject({
  id,
  path: string().describe("As listed in the workspace file."),
  stage: string().optional(),
  stack: string().optional().describe("The name of the stack. Absent if its configuration could not be read."),
  needs: array(id),
  awaits: array(strictObject({ address: string(), stack: id })).optional().describe("Objects created by earlier stacks, whose ids are known only then."),
  plan: planDocument.optional().describe("As printed by `plan --json`. Absent if there is none."),
  diagnostics: array(diagnostic).optional().describe("Why there is no plan."),
  skipped: array(id).optional().describe("The failed stacks that it depends on.")
});
var stacksDocument = strictObject({
  formatVersion: literal("1.0"),
  complete: boolean().describe("Every stack could be planned, without an error."),
  stacks: array(stack).describe("In the order in which they are applied.")
}).describe("The plans of several trueup stacks.");
var stacksSchema = () => ({
  title: "trueup plans",
  ...toJSONSchema(stacksDocument)
});
var row = strictObject({
  id: string().describe("`shop`, or `shop@staging`: unique in the workspace."),
  path: string().describe("As listed in the workspace file."),
  file: string().describe("The value for `--file`, relative to the workspace folder."),
  stage: string().optional().describe("The value for `--stage`. Absent if the stack has no stages."),
  stack: string().optional().describe("The name of the stack. Absent if its configuration could not be read."),
  needs: array(string()).describe("The ids of the stacks it depends on."),
  ledger: string().describe("Where the ledger is; empty if the stack's name is unknown.")
});
var matrix = strictObject({ include: array(row).describe("In the order in which they are applied.") }).describe("The stacks of a trueup workspace, or those affected by changes.");
var matrixSchema = () => ({ title: "trueup stacks", ...toJSONSchema(matrix) });

return{planSchema:planSchema,stacksJson:stacksJson,stacksSchema:stacksSchema,matrixSchema:matrixSchema};})();exports.part_DGVZ2EVC=part_DGVZ2EVC;
