"use strict";const part_QX3DRI5V=(()=>{const {
  isSignature,
  signature,
  signerOf
}=require("./part-32.cjs").part_FIZFKDRW;const {
  _enum,
  boolean,
  int,
  number,
  strictObject,
  string,
  uuid
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const { hash }=require("node:crypto");;
;
;

// src/fleet/outcome.ts
;

// src/fleet/signed.ts
var text = ({ mac: _, ...rest }, sort) => sort === "job" ? canonical(rest) : `${sort}
${canonical(rest)}`;
function signed(record, sort, key) {
  if (!key) return record;
  const named = { ...record, key: key.id };
  return { ...named, mac: signature(key, "job", text(named, sort)) };
}
function isSigned(record, sort, key) {
  const signer = record.key === void 0 ? void 0 : signerOf(key, record.key);
  return signer !== void 0 && isSignature(record.mac ?? "", signer, "job", text(record, sort));
}

// src/fleet/outcome.ts
var count = int().min(0);
var outcome = strictObject({
  /** The job that it is of. */
  job: uuid(),
  /**
   * `done`: all of it. `failed`: the command said so. `refused`: the worker may not do it. `skipped`: what it needs was not done.
   */
  state: _enum(["done", "failed", "refused", "skipped"]),
  /** The exit code of the command. */
  exit: int().optional(),
  /** The changes of a plan. */
  changes: strictObject({ create: count, update: count, replace: count, delete: count }).optional(),
  /** A plan with nothing to do. */
  isEmpty: boolean().optional(),
  /** The account was changed outside. */
  drift: boolean().optional(),
  /** The digest of the plan: of an apply that which was done, of a plan that which was sealed and kept. */
  plan: string().max(100).optional(),
  /** The number of jobs that a round enqueued. */
  enqueued: count.optional(),
  /** Why it is not done, for people. */
  said: string().max(4e3).optional(),
  worker: string().max(300),
  seconds: number().min(0),
  key: string().max(100).optional(),
  mac: string().max(100).optional()
});
var outcomeIn = (found) => outcome.safeParse(found).data;
var signedOutcome = (outcome2, key) => signed(outcome2, "outcome", key);
var isSignedOutcome = (outcome2, key) => isSigned(outcome2, "outcome", key);
var mostPlans = 2;
function nextOf({ action }, exit, attempt) {
  if (exit === 0 || exit === 2 && action !== "apply") return "done";
  if (exit === 75 || exit === 130) return "later";
  return action !== "apply" && attempt < mostPlans ? "later" : "failed";
}
var agreedDigest = (plans) => hash("sha256", canonical(Object.fromEntries(plans)), "base64url").slice(0, 22);

return{signed:signed,isSigned:isSigned,outcomeIn:outcomeIn,signedOutcome:signedOutcome,isSignedOutcome:isSignedOutcome,nextOf:nextOf,agreedDigest:agreedDigest};})();exports.part_QX3DRI5V=part_QX3DRI5V;
const part_CL5QIPCR=(()=>{const {
  isSigned,
  signed
}=part_QX3DRI5V;const {
  array,
  discriminatedUnion,
  int,
  literal,
  strictObject,
  string,
  uuid
}=require("./part-90.cjs").part_ZJ7BVZLR;;
;

// src/fleet/job.ts
var repositoryName = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;
var isRepositoryName = (name2) => repositoryName.test(name2);
var commit = string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
var folder = string().max(1e3).refine((path) => !/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/.test(path));
var name = string().min(1).max(500);
var about = {
  format: literal(1),
  id: uuid(),
  /** Shared by the jobs that were enqueued together. */
  batch: uuid(),
  repository: string().max(300).regex(repositoryName),
  /** The folder of the workspace in the repository; the repository itself is the empty one. */
  folder,
  /** The name of who enqueued it, for people. */
  by: string().max(300).optional(),
  /** The key behind the MAC. */
  key: string().max(100).optional(),
  mac: string().max(100).optional()
};
var ofStack = {
  ...about,
  commit,
  /** `shop`, or `shop@staging`, as the workspace has it. */
  stack: name,
  /** The stack's own name, by which its ledger is kept. */
  ledger: name,
  /** The ids of the jobs that have to be done before. */
  needs: array(uuid()).max(1e3),
  /** The pull request that it is about. */
  pull: int().positive().optional()
};
var job = discriminatedUnion("action", [
  strictObject({ action: literal("plan"), ...ofStack }),
  strictObject({ action: literal("drift"), ...ofStack }),
  /** `plan`: the digest of the sealed plan, which lies in the store of the ledger. */
  strictObject({ action: literal("apply"), ...ofStack, plan: string().min(1).max(100) }),
  /** Looks for drift in all stacks that match, as the protected branch has them then. */
  strictObject({ action: literal("round"), ...about, stacks: string().min(1).max(500) })
]);
var jobIn = (found) => job.safeParse(found).data;
var signedJob = (job2, key) => signed(job2, "job", key);
var isSignedJob = (job2, key) => isSigned(job2, "job", key);

return{isRepositoryName:isRepositoryName,jobIn:jobIn,signedJob:signedJob,isSignedJob:isSignedJob};})();exports.part_CL5QIPCR=part_CL5QIPCR;
