"use strict";const part_75CU3BB5=(()=>{const {
  catalog
}=require("./part-109.cjs").part_U53GDJH2;require("./part-90.cjs").part_XRTKEBJF;const {
  ZodArray,
  ZodDefault,
  ZodEnum,
  ZodOptional,
  _enum,
  _null,
  array,
  boolean,
  custom,
  discriminatedUnion,
  int,
  literal,
  looseObject,
  number,
  object,
  partialRecord,
  record,
  strictObject,
  string,
  toJSONSchema,
  union,
  unknown
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  require_lib
}=require("./part-92.cjs").part_BFXFO44Z;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { isIP }=require("node:net");const { createHash }=require("node:crypto");const { createHash:createHash2 }=require("node:crypto");const { isDeepStrictEqual }=require("node:util");const { createHash:createHash3 }=require("node:crypto");const { createHash:createHash4 }=require("node:crypto");const { createPrivateKey, X509Certificate }=require("node:crypto");const { isIPv4, isIPv6 }=require("node:net");const { createHash:createHash5 }=require("node:crypto");const { createHash:createHash6 }=require("node:crypto");const { isDeepStrictEqual:isDeepStrictEqual2 }=require("node:util");const { createHash:createHash7 }=require("node:crypto");const { hash }=require("node:crypto");const { createHash:createHash8 }=require("node:crypto");const { createHash:createHash9 }=require("node:crypto");const { createServer }=require("node:http");const { setTimeout }=require("node:timers/promises");const { createHash:createHash10 }=require("node:crypto");const { createHash:createHash11, timingSafeEqual }=require("node:crypto");const { existsSync, mkdirSync, readFileSync }=require("node:fs");const { dirname }=require("node:path");;
;
;
;
;

// providers/hosting/twin/validate.ts
;

// providers/hosting/twin/errors.ts
var ApiError = class extends Error {
  status;
  code;
  /** Further members of the error object: ENV_CONFLICT has envVarKey, a DNS conflict has oldId. */
  extra;
  constructor(status2, code, message, extra2 = {}) {
    super(message);
    this.status = status2;
    this.code = code;
    this.extra = extra2;
  }
};
function badRequest(message, extra2) {
  return new ApiError(400, "bad_request", message, extra2);
}
function forbidden(message, extra2) {
  return new ApiError(403, "forbidden", message, extra2);
}
function notFound(what) {
  return new ApiError(404, "not_found", `${what} was not found.`);
}
function conflict(message) {
  return new ApiError(409, "conflict", message);
}
function notImplemented(what) {
  return new ApiError(501, "not_implemented_by_twin", `The twin does not implement ${what}.`);
}
function errorBody(error, style) {
  const body4 = { code: error.code, message: error.message, ...error.extra };
  if (style === "registrar") return { status: error.status, ...body4 };
  return style === "unwrapped" ? body4 : { error: body4 };
}

// providers/hosting/twin/outside.ts
function countOutside(list10, found) {
  const same2 = ({ method, path: path3, member, was }) => `${method} ${path3} ${member} ${was}`;
  const known2 = list10.find((one) => same2(one) === same2(found));
  if (known2 === void 0) list10.push({ ...found, count: 1 });
  else known2.count += 1;
}
var placeOf = (path3) => path3.reduce(
  (text4, part) => typeof part === "number" ? `${text4}[]` : text4 === "" ? String(part) : `${text4}.${String(part)}`,
  ""
);
var objectAt = (value3, path3) => {
  const found = path3.reduce(
    (at2, part) => typeof at2 === "object" && at2 !== null ? at2[part] : void 0,
    value3
  );
  return typeof found === "object" && found !== null ? found : void 0;
};
function leftOut(issues, body4, above) {
  const found = [];
  for (const issue of issues) {
    const path3 = [...above, ...issue.path];
    const last = path3.at(-1);
    if (issue.code === "unrecognized_keys") {
      found.push(...issue.keys.map((key3) => ({ path: [...path3, key3], was: "unknown member" })));
    } else if (typeof last === "string" && objectAt(body4, path3.slice(0, -1))?.[last] === null) {
      found.push({ path: path3, was: "null" });
    } else if (issue.code === "invalid_union") {
      const options = issue.errors.map((errors) => leftOut(errors, body4, path3)).filter((option) => option !== void 0 && option.length > 0);
      if (options.length === 0) return void 0;
      found.push(...options.reduce((least, option) => option.length < least.length ? option : least));
    } else return void 0;
  }
  return found;
}
function parseLeniently(schema2, body4, { note: note2, isKept: isKept2 }) {
  let result = schema2.safeParse(body4);
  if (result.success) return result;
  const all5 = [];
  const rest = structuredClone(body4);
  while (!result.success) {
    const found = leftOut(result.error.issues, rest, []);
    if (found === void 0) return result;
    for (const { path: path3, was } of found) {
      const holder = objectAt(rest, path3.slice(0, -1));
      if (holder === void 0 || !Object.hasOwn(holder, path3.at(-1))) return result;
      all5.push({ path: path3, was, value: holder[path3.at(-1)] });
      delete holder[path3.at(-1)];
    }
    result = schema2.safeParse(rest);
  }
  for (const { path: path3, was, value: value3 } of all5) {
    note2(placeOf(path3), was);
    const holder = objectAt(result.data, path3.slice(0, -1));
    if (was === "null" || holder === void 0 || isTwinsOwn(path3, isKept2)) continue;
    Object.defineProperty(holder, path3.at(-1), {
      value: value3,
      enumerable: true,
      configurable: true,
      writable: true
    });
  }
  return result;
}
var own = new Set(
  "id uid ruleId name slug key type ownerId accountId teamId userId projectId projectIds apexName creator createdAt updatedAt deletedAt disabledAt createdBy updatedBy created updated version versions revision active archived deleted draft outside records items tokens members link security verified verification boughtAt expiresAt system configurationId history schema definition currentSpend serviceType nameservers".split(
    " "
  )
);
var isTwinsOwn = (path3, isKept2) => {
  const name4 = String(path3[0]);
  return path3.at(-1) === "__proto__" || path3.length === 1 && (own.has(name4) || isKept2(name4));
};
function assignKnown(object2, fields3, isKnown) {
  for (const [field, value3] of Object.entries(fields3)) {
    if (isKnown(field)) Object.assign(object2, { [field]: value3 });
    else object2.outside = { ...object2.outside, [field]: value3 };
  }
}
function shownOf(object2, fields3) {
  const listed2 = fields3.filter((field) => Object.hasOwn(object2, field));
  return { ...object2.outside, ...Object.fromEntries(listed2.map((field) => [field, object2[field]])) };
}

// providers/hosting/twin/validate.ts
function place(path3) {
  return path3.map((part, i) => typeof part === "number" ? `[${part}]` : (i > 0 ? "." : "") + String(part)).join("");
}
function valueAt(input, path3) {
  let value3 = input;
  for (const part of path3) value3 = value3?.[part];
  return value3;
}
function describeIssue(issue, input) {
  const at2 = place(issue.path);
  const name4 = at2 === "" ? "body" : `\`${at2}\``;
  if (issue.code === "unrecognized_keys") {
    const where2 = at2 === "" ? "" : `${name4} `;
    return `Invalid request: ${where2}should NOT have additional property \`${issue.keys[0]}\`.`;
  }
  if (issue.path.length > 0 && valueAt(input, issue.path) === void 0) {
    return `Invalid request: missing required property ${name4}.`;
  }
  if (issue.code === "invalid_type") return `Invalid request: ${name4} should be ${issue.expected}.`;
  if (issue.code === "invalid_value") {
    return `Invalid request: ${name4} should be equal to one of the allowed values ${issue.values.map((v) => JSON.stringify(v)).join(", ")}.`;
  }
  if (issue.code === "too_big") return `Invalid request: ${name4} should NOT be more than ${issue.maximum}.`;
  if (issue.code === "too_small") return `Invalid request: ${name4} should NOT be less than ${issue.minimum}.`;
  if (issue.code === "invalid_union")
    return `Invalid request: ${name4} should match one of the allowed shapes.`;
  return `Invalid request: ${name4} ${issue.message}.`;
}
function parseBody(schema2, body4, leniency) {
  const result = leniency === void 0 ? schema2.safeParse(body4) : parseLeniently(schema2, body4, leniency);
  if (result.success) return result.data;
  throw badRequest(describeIssue(result.error.issues[0], body4));
}
function isAscii(text4) {
  return /^[\x21-\x7e]*$/.test(text4);
}
function isHttpUrl(text4) {
  return /^https?:\/\//i.test(text4) && URL.canParse(text4);
}
function isDomainName(text4) {
  const labels = text4.replace(/\.$/, "").split(".");
  return text4.length <= 254 && labels.length > 1 && isIP(text4) === 0 && labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label));
}
function isIpBlock(text4) {
  const [address = "", bits, ...rest] = text4.split("/");
  const version3 = isIP(address);
  if (version3 === 0 || rest.length > 0) return false;
  if (bits === void 0) return true;
  const [least, most2] = version3 === 4 ? [16, 32] : [48, 128];
  return /^\d+$/.test(bits) && Number(bits) >= least && Number(bits) <= most2;
}
function lower(text4) {
  return text4.toLowerCase();
}
function apexOf(name4) {
  const labels = name4.split(".");
  const long = /^(co|com|org|net|gov|ac|edu)$/.test(labels.at(-2) ?? "") && (labels.at(-1) ?? "").length === 2;
  return labels.slice(long ? -3 : -2).join(".");
}
var strings = array(string());
function changesOf({ shape: shape2 }) {
  const optional2 = Object.entries(shape2).map(([name4, one]) => {
    const inner = one instanceof ZodDefault ? one.unwrap() : one;
    return [name4, inner.optional()];
  });
  return strictObject(Object.fromEntries(optional2));
}

// providers/hosting/twin/faults/fault-problems.ts
var FaultPlanError = class extends Error {
  problems;
  constructor(problems) {
    super(`The fault plan is not valid:
${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
};
var unknownKeys = (issues) => issues.flatMap((issue) => issue.code === "unrecognized_keys" ? issue.keys : []).length;
function nearest(errors) {
  const unknown2 = errors.map(unknownKeys);
  const best = errors.filter((_, i) => unknown2[i] === Math.min(...unknown2));
  return best.length === 1 ? best[0] : void 0;
}
var describe = (issue, input) => describeIssue(issue, input).replace(/^Invalid request: (body )?/, "").replace(/\.$/, "");
function problemsIn(issues, input) {
  return issues.flatMap((issue) => {
    const { path: path3 } = issue;
    const custom2 = (message) => [describe({ code: "custom", path: path3, message, input }, input)];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key3) => describe({ ...issue, keys: [key3] }, input));
    if (issue.code !== "invalid_union") return [describe(issue, input)];
    if ("options" in issue && issue.errors.length === 0)
      return custom2(`should be one of ${issue.options.join(", ")}`);
    const inner = nearest(issue.errors);
    if (inner === void 0)
      return custom2("should be {request}, {every}, {operation} with or without {nth}, or {seed, share}");
    return problemsIn(
      inner.map((one) => ({ ...one, path: [...path3, ...one.path] })),
      input
    );
  });
}

// providers/hosting/twin/account.ts
;
var alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
function makeId(account, prefix, length) {
  account.made += 1;
  const digest2 = createHash("sha512").update(`${prefix}${account.made}`).digest();
  return prefix + [...digest2.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join("");
}
function tick(account, now) {
  account.lastTime = Math.max(now(), account.lastTime + 1);
  return account.lastTime;
}
function findOwner(account, idOrSlug) {
  if (idOrSlug === null || idOrSlug === "") return { id: account.user.id };
  const team2 = account.teams.find((team3) => team3.id === idOrSlug || team3.slug === idOrSlug);
  return team2 && { id: team2.id, team: team2 };
}

// providers/hosting/twin/call.ts
var makingFor = (world, owner) => ({
  account: world.account,
  switches: world.switches,
  now: world.now,
  emptyProject: world.emptyProject,
  owner,
  id: (prefix, length = 24) => makeId(world.account, prefix, length),
  time: () => tick(world.account, world.now)
});
function times({ time }) {
  const at2 = time();
  return { createdAt: at2, updatedAt: at2 };
}
var stamped = (making, prefix, length) => ({
  id: making.id(prefix, length),
  ...times(making)
});
var Answer = class {
  status;
  body;
  headers;
  constructor(status2, body4, headers2 = {}) {
    this.status = status2;
    this.body = body4;
    this.headers = headers2;
  }
};

// raw:providers/hosting/twin/documented.json
var documented_default = '{\n  "recordEvents": {\n    "body": {\n      "type": "array",\n      "items": {\n        "type": "object",\n        "properties": {\n          "sessionId": { "type": "string" },\n          "source": { "enum": ["LOCAL", "REMOTE"] },\n          "event": { "enum": ["HIT", "MISS"] },\n          "hash": { "type": "string" },\n          "duration": { "type": "number" }\n        },\n        "required": ["event", "hash", "sessionId", "source"],\n        "additionalProperties": false\n      }\n    },\n    "statuses": [402, 410]\n  },\n  "status": {\n    "answer": { "type": "object", "properties": { "status": { "type": "string" } } },\n    "statuses": [402, 410]\n  },\n  "downloadArtifact": { "answer": { "x-bytes": true }, "statuses": [402, 410] },\n  "uploadArtifact": {\n    "body": { "x-bytes": true },\n    "answer": { "type": "object", "properties": { "urls": { "type": "array" } } },\n    "statuses": [202, 402, 410]\n  },\n  "artifactExists": { "statuses": [402, 410] },\n  "artifactQuery": {\n    "body": {\n      "type": "object",\n      "properties": { "hashes": { "type": "array", "items": { "type": "string" } } },\n      "required": ["hashes"],\n      "additionalProperties": false\n    },\n    "answer": { "type": "object" },\n    "statuses": [402, 410]\n  },\n  "deleteAllArtifacts": {\n    "answer": { "type": "object", "properties": { "deletedCount": { "type": "number" } } },\n    "statuses": [410]\n  },\n  "listBillingCharges": {\n    "answer": { "x-bytes": true },\n    "statuses": [500, 503],\n    "query": { "from": "string", "to": "string" },\n    "requires": ["from", "to"]\n  },\n  "listContractCommitments": { "answer": { "x-bytes": true } },\n  "buyCredits": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "item": {\n          "type": "object",\n          "properties": {\n            "type": { "enum": ["credits"] },\n            "creditType": { "enum": ["v0", "gateway", "agent"] },\n            "amount": { "type": "integer" }\n          },\n          "required": ["amount", "creditType", "type"],\n          "additionalProperties": false\n        }\n      },\n      "required": ["item"],\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": { "checkoutSessionId": { "type": "string" }, "checkoutSessionUrl": { "type": "string" } }\n    },\n    "statuses": [402, 409, 410, 500],\n    "query": { "source": "string" }\n  },\n  "listCheckRuns": {\n    "answer": { "type": "object", "properties": { "runs": { "type": "array" } } },\n    "statuses": [410, 500]\n  },\n  "listDeploymentCheckRuns": {\n    "answer": { "type": "object", "properties": { "runs": { "type": "array" } } },\n    "statuses": [410, 500]\n  },\n  "createDeploymentCheckRun": {\n    "body": {\n      "type": "object",\n      "properties": { "checkId": { "type": "string" } },\n      "required": ["checkId"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "createdAt": { "type": "number" },\n        "deploymentId": { "type": "string" },\n        "id": { "type": "string" },\n        "name": { "type": "string" },\n        "ownerId": { "type": "string" },\n        "status": { "enum": ["completed"] },\n        "timeout": { "type": "number" },\n        "updatedAt": { "type": "number" },\n        "checkId": { "type": "string" },\n        "source": {\n          "type": "object",\n          "properties": { "integrationConfigurationId": {}, "integrationId": {}, "kind": {} }\n        }\n      }\n    },\n    "statuses": [410, 500]\n  },\n  "getDeploymentCheckRun": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "createdAt": { "type": "number" },\n        "deploymentId": { "type": "string" },\n        "id": { "type": "string" },\n        "name": { "type": "string" },\n        "ownerId": { "type": "string" },\n        "status": { "enum": ["completed"] },\n        "timeout": { "type": "number" },\n        "updatedAt": { "type": "number" },\n        "checkId": { "type": "string" },\n        "source": {\n          "type": "object",\n          "properties": { "integrationConfigurationId": {}, "integrationId": {}, "kind": {} }\n        }\n      }\n    },\n    "statuses": [410, 500]\n  },\n  "updateDeploymentCheckRun": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "externalId": { "type": "string" },\n        "externalUrl": { "type": "string" },\n        "status": { "enum": ["queued", "running", "completed"] },\n        "output": { "type": "object" },\n        "completedAt": { "type": "number" },\n        "conclusion": { "enum": ["canceled", "skipped", "timeout", "failed", "neutral", "succeeded"] },\n        "conclusionText": { "type": "string" }\n      },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "createdAt": { "type": "number" },\n        "deploymentId": { "type": "string" },\n        "id": { "type": "string" },\n        "name": { "type": "string" },\n        "ownerId": { "type": "string" },\n        "status": { "enum": ["completed"] },\n        "timeout": { "type": "number" },\n        "updatedAt": { "type": "number" },\n        "checkId": { "type": "string" },\n        "source": {\n          "type": "object",\n          "properties": { "integrationConfigurationId": {}, "integrationId": {}, "kind": {} }\n        }\n      }\n    },\n    "statuses": [410, 413, 500]\n  },\n  "POST /v1/connect/connectors/{connector}/managed/eject": { "isGuess": true },\n  "getConnectorToken": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "subject": {\n          "anyOf": [\n            {\n              "type": "object",\n              "properties": { "type": { "enum": ["app"] } },\n              "required": ["type"],\n              "additionalProperties": false\n            },\n            {\n              "type": "object",\n              "properties": {\n                "type": { "enum": ["user"] },\n                "id": { "type": "string" },\n                "issuer": { "type": "string" }\n              },\n              "required": ["type"],\n              "additionalProperties": false\n            },\n            {\n              "type": "object",\n              "properties": {\n                "type": { "enum": ["jwt-bearer"] },\n                "sub": { "type": "string" },\n                "iss": { "type": "string" },\n                "aud": { "type": "string" },\n                "additionalClaims": { "type": "object", "additionalProperties": {} }\n              },\n              "required": ["type"],\n              "additionalProperties": false\n            },\n            {\n              "type": "object",\n              "properties": { "type": { "type": "string" } },\n              "required": ["type"],\n              "additionalProperties": false\n            }\n          ]\n        },\n        "installationId": { "type": "string" },\n        "audience": { "type": "array", "items": { "type": "string" } },\n        "scopes": { "type": "array", "items": { "type": "string" } },\n        "resources": { "type": "array", "items": { "type": "string" } },\n        "authorizationDetails": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": { "type": { "type": "string" } },\n            "additionalProperties": false\n          }\n        },\n        "validityBufferMs": { "type": "number" }\n      },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "token": { "type": "string" },\n        "expiresAt": { "type": "number" },\n        "connector": {\n          "type": "object",\n          "properties": {\n            "id": { "type": "string" },\n            "uid": { "type": "string" },\n            "type": { "type": "string" }\n          }\n        }\n      }\n    },\n    "statuses": [422, 429, 504]\n  },\n  "importConnectorTokens": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "tokens": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": {\n              "accessToken": { "type": "string" },\n              "expiresAt": { "type": "number" },\n              "refreshToken": { "type": "string" },\n              "refreshTokenExpiresAt": { "type": "number" },\n              "subject": {\n                "anyOf": [\n                  {\n                    "type": "object",\n                    "properties": { "type": {} },\n                    "required": ["type"],\n                    "additionalProperties": false\n                  },\n                  {\n                    "type": "object",\n                    "properties": { "type": {}, "id": {}, "issuer": {} },\n                    "required": ["id", "type"],\n                    "additionalProperties": false\n                  }\n                ]\n              },\n              "environment": {\n                "anyOf": [{ "enum": ["development", "preview", "production"] }, { "type": "string" }]\n              },\n              "installationId": { "type": "string" },\n              "audience": { "type": "array", "items": { "type": "string" } },\n              "scopes": { "type": "array", "items": { "type": "string" } },\n              "resources": { "type": "array", "items": { "type": "string" } },\n              "authorizationDetails": {\n                "type": "array",\n                "items": { "type": "object", "properties": { "type": {} }, "additionalProperties": false }\n              },\n              "name": { "type": "string" },\n              "externalSubject": { "type": "string" },\n              "installation": {\n                "type": "object",\n                "properties": { "id": { "type": "string" }, "name": { "type": "string" } },\n                "required": ["id"],\n                "additionalProperties": false\n              },\n              "tenant": {\n                "type": "object",\n                "properties": { "id": { "type": "string" }, "name": { "type": "string" } },\n                "required": ["id"],\n                "additionalProperties": false\n              },\n              "data": { "type": "object", "additionalProperties": {} }\n            },\n            "required": ["accessToken", "environment", "expiresAt", "subject"],\n            "additionalProperties": false\n          }\n        }\n      },\n      "required": ["tokens"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "accepted": { "type": "number" },\n        "imported": { "type": "number" },\n        "tokens": { "type": "array" }\n      }\n    },\n    "statuses": [410, 422]\n  },\n  "createConnectorAuthorizationRequest": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "subject": {\n          "anyOf": [\n            {\n              "type": "object",\n              "properties": { "type": { "enum": ["app"] } },\n              "required": ["type"],\n              "additionalProperties": false\n            },\n            {\n              "type": "object",\n              "properties": {\n                "type": { "enum": ["user"] },\n                "id": { "type": "string" },\n                "issuer": { "type": "string" }\n              },\n              "required": ["type"],\n              "additionalProperties": false\n            },\n            {\n              "type": "object",\n              "properties": {\n                "type": { "enum": ["jwt-bearer"] },\n                "sub": { "type": "string" },\n                "iss": { "type": "string" },\n                "aud": { "type": "string" },\n                "additionalClaims": { "type": "object", "additionalProperties": {} }\n              },\n              "required": ["type"],\n              "additionalProperties": false\n            },\n            {\n              "type": "object",\n              "properties": { "type": { "type": "string" } },\n              "required": ["type"],\n              "additionalProperties": false\n            }\n          ]\n        },\n        "installationId": { "type": "string" },\n        "audience": { "type": "array", "items": { "type": "string" } },\n        "scopes": { "type": "array", "items": { "type": "string" } },\n        "resources": { "type": "array", "items": { "type": "string" } },\n        "authorizationDetails": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": { "type": { "type": "string" } },\n            "additionalProperties": false\n          }\n        },\n        "validityBufferMs": { "type": "number" },\n        "returnUrl": { "type": "string" },\n        "webhook": { "type": "string" },\n        "prompt": { "type": "string" },\n        "deviceCode": { "type": "boolean" },\n        "expiresInMs": { "type": "number" },\n        "additionalParams": { "type": "object", "additionalProperties": { "type": "string" } }\n      },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "url": { "type": "string" },\n        "request": { "type": "string" },\n        "verifier": { "type": "string" },\n        "expiresAt": { "type": "number" },\n        "connector": {\n          "type": "object",\n          "properties": {\n            "id": { "type": "string" },\n            "uid": { "type": "string" },\n            "type": { "type": "string" },\n            "name": { "type": "string" }\n          }\n        }\n      }\n    }\n  },\n  "createConnectorInstallationRequest": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "installationId": { "type": "string" },\n        "audience": { "type": "array", "items": { "type": "string" } },\n        "scopes": { "type": "array", "items": { "type": "string" } },\n        "resources": { "type": "array", "items": { "type": "string" } },\n        "authorizationDetails": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": { "type": { "type": "string" } },\n            "additionalProperties": false\n          }\n        },\n        "validityBufferMs": { "type": "number" },\n        "returnUrl": { "type": "string" },\n        "webhook": { "type": "string" },\n        "tenantId": { "type": "string" },\n        "deviceCode": { "type": "boolean" },\n        "expiresInMs": { "type": "number" }\n      },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "url": { "type": "string" },\n        "request": { "type": "string" },\n        "verifier": { "type": "string" },\n        "expiresAt": { "type": "number" },\n        "connector": {\n          "type": "object",\n          "properties": {\n            "id": { "type": "string" },\n            "uid": { "type": "string" },\n            "type": { "type": "string" },\n            "displayName": { "type": "string" },\n            "name": { "type": "string" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 422]\n  },\n  "getDeploymentEvents": {\n    "answer": { "type": "array" },\n    "statuses": [410, 500],\n    "query": {\n      "builds": "number",\n      "delimiter": "number",\n      "direction": "string",\n      "follow": "number",\n      "limit": "number",\n      "name": "string",\n      "since": "number",\n      "statusCode": "string",\n      "until": "number"\n    }\n  },\n  "update-integration-deployment-action": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "status": { "enum": ["running", "succeeded", "failed"] },\n        "statusText": { "type": "string" },\n        "statusUrl": { "type": "string" },\n        "outcomes": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": {\n              "kind": { "type": "string" },\n              "secrets": {\n                "type": "array",\n                "items": {\n                  "type": "object",\n                  "properties": { "name": {}, "value": {} },\n                  "required": ["name", "value"],\n                  "additionalProperties": false\n                }\n              }\n            },\n            "required": ["kind", "secrets"],\n            "additionalProperties": false\n          }\n        }\n      },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "statuses": [202, 410]\n  },\n  "cancelDeployment": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "aliasAssigned": { "type": "boolean" },\n        "bootedAt": { "type": "number" },\n        "build": { "type": "object", "properties": { "env": { "type": "array" } } },\n        "buildingAt": { "type": "number" },\n        "buildSkipped": { "type": "boolean" },\n        "createdAt": { "type": "number" },\n        "createdIn": { "type": "string" },\n        "creator": { "type": "object", "properties": { "uid": { "type": "string" } } },\n        "env": { "type": "array" },\n        "id": { "type": "string" },\n        "inspectorUrl": {},\n        "isInConcurrentBuildsQueue": { "type": "boolean" },\n        "isInSystemBuildsQueue": { "type": "boolean" },\n        "meta": { "type": "object" },\n        "name": { "type": "string" },\n        "ownerId": { "type": "string" },\n        "plan": { "enum": ["enterprise"] },\n        "projectId": { "type": "string" },\n        "projectSettings": {\n          "type": "object",\n          "properties": {\n            "buildCommand": {},\n            "commandForIgnoringBuildStep": {},\n            "devCommand": {},\n            "framework": { "enum": ["actix-web"] },\n            "installCommand": {},\n            "nodeVersion": { "enum": ["10.x"] },\n            "outputDirectory": {},\n            "speedInsights": { "type": "object", "properties": { "id": { "type": "string" } } },\n            "webAnalytics": { "type": "object", "properties": { "id": { "type": "string" } } }\n          }\n        },\n        "public": { "type": "boolean" },\n        "readyState": { "enum": ["BLOCKED"] },\n        "regions": { "type": "array" },\n        "routes": {},\n        "status": { "enum": ["BLOCKED"] },\n        "type": { "enum": ["LAMBDAS"] },\n        "url": { "type": "string" },\n        "version": { "type": "number" }\n      }\n    },\n    "statuses": [410]\n  },\n  "uploadFile": {\n    "body": { "x-bytes": true },\n    "answer": { "type": "object", "properties": { "urls": { "type": "array" } } },\n    "statuses": [410, 426]\n  },\n  "listDeploymentFiles": { "answer": { "type": "array" }, "statuses": [410] },\n  "getDeploymentFileContents": { "statuses": [410], "query": { "path": "string" } },\n  "replaceDomainsByDomainRecords": {\n    "answer": { "type": "object", "properties": { "recordIds": { "type": "array" } } },\n    "statuses": [409, 410, 415]\n  },\n  "createObservabilityQuery": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "metric": { "type": "string" },\n        "scope": { "type": "object" },\n        "aggregation": { "type": "string" },\n        "groupBy": { "type": "array", "items": { "type": "string" } },\n        "filter": { "type": "string" },\n        "limit": { "type": "number" },\n        "orderBy": { "type": "string" },\n        "orderDirection": { "enum": ["asc", "desc"] },\n        "granularity": { "type": "object" },\n        "startTime": { "type": "string" },\n        "endTime": { "type": "string" },\n        "bucketTimezone": { "type": "string" }\n      },\n      "required": ["metric", "scope"],\n      "additionalProperties": {}\n    },\n    "optional": true,\n    "answer": { "type": "object" },\n    "statuses": [402, 408, 410, 413, 422, 500, 503]\n  },\n  "getObservabilitySchema": {\n    "answer": { "type": "object", "properties": { "metrics": { "type": "array" } } },\n    "statuses": [410]\n  },\n  "getObservabilitySchemaByMetricId": { "answer": { "type": "array" }, "statuses": [410] },\n  "searchDomains": {\n    "body": {\n      "type": "object",\n      "properties": { "domains": { "type": "array", "items": { "type": "string" } } },\n      "required": ["domains"],\n      "additionalProperties": false\n    },\n    "answer": { "type": "object", "properties": { "results": { "type": "array" } } },\n    "statuses": [429, 500]\n  },\n  "getSupportedTlds": { "answer": { "type": "array" }, "statuses": [429, 500] },\n  "getTld": {\n    "answer": { "type": "object", "properties": { "supportedLanguageCodes": { "type": "object" } } },\n    "statuses": [429, 500]\n  },\n  "getTldPrice": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "years": { "type": "number" },\n        "purchasePrice": { "type": "number" },\n        "renewalPrice": { "type": "number" },\n        "transferPrice": { "type": "number" }\n      }\n    },\n    "statuses": [429, 500],\n    "query": { "years": "string" }\n  },\n  "getDomainAvailability": {\n    "answer": { "type": "object", "properties": { "available": { "type": "boolean" } } },\n    "statuses": [429, 500]\n  },\n  "getDomainPrice": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "years": { "type": "number" },\n        "purchasePrice": { "type": "number" },\n        "renewalPrice": { "type": "number" },\n        "transferPrice": { "type": "number" }\n      }\n    },\n    "statuses": [429, 500],\n    "query": { "years": "string" }\n  },\n  "getBulkPrice": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "domains": { "type": "array", "items": { "type": "string" } },\n        "years": { "type": "number" }\n      },\n      "required": ["domains"],\n      "additionalProperties": false\n    },\n    "answer": { "type": "object", "properties": { "results": { "type": "array" } } },\n    "statuses": [429, 500]\n  },\n  "getBulkAvailability": {\n    "body": {\n      "type": "object",\n      "properties": { "domains": { "type": "array", "items": { "type": "string" } } },\n      "required": ["domains"],\n      "additionalProperties": false\n    },\n    "answer": { "type": "object", "properties": { "results": { "type": "array" } } },\n    "statuses": [429, 500]\n  },\n  "getContactInfoSchema": { "answer": { "type": "object" }, "statuses": [429, 500] },\n  "getDomainAuthCode": {\n    "answer": { "type": "object", "properties": { "authCode": { "type": "string" } } },\n    "statuses": [409, 429, 500]\n  },\n  "buySingleDomain": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "autoRenew": { "type": "boolean" },\n        "years": { "type": "number" },\n        "expectedPrice": { "type": "number" },\n        "contactInformation": {\n          "type": "object",\n          "properties": {\n            "firstName": { "type": "string" },\n            "lastName": { "type": "string" },\n            "email": { "type": "string" },\n            "phone": { "type": "string" },\n            "address1": { "type": "string" },\n            "address2": { "type": "string" },\n            "city": { "type": "string" },\n            "state": { "type": "string" },\n            "zip": { "type": "string" },\n            "country": { "type": "string" },\n            "companyName": { "type": "string" },\n            "fax": { "type": "string" },\n            "additional": { "type": "object" }\n          },\n          "required": [\n            "address1",\n            "city",\n            "country",\n            "email",\n            "firstName",\n            "lastName",\n            "phone",\n            "state",\n            "zip"\n          ],\n          "additionalProperties": false\n        },\n        "languageCode": { "type": "string" }\n      },\n      "required": ["autoRenew", "contactInformation", "expectedPrice", "years"],\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": { "orderId": { "type": "string" }, "_links": { "type": "object" } }\n    },\n    "statuses": [429, 500]\n  },\n  "buyDomains": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "domains": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": {\n              "domainName": { "type": "string" },\n              "autoRenew": { "type": "boolean" },\n              "years": { "type": "number" },\n              "expectedPrice": { "type": "number" },\n              "languageCode": { "type": "string" }\n            },\n            "required": ["autoRenew", "domainName", "expectedPrice", "years"],\n            "additionalProperties": false\n          }\n        },\n        "contactInformation": {\n          "type": "object",\n          "properties": {\n            "firstName": { "type": "string" },\n            "lastName": { "type": "string" },\n            "email": { "type": "string" },\n            "phone": { "type": "string" },\n            "address1": { "type": "string" },\n            "address2": { "type": "string" },\n            "city": { "type": "string" },\n            "state": { "type": "string" },\n            "zip": { "type": "string" },\n            "country": { "type": "string" },\n            "companyName": { "type": "string" },\n            "fax": { "type": "string" },\n            "additional": { "type": "object" }\n          },\n          "required": [\n            "address1",\n            "city",\n            "country",\n            "email",\n            "firstName",\n            "lastName",\n            "phone",\n            "state",\n            "zip"\n          ],\n          "additionalProperties": false\n        }\n      },\n      "required": ["contactInformation", "domains"],\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": { "orderId": { "type": "string" }, "_links": { "type": "object" } }\n    },\n    "statuses": [429, 500]\n  },\n  "getDomainTransferIn": {\n    "answer": { "type": "object", "properties": { "status": { "enum": ["canceled"] } } },\n    "statuses": [429, 500]\n  },\n  "transferInDomain": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "authCode": { "type": "string" },\n        "autoRenew": { "type": "boolean" },\n        "years": { "type": "number" },\n        "expectedPrice": { "type": "number" },\n        "contactInformation": {\n          "type": "object",\n          "properties": {\n            "firstName": { "type": "string" },\n            "lastName": { "type": "string" },\n            "email": { "type": "string" },\n            "phone": { "type": "string" },\n            "address1": { "type": "string" },\n            "address2": { "type": "string" },\n            "city": { "type": "string" },\n            "state": { "type": "string" },\n            "zip": { "type": "string" },\n            "country": { "type": "string" },\n            "companyName": { "type": "string" },\n            "fax": { "type": "string" }\n          },\n          "required": [\n            "address1",\n            "city",\n            "country",\n            "email",\n            "firstName",\n            "lastName",\n            "phone",\n            "state",\n            "zip"\n          ],\n          "additionalProperties": false\n        }\n      },\n      "required": ["authCode", "autoRenew", "contactInformation", "expectedPrice", "years"],\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": { "orderId": { "type": "string" }, "_links": { "type": "object" } }\n    },\n    "statuses": [429, 500]\n  },\n  "renewDomain": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "years": { "type": "number" },\n        "expectedPrice": { "type": "number" },\n        "contactInformation": {\n          "type": "object",\n          "properties": {\n            "firstName": { "type": "string" },\n            "lastName": { "type": "string" },\n            "email": { "type": "string" },\n            "phone": { "type": "string" },\n            "address1": { "type": "string" },\n            "address2": { "type": "string" },\n            "city": { "type": "string" },\n            "state": { "type": "string" },\n            "zip": { "type": "string" },\n            "country": { "type": "string" },\n            "companyName": { "type": "string" },\n            "fax": { "type": "string" }\n          },\n          "required": [\n            "address1",\n            "city",\n            "country",\n            "email",\n            "firstName",\n            "lastName",\n            "phone",\n            "state",\n            "zip"\n          ],\n          "additionalProperties": false\n        }\n      },\n      "required": ["expectedPrice", "years"],\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": { "orderId": { "type": "string" }, "_links": { "type": "object" } }\n    },\n    "statuses": [429, 500]\n  },\n  "getDomainContactVerification": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "verified": { "const": false },\n        "verifyBy": { "type": "string" },\n        "email": { "type": "string" }\n      }\n    },\n    "statuses": [429, 500]\n  },\n  "getOrder": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "orderId": { "type": "string" },\n        "domains": { "type": "array" },\n        "status": { "enum": ["draft"] }\n      }\n    },\n    "statuses": [429, 500]\n  },\n  "getDomainVerificationRecord": {\n    "answer": {\n      "type": "object",\n      "properties": { "txtRecord": { "type": "string" }, "verificationDomain": { "type": "string" } }\n    },\n    "statuses": [410]\n  },\n  "claimDomainOwnership": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "domain": {\n          "type": "object",\n          "properties": {\n            "boughtAt": {},\n            "createdAt": { "type": "number" },\n            "creator": {\n              "type": "object",\n              "properties": {\n                "email": { "type": "string" },\n                "id": { "type": "string" },\n                "username": { "type": "string" }\n              }\n            },\n            "echMode": { "enum": ["auto"] },\n            "expiresAt": {},\n            "id": { "type": "string" },\n            "intendedNameservers": { "type": "array" },\n            "name": { "type": "string" },\n            "nameservers": { "type": "array" },\n            "serviceType": { "enum": ["external"] },\n            "teamId": {},\n            "userId": { "type": "string" },\n            "verified": { "type": "boolean" }\n          }\n        }\n      }\n    },\n    "statuses": [410]\n  },\n  "invalidateByTags": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "tags": { "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "string" }] },\n        "target": { "enum": ["production", "preview"] }\n      },\n      "required": ["tags"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "statuses": [410],\n    "query": { "projectIdOrName": "string" },\n    "requires": ["projectIdOrName"]\n  },\n  "dangerouslyDeleteByTags": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "revalidationDeadlineSeconds": { "type": "integer" },\n        "tags": { "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "string" }] },\n        "target": { "enum": ["production", "preview"] }\n      },\n      "required": ["tags"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "statuses": [410],\n    "query": { "projectIdOrName": "string" },\n    "requires": ["projectIdOrName"]\n  },\n  "invalidateBySrcImages": {\n    "body": {\n      "type": "object",\n      "properties": { "srcImages": { "type": "array", "items": { "type": "string" } } },\n      "required": ["srcImages"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "statuses": [402, 410],\n    "query": { "projectIdOrName": "string" },\n    "requires": ["projectIdOrName"]\n  },\n  "dangerouslyDeleteBySrcImages": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "revalidationDeadlineSeconds": { "type": "integer" },\n        "srcImages": { "type": "array", "items": { "type": "string" } }\n      },\n      "required": ["srcImages"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "statuses": [402, 410],\n    "query": { "projectIdOrName": "string" },\n    "requires": ["projectIdOrName"]\n  },\n  "getEdgeConfigBackup": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "backup": {\n          "type": "object",\n          "properties": {\n            "digest": { "type": "string" },\n            "items": { "type": "object" },\n            "slug": { "type": "string" },\n            "updatedAt": { "type": "number" }\n          }\n        },\n        "id": { "type": "string" },\n        "lastModified": { "type": "number" },\n        "metadata": {\n          "type": "object",\n          "properties": {\n            "itemsBytes": { "type": "number" },\n            "itemsCount": { "type": "number" },\n            "updatedAt": { "type": "string" },\n            "updatedBy": { "type": "string" }\n          }\n        },\n        "user": {\n          "type": "object",\n          "properties": {\n            "email": { "type": "string" },\n            "id": { "type": "string" },\n            "username": { "type": "string" }\n          }\n        }\n      }\n    },\n    "statuses": [410]\n  },\n  "restoreEdgeConfigBackup": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "digest": { "type": "string" },\n        "previousDigest": { "type": "string" },\n        "restoredFrom": { "type": "string" },\n        "status": { "enum": ["ok"] }\n      }\n    },\n    "statuses": [402, 409, 410, 412]\n  },\n  "getEdgeConfigBackups": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "backups": { "type": "array" },\n        "pagination": { "type": "object", "properties": { "hasNext": { "type": "boolean" } } }\n      }\n    },\n    "statuses": [410],\n    "query": { "limit": "number", "metadata": "string", "next": "string" }\n  },\n  "listEventTypes": {\n    "answer": {\n      "type": "object",\n      "properties": { "categories": { "type": "array" }, "types": { "type": "array" } }\n    },\n    "statuses": [410]\n  },\n  "requestDelete": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "reasons": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": { "slug": { "type": "string" }, "description": { "type": "string" } },\n            "required": ["description", "slug"],\n            "additionalProperties": false\n          }\n        }\n      },\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": {\n        "email": { "type": "string" },\n        "id": { "type": "string" },\n        "message": { "type": "string" }\n      }\n    },\n    "statuses": [202, 402, 410]\n  },\n  "listFlagVersions": {\n    "answer": {\n      "type": "object",\n      "properties": { "pagination": { "type": "object" }, "versions": { "type": "array" } }\n    },\n    "statuses": [304, 402, 410],\n    "query": { "cursor": "string", "environment": "string", "limit": "number", "withMetadata": "boolean" }\n  },\n  "getDeploymentFeatureFlags": {\n    "answer": { "type": "object", "properties": { "flags": { "type": "array" }, "status": {} } },\n    "statuses": [410]\n  },\n  "gitNamespaces": {\n    "answer": { "type": "array" },\n    "statuses": [410, 429, 500],\n    "query": { "host": "string", "provider": "string", "viewerMetadata": "boolean" }\n  },\n  "searchRepo": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "gitAccount": {\n          "type": "object",\n          "properties": { "namespaceId": {}, "provider": { "type": "string" } }\n        },\n        "repos": { "type": "array" }\n      }\n    },\n    "statuses": [410, 429, 500, 502],\n    "query": {\n      "host": "string",\n      "installationId": "string",\n      "namespaceId": "string",\n      "provider": "string",\n      "query": "string"\n    }\n  },\n  "getBillingPlans": {\n    "answer": { "type": "object", "properties": { "plans": { "type": "array" } } },\n    "statuses": [410],\n    "query": { "integrationConfigurationId": "string", "metadata": "string", "source": "string" }\n  },\n  "getConfigurations": {\n    "answer": { "type": "array" },\n    "statuses": [410],\n    "query": { "installationType": "string", "integrationIdOrSlug": "string", "view": "string" },\n    "requires": ["view"]\n  },\n  "deleteConfiguration": { "statuses": [204, 410] },\n  "getConfigurationProducts": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "configuration": { "type": "object", "properties": { "id": { "type": "string" } } },\n        "integration": {\n          "type": "object",\n          "properties": {\n            "id": { "type": "string" },\n            "name": { "type": "string" },\n            "slug": { "type": "string" }\n          }\n        },\n        "products": { "type": "array" }\n      }\n    },\n    "statuses": [410, 500]\n  },\n  "get-account-info": {\n    "answer": { "type": "object", "properties": { "contact": {}, "url": { "type": "string" } } },\n    "statuses": [410]\n  },\n  "get-member": {\n    "answer": {\n      "type": "object",\n      "properties": { "id": { "type": "string" }, "role": { "enum": ["ADMIN"] } }\n    },\n    "statuses": [410]\n  },\n  "rotate-installation-credential": {\n    "body": {\n      "type": "object",\n      "properties": { "client_secret": { "type": "string" }, "client_id": { "type": "string" } },\n      "required": ["client_secret"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "access_token": { "type": "string" },\n        "expires_in": { "type": "number" },\n        "scope": { "type": "string" },\n        "token_type": { "enum": ["oauth2-token"] }\n      }\n    },\n    "statuses": [409, 410]\n  },\n  "revoke-installation-credential": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "token": { "type": "string" },\n        "client_secret": { "type": "string" },\n        "client_id": { "type": "string" }\n      },\n      "required": ["client_secret", "token"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": { "already_revoked": { "type": "boolean" }, "revoked": { "type": "boolean" } }\n    },\n    "statuses": [409, 410]\n  },\n  "create-event": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "event": {\n          "anyOf": [\n            {\n              "type": "object",\n              "properties": {\n                "type": { "const": "installation.updated" },\n                "billingPlanId": { "type": "string" }\n              },\n              "required": ["type"],\n              "additionalProperties": false\n            },\n            {\n              "type": "object",\n              "properties": {\n                "type": { "const": "resource.updated" },\n                "productId": { "type": "string" },\n                "resourceId": { "type": "string" }\n              },\n              "required": ["resourceId", "type"],\n              "additionalProperties": false\n            }\n          ]\n        }\n      },\n      "required": ["event"],\n      "additionalProperties": false\n    },\n    "statuses": [201, 410]\n  },\n  "submit-billing-data": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "timestamp": { "type": "string" },\n        "eod": { "type": "string" },\n        "period": {\n          "type": "object",\n          "properties": { "start": { "type": "string" }, "end": { "type": "string" } },\n          "required": ["end", "start"],\n          "additionalProperties": false\n        },\n        "billing": {\n          "anyOf": [\n            {\n              "type": "object",\n              "properties": {\n                "items": {\n                  "type": "array",\n                  "items": {\n                    "type": "object",\n                    "properties": {\n                      "billingPlanId": {},\n                      "resourceId": {},\n                      "start": {},\n                      "end": {},\n                      "name": {},\n                      "details": {},\n                      "price": {},\n                      "quantity": {},\n                      "units": {},\n                      "total": {}\n                    },\n                    "required": ["billingPlanId", "name", "price", "quantity", "total", "units"],\n                    "additionalProperties": false\n                  }\n                },\n                "discounts": {\n                  "type": "array",\n                  "items": {\n                    "type": "object",\n                    "properties": {\n                      "billingPlanId": {},\n                      "resourceId": {},\n                      "start": {},\n                      "end": {},\n                      "name": {},\n                      "details": {},\n                      "amount": {}\n                    },\n                    "required": ["amount", "billingPlanId", "name"],\n                    "additionalProperties": false\n                  }\n                }\n              },\n              "required": ["items"],\n              "additionalProperties": false\n            },\n            {\n              "type": "array",\n              "items": {\n                "type": "object",\n                "properties": {\n                  "billingPlanId": { "type": "string" },\n                  "resourceId": { "type": "string" },\n                  "start": { "type": "string" },\n                  "end": { "type": "string" },\n                  "name": { "type": "string" },\n                  "details": { "type": "string" },\n                  "price": { "type": "string" },\n                  "quantity": { "type": "number" },\n                  "units": { "type": "string" },\n                  "total": { "type": "string" }\n                },\n                "required": ["billingPlanId", "name", "price", "quantity", "total", "units"],\n                "additionalProperties": false\n              }\n            }\n          ]\n        },\n        "usage": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": {\n              "resourceId": { "type": "string" },\n              "name": { "type": "string" },\n              "type": { "enum": ["total", "interval", "rate"] },\n              "units": { "type": "string" },\n              "dayValue": { "type": "number" },\n              "periodValue": { "type": "number" },\n              "planValue": { "type": "number" }\n            },\n            "required": ["dayValue", "name", "periodValue", "type", "units"],\n            "additionalProperties": false\n          }\n        }\n      },\n      "required": ["billing", "eod", "period", "timestamp", "usage"],\n      "additionalProperties": false\n    },\n    "statuses": [201, 410]\n  },\n  "submit-invoice": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "externalId": { "type": "string" },\n        "invoiceDate": { "type": "string" },\n        "memo": { "type": "string" },\n        "period": {\n          "type": "object",\n          "properties": { "start": { "type": "string" }, "end": { "type": "string" } },\n          "required": ["end", "start"],\n          "additionalProperties": false\n        },\n        "items": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": {\n              "resourceId": { "type": "string" },\n              "billingPlanId": { "type": "string" },\n              "start": { "type": "string" },\n              "end": { "type": "string" },\n              "name": { "type": "string" },\n              "details": { "type": "string" },\n              "price": { "type": "string" },\n              "quantity": { "type": "number" },\n              "units": { "type": "string" },\n              "total": { "type": "string" }\n            },\n            "required": ["billingPlanId", "name", "price", "quantity", "total", "units"],\n            "additionalProperties": false\n          }\n        },\n        "discounts": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": {\n              "resourceId": { "type": "string" },\n              "billingPlanId": { "type": "string" },\n              "start": { "type": "string" },\n              "end": { "type": "string" },\n              "name": { "type": "string" },\n              "details": { "type": "string" },\n              "amount": { "type": "string" }\n            },\n            "required": ["amount", "billingPlanId", "name"],\n            "additionalProperties": false\n          }\n        },\n        "final": { "type": "boolean" },\n        "test": {\n          "type": "object",\n          "properties": {\n            "validate": { "type": "boolean" },\n            "result": { "enum": ["paid", "notpaid", "overdue"] }\n          },\n          "additionalProperties": false\n        }\n      },\n      "required": ["invoiceDate", "items", "period"],\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": {\n        "invoiceId": { "type": "string" },\n        "test": { "type": "boolean" },\n        "validationErrors": { "type": "array" }\n      }\n    },\n    "statuses": [409, 410]\n  },\n  "finalize-installation": { "statuses": [204, 410] },\n  "get-invoice": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "created": { "type": "string" },\n        "invoiceDate": { "type": "string" },\n        "invoiceId": { "type": "string" },\n        "items": { "type": "array" },\n        "period": {\n          "type": "object",\n          "properties": { "end": { "type": "string" }, "start": { "type": "string" } }\n        },\n        "state": { "enum": ["draft"] },\n        "total": { "type": "string" },\n        "updated": { "type": "string" }\n      }\n    },\n    "statuses": [410, 429]\n  },\n  "update-invoice": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "action": { "enum": ["refund"] },\n        "reason": { "type": "string" },\n        "total": { "type": "string" }\n      },\n      "required": ["action", "reason", "total"],\n      "additionalProperties": false\n    },\n    "statuses": [204, 409, 410]\n  },\n  "submit-prepayment-balances": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "timestamp": { "type": "string" },\n        "balances": {\n          "type": "array",\n          "items": {\n            "type": "object",\n            "properties": {\n              "resourceId": { "type": "string" },\n              "credit": { "type": "string" },\n              "nameLabel": { "type": "string" },\n              "currencyValueInCents": { "type": "number" }\n            },\n            "required": ["currencyValueInCents"],\n            "additionalProperties": false\n          }\n        }\n      },\n      "required": ["balances", "timestamp"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "statuses": [201, 410]\n  },\n  "exchange-sso-token": {\n    "body": {\n      "anyOf": [\n        {\n          "type": "object",\n          "properties": {\n            "code": { "type": "string" },\n            "state": { "type": "string" },\n            "client_id": { "type": "string" },\n            "client_secret": { "type": "string" },\n            "redirect_uri": { "type": "string" },\n            "grant_type": { "const": "authorization_code" }\n          },\n          "required": ["client_id", "client_secret", "code", "grant_type"],\n          "additionalProperties": false\n        },\n        {\n          "type": "object",\n          "properties": {\n            "refresh_token": { "type": "string" },\n            "client_id": { "type": "string" },\n            "client_secret": { "type": "string" },\n            "grant_type": { "const": "refresh_token" }\n          },\n          "required": ["client_id", "client_secret", "grant_type", "refresh_token"],\n          "additionalProperties": false\n        }\n      ]\n    },\n    "answer": {\n      "type": "object",\n      "properties": {\n        "access_token": { "type": "string" },\n        "expires_in": { "type": "number" },\n        "id_token": { "type": "string" },\n        "refresh_token": { "type": "string" },\n        "token_type": { "type": "string" }\n      }\n    },\n    "statuses": [500]\n  },\n  "signKmsMessage": {\n    "body": {\n      "type": "object",\n      "properties": { "message": { "type": "string" } },\n      "required": ["message"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "algorithm": { "type": "string" },\n        "keyId": { "type": "string" },\n        "signature": { "type": "string" }\n      }\n    },\n    "statuses": [429]\n  },\n  "signKmsToken": {\n    "body": {\n      "type": "object",\n      "properties": { "claims": { "type": "object" }, "headers": { "type": "object" }, "ttl": {} },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "type": "object", "properties": { "token": { "type": "string" } } },\n    "statuses": [429]\n  },\n  "getRuntimeLogs": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "domain": { "type": "string" },\n        "level": { "enum": ["debug"] },\n        "message": { "type": "string" },\n        "messageTruncated": { "type": "boolean" },\n        "requestMethod": { "type": "string" },\n        "requestPath": { "type": "string" },\n        "responseStatusCode": { "type": "number" },\n        "rowId": { "type": "string" },\n        "source": { "enum": ["delimiter"] },\n        "timestampInMs": { "type": "number" }\n      }\n    },\n    "statuses": [410]\n  },\n  "getMicrofrontendsConfig": {\n    "answer": { "type": "object", "properties": { "config": {} } },\n    "statuses": [410, 500]\n  },\n  "getMicrofrontendsConfigForProject": {\n    "answer": { "type": "object", "properties": { "config": {} } },\n    "statuses": [410, 500]\n  },\n  "generateRoute": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "prompt": { "type": "string" },\n        "currentRoute": {\n          "type": "object",\n          "properties": {\n            "name": { "type": "string" },\n            "description": { "type": "string" },\n            "pathCondition": {\n              "type": "object",\n              "properties": { "value": { "type": "string" }, "syntax": { "type": "string" } },\n              "additionalProperties": false\n            },\n            "conditions": {\n              "type": "array",\n              "items": {\n                "type": "object",\n                "properties": {\n                  "field": { "type": "string" },\n                  "operator": { "type": "string" },\n                  "key": { "type": "string" },\n                  "value": { "type": "string" },\n                  "missing": { "type": "boolean" }\n                },\n                "additionalProperties": false\n              }\n            },\n            "actions": {\n              "type": "array",\n              "items": {\n                "type": "object",\n                "properties": {\n                  "type": { "type": "string" },\n                  "subType": { "type": "string" },\n                  "dest": { "type": "string" },\n                  "status": { "type": "integer" },\n                  "headers": { "type": "array", "items": {} }\n                },\n                "additionalProperties": false\n              }\n            }\n          },\n          "required": ["actions", "pathCondition"],\n          "additionalProperties": false\n        }\n      },\n      "required": ["prompt"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "error": { "type": "string" },\n        "route": {\n          "type": "object",\n          "properties": {\n            "actions": { "type": "array" },\n            "description": { "type": "string" },\n            "name": { "type": "string" },\n            "pathCondition": {\n              "type": "object",\n              "properties": { "syntax": { "enum": ["equals"] }, "value": { "type": "string" } }\n            }\n          }\n        }\n      }\n    },\n    "statuses": [408, 410, 500]\n  },\n  "getProjectTrace": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "trace": {\n          "type": "object",\n          "properties": { "spans": { "type": "array" }, "traceId": { "type": "string" } }\n        }\n      }\n    },\n    "statuses": [410],\n    "query": { "projectId": "string", "requestId": "string" },\n    "requires": ["projectId", "requestId"]\n  },\n  "getProjectToken": {\n    "body": {\n      "type": "object",\n      "properties": { "source": { "type": "string" } },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "type": "object", "properties": { "token": { "type": "string" } } },\n    "statuses": [410]\n  },\n  "createTraceSession": {\n    "body": {\n      "type": "object",\n      "properties": { "projectId": { "type": "string" }, "hostname": { "type": "string" } },\n      "required": ["hostname", "projectId"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "type": "object", "properties": { "token": { "type": "string" } } },\n    "statuses": [410, 422]\n  },\n  "createProjectTransferRequest": {\n    "body": {\n      "type": "object",\n      "properties": { "callbackUrl": { "type": "string" }, "callbackSecret": { "type": "string" } },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "type": "object", "properties": { "code": { "type": "string" } } },\n    "statuses": [409, 410]\n  },\n  "acceptProjectTransferRequest": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "newProjectName": { "type": "string" },\n        "paidFeatures": {\n          "type": "object",\n          "properties": { "concurrentBuilds": {}, "passwordProtection": {}, "previewDeploymentSuffix": {} },\n          "additionalProperties": false\n        },\n        "acceptedPolicies": {\n          "type": "object",\n          "additionalProperties": {\n            "type": "object",\n            "properties": { "eula": { "type": "string" }, "privacy": { "type": "string" } },\n            "required": ["eula", "privacy"],\n            "additionalProperties": { "type": "string" }\n          }\n        }\n      },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "partnerCalls": { "type": "array" },\n        "resourceTransferErrors": { "type": "array" },\n        "transferredStoreIds": { "type": "array" }\n      }\n    },\n    "statuses": [202, 410, 422]\n  },\n  "requestRollback": { "statuses": [201, 402, 409, 410, 422], "query": { "description": "string" } },\n  "updateProjectsByProjectIdRollbackByDeploymentIdUpdateDescription": {\n    "body": {\n      "type": "object",\n      "properties": { "description": { "type": "string" } },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "statuses": [409, 410, 422]\n  },\n  "requestPromote": { "statuses": [201, 202, 409, 410, 422] },\n  "listPromoteAliases": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "aliases": { "type": "array" },\n        "pagination": {\n          "type": "object",\n          "properties": { "count": { "type": "number" }, "next": {}, "prev": {} }\n        }\n      }\n    },\n    "statuses": [410],\n    "query": { "failedOnly": "boolean", "limit": "number", "since": "number", "until": "number" }\n  },\n  "pauseProject": { "statuses": [410, 500] },\n  "unpauseProject": { "statuses": [410, 500] },\n  "getRollingReleaseBillingStatus": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "availableSlots": { "type": "number" },\n        "message": { "type": "string" },\n        "reason": { "const": "plan_not_supported" }\n      }\n    },\n    "statuses": [410]\n  },\n  "getRollingRelease": {\n    "answer": { "type": "object", "properties": { "rollingRelease": {} } },\n    "statuses": [410],\n    "query": { "state": "string" }\n  },\n  "approveRollingReleaseStage": {\n    "body": {\n      "type": "object",\n      "properties": { "nextStageIndex": { "type": "number" }, "canaryDeploymentId": { "type": "string" } },\n      "required": ["canaryDeploymentId", "nextStageIndex"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "type": "object", "properties": { "rollingRelease": {} } },\n    "statuses": [410, 500]\n  },\n  "startRollingRelease": {\n    "body": {\n      "type": "object",\n      "properties": { "canaryDeploymentId": { "type": "string" } },\n      "required": ["canaryDeploymentId"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "type": "object", "properties": { "rollingRelease": {} } },\n    "statuses": [409, 410, 422]\n  },\n  "completeRollingRelease": {\n    "body": {\n      "type": "object",\n      "properties": { "canaryDeploymentId": { "type": "string" } },\n      "required": ["canaryDeploymentId"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "type": "object", "properties": { "rollingRelease": {} } },\n    "statuses": [410]\n  },\n  "listSessionSnapshots": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "pagination": { "type": "object", "properties": { "count": { "type": "number" }, "next": {} } },\n        "snapshots": { "type": "array" }\n      }\n    },\n    "statuses": [410, 429],\n    "query": {\n      "cursor": "string",\n      "limit": "number",\n      "name": "string",\n      "project": "string",\n      "sortOrder": "string"\n    }\n  },\n  "getSessionSnapshot": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "snapshot": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "id": { "type": "string" },\n            "lastUsedAt": { "type": "number" },\n            "sizeBytes": { "type": "number" },\n            "sourceSessionId": { "type": "string" },\n            "status": { "enum": ["created"] },\n            "updatedAt": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 429]\n  },\n  "deleteSessionSnapshot": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "snapshot": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "id": { "type": "string" },\n            "lastUsedAt": { "type": "number" },\n            "sizeBytes": { "type": "number" },\n            "sourceSessionId": { "type": "string" },\n            "status": { "enum": ["created"] },\n            "updatedAt": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 429]\n  },\n  "listSessions": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "pagination": { "type": "object", "properties": { "count": { "type": "number" }, "next": {} } },\n        "sessions": { "type": "array" }\n      }\n    },\n    "statuses": [410, 429, 500],\n    "query": {\n      "cursor": "string",\n      "limit": "number",\n      "name": "string",\n      "project": "string",\n      "sortOrder": "string"\n    }\n  },\n  "getSession": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "routes": { "type": "array" },\n        "session": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "cwd": { "type": "string" },\n            "id": { "type": "string" },\n            "memory": { "type": "number" },\n            "projectId": { "type": "string" },\n            "region": { "type": "string" },\n            "requestedAt": { "type": "number" },\n            "runtime": { "type": "string" },\n            "sourceSandboxName": { "type": "string" },\n            "status": { "enum": ["aborted"] },\n            "timeout": { "type": "number" },\n            "updatedAt": { "type": "number" },\n            "vcpus": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 429, 500]\n  },\n  "listSessionCommands": {\n    "answer": { "type": "object", "properties": { "commands": { "type": "array" } } },\n    "statuses": [410, 429]\n  },\n  "runSessionCommand": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "command": { "type": "string" },\n        "args": { "type": "array", "items": { "type": "string" } },\n        "cwd": { "type": "string" },\n        "env": { "type": "object", "additionalProperties": { "type": "string" } },\n        "sudo": { "type": "boolean" },\n        "wait": { "type": "boolean" }\n      },\n      "required": ["command"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "command": {\n          "type": "object",\n          "properties": {\n            "id": { "type": "string" },\n            "name": { "type": "string" },\n            "args": { "type": "array" },\n            "cwd": { "type": "string" },\n            "sessionId": { "type": "string" },\n            "exitCode": {},\n            "startedAt": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 422]\n  },\n  "getSessionCommand": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "command": {\n          "type": "object",\n          "properties": {\n            "args": { "type": "array" },\n            "cwd": { "type": "string" },\n            "exitCode": {},\n            "id": { "type": "string" },\n            "name": { "type": "string" },\n            "sessionId": { "type": "string" },\n            "startedAt": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 422, 429, 500],\n    "query": { "wait": "string" }\n  },\n  "killSessionCommand": {\n    "body": {\n      "type": "object",\n      "properties": { "signal": { "type": "number" } },\n      "required": ["signal"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "command": {\n          "type": "object",\n          "properties": {\n            "args": { "type": "array" },\n            "cwd": { "type": "string" },\n            "exitCode": {},\n            "id": { "type": "string" },\n            "name": { "type": "string" },\n            "sessionId": { "type": "string" },\n            "startedAt": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 422, 429, 500]\n  },\n  "getSessionCommandLogs": { "answer": { "x-bytes": true }, "statuses": [410, 422] },\n  "stopSession": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "sandbox": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "currentSessionId": { "type": "string" },\n            "name": { "type": "string" },\n            "persistent": { "type": "boolean" },\n            "status": { "enum": ["running"] },\n            "statusUpdatedAt": { "type": "number" },\n            "updatedAt": { "type": "number" }\n          }\n        },\n        "session": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "cwd": { "type": "string" },\n            "id": { "type": "string" },\n            "memory": { "type": "number" },\n            "projectId": { "type": "string" },\n            "region": { "type": "string" },\n            "requestedAt": { "type": "number" },\n            "runtime": { "type": "string" },\n            "sourceSandboxName": { "type": "string" },\n            "status": { "enum": ["aborted"] },\n            "timeout": { "type": "number" },\n            "updatedAt": { "type": "number" },\n            "vcpus": { "type": "number" }\n          }\n        },\n        "snapshot": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "id": { "type": "string" },\n            "lastUsedAt": { "type": "number" },\n            "sizeBytes": { "type": "number" },\n            "sourceSessionId": { "type": "string" },\n            "status": { "enum": ["created"] },\n            "updatedAt": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 422, 429, 500]\n  },\n  "extendSessionTimeout": {\n    "body": {\n      "type": "object",\n      "properties": { "duration": { "type": "number" } },\n      "required": ["duration"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "session": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "cwd": { "type": "string" },\n            "id": { "type": "string" },\n            "memory": { "type": "number" },\n            "projectId": { "type": "string" },\n            "region": { "type": "string" },\n            "requestedAt": { "type": "number" },\n            "runtime": { "type": "string" },\n            "sourceSandboxName": { "type": "string" },\n            "status": { "enum": ["aborted"] },\n            "timeout": { "type": "number" },\n            "updatedAt": { "type": "number" },\n            "vcpus": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 422, 429, 500]\n  },\n  "updateSessionNetworkPolicy": {\n    "body": {\n      "anyOf": [\n        {\n          "type": "object",\n          "properties": {\n            "mode": { "enum": ["allow-all", "deny-all", "custom", "default-allow", "default-deny"] },\n            "allowedDomains": { "type": "array", "items": { "type": "string" } },\n            "allowedCIDRs": { "type": "array", "items": { "type": "string" } },\n            "deniedCIDRs": { "type": "array", "items": { "type": "string" } },\n            "injectionRules": {\n              "type": "array",\n              "items": {\n                "type": "object",\n                "properties": {\n                  "domain": { "type": "string" },\n                  "headers": { "type": "object", "additionalProperties": {} },\n                  "match": {\n                    "type": "object",\n                    "properties": { "path": {}, "method": {}, "queryString": {}, "headers": {} },\n                    "additionalProperties": false\n                  }\n                },\n                "required": ["domain", "headers"],\n                "additionalProperties": false\n              }\n            }\n          },\n          "required": ["mode"],\n          "additionalProperties": false\n        },\n        {\n          "type": "object",\n          "properties": {\n            "allow": {\n              "anyOf": [\n                { "type": "array", "items": { "type": "string" } },\n                { "type": "object", "additionalProperties": { "type": "array", "items": {} } }\n              ]\n            },\n            "subnets": {\n              "type": "object",\n              "properties": {\n                "allow": { "type": "array", "items": { "type": "string" } },\n                "deny": { "type": "array", "items": { "type": "string" } }\n              },\n              "additionalProperties": false\n            }\n          },\n          "additionalProperties": false\n        }\n      ]\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "session": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "cwd": { "type": "string" },\n            "id": { "type": "string" },\n            "memory": { "type": "number" },\n            "projectId": { "type": "string" },\n            "region": { "type": "string" },\n            "requestedAt": { "type": "number" },\n            "runtime": { "type": "string" },\n            "sourceSandboxName": { "type": "string" },\n            "status": { "enum": ["aborted"] },\n            "timeout": { "type": "number" },\n            "updatedAt": { "type": "number" },\n            "vcpus": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [410, 422, 429, 500]\n  },\n  "readSessionFile": {\n    "body": {\n      "type": "object",\n      "properties": { "cwd": { "type": "string" }, "path": { "type": "string" } },\n      "required": ["path"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "x-bytes": true },\n    "statuses": [410, 422, 429, 500]\n  },\n  "createSessionDirectory": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "cwd": { "type": "string" },\n        "path": { "type": "string" },\n        "recursive": { "type": "boolean" }\n      },\n      "required": ["path"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": { "type": "object" },\n    "statuses": [410, 422, 429, 500]\n  },\n  "writeSessionFiles": { "answer": { "type": "object" }, "statuses": [410, 422, 429, 500] },\n  "createSandboxesSessionsBySessionIdSnapshotV2": {\n    "body": { "type": "object", "properties": { "expiration": {} }, "additionalProperties": false },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "session": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "cwd": { "type": "string" },\n            "id": { "type": "string" },\n            "memory": { "type": "number" },\n            "projectId": { "type": "string" },\n            "region": { "type": "string" },\n            "requestedAt": { "type": "number" },\n            "runtime": { "type": "string" },\n            "sourceSandboxName": { "type": "string" },\n            "status": { "enum": ["aborted"] },\n            "timeout": { "type": "number" },\n            "updatedAt": { "type": "number" },\n            "vcpus": { "type": "number" }\n          }\n        },\n        "snapshot": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "id": { "type": "string" },\n            "lastUsedAt": { "type": "number" },\n            "sizeBytes": { "type": "number" },\n            "sourceSessionId": { "type": "string" },\n            "status": { "enum": ["created"] },\n            "updatedAt": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [201, 402, 410, 422, 429, 500]\n  },\n  "POST /v2/sandboxes/{name}/fork": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "ports": { "type": "array", "items": { "type": "number" } },\n        "timeout": { "type": "number" },\n        "resources": {\n          "type": "object",\n          "properties": { "vcpus": { "type": "number" }, "memory": { "type": "number" } },\n          "additionalProperties": false\n        },\n        "image": { "type": "string" },\n        "name": { "type": "string" },\n        "persistent": { "type": "boolean" },\n        "networkPolicy": {},\n        "networkId": { "type": "string" },\n        "env": { "type": "object", "additionalProperties": { "type": "string" } },\n        "tags": { "type": "object", "additionalProperties": { "type": "string" } },\n        "snapshotExpiration": { "type": "number" },\n        "keepLastSnapshots": {},\n        "region": { "type": "string" },\n        "failoverRegions": { "type": "array", "items": { "type": "string" } }\n      },\n      "additionalProperties": false\n    },\n    "optional": true,\n    "isGuess": true\n  },\n  "createSandboxesSessionsBySessionIdSnapshotV3": {\n    "body": { "type": "object", "properties": { "expiration": {} }, "additionalProperties": false },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "session": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "cwd": { "type": "string" },\n            "id": { "type": "string" },\n            "memory": { "type": "number" },\n            "projectId": { "type": "string" },\n            "region": { "type": "string" },\n            "requestedAt": { "type": "number" },\n            "runtime": { "type": "string" },\n            "sourceSandboxName": { "type": "string" },\n            "status": { "enum": ["aborted"] },\n            "timeout": { "type": "number" },\n            "updatedAt": { "type": "number" },\n            "vcpus": { "type": "number" }\n          }\n        },\n        "snapshot": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "number" },\n            "id": { "type": "string" },\n            "lastUsedAt": { "type": "number" },\n            "sizeBytes": { "type": "number" },\n            "sourceSessionId": { "type": "string" },\n            "status": { "enum": ["created"] },\n            "updatedAt": { "type": "number" }\n          }\n        }\n      }\n    },\n    "statuses": [201, 402, 410, 422, 429, 500]\n  },\n  "POST /v3/sandboxes/{name}/fork": { "isGuess": true },\n  "POST /v4/sandboxes": { "isGuess": true },\n  "getActiveAttackStatus": {\n    "answer": { "type": "object", "properties": { "anomalies": { "type": "array" } } },\n    "statuses": [410],\n    "query": { "projectId": "string", "since": "number" },\n    "requires": ["projectId"]\n  },\n  "getSecurityFirewallEvents": {\n    "answer": { "type": "object", "properties": { "actions": { "type": "array" } } },\n    "statuses": [408, 410, 500],\n    "query": {\n      "endTimestamp": "number",\n      "hosts": "string",\n      "projectId": "string",\n      "startTimestamp": "number"\n    },\n    "requires": ["projectId"]\n  },\n  "GET /v1/security/firewall/events/summary": { "isGuess": true },\n  "generateFirewallRule": {\n    "body": {\n      "type": "object",\n      "properties": { "prompt": { "type": "string" }, "currentRule": {} },\n      "required": ["prompt"],\n      "additionalProperties": false\n    },\n    "optional": true,\n    "answer": {\n      "type": "object",\n      "properties": {\n        "error": { "type": "string" },\n        "rule": {\n          "type": "object",\n          "properties": {\n            "action": {\n              "type": "object",\n              "properties": { "mitigate": { "type": "object", "properties": { "action": {} } } }\n            },\n            "active": { "type": "boolean" },\n            "conditionGroup": { "type": "array" },\n            "name": { "type": "string" }\n          }\n        }\n      }\n    },\n    "statuses": [408, 410, 500],\n    "query": { "projectId": "string" }\n  },\n  "requestAccessToTeam": {\n    "body": {\n      "type": "object",\n      "properties": {\n        "joinedFrom": {\n          "type": "object",\n          "properties": {\n            "origin": {\n              "enum": ["import", "teams", "github", "gitlab", "bitbucket", "feedback", "organization-teams"]\n            },\n            "commitId": { "type": "string" },\n            "repoId": { "type": "string" },\n            "repoPath": { "type": "string" },\n            "gitUserId": { "anyOf": [{ "type": "string" }, { "type": "number" }] },\n            "gitUserLogin": { "type": "string" }\n          },\n          "required": ["origin"],\n          "additionalProperties": false\n        }\n      },\n      "required": ["joinedFrom"],\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": {\n        "bitbucket": {},\n        "github": {},\n        "gitlab": {},\n        "teamName": { "type": "string" },\n        "teamSlug": { "type": "string" }\n      }\n    },\n    "statuses": [410, 429, 503]\n  },\n  "getTeamAccessRequest": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "accessRequestedAt": { "type": "number" },\n        "bitbucket": {},\n        "confirmed": { "type": "boolean" },\n        "github": {},\n        "gitlab": {},\n        "joinedFrom": { "type": "object", "properties": { "origin": { "enum": ["account-update"] } } },\n        "teamName": { "type": "string" },\n        "teamSlug": { "type": "string" }\n      }\n    },\n    "statuses": [410]\n  },\n  "joinTeam": {\n    "body": {\n      "type": "object",\n      "properties": { "inviteCode": { "type": "string" } },\n      "additionalProperties": false\n    },\n    "answer": {\n      "type": "object",\n      "properties": {\n        "from": { "type": "string" },\n        "name": { "type": "string" },\n        "slug": { "type": "string" },\n        "teamId": { "type": "string" }\n      }\n    },\n    "statuses": [402, 410, 503]\n  },\n  "listRepositoryImages": {\n    "answer": { "type": "object", "properties": { "images": { "type": "array" } } },\n    "statuses": [410],\n    "query": { "cursor": "string", "limit": "integer", "projectId": "string", "untagged": "boolean" },\n    "requires": ["projectId"]\n  },\n  "listRepositoryTags": {\n    "answer": { "type": "object", "properties": { "tags": { "type": "array" } } },\n    "statuses": [410],\n    "query": {\n      "cursor": "string",\n      "limit": "integer",\n      "projectId": "string",\n      "sortBy": "string",\n      "sortOrder": "string"\n    },\n    "requires": ["projectId"]\n  },\n  "getRepositoryTag": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "tag": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "string" },\n            "imageId": { "type": "string" },\n            "kind": { "enum": ["attestation"] },\n            "manifestDigest": { "type": "string" },\n            "sizeInBytes": { "type": "number" },\n            "status": { "enum": ["preparing"] },\n            "tag": { "type": "string" },\n            "updatedAt": { "type": "string" }\n          }\n        }\n      }\n    },\n    "statuses": [410],\n    "query": { "projectId": "string" },\n    "requires": ["projectId"]\n  },\n  "getRepositoryImage": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "image": {\n          "type": "object",\n          "properties": {\n            "createdAt": { "type": "string" },\n            "id": { "type": "string" },\n            "kind": { "enum": ["attestation"] },\n            "layers": { "type": "array" },\n            "manifestDigest": { "type": "string" },\n            "repositoryId": { "type": "string" },\n            "sizeInBytes": { "type": "number" },\n            "status": { "enum": ["preparing"] },\n            "tags": { "type": "array" }\n          }\n        }\n      }\n    },\n    "statuses": [410],\n    "query": { "projectId": "string" },\n    "requires": ["projectId"]\n  },\n  "deleteRepositoryImage": {\n    "statuses": [202, 410],\n    "query": { "projectId": "string" },\n    "requires": ["projectId"]\n  },\n  "getRoot": { "answer": { "type": "object" }, "statuses": [402, 410] },\n  "getByTeamSlugByProjectSlugByRepositoryNameBlobsByDigest": { "statuses": [402, 410, 416] },\n  "deleteByTeamSlugByProjectSlugByRepositoryNameBlobsByDigest": { "statuses": [402, 405, 410] },\n  "headByTeamSlugByProjectSlugByRepositoryNameBlobsByDigest": { "statuses": [402, 410] },\n  "getByTeamSlugByProjectSlugByRepositoryNameBlobsUploadsByUuid": { "statuses": [204, 402, 410] },\n  "replaceByTeamSlugByProjectSlugByRepositoryNameBlobsUploadsByUuid": {\n    "statuses": [201, 402, 410, 413],\n    "query": { "digest": "string" },\n    "requires": ["digest"]\n  },\n  "updateByTeamSlugByProjectSlugByRepositoryNameBlobsUploadsByUuid": { "statuses": [202, 402, 410, 413] },\n  "deleteByTeamSlugByProjectSlugByRepositoryNameBlobsUploadsByUuid": { "statuses": [204, 402, 410] },\n  "createByTeamSlugByProjectSlugByRepositoryNameBlobsUploads": {\n    "statuses": [202, 402, 410],\n    "query": { "from": "string", "mount": "string" }\n  },\n  "getByTeamSlugByProjectSlugByRepositoryNameManifestsByReference": { "statuses": [402, 410] },\n  "replaceByTeamSlugByProjectSlugByRepositoryNameManifestsByReference": { "statuses": [201, 402, 410, 413] },\n  "deleteByTeamSlugByProjectSlugByRepositoryNameManifestsByReference": { "statuses": [202, 402, 410] },\n  "headByTeamSlugByProjectSlugByRepositoryNameManifestsByReference": { "statuses": [402, 410] },\n  "getByTeamSlugByProjectSlugByRepositoryNameTagsList": {\n    "answer": {\n      "type": "object",\n      "properties": { "name": { "type": "string" }, "tags": { "type": "array" } }\n    },\n    "statuses": [402, 410],\n    "query": { "last": "string", "n": "integer" }\n  },\n  "GET /v2/platform-ci/invocations": { "isGuess": true },\n  "GET /v2/platform-ci/branches": { "isGuess": true },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts": { "isGuess": true },\n  "GET /v1/platform-ci/invocations/{invocationId}/tree": { "isGuess": true },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}": { "isGuess": true },\n  "POST /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/retry": { "isGuess": true },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/job-definitions": { "isGuess": true },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/job-definitions/{jobDefinitionId}": {\n    "isGuess": true\n  },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/job-definitions/{jobDefinitionId}/runs": {\n    "isGuess": true\n  },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/job-definitions/{jobDefinitionId}/runs/{runAttempt}": {\n    "isGuess": true\n  },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/job-definitions/{jobDefinitionId}/runs/{runAttempt}/task-definitions": {\n    "isGuess": true\n  },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/job-definitions/{jobDefinitionId}/runs/{runAttempt}/task-runs": {\n    "isGuess": true\n  },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/logs": { "isGuess": true },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/task-logs": { "isGuess": true },\n  "GET /v1/platform-ci/log-search": { "isGuess": true },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/job-definitions/{jobDefinitionId}/runs/{runAttempt}/logs": {\n    "isGuess": true\n  },\n  "GET /v1/platform-ci/invocations/{invocationId}/attempts/{attempt}/job-definitions/{jobDefinitionId}/runs/{runAttempt}/task-definitions/{taskDefinitionId}/runs/{taskRunAttempt}/logs": {\n    "isGuess": true\n  },\n  "aggregatePageviews": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "data": { "type": "array" },\n        "query": {\n          "type": "object",\n          "properties": {\n            "limit": { "type": "number" },\n            "since": { "type": "string" },\n            "until": { "type": "string" }\n          }\n        },\n        "version": { "type": "number" }\n      }\n    },\n    "statuses": [402, 410, 503],\n    "query": {\n      "by": "string",\n      "filter": "string",\n      "limit": "integer",\n      "projectId": "string",\n      "since": "string",\n      "until": "string"\n    },\n    "requires": ["by", "projectId", "since", "until"]\n  },\n  "aggregateEvents": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "data": { "type": "array" },\n        "query": {\n          "type": "object",\n          "properties": {\n            "limit": { "type": "number" },\n            "since": { "type": "string" },\n            "until": { "type": "string" }\n          }\n        },\n        "version": { "type": "number" }\n      }\n    },\n    "statuses": [402, 410, 503],\n    "query": {\n      "by": "string",\n      "filter": "string",\n      "limit": "integer",\n      "projectId": "string",\n      "since": "string",\n      "until": "string"\n    },\n    "requires": ["by", "projectId", "since", "until"]\n  },\n  "countPageviews": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "data": { "type": "object" },\n        "query": {\n          "type": "object",\n          "properties": { "since": { "type": "string" }, "until": { "type": "string" } }\n        },\n        "version": { "type": "number" }\n      }\n    },\n    "statuses": [402, 410, 503],\n    "query": { "filter": "string", "projectId": "string", "since": "string", "until": "string" },\n    "requires": ["projectId"]\n  },\n  "countEvents": {\n    "answer": {\n      "type": "object",\n      "properties": {\n        "data": { "type": "object" },\n        "query": {\n          "type": "object",\n          "properties": { "since": { "type": "string" }, "until": { "type": "string" } }\n        },\n        "version": { "type": "number" }\n      }\n    },\n    "statuses": [402, 410, 503],\n    "query": { "filter": "string", "projectId": "string", "since": "string", "until": "string" },\n    "requires": ["projectId"]\n  }\n}\n';

// providers/hosting/twin/http/query.ts
var text = string().optional();
var several = array(string()).optional();
var boolean2 = boolean().optional();
var wholeNumber = int().min(0).optional();
var required = string().min(1);
var choice = (words2) => _enum(words2).optional();
function integer(call, name4) {
  const text4 = call.query.get(name4);
  if (text4 === null || text4 === "") return void 0;
  const value3 = Number(text4);
  if (!Number.isInteger(value3) || value3 < 0)
    throw badRequest(`Invalid request: \`${name4}\` should be integer.`);
  return value3;
}
function queryChoice(call, name4, allowed) {
  const asked2 = call.query.get(name4);
  if (asked2 === null || asked2 === "") return void 0;
  const found = allowed.find((one) => one === asked2);
  if (found !== void 0) return found;
  const list10 = allowed.map((one) => JSON.stringify(one)).join(", ");
  throw badRequest(`Invalid request: \`${name4}\` should be equal to one of the allowed values ${list10}.`);
}
var queryValues = (call, ...names) => names.flatMap((name4) => call.query.getAll(name4)).flatMap((text4) => text4.split(",")).filter((one) => one !== "");

// providers/hosting/twin/find-project.ts
var projectsOf = ({ projects }, ownerId) => projects.filter(({ accountId }) => accountId === ownerId);
function projectOf(account, ownerId, idOrName) {
  const projects = projectsOf(account, ownerId);
  return projects.find(({ id: id2 }) => id2 === idOrName) ?? projects.find(({ name: name4 }) => name4 === idOrName);
}
function findProject(call, idOrName) {
  const found = projectOf(call.account, call.owner.id, idOrName);
  if (found === void 0) throw notFound("Project");
  return found;
}
var projectOfPath = (call) => findProject(call, call.params.idOrName ?? call.params.projectIdOrName);
function projectToRead(call) {
  const { account, owner, params, switches } = call;
  const team2 = owner.team === void 0 && switches.projectInDefaultTeam ? account.teams[0] : void 0;
  const idOrName = params.idOrName;
  const found = projectOf(account, owner.id, idOrName) ?? (team2 && projectOf(account, team2.id, idOrName));
  if (found === void 0) throw notFound("Project");
  return found;
}
function projectById(call, id2) {
  if (id2 == null || id2 === "") throw badRequest("Invalid request: missing required property `projectId`.");
  const found = call.account.projects.find((one) => one.id === id2 && one.accountId === call.owner.id);
  if (found === void 0) throw notFound("Project");
  return found;
}
var projectOfQuery = (call) => projectById(call, call.query.get("projectId"));
var projectOfBody = (call) => projectById(call, call.body?.projectId);
var projectQuery = { projectId: required };
function checkProjectIds({ account, owner }, ids) {
  for (const id2 of ids) {
    if (account.projects.some((project2) => project2.id === id2 && project2.accountId === owner.id)) continue;
    throw badRequest(`The project ${id2} does not exist.`);
  }
}
function projectIdsOf({ account, owner }, names) {
  return names.map((name4) => {
    const found = projectOf(account, owner.id, name4);
    if (found === void 0) throw new Error(`There is no project "${name4}".`);
    return found.id;
  });
}

// providers/hosting/twin/http/list-query.ts
var being = (member, schema2 = text) => [schema2, (one, asked2) => one[member] != null && String(one[member]) === asked2];
var namePrefix = [
  text,
  ({ name: name4 }, asked2) => name4.startsWith(asked2)
];
var asking = (where2 = {}) => Object.fromEntries(Object.entries(where2).map(([name4, [schema2]]) => [name4, schema2]));
function asked(call, where2 = {}) {
  const filters = Object.entries(where2).flatMap(([name4, [schema2, isWanted]]) => {
    const inner = schema2 instanceof ZodOptional ? schema2.unwrap() : schema2;
    const value3 = inner instanceof ZodEnum ? queryChoice(call, name4, inner.options) : inner instanceof ZodArray ? queryValues(call, name4).join(",") || void 0 : call.query.get(name4) ?? void 0;
    return value3 === void 0 ? [] : [(one) => isWanted(one, value3, call)];
  });
  return (one) => filters.every((isWanted) => isWanted(one));
}
var words = ["asc", "desc"];
var sortQuery = (sorts2) => ({
  sortBy: choice(sorts2),
  sortOrder: choice(words)
});
function rankOf(call, all5, sorts2) {
  const usual = "createdAt";
  const isUp = sorts2 !== void 0 && queryChoice(call, "sortOrder", words) === "asc";
  const by = (sorts2 && queryChoice(call, "sortBy", sorts2)) ?? usual;
  if (by === usual && !isUp) return (one) => one[by];
  const text4 = (one) => String(one[by] ?? "");
  const sorted2 = [...all5].sort((a, b) => text4(a) < text4(b) ? -1 : 1);
  return (one) => isUp ? sorted2.length - sorted2.indexOf(one) : sorted2.indexOf(one) + 1;
}

// providers/hosting/twin/http/pages.ts
var limitQuery = { limit: wholeNumber };
function pageLimit(call, standard = 20) {
  const asked2 = integer(call, "limit") ?? standard;
  const least = call.switches.untilInclusive ? 2 : 1;
  return Math.max(least, Math.min(asked2, 100, call.pageSize));
}
var timePageQuery = { ...limitQuery, until: wholeNumber, since: wholeNumber };
function timePage(call, items, options = {}) {
  const { standard, ascending = false } = options;
  const time = (item) => item.createdAt;
  const until = integer(call, "until");
  const since = integer(call, "since");
  const inclusive = call.switches.untilInclusive;
  const older = (at2, limit) => inclusive ? at2 <= limit : at2 < limit;
  const newer = (at2, limit) => inclusive ? at2 >= limit : at2 > limit;
  const wanted3 = items.filter((item) => until === void 0 || (ascending ? newer : older)(time(item), until)).filter((item) => since === void 0 || (ascending ? older : newer)(time(item), since)).sort((a, b) => ascending ? time(a) - time(b) : time(b) - time(a));
  const page = wanted3.slice(0, pageLimit(call, standard));
  const first2 = page[0];
  const last = page.at(-1);
  return {
    page,
    pagination: {
      count: page.length,
      next: last !== void 0 && wanted3.length > page.length ? time(last) : null,
      prev: first2 !== void 0 && until !== void 0 ? time(first2) : null
    }
  };
}
var encode = (at2) => Buffer.from(`at:${at2}`).toString("base64url");
function decode(param, cursor) {
  const at2 = /^at:(\d+)$/.exec(Buffer.from(cursor, "base64url").toString("utf8"))?.[1];
  if (at2 === void 0) throw badRequest(`Invalid request: \`${param}\` should be a cursor of this list.`);
  return Number(at2);
}
function cursorPage(call, items, time, { param, size: size2 }) {
  const cursor = call.query.get(param);
  const before = cursor === null || cursor === "" ? Number.POSITIVE_INFINITY : decode(param, cursor);
  const wanted3 = items.filter((item) => time(item) < before).sort((a, b) => time(b) - time(a));
  const page = wanted3.slice(0, size2);
  return { page, next: wanted3.length > page.length ? encode(time(page.at(-1))) : null };
}

// providers/hosting/twin/resource.ts
function operation({ on, ...described4 }, serve2) {
  const { body: schema2, statuses: statuses5 = [] } = described4;
  const success2 = statuses5.find((status2) => status2 < 400) ?? 200;
  const isOptional = schema2?.safeParse(void 0).success;
  return {
    ...described4,
    serve(call) {
      const found = on?.(call);
      const body4 = schema2 && parseBody(schema2, isOptional ? call.body ?? {} : call.body, call.outside);
      const result = serve2(call, found, body4);
      return success2 === 200 || result instanceof Answer ? result : new Answer(success2, result);
    }
  };
}
function seedOne(schema2, load12, below) {
  return { schema: schema2, isList: false, load: load12, ...below && { below } };
}
function seedList(schema2, load12, below) {
  return { ...seedOne(schema2, load12, below), isList: true };
}
var seedOwned = { id: string().optional(), owner: string().optional() };

// providers/hosting/twin/cursor-list.ts
var onlyNext = (next) => ({ pagination: { next } });
function cursorList(member, {
  on,
  cursor,
  query: query4,
  where: where2,
  sorts: sorts2,
  size: size2 = (call) => pageLimit(call),
  row,
  told: told2,
  ...listed2
}, all5) {
  const order2 = listed2.order ?? ((call, found) => rankOf(call, found, sorts2));
  const described4 = {
    ...on && { on },
    list: member,
    query: { ...limitQuery, [cursor]: text, ...query4, ...asking(where2), ...sorts2 && sortQuery(sorts2) }
  };
  return operation(described4, (call, home) => {
    const wanted3 = all5(call, home).filter(asked(call, where2));
    const { page, next } = cursorPage(call, wanted3, order2(call, wanted3), { param: cursor, size: size2(call) });
    const rest = told2?.(next) ?? { pagination: { count: page.length, next } };
    return { [member]: page.map((one) => row(call, one, home)), ...rest };
  });
}

// providers/hosting/twin/collection.ts
var minute = 6e4;
var isSettled = ({ settledAt }, making, minutes = 0) => settledAt + minutes * minute <= making.now();
var begins = (making, status2) => ({
  status: status2,
  settledAt: making.now() + minute
});
var Collection = class _Collection {
  #about;
  /** Finds the owner or project that the objects are below; throws 404 if there is none. */
  home;
  #array;
  #isIn;
  constructor(about, home, array3, isIn = () => true) {
    this.#about = about;
    this.home = home;
    this.#array = array3;
    this.#isIn = isIn;
  }
  /** All objects of a home. */
  all(make14, home) {
    return this.#array(make14, home).filter((one) => this.#isIn(one, home));
  }
  /** The one of that id, or of that name where it may be named so, or 404. */
  find(make14, home, name4, params = {}) {
    const { what, isCalled, by = isCalled ? [] : ["id"] } = this.#about;
    const all5 = this.all(make14, home);
    const called = name4 !== void 0 && isCalled && all5.find((one) => isCalled(one, name4, params));
    if (called) return called;
    for (const member of by) {
      const one = all5.find((one2) => one2[member] === name4);
      if (one !== void 0) return one;
    }
    throw notFound(what);
  }
  /** The one that the path names with its home, or 404. */
  named = (call) => {
    const home = this.home(call);
    const { param = "id" } = this.#about;
    const [name4] = [param].flat().flatMap((one) => call.params[one] ?? []);
    return { home, one: this.find(call, home, name4, call.params) };
  };
  /** The objects that each of these holds under `member`. `home` finds that one, where it is not simply the one that the path names. */
  inside(member, about, home = (call) => this.named(call).one) {
    return new _Collection(about, home, (_, one) => one[member]);
  }
  /** Keeps what a resource has made, with an id and times if it gets them by itself. */
  add(make14, made3, home) {
    const { prefix } = this.#about;
    const one = prefix ? { ...made3, ...stamped(make14, prefix) } : made3;
    this.#array(make14, home).push(one);
    return one;
  }
  drop(make14, one, home) {
    takeOut(this.#array(make14, home), one);
  }
  show(call, one, home) {
    return this.#about.shows(call, one, home);
  }
  /** The answer about one. */
  answer(call, one, home) {
    const { as } = this.#about;
    const shown9 = this.show(call, one, home);
    return as === void 0 ? shown9 : { [as]: shown9 };
  }
  /** Answers a page of those that are wanted, in `member` of the answer. */
  pages(member, paged = {}) {
    const { cursor, isAscending, tellsMore, wanted: wanted3 = (all6) => all6, ...listed2 } = paged;
    const { where: where2, row = (call, one, home) => this.show(call, one, home) } = listed2;
    const on = listed2.home ?? this.home;
    const all5 = (call, home) => wanted3(this.all(call, home), call, home);
    const query4 = { ...listed2.home ? {} : this.#about.query, ...listed2.query };
    if (cursor !== void 0) return cursorList(member, { ...listed2, on, cursor, row, query: query4 }, all5);
    const described4 = { on, list: member, query: { ...timePageQuery, ...query4, ...asking(where2) } };
    return operation(described4, (call, home) => {
      const dated2 = all5(call, home).filter(asked(call, where2));
      const { page, pagination } = timePage(call, dated2, { ascending: isAscending?.(call) ?? false });
      const more = tellsMore && { hasNext: pagination.next !== null };
      return { [member]: page.map((one) => row(call, one, home)), pagination: { ...pagination, ...more } };
    });
  }
  /** Answers those that are wanted, all at once, in `member` of the answer, or as an array if that is ''. */
  list(member, options = {}) {
    const { where: where2, wanted: wanted3 = () => true } = options;
    const { row = (call, one, home) => this.show(call, one, home) } = options;
    const query4 = where2 ? { ...options.query, ...asking(where2) } : options.query;
    const described4 = this.#asking(query4 ? { query: query4 } : {});
    return operation({ ...described4, list: member, on: this.home }, (call, home) => {
      const isAsked = asked(call, where2);
      const listed2 = this.all(call, home).filter((one) => !this.#isGone(call, one));
      const found = listed2.filter((one) => isAsked(one) && wanted3(one, call));
      const shown9 = found.map((one) => row(call, one, home));
      return member === "" ? shown9 : { [member]: shown9 };
    });
  }
  /** Keeps what `make` makes of the body. */
  create(given, make14) {
    const { homeOfBody, query: query4 } = this.#about;
    const described4 = homeOfBody || query4 === void 0 ? given : { ...given, ...this.#asking(given) };
    return operation(
      { ...described4, on: homeOfBody ?? this.home },
      (call, home, body4) => this.answer(call, this.add(call, make14(call, body4, home), home), home)
    );
  }
  read(given = {}) {
    return operation(
      { ...this.#asking(given), on: this.named },
      (call, { one, home }) => this.answer(call, one, home)
    );
  }
  /** Writes the members of the body over those of the object, or what `change` does, and stamps it. */
  update(given, change4 = (_, one, body4) => Object.assign(one, body4)) {
    return operation({ ...given, ...this.#asking(given), on: this.named }, (call, { one, home }, body4) => {
      change4(call, one, body4, home);
      Object.assign(one, { updatedAt: call.time() });
      return this.answer(call, one, home);
    });
  }
  /** Drops the object, unless `check` refuses it. It answers `answer`, or the object itself. */
  remove(given = {
    statuses: [204]
  }, check2 = () => {
  }) {
    const { answer: answer3, ...described4 } = given;
    return operation({ ...described4, ...this.#asking(given), on: this.named }, (call, { one, home }) => {
      check2(call, one, home);
      const { going } = this.#about;
      if (going === void 0) this.drop(call, one, home);
      else Object.assign(one, begins(call, going));
      if (answer3 === "itself") return this.answer(call, one, home);
      return typeof answer3 === "function" ? answer3(one) : answer3;
    });
  }
  #isGone(call, one) {
    const { going } = this.#about;
    return going !== void 0 && one.status === going && isSettled(one, call);
  }
  #asking({ query: query4 }) {
    return query4 || this.#about.query ? { query: { ...this.#about.query, ...query4 } } : {};
  }
  /** A seed's list of them: kept as `make` makes them, but for an id that is given. */
  seed(schema2, make14) {
    return seedList(schema2, (making, { id: id2, ...given }, home) => {
      const one = this.add(making, make14(making, given, home), home);
      return id2 === void 0 ? one : Object.assign(one, { id: id2 });
    });
  }
};
function takeOut(list10, one) {
  list10.splice(list10.indexOf(one), 1);
}

// providers/hosting/twin/kept.ts
var Kept = class extends Collection {
  #place;
  #member;
  constructor([place2, member], ...rest) {
    super(...rest);
    this.#place = place2;
    this.#member = member;
  }
  /** The resource of these objects: `make` makes one of what a seed has of it. */
  resource(seed50, make14, operations2, rest = {}) {
    return { ...this.kept(seed50, make14), operations: operations2, ...rest };
  }
  /** The part of a resource that keeps these objects and reads them from a seed: `make` makes one of an item there. */
  kept(seed50, make14) {
    const seeded4 = { seed: { [this.#place]: { [this.#member]: this.seed(seed50, make14) } } };
    return this.#place === "featureFlags" ? seeded4 : { keeps: { [this.#place]: { [this.#member]: [] } }, ...seeded4 };
  }
};
var ofOwner = (member, about) => new Kept(
  ["account", member],
  about,
  (call) => call.owner,
  ({ account }) => account[member],
  (one, { id: id2 }) => "ownerId" in one && one.ownerId === id2
);
var ofUser = (member, about) => new Kept(
  ["account", member],
  about,
  () => void 0,
  ({ account }) => account[member]
);
var ofProject = (member, about) => new Kept(
  ["project", member],
  about,
  projectOfPath,
  (_, project2) => project2[member]
);
var ofQueriedProject = (member, about) => new Kept(
  ["project", member],
  {
    query: projectQuery,
    homeOfBody: projectOfBody,
    ...about
  },
  projectOfQuery,
  (_, project2) => project2[member]
);
var ofFlags = (member, about) => new Kept(
  ["featureFlags", member],
  about,
  projectOfPath,
  (_, { featureFlags }) => featureFlags[member]
);
var inEveryProject = (member, empty, seed50, load12) => ({
  keeps: { project: { [member]: empty } },
  seed: { project: { [member]: seedOne(seed50, load12) } }
});

// providers/hosting/twin/ai/budget.ts
var scopeTypes = ["team", "project", "user"];
var refreshPeriod = _enum(["daily", "weekly", "monthly", "none"]);
var putBody = strictObject({
  scopeType: _enum(scopeTypes),
  projectId: string().optional(),
  userId: string().optional(),
  limitAmount: number().min(0),
  refreshPeriod: refreshPeriod.optional(),
  includeByokInQuota: boolean().optional()
});
function scopeId({ account, owner }, { scopeType, projectId, userId }) {
  const named5 = { team: void 0, project: projectId, user: userId }[scopeType];
  for (const [type4, id2] of [["project", projectId], ["user", userId]])
    if (id2 && type4 !== scopeType)
      throw badRequest(`Invalid request: \`${type4}Id\` should NOT be given with the scope ${scopeType}.`);
  if (scopeType === "team") return owner.id;
  if (!named5) throw badRequest(`Invalid request: missing required property \`${scopeType}Id\`.`);
  if (scopeType === "project") checkProjectIds({ account, owner }, [named5]);
  return named5;
}
var ownBudgets = (call) => call.account.aiGatewayBudgets.filter((budget) => budget.ownerId === call.owner.id);
function put(call, body4) {
  const id2 = scopeId(call, body4);
  const at2 = call.time();
  const { limitAmount, refreshPeriod: refreshPeriod2 = "none", includeByokInQuota = false } = body4;
  const written3 = { limitAmount, refreshPeriod: refreshPeriod2, includeByokInQuota, active: true, archived: false };
  const old = ownBudgets(call).find(
    (one) => one.scopeId === id2 && !(one.archived && call.switches.archivedBudgetStays)
  );
  if (old !== void 0) return Object.assign(old, written3, { updatedAt: at2 });
  const budget = {
    quotaEntityId: call.id("quota_"),
    ownerId: call.owner.id,
    scopeType: body4.scopeType,
    scopeId: id2,
    currentSpend: 0,
    currentByokSpend: 0,
    ...written3,
    createdAt: at2,
    updatedAt: at2
  };
  call.account.aiGatewayBudgets.push(budget);
  return budget;
}
var readBudget = ({ ownerId: _ownerId, ...budget }) => budget;
function scopeTypeOf(call, allowed) {
  const scopeType = queryChoice(call, "scopeType", allowed);
  if (scopeType === void 0) throw badRequest("Invalid request: missing required property `scopeType`.");
  return scopeType;
}
function archive(call) {
  const scopeType = scopeTypeOf(call, scopeTypes);
  const asked2 = (name4) => call.query.get(name4) ?? void 0;
  const id2 = scopeId(call, { scopeType, projectId: asked2("projectId"), userId: asked2("userId") });
  const found = ownBudgets(call).find((one) => one.scopeId === id2 && !one.archived);
  if (found === void 0) throw notFound("Budget");
  Object.assign(found, { active: false, archived: true, updatedAt: call.time() });
}
var seed = putBody.omit({ scopeType: true, projectId: true, userId: true }).extend({
  owner: seedOwned.owner,
  project: string().optional(),
  currentSpend: number().optional(),
  archived: boolean().optional()
});
var aiGatewayBudget = {
  keeps: { account: { aiGatewayBudgets: [] } },
  operations: {
    "GET /ai-gateway/budgets/list": operation(
      { query: { scopeType: choice(scopeTypes) }, list: "budgets" },
      (call) => {
        const scopeType = queryChoice(call, "scopeType", scopeTypes);
        const found = ownBudgets(call).filter(
          (one) => scopeType === void 0 || one.scopeType === scopeType
        );
        return { budgets: found.map(readBudget) };
      }
    ),
    "PUT /ai-gateway/budgets": operation({ body: putBody }, (call, _, body4) => readBudget(put(call, body4))),
    "DELETE /ai-gateway/budgets": operation(
      { query: { scopeType: _enum(scopeTypes), projectId: text, userId: text }, statuses: [204] },
      archive
    )
  },
  after: ["projects"],
  seed: {
    account: {
      aiGatewayBudgets: seedList(seed, (making, given) => {
        const { project: project2, currentSpend = 0, archived = false, ...body4 } = given;
        const [projectId] = project2 === void 0 ? [] : projectIdsOf(making, [project2]);
        const scopeType = projectId === void 0 ? "team" : "project";
        const budget = put(making, { scopeType, ...projectId && { projectId }, ...body4 });
        Object.assign(budget, { currentSpend, archived, active: !archived });
      })
    }
  },
  forget(account, projectId) {
    account.aiGatewayBudgets = account.aiGatewayBudgets.filter((one) => one.scopeId !== projectId);
  }
};

// providers/hosting/twin/ai/api-key.ts
var quotaBody = strictObject({
  limitAmount: number().min(0),
  includeByokInQuota: boolean().optional(),
  refreshPeriod: refreshPeriod.optional(),
  alertThresholds: array(number()).optional()
});
var quotaChange = quotaBody.partial().extend({ active: boolean(), archived: boolean() });
var createBody = strictObject({
  purpose: string(),
  projectId: string().optional(),
  name: string().optional(),
  expiresAt: number().optional(),
  aiGatewayQuota: quotaBody.optional(),
  metadata: record(string(), unknown()).optional()
});
var seed2 = createBody.omit({ projectId: true }).extend(seedOwned);
var keys = ofOwner("apiKeys", {
  what: "API key",
  as: "apiKey",
  shows: (_, { ownerId: teamId, ...key3 }) => ({
    ...{ ...key3, teamId },
    ...{ createdByAppId: null, leakedAt: null, leakedUrl: null }
  })
});
function quotaOf({ id: id2, time }, given) {
  const at2 = time();
  return {
    ...{ quotaEntityId: id2("quota_"), currentSpend: 0, currentByokSpend: 0, active: true, archived: false },
    ...{ includeByokInQuota: false, refreshPeriod: "none", createdAt: at2, updatedAt: at2 },
    ...given
  };
}
function make(making, given) {
  const { account, owner, id: id2, time } = making;
  const { aiGatewayQuota, projectId = null, expiresAt = null, name: name4 = "", ...rest } = given;
  if (projectId !== null) checkProjectIds(making, [projectId]);
  const createdAt = time();
  return {
    ...{ id: id2("ak_"), ownerId: owner.id, name: name4, projectId, expiresAt, partialKey: id2("", 4) },
    ...{ activeAt: createdAt, createdAt, createdBy: account.user.id, ...rest },
    ...aiGatewayQuota ? { quota: quotaOf(making, aiGatewayQuota) } : {}
  };
}
var apiKey = {
  ...keys.kept(seed2, make),
  operations: {
    createApiKeys: operation({ body: createBody, statuses: [200] }, (call, _, body4) => {
      const key3 = keys.add(call, make(call, body4), call.owner);
      return {
        apiKeyString: `vck_${call.id("", 40)}${key3.partialKey}`,
        apiKey: keys.show(call, key3, call.owner)
      };
    })
  },
  // In the command line alone.
  clientOperations: {
    "GET /v1/api-keys": keys.pages("apiKeys", {
      where: { purpose: being("purpose"), search: [text, ({ name: name4 }, asked2) => name4.includes(asked2)] }
    }),
    "GET /v1/api-keys/{id}": keys.read(),
    "PATCH /v1/api-keys/{id}/quota": operation(
      { body: quotaChange, on: keys.named },
      (call, { one: key3 }, body4) => {
        key3.quota = { ...key3.quota ?? quotaOf(call, { limitAmount: 0 }), ...body4, updatedAt: call.time() };
        return { quota: key3.quota };
      }
    ),
    "DELETE /v1/api-keys/{id}": keys.remove()
  }
};

// providers/hosting/twin/ai/budget-default.ts
var scopeTypes2 = ["project", "api-key", "user"];
var putBody2 = strictObject({
  scopeType: _enum(scopeTypes2),
  limitAmount: number().min(0),
  refreshPeriod: refreshPeriod.default("none")
});
var findDefault = (call, scopeType) => call.account.aiGatewayBudgetDefaults.find(
  (one) => one.ownerId === call.owner.id && one.scopeType === scopeType
);
function put2(call, written3) {
  const updatedAt = call.time();
  const old = findDefault(call, written3.scopeType);
  if (old !== void 0) return Object.assign(old, written3, { updatedAt });
  const one = { ownerId: call.owner.id, ...written3, active: true, createdAt: updatedAt, updatedAt };
  call.account.aiGatewayBudgetDefaults.push(one);
  return one;
}
var readDefault = ({ ownerId: _ownerId, ...one }) => one;
function remove(call) {
  const found = findDefault(call, scopeTypeOf(call, scopeTypes2));
  if (found === void 0) throw notFound("Budget default");
  const { aiGatewayBudgetDefaults } = call.account;
  aiGatewayBudgetDefaults.splice(aiGatewayBudgetDefaults.indexOf(found), 1);
}
var seed3 = putBody2.extend({
  owner: seedOwned.owner,
  scopeType: _enum(["project", "api-key", "team", "user"])
});
var aiGatewayBudgetDefault = {
  keeps: { account: { aiGatewayBudgetDefaults: [] } },
  operations: {
    "GET /ai-gateway/budgets/defaults/list": operation({ list: "defaults" }, ({ account, owner }) => ({
      defaults: account.aiGatewayBudgetDefaults.filter((one) => one.ownerId === owner.id).map(readDefault)
    })),
    "PUT /ai-gateway/budgets/defaults": operation(
      { body: putBody2 },
      (call, _, body4) => readDefault(put2(call, body4))
    ),
    "DELETE /ai-gateway/budgets/defaults": operation(
      { query: { scopeType: _enum(scopeTypes2) }, statuses: [204] },
      remove
    )
  },
  seed: { account: { aiGatewayBudgetDefaults: seedList(seed3, put2) } }
};

// providers/hosting/twin/ai/rule.ts
var action = strictObject({ rewriteModel: string().optional(), reason: string().optional() });
var createBody2 = strictObject({
  type: _enum(["rewrite", "deny"]),
  match: strictObject({ model: string().optional() }).optional(),
  action: action.optional(),
  description: string().optional()
});
var updateBody = strictObject({
  ruleId: string(),
  enabled: boolean().optional(),
  description: string().optional(),
  action: action.optional()
});
function checkAction(type4, action3) {
  if (type4 !== "rewrite" || action3?.rewriteModel) return;
  throw badRequest("Invalid request: missing required property `action.rewriteModel`.");
}
var rules = ofOwner("aiGatewayRules", {
  what: "Rule",
  isCalled: ({ ruleId: ruleId2, deleted }, name4) => ruleId2 === name4 && !deleted,
  shows: (_, rule3) => rule3
});
function findRule(call, ruleId2) {
  if (ruleId2) return rules.find(call, call.owner, ruleId2);
  throw badRequest("Invalid request: missing required property `ruleId`.");
}
function add(call, body4) {
  checkAction(body4.type, body4.action);
  const isSame3 = ({ type: type4, match: match2, deleted }) => type4 === body4.type && match2?.model === body4.match?.model && !deleted;
  if (rules.all(call, call.owner).some(isSame3))
    throw conflict(`A ${body4.type} rule for this model already exists.`);
  const at2 = call.time();
  const by = call.account.user.id;
  const rule3 = {
    ...{ ruleId: call.id("rule_"), ownerId: call.owner.id, ...body4, enabled: true },
    ...{ createdAt: at2, createdBy: by, updatedAt: at2, updatedBy: by }
  };
  return rules.add(call, rule3, call.owner);
}
function change(call, rule3, changes) {
  Object.assign(rule3, changes, { updatedAt: call.time(), updatedBy: call.account.user.id });
}
var seed4 = createBody2.extend({
  ...seedOwned,
  enabled: boolean().optional(),
  deleted: boolean().optional()
});
var aiGatewayRule = {
  keeps: { account: { aiGatewayRules: [] } },
  operations: {
    listAiGatewayRules: rules.list("rules", {
      query: { includeDisabled: boolean2 },
      wanted: ({ enabled: enabled2, deleted }, { query: query4, switches }) => (enabled2 || query4.get("includeDisabled") === "true") && (!deleted || switches.deletedRuleListed)
    }),
    createAiGatewayRule: operation(
      { body: createBody2, statuses: [201, 409] },
      (call, _, body4) => add(call, body4)
    ),
    updateAiGatewayRule: operation(
      { body: updateBody, statuses: [200, 404] },
      (call, _, { ruleId: ruleId2, ...changes }) => {
        const rule3 = findRule(call, ruleId2);
        checkAction(rule3.type, changes.action ?? rule3.action);
        change(call, rule3, changes);
        return rule3;
      }
    ),
    deleteAiGatewayRule: operation(
      {
        query: { ruleId: required },
        statuses: [204],
        on: (call) => findRule(call, call.query.get("ruleId"))
      },
      (call, rule3) => change(call, rule3, { deleted: true })
    )
  },
  seed: {
    account: {
      aiGatewayRules: seedList(seed4, (making, { id: id2, enabled: enabled2 = true, deleted, ...body4 }) => {
        const marks = { enabled: enabled2, ...id2 && { ruleId: id2 }, ...deleted && { deleted } };
        Object.assign(add(making, body4), marks);
      })
    }
  }
};

// providers/hosting/twin/ai/virtual-model.ts
var word = string().optional();
var texts = strings.optional();
var flag = boolean().optional();
var region = {
  scope: _enum(["global", "specific", "zone"]).optional(),
  geoRegion: word,
  providerRegion: word
};
var changeBody = strictObject({
  ...{ displayName: word, description: word, modelSlug: word, baseUrl: word, visibility: word },
  ...{ models: texts, requires: texts, providerOnly: texts, providerOrder: texts },
  ...{ byokCredentialIds: texts, observabilityTags: texts },
  ...{
    allowFallbackFromFast: flag,
    disallowPromptTraining: flag,
    hipaaCompliant: flag,
    zeroDataRetention: flag
  },
  caching: _enum(["auto"]).optional(),
  has: array(_enum(["implicit-caching", "vision"])).optional(),
  inferenceRegion: strictObject({
    ...region,
    providers: record(string(), strictObject(region).nullable()).optional()
  }).optional(),
  providerOptions: record(string(), record(string(), unknown())).optional(),
  providerTimeouts: strictObject({ byok: record(string(), number()).optional() }).optional(),
  selector: _enum(["cost", "priority", "tps", "ttft"]).optional(),
  serviceTier: _enum(["fast", "flex", "priority"]).optional(),
  sort: _enum(["cost", "latency", "price", "throughput", "tps", "ttft"]).optional(),
  speed: _enum(["fast"]).optional()
});
var createBody3 = changeBody.extend({ virtualModelSlug: string().min(1), kind: word });
var seed5 = createBody3.extend({ owner: seedOwned.owner, deleted: boolean().optional() });
var ownerOf = (call) => call.query.get("ownerId") ?? call.owner.id;
function named(call, slug, ownerId = call.owner.id) {
  const found = call.account.aiGatewayVirtualModels.find(
    (one) => one.virtualModelSlug === slug && one.ownerId === ownerId && !one.deleted
  );
  if (found === void 0) throw notFound("Virtual model");
  return found;
}
function add2(making, body4) {
  const { account, owner } = making;
  const isSame3 = (one) => one.virtualModelSlug === body4.virtualModelSlug && one.ownerId === owner.id;
  if (account.aiGatewayVirtualModels.some((one) => isSame3(one) && !one.deleted))
    throw conflict(`The virtual model ${body4.virtualModelSlug} exists already.`);
  const made3 = {
    ...{ kind: "virtual", ...body4, ownerId: owner.id, status: "active", deleted: false },
    ...{ ...times(making), updatedBy: account.user.id }
  };
  account.aiGatewayVirtualModels = [...account.aiGatewayVirtualModels.filter((one) => !isSame3(one)), made3];
  return made3;
}
function change2(call, one, changes) {
  return Object.assign(one, changes, { updatedAt: call.time(), updatedBy: call.account.user.id });
}
function list(call) {
  const { account } = call;
  const ids = [account.user.id, ...account.teams.map(({ id: id2 }) => id2)];
  const asked2 = call.query.get("ownerId");
  const wanted3 = account.aiGatewayVirtualModels.filter(
    ({ ownerId }) => asked2 === null ? ids.includes(ownerId) : ownerId === asked2
  );
  const size2 = pageLimit(call);
  const { page, next } = cursorPage(call, wanted3, (one) => one.createdAt, { param: "cursor", size: size2 });
  return { virtualModelConfigs: page, cursor: next };
}
var inQuery = { ownerId: text, virtualModelSlug: required };
var bySlug = (call) => named(call, call.params.vmcSlug, ownerOf(call));
var byQuery = (call) => named(call, call.query.get("virtualModelSlug"), ownerOf(call));
var removing = (query4, on) => operation({ on, query: query4, statuses: [204], isGuess: true }, (call, one) => {
  change2(call, one, { deleted: true });
});
var aiGatewayVirtualModel = {
  keeps: { account: { aiGatewayVirtualModels: [] } },
  operations: {
    listAiGatewayVirtualModelConfigs: operation(
      { query: { ...limitQuery, cursor: text, ownerId: text }, list: "virtualModelConfigs" },
      list
    ),
    createAiGatewayVirtualModelConfig: operation(
      { body: createBody3, statuses: [201, 409], isGuess: true },
      (call, _, body4) => add2(call, body4)
    ),
    getAiGatewayVirtualModelConfig: operation({ on: byQuery, query: inQuery }, (_, one) => one),
    getAiGatewayVirtualModelConfigBySlug: operation(
      { on: bySlug, query: { ownerId: text } },
      (_, one) => one
    ),
    updateAiGatewayVirtualModelConfig: operation(
      {
        body: changeBody.extend({ virtualModelSlug: string().min(1) }),
        statuses: [200, 404],
        isGuess: true
      },
      (call, _, { virtualModelSlug, ...body4 }) => change2(call, named(call, virtualModelSlug), body4)
    ),
    updateAiGatewayVirtualModelConfigBySlug: operation(
      { on: (call) => named(call, call.params.vmcSlug), body: changeBody, isGuess: true },
      (call, one, body4) => change2(call, one, body4)
    ),
    deleteAiGatewayVirtualModelConfig: removing(inQuery, byQuery),
    deleteAiGatewayVirtualModelConfigBySlug: removing({ ownerId: text }, bySlug)
  },
  seed: {
    account: {
      aiGatewayVirtualModels: seedList(seed5, (making, { deleted = false, ...body4 }) => {
        Object.assign(add2(making, body4), { deleted });
      })
    }
  }
};

// providers/hosting/twin/config/global-config.ts
;

// providers/hosting/twin/config/json-schema.ts
;
function typeOf(value3) {
  if (value3 === null) return "null";
  if (Array.isArray(value3)) return "array";
  return typeof value3;
}
var isObject = (value3) => typeOf(value3) === "object";
function hasType(value3, type4) {
  return type4 === "integer" ? Number.isInteger(value3) : typeOf(value3) === type4;
}
var isJsonSchema = (schema2) => isObject(schema2) || typeof schema2 === "boolean";
function schemaViolation(schema2, value3, place2 = "the config") {
  if (schema2 === false) return `${place2} is not allowed`;
  if (!isObject(schema2)) return void 0;
  const { type: type4, enum: allowed, properties, required: required2, items, additionalProperties } = schema2;
  if (type4 !== void 0 && ![type4].flat().some((one) => hasType(value3, one))) {
    return `${place2} should be ${[type4].flat().join(" or ")}`;
  }
  if (Array.isArray(allowed) && !allowed.some((one) => isDeepStrictEqual(one, value3))) {
    return `${place2} should be equal to one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}`;
  }
  if (Array.isArray(value3)) {
    const parts2 = value3.map((one, i) => schemaViolation(items, one, `${place2}[${i}]`));
    return parts2.find((one) => one !== void 0);
  }
  if (!isObject(value3)) return void 0;
  const missing2 = Array.isArray(required2) ? required2.find((key3) => !Object.hasOwn(value3, key3)) : void 0;
  if (missing2 !== void 0) return `${place2} should have the property ${missing2}`;
  const known2 = isObject(properties) ? properties : {};
  const parts = Object.entries(value3).map(
    ([key3, one]) => schemaViolation(Object.hasOwn(known2, key3) ? known2[key3] : additionalProperties, one, `${place2}.${key3}`)
  );
  return parts.find((one) => one !== void 0);
}

// providers/hosting/twin/config/global-config-state.ts
function findGlobalConfig(call) {
  const id2 = call.params.edgeConfigId;
  const found = call.account.globalConfigs.find(
    (one) => one.id === id2 && one.ownerId === call.owner.id && one.deletedAt === void 0
  );
  if (found === void 0) throw notFound("Global config");
  return found;
}
function writableGlobalConfig(call) {
  const config2 = findGlobalConfig(call);
  if (config2.purpose === void 0) return config2;
  throw conflict(`The global config is managed by the platform (${config2.purpose.type}).`);
}
var valuesOf = (items) => Object.fromEntries(items.map(({ key: key3, value: value3 }) => [key3, value3]));
var word2 = /^[\w-]+$/;
var wanted = 'should hold only letters, digits, "_" and "-"';
var itemKey = string().max(256).regex(word2, wanted);
var configSlug = string().max(64).regex(word2, wanted);
function checkItems(schema2, items) {
  const problem = schema2 === void 0 ? void 0 : schemaViolation(schema2, valuesOf(items));
  if (problem !== void 0) throw badRequest(`The items do not fit the schema: ${problem}.`);
}

// providers/hosting/twin/config/token.ts
function addToken(making, config2, label) {
  const token2 = { id: making.id("", 24), label, token: making.id("", 36), createdAt: making.time() };
  config2.tokens.push(token2);
  return token2;
}
var tokens = new Collection(
  {
    what: "Token",
    param: "token",
    by: ["token"],
    // The value on reads is deprecated.
    shows: (call, { token: token2, ...fields3 }, config2) => ({
      ...fields3,
      edgeConfigId: config2.id,
      partialToken: `${token2.slice(0, 8)}********`,
      ...call.switches.globalConfigTokenReadable ? { token: token2 } : {}
    })
  },
  findGlobalConfig,
  (_, config2) => config2.tokens
);
var globalConfigToken = {
  operations: {
    getEdgeConfigTokens: tokens.list(""),
    getEdgeConfigToken: tokens.read(),
    createEdgeConfigToken: operation(
      {
        on: writableGlobalConfig,
        // The bounds are the Terraform provider's. Nothing says that a label is taken only once.
        body: strictObject({ label: string().min(1).max(52) }),
        statuses: [201, 409]
      },
      (call, config2, { label }) => {
        const { id: id2, token: token2 } = addToken(call, config2, label);
        return { id: id2, token: token2 };
      }
    ),
    deleteEdgeConfigTokens: operation(
      {
        on: writableGlobalConfig,
        body: strictObject({ tokens: strings.optional(), ids: strings.optional() }),
        statuses: [204, 409]
      },
      (_, config2, { tokens: tokens3, ids }) => {
        if (tokens3 === void 0 && ids === void 0) {
          throw badRequest("Invalid request: missing required property `tokens` or `ids`.");
        }
        config2.tokens = config2.tokens.filter((one) => !tokens3?.includes(one.token) && !ids?.includes(one.id));
      }
    )
  }
};

// providers/hosting/twin/config/global-config.ts
var createBody4 = strictObject({
  slug: configSlug,
  items: record(itemKey, unknown()).optional()
});
var updateBody2 = strictObject({ slug: configSlug });
function checkSlugFree({ account, owner, switches }, slug, except) {
  const taken = account.globalConfigs.some(
    (one) => one.ownerId === owner.id && one.slug === slug && one !== except && one.deletedAt === void 0
  );
  if (taken && switches.globalConfigSlugsUnique) {
    throw conflict(`A global config with the slug "${slug}" already exists.`);
  }
}
function add3(making, { slug, items = {} }) {
  checkSlugFree(making, slug);
  const { id: id2, ...times3 } = stamped(making, "ecfg_", 27);
  const config2 = {
    ...{ id: id2, ownerId: making.owner.id, slug, createdBy: making.account.user.id, ...times3 },
    items: Object.entries(items).map(([key3, value3]) => ({ key: key3, value: value3, ...times3 })),
    tokens: []
  };
  making.account.globalConfigs.push(config2);
  return config2;
}
function read(config2) {
  const { id: id2, ownerId, slug, createdBy, createdAt, updatedAt, deletedAt, purpose, schema: schema2, items } = config2;
  const text4 = JSON.stringify(valuesOf(items));
  return {
    ...{ id: id2, ownerId, slug, createdBy, createdAt, updatedAt },
    ...deletedAt !== void 0 && { deletedAt },
    ...purpose !== void 0 && { purpose },
    ...schema2 !== void 0 && { schema: schema2 },
    digest: createHash2("sha256").update(text4).digest("hex"),
    itemCount: items.length,
    sizeInBytes: Buffer.byteLength(text4),
    syncedToDynamoAt: updatedAt
  };
}
var seed6 = createBody4.extend({
  ...seedOwned,
  descriptions: record(string(), string()).optional(),
  schema: unknown().refine(isJsonSchema, "should be a JSON schema").optional(),
  tokens: strings.optional(),
  /** Set on a store that the platform keeps for itself: for the flags of a project, or for experiments. */
  purpose: union([strictObject({ flagsOf: string() }), strictObject({ experimentsOf: string() })]).optional(),
  deleted: boolean().optional()
});
function load(making, given) {
  const { id: id2, descriptions: descriptions2 = {}, schema: schema2, tokens: tokens3 = [], purpose, deleted, ...body4 } = given;
  let kept6;
  if (purpose !== void 0 && "flagsOf" in purpose) {
    kept6 = { type: "flags", projectId: projectIdsOf(making, [purpose.flagsOf])[0] };
  } else if (purpose !== void 0) {
    kept6 = { type: "experimentation", resourceId: purpose.experimentsOf };
  }
  const config2 = add3(making, body4);
  if (id2 !== void 0) config2.id = id2;
  if (kept6 !== void 0) config2.purpose = kept6;
  for (const item of config2.items) {
    if (descriptions2[item.key] !== void 0) item.description = descriptions2[item.key];
  }
  if (schema2 !== void 0) config2.schema = schema2;
  for (const label of tokens3) addToken(making, config2, label);
  if (deleted) config2.deletedAt = making.time();
  checkItems(schema2, config2.items);
}
var globalConfig = {
  keeps: { account: { globalConfigs: [] } },
  operations: {
    getEdgeConfigs: operation(
      { list: "" },
      ({ account, owner }) => account.globalConfigs.filter((one) => one.ownerId === owner.id).map(read)
    ),
    createEdgeConfig: operation(
      { body: createBody4, statuses: [201, 409] },
      (call, _, body4) => read(add3(call, body4))
    ),
    getEdgeConfig: operation({ on: findGlobalConfig }, (_, config2) => read(config2)),
    updateEdgeConfig: operation(
      { on: writableGlobalConfig, body: updateBody2, statuses: [200, 409] },
      (call, config2, { slug }) => {
        checkSlugFree(call, slug, config2);
        return read(Object.assign(config2, { slug, updatedAt: call.time() }));
      }
    ),
    deleteEdgeConfig: operation(
      { on: writableGlobalConfig, statuses: [204, 409] },
      ({ account: { globalConfigs }, switches, time }, config2) => {
        if (switches.globalConfigDeletedListed) config2.deletedAt = time();
        else globalConfigs.splice(globalConfigs.indexOf(config2), 1);
      }
    )
  },
  seed: { account: { globalConfigs: seedList(seed6, load) } },
  forget(account, projectId) {
    account.globalConfigs = account.globalConfigs.filter(
      ({ purpose }) => purpose?.type !== "flags" || purpose.projectId !== projectId
    );
  }
};

// providers/hosting/twin/config/item.ts
var step = strictObject({
  operation: _enum(["create", "update", "upsert", "delete"]),
  key: itemKey,
  value: unknown().optional(),
  description: string().max(512).nullable().optional()
});
var patchBody = strictObject({ items: array(step).min(1) });
function write(item, { description: description3, ...given }, at2) {
  if ("value" in given) item.value = given.value;
  if (description3 === null) delete item.description;
  else if (description3 !== void 0) item.description = description3;
  item.updatedAt = at2;
}
function apply(call, items, one) {
  const index = items.findIndex(({ key: key3 }) => key3 === one.key);
  const missing2 = index < 0;
  if (one.operation === "delete") {
    if (!missing2) items.splice(index, 1);
    else if (!call.switches.globalConfigDeleteIgnoresMissing) throw notFound(`The item "${one.key}"`);
    return;
  }
  if (one.operation === "create" && !missing2) {
    throw conflict(`The item "${one.key}" already exists.`);
  }
  if (one.operation === "update" && missing2) throw notFound(`The item "${one.key}"`);
  if (missing2 && !("value" in one)) throw badRequest("Invalid request: missing required property `value`.");
  const at2 = call.time();
  if (missing2) items.push({ key: one.key, value: one.value, createdAt: at2, updatedAt: at2 });
  write(items.at(missing2 ? -1 : index), one, at2);
}
var readItem = (config2, item) => ({ ...item, edgeConfigId: config2.id });
var globalConfigItem = {
  operations: {
    getEdgeConfigItems: operation(
      { on: findGlobalConfig, list: "" },
      (_, config2) => config2.items.map((item) => readItem(config2, item))
    ),
    // The Terraform provider meets 204 for a missing item; 404 is what the documentation lists.
    getEdgeConfigItem: operation({ on: findGlobalConfig, statuses: [200, 204] }, (call, config2) => {
      const item = config2.items.find(({ key: key3 }) => key3 === call.params.edgeConfigItemKey);
      if (item !== void 0) return readItem(config2, item);
      if (call.switches.globalConfigMissingItem === 204) return new Answer(204);
      throw notFound("Item");
    }),
    // All or nothing: the operations are tried on a copy, one after the other.
    patchEdgeConfigItems: operation(
      { on: writableGlobalConfig, body: patchBody, statuses: [200, 409] },
      (call, config2, body4) => {
        const items = structuredClone(config2.items);
        for (const one of body4.items) apply(call, items, one);
        checkItems(config2.schema, items);
        Object.assign(config2, { items, updatedAt: call.time() });
        return { status: "ok" };
      }
    )
  }
};

// providers/hosting/twin/config/schema.ts
var readSchema = (call, definition) => call.switches.globalConfigSchemaWrapped ? { definition } : definition;
var globalConfigSchema = {
  operations: {
    getEdgeConfigSchema: operation(
      { on: findGlobalConfig, statuses: [200, 204], answers: ["object", "boolean"] },
      (call, { schema: schema2 }) => schema2 === void 0 ? new Answer(204) : readSchema(call, schema2)
    ),
    patchEdgeConfigSchema: operation(
      {
        on: writableGlobalConfig,
        body: strictObject({ definition: unknown() }),
        // Anything but `false` and `0` asks for a dry run, an empty value too.
        query: { dryRun: text },
        statuses: [200, 409],
        answers: ["object", "boolean"]
      },
      (call, config2, { definition }) => {
        if (!isJsonSchema(definition)) {
          throw badRequest("Invalid request: `definition` should be a JSON schema.");
        }
        const problem = schemaViolation(definition, valuesOf(config2.items));
        if (problem !== void 0) {
          throw conflict(`The existing items do not fit the schema: ${problem}.`);
        }
        const dryRun = call.query.get("dryRun");
        if (dryRun === null || dryRun === "false" || dryRun === "0") {
          Object.assign(config2, { schema: definition, updatedAt: call.time() });
        }
        return readSchema(call, definition);
      }
    ),
    deleteEdgeConfigSchema: operation({ on: writableGlobalConfig, statuses: [204, 409] }, (_, config2) => {
      delete config2.schema;
    })
  }
};

// providers/hosting/twin/forget.ts
var forgetting = (kept6, ...members3) => (account, projectId) => {
  const isOther = (one) => one !== projectId && one.projectId !== projectId;
  const rows = account[kept6];
  if (members3.length === 0) Object.assign(account, { [kept6]: rows.filter(isOther) });
  for (const row of rows)
    for (const member of members3)
      if (Array.isArray(row[member])) row[member] = row[member].filter(isOther);
};

// providers/hosting/twin/connect/connector-state.ts
var path = string().optional();
var destination = union([
  strictObject({ projectId: string(), branch: string(), path }),
  strictObject({ projectId: string(), customEnvironmentId: string(), path }),
  strictObject({ projectId: string(), path })
]);
var json = record(string(), unknown());
var environments = strings.min(1);
var written = strictObject({
  data: json,
  icon: string().regex(/^[0-9a-f]{40}$/).optional(),
  backgroundColor: string().optional(),
  accentColor: string().optional(),
  uid: string().optional(),
  name: string().optional(),
  // The SDK has a boolean; the command line sends what answers have.
  triggers: union([boolean(), strictObject({ enabled: boolean() })]).optional(),
  events: strings.optional()
});
var isOn = (triggers) => typeof triggers === "object" ? triggers.enabled : triggers;
var connectors = ofOwner("connectors", {
  what: "Connector",
  param: "connector",
  by: ["id", "uid"],
  shows(_, { data: _data, ownerId: _ownerId, projects: _projects, triggers, ...one }) {
    return {
      ...one,
      displayName: one.name,
      typeName: one.type,
      supportedSubjectTypes: ["app", "user"],
      supportsIcon: "maybe",
      supportsInstallation: false,
      supportsRevocation: false,
      supportsTriggers: true,
      // Only while they are on.
      ...isOn(triggers) && { triggers: { enabled: true } }
    };
  }
});
var rules2 = {
  "api-key": { fixed: ["subjectType", "values", "serviceUrls"] },
  github: { needs: ["appId", "appSlug", "appName", "clientId"] },
  linear: { needs: ["clientId", "clientSecret"] },
  linq: { needs: ["apiToken"] },
  oauth: { needs: ["clientId"] },
  photon: { needs: ["projectId", "projectSecret"], fixed: ["projectId"] },
  salesforce: { needs: ["consumerKey", "consumerSecret", "loginHost"] },
  sendblue: { needs: ["apiKeyId", "apiSecretKey"] },
  slack: { needs: ["appId", "appName", "clientId", "clientSecret"] },
  snowflake: { needs: ["accountIdentifier"], fixed: ["clientName", "extras"] },
  "snowflake-wif": { fixed: ["clientName", "extras"] }
};
function checkNew(type4, data) {
  for (const name4 of rules2[type4]?.needs ?? [])
    if (!(name4 in data)) throw badRequest(`Invalid request: missing required property \`data.${name4}\`.`);
}
function checkChange({ type: type4 }, data) {
  for (const name4 of rules2[type4]?.fixed ?? [])
    if (name4 in data)
      throw badRequest(`Invalid request: \`data\` should NOT have additional property \`${name4}\`.`);
}
function connect(making, connector2, projectId, given = ["development", "preview", "production"]) {
  const at2 = making.time();
  const enabledEnvironments = [...new Set(given)];
  const known2 = connector2.projects.find((one) => one.projectId === projectId);
  if (known2) return Object.assign(known2, { enabledEnvironments, updatedAt: at2 });
  const made3 = { projectId, enabledEnvironments, createdAt: at2, updatedAt: at2 };
  connector2.projects.push(made3);
  return made3;
}

// providers/hosting/twin/connect/connector.ts
var createBody5 = written.extend({
  type: string().optional(),
  service: string().optional(),
  connectionMethod: string().optional(),
  params: record(string(), string()).optional(),
  target: string().optional(),
  projectId: string().optional(),
  environments: environments.optional(),
  triggerDestination: union([
    strictObject({ projectId: text, branch: string(), path: text }),
    strictObject({ projectId: text, customEnvironmentId: string(), path: text }),
    strictObject({ projectId: text, path: text })
  ]).optional()
});
var updateBody3 = written.partial();
var seed7 = written.extend({
  ...seedOwned,
  data: json.optional(),
  type: string(),
  service: string().optional(),
  /** Connected projects, by their names. */
  projects: array(strictObject({ project: string(), environments: environments.optional() })).optional()
});
function checkUid({ account, owner }, uid, own2) {
  if (/[\s%#\p{Cc}]/u.test(uid)) throw badRequest("Invalid request: `uid` should match its pattern.");
  const isTaken = account.connectors.some(
    (one) => one.ownerId === owner.id && one.uid === uid && one !== own2
  );
  if (isTaken) throw conflict(`A connector with the uid ${uid} exists already.`);
}
function make2(making, { type: type4 = "oauth", service = type4, name: name4 = "", ...given }) {
  const { projectId: _, environments: __, triggerDestination: ___, params: ____, data = {}, ...rest } = given;
  const stamps = stamped(making, "scl_");
  const uid = given.uid || `${type4}/${stamps.id}`;
  checkUid(making, uid);
  return {
    ...{ ...rest, ...stamps, type: type4, service, name: name4.trim(), uid, data },
    ...{ ownerId: making.owner.id, creationMode: "manual", projects: [], triggerDestinations: [] }
  };
}
function create(call, body4) {
  const { type: type4, service, connectionMethod, params, target: target4, projectId, triggerDestination } = body4;
  const isPreset = connectionMethod !== void 0;
  if (!isPreset && (type4 === void 0 || params !== void 0 || target4 !== void 0))
    throw badRequest("Invalid request: body should match one of the allowed shapes.");
  if (isPreset && service === void 0)
    throw badRequest("Invalid request: missing required property `service`.");
  if (!body4.name && !projectId) throw badRequest("Invalid request: missing required property `name`.");
  if (body4.environments && !projectId)
    throw badRequest("Invalid request: missing required property `projectId`.");
  if (projectId) checkProjectIds(call, [projectId]);
  if (!isPreset) checkNew(type4, body4.data);
  const project2 = call.account.projects.find(({ id: id2 }) => id2 === projectId);
  const made3 = make2(call, { ...body4, name: body4.name || project2?.name || "" });
  if (project2) connect(call, made3, project2.id, body4.environments);
  if (triggerDestination) {
    const to = triggerDestination.projectId ?? projectId;
    if (!to || !body4.triggers) throw badRequest("A trigger destination needs triggers and a project.");
    checkProjectIds(call, [to]);
    made3.triggerDestinations = [{ ...triggerDestination, projectId: to }];
  }
  return made3;
}
var sorts = ["name", "createdAt", "updatedAt"];
function list2(call) {
  const search = (call.query.get("search") ?? "").toLowerCase();
  const [types2, services, project2] = [
    queryValues(call, "type"),
    queryValues(call, "service"),
    call.query.get("projectId")
  ];
  const by = queryChoice(call, "sort", sorts) ?? "createdAt";
  const wanted3 = connectors.all(call, call.owner).filter(({ type: type4 }) => types2.length === 0 || types2.includes(type4)).filter(({ service }) => services.length === 0 || services.includes(service)).filter(({ projects }) => !project2 || projects.some(({ projectId }) => projectId === project2)).filter((one) => [one.name, one.uid, one.service].some((word3) => word3.toLowerCase().includes(search)));
  const names = [...wanted3].sort((a, b) => a.name < b.name ? 1 : -1).map(({ id: id2 }) => id2);
  const rank = (one) => by === "name" ? names.indexOf(one.id) : one[by];
  const { page, next } = cursorPage(call, wanted3, rank, { param: "cursor", size: pageLimit(call) });
  return {
    connectors: page.map((one) => connectors.show(call, one, call.owner)),
    pagination: { next }
  };
}
var connector = {
  ...connectors.kept(seed7, (making, { projects = [], ...given }) => {
    const made3 = make2(making, given);
    for (const { project: project2, environments: environments4 } of projects)
      connect(making, made3, projectIdsOf(making, [project2])[0], environments4);
    return made3;
  }),
  operations: {
    listConnectors: operation(
      {
        query: {
          ...{ ...limitQuery, cursor: text, projectId: text, search: text, sort: choice(sorts) },
          ...{ type: several, service: several }
        },
        list: "connectors"
      },
      list2
    ),
    getConnector: connectors.read(),
    createConnector: connectors.create({ body: createBody5, statuses: [201, 409] }, create),
    updateConnector: operation(
      { on: connectors.named, body: updateBody3, statuses: [409] },
      (call, { home, one }, { data = {}, uid, name: name4, ...body4 }) => {
        if (uid !== void 0) checkUid(call, uid, one);
        if (name4 !== void 0 && name4.trim() === "")
          throw badRequest("Invalid request: `name` should not be empty.");
        checkChange(one, data);
        Object.assign(one, body4, uid && { uid }, name4 && { name: name4.trim() });
        Object.assign(one.data, data);
        one.updatedAt = call.time();
        return { connector: connectors.show(call, one, home) };
      }
    ),
    deleteConnector: connectors.remove()
  },
  after: ["projects"],
  forget: forgetting("connectors", "projects", "triggerDestinations")
};

// providers/hosting/twin/connect/connector-project.ts
function show({ account }, { projectId, ...connection }, connector2) {
  const { id: id2, name: name4, customEnvironments } = account.projects.find((one) => one.id === projectId);
  const of = customEnvironments.map((one) => ({ id: one.id, slug: one.slug }));
  return { connectorId: connector2.id, ...connection, project: { id: id2, name: name4, customEnvironments: of } };
}
var connections = connectors.inside("projects", {
  ...{ what: "Connection", param: "projectId", by: ["projectId"], shows: show }
});
var connectorProject = {
  operations: {
    listConnectorProjectConnections: connections.pages("projects", { cursor: "cursor", told: onlyNext }),
    listProjectConnectorConnections: cursorList(
      "connectors",
      {
        on: (call) => projectById(call, call.params.projectId),
        cursor: "cursor",
        order: () => (one) => one.connection.createdAt,
        row: (call, { connector: connector2, connection }) => show(call, connection, connector2),
        told: onlyNext
      },
      (call, { id: id2 }) => connectors.all(call, call.owner).flatMap((connector2) => {
        const connection = connector2.projects.find(({ projectId }) => projectId === id2);
        return connection ? [{ connector: connector2, connection }] : [];
      })
    ),
    getConnectorProjectConnection: connections.read(),
    upsertConnectorProjectConnection: operation(
      { on: connections.home, body: strictObject({ environments }) },
      (call, connector2, body4) => {
        const project2 = projectById(call, call.params.projectId);
        const builtIn = ["development", "preview", "production"];
        const known2 = [...builtIn, ...project2.customEnvironments.map(({ id: id2 }) => id2)];
        const other2 = body4.environments.find((one) => !known2.includes(one));
        if (other2 !== void 0) throw badRequest(`The project has no environment ${other2}.`);
        return show(call, connect(call, connector2, project2.id, body4.environments), connector2);
      }
    ),
    deleteConnectorProjectConnection: connections.remove()
  }
};

// providers/hosting/twin/connect/trigger-destinations.ts
var triggerDestinations = {
  operations: {
    replaceConnectorTriggerDestinations: operation(
      { on: connectors.named, body: strictObject({ destinations: array(destination).max(3) }) },
      (call, { one, home }, { destinations }) => {
        checkProjectIds(
          call,
          destinations.map(({ projectId }) => projectId)
        );
        for (const each2 of destinations)
          if ("customEnvironmentId" in each2 && !call.account.projects.some(
            ({ id: id2, customEnvironments }) => id2 === each2.projectId && customEnvironments.some((one2) => one2.id === each2.customEnvironmentId)
          ))
            throw badRequest(`The project has no environment ${each2.customEnvironmentId}.`);
        one.triggerDestinations = destinations;
        one.updatedAt = call.time();
        return connectors.show(call, one, home);
      }
    )
  }
};

// providers/hosting/twin/delivery/drain.ts
;

// providers/hosting/twin/delivery/drain-body.ts
var url = string().refine(isHttpUrl, "should be an http or https URL");
var headers = record(string(), string()).refine((given) => Object.keys(given).length <= 5, "should NOT have more than 5 headers");
var secret = string().min(32).optional();
var lines = _enum(["json", "ndjson"]);
var delivery = discriminatedUnion("type", [
  strictObject({
    type: literal("http"),
    endpoint: url,
    encoding: lines,
    compression: _enum(["gzip", "none"]).optional(),
    headers,
    secret
  }),
  strictObject({
    type: literal("otlphttp"),
    endpoint: strictObject({ traces: url }),
    encoding: _enum(["proto", "json"]),
    headers,
    secret
  }),
  strictObject({
    type: literal("s3"),
    endpoint: string().min(1),
    encoding: lines,
    compression: literal("none"),
    fileStructure: literal("hive"),
    roleArn: string().min(1),
    region: string().min(1),
    serverSideEncryption: _enum(["AES256", "aws:kms", "aws:kms:dsse"]).default("AES256"),
    objectAcl: _enum(["private", "bucket-owner-read", "bucket-owner-full-control"]).optional()
  })
]);
var schemas = partialRecord(
  _enum(["log", "trace", "analytics", "speed_insights", "audit_log", "ai_gateway", "connect"]),
  strictObject({ version: literal("v1") })
).refine((given) => Object.keys(given).length > 0, "should name a schema");
var environments2 = array(_enum(["production", "preview"]));
var sources = array(_enum(["build", "edge", "lambda", "static", "external", "firewall", "redirect"]));
var filter = strictObject({
  version: literal("v2"),
  filter: discriminatedUnion("type", [
    strictObject({
      type: literal("basic"),
      project: strictObject({ ids: strings.optional() }).optional(),
      log: strictObject({ sources: sources.optional() }).optional(),
      deployment: strictObject({ environments: environments2.optional() }).optional()
    }),
    strictObject({ type: literal("odata"), text: string().min(1) })
  ])
});
var fields = {
  name: string().min(1),
  projects: _enum(["some", "all"]),
  projectIds: strings,
  filter,
  schemas,
  delivery,
  sampling: array(
    strictObject({
      type: literal("head_sampling"),
      rate: number().min(0).max(1),
      env: _enum(["production", "preview"]).optional(),
      requestPath: string().optional()
    })
  ),
  transforms: array(strictObject({ id: string() })),
  source: strictObject({
    kind: _enum(["self-served", "integration"]).optional(),
    resourceId: string().optional(),
    externalResourceId: string().optional()
  })
};
var createDrainBody = strictObject({
  ...fields,
  projectIds: strings.optional(),
  filter: filter.optional(),
  delivery: delivery.optional(),
  sampling: fields.sampling.optional(),
  transforms: fields.transforms.optional(),
  source: fields.source.optional()
});
var updateDrainBody = strictObject({
  ...fields,
  projectIds: strings.nullable(),
  filter: filter.nullable(),
  sampling: fields.sampling.nullable(),
  transforms: fields.transforms.nullable(),
  status: _enum(["enabled", "disabled"])
}).partial();
var testDrainBody = strictObject({ schemas, delivery });

// providers/hosting/twin/delivery/drain-state.ts
function projectIds(making, body4, old) {
  const { projects, projectIds: given } = body4;
  if (projects === "all" && given && given.length > 0) {
    throw badRequest('Invalid request: `projectIds` should NOT be given with `projects` "all".');
  }
  if (projects === "all" || projects === void 0 && given === null) return void 0;
  const ids = given ?? old;
  if (projects === "some" && (ids === void 0 || ids.length === 0)) {
    throw badRequest('Invalid request: `projectIds` should name a project with `projects` "some".');
  }
  if (given) checkProjectIds(making, given);
  return ids && [...new Set(ids)];
}
function withSecret(making, given, old) {
  if (given.type === "s3" || given.secret !== void 0) return given;
  const kept6 = old?.type === given.type && "secret" in old ? old.secret : void 0;
  return { ...given, secret: kept6 ?? making.id("", 32) };
}
function checkFilter(making, filter3) {
  if (filter3?.filter.type === "basic") checkProjectIds(making, filter3.filter.project?.ids ?? []);
}
function storeDrain(making, fields3) {
  const stamps = stamped(making, "drn_");
  const drain2 = { ownerId: making.owner.id, ...fields3, status: "enabled", ...stamps };
  making.account.drains.push(drain2);
  return drain2;
}
function addDrain(making, body4) {
  const { projects: _projects, projectIds: _ids, source: source2, ...fields3 } = body4;
  if (source2?.kind === "integration" || source2?.resourceId || source2?.externalResourceId) {
    throw forbidden('A drain with the source "integration" is made by the integration.');
  }
  if (fields3.delivery === void 0)
    throw badRequest("Invalid request: missing required property `delivery`.");
  const ids = projectIds(making, body4);
  checkFilter(making, body4.filter);
  return storeDrain(making, {
    ...fields3,
    delivery: withSecret(making, fields3.delivery),
    ...ids === void 0 ? {} : { projectIds: ids },
    source: { kind: "self-served" }
  });
}
function setStatus(making, drain2, status2) {
  if (drain2.status === status2) return;
  drain2.status = status2;
  if (status2 === "disabled") {
    drain2.disabledAt = making.time();
    drain2.disabledBy = making.account.user.id;
    drain2.disabledReason = "disabled-by-owner";
  } else {
    for (const member of ["disabledAt", "disabledBy", "disabledReason", "firstErrorTimestamp"]) {
      delete drain2[member];
    }
  }
}
function changeDrain(making, drain2, body4) {
  if (body4.source?.kind !== void 0 && body4.source.kind !== drain2.source.kind) {
    throw badRequest("The source of a drain cannot be changed.");
  }
  const ids = projectIds(making, body4, drain2.projectIds);
  checkFilter(making, body4.filter);
  if (ids === void 0) delete drain2.projectIds;
  else drain2.projectIds = ids;
  for (const member of ["filter", "sampling", "transforms"]) {
    if (body4[member] === null) delete drain2[member];
    else if (body4[member] !== void 0) Object.assign(drain2, { [member]: body4[member] });
  }
  if (body4.name !== void 0) drain2.name = body4.name;
  if (body4.schemas !== void 0) drain2.schemas = body4.schemas;
  if (body4.delivery !== void 0) drain2.delivery = withSecret(making, body4.delivery, drain2.delivery);
  if (body4.status !== void 0) setStatus(making, drain2, body4.status);
}

// providers/hosting/twin/delivery/drain.ts
var masked = { kind: "INTEGRATION_SECRET" };
function readDelivery(drain2, showsSecret) {
  const { delivery: delivery3 } = drain2;
  if (!("secret" in delivery3)) return delivery3;
  return drain2.source.kind === "integration" || !showsSecret ? { ...delivery3, secret: masked } : delivery3;
}
function readDrain(call, drain2, created3 = false) {
  const { filter: filter3, transforms: _transforms, ...fields3 } = drain2;
  return {
    ...fields3,
    teamId: call.owner.team?.id ?? null,
    delivery: readDelivery(drain2, created3 || !call.switches.drainSecretMasked),
    ...filter3 === void 0 ? {} : { filterV2: filter3 }
  };
}
function drainMetadata({ projectIds: projectIds2, source: source2 }) {
  const managedBy = source2.kind === "integration" ? "integration" : "drain";
  const access = projectIds2 === void 0 ? { access: "all" } : { access: "some", projectIds: projectIds2 };
  return { projectAccess: { ...access, managedBy } };
}
var drains = ofOwner("drains", { what: "Drain", shows: (call, one) => readDrain(call, one) });
function test({ delivery: delivery3 }) {
  if (delivery3.type === "s3") return {};
  const endpoint = delivery3.type === "http" ? delivery3.endpoint : delivery3.endpoint.traces;
  const { hostname } = new URL(endpoint);
  if (!hostname.endsWith(".invalid")) return {};
  return { status: "error", endpoint, error: `getaddrinfo ENOTFOUND ${hostname}` };
}
var { name, filter: filter2, schemas: schemas2, delivery: delivery2, sampling, transforms } = createDrainBody.shape;
var ofPlatform = discriminatedUnion("type", [
  strictObject({ type: literal("clickhouse"), endpoint: string(), table: string() }),
  strictObject({ type: literal("internal"), target: string() })
]);
var seed8 = strictObject({
  ...seedOwned,
  name,
  projects: array(string()).optional(),
  filter: filter2.unwrap().shape.filter.optional(),
  /** The log schema when left out. */
  schemas: schemas2.optional(),
  delivery: union([delivery2.unwrap(), ofPlatform]),
  sampling,
  transforms,
  /** Set on a drain that an integration made. */
  integration: strictObject({ integrationId: string(), integrationConfigurationId: string() }).optional(),
  status: _enum(["enabled", "disabled", "errored"]).optional()
});
var isOfPlatform = (delivery3) => delivery3.type === "clickhouse" || delivery3.type === "internal";
function load2(making, given) {
  const { id: id2, projects, filter: filter3, delivery: delivery3, integration, status: status2, ...fields3 } = given;
  const drain2 = storeDrain(making, {
    schemas: { log: { version: "v1" } },
    ...fields3,
    ...projects === void 0 ? {} : { projectIds: projectIdsOf(making, projects) },
    ...filter3 === void 0 ? {} : { filter: { version: "v2", filter: filter3 } },
    delivery: isOfPlatform(delivery3) ? delivery3 : withSecret(making, delivery3),
    source: integration === void 0 ? { kind: "self-served" } : { kind: "integration", ...integration }
  });
  if (id2 !== void 0) drain2.id = id2;
  if (status2 !== void 0) drain2.status = status2;
  if (status2 === "errored") drain2.firstErrorTimestamp = drain2.createdAt;
  if (status2 === "disabled") {
    Object.assign(drain2, { disabledAt: drain2.createdAt, disabledReason: "disabled-by-owner" });
  }
}
var drain = {
  keeps: { account: { drains: [] } },
  operations: {
    getDrains: drains.list("drains", {
      query: { projectId: text, includeMetadata: boolean2 },
      where: { projectId: [text, ({ projectIds: ids }, asked2) => ids === void 0 || ids.includes(asked2)] },
      row(call, one) {
        const withMetadata = call.query.get("includeMetadata") === "true";
        return { ...readDrain(call, one), ...withMetadata && drainMetadata(one) };
      }
    }),
    createDrain: operation(
      { body: createDrainBody },
      (call, _, body4) => readDrain(call, addDrain(call, body4), true)
    ),
    getDrain: drains.read(),
    updateDrain: drains.update({ body: updateDrainBody }, changeDrain),
    deleteDrain: drains.remove(),
    testDrain: operation({ body: testDrainBody }, (_call, _, body4) => test(body4))
  },
  clientOperations: {
    // What an endpoint answers to show that it is the team's own.
    "GET /v1/verify-endpoint": operation({}, ({ owner }) => ({
      verificationCode: createHash3("sha256").update(`drains of ${owner.id}`).digest("hex").slice(0, 40)
    }))
  },
  after: ["projects"],
  seed: { account: { drains: seedList(seed8, load2) } },
  forget({ drains: drains2 }, projectId) {
    const others = (ids) => ids.filter((id2) => id2 !== projectId);
    for (const one of drains2) {
      if (one.projectIds !== void 0) one.projectIds = others(one.projectIds);
      const filter3 = one.filter?.filter;
      if (filter3?.type === "basic" && filter3.project?.ids !== void 0) {
        filter3.project.ids = others(filter3.project.ids);
      }
    }
  }
};

// providers/hosting/twin/delivery/webhook.ts
var webhookEvents = "budget.reached domain.created domain.dns.records.changed domain.transfer-in.started domain.transfer-in.completed domain.transfer-in.failed domain.certificate.add domain.certificate.add.failed domain.certificate.renew domain.certificate.renew.failed domain.certificate.deleted domain.renewal domain.renewal.failed domain.auto-renew.changed deployment.created deployment.build-requested deployment.cleanup deployment.error deployment.blocked deployment.canceled deployment.succeeded deployment.ready deployment.check-rerequested deployment.promoted deployment.rollback deployment.integration.action.start deployment.integration.action.cancel deployment.integration.action.cleanup deployment.checkrun.start deployment.checkrun.cancel edge-config.created edge-config.deleted edge-config.items.updated firewall.attack firewall.system-rule-anomaly firewall.custom-rule-anomaly function.archival-required function.removal-required alerts.triggered integration-configuration.permission-upgraded integration-configuration.removed integration-configuration.scope-change-confirmed integration-configuration.transferred integration-resource.project-connected integration-resource.project-disconnected project.created project.removed project.renamed project.env-variable.created project.env-variable.updated project.env-variable.deleted project.domain.created project.domain.updated project.domain.deleted project.domain.verified project.domain.unverified project.domain.moved project.rolling-release.started project.rolling-release.aborted project.rolling-release.completed project.rolling-release.approved deployment.checks.failed deployment.checks.succeeded deployment-checks-completed deployment-ready deployment-prepared deployment-error deployment-check-rerequested deployment-canceled project-created project-removed domain-created deployment integration-configuration-permission-updated integration-configuration-removed integration-configuration-scope-change-confirmed marketplace.member.changed marketplace.invoice.created marketplace.invoice.paid marketplace.invoice.notpaid marketplace.invoice.overdue marketplace.invoice.refunded ai-gateway.balance-depleted ai-gateway.auto-reload.limit-reached observability.anomaly observability.anomaly-error observability.usage-anomaly observability.error-anomaly botid.anomaly flag.created flag.updated flag.deleted flag.segment.created flag.segment.updated flag.segment.deleted test-webhook message.created message.updated message.deleted thread.resolved thread.unresolved message.reaction-added message.reaction-removed message.mentioned comment.created comment.updated comment.deleted comment.resolved comment.unresolved comment.reaction-added comment.reaction-removed comment.mentioned".split(
  " "
);
var createBody6 = strictObject({
  url: string(),
  events: array(_enum(webhookEvents)).min(1),
  projectIds: strings.optional()
});
var seed9 = createBody6.omit({ projectIds: true }).extend({ ...seedOwned, projects: strings.optional() });
function checkTarget(body4) {
  const { url: url3, events } = body4 ?? {};
  if (typeof url3 === "string" && !isHttpUrl(url3))
    throw new ApiError(400, "invalid_url", "The webhook URL should be an http or https URL.");
  for (const event of Array.isArray(events) ? events : [])
    if (typeof event === "string" && !webhookEvents.includes(event))
      throw new ApiError(400, "invalid_event", `The event "${event}" does not exist.`);
}
var webhooks = ofOwner("webhooks", {
  what: "Webhook",
  shows(call, { secret: _secret, ...webhook2 }) {
    const projects = call.account.projects.filter(({ id: id2 }) => webhook2.projectIds?.includes(id2));
    const metadata = projects.map(({ id: id2, name: name4, framework }) => ({ id: id2, name: name4, framework }));
    return { ...webhook2, projectsMetadata: webhook2.projectIds === void 0 ? null : metadata };
  }
});
function make3(making, body4) {
  checkProjectIds(making, body4.projectIds ?? []);
  const stamps = stamped(making, "hook_");
  return { ownerId: making.owner.id, ...body4, ...stamps, secret: making.id("", 32) };
}
var webhook = {
  ...webhooks.kept(seed9, (making, { projects, ...body4 }) => {
    checkTarget(body4);
    const projectIds2 = projects && projectIdsOf(making, projects);
    return make3(making, { ...body4, ...projectIds2 && { projectIds: projectIds2 } });
  }),
  operations: {
    // It finds what was made for the project; whether it also finds what is for all projects is in no source.
    getWebhooks: webhooks.list("", {
      where: { projectId: [text, ({ projectIds: projectIds2 }, asked2) => projectIds2?.includes(asked2) === true] }
    }),
    // The only answer that has the secret.
    createWebhook: operation(
      { on: ({ body: body4 }) => checkTarget(body4), body: createBody6 },
      (call, _, body4) => webhooks.add(call, make3(call, body4), call.owner)
    ),
    getWebhook: webhooks.read(),
    deleteWebhook: webhooks.remove()
  },
  after: ["projects"],
  forget: forgetting("webhooks", "projectIds")
};

// providers/hosting/twin/deployments/alias-state.ts
function findAlias(call, idOrAlias) {
  const found = call.account.aliases.find(
    (one) => one.ownerId === call.owner.id && (one.uid === idOrAlias || one.alias === idOrAlias.toLowerCase())
  );
  if (found === void 0) throw notFound("Alias");
  return found;
}

// providers/hosting/twin/deployments/deployment.ts
;

// providers/hosting/twin/motion.ts
var pace = strictObject({
  /** The duration. */
  seconds: number().min(0).optional(),
  /** It does not go well; a number: so many of the next do not. */
  fails: union([boolean(), int().min(0)]).optional()
});
var paceOf = (name4) => seedOne(pace, ({ account }, given) => {
  account.paces = { ...account.paces, [name4]: given };
});
function startMoving({ account, now }, name4, usual = {}) {
  const pace2 = { ...usual, ...account.paces?.[name4] };
  const startedAt = now();
  const moving = { startedAt, endsAt: startedAt + (pace2.seconds ?? 0) * 1e3 };
  if (pace2.fails) moving.fails = true;
  const { fails } = account.paces?.[name4] ?? {};
  if (typeof fails === "number" && fails > 0) account.paces[name4].fails = fails - 1;
  return moving;
}
function stepOf({ startedAt, endsAt }, { now }, steps) {
  const at2 = now();
  if (at2 >= endsAt) return void 0;
  const step2 = Math.floor((at2 - startedAt) / (endsAt - startedAt) * steps.length);
  return steps[Math.max(0, step2)];
}

// providers/hosting/twin/deployments/deployment-state.ts
function stateOf({ state, build: build2 }, making) {
  if (state !== void 0) return state;
  const step2 = build2 && stepOf(build2, making, ["QUEUED", "BUILDING", "BUILDING"]);
  return step2 ?? (build2?.fails ? "ERROR" : "READY");
}
var urlOf = ({ id: id2 }, project2) => `${project2}-${id2.slice(-9).toLowerCase()}.vercel.app`;

// providers/hosting/twin/deployments/git-source.ts
var gitSource = strictObject({
  type: _enum(["github", "github-limited", "gitlab", "bitbucket", "cursor-origin", "vercel"]),
  ref: string().optional(),
  sha: string().optional(),
  ...Object.fromEntries(
    ["org", "repo", "repoUuid", "workspaceUuid", "owner", "slug"].map((name4) => [
      name4,
      string().optional()
    ])
  ),
  ...Object.fromEntries(
    ["repoId", "projectId"].map((name4) => [name4, union([number(), string()]).optional()])
  )
});

// providers/hosting/twin/deployments/rollout-state.ts
var minute2 = 6e4;
function standOf(rollout2, { now }) {
  const { stages, ended, fails, stageSeconds } = rollout2;
  const last = stages.length - 1;
  let [stage3, at2] = [rollout2.stage, rollout2.stageAt];
  if (ended) return { state: ended, stage: stage3, at: at2 };
  for (; ; ) {
    const { duration } = stages[stage3];
    if (stage3 >= last) return { state: "COMPLETE", stage: last, at: at2 };
    if (duration === void 0) return { state: "ACTIVE", stage: stage3, at: at2 };
    const ends = at2 + (stageSeconds === void 0 ? duration * minute2 : stageSeconds * 1e3);
    if (ends > now()) return { state: "ACTIVE", stage: stage3, at: at2 };
    if (fails) return { state: "ABORTED", stage: stage3, at: ends };
    [stage3, at2] = [stage3 + 1, ends];
  }
}
function putAt(rollout2, stage3, { now }) {
  if (rollout2.fails) Object.assign(rollout2, { ended: "ABORTED", stageAt: now() });
  else Object.assign(rollout2, { stage: stage3, stageAt: now() });
}
function endRollout(clock, { rollout: rollout2 }, served) {
  if (rollout2 === void 0 || standOf(rollout2, clock).state !== "ACTIVE") return;
  rollout2.ended = served === rollout2.canary ? "COMPLETE" : "ABORTED";
  rollout2.stageAt = clock.now();
}
function rolledOut(clock, { rollout: rollout2 }, served) {
  const isOver = rollout2 && rollout2.current === served && standOf(rollout2, clock).state === "COMPLETE";
  return isOver ? rollout2.canary : served;
}

// providers/hosting/twin/deployments/deployment.ts
var createBody7 = strictObject({
  name: string(),
  project: string().optional(),
  target: string().optional(),
  meta: record(string(), string()).optional(),
  gitSource: gitSource.optional(),
  deploymentId: string().optional(),
  customEnvironmentSlugOrId: string().optional(),
  files: array(looseObject({})).optional(),
  gitMetadata: looseObject({}).optional(),
  projectSettings: looseObject({}).optional(),
  monorepoManager: string().nullable().optional(),
  withLatestCommit: boolean().optional(),
  buildMachine: literal("turbo").optional(),
  gitAccessToken: string().optional()
});
var seed10 = strictObject({
  id: string().optional(),
  target: string().optional(),
  meta: record(string(), string()).optional(),
  state: _enum(["QUEUED", "BUILDING", "READY", "ERROR", "CANCELED"]).optional()
});
var all = ({ account }, { id: id2 }) => account.projects.filter(({ accountId }) => accountId === id2).flatMap((project2) => project2.deployments.map((one) => ({ project: project2, one, createdAt: one.createdAt })));
var deployments = new Collection(
  {
    ...{ what: "Deployment", param: ["idOrUrl", "id"] },
    isCalled: ({ project: project2, one }, name4) => one.id === name4 || urlOf(one, project2.name) === name4,
    shows: (call, found) => ({ uid: found.one.id, ...shown(call, found) })
  },
  (call) => call.owner,
  all
);
function shown(call, { project: project2, one }) {
  const state = stateOf(one, call);
  const environment = project2.customEnvironments.find(({ id: id2 }) => id2 === one.customEnvironmentId);
  const { id: uid, username, email } = call.account.user;
  return {
    ...{
      name: project2.name,
      url: urlOf(one, project2.name),
      projectId: project2.id,
      meta: one.meta,
      target: one.target
    },
    ...{ state, readyState: state, type: "LAMBDAS", createdAt: one.createdAt, created: one.createdAt },
    ...{
      creator: { uid, username, email },
      inspectorUrl: null,
      aliasAssigned: state === "READY",
      aliasError: null
    },
    ...one.build?.fails && state === "ERROR" && { errorCode: "BUILD_FAILED", errorMessage: "The build failed." },
    ...environment && { customEnvironment: { id: environment.id, slug: environment.slug } }
  };
}
function teamOf({ account }, { accountId }) {
  const team2 = account.teams.find((one) => one.id === accountId);
  return team2 && { team: { id: team2.id, name: team2.name, slug: team2.slug } };
}
var whole = (call, found) => ({
  id: found.one.id,
  ...shown(call, found),
  ownerId: found.project.accountId,
  ...teamOf(call, found.project),
  ...found.one.gitSource && { gitSource: found.one.gitSource }
});
function add4(making, project2, given) {
  const id2 = given.id ?? making.id("dpl_", 28);
  const one = { ...given, id: id2, createdAt: making.time() };
  project2.deployments.push(one);
  if (one.target !== null) delete project2.serving?.[one.target];
  return { project: project2, one };
}
function create2(call, body4) {
  const isForced = queryChoice(call, "forceNew", ["0", "1"]) === "1";
  queryChoice(call, "skipAutoDetectionConfirmation", ["0", "1"]);
  const named5 = body4.project ?? body4.name;
  const project2 = call.account.projects.find(
    ({ id: id2, name: name4, accountId }) => accountId === call.owner.id && (id2 === named5 || name4 === named5)
  );
  if (project2 === void 0) throw new ApiError(400, "project_not_found", `There is no project "${named5}".`);
  if (!body4.gitSource && !body4.deploymentId && !body4.files) {
    throw badRequest("Invalid request: missing required property `files`.");
  }
  const { customEnvironmentSlugOrId: wanted3, meta = {} } = body4;
  const environment = project2.customEnvironments.find(({ id: id2, slug }) => id2 === wanted3 || slug === wanted3);
  if (wanted3 !== void 0 && environment === void 0) {
    throw new ApiError(400, "bad_request", `There is no custom environment "${wanted3}".`);
  }
  const old = all(call, call.owner).find(({ one }) => one.id === body4.deploymentId)?.one;
  if (body4.deploymentId !== void 0 && old === void 0) {
    throw new ApiError(400, "deployment_not_found", `There is no deployment "${body4.deploymentId}".`);
  }
  const source2 = body4.gitSource ?? old?.gitSource;
  const target4 = body4.target ?? (wanted3 === void 0 ? old?.target ?? null : null);
  const alike = project2.deployments.find(
    (one) => source2?.sha !== void 0 && one.gitSource?.sha === source2.sha && one.target === target4
  );
  if (alike && !isForced && !old) return whole(call, { project: project2, one: alike });
  const commit = source2?.ref !== void 0 && source2.sha === void 0 && { sha: createHash4("sha1").update(source2.ref).digest("hex") };
  const given = { target: target4, meta, ...source2 && { gitSource: { ...source2, ...commit } } };
  return whole(
    call,
    add4(call, project2, {
      ...given,
      ...environment && { customEnvironmentId: environment.id },
      ...buildOf(call)
    })
  );
}
function buildOf(call) {
  const { buildSeconds, buildFails } = call.switches;
  const usual = {
    ...buildSeconds ? { seconds: buildSeconds } : {},
    ...buildFails ? { fails: true } : {}
  };
  const build2 = startMoving(call, "builds", usual);
  return build2.endsAt > build2.startedAt || build2.fails ? { build: build2 } : {};
}
function serve(call, type4) {
  const { projectId, deploymentId } = call.params;
  const found = all(call, call.owner).find(({ one: one2 }) => one2.id === deploymentId);
  if (!found || found.project.id !== projectId) throw new ApiError(404, "not_found", "Deployment not found");
  const { project: project2, one } = found;
  if (stateOf(one, call) !== "READY")
    throw new ApiError(400, "deployment_not_ready", "The deployment is not ready.");
  endRollout(call, project2, one.id);
  project2.lastAliasRequest = {
    ...{ fromDeploymentId: project2.serving?.production?.id ?? null, toDeploymentId: one.id },
    ...{ jobStatus: "succeeded", requestedAt: call.time(), type: type4 }
  };
  project2.serving = { ...project2.serving, production: { id: one.id } };
  return project2;
}
var deletion = operation({ on: deployments.named }, ({ account }, { one: { project: project2, one } }) => {
  account.aliases = account.aliases.filter(({ deploymentId }) => deploymentId !== one.id);
  takeOut(project2.deployments, one);
  return { uid: one.id, state: "DELETED" };
});
var deployment = {
  keeps: { project: { deployments: [] } },
  operations: {
    getDeployments: deployments.pages("deployments", {
      where: {
        projectId: [text, ({ project: project2 }, asked2) => project2.id === asked2 || project2.name === asked2],
        target: [text, ({ one }, asked2) => one.target === asked2]
      }
    }),
    getDeployment: operation({ on: deployments.named }, (call, { one }) => whole(call, one)),
    createDeployment: operation(
      {
        body: createBody7,
        query: { forceNew: choice(["0", "1"]), skipAutoDetectionConfirmation: choice(["0", "1"]) }
      },
      (call, _, body4) => create2(call, body4)
    ),
    requestPromote: operation({ answers: "none", statuses: [201] }, (call) => {
      serve(call, "promote");
    }),
    requestRollback: operation({ query: { description: text }, answers: "none", statuses: [201] }, (call) => {
      const served = serve(call, "rollback");
      const description3 = call.query.get("description");
      if (description3 !== null) served.lastRollback = { description: description3 };
    }),
    cancelDeployment: operation({ on: deployments.named }, (call, { one: { project: project2, one } }) => {
      if (!["QUEUED", "BUILDING"].includes(stateOf(one, call)))
        throw badRequest("The deployment is not being built.");
      one.state = "CANCELED";
      return whole(call, { project: project2, one });
    }),
    deleteDeployment: deletion
  },
  clientOperations: { "DELETE /now/deployments/{id}": deletion },
  seed: {
    account: { builds: paceOf("builds") },
    project: {
      deployments: seedList(
        seed10,
        (making, { target: target4 = null, meta = {}, ...given }, project2) => add4(making, project2, { ...given, target: target4, meta })
      )
    }
  }
};

// providers/hosting/twin/deployments/alias.ts
var assignBody = strictObject({
  alias: string().optional(),
  redirect: string().nullable().optional()
});
var seed11 = strictObject({
  alias: string(),
  redirect: string().optional(),
  deployment: string().optional()
});
var created = ({ createdAt }) => new Date(createdAt).toISOString();
var ofDeployment = (one) => ({
  ...{ uid: one.uid, alias: one.alias, created: created(one), redirect: one.redirect },
  ...Object.keys(one.protectionBypass).length > 0 && { protectionBypass: one.protectionBypass }
});
function shown2({ account }, one) {
  const { id: uid, username, email } = account.user;
  const { createdAt, updatedAt, deploymentId, projectId } = one;
  return {
    ...ofDeployment(one),
    createdAt,
    updatedAt,
    creator: { uid, username, email },
    deploymentId,
    projectId
  };
}
var aliases = ofOwner("aliases", {
  ...{ what: "Alias", param: "aliasId", shows: shown2 },
  isCalled: ({ uid, alias: alias2 }, name4) => uid === name4 || alias2 === name4.toLowerCase()
});
function assign(making, project2, deploymentId, { alias: alias2, redirect }) {
  if (alias2 === void 0) throw badRequest("Invalid request: missing required property `alias`.");
  const name4 = lower(alias2);
  const { account, owner } = making;
  if (!isDomainName(name4))
    throw new ApiError(400, "invalid_alias", `The alias "${alias2}" is not a host name.`);
  const isOwn = account.domains.some(
    (one2) => one2.ownerId === owner.id && (name4 === one2.name || name4.endsWith(`.${one2.name}`))
  );
  if (!isOwn && !name4.endsWith(".vercel.app"))
    throw forbidden(`You don't have access to the domain of ${name4}.`);
  const known2 = account.aliases.find((one2) => one2.alias === name4);
  if (known2 && known2.ownerId !== owner.id) throw new ApiError(403, "forbidden", "The alias is in use.");
  const [uid, at2] = [known2?.uid ?? making.id("", 24), making.time()];
  const { createdAt = at2, protectionBypass: protectionBypass2 = {} } = known2 ?? {};
  const one = {
    ...{ uid, alias: name4, ownerId: owner.id, projectId: project2.id, deploymentId, createdAt, updatedAt: at2 },
    ...{ redirect: redirect === void 0 ? known2?.redirect ?? null : redirect, protectionBypass: protectionBypass2 }
  };
  account.aliases = [...account.aliases.filter((other2) => other2 !== known2), one];
  return { one, oldDeploymentId: known2?.deploymentId };
}
function post(call, body4) {
  const { project: project2, one: deployment2 } = deployments.named(call).one;
  if (stateOf(deployment2, call) !== "READY") {
    throw new ApiError(400, "deployment_not_ready", "The deployment is not ready.");
  }
  const { one, oldDeploymentId } = assign(call, project2, deployment2.id, body4);
  const { uid, alias: alias2 } = one;
  return { uid, alias: alias2, created: created(one), ...oldDeploymentId && { oldDeploymentId } };
}
function aliasInProject(call) {
  const projectId = call.query.get("projectId");
  const one = findAlias(call, call.params.idOrAlias);
  if (projectId !== null && one.projectId !== projectId) throw notFound("Alias");
  return one;
}
var list3 = aliases.pages("aliases", {
  where: {
    projectId: being("projectId"),
    domain: [text, ({ alias: alias2 }, asked2) => alias2 === asked2 || alias2.endsWith(`.${asked2}`)]
  }
});
var listOfDeployment = operation(
  { on: deployments.named, list: "aliases" },
  ({ account }, { one: { one } }) => ({
    aliases: account.aliases.filter(({ deploymentId }) => deploymentId === one.id).map(ofDeployment)
  })
);
var alias = {
  keeps: { account: { aliases: [] } },
  operations: {
    listAliases: list3,
    getAlias: operation({ query: { projectId: text }, on: aliasInProject }, shown2),
    listDeploymentAliases: listOfDeployment,
    // A body is needed, whatever the document says: there has to be a name.
    assignAlias: operation({ body: assignBody }, (call, _, body4) => post(call, body4)),
    deleteAlias: aliases.remove({ answer: { status: "SUCCESS" } })
  },
  clientOperations: {
    "GET /v3/now/aliases": list3,
    "GET /now/deployments/{id}/aliases": listOfDeployment,
    "POST /now/deployments/{id}/aliases": operation(
      { body: assignBody },
      (call, _, body4) => post(call, body4)
    ),
    "GET /now/aliases/{idOrAlias}": operation({ on: aliasInProject }, shown2),
    "DELETE /now/aliases/{aliasId}": aliases.remove({ answer: { status: "SUCCESS" } })
  },
  seed: {
    project: {
      aliases: seedList(seed11, (making, { deployment: deployment2, ...body4 }, project2) => {
        const [first2] = project2.deployments;
        const one = deployment2 === void 0 ? first2 : project2.deployments.find(({ id: id2 }) => id2 === deployment2);
        if (one === void 0) throw new Error(`There is no deployment for the alias "${body4.alias}".`);
        assign(making, project2, one.id, body4);
      })
    }
  },
  after: ["domains", "projects.deployments"],
  forget(account, projectId) {
    account.aliases = account.aliases.filter((one) => one.projectId !== projectId);
  }
};

// providers/hosting/twin/deployments/alias-bypass.ts
var forAll = "alias-protection-override";
var person = strictObject({
  userId: string().optional(),
  email: string().optional(),
  access: _enum(["denied", "granted"])
});
var linked = strictObject({
  ttl: number().optional(),
  revoke: strictObject({ secret: string(), regenerate: boolean() }).optional()
});
var body = union([
  strictObject({ scope: person }),
  strictObject({
    override: strictObject({ scope: literal(forAll), action: _enum(["create", "revoke"]) })
  }),
  linked
]);
var made = (call, scope2) => ({
  ...{ scope: scope2, createdAt: call.time(), createdBy: call.account.user.id }
});
function letIn(call, { protectionBypass: protectionBypass2 }, { userId, email, access }) {
  const key3 = userId ?? email?.toLowerCase();
  if (key3 === void 0) throw badRequest("Invalid request: `scope` should have `userId` or `email`.");
  delete protectionBypass2[key3];
  if (access === "denied") return;
  const [at2, by] = [call.time(), call.account.user.id];
  const times3 = { createdAt: at2, lastUpdatedAt: at2, lastUpdatedBy: by };
  protectionBypass2[key3] = userId === void 0 ? { scope: "email_invite", ...times3 } : { scope: "user", access: "granted", ...times3 };
}
function override(call, { protectionBypass: protectionBypass2 }, action3) {
  for (const [key3, one] of Object.entries(protectionBypass2))
    if (one.scope === forAll) delete protectionBypass2[key3];
  if (action3 === "create") protectionBypass2[call.id("", 32)] = made(call, forAll);
}
function link(call, { protectionBypass: protectionBypass2 }, { ttl: ttl2, revoke: revoke2 }) {
  if (revoke2) {
    if (!(revoke2.secret in protectionBypass2)) throw badRequest("There is no such link.");
    delete protectionBypass2[revoke2.secret];
    if (!revoke2.regenerate) return;
  }
  const one = made(call, "shareable-link");
  const ends = ttl2 === void 0 ? {} : { expires: one.createdAt + ttl2 * 1e3 };
  protectionBypass2[call.id("", 32)] = { ...one, ...ends };
}
var aliasBypass = {
  operations: {
    patchUrlProtectionBypass: operation(
      { on: (call) => findAlias(call, call.params.id), body },
      (call, alias2, command) => {
        if ("scope" in command) letIn(call, alias2, command.scope);
        else if ("override" in command) override(call, alias2, command.override.action);
        else link(call, alias2, command);
        return alias2.protectionBypass;
      }
    )
  }
};

// providers/hosting/twin/deployments/cache.ts
var purged = operation(
  {
    query: { projectIdOrName: required },
    on: (call) => findProject(call, call.query.get("projectIdOrName"))
  },
  () => ({})
);
var cache = {
  operations: {},
  clientOperations: {
    "POST /v1/edge-cache/purge-all": purged,
    "DELETE /v1/data-cache/purge-all": purged
  }
};

// providers/hosting/twin/deployments/served-targets.ts
function servedTargets(call, project2) {
  const { deployments: deployments2, serving = {} } = project2;
  const served = {};
  for (const target4 of new Set(deployments2.flatMap((one) => one.target ?? []))) {
    const asked2 = rolledOut(call, project2, serving[target4]?.id);
    const one = deployments2.find(({ id: id2 }) => id2 === asked2) ?? newest(call, deployments2, target4);
    if (one) served[target4] = shown3(call, project2, one);
  }
  return served;
}
var latestDeployments = (call, project2) => project2.deployments.slice(-5).reverse().map((one) => shown3(call, project2, one));
var newest = (call, deployments2, target4) => deployments2.findLast((one) => one.target === target4 && stateOf(one, call) === "READY");
function shown3(call, { name: name4 }, one) {
  const { id: id2, target: target4, createdAt, meta } = one;
  const url3 = urlOf(one, name4);
  return {
    ...{ id: id2, name: name4, target: target4, createdAt, meta, url: url3, deploymentHostname: url3.split(".")[0] },
    ...{ createdIn: "iad1", creator: null, plan: "pro", private: true, type: "LAMBDAS" },
    ...{ readyState: stateOf(one, call), readySubstate: "PROMOTED", aliasAssigned: createdAt }
  };
}

// providers/hosting/twin/deployments/rollout.ts
var canary = { canaryDeploymentId: string() };
var startBody = strictObject(canary);
var approveBody = strictObject({ ...canary, nextStageIndex: int() });
function shownStage({ stages }, index) {
  const stage3 = stages[index];
  if (stage3 === void 0) return null;
  const { targetPercentage, duration = null, requireApproval = false } = stage3;
  return { index, isFinalStage: index === stages.length - 1, targetPercentage, duration, requireApproval };
}
function shownDeployment(call, { name: name4, deployments: deployments2 }, id2) {
  const one = deployments2.find((one2) => one2.id === id2);
  if (one === void 0) return null;
  const { createdAt, target: target4 } = one;
  return { id: one.id, name: name4, createdAt, target: target4, url: urlOf(one, name4), readyState: stateOf(one, call) };
}
function shown4(call, project2) {
  const { rollout: rollout2 } = project2;
  if (rollout2 === void 0) return null;
  const { state, stage: stage3, at: at2 } = standOf(rollout2, call);
  const isActive = state === "ACTIVE";
  const isManual = rollout2.stages.some(({ requireApproval }) => requireApproval);
  const percentage = { ACTIVE: rollout2.stages[stage3].targetPercentage, COMPLETE: 100, ABORTED: 0 }[state];
  return {
    ...{ state, substate: null, currentCanaryPercentage: percentage },
    advancementType: isManual ? "manual-approval" : "automatic",
    stages: rollout2.stages.map((_, index) => shownStage(rollout2, index)),
    activeStage: isActive ? shownStage(rollout2, stage3) : null,
    nextStage: isActive ? shownStage(rollout2, stage3 + 1) : null,
    canaryDeployment: shownDeployment(call, project2, rollout2.canary),
    currentDeployment: shownDeployment(call, project2, rollout2.current),
    queuedDeploymentId: null,
    ...{ startedAt: rollout2.startedAt, updatedAt: at2 }
  };
}
var answer = (call, project2) => ({ rollingRelease: shown4(call, project2) });
function underWay(call, { rollout: rollout2 }, id2) {
  if (rollout2?.canary !== id2) throw badRequest(`No rolling release of the deployment ${id2} is under way.`);
  if (standOf(rollout2, call).state !== "ACTIVE") throw badRequest("The rolling release is over.");
  return rollout2;
}
function start(call, project2, id2) {
  const { rollingRelease: rollingRelease2, deployments: deployments2, rollout: rollout2 } = project2;
  if (!rollingRelease2)
    throw new ApiError(422, "rolling_release_disabled", "The project has no rolling releases.");
  if (rollout2 && standOf(rollout2, call).state === "ACTIVE")
    throw conflict("A rolling release is under way already.");
  const one = deployments2.find((one2) => one2.id === id2);
  if (one === void 0) throw badRequest(`There is no deployment "${id2}".`);
  if (stateOf(one, call) !== "READY" || one.target !== "production")
    throw badRequest("Only a deployment for production that is ready is rolled out.");
  const before = servedTargets(call, project2).production;
  const current = before && before.id !== id2 ? before.id : deployments2.findLast(
    (other2) => other2 !== one && other2.target === "production" && stateOf(other2, call) === "READY"
  )?.id ?? null;
  const { startedAt, fails } = startMoving(call, "rollouts");
  const { seconds: seconds2 } = call.account.paces?.rollouts ?? {};
  project2.rollout = {
    ...{ canary: id2, current, stages: structuredClone(rollingRelease2.stages), startedAt },
    ...{ stage: 0, stageAt: startedAt },
    ...seconds2 === void 0 ? {} : { stageSeconds: seconds2 },
    ...fails ? { fails } : {}
  };
  if (current !== null) project2.serving = { ...project2.serving, production: { id: current } };
}
var rollout = {
  operations: {
    getRollingRelease: operation(
      { on: projectOfPath, query: { state: choice(["ACTIVE", "COMPLETE", "ABORTED"]) } },
      (call, project2) => {
        const found = shown4(call, project2);
        const asked2 = call.query.get("state");
        return { rollingRelease: asked2 === null || found?.state === asked2 ? found : null };
      }
    ),
    startRollingRelease: operation(
      { on: projectOfPath, body: startBody, statuses: [200, 409, 422] },
      (call, project2, { canaryDeploymentId }) => {
        start(call, project2, canaryDeploymentId);
        return answer(call, project2);
      }
    ),
    approveRollingReleaseStage: operation(
      { on: projectOfPath, body: approveBody },
      (call, project2, { canaryDeploymentId, nextStageIndex }) => {
        const one = underWay(call, project2, canaryDeploymentId);
        const next = standOf(one, call).stage + 1;
        if (nextStageIndex !== next)
          throw badRequest(`The next stage is ${next}, and not ${nextStageIndex}.`);
        putAt(one, next, call);
        return answer(call, project2);
      }
    ),
    completeRollingRelease: operation(
      { on: projectOfPath, body: startBody },
      (call, project2, { canaryDeploymentId }) => {
        const one = underWay(call, project2, canaryDeploymentId);
        putAt(one, one.stages.length - 1, call);
        return answer(call, project2);
      }
    )
  },
  seed: { account: { rollouts: paceOf("rollouts") } }
};

// providers/hosting/twin/domains/certificate.ts
;
var issueBody = strictObject({ cns: strings.optional() });
var orderBody = strictObject({ op: _enum(["startOrder", "finalizeOrder"]), domains: strings });
var uploadBody = strictObject({
  ca: string(),
  cert: string(),
  key: string(),
  skipValidation: boolean().optional()
});
var seed12 = strictObject({
  ...seedOwned,
  cns: strings,
  autoRenew: boolean().optional(),
  expiresAt: number().optional()
});
var certificates = ofOwner("certificates", {
  what: "Certificate",
  shows: (call, { ownerId: _owner, ...one }) => ({ ...one, ...call.outside && earlier(one) })
});
var ninetyDays = 90 * 24 * 36e5;
function make4(making, cns, autoRenew, expiresAt) {
  const { owner, id: id2, time } = making;
  const createdAt = time();
  const ends = expiresAt ?? createdAt + ninetyDays;
  return { id: id2("cert_"), ownerId: owner.id, cns: cns.map(lower), autoRenew, createdAt, expiresAt: ends };
}
function checkNames({ account, owner }, cns) {
  if (cns.length === 0) throw badRequest("Invalid request: `cns` should NOT have fewer than 1 items.");
  for (const given of cns) {
    const name4 = lower(given).replace(/^\*\./, "");
    if (!isDomainName(name4)) throw badRequest(`Invalid request: "${given}" is not a common name.`);
    const isIn = (apex) => name4 === apex || name4.endsWith(`.${apex}`);
    const domain2 = account.domains.find((one) => one.ownerId === owner.id && isIn(one.name));
    const ofProject3 = account.projects.some(
      ({ accountId, domains: domains2 }) => accountId === owner.id && domains2.some((one) => one.name === name4)
    );
    if (!domain2 && !ofProject3)
      throw new ApiError(400, "configuration_error", `The domain of "${given}" is not configured here.`, {
        cns: [given]
      });
    if (given.startsWith("*.") && !domain2?.zone)
      throw new ApiError(400, "wildcard_not_allowed", `"${given}" needs the nameservers of the platform.`);
  }
}
function contentOf({ cert, key: key3, skipValidation }) {
  const told2 = /^-----BEGIN CERTIFICATE-----\nnames: (.+)\n-----END CERTIFICATE-----\s*$/.exec(cert);
  if (told2) return { names: told2[1].split(" ") };
  try {
    const parsed = new X509Certificate(cert);
    const names = (parsed.subjectAltName ?? "").split(", ").flatMap((one) => /^DNS:(.+)/.exec(one)?.[1] ?? []);
    const isValid = skipValidation || parsed.checkPrivateKey(createPrivateKey(key3));
    if (isValid && names.length > 0) return { names, ends: Date.parse(parsed.validTo) };
  } catch {
  }
  throw badRequest("The certificate is not valid, or the key is not the one of it.");
}
function validate(call, cns) {
  const { account, owner, now } = call;
  const of = (one) => one.ownerId === owner.id && one.cns.join() === cns.map(lower).join();
  const begun = account.validations?.find(of);
  const { endsAt, fails } = begun?.moving ?? startMoving(call, "issuing");
  if (endsAt > now()) {
    const moving = begun?.moving ?? { startedAt: now(), endsAt, ...fails ? { fails } : {} };
    if (!begun)
      account.validations = [
        ...account.validations ?? [],
        { ownerId: owner.id, cns: cns.map(lower), moving }
      ];
    throw new ApiError(449, "validation_running", "There is a validation in course. Wait until it finishes.");
  }
  account.validations = account.validations?.filter((one) => one !== begun);
  if (fails) throw new ApiError(400, "configuration_error", `The names could not be validated.`, { cns });
}
var earlier = ({ id: id2, createdAt, expiresAt }) => ({
  uid: id2,
  created: new Date(createdAt).toISOString(),
  expiration: new Date(expiresAt).toISOString()
});
var kept = certificates.kept(
  seed12,
  (making, { cns, autoRenew = true, expiresAt }) => make4(making, cns, autoRenew, expiresAt)
);
var certificate = {
  ...kept,
  seed: { account: { ...kept.seed.account, issuing: paceOf("issuing") } },
  operations: {
    getCerts: certificates.pages("certs"),
    getCertById: certificates.read(),
    issueCert: certificates.create({ body: issueBody, statuses: [200, 449] }, (call, { cns = [] }) => {
      checkNames(call, cns);
      validate(call, cns);
      return make4(call, cns, true);
    }),
    uploadCert: certificates.create({ body: uploadBody }, (call, body4) => {
      const { names, ends } = contentOf(body4);
      return make4(call, names, false, ends);
    }),
    removeCert: certificates.remove({ answer: {} })
  },
  clientOperations: {
    // An order in two steps; there is nothing to prove for names whose domain is here.
    "PATCH /v3/certs": operation({ body: orderBody }, (call, _, { op, domains: domains2 }) => {
      checkNames(call, domains2);
      if (op === "startOrder") return { challengesToResolve: [] };
      const one = make4(call, domains2, true);
      call.account.certificates.push(one);
      return certificates.show(call, one, call.owner);
    })
  }
};

// providers/hosting/twin/domains/dns-read.ts
var withoutDot = (host) => host.replace(/\.$/, "");
function caa(value3, quotes) {
  const [, head = "", text4 = ""] = /^(\S+ \S+) "(.*)"$/.exec(value3) ?? [];
  return quotes || text4.includes(" ") ? `${head} "${text4}"` : `${head} ${text4}`;
}
function listValue(record2, switches) {
  const { type: type4, value: value3 = "", srv: srv2, https: https2 } = record2;
  if (srv2 !== void 0) {
    if (switches.srvRead === "object") return { srv: srv2 };
    return { priority: srv2.priority, value: `${srv2.weight} ${srv2.port} ${srv2.target}` };
  }
  if (https2 !== void 0) {
    if (switches.httpsRead === "object") return { https: https2 };
    return { priority: https2.priority, value: `${https2.target} ${https2.params}`.trimEnd() };
  }
  if (type4 === "CAA") return { value: caa(value3, switches.caaQuotes) };
  if (type4 === "MX") {
    return { mxPriority: record2.mxPriority, value: switches.hostDot ? value3 : withoutDot(value3) };
  }
  if (type4 === "CNAME") return { value: switches.hostDot ? value3 : withoutDot(value3) };
  return { value: value3 };
}
function listItem(record2, switches) {
  const { id: id2, type: type4, name: name4, ttl: ttl2, comment: comment4, creator, createdAt, updatedAt } = record2;
  return {
    id: id2,
    slug: id2,
    name: name4 === "" ? switches.apexName : name4,
    type: type4,
    ...listValue(record2, switches),
    ttl: ttl2,
    comment: comment4,
    creator,
    created: createdAt,
    createdAt,
    updated: updatedAt,
    updatedAt
  };
}
function packed(record2, switches) {
  const { type: type4, value: value3 = "", srv: srv2, https: https2 } = record2;
  if (srv2 !== void 0) {
    const target4 = srv2.target === "." ? "" : ` ${srv2.target}`;
    return `${srv2.priority} ${srv2.weight} ${srv2.port}${target4}`;
  }
  if (https2 !== void 0) return `${https2.priority} ${https2.target} ${https2.params}`.trimEnd();
  if (type4 === "MX") return `${record2.mxPriority} ${value3}`;
  return type4 === "CAA" ? caa(value3, switches.caaQuotesById || switches.caaQuotes) : value3;
}
function recordById(record2, domain2, switches) {
  const { id: id2, type: type4, name: name4, ttl: ttl2, comment: comment4, creator, createdAt } = record2;
  const sort = creator === "system" ? "record-sys" : "record";
  return {
    id: id2,
    domain: domain2.name,
    name: name4,
    recordType: type4,
    type: switches.recordByIdType === "dns" ? type4 : sort,
    value: packed(record2, switches),
    ttl: ttl2,
    comment: comment4,
    creator,
    createdAt
  };
}
function patchedRecord(record2, domain2, switches) {
  return recordById(record2, domain2, { ...switches, recordByIdType: "record" });
}

// providers/hosting/twin/domains/dns-record-body.ts
var dnsTypes = ["A", "AAAA", "ALIAS", "CAA", "CNAME", "HTTPS", "MX", "NS", "SRV", "TXT"];
var port = int().min(0).max(65535);
var ttl = int().min(60).max(2147483647);
var comment = string().max(500);
var type = _enum(dnsTypes);
var srv = strictObject({
  priority: port.nullable(),
  weight: port.nullable(),
  port: port.nullable(),
  target: string().nullable()
});
var https = strictObject({
  priority: port.nullable(),
  target: string().nullable(),
  params: string().nullable().optional()
});
var createRecordBody = strictObject({
  type,
  name: string().optional(),
  value: string().optional(),
  ttl: ttl.optional(),
  comment: comment.optional(),
  mxPriority: port.optional(),
  srv: srv.optional(),
  https: https.optional()
});
var updateRecordBody = strictObject({
  type: type.nullable().optional(),
  name: string().nullable().optional(),
  value: string().nullable().optional(),
  ttl: ttl.nullable().optional(),
  comment: comment.optional(),
  mxPriority: port.nullable().optional(),
  srv: srv.nullable().optional(),
  https: https.nullable().optional()
});

// providers/hosting/twin/domains/dns-rules.ts
;
function storedName(name4) {
  const valid = name4 === "" || name4.length <= 253 && name4.split(".").every(
    (label, i) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label) || label === "*" && i === 0
  );
  if (!valid) throw new ApiError(400, "invalid_name", `The record name "${name4}" is not valid.`);
  return lower(name4);
}
function storedHost(member, host) {
  if (!isAscii(host)) {
    throw badRequest(`Invalid request: \`${member}\` should contain only ASCII characters (use punycode).`);
  }
  if (!isDomainName(host)) {
    throw badRequest(`Invalid request: \`${member}\` should be a fully qualified domain name.`);
  }
  return `${lower(host).replace(/\.$/, "")}.`;
}
function storedTarget(member, host) {
  return host === "." || host === "" ? "." : storedHost(member, host);
}
function storedCaa(text4) {
  const [, flags3 = "", tag = "", rest = ""] = /^(\d{1,3})\s+([a-z0-9]+)\s+(.+)$/i.exec(text4.trim()) ?? [];
  const invalid = (why) => new ApiError(400, "invalid_value", `The CAA value "${text4}" ${why}.`);
  if (flags3 === "" || Number(flags3) > 255) throw invalid("is not a set of flags, a tag and a value");
  const value3 = /^"(.*)"$/.exec(rest)?.[1] ?? rest;
  if (value3.includes('"')) throw invalid("has a quote inside its value");
  if (/^issue(wild)?$/i.test(tag)) {
    const [issuer = "", ...parameters] = value3.split(";").map((part) => part.trim());
    if (!isDomainName(issuer)) throw invalid("does not name a fully qualified domain");
    for (const parameter2 of parameters) {
      if (/^(cansignhttpexchanges\s*=\s*yes)?$/.test(parameter2)) continue;
      throw invalid("has an invalid cansignhttpexchanges parameter");
    }
  } else if (value3 === "") throw invalid("does not name a fully qualified domain");
  return `${Number(flags3)} ${tag} "${value3}"`;
}
function checkHttpsParams(params) {
  const ech = /(?:^|\s)ech="?([^"\s]*)/.exec(params)?.[1];
  if (ech === void 0) return;
  const bytes2 = Buffer.from(ech, "base64");
  const isList = bytes2.length > 4 && bytes2.readUInt16BE(0) === bytes2.length - 2 && bytes2.readUInt16BE(2) === 65037;
  if (!isList) throw badRequest("Invalid base64 value for the key ech.");
}
var extra = (member) => badRequest(`Invalid request: should NOT have additional property \`${member}\`.`);
var missing = (member) => badRequest(`Invalid request: missing required property \`${member}\`.`);
function storedValue(type4, value3) {
  switch (type4) {
    case "A":
      if (!isIPv4(value3)) throw badRequest("Invalid request: `value` should be an IPv4 address.");
      return value3;
    case "AAAA":
      if (!isIPv6(value3)) throw badRequest("Invalid request: `value` should be an IPv6 address.");
      return value3;
    case "CAA":
      return storedCaa(value3);
    case "TXT":
      return value3;
    default:
      return storedHost("value", value3);
  }
}
function checkRecord(body4) {
  const { type: type4, value: value3, mxPriority, srv: srv2, https: https2 } = body4;
  if (body4.name === void 0 && !["SRV", "HTTPS", "TXT"].includes(type4)) throw missing("name");
  const name4 = storedName(body4.name ?? "");
  const content = { type: type4, name: name4, ttl: body4.ttl ?? 60, comment: body4.comment ?? "" };
  if (type4 !== "MX" && mxPriority !== void 0) throw extra("mxPriority");
  if (type4 !== "SRV" && srv2 !== void 0) throw extra("srv");
  if (type4 !== "HTTPS" && https2 !== void 0) throw extra("https");
  if (type4 === "NS" && name4 === "") {
    throw new ApiError(400, "invalid_name", "NS records can only be set on subdomains.");
  }
  if (type4 === "SRV") {
    if (srv2 === void 0) throw missing("srv");
    if (value3 !== void 0) throw extra("value");
    const target4 = storedTarget("srv.target", srv2.target ?? "");
    const { priority, weight, port: port2 } = srv2;
    return { ...content, srv: { priority: priority ?? 0, weight: weight ?? 0, port: port2 ?? 0, target: target4 } };
  }
  if (type4 === "HTTPS") {
    if (https2 === void 0) throw missing("https");
    if (value3 !== void 0) throw extra("value");
    const params = (https2.params ?? "").trim();
    checkHttpsParams(params);
    const target4 = storedTarget("https.target", https2.target ?? "");
    return { ...content, https: { priority: https2.priority ?? 0, target: target4, params } };
  }
  if (value3 === void 0 || value3 === "") {
    if (type4 === "CAA" && value3 === "") {
      throw badRequest("Invalid request: `value` should be a fully qualified domain name.");
    }
    throw missing("value");
  }
  const stored = { ...content, value: storedValue(type4, value3) };
  if (type4 !== "MX") return stored;
  if (mxPriority === void 0) throw missing("mxPriority");
  return { ...stored, mxPriority };
}
function sameContent(a, b) {
  const key3 = (one) => JSON.stringify([one.value, one.mxPriority, one.srv, one.https]);
  return key3(a) === key3(b);
}
function checkNoConflict(content, others) {
  const beside = others.filter((one) => one.name === content.name && one.creator !== "system");
  const conflict2 = (old, message) => {
    throw new ApiError(409, "record_conflict", message, { oldId: old.id });
  };
  const twin = beside.find((one) => one.type === content.type && sameContent(one, content));
  if (twin !== void 0) conflict2(twin, "A record with the same name, type and value already exists.");
  const cname = beside.find((one) => one.type === "CNAME");
  if (cname !== void 0) conflict2(cname, `A CNAME record for "${content.name}" already exists.`);
  if (content.type === "CNAME" && beside[0] !== void 0) {
    conflict2(beside[0], `A CNAME record cannot stand beside another record for "${content.name}".`);
  }
}

// providers/hosting/twin/domains/domain-state.ts
var nameservers = ["ns1.vercel-dns.com", "ns2.vercel-dns.com"];
function findDomain(call) {
  const name4 = call.params.domain;
  const wanted3 = lower(name4);
  const found = call.account.domains.find((one) => one.name === wanted3 && one.ownerId === call.owner.id);
  if (found === void 0) throw notFound(`The domain ${name4}`);
  return found;
}
function addDomain(making, name4) {
  const domain2 = {
    id: making.id("", 24),
    name: name4,
    ownerId: making.owner.id,
    zone: true,
    renew: false,
    echMode: "disabled",
    customNameservers: [],
    verified: true,
    boughtAt: null,
    transferredAt: null,
    expiresAt: null,
    createdAt: making.time(),
    records: []
  };
  making.account.domains.push(domain2);
  const system = (fields3) => {
    const at2 = making.time();
    const id2 = making.id("rec_", 24);
    domain2.records.push({
      id: id2,
      ...fields3,
      ttl: 60,
      comment: "",
      creator: "system",
      createdAt: at2,
      updatedAt: at2
    });
  };
  if (making.switches.systemRecords) {
    system({ type: "CAA", name: "", value: '0 issue "letsencrypt.org"' });
    system({ type: "CNAME", name: "*", value: "cname.vercel-dns.com." });
  }
  return domain2;
}
var readable = [
  "id",
  "name",
  "renew",
  "echMode",
  "customNameservers",
  "verified",
  "boughtAt",
  "transferredAt",
  "expiresAt",
  "createdAt"
];
function readDomain(call, domain2) {
  const { zone, ownerId, customNameservers } = domain2;
  const { id: id2, username, email } = call.account.user;
  return {
    ...shownOf(domain2, readable),
    serviceType: zone ? "zeit.world" : "external",
    nameservers: customNameservers.length > 0 ? customNameservers : zone ? nameservers : [],
    intendedNameservers: nameservers,
    creator: { id: id2, username, email, customerId: null, isDomainReseller: false },
    userId: id2,
    teamId: ownerId === id2 ? null : ownerId,
    suffix: false
  };
}

// providers/hosting/twin/domains/dns-record.ts
function findRecord(call) {
  const domains2 = call.params.domain === void 0 ? call.account.domains.filter((one) => one.ownerId === call.owner.id) : [findDomain(call)];
  for (const domain2 of domains2) {
    const record2 = domain2.records.find((one) => one.id === call.params.recordId);
    if (record2 !== void 0) return { record: record2, domain: domain2 };
  }
  throw notFound("The DNS record");
}
function ownRecord(call) {
  const found = findRecord(call);
  if (found.record.creator !== "system") return found;
  throw forbidden("Records of the system cannot be changed or deleted.");
}
var withoutNulls = (body4) => Object.fromEntries(Object.entries(body4).filter(([, value3]) => value3 !== null && value3 !== void 0));
function kept2(record2, type4) {
  const { name: name4, ttl: ttl2, comment: comment4 } = record2;
  if (type4 !== record2.type) return { type: type4, name: name4, ttl: ttl2, comment: comment4 };
  const { value: value3, mxPriority, srv: srv2, https: https2 } = record2;
  return { type: type4, name: name4, ttl: ttl2, comment: comment4, value: value3, mxPriority, srv: srv2, https: https2 };
}
function update(call, { record: record2, domain: domain2 }, given) {
  const body4 = withoutNulls(given);
  const type4 = body4.type ?? record2.type;
  if (type4 !== record2.type && !call.switches.recordTypeChangeable) {
    throw badRequest("The type of a record cannot be changed.");
  }
  const content = checkRecord({ ...withoutNulls(kept2(record2, type4)), ...body4 });
  checkNoConflict(
    content,
    domain2.records.filter((one) => one !== record2)
  );
  const { id: id2, creator, createdAt } = record2;
  const changed3 = { id: id2, ...content, creator, createdAt, updatedAt: call.time() };
  domain2.records[domain2.records.indexOf(record2)] = changed3;
  return patchedRecord(changed3, domain2, call.switches);
}
var seed13 = createRecordBody.extend({
  type: _enum(dnsTypes),
  id: string().optional(),
  creator: string().optional()
});
var dnsRecord = {
  operations: {
    getRecords: operation({ on: findDomain, query: timePageQuery, list: "records" }, (call, { records }) => {
      const { page, pagination } = timePage(call, records);
      return { records: page.map((record2) => listItem(record2, call.switches)), pagination };
    }),
    createRecord: operation(
      { on: findDomain, body: createRecordBody, statuses: [200, 409] },
      (call, { records }, body4) => {
        const content = checkRecord(body4);
        checkNoConflict(content, records);
        const id2 = call.id("rec_");
        records.push({ id: id2, ...content, creator: call.account.user.id, ...times(call) });
        return { uid: id2 };
      }
    ),
    updateRecord: operation({ on: ownRecord, body: updateRecordBody, statuses: [200, 409] }, update),
    removeRecord: operation({ on: ownRecord }, (_, { record: record2, domain: domain2 }) => {
      domain2.records.splice(domain2.records.indexOf(record2), 1);
      return {};
    }),
    getDomainsRecordsByRecordId: operation(
      { on: findRecord },
      (call, { record: record2, domain: domain2 }) => recordById(record2, domain2, call.switches)
    )
  },
  seed: {
    domain: {
      records: seedList(seed13, (making, { id: id2, creator, ...record2 }, { records }) => {
        const content = checkRecord({ ...record2, name: record2.name === "@" ? "" : record2.name });
        if (creator !== "system") checkNoConflict(content, records);
        records.push({
          id: id2 ?? making.id("rec_"),
          ...content,
          creator: creator ?? making.account.user.id,
          ...times(making)
        });
      })
    }
  }
};

// providers/hosting/twin/domains/domain.ts
var createBody8 = strictObject({
  name: string(),
  method: string().optional(),
  token: string().optional(),
  cdnEnabled: boolean().optional(),
  zone: boolean().optional()
});
var updateBody4 = strictObject({
  op: string().optional(),
  renew: boolean().optional(),
  customNameservers: strings.optional(),
  zone: boolean().optional(),
  echMode: _enum(["auto", "disabled"]).optional(),
  destination: string().optional()
});
function create3(call, body4) {
  if (body4.method !== void 0 && body4.method !== "add") throw notImplemented("moving a domain in");
  if (body4.token !== void 0) {
    throw badRequest("Invalid request: should NOT have additional property `token`.");
  }
  const name4 = lower(body4.name);
  if (!isDomainName(name4) || name4.endsWith(".")) {
    throw new ApiError(400, "invalid_domain", `The domain "${body4.name}" is not valid.`);
  }
  if (call.account.domains.some((one) => one.name === name4)) {
    throw new ApiError(409, "domain_already_exists", `The domain ${name4} is already in use.`);
  }
  call.time();
  const domain2 = addDomain(call, name4);
  domain2.zone = body4.zone ?? true;
  return { domain: readDomain(call, domain2) };
}
function moveOut(call, domain2, destination2) {
  const { account } = call;
  const isUser = destination2 === account.user.id || destination2 === account.user.username;
  const to = isUser ? findOwner(account, null) : destination2 && findOwner(account, destination2);
  if (!to) throw new ApiError(400, "invalid_move_destination", `There is no team "${destination2}".`);
  const using = projectsUsing(call, domain2).map(({ name: name4 }) => name4);
  if (using.length > 0)
    throw new ApiError(409, "domain_move_conflict", `${domain2.name} is still used by ${using.join(", ")}.`);
  domain2.ownerId = to.id;
  return { moved: true };
}
function update2(call, domain2, body4) {
  const { op = "update", destination: destination2, ...fields3 } = body4;
  if (op === "move-out") return moveOut(call, domain2, destination2);
  if (op !== "update") throw badRequest('Invalid request: `op` should be one of "update", "move-out".');
  if (destination2 !== void 0) {
    throw badRequest("Invalid request: should NOT have additional property `destination`.");
  }
  assignKnown(domain2, fields3, (field) => Object.hasOwn(updateBody4.shape, field));
  const { customNameservers, echMode, renew, zone } = domain2;
  return { customNameservers, echMode, renew, zone };
}
var projectsUsing = ({ account, owner }, { name: name4 }) => projectsOf(account, owner.id).filter(({ domains: domains2 }) => domains2.some(({ apexName }) => apexName === name4));
function remove2(call, domain2) {
  const using = projectsUsing(call, domain2);
  if (using.length > 0 && !call.switches.domainDeleteCascades) {
    throw new ApiError(
      409,
      "domain_removal_conflict",
      `The domain ${domain2.name} is still used by ${using.map((one) => one.name).join(", ")}.`
    );
  }
  for (const project2 of using) {
    project2.domains = project2.domains.filter((one) => one.apexName !== domain2.name);
  }
  call.account.aliases = call.account.aliases.filter(
    ({ alias: alias2 }) => alias2 !== domain2.name && !alias2.endsWith(`.${domain2.name}`)
  );
  call.account.domains.splice(call.account.domains.indexOf(domain2), 1);
  return { uid: domain2.id };
}
function config(call) {
  const name4 = lower(call.params.domain);
  const served = name4.endsWith(".vercel.app") || call.account.domains.some((one) => one.zone && (name4 === one.name || name4.endsWith(`.${one.name}`)));
  return {
    configuredBy: served ? "A" : null,
    acceptedChallenges: served ? ["dns-01", "http-01"] : [],
    recommendedIPv4: [{ rank: 1, value: ["76.76.21.21"] }],
    recommendedCNAME: [{ rank: 1, value: "cname.vercel-dns.com." }],
    misconfigured: !served
  };
}
var seed14 = strictObject({
  ...seedOwned,
  name: string(),
  zone: boolean().optional(),
  renew: boolean().optional(),
  echMode: _enum(["auto", "disabled"]).optional(),
  customNameservers: strings.optional(),
  verified: boolean().optional(),
  boughtAt: number().optional(),
  transferredAt: number().optional(),
  expiresAt: number().optional()
});
function load3(making, { name: name4, ...fields3 }) {
  if (!isDomainName(name4) || name4 !== name4.toLowerCase()) throw new Error(`"${name4}" is not a domain name.`);
  if (making.account.domains.some((one) => one.name === name4)) {
    throw new Error(`There are two domains "${name4}".`);
  }
  return Object.assign(addDomain(making, name4), fields3);
}
var domain = {
  keeps: { account: { domains: [] } },
  operations: {
    getDomains: operation({ query: timePageQuery, list: "domains" }, (call) => {
      const own2 = call.account.domains.filter((domain2) => domain2.ownerId === call.owner.id);
      const { page, pagination } = timePage(call, own2);
      return { domains: page.map((domain2) => readDomain(call, domain2)), pagination };
    }),
    // Moving domains in is not implemented.
    createOrTransferDomain: operation(
      { body: createBody8, statuses: [200, 409, 501] },
      (call, _, body4) => create3(call, body4)
    ),
    getDomain: operation({ on: findDomain }, (call, domain2) => ({ domain: readDomain(call, domain2) })),
    patchDomain: operation({ on: findDomain, body: updateBody4, statuses: [200, 409] }, update2),
    deleteDomain: operation({ on: findDomain, statuses: [200, 409] }, remove2),
    getDomainConfig: operation({ isAlwaysFound: true }, config)
  },
  seed: { account: { domains: seedList(seed14, load3, "domain") } }
};

// providers/hosting/twin/domains/registrar.ts
function registered(call) {
  const name4 = lower(call.params.domain);
  const domain2 = call.account.domains.find((one) => one.name === name4 && one.ownerId === call.owner.id);
  if (domain2 === void 0) throw new ApiError(404, "domain_not_found", "The domain was not found.");
  if (domain2.boughtAt === null && domain2.transferredAt === null) {
    throw new ApiError(400, "domain_not_registered", "The domain is not registered with Vercel.");
  }
  return domain2;
}
var registrar = {
  operations: {
    updateDomainAutoRenew: operation(
      { on: registered, body: strictObject({ autoRenew: boolean() }), statuses: [204] },
      (_, domain2, { autoRenew }) => {
        domain2.renew = autoRenew;
      }
    ),
    // What an empty list does is not documented.
    updateDomainNameservers: operation(
      { on: registered, body: strictObject({ nameservers: strings }), statuses: [204] },
      (_, domain2, { nameservers: nameservers2 }) => {
        const wrong = nameservers2.find((name4) => !isDomainName(name4));
        if (wrong !== void 0 || nameservers2.length === 0) {
          throw new ApiError(400, "bad_request", `There is no nameserver "${wrong ?? ""}".`);
        }
        domain2.customNameservers = nameservers2.map(lower);
      }
    )
  }
};

// providers/hosting/twin/projects/custom-environment.ts
var branchMatcher = strictObject({
  type: _enum(["equals", "startsWith", "endsWith"]),
  pattern: string().min(1)
});
var createBody9 = strictObject({
  slug: string().optional(),
  description: string().optional(),
  branchMatcher: branchMatcher.optional(),
  copyEnvVarsFrom: string().optional()
});
var updateBody5 = strictObject({
  slug: string().optional(),
  description: string().optional(),
  branchMatcher: branchMatcher.nullable().optional()
});
var removeBody = strictObject({ deleteUnassignedEnvironmentVariables: boolean().optional() });
function readCustomEnvironment(project2, one) {
  return {
    ...one,
    domains: project2.domains.filter((domain2) => domain2.customEnvironmentId === one.id),
    currentDeploymentAliases: []
  };
}
function customEnvironmentId(project2, slug) {
  const found = project2.customEnvironments.find((one) => one.slug === slug);
  if (found === void 0) throw new Error(`There is no custom environment "${slug}" in this project.`);
  return found.id;
}
var environments3 = ofProject("customEnvironments", {
  what: "Custom environment",
  param: "environmentSlugOrId",
  by: ["id", "slug"],
  shows: (_, one, project2) => readCustomEnvironment(project2, one)
});
function checkSlug(project2, slug, except) {
  if (["production", "preview", "development"].includes(slug)) {
    throw badRequest(`The slug \`${slug}\` is reserved.`);
  }
  if (!/^[a-z0-9-]{1,32}$/.test(slug)) {
    throw badRequest("Invalid request: `slug` should have 1 to 32 lower-case letters, digits and hyphens.");
  }
  if (project2.customEnvironments.some((one) => one.slug === slug && one !== except)) {
    throw badRequest(`A custom environment with the slug \`${slug}\` already exists.`);
  }
}
function copyEnvVars(call, project2, from, id2) {
  const source2 = project2.customEnvironments.find((one) => one.slug === from || one.id === from);
  const rows = project2.env.filter(
    (env) => source2 ? env.customEnvironmentIds.includes(source2.id) : env.target.includes(from) && !env.gitBranch
  );
  for (const row of rows) {
    const copy = { ...row, id: call.id("", 16), target: [], customEnvironmentIds: [id2] };
    project2.env.push({ ...copy, ...times(call) });
  }
}
function create4(call, body4, project2) {
  const { slug = `environment-${project2.customEnvironments.length + 1}`, description: description3, branchMatcher: branchMatcher2 } = body4;
  checkSlug(project2, slug);
  const one = {
    ...stamped(call, "env_", 28),
    slug,
    type: "preview",
    ...description3 === void 0 ? {} : { description: description3 },
    ...branchMatcher2 === void 0 ? {} : { branchMatcher: branchMatcher2 }
  };
  if (body4.copyEnvVarsFrom !== void 0) copyEnvVars(call, project2, body4.copyEnvVarsFrom, one.id);
  return one;
}
function unassign(project2, id2, dropsUnassigned = false) {
  const lost = project2.env.filter((env) => env.customEnvironmentIds.includes(id2));
  for (const env of lost) env.customEnvironmentIds = env.customEnvironmentIds.filter((one) => one !== id2);
  if (dropsUnassigned) {
    const unassigned = lost.filter((env) => env.target.length + env.customEnvironmentIds.length === 0);
    project2.env = project2.env.filter((env) => !unassigned.includes(env));
  }
  for (const domain2 of project2.domains) {
    if (domain2.customEnvironmentId === id2) domain2.customEnvironmentId = null;
  }
}
var seed15 = strictObject({
  id: string().optional(),
  slug: string(),
  description: string().optional(),
  branchMatcher: branchMatcher.extend({ pattern: string() }).optional()
});
var customEnvironment = {
  ...environments3.kept(seed15, (making, one, project2) => {
    checkSlug(project2, one.slug);
    return { type: "preview", ...one, ...stamped(making, "env_", 28) };
  }),
  operations: {
    getProjectsByIdOrNameCustomEnvironments: operation(
      { on: environments3.home, list: "environments" },
      (_, project2) => ({
        accountLimit: { total: 12 },
        environments: project2.customEnvironments.map((one) => readCustomEnvironment(project2, one))
      })
    ),
    createCustomEnvironment: environments3.create({ body: createBody9.optional(), statuses: [201] }, create4),
    getCustomEnvironment: environments3.read(),
    updateCustomEnvironment: environments3.update(
      { body: updateBody5 },
      (_, one, { branchMatcher: branchMatcher2, ...fields3 }, project2) => {
        if (fields3.slug !== void 0) checkSlug(project2, fields3.slug, one);
        Object.assign(one, fields3);
        if (branchMatcher2 === null) delete one.branchMatcher;
        else if (branchMatcher2 !== void 0) one.branchMatcher = branchMatcher2;
      }
    ),
    removeCustomEnvironment: operation(
      {
        on: environments3.named,
        body: removeBody.optional()
      },
      (call, { home: project2, one }, { deleteUnassignedEnvironmentVariables }) => {
        const read3 = readCustomEnvironment(project2, one);
        environments3.drop(call, one, project2);
        unassign(project2, one.id, deleteUnassignedEnvironmentVariables);
        return read3;
      }
    )
  }
};

// providers/hosting/twin/env/env-row.ts
;
var type2 = _enum(["system", "encrypted", "plain", "sensitive"]);
var target = array(_enum(["production", "preview", "development"]));
var key = string().min(1).max(256);
var value = string().max(65536);
var comment2 = string().max(500);
var customEnvironmentIds = array(string());
var createEnvBody = strictObject({
  key,
  value,
  type: type2,
  target: target.optional(),
  gitBranch: string().nullable().optional(),
  comment: comment2.optional(),
  customEnvironmentIds: customEnvironmentIds.optional()
});
var createEnvsBody = union([createEnvBody, array(createEnvBody).min(1)]);
var updateEnvBody = strictObject({
  key: key.optional(),
  value: value.optional(),
  type: type2.optional(),
  target: target.optional(),
  gitBranch: string().nullable().optional(),
  comment: comment2.optional(),
  customEnvironmentIds: customEnvironmentIds.optional()
});
var removeEnvBody = strictObject({ ids: array(string()).min(1).max(1e3) });
var aboutVariable = ({ key: key3, target: target4, gitBranch }) => ({
  envVarKey: key3,
  ...target4 === void 0 ? {} : { target: target4 },
  ...gitBranch === void 0 ? {} : { gitBranch }
});
function ciphertext(env) {
  const hash2 = createHash5("sha512").update(`${env.id}
${env.updatedAt}
${env.value}`).digest("base64");
  return `eyJ2IjoidjIiLCJjIjoi${hash2.replace(/=+$/, "")}`;
}
function readEnvVar(call, env, decrypt) {
  const { value: value3, target: target4, ...rest } = env;
  const read3 = {
    ...rest,
    target: call.switches.envTargetAsString && target4.length === 1 ? target4[0] : target4,
    configurationId: env.configurationId ?? null,
    contentHint: null,
    securityIssues: [],
    decrypted: decrypt && env.type === "encrypted"
  };
  const hidden = env.type === "sensitive" || env.type === "secret";
  if (hidden) {
    if (call.switches.sensitiveValue === "") read3.value = "";
  } else if (env.type === "encrypted" && !decrypt) {
    read3.value = ciphertext(env);
  } else {
    read3.value = value3;
    if (env.type !== "encrypted") read3.decrypted = call.switches.plainDecryptedFlag;
  }
  return read3;
}
function checkEnvVar(making, project2, env) {
  const target4 = env.target ?? [];
  const custom2 = env.customEnvironmentIds ?? [];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(env.key)) {
    throw badRequest(
      `The name of the environment variable \`${env.key}\` contains invalid characters. Only letters, digits, and underscores are allowed, and it must not start with a digit.`
    );
  }
  if (target4.length + custom2.length === 0) {
    throw badRequest("Invalid request: missing required property `target` or `customEnvironmentIds`.");
  }
  for (const id2 of custom2) {
    if (project2.customEnvironments.some((one) => one.id === id2)) continue;
    throw badRequest(`The custom environment ${id2} does not exist in this project.`);
  }
  if (env.gitBranch && (target4.length !== 1 || target4[0] !== "preview" || custom2.length > 0)) {
    throw badRequest("A Git branch can only be set for the target preview.");
  }
  if (env.type === "sensitive" && target4.includes("development")) {
    throw badRequest("You cannot set a sensitive environment variable for the target development.");
  }
  const strict = making.owner.team?.sensitiveEnvironmentVariablePolicy === "on";
  const guarded = target4.some((one) => one !== "development") || custom2.length > 0;
  if (strict && guarded && env.type !== "sensitive") {
    throw badRequest(
      "The policy of this team allows only sensitive environment variables for production, preview and custom environments."
    );
  }
}
var overlap = (a, b) => a.some((one) => b.includes(one));
var sameSet = (a, b) => a.every((one) => b.includes(one)) && b.every((one) => a.includes(one));
function conflicting(project2, env) {
  return project2.env.filter(
    (row) => row.key === env.key && (row.gitBranch || void 0) === (env.gitBranch || void 0) && (overlap(row.target, env.target ?? []) || overlap(row.customEnvironmentIds, env.customEnvironmentIds ?? []))
  );
}
function envConflict(call, env, row) {
  const message = `A variable with the name \`${env.key}\` already exists for the target ${row.target.join(", ")}${row.gitBranch ? ` on branch ${row.gitBranch}` : ""}.`;
  if (call.switches.envConflictStatus === 409) return new ApiError(409, "env_already_exists", message);
  return new ApiError(400, "ENV_CONFLICT", message, {
    envVarKey: env.key,
    envVarId: row.id,
    target: row.target,
    ...row.gitBranch ? { gitBranch: row.gitBranch } : {}
  });
}

// providers/hosting/twin/env/env-changes.ts
function whyNotOverwritten(env, change4) {
  if (env.system === true || env.configurationId) {
    return forbidden(`The environment variable ${env.key} is managed by the platform or an integration.`);
  }
  if (env.type === "sensitive" && change4.type !== void 0 && change4.type !== "sensitive") {
    return badRequest(`You cannot change the type of the sensitive environment variable ${env.key}.`);
  }
  return void 0;
}
function checkOwn(env, change4 = {}) {
  const refused = whyNotOverwritten(env, change4);
  if (refused !== void 0) throw refused;
}
function build(call, body4) {
  const { target: target4 = [], customEnvironmentIds: customEnvironmentIds2 = [], gitBranch, ...given } = body4;
  return {
    id: call.id("", 16),
    ...given,
    target: [...new Set(target4)],
    customEnvironmentIds: [...new Set(customEnvironmentIds2)],
    ...gitBranch ? { gitBranch } : {},
    ...times(call),
    createdBy: call.account.user.id,
    updatedBy: null
  };
}
function createEnvVars(call, project2, bodies, upsert) {
  for (const body4 of bodies) checkEnvVar(call, project2, body4);
  const created3 = [];
  const failed = [];
  for (const body4 of bodies) {
    const others = conflicting(project2, body4);
    const old = others[0];
    const same2 = old !== void 0 && sameSet(old.target, body4.target ?? []) && sameSet(old.customEnvironmentIds, body4.customEnvironmentIds ?? []);
    const replace = upsert && others.length === 1 && (same2 || call.switches.upsertOverlapping);
    if (old !== void 0 && !replace) {
      failed.push(envConflict(call, body4, old));
      continue;
    }
    const refused = old && whyNotOverwritten(old, body4);
    if (refused) {
      failed.push(refused);
      continue;
    }
    const env = build(call, body4);
    if (old === void 0) {
      project2.env.push(env);
      created3.push(env);
      continue;
    }
    const { id: id2, createdAt, createdBy } = old;
    for (const member of ["comment", "gitBranch"]) delete old[member];
    Object.assign(old, env, { id: id2, createdAt, createdBy, updatedBy: call.account.user.id });
    created3.push(old);
  }
  return { created: created3, failed };
}
function changeEnvVar(call, project2, env, body4) {
  checkOwn(env, body4);
  const { gitBranch, ...given } = body4;
  const changed3 = { ...env, ...given, updatedBy: call.account.user.id };
  if (gitBranch) changed3.gitBranch = gitBranch;
  else if (gitBranch !== void 0) delete changed3.gitBranch;
  checkEnvVar(call, project2, changed3);
  const other2 = conflicting(project2, changed3).find((one) => one !== env);
  if (other2 !== void 0) throw envConflict(call, changed3, other2);
  changed3.updatedAt = call.time();
  if (changed3.gitBranch === void 0) delete env.gitBranch;
  Object.assign(env, changed3);
}

// providers/hosting/twin/env/shared-env-row.ts
var { key: key2, value: value2, comment: comment3 } = createEnvBody.shape;
var type3 = _enum(["encrypted", "sensitive"]);
var target2 = array(_enum(["production", "preview", "development"]));
var applyToAllCustomEnvironments = boolean().optional();
var createSharedEnvBody = strictObject({
  evs: array(strictObject({ key: key2, value: value2, comment: comment3 })).min(1),
  type: type3.optional(),
  target: target2.optional(),
  projectId: strings.optional(),
  applyToAllCustomEnvironments
});
var update3 = strictObject({
  key: key2.optional(),
  value: value2.optional(),
  target: target2.optional(),
  projectId: strings.optional(),
  projectIdUpdates: strictObject({ link: strings.optional(), unlink: strings.optional() }).optional(),
  type: type3.optional(),
  comment: comment3,
  applyToAllCustomEnvironments
});
var updateSharedEnvBody = strictObject({
  updates: record(string(), update3).refine((given) => Object.keys(given).length > 0, "should NOT be empty")
});
var removeSharedEnvBody = strictObject({ ids: strings.min(1) });
var sharedEnvBatch = (member, about) => ({
  items: (body4) => {
    const items = body4?.[member];
    return Array.isArray(items) ? items : [];
  },
  only: (body4, items) => ({ ...body4, [member]: items }),
  about
});
function readSharedEnvVar(call, row, decrypt) {
  const { value: value3, ...rest } = row;
  const read3 = {
    ...rest,
    created: new Date(row.createdAt).toISOString(),
    customEnvironmentIds: [],
    lastEditedByDisplayName: call.account.user.username,
    securityIssues: [],
    decrypted: decrypt && row.type === "encrypted"
  };
  if (row.type === "sensitive") {
    if (call.switches.sensitiveValue === "") read3.value = "";
  } else if (row.type === "encrypted") {
    read3.value = decrypt ? value3 : ciphertext(row);
  } else {
    Object.assign(read3, { value: value3, decrypted: call.switches.plainDecryptedFlag });
  }
  return read3;
}
function linkedSharedEnv(call, project2) {
  if (!call.switches.sharedEnvInProjectList) return [];
  return call.account.sharedEnv.filter((row) => row.projectId.includes(project2.id) && row.deletedAt === void 0).map(({ ownerId: _ownerId, projectId: _projectId, applyToAllCustomEnvironments: _every, ...row }) => ({
    ...row,
    customEnvironmentIds: []
  }));
}

// providers/hosting/twin/env/env-var.ts
function find(call) {
  const project2 = projectOfPath(call);
  const env = project2.env.find((one) => one.id === call.params.id);
  if (env === void 0) throw notFound("Environment variable");
  return { project: project2, env };
}
function create5(call) {
  const project2 = projectOfPath(call);
  const upsert = call.query.get("upsert") === "true";
  const many = Array.isArray(call.body);
  const bodies = many ? call.body : [call.body];
  if (bodies.length === 0) throw badRequest("Invalid request: body should NOT be empty.");
  const parsed = bodies.map((one) => parseBody(createEnvBody, one, call.outside));
  const { created: created3, failed } = createEnvVars(call, project2, parsed, upsert);
  if (!many && failed[0] !== void 0) throw failed[0];
  const read3 = created3.map((env) => readEnvVar(call, env, false));
  return new Answer(201, {
    created: many ? read3 : read3[0],
    failed: failed.map(({ code, message, extra: extra2 }) => ({ error: { code, message, ...extra2 } }))
  });
}
function list4(call, project2) {
  const gitBranch = call.query.get("gitBranch");
  const slug = call.query.get("customEnvironmentSlug");
  const environmentId = call.query.get("customEnvironmentId") ?? (slug === null ? null : project2.customEnvironments.find((one) => one.slug === slug)?.id ?? "");
  const wanted3 = [...project2.env, ...linkedSharedEnv(call, project2)].filter((env) => gitBranch === null || env.gitBranch === gitBranch).filter((env) => environmentId === null || env.customEnvironmentIds.includes(environmentId));
  const limit = call.query.has("limit") ? void 0 : wanted3.length;
  const { page, pagination } = limit === void 0 || call.pageSize < wanted3.length ? timePage(call, wanted3) : { page: [...wanted3].reverse(), pagination: { count: wanted3.length, next: null, prev: null } };
  const envs = page.map((env) => readEnvVar(call, env, call.query.get("decrypt") === "true"));
  if (call.switches.envListDuplicates && envs[0] !== void 0) envs.push(envs[0]);
  return { envs, pagination };
}
function removeOne(call, { project: project2, env }) {
  checkOwn(env);
  const read3 = readEnvVar(call, env, false);
  const environmentId = call.query.get("customEnvironmentId");
  env.customEnvironmentIds = env.customEnvironmentIds.filter((id2) => id2 !== environmentId);
  const left = environmentId !== null && env.target.length + env.customEnvironmentIds.length > 0;
  if (!left) project2.env.splice(project2.env.indexOf(env), 1);
  return read3;
}
function pull(call, project2) {
  const { target: target4 = "development", gitBranch } = call.params;
  const rows = project2.env.filter(
    (row) => (row.target.includes(target4) || row.customEnvironmentIds.includes(target4)) && (row.gitBranch === void 0 || row.gitBranch === gitBranch)
  );
  const inOrder = [...rows].sort(
    (a, b) => Number(a.gitBranch !== void 0) - Number(b.gitBranch !== void 0)
  );
  const env = inOrder.map((row) => [row.key, readEnvVar(call, row, true).value ?? ""]);
  return { env: Object.fromEntries(env), buildEnv: {} };
}
var seed16 = createEnvBody.omit({ type: true, customEnvironmentIds: true }).extend({
  type: _enum(["system", "encrypted", "plain", "sensitive", "secret"]).optional(),
  /** Slugs of the project's custom environments. */
  customEnvironments: array(string()).optional(),
  system: boolean().optional(),
  configurationId: string().optional()
});
function load4(making, given, project2) {
  const { customEnvironments: slugs = [], gitBranch, type: type4 = "encrypted", ...rest } = given;
  const everywhere = slugs.length > 0 ? [] : gitBranch ? ["preview"] : ["production", "preview"];
  const all5 = type4 === "sensitive" || gitBranch || slugs.length > 0 ? everywhere : [...everywhere, "development"];
  const row = {
    ...rest,
    type: type4,
    target: rest.target ?? all5,
    customEnvironmentIds: slugs.map((slug) => customEnvironmentId(project2, slug)),
    ...gitBranch ? { gitBranch } : {}
  };
  checkEnvVar({ owner: { id: making.owner.id } }, project2, row);
  if (conflicting(project2, row).length > 0) throw new Error(`${row.key} is there twice for one target.`);
  const by = making.account.user.id;
  const stamps = { ...times(making), createdBy: by, updatedBy: null };
  project2.env.push({ ...row, id: making.id("", 16), ...stamps });
}
var pullEnv = operation({ on: projectOfPath }, pull);
var envVar = {
  keeps: { project: { env: [] } },
  operations: {
    filterProjectEnvs: operation(
      {
        on: projectOfPath,
        query: {
          gitBranch: text,
          customEnvironmentId: text,
          customEnvironmentSlug: text,
          decrypt: boolean2,
          ...timePageQuery
        },
        list: "envs"
      },
      list4
    ),
    createProjectEnv: {
      body: createEnvsBody,
      query: { upsert: boolean2 },
      statuses: [201, 409],
      batch: {
        items: (body4) => Array.isArray(body4) ? body4 : [],
        only: (_, items) => items,
        about: (item) => aboutVariable(item)
      },
      serve: create5
    },
    getProjectEnv: operation({ on: find }, (call, { env }) => {
      const { value: value3, ...read3 } = readEnvVar(call, env, true);
      return env.type === "sensitive" ? read3 : { ...read3, value: value3 };
    }),
    editProjectEnv: operation(
      { on: find, body: updateEnvBody, statuses: [200, 409] },
      (call, { project: project2, env }, body4) => {
        changeEnvVar(call, project2, env, body4);
        return readEnvVar(call, env, false);
      }
    ),
    removeProjectEnv: operation({ on: find, query: { customEnvironmentId: text } }, removeOne),
    batchRemoveProjectEnv: operation({ on: projectOfPath, body: removeEnvBody }, (_, project2, { ids }) => {
      const found = project2.env.filter((env) => ids.includes(env.id));
      for (const env of found) checkOwn(env);
      project2.env = project2.env.filter((env) => !found.includes(env));
      return { deleted: found.length, ids: found.map((env) => env.id) };
    })
  },
  clientOperations: {
    "GET /v3/env/pull/{idOrName}": pullEnv,
    "GET /v3/env/pull/{idOrName}/{target}": pullEnv,
    "GET /v3/env/pull/{idOrName}/{target}/{gitBranch}": pullEnv
  },
  after: ["projects.customEnvironments"],
  seed: { project: { env: seedList(seed16, load4) } }
};

// providers/hosting/twin/env/shared-env-changes.ts
function checkSharedEnvVar(call, row) {
  const everyCustom = row.applyToAllCustomEnvironments === true && row.target.length === 0;
  const target4 = everyCustom ? ["preview"] : row.target;
  checkEnvVar(call, { customEnvironments: [] }, { key: row.key, type: row.type, target: target4 });
}
function checkNoSharedConflict(call, row, except) {
  const other2 = call.account.sharedEnv.find(
    (one) => one !== except && one.ownerId === call.owner.id && one.deletedAt === void 0 && one.key === row.key && one.target.some((target4) => row.target.includes(target4))
  );
  if (other2 === void 0) return;
  throw new ApiError(
    409,
    "existing_key_and_target",
    `A shared variable with the name \`${row.key}\` already exists for the target ${other2.target.join(", ")}.`,
    { envVarKey: row.key, envVarId: other2.id, target: other2.target }
  );
}
var unique = (list10) => [...new Set(list10)];
function sharedEnvVars(making, body4) {
  const { evs, type: type4 = "encrypted", target: target4 = [], projectId = [], ...rest } = body4;
  checkProjectIds(making, projectId);
  const common = { type: type4, target: unique(target4), projectId: unique(projectId), ...rest };
  for (const one of evs) checkSharedEnvVar(making, { ...common, ...one });
  return evs.map((one) => {
    return {
      id: making.id("env_", 28),
      ownerId: making.owner.id,
      ...structuredClone(common),
      ...one,
      ...times(making),
      createdBy: making.account.user.id,
      updatedBy: null
    };
  });
}
function addSharedEnvVar(making, row) {
  checkNoSharedConflict(making, row);
  making.account.sharedEnv.push(row);
}
function linked2(making, row, change4) {
  const { projectId, projectIdUpdates } = change4;
  const { link: link2 = [], unlink = [] } = projectIdUpdates ?? {};
  if (projectId !== void 0 && link2.length + unlink.length > 0) {
    throw badRequest("Invalid request: only one of `projectId` and `projectIdUpdates` can be given.");
  }
  checkProjectIds(making, projectId ?? link2);
  return unique(projectId ?? [...row.projectId.filter((id2) => !unlink.includes(id2)), ...link2]);
}
function findSharedEnvVar({ account, owner }, id2) {
  const found = account.sharedEnv.find(
    (one) => one.id === id2 && one.ownerId === owner.id && one.deletedAt === void 0
  );
  if (found === void 0) throw notFound("Environment variable");
  return found;
}
function changeSharedEnvVar(making, row, change4) {
  if (row.type === "system")
    throw forbidden(`The environment variable ${row.key} is managed by the platform.`);
  if (row.type === "sensitive" && change4.type === "encrypted") {
    throw badRequest(`You cannot change the type of the sensitive environment variable ${row.key}.`);
  }
  const projectId = linked2(making, row, change4);
  const { projectIdUpdates: _updates, ...fields3 } = change4;
  const changed3 = { ...row, ...fields3, projectId };
  checkSharedEnvVar(making, changed3);
  checkNoSharedConflict(making, changed3, row);
  Object.assign(row, changed3, { updatedAt: making.time(), updatedBy: making.account.user.id });
}

// providers/hosting/twin/env/shared-env-var.ts
function each(call, items, about, run) {
  const failed = [];
  const done = items.filter((item) => {
    try {
      run(item);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const conflict2 = error.status === 409 && items.length === 1;
      if (conflict2 && call.switches.sharedEnvConflictAlone === 409) throw error;
      failed.push({ error: { code: error.code, message: error.message, ...error.extra, ...about(item) } });
      return false;
    }
  });
  return { done, failed };
}
function list5(call) {
  const search = call.query.get("search")?.toLowerCase() ?? "";
  const ids = queryValues(call, "ids");
  const notIds = queryValues(call, "exclude_ids", "exclude-ids");
  const projects = queryValues(call, "projectId");
  const notProjects = queryValues(call, "exclude_projectId", "exclude-projectId");
  const linkedTo = (row, asked2) => asked2.some((id2) => row.projectId.includes(id2));
  const wanted3 = call.account.sharedEnv.filter((row) => row.ownerId === call.owner.id && row.key.toLowerCase().includes(search)).filter((row) => (ids.length === 0 || ids.includes(row.id)) && !notIds.includes(row.id)).filter((row) => (projects.length === 0 || linkedTo(row, projects)) && !linkedTo(row, notProjects));
  const paged = call.query.has("limit") || call.pageSize < wanted3.length;
  const { page, pagination } = paged ? timePage(call, wanted3) : { page: [...wanted3].reverse(), pagination: { count: wanted3.length, next: null, prev: null } };
  const decrypt = call.switches.sharedEnvListDecrypted;
  return { data: page.map((row) => readSharedEnvVar(call, row, decrypt)), pagination };
}
var seed17 = createSharedEnvBody.omit({ evs: true, projectId: true }).extend(createSharedEnvBody.shape.evs.element.shape).extend({
  ...seedOwned,
  type: _enum(["encrypted", "sensitive", "plain", "system"]).optional(),
  projects: array(string()).optional(),
  deleted: boolean().optional()
});
function load5(making, given) {
  const { id: id2, type: type4 = "encrypted", projects = [], key: key3, value: value3, comment: comment4, deleted, ...rest } = given;
  const one = { key: key3, value: value3, ...comment4 === void 0 ? {} : { comment: comment4 } };
  const guarded = ["production", "preview"];
  const written3 = type4 === "sensitive" ? type4 : "encrypted";
  const make14 = { ...making, owner: { id: making.owner.id } };
  const [row] = sharedEnvVars(make14, {
    target: written3 === "sensitive" ? guarded : [...guarded, "development"],
    ...rest,
    type: written3,
    evs: [one],
    projectId: projectIdsOf(making, projects)
  });
  const end = deleted ? { deletedAt: make14.time() } : {};
  addSharedEnvVar(make14, { ...row, type: type4, ...id2 === void 0 ? {} : { id: id2 }, ...end });
}
var listed = operation(
  {
    query: {
      search: text,
      ids: several,
      exclude_ids: several,
      "exclude-ids": several,
      projectId: several,
      exclude_projectId: several,
      "exclude-projectId": several,
      ...timePageQuery
    },
    list: "data"
  },
  list5
);
var sharedEnvVar = {
  keeps: { account: { sharedEnv: [] } },
  operations: {
    listSharedEnvVariable: listed,
    createSharedEnvVariable: operation(
      {
        body: createSharedEnvBody,
        statuses: [201, 409],
        batch: sharedEnvBatch("evs", (item, { target: target4 }) => aboutVariable({ target: target4, ...item }))
      },
      (call, _, body4) => {
        const about = ({ key: key3, target: target4 }) => ({ envVarKey: key3, target: target4 });
        const rows = sharedEnvVars(call, body4);
        const { done, failed } = each(call, rows, about, (row) => addSharedEnvVar(call, row));
        return { created: done.map((row) => readSharedEnvVar(call, row, false)), failed };
      }
    ),
    updateSharedEnvVariable: operation(
      {
        body: updateSharedEnvBody,
        statuses: [200, 409],
        batch: {
          items: (body4) => Object.entries(body4?.updates ?? {}),
          only: (body4, items) => ({ ...body4, updates: Object.fromEntries(items) }),
          about: (item) => ({ envVarId: item[0] })
        }
      },
      (call, _, { updates }) => {
        const about = ([id2]) => ({ envVarId: id2 });
        const { done, failed } = each(
          call,
          Object.entries(updates),
          about,
          ([id2, change4]) => changeSharedEnvVar(call, findSharedEnvVar(call, id2), change4)
        );
        const updated = done.map(([id2]) => readSharedEnvVar(call, findSharedEnvVar(call, id2), false));
        return { updated, failed };
      }
    ),
    deleteSharedEnvVariable: operation(
      {
        body: removeSharedEnvBody,
        batch: sharedEnvBatch("ids", (item) => ({ envVarId: item }))
      },
      (call, _, { ids }) => {
        const { sharedEnv } = call.account;
        const about = (id2) => ({ envVarId: id2 });
        const { done, failed } = each(call, ids, about, (id2) => {
          sharedEnv.splice(sharedEnv.indexOf(findSharedEnvVar(call, id2)), 1);
        });
        return { deleted: done, failed };
      }
    ),
    getSharedEnvVar: operation(
      { on: (call) => findSharedEnvVar(call, call.params.id) },
      (call, row) => readSharedEnvVar(call, row, true)
    ),
    unlinkSharedEnvVariable: operation(
      { on: (call) => findSharedEnvVar(call, call.params.id) },
      (call, row) => {
        const { projectId } = call.params;
        if (!row.projectId.includes(projectId)) throw notFound("The link of the variable to the project");
        row.projectId = row.projectId.filter((id2) => id2 !== projectId);
        row.updatedAt = call.time();
        return { id: row.id };
      }
    )
  },
  clientOperations: { "GET /v1/env/all": listed },
  after: ["projects"],
  seed: { account: { sharedEnv: seedList(seed17, load5) } },
  forget: forgetting("sharedEnv", "projectId")
};

// providers/hosting/twin/flags/feature-flag.ts
;
;

// providers/hosting/twin/flags/flag-body.ts
var entityAttribute = strictObject({
  type: literal("entity"),
  kind: string(),
  attribute: string()
});
var comparisons = "eq !eq oneOf !oneOf containsAllOf containsAnyOf containsNoneOf startsWith !startsWith endsWith !endsWith contains !contains ex !ex gt gte lt lte regex !regex before after".split(
  " "
);
var listItem2 = strictObject({
  label: string().optional(),
  note: string().optional(),
  value: union([string(), number()])
});
var flagCondition = strictObject({
  lhs: discriminatedUnion("type", [strictObject({ type: literal("segment") }), entityAttribute]),
  cmp: _enum(comparisons),
  rhs: union([
    strictObject({ type: literal("regex"), pattern: string(), flags: string() }),
    strictObject({ type: _enum(["list", "list/inline"]), items: array(listItem2) }),
    string(),
    number(),
    boolean()
  ]).optional(),
  cmpOptions: strictObject({ ignoreCase: boolean().optional() }).optional()
});
var attributeValues = record(
  string(),
  record(string(), array(strictObject({ note: string().optional(), value: string() })))
);
var variantOutcome = strictObject({ type: literal("variant"), variantId: string() });
var splitOutcome = strictObject({
  type: literal("split"),
  base: entityAttribute,
  weights: record(string(), number()),
  defaultVariantId: string()
});
var rolloutOutcome = strictObject({
  type: literal("rollout"),
  base: entityAttribute,
  startTimestamp: number(),
  rollFromVariantId: string(),
  rollToVariantId: string(),
  defaultVariantId: string(),
  slots: array(strictObject({ promille: number().min(0).max(1e5), durationMs: number().min(0) }))
});
var outcome = discriminatedUnion("type", [variantOutcome, splitOutcome, rolloutOutcome]);
var flagVariant = strictObject({
  id: string().min(1),
  label: string().optional(),
  description: string().optional(),
  value: unknown()
});
var flagEnvironment = strictObject({
  active: boolean(),
  reuse: strictObject({ active: boolean(), environment: string() }).optional(),
  /** By variant: who gets it whatever the rules say. */
  targets: record(string(), attributeValues).optional(),
  pausedOutcome: variantOutcome,
  rules: array(strictObject({ id: string(), conditions: array(flagCondition), outcome })),
  fallthrough: outcome,
  revision: number().optional()
});
var fields2 = {
  variants: array(flagVariant).optional(),
  environments: record(string(), flagEnvironment),
  seed: number().optional(),
  description: string().optional(),
  state: _enum(["active", "archived"]).optional(),
  maintainerIds: strings.optional(),
  permanent: boolean().optional(),
  tags: strings.optional()
};
var createFlagBody = strictObject({
  slug: string(),
  kind: _enum(["boolean", "string", "number", "json"]),
  ...fields2
});
var updateFlagBody = strictObject({
  ...fields2,
  environments: fields2.environments.optional(),
  createdBy: string().optional(),
  message: string().optional()
});

// providers/hosting/twin/team/team.ts
var enabled = strictObject({ enabled: boolean() });
var teamRoles = [
  "OWNER",
  "MEMBER",
  "DEVELOPER",
  "SECURITY",
  "BILLING",
  "VIEWER",
  "VIEWER_FOR_PLUS",
  "CONTRIBUTOR"
];
var days = {
  ...{ "1d": 1, "1w": 7, "2w": 14, "1m": 30, "2m": 60, "3m": 90, "6m": 180 },
  ...{ "1y": 365, "2y": 730, "3y": 1095, unlimited: 36500 }
};
var expiration = _enum(Object.keys(days));
var shorter = expiration.exclude(["2y", "3y"]);
var protectedBy = strictObject({
  deploymentType: string().optional(),
  password: string().nullable().optional()
});
var mapping = record(
  string(),
  union([strictObject({ accessGroupId: string() }), _enum(teamRoles)])
);
var patchBody2 = strictObject({
  avatar: string().nullable(),
  description: string(),
  emailDomain: string().nullable(),
  name: string(),
  previewDeploymentSuffix: string().nullable(),
  regenerateInviteCode: boolean(),
  saml: strictObject({ enforced: boolean().optional(), roles: mapping.optional() }),
  slug: string(),
  enablePreviewFeedback: string(),
  enableProductionFeedback: string(),
  sensitiveEnvironmentVariablePolicy: _enum(["default", "on", "off"]),
  disjunctiveProductionSecretPolicy: string(),
  remoteCaching: strictObject({ enabled: boolean().optional() }),
  hideIpAddresses: boolean(),
  hideIpAddressesInLogDrains: boolean(),
  dpAccessRequestsMode: _enum(["all", "none", "email-domain"]),
  requireVerifiedCommits: boolean(),
  disableRepositoryDispatchEvents: boolean(),
  defaultDeploymentProtection: strictObject({
    passwordProtection: protectedBy.nullable().optional(),
    ssoProtection: protectedBy.omit({ password: true }).nullable().optional()
  }),
  defaultPassport: strictObject({ connectorId: string(), deploymentType: string().optional() }).nullable(),
  defaultExpirationSettings: strictObject({
    expiration,
    expirationProduction: expiration,
    expirationCanceled: shorter,
    expirationErrored: shorter
  }).partial(),
  deploymentPolicy: union([record(string(), unknown()), string()]),
  strictDeploymentProtectionSettings: enabled,
  strictShareableLinks: enabled,
  strictPasswordProtectionSettings: enabled,
  strictConnectors: enabled,
  nsnbConfig: union([
    strictObject({ preference: _enum(["auto-approval", "manual-approval", "block"]) }),
    string()
  ]),
  defaultProjectJobs: union([record(string(), unknown()), string()]),
  resourceConfig: strictObject({
    buildMachine: strictObject({ default: string().optional() }).optional()
  })
}).partial();
var createBody10 = strictObject({
  slug: string(),
  name: string().optional(),
  attribution: record(string(), unknown()).optional()
});
var reasons = array(strictObject({ slug: string(), description: string() }));
function checkSlug2({ account }, slug, except) {
  if (account.teams.some((one) => one.slug === slug && one !== except))
    throw conflict(`The slug "${slug}" is already in use.`);
}
var isTimed = (name4) => name4.startsWith("strict");
function patch(call, team2, body4) {
  const { slug, name: name4, sensitiveEnvironmentVariablePolicy, regenerateInviteCode, saml, ...others } = body4;
  if (slug !== void 0) checkSlug2(call, slug, team2);
  const updatedAt = call.time();
  Object.assign(
    team2,
    { updatedAt },
    slug === void 0 ? {} : { slug },
    name4 === void 0 ? {} : { name: name4 },
    sensitiveEnvironmentVariablePolicy === void 0 ? {} : { sensitiveEnvironmentVariablePolicy }
  );
  team2.settings ??= {};
  const { settings: settings3 } = team2;
  for (const [member, value3] of Object.entries(others))
    settings3[member] = isTimed(member) ? { ...value3, updatedAt } : value3;
  if (saml) settings3.saml = { enforced: false, ...settings3.saml, ...saml };
  if (regenerateInviteCode) settings3.inviteCode = call.id("", 40);
}
var shown5 = ({ password: _, ...others }) => others;
function readSettings(settings3) {
  const { defaultDeploymentProtection: protection, defaultPassport: passport } = settings3;
  const { defaultExpirationSettings: written3 } = settings3;
  const inDays = Object.entries(written3 ?? {}).map(([name4, word3]) => [
    name4.replace("expiration", "expirationDays"),
    days[word3]
  ]);
  return {
    ...written3 && { defaultExpirationSettings: Object.fromEntries(inDays) },
    ...protection?.passwordProtection && {
      defaultDeploymentProtection: {
        ...protection,
        passwordProtection: shown5(protection.passwordProtection)
      }
    },
    ...passport && { defaultPassport: { deploymentType: "all", ...passport } }
  };
}
function readTeam(call, team2) {
  const { id: id2, slug, name: name4, sensitiveEnvironmentVariablePolicy, createdAt, updatedAt } = team2;
  return {
    ...{ id: id2, slug, name: name4, sensitiveEnvironmentVariablePolicy, createdAt, updatedAt },
    creatorId: call.account.user.id,
    avatar: null,
    description: null,
    ...team2.settings,
    ...readSettings(team2.settings ?? {}),
    billing: { plan: "pro" },
    stagingPrefix: "",
    membership: {
      confirmed: true,
      confirmedAt: createdAt,
      created: createdAt,
      createdAt,
      role: "OWNER",
      teamId: team2.id,
      uid: call.account.user.id,
      updatedAt: createdAt
    }
  };
}
function findTeam(call) {
  const team2 = findOwner(call.account, call.params.teamId)?.team ?? findOwner(call.account, call.query.get("slug"))?.team;
  if (team2 === void 0) throw notFound("Team");
  return team2;
}
function readUser(call) {
  const { id: id2, username, email, name: name4, createdAt } = call.account.user;
  return {
    ...{ id: id2, username, email, name: name4, createdAt },
    avatar: null,
    billing: null,
    defaultTeamId: call.account.teams[0]?.id ?? null,
    hasTrialAvailable: false,
    resourceConfig: {},
    softBlock: null,
    stagingPrefix: ""
  };
}
var userAndTeam = {
  operations: {
    getAuthUser: operation({}, (call) => ({ user: readUser(call) })),
    getTeams: operation({ query: timePageQuery, list: "teams" }, (call) => {
      const { page, pagination } = timePage(call, call.account.teams);
      return { teams: page.map((team2) => readTeam(call, team2)), pagination };
    }),
    getTeam: operation({ on: findTeam }, readTeam),
    patchTeam: operation({ on: findTeam, body: patchBody2 }, (call, team2, body4) => {
      patch(call, team2, body4);
      return readTeam(call, team2);
    }),
    createTeam: operation({ body: createBody10, statuses: [409] }, (call, _, { slug, name: name4 = slug }) => {
      checkSlug2(call, slug);
      const made3 = stamped(call, "team_");
      call.account.teams.push({ ...made3, slug, name: name4, sensitiveEnvironmentVariablePolicy: null });
      return { id: made3.id, slug };
    }),
    deleteTeam: operation(
      {
        on: findTeam,
        query: { newDefaultTeamId: text },
        body: strictObject({ reasons: reasons.optional() })
      },
      ({ account, query: query4 }, team2) => {
        account.teams.splice(account.teams.indexOf(team2), 1);
        const other2 = query4.get("newDefaultTeamId");
        const isUnknown = other2 !== null && findOwner(account, other2) === void 0;
        return { id: team2.id, ...isUnknown ? { newDefaultTeamIdError: true } : {} };
      }
    ),
    // The whole map takes the place of the one before: whether the platform adds to it is not documented.
    postTeamDsyncRoles: operation(
      { on: findTeam, body: strictObject({ roles: mapping }) },
      (call, team2, { roles }) => {
        patch(call, team2, { saml: { roles } });
        return { ok: true };
      }
    )
  }
};

// providers/hosting/twin/flags/flag-state.ts
function checkFlagSlug(slug, others) {
  if (!/^[A-Za-z0-9_-]+$/.test(slug)) {
    throw badRequest("Invalid request: `slug` should have only letters, digits, dashes and underscores.");
  }
  if (others.some((one) => one.slug === slug)) {
    throw conflict(`The slug "${slug}" is already in use in this project.`);
  }
}
function creatorMetadata(account, id2) {
  const { user, teamMembers } = account;
  const member = teamMembers.find((one) => one.uid === id2);
  const name4 = id2 === user.id ? user.name ?? user.username : member?.name ?? member?.username ?? id2;
  return { metadata: { creator: { id: id2, name: name4 } } };
}

// providers/hosting/twin/flags/flag-lists.ts
var readFlagQuery = { withMetadata: boolean2 };
function readFlag(call, flag3) {
  const metadata = call.query.get("withMetadata") === "true" && creatorMetadata(call.account, flag3.createdBy);
  return { ...flag3, typeName: "flag", ...metadata };
}
var states = ["active", "archived"];
var kinds = ["boolean", "string", "number", "json"];
function oneOf(call, name4, allowed) {
  const value3 = call.query.get(name4);
  if (value3 === null || allowed.includes(value3)) return value3;
  throw badRequest(
    `Invalid request: \`${name4}\` should be equal to one of the allowed values ${allowed.join(", ")}.`
  );
}
function wanted2(call, projects) {
  const state = oneOf(call, "state", states) ?? "active";
  const kind = oneOf(call, "kind", kinds);
  const search = (call.query.get("search") ?? "").toLowerCase();
  const tags = queryValues(call, "tags");
  const maintainers = queryValues(call, "maintainerIds");
  const createdBy = call.query.get("createdBy");
  return projects.flatMap((project2) => project2.featureFlags.flags).filter((flag3) => flag3.state === state && (kind === null || flag3.kind === kind)).filter((flag3) => `${flag3.slug}
${flag3.description ?? ""}`.toLowerCase().includes(search)).filter((flag3) => tags.every((tag) => flag3.tags?.includes(tag))).filter((flag3) => maintainers.length === 0 || maintainers.some((id2) => flag3.maintainerIds?.includes(id2))).filter((flag3) => createdBy === null || flag3.createdBy === createdBy);
}
var ofProject2 = (call) => wanted2(call, [projectOfPath(call)]);
var ofTeam = (call) => wanted2(call, projectsOf(call.account, findTeam(call).id));
var query = {
  state: choice(states),
  kind: choice(kinds),
  search: text,
  tags: several,
  maintainerIds: several,
  createdBy: text,
  ...readFlagQuery
};
var list6 = (flags3, size2) => cursorList("data", { cursor: "cursor", query, size: size2, row: readFlag, told: onlyNext }, flags3);
var flagLists = {
  operations: {
    listFlagsV2: list6(ofProject2, (call) => pageLimit(call, 25)),
    // Without a limit the older version lists all (SDK); only the twin's own cap counts.
    listFlags: list6(
      ofProject2,
      (call) => call.query.get("limit") ? pageLimit(call) : Math.max(1, call.pageSize)
    ),
    listTeamFlagsV2: list6(ofTeam, (call) => pageLimit(call, 25)),
    listTeamFlags: list6(ofTeam, (call) => pageLimit(call))
  }
};

// providers/hosting/twin/flags/flag-rules.ts
function segmentsIn(rules3) {
  return rules3.flatMap((rule3) => rule3.conditions).filter(({ lhs }) => lhs.type === "segment").flatMap(({ rhs }) => {
    if (typeof rhs === "object" && rhs.type !== "regex") return rhs.items.map((item) => String(item.value));
    return typeof rhs === "string" ? [rhs] : [];
  });
}
function usersOfSegment(project2, id2) {
  const { flags: flags3, segments: segments2 } = project2.featureFlags;
  const inFlag = flags3.filter(
    (flag3) => Object.values(flag3.environments).some((one) => segmentsIn(one.rules).includes(id2))
  );
  const inSegment = segments2.filter((one) => segmentsIn(one.data.rules ?? []).includes(id2));
  return {
    usedByFlags: inFlag.map((one) => one.id),
    usedBySegments: inSegment.map((one) => one.id)
  };
}
function checkRules(place2, rules3, segments2) {
  const twice = rules3.find((rule3, i) => rules3.findIndex((one) => one.id === rule3.id) !== i);
  if (twice) throw badRequest(`Invalid request: \`${place2}\` has two rules with the id "${twice.id}".`);
  const unknown2 = segmentsIn(rules3).find((id2) => !segments2.some((one) => one.id === id2));
  if (unknown2 !== void 0) {
    throw badRequest(`Invalid request: \`${place2}\` names the segment "${unknown2}", which does not exist.`);
  }
}
function variantsIn(outcome3) {
  if (outcome3.type === "variant") return [outcome3.variantId];
  if (outcome3.type === "split") return [outcome3.defaultVariantId, ...Object.keys(outcome3.weights)];
  return [outcome3.rollFromVariantId, outcome3.rollToVariantId, outcome3.defaultVariantId];
}
function checkVariants({ kind, variants }) {
  for (const [i, { id: id2, value: value3 }] of variants.entries()) {
    const fits2 = kind === "json" ? value3 !== void 0 : typeof value3 === kind;
    if (!fits2) throw badRequest(`Invalid request: \`variants[${i}].value\` should be ${kind}.`);
    if (variants.findIndex((one) => one.id === id2) !== i) {
      throw badRequest(`Invalid request: \`variants\` has the id "${id2}" twice.`);
    }
  }
}
function checkFlag(flag3, segments2) {
  checkVariants(flag3);
  for (const [name4, environment] of Object.entries(flag3.environments)) {
    const place2 = `environments.${name4}`;
    const { fallthrough, pausedOutcome, rules: rules3, targets: targets2 = {}, reuse } = environment;
    const named5 = [fallthrough, pausedOutcome, ...rules3.map((rule3) => rule3.outcome)].flatMap(variantsIn);
    for (const id2 of [...named5, ...Object.keys(targets2)]) {
      if (flag3.variants.some((one) => one.id === id2)) continue;
      throw badRequest(`Invalid request: \`${place2}\` names the variant "${id2}", which does not exist.`);
    }
    checkRules(`${place2}.rules`, rules3, segments2);
    if (reuse?.active && !Object.hasOwn(flag3.environments, reuse.environment)) {
      throw badRequest(
        `Invalid request: \`${place2}.reuse\` names the environment "${reuse.environment}", which the flag does not have.`
      );
    }
  }
}

// providers/hosting/twin/flags/settings-state.ts
var attribute = strictObject({
  key: string(),
  type: string(),
  labels: array(strictObject({ label: string(), value: string() })).optional()
});
var updateSettingsBody = strictObject({
  enabled: boolean().optional(),
  entities: array(strictObject({ kind: string(), label: string(), attributes: array(attribute) })).optional(),
  environments: strings.optional()
});
var defaultFlagSettings = () => ({
  enabled: false,
  entities: [],
  environments: ["production", "preview", "development"]
});
function readSettings2(project2) {
  const { settings: settings3, flags: flags3, segments: segments2 } = project2.featureFlags;
  const archived = flags3.filter((flag3) => flag3.state === "archived").length;
  return {
    ...settings3 === null ? defaultFlagSettings() : { ...settings3, ownerId: project2.accountId },
    projectId: project2.id,
    typeName: "settings",
    metadata: {
      activeFlagCount: flags3.length - archived,
      archivedFlagCount: archived,
      segmentCount: segments2.length,
      packSizeInBytes: Buffer.byteLength(JSON.stringify([flags3, segments2]))
    }
  };
}

// providers/hosting/twin/flags/feature-flag.ts
var flags = ofFlags("flags", {
  ...{ what: "Flag", param: "flagIdOrSlug", by: ["id", "slug"], shows: readFlag }
});
function etag(flag3) {
  return `"${createHash6("sha256").update(`${flag3.id}/${flag3.revision}`).digest("hex").slice(0, 24)}"`;
}
var answer2 = (call, flag3, status2 = 200) => new Answer(status2, readFlag(call, flag3), { etag: etag(flag3) });
var bare = (tag) => tag.trim().replace(/^W\//, "").replaceAll('"', "");
function matches(call, flag3) {
  const asked2 = call.headers["if-match"] ?? call.query.get("ifMatch");
  if (asked2 === null || asked2 === "") return void 0;
  return asked2 === "*" || asked2.split(",").map(bare).includes(bare(etag(flag3)));
}
function checkMatch(call, flag3) {
  if (matches(call, flag3) !== false) return;
  const status2 = call.switches.flagMismatchStatus;
  const code = status2 === 412 ? "precondition_failed" : "conflict";
  throw new ApiError(status2, code, `The flag "${flag3.slug}" has changed since it was read.`);
}
function newFlag(call, project2, body4) {
  const { flags: flags3, segments: segments2 } = project2.featureFlags;
  checkFlagSlug(body4.slug, flags3);
  const flag3 = {
    ...body4,
    ...stamped(call, "flag_"),
    variants: body4.variants ?? [],
    seed: body4.seed ?? Buffer.from(call.id("", 4)).readUInt32BE(),
    state: body4.state ?? "active",
    projectId: project2.id,
    ownerId: project2.accountId,
    revision: 1,
    createdBy: call.account.user.id
  };
  for (const environment of Object.values(flag3.environments)) environment.revision ??= 0;
  checkFlag(flag3, segments2);
  return flag3;
}
function revised(before, { ...after }) {
  after.revision = before?.revision ?? 0;
  if (before !== void 0 && !isDeepStrictEqual2(before, after)) after.revision += 1;
  return after;
}
function update4(call, { home: project2, one: flag3 }, body4) {
  const { createdBy, message: _message, environments: environments4, ...fields3 } = body4;
  checkMatch(call, flag3);
  const held2 = new Map(Object.entries(flag3.environments));
  for (const [name4, environment] of Object.entries(environments4 ?? {})) {
    held2.set(name4, revised(held2.get(name4), environment));
  }
  const next = { ...flag3, ...fields3, environments: Object.fromEntries(held2) };
  checkFlag(next, project2.featureFlags.segments);
  if (call.switches.flagUnchangedNotModified && isDeepStrictEqual2(next, flag3)) return new Answer(304);
  const updatedBy = createdBy ?? call.account.user.id;
  Object.assign(flag3, next, { revision: flag3.revision + 1, updatedBy, updatedAt: call.time() });
  return answer2(call, flag3);
}
var seed18 = createFlagBody.partial({ kind: true, environments: true }).extend({ id: string().optional() });
var booleanVariants = [
  { id: "off", label: "Off", value: false },
  { id: "on", label: "On", value: true }
];
function wholeFlag(given) {
  const kind = given.kind ?? "boolean";
  const variants = given.variants ?? (kind === "boolean" ? booleanVariants : []);
  const outcome3 = { type: "variant", variantId: variants[0]?.id ?? "" };
  const paused = () => ({ active: false, pausedOutcome: outcome3, fallthrough: outcome3, rules: [] });
  const environments4 = given.environments ?? Object.fromEntries(defaultFlagSettings().environments.map((one) => [one, paused()]));
  return structuredClone({ ...given, kind, variants, environments: environments4 });
}
var match = { ifMatch: text.describe("Stands in for the header If-Match.") };
var unlessChanged = { ...readFlagQuery, ...match };
var featureFlag = {
  keeps: { project: { featureFlags: { settings: null, flags: [], segments: [], sdkKeys: [] } } },
  operations: {
    createFlag: operation(
      { on: flags.home, body: createFlagBody, query: readFlagQuery, statuses: [201, 409] },
      (call, project2, body4) => answer2(call, flags.add(call, newFlag(call, project2, body4), project2), 201)
    ),
    // 304 is documented for this read, and the parameter ifMatch as the only one that can lead to it.
    getFlag: operation(
      { on: flags.named, query: unlessChanged, statuses: [200, 304] },
      (call, { one }) => matches(call, one) === true ? new Answer(304) : answer2(call, one)
    ),
    updateFlag: operation(
      {
        on: flags.named,
        body: updateFlagBody.optional(),
        query: unlessChanged,
        statuses: [200, 304, 409, 412]
      },
      update4
    ),
    // That a flag must be archived first is from the Terraform provider and the CLI; of the documented errors 409 fits best.
    deleteFlag: flags.remove({ query: match, statuses: [204, 409, 412] }, (call, flag3) => {
      checkMatch(call, flag3);
      if (flag3.state === "archived") return;
      throw conflict(`The flag "${flag3.slug}" must be archived before it is deleted.`);
    })
  },
  after: ["projects.featureFlags.segments"],
  seed: {
    project: { featureFlags: seedOne(strictObject({}), (_, __, project2) => project2, "featureFlags") },
    featureFlags: {
      flags: flags.seed(seed18, (making, one, project2) => newFlag(making, project2, wholeFlag(one)))
    }
  }
};

// providers/hosting/twin/flags/sdk-key.ts
var createBody11 = strictObject({
  sdkKeyType: _enum(["server", "mobile", "client"]),
  environment: string(),
  label: string().optional()
});
function newKey(call, project2, { sdkKeyType: type4, ...fields3 }) {
  const keyValue = call.id(`vf_${type4}_`, 32);
  const key3 = {
    ...fields3,
    hashKey: call.id("", 40),
    projectId: project2.id,
    type: type4,
    partialKeyValue: `${keyValue.slice(0, -28)}\u2026`,
    createdBy: call.account.user.id,
    ...times(call)
  };
  return { key: key3, keyValue };
}
var keys2 = ofFlags("sdkKeys", {
  ...{ what: "SDK key", param: "hashKey", by: ["hashKey"], shows: (_, key3) => key3 }
});
var seed19 = createBody11.omit({ sdkKeyType: true }).extend({
  type: createBody11.shape.sdkKeyType,
  hashKey: string().optional(),
  deleted: boolean().optional()
});
var flagSdkKey = {
  ...keys2.kept(seed19, (making, { type: type4, hashKey, deleted, ...one }, project2) => {
    const { key: key3 } = newKey(making, project2, { ...one, sdkKeyType: type4 });
    const end = deleted ? { deletedAt: making.time() } : {};
    return { ...key3, hashKey: hashKey ?? key3.hashKey, ...end };
  }),
  operations: {
    getSdkKeys: keys2.list("data"),
    createSdkKey: operation({ on: keys2.home, body: createBody11 }, (call, project2, body4) => {
      const { key: key3, keyValue } = newKey(call, project2, body4);
      keys2.add(call, key3, project2);
      return { ...key3, keyValue, connectionString: `flags:sdkKey=${keyValue}` };
    }),
    // A deleted key stays in the list, with the time of its end.
    deleteSdkKey: operation({ on: keys2.named, statuses: [204] }, (call, { one }) => {
      if (one.deletedAt !== void 0) throw notFound("SDK key");
      one.deletedAt = call.time();
      one.updatedAt = one.deletedAt;
    })
  }
};

// providers/hosting/twin/flags/segment-body.ts
var outcome2 = discriminatedUnion("type", [
  strictObject({ type: literal("all") }),
  strictObject({
    type: literal("split"),
    base: entityAttribute,
    passPromille: number().min(0).max(1e5)
  })
]);
var segmentData = strictObject({
  rules: array(strictObject({ id: string(), conditions: array(flagCondition), outcome: outcome2 })).optional(),
  include: attributeValues.optional(),
  exclude: attributeValues.optional()
});
var segmentOperation = strictObject({
  action: _enum(["add", "remove"]),
  field: _enum(["include", "exclude"]),
  entity: string(),
  attribute: string(),
  value: strictObject({ note: string().optional(), value: string() })
});
var createSegmentBody = strictObject({
  slug: string(),
  createdBy: string().optional(),
  label: string(),
  description: string().optional(),
  data: segmentData,
  hint: string()
});
var updateSegmentBody = createSegmentBody.omit({ slug: true, createdBy: true }).partial().extend({ operations: array(segmentOperation).optional() });
function operate(data, one) {
  const { action: action3, field, entity, attribute: attribute2, value: value3 } = one;
  const entities = new Map(Object.entries(data[field] ?? {}));
  const attributes = new Map(Object.entries(entities.get(entity) ?? {}));
  const others = (attributes.get(attribute2) ?? []).filter((one2) => one2.value !== value3.value);
  attributes.set(attribute2, action3 === "add" ? [...others, value3] : others);
  entities.set(entity, Object.fromEntries(attributes));
  data[field] = Object.fromEntries(entities);
}

// providers/hosting/twin/flags/segment.ts
var segments = ofFlags("segments", {
  what: "Segment",
  param: "segmentIdOrSlug",
  by: ["id", "slug"],
  shows(call, segment, project2) {
    const withMetadata = call.query.get("withMetadata") === "true";
    const metadata = withMetadata && creatorMetadata(call.account, segment.createdBy);
    return { ...segment, ...usersOfSegment(project2, segment.id), typeName: "segment", ...metadata };
  }
});
function newSegment(call, project2, body4) {
  const { segments: segments2 } = project2.featureFlags;
  checkFlagSlug(body4.slug, segments2);
  checkRules("data.rules", body4.data.rules ?? [], segments2);
  const createdBy = body4.createdBy ?? call.account.user.id;
  return { ...body4, ...stamped(call, "seg_"), projectId: project2.id, createdBy };
}
var seed20 = createSegmentBody.partial({ label: true, hint: true, data: true }).extend({ id: string().optional() });
var query2 = { withMetadata: boolean2 };
var flagSegment = {
  ...segments.kept(
    seed20,
    (making, one, project2) => newSegment(making, project2, { label: one.slug, hint: "", data: {}, ...one })
  ),
  operations: {
    listFlagSegments: segments.list("data", { query: query2 }),
    createFlagSegment: segments.create(
      { body: createSegmentBody, query: query2, statuses: [201, 409] },
      (call, body4, project2) => newSegment(call, project2, body4)
    ),
    getFlagSegment: segments.read({ query: query2 }),
    updateFlagSegment: segments.update(
      { body: updateSegmentBody.optional(), query: query2 },
      (_, segment, { operations: operations2 = [], ...fields3 }, project2) => {
        const data = structuredClone(fields3.data ?? segment.data);
        for (const operation2 of operations2) operate(data, operation2);
        const others = project2.featureFlags.segments.filter((one) => one !== segment);
        checkRules("data.rules", data.rules ?? [], others);
        Object.assign(segment, fields3, { data });
      }
    ),
    deleteFlagSegment: segments.remove({ statuses: [204, 409] }, (_, segment, project2) => {
      const { usedByFlags, usedBySegments } = usersOfSegment(project2, segment.id);
      const by = [...usedByFlags, ...usedBySegments].join(", ");
      if (by === "") return;
      throw conflict(`The segment "${segment.slug}" is still used by ${by}.`);
    })
  }
};

// providers/hosting/twin/flags/settings.ts
function load6(making, body4, { featureFlags }) {
  featureFlags.settings = { ...defaultFlagSettings(), enabled: true, ...body4, ...times(making) };
}
var flagSettings = {
  operations: {
    getFlagSettings: operation({ on: projectOfPath }, (call, project2) => {
      const unwritten = project2.featureFlags.settings === null;
      if (unwritten && call.switches.flagSettingsAbsentUntilWritten) throw notFound("Flag settings");
      return readSettings2(project2);
    }),
    updateFlagSettings: operation(
      { on: projectOfPath, body: updateSettingsBody.optional(), statuses: [200, 201] },
      (call, project2, body4) => {
        const { settings: settings3 } = project2.featureFlags;
        const at2 = call.time();
        const before = settings3 ?? { ...defaultFlagSettings(), createdAt: at2 };
        project2.featureFlags.settings = { ...before, ...body4, updatedAt: at2 };
        return new Answer(settings3 === null ? 201 : 200, readSettings2(project2));
      }
    ),
    listTeamFlagSettings: cursorList(
      "data",
      {
        on: findTeam,
        cursor: "cursor",
        order: () => (project2) => project2.featureFlags.settings.createdAt,
        row: (_, project2) => readSettings2(project2),
        told: onlyNext
      },
      ({ account }, { id: id2 }) => projectsOf(account, id2).filter((one) => one.featureFlags.settings !== null)
    )
  },
  seed: { featureFlags: { settings: seedOne(updateSettingsBody, load6) } }
};

// providers/hosting/twin/kms/issuer-state.ts
var iso = (at2) => new Date(at2).toISOString();
var dated = (object2) => Object.fromEntries(
  Object.entries(object2).map(([name4, value3]) => [
    name4,
    name4.endsWith("At") && typeof value3 === "number" ? iso(value3) : value3
  ])
);
function statusOf({ activateAt, revokeAt }, now) {
  if (revokeAt !== void 0) return "revoking";
  return activateAt !== void 0 && activateAt <= now ? "active" : "pending";
}
function settle(issuer, now) {
  const { keys: keys4, history } = issuer;
  const active = keys4.findLastIndex((key3) => statusOf(key3, now) === "active");
  const { activateAt = now, graceHours } = keys4[active] ?? { graceHours: 0 };
  const ended = keys4.slice(0, Math.max(0, active)).filter((key3) => statusOf(key3, now) === "active");
  for (const key3 of ended) key3.revokeAt = activateAt + graceHours * 36e5;
  const isOver = ({ revokeAt }) => revokeAt !== void 0;
  issuer.history = [...history, ...keys4.filter(isOver)].filter(({ revokeAt }) => revokeAt > now);
  issuer.keys = keys4.filter((key3) => !isOver(key3));
  return issuer;
}
var showPolicy = (policy2) => dated(policy2);
function showKey(call, { graceHours: _, ...key3 }, { id: id2, algorithm: algorithm2 }) {
  const status2 = statusOf(key3, call.now());
  const publicKey = { alg: algorithm2, kid: key3.importKeyId ?? key3.keyId, use: "sig" };
  const activatedAt = status2 === "pending" ? {} : { activatedAt: key3.activateAt };
  return { ...dated({ ...key3, ...activatedAt }), issuerId: id2, algorithm: algorithm2, status: status2, publicKey };
}
var issuers = ofOwner("kmsIssuers", {
  what: "Issuer",
  param: "issuerId",
  shows(call, issuer) {
    const { keys: keys4, history, policies: policies2, ...fields3 } = settle(issuer, call.now());
    return {
      ...dated(fields3),
      signingKeys: [...history, ...keys4].map((key3) => showKey(call, key3, issuer)),
      policies: policies2.map(showPolicy)
    };
  }
});

// providers/hosting/twin/kms/issuer.ts
var claims = record(string(), unknown());
var algorithm = _enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]);
var grant = { environments: strings, tokenClaims: claims.optional() };
var connex = strictObject({
  kind: literal("connex-grant"),
  clientId: string(),
  tokenClaims: claims.optional()
});
var described = strictObject({
  name: string(),
  algorithm: algorithm.optional(),
  claimsSchema: claims.optional()
});
var createBody12 = described.extend({
  policy: union([
    strictObject({
      ...{ kind: literal("project-grant"), teamId: string(), projectId: string() },
      ...grant
    }),
    connex
  ]).optional(),
  importKey: string().optional(),
  importKeyId: string().optional()
});
var seed21 = described.extend({
  ...seedOwned,
  managedBy: string().optional(),
  /** The key is one that was imported under this name. */
  importKeyId: string().optional(),
  /** Grants for projects, by their names. */
  policies: array(strictObject({ project: string(), ...grant })).optional(),
  clients: array(connex).optional()
});
function make5(making, { isImported, importKeyId, ...body4 }) {
  const stamps = stamped(making, "iss_");
  const { createdAt, updatedAt } = stamps;
  const key3 = { keyId: making.id("key_"), activateAt: making.now(), graceHours: 1, createdAt, updatedAt };
  return {
    ...{ algorithm: "RS512", ...body4, ...stamps, ownerId: making.owner.id },
    origin: isImported ? "external" : "vercel",
    keys: [{ ...key3, ...importKeyId === void 0 ? {} : { importKeyId } }],
    history: []
  };
}
function checkOwn2({ managedBy }) {
  if (managedBy !== void 0) throw forbidden(`The issuer is managed by ${managedBy}.`);
}
function writableIssuer(call) {
  const { one } = issuers.named(call);
  checkOwn2(one);
  return one;
}
var kmsIssuer = {
  ...issuers.kept(seed21, (making, { policies: policies2 = [], clients = [], importKeyId, managedBy, ...body4 }) => {
    const stamps = times(making);
    const grants = policies2.map(({ project: project2, ...rest }) => {
      const [projectId] = projectIdsOf(making, [project2]);
      const teamId = making.owner.id;
      return { kind: "project-grant", teamId, projectId, ...rest, ...stamps };
    });
    const isImported = importKeyId !== void 0;
    const all5 = [...grants, ...clients.map((one) => ({ ...one, ...stamps }))];
    const made3 = make5(making, {
      ...body4,
      policies: all5,
      isImported,
      ...isImported && { importKeyId }
    });
    return managedBy === void 0 ? made3 : { ...made3, managedBy };
  }),
  operations: {
    listKmsIssuers: issuers.pages("issuers", { cursor: "next" }),
    createKmsIssuer: issuers.create({ body: createBody12, statuses: [201] }, (call, body4) => {
      const { policy: policy2, importKey, ...rest } = body4;
      if (rest.importKeyId !== void 0 && importKey === void 0)
        throw badRequest("Invalid request: `importKeyId` is only allowed with `importKey`.");
      if (policy2?.kind === "project-grant") checkProjectIds(call, [policy2.projectId]);
      const stamps = times(call);
      const policies2 = policy2 ? [{ ...policy2, ...stamps }] : [];
      return make5(call, { ...rest, policies: policies2, isImported: importKey !== void 0 });
    }),
    getKmsIssuer: issuers.read(),
    updateKmsIssuer: issuers.update(
      { body: strictObject({ name: string().optional(), claimsSchema: claims.nullable().optional() }) },
      (_, issuer, { claimsSchema, ...body4 }) => {
        checkOwn2(issuer);
        Object.assign(issuer, body4);
        if (claimsSchema === null) delete issuer.claimsSchema;
        else if (claimsSchema !== void 0) issuer.claimsSchema = claimsSchema;
      }
    ),
    deleteKmsIssuer: issuers.remove(void 0, (_, issuer) => checkOwn2(issuer))
  },
  after: ["projects"],
  forget: forgetting("kmsIssuers", "policies")
};

// providers/hosting/twin/kms/policy.ts
var policies = issuers.inside(
  "policies",
  {
    ...{ what: "Policy", param: "policyKey", shows: (_, policy2) => showPolicy(policy2) },
    isCalled: (one, key3, { kind }) => one.kind === kind && key3 === (one.kind === "project-grant" ? one.projectId : one.clientId)
  },
  writableIssuer
);
var createBody13 = strictObject({
  kind: literal("project-grant"),
  projectId: string(),
  environments: strings,
  tokenClaims: claims.optional()
});
var updateBody6 = strictObject({
  environments: strings.optional(),
  tokenClaims: claims.nullable().optional()
});
var kmsIssuerPolicy = {
  operations: {
    createKmsIssuerPolicy: policies.create({ body: createBody13, statuses: [201] }, (call, body4, issuer) => {
      checkProjectIds(call, [body4.projectId]);
      if (issuer.policies.some((one) => one.kind === body4.kind && one.projectId === body4.projectId))
        throw badRequest("There is a policy for this project already.");
      return { ...body4, teamId: call.owner.id, ...times(call) };
    }),
    updateKmsIssuerPolicy: policies.update(
      { body: updateBody6 },
      (_, policy2, { environments: environments4, tokenClaims }) => {
        if (environments4 !== void 0) {
          if (policy2.kind !== "project-grant") throw badRequest("Only grants of projects have environments.");
          policy2.environments = environments4;
        }
        if (tokenClaims === null) delete policy2.tokenClaims;
        else if (tokenClaims !== void 0) policy2.tokenClaims = tokenClaims;
      }
    ),
    deleteKmsIssuerPolicy: policies.remove()
  }
};

// providers/hosting/twin/kms/signing-key.ts
var grace = number().min(0).optional();
var createBody14 = strictObject({
  activation: _enum(["automatic", "manual"]).optional(),
  revokePreviousAfterHours: grace,
  revokePreviousAt: union([string(), number()]).optional(),
  importKey: string().optional(),
  importKeyId: string().optional()
});
var keys3 = issuers.inside(
  "keys",
  {
    ...{ what: "Signing key", param: "keyId", by: ["keyId"] },
    shows: (call, key3, issuer) => showKey(call, key3, settle(issuer, call.now()))
  },
  (call) => settle(writableIssuer(call), call.now())
);
var kmsSigningKey = {
  operations: {
    createKmsSigningKey: keys3.create(
      { body: createBody14 },
      (call, { activation, revokePreviousAfterHours = 1, importKey, importKeyId }) => {
        if (importKeyId !== void 0 && importKey === void 0)
          throw badRequest("Invalid request: `importKeyId` is only allowed with `importKey`.");
        return {
          keyId: call.id("key_"),
          ...importKeyId === void 0 ? {} : { importKeyId },
          // How long its public half takes to be known everywhere is in no source.
          ...activation === "manual" ? {} : { activateAt: call.now() },
          graceHours: revokePreviousAfterHours,
          ...times(call)
        };
      }
    ),
    activateKmsSigningKey: keys3.update(
      { body: strictObject({ revokePreviousAfterHours: grace }), statuses: [409] },
      (call, key3, { revokePreviousAfterHours: graceHours = key3.graceHours }) => {
        if (statusOf(key3, call.now()) !== "pending") throw conflict("Only a pending key can be activated.");
        Object.assign(key3, { activateAt: call.now(), graceHours });
      }
    ),
    revokeKmsSigningKey: operation({ on: keys3.named, statuses: [409] }, (call, { home: issuer, one }) => {
      const isActive = (key3) => statusOf(key3, call.now()) === "active";
      if (isActive(one) && issuer.keys.filter(isActive).length === 1)
        throw conflict("It is the only key that signs: create another one first.");
      Object.assign(one, { revokeAt: call.now(), updatedAt: call.time() });
      return issuers.show(call, settle(issuer, call.now()), call.owner);
    })
  }
};

// providers/hosting/twin/marketplace/marketplace-resource.ts
;

// providers/hosting/twin/marketplace/installation.ts
var statuses = ["ready", "pending", "onboarding", "suspended", "resumed", "uninstalled", "error"];
var status = _enum(statuses);
var details = array(strictObject({ label: string(), value: string().optional() })).optional();
var billingPlan = looseObject({
  id: string(),
  type: _enum(["prepayment", "subscription"]),
  name: string(),
  description: string().optional(),
  paymentMethodRequired: boolean().optional(),
  cost: string().optional(),
  details,
  highlightedDetails: details,
  effectiveDate: string().optional()
});
var notification = strictObject({
  level: _enum(["info", "warn", "error"]),
  title: string(),
  message: string().optional(),
  href: string().optional()
});
var body2 = strictObject({
  status: status.optional(),
  externalId: string().optional(),
  billingPlan: billingPlan.optional(),
  notification: union([notification, string()]).optional()
});
function findInstallation({ account, time }, id2, owner) {
  const known2 = account.installations.find((one2) => one2.id === id2);
  if (known2 ? owner && known2.ownerId !== owner.id : !/^icfg_\w+$/.test(id2)) throw notFound("Installation");
  if (known2) return known2;
  const ownerId = (owner ?? account.teams[0] ?? account.user).id;
  const at2 = time();
  const one = { id: id2, ownerId, status: "ready", createdAt: at2, updatedAt: at2, resources: [] };
  account.installations.push(one);
  return one;
}
var installationOf = (call) => findInstallation(call, call.params.integrationConfigurationId);
var installation = {
  keeps: { account: { installations: [] } },
  operations: {
    getConfiguration: operation(
      { on: (call) => findInstallation(call, call.params.id, call.owner) },
      (call, { resources: _, billingPlan: __, ...one }) => ({
        ...one,
        type: "integration-configuration",
        installationType: "marketplace",
        source: "marketplace",
        integrationId: "oac_twin",
        slug: "twin",
        scopes: [],
        userId: call.account.user.id,
        teamId: call.owner.team?.id ?? null
      })
    ),
    "update-installation": operation({ on: installationOf, body: body2, statuses: [204] }, (call, one, changes) => {
      Object.assign(one, changes, { updatedAt: call.time() });
    })
  }
};

// providers/hosting/twin/marketplace/marketplace-resource.ts
var secret2 = strictObject({
  name: string(),
  value: string(),
  prefix: string().optional(),
  environmentOverrides: strictObject({
    development: string().optional(),
    preview: string().optional(),
    production: string().optional()
  }).optional()
});
var secretsBody = strictObject({ secrets: array(secret2), partial: boolean().optional() });
var members = {
  ownership: _enum(["owned", "linked", "sandbox"]).optional(),
  metadata: record(string(), unknown()).optional(),
  billingPlan: billingPlan.optional(),
  extras: record(string(), unknown()).optional()
};
var created2 = strictObject({
  ...members,
  productId: string(),
  name: string(),
  status,
  notification: notification.optional(),
  secrets: array(secret2).optional()
});
var changed = strictObject({
  ...members,
  name: string().optional(),
  status: status.optional(),
  notification: union([notification, string()]).optional(),
  secrets: union([secretsBody, array(secret2)]).optional()
});
function setSecrets(one, { secrets, partial = false }) {
  const given = Object.fromEntries(secrets.map((each2) => [each2.name, each2]));
  one.secrets = partial ? { ...one.secrets, ...given } : given;
}
function write2(one, given) {
  const { secrets, ownership: _, extras: __, ...rest } = given;
  Object.assign(one, rest);
  if (secrets) setSecrets(one, Array.isArray(secrets) ? { secrets } : secrets);
  return { name: one.name };
}
var shown6 = ({ billingPlan: billingPlan2, secrets: _, items: __, config: ___, ...one }) => ({
  ...one,
  ...billingPlan2 && { billingPlanId: billingPlan2.id }
});
var resources = new Collection(
  {
    what: "Resource",
    param: "resourceId",
    shows: (_, one) => shown6(one)
  },
  installationOf,
  (_, { resources: resources3 }) => resources3
);
var resourceOf = (call) => resources.named(call).one;
function put3(making, home, id2, body4) {
  const known2 = home.resources.find((one2) => one2.id === id2);
  if (known2 && known2.productId !== body4.productId)
    throw badRequest("The product of a resource cannot change.");
  const { productId, name: name4, status: status2 } = body4;
  const empty = { id: id2, internalId: making.id("ir_"), productId, name: name4, status: status2, secrets: {}, items: {} };
  const one = known2 ?? resources.add(making, empty, home);
  write2(one, body4);
  return one;
}
function setConfig(making, one, items) {
  const digest2 = createHash7("sha256").update(JSON.stringify(items)).digest("hex");
  one.config = { items, digest: digest2, updatedAt: making.time() };
  return one.config;
}
var seed22 = strictObject({
  ...seedOwned,
  id: string(),
  resources: array(created2.extend({ id: string(), config: record(string(), unknown()).optional() })).optional()
});
var marketplaceResource = {
  operations: {
    "get-integration-resources": operation({ on: installationOf, list: "resources" }, (_, { resources: resources3 }) => ({
      resources: resources3.map(shown6).map(({ id: id2, ...one }) => ({ partnerId: id2, ...one }))
    })),
    "get-integration-resource": resources.read(),
    "import-resource": operation({ on: installationOf, body: created2 }, (call, home, body4) => ({
      name: put3(call, home, call.params.resourceId, body4).name
    })),
    "update-resource": operation({ on: resourceOf, body: changed }, (_, one, body4) => write2(one, body4)),
    "delete-integration-resource": resources.remove(),
    "update-resource-secrets-by-id": operation(
      { on: resourceOf, body: secretsBody, statuses: [201], answers: "none" },
      (_, one, body4) => setSecrets(one, body4)
    )
  },
  seed: {
    account: {
      installations: seedList(seed22, (making, { id: id2, resources: resources3 = [] }) => {
        const home = findInstallation(making, id2, making.owner);
        for (const { id: id3, config: config2, ...body4 } of resources3) {
          const one = put3(making, home, id3, body4);
          if (config2) setConfig(making, one, config2);
        }
      })
    }
  }
};

// providers/hosting/twin/marketplace/experimentation-config.ts
function configOf(call) {
  const { config: config2 } = resourceOf(call);
  if (config2 === void 0) throw notFound("Config");
  return config2;
}
var read2 = () => operation({ on: configOf }, (_, config2) => new Answer(200, config2, { etag: `"${config2.digest}"` }));
var experimentationConfig = {
  operations: {
    getInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationGlobalConfig: read2(),
    headInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationGlobalConfig: read2(),
    replaceInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationGlobalConfig: operation(
      {
        on: resourceOf,
        body: strictObject({ data: record(string(), unknown()) })
      },
      (call, one, { data }) => setConfig(call, one, data)
    )
  }
};

// providers/hosting/twin/marketplace/experimentation-item.ts
var itemBody = strictObject({
  slug: string(),
  origin: string(),
  category: _enum(["experiment", "flag"]).optional(),
  name: string().optional(),
  description: string().optional(),
  isArchived: boolean().optional(),
  createdAt: number().optional(),
  updatedAt: number().optional()
});
function itemOf(call) {
  const of = resourceOf(call);
  const id2 = call.params.itemId;
  if (!Object.hasOwn(of.items, id2)) throw notFound("Item");
  return { of, id: id2 };
}
var experimentationItem = {
  operations: {
    createInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationItems: operation(
      {
        on: resourceOf,
        body: strictObject({ items: array(itemBody.extend({ id: string() })) }),
        statuses: [204]
      },
      (_, one, { items }) => {
        for (const { id: id2, ...item } of items) one.items[id2] = item;
      }
    ),
    updateInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationItemsByItemId: operation({ on: itemOf, body: itemBody, statuses: [204] }, (_, { of, id: id2 }, item) => {
      of.items[id2] = item;
    }),
    deleteInstallationsByIntegrationConfigurationIdResourcesByResourceIdExperimentationItemsByItemId: operation({ on: itemOf, statuses: [204] }, (_, { of, id: id2 }) => {
      delete of.items[id2];
    })
  }
};

// providers/hosting/twin/security/attack-mode.ts
var attackModeBody = strictObject({
  projectId: string(),
  attackModeEnabled: boolean(),
  attackModeActiveUntil: number().nullable().optional()
});
function update5(call, body4) {
  const project2 = projectById(call, body4.projectId);
  const activeUntil = body4.attackModeEnabled ? body4.attackModeActiveUntil ?? null : null;
  if (body4.attackModeEnabled && activeUntil === null && call.switches.attackModeNeedsDeadline) {
    throw badRequest("Invalid request: `attackModeActiveUntil` is needed to enable the attack mode.");
  }
  if (activeUntil !== null && activeUntil <= call.now()) {
    throw badRequest("Invalid request: `attackModeActiveUntil` should be in the future.");
  }
  const updatedAt = call.time();
  project2.attackMode = { enabled: body4.attackModeEnabled, activeUntil, updatedAt };
  return { attackModeEnabled: body4.attackModeEnabled, attackModeUpdatedAt: updatedAt };
}
function readAttackMode(call, project2) {
  const { attackMode: attackMode2 } = project2;
  if (attackMode2 === null) return {};
  const { enabled: enabled2, activeUntil, updatedAt } = attackMode2;
  const expired = activeUntil !== null && activeUntil <= call.now();
  const off2 = expired && !call.switches.attackModeExpiredReadable;
  return {
    attackModeEnabled: enabled2 && !off2,
    attackModeActiveUntil: off2 ? null : activeUntil,
    attackModeUpdatedAt: updatedAt
  };
}
var seed23 = strictObject({ activeUntil: number() });
var attackMode = {
  ...inEveryProject("attackMode", null, seed23, (making, { activeUntil }, project2) => {
    project2.attackMode = { enabled: true, activeUntil, updatedAt: making.time() };
  }),
  operations: {
    updateAttackChallengeMode: operation(
      { body: attackModeBody, statuses: [200, 404] },
      (call, _, body4) => update5(call, body4)
    )
  }
};

// providers/hosting/twin/security/firewall-config.ts
var crsCodes = ["sd", "ma", "lfi", "rfi", "rce", "php", "gen", "xss", "sqli", "sf", "java"];
var managedRulesets = [
  "ai_bots",
  "bot_filter",
  "bot_protection",
  "traffic_sources",
  "vercel_ruleset",
  "owasp"
];
var managedId = (id2) => id2 === "bot_filter" ? "bot_protection" : id2;
function emptyConfig(project2) {
  return {
    id: `waf_${project2.id.slice(4)}`,
    version: 0,
    ownerId: project2.accountId,
    projectKey: project2.id,
    updatedAt: new Date(project2.createdAt).toISOString(),
    firewallEnabled: false,
    rules: [],
    ips: [],
    changes: [],
    managedRules: {},
    managedRuleGroups: {},
    crs: {}
  };
}
function activate(state, config2, at2) {
  const version3 = Math.max(0, ...state.versions.map((one) => one.version)) + 1;
  state.active = { ...structuredClone(config2), version: version3, changes: [], updatedAt: new Date(at2).toISOString() };
  state.versions.unshift(structuredClone(state.active));
  return state.active;
}
function readCondition(condition3, switches) {
  if (condition3.op !== "ex" && condition3.op !== "nex") return condition3;
  const { value: _value, ...rest } = condition3;
  return switches.exValue === "absent" ? rest : { ...rest, value: switches.exValue };
}
function readConfig(config2, switches) {
  const { managedRuleGroups, ...read3 } = config2;
  const rules3 = config2.rules.map((rule3) => ({
    ...rule3,
    conditionGroup: rule3.conditionGroup.map(({ conditions }) => ({
      conditions: conditions.map((one) => readCondition(one, switches))
    })),
    valid: true,
    validationErrors: null
  }));
  const managedRules = { ...config2.managedRules };
  if (switches.managedGroupsReadable) {
    for (const [id2, group2] of Object.entries(managedRuleGroups)) {
      managedRules[id2] = { active: false, ...config2.managedRules[id2], rules: group2 };
    }
  }
  const on = Object.entries(config2.crs).filter(([, entry]) => entry.active);
  const off2 = crsCodes.map((code) => [code, { active: false, action: "log" }]);
  const all5 = { ...Object.fromEntries(off2), ...config2.crs };
  const crs2 = switches.crsInactiveAbsent ? Object.fromEntries(on) : all5;
  return { ...read3, rules: rules3, managedRules, crs: crs2 };
}
function firewallInProject({ firewall: { active } }) {
  if (active === null) return {};
  return {
    firewallEnabled: active.firewallEnabled,
    firewallConfigVersion: active.version,
    firewallUpdatedAt: Date.parse(active.updatedAt),
    ...active.botIdEnabled === void 0 ? {} : { botIdEnabled: active.botIdEnabled },
    ...active.logHeaders === void 0 ? {} : { log_headers: active.logHeaders }
  };
}

// providers/hosting/twin/projects/project-fields.ts
var text2 = string().nullable();
var flag2 = boolean().nullable();
var frameworks = "container blitzjs nextjs gatsby remix react-router astro hexo eleventy docusaurus-2 docusaurus preact solidstart-1 solidstart dojo ember vue scully ionic-angular angular polymer svelte sveltekit sveltekit-1 ionic-react create-react-app gridsome umijs sapper saber stencil nuxtjs redwoodjs hugo jekyll brunch middleman zola hydrogen vite tanstack-start tanstack-start-lovable vitepress vuepress parcel fastapi flask fasthtml django ash factory-eve eve sanity sanity-v2 storybook nitro hono express h3 koa nestjs elysia fastify xmcp python ruby rust axum actix-web bun node go services mastra".split(
  " "
);
var regions = "iad1 sfo1 cle1 cdg1 fra1 arn1 sin1 pdx1 lhr1 icn1 bom1 cpt1 dub1 gru1 hkg1 syd1 yul1 hnd1 kix1".split(" ");
var elasticReasons = "oom-failure enospc-failure build-timeout-failure basic-floor high-peak-memory sustained-high-cpu high-peak-disk long-build-duration short-build-duration enterprise-floor".split(
  " "
);
var protectedDeployments = _enum([
  "all",
  "preview",
  "prod_deployment_urls_and_all_previews",
  "all_except_custom_domains"
]);
var resourceConfig = strictObject({
  buildMachineType: _enum(["basic", "enhanced", "turbo", "standard", "elastic"]).optional(),
  buildMachineSelection: _enum(["elastic", "fixed"]).optional(),
  buildQueue: strictObject({ configuration: _enum(["SKIP_NAMESPACE_QUEUE", "WAIT_FOR_NAMESPACE_QUEUE"]).optional() }).optional(),
  fluid: boolean().optional(),
  functionDefaultRegions: strings.optional(),
  functionDefaultTimeout: number().optional(),
  functionDefaultMemoryType: _enum(["standard_legacy", "standard", "performance", "performance_xl"]).optional(),
  functionZeroConfigFailover: boolean().optional(),
  elasticConcurrencyEnabled: boolean().optional(),
  buildMachineElasticLastUpdated: number().optional(),
  buildMachineElasticReason: _enum(elasticReasons).optional(),
  isNSNBDisabled: boolean().optional(),
  enableFunctionsBeta: boolean().optional()
});
var bothFields = {
  buildCommand: text2.optional(),
  commandForIgnoringBuildStep: text2.optional(),
  devCommand: text2.optional(),
  enableAffectedProjectsDeployments: boolean().optional(),
  enablePreviewFeedback: flag2.optional(),
  enableProductionFeedback: flag2.optional(),
  installCommand: text2.optional(),
  oidcTokenConfig: strictObject({ enabled: boolean().optional(), issuerMode: _enum(["team", "global"]).optional() }).optional(),
  outputDirectory: text2.optional(),
  previewDeploymentSuffix: text2.optional(),
  previewDeploymentsDisabled: flag2.optional(),
  publicSource: flag2.optional(),
  resourceConfig: resourceConfig.optional(),
  rootDirectory: text2.optional(),
  sandbox: strictObject({
    region: _enum(regions).optional(),
    failoverRegions: array(_enum(regions)).optional()
  }).optional(),
  serverlessFunctionRegion: text2.optional(),
  serverlessFunctionZeroConfigFailover: boolean().optional(),
  skipGitConnectDuringLink: boolean().optional()
};

// providers/hosting/twin/projects/project-body.ts
var createProjectBody = strictObject({
  ...bothFields,
  name: string(),
  framework: _enum(frameworks).optional(),
  ssoProtection: strictObject({ deploymentType: protectedDeployments }).nullable().optional(),
  gitRepository: strictObject({
    repo: string(),
    type: _enum(["github", "github-limited", "gitlab", "bitbucket", "vercel", "cursor-origin"])
  }).optional(),
  environmentVariables: array(unknown()).optional()
});
var target3 = _enum(["production", "preview"]);
var policySource = (sources2) => array(
  strictObject({
    enabled: boolean(),
    environments: array(
      union([
        strictObject({ type: literal("system"), target: target3 }),
        strictObject({ type: literal("custom"), environmentId: string() })
      ])
    ),
    sources: array(sources2)
  })
).nullable().optional();
var preset = literal("all-custom");
var customAllow = union([
  strictObject({ slugs: strings, preset: preset.optional() }),
  strictObject({ slugs: strings.optional(), preset })
]);
var updateProjectBody = strictObject({
  ...bothFields,
  name: string().optional(),
  // Null (no framework) is only in the PATCH body.
  framework: _enum(frameworks).nullable().optional(),
  autoExposeSystemEnvs: boolean().optional(),
  autoAssignCustomDomains: boolean().optional(),
  autoAssignCustomDomainsUpdatedBy: string().optional(),
  customerSupportCodeVisibility: boolean().optional(),
  directoryListing: boolean().optional(),
  gitForkProtection: boolean().optional(),
  gitLFS: boolean().optional(),
  protectedSourcemaps: boolean().optional(),
  nodeVersion: _enum(["24.x", "22.x", "20.x", "18.x", "16.x", "14.x", "12.x", "10.x"]).optional(),
  skewProtectionBoundaryAt: int().min(0).optional(),
  skewProtectionMaxAge: int().min(0).optional(),
  skewProtectionAllowedDomains: strings.optional(),
  sourceFilesOutsideRootDirectory: boolean().optional(),
  enableExternalRewriteCaching: boolean().optional(),
  staticIps: strictObject({ enabled: boolean() }).optional(),
  tracing: strictObject({
    domains: string().optional(),
    ignorePaths: strings.optional(),
    samplingRules: array(
      strictObject({
        rate: number(),
        env: target3.optional(),
        requestPath: string().optional(),
        destination: _enum(["internal", "external"]).optional()
      })
    ).optional()
  }).nullable().optional(),
  passwordProtection: strictObject({ deploymentType: protectedDeployments, password: text2.optional() }).nullable().optional(),
  passport: strictObject({ connectorId: string(), deploymentType: protectedDeployments.optional() }).nullable().optional(),
  ssoProtection: strictObject({ deploymentType: protectedDeployments.optional() }).nullable().optional(),
  trustedIps: strictObject({
    deploymentType: _enum([...protectedDeployments.options, "production"]),
    addresses: array(strictObject({ value: string(), note: string().optional() })),
    protectionMode: _enum(["exclusive", "additional"])
  }).nullable().optional(),
  trustedSources: strictObject({
    enableVercelCiSameRepository: boolean().optional(),
    projects: record(
      string(),
      strictObject({
        label: string().optional(),
        customAllow: array(strictObject({ to: customAllow, from: customAllow })).optional()
      })
    ).optional(),
    oidcProviders: record(
      string(),
      array(
        strictObject({
          label: string().optional(),
          to: customAllow,
          claims: record(string(), strings)
        })
      )
    ).optional()
  }).nullable().optional(),
  deploymentPolicy: strictObject({
    gitSources: policySource(
      union([
        strictObject({
          provider: _enum(["github", "bitbucket"]),
          org: string(),
          repo: string().optional()
        }),
        strictObject({
          provider: literal("gitlab"),
          namespace: string(),
          project: string().optional()
        })
      ])
    ),
    deploymentSources: policySource(_enum(["git", "cli", "rest-api", "deploy-hook", "integration", "v0"]))
  }).nullable().optional(),
  optionsAllowlist: strictObject({ paths: array(strictObject({ value: string() })) }).nullable().optional(),
  connectConfigurations: array(
    strictObject({
      envId: string(),
      connectConfigurationId: string(),
      passive: boolean(),
      buildsEnabled: boolean()
    })
  ).nullable().optional(),
  dismissedToasts: array(
    strictObject({
      key: string(),
      dismissedAt: number(),
      action: _enum(["cancel", "accept", "delete"]),
      value: unknown().optional()
    })
  ).optional()
});
var readOnlyFields = {
  link: record(string(), unknown()).optional(),
  gitComments: record(string(), unknown()).optional(),
  gitProviderOptions: record(string(), unknown()).optional(),
  productionDeploymentsFastLane: boolean().optional(),
  live: boolean().optional(),
  paused: boolean().optional()
};
var writtenOnly = [
  "environmentVariables",
  "gitRepository",
  "skipGitConnectDuringLink",
  "passwordProtection"
];
var readableFields = [
  "id",
  "accountId",
  "createdAt",
  "updatedAt",
  "crons",
  ...Object.keys({ ...createProjectBody.shape, ...updateProjectBody.shape, ...readOnlyFields }).filter(
    (field) => !writtenOnly.includes(field)
  )
];

// providers/hosting/twin/projects/protection-bypass.ts
var secret3 = string().regex(/^[a-zA-Z0-9]{32}$/, "should have 32 letters and digits");
var note = string().max(100, "should NOT have more than 100 characters");
var bypassBody = strictObject({
  revoke: strictObject({ secret: string(), regenerate: boolean() }).optional(),
  generate: strictObject({ secret: secret3.optional(), note: note.optional() }).optional(),
  update: strictObject({ secret: string(), isEnvVar: boolean().optional(), note: note.optional() }).optional()
});
var automations = (bypasses) => Object.values(bypasses).filter((one) => one.scope === "automation-bypass");
function find2(bypasses, secret4) {
  const found = Object.hasOwn(bypasses, secret4) ? bypasses[secret4] : void 0;
  if (found?.scope !== "automation-bypass") throw notFound("The automation bypass");
  return found;
}
var hasNote = (note2, { switches }) => note2 !== void 0 && (note2 !== "" || switches.bypassEmptyNoteReadable);
function generate(making, bypasses, given) {
  const key3 = given.secret ?? making.id("", 32);
  if (Object.hasOwn(bypasses, key3)) throw conflict("This secret is in use already.");
  const added2 = {
    scope: "automation-bypass",
    createdAt: making.time(),
    createdBy: making.account.user.id,
    isEnvVar: automations(bypasses).length === 0,
    ...hasNote(given.note, making) ? { note: given.note } : {}
  };
  bypasses[key3] = added2;
  return added2;
}
function promote(bypasses, bypass) {
  for (const one of automations(bypasses)) one.isEnvVar = one === bypass;
}
function revoke(making, bypasses, { secret: secret4, regenerate }) {
  const { isEnvVar, note: note2 } = find2(bypasses, secret4);
  if (isEnvVar && !regenerate && automations(bypasses).length > 1) {
    throw conflict("This bypass is the environment variable of the project: select another one first.");
  }
  delete bypasses[secret4];
  if (!regenerate) return;
  const fresh = generate(making, bypasses, { note: note2 });
  if (isEnvVar) promote(bypasses, fresh);
}
function change3(making, bypasses, body4) {
  if (body4.revoke !== void 0) revoke(making, bypasses, body4.revoke);
  if (body4.generate !== void 0 || !body4.revoke && !body4.update) {
    generate(making, bypasses, body4.generate ?? {});
  }
  if (body4.update === void 0) return;
  const bypass = find2(bypasses, body4.update.secret);
  if (body4.update.isEnvVar === true) promote(bypasses, bypass);
  else if (body4.update.isEnvVar === false && bypass.isEnvVar) {
    throw conflict(
      "One bypass has to be the environment variable of the project: select another one for it."
    );
  }
  if (body4.update.note === void 0) return;
  if (hasNote(body4.update.note, making)) bypass.note = body4.update.note;
  else delete bypass.note;
}
function readBypasses({ switches }, bypasses) {
  if (!switches.bypassDefaultUnsaid) return bypasses;
  const read3 = Object.entries(bypasses).map(([secret4, bypass]) => {
    if (bypass.scope !== "automation-bypass" || !bypass.isEnvVar) return [secret4, bypass];
    const { isEnvVar: _default, ...unsaid } = bypass;
    return [secret4, unsaid];
  });
  return Object.fromEntries(read3);
}
var seed24 = strictObject({
  secret: string().optional(),
  note: string().optional(),
  isEnvVar: boolean().optional(),
  /** Both make it an integration's own bypass, which has neither note nor isEnvVar. */
  integrationId: string().optional(),
  configurationId: string().optional()
});
function load7(making, given, project2) {
  project2.protectionBypass ??= {};
  const bypasses = project2.protectionBypass;
  const { secret: secret4, note: note2, isEnvVar, integrationId, configurationId } = given;
  if (integrationId === void 0 && configurationId === void 0) {
    const added2 = generate(making, bypasses, { secret: secret4, note: note2 });
    if (isEnvVar === true) promote(bypasses, added2);
    return;
  }
  bypasses[secret4 ?? making.id("", 32)] = {
    scope: "integration-automation-bypass",
    createdAt: making.time(),
    createdBy: making.account.user.id,
    integrationId: integrationId ?? making.id("oac_"),
    configurationId: configurationId ?? making.id("icfg_")
  };
}
var protectionBypass = {
  keeps: { project: { protectionBypass: void 0 } },
  operations: {
    updateProjectProtectionBypass: operation(
      { on: projectOfPath, body: bypassBody, statuses: [200, 409] },
      (call, project2, body4) => {
        const bypasses = structuredClone(project2.protectionBypass ?? {});
        change3(call, bypasses, body4);
        project2.protectionBypass = bypasses;
        return { protectionBypass: readBypasses(call, bypasses) };
      }
    )
  },
  seed: { project: { protectionBypasses: seedList(seed24, load7) } }
};

// providers/hosting/twin/projects/project-state.ts
var regions2 = { functionDefaultRegions: ["iad1"] };
var defaults = {
  autoAssignCustomDomains: true,
  autoExposeSystemEnvs: true,
  buildCommand: null,
  commandForIgnoringBuildStep: null,
  customerSupportCodeVisibility: false,
  devCommand: null,
  directoryListing: false,
  enablePreviewFeedback: null,
  enableProductionFeedback: null,
  framework: null,
  gitForkProtection: true,
  gitLFS: false,
  installCommand: null,
  nodeVersion: "24.x",
  oidcTokenConfig: { enabled: true, issuerMode: "team" },
  outputDirectory: null,
  passwordProtection: null,
  previewDeploymentSuffix: null,
  previewDeploymentsDisabled: false,
  publicSource: null,
  rootDirectory: null,
  serverlessFunctionRegion: "iad1",
  sourceFilesOutsideRootDirectory: true,
  ssoProtection: { deploymentType: "all_except_custom_domains" },
  trustedIps: null
};
function addProject(making, name4) {
  const project2 = {
    ...structuredClone(defaults),
    resourceConfig: { ...structuredClone(regions2), buildMachineType: "standard", fluid: true },
    id: making.id("prj_", 28),
    name: name4,
    accountId: making.owner.id,
    ...times(making),
    ...making.emptyProject()
  };
  making.account.projects.push(project2);
  return project2;
}
function checkProjectName(name4) {
  if (name4.length > 0 && name4.length <= 100 && /^[a-z0-9._-]+$/.test(name4) && !name4.includes("---")) return;
  throw badRequest(
    "Project names can be up to 100 characters long and must be lowercase. They can include letters, digits, and the following characters: '.', '_', '-'. However, they cannot contain the sequence '---'."
  );
}
var asIs = /* @__PURE__ */ new Set(["name", "environmentVariables", "gitRepository", "skipGitConnectDuringLink"]);
var known = /* @__PURE__ */ new Set([...readableFields, "passwordProtection"]);
function setProjectFields(project2, fields3, { time: now, switches }) {
  const [region2] = fields3.resourceConfig?.functionDefaultRegions ?? [];
  if (region2 !== void 0 && switches.regionMirrored) project2.serverlessFunctionRegion = region2;
  for (const [field, value3] of Object.entries(fields3)) {
    if (value3 === void 0 || asIs.has(field)) continue;
    if (field === "resourceConfig") {
      project2[field] = { ...project2[field], ...machine(value3) };
    } else if (field === "oidcTokenConfig" || field === "sandbox") {
      project2[field] = { ...project2[field], ...value3 };
    } else if (field === "staticIps") {
      project2[field] = { builds: false, regions: [], ...project2[field], ...value3 };
    } else if (field === "ssoProtection" && value3 !== null) {
      project2[field] = { deploymentType: "preview", ...value3 };
    } else if (field === "passport" && value3 !== null) {
      project2[field] = { deploymentType: "all", ...value3 };
    } else if (field === "connectConfigurations" && value3 !== null) {
      const at2 = now();
      project2[field] = value3.map((one) => ({ ...one, createdAt: at2, updatedAt: at2 }));
    } else {
      assignKnown(project2, { [field]: value3 }, (name4) => known.has(name4));
    }
  }
}
function machine(config2) {
  if (config2.buildMachineType !== "elastic") return config2;
  return { ...config2, buildMachineType: "standard", buildMachineSelection: "elastic" };
}
function gitLink(repository, at2) {
  const [org = "", repo = ""] = repository.repo.split("/");
  const names = repository.type === "gitlab" ? {
    projectNamespace: org,
    projectName: repo,
    projectNameWithNamespace: repository.repo,
    projectUrl: ""
  } : repository.type === "bitbucket" ? { owner: org, slug: repo, name: repo, workspaceUuid: "", uuid: "" } : { org, repo, repoId: 1, repoOwnerId: 1 };
  return {
    type: repository.type,
    ...names,
    productionBranch: "main",
    gitCredentialId: "",
    deployHooks: [],
    sourceless: false,
    createdAt: at2,
    updatedAt: at2
  };
}
var incomplete = [
  "publicSource",
  "previewDeploymentSuffix",
  "previewDeploymentsDisabled",
  "serverlessFunctionRegion"
];
function readProject(call, project2) {
  const { protectionBypass: protectionBypass2, rollingRelease: rollingRelease2, env, customEnvironments, speedInsights: speedInsights2, webAnalytics: webAnalytics2 } = project2;
  const { microfrontends, avatar: avatar2 } = project2;
  const passwordProtection = project2.passwordProtection;
  const security = { ...readAttackMode(call, project2), ...firewallInProject(project2) };
  const read3 = {
    ...shownOf(project2, readableFields),
    ...protectionBypass2 === void 0 ? {} : { protectionBypass: readBypasses(call, protectionBypass2) },
    ...rollingRelease2 === void 0 ? {} : { rollingRelease: rollingRelease2 },
    ...avatar2 && { avatar: avatar2 },
    ...speedInsights2 && { speedInsights: speedInsights2 },
    ...webAnalytics2 && { webAnalytics: webAnalytics2 },
    ...microfrontends && { microfrontends },
    alias: [],
    defaultResourceConfig: { functionDefaultRegions: ["iad1"] },
    deploymentExpiration: {},
    latestDeployments: latestDeployments(call, project2),
    ...project2.lastAliasRequest && { lastAliasRequest: project2.lastAliasRequest },
    targets: servedTargets(call, project2),
    live: project2.live ?? false,
    // The password never comes back.
    passwordProtection: passwordProtection ? { deploymentType: passwordProtection.deploymentType } : null,
    env: env.map((one) => readEnvVar(call, one, false)),
    customEnvironments: customEnvironments.map((one) => readCustomEnvironment(project2, one)),
    ...Object.keys(security).length > 0 && { security }
  };
  if (call.switches.projectReadIncomplete) for (const field of incomplete) delete read3[field];
  return read3;
}

// providers/hosting/twin/microfrontends/group-state.ts
var settings = {
  isDefaultApp: boolean().optional(),
  defaultRoute: string().optional(),
  routeObservabilityToThisProject: boolean().optional(),
  doNotRouteWithMicrofrontendsRouting: boolean().optional()
};
var groups = new Collection(
  {
    ...{ what: "Microfrontends group", param: "groupId" },
    shows: (_, { ownerId, ...group2 }) => ({ ...group2, team_id: ownerId })
  },
  (call) => (call.params.teamId === void 0 ? call.owner : findTeam(call)).id,
  ({ account }) => account.microfrontendsGroups,
  ({ ownerId }, id2) => ownerId === id2
);
var projectsIn = ({ projects }, { id: id2 }) => projects.filter(({ microfrontends: its }) => its?.enabled && its.groupIds.includes(id2));
function join(making, group2, project2, its) {
  const known2 = project2.microfrontends;
  if (known2?.enabled && !known2.groupIds.includes(group2.id))
    throw conflict(`The project ${project2.name} is in another microfrontends group.`);
  if (its.isDefaultApp) {
    for (const other2 of projectsIn(making.account, group2))
      if (other2 !== project2) other2.microfrontends.isDefaultApp = false;
  }
  project2.microfrontends = {
    ...known2?.enabled ? known2 : {},
    ...its,
    groupIds: [group2.id],
    enabled: true,
    updatedAt: making.time()
  };
}
function leave(making, project2) {
  project2.microfrontends = { groupIds: [], enabled: false, updatedAt: making.time() };
}

// providers/hosting/twin/microfrontends/group.ts
var app = strictObject({ projectId: string(), defaultRoute: string().optional() });
var createBody15 = strictObject({
  groupName: string(),
  defaultApp: app,
  otherApplications: array(app)
});
var updateBody7 = strictObject({
  name: string().optional(),
  fallbackEnvironment: string().optional(),
  enablePolyrepoBranchRouting: boolean().optional()
});
var seed25 = strictObject({
  ...seedOwned,
  name: string(),
  /** By name or id; the first is the default application. */
  projects: array(string()).min(1)
});
function make6(making, name4, projects) {
  if (making.owner.team === void 0) throw forbidden("Microfrontends belong to a team.");
  const { owner } = making;
  if (name4 === "" || groups.all(making, owner.id).some((one) => one.name === name4))
    throw badRequest(`A microfrontends group cannot be called "${name4}", or there is one already.`);
  const slug = name4.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const group2 = {
    ...stamped(making, "mfe_"),
    ...{ ownerId: owner.id, name: name4, slug, fallbackEnvironment: "SAME_ENV", enablePolyrepoBranchRouting: false }
  };
  groups.add(making, group2, owner.id);
  projects.forEach(([project2, defaultRoute], index) => {
    join(making, group2, project2, { isDefaultApp: index === 0, ...defaultRoute && { defaultRoute } });
  });
  return group2;
}
var microfrontendsGroup = {
  keeps: { account: { microfrontendsGroups: [] } },
  operations: {
    getMicrofrontendsGroups: groups.list("groups", {
      row: (call, group2, ownerId) => ({
        group: groups.show(call, group2, ownerId),
        projects: projectsIn(call.account, group2).map(({ id: id2, microfrontends }) => ({ id: id2, microfrontends }))
      })
    }),
    getMicrofrontendsInGroup: operation({ on: groups.named, list: "projects" }, (call, { one }) => ({
      projects: projectsIn(call.account, one).map((project2) => readProject(call, project2))
    })),
    createMicrofrontendsGroupWithApplications: operation(
      { body: createBody15 },
      (call, _, { groupName, defaultApp, otherApplications }) => {
        const projects = [defaultApp, ...otherApplications].map(
          ({ projectId, defaultRoute }) => [
            projectById(call, projectId),
            defaultRoute
          ]
        );
        for (const [{ name: name4, microfrontends }] of projects)
          if (microfrontends?.enabled)
            throw badRequest(`The project ${name4} is in another microfrontends group.`);
        return { newMicrofrontendsGroup: groups.show(call, make6(call, groupName, projects), call.owner.id) };
      }
    ),
    updateMicrofrontendsGroup: operation(
      { on: groups.named, body: updateBody7 },
      (call, { one, home }, body4) => {
        Object.assign(one, body4, { updatedAt: call.time() });
        return { updatedMicrofrontendsGroup: groups.show(call, one, home) };
      }
    ),
    deleteMicrofrontendsGroup: groups.remove({ answer: {} }, (call, group2) => {
      const projects = projectsIn(call.account, group2);
      if (projects.length > 0 && !call.switches.microfrontendsGroupDeleteTakesOut)
        throw badRequest("Projects are in the microfrontends group: they leave it first.");
      for (const project2 of projects) leave(call, project2);
    })
  },
  after: ["projects"],
  seed: {
    account: {
      microfrontendsGroups: seedList(seed25, (making, { id: id2, name: name4, projects }) => {
        const ids = projectIdsOf(making, projects);
        const found = ids.map((id3) => making.account.projects.find((one) => one.id === id3));
        const made3 = make6(
          making,
          name4,
          found.map((project2) => [project2, void 0])
        );
        Object.assign(made3, id2 && { id: id2 });
      })
    }
  }
};

// providers/hosting/twin/microfrontends/membership.ts
var membershipBody = strictObject({
  microfrontendsGroupId: string().optional(),
  enabled: boolean().optional(),
  ...settings
});
function update6(call, project2, body4) {
  const { microfrontendsGroupId, enabled: enabled2, ...its } = body4;
  const known2 = project2.microfrontends;
  if (enabled2 === false) {
    const group2 = known2?.enabled && groups.find(call, call.owner.id, known2.groupIds[0]);
    if (group2 && known2.isDefaultApp && projectsIn(call.account, group2).length > 1)
      throw conflict("The default application leaves a microfrontends group last.");
    if (group2) leave(call, project2);
    return readProject(call, project2);
  }
  const id2 = microfrontendsGroupId ?? (known2?.enabled ? known2.groupIds[0] : void 0);
  if (id2 === void 0)
    throw badRequest("Invalid request: missing required property `microfrontendsGroupId`.");
  if (its.isDefaultApp === false && known2?.isDefaultApp)
    throw conflict("A microfrontends group needs a default application: make another one that.");
  join(call, groups.find(call, call.owner.id, id2), project2, its);
  return readProject(call, project2);
}
var microfrontendsMembership = {
  keeps: { project: { microfrontends: null } },
  operations: {
    updateMicrofrontends: operation(
      { on: (call) => projectById(call, call.params.projectId), body: membershipBody, statuses: [409] },
      update6
    )
  }
};

// providers/hosting/twin/network/network.ts
var statuses2 = ["create_in_progress", "delete_in_progress", "error", "ready"];
var createBody16 = strictObject({
  awsAvailabilityZoneIds: strings.optional(),
  cidr: string(),
  name: string(),
  region: string()
});
var seed26 = createBody16.extend({ ...seedOwned, status: _enum(statuses2).optional() });
function projectsIn2({ account }, { id: id2 }) {
  const isIn = (one) => one.connectConfigurationId === id2;
  return account.projects.filter(({ connectConfigurations }) => connectConfigurations?.some(isIn)).map((project2) => project2.id);
}
var networks = ofOwner("networks", {
  what: "Network",
  param: "networkId",
  going: "delete_in_progress",
  shows(call, network2) {
    const { ownerId, settledAt: _, status: status2, ...fields3 } = network2;
    const ids = projectsIn2(call, network2);
    return {
      ...fields3,
      teamId: ownerId,
      status: status2 === "create_in_progress" && isSettled(network2, call) ? "ready" : status2,
      awsAccountId: "123456789012",
      awsRegion: "us-east-1",
      projects: { count: ids.length, ids },
      peeringConnections: { count: 0 },
      hostedZones: { count: 0 }
    };
  }
});
function make7(making, body4) {
  const others = networks.all(making, making.owner);
  if (others.some((one) => one.name === body4.name && one.status !== "delete_in_progress"))
    throw conflict(`A network with the name "${body4.name}" already exists.`);
  const { id: id2, createdAt } = stamped(making, "ccfg_");
  return { ...body4, id: id2, createdAt, ownerId: making.owner.id, ...begins(making, "create_in_progress") };
}
var network = {
  ...networks.kept(seed26, (making, { status: status2 = "ready", ...body4 }) => ({
    ...make7(making, body4),
    status: status2
  })),
  operations: {
    listNetworks: networks.list("", {
      query: { includeHostedZones: boolean2, includePeeringConnections: boolean2, includeProjects: boolean2 },
      where: { search: [text, ({ name: name4 }, asked2) => name4.includes(asked2)] },
      // All three come unless they are not asked for.
      row(call, one, owner) {
        const unwanted = ["Projects", "PeeringConnections", "HostedZones"].filter((name4) => call.query.get(`include${name4}`) === "false").map((name4) => name4[0].toLowerCase() + name4.slice(1));
        const shown9 = Object.entries(networks.show(call, one, owner));
        return Object.fromEntries(shown9.filter(([name4]) => !unwanted.includes(name4)));
      }
    }),
    createNetwork: networks.create({ body: createBody16, statuses: [201, 409] }, make7),
    readNetwork: networks.read(),
    updateNetwork: operation(
      { on: networks.named, body: strictObject({ name: string() }) },
      (call, { one, home }, body4) => networks.show(call, Object.assign(one, body4), home)
    ),
    deleteNetwork: networks.remove({ statuses: [204, 409] }, (call, one) => {
      if (projectsIn2(call, one).length > 0) throw conflict("Projects are connected to the network.");
    })
  }
};

// providers/hosting/twin/network/private-link.ts
var statuses3 = [
  ...["available", "creating", "deleting", "failed"],
  ...["pending-acceptance", "provisioning", "rejected"]
];
var described2 = strictObject({
  name: string(),
  vercelRegion: string(),
  awsServiceName: string(),
  enablePrivateDns: boolean().optional()
});
var createBody17 = described2.extend({ projectId: string() });
var updateBody8 = strictObject({ name: string().optional(), enablePrivateDns: boolean().optional() });
var seed27 = described2.extend({ id: string().optional(), status: _enum(statuses3).optional() });
var links = ofQueriedProject("privateLinks", {
  what: "Private link endpoint",
  param: "endpointId",
  going: "deleting",
  shows(call, one, { id: projectId, accountId }) {
    const { id: id2, settledAt: _, enablePrivateDns, status: status2, ...fields3 } = one;
    const isMade = status2 === "creating" && isSettled(one, call);
    const isAccepted = call.switches.privateLinkAccepted && isSettled(one, call, 1);
    return {
      ...{ ...fields3, endpointId: id2, projectId, teamId: accountId },
      status: isMade ? isAccepted ? "available" : "pending-acceptance" : status2,
      vpcEndpointId: `vpce-${id2.slice(-8)}`,
      awsDnsEntries: [`vpce-${id2.slice(-8)}.example.com`],
      // What it was asked for does not come back.
      privateDnsNames: enablePrivateDns ? ["service.example.com"] : []
    };
  }
});
function make8(making, body4, { privateLinks }) {
  if (privateLinks.some((one) => one.name === body4.name && one.status !== "deleting"))
    throw conflict(`The project has an endpoint "${body4.name}" already.`);
  return { ...body4, ...stamped(making, "vpce_"), ...begins(making, "creating") };
}
var privateLink = {
  ...links.kept(seed27, (making, { status: status2 = "available", ...body4 }, project2) => ({
    ...make8(making, body4, project2),
    status: status2
  })),
  operations: {
    listPrivateLinkEndpoints: links.list(""),
    createPrivateLinkEndpoint: links.create(
      { body: createBody17, statuses: [201, 404, 409] },
      (call, { projectId: _, ...body4 }, project2) => make8(call, body4, project2)
    ),
    readPrivateLinkEndpoint: links.read(),
    updatePrivateLinkEndpoint: links.update({ body: updateBody8 }),
    deletePrivateLinkEndpoint: links.remove()
  }
};

// providers/hosting/twin/projects/avatar.ts
;
var types = ["image/jpeg", "image/jpg", "image/png", "image/svg+xml"];
var maxBytes = 5 * 1024 * 1024;
function kept3(bytes2, type4) {
  if (type4 !== "image/svg+xml") return bytes2;
  const text4 = bytes2.toString("utf8").replace(/<script.*?<\/script>/gs, "");
  return Buffer.from(text4.replace(/>\s+</g, "><").trim());
}
var seed28 = string().regex(/^[0-9a-f]{40}$/);
var avatar = {
  ...inEveryProject("avatar", null, seed28, (_, sha1, project2) => {
    project2.avatar = sha1;
  }),
  operations: {
    uploadProjectAvatar: operation(
      { on: projectOfPath, statuses: [413, 415], takes: "bytes" },
      (call, project2) => {
        const { bytes: bytes2 } = call;
        if (!bytes2?.length) throw badRequest("Invalid request: the body is no file.");
        const type4 = (call.headers["content-type"] ?? "").split(";")[0].trim().toLowerCase();
        if (!types.includes(type4))
          throw new ApiError(415, "unsupported_media_type", "The avatar must be a JPEG, PNG or SVG.");
        if (bytes2.length > maxBytes) throw new ApiError(413, "payload_too_large", "The avatar is too large.");
        project2.avatar = hash("sha1", kept3(bytes2, type4));
        return readProject(call, project2);
      }
    )
  }
};

// providers/hosting/twin/projects/bulk-redirects-body.ts
var url2 = (at2) => string().min(1, `should NOT be empty`).max(2048, "should NOT have more than 2048 characters").regex(/^(\/|https?:\/\/)/, `should be a path or a URL as ${at2}`);
var statusCode = literal([301, 302, 303, 307, 308]);
var statusText = _enum(["301", "302", "303", "307", "308"]);
var flags2 = {
  permanent: boolean().optional(),
  caseSensitive: boolean().optional(),
  query: boolean().optional(),
  preserveQueryParams: boolean().optional()
};
var name2 = string().max(256, "should NOT have more than 256 characters").optional();
var bulkRedirect = strictObject({
  source: url2("source"),
  destination: url2("destination"),
  statusCode: union([statusCode, statusText]).optional(),
  ...flags2
});
var stageRedirectsBody = strictObject({
  projectId: string(),
  teamId: string().optional(),
  overwrite: boolean().optional(),
  name: name2,
  redirects: array(bulkRedirect).optional()
});
var editRedirectBody = strictObject({
  name: name2,
  redirect: strictObject({
    source: string(),
    destination: url2("destination").optional(),
    statusCode: statusCode.optional(),
    ...flags2
  }),
  restore: boolean().optional()
});
var redirectSourcesBody = strictObject({ name: name2, redirects: strings });
var redirectVersionBody = strictObject({
  id: string(),
  action: _enum(["promote", "restore", "discard"]),
  name: name2
});

// providers/hosting/twin/projects/bulk-redirects-read.ts
;

// providers/hosting/twin/projects/staged-versions.ts
var stagedVersion = (versions) => versions.find((one) => one.isStaging);
var liveVersion = (versions) => versions.find((one) => one.isLive);
function latestItems(versions) {
  return structuredClone((stagedVersion(versions) ?? liveVersion(versions))?.items ?? []);
}
function findVersion(versions, id2) {
  const found = versions.find((one) => one.id === id2);
  if (found === void 0) throw notFound(`The version ${id2}`);
  return found;
}
function askedVersion(call, versions, { showsStaged }) {
  const id2 = call.query.get("versionId");
  if (id2 !== null && id2 !== "") return findVersion(versions, id2);
  return (showsStaged ? stagedVersion(versions) : void 0) ?? liveVersion(versions);
}
function stage(making, versions, items, name4) {
  const pending = stagedVersion(versions);
  const lastModified = making.time();
  const kept6 = making.switches.stagedVersionRenewed ? void 0 : pending?.id;
  const staged3 = {
    id: kept6 ?? making.id("", 24),
    name: name4 ?? pending?.name ?? new Date(lastModified).toISOString(),
    items,
    createdBy: making.account.user.id,
    lastModified,
    isStaging: true,
    isLive: false
  };
  versions.splice(0, pending === void 0 ? 0 : 1, staged3);
  return staged3;
}
function makeLive(making, versions, version3) {
  for (const one of versions) one.isLive = false;
  versions.splice(versions.indexOf(version3), 1);
  Object.assign(version3, { isStaging: false, isLive: true, lastModified: making.time() });
  versions.splice(stagedVersion(versions) === void 0 ? 0 : 1, 0, version3);
}
function changeVersion(making, versions, { id: id2, action: action3 }) {
  const version3 = findVersion(versions, id2);
  if (action3 === "restore") {
    if (version3.isLive) throw badRequest(`The version ${id2} is live already.`);
    if (version3.isStaging) throw badRequest(`The version ${id2} is staged: it can be promoted, not restored.`);
    makeLive(making, versions, version3);
    return version3;
  }
  if (!version3.isStaging) throw badRequest(`The version ${id2} is not staged.`);
  if (action3 === "promote") makeLive(making, versions, version3);
  else versions.splice(versions.indexOf(version3), 1);
  return version3;
}

// providers/hosting/twin/projects/bulk-redirects-read.ts
function storedRedirect({ statusCode: statusCode2, ...rest }) {
  return { ...rest, ...statusCode2 === void 0 ? {} : { statusCode: Number(statusCode2) } };
}
function readRedirect(redirect, switches) {
  if (!switches.bulkRedirectsNormalized) return redirect;
  const { permanent, statusCode: statusCode2 = permanent === true ? 308 : 307, ...rest } = redirect;
  return { caseSensitive: false, query: false, ...rest, statusCode: statusCode2 };
}
function readRedirectVersion(project2, version3) {
  const { items, isStaging, ...read3 } = version3;
  const key3 = createHash8("sha256").update(JSON.stringify(items)).digest("hex").slice(0, 32);
  const alias2 = isStaging ? `${project2.name}-redirects-${version3.id.toLowerCase()}.vercel.app` : null;
  return {
    ...read3,
    key: key3,
    isStaging,
    redirectCount: items.length,
    ...alias2 === null ? {} : { alias: alias2 }
  };
}
var sortKeys = ["source", "destination", "statusCode"];
var sortOrders = ["asc", "desc"];
var diffs = ["true", "false", "only"];
var readRedirectsQuery = {
  versionId: text,
  diff: choice(diffs),
  q: text,
  sort_by: choice(sortKeys),
  sort_order: choice(sortOrders),
  page: wholeNumber,
  per_page: wholeNumber
};
function sorted(call, redirects) {
  const by = queryChoice(call, "sort_by", sortKeys);
  const sign = queryChoice(call, "sort_order", sortOrders) === "desc" ? -1 : 1;
  if (by === void 0) return redirects;
  const key3 = (one) => String(one[by] ?? "");
  return [...redirects].sort((a, b) => sign * (key3(a) < key3(b) ? -1 : key3(a) > key3(b) ? 1 : 0));
}
function differences(before, after) {
  const old = new Map(before.map((one) => [one.source, one]));
  const kept6 = new Set(after.map((one) => one.source));
  const marked = after.map((one) => {
    const was = old.get(one.source);
    if (was === void 0) return { ...one, action: "+" };
    return JSON.stringify(was) === JSON.stringify(one) ? one : { ...one, action: "~" };
  });
  return [
    ...marked,
    ...before.filter((one) => !kept6.has(one.source)).map((one) => ({ ...one, action: "-" }))
  ];
}
function readRedirects(call, project2) {
  const { bulkRedirects: versions } = project2;
  const live = liveVersion(versions);
  const version3 = askedVersion(call, versions, { showsStaged: call.switches.redirectsReadStaged });
  const about = version3 === void 0 ? {} : { version: readRedirectVersion(project2, version3) };
  const items = version3?.items ?? [];
  const read3 = (one) => readRedirect(one, call.switches);
  const diff = queryChoice(call, "diff", diffs);
  if (diff === "true" || diff === "only") {
    const marked = differences(live?.items ?? [], items).filter((one) => diff === "true" || "action" in one);
    return {
      redirects: marked.map(read3),
      pagination: { page: 1, per_page: marked.length, numPages: 1 },
      ...about
    };
  }
  const search = call.query.get("q") ?? "";
  const found = items.filter(
    ({ source: source2, destination: destination2 }) => source2.includes(search) || destination2.includes(search)
  );
  const page = Math.max(1, integer(call, "page") ?? 1);
  const size2 = Math.max(1, Math.min(integer(call, "per_page") ?? 50, 250, call.pageSize));
  const start3 = (page - 1) * size2;
  return {
    redirects: sorted(call, found).slice(start3, start3 + size2).map(read3),
    pagination: { page, per_page: size2, numPages: Math.ceil(found.length / size2) },
    ...about
  };
}

// providers/hosting/twin/projects/bulk-redirects.ts
function staged(call, project2, items, name4) {
  const version3 = readRedirectVersion(project2, stage(call, project2.bulkRedirects, items, name4));
  return { alias: version3.alias ?? null, version: version3 };
}
function mergeRedirects(base, written3) {
  const bySource = new Map(base.map((one) => [one.source, one]));
  for (const one of written3) bySource.set(one.source, one);
  return [...bySource.values()];
}
function put4(call, body4) {
  if (body4.teamId === void 0 && call.owner.team !== void 0) {
    throw badRequest("Invalid request: missing required property `teamId`.");
  }
  if (body4.teamId !== void 0 && body4.teamId !== call.owner.id) {
    throw forbidden(`Not authorized: Trying to access resource under scope "${body4.teamId}".`);
  }
  const project2 = projectById(call, body4.projectId);
  const base = body4.overwrite === true ? [] : latestItems(project2.bulkRedirects);
  const items = mergeRedirects(base, (body4.redirects ?? []).map(storedRedirect));
  return staged(call, project2, items, body4.name);
}
function restored(versions, sources2) {
  const live = liveVersion(versions)?.items ?? [];
  const latest = latestItems(versions);
  const known2 = sources2.filter((source2) => [...live, ...latest].some((one) => one.source === source2));
  const back = live.filter((one) => known2.includes(one.source));
  const kept6 = latest.filter(
    (one) => !known2.includes(one.source) || back.some((b) => b.source === one.source)
  );
  return { items: mergeRedirects(kept6, structuredClone(back)), known: known2 };
}
function edit(call, project2, body4) {
  const { redirect, restore: restore2, name: name4 } = body4;
  if (restore2 === true) {
    const { items: items2, known: known2 } = restored(project2.bulkRedirects, [redirect.source]);
    if (known2.length === 0) throw notFound(`The redirect of ${redirect.source}`);
    return staged(call, project2, items2, name4);
  }
  const items = latestItems(project2.bulkRedirects);
  const found = items.find((one) => one.source === redirect.source);
  if (found === void 0) throw notFound(`The redirect of ${redirect.source}`);
  Object.assign(found, redirect);
  return staged(call, project2, items, name4);
}
var seed29 = array(bulkRedirect);
var seeded = (making, list10, { bulkRedirects: bulkRedirects2 }) => stage(making, bulkRedirects2, mergeRedirects([], list10.map(storedRedirect)));
var ofQuery = { on: projectOfQuery, query: projectQuery };
var bulkRedirects = {
  keeps: { project: { bulkRedirects: [] } },
  operations: {
    getRedirects: operation(
      {
        on: projectOfQuery,
        query: { ...projectQuery, ...readRedirectsQuery },
        list: "redirects"
      },
      readRedirects
    ),
    stageRedirects: operation(
      { body: stageRedirectsBody, statuses: [200, 404] },
      (call, _, body4) => put4(call, body4)
    ),
    editRedirect: operation({ ...ofQuery, body: editRedirectBody }, edit),
    deleteRedirects: operation(
      { ...ofQuery, body: redirectSourcesBody },
      (call, project2, { redirects, name: name4 }) => {
        const items = latestItems(project2.bulkRedirects);
        const kept6 = items.filter((one) => !redirects.includes(one.source));
        if (kept6.length === items.length) throw notFound(`A redirect of ${redirects.join(", ")}`);
        return staged(call, project2, kept6, name4);
      }
    ),
    restoreRedirects: operation(
      { ...ofQuery, body: redirectSourcesBody },
      (call, project2, { redirects, name: name4 }) => {
        const { items, known: known2 } = restored(project2.bulkRedirects, redirects);
        const { version: version3 } = staged(call, project2, items, name4);
        const failedToRestore = redirects.filter((source2) => !known2.includes(source2));
        return { restored: known2, failedToRestore, version: version3 };
      }
    ),
    getVersions: operation({ ...ofQuery, list: "versions" }, (_, project2) => ({
      versions: project2.bulkRedirects.map((one) => readRedirectVersion(project2, one))
    })),
    updateVersion: operation(
      { ...ofQuery, body: redirectVersionBody },
      (call, project2, { name: name4, ...body4 }) => {
        const version3 = changeVersion(call, project2.bulkRedirects, body4);
        if (name4 !== void 0) version3.name = name4;
        return { version: readRedirectVersion(project2, version3) };
      }
    )
  },
  seed: {
    project: {
      bulkRedirects: seedOne(
        seed29,
        (making, list10, project2) => makeLive(making, project2.bulkRedirects, seeded(making, list10, project2))
      ),
      stagedBulkRedirects: seedOne(seed29, seeded)
    }
  }
};

// providers/hosting/twin/projects/check.ts
var phase = _enum(["build-start", "deployment-start", "deployment-alias", "deployment-promotion", "none"]);
var github = { externalCheckName: string(), provider: literal("github") };
var source = union([
  strictObject({ kind: literal("git-provider"), ...github }),
  strictObject({ kind: literal("webhook"), webhookId: string().optional() }),
  strictObject({ kind: literal("integration").optional(), externalResourceId: string().optional() })
]);
var createBody18 = strictObject({
  name: string(),
  isRerequestable: boolean().default(false),
  requires: _enum(["build-ready", "deployment-url", "none"]).default("deployment-url"),
  targets: strings.default([]),
  blocks: phase.default("deployment-alias"),
  timeout: number().default(300),
  source: source.default({ kind: "webhook" })
});
var updateBody9 = changesOf(createBody18.omit({ source: true }));
var seed30 = createBody18.extend({ id: string().optional(), deletedAt: number().optional() });
var checks = ofProject("checks", {
  ...{ what: "Check", prefix: "check_", param: "checkId" },
  shows: (_, check2, { id: projectId, accountId: ownerId }) => ({ ...check2, ownerId, projectId })
});
function make9(making, { source: source2, ...body4 }) {
  const { kind = "integration" } = source2;
  const [configuration, integrationId] = [making.id("icfg_"), making.id("oac_")];
  const found = { ...source2, kind, integrationId, integrationConfigurationId: configuration };
  return kind === "integration" ? { ...body4, source: found, sourceKind: kind, sourceIntegrationConfigurationId: configuration } : { ...body4, source: { ...source2, kind }, sourceKind: kind };
}
var check = checks.resource(seed30, make9, {
  listProjectChecks: checks.list("checks", { where: { blocks: being("blocks", phase.optional()) } }),
  createProjectCheck: checks.create({ body: createBody18 }, make9),
  getProjectCheck: checks.read(),
  updateProjectCheck: checks.update({ body: updateBody9 }),
  deleteProjectCheck: checks.remove({ answer: { success: true } })
});

// providers/hosting/twin/projects/check-run.ts
var conclusions = ["canceled", "skipped", "timeout", "failed", "neutral", "succeeded"];
var startBody2 = strictObject({ checkId: string() });
var updateBody10 = strictObject({
  externalId: string().optional(),
  externalUrl: string().optional(),
  status: _enum(["queued", "running", "completed"]).optional(),
  output: looseObject({}).optional(),
  completedAt: number().optional(),
  conclusion: _enum(conclusions).optional(),
  conclusionText: string().optional()
});
var deploymentOf = (call) => deployments.find(call, call.owner, call.params.deploymentId);
function stateOf2(call, { moving, told: told2 }) {
  const step2 = stepOf(moving, call, ["queued", "running", "running"]);
  if (told2.status !== void 0) return told2;
  if (step2 !== void 0) return { ...told2, status: step2 };
  const conclusion = moving.fails ? "failed" : "succeeded";
  return { conclusionText: moving.fails ? "The check failed." : "The check passed.", conclusion, ...told2 };
}
function shown7(call, run, project2) {
  const { id: id2, check: check2, deploymentId, createdAt, updatedAt, moving } = run;
  const { id: checkId, name: name4, timeout, source: source2, requires, blocks, isRerequestable } = check2;
  const state = stateOf2(call, run);
  const { status: status2 = "completed" } = state;
  return {
    ...{ id: id2, checkId, deploymentId, ownerId: project2.accountId, name: name4, timeout, source: source2, requires, blocks },
    ...{ isRerequestable, createdAt, updatedAt },
    ...status2 === "completed" ? { completedAt: moving.endsAt } : {},
    ...{ ...state, status: status2 }
  };
}
var runs = new Collection(
  {
    what: "Check run",
    param: "checkRunId",
    shows: (call, { project: project2, ...run }) => shown7(call, run, project2)
  },
  (call) => {
    const { project: project2, one } = deploymentOf(call);
    return { project: project2, deploymentId: one.id };
  },
  (_, { project: project2 }) => project2.checkRuns.map((run) => ({ ...run, project: project2 })),
  (run, { deploymentId }) => run.deploymentId === deploymentId
);
function start2(making, project2, deploymentId, check2) {
  if (check2 === void 0) throw notFound("Check");
  const run = {
    ...stamped(making, "run_"),
    ...{ check: structuredClone(check2), deploymentId, moving: startMoving(making, "checkRuns"), told: {} }
  };
  project2.checkRuns.push(run);
  return run;
}
var seed31 = strictObject({ check: string(), deployment: string().optional() });
var checkRun = {
  keeps: { project: { checkRuns: [] } },
  operations: {
    listDeploymentCheckRuns: runs.list("runs"),
    getDeploymentCheckRun: runs.read(),
    createDeploymentCheckRun: operation(
      { on: deploymentOf, body: startBody2 },
      (call, { project: project2, one }, { checkId }) => {
        const check2 = project2.checks.find(({ id: id2 }) => id2 === checkId);
        return shown7(call, start2(call, project2, one.id, check2), project2);
      }
    ),
    updateDeploymentCheckRun: operation(
      { on: runs.named, body: updateBody10.optional() },
      (call, { one, home: { project: project2 } }, body4) => {
        const run = project2.checkRuns.find(({ id: id2 }) => id2 === one.id);
        Object.assign(run, { told: { ...run.told, ...body4 }, updatedAt: call.time() });
        return shown7(call, run, project2);
      }
    ),
    listCheckRuns: operation({ on: checks.named, list: "runs" }, (call, { home, one }) => ({
      runs: home.checkRuns.filter(({ check: check2 }) => check2.id === one.id).map((run) => shown7(call, run, home))
    }))
  },
  seed: {
    account: { checkRuns: paceOf("checkRuns") },
    project: {
      checkRuns: seedList(seed31, (making, { check: name4, deployment: deployment2 }, project2) => {
        const { deployments: deployments2, checks: checks2 } = project2;
        const one = deployment2 === void 0 ? deployments2[0] : deployments2.find(({ id: id2 }) => id2 === deployment2);
        if (one === void 0) throw new Error(`There is no deployment for a run of the check "${name4}".`);
        const check2 = checks2.find((check3) => check3.name === name4);
        if (check2 === void 0) throw new Error(`There is no check "${name4}".`);
        start2(making, project2, one.id, check2);
      })
    }
  },
  after: ["projects.deployments", "projects.checks"]
};

// providers/hosting/twin/projects/ci-attempt.ts
var seed32 = strictObject(seedOwned);
function named2({ account, owner, params }) {
  const one = account.ciInvocations.find(
    ({ ownerId, invocationId }) => ownerId === owner.id && invocationId === params.invocationId
  );
  const attempt = one?.attempts[Number(params.attempt) - 1];
  if (one === void 0 || attempt === void 0) throw notFound("Attempt");
  return { one, attempt };
}
function shown8(call, { one, attempt }) {
  const step2 = stepOf(attempt, call, ["new", "awaiting_jobs", "awaiting_jobs"]);
  const result = attempt.fails ? "failed" : "succeeded";
  return {
    ...{ id: one.invocationId, attempt: one.attempts.indexOf(attempt) + 1, status: step2 ?? "completed" },
    ...step2 === void 0 ? { runConclusion: { result } } : {}
  };
}
var path2 = "/v1/platform-ci/invocations/{invocationId}/attempts/{attempt}";
var ciAttempt = {
  keeps: { account: { ciInvocations: [] } },
  operations: {
    [`GET ${path2}`]: operation({ on: named2 }, (call, found) => ({ invocation: shown8(call, found) })),
    [`POST ${path2}/retry`]: operation({ on: named2 }, (call, { one }) => ({
      attempt: one.attempts.push(startMoving(call, "ciAttempts"))
    }))
  },
  seed: {
    account: {
      ciAttempts: paceOf("ciAttempts"),
      ciInvocations: seedList(seed32, (making, { id: id2 }) => {
        const { account, owner } = making;
        const invocationId = id2 ?? making.id("inv_");
        const attempts = [startMoving(making, "ciAttempts")];
        account.ciInvocations.push({ invocationId, ownerId: owner.id, attempts });
      })
    }
  }
};

// providers/hosting/twin/projects/project-link.ts
function linkOf(project2) {
  if (!project2.link) throw notFound("The Git link of the project");
  return project2.link;
}
var writing = (body4, write4) => operation({ on: projectOfPath, body: body4 }, (call, project2, given) => {
  write4(call, project2, given);
  return readProject(call, project2);
});
function setCrons(call, project2, { enabled: enabled2 }) {
  const at2 = call.time();
  const never = { definitions: [], deploymentId: null, enabledAt: at2 };
  const crons = { ...never, ...project2.crons };
  project2.crons = { ...crons, disabledAt: enabled2 ? null : at2, updatedAt: at2 };
}
var projectLink = {
  operations: {},
  clientOperations: {
    "POST /v9/projects/{idOrName}/link": writing(
      strictObject({ type: string(), repo: string() }),
      (call, project2, body4) => {
        project2.link = gitLink(body4, call.time());
      }
    ),
    "DELETE /v9/projects/{idOrName}/link": operation({ on: projectOfPath }, (call, project2) => {
      delete project2.link;
      return readProject(call, project2);
    }),
    "PATCH /v9/projects/{idOrName}/branch": writing(
      strictObject({ branch: string() }),
      (_, project2, { branch }) => {
        project2.link = { ...linkOf(project2), productionBranch: branch };
      }
    ),
    "PATCH /v1/projects/{idOrName}/crons": writing(strictObject({ enabled: boolean() }), setCrons)
  }
};

// providers/hosting/twin/projects/deploy-hook.ts
var hookBody = strictObject({ name: string(), ref: string() });
function addHook(call, project2, body4) {
  const id2 = call.id("", 10);
  const url3 = `https://api.vercel.com/v1/integrations/deploy/${project2.id}/${id2}`;
  linkOf(project2).deployHooks.push({ id: id2, ...body4, url: url3 });
}
function removeHook(call, project2) {
  const link2 = linkOf(project2);
  if (!link2.deployHooks.some(({ id: id2 }) => id2 === call.params.hookId)) throw notFound("The deploy hook");
  link2.deployHooks = link2.deployHooks.filter(({ id: id2 }) => id2 !== call.params.hookId);
  return {};
}
var deployHook = {
  operations: {},
  clientOperations: {
    "POST /v2/projects/{idOrName}/deploy-hooks": writing(hookBody, addHook),
    "DELETE /v2/projects/{idOrName}/deploy-hooks/{hookId}": operation({ on: projectOfPath }, removeHook)
  }
};

// providers/hosting/twin/projects/observability.ts
var seed33 = strictObject({ disabled: boolean() });
var readDisabled = ({ id: id2, observabilityDisabledAt: at2 }) => ({
  id: id2,
  ...at2 !== null && { disabledAt: at2 }
});
var observability = {
  keeps: { project: { observabilityDisabledAt: null } },
  operations: {
    getObservabilityConfigurationProjects: operation({ list: "disabledProjects" }, ({ account, owner }) => ({
      disabledProjects: account.projects.filter((one) => one.accountId === owner.id && one.observabilityDisabledAt !== null).map((one) => ({ ...readDisabled(one), name: one.name }))
    })),
    updateObservabilityConfigurationProject: operation(
      { on: projectOfPath, body: strictObject({ disabled: boolean() }) },
      (call, project2, { disabled }) => {
        project2.observabilityDisabledAt = disabled ? call.time() : null;
        return readDisabled(project2);
      }
    )
  },
  seed: {
    project: {
      observability: seedOne(seed33, (making, { disabled }, project2) => {
        project2.observabilityDisabledAt = disabled ? making.time() : null;
      })
    }
  }
};

// providers/hosting/twin/projects/project.ts
function checkNameFree(call, name4, except) {
  const taken = call.account.projects.some(
    (project2) => project2.accountId === call.owner.id && project2.name === name4 && project2 !== except
  );
  if (taken) {
    throw conflict(`Project "${name4}" already exists, please use a new name.`);
  }
}
function create6(call, body4) {
  checkProjectName(body4.name);
  checkNameFree(call, body4.name);
  const variables = (body4.environmentVariables ?? []).map((one) => {
    const { target: target4, ...rest } = one ?? {};
    const asArray = typeof target4 === "string" ? [target4] : target4;
    const leniency = call.outside && {
      ...call.outside,
      note: (member, was) => call.outside?.note(`environmentVariables[].${member}`, was)
    };
    return parseBody(createEnvBody, { type: "encrypted", ...rest, target: asArray }, leniency);
  });
  call.time();
  const project2 = addProject(call, body4.name);
  try {
    setProjectFields(project2, body4, call);
    if (body4.gitRepository !== void 0) project2.link = gitLink(body4.gitRepository, project2.createdAt);
    const { failed } = createEnvVars(call, project2, variables, false);
    if (failed[0] !== void 0) throw failed[0];
  } catch (error) {
    call.account.projects.splice(call.account.projects.indexOf(project2), 1);
    throw error;
  }
  return readProject(call, project2);
}
function update7(call, project2, body4) {
  if (body4.name !== void 0) {
    checkProjectName(body4.name);
    checkNameFree(call, body4.name, project2);
    project2.name = body4.name;
  }
  setProjectFields(project2, body4, call);
  project2.updatedAt = call.time();
  return readProject(call, project2);
}
function list7(call) {
  const search = call.query.get("search");
  const from = call.query.get("from");
  const before = from === null || from === "" ? Number.POSITIVE_INFINITY : Number(from.replace(/^c_/, ""));
  if (Number.isNaN(before)) throw badRequest("Invalid request: `from` should be a cursor of this list.");
  const { untilInclusive, projectCursorAsString } = call.switches;
  const wanted3 = call.account.projects.filter((project2) => project2.accountId === call.owner.id).filter((project2) => search === null || project2.name.includes(search)).filter((project2) => untilInclusive ? project2.updatedAt <= before : project2.updatedAt < before).sort((a, b) => b.updatedAt - a.updatedAt);
  const page = wanted3.slice(0, pageLimit(call));
  const last = wanted3.length > page.length ? page.at(-1).updatedAt : null;
  const next = last !== null && projectCursorAsString ? `c_${last}` : last;
  const pagination = projectCursorAsString ? { count: page.length, next } : { count: page.length, next, prev: null };
  return { projects: page.map((project2) => readProject(call, project2)), pagination };
}
var {
  environmentVariables: _env,
  skipGitConnectDuringLink: _skip,
  ...createFields
} = createProjectBody.shape;
var seed34 = strictObject({
  ...createFields,
  ...updateProjectBody.shape,
  ...readOnlyFields,
  ...seedOwned,
  name: string()
});
function load8(making, given) {
  const { id: id2, name: name4, gitRepository, ...fields3 } = given;
  checkProjectName(name4);
  if (making.account.projects.some((one) => one.accountId === making.owner.id && one.name === name4)) {
    throw new Error(`There are two projects "${name4}".`);
  }
  const project2 = addProject(making, name4);
  if (id2 !== void 0) project2.id = id2;
  setProjectFields(project2, fields3, making);
  if (gitRepository !== void 0) project2.link = gitLink(gitRepository, project2.createdAt);
  return project2;
}
var project = {
  keeps: { account: { projects: [] } },
  operations: {
    getProjects: operation({ query: { search: text, from: text, ...limitQuery }, list: "projects" }, list7),
    createProject: operation(
      { body: createProjectBody, statuses: [200, 409] },
      (call, _, body4) => create6(call, body4)
    ),
    getProject: operation({ on: projectToRead }, readProject),
    updateProject: operation({ on: projectOfPath, body: updateProjectBody, statuses: [200, 409] }, update7),
    // All that is below a project is kept inside it, and goes with it.
    deleteProject: operation({ on: projectOfPath, statuses: [204] }, (call, project2) => {
      call.account.projects.splice(call.account.projects.indexOf(project2), 1);
      call.forgetProject(project2.id);
    })
  },
  seed: { account: { projects: seedList(seed34, load8, "project") } }
};

// providers/hosting/twin/projects/project-domain-state.ts
function shownDomain(making, domain2) {
  const { verifying, ...shown9 } = domain2;
  const isDone = verifying && !verifying.fails && verifying.endsAt <= making.now();
  if (!isDone) return shown9;
  const { verification: _, ...rest } = shown9;
  return { ...rest, verified: true };
}
function checkProjectDomain(project2, name4, settings3) {
  const { redirect, gitBranch, customEnvironmentId: customEnvironmentId2 } = settings3;
  if (redirect !== null && !project2.domains.some((one) => one.name === redirect && one.name !== name4)) {
    throw badRequest(`The redirect target \`${redirect}\` is not another domain of this project.`);
  }
  if (settings3.redirectStatusCode !== null && redirect === null) {
    throw badRequest("Invalid request: `redirectStatusCode` needs `redirect`.");
  }
  const productionBranch = project2.link?.productionBranch;
  if (gitBranch !== null && gitBranch === productionBranch) {
    throw badRequest(
      `The Git branch \`${gitBranch}\` is the production branch and cannot be set for a domain.`
    );
  }
  if (customEnvironmentId2 !== null) {
    if (project2.customEnvironments.some((one) => one.id === customEnvironmentId2)) return;
    throw badRequest(`The custom environment ${customEnvironmentId2} does not exist in this project.`);
  }
}
function apexIn(account, name4) {
  const known2 = account.domains.find((domain2) => name4 === domain2.name || name4.endsWith(`.${domain2.name}`));
  return known2?.name ?? apexOf(name4);
}
function challenge(account, owner, name4) {
  const apex = apexIn(account, name4);
  const foreign = account.domains.some((domain2) => domain2.name === apex && domain2.ownerId !== owner.id);
  if (!foreign) return void 0;
  return [
    {
      type: "TXT",
      domain: `_vercel.${apex}`,
      value: `vc-domain-verify=${name4},twin`,
      reason: "pending_domain_verification"
    }
  ];
}
function newProjectDomain(making, project2, name4, settings3) {
  const verification = challenge(making.account, making.owner, name4);
  const at2 = making.time();
  const status2 = settings3.redirect === null ? null : making.switches.redirectDefaultStatus;
  return {
    name: name4,
    apexName: apexIn(making.account, name4),
    projectId: project2.id,
    ...settings3,
    redirectStatusCode: settings3.redirectStatusCode ?? status2,
    verified: making.switches.projectDomainVerified && verification === void 0,
    ...verification === void 0 ? {} : { verification },
    createdAt: at2,
    updatedAt: at2
  };
}
function addProjectDomain(call, project2, body4) {
  const name4 = lower(body4.name);
  if (!isDomainName(name4.replace(/^\*\./, "")) || name4.endsWith(".")) {
    throw new ApiError(
      400,
      "invalid_domain",
      `The specified value \`${body4.name}\` is not a fully qualified domain name.`
    );
  }
  const holder = call.account.projects.find((one) => one.domains.some((domain3) => domain3.name === name4));
  if (holder !== void 0) {
    const own2 = holder.accountId === call.owner.id ? { projectId: holder.id } : {};
    throw new ApiError(
      409,
      "domain_already_exists",
      `Cannot add ${name4} since it's already in use by ${holder === project2 ? "this" : "another"} project.`,
      own2
    );
  }
  const settings3 = {
    redirect: body4.redirect ?? null,
    redirectStatusCode: body4.redirectStatusCode ?? null,
    gitBranch: body4.gitBranch ?? null,
    customEnvironmentId: body4.customEnvironmentId ?? null
  };
  checkProjectDomain(project2, name4, settings3);
  const domain2 = newProjectDomain(call, project2, name4, settings3);
  project2.domains.push(domain2);
  return domain2;
}
function removeProjectDomain(project2, domain2, removesRedirects = false) {
  const redirecting = project2.domains.filter((one) => one.redirect === domain2.name);
  if (redirecting.length > 0 && !removesRedirects) {
    throw new ApiError(
      409,
      "domain_is_redirect_target",
      `The domain ${domain2.name} is the redirect target of ${redirecting.map((one) => one.name).join(", ")}.`
    );
  }
  project2.domains = project2.domains.filter((one) => one !== domain2 && !redirecting.includes(one));
}
function moveProjectDomain(call, domain2, [project2, to], settings3) {
  const redirecting = project2.domains.filter((one) => one.redirect === domain2.name);
  const moved = { ...domain2, redirect: null, redirectStatusCode: null, gitBranch: null, ...settings3 };
  checkProjectDomain(to, domain2.name, { ...moved, customEnvironmentId: null });
  project2.domains = project2.domains.filter((one) => one !== domain2 && !redirecting.includes(one));
  Object.assign(domain2, moved, { customEnvironmentId: null });
  for (const one of [domain2, ...redirecting]) {
    Object.assign(one, { projectId: to.id, updatedAt: call.time() });
    to.domains.push(one);
  }
  return domain2;
}

// providers/hosting/twin/projects/project-domain.ts
var redirectStatusCode = union([literal(301), literal(302), literal(307), literal(308)]).nullable().optional();
var settings2 = {
  gitBranch: string().nullable().optional(),
  redirect: string().nullable().optional(),
  redirectStatusCode
};
var addBody = strictObject({
  name: string(),
  customEnvironmentId: string().optional(),
  ...settings2
});
var updateBody11 = strictObject(settings2);
var moveBody = strictObject({ projectId: string(), ...settings2 });
var removeBody2 = strictObject({ removeRedirects: boolean().optional() });
var domains = ofProject("domains", {
  ...{ what: "Domain", param: "domain", shows: shownDomain },
  isCalled: ({ name: name4 }, asked2) => name4 === lower(asked2)
});
function update8(call, { home, one: domain2 }, body4) {
  const changed3 = { ...domain2, ...body4 };
  if (changed3.redirect === null && body4.redirectStatusCode === void 0) changed3.redirectStatusCode = null;
  checkProjectDomain(home, domain2.name, changed3);
  if (changed3.redirect !== null && body4.redirect !== void 0) {
    changed3.redirectStatusCode ??= call.switches.redirectDefaultStatus;
  }
  Object.assign(domain2, changed3, { updatedAt: call.time() });
  return shownDomain(call, domain2);
}
function verify(call, { one: domain2 }) {
  const [wanted3] = domain2.verification ?? [];
  const zone = call.account.domains.find((one) => one.name === domain2.apexName);
  const proven = zone?.records.some((record2) => record2.name === "_vercel" && record2.value === wanted3?.value);
  if (wanted3 !== void 0 && !proven) {
    throw new ApiError(
      400,
      "missing_txt_record",
      `Domain ${domain2.name} is missing the TXT record at ${wanted3.domain}.`
    );
  }
  if (domain2.verified) return domain2;
  if (!domain2.verifying || domain2.verifying.endsAt <= call.now())
    domain2.verifying = startMoving(call, "verifications");
  if (domain2.verifying.endsAt <= call.now() && !domain2.verifying.fails) {
    domain2.verified = true;
    delete domain2.verification;
    delete domain2.verifying;
  }
  return shownDomain(call, domain2);
}
var seed35 = array(
  addBody.omit({ customEnvironmentId: true }).extend({
    /** Slug of one of the project's custom environments. */
    customEnvironment: string().optional(),
    verified: boolean().optional()
  })
);
function load9(making, list10, project2, attempt) {
  const added2 = list10.map(({ name: name4, customEnvironment: customEnvironment2, verified = true, ...rest }) => {
    const { redirect = null, redirectStatusCode: redirectStatusCode2 = null, gitBranch = null } = rest;
    const settings3 = { redirect, redirectStatusCode: redirectStatusCode2, gitBranch, customEnvironmentId: null };
    const domain2 = { ...newProjectDomain(making, project2, name4.toLowerCase(), settings3), verified };
    project2.domains.push(domain2);
    return { domain: domain2, customEnvironment: customEnvironment2 };
  });
  for (const [i, { domain: domain2, customEnvironment: customEnvironment2 }] of added2.entries()) {
    attempt(`[${i}]`, () => {
      if (customEnvironment2) domain2.customEnvironmentId = customEnvironmentId(project2, customEnvironment2);
      checkProjectDomain(project2, domain2.name, domain2);
    });
  }
}
var kept4 = inEveryProject("domains", [], seed35, load9);
var projectDomain = {
  ...kept4,
  seed: { ...kept4.seed, account: { verifications: paceOf("verifications") } },
  operations: {
    getProjectDomains: domains.pages("domains", {
      query: { order: choice(["ASC", "DESC"]) },
      where: {
        ...{
          verified: being("verified", boolean2),
          redirect: being("redirect"),
          gitBranch: being("gitBranch")
        },
        customEnvironmentId: being("customEnvironmentId"),
        redirects: [boolean2, ({ redirect }, asked2) => asked2 !== "false" || redirect === null]
      },
      isAscending: ({ query: query4 }) => query4.get("order") === "ASC"
    }),
    getProjectDomain: domains.read(),
    addProjectDomain: operation({ on: projectOfPath, body: addBody, statuses: [200, 409] }, addProjectDomain),
    updateProjectDomain: operation({ on: domains.named, body: updateBody11 }, update8),
    removeProjectDomain: operation(
      { on: domains.named, body: removeBody2.optional(), statuses: [200, 409] },
      (_, { home, one }, { removeRedirects }) => {
        removeProjectDomain(home, one, removeRedirects);
        return {};
      }
    ),
    moveProjectDomain: operation(
      { on: domains.named, body: moveBody },
      (call, { home, one }, { projectId, ...settings3 }) => shownDomain(call, moveProjectDomain(call, one, [home, findProject(call, projectId)], settings3))
    ),
    verifyProjectDomain: operation({ on: domains.named }, verify),
    getDomainProjectDomains: operation(
      { query: timePageQuery, list: "projectDomains", isAlwaysFound: true },
      (call) => {
        const apex = lower(call.params.domain);
        const own2 = call.account.projects.filter((project2) => project2.accountId === call.owner.id);
        const wanted3 = own2.flatMap((project2) => project2.domains).filter((one) => one.apexName === apex);
        const { page, pagination } = timePage(call, wanted3);
        return { projectDomains: page.map((one) => shownDomain(call, one)), pagination };
      }
    )
  },
  clientOperations: {
    // The older way to give a project a domain; the answer has all that it has.
    "POST /projects/{idOrName}/alias": operation(
      {
        on: projectOfPath,
        body: strictObject({ domain: string(), target: string().optional() })
      },
      (call, project2, { domain: domain2 }) => {
        addProjectDomain(call, project2, { name: domain2 });
        return project2.domains.map(({ name: name4, createdAt }) => ({
          domain: name4,
          target: "PRODUCTION",
          environment: "production",
          createdAt
        }));
      }
    )
  },
  after: ["domains", "projects.customEnvironments"]
};

// providers/hosting/twin/team/team-member-state.ts
function membersOf(account, team2) {
  const others = account.teamMembers.filter((one) => one.teamId === team2.id);
  const { id: uid, username, email, name: name4 } = account.user;
  if (others.some((one) => one.uid === uid)) return others;
  const { id: teamId, createdAt } = team2;
  return [{ teamId, uid, username, email, name: name4, role: "OWNER", confirmed: true, createdAt }, ...others];
}
function checkMember(call, team2, uid) {
  const member = membersOf(call.account, team2).find((one) => one.uid === uid);
  const late = (member?.refusals ?? 0) > 0;
  if (member !== void 0 && !late) return;
  if (member !== void 0) member.refusals = member.refusals - 1;
  throw new ApiError(
    call.switches.memberNotFoundStatus,
    "member_not_found",
    `The user ${uid} is not a member of this team.`
  );
}
function matchesSearch(member, search) {
  const wanted3 = (search ?? "").toLowerCase();
  return [member.name ?? "", member.username, member.email].some((one) => one.toLowerCase().includes(wanted3));
}
function keepOwner({ account }, team2, member) {
  const isOwner = (one) => one.role === "OWNER" && one.confirmed;
  if (!isOwner(member) || membersOf(account, team2).some((one) => one !== member && isOwner(one))) return;
  throw forbidden("A team must have at least one owner.");
}

// providers/hosting/twin/projects/project-member.ts
var role = _enum(["ADMIN", "PROJECT_VIEWER", "PROJECT_DEVELOPER"]);
var memberBody = strictObject({
  uid: string().optional(),
  username: string().optional(),
  email: string().optional(),
  role
});
var seed36 = strictObject({ uid: string(), role: union([role, literal("PROJECT_GUEST")]) });
var members2 = ofProject("members", {
  ...{ what: "Project member", param: "uid", by: ["uid"] },
  shows: (_, __, { id: id2 }) => ({ id: id2 })
});
var inTeam = ({ account, owner }, isIt) => owner.team && membersOf(account, owner.team).find(isIt);
function newMember(making, body4, project2) {
  const by = ["uid", "username", "email"].find((name4) => body4[name4]) ?? "email";
  const person2 = inTeam(making, (one) => one[by] === body4[by]);
  if (!person2) throw badRequest("Invalid request: the user is not a member of the team.");
  const { uid } = person2;
  if (project2.members.some((one) => one.uid === uid))
    throw badRequest(`The user ${uid} is a member of this project already.`);
  return { uid, role: body4.role, createdAt: making.time() };
}
var projectMember = members2.resource(
  seed36,
  (making, one) => ({ ...one, createdAt: making.time() }),
  {
    getProjectMembers: members2.pages("members", {
      where: {
        search: [
          text,
          ({ uid }, asked2, call) => inTeam(call, (one) => one.uid === uid && matchesSearch(one, asked2)) !== void 0
        ]
      },
      row(call, { uid, role: role2, createdAt }) {
        const person2 = inTeam(call, (one) => one.uid === uid);
        const { username = uid, email = "", role: teamRole } = person2 ?? {};
        return { uid, username, email, teamRole, role: role2, computedProjectRole: role2, createdAt };
      },
      tellsMore: true
    }),
    addProjectMember: members2.create({ body: memberBody }, newMember),
    removeProjectMember: members2.remove({ answer: {} })
  },
  { after: ["team.members"] }
);

// providers/hosting/twin/projects/project-members.ts
var added = strictObject({ members: array(memberBody) });
var changed2 = strictObject({ members: array(strictObject({ uid: string(), role })) });
var projectMembers = {
  operations: {},
  clientOperations: {
    "GET /v1/projects/{idOrName}/members/summary": operation(
      { on: members2.home },
      (_, project2) => Object.fromEntries(
        role.options.map((role2) => [role2, project2.members.filter((one) => one.role === role2).length])
      )
    ),
    "POST /v1/projects/{idOrName}/members/batch": operation(
      { on: members2.home, body: added },
      (call, project2, body4) => {
        const made3 = body4.members.map((one) => newMember(call, one, project2));
        for (const one of made3) members2.add(call, one, project2);
        return {};
      }
    ),
    "PATCH /v1/projects/{idOrName}/members": operation(
      { on: members2.home, body: changed2 },
      (call, project2, body4) => {
        const found = body4.members.map(({ uid, role: role2 }) => ({ one: members2.find(call, project2, uid), role: role2 }));
        for (const { one, role: role2 } of found) one.role = role2;
        return {};
      }
    ),
    "DELETE /v1/projects/{idOrName}/members/batch": operation(
      { on: members2.home, body: strictObject({ members: strings }) },
      (_, project2, body4) => {
        project2.members = project2.members.filter(({ uid }) => !body4.members.includes(uid));
        return {};
      }
    )
  }
};

// providers/hosting/twin/projects/rolling-release-body.ts
var stage2 = strictObject({
  targetPercentage: number().min(0).max(100),
  duration: int().min(1).max(1e4).optional()
});
var rollingReleaseBody = strictObject({
  enabled: boolean(),
  // The Terraform provider sends an empty type and no stages to disable.
  advancementType: _enum(["automatic", "manual-approval", ""]).optional(),
  stages: array(stage2).optional()
}).superRefine(({ enabled: enabled2, advancementType, stages = [] }, context) => {
  if (!enabled2) return;
  const problem = (path3, message) => context.addIssue({ code: "custom", path: path3, message });
  if (!advancementType) problem(["advancementType"], "is needed to enable rolling releases");
  if (stages.length < 2 || stages.length > 10) problem(["stages"], "should have 2 to 10 stages");
  for (const [i, { targetPercentage, duration }] of stages.entries()) {
    const last = i === stages.length - 1;
    const before = stages[i - 1];
    if (before !== void 0 && targetPercentage <= before.targetPercentage) {
      problem(["stages", i, "targetPercentage"], "should be more than that of the stage before");
    }
    if (last && targetPercentage !== 100) {
      problem(["stages", i, "targetPercentage"], "should be 100 in the last stage");
    }
    const timed = advancementType === "automatic" && !last;
    if (timed && duration === void 0) {
      problem(["stages", i, "duration"], "is needed with automatic advancement, but in the last stage");
    } else if (!timed && duration !== void 0) {
      problem(
        ["stages", i, "duration"],
        "belongs to automatic advancement only, and not to the last stage"
      );
    }
  }
});

// providers/hosting/twin/projects/rolling-release.ts
var defaultSkewProtection = 43200;
function setRollingRelease(project2, body4, switches) {
  if (!body4.enabled) {
    project2.rollingRelease = null;
    return;
  }
  const stages = (body4.stages ?? []).map((one, i, { length }) => {
    const asks = i < length - 1 || switches.rollingReleaseLastStageApproval;
    return body4.advancementType === "manual-approval" && asks ? { ...one, requireApproval: true } : one;
  });
  project2.rollingRelease = { target: "production", stages };
  if (!project2.skewProtectionMaxAge) project2.skewProtectionMaxAge = defaultSkewProtection;
}
var seed37 = strictObject(rollingReleaseBody.shape).omit({ enabled: true }).required({ advancementType: true });
var rollingRelease = {
  ...inEveryProject(
    "rollingRelease",
    void 0,
    seed37,
    (making, given, project2) => setRollingRelease(project2, parseBody(rollingReleaseBody, { enabled: true, ...given }), making.switches)
  ),
  operations: {
    getRollingReleaseConfig: operation({ on: projectOfPath }, (_, { rollingRelease: rollingRelease2 = null }) => ({
      rollingRelease: rollingRelease2
    })),
    updateRollingReleaseConfig: operation(
      { on: projectOfPath, body: rollingReleaseBody },
      (call, project2, body4) => {
        setRollingRelease(project2, body4, call.switches);
        return { rollingRelease: project2.rollingRelease };
      }
    ),
    deleteRollingReleaseConfig: operation({ on: projectOfPath }, (_, project2) => {
      project2.rollingRelease = null;
      return { rollingRelease: null };
    })
  }
};

// providers/hosting/twin/projects/routes-body.ts
var condition = strictObject({
  type: _enum(["host", "header", "cookie", "query"]),
  key: string().optional(),
  value: string().optional()
}).superRefine(({ type: type4, key: key3, value: value3 }, context) => {
  const problem = (path3, message) => context.addIssue({ code: "custom", path: [path3], message });
  if (type4 !== "host" && !key3) problem("key", `is needed by ${type4}`);
  if (type4 === "host" && value3 === void 0) problem("value", "is needed by host");
});
var transform = strictObject({
  type: _enum(["request.headers", "request.query", "response.headers"]),
  op: _enum(["append", "set", "delete"]),
  target: looseObject({ key: union([string(), looseObject({})]) }),
  args: union([string(), strings]).optional(),
  env: strings.optional()
});
var route = strictObject({
  src: string().min(1, "should NOT be empty"),
  dest: string().optional(),
  headers: record(string(), string()).optional(),
  caseSensitive: boolean().optional(),
  status: int().min(100).max(999).optional(),
  has: array(condition).optional(),
  missing: array(condition).optional(),
  transforms: array(transform).optional(),
  respectOriginCacheControl: boolean().optional(),
  // Not in the documented body, but the CLI sends both.
  continue: boolean().optional(),
  check: boolean().optional()
});
var name3 = string().min(1, "should NOT be empty").max(256, "should NOT have more than 256 characters");
var description = string().max(1024, "should NOT have more than 1024 characters").optional();
var srcSyntax = _enum(["equals", "path-to-regexp", "regex"]).optional();
var rule = { name: name3, description, enabled: boolean().optional(), route };
var routeRule = strictObject({ ...rule, srcSyntax });
var addRouteBody = strictObject({
  route: routeRule,
  position: strictObject({
    placement: _enum(["start", "end", "after", "before"]).optional(),
    referenceId: string().optional()
  }).superRefine(({ placement, referenceId }, context) => {
    if (placement !== "after" && placement !== "before") return;
    if (referenceId) return;
    context.addIssue({ code: "custom", path: ["referenceId"], message: `is needed by ${placement}` });
  }).optional()
});
var editRouteBody = strictObject({ route: routeRule.optional(), restore: boolean().optional() }).superRefine(({ route: route3, restore: restore2 }, context) => {
  if (route3 !== void 0 || restore2 === true) return;
  context.addIssue({ code: "custom", path: ["route"], message: "is needed unless `restore` is true" });
});
var stageRoutesBody = strictObject({
  overwrite: boolean().optional(),
  routes: array(
    strictObject({
      id: string().min(1, "should NOT be empty").max(256, "should NOT have more than 256 characters"),
      ...rule,
      srcSyntax,
      rawSrc: string().optional(),
      rawDest: string().optional(),
      routeType: string().optional(),
      staged: boolean().optional()
    })
  ).optional()
});
var deleteRoutesBody = strictObject({ routeIds: strings });
var routeVersionBody = strictObject({
  id: string(),
  action: _enum(["promote", "restore", "discard"])
});

// providers/hosting/twin/projects/route-source.ts
function inferSyntax(src) {
  if (src.startsWith("^") || src.endsWith("$")) return "regex";
  return /[:(*{]/.test(src) ? "path-to-regexp" : "equals";
}
var literal2 = (text4) => text4.replace(/[.+*?=^!:${}()[\]|/\\]/g, "\\$&");
var group = String.raw`\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\)`;
var token = new RegExp(
  String.raw`\\(?<escaped>.)|\{(?<inner>[^{}]*)\}(?<braceModifier>[?*+]?)|(?<before>[/.]?)(?::(?<name>\w+)(?<own>${group})?|(?<bare>${group}))(?<modifier>[?*+]?)|(?<other>.)`,
  "gs"
);
var insideBraces = new RegExp(
  String.raw`^(?<before>[^:()]*)(?::(?<name>\w+)(?<own>${group})?|(?<bare>${group}))?(?<after>[^:()]*)$`
);
function expression({ before, after, pattern, modifier }) {
  const [prefix, suffix] = [literal2(before), literal2(after)];
  if (pattern === "") return `(?:${prefix}${suffix})${modifier}`;
  const repeats = modifier === "*" || modifier === "+";
  const optional2 = modifier === "*" ? "?" : "";
  if (prefix + suffix === "") return repeats ? `((?:${pattern})${modifier})` : `(${pattern})${modifier}`;
  if (!repeats) return `(?:${prefix}(${pattern})${suffix})${modifier}`;
  return `(?:${prefix}((?:${pattern})(?:${suffix}${prefix}(?:${pattern}))*)${suffix})${optional2}`;
}
function compilePath(path3) {
  const groups2 = /* @__PURE__ */ new Map();
  let count2 = 0;
  const patternOf = (name4 = "", own2 = "", bare2 = "") => {
    if (name4 === "" && bare2 === "") return "";
    count2 += 1;
    if (name4 !== "") groups2.set(name4, count2);
    return (own2 || bare2).slice(1, -1) || String.raw`[^\/]+?`;
  };
  let src = "";
  for (const { groups: parts = {} } of path3.matchAll(token)) {
    const { escaped, inner, braceModifier = "", before = "", name: name4, own: own2, bare: bare2, modifier = "", other: other2 } = parts;
    if (other2 !== void 0 && /[?*+(){}:]/.test(other2)) {
      throw badRequest(`Invalid request: \`src\` has a ${other2} out of place; write it as \\${other2}.`);
    }
    if (other2 !== void 0) src += literal2(other2);
    else if (escaped !== void 0) src += literal2(escaped);
    else if (inner === void 0) {
      src += expression({ before, after: "", pattern: patternOf(name4, own2, bare2), modifier });
    } else {
      const found = insideBraces.exec(inner)?.groups;
      if (found === void 0)
        throw badRequest(`Invalid request: \`src\` has a group that cannot be read: {${inner}}.`);
      const pattern = patternOf(found.name, found.own, found.bare);
      src += expression({
        before: found.before ?? "",
        after: found.after ?? "",
        pattern,
        modifier: braceModifier
      });
    }
  }
  return { src: `^${src}$`, groups: groups2 };
}
function compileSource(src, syntax) {
  const compiled2 = syntax === "path-to-regexp" ? compilePath(src) : { src: syntax === "equals" ? `^${literal2(src)}$` : src, groups: /* @__PURE__ */ new Map() };
  try {
    new RegExp(compiled2.src);
  } catch (error) {
    throw badRequest(`Invalid request: \`src\` is not a valid pattern: ${error.message}.`);
  }
  return compiled2;
}
function compileDestination(dest, groups2) {
  return dest.replace(/:(\w+)[*+]?/g, (text4, name4) => {
    const number3 = groups2.get(name4);
    return number3 === void 0 ? text4 : `$${number3}`;
  });
}

// providers/hosting/twin/projects/routing-rule.ts
function compileRule(written3, { id: id2, staged: staged3 }) {
  const { name: name4, description: description3, enabled: enabled2 = true, route: route3, srcSyntax: srcSyntax2 = inferSyntax(route3.src) } = written3;
  const { src, groups: groups2 } = compileSource(route3.src, srcSyntax2);
  const { dest } = route3;
  return {
    id: id2,
    name: name4,
    ...description3 === void 0 ? {} : { description: description3 },
    enabled: enabled2,
    srcSyntax: srcSyntax2,
    rawSrc: route3.src,
    ...dest === void 0 ? {} : { rawDest: dest },
    staged: staged3,
    route: { ...route3, src, ...dest === void 0 ? {} : { dest: compileDestination(dest, groups2) } }
  };
}
function compileEditedRule(written3, known2) {
  const { route: route3 } = written3;
  const src = route3.src === known2.route.src ? known2.rawSrc : route3.src;
  const dest = route3.dest === known2.route.dest ? known2.rawDest : route3.dest;
  return compileRule({ ...written3, route: { ...route3, src, ...dest !== void 0 && { dest } } }, known2);
}
function compileStagedRule(written3, keepRead) {
  const { id: id2, rawSrc, rawDest, srcSyntax: srcSyntax2, routeType: _type, staged: staged3 = false, ...rule3 } = written3;
  if (!keepRead) return compileRule(rule3, { id: id2, staged: false });
  if (rawSrc !== void 0) {
    const { dest, ...route3 } = rule3.route;
    const raw = { ...route3, src: rawSrc, ...rawDest === void 0 ? {} : { dest: rawDest } };
    const read3 = compileRule({ ...rule3, srcSyntax: srcSyntax2, route: raw }, { id: id2, staged: staged3 });
    if (read3.route.src === rule3.route.src && read3.route.dest === dest) return read3;
  }
  return compileRule({ ...rule3, srcSyntax: srcSyntax2 }, { id: id2, staged: staged3 });
}
function routeTypeOf({ route: route3 }) {
  const { dest, status: status2, headers: headers2, transforms: transforms2 } = route3;
  if (dest !== void 0)
    return status2 !== void 0 && status2 >= 300 && status2 < 400 ? "redirect" : "rewrite";
  if (status2 !== void 0) return "set_status";
  return headers2 !== void 0 || transforms2 !== void 0 ? "transform" : void 0;
}
function readRule(rule3) {
  const routeType = routeTypeOf(rule3);
  return { ...rule3, ...routeType === void 0 ? {} : { routeType } };
}
function checkDistinct(rules3) {
  for (const member of ["id", "name"]) {
    const seen = /* @__PURE__ */ new Set();
    for (const rule3 of rules3) {
      if (seen.has(rule3[member]))
        throw badRequest(`There are two routes with the ${member} ${rule3[member]}.`);
      seen.add(rule3[member]);
    }
  }
}

// providers/hosting/twin/projects/routes-read.ts
var maxRoutes = 1e3;
function readRouteVersion(project2, version3) {
  const { items, name: _name, isStaging, ...read3 } = version3;
  return {
    ...read3,
    isStaging,
    ruleCount: items.length,
    s3Key: `${project2.id}/${version3.id}`,
    ...isStaging ? { alias: `${project2.name}-routes-${version3.id.toLowerCase()}.vercel.app` } : {}
  };
}
var same = (a, b) => JSON.stringify({ ...a, staged: null }) === JSON.stringify({ ...b, staged: null });
function differences2(before, after) {
  const marked = after.map((rule3, newIndex) => {
    const previousIndex = before.findIndex((one) => one.id === rule3.id);
    const was = before[previousIndex];
    if (was === void 0) return { ...readRule(rule3), action: "+" };
    const moved = previousIndex === newIndex ? {} : { previousIndex, newIndex };
    return { ...readRule(rule3), ...moved, ...same(was, rule3) ? {} : { action: "~" } };
  });
  const gone = before.filter((rule3) => !after.some((one) => one.id === rule3.id));
  return [...marked, ...gone.map((rule3) => ({ ...readRule(rule3), action: "-" }))];
}
var diffs2 = ["true", "false", "only"];
var routeTypes = ["rewrite", "redirect", "set_status", "transform"];
var readRoutesQuery = {
  versionId: text,
  diff: choice(diffs2),
  filter: choice(routeTypes),
  q: text
};
function readRoutes(call, project2) {
  const { routes: versions } = project2;
  const live = liveVersion(versions);
  const found = askedVersion(call, versions, { showsStaged: call.switches.routesReadStaged });
  const rules3 = found?.items ?? [];
  const version3 = found === void 0 ? null : readRouteVersion(project2, found);
  const diff = queryChoice(call, "diff", diffs2);
  const filter3 = queryChoice(call, "filter", routeTypes);
  if (diff === "true" || diff === "only") {
    const all5 = differences2(live?.items ?? [], rules3);
    const changed3 = all5.filter((one) => one.action !== void 0 || one.newIndex !== void 0);
    return { routes: diff === "only" ? changed3 : all5, version: version3, diffCount: changed3.length };
  }
  const search = call.query.get("q") ?? "";
  const routes2 = rules3.filter((rule3) => [rule3.name, rule3.id, rule3.rawSrc].some((text4) => text4.includes(search))).filter((rule3) => filter3 === void 0 || routeTypeOf(rule3) === filter3);
  return { routes: routes2.map(readRule), version: version3, limit: { maxRoutes, currentRoutes: rules3.length } };
}

// providers/hosting/twin/projects/route.ts
var ofPath = (call) => projectById(call, call.params.projectId);
function staged2(call, project2, rules3) {
  checkDistinct(rules3);
  return readRouteVersion(project2, stage(call, project2.routes, rules3));
}
function indexFor(rules3, { placement = "end", referenceId }) {
  if (placement === "start") return 0;
  if (placement === "end") return rules3.length;
  const reference = rules3.findIndex((one) => one.id === referenceId);
  if (reference < 0) throw badRequest(`There is no route ${referenceId} to place another one ${placement}.`);
  return placement === "after" ? reference + 1 : reference;
}
function indexOf(rules3, id2) {
  const index = rules3.findIndex((one) => one.id === id2);
  if (index < 0) throw notFound(`The route ${id2}`);
  return index;
}
function add5(call, project2, body4) {
  const { route: route3, position = {} } = body4;
  const rules3 = latestItems(project2.routes);
  const index = indexFor(rules3, position);
  const added2 = compileRule(route3, { id: call.id("route_", 24), staged: true });
  rules3.splice(index, 0, added2);
  return { version: staged2(call, project2, rules3), route: readRule(added2) };
}
function put5(call, project2, body4) {
  const { overwrite = false, routes: routes2 = [] } = body4;
  const written3 = routes2.map((one) => compileStagedRule(one, call.switches.routesPutKeepsRead));
  if (overwrite) return { version: staged2(call, project2, written3) };
  const rules3 = latestItems(project2.routes);
  for (const rule3 of written3) {
    const index = rules3.findIndex((one) => one.id === rule3.id);
    rules3.splice(index < 0 ? rules3.length : index, index < 0 ? 0 : 1, rule3);
  }
  return { version: staged2(call, project2, rules3) };
}
function restore(call, project2, id2) {
  const rules3 = latestItems(project2.routes);
  const index = rules3.findIndex((one) => one.id === id2);
  const live = liveVersion(project2.routes)?.items ?? [];
  const before = live.findIndex((one) => one.id === id2);
  if (index < 0 && before < 0) throw notFound(`The route ${id2}`);
  const found = live[before];
  const back = found === void 0 ? [] : [structuredClone(found)];
  rules3.splice(index < 0 ? before : index, index < 0 ? 0 : 1, ...back);
  const version3 = staged2(call, project2, rules3);
  return { version: version3, ...back[0] === void 0 ? {} : { route: readRule(back[0]) } };
}
function edit2(call, project2, body4) {
  const id2 = call.params.routeId;
  if (body4.restore === true || body4.route === void 0) return restore(call, project2, id2);
  const rules3 = latestItems(project2.routes);
  const index = indexOf(rules3, id2);
  const edited = compileEditedRule(body4.route, rules3[index]);
  rules3[index] = edited;
  return { version: staged2(call, project2, rules3), route: readRule(edited) };
}
var seed38 = array(routeRule.extend({ id: string().optional() }));
function compiled(making, project2, seeds, toStage) {
  const live = liveVersion(project2.routes)?.items ?? [];
  const rules3 = seeds.map(({ id: id2, ...written3 }) => {
    const same2 = live.find((one) => one.name === written3.name);
    const staged3 = toStage && same2 === void 0;
    return compileRule(written3, { id: id2 ?? same2?.id ?? making.id("route_", 24), staged: staged3 });
  });
  checkDistinct(rules3);
  return rules3;
}
var projectRoute = {
  keeps: { project: { routes: [] } },
  operations: {
    getRoutes: operation({ on: ofPath, query: readRoutesQuery, list: "routes" }, readRoutes),
    addRoute: operation({ on: ofPath, body: addRouteBody }, add5),
    stageRoutes: operation({ on: ofPath, body: stageRoutesBody }, put5),
    deleteRoutes: operation({ on: ofPath, body: deleteRoutesBody }, (call, project2, { routeIds }) => {
      const rules3 = latestItems(project2.routes);
      const kept6 = rules3.filter((one) => !routeIds.includes(one.id));
      const deletedCount = rules3.length - kept6.length;
      if (deletedCount === 0) throw notFound(`A route ${routeIds.join(", ")}`);
      return { deletedCount, version: staged2(call, project2, kept6) };
    }),
    editRoute: operation({ on: ofPath, body: editRouteBody }, edit2),
    getRouteVersions: operation({ on: ofPath, list: "versions" }, (_, project2) => ({
      versions: project2.routes.map((one) => readRouteVersion(project2, one))
    })),
    updateRouteVersions: operation({ on: ofPath, body: routeVersionBody }, (call, project2, body4) => {
      const version3 = changeVersion(call, project2.routes, body4);
      if (version3.isLive) for (const rule3 of version3.items) rule3.staged = false;
      return { version: readRouteVersion(project2, version3) };
    })
  },
  seed: {
    project: {
      routes: seedOne(seed38, (making, list10, project2) => {
        const rules3 = compiled(making, project2, list10, false);
        makeLive(making, project2.routes, stage(making, project2.routes, rules3));
      }),
      stagedRoutes: seedOne(
        seed38,
        (making, list10, project2) => stage(making, project2.routes, compiled(making, project2, list10, true))
      )
    }
  }
};

// providers/hosting/twin/projects/insights.ts
function toggle(making, project2, member, value3) {
  const kept6 = project2[member] ?? { id: making.id("") };
  kept6[value3 ? "enabledAt" : "disabledAt"] = making.time();
  project2[member] = kept6;
  return kept6;
}
function projectOf2({ account, query: query4 }) {
  const id2 = query4.get("projectId");
  if (!id2) throw badRequest("Invalid request: missing required property `projectId`.");
  const found = account.projects.find((one) => one.id === id2);
  if (found === void 0) throw notFound("Project");
  return found;
}
var toggled = (member) => operation(
  { on: projectOf2, query: projectQuery, body: strictObject({ value: boolean() }) },
  (call, project2, { value: value3 }) => {
    toggle(call, project2, member, value3);
    return { value: value3 };
  }
);
var seed39 = strictObject({ enabled: boolean(), canceled: boolean().optional() });
var seeded2 = (member) => seedOne(seed39, (making, { enabled: enabled2, canceled }, project2) => {
  const made3 = toggle(making, project2, member, enabled2);
  if (canceled) made3.canceledAt = making.time();
});

// providers/hosting/twin/projects/speed-insights.ts
var speedInsights = {
  keeps: { project: { speedInsights: null } },
  operations: { createSpeedInsightsToggle: toggled("speedInsights") },
  seed: { project: { speedInsights: seeded2("speedInsights") } }
};

// providers/hosting/twin/projects/static-ips.ts
var off = { enabled: false, builds: false, regions: [] };
var builds = boolean();
var updateBody12 = union([
  strictObject({ builds, regions: strings.optional() }),
  strictObject({ builds: builds.optional(), regions: strings })
]);
var seed40 = strictObject({ builds: builds.optional(), regions: strings.optional() });
var staticIps = {
  operations: {
    updateStaticIps: operation(
      { on: projectOfPath, body: updateBody12, answers: "array" },
      (call, project2, body4) => {
        const kept6 = { ...off, ...project2.staticIps, ...body4 };
        project2.staticIps = kept6;
        const at2 = call.time();
        return kept6.regions.map((dc) => ({
          envId: "production",
          connectConfigurationId: `shared-${dc}`,
          dc,
          passive: false,
          buildsEnabled: kept6.builds,
          createdAt: at2,
          updatedAt: at2
        }));
      }
    )
  },
  seed: {
    project: {
      staticIpSettings: seedOne(seed40, (_, given, project2) => {
        project2.staticIps = { ...off, enabled: true, ...given };
      })
    }
  }
};

// providers/hosting/twin/projects/web-analytics.ts
var webAnalytics = {
  keeps: { project: { webAnalytics: null } },
  operations: { createWebInsightsToggle: toggled("webAnalytics") },
  seed: { project: { webAnalytics: seeded2("webAnalytics") } }
};

// providers/hosting/twin/registry/repository.ts
var grantBody = strictObject({ teamId: string().optional(), teamSlug: string().optional() });
var createBody19 = strictObject({ projectId: string(), name: string().min(1) });
var seed41 = strictObject({
  id: string().optional(),
  name: string(),
  public: boolean().optional(),
  permissions: array(grantBody).optional()
});
var textOf = (at2) => new Date(at2).toISOString();
var repositories = ofQueriedProject("registryRepositories", {
  ...{ what: "Repository", param: "idOrName", by: ["id", "name"], as: "repository" },
  shows: (_, { id: id2, name: name4, public: isPublic, createdAt, updatedAt }, { id: projectId }) => ({
    ...{ id: id2, name: name4, projectId, public: isPublic },
    ...{ createdAt: textOf(createdAt), updatedAt: textOf(updatedAt) }
  })
});
var readPermission = ({ id: id2 }, { teamId, teamSlug, createdAt }) => ({
  repositoryId: id2,
  teamId,
  teamSlug,
  createdAt: textOf(createdAt)
});
function make10(making, { name: name4 }, project2) {
  if (project2.registryRepositories.some((one) => one.name === name4))
    throw conflict(`A repository "${name4}" already exists.`);
  return { id: making.id("repo_"), name: name4, public: false, ...times(making), permissions: [] };
}
function teamOf2({ account }, { teamId, teamSlug }) {
  if (teamId === void 0 === (teamSlug === void 0))
    throw badRequest("Invalid request: either `teamId` or `teamSlug` is needed.");
  const known2 = account.teams.find(({ id: id2, slug }) => id2 === teamId || slug === teamSlug);
  return {
    teamId: teamId ?? known2?.id ?? `team_${teamSlug}`,
    teamSlug: teamSlug ?? known2?.slug ?? teamId.replace(/^team_/, "")
  };
}
function grant2(making, repository, body4) {
  const team2 = teamOf2(making, body4);
  const old = repository.permissions.find(({ teamId }) => teamId === team2.teamId);
  if (old) return old;
  const made3 = { ...team2, createdAt: making.time() };
  repository.permissions.push(made3);
  return made3;
}
var told = (next) => next === null ? {} : { nextCursor: next };
var permissions = new Collection(
  {
    what: "Permission",
    as: "permission",
    query: projectQuery,
    shows: (_, one, of) => readPermission(of, one)
  },
  (call) => repositories.named(call).one,
  (_, { permissions: permissions2 }) => permissions2
);
var registryRepository = {
  ...repositories.kept(seed41, (making, { permissions: permissions2 = [], ...given }, project2) => {
    const made3 = Object.assign(make10(making, given, project2), given);
    for (const one of permissions2) grant2(making, made3, one);
    return made3;
  }),
  operations: {
    listRepositories: repositories.pages("repositories", { cursor: "cursor", told }),
    createRepository: operation({ body: createBody19, statuses: [200, 404, 409] }, (call, _, body4) => {
      const project2 = projectById(call, body4.projectId);
      return repositories.answer(call, repositories.add(call, make10(call, body4, project2), project2), project2);
    }),
    getRepository: repositories.read(),
    // The images go later: it is only accepted.
    deleteRepository: repositories.remove({ statuses: [202], answers: "none" }),
    listRepositoryPermissions: permissions.pages("permissions", { cursor: "cursor", told }),
    addRepositoryPermission: operation(
      { on: permissions.home, query: projectQuery, body: grantBody },
      (call, repository, body4) => permissions.answer(call, grant2(call, repository, body4), repository)
    ),
    removeRepositoryPermission: operation(
      { on: permissions.home, query: projectQuery, body: grantBody, statuses: [204] },
      (call, { permissions: permissions2 }, body4) => {
        const { teamId } = teamOf2(call, body4);
        const found = permissions2.find((one) => one.teamId === teamId);
        if (found === void 0) throw notFound("Permission");
        takeOut(permissions2, found);
      }
    ),
    clearRepositoryPermissions: operation(
      { on: permissions.home, query: projectQuery, statuses: [204] },
      (_, repository) => {
        repository.permissions = [];
      }
    )
  },
  clientOperations: {
    "PATCH /v1/vcr/repository/{idOrName}": repositories.update({
      body: strictObject({ public: boolean() })
    })
  }
};

// providers/hosting/twin/sandboxes/drive.ts
var regions3 = "iad1 sfo1 cle1 cdg1 fra1 arn1 sin1 pdx1 lhr1 icn1 bom1 cpt1 dub1 gru1 hkg1 syd1 yul1 hnd1 kix1".split(" ");
var described3 = strictObject({
  maxSizeBytes: int().min(1).optional(),
  region: _enum(regions3).optional()
});
var seed42 = described3.extend({ name: string(), currentSandboxName: string().optional() });
var usualSize = 2 ** 40;
var make11 = (making, body4) => ({
  ...{ maxSizeBytes: usualSize, region: "iad1", ...body4 },
  ...stamped(making, "drive_")
});
var drives = ofQueriedProject("sandboxDrives", {
  ...{ what: "Drive", param: "name", by: ["name"], as: "drive" },
  shows: (_, drive, { id: projectId }) => ({ ...drive, projectId })
});
var sandboxDrive = {
  ...drives.kept(seed42, make11),
  operations: {
    listDrives: drives.pages("drives", {
      cursor: "cursor",
      where: { namePrefix },
      sorts: ["createdAt", "name"]
    }),
    getOrCreateDrive: operation(
      {
        on: projectOfBody,
        body: described3.extend({ projectId: string() }),
        statuses: [200, 201]
      },
      (call, project2, { projectId: _, ...body4 }) => {
        const { name: name4 } = call.params;
        const found = project2.sandboxDrives.find((one) => one.name === name4);
        const drive = found ?? drives.add(call, make11(call, { name: name4, ...body4 }), project2);
        return new Answer(found ? 200 : 201, drives.answer(call, drive, project2));
      }
    ),
    deleteDrive: drives.remove({ statuses: [409], answer: "itself" }, (_, drive) => {
      if (drive.currentSandboxName !== void 0) throw conflict("A sandbox has the drive mounted.");
    })
  }
};

// providers/hosting/twin/sandboxes/sandbox.ts
var texts2 = record(string(), string());
var size = strictObject({ vcpus: number().optional(), memory: number().optional() });
var policy = strictObject({
  mode: _enum(["allow-all", "deny-all", "custom", "default-allow", "default-deny"]),
  allowedDomains: strings.optional(),
  allowedCIDRs: strings.optional(),
  deniedCIDRs: strings.optional(),
  injectionRules: array(
    strictObject({
      domain: string(),
      headers: texts2,
      match: record(string(), unknown()).optional()
    })
  ).optional()
});
var runtimes = ["node22", "node24", "python3.13"];
var both = {
  resources: size.optional(),
  timeout: int().min(1).optional(),
  persistent: boolean().optional(),
  snapshotExpiration: int().min(0).optional(),
  networkPolicy: policy.optional(),
  env: texts2.optional(),
  tags: texts2.optional()
};
var updateBody13 = strictObject({
  ...both,
  runtime: _enum(runtimes).optional(),
  currentSnapshotId: string().optional()
});
var createBody20 = strictObject({
  ...both,
  projectId: string().optional(),
  name: string().optional(),
  ports: array(number()).optional(),
  source: record(string(), unknown()).optional(),
  image: string().optional(),
  networkId: string().optional(),
  keepLastSnapshots: strictObject({
    count: number(),
    expiration: number().optional(),
    deleteEvicted: boolean()
  }).optional(),
  mounts: record(
    string(),
    strictObject({
      drive: string(),
      mode: _enum(["read-only", "read-write", "snapshot"]).default("read-write")
    })
  ).optional(),
  region: string().optional(),
  failoverRegions: strings.optional()
});
var withRuntime = createBody20.extend({ runtime: _enum(runtimes).optional() });
var seed43 = withRuntime.omit({ projectId: true }).extend({ name: string() });
var session = ({ currentSessionId: id2, status: status2, vcpus, memory, timeout, createdAt }) => ({
  ...{ id: id2, status: status2, vcpus, memory, timeout, createdAt, requestedAt: createdAt, updatedAt: createdAt }
});
var routes = ({ ports = [], name: name4 }) => ports.map((port2) => ({
  port: port2,
  subdomain: `${name4}-${port2}`,
  url: `https://${name4}-${port2}.sandbox.example`
}));
var sized = ({ vcpus = 2, memory }) => ({ vcpus, memory: memory ?? vcpus * 2048 });
function make12(making, { resources: resources3 = {}, ...body4 }, project2) {
  if (!/^[\w-]+$/.test(body4.name)) throw badRequest("Invalid request: `name` should match its pattern.");
  if (project2.sandboxes.some(({ name: name4 }) => name4 === body4.name))
    throw conflict(`A sandbox with the name ${body4.name} exists already.`);
  for (const { drive: wanted3 } of Object.values(body4.mounts ?? {})) {
    const drive = project2.sandboxDrives.find(({ name: name4 }) => name4 === wanted3);
    if (drive === void 0) throw badRequest(`There is no drive ${wanted3}.`);
    if (drive.currentSandboxName !== void 0) throw conflict("Another sandbox has the drive mounted.");
    drive.currentSandboxName = body4.name;
  }
  const { createdAt, updatedAt } = stamped(making, "sbx_");
  const currentSessionId = making.id("sbx_");
  const made3 = {
    ...{ persistent: true, timeout: 3e5, region: "iad1", ...body4, ...sized(resources3) },
    ...{ status: "running", statusUpdatedAt: createdAt, currentSessionId, createdAt, updatedAt }
  };
  if (made3.image === void 0) made3.runtime ??= "node24";
  return made3;
}
var sandboxes = ofQueriedProject("sandboxes", {
  ...{ what: "Sandbox", param: "name", by: ["name"], as: "sandbox" },
  shows(_, { env: _env2, source: _source, ports: _ports, networkPolicy, ...sandbox2 }) {
    const { injectionRules: _rules, ...policy2 } = networkPolicy ?? { mode: "allow-all" };
    return { ...sandbox2, networkPolicy: policy2, cwd: "/vercel/sandbox" };
  }
});
var withSession = (call, one, project2) => ({
  ...sandboxes.answer(call, one, project2),
  session: session(one),
  routes: routes(one)
});
var creating = (body4) => operation({ on: projectOfBody, body: body4, statuses: [200, 404, 409] }, (call, project2, body5) => {
  const { projectId: _, name: name4 = call.id("sandbox-", 8), ...given } = body5;
  return withSession(call, sandboxes.add(call, make12(call, { name: name4, ...given }, project2), project2), project2);
});
function isTagged(tags, tag) {
  const [name4, value3] = tag.split(":");
  return tags[name4] === value3;
}
var statuses4 = ["running", "stopping", "stopped"];
var sandbox = {
  ...sandboxes.kept(seed43, make12),
  operations: {
    listNamedSandboxes: sandboxes.pages("sandboxes", {
      home: (call) => findProject(call, call.query.get("project") ?? ""),
      cursor: "cursor",
      query: { project: required },
      where: {
        namePrefix,
        status: being("status", choice(statuses4)),
        tags: [several, ({ tags = {} }, asked2) => asked2.split(",").every((tag) => isTagged(tags, tag))]
      },
      sorts: ["createdAt", "name", "statusUpdatedAt", "currentSnapshotId"]
    }),
    "POST /v2/sandboxes": creating(withRuntime),
    "POST /v3/sandboxes": creating(createBody20),
    getNamedSandbox: operation(
      { on: sandboxes.named, query: { ...projectQuery, resume: boolean2 } },
      (call, { one, home }) => {
        const resumed = call.query.get("resume") === "true" && one.status === "stopped";
        if (resumed)
          Object.assign(one, {
            ...{ status: "running", currentSessionId: call.id("sbx_"), statusUpdatedAt: call.time() }
          });
        return { ...withSession(call, one, home), resumed };
      }
    ),
    updateSandbox: sandboxes.update(
      { body: updateBody13.optional() },
      (_, one, { resources: resources3, ...body4 }) => Object.assign(one, body4, resources3 && sized({ ...one, ...resources3 }))
    ),
    // There are no snapshots here that could go with it.
    deleteSandbox: sandboxes.remove(
      { query: { deleteOrphanSnapshots: boolean2 }, answer: "itself" },
      (call, one, { sandboxDrives }) => {
        call.query.get("deleteOrphanSnapshots");
        for (const drive of sandboxDrives)
          if (drive.currentSandboxName === one.name) delete drive.currentSandboxName;
      }
    )
  },
  after: ["projects.sandboxDrives"]
};

// providers/hosting/twin/security/firewall-body.ts
var conditionTypes = "host path method header query cookie target_path route raw_path ip_address region protocol scheme environment domain_environment user_agent geo_continent geo_country geo_country_region geo_city geo_as_number ja4_digest ja3_digest rate_limit_api_id server_action bot_name bot_category bot_status bot_protection shared_condition traffic_source ruleset".split(
  " "
);
var operators = "re eq neq ex nex inc ninc pre suf sub gt gte lt lte list".split(" ");
var condition2 = strictObject({
  type: _enum(conditionTypes),
  op: _enum(operators),
  neg: boolean().optional(),
  key: string().optional(),
  value: union([string(), number(), strings]).optional()
}).superRefine(({ type: type4, op, key: key3, value: value3 }, context) => {
  const problem = (path3, message) => context.addIssue({ code: "custom", path: [path3], message });
  if (["header", "query", "cookie"].includes(type4) && !key3) problem("key", `is needed by ${type4}`);
  if (op === "ex" || op === "nex") {
    if (value3 !== "") problem("value", `should be an empty string with ${op}`);
  } else if (op === "inc" || op === "ninc") {
    if (!Array.isArray(value3)) problem("value", `should be array with ${op}`);
  } else if (op !== "list" && (value3 === void 0 || Array.isArray(value3))) {
    problem("value", `should be string with ${op}`);
  }
});
var logHeaders = union([literal("*"), strings]);
var mitigate = strictObject({
  action: _enum(["log", "challenge", "deny", "bypass", "rate_limit", "redirect"]),
  rateLimit: strictObject({
    algo: _enum(["fixed_window", "token_bucket"]),
    window: number().min(10).max(3600),
    limit: number().min(1).max(1e7),
    keys: strings,
    action: _enum(["log", "challenge", "deny", "rate_limit"]).nullable().optional()
  }).nullable().optional(),
  redirect: strictObject({ location: string(), permanent: boolean() }).nullable().optional(),
  actionDuration: string().nullable().optional(),
  bypassSystem: boolean().nullable().optional(),
  logHeaders: logHeaders.optional()
}).superRefine(({ action: action3, rateLimit: rateLimit2, redirect }, context) => {
  const needed = (path3) => context.addIssue({ code: "custom", path: [path3], message: `is needed by the action ${action3}` });
  if (action3 === "rate_limit" && !rateLimit2) needed("rateLimit");
  if (action3 === "redirect" && !redirect) needed("redirect");
});
var rule2 = {
  name: string().min(1).max(160),
  description: string().max(256).optional(),
  active: boolean(),
  conditionGroup: array(strictObject({ conditions: array(condition2).min(1) })).min(1),
  action: strictObject({ mitigate: mitigate.optional() }),
  valid: boolean().optional(),
  validationErrors: strings.nullable().optional()
};
var ip = {
  hostname: string().min(1),
  ip: string().refine(isIpBlock, "should be an IP address or a block not wider than /16 (IPv4) or /48 (IPv6)"),
  action: _enum(["deny", "challenge", "log", "bypass"]),
  notes: string().optional()
};
var id = string().optional();
var crs = strictObject({ active: boolean(), action: _enum(["deny", "log"]) });
var managed = strictObject({
  active: boolean(),
  action: _enum(["log", "challenge", "deny"]).optional()
});
var rulesets = union([array(looseObject({})), record(string(), looseObject({}))]);
var putFirewallBody = strictObject({
  firewallEnabled: boolean(),
  rules: array(strictObject({ id, ...rule2 })).optional(),
  ips: array(strictObject({ id, ...ip })).optional(),
  managedRules: partialRecord(
    _enum(managedRulesets),
    managed.extend({
      updatedAt: string().optional(),
      userId: string().optional(),
      username: string().optional(),
      rules: record(string(), managed).optional()
    })
  ).optional(),
  crs: partialRecord(_enum(crsCodes), crs).optional(),
  rulesets: rulesets.optional(),
  botIdEnabled: boolean().optional(),
  logHeaders: logHeaders.optional()
});
var none = _null().optional();
var named3 = string();
var firewallEnvelope = discriminatedUnion("action", [
  strictObject({ action: literal("firewallEnabled"), id: none, value: boolean() }),
  strictObject({ action: literal("rules.insert"), id: none, value: strictObject(rule2) }),
  strictObject({ action: literal("rules.update"), id: named3, value: strictObject(rule2) }),
  strictObject({ action: literal("rules.remove"), id: named3, value: none }),
  strictObject({ action: literal("rules.priority"), id: named3, value: int().min(0) }),
  strictObject({ action: literal("crs.update"), id: _enum(crsCodes), value: crs }),
  strictObject({ action: literal("crs.disable"), id: none, value: none }),
  strictObject({ action: literal("ip.insert"), id: none, value: strictObject(ip) }),
  strictObject({ action: literal("ip.update"), id: named3, value: strictObject(ip) }),
  strictObject({ action: literal("ip.remove"), id: named3, value: none }),
  strictObject({ action: literal("managedRules.update"), id: _enum(managedRulesets), value: managed }),
  strictObject({
    action: literal("managedRuleGroup.update"),
    id: _enum(managedRulesets),
    value: record(string(), managed)
  }),
  strictObject({ action: literal("botId.toggle"), id: none, value: boolean() }),
  strictObject({
    action: literal("logHeaders.update"),
    id: none,
    value: logHeaders.nullable().optional()
  })
]);

// providers/hosting/twin/security/firewall-changes.ts
function ruleId(making, name4) {
  const word3 = name4.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "");
  return making.id(`rule_${word3}_`, 6);
}
function storedRule(making, written3, id2 = written3.id) {
  const { id: _id, valid: _valid, validationErrors: _errors, ...rule3 } = written3;
  return { id: id2 ?? ruleId(making, rule3.name), ...rule3 };
}
function storedIp(making, written3, id2 = written3.id) {
  return { ...written3, id: id2 ?? making.id("ip_", 24) };
}
function indexOf2(list10, id2, what) {
  const index = list10.findIndex((one) => one.id === id2);
  if (index < 0) throw notFound(`The ${what} ${id2}`);
  return index;
}
var allOff = (config2) => {
  for (const entry of Object.values(config2.crs)) entry.active = false;
};
function stamp(making) {
  const { id: id2, username } = making.account.user;
  return { updatedAt: new Date(making.time()).toISOString(), userId: id2, username };
}
function applyEnvelope(making, config2, envelope) {
  const { rules: rules3, ips } = config2;
  switch (envelope.action) {
    case "firewallEnabled":
      config2.firewallEnabled = envelope.value;
      return;
    case "rules.insert":
      rules3.push(storedRule(making, envelope.value));
      return;
    case "rules.update":
      rules3[indexOf2(rules3, envelope.id, "rule")] = storedRule(making, envelope.value, envelope.id);
      return;
    case "rules.remove":
      rules3.splice(indexOf2(rules3, envelope.id, "rule"), 1);
      return;
    case "rules.priority": {
      const from = indexOf2(rules3, envelope.id, "rule");
      if (envelope.value >= rules3.length) {
        throw badRequest(`Invalid request: \`value\` should be less than ${rules3.length}.`);
      }
      rules3.splice(envelope.value, 0, ...rules3.splice(from, 1));
      return;
    }
    case "crs.update":
      config2.crs[envelope.id] = envelope.value;
      return;
    case "crs.disable":
      allOff(config2);
      return;
    case "ip.insert":
      ips.push(storedIp(making, envelope.value));
      return;
    case "ip.update":
      ips[indexOf2(ips, envelope.id, "IP rule")] = storedIp(making, envelope.value, envelope.id);
      return;
    case "ip.remove":
      ips.splice(indexOf2(ips, envelope.id, "IP rule"), 1);
      return;
    case "managedRules.update":
      config2.managedRules[managedId(envelope.id)] = { ...envelope.value, ...stamp(making) };
      return;
    case "managedRuleGroup.update": {
      const id2 = managedId(envelope.id);
      config2.managedRuleGroups[id2] = { ...config2.managedRuleGroups[id2], ...envelope.value };
      return;
    }
    case "botId.toggle":
      config2.botIdEnabled = envelope.value;
      return;
    case "logHeaders.update":
      if (envelope.value == null) delete config2.logHeaders;
      else config2.logHeaders = envelope.value;
      return;
  }
}
function applyPut(making, config2, body4, keepOmitted) {
  config2.firewallEnabled = body4.firewallEnabled;
  if (body4.rules !== void 0 || !keepOmitted) {
    config2.rules = (body4.rules ?? []).map((rule3) => storedRule(making, rule3));
  }
  if (body4.ips !== void 0 || !keepOmitted) config2.ips = (body4.ips ?? []).map((ip2) => storedIp(making, ip2));
  if (body4.crs !== void 0 || !keepOmitted) config2.crs = { ...body4.crs };
  if (body4.managedRules !== void 0 || !keepOmitted) {
    config2.managedRules = {};
    config2.managedRuleGroups = {};
    for (const [id2, { rules: rules3, ...entry }] of Object.entries(body4.managedRules ?? {})) {
      config2.managedRules[managedId(id2)] = { ...entry, ...stamp(making) };
      if (rules3 !== void 0) config2.managedRuleGroups[managedId(id2)] = rules3;
    }
  }
  for (const member of ["rulesets", "botIdEnabled", "logHeaders"]) {
    if (body4[member] !== void 0) Object.assign(config2, { [member]: body4[member] });
    else if (!keepOmitted) delete config2[member];
  }
}

// providers/hosting/twin/security/firewall.ts
function liveConfig(call, project2) {
  const { active } = project2.firewall;
  return active ?? (call.switches.firewallActiveNullUntilWritten ? null : emptyConfig(project2));
}
function findConfig(call, project2) {
  const { draft, versions } = project2.firewall;
  const asked2 = call.params.configVersion;
  const found = asked2 === "active" ? liveConfig(call, project2) : asked2 === "draft" ? draft : versions.find((one) => String(one.version) === asked2);
  if (found == null) throw notFound(`The firewall configuration ${asked2}`);
  return found;
}
function write3(call, project2, change4) {
  const state = project2.firewall;
  const config2 = structuredClone(state.active ?? emptyConfig(project2));
  change4(config2);
  return activate(state, config2, call.time());
}
var stageEnvelope = operation({ body: firewallEnvelope, query: projectQuery }, (call, _, envelope) => {
  const project2 = projectOfQuery(call);
  const state = project2.firewall;
  const draft = structuredClone(state.draft ?? state.active ?? emptyConfig(project2));
  applyEnvelope(call, draft, envelope);
  draft.changes = [...draft.changes, { ...envelope }];
  state.draft = draft;
  return {};
});
var written2 = putFirewallBody.partial({ firewallEnabled: true });
var seed44 = written2.extend({ draft: written2.optional() });
function seeded3(making, project2, given) {
  const config2 = structuredClone(project2.firewall.active ?? emptyConfig(project2));
  applyPut(making, config2, { firewallEnabled: true, ...given }, false);
  return config2;
}
var firewall = {
  ...inEveryProject(
    "firewall",
    { active: null, draft: null, versions: [] },
    seed44,
    (making, { draft, ...live }, project2) => {
      activate(project2.firewall, seeded3(making, project2, live), making.time());
      if (draft !== void 0) project2.firewall.draft = seeded3(making, project2, draft);
    }
  ),
  operations: {
    getSecurityFirewallConfig: operation({ on: projectOfQuery, query: projectQuery }, (call, project2) => {
      const { draft, versions } = project2.firewall;
      const active = liveConfig(call, project2);
      return {
        active: active && readConfig(active, call.switches),
        draft: draft && readConfig(draft, call.switches),
        versions: versions.map((one) => readConfig(one, call.switches))
      };
    }),
    getFirewallConfig: operation(
      { query: projectQuery, on: (call) => findConfig(call, projectOfQuery(call)) },
      (call, config2) => readConfig(config2, call.switches)
    ),
    updateFirewallConfig: operation({ body: firewallEnvelope, query: projectQuery }, (call, _, envelope) => {
      const project2 = projectOfQuery(call);
      write3(call, project2, (config2) => applyEnvelope(call, config2, envelope));
      if (call.switches.firewallPatchDropsDraft) project2.firewall.draft = null;
      return {};
    }),
    putFirewallConfig: operation({ body: putFirewallBody, query: projectQuery }, (call, _, body4) => {
      const keepOmitted = call.switches.firewallPutKeepsOmitted;
      const active = write3(call, projectOfQuery(call), (config2) => applyPut(call, config2, body4, keepOmitted));
      return { active: readConfig(active, call.switches) };
    }),
    deleteSecurityFirewallConfigByConfigVersion: operation(
      { on: projectOfQuery, query: projectQuery, statuses: [204] },
      (call, project2) => {
        if (call.params.configVersion !== "draft") throw badRequest("Only a draft can be deleted.");
        findConfig(call, project2);
        project2.firewall.draft = null;
      }
    ),
    createSecurityFirewallConfigByConfigVersionActivate: operation(
      { on: projectOfQuery, query: projectQuery },
      (call, project2) => {
        const active = activate(project2.firewall, findConfig(call, project2), call.time());
        if (call.params.configVersion === "draft") project2.firewall.draft = null;
        return readConfig(active, call.switches);
      }
    )
  },
  clientOperations: { "PATCH /v1/security/firewall/config/draft": stageEnvelope }
};

// providers/hosting/twin/security/firewall-bypass.ts
var named4 = {
  sourceIp: string().refine(isIpBlock, "should be an IP address or a block not wider than /16 (IPv4) or /48 (IPv6)").optional(),
  allSources: boolean().optional(),
  note: string().max(500).optional()
};
var optional = { domain: string().optional(), projectScope: boolean().optional() };
var scoped = (more) => union([
  strictObject({ ...named4, ...more, ...optional, domain: string() }),
  strictObject({ ...named4, ...more, ...optional, projectScope: boolean() })
]);
var createBody21 = scoped({ ttl: number().min(0).optional() });
var deleteBody = scoped({});
function namesOf({ domain: domain2, projectScope = false, sourceIp, allSources = false }) {
  if (projectScope === (domain2 !== void 0))
    throw badRequest("Invalid request: either `domain` or `projectScope` is needed.");
  if (allSources === (sourceIp !== void 0))
    throw badRequest("Invalid request: either `sourceIp` or `allSources` is needed.");
  return { domain: domain2 ?? "*", ip: sourceIp ?? "*" };
}
var isSame = (one, { domain: domain2, ip: ip2 }) => one.domain === domain2 && one.ip === ip2;
function put6(making, project2, body4) {
  const names = namesOf(body4);
  if (names.domain !== "*" && !project2.domains.some(({ name: name4 }) => name4 === names.domain))
    throw badRequest(`The domain ${names.domain} is not a production domain of the project.`);
  const at2 = making.time();
  const old = project2.firewallBypasses.find((one) => isSame(one, names));
  const row = {
    ...names,
    id: old?.id ?? making.id("bypass_"),
    action: "bypass",
    actorId: making.account.user.id,
    note: body4.note ?? "",
    createdAt: old?.createdAt ?? at2,
    updatedAt: at2,
    expiresAt: body4.ttl === void 0 ? null : 1e3 * Math.ceil((at2 + body4.ttl) / 1e3)
  };
  project2.firewallBypasses = [...project2.firewallBypasses.filter((one) => one !== old), row];
  return row;
}
function readBypass({ id: ProjectId, accountId: OwnerId }, one) {
  const updated = new Date(one.updatedAt).toISOString();
  return {
    Id: one.id,
    OwnerId,
    ProjectId,
    Domain: one.domain,
    Ip: one.ip,
    Action: one.action,
    ActorId: one.actorId,
    IsProjectRule: one.domain === "*",
    Note: one.note,
    CreatedAt: new Date(one.createdAt).toISOString(),
    UpdatedAt: updated,
    UpdatedAtHour: updated.slice(0, 13),
    ExpiresAt: one.expiresAt === null ? null : one.expiresAt / 1e3
  };
}
function list8(call, project2) {
  const { query: query4 } = call;
  const wanted3 = project2.firewallBypasses.filter(({ expiresAt }) => expiresAt === null || expiresAt > call.now()).filter(({ domain: domain2 }) => [null, domain2].includes(query4.get("domain"))).filter(({ ip: ip2 }) => [null, ip2].includes(query4.get("sourceIp"))).filter(({ domain: domain2 }) => query4.get("projectScope") !== "true" || domain2 === "*").sort((a, b) => a.id < b.id ? -1 : 1);
  const rest = wanted3.filter(({ id: id2 }) => id2 > (query4.get("offset") ?? ""));
  const result = rest.slice(0, pageLimit(call)).map((one) => readBypass(project2, one));
  const last = result.at(-1);
  return {
    result,
    ...last && rest.length > result.length && { pagination: { OwnerId: last.OwnerId, Id: last.Id } }
  };
}
var seed45 = strictObject({
  ...named4,
  ttl: number().optional(),
  ...optional,
  blocks: boolean().optional()
});
var firewallBypass = {
  keeps: { project: { firewallBypasses: [] } },
  operations: {
    getBypassIp: operation(
      {
        on: projectOfQuery,
        query: {
          ...projectQuery,
          ...limitQuery,
          offset: text,
          domain: text,
          sourceIp: text,
          projectScope: boolean2
        },
        list: "result"
      },
      list8
    ),
    addBypassIp: operation(
      { on: projectOfQuery, query: projectQuery, body: createBody21 },
      (call, project2, body4) => ({
        ok: true,
        result: [readBypass(project2, put6(call, project2, body4))]
      })
    ),
    // The body says which one: there is no path to it.
    removeBypassIp: operation(
      { on: projectOfQuery, query: projectQuery, body: deleteBody },
      (_, project2, body4) => {
        const names = namesOf(body4);
        const found = project2.firewallBypasses.find((one) => isSame(one, names));
        if (found === void 0) throw notFound("Bypass");
        project2.firewallBypasses = project2.firewallBypasses.filter((one) => one !== found);
        return { ok: true };
      }
    )
  },
  after: ["projects.domains"],
  seed: {
    project: {
      firewallBypasses: seedList(seed45, (making, { blocks, ...body4 }, project2) => {
        Object.assign(
          put6(making, project2, body4),
          blocks && { action: "block" }
        );
      })
    }
  }
};

// providers/hosting/twin/storage/store-state.ts
var connectionId = ({ projectId }) => `spc_${projectId}`;
function shownConnection({ account }, one) {
  const name4 = account.projects.find(({ id: id2 }) => id2 === one.projectId)?.name;
  return { id: connectionId(one), environmentVariables: [], name: name4, ...one };
}
var stores = ofOwner("stores", {
  ...{ what: "Store", as: "store" },
  shows(call, { ownerId: _, connections: connections3, ...store2 }) {
    const projectsMetadata = connections3.map((one) => shownConnection(call, one));
    const totalConnectedProjects = connections3.length;
    return { ...store2, projectsMetadata, totalConnectedProjects, usageQuotaExceeded: false };
  }
});

// providers/hosting/twin/storage/store-connection.ts
var body3 = strictObject({
  projectId: string(),
  envVarEnvironments: strings.optional(),
  makeEnvVarsSensitive: boolean().optional()
});
var clientBody = body3.extend({
  envVarPrefix: string().optional(),
  skipReadWriteToken: boolean().optional(),
  type: literal("integration").optional()
});
var connections2 = stores.inside("connections", {
  ...{ what: "Connection", param: "connectionId", shows: shownConnection },
  isCalled: (one, id2) => connectionId(one) === id2
});
function newConnection(making, body4, store2) {
  const { projectId, envVarEnvironments, makeEnvVarsSensitive = false, envVarPrefix = null } = body4;
  checkProjectIds(making, [projectId]);
  if (store2.connections.some((one) => one.projectId === projectId))
    throw badRequest("The project is connected already.");
  const environments4 = envVarEnvironments ?? ["production", "preview", "development"];
  return { projectId, environments: environments4, makeEnvVarsSensitive, envVarPrefix };
}
function resourceOf2(call) {
  const { integrationConfigurationId, resourceId } = call.params;
  const found = stores.all(call, call.owner).find(
    ({ id: id2, product }) => id2 === resourceId && product?.integrationConfigurationId === integrationConfigurationId
  );
  if (!found) throw notFound("Resource");
  return found;
}
var all2 = "/v1/storage/stores/{id}/connections";
var storeConnection = {
  operations: {
    connectIntegrationResourceToProject: operation(
      { on: resourceOf2, body: body3, statuses: [201], answers: "none" },
      (call, store2, given) => {
        connections2.add(call, newConnection(call, given, store2), store2);
      }
    )
  },
  clientOperations: {
    [`GET ${all2}`]: connections2.list("connections"),
    [`POST ${all2}`]: connections2.create({ body: clientBody }, newConnection),
    [`DELETE ${all2}`]: operation({ on: stores.named }, (_, { one }) => void one.connections.splice(0)),
    [`PATCH ${all2}/{connectionId}`]: operation(
      { on: connections2.named, body: clientBody.omit({ projectId: true }).partial() },
      (_, { one }, { envVarEnvironments: environments4, envVarPrefix }) => {
        Object.assign(one, environments4 && { environments: environments4 }, envVarPrefix && { envVarPrefix });
      }
    ),
    // There is no token that it could have had before.
    [`POST ${all2}/{connectionId}/upgrade-to-oidc`]: connections2.read(),
    [`DELETE ${all2}/{connectionId}`]: connections2.remove()
  },
  forget: forgetting("stores", "connections")
};

// providers/hosting/twin/storage/store.ts
var regions4 = "arn1 bom1 cdg1 cle1 cpt1 dub1 dxb1 fra1 gru1 hkg1 hnd1 iad1 icn1 kix1 lhr1 pdx1 sfo1 sin1 syd1 yul1";
var blobBody = strictObject({
  name: string(),
  region: _enum(regions4.split(" ")).optional(),
  access: _enum(["public", "private"]).default("public"),
  projectId: string().optional()
});
var blobSeed = blobBody.omit({ projectId: true }).extend(seedOwned);
var json2 = record(string(), unknown());
var integrationBody = strictObject({
  name: string(),
  integrationConfigurationId: string(),
  integrationProductIdOrSlug: unknown().optional(),
  metadata: json2.optional(),
  externalId: string().optional(),
  protocolSettings: json2.optional(),
  source: string().optional(),
  billingPlanId: string().optional(),
  paymentMethodId: string().optional(),
  prepaymentAmountCents: number().optional()
});
var integrationSeed = integrationBody.extend({
  ...seedOwned,
  connections: array(strictObject({ project: string() })).optional()
});
function add6(making, given) {
  const isTaken = (one2) => one2.type === given.type && one2.name === given.name && one2.product?.integrationConfigurationId === given.product?.integrationConfigurationId;
  if (stores.all(making, making.owner).some(isTaken))
    throw conflict(`There is a store "${given.name}" already.`);
  const one = {
    ownerId: making.owner.id,
    status: "available",
    connections: [],
    ...stamped(making, "store_"),
    ...given
  };
  return stores.add(making, one, making.owner);
}
function addIntegration(making, body4) {
  const { name: name4, integrationConfigurationId, integrationProductIdOrSlug: slug } = body4;
  findInstallation(making, integrationConfigurationId, making.owner);
  if (typeof slug !== "string") throw badRequest("The installation has several products: name one.");
  return add6(making, { type: "integration", name: name4, product: { slug, integrationConfigurationId } });
}
var store = {
  keeps: { account: { stores: [] } },
  operations: {
    createStorageStoresBlob: operation({ body: blobBody, statuses: [200, 409] }, (call, _, body4) => {
      checkProjectIds(call, body4.projectId === void 0 ? [] : [body4.projectId]);
      return stores.answer(call, add6(call, { type: "blob", region: "iad1", ...body4 }), call.owner);
    }),
    getStorageStoresById: stores.read(),
    deleteStorageStoresBlobById: stores.remove({ answer: ({ id: id2 }) => ({ id: id2 }) }),
    createIntegrationStoreDirect: operation(
      { body: integrationBody, statuses: [200, 404, 409] },
      (call, _, body4) => stores.answer(call, addIntegration(call, body4), call.owner)
    )
  },
  clientOperations: {
    "GET /v1/storage/stores": stores.list("stores")
  },
  after: ["projects", "installations"],
  seed: {
    account: {
      blobStores: stores.seed(blobSeed, (making, body4) => {
        const one = add6(making, { type: "blob", region: "iad1", ...body4 });
        stores.drop(making, one, making.owner);
        return one;
      }),
      integrationStores: seedList(integrationSeed, (making, { id: _, connections: connections3 = [], ...body4 }) => {
        const one = addIntegration(making, body4);
        const ids = projectIdsOf(
          making,
          connections3.map(({ project: project2 }) => project2)
        );
        for (const projectId of ids) one.connections.push(newConnection(making, { projectId }, one));
      })
    }
  }
};

// providers/hosting/twin/team/access-group-state.ts
var writableProjectRoles = ["ADMIN", "PROJECT_VIEWER", "PROJECT_DEVELOPER"];
var projectRoles = [...writableProjectRoles, "PROJECT_GUEST"];
function teamOf3(call) {
  if (call.owner.team === void 0) throw forbidden("Access groups belong to a team.");
  return call.owner.team;
}
function findGroup(call) {
  const idOrName = call.params.idOrName ?? call.params.accessGroupIdOrName;
  const own2 = call.account.accessGroups.filter((one) => one.ownerId === teamOf3(call).id);
  const found = own2.find((one) => one.id === idOrName) ?? own2.find((one) => one.name === idOrName);
  if (found === void 0) throw notFound("Access group");
  return found;
}
function checkGroupName(account, teamId, name4, except) {
  if (!/^[A-Za-z0-9 _-]{1,50}$/.test(name4)) {
    throw badRequest(
      "Invalid request: `name` should have 1 to 50 letters, digits, spaces, underscores and hyphens."
    );
  }
  const taken = account.accessGroups.some(
    (one) => one.ownerId === teamId && one.name === name4 && one !== except
  );
  if (taken) throw badRequest(`An access group with the name "${name4}" already exists.`);
}
function currentMembers(call, group2) {
  const inTeam2 = membersOf(call.account, teamOf3(call));
  return group2.members.flatMap(({ uid, createdAt }) => {
    const member = inTeam2.find((one) => one.uid === uid);
    return member === void 0 ? [] : [{ ...member, createdAt }];
  });
}
function readGroup(call, group2) {
  const { id: id2, ownerId, name: name4, createdAt, updatedAt, teamRoles: teamRoles2, teamPermissions, entitlements } = group2;
  return {
    accessGroupId: id2,
    teamId: ownerId,
    name: name4,
    createdAt: String(createdAt),
    updatedAt: String(updatedAt),
    membersCount: currentMembers(call, group2).length,
    projectsCount: group2.projects.length,
    teamRoles: teamRoles2,
    teamPermissions,
    entitlements
  };
}

// providers/hosting/twin/team/access-group.ts
var createBody22 = strictObject({
  name: string(),
  // A role of null takes the project out.
  projects: array(strictObject({ projectId: string(), role: _enum(writableProjectRoles).nullable() })).optional(),
  membersToAdd: strings.optional()
});
var updateBody14 = createBody22.partial({ name: true }).extend({ membersToRemove: strings.optional() });
function checkChanges(call, group2, changes) {
  const { projects = [], membersToAdd = [], membersToRemove = [] } = changes;
  if (group2.isDsyncManaged && membersToAdd.length + membersToRemove.length > 0) {
    throw badRequest(`The members of "${group2.name}" are managed by the directory of the team.`);
  }
  const given = projects.filter((one) => one.role !== null);
  checkProjectIds(
    call,
    given.map((one) => one.projectId)
  );
  for (const uid of membersToAdd) checkMember(call, teamOf3(call), uid);
}
function applyChanges(call, group2, changes) {
  const { projects = [], membersToAdd = [], membersToRemove = [] } = changes;
  for (const { projectId, role: role2 } of projects) {
    const held2 = group2.projects.find((one) => one.projectId === projectId);
    const at2 = call.time();
    if (role2 === null) group2.projects = group2.projects.filter((one) => one !== held2);
    else if (held2 === void 0) group2.projects.push({ projectId, role: role2, createdAt: at2, updatedAt: at2 });
    else Object.assign(held2, { role: role2, updatedAt: at2 });
  }
  group2.members = group2.members.filter((one) => !membersToRemove.includes(one.uid));
  for (const uid of membersToAdd) {
    if (group2.members.some((one) => one.uid === uid)) continue;
    group2.members.push({ uid, createdAt: call.time() });
  }
  group2.updatedAt = call.time();
}
function newGroup(making, name4, id2 = making.id("ag_")) {
  const { account, owner } = making;
  checkGroupName(account, owner.id, name4);
  return {
    ...{ id: id2, ownerId: owner.id, name: name4, isDsyncManaged: false, ...times(making) },
    ...{ teamRoles: [], teamPermissions: [], entitlements: [], members: [], projects: [] }
  };
}
var seed46 = strictObject({
  ...seedOwned,
  name: string(),
  /** Each by uid, username or email. */
  members: strings.optional(),
  /** Each by the project's name or id. */
  projects: array(strictObject({ project: string(), role: _enum(projectRoles) })).optional(),
  isDsyncManaged: boolean().optional(),
  teamRoles: strings.optional(),
  teamPermissions: strings.optional(),
  entitlements: strings.optional()
});
function load10(making, given) {
  const { account } = making;
  const { id: id2, name: name4, members: members3 = [], projects = [], ...fields3 } = given;
  const team2 = teamOf3(making);
  const group2 = newGroup(making, name4, id2);
  const inTeam2 = membersOf(account, team2);
  group2.members = members3.map((wanted3) => {
    const found = inTeam2.find((one) => [one.uid, one.username, one.email].includes(wanted3));
    if (found === void 0) throw new Error(`There is no member "${wanted3}" in the team ${team2.slug}.`);
    return { uid: found.uid, createdAt: making.time() };
  });
  group2.projects = projects.map(({ project: project2, role: role2 }) => {
    const [projectId] = projectIdsOf(making, [project2]);
    return { projectId, role: role2, ...times(making) };
  });
  account.accessGroups.push(Object.assign(group2, fields3));
}
var accessGroup = {
  keeps: { account: { accessGroups: [] } },
  operations: {
    createAccessGroup: operation({ on: teamOf3, body: createBody22 }, (call, _, { name: name4, ...changes }) => {
      const group2 = newGroup(call, name4);
      checkChanges(call, group2, changes);
      call.account.accessGroups.push(group2);
      applyChanges(call, group2, changes);
      return readGroup(call, group2);
    }),
    readAccessGroup: operation({ on: findGroup }, (call, group2) => ({
      ...readGroup(call, group2),
      isDsyncManaged: group2.isDsyncManaged
    })),
    updateAccessGroup: operation({ on: findGroup, body: updateBody14 }, (call, group2, { name: name4, ...changes }) => {
      if (name4 !== void 0) checkGroupName(call.account, group2.ownerId, name4, group2);
      checkChanges(call, group2, changes);
      if (name4 !== void 0) group2.name = name4;
      applyChanges(call, group2, changes);
      return readGroup(call, group2);
    }),
    deleteAccessGroup: operation(
      { on: findGroup, answers: "none" },
      ({ account: { accessGroups } }, group2) => {
        accessGroups.splice(accessGroups.indexOf(group2), 1);
      }
    )
  },
  after: ["projects", "team.members"],
  seed: { account: { accessGroups: seedList(seed46, load10) } }
};

// providers/hosting/twin/team/access-group-lists.ts
function first(call, param, ids) {
  const limit = call.query.get(`${param}Limit`);
  return limit === null ? {} : { [param]: ids.slice(0, Number(limit)) };
}
var accessGroupLists = {
  operations: {
    listAccessGroups: cursorList(
      "accessGroups",
      {
        on: teamOf3,
        cursor: "next",
        query: { membersLimit: wholeNumber, projectsLimit: wholeNumber },
        where: {
          search: [text, ({ name: name4 }, asked2) => name4.toLowerCase().includes(asked2.toLowerCase())],
          projectId: [text, ({ projects }, id2) => !id2 || projects.some((held2) => held2.projectId === id2)]
        },
        row: (call, group2) => ({
          ...readGroup(call, group2),
          isDsyncManaged: group2.isDsyncManaged,
          ...first(
            call,
            "members",
            currentMembers(call, group2).map(({ uid }) => uid)
          ),
          ...first(
            call,
            "projects",
            group2.projects.map(({ projectId }) => projectId)
          )
        })
      },
      ({ account }, { id: id2 }) => account.accessGroups.filter(({ ownerId }) => ownerId === id2)
    ),
    listAccessGroupMembers: cursorList(
      "members",
      {
        on: findGroup,
        cursor: "next",
        where: { search: [text, matchesSearch] },
        row: (_, { uid, email, username, name: name4, role: role2, createdAt }) => ({
          ...{ uid, email, username, ...name4 === null ? {} : { name: name4 }, teamRole: role2 },
          createdAt: String(createdAt)
        })
      },
      currentMembers
    )
  }
};

// providers/hosting/twin/team/access-group-project.ts
var updateBody15 = strictObject({ role: _enum(writableProjectRoles) });
var createBody23 = updateBody15.extend({ projectId: string() });
var times2 = ({ createdAt, updatedAt }) => ({
  createdAt: String(createdAt),
  updatedAt: String(updatedAt)
});
var held = new Collection(
  {
    what: "Access group project",
    param: "projectId",
    by: ["projectId"],
    shows: (_, one, group2) => ({ ...one, ...times2(one), accessGroupId: group2.id, teamId: group2.ownerId })
  },
  findGroup,
  (_, group2) => group2.projects
);
var accessGroupProject = {
  operations: {
    listAccessGroupProjects: held.pages("projects", {
      cursor: "next",
      row({ account }, one) {
        const project2 = account.projects.find(({ id: id2 }) => id2 === one.projectId);
        return { ...one, ...times2(one), project: { name: project2?.name, framework: project2?.framework } };
      }
    }),
    createAccessGroupProject: held.create({ body: createBody23 }, (call, { projectId, role: role2 }, group2) => {
      checkProjectIds(call, [projectId]);
      if (group2.projects.some((one) => one.projectId === projectId)) {
        throw badRequest(`The project ${projectId} is already in this access group.`);
      }
      group2.updatedAt = call.time();
      return { projectId, role: role2, createdAt: group2.updatedAt, updatedAt: group2.updatedAt };
    }),
    readAccessGroupProject: held.read(),
    updateAccessGroupProject: held.update({ body: updateBody15 }, (call, one, body4, group2) => {
      group2.updatedAt = call.time();
      Object.assign(one, body4);
    }),
    deleteAccessGroupProject: held.remove({ answers: "none" }, (call, _, group2) => {
      group2.updatedAt = call.time();
    })
  },
  forget: forgetting("accessGroups", "projects")
};

// providers/hosting/twin/team/auth-token.ts
var createBody24 = strictObject({
  name: string(),
  expiresAt: number().optional(),
  projectId: string().optional()
});
var seed47 = createBody24.omit({ projectId: true }).extend({ ...seedOwned, origin: string().optional(), revokedAt: number().optional() });
var tokens2 = ofUser("authTokens", {
  what: "Token",
  param: "tokenId",
  as: "token",
  shows: (_, token2) => token2
});
function make13({ owner, id: id2, time }, given) {
  const { name: name4, expiresAt, origin = "manual" } = given;
  const createdAt = time();
  const ends = expiresAt === void 0 ? {} : { expiresAt };
  const scope2 = owner.team ? { type: "team", teamId: owner.id } : { type: "user" };
  return {
    ...{ id: id2("", 64), name: name4, type: "oauth2-token", origin, prefix: "vcp_", suffix: "AbCd" },
    scopes: [{ ...scope2, origin, createdAt, ...ends }],
    ...{ activeAt: createdAt, createdAt, ...ends }
  };
}
var authToken = {
  ...tokens2.kept(seed47, (making, { revokedAt, ...body4 }) => ({
    ...make13(making, body4),
    ...revokedAt === void 0 ? {} : { revokedAt }
  })),
  operations: {
    listAuthTokens: operation({ list: "tokens" }, ({ account: { authTokens } }) => ({
      tokens: authTokens,
      pagination: { count: authTokens.length, next: null, prev: null }
    })),
    createAuthToken: operation({ body: createBody24, statuses: [200] }, (call, _, { projectId, ...body4 }) => {
      if (projectId !== void 0) checkProjectIds(call, [projectId]);
      return {
        token: tokens2.add(call, make13(call, body4), void 0),
        bearerToken: call.id("vcp_", 40)
      };
    }),
    getAuthToken: tokens2.read(),
    deleteAuthToken: tokens2.remove({ answer: ({ id: id2 }) => ({ tokenId: id2 }) })
  }
};

// providers/hosting/twin/team/team-invite.ts
var projectRole = strictObject({
  projectId: string(),
  role: _enum(["ADMIN", "PROJECT_VIEWER", "PROJECT_DEVELOPER", "PROJECT_GUEST"])
});
var invited = strictObject({
  email: string(),
  role: _enum(teamRoles).default("VIEWER"),
  projects: array(projectRole).optional()
});
var seed48 = strictObject({
  email: string(),
  role: _enum(teamRoles).optional(),
  expired: literal(true).optional(),
  isDSyncUser: boolean().optional()
});
var invites = new Collection(
  { what: "Invite", param: "inviteId", shows: (_, { teamId: _team, ...invite }) => invite },
  findTeam,
  ({ account }) => account.teamInvites,
  ({ teamId }, { id: id2 }) => teamId === id2
);
function inviteAll(call, team2, people) {
  const { account } = call;
  const made3 = people.map(({ email, role: role2, projects = [] }) => {
    const isHere = (one) => one.email === email && !one.expired;
    if (membersOf(account, team2).some(isHere) || invites.all(call, team2).some(isHere))
      throw badRequest(`${email} is in the team already, or is invited.`);
    checkProjectIds(
      { account, owner: team2 },
      projects.map(({ projectId }) => projectId)
    );
    const roles = Object.fromEntries(projects.map((one) => [one.projectId, one.role]));
    const stays = { id: call.id("", 40), teamId: team2.id, email, role: role2 };
    const given = projects.length > 0 ? { projects: roles } : {};
    return { ...stays, createdAt: call.time(), isDSyncUser: false, ...given };
  });
  const emails = people.map(({ email }) => email);
  account.teamInvites = account.teamInvites.filter(
    (one) => one.teamId !== team2.id || !emails.includes(one.email)
  );
  account.teamInvites.push(...made3);
  const answers = made3.map(({ id: uid, email, role: role2 }) => {
    return { uid, username: email.split("@")[0], email, role: role2 };
  });
  return answers.length === 1 ? answers[0] : answers;
}
var teamInvite = {
  keeps: { account: { teamInvites: [] } },
  operations: {
    inviteUserToTeam: operation({ on: findTeam, body: array(invited) }, inviteAll),
    deleteTeamInviteCode: invites.remove({ answer: ({ id: id2 }) => ({ id: id2 }) })
  },
  clientOperations: {
    "POST /teams/{teamId}/members": operation(
      { on: findTeam, body: invited },
      (call, team2, body4) => inviteAll(call, team2, [body4])
    )
  },
  seed: {
    team: {
      invites: seedList(seed48, (making, { email, role: role2 = "VIEWER", ...rest }, team2) => {
        const made3 = { id: making.id("", 40), teamId: team2.id, email, role: role2, createdAt: making.time() };
        invites.add(making, { isDSyncUser: false, ...made3, ...rest }, team2);
      })
    }
  },
  forget({ teamInvites }, projectId) {
    for (const { projects } of teamInvites) delete projects?.[projectId];
  }
};

// providers/hosting/twin/team/team-member.ts
var projectsOf2 = ({ account }, { teamId, uid }) => account.projects.filter(({ accountId }) => accountId === teamId).flatMap(
  ({ id: id2, name: name4, members: members3 }) => members3.filter((one) => one.uid === uid).map(({ role: role2 }) => ({ id: id2, name: name4, role: role2 }))
);
function setRoles(call, { uid }, roles) {
  for (const { projectId, role: role2 } of roles) {
    const project2 = call.account.projects.find(({ id: id2 }) => id2 === projectId);
    const others = project2.members.filter((one) => one.uid !== uid);
    project2.members = role2 === null ? others : [...others, { uid, role: role2, createdAt: call.time() }];
  }
}
function list9(call, team2) {
  const role2 = call.query.get("role");
  if (role2 !== null && !teamRoles.includes(role2)) {
    throw badRequest(`Invalid request: \`role\` should be equal to one of the allowed values ${teamRoles}.`);
  }
  const wanted3 = membersOf(call.account, team2).filter((one) => role2 === null || one.role === role2).filter((one) => matchesSearch(one, call.query.get("search")));
  const { page, pagination } = timePage(call, wanted3);
  const invited2 = invites.all(call, team2).map((one) => invites.show(call, one, team2));
  return {
    members: page.map((member) => {
      const { uid, email, username, name: name4, role: role3, confirmed, createdAt } = member;
      const projects = projectsOf2(call, member);
      return {
        ...{ uid, email, username, role: role3, confirmed, createdAt },
        ...name4 === null ? {} : { name: name4 },
        ...confirmed && projects.length > 0 && { projects }
      };
    }),
    ...invited2.length > 0 && { emailInviteCodes: invited2 },
    pagination: { ...pagination, hasNext: pagination.next !== null }
  };
}
var updateBody16 = strictObject({
  confirmed: literal(true).optional(),
  role: _enum(teamRoles).optional(),
  teamPermissions: array(string()).optional(),
  projects: array(
    strictObject({
      projectId: string(),
      role: _enum(["ADMIN", "PROJECT_VIEWER", "PROJECT_DEVELOPER"]).nullable()
    })
  ).optional(),
  joinedFrom: strictObject({ ssoUserId: unknown() }).optional()
});
function memberOfPath(call) {
  const team2 = findTeam(call);
  const member = membersOf(call.account, team2).find(({ uid }) => uid === call.params.uid);
  if (member === void 0) throw notFound("Team member");
  if (!call.account.teamMembers.includes(member)) call.account.teamMembers.push(member);
  return { team: team2, member };
}
var seed49 = strictObject({
  email: string(),
  uid: string().optional(),
  /** The part of the address before the @ when left out. */
  username: string().optional(),
  name: string().optional(),
  role: _enum(teamRoles).optional(),
  confirmed: boolean().optional(),
  /** Joined a moment ago: the first requests that name it are refused, see `memberPropagationTries`. */
  justJoined: boolean().optional()
});
function load11(making, given, team2) {
  const { account, switches } = making;
  const { email, uid, username = email.split("@")[0], name: name4 = null, justJoined = false } = given;
  if (membersOf(account, team2).some((one) => one.email === email || one.uid === uid)) {
    throw new Error(`${email} is in the team ${team2.slug} twice.`);
  }
  account.teamMembers.push({
    teamId: team2.id,
    uid: uid ?? making.id("", 24),
    email,
    username,
    name: name4,
    role: given.role ?? "MEMBER",
    confirmed: given.confirmed ?? true,
    createdAt: making.time(),
    ...justJoined ? { refusals: switches.memberPropagationTries } : {}
  });
}
var teamMember = {
  keeps: { account: { teamMembers: [] } },
  operations: {
    getTeamMembers: operation(
      {
        on: findTeam,
        query: { role: choice(teamRoles), search: text, ...timePageQuery },
        list: "members"
      },
      list9
    ),
    updateTeamMember: operation(
      { on: memberOfPath, body: updateBody16 },
      (call, { team: team2, member }, { role: role2, projects = [] }) => {
        checkProjectIds(
          { account: call.account, owner: team2 },
          projects.map(({ projectId }) => projectId)
        );
        if (role2 !== void 0 && role2 !== "OWNER") keepOwner(call, team2, member);
        if (role2 !== void 0) member.role = role2;
        setRoles(call, member, projects);
        return { id: team2.id };
      }
    ),
    removeTeamMember: operation({ on: memberOfPath }, (call, { team: team2, member }) => {
      keepOwner(call, team2, member);
      takeOut(call.account.teamMembers, member);
      return { id: team2.id };
    })
  },
  seed: { team: { members: seedList(seed49, load11) } }
};

// providers/hosting/twin/team/noted-events.ts
;
var most = 1e4;
var kept5 = /* @__PURE__ */ new WeakMap();
function eventOf({ account: { lastTime }, owner, params, query: query4, body: body4 }, { name: name4, group: group2 }, answer3, { id: userId, username, email }, before) {
  const project2 = params.idOrName ?? params.projectId ?? params.projectIdOrName ?? query4.get("projectId");
  const inProject = project2 ? { projectId: project2 } : {};
  return {
    // Not of the account's own row of ids, which would be others then.
    id: `uev_${createHash9("sha256").update(`${before}${lastTime}`).digest("hex").slice(0, 24)}`,
    text: `**You** did ${name4}`,
    entities: [],
    type: group2,
    createdAt: lastTime,
    principalId: userId,
    principal: { type: "user", uid: userId, username, email, avatar: "" },
    userId,
    tokenId: "tok_twin",
    via: [],
    payload: { ...params, ...inProject, ids: idsIn([body4, answer3]), name: namesIn([body4]) },
    owner: owner.id
  };
}
var eventsOf = (account) => kept5.get(account) ?? [];
function noteEvent(call, operation2, answer3, user) {
  const events = kept5.get(call.account) ?? [];
  kept5.set(call.account, events);
  events.push(eventOf(call, operation2, answer3, user, events.length));
  if (events.length > most) events.shift();
}
var idsIn = (value3) => membersOf2(value3, /^(id|uid|ids)$|Id$/);
var namesIn = (value3) => membersOf2(value3, /^(name|key|slug)$/);
function membersOf2(value3, names) {
  if (typeof value3 !== "object" || value3 === null) return [];
  if (Array.isArray(value3)) return value3.flatMap((item) => membersOf2(item, names));
  return Object.entries(value3).flatMap(
    ([name4, item]) => names.test(name4) && typeof item === "string" ? [item] : membersOf2(item, names)
  );
}

// providers/hosting/twin/team/user-event.ts
var timeOf = (text4) => Date.parse(text4) || Number(text4);
var where = {
  entityId: [text, ({ payload }, id2) => JSON.stringify(payload).includes(JSON.stringify(id2))],
  principalId: being("principalId"),
  projectIds: [text, ({ payload }, ids) => ids.split(",").includes(String(payload.projectId))],
  since: [text, ({ createdAt }, time) => createdAt >= timeOf(time)],
  types: [text, ({ type: type4 }, types2) => types2.split(",").includes(type4)],
  until: [text, ({ createdAt }, time) => createdAt <= timeOf(time)],
  userId: being("principalId")
};
var query3 = { entityId: text, limit: text, ...asking(where), withPayload: text };
var userEvent = {
  operations: {
    listUserEvents: operation({ query: query3, list: "events" }, (call) => {
      const limit = Number(call.query.get("limit") ?? 20);
      const isWithPayload = call.query.get("withPayload") !== null;
      const own2 = eventsOf(call.account).filter(({ owner }) => owner === call.owner.id);
      const found = own2.filter(asked(call, where)).slice(-limit).reverse();
      return {
        events: found.map(({ owner: _, payload, ...event }) => ({
          ...event,
          ...isWithPayload && { payload }
        }))
      };
    })
  }
};

// providers/hosting/twin/resources.ts
var resources2 = [
  apiKey,
  aiGatewayBudget,
  aiGatewayBudgetDefault,
  aiGatewayRule,
  aiGatewayVirtualModel,
  globalConfig,
  globalConfigItem,
  globalConfigSchema,
  globalConfigToken,
  connector,
  connectorProject,
  triggerDestinations,
  drain,
  webhook,
  alias,
  aliasBypass,
  cache,
  deployment,
  rollout,
  certificate,
  dnsRecord,
  domain,
  registrar,
  envVar,
  sharedEnvVar,
  featureFlag,
  flagLists,
  flagSdkKey,
  flagSegment,
  flagSettings,
  kmsIssuer,
  kmsIssuerPolicy,
  kmsSigningKey,
  experimentationConfig,
  experimentationItem,
  installation,
  marketplaceResource,
  microfrontendsGroup,
  microfrontendsMembership,
  network,
  privateLink,
  avatar,
  bulkRedirects,
  check,
  checkRun,
  ciAttempt,
  customEnvironment,
  deployHook,
  observability,
  project,
  projectDomain,
  projectLink,
  projectMember,
  projectMembers,
  protectionBypass,
  rollingRelease,
  projectRoute,
  speedInsights,
  staticIps,
  webAnalytics,
  registryRepository,
  sandboxDrive,
  sandbox,
  attackMode,
  firewall,
  firewallBypass,
  store,
  storeConnection,
  accessGroup,
  accessGroupLists,
  accessGroupProject,
  authToken,
  userAndTeam,
  teamInvite,
  teamMember,
  userEvent
];

// providers/hosting/twin/tables.ts
var nameOf = ({ operationId, method, path: path3 }) => operationId ?? `${method} ${path3}`;
var operations = Object.assign(
  {},
  ...resources2.map((one) => one.operations)
);
var clientOperations = Object.assign(
  {},
  ...resources2.map((one) => one.clientOperations)
);
var servedOperations = Object.keys(operations);
function saying(member) {
  const said = Object.entries(operations).flatMap(([name4, one]) => {
    const value3 = member(one);
    return value3 === void 0 ? [] : [[name4, value3]];
  });
  return Object.fromEntries(said);
}
var lists = saying((operation2) => operation2.list);
var batches = saying((operation2) => operation2.batch);
var emptyAccount = () => structuredClone(Object.assign({}, ...resources2.map((one) => one.keeps?.account)));
var emptyProject = () => structuredClone(Object.assign({}, ...resources2.map((one) => one.keeps?.project)));
var isKept = (name4) => resources2.some(
  ({ keeps }) => [keeps?.account, keeps?.project].some((parts) => parts && Object.hasOwn(parts, name4))
);
function forgetProject(account, projectId) {
  for (const resource of resources2) resource.forget?.(account, projectId);
}

// providers/hosting/twin/documented.ts
var table;
var made2 = /* @__PURE__ */ new Map();
function documentedOf(operation2) {
  table ??= new Map(Object.entries(JSON.parse(documented_default)));
  const name4 = nameOf(operation2);
  const documented = table.get(name4);
  if (documented === void 0 || Object.hasOwn(operations, name4)) return void 0;
  const known2 = made2.get(name4) ?? { ...documented, operation: operationOf(documented) };
  made2.set(name4, known2);
  return known2;
}
var successOf = (statuses5 = []) => statuses5.find((one) => one < 400 && one !== 304) ?? 200;
function operationOf(documented) {
  const { body: body4, optional: optional2, answer: answer3, statuses: statuses5 = [], query: query4 = {}, requires = [] } = documented;
  const schema2 = body4 && !body4["x-bytes"] ? bodySchema(body4, optional2 === true) : void 0;
  const status2 = successOf(statuses5);
  return {
    ...schema2 ? { body: schema2 } : {},
    query: Object.fromEntries(
      Object.entries(query4).map(([name4, type4]) => [name4, parameter(type4, requires.includes(name4))])
    ),
    statuses: statuses5,
    ...answer3?.type === "array" ? { list: "" } : answer3 ? {} : { answers: "none" },
    serve(call) {
      const missing2 = requires.find((name4) => !["teamId", "slug"].includes(name4) && !call.query.has(name4));
      if (missing2 !== void 0)
        throw badRequest(`Invalid request: missing required property \`${missing2}\`.`);
      if (schema2) parseBody(schema2, call.body, call.outside);
      return new Answer(status2, answer3 && leastOf(answer3, "", call));
    }
  };
}
function bodySchema(shape2, isOptional) {
  const schema2 = schemaOf(shape2);
  return isOptional ? schema2.optional() : schema2;
}
function schemaOf(shape2) {
  const { type: type4, items, anyOf } = shape2;
  if (shape2.const !== void 0) return literal(shape2.const);
  if (shape2.enum) return _enum(shape2.enum);
  if (anyOf) return union(anyOf.map(schemaOf));
  switch (type4) {
    case "object":
      return objectOf(shape2);
    case "array":
      return array(items ? schemaOf(items) : unknown());
    case "string":
      return string();
    case "number":
      return number();
    case "integer":
      return int();
    case "boolean":
      return boolean();
    case "null":
      return _null();
    default:
      return unknown();
  }
}
function objectOf({ properties = {}, required: required2 = [], additionalProperties: others }) {
  const members3 = Object.fromEntries(
    Object.entries(properties).map(([name4, inner]) => [
      name4,
      required2.includes(name4) ? schemaOf(inner) : schemaOf(inner).optional()
    ])
  );
  if (others === false) return strictObject(members3);
  return others ? object(members3).catchall(schemaOf(others)) : looseObject(members3);
}
function parameter(type4, isRequired2) {
  const schema2 = type4 === "number" ? number() : type4 === "boolean" ? boolean() : string();
  return isRequired2 ? schema2 : schema2.optional();
}
function leastOf(shape2, name4, call) {
  if (shape2["x-bytes"])
    return Buffer.from(
      Object.values(call.params).map((one) => `${one}
`).join("")
    );
  if (shape2.const !== void 0) return shape2.const;
  if (shape2.enum) return shape2.enum[0];
  if (shape2.anyOf) return leastOf(shape2.anyOf[0], name4, call);
  const given = name4 === "" ? void 0 : call.params[name4] ?? call.body?.[name4];
  switch (shape2.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(shape2.properties ?? {}).map(([member, inner]) => [
          member,
          leastOf(inner, member, call)
        ])
      );
    case "array":
      return [];
    case "string":
      return typeof given === "string" ? given : textOf2(name4, call);
    case "number":
    case "integer":
      return typeof given === "number" ? given : /At$/.test(name4) ? call.now() : 0;
    case "boolean":
      return given === true;
    default:
      return null;
  }
}
function textOf2(name4, { owner, account, params }) {
  if (name4 === "teamId" || name4 === "accountId" || name4 === "ownerId") return owner.id ?? account.user.id;
  if (name4 === "id" || name4 === "uid") return Object.values(params).at(-1) ?? `${name4}_1`;
  return name4;
}

// providers/hosting/twin/open-api/operation.ts
var refusals = {
  400: ["BadRequest", "The request is wrong in itself."],
  401: ["Unauthorized", "There is no token."],
  403: ["Forbidden", "The token is not the right one, or the object is not for it to change."],
  404: ["NotFound", "There is no such object in this scope."],
  409: ["Conflict", "Another object, or the state of this one, is in the way."],
  412: ["PreconditionFailed", "The object has changed since it was read."],
  429: ["RateLimited", "Too many requests; only with --rate-limits real or assumed."],
  501: ["NotImplemented", "The platform can do this, the twin cannot."]
};
var other = ["Refused", "Any other failure."];
var number2 = { schema: { type: "integer" } };
var rateLimitHeaders = {
  "retry-after": { ...number2, description: "Seconds." },
  "x-ratelimit-limit": number2,
  "x-ratelimit-remaining": number2,
  "x-ratelimit-reset": { ...number2, description: "Seconds since 1970." }
};
var json3 = (schema2) => ({ "application/json": { schema: schema2 } });
var text3 = { type: "string" };
var flat = {
  type: "object",
  properties: { code: text3, message: text3 },
  required: ["code", "message"]
};
var errorSchemas = {
  Error: { type: "object", properties: { error: flat }, required: ["error"] },
  RegistrarError: {
    ...flat,
    properties: { status: { type: "integer" }, ...flat.properties },
    required: ["status", ...flat.required]
  }
};
var styles = [
  { prefix: "", schema: "Error" },
  { prefix: "Registrar", schema: "RegistrarError" }
];
var refusalResponses = Object.fromEntries(
  styles.flatMap(
    ({ prefix, schema: schema2 }) => [...Object.values(refusals), other].map(([name4, description3]) => [
      prefix + name4,
      {
        description: description3,
        ...name4 === "RateLimited" ? { headers: rateLimitHeaders } : {},
        content: json3({ $ref: `#/components/schemas/${schema2}` })
      }
    ])
  )
);
var descriptions = {
  200: "Done.",
  201: "Created.",
  204: "Done, or there is nothing to show.",
  304: "Nothing has changed."
};
function success({ list: list10, answers = list10 === "" ? "array" : "object" }, status2) {
  const description3 = descriptions[status2] ?? "Done.";
  if (status2 === 204 || status2 === 304 || answers === "none") return { description: description3 };
  return { description: description3, content: json3({ type: answers }) };
}
function responsesOf(operation2, { group: group2, method, isNamed }) {
  const own2 = operation2.statuses ?? [];
  const successes = own2.filter((status2) => status2 < 400);
  const failures = [400, 401, 403, ...own2.filter((status2) => status2 >= 400)];
  if (isNamed && !operation2.isAlwaysFound) failures.push(404);
  if (method !== "GET") failures.push(429);
  const prefix = group2 === "domains-registrar" ? "Registrar" : "";
  const refusal = ([refused]) => ({ $ref: `#/components/responses/${prefix}${refused}` });
  return {
    ...Object.fromEntries(
      (successes.length > 0 ? successes : [200]).map((status2) => [status2, success(operation2, status2)])
    ),
    ...Object.fromEntries(
      [...new Set(failures)].map((status2) => [status2, refusal(refusals[status2] ?? other)])
    ),
    default: refusal(other)
  };
}
function schemaOf2(schema2) {
  const { $schema: _, ...json4 } = toJSONSchema(schema2, {
    target: "draft-2020-12",
    io: "input",
    unrepresentable: "any",
    // A reference would have to point into the whole document.
    cycles: "throw",
    reused: "inline"
  });
  return json4;
}
var isRequired = (schema2) => !schema2.safeParse(void 0).success;
var paramsIn = (path3) => [...path3.matchAll(/\{(\w+)\}/g)].map(([, param]) => param);
var scopeParameter = (name4) => ({ $ref: `#/components/parameters/${name4}` });
function parametersOf(query4, path3) {
  const inPath = paramsIn(path3);
  return [
    ...inPath.map((param) => ({ name: param, in: "path", required: true, schema: { type: "string" } })),
    ...inPath.includes("teamId") ? [] : [scopeParameter("teamId")],
    scopeParameter("slug"),
    ...Object.entries(query4).map(([param, schema2]) => ({
      name: param,
      in: "query",
      required: isRequired(schema2),
      schema: schemaOf2(schema2)
    }))
  ];
}
var byForm = "Answered by its documented form, with the least values; nothing is kept.";
var guessed = "No public source has its form: what it takes and answers is a plausible least. Nothing is kept.";
var takenAsAnswered = "No public source has what it takes: what answers have, and is no doing of the platform, is taken.";
var bytes = { "application/octet-stream": { schema: {} } };
function openApiOperation(operation2, path3, operationId) {
  const { group: group2, method } = operation2;
  const documented = documentedOf(operation2);
  const served = documented?.operation ?? operations[nameOf(operation2)];
  if (!served)
    throw new Error(
      `Nothing serves ${operation2.method} ${operation2.path}: no resource of the twin has ${nameOf(operation2)}, and documented.json no form of it.`
    );
  const { body: body4, query: query4 = {} } = served;
  const takesBytes = documented?.body?.["x-bytes"] === true;
  const isNamed = path3.includes("{") || Object.values(query4).some(isRequired);
  return {
    operationId,
    tags: [group2],
    ...documented ? { description: documented.isGuess ? guessed : byForm } : {},
    ...served.isGuess ? { description: takenAsAnswered } : {},
    parameters: parametersOf(query4, path3),
    ...body4 === void 0 ? {} : {
      requestBody: {
        required: isRequired(body4),
        content: { "application/json": { schema: schemaOf2(body4) } }
      }
    },
    ...served.takes === "bytes" ? { requestBody: { required: true, content: bytes } } : {},
    ...takesBytes ? { requestBody: { content: bytes } } : {},
    responses: responsesOf(served, { group: group2, method, isNamed })
  };
}

// providers/hosting/twin/open-api/document.ts
var openApiPath = "/__twin/openapi.json";
var description2 = [
  "A local twin of a hosting platform, for trials and tests: it is not the platform itself and not made by its vendor.",
  "The document is derived from what the twin checks and reads; answers have the shapes that the platform documents.",
  "The version in a path does not count, except where two operations differ in nothing else. The twin refuses more than",
  "a schema can say. An operation whose description says so is answered by its form alone, and keeps nothing. Members that no schema here has are taken, kept, and listed at GET /__twin/outside, unless it is strict.",
  "The requests that it has had: GET /__twin/requests."
].join(" ");
var scope = (description3) => ({
  in: "query",
  required: false,
  description: description3,
  schema: { type: "string" }
});
var components = {
  parameters: {
    teamId: { name: "teamId", ...scope("The id of the team that the request is for.") },
    slug: { name: "slug", ...scope("The slug of the team that the request is for, in place of its id.") }
  },
  schemas: errorSchemas,
  responses: refusalResponses,
  securitySchemes: {
    token: { type: "http", scheme: "bearer", description: "Any, unless the twin was given one." }
  }
};
function derivedId({ method, path: path3 }) {
  const words2 = path3.replaceAll(/\{(\w+)\}/g, "by-$1").split(/\W+/).filter((word3) => word3 !== "");
  return method.toLowerCase() + words2.map((word3) => word3[0].toUpperCase() + word3.slice(1)).join("");
}
function withPaths(operations2) {
  const first2 = /* @__PURE__ */ new Map();
  return operations2.map((operation2) => {
    const shape2 = operation2.path.replaceAll(/\{\w+\}/g, "{}");
    const path3 = first2.get(shape2) ?? operation2.path;
    first2.set(shape2, path3);
    return { operation: operation2, path: path3 };
  });
}
function openApi(version3) {
  const ids = /* @__PURE__ */ new Set();
  const paths = {};
  for (const { operation: operation2, path: path3 } of withPaths(catalog)) {
    const { operationId: known2 } = operation2;
    const id2 = known2 === null || ids.has(known2) ? derivedId(operation2) : known2;
    ids.add(id2);
    paths[path3] ??= {};
    paths[path3][operation2.method.toLowerCase()] = openApiOperation(operation2, path3, id2);
  }
  return {
    openapi: "3.1.1",
    info: { title: "Twin of the hosting platform", version: version3, description: description2 },
    servers: [{ url: "/", description: "The twin that serves this document." }],
    security: [{ token: [] }],
    tags: [...new Set(catalog.map(({ group: group2 }) => group2))].map((name4) => ({ name: name4 })),
    paths,
    components
  };
}

// providers/hosting/twin/seed-order.ts
function seedOrder(resources3) {
  const team2 = fieldsOf(resources3, "team", "team.");
  const root = [
    { path: "team", name: "team", after: [], holds: "team", below: team2 },
    ...fieldsOf(resources3, "account", "")
  ];
  const paths = new Set(all3(root).map(({ path: path3 }) => path3));
  for (const { path: path3, after } of all3(root))
    for (const other2 of after)
      if (!paths.has(other2))
        throw new Error(
          `The seed's field "${path3}" comes after "${other2}", which is no field of the seed. There are ${[...paths].join(", ")}.`
        );
  const order2 = {
    account: [],
    team: [],
    domain: [],
    project: [],
    featureFlags: []
  };
  const put7 = (place2, fields3, at2) => {
    order2[place2] = namesOf2(fields3, at2);
    for (const { holds, path: path3, below } of fields3) if (holds) put7(holds, below, `${path3}.`);
  };
  put7("account", root, "");
  return order2;
}
var fieldsOf = (resources3, place2, at2) => resources3.flatMap(
  ({ seed: seed50, after = [] }) => Object.entries(seed50?.[place2] ?? {}).map(([name4, { below }]) => ({
    path: at2 + name4,
    name: name4,
    after,
    ...below && { holds: below },
    below: below === void 0 ? [] : fieldsOf(resources3, below, `${at2}${name4}.`)
  }))
);
var all3 = (fields3) => fields3.flatMap((field) => [field, ...all3(field.below)]);
function namesOf2(fields3, at2) {
  const done = [];
  const visit = (field, way) => {
    const { name: name4 } = field;
    if (way.includes(name4))
      throw new Error(
        `Fields of the seed come after each other: ${[...way.slice(way.indexOf(name4)), name4].map((one) => `"${at2}${one}"`).join(" after ")}.`
      );
    if (done.includes(name4)) return;
    for (const other2 of fields3) if (other2 !== field && comesAfter(field, other2)) visit(other2, [...way, name4]);
    done.push(name4);
  };
  for (const field of fields3) visit(field, []);
  return done;
}
var comesAfter = (field, other2) => all3([field]).some(
  ({ after }) => after.some((path3) => path3 === other2.path || path3.startsWith(`${other2.path}.`))
);

// providers/hosting/twin/seed.ts
var order = seedOrder(resources2);
function fieldsOf2(place2) {
  const fields3 = Object.assign({}, ...resources2.map(({ seed: seed50 }) => seed50?.[place2]));
  return Object.fromEntries(order[place2].flatMap((name4) => fields3[name4] ? [[name4, fields3[name4]]] : []));
}
function schemaOf3({ schema: schema2, isList, below }) {
  const one = below === void 0 ? schema2 : schema2.extend(shapeOf(below));
  return (isList ? array(one) : one).optional();
}
var shapeOf = (place2) => Object.fromEntries(Object.entries(fieldsOf2(place2)).map(([name4, field]) => [name4, schemaOf3(field)]));
var team = strictObject({
  id: string().optional(),
  slug: string().optional(),
  name: string().optional(),
  sensitiveEnvironmentVariablePolicy: _enum(["default", "on", "off"]).nullable().optional(),
  ...shapeOf("team")
});
var seedSchema = strictObject({
  user: strictObject({
    id: string().optional(),
    username: string().optional(),
    email: string().optional(),
    name: string().optional()
  }).optional(),
  team: team.optional(),
  teams: array(team).optional(),
  ...shapeOf("account")
});
var SeedError = class extends Error {
  problems;
  constructor(problems) {
    super(`The seed is not valid:
${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
};
function loader(world) {
  const problems = [];
  function attempt(place2, run) {
    try {
      run();
    } catch (error) {
      problems.push(`${place2}: ${error.message}`);
    }
  }
  function ownerOf2(name4) {
    const asked2 = name4 === "personal" ? null : name4 ?? world.account.teams[0]?.id ?? null;
    const owner = findOwner(world.account, asked2);
    if (owner === void 0) throw new Error(`There is no team "${name4}".`);
    return owner;
  }
  function loadOne({ load: load12, below }, given, at2, parent) {
    const { owner: name4, ...seed50 } = Array.isArray(given) ? {} : given;
    const owner = parent.owner ?? ownerOf2(name4);
    const fields3 = below === void 0 ? {} : fieldsOf2(below);
    const own2 = Object.entries(seed50).filter(([field]) => !Object.hasOwn(fields3, field));
    const value3 = Array.isArray(given) ? given : Object.fromEntries(own2);
    const made3 = load12(makingFor(world, owner), value3, parent.made, (place2, run) => attempt(at2 + place2, run));
    loadFields(fields3, { at: `${at2}.`, seed: seed50, made: made3, owner });
  }
  function loadFields(fields3, part) {
    for (const [name4, field] of Object.entries(fields3)) {
      const given = part.seed[name4];
      const at2 = part.at + name4;
      if (given === void 0) continue;
      if (!field.isList) attempt(at2, () => loadOne(field, given, at2, part));
      for (const [i, one] of (field.isList ? given : []).entries()) {
        attempt(`${at2}[${i}]`, () => loadOne(field, one, `${at2}[${i}]`, part));
      }
    }
  }
  return { problems, ownerOf: ownerOf2, loadFields };
}
function addSeed(account, input, switches, now) {
  const result = seedSchema.safeParse(input);
  if (!result.success) {
    throw new SeedError(
      result.error.issues.map((issue) => describeIssue(issue, input).replace(/^Invalid request: /, ""))
    );
  }
  const seed50 = result.data;
  const { problems, ownerOf: ownerOf2, loadFields } = loader({ account, switches, now, emptyProject });
  const teams = (seed50.teams ?? []).map((one, i) => ({ at: `teams[${i}].`, one }));
  const fields3 = fieldsOf2("account");
  for (const name4 of order.account) {
    if (fields3[name4]) loadFields({ [name4]: fields3[name4] }, { at: "", seed: seed50 });
    else
      for (const { at: at2, one } of seed50.team ? [{ at: "team.", one: seed50.team }, ...teams] : teams) {
        const owner = ownerOf2(one.id ?? one.slug);
        loadFields(fieldsOf2("team"), { at: at2, seed: { ...one }, made: owner.team, owner });
      }
  }
  if (problems.length > 0) throw new SeedError(problems);
}
function newAccount(seed50, switches, now) {
  const user = { id: "", username: "ada", email: "ada@example.com", name: null, createdAt: 0, ...seed50.user };
  const account = { user, teams: [], ...emptyAccount(), made: 0, lastTime: 0 };
  user.createdAt = tick(account, now);
  user.id ||= makeId(account, "", 24);
  for (const given of [...seed50.team || !seed50.teams ? [seed50.team ?? {}] : [], ...seed50.teams ?? []]) {
    const { id: id2, slug = "acme", name: name4, sensitiveEnvironmentVariablePolicy: policy2 } = given;
    const at2 = tick(account, now);
    const made3 = makeId(account, "team_", 24);
    account.teams.push({
      id: id2 ?? made3,
      slug,
      name: name4 ?? slug,
      sensitiveEnvironmentVariablePolicy: policy2 ?? null,
      createdAt: at2,
      updatedAt: at2
    });
  }
  addSeed(account, seed50, switches, now);
  return account;
}

// providers/hosting/twin/server.ts
;
;

// providers/hosting/twin/http/request-log.ts
function loggedPath(path3) {
  return path3.replace(/(\/tokens?\/)[^/?]+/g, "$1(secret)");
}
function shownRequest({ body: body4, ...request }) {
  return body4 === void 0 ? request : { ...request, body: withoutText(body4) };
}
function withoutText(value3) {
  if (typeof value3 === "string") return value3 === "" ? "" : "(text)";
  if (Array.isArray(value3)) return value3.map(withoutText);
  if (value3 === null || typeof value3 !== "object") return value3;
  return Object.fromEntries(Object.entries(value3).map(([member, inner]) => [member, withoutText(inner)]));
}

// providers/hosting/twin/router.ts
var clientGroup = "clients";
var version = /^v\d+$/;
function split(path3) {
  const segments2 = path3.split("/").filter((segment) => segment !== "");
  return version.test(segments2[0] ?? "") ? { version: segments2[0], segments: segments2.slice(1) } : { version: "", segments: segments2 };
}
function patternsOf(operations2) {
  const patterns = /* @__PURE__ */ new Map();
  for (const operation2 of operations2) {
    const pattern = { operation: operation2, ...split(operation2.path) };
    const key3 = `${operation2.method} ${pattern.segments.length}`;
    patterns.set(key3, [...patterns.get(key3) ?? [], pattern]);
  }
  return patterns;
}
var published = patternsOf(catalog);
var ofClients = Object.keys(clientOperations).map((name4) => {
  const [method, path3] = name4.split(" ");
  return { group: clientGroup, method, path: path3, operationId: null };
});
var withClients = patternsOf([...catalog, ...ofClients]);
var isParam = (segment) => segment.startsWith("{");
function matches2(pattern, segments2) {
  return pattern.segments.every((part, i) => isParam(part) || part === segments2[i]);
}
function bySpecificity(a, b) {
  for (const [i, part] of a.segments.entries()) {
    const difference = Number(isParam(part)) - Number(isParam(b.segments[i]));
    if (difference !== 0) return difference;
  }
  return 0;
}
function decode2(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest("Invalid request: the path is not well-formed.");
  }
}
function route2(method, path3, catalogOnly = false) {
  const asked2 = split(path3);
  if (asked2.segments[0] === "edge-config") asked2.segments[0] = "global-config";
  const found = ((catalogOnly ? published : withClients).get(`${method} ${asked2.segments.length}`) ?? []).filter((pattern) => matches2(pattern, asked2.segments)).sort(
    (a, b) => bySpecificity(a, b) || Number(b.version === asked2.version) - Number(a.version === asked2.version)
  )[0];
  if (found === void 0) return void 0;
  const params = {};
  for (const [i, part] of found.segments.entries()) {
    if (isParam(part)) params[part.slice(1, -1)] = decode2(asked2.segments[i]);
  }
  return { operation: found.operation, params };
}

// providers/hosting/twin/faults/fault-plan.ts
var seconds = number().min(0).optional();
var milliseconds = number().min(0);
var count = int().min(1);
var action2 = discriminatedUnion("type", [
  /** 429, nothing done. Seconds until it may be tried again, as Retry-After and as the platform's reset header, if given. */
  strictObject({ type: literal("rateLimit"), retryAfter: seconds, reset: seconds }),
  /** The platform, or what stands in front of it, is in trouble, or refuses: with `after` what it has done. */
  strictObject({
    type: literal("status"),
    status: literal([400, 402, 403, 404, 409, 410, 422, 500, 502, 503]),
    when: _enum(["before", "after"]).default("before")
  }),
  /** The connection is reset; with `during` it ends in the middle of the answer. */
  strictObject({
    type: literal("connectionReset"),
    when: _enum(["before", "after", "during"]).default("before")
  }),
  /** Done at once, answered that many milliseconds later. */
  strictObject({ type: literal("delay"), ms: milliseconds }),
  /** The first `done` items of a batch are done (half of them without a number), the others come back as failed. */
  strictObject({ type: literal("partialBatch"), done: count.optional() }),
  /** A list that passes for whole with its first `keep` items, see `cutList`. */
  strictObject({ type: literal("cutList"), keep: int().min(0).optional() }),
  /** An answer that ends in the middle of its JSON. */
  strictObject({ type: literal("cutJson") }),
  /** After this write lists are for so long as they were before it; with `byId` all other reads, too. */
  strictObject({ type: literal("stale"), ms: milliseconds, byId: boolean().default(false) }),
  /** Just before the request somebody else writes, in the same scope if the path names none. */
  strictObject({
    type: literal("foreignWrite"),
    method: _enum(["POST", "PUT", "PATCH", "DELETE"]),
    path: string().startsWith("/", "should begin with a slash"),
    body: unknown().optional(),
    /** The user's name. */
    as: string().min(1).default("somebody-else")
  }),
  /** The same from code: anything may be done to the account. */
  strictObject({
    type: literal("foreignChange"),
    change: custom((value3) => typeof value3 === "function", {
      message: "should be a function: a file has `foreignWrite` in its place"
    })
  })
]);
var at = union([
  strictObject({ request: count }),
  strictObject({ every: count }),
  strictObject({ operation: string(), nth: count.optional() }),
  strictObject({ seed: int(), share: number().min(0).max(1) })
]);
var shape = strictObject({ at, only: _enum(["reads", "writes"]).optional(), do: action2 });
var isRead = (name4) => catalog.some((one) => nameOf(one) === name4 && one.method === "GET");
var targets = {
  cutList: { fits: (name4) => Object.hasOwn(lists, name4), are: "lists" },
  stale: { fits: (name4) => !isRead(name4), are: "writes" },
  partialBatch: {
    fits: (name4) => Object.hasOwn(batches, name4),
    are: `batches (${Object.keys(batches).join(", ")})`
  }
};
function find3(method, path3) {
  try {
    return route2(method, path3.split("?")[0]);
  } catch {
    return void 0;
  }
}
function checkFault({ at: at2, only, do: action3 }) {
  const problems = [];
  const operation2 = "operation" in at2 ? at2.operation : void 0;
  const target4 = targets[action3.type];
  const never = (path3) => problems.push([path3, `leaves nothing to do: \`${action3.type}\` is for ${target4?.are}`]);
  if (operation2 !== void 0 && !servedOperations.includes(operation2))
    problems.push([["at", "operation"], "should be the name of an operation that the twin serves"]);
  else if (operation2 !== void 0) {
    if (only !== void 0 && only === "reads" !== isRead(operation2))
      problems.push([
        ["only"],
        `leaves nothing of ${operation2}, which ${isRead(operation2) ? "reads" : "writes"}`
      ]);
    if (target4 && !target4.fits(operation2)) never(["at", "operation"]);
  } else if (only !== void 0 && target4) {
    const some = servedOperations.some((name4) => isRead(name4) === (only === "reads") && target4.fits(name4));
    if (!some) never(["only"]);
  }
  if (action3.type === "foreignWrite") {
    const found = find3(action3.method, action3.path);
    if (found === void 0 || !servedOperations.includes(nameOf(found.operation)))
      problems.push([["do", "path"], `should be a path for ${action3.method} that the twin serves`]);
  }
  return problems;
}
var fault = shape.superRefine((one, context) => {
  for (const [path3, message] of checkFault(one)) context.addIssue({ code: "custom", path: path3, message });
});
var schema = strictObject({ faults: array(fault) });
function readFaultPlan(input) {
  const result = schema.safeParse(input);
  if (result.success) return result.data.faults;
  throw new FaultPlanError(problemsIn(result.error.issues, input));
}

// providers/hosting/twin/faults/fault-schedule.ts
;

// providers/hosting/twin/faults/partial.ts
var array2 = (value3) => Array.isArray(value3) ? value3 : [];
function partOf(operation2, body4, done) {
  const batch = Object.hasOwn(batches, operation2 ?? "") ? batches[operation2] : void 0;
  const items = batch?.items(body4) ?? [];
  const count2 = done ?? Math.floor(items.length / 2);
  if (batch === void 0 || count2 < 1 || count2 >= items.length) return void 0;
  const error = { code: "internal_server_error", message: "An unexpected error occurred." };
  const left = items.slice(count2).map((item) => ({ error: { ...error, ...batch.about(item, body4) } }));
  return {
    done: count2,
    of: items.length,
    body: batch.only(body4, items.slice(0, count2)),
    finish: ({ status: status2, body: body5, headers: headers2 }) => {
      if (status2 >= 400) return void 0;
      const told2 = body5;
      return new Answer(status2, { ...told2, failed: [...array2(told2.failed), ...left] }, headers2);
    }
  };
}
function asLast(pagination, count2) {
  return {
    ...pagination,
    ..."count" in pagination ? { count: count2 } : {},
    ..."next" in pagination ? { next: null } : {},
    ..."hasNext" in pagination ? { hasNext: false } : {},
    ..."numPages" in pagination ? { numPages: pagination.page } : {}
  };
}
function hasNext(pagination) {
  const { next = null, page, numPages } = pagination;
  return next !== null || Number(page) < Number(numPages);
}
function cutList(operation2, answer3, keep) {
  const member = Object.hasOwn(lists, operation2 ?? "") ? lists[operation2] : void 0;
  if (member === void 0) return void 0;
  const body4 = answer3.body;
  const items = member === "" ? answer3.body : body4?.[member];
  if (!Array.isArray(items)) return void 0;
  const pagination = member === "" ? void 0 : body4.pagination;
  const goesOn = pagination !== void 0 && hasNext(pagination);
  const kept6 = items.slice(0, keep ?? (goesOn ? items.length : Math.floor(items.length / 2)));
  if (kept6.length === items.length && !goesOn) return void 0;
  if (member === "") return new Answer(answer3.status, kept6, answer3.headers);
  const end = pagination === void 0 ? {} : { pagination: asLast(pagination, kept6.length) };
  return new Answer(answer3.status, { ...body4, [member]: kept6, ...end }, answer3.headers);
}

// providers/hosting/twin/faults/fault-schedule.ts
function draw(text4) {
  return createHash10("sha256").update(text4).digest().readUIntBE(0, 6) / 2 ** 48;
}
function fits(action3, { method, operation: operation2, body: body4 }) {
  if (action3.type === "stale") return method !== "GET";
  if (action3.type === "partialBatch") return partOf(operation2, body4, action3.done) !== void 0;
  if (action3.type === "cutList") return Object.hasOwn(lists, operation2 ?? "");
  return true;
}
var isForeign = (action3) => action3.type === "foreignWrite" || action3.type === "foreignChange";
function faultSchedule(faults) {
  let requests = 0;
  const counts = faults.map(() => 0);
  const times3 = /* @__PURE__ */ new Map();
  const isDue = ({ at: at2, only }, index, asked2) => {
    if (only !== void 0 && only === "reads" !== (asked2.method === "GET")) return false;
    if ("operation" in at2 && at2.operation !== asked2.operation) return false;
    counts[index] += 1;
    const count2 = counts[index];
    if ("request" in at2) return count2 === at2.request;
    if ("every" in at2) return count2 % at2.every === 0;
    if ("operation" in at2) return at2.nth === void 0 || count2 === at2.nth;
    const same2 = `${asked2.method} ${asked2.path}`;
    return draw(`${at2.seed} ${index} ${same2} ${times3.get(same2)}`) < at2.share;
  };
  return (asked2) => {
    requests += 1;
    const same2 = `${asked2.method} ${asked2.path}`;
    times3.set(same2, (times3.get(same2) ?? 0) + 1);
    const due = faults.filter((fault2, index) => isDue(fault2, index, asked2)).map((fault2) => fault2.do);
    const action3 = due.find((one) => !isForeign(one) && fits(one, asked2));
    return { request: requests, foreign: due.filter(isForeign), ...action3 ? { action: action3 } : {} };
  };
}

// providers/hosting/twin/http/rate-limits.ts
var minute3 = 6e4;
var published2 = {
  createRecord: { limit: 100, windowMs: 60 * minute3 },
  updateRecord: { limit: 50, windowMs: minute3 }
};
var writes = { limit: 500, windowMs: minute3 };
var assumed = {
  createProject: { limit: 30, windowMs: minute3 },
  updateProject: { limit: 60, windowMs: minute3 },
  createProjectEnv: { limit: 60, windowMs: minute3 }
};
var assumedWrites = { limit: 120, windowMs: minute3 };
var assumedReads = { limit: 200, windowMs: minute3 };
var RateLimited = class extends ApiError {
  headers;
  constructor(message, extra2, headers2) {
    super(429, "rate_limited", message, extra2);
    this.headers = headers2;
  }
};
function bucketOf(operationId, isWrite, isAssumed) {
  if (Object.hasOwn(published2, operationId)) return published2[operationId];
  if (!isAssumed) return isWrite ? writes : void 0;
  if (Object.hasOwn(assumed, operationId)) return assumed[operationId];
  return isWrite ? assumedWrites : assumedReads;
}
function rateLimits(now, { assumed: isAssumed = false, windowMs: shortened } = {}) {
  const used = /* @__PURE__ */ new Map();
  return {
    count(ownerId, operationId, isWrite) {
      const bucket = bucketOf(operationId, isWrite, isAssumed);
      if (!bucket) return {};
      const { limit } = bucket;
      const windowMs = shortened ?? bucket.windowMs;
      const key3 = `${ownerId} ${operationId}`;
      let window = used.get(key3);
      if (window === void 0 || window.reset <= now()) {
        window = { count: 0, reset: now() + windowMs };
        used.set(key3, window);
      }
      window.count += 1;
      const remaining = Math.max(0, limit - window.count);
      const reset = Math.ceil(window.reset / 1e3);
      const headers2 = {
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(remaining),
        "x-ratelimit-reset": String(reset)
      };
      if (window.count <= limit) return headers2;
      const wait2 = Math.max(1, Math.ceil((window.reset - now()) / 1e3));
      const message = `Too many requests - try again in ${wait2} seconds (more than ${limit}, code: "${operationId}").`;
      throw new RateLimited(
        message,
        { limit: { total: limit, remaining: 0, reset } },
        { ...headers2, "retry-after": String(wait2) }
      );
    }
  };
}

// providers/hosting/twin/faults/fault-steps.ts
var windowSize = 100;
function rateLimit({ retryAfter, reset }, { operation: operation2 }, now) {
  const at2 = reset === void 0 ? void 0 : Math.ceil(now() / 1e3 + reset);
  const wait2 = retryAfter === void 0 ? "" : ` - try again in ${retryAfter} seconds`;
  const message = `Too many requests${wait2} (more than ${windowSize}, code: "${operation2}").`;
  const limit = { total: windowSize, remaining: 0, reset: at2 };
  const headers2 = {
    ...retryAfter === void 0 ? {} : { "retry-after": String(retryAfter) },
    ...at2 === void 0 ? {} : {
      "x-ratelimit-limit": String(windowSize),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(at2)
    }
  };
  const said = Object.keys(headers2).filter((name4) => /retry-after|reset/.test(name4));
  return {
    text: `429 ${said.length > 0 ? `with ${said.join(" and ")}` : "that does not say when to come back"}`,
    refuse: new RateLimited(message, at2 === void 0 ? {} : { limit }, headers2)
  };
}
var troubles = {
  400: () => badRequest("The request is not valid."),
  402: () => new ApiError(402, "payment_required", "The plan of the account does not allow this."),
  410: () => new ApiError(410, "gone", "It is not there any more."),
  403: () => forbidden("You are not allowed to do this."),
  404: () => notFound("What was asked for"),
  409: () => conflict("Something else has this name."),
  422: () => new ApiError(422, "unprocessable_entity", "The request cannot be processed."),
  500: () => new ApiError(500, "internal_server_error", "An unexpected error occurred."),
  502: () => new ApiError(502, "bad_gateway", "The server did not answer."),
  503: () => new ApiError(503, "service_unavailable", "The server is not available.")
};
var makers = {
  rateLimit,
  status({ status: status2, when }) {
    const error = troubles[status2]();
    const text4 = `${status2} ${when} the effect`;
    return when === "before" ? { text: text4, refuse: error } : { text: text4, finish: () => error };
  },
  connectionReset({ when }) {
    if (when === "during") return { text: "connection cut during the answer", delivery: "half, then cut" };
    const text4 = `connection reset ${when} the effect`;
    return {
      text: text4,
      delivery: "none",
      ...when === "before" ? { refuse: troubles[500]() } : {}
    };
  },
  delay: ({ ms }) => ({ text: `answered ${ms} ms after the effect`, delay: ms }),
  partialBatch({ done }, { operation: operation2, body: body4 }) {
    const part = partOf(operation2, body4, done);
    return { text: `${part.done} of ${part.of} items done`, body: part.body, finish: part.finish };
  },
  cutList: ({ keep }, { operation: operation2 }) => ({
    text: "a part of the list passes for all of it",
    finish: (answer3) => cutList(operation2, answer3, keep)
  }),
  cutJson: () => ({
    text: "the answer ends in the middle of its JSON",
    delivery: "half",
    finish: (answer3) => answer3.body === void 0 ? void 0 : answer3
  }),
  stale: ({ ms, byId }) => ({
    text: `${byId ? "reads" : "lists"} do not show it for ${ms} ms`,
    stale: { ms, byId }
  })
};
function stepsOf(action3, asked2, now) {
  return makers[action3.type](
    action3,
    asked2,
    now
  );
}

// providers/hosting/twin/faults/faults.ts
function askedOf(method, path3, text4) {
  const tried = (run) => {
    try {
      return run();
    } catch {
      return void 0;
    }
  };
  const found = tried(() => route2(method, path3));
  const body4 = text4 === "" ? void 0 : tried(() => JSON.parse(text4));
  return { method, path: path3, operation: found ? nameOf(found.operation) : null, body: body4 };
}
function staleAccounts(now) {
  let kept6 = [];
  return {
    keep(account, ms, byId) {
      kept6.push({ account: structuredClone(account), until: now() + ms, byId });
    },
    shown(live, isList) {
      kept6 = kept6.filter(({ until }) => until > now());
      return kept6.find(({ byId }) => isList || byId)?.account ?? live;
    }
  };
}
function writeAsOther(action3, query4, account, serve2) {
  if (action3.type === "foreignChange") {
    action3.change(account);
    return "before it, the account is changed from code";
  }
  const { method, path: path3, as: by } = action3;
  const url3 = new URL(path3, "http://twin");
  if (!["teamId", "slug"].some((name4) => url3.searchParams.has(name4))) {
    for (const name4 of ["teamId", "slug"]) if (query4.has(name4)) url3.searchParams.set(name4, query4.get(name4));
  }
  const found = route2(method, url3.pathname);
  const what = `before it, ${by}: ${method} ${loggedPath(path3)}`;
  const body4 = structuredClone(action3.body);
  try {
    serve2({ found, query: url3.searchParams, body: body4, headers: {}, told: {}, by });
    return what;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${what} (refused: ${error.status} ${error.code})`;
  }
}
var isEmpty = (answer3) => answer3.body === void 0 || answer3.status === 204;
function openFaults(plan, account, now) {
  const take = faultSchedule(readFaultPlan(plan));
  const stale = staleAccounts(now);
  return {
    shown: (operation2) => stale.shown(account, Object.hasOwn(lists, operation2)),
    next(method, url3, text4) {
      const asked2 = askedOf(method, url3.pathname, text4);
      const { request, foreign, action: action3 } = url3.pathname.startsWith("/__twin/") ? { request: 0, foreign: [] } : take(asked2);
      let steps;
      return {
        request,
        done: [],
        delivery: "whole",
        before(serve2) {
          for (const one of foreign) this.done.push(writeAsOther(one, url3.searchParams, account, serve2));
          if (action3 === void 0) return;
          steps = stepsOf(action3, asked2, now);
          this.body = steps.body;
          this.delay = steps.delay;
          this.delivery = steps.delivery ?? "whole";
          if (steps.stale) stale.keep(account, steps.stale.ms, steps.stale.byId);
          if (steps.refuse) throw steps.refuse;
        },
        after(answer3) {
          if (steps === void 0) return answer3;
          const finished = steps.finish ? steps.finish(answer3) : answer3;
          if (finished === void 0) this.delivery = "whole";
          else this.done.push(steps.text);
          if (this.delivery === "half, then cut" && isEmpty(answer3)) this.delivery = "none";
          return finished ?? answer3;
        }
      };
    }
  };
}

// providers/hosting/twin/http/messages.ts
;
async function readBytes(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
var isOtherThanJson = (type4) => type4 !== void 0 && !/^(application|text)\/([\w.-]+\+)?(json|plain)\b/i.test(type4.trim());
function parseJson(text4) {
  if (text4.trim() === "") return void 0;
  try {
    return JSON.parse(text4);
  } catch {
    throw badRequest("Invalid JSON.");
  }
}
function checkToken(header, token2) {
  const given = /^Bearer\s+(\S+)$/i.exec(header ?? "")?.[1];
  if (given === void 0) {
    throw new ApiError(401, "forbidden", "The request is missing an authentication token", {
      missingToken: true
    });
  }
  if (token2 !== void 0 && !isSame2(given, token2)) throw forbidden("Not authorized", { invalidToken: true });
}
var digest = (text4) => createHash11("sha256").update(text4).digest();
var isSame2 = (a, b) => timingSafeEqual(digest(a), digest(b));
var ownNames = /* @__PURE__ */ new Set(["127.0.0.1", "localhost", "[::1]"]);
function checkHost(header) {
  const name4 = (header ?? "").toLowerCase().replace(/:\d+$/, "");
  if (ownNames.has(name4)) return;
  const message = "The twin answers only under 127.0.0.1, localhost and [::1].";
  throw new ApiError(421, "misdirected_request", message);
}
function sendAnswer(response, answer3, delivery3 = "whole") {
  const { status: status2, body: body4, headers: headers2 } = answer3;
  if (delivery3 === "none") {
    response.socket?.resetAndDestroy();
    return;
  }
  const isEmpty2 = body4 === void 0 || status2 === 204;
  const isBytes = Buffer.isBuffer(body4);
  const whole2 = isBytes ? body4 : Buffer.from(isEmpty2 ? "" : JSON.stringify(body4));
  const half = whole2.subarray(0, whole2.length / 2);
  const ofType = isBytes ? "application/octet-stream" : "application/json; charset=utf-8";
  const type4 = isEmpty2 ? {} : { "content-type": ofType };
  if (delivery3 === "half, then cut") {
    response.writeHead(status2, { ...type4, ...headers2, "content-length": whole2.length });
    response.write(half, () => response.destroy());
    return;
  }
  response.writeHead(status2, { ...type4, ...headers2 });
  if (isEmpty2) response.end();
  else response.end(delivery3 === "half" ? half : whole2);
}

// providers/hosting/twin/state-file.ts
var import_write_file_atomic = __toESM(require_lib(), 1);
;
;
function loadAccount(path3) {
  if (!existsSync(path3)) return void 0;
  try {
    return completed(JSON.parse(readFileSync(path3, "utf8")));
  } catch (error) {
    throw new Error(`The twin's state file ${path3} cannot be read: ${error.message}`);
  }
}
function savedIn(seed50) {
  if (!("made" in seed50 && "lastTime" in seed50)) return void 0;
  const { user, teams, projects } = seed50;
  if (typeof user === "object" && [teams, projects].every(Array.isArray))
    return completed(structuredClone(seed50));
  throw new SeedError(["it looks like what --state saves, but has no `user`, `teams` and `projects`"]);
}
function completed(saved) {
  const account = { ...emptyAccount(), ...saved };
  account.projects = account.projects.map((project2) => ({ ...emptyProject(), ...project2 }));
  return account;
}
function saveAccount(path3, account) {
  mkdirSync(dirname(path3), { recursive: true });
  import_write_file_atomic.default.sync(path3, `${JSON.stringify(account, null, 2)}
`, { mode: 384, fsync: false });
}

// providers/hosting/twin/serve-operation.ts
var nameAndPlace = ({ method, path: path3, operationId }) => ({
  method,
  path: path3,
  ...operationId === null ? {} : { operationId }
});
function operationServer({ account, switches, now, options, outside, shown: shown9 }) {
  const { rateLimits: mode = "off", limitWindowMs: windowMs } = options;
  const limits = mode === "off" ? void 0 : rateLimits(now, { assumed: mode === "assumed", windowMs });
  return ({ found, query: query4, body: body4, bytes: bytes2, headers: headers2, told: told2, by }) => {
    const { operation: operation2, params } = found;
    const inPath = operation2.path.includes("{teamId}");
    const scope2 = query4.get("teamId") ?? query4.get("slug");
    const owner = inPath ? findOwner(account, null) : findOwner(account, scope2);
    if (owner === void 0) {
      throw forbidden(`Not authorized: Trying to access resource under scope "${scope2}".`);
    }
    const name4 = nameOf(operation2);
    const served = [operations, clientOperations].find((table2) => Object.hasOwn(table2, name4))?.[name4] ?? documentedOf(operation2)?.operation;
    if (served === void 0) throw notImplemented(`${name4} (${operation2.method} ${operation2.path})`);
    const writes2 = operation2.method !== "GET";
    Object.assign(told2, limits?.count(owner.id, name4, writes2));
    const seen = writes2 ? account : shown9(name4);
    const call = {
      ...makingFor({ account: seen, switches, now, emptyProject }, owner),
      params,
      query: query4,
      body: body4,
      ...bytes2 ? { bytes: bytes2 } : {},
      outside: options.strict ? void 0 : {
        note: (member, was) => countOutside(outside, { ...nameAndPlace(operation2), member, was }),
        isKept
      },
      pageSize: options.pageSize ?? Number.POSITIVE_INFINITY,
      headers: headers2,
      forgetProject: (id2) => forgetProject(account, id2)
    };
    const { user } = account;
    if (by !== void 0) account.user = { ...user, id: `user_${by}`, username: by, name: by };
    let result;
    try {
      result = served.serve(call);
    } finally {
      account.user = user;
    }
    if (writes2) {
      const known2 = { name: name4, group: operation2.group };
      const doer = by === void 0 ? user : { ...user, id: `user_${by}`, username: by, name: by };
      noteEvent({ ...call, account: seen }, known2, result instanceof Answer ? result.body : result, doer);
    }
    if (writes2 && options.statePath !== void 0) saveAccount(options.statePath, account);
    return result instanceof Answer ? result : new Answer(200, result);
  };
}

// providers/hosting/twin/switches.ts
var positions = {
  /** A variable with one target reads back `target: "production"` in place of an array. */
  envTargetAsString: [false, true],
  /** The list of variables contains one row twice. */
  envListDuplicates: [false, true],
  /** Overlapping targets answer 400 ENV_CONFLICT, or 409 with another code and without the details. */
  envConflictStatus: [400, 409],
  /** The value of a sensitive variable in a read: an empty string, or no member at all. */
  sensitiveValue: ["", "absent"],
  /** Plain variables, always in the clear, say `decrypted: true`. */
  plainDecryptedFlag: [true, false],
  /** POST ?upsert=true overwrites a row that shares some of the targets, not only one with the same set. */
  upsertOverlapping: [false, true],
  /** Integer project cursors become opaque strings. */
  projectCursorAsString: [false, true],
  /** publicSource, previewDeploymentSuffix, previewDeploymentsDisabled, serverlessFunctionRegion are not in reads. */
  projectReadIncomplete: [false, true],
  /** A project that is read without a team is also looked for in the user's default team (Terraform provider). */
  projectInDefaultTeam: [true, false],
  /** The first region of functionDefaultRegions reads back as serverlessFunctionRegion, too (Terraform provider). */
  regionMirrored: [true, false],
  /** A new project domain is verified at once; otherwise only after the verify action. */
  projectDomainVerified: [true, false],
  /** The owner of a service in AWS accepts each private link a minute after it was made; otherwise nobody does. */
  privateLinkAccepted: [false, true],
  /** The status that reads back for a redirect declared without one. */
  redirectDefaultStatus: [307, null],
  /** Deleting a domain also removes the project domains under it; otherwise it answers 409 domain_removal_conflict. */
  domainDeleteCascades: [false, true],
  /** A new domain starts with the platform's own records (creator system). */
  systemRecords: [false, true],
  /** CNAME and MX targets carry a trailing dot on the list. */
  hostDot: [true, false],
  /** The name of a record at the zone's apex, on the list. */
  apexName: ["", "@"],
  /** SRV on the list: packed into `value`, or an `srv` object without `value`. */
  srvRead: ["string", "object"],
  /** HTTPS on the list: packed into `value`, or an `https` object without `value`. */
  httpsRead: ["string", "object"],
  /** A CAA value is quoted on the list; otherwise only where it holds spaces. */
  caaQuotes: [false, true],
  /** A CAA value is quoted where a record is read by its id (Terraform provider); otherwise as on the list. */
  caaQuotesById: [true, false],
  /** Member `type` of a record read by its id: the DNS type (the SDK says so), or record / record-sys (others do). */
  recordByIdType: ["dns", "record"],
  /** PATCH may change a record's type. */
  recordTypeChangeable: [false, true],
  /** `until` is inclusive: the boundary item comes on both pages. */
  untilInclusive: [false, true],
  /** A project whose firewall was never written has `active: null`; otherwise an empty default. */
  firewallActiveNullUntilWritten: [true, false],
  /** The rules of a managed group are readable as `managedRules.<id>.rules`; otherwise nowhere. */
  managedGroupsReadable: [true, false],
  /** The value of an ex / nex condition on read. */
  exValue: ["", null, "absent"],
  /** CRS entries that are off are left out on read. */
  crsInactiveAbsent: [false, true],
  /** PUT of the firewall keeps members that the body leaves out; otherwise they are reset. */
  firewallPutKeepsOmitted: [false, true],
  /** PATCH of the firewall drops a pending draft. */
  firewallPatchDropsDraft: [false, true],
  /** After its deadline an attack mode still reads as enabled, with the deadline; otherwise as disabled without one. */
  attackModeExpiredReadable: [false, true],
  /** An attack mode cannot be turned on without a deadline; the SDK has a body without one. */
  attackModeNeedsDeadline: [false, true],
  /** With manual approval the last stage of a rolling release, too, reads `requireApproval: true`. */
  rollingReleaseLastStageApproval: [false, true],
  /** A microfrontends group that is deleted lets its projects go, as the command line says; otherwise they leave it first. */
  microfrontendsGroupDeleteTakesOut: [true, false],
  /** A write to redirects or routes that are staged already makes a staged version with another id. */
  stagedVersionRenewed: [false, true],
  /** Redirects read without a versionId are the staged ones, if there are any; otherwise the live ones. */
  redirectsReadStaged: [false, true],
  /** Redirects read with a status code and the defaults filled in, without `permanent`; otherwise as written. */
  bulkRedirectsNormalized: [false, true],
  /** Routes read without a versionId are the staged ones, if there are any; otherwise the live ones. */
  routesReadStaged: [true, false],
  /** PUT of routes minds rawSrc, rawDest, srcSyntax and staged, as they were read; otherwise only the documented body. */
  routesPutKeepsRead: [true, false],
  /** The status of member_not_found, when an access group is to have a user who is not in the team. */
  memberNotFoundStatus: [400, 404],
  /** The number of requests naming a member who has just joined that are refused with member_not_found. */
  memberPropagationTries: [2, 0],
  /** The status when If-Match does not fit a feature flag: HTTP's own, or the one that is documented. */
  flagMismatchStatus: [412, 409],
  /** PATCH of a feature flag that changes nothing answers 304 without a body; otherwise it makes a new revision. */
  flagUnchangedNotModified: [false, true],
  /** Feature flag settings that were never written answer 404; otherwise they read as disabled. */
  flagSettingsAbsentUntilWritten: [false, true],
  /** A drain's secret reads back only from its creation, and as `{kind: 'INTEGRATION_SECRET'}` later; otherwise always. */
  drainSecretMasked: [false, true],
  /** A second global config with the same slug is refused (409). */
  globalConfigSlugsUnique: [true, false],
  /** A deleted global config stays in the list, with `deletedAt`. */
  globalConfigDeletedListed: [false, true],
  /** The status for reading an item that is not there. */
  globalConfigMissingItem: [204, 404],
  /** Deleting an item that is not there is done; otherwise it refuses the whole batch (404). */
  globalConfigDeleteIgnoresMissing: [false, true],
  /** A global config's schema is answered as `{definition}`; otherwise as it is. */
  globalConfigSchemaWrapped: [false, true],
  /** Tokens of a global config read back with their value, as they used to. */
  globalConfigTokenReadable: [true, false],
  /** A budget that is written after it was removed is a new row beside the archived one; otherwise that one again. */
  archivedBudgetStays: [false, true],
  /** A deleted rule of the gateway stays in the list, with `deleted: true`. */
  deletedRuleListed: [false, true],
  /** The default bypass of a project reads without `isEnvVar`, as older ones do (SDK); otherwise with true. */
  bypassDefaultUnsaid: [false, true],
  /** An empty note of a bypass reads back (Terraform provider); otherwise there is then none. */
  bypassEmptyNoteReadable: [true, false],
  /** A conflict of the only shared variable in a request is its error; otherwise an entry of `failed`, as among others. */
  sharedEnvConflictAlone: [409, "failed"],
  /** A project's list of variables has the shared ones that are linked to it, too; they cannot be written there. */
  sharedEnvInProjectList: [false, true],
  /** The list of shared variables has encrypted values in the clear. */
  sharedEnvListDecrypted: [false, true],
  /** The error object comes bare, without `{error: ...}` around it. */
  errorBodyUnwrapped: [false, true]
};
var all4 = (index) => Object.fromEntries(Object.entries(positions).map(([name4, of]) => [name4, of[index]]));
var defaultSwitches = all4(0);
var otherSwitches = all4(1);

// providers/hosting/twin/version.ts
var version2 = false ? "development" : "0.1.0";

// providers/hosting/twin/server.ts
var wait = (ms) => setTimeout(ms, void 0, { ref: false });
async function startTwin(options = {}) {
  const { now = Date.now, sleep = wait } = options;
  const switches = { ...defaultSwitches, ...options.switches };
  const saved = options.statePath === void 0 ? void 0 : loadAccount(options.statePath);
  const { seed: seed50 = {} } = options;
  const account = saved ?? savedIn(seed50) ?? newAccount(seed50, switches, now);
  const requests = [];
  const done = [];
  const outside = [];
  let faults = openFaults(options.faults ?? { faults: [] }, account, now);
  const shown9 = (operation2) => faults.shown(operation2);
  const handle = operationServer({ account, switches, now, options, outside, shown: shown9 });
  function refusal(error, found, headers2) {
    const known2 = error instanceof ApiError ? error : new ApiError(500, "internal_server_error", `A fault of the twin: ${error.stack}`);
    const registrar2 = found?.operation.group === "domains-registrar";
    const style = registrar2 ? "registrar" : switches.errorBodyUnwrapped ? "unwrapped" : "wrapped";
    const more = known2 instanceof RateLimited ? known2.headers : {};
    return new Answer(known2.status, errorBody(known2, style), { ...headers2, ...more });
  }
  async function serve2(request, response) {
    const method = request.method ?? "GET";
    const url3 = new URL(request.url ?? "/", "http://twin");
    const bytes2 = await readBytes(request);
    const isFile = isOtherThanJson(request.headers["content-type"]);
    const text4 = isFile ? "" : bytes2.toString("utf8");
    if (options.latencyMs !== void 0) await sleep(options.latencyMs);
    try {
      checkHost(request.headers.host);
    } catch (error) {
      return sendAnswer(response, refusal(error, void 0, {}));
    }
    if (method === "GET" && Object.hasOwn(own2, url3.pathname))
      return sendAnswer(response, ownAnswer(url3.pathname, request.headers.authorization));
    const fault2 = faults.next(method, url3, text4);
    const headers2 = {};
    let found;
    let body4;
    let logged;
    let answer3;
    try {
      found = route2(method, url3.pathname, options.strict || options.catalogOnly);
      fault2.before(handle);
      checkToken(request.headers.authorization, options.token);
      if (found === void 0 || found.operation.group === clientGroup) {
        const path3 = found?.operation.path ?? loggedPath(url3.pathname);
        if (!path3.startsWith("/__twin/")) countOutside(outside, { method, path: path3, was: "unknown operation" });
        if (found === void 0) throw new ApiError(404, "not_found", `There is no ${method} ${path3}.`);
      }
      body4 = parseJson(text4);
      logged = structuredClone(body4);
      const result = handle({
        found,
        query: url3.searchParams,
        body: fault2.body ?? body4,
        ...isFile ? { bytes: bytes2 } : {},
        headers: request.headers,
        told: headers2
      });
      answer3 = new Answer(result.status, result.body, { ...headers2, ...result.headers });
    } catch (error) {
      answer3 = refusal(error, found, headers2);
    }
    const finished = fault2.after(answer3);
    answer3 = finished instanceof ApiError ? refusal(finished, found, {}) : finished;
    const operationId = found?.operation.operationId ?? null;
    const known2 = {
      method,
      path: loggedPath(url3.pathname + url3.search),
      ...operationId === null ? {} : { operationId }
    };
    done.push(...fault2.done.map((text5) => ({ request: fault2.request, ...known2, fault: text5 })));
    requests.push({
      ...known2,
      status: fault2.delivery === "none" ? 0 : answer3.status,
      ...body4 === void 0 ? {} : { body: logged },
      ...fault2.done.length === 0 ? {} : { fault: fault2.done.join("; ") }
    });
    if (fault2.delay !== void 0) await sleep(fault2.delay);
    sendAnswer(response, answer3, fault2.delivery);
  }
  function ownAnswer(path3, authorization) {
    try {
      if (path3 !== openApiPath) checkToken(authorization, options.token);
      return new Answer(200, own2[path3]());
    } catch (error) {
      return refusal(error, void 0, {});
    }
  }
  const own2 = {
    "/__twin/requests": () => requests.map(options.logText ? (request) => request : shownRequest),
    "/__twin/faults": () => done,
    "/__twin/outside": () => outside,
    [openApiPath]: () => openApi(version2)
  };
  const server = createServer((request, response) => {
    serve2(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(error.message);
    });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port2 = typeof address === "object" && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port2}`,
    openApiUrl: `http://127.0.0.1:${port2}${openApiPath}`,
    account,
    requests,
    clearRequests: () => void requests.splice(0),
    outside,
    faults: done,
    setFaults: (plan) => {
      faults = openFaults(plan, account, now);
    },
    add: (seed51) => addSeed(account, seed51, switches, now),
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    })
  };
}
return{FaultPlanError:FaultPlanError,SeedError:SeedError,defaultSwitches:defaultSwitches,openApi:openApi,otherSwitches:otherSwitches,servedOperations:servedOperations,startTwin:startTwin,version:version2};})();exports.part_75CU3BB5=part_75CU3BB5;
