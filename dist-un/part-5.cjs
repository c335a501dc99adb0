"use strict";const part_4VPSH4ZL=(()=>{const {
  literally
}=require("./part-106.cjs").part_BACZRMMV;const {
  Sealed
}=require("./part-80.cjs").part_YNHFC6K5;;
;

// src/http/errors.ts
var RequestError = class extends Error {
  method;
  path;
  /** Stable; for `HttpError` the platform's own code where it gave one. */
  code;
  hint;
  /** The platform may have carried the call out: the outcome of a write is unknown. */
  sent;
  /** The same call may well succeed later. */
  passing;
  constructor(asked, message, details) {
    super(message, details.cause === void 0 ? void 0 : { cause: details.cause });
    this.name = new.target.name;
    this.method = asked.method;
    this.path = asked.path;
    this.code = details.code;
    this.hint = details.hint;
    this.sent = details.sent;
    this.passing = details.passing;
  }
};
var hints = {
  401: "the token is invalid or expired",
  402: "the account's plan or a payment limit does not allow this; trueup does not retry it",
  403: "the token is invalid or expired, or has no access to this team or object",
  407: "the proxy requires credentials: put them in HTTPS_PROXY",
  413: "the request is larger than the platform accepts",
  429: "the platform limits these calls; run again later",
  449: "the platform is still at it; run again later"
};
var HttpError = class extends RequestError {
  status;
  /** The platform says that the token itself is at fault. */
  invalidToken;
  /** The wait that the platform asks for, in milliseconds. */
  retryAfter;
  /** The rate limit that the answer states for its bucket. */
  limits;
  constructor(asked, answer) {
    const { status, code, message } = answer;
    super(asked, `${asked.method} ${asked.path} answered ${status}${code ? ` ${code}` : ""}: ${message}`, {
      code: code ?? `http/${status}`,
      hint: hints[status] ?? (status >= 500 ? "the platform has a problem; run again later" : void 0),
      sent: status >= 500,
      // 501 and 505 say that the platform never will.
      passing: status === 429 || status >= 500 && status !== 501 && status !== 505
    });
    this.status = status;
    this.invalidToken = answer.invalidToken ?? false;
    this.retryAfter = answer.retryAfter;
    this.limits = answer.limits;
  }
};
var Unreachable = class extends RequestError {
  constructor(asked, message, details) {
    super(asked, message, { ...details, code: "http/unreachable", sent: false });
  }
};
var ConnectionCut = class extends RequestError {
  constructor(asked, message, cause) {
    super(asked, message, { code: "http/cut", sent: true, passing: true, cause });
  }
};
var TimedOut = class extends RequestError {
  constructor(asked, message, details) {
    super(asked, message, { passing: true, ...details, code: "http/timeout" });
  }
};
var NotJson = class extends RequestError {
  status;
  constructor(asked, status, found) {
    super(asked, `${asked.method} ${asked.path} answered ${status}, but ${found}`, {
      code: "http/not-json",
      hint: "is the base URL correct, or does a proxy or login page answer instead?",
      sent: true,
      passing: false
    });
    this.status = status;
  }
};
var OutOfBounds = class extends RequestError {
  constructor(asked, what) {
    super(asked, `${asked.method} ${asked.path}: ${what}`, {
      code: "http/out-of-bounds",
      hint: "is the base URL correct, or does something on the way answer instead?",
      sent: true,
      passing: false
    });
  }
};
var Redirected = class extends RequestError {
  status;
  constructor(asked, status, origin) {
    super(asked, `${asked.method} ${asked.path} answered ${status}, a redirect to ${origin}`, {
      code: "http/redirect",
      hint: "redirects are not followed, to keep the token from other hosts; correct the base URL",
      sent: true,
      passing: false
    });
    this.status = status;
  }
};
var RateLimited = class extends RequestError {
  /** The wait in milliseconds. */
  wait;
  rateLimit;
  /** The same command may well succeed later: its exit code says so. */
  isForLater = true;
  constructor(asked, rateLimit, { wait, maxWait }) {
    const seconds = (milliseconds) => `${Math.ceil(milliseconds / 1e3)} s`;
    super(asked, `${asked.method} ${asked.path} is rate limited for ${seconds(wait)}`, {
      code: "http/rate-limited",
      hint: `that exceeds the longest wait of ${seconds(maxWait)} (--max-wait); run again later`,
      sent: false,
      passing: true
    });
    this.wait = wait;
    this.rateLimit = rateLimit;
  }
};
var IncompleteList = class extends RequestError {
  constructor(asked, why) {
    super(asked, `${asked.method} ${asked.path}: the list may be incomplete: ${why}`, {
      code: "http/incomplete-list",
      hint: "objects missing from it are not treated as deleted",
      sent: false,
      passing: true
    });
  }
};

// src/http/endpoint.ts
function textOf(endpoint, name, value) {
  if (value instanceof Sealed) return value.reveal();
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  throw new Error(`${endpoint}: no text for {${name}}`);
}
function encode(endpoint, name, text, inPath) {
  if (inPath && (text === "" || text === "." || text === ".."))
    throw new Error(`${endpoint}: {${name}} cannot be "${text}"`);
  if (new RegExp("\\p{Cs}", "u").test(text)) throw new Error(`${endpoint}: {${name}} is not well-formed text`);
  return encodeURIComponent(text);
}
var queryText = (query) => new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
function fill(endpoint, params = {}, query = {}) {
  const space = endpoint.indexOf(" ");
  const method = endpoint.slice(0, space);
  const [path = "", ownQuery = ""] = endpoint.slice(space + 1).split(/\?(.*)/s);
  const secrets = [];
  const put = (template, inPath, show) => template.replace(/\{([^{}]+)\}/g, (_, name) => {
    const value = params[name];
    const text = encode(endpoint, name, textOf(endpoint, name, value), inPath);
    if (!(value instanceof Sealed)) return text;
    if (!show) secrets.push(value);
    return show ? "(secret)" : text;
  });
  const own = new URLSearchParams(ownQuery.replace(/\{[^{}]+\}/g, "x"));
  const added = new URLSearchParams(Object.entries(query).filter(([name]) => !own.has(name))).toString();
  const whole = (show) => {
    const parts = [put(ownQuery, false, show), added].filter((part) => part !== "").join("&");
    return put(path, true, show) + (parts === "" ? "" : `?${parts}`);
  };
  return { method, path: whole(false), shown: whole(true), secrets };
}
var blank = (path) => path.replace(/\{[^{}]*\}/g, "{}");
function matcher(catalog) {
  const operations = catalog.map(({ method, path }) => ({ name: `${method} ${path}`, path }));
  const unfilled = new Map(operations.map((one) => [blank(one.name), one]));
  const known = /* @__PURE__ */ new Map();
  let filled;
  return (endpoint) => {
    const name = endpoint.split("?")[0];
    let found = known.get(name) ?? unfilled.get(blank(name));
    if (!found) {
      filled ??= finderOfFilled(operations);
      found = filled(name) ?? { name, path: name.slice(name.indexOf(" ") + 1) };
    }
    known.set(name, found);
    return found;
  };
}
function finderOfFilled(operations) {
  const patterns = operations.map((operation) => {
    const parts = blank(operation.name).split("{}");
    const pattern = new RegExp(`^${parts.map(literally).join("[^/]+")}$`);
    return { operation, variables: parts.length - 1, pattern };
  }).sort((a, b) => a.variables - b.variables);
  return (name) => patterns.find(({ pattern }) => pattern.test(blank(name)))?.operation;
}

return{RequestError:RequestError,HttpError:HttpError,Unreachable:Unreachable,ConnectionCut:ConnectionCut,TimedOut:TimedOut,NotJson:NotJson,OutOfBounds:OutOfBounds,Redirected:Redirected,RateLimited:RateLimited,IncompleteList:IncompleteList,queryText:queryText,fill:fill,matcher:matcher};})();exports.part_4VPSH4ZL=part_4VPSH4ZL;
