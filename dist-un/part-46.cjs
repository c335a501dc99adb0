"use strict";const part_KWRDZXXR=(()=>{const {
  aboutBatch,
  jobStates,
  jobsText,
  stateWords
}=require("./part-52.cjs").part_MSWUXDIR;const {
  html,
  page
}=require("./part-120.cjs").part_7QH4ILEF;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_DF3MP7ZG;;
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

// src/report/html/fleet-page.ts
var classes = {
  failed: "destructive",
  refused: "destructive",
  lost: "destructive"
};
function fleetHtml({ batches, workers, schedules }, time) {
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const number = batches.length === 1 ? "1 batch" : `${batches.length} batches`;
  const sum = `${number}, ${count(alive, "worker")}.`;
  const sections = batches.map((batch, at) => sectionOf(batch, `batch${at}`));
  return page({
    tool: "trueup fleet",
    title: `Fleet: ${sum}`,
    header: html`
<h1>Fleet</h1>
<p class="headline">${sum}</p>
<p class="remark">${new Date(time).toISOString()}</p>${schedules.map(
      (one) => html`
<p class="remark">Drift of ${cleanLine(one.repository)}, ${cleanLine(one.stacks)}: at ${cleanLine(one.time)} (${cleanLine(one.zone)})</p>`
    )}`,
    places: sections.map(({ place }) => place),
    main: [
      sections.map(({ markup }) => markup),
      workers.length > 0 && html`
<section aria-labelledby="workers">
<h2 id="workers">Workers <span class="count">${workers.length}</span></h2>
<ul>${workers.map(
        ({ name, isAlive, running }) => html`
<li><code>${cleanLine(name)}</code>: ${isAlive ? `${running} running` : "not heard of"}</li>`
      )}
</ul></section>`
    ],
    isLong: batches.length > 1
  });
}
function sectionOf(batch, id) {
  const jobs = [...batch.jobs].sort((a, b) => jobStates.indexOf(a.state) - jobStates.indexOf(b.state));
  const label = `${aboutBatch(batch)}`;
  const markup = html`
<section aria-labelledby="${id}">
<h2 id="${id}">${cleanLine(label)}</h2>
<p class="means">${jobsText(jobs)}. <code>${batch.id}</code></p>${batch.digest !== void 0 && html`
<p class="means">Digest of these plans: <code>${batch.digest}</code></p>`}
<ul>${jobs.map(
    ({ name, state, said, worker, retries, seconds, isDrift, id: job }) => html`
<li class="${classes[state] ?? (isDrift ? "disruptive" : "safe")}"><b>${stateWords[state]}</b> <code>${cleanLine(name)}</code>${isDrift && ", changed outside"}${said !== void 0 && `: ${cleanLine(said)}`} <span class="means">${[
      job.slice(0, 8),
      ...worker === void 0 ? [] : [cleanLine(worker)],
      ...seconds === void 0 ? [] : [`${seconds} s`],
      ...retries > 0 ? [`started ${retries + 1} times`] : []
    ].join(", ")}</span></li>`
  )}
</ul></section>`;
  return { markup, place: { id, label: cleanLine(label), inside: [] } };
}
return{fleetHtml:fleetHtml};})();exports.part_KWRDZXXR=part_KWRDZXXR;
