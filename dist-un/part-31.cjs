"use strict";const part_FFJC4QNY=(()=>{const {
  waitingText
}=require("./part-98.cjs").part_WVTPVLPE;const {
  openMasking
}=require("./part-82.cjs").part_QI5FGYYL;const {
  home,
  makeHome
}=require("./part-92.cjs").part_2JBIBOC6;const {
  noTokenReason
}=require("./part-15.cjs").part_BAXXSSA2;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { randomBytes }=require("node:crypto");const { readFile }=require("node:fs/promises");const { join }=require("node:path");;
;
;
;
;
;
;

// src/cli/open-account.ts
;
;
;
function scopeOf({ platform }, { team, personal }) {
  if (team !== void 0) return { team };
  if (personal) return { personal: true };
  if (platform) return platform;
  throw new Problems([
    problem("config/account", "no account given", {
      hint: "pass --team SLUG or --personal"
    })
  ]);
}
async function openPlatform(provider, scope, options, host) {
  if (!options.twin) {
    const given = options.baseUrl ?? (host.env.TRUEUP_BASE_URL || provider.baseUrl);
    return {
      url: given.replace(/\/+$/, ""),
      token: await token(options, host),
      isTwin: false,
      close: async () => {
      }
    };
  }
  await makeHome(host);
  const ownToken = randomBytes(32).toString("base64url");
  const twin = await provider.startTwin({
    token: ownToken,
    statePath: pathOn(host, join(home, "twin", "account.json")),
    seed: provider.emptyAccount(scope)
  });
  return { url: twin.url, token: ownToken, isTwin: true, close: () => twin.close() };
}
async function openAccount(provider, scope, options, terminal, masking = openMasking(), on) {
  const { host } = terminal.run;
  const platform = on ?? await openPlatform(provider, scope, options, host);
  let connection;
  let budget;
  const voice = { say: terminal.err };
  let sent = 0;
  const close = async () => {
    await connection?.close();
    await budget?.close();
    if (!on) await platform.close();
  };
  try {
    budget = await budgetOf(options, platform, host, terminal.err);
    connection = await provider.connect({
      baseUrl: platform.url,
      scope,
      env: host.env,
      token: platform.token,
      maxWait: options.maxWait * 1e3,
      masking,
      budget,
      onWait: (wait) => voice.say(waitingText(wait)),
      onExchange: (exchange) => {
        sent++;
        if (options.verbose) voice.say(exchangeText(exchange));
      }
    });
    const owner = await connection.owner();
    return {
      connection,
      owner,
      baseUrl: platform.isTwin ? "twin:" : platform.url,
      voice,
      sent: () => sent,
      close
    };
  } catch (error) {
    await close();
    throw error;
  }
}
async function budgetOf({ limits: given }, { url, token: token2, isTwin }, { env }, say) {
  const limits = given ?? (isTwin ? void 0 : env.TRUEUP_LIMITS || void 0);
  if (limits === void 0) return void 0;
  const { openBudget } = await Promise.resolve().then(()=>require("./part-75.cjs").part_XX7DPJ3M);
  return openBudget({ limits, isArgument: given !== void 0, env, baseUrl: url, token: token2, say });
}
async function token({ tokenFile }, host) {
  if (tokenFile === void 0) {
    const given = host.env.TRUEUP_TOKEN?.trim();
    if (given) return given;
    const reason = noTokenReason(host);
    if (reason !== void 0) throw new Problems([noTokenFor(reason)]);
    throw new Problems([
      problem("auth/no-token", "no token given", {
        hint: "set TRUEUP_TOKEN, or pass a file with --token-file; to try without an account use --twin"
      })
    ]);
  }
  return readTokenFile(tokenFile, host);
}
var noTokenFor = (reason) => problem("auth/fork", `${reason}: it can be validated but not planned`, {
  hint: "run only `trueup validate` for it; somebody with write access can plan it from a branch of this repository"
});
function exchangeText({ method, path, status, milliseconds, attempt, body }) {
  const again = attempt > 1 ? ` (attempt ${attempt})` : "";
  const sent = body === void 0 ? "" : `
    ${JSON.stringify(body)}`;
  return `  ${method} ${path} ${status ?? "no answer"} ${Math.round(milliseconds)} ms${again}${sent}`;
}
async function readTokenFile(path, host) {
  const text = await readFile(pathOn(host, path), "utf8").catch((error) => {
    throw new Problems([problem("auth/token-file", `the token file cannot be read: ${systemText(error)}`)]);
  });
  if (text.trim() === "") throw new Problems([problem("auth/token-file", `the token file ${path} is empty`)]);
  return text.trim();
}

return{scopeOf:scopeOf,openPlatform:openPlatform,openAccount:openAccount,readTokenFile:readTokenFile};})();exports.part_FFJC4QNY=part_FFJC4QNY;
