"use strict";const part_MYWS23SU=(()=>{const {
  iso_exports
}=require("./part-90.cjs").part_XRTKEBJF;const {
  literal,
  looseObject,
  number,
  string
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { randomBytes }=require("node:crypto");const { hostname, userInfo }=require("node:os");;
;
;

// src/ledger/lease-record.ts
;
;
var schema = looseObject({
  formatVersion: literal(1),
  run: string(),
  user: string(),
  host: string(),
  pid: number(),
  since: iso_exports.datetime(),
  expires: iso_exports.datetime(),
  renewals: number().optional(),
  watched: number().min(0).optional()
});
function parseLease(text) {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return void 0;
  }
}
var leaseText = (record) => `${JSON.stringify(record, null, 2)}
`;
var [heartbeat, term] = [1e4, 6e4];
var isPlausible = ({ expires }, now) => {
  const left = Date.parse(expires) - now;
  return left > 0 && left <= term;
};
function holderText(record, now) {
  const { user, host, pid, since, expires } = record;
  const left = Math.ceil((Date.parse(expires) - now) / 1e3);
  const end = isPlausible(record, now) ? `it expires at ${seconds(expires)}, in ${left} s, unless it is renewed` : `by its own clock it ${left > 0 ? "expires" : "expired"} at ${seconds(expires)}`;
  return `${user}@${host} (process ${pid}) since ${seconds(since)}; ${end}`;
}
var seconds = (time) => time.replace(/\.\d+Z$/, "Z");
var heldBy = (place, record, now) => record ? problem("lease/held", `the ledger ${place} is in use by ${holderText(record, now)}`, {
  hint: "wait for it, for example with --lock-wait 300; if that run is gone, run `trueup ledger unlock`"
}) : problem("lease/corrupt", `the lease of the ledger ${place} has an unknown format`, {
  hint: "a newer trueup may be running; if not, remove it with `trueup ledger unlock`"
});
var whoOf = ({ user, host }) => `${user}@${host}`;
var thisHolder = ({ processes, env }) => ({
  run: randomBytes(9).toString("base64url"),
  user: userName(env),
  host: hostname(),
  pid: processes.pid
});
function userName(env) {
  try {
    return userInfo().username;
  } catch {
    return env.USER || "a user without a name";
  }
}

return{parseLease:parseLease,leaseText:leaseText,heartbeat:heartbeat,term:term,isPlausible:isPlausible,holderText:holderText,heldBy:heldBy,whoOf:whoOf,thisHolder:thisHolder};})();exports.part_MYWS23SU=part_MYWS23SU;
const part_SE5RFCD4=(()=>{const {
  isLoopback
}=require("./part-106.cjs").part_6Z4P2PSD;const {
  refuseOthers,
  refused
}=require("./part-92.cjs").part_KCCUIXOW;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const { readFileSync }=require("node:fs");;
;
;

// src/stores/postgres/connection.ts
;
var known = ["schema", "host", "sslmode", "sslrootcert", "password"];
function connectionOf(url, env, use = "ledger") {
  const query = url.searchParams;
  refuseOthers(query, known, use);
  const usualSchema = use === "queue" ? "trueup_fleet" : "trueup";
  const schema = query.get("schema") ?? usualSchema;
  if (!/^[a-z_][a-z\d_]{0,62}$/.test(schema))
    throw refused(
      `the schema of the ${use} is not a valid name`,
      "use lower-case letters, digits and underscores: `?schema=trueup`",
      use
    );
  const host = query.get("host") || decodeURIComponent(url.hostname) || env.PGHOST || "localhost";
  const port = Number(url.port || env.PGPORT || 5432);
  const user = decodeURIComponent(url.username) || env.PGUSER || env.USER || env.LOGNAME;
  const database = decodeURIComponent(url.pathname.slice(1)) || env.PGDATABASE || user;
  const password = decodeURIComponent(url.password) || query.get("password") || env.PGPASSWORD || void 0;
  const isLocal = host.startsWith("/") || isLoopback(host) || host === "::1";
  const at = host.startsWith("/") ? "" : `${host}${port === 5432 ? "" : `:${port}`}`;
  return {
    shown: `postgres://${at}/${database ?? ""}${schema === usualSchema ? "" : `?schema=${schema}`}`,
    schema,
    config: {
      host,
      port,
      ...user === void 0 ? {} : { user },
      ...database === void 0 ? {} : { database },
      // Without one the client looks into the file that PGPASSFILE names.
      ...password === void 0 ? {} : { password },
      ssl: tlsOf(
        query.get("sslmode") ?? env.PGSSLMODE,
        isLocal,
        { ca: query.get("sslrootcert") ?? env.PGSSLROOTCERT, cert: env.PGSSLCERT, key: env.PGSSLKEY },
        use
      )
    }
  };
}
var unchecked = ["disable", "allow", "prefer", "no-verify"];
var checked = ["require", "verify-ca", "verify-full"];
function tlsOf(mode, isLocal, files, use) {
  if (mode !== void 0 && ![...unchecked, ...checked].includes(mode))
    throw refused(`the sslmode of the ${use} is not supported`, `use one of ${checked.join(", ")}`, use);
  if (isLocal && (mode === void 0 || unchecked.includes(mode))) return false;
  if (mode !== void 0 && unchecked.includes(mode))
    throw refused(
      `sslmode=${mode} would let anybody on the network read and change the ${use}: certificates of other machines are always checked`,
      "remove it; for a private authority pass its file with `?sslrootcert=FILE` or PGSSLROOTCERT",
      use
    );
  const read = Object.entries(files).flatMap(
    ([name, path]) => path === void 0 || path === "" || path === "system" ? [] : [[name, textOf(path, use)]]
  );
  return { rejectUnauthorized: true, ...Object.fromEntries(read) };
}
function textOf(path, use) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw refused(
      `the file ${path} cannot be read: ${systemText(error)}`,
      `it is for the TLS of the ${use}: correct its path`,
      use
    );
  }
}

return{connectionOf:connectionOf};})();exports.part_SE5RFCD4=part_SE5RFCD4;
