"use strict";const part_L3MDBSE5=(()=>{// src/http/bucket.ts
var sameWindow = 1500;
var shortPause = 1e3;
var unknownBucket = () => ({
  inFlight: 0,
  reserved: /* @__PURE__ */ new Set(),
  limit: Infinity,
  remaining: Infinity
});
function renew(bucket, now) {
  if (bucket.resetAt === void 0 || bucket.resetAt > now) return;
  bucket.remaining = bucket.limit;
  bucket.resetAt = void 0;
}
function learn(bucket, limits, now) {
  renew(bucket, now);
  if (limits?.limit) bucket.limit = limits.limit;
  if (limits?.remaining === void 0) {
    if (bucket.resetAt !== void 0) bucket.remaining = Math.max(0, bucket.remaining - 1);
    return;
  }
  const { remaining } = limits;
  const resetIn = limits.resetIn ?? (remaining === 0 ? shortPause : void 0);
  if (resetIn === void 0) return;
  const resetAt = now + resetIn;
  const known = bucket.resetAt;
  const same = known !== void 0 && Math.abs(resetAt - known) <= sameWindow;
  if (known !== void 0 && !same && resetAt < known) return;
  bucket.remaining = same ? Math.min(bucket.remaining, remaining) : remaining;
  bucket.resetAt = same ? Math.max(known, resetAt) : resetAt;
}
function roomIn({ remaining, resetAt, reserved }, isReserved) {
  if (isReserved) return remaining;
  return remaining - (resetAt === void 0 ? Math.min(reserved.size, remaining - 1) : reserved.size);
}
var one = (value) => Array.isArray(value) ? value[0] : value;
function count(value) {
  const text = one(value)?.trim();
  return text && /^\d+(\.\d+)?$/.test(text) ? Number(text) : void 0;
}
var day = 24 * 36e5;
var waitOf = (milliseconds) => Math.min(Math.max(0, milliseconds), 365 * day);
function serverTime(headers, now) {
  const date = Date.parse(one(headers.date) ?? "");
  return Math.abs(date - now) < day ? date : now;
}
var secondsOf = (epoch) => epoch > 1e11 ? epoch / 1e3 : epoch;
var untilEpoch = (epoch, headers, now) => waitOf(secondsOf(epoch) * 1e3 - serverTime(headers, now));
function readLimits(headers, now) {
  const limit = count(headers["x-ratelimit-limit"]);
  const remaining = count(headers["x-ratelimit-remaining"]);
  const reset = count(headers["x-ratelimit-reset"]);
  if (limit === void 0 && remaining === void 0 && reset === void 0) return void 0;
  return {
    limit,
    remaining,
    ...reset === void 0 ? {} : { resetIn: untilEpoch(reset, headers, now), window: secondsOf(reset) }
  };
}
function readRetryAfter(headers, now) {
  const exact = count(headers["retry-after-ms"]);
  if (exact !== void 0) return waitOf(exact);
  const seconds = count(headers["retry-after"]);
  if (seconds !== void 0) return waitOf(seconds * 1e3);
  const date = one(headers["retry-after"]);
  if (date === void 0 || !/^[A-Z][a-z]/.test(date)) return void 0;
  const time = Date.parse(date);
  return Number.isNaN(time) ? void 0 : waitOf(time - serverTime(headers, now));
}

return{sameWindow:sameWindow,shortPause:shortPause,unknownBucket:unknownBucket,renew:renew,learn:learn,roomIn:roomIn,waitOf:waitOf,untilEpoch:untilEpoch,readLimits:readLimits,readRetryAfter:readRetryAfter};})();exports.part_L3MDBSE5=part_L3MDBSE5;
const part_UL6NKBEB=(()=>{const { setTimeout }=require("node:timers/promises");// src/http/clock.ts
;
var longest = 2 ** 31 - 1;
var systemClock = {
  now: Date.now,
  sleep: (milliseconds) => setTimeout(Math.min(milliseconds, longest))
};
var systemAlarm = (milliseconds, ring) => {
  const timer = globalThis.setTimeout(ring, Math.min(milliseconds, longest));
  timer.unref();
  return () => clearTimeout(timer);
};

return{systemClock:systemClock,systemAlarm:systemAlarm};})();exports.part_UL6NKBEB=part_UL6NKBEB;
