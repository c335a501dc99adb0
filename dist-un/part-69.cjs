"use strict";const part_U3M6M6I2=(()=>{const {
  readCache
}=require("./part-101.cjs").part_KZIZ3WVN;const {
  ledgerLineOf
}=require("./part-94.cjs").part_2PKLHWHB;const {
  formatOfOne,
  planStacks,
  showStacks,
  terminalOf
}=require("./part-73.cjs").part_W4EK7KUA;const {
  isOfOne
}=require("./part-50.cjs").part_LW7MTB4U;const {
  flagOf,
  refuseOtherFile,
  saveStacks
}=require("./part-28.cjs").part_EOX35J2K;const {
  everyStack
}=require("./part-102.cjs").part_4IQERMVV;const {
  openAccount,
  openPlatform
}=require("./part-31.cjs").part_FFJC4QNY;const {
  openMasking
}=require("./part-82.cjs").part_QI5FGYYL;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;const {
  withAbsolutePaths,
  workspaceStacks
}=require("./part-124.cjs").part_6HBEUU6S;const {
  chosenLedger,
  isForOne
}=require("./part-105.cjs").part_TEBTU3WD;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  asksForNothing,
  hasDrift
}=require("./part-80.cjs").part_YAMT22MG;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { join }=require("node:path");;
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

// src/cli/plan-all.ts
;

// src/cli/common-accounts.ts
function stackAccounts(provider, options, terminal) {
  const masking = openMasking();
  const accounts = /* @__PURE__ */ new Map();
  let platform;
  let isReading = true;
  const opened = async (scope) => {
    platform ??= openPlatform(provider, scope, options, terminal.run.host);
    const account = await openAccount(provider, scope, options, terminal, masking, await platform);
    const reads = readCache(account.connection.send);
    if (!isReading) reads.end();
    return { ...account, reads };
  };
  const settled = async () => {
    const all2 = await Promise.allSettled(accounts.values());
    return all2.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
  };
  const all = (tell) => {
    for (const one of accounts.values())
      void one.then(
        ({ reads }) => tell(reads),
        () => {
        }
      );
  };
  let total = 0;
  return {
    masking,
    readings: /* @__PURE__ */ new Map(),
    async open(scope) {
      const key = JSON.stringify(scope);
      const known = accounts.get(key) ?? opened(scope);
      accounts.set(key, known);
      const { reads, ...account } = await known;
      return {
        ...account,
        connection: { ...account.connection, send: reads.send },
        sent: () => {
          total = Math.max(total, account.sent());
          return account.sent();
        },
        close: async () => {
        }
      };
    },
    forget: () => all((reads) => reads.forget()),
    endReading() {
      isReading = false;
      all((reads) => reads.end());
    },
    sent: () => total,
    async paceNow(pace) {
      const [only, ...others] = await settled();
      return only && others.length === 0 ? only.connection.paceNow(pace) : pace;
    },
    async close() {
      for (const account of await settled()) await account.close();
      await (await platform?.catch(() => void 0))?.close();
    }
  };
}

// src/cli/plan-all.ts
async function planAll(provider, given, run) {
  refuseOneStacks(given, run);
  const terminal = terminalFor(run, given);
  run.stack = everyStack;
  const out = given.out === void 0 ? void 0 : pathOn(run.host, given.out);
  if (given.out !== void 0) await refuseOtherFile(given.out, run.host);
  const chosen = await workspaceStacks(provider, given, run);
  const options = withAbsolutePaths(given, run);
  for (const note of chosen.notes) terminal.err(cleanLine(note));
  const accounts = stackAccounts(provider, options, inWorkspace(terminal, chosen.folder));
  try {
    const planned = await planStacks(provider, options, terminal, chosen, {
      accounts,
      needsKey: out !== void 0,
      plans: out === void 0 ? [] : [out]
    });
    const said = out === void 0 ? [] : await saveStacks(planned, given.out, run.host);
    await sayLedgers(planned, terminal, chosen.folder);
    const reports = planned.map(({ report }) => report);
    const fine = showStacks(reports, given, terminal, await accounts.paceNow(provider.pace));
    for (const line of said) terminal.err(line);
    terminal.err(`Read with ${count(accounts.sent(), "request")}.`);
    const plans = reports.flatMap(({ plan }) => plan ?? []);
    const isNews = given.detailedExitcode && plans.some((plan) => !asksForNothing(plan)) || given.driftExitcode && plans.some(hasDrift);
    run.exitCode = !fine ? exitCodes.failed : isNews ? exitCodes.changes : exitCodes.done;
  } finally {
    await accounts.close();
  }
}
var inWorkspace = (terminal, folder) => ({
  ...terminal,
  run: { ...terminal.run, host: { ...terminal.run.host, cwd: folder } }
});
async function sayLedgers(planned, terminal, folder) {
  for (const { session, stack } of planned)
    if (session) terminalOf(terminal, stack, folder).err(await ledgerLineOf(session));
}
var ofOneStack = ["file", "stage"];
function refuseOneStacks(options, { host }) {
  const flags = ofOneStack.filter((name) => options[name] !== void 0).map(flagOf);
  const wrong = [
    ...flags.length > 0 ? [
      problem("all/one-stack", `${flags.join(", ")} cannot be combined with --all`, {
        hint: "it applies to one stack: run that stack alone, with --file and --stage"
      })
    ] : [],
    ...isOfOne(options.format) ? [formatOfOne()] : [],
    ...isForOne(options, host) ? [
      problem(
        "all/ledger",
        `one ${chosenLedger(options, host) === void 0 ? "address" : "file"} cannot be the ledger of several stacks`,
        {
          hint: `leave out --ledger (the ledgers are in ${join(".trueup", "ledger")} of the workspace), or use \`--ledger git\`; in a URL write {stack} for the name of the stack`
        }
      )
    ] : []
  ];
  if (wrong.length > 0) throw new Problems(wrong);
}

return{stackAccounts:stackAccounts,planAll:planAll,inWorkspace:inWorkspace,sayLedgers:sayLedgers,refuseOneStacks:refuseOneStacks};})();exports.part_U3M6M6I2=part_U3M6M6I2;
