"use strict";const part_UIO3JTQR=(()=>{const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;

// src/stores/client-package.ts
async function clientPackage(name, load, what = "this ledger") {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    throw new Problems([
      problem(
        "ledger/client",
        isMissing ? `${what} needs the package ${name}, which is not installed beside trueup` : `the package ${name}, which ${what} needs, cannot be loaded: ${message.split("\n")[0]}`,
        {
          hint: `install it where trueup is installed: \`npm install ${name}\`, or with --global as trueup itself; nothing was changed`
        }
      )
    ]);
  }
}

return{clientPackage:clientPackage};})();exports.part_UIO3JTQR=part_UIO3JTQR;
const part_E6DY2P6B=(()=>{const {
  clientPackage
}=part_UIO3JTQR;;

// src/stores/postgres/pool.ts
var isWithoutTables = (error) => ["42P01", "3F000"].includes(error.code);
async function inTransaction(pool, { schema, tables, patience = { lock: "30s", idle: "60s" } }, work) {
  const client = await pool.connect();
  let broken;
  const onError = (error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    for (let tried = 0; ; tried++)
      try {
        await client.query(
          `begin isolation level read committed; set local lock_timeout = '${patience.lock}'; set local idle_in_transaction_session_timeout = '${patience.idle}'`
        );
        if (tried > 0) await makeTables(client, { schema, tables });
        const done = await work(client);
        await client.query("commit");
        return done;
      } catch (error) {
        await client.query("rollback").catch((failed) => {
          broken = failed;
        });
        if (tried > 0 || broken || !isWithoutTables(error)) throw error;
      }
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}
async function makeTables(client, { schema, tables }) {
  await client.query("select pg_advisory_xact_lock(hashtext('trueup'))");
  const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [schema]);
  if (rows.length === 0) await client.query(`create schema "${schema}"`);
  for (const [name, columns] of Object.entries(tables))
    await client.query(`create table if not exists "${schema}".${name} (${columns})`);
}
var pools = /* @__PURE__ */ new Map();
function poolFor({ config }, what) {
  const name = JSON.stringify(config);
  const known = pools.get(name);
  if (known) return known;
  const opened = open(config, what);
  pools.set(name, opened);
  opened.catch(() => pools.delete(name));
  return opened;
}
async function open(config, what) {
  const { Pool } = await clientPackage("pg", () => Promise.resolve().then(()=>require("pg")), what);
  const pool = new Pool({
    application_name: "trueup",
    max: 4,
    connectionTimeoutMillis: 3e4,
    idleTimeoutMillis: 5e3,
    query_timeout: 12e4,
    allowExitOnIdle: true,
    ...config
  });
  pool.on("error", () => {
  });
  return pool;
}

return{isWithoutTables:isWithoutTables,inTransaction:inTransaction,poolFor:poolFor};})();exports.part_E6DY2P6B=part_E6DY2P6B;
const part_LWABGJRU=(()=>{const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;

// src/stores/postgres/postgres-error.ts
function postgresProblems(place, doing, error, secret) {
  const { code, why, hint } = postgresFault(error, secret);
  return new Problems([problem(code, `the ledger ${place} cannot be ${doing}: ${why}`, { hint })]);
}
function postgresFault(error, secret) {
  const { code = "" } = error;
  const [first = ""] = (error.message || code).split("\n");
  const message = secret ? first.replaceAll(secret, "***") : first;
  const { code: found, hint } = sorts.find((one) => one.isOne(code, message)) ?? {
    code: "ledger/postgres-failed",
    hint: "correct what the server says, then run trueup again"
  };
  return { code: found, why: message || code, hint };
}
var sorts = [
  {
    code: "ledger/postgres-tls",
    hint: "the server needs a certificate that is checked; name the file of a private authority with `?sslrootcert=FILE` or PGSSLROOTCERT",
    isOne: (code, message) => /^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code) || /does not support SSL/.test(message)
  },
  {
    // Class 28 is about who somebody is, 42501 about what they may; without a password pg says so itself.
    code: "ledger/postgres-denied",
    hint: "set PGUSER and PGPASSWORD, or the file that PGPASSFILE names",
    isOne: (code, message) => code.startsWith("28") || /password must be a string|no password/i.test(message)
  },
  {
    code: "ledger/postgres-denied",
    hint: "the user must be allowed to use the schema and its tables; the first write makes them, or whoever may runs it once",
    isOne: (code) => code === "42501"
  },
  {
    code: "ledger/postgres-database",
    hint: "make the database, or correct its name: `createdb trueup`",
    isOne: (code) => code === "3D000"
  },
  {
    code: "ledger/postgres-read-only",
    hint: "use the primary server: this one is a replica, or writes are turned off",
    isOne: (code) => code === "25006"
  },
  {
    // The limits of whoever runs the server: time for a statement, for a lock, in a transaction; connections and memory.
    code: "ledger/postgres-busy",
    hint: "run trueup again; if it persists, find the session that holds the row (`pg_stat_activity`), or raise statement_timeout, lock_timeout or the connection limit of this user",
    isOne: (code) => ["57014", "55P03", "25P03", "25P04", "40001", "40P01"].includes(code) || /^53[234]/.test(code)
  },
  {
    code: "ledger/postgres-unreachable",
    hint: "check host, port and network, then run trueup again; if a write was under way, the next run sees whether it arrived",
    isOne: (code, message) => /^E[A-Z]+$/.test(code) || /timeout|terminated|closed/i.test(message) || /^(08|57P)/.test(code)
  }
];

return{postgresProblems:postgresProblems,postgresFault:postgresFault};})();exports.part_LWABGJRU=part_LWABGJRU;
