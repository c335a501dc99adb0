"use strict";const part_55TAHL2B=(()=>{const {
  keptPlan
}=require("./part-116.cjs").part_J2MIUYTM;const {
  countsText,
  planCounts
}=require("./part-52.cjs").part_MSWUXDIR;const {
  chosenJobs,
  jobsOf
}=require("./part-20.cjs").part_D6UEXJAS;const {
  withQueueOf
}=require("./part-54.cjs").part_MXSMLU4P;const {
  signedJob
}=require("./part-99.cjs").part_CL5QIPCR;const {
  agreedDigest
}=require("./part-99.cjs").part_QX3DRI5V;const {
  sealing,
  shownPlan
}=require("./part-116.cjs").part_HBWHGLK5;require("./part-94.cjs").part_YZ7UDJWV;const {
  documentsFor,
  keyOf
}=require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;const {
  keyless
}=require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-124.cjs").part_WM3J7ALJ;const {
  inFolder
}=require("./part-124.cjs").part_6HBEUU6S;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  isYes,
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  isEmpty
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_LKZTNYVU;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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
;
;
;
;
;
;
;
;

// src/cli/fleet-enqueue.ts
async function enqueuePlans(provider, options, run) {
  const terminal = terminalFor(run, options);
  const chosen = await chosenJobs(provider, options, terminal);
  const key = await keyOf({}, run.host);
  const jobs = jobsOf(chosen, () => ({ action: "plan" }));
  await withQueueOf(options, terminal, (queue) => send(queue, jobs, key, terminal));
}
async function send(queue, jobs, key, terminal) {
  await queue.send(
    key ? "signed" : "open",
    jobs.map((job) => signedJob(job, key))
  );
  const [first] = jobs;
  if (!first) {
    terminal.err("No stack matches: nothing was enqueued.");
    return;
  }
  terminal.out(first.batch);
  terminal.err(
    cleanLine(
      `Enqueued ${count(jobs.length, "job")} at ${queue.place}, ${key ? "signed" : "unsigned, for workers without a key"}.`
    )
  );
  terminal.err(
    `\`trueup fleet status --batch ${first.batch} --watch\` follows ${jobs.length === 1 ? "it" : "them"}.`
  );
}
async function enqueueApplies(provider, options, run) {
  const terminal = terminalFor(run, options);
  const key = await keyOf({}, run.host);
  if (!key) throw new Problems([keyless]);
  const chosen = await chosenJobs(provider, options, terminal);
  const plans = await sealedPlans(chosen.stacks, options, inFolder(run, chosen.folder), key);
  const changing = chosen.stacks.filter(({ id }) => !isEmpty(shownPlan(plans.get(id))));
  for (const { id } of changing)
    terminal.err(cleanLine(`${id}: ${countsText(planCounts(shownPlan(plans.get(id))))}`));
  const same = chosen.stacks.length - changing.length;
  if (same > 0) terminal.err(`Nothing to do, left out: ${count(same, "stack")}.`);
  const digestOf = ({ id }) => plans.get(id).checksum;
  const digest = agreedDigest(new Map(changing.map((stack) => [stack.id, digestOf(stack)])));
  if (changing.length > 0 && !await isAgreed(digest, changing.length, options, terminal)) return;
  const jobs = jobsOf({ ...chosen, stacks: changing }, (stack) => ({
    action: "apply",
    plan: digestOf(stack)
  }));
  await withQueueOf(options, terminal, (queue) => send(queue, jobs, key, terminal));
}
async function isAgreed(digest, stacks, options, terminal) {
  if (options.digest !== void 0 && options.digest !== digest)
    throw new Problems([
      problem("fleet/agreed", `these are not the approved plans: their digest is ${digest}`, {
        hint: "review them again and pass the digest that you approve; nothing was enqueued"
      })
    ]);
  if (options.digest !== void 0 || options.autoApprove) return true;
  return isYes(terminal, {
    question: `Apply these ${count(stacks, "stack")} (digest ${digest})?`,
    no: "Nothing was enqueued.",
    unattended: problem(
      "apply/unattended",
      "enqueueing an apply needs a terminal or an approval; nothing was enqueued",
      {
        hint: `give --digest ${digest} to approve exactly these plans, or --auto-approve to approve any`
      }
    )
  });
}
async function sealedPlans(stacks, options, { host }, key) {
  const plans = /* @__PURE__ */ new Map();
  const wrong = [];
  const waiting = [...stacks];
  const readOn = async () => {
    for (let stack = waiting.shift(); stack; stack = waiting.shift()) {
      const name = stack.look.desired.stack;
      const kept = await keptPlan(documentsFor(name, options, host));
      const problem2 = refusal(stack.id, name, kept?.saved, key);
      if (problem2) wrong.push(problem2);
      else plans.set(stack.id, kept.saved);
    }
  };
  await Promise.all(Array.from({ length: 8 }, readOn));
  if (wrong.length > 0) throw new Problems(wrong);
  return plans;
}
function refusal(id, name, saved, key) {
  const hint = "plan it with the key (`trueup fleet enqueue plan`), then check `trueup fleet status`";
  if (!saved) return problem("fleet/no-plan", `${id} has no sealed plan in its ledger store`, { hint });
  const seal = sealing(saved, key);
  if (seal.state !== "sealed" || seal.key !== key.id)
    return problem("fleet/no-plan", `the plan of ${id} is not sealed with the key here`, { hint });
  if (saved.stack !== name)
    return problem("fleet/no-plan", `the plan with the ledger of ${id} is one of ${saved.stack}`, { hint });
  return void 0;
}
return{enqueueApplies:enqueueApplies,enqueuePlans:enqueuePlans,send:send};})();exports.part_55TAHL2B=part_55TAHL2B;
