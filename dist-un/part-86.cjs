"use strict";const part_6FVWABKZ=(()=>{const {
  usesOf
}=require("./part-105.cjs").part_EABJC5VV;const {
  holesIn,
  isHole,
  isJoin,
  isPlainObject,
  isSecretRef,
  mapHoles
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  mapMembers
}=require("./part-80.cjs").part_YNHFC6K5;const {
  warning
}=require("./part-80.cjs").part_H2UX7ADC;const { createHash }=require("node:crypto");;
;
;
;

// src/config/stand-ins.ts
;
function standIns({ desired, usedSecrets }, kinds) {
  const names = [...usedSecrets].sort();
  if (names.length === 0) return { values: /* @__PURE__ */ new Map(), diagnostics: [] };
  const texts = new Map(names.map((name) => [name, candidates(name)[0]]));
  const uses = usesOf(desired.resources.values());
  const parentOf = ({ parent }) => (parent === void 0 ? void 0 : desired.resources.get(parent))?.fields ?? {};
  const misfit = [];
  for (const name of names) {
    const of = uses.get(name) ?? [];
    const complaintsAbout = (text) => {
      const chosen = new Map(texts).set(name, text);
      const count = of.map((one) => complaints(kinds.get(one.kind), one, parentOf(one), chosen));
      return count.reduce((sum, one) => sum + one, 0);
    };
    let least = Number.POSITIVE_INFINITY;
    for (const text of candidates(name)) {
      const found = complaintsAbout(text);
      if (found < least) texts.set(name, text);
      least = Math.min(least, found);
      if (least === 0) break;
    }
    if (least > 0) misfit.push(noneFits(name, of[0]));
  }
  return {
    values: new Map([...texts].map(([name, text]) => [name, new Sealed(text, name)])),
    diagnostics: [...misfit, ...names.map(inUse)]
  };
}
function candidates(name) {
  const hash = createHash("sha256").update(`stand-in ${name}`).digest("hex");
  const byte = 1 + Number.parseInt(hash.slice(0, 2), 16) % 254;
  const label = `stand-in-${hash.slice(0, 12)}`;
  return [
    `stand-in-for-${name}-${hash.slice(0, 24)}`,
    `StandIn${hash.slice(0, 25)}`,
    `https://${label}.example.com/`,
    `${label}.example.com`,
    label,
    `192.0.2.${byte}`,
    `2001:db8::${byte.toString(16)}`,
    `0 issue "${label}.example.com"`,
    `standin${hash.slice(0, 8)}@example.com`,
    String(byte)
  ];
}
function complaints(kind, { fields }, parent, texts) {
  const filled = mapMembers(fields, (value) => withTexts(value, texts));
  let count = 0;
  for (const [name, schema] of Object.entries(kind.fields)) {
    const places = Object.hasOwn(fields, name) ? placesOf(fields[name]) : [];
    if (places.length === 0) continue;
    const { error } = schema.safeParse(mapHoles(filled[name], () => "id"));
    for (const { path } of error?.issues ?? [])
      if (places.some((place) => isBelow(place, path) || isBelow(path, place))) count++;
  }
  const found = kind.rules.check ? kind.rules.check(filled, parent).length - kind.rules.check(fields, parent).length : 0;
  return count + Math.max(0, found);
}
var hasText = (hole) => isSecretRef(hole) || hole instanceof Sealed || isJoin(hole) && hole.$join.every((one) => typeof one === "string" || hasText(one));
var withTexts = (value, texts) => mapHoles(value, (hole) => hasText(hole) ? textOf(hole, texts) : hole);
function textOf(value, texts) {
  if (value instanceof Sealed) return value.reveal();
  if (isSecretRef(value)) return texts.get(value.$secret) ?? "";
  return isJoin(value) ? value.$join.map((one) => textOf(one, texts)).join("") : String(value);
}
function placesOf(value) {
  if (isHole(value)) return holesIn(value).some(isSecretRef) ? [[]] : [];
  const inside = (members) => members.flatMap(([step, one]) => placesOf(one).map((path) => [step, ...path]));
  if (Array.isArray(value)) return inside([...value.entries()]);
  return isPlainObject(value) ? inside(Object.entries(value)) : [];
}
var isBelow = (path, ancestor) => ancestor.every((step, i) => step === path[i]);
var inUse = (name) => warning(
  "secret/stand-in",
  `using a placeholder for the secret \`${name}\`: secrets are not read for the embedded twin`,
  { secret: { name } }
);
var noneFits = (name, user) => warning(
  "secret/stand-in-misfit",
  `no placeholder for the secret \`${name}\` is valid in all fields that use it`,
  {
    hint: "the twin may reject it; the platform gets the real secret",
    secret: { name },
    ...user ? { at: user.at } : {}
  }
);

return{standIns:standIns};})();exports.part_6FVWABKZ=part_6FVWABKZ;
const part_ULWTVNOV=(()=>{const {
  openMasking
}=require("./part-82.cjs").part_QI5FGYYL;const {
  usesOf
}=require("./part-105.cjs").part_EABJC5VV;const {
  envValue,
  noProgram,
  notAllowed,
  originText
}=require("./part-97.cjs").part_BQI24POO;const {
  isOwnDocument,
  readRegularFile
}=require("./part-97.cjs").part_UADL7KU7;const {
  sortDiagnostics
}=require("./part-84.cjs").part_IUECLPFZ;const {
  visibleEnv
}=require("./part-83.cjs").part_LFMTYGTI;const {
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;const {
  Sealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { execFile }=require("node:child_process");const { parseEnv }=require("node:util");;
;
;
;
;
;
;
;
;

// src/config/resolve-secrets.ts
;
;

// src/config/command-complaints.ts
var most = { lines: 10, characters: 2e3 };
function complaints(stderr, stdout) {
  const masking = openMasking();
  for (const line of [stdout, ...stdout.split(/\s+/)]) masking.know(new Sealed(line));
  const lines = masking.mask(stderr).trim().slice(-most.characters).split(/\r?\n/);
  return lines.slice(-most.lines).join("\n");
}
var confidential = /TOKEN|SECRET|PASS|KEY|CREDENTIAL|AUTH|DSN|PRIVATE/i;
var named = /((?:token|secret|passw|pwd|key|credential|auth)[\w-]*["']?\s*[:=]\s*["']?(?:bearer |basic )?)[^\s"',;]{4,}/gi;
var looksSecret = (word) => word.length >= 20 && /[a-z]/i.test(word) && /\d/.test(word) && !/^(?:\.{0,2}\/|https?:)/.test(word);
function maskFor(secrets, env) {
  const masking = openMasking();
  for (const secret of secrets) masking.know(secret);
  for (const [name, value] of Object.entries(env))
    if (value && confidential.test(name)) masking.know(new Sealed(value));
  return (text) => masking.mask(text).replace(named, (_, name) => `${name}(secret)`).replace(/[A-Za-z0-9+/_=.~-]{20,}/g, (word) => looksSecret(word) ? "(secret)" : word).replace(/:\/\/[^\s/@]+@/g, "://(secret)@");
}

// src/config/resolve-secrets.ts
var maxBytes = 1024 * 1024;
var commandTimeout = 6e4;
var atOnce = 32;
async function judgeSecrets(declared, sources) {
  const asked = askedOf(declared);
  const verdicts = await sources.judge(asked, declared.writtenStack);
  return sortDiagnostics(asked.flatMap((one, at) => notAllowed(one, verdicts[at]) ?? []));
}
async function resolveSecrets(declared, options) {
  const values = /* @__PURE__ */ new Map();
  const diagnostics = [];
  const asked = askedOf(declared);
  const verdicts = await options.sources.judge(asked, declared.writtenStack);
  const reading = options.readings ?? /* @__PURE__ */ new Map();
  const failed = [];
  const inTurn = turns(atOnce);
  await Promise.all(
    asked.map(async (one, at) => {
      const verdict = verdicts[at];
      const refused = notAllowed(one, verdict);
      if (refused || !verdict.allowed) return void diagnostics.push(...refused ? [refused] : []);
      const key = `${verdict.path} ${originText(one.origin)}`;
      const result = reading.get(key) ?? read(one, verdict, options, inTurn);
      reading.set(key, result);
      const whole = await result;
      const { pick } = declared.secrets.get(one.name);
      const found = whole instanceof Sealed && pick ? picked(whole, pick) : whole;
      if (found instanceof Sealed) return void values.set(one.name, new Sealed(found.reveal(), one.name));
      failed.push({ one, found });
    })
  );
  const masked = maskFor([...values.values()], options.env);
  const uses = usesOf(declared.desired?.resources.values() ?? []);
  for (const { one, found } of failed) diagnostics.push(unavailable(one, found, { masked, uses }));
  return {
    values: new Map([...values].sort(([a], [b]) => a < b ? -1 : 1)),
    diagnostics: sortDiagnostics(diagnostics)
  };
}
function unavailable({ name, origin, at }, { code, message, hint, said }, { masked, uses }) {
  const users = [...new Set((uses.get(name) ?? []).map(({ address }) => wholeAddress(address)))];
  const needed = users.length === 0 ? "" : `; needed by ${named2(users)}`;
  const lines = said === void 0 ? [] : masked(said).split("\n");
  return problem(
    code,
    [`the secret \`${name}\` is not available: ${message}${needed}`, ...lines].join("\n"),
    {
      secret: {
        name,
        ..."env" in origin ? { variable: origin.env } : {},
        ...users.length > 0 ? { users } : {}
      },
      at,
      hint
    }
  );
}
var mostNamed = 10;
function named2(users) {
  const more = users.length - mostNamed;
  return `${users.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
var askedOf = ({ secrets, usedSecrets }) => [...usedSecrets].sort().flatMap((name) => {
  const source = secrets.get(name);
  return source ? [{ use: "secret", name, origin: originOf(source), folder: source.folder, at: source.at }] : [];
});
async function originsOf({ secrets, usedSecrets, variableOrigins }, sources) {
  const origins = new Map([...variableOrigins].map(([name, source]) => [`variable ${name}`, source]));
  for (const name of usedSecrets) {
    const source = secrets.get(name);
    if (!source) continue;
    const file = "file" in source ? { file: await sources.nameOf(source.file, source.folder) } : void 0;
    origins.set(`secret ${name}`, originText(file ?? originOf(source)));
  }
  return origins;
}
function originOf(source) {
  if ("env" in source) return { env: source.env };
  return "file" in source ? { file: source.file } : { command: source.command };
}
function picked(whole, { format, key }) {
  const code = "secret/key";
  let members;
  try {
    members = format === "json" ? JSON.parse(whole.reveal()) : parseEnv(whole.reveal());
  } catch {
    return { code, message: "its source is not JSON" };
  }
  const value = typeof members === "object" && members !== null && Object.hasOwn(members, key) ? members[key] : void 0;
  if (value === void 0 || value === null || value === "")
    return { code, message: `its source has no value for the key ${key}`, hint: `add ${key} to it` };
  if (typeof value === "object")
    return {
      code,
      message: `its source has no text under the key ${key}`,
      hint: "each key must have a text value"
    };
  return new Sealed(String(value));
}
async function read({ origin }, { path }, options, inTurn) {
  if ("file" in origin) return readFile(path);
  if ("command" in origin && path === void 0)
    return {
      code: "secret/command",
      message: noProgram(origin.command[0]),
      hint: "install it on the PATH; programs inside the repository are not run"
    };
  if ("command" in origin) return inTurn(() => runCommand([path, ...origin.command.slice(1)], options));
  const value = envValue(options.env, origin.env);
  return value ? new Sealed(value) : {
    code: "secret/unset",
    message: `${origin.env} is not set`,
    hint: `set ${origin.env} in the environment`
  };
}
function turns(limit) {
  let running = 0;
  const waiting = [];
  return async (work) => {
    if (running >= limit) await new Promise((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
async function readFile(file) {
  try {
    const bytes = await readRegularFile(file, maxBytes);
    if (bytes === "special") return { code: "secret/file", message: "its file is not a regular file" };
    if (bytes === "too-large") return { code: "secret/file", message: "its file is larger than 1 MB" };
    if (isOwnDocument(bytes))
      return {
        code: "source/file",
        message: "its file is a trueup ledger or plan, which is never read"
      };
    return sealed(bytes);
  } catch (error) {
    const { code } = error;
    return { code: "secret/file", message: `its file cannot be read (${code})` };
  }
}
function runCommand([program, ...args], { env, cwd }) {
  const limits = {
    cwd,
    env: visibleEnv(env),
    timeout: commandTimeout,
    maxBuffer: maxBytes,
    encoding: "buffer",
    shell: false,
    windowsHide: true
  };
  return new Promise((resolve) => {
    const child = execFile(program, args, limits, (error, stdout, stderr) => {
      if (!error) return resolve(sealed(stdout));
      const { code, killed, signal } = error;
      const how = code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER" ? "printed more than 1 MB" : killed ? "took longer than a minute" : typeof code === "number" ? `ended with exit code ${code}` : signal ? `was ended by ${signal}` : `could not be started (${code})`;
      const said = complaints(stderr.toString("utf8"), stdout.toString("utf8"));
      resolve({
        code: "secret/command",
        message: `its command ${how}`,
        ...said === "" ? { hint: "run it by hand to see why" } : { said }
      });
    });
    child.stdin?.end();
  });
}
function sealed(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r?\n$/, "");
    return text === "" ? { code: "secret/empty", message: "it is empty" } : new Sealed(text);
  } catch {
    return { code: "secret/not-text", message: "it is not UTF-8 text" };
  }
}

return{judgeSecrets:judgeSecrets,resolveSecrets:resolveSecrets,originsOf:originsOf};})();exports.part_ULWTVNOV=part_ULWTVNOV;
