"use strict";const part_L62ZC6LQ=(()=>{const {
  RequestError,
  fill,
  queryText
}=require("./part-5.cjs").part_4VPSH4ZL;const {
  header,
  pair,
  pairsOf,
  secretsFor,
  sentBy
}=require("./part-56.cjs").part_O7OGUCZM;const {
  idsOf
}=require("./part-91.cjs").part_JC4MGK2O;const {
  coverageOf,
  coverageText,
  operationOf,
  requestsOf
}=require("./part-105.cjs").part_FE33W6O7;const {
  standIns
}=require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;const {
  openAccount,
  scopeOf
}=require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;const {
  resolveSecrets
}=require("./part-86.cjs").part_ULWTVNOV;const {
  openMasking
}=require("./part-82.cjs").part_QI5FGYYL;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  outputFile,
  refuseUnwritable
}=require("./part-18.cjs").part_CTIH5LY5;const {
  loadAround,
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;const {
  kindsOf,
  lineage
}=require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  withScope
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  isYes,
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;const {
  closest
}=require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;const {
  addressOf,
  escapeName
}=require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;const {
  inActions
}=require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  visible
}=require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { randomBytes }=require("node:crypto");const { once }=require("node:events");const { createWriteStream }=require("node:fs");const { rename, rm }=require("node:fs/promises");const { pipeline }=require("node:stream/promises");;
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
;
;

// src/api/called.ts
function calledOperation([first, second], operations, closest2) {
  if (second === void 0) {
    const found = operations.filter(({ operationId }) => operationId === first);
    if (found.length === 1) return { operation: found[0], params: {}, query: [] };
    if (found.length > 1) throw unknown(`${first} is the name of ${found.length} operations`, listed(found));
    const near = closest2(
      first,
      operations.flatMap(({ operationId }) => operationId ?? [])
    );
    const meant = near === void 0 ? "`trueup api --list` shows them all" : `did you mean \`${near}\`?`;
    throw unknown(`there is no operation named ${JSON.stringify(first)}`, meant);
  }
  const method = first.toUpperCase();
  const [path = "", search = ""] = second.split(/\?(.*)/s);
  const words = path.split("/");
  const fits = operations.filter((operation) => operation.method === method).flatMap((operation) => {
    const params = paramsIn(operation.path.split("/"), words);
    return params ? [{ operation, params }] : [];
  }).sort((a, b) => openIn(a.operation.path) - openIn(b.operation.path));
  const query = [...new URLSearchParams(search)];
  if (fits[0]) return { ...fits[0], query };
  const sameWords = operations.filter((one) => paramsIn(one.path.split("/"), words));
  const others = sameWords.length > 0 ? sameWords : operations.filter(({ path: own }) => isLike(own, path));
  throw unknown(
    `there is no operation ${method} ${path}`,
    others.length > 0 ? `it has ${listed(others.slice(0, 5))}` : "`trueup api --list` shows what it has"
  );
}
var unknown = (message, hint) => new Problems([problem("api/operation", message, { hint })]);
var listed = (operations) => operations.map(({ method, path }) => `${method} ${path}`).join(", ");
var isOpen = (word) => word.startsWith("{");
var openIn = (path) => path.split("/").filter(isOpen).length;
function paramsIn(own, words) {
  if (own.length !== words.length) return void 0;
  const params = {};
  for (const [index, part] of own.entries()) {
    const word = words[index];
    if (!isOpen(part)) {
      if (part !== word) return void 0;
    } else if (word === "") return void 0;
    else if (!isOpen(word)) params[part.slice(1, -1)] = decoded(word);
    else if (word !== part) return void 0;
  }
  return params;
}
function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
var isLike = (own, path) => paramsIn(bare(own), bare(path)) !== void 0;
var bare = (path) => path.replace(/^\/v\d+(?=\/)/, "").split("/");

// src/api/places.ts
function placeFiller(kinds, operations) {
  const meanings = meaningsIn(kinds, operations);
  return (operation, ids) => {
    const idIn = (meant = []) => [...meant].map((kind) => ids.get(kind)).find((id) => id !== void 0);
    const params = Object.fromEntries(
      placeholders(operation).flatMap(({ name, before }) => {
        const exact = meanings.exact.get(`${operation.method} ${operation.path} ${name}`);
        const id = idIn(exact ?? meanings.after.get(`${before}/${name}`));
        return id === void 0 ? [] : [[name, id]];
      })
    );
    const query = Object.fromEntries(
      (operation.query ?? []).flatMap((name) => {
        const meant = meanings.asked.get(name) ?? meanings.named.get(name);
        const id = meant?.size === 1 ? idIn(meant) : void 0;
        return id === void 0 || Object.values(params).includes(id) ? [] : [[name, id]];
      })
    );
    return { params, query };
  };
}
var unfilled = (operation, params) => placeholders(operation).flatMap(({ name }) => Object.hasOwn(params, name) ? [] : [name]);
function meaningsIn(kinds, operations) {
  const meanings = { exact: /* @__PURE__ */ new Map(), after: /* @__PURE__ */ new Map(), named: /* @__PURE__ */ new Map(), asked: /* @__PURE__ */ new Map() };
  for (const kind of kinds.values())
    for (const { endpoint } of requestsOf(kind)) {
      const operation = operationOf(endpoint, operations);
      if (!operation) continue;
      const [, path, search] = endpoint.split(/[ ?]/);
      const words = path.split("/");
      for (const [name, value] of new URLSearchParams(search)) {
        const meant = kindMeant(value, kind, kinds);
        if (meant !== void 0) add(meanings.asked, name, meant);
      }
      for (const { name, before, index } of placeholders(operation)) {
        const meant = kindMeant(words[index], kind, kinds);
        if (meant === void 0) continue;
        add(meanings.exact, `${operation.method} ${operation.path} ${name}`, meant);
        add(meanings.after, `${before}/${name}`, meant);
        add(meanings.named, name, meant);
      }
    }
  return meanings;
}
function kindMeant(word, kind, kinds) {
  if (word === "{id}") return kind.name;
  return lineage(kinds, kind.parent).find(({ name }) => word === `{${name}}`)?.name;
}
function add(map, key, value) {
  map.set(key, /* @__PURE__ */ new Set([...map.get(key) ?? [], value]));
}
function placeholders({ path }) {
  const words = path.split("/");
  return words.flatMap(
    (word, index) => word.startsWith("{") ? [{ name: word.slice(1, -1), before: words[index - 1], index }] : []
  );
}

// src/cli/api-answer.ts
;
;
;
;
;
var mostLaidOut = 4 * 1024 * 1024;
async function printAnswer({ status, headers, parts }, { output, include }, masking, terminal) {
  const { host } = terminal.run;
  if (include) terminal.out(masking.mask(headText(status, headers)));
  if (output !== void 0) {
    const bytes = await writeParts(host, output, parts);
    terminal.err(`Wrote ${output}: ${count(bytes, "byte")}.`);
    return;
  }
  const [type = ""] = String(headers["content-type"] ?? "").split(";");
  const isJson = /^\w+\/(?!stream\+)([\w.-]+\+)?json$/i.test(type.trim());
  const { held, rest } = await begun(parts, isJson ? mostLaidOut : 1);
  if (held.length === 0) return;
  const json = isJson && rest === void 0 ? laidOut(held.toString("utf8")) : void 0;
  if (json !== void 0) return terminal.out(masking.mask(json));
  if (inActions(host) || isBinary(held)) {
    await rest?.return?.();
    throw new Problems([
      problem("api/output", `the response is ${type || "without a content type"} and is not printed`, {
        hint: "write it to a file with --output FILE"
      })
    ]);
  }
  for await (const text of texts(followedBy(held, rest)))
    await write(host, shownOn(host, masking.mask(text)));
}
var shownOn = ({ stdout }, text) => stdout.isTTY ? visible(text) : text;
function headText(status, headers) {
  const lines = Object.entries(headers).flatMap(
    ([name, value]) => [value].flat().flatMap((one) => one === void 0 ? [] : [`${name}: ${one}`])
  );
  return [`HTTP ${status}`, ...lines, "", ""].join("\n");
}
function laidOut(text) {
  try {
    const value = JSON.parse(text);
    return /\d{16}|[eE][+-]?\d{3}/.test(text) ? text : JSON.stringify(value, null, 2);
  } catch {
    return void 0;
  }
}
async function begun(parts, least) {
  const rest = parts[Symbol.asyncIterator]();
  const held = [];
  let length = 0;
  while (length < least) {
    const next = await rest.next();
    if (next.done) return { held: Buffer.concat(held) };
    held.push(next.value);
    length += next.value.length;
  }
  return { held: Buffer.concat(held), rest };
}
async function* followedBy(held, rest) {
  yield held;
  for (let next = await rest?.next(); next && !next.done; next = await rest.next()) yield next.value;
}
async function* texts(parts) {
  const decoder = new TextDecoder();
  let left = "";
  for await (const part of parts) {
    left += decoder.decode(part, { stream: true });
    const end = left.lastIndexOf("\n") + 1 || (left.length > mostLaidOut ? left.length : 0);
    if (end > 0) yield left.slice(0, end);
    left = left.slice(end);
  }
  left += decoder.decode();
  if (left !== "") yield left;
}
var isBinary = (start) => {
  const piece = start.subarray(0, 4096);
  return piece.includes(0) || piece.toString("utf8", 0, piece.length - 3).includes("\uFFFD");
};
async function write({ stdout }, part) {
  if (!stdout.write(part)) await once(stdout, "drain");
}
async function writeParts(host, path, parts) {
  const file = await outputFile(host, path);
  const part = `${file}.${randomBytes(6).toString("hex")}.part`;
  let bytes = 0;
  async function* counted() {
    for await (const one of parts) {
      bytes += one.length;
      yield one;
    }
  }
  try {
    await pipeline(counted(), createWriteStream(part, { mode: 384, flags: "wx" }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    return refuseUnwritable(path)(error);
  }
  return bytes;
}

// src/cli/api-call.ts
async function callOperation(provider, operations, called, options, terminal) {
  const { host } = terminal.run;
  const { operation } = called;
  const isRead = operation.method === "GET" || operation.method === "HEAD";
  refuseOdd(isRead, operation, options);
  const kinds = kindsOf(provider.kinds);
  const sources = sourcesFor(options, host, terminal);
  const configuration = await loadAround(kinds, options, host, sources);
  const masking = openMasking();
  const { cwd, env } = host;
  const secrets = await secretsFor(
    configuration,
    options,
    (declared) => options.twin ? standIns(declared, kinds) : resolveSecrets(declared, { env, cwd, sources })
  );
  for (const secret of secrets.values()) masking.know(secret);
  const sent = sentBy(options, secrets, host);
  if (options.output !== void 0) await outputFile(host, options.output);
  const account = await openAccount(provider, scopeOf(configuration, options), options, terminal, masking);
  try {
    const { connection, owner } = account;
    const address = options.resource ?? (options.project && addressOf(void 0, "projects", [escapeName(options.project)]));
    const about = { connection, owner, kinds, configuration, options, host };
    const ids = address ? await idsOf(address, about) : /* @__PURE__ */ new Map();
    const places = placeFiller(kinds, operations)(operation, ids);
    const named = Object.fromEntries(pairsOf(options.param));
    const asked = [...called.query, ...pairsOf(options.query)];
    const implied = Object.entries(places.query).filter(([name]) => asked.every(([other]) => other !== name));
    const filling = {
      params: { ...ownNames(owner), ...places.params, ...called.params, ...named },
      query: [...implied, ...asked]
    };
    refuseUnfilled(operation, filling);
    if (options.paginate !== void 0) {
      const all = await allItems(connection, operation, filling, options.paginate);
      terminal.out(masking.mask(jsonText(all)));
    } else if (isRead || await agreed(operation, filling, options, terminal)) {
      const { method, path } = operation;
      const answered = await connection.call({ method, path, ...filling, ...sent }).catch(refused);
      await printAnswer(answered, options, masking, terminal);
    }
  } finally {
    await account.close();
  }
}
function refused(error) {
  if (!(error instanceof RequestError) || error.hint !== void 0) throw error;
  throw new Problems([problem(error.code, error.message, { hint: "fix the call and send it again" })]);
}
var ownNames = ({ type, id, slug }) => type === "team" ? { teamId: id, teamSlug: slug } : {};
function refuseOdd(isRead, { method, path }, options) {
  if (isRead && (options.field || options.secretField || options.input !== void 0))
    throw new Problems([
      problem("api/usage", `${method} ${path} takes no body`, {
        hint: "write query parameters as --query NAME=VALUE"
      })
    ]);
  if (method !== "GET" && options.paginate !== void 0)
    throw new Problems([
      problem("api/usage", `--paginate is for lists, and ${method} ${path} does not return one`)
    ]);
}
function refuseUnfilled(operation, { params }) {
  const { method, path } = operation;
  const wrong = unfilled(operation, params).map(
    (name) => problem("api/placeholder", `no value for {${name}} in ${method} ${path}`, {
      hint: `set it with --param ${name}=VALUE, or use --project or --resource`
    })
  );
  if (wrong.length > 0) throw new Problems(wrong);
  try {
    fill(`${method} ${path}`, params);
  } catch (error) {
    throw new Problems([problem("api/placeholder", error.message)]);
  }
}
async function agreed(operation, filling, { autoApprove }, terminal) {
  if (autoApprove) return true;
  const { method, shown } = fill(endpointOf(operation, filling), filling.params);
  return isYes(terminal, {
    question: `${method} ${shown}
Send this?`,
    no: "Nothing was sent.",
    unattended: problem(
      "api/unattended",
      `a write needs a terminal or --auto-approve; ${method} ${shown} was not sent`,
      {
        hint: "pass --auto-approve if this has already been approved"
      }
    )
  });
}
var endpointOf = ({ method, path }, { query }) => {
  const search = queryText(query);
  return `${method} ${path}${search && `?${search}`}`;
};
async function allItems({ send }, operation, filling, member) {
  const { params } = filling;
  const endpoint = endpointOf(operation, filling);
  const items = member === true ? memberOf(await send({ endpoint, params }), endpoint) : member;
  return send({ endpoint, params, items });
}
function memberOf(answer, endpoint) {
  if (Array.isArray(answer)) return "";
  const lists = Object.entries(answer ?? {}).flatMap(([name, value]) => Array.isArray(value) ? [name] : []);
  if (lists.length === 1) return lists[0];
  throw new Problems([
    problem(
      "api/paginate",
      `the response to ${endpoint} has ${lists.length === 0 ? "no list" : `the lists ${lists.join(", ")}`}`,
      {
        hint: lists.length === 0 ? "call it without --paginate" : `name one: --paginate ${lists[0]}`
      }
    )
  ]);
}

// src/cli/api.ts
function apiCommand(command, provider, run) {
  withScope(command).argument("[operation]", "its name (`getDeployments`), or a method followed by a path").argument("[path]", "as in the catalog: `/v9/projects/{idOrName}`, or with values filled in").option("--list [group]", "show the operations of the API, and which kinds use them").option("--json", "with --list: print one JSON document").option("--project <name>", "the project to act on, by name").option("--resource <address>", "the object to act on, by address: `projects/web/env/A`").option("--param <name=value>", "the value of a placeholder in the path; repeatable", pair).option("--query <name=value>", "a query parameter; repeatable", pair).option("--header <name:value>", "a header; repeatable", header).option("--field <name=value>", "a member of the JSON body; dots make nested members; repeatable", pair).option("--secret-field <name=secret>", "a member set to a secret of the configuration; repeatable", pair).addOption(
    new Option("--input <file>", "send this file as the body (`-`: standard input)").conflicts([
      "field",
      "secretField"
    ])
  ).addOption(
    new Option("--paginate [member]", "read all pages and print one list").conflicts([
      "output",
      "include",
      "input",
      "field",
      "secretField"
    ])
  ).option("--output <file>", "write the response to a file").option("--include", "also print the status and headers").option("--auto-approve", "do not ask before a write").option("--ledger <place>", "where the ledger is, for --resource").action(async (first, second, options) => {
    const operations = await provider.operations();
    const terminal = terminalFor(run, options);
    if (options.list !== void 0) return list(provider, operations, first, options, terminal);
    if (first === void 0)
      throw new Problems([
        problem("api/usage", "no operation given", {
          hint: "`trueup api GET /v2/user`, or `trueup api --list`"
        })
      ]);
    const called = calledOperation([first, second], operations, closest);
    await callOperation(provider, operations, called, options, terminal);
  });
}
async function list(provider, operations, word, { list: given, json }, terminal) {
  const group = given === true ? word : given;
  const groups = [...new Set(operations.map((one) => one.group))];
  if (group !== void 0 && !groups.includes(String(group))) {
    const near = closest(String(group), groups);
    throw new Problems([
      problem("api/group", `the API has no group ${JSON.stringify(group)}`, {
        hint: `${near === void 0 ? "" : `did you mean \`${near}\`? `}There are ${groups.join(", ")}`
      })
    ]);
  }
  const shown = operations.filter((one) => group === void 0 || one.group === group);
  const all = provider.kinds.map((kind) => ({ kind, requests: requestsOf(kind) }));
  const dayTwo = await provider.dayTwo();
  const coverage = coverageOf(shown, all, provider.lookups, { all: operations, dayTwo });
  terminal.out(
    json ? jsonText({ formatVersion: "1.0", ...coverage }) : coverageText(coverage, { style: terminal.outStyle, isNamed: true })
  );
}
return{apiCommand:apiCommand};})();exports.part_L62ZC6LQ=part_L62ZC6LQ;
