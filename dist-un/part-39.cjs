"use strict";const part_JKUO5Y6H=(()=>{const {
  countsText,
  fleetText
}=require("./part-52.cjs").part_MSWUXDIR;const {
  withQueueOf
}=require("./part-54.cjs").part_MXSMLU4P;const {
  agreedDigest
}=require("./part-99.cjs").part_QX3DRI5V;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-32.cjs").part_FIZFKDRW;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;const {
  writeOutput
}=require("./part-18.cjs").part_CTIH5LY5;require("./part-92.cjs").part_KCCUIXOW;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-92.cjs").part_BFXFO44Z;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-106.cjs").part_LKZTNYVU;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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

// src/cli/fleet-status.ts
var interval = 2e3;
async function showFleet(_provider, options, run) {
  const terminal = terminalFor(run, options);
  const { host } = run;
  await withQueueOf(options, terminal, async (queue) => {
    let before = "";
    for (; ; ) {
      const report = await reportOf(queue, options.batch);
      const open = report.batches.flatMap(({ jobs }) => jobs).filter(({ state }) => isOpen.has(state)).length;
      const isLast = !options.watch || open === 0;
      const text = fleetText(report);
      if (options.html !== void 0) {
        const { fleetHtml } = await Promise.resolve().then(()=>require("./part-46.cjs").part_KWRDZXXR);
        await writeOutput(host, options.html, fleetHtml(report, host.clock.now()));
      }
      if (options.json && isLast) terminal.out(jsonText(report));
      else if (!options.json && text !== before) terminal.out(text);
      before = text;
      if (isLast) {
        if (options.watch && !isAllDone(report)) run.exitCode = exitCodes.failed;
        return;
      }
      await host.clock.sleep(interval);
    }
  });
}
var isOpen = /* @__PURE__ */ new Set(["running", "waiting", "blocked"]);
var isAllDone = ({ batches }) => batches.every(({ jobs }) => jobs.every(({ state }) => state === "done"));
async function reportOf(queue, batch) {
  const [jobs, workers, schedules] = await Promise.all([
    queue.jobs(batch),
    queue.workers(),
    queue.schedules()
  ]);
  const batches = [...groupBy(jobs, ({ job }) => job.batch).values()].map(batchOf);
  return {
    batches: batches.sort((a, b) => b.since - a.since).map(({ batch: batch2 }) => batch2),
    workers,
    schedules: schedules.flatMap(
      ({ job, time, zone }) => job.action === "round" ? [{ repository: job.repository, stacks: job.stacks, time, zone }] : []
    )
  };
}
function batchOf(all) {
  const lost = new Set(all.filter(({ state }) => state === "lost").map(({ job: job2 }) => job2.id));
  for (const { job: job2 } of all)
    if (job2.action !== "round" && job2.needs.some((id) => lost.has(id))) lost.add(job2.id);
  const { job } = all[0];
  const digest = digestOf(all);
  return {
    batch: {
      id: job.batch,
      repository: job.repository,
      ..."commit" in job ? { commit: job.commit } : {},
      ...job.by === void 0 ? {} : { by: job.by },
      jobs: all.map((one) => jobOf(one, lost)),
      ...digest === void 0 ? {} : { digest }
    },
    since: Math.max(...all.map(({ since }) => since.getTime()))
  };
}
function jobOf({ job, state, retries, outcome }, lost) {
  const said = outcome && saidOf(outcome);
  return {
    id: job.id,
    name: nameOf(job),
    // Over, without an outcome that can be read: somebody else wrote it.
    state: lost.has(job.id) ? "lost" : state === "over" ? outcome?.state ?? "failed" : state,
    retries,
    ...said === void 0 ? {} : { said },
    ...outcome ? { worker: outcome.worker, seconds: outcome.seconds } : {},
    ...outcome?.drift ? { isDrift: true } : {}
  };
}
var nameOf = (job) => job.action === "round" ? `round of ${job.stacks}` : `${job.action} ${job.stack}`;
function saidOf({ said, changes, enqueued }) {
  if (said !== void 0) return said;
  if (enqueued !== void 0) return `${enqueued} enqueued`;
  return changes && countsText(changes);
}
function digestOf(all) {
  if (!all.every(
    ({ job, outcome }) => job.action === "plan" && job.mac !== void 0 && outcome?.state === "done"
  ))
    return void 0;
  const changing = all.filter(({ outcome }) => outcome.isEmpty === false);
  return agreedDigest(
    new Map(
      changing.flatMap(({ job, outcome }) => "stack" in job ? [[job.stack, outcome.plan ?? ""]] : [])
    )
  );
}
return{showFleet:showFleet};})();exports.part_JKUO5Y6H=part_JKUO5Y6H;
