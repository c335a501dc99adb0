"use strict";const part_2VIBQK6O=(()=>{const {
  ConnectionCut,
  HttpError,
  NotJson,
  OutOfBounds,
  RateLimited,
  Redirected,
  RequestError,
  TimedOut,
  Unreachable
}=require("./part-5.cjs").part_4VPSH4ZL;const {
  Exceeded,
  collected,
  exchange,
  openDispatcher,
  openExchange,
  readJson,
  standardBounds,
  toWire
}=require("./part-65.cjs").part_R3QD6ZDG;const {
  readLimits,
  readRetryAfter,
  untilEpoch,
  waitOf
}=require("./part-104.cjs").part_L3MDBSE5;const {
  systemAlarm,
  systemClock
}=require("./part-104.cjs").part_UL6NKBEB;const {
  openMasking
}=require("./part-82.cjs").part_QI5FGYYL;const {
  version
}=require("./part-80.cjs").part_OT7RGJI3;const { Readable }=require("node:stream");;
;
;
;
;
;

// src/http/client.ts
;

// src/http/faults.ts
var tls = /^(ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO|UND_ERR_PRX_TLS)/;
var connecting = {
  ECONNREFUSED: { what: "the connection was refused", passing: true },
  ENOTFOUND: { what: "the host name is not known", passing: false },
  EAI_AGAIN: { what: "the host name could not be looked up", passing: true },
  EHOSTUNREACH: { what: "there is no route to the host", passing: true },
  ENETUNREACH: { what: "there is no route to the network", passing: true }
};
var beyond = (bound, bounds) => ({
  maxBytes: `the answer is larger than ${bounds.maxBytes} bytes`,
  maxDepth: `the answer is nested deeper than ${bounds.maxDepth} levels`,
  interim: `more than ${bounds.interim} informational (1xx) responses came without a final one`
})[bound] ?? `the answer is beyond ${bound}`;
function faultOf(asked, thrown, origin, bounds) {
  const fault = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = fault.code ?? "";
  const what = `${asked.method} ${asked.path}`;
  const unreachable = (why, passing, hint) => new Unreachable(asked, `cannot reach ${origin}: ${why}`, { passing, hint, cause: fault });
  if (thrown instanceof Exceeded)
    return thrown.bound === "deadline" ? new TimedOut(asked, `${what}: the response was too slow and was abandoned`, {
      sent: true,
      passing: false
    }) : new OutOfBounds(asked, beyond(thrown.bound, bounds));
  if (code === "UND_ERR_HEADERS_OVERFLOW") return new OutOfBounds(asked, "the headers are too long");
  if (code === "UND_ERR_HEADERS_TIMEOUT")
    return new TimedOut(asked, `${what}: no response in time`, { sent: true, cause: fault });
  if (code === "UND_ERR_BODY_TIMEOUT")
    return new TimedOut(asked, `${what}: the response stalled`, { sent: true, cause: fault });
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT" && fault.syscall === "connect")
    return new TimedOut(asked, `cannot reach ${origin}: no connection in time`, {
      sent: false,
      cause: fault
    });
  const known = connecting[code];
  if (known)
    return unreachable(
      `${known.what} (${code})`,
      known.passing,
      "check the base URL, the network and HTTPS_PROXY"
    );
  const proxy = /^Proxy response \((\d+)\)/.exec(fault.message);
  if (proxy)
    return unreachable(
      `the proxy answered ${proxy[1]}`,
      false,
      proxy[1] === "407" ? "the proxy requires credentials: put them in HTTPS_PROXY" : "check HTTPS_PROXY and NO_PROXY"
    );
  if (tls.test(code))
    return unreachable(
      `TLS failed (${code})`,
      false,
      "if a company proxy or private CA signs its certificate, set NODE_EXTRA_CA_CERTS to the CA file"
    );
  if (code === "UND_ERR_CLOSED" || code === "UND_ERR_DESTROYED")
    return unreachable("the connection is already closed", false, "this is a bug in trueup");
  return new ConnectionCut(asked, `${what}: the connection was cut${code ? ` (${code})` : ""}`, fault);
}
var mostIssues = 20;
var object = (value) => typeof value === "object" && value !== null && !Array.isArray(value) ? value : void 0;
var text = (value) => typeof value === "string" && value !== "" ? value : void 0;
var isName = (part) => typeof part === "number" || text(part) !== void 0;
function issuesOf(value) {
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostIssues).map((issue) => {
    const path = object(issue)?.path;
    const parts = (Array.isArray(path) ? path.slice(0, mostIssues) : [path]).filter(isName);
    const message = text(object(issue)?.message);
    return { ...parts.length > 0 ? { parameter: parts.join(".") } : {}, ...message ? { message } : {} };
  });
}
function wait(body, headers, now) {
  const seconds = object(body.retryAfter)?.value ?? body.retryAfter;
  if (typeof seconds === "number" && seconds >= 0) return waitOf(seconds * 1e3);
  const reset = object(body.limit)?.reset;
  return typeof reset === "number" && reset > 0 ? untilEpoch(reset, headers, now) : void 0;
}
function parseError(body, headers, now) {
  const whole = object(body) ?? {};
  const inner = object(whole.error) ?? object(whole.err) ?? whole;
  return {
    code: text(inner.code) ?? text(whole.error) ?? text(whole.code),
    message: text(inner.message) ?? text(whole.error_description) ?? text(whole.message),
    issues: issuesOf(inner.issues ?? whole.issues),
    invalidToken: inner.invalidToken === true,
    retryAfter: wait(inner, headers, now) ?? wait(whole, headers, now)
  };
}
var longest = 1e3;
var mostSeen = 8 * longest;
function plain(text2, mask = (same) => same) {
  const line = mask(text2.slice(0, mostSeen)).replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}
var looksLikeJson = (text2) => /^(\uFEFF|\)\]\}'?,?|\s)*(data:\s*)?["[{]/.test(text2);
function excerpt(text2, mask) {
  const words = mask(text2.slice(0, 2e4)).replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, " ").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return plain(words, mask).slice(0, 80);
}

// src/http/client.ts
var json = "application/json";
var userAgent = `trueup/${version}`;
function found(raw, read2, masking) {
  const type = plain(masking.mask(one(raw.headers["content-type"]) ?? "no content type").split(";")[0]);
  const coding = one(raw.headers["content-encoding"]);
  if (raw.isCut) return "its body is too large";
  if (read2 === "too deep") return "its body is nested too deeply";
  if (coding !== void 0 && coding !== "identity")
    return `its body is compressed (${plain(masking.mask(coding))}), which was not requested`;
  const isCut = looksLikeJson(raw.text) || /\bjson\b/i.test(type);
  const seen = isCut ? `${raw.text.length} characters, not shown` : `"${excerpt(raw.text, masking.mask)}"`;
  return `its body is not JSON (${type}): ${seen}`;
}
var one = (value) => [value].flat()[0];
function redirectTarget(raw, base) {
  const location = one(raw.headers.location);
  if (!location || !URL.canParse(location, base.href)) return "nowhere";
  return new URL(location, base).origin;
}
function reasonOf({ code, message, issues }, masking) {
  const shown = (text2) => text2 && plain(text2, masking.mask);
  const details = issues.map(
    ({ parameter, message: about }) => [parameter && (masking.name(parameter) ?? shown(parameter)), shown(about)].filter(Boolean).join(": ")
  );
  const isOdd = code !== void 0 && masking.name(code) === void 0;
  const parts = [isOdd ? shown(code) : void 0, shown(message), details.filter(Boolean).join("; ")];
  return parts.filter(Boolean).join(": ") || void 0;
}
function read(asked, raw, { base, bounds, now, masking }) {
  const { status, headers } = raw;
  const limits = readLimits(headers, now);
  const body = raw.isCut ? "no JSON" : readJson(raw.text, bounds.maxDepth);
  if (status < 300) {
    if (body === "too deep") throw new OutOfBounds(asked, beyond("maxDepth", bounds));
    if (body === "no JSON") throw new NotJson(asked, status, found(raw, body, masking));
    if (asked.method === "GET" && body.json === void 0 && status !== 204)
      throw new NotJson(asked, status, "its body is empty");
    const etag = one(headers.etag);
    return { status, body: body.json, limits, ...etag === void 0 ? {} : { etag } };
  }
  if (status < 400) throw new Redirected(asked, status, plain(redirectTarget(raw, base), masking.mask));
  const isRead = typeof body === "object";
  const error = parseError(isRead ? body.json : void 0, headers, now);
  const retryAfter = readRetryAfter(headers, now) ?? error.retryAfter;
  throw new HttpError(asked, {
    status,
    code: error.code === void 0 ? void 0 : masking.name(error.code),
    message: reasonOf(error, masking) ?? (isRead ? "no reason given" : found(raw, body, masking)),
    invalidToken: error.invalidToken,
    retryAfter: retryAfter ?? (status === 429 ? limits?.resetIn : void 0),
    // A 429 says that nothing remains, whatever else it says.
    limits: status === 429 ? { ...limits, remaining: 0, resetIn: retryAfter ?? limits?.resetIn } : limits
  });
}
async function* toTheEnd({ parts, end }, failed) {
  try {
    yield* parts;
  } catch (error) {
    throw failed(error);
  } finally {
    end();
  }
}
function openClient(options) {
  const { baseUrl, token, env = {}, clock = systemClock, alarm = systemAlarm, onExchange } = options;
  const { masking = openMasking() } = options;
  masking.know(token);
  const bounds = { ...standardBounds, ...options.bounds };
  const dispatcher = openDispatcher(baseUrl, bounds, env);
  const prefix = baseUrl.pathname.replace(/\/+$/, "");
  const requestOf = (filled, body, headers) => ({
    origin: baseUrl.origin,
    path: prefix + filled.path,
    method: filled.method,
    headers: { ...headers, authorization: `Bearer ${token.reveal()}`, "user-agent": userAgent },
    body
  });
  const askedOf = ({ method, shown }) => ({ method, path: shown.split("?")[0] });
  async function attempted(filled, { attempt, secrets, body }, send) {
    for (const secret of [...filled.secrets, ...secrets]) masking.know(secret);
    const start = performance.now();
    let status;
    try {
      const answer = await send();
      status = answer.status;
      return answer;
    } catch (error) {
      throw faultOf(askedOf(filled), error, baseUrl.origin, bounds);
    } finally {
      onExchange?.({
        method: filled.method,
        path: filled.shown,
        status,
        milliseconds: performance.now() - start,
        attempt,
        ...body === void 0 ? {} : { body }
      });
    }
  }
  const readingNow = () => ({ base: baseUrl, bounds, now: clock.now(), masking });
  return {
    async call(filled, body, attempt) {
      const wire = body === void 0 ? void 0 : toWire(body);
      const headers = { accept: json, ...wire ? { "content-type": wire.type } : {} };
      const raw = await attempted(
        filled,
        { attempt, secrets: wire?.secrets ?? [], body },
        () => exchange(dispatcher, requestOf(filled, wire?.content, headers), bounds, alarm)
      );
      return read(askedOf(filled), raw, readingNow());
    },
    async open(filled, { body, headers, secrets = [] }, attempt) {
      const asked = askedOf(filled);
      const failed = (error) => faultOf(asked, error, baseUrl.origin, bounds);
      const asFault = (error) => {
        throw failed(error);
      };
      const whole = body === void 0 || typeof body === "string" ? body : Readable.from(body);
      const opened = await attempted(
        filled,
        { attempt, secrets },
        () => openExchange(dispatcher, requestOf(filled, whole, headers), bounds, alarm)
      );
      if (opened.status >= 300) read(asked, await collected(opened, bounds).catch(asFault), readingNow());
      const limits = readLimits(opened.headers, clock.now());
      const { status, headers: said } = opened;
      return { status, headers: said, parts: toTheEnd(opened, failed), ...limits ? { limits } : {} };
    },
    // What is still under way belongs to a run that was stopped.
    close: () => dispatcher.destroy()
  };
}

// src/http/retry.ts
var standardMaxWait = 15 * 6e4;
var firstBackoff = 500;
var longestBackoff = 2e4;
async function retry(method, once, options = {}) {
  const { clock = systemClock, random = Math.random, maxWait = standardMaxWait, onWait } = options;
  const { attempts = 5, limitedAttempts = 20, late = [], lateAttempts = 8 } = options;
  let faults = 0;
  let limited = 0;
  let tooEarly = 0;
  let waited = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(attempt);
    } catch (error) {
      if (!(error instanceof RequestError) || error instanceof RateLimited) throw error;
      const isLate = error instanceof HttpError && late.includes(error.code);
      if (!isLate && (!error.passing || method !== "GET" && error.sent)) throw error;
      const isLimit = error instanceof HttpError && error.status === 429;
      const failures = isLate ? ++tooEarly : isLimit ? ++limited : ++faults;
      if (failures >= (isLate ? lateAttempts : isLimit ? limitedAttempts : attempts)) throw error;
      const backoff = random() * Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
      const wait2 = error instanceof HttpError && error.retryAfter || backoff;
      if (isLimit) waited += wait2;
      const bucket = options.bucket ?? `${method} ${error.path}`;
      if (wait2 > maxWait || waited > maxWait) {
        if (!isLimit) throw error;
        throw new RateLimited(error, { bucket, until: clock.now() + wait2 }, { wait: wait2, maxWait });
      }
      if (wait2 > 1e3)
        onWait?.({
          seconds: Math.ceil(wait2 / 1e3),
          ...isLimit ? { reason: `rate limit of ${bucket}` } : { reason: error.message, again: true }
        });
      await clock.sleep(wait2);
    }
  }
}
function announceOnce(onWait, clock) {
  const until = /* @__PURE__ */ new Map();
  return (wait2) => {
    const end = clock.now() + wait2.seconds * 1e3;
    if (end <= (until.get(wait2.reason) ?? 0) + 1e3) return;
    until.set(wait2.reason, end);
    onWait?.(wait2);
  };
}

return{openClient:openClient,standardMaxWait:standardMaxWait,retry:retry,announceOnce:announceOnce};})();exports.part_2VIBQK6O=part_2VIBQK6O;
