"use strict";const part_MXSMLU4P=(()=>{const {
  thisHolder,
  whoOf
}=require("./part-81.cjs").part_MYWS23SU;const {
  connectionOf
}=require("./part-81.cjs").part_SE5RFCD4;const {
  readDatabaseUrl
}=require("./part-92.cjs").part_KCCUIXOW;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;

// src/cli/fleet-queue.ts
var oldest = [22, 12];
async function withQueueOf(options, terminal, use, isWorker = false) {
  const { host } = terminal.run;
  refuseOldNode(host);
  const url = options.queue ?? (host.env.TRUEUP_FLEET || void 0);
  if (url === void 0)
    throw new Problems([
      problem("fleet/no-queue", "the queue of the fleet is not configured", {
        hint: "name the database with --queue postgres://HOST/DATABASE, or TRUEUP_FLEET"
      })
    ]);
  const connection = connectionOf(
    readDatabaseUrl(url, options.queue !== void 0, "queue"),
    host.env,
    "queue"
  );
  const { openPostgresQueue } = await Promise.resolve().then(()=>require("./part-58.cjs").part_OHYB552T);
  const holder = thisHolder(host);
  const queue = await openPostgresQueue(connection, {
    isWorker,
    who: `${whoOf(holder)}/${holder.pid}`,
    warn: terminal.err
  });
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}
function refuseOldNode({ engine }) {
  const [major = 0, minor = 0] = engine.version.split(".").map(Number);
  if (major > oldest[0] || major === oldest[0] && minor >= oldest[1]) return;
  throw new Problems([
    problem(
      "fleet/node",
      `\`trueup fleet\` needs Node.js ${oldest.join(".")}, since its queue does, and this is ${engine.version}`,
      {
        hint: "run fleet commands with a newer Node.js; everything else works with this one"
      }
    )
  ]);
}

return{withQueueOf:withQueueOf};})();exports.part_MXSMLU4P=part_MXSMLU4P;
