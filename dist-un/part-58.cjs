"use strict";const part_OHYB552T=(()=>{const {
  jobIn
}=require("./part-99.cjs").part_CL5QIPCR;const {
  outcomeIn
}=require("./part-99.cjs").part_QX3DRI5V;const {
  postgresFault
}=require("./part-108.cjs").part_LWABGJRU;const {
  clientPackage
}=require("./part-108.cjs").part_UIO3JTQR;require("./part-32.cjs").part_FIZFKDRW;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_YNHFC6K5;const {
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

// src/queue/postgres-queue.ts
var lanes = { signed: "trueup-signed", open: "trueup-open" };
var heartbeat = 30;
var retries = 25;
var [longestAfterDeath, longestAfterPutOff] = [10, 900];
var longest = 12 * 3600;
var most = 1e5;
var queueOptions = {
  // One active job for each singleton key: the ledger.
  policy: "singleton",
  retryLimit: retries,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: longestAfterDeath,
  heartbeatSeconds: heartbeat,
  expireInSeconds: longest
};
var settingsOf = ({ schema, config }, { isWorker, who }) => ({
  ...config,
  schema,
  application_name: "trueup fleet",
  max: isWorker ? 8 : 4,
  connectionTimeoutMillis: 3e4,
  openTelemetry: { enabled: false },
  instanceName: who,
  registerInstance: isWorker,
  instanceHeartbeatSeconds: 10,
  supervise: isWorker,
  schedule: isWorker,
  warningSlowQuerySeconds: 60,
  ...isWorker ? {
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    flowIntervalSeconds: 1,
    cronMonitorIntervalSeconds: 10
  } : {}
});
async function openPostgresQueue(connection, options) {
  const { shown, schema, config } = connection;
  const { warn } = options;
  const { PgBoss } = await clientPackage("pg-boss", () => Promise.resolve().then(()=>require("pg-boss")), "a fleet");
  const problemsOf = (error) => {
    if (error instanceof Problems) return error;
    const { why, hint } = postgresFault(error, config.password);
    return new Problems([problem("fleet/queue", `the queue ${shown} cannot be used: ${why}`, { hint })]);
  };
  const told = async (work) => {
    try {
      return await work();
    } catch (error) {
      throw problemsOf(error);
    }
  };
  const boss = new PgBoss(settingsOf(connection, options));
  const tell = (error) => {
    for (const { message } of problemsOf(error).diagnostics) warn(message);
  };
  boss.on("error", tell);
  await told(async () => {
    await boss.start();
    for (const name of Object.values(lanes)) await boss.createQueue(name, queueOptions);
  });
  const found = async (lane, batch) => {
    const rows = await boss.findJobs(lanes[lane], {
      limit: most,
      ...batch === void 0 ? {} : { data: { batch } }
    });
    return rows.flatMap(queuedJob);
  };
  return {
    place: shown,
    send: (lane, jobs) => told(() => send(boss, lanes[lane], jobs)),
    work: (lane, { concurrency }, handle) => told(async () => {
      const name = lanes[lane];
      const how = {
        pollingIntervalSeconds: 0.5,
        heartbeatRefreshSeconds: heartbeat / 3,
        includeMetadata: true
      };
      for (let number = 0; number < concurrency; number++) {
        let own = "";
        own = await boss.work(
          name,
          how,
          async ([row]) => {
            const outcome = await done(row, handle, warn);
            boss.notifyWorker(own);
            if (outcome !== "later") return outcome;
            await putOff(boss, name, row).catch(tell);
            return void 0;
          }
        );
      }
      return { stop: () => told(() => boss.offWork(name, { wait: true })) };
    }),
    outcomes: (lane, ids) => told(async () => {
      const known = /* @__PURE__ */ new Map();
      for (const id of ids) {
        const [row] = await boss.findJobs(lanes[lane], { id });
        const outcome = row?.state === "completed" ? outcomeIn(row.output) : void 0;
        if (outcome) known.set(id, outcome);
      }
      return known;
    }),
    jobs: (batch) => told(async () => [...await found("signed", batch), ...await found("open", batch)]),
    isIdle: (lane) => told(async () => {
      const { rows } = await boss.getDb().executeSql(`select 1 from "${schema}".job where name = $1 and state < 'completed' limit 1`, [
        lanes[lane]
      ]);
      return rows.length === 0;
    }),
    workers: () => told(
      async () => (await boss.getInstances()).filter(({ stoppedOn }) => stoppedOn === null).map(
        ({ name, host, live, workers }) => ({
          name: name ?? host,
          isAlive: live,
          running: workers.reduce((sum, { active }) => sum + active, 0)
        })
      )
    ),
    ...scheduling(boss, told),
    close: () => told(() => boss.stop({ graceful: true, timeout: 5e3 }))
  };
}
var scheduling = (boss, told) => ({
  schedule: (lane, name, { time, zone }, job) => told(() => boss.schedule(lanes[lane], time, job, { tz: zone, key: name, singletonKey: `round ${name}` })),
  unschedule: (lane, name) => told(() => boss.unschedule(lanes[lane], name)),
  schedules: () => told(async () => {
    const all = await Promise.all(Object.values(lanes).map((name) => boss.getSchedules(name)));
    return all.flat().flatMap(({ cron, timezone, data }) => {
      const job = jobIn(data);
      return job ? [{ job, time: cron, zone: timezone }] : [];
    });
  })
});
async function done({ id, data, retryCount }, handle, warn) {
  const job = jobIn(data);
  if (job) return handle(job, retryCount);
  warn(`Queue entry ${id} is not a job that this version understands; it is skipped.`);
  return void 0;
}
async function putOff(boss, name, { id, retryCount, retryLimit }) {
  await boss.fail(name, { id, retryCount }, { message: "put off" });
  await boss.update(name, void 0, {
    id,
    retryLimit: retryLimit + 1,
    ...{ retryBackoff: true, retryDelayMax: longestAfterPutOff }
  });
}
async function send(boss, name, jobs) {
  const ids = new Set(jobs.map(({ id }) => id));
  const needsOf = (job) => job.action === "round" ? [] : job.needs.filter((id) => ids.has(id));
  const optionsOf = (job) => ({
    id: job.id,
    singletonKey: job.action === "round" ? "round" : `ledger ${job.ledger}`
  });
  if (jobs.some((job) => needsOf(job).length > 0))
    await boss.flow(
      jobs.map((job) => ({
        ...{ ref: job.id, name, data: job },
        options: optionsOf(job),
        dependsOn: needsOf(job)
      }))
    );
  else if (jobs.length > 0)
    await boss.insert(
      name,
      jobs.map((job) => ({ ...optionsOf(job), data: job }))
    );
}
function queuedJob(row) {
  const job = jobIn(row.data);
  if (!job) return [];
  const outcome = outcomeIn(row.output);
  const state = {
    created: row.blocked ? "blocked" : "waiting",
    retry: "waiting",
    active: "running",
    completed: "over",
    cancelled: "lost",
    failed: "lost"
  }[row.state];
  return [
    {
      job,
      state,
      retries: row.retryCount,
      ...outcome && state === "over" ? { outcome } : {},
      since: row.completedOn ?? row.startedOn ?? row.createdOn
    }
  ];
}
return{openPostgresQueue:openPostgresQueue};})();exports.part_OHYB552T=part_OHYB552T;
