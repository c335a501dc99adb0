"use strict";const part_OCKCLXOE=(()=>{const {
  readTokenFile
}=require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-82.cjs").part_QI5FGYYL;require("./part-92.cjs").part_2JBIBOC6;const {
  number,
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-15.cjs").part_BAXXSSA2;require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { readFile }=require("node:fs/promises");;
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

// src/cli/twin.ts
;
function twinCommand(command, provider, run) {
  withColor(command).option("--port <n>", "the port (default: any free one)", number(0)).option("--token-file <path>", "accept only the token in this file (default: any)").addOption(new Option("--token [token]").hideHelp()).option("--log-text", "log request contents, including secrets").option("--seed <file>", "the initial account as JSON, or a file saved by --state").option("--state <file>", "persist the account in this file").option("--latency <ms>", "delay each response", number(0)).addOption(
    new Option(
      "--rate-limits <mode>",
      "the platform's limits; `assumed`: tight ones as well that nobody published"
    ).choices(["real", "assumed", "off"]).default("off")
  ).option("--page-size <n>", "the maximum page size of lists", number(1)).option("--strict", "reject what the public schema does not know, instead of recording it").option("--catalog-only", "leave out operations that only official clients know").option("--faults <file>", "a fault plan (what goes wrong, and when) as JSON").addOption(
    new Option("--openapi", "print the OpenAPI document of the twin and exit").conflicts([
      "port",
      "token",
      "tokenFile",
      "logText",
      "seed",
      "state",
      "latency",
      "rateLimits",
      "pageSize",
      "faults",
      "strict",
      "catalogOnly"
    ])
  ).action(async (given) => {
    const { port, seed, state, latency, rateLimits, pageSize, faults, ...options } = given;
    if (options.token !== void 0) throw new Problems([tokenInArguments()]);
    const { host } = run;
    const terminal = terminalFor(run, options);
    if (options.openapi) return terminal.out(jsonText(await provider.openApi()));
    const twin = await provider.startTwin({
      rateLimits,
      ...port === void 0 ? {} : { port },
      ...options.tokenFile === void 0 ? {} : { token: await readTokenFile(options.tokenFile, host) },
      ...options.logText ? { logText: true } : {},
      ...options.strict ? { strict: true } : {},
      ...options.catalogOnly ? { catalogOnly: true } : {},
      ...seed === void 0 ? {} : { seed: await readJson("seed", seed, host) },
      ...state === void 0 ? {} : { statePath: pathOn(host, state) },
      ...latency === void 0 ? {} : { latencyMs: latency },
      ...pageSize === void 0 ? {} : { pageSize },
      ...faults === void 0 ? {} : { faults: await readJson("faults", faults, host) }
    });
    const stopped = new Promise((done) => {
      const stopListening = host.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], () => {
        stopListening();
        done(twin.close());
      });
    });
    terminal.err(`OpenAPI document: ${twin.openApiUrl}`);
    terminal.out(twin.url);
    await stopped;
  });
}
var tokenInArguments = () => problem("twin/token", "a token must not be passed as an argument, where every process can read it", {
  hint: "put it in a file that only you can read and pass --token-file; without it any token is accepted"
});
var names = { seed: "the seed", faults: "the fault plan" };
async function readJson(what, path, host) {
  try {
    return JSON.parse(await readFile(pathOn(host, path), "utf8"));
  } catch (error) {
    throw new Problems([
      problem(`twin/${what}`, `${names[what]} ${path} cannot be read: ${systemText(error)}`)
    ]);
  }
}
return{twinCommand:twinCommand};})();exports.part_OCKCLXOE=part_OCKCLXOE;
