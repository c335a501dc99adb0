"use strict";const part_MSWUXDIR=(()=>{const {
  summaryOf
}=require("./part-106.cjs").part_LKZTNYVU;const {
  count,
  listed
}=require("./part-106.cjs").part_J6NNXEVI;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;

// src/report/fleet/fleet-report.ts
var jobStates = [
  "failed",
  "refused",
  "lost",
  "running",
  "waiting",
  "blocked",
  "skipped",
  "done"
];
function planCounts(plan) {
  const { create, adopt, update, move, replace, delete: gone } = summaryOf(plan);
  return { create, update: update + adopt + move, replace, delete: gone };
}
function countsText(counts) {
  const parts = Object.entries(counts).flatMap(
    ([verb, number]) => number > 0 ? [`${number} to ${verb}`] : []
  );
  return parts.length > 0 ? parts.join(", ") : "no changes of objects";
}
function jobsText(jobs) {
  const parts = jobStates.flatMap((state) => {
    const number = jobs.filter((job) => job.state === state).length;
    return number === 0 ? [] : [`${number} ${stateWords[state]}`];
  });
  const drift = jobs.filter(({ isDrift }) => isDrift).length;
  return `${count(jobs.length, "job")}: ${parts.join(", ")}${drift > 0 ? `; ${drift} with drift` : ""}`;
}
var stateWords = {
  failed: "failed",
  refused: "refused",
  lost: "given up",
  running: "running",
  waiting: "waiting",
  blocked: "waiting for others",
  skipped: "left out",
  done: "done"
};
var isShown = ({ state, isDrift }) => isDrift === true || !["done", "waiting", "blocked"].includes(state);
var most = 40;
function fleetText({ batches, workers, schedules }) {
  const alive = workers.filter(({ isAlive }) => isAlive);
  const silent = workers.length - alive.length;
  return [
    `${count(alive.length, "worker")}${alive.length > 0 ? `: ${listed(alive.map(({ name }) => name))}` : ""}${silent > 0 ? `; not responding: ${silent}` : ""}`,
    ...schedules.map(
      ({ repository, stacks, time, zone }) => `Drift of ${repository}, ${stacks}: at ${time} (${zone})`
    ),
    ...batches.length === 0 ? ["No jobs."] : batches.flatMap(batchLines)
  ].map(cleanLine).join("\n");
}
function batchLines(batch) {
  const shown = batch.jobs.filter(isShown);
  return [
    "",
    `${batch.id}  ${aboutBatch(batch)}`,
    `  ${jobsText(batch.jobs)}`,
    ...shown.slice(0, most).map((job) => `  ${jobText(job)}`),
    ...shown.length > most ? [`  and ${shown.length - most} more`] : [],
    ...batch.digest === void 0 ? [] : [`  digest of these plans: ${batch.digest}`]
  ];
}
var aboutBatch = ({ repository, commit, by }) => `${repository}${commit === void 0 ? "" : ` at ${commit.slice(0, 12)}`}${by === void 0 ? "" : `, by ${by}`}`;
function jobText({ id, name, state, retries, said, worker, isDrift }) {
  const facts = [
    ...isDrift ? ["changed outside"] : [],
    ...said === void 0 ? [] : [said.split("\n")[0]],
    ...retries > 0 ? [`started ${retries + 1} times`] : [],
    ...worker === void 0 || state === "done" ? [] : [`on ${worker}`]
  ];
  return `${stateWords[state]}: ${name} (${id.slice(0, 8)})${facts.length > 0 ? `, ${facts.join(", ")}` : ""}`;
}

return{jobStates:jobStates,planCounts:planCounts,countsText:countsText,jobsText:jobsText,stateWords:stateWords,fleetText:fleetText,aboutBatch:aboutBatch};})();exports.part_MSWUXDIR=part_MSWUXDIR;
