"use strict";const part_2VTNX7M5=(()=>{const {
  repositoryName
}=require("./part-20.cjs").part_D6UEXJAS;const {
  withQueueOf
}=require("./part-54.cjs").part_MXSMLU4P;const {
  signedJob
}=require("./part-99.cjs").part_CL5QIPCR;require("./part-99.cjs").part_QX3DRI5V;require("./part-94.cjs").part_YZ7UDJWV;const {
  keyOf
}=require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-124.cjs").part_WM3J7ALJ;require("./part-124.cjs").part_6HBEUU6S;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-15.cjs").part_BAXXSSA2;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { randomUUID }=require("node:crypto");;
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

// src/cli/fleet-schedule.ts
;
async function scheduleRound(options, run) {
  const terminal = terminalFor(run, options);
  const { host } = run;
  const { time, zone, glob } = options;
  refuseUnclear(options);
  const repository = await repositoryName(options.repository, host);
  const key = await keyOf({}, host);
  const lane = key ? "signed" : "open";
  await withQueueOf(options, terminal, async (queue) => {
    if (options.remove) {
      await queue.unschedule(lane, repository);
      terminal.err(cleanLine(`Nothing is scheduled for ${repository} now.`));
      return;
    }
    const stacks = glob ?? "**";
    const job = {
      ...{ format: 1, action: "round", id: randomUUID(), batch: randomUUID(), folder: "" },
      ...{ repository, stacks }
    };
    await queue.schedule(lane, repository, { time, zone }, signedJob(job, key));
    terminal.err(
      cleanLine(`Workers will check for drift in ${stacks} of ${repository} at ${time} (${zone}).`)
    );
  });
}
function refuseUnclear({ time, what, glob, all, remove }) {
  const wrong = (message) => new Problems([
    problem("fleet/schedule", message, {
      hint: 'for example `trueup fleet schedule "0 3 * * *" drift --all`'
    })
  ]);
  if (remove && time === void 0) return;
  if (remove) throw wrong("--remove takes no time");
  if (time === void 0 || what === void 0) throw wrong("a time and what to schedule are required");
  if (what !== "drift") throw wrong(`only \`drift\` can be scheduled, not ${JSON.stringify(what)}`);
  if (!/^\S+(?: \S+){4}$/.test(time.trim())) throw wrong(`${JSON.stringify(time)} is not a cron expression`);
  if (glob === void 0 === !all) throw wrong("pass either --all or a glob");
}
return{scheduleRound:scheduleRound};})();exports.part_2VTNX7M5=part_2VTNX7M5;
