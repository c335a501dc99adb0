"use strict";const part_E2KLQZ6Y=(()=>{const {
  Exceeded,
  exchange,
  openDispatcher,
  standardBounds
}=require("./part-65.cjs").part_R3QD6ZDG;const {
  systemAlarm
}=require("./part-104.cjs").part_UL6NKBEB;require("./part-106.cjs").part_6Z4P2PSD;const {
  Conflict,
  isRecordName,
  storedText
}=require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  array,
  literal,
  looseObject,
  number,
  record,
  string
}=require("./part-90.cjs").part_ZJ7BVZLR;require("./part-72.cjs").part_VZPGGW2W;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_MQHVXKRH;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { hash }=require("node:crypto");const { randomUUID }=require("node:crypto");const { setTimeout }=require("node:timers/promises");;
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

// src/stores/http/http-error.ts
function httpProblem({ shown, secrets }, code, why, hint) {
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), why);
  return new Problems([problem(code, `the ledger ${shown}: ${said}`, { hint })]);
}
function excerptOf(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? "" : `: ${line.length > 120 ? `${line.slice(0, 120)}...` : line}`;
}
var originOf = (location, base) => {
  const [to = ""] = [location].flat();
  return URL.canParse(to, base.href) ? new URL(to, base).origin : "nowhere";
};
function refusedBy(place, doing, { status, text, headers }) {
  const isPage = text.trimStart().startsWith("<");
  const why = `${doing} was answered with ${status}${isPage ? "" : excerptOf(text)}`;
  const say = (code, hint) => httpProblem(place, code, why, hint);
  if (status === 401 || status === 403)
    return say(
      "ledger/http-denied",
      place.isGitLab ? "set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to a token with the scope `api`; to write, its user must be a Maintainer" : "set TF_HTTP_USERNAME and TF_HTTP_PASSWORD to what the server knows"
    );
  if (status === 413)
    return say(
      "ledger/http-too-large",
      "the server has a limit for one document: raise it, or keep the ledger elsewhere (`trueup ledger copy`)"
    );
  if (status >= 300 && status < 400)
    return say(
      "ledger/http-answer",
      `redirects are not followed, and this one leads to ${originOf(headers.location, place.url)}: use the right address, or set TF_HTTP_USERNAME and TF_HTTP_PASSWORD if it is a login page`
    );
  if (status === 422 && place.isGitLab)
    return say(
      "ledger/http-answer",
      "GitLab is deleting this state, or has a newer version of it than the one it serves: look at it under Operate, Terraform states"
    );
  if (status === 408 || status === 429 || status >= 500)
    return say("ledger/http-unreachable", "wait until the server is well, then run trueup again");
  return say(
    "ledger/http-answer",
    `check the address: it must speak the protocol of Terraform's backend "http"`
  );
}

// src/stores/http/protocol.ts
;
function openProtocol(place, env) {
  const dispatcher = dispatcherFor(place.url, env);
  const heldIn = (text) => ({ ...lockIn(text), ...place.isGitLab ? { Operation: "" } : {} });
  const ask = async (url, method, doing, body) => {
    const request = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      // Servers name the methods for locks as they like.
      method,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        ...place.authorization ? { authorization: place.authorization } : {},
        ...body === void 0 ? {} : { "content-type": "application/json", "content-md5": hash("md5", body, "base64") }
      },
      ...body === void 0 ? {} : { body }
    };
    try {
      return await exchange(dispatcher, request, standardBounds, systemAlarm);
    } catch (error) {
      if (error instanceof Problems) throw error;
      if (error instanceof Exceeded && error.bound === "maxBytes")
        throw notOurs(place, "what lies there is too large to be a ledger");
      const { code, message } = error;
      throw httpProblem(
        place,
        "ledger/http-unreachable",
        `${doing} failed: ${message || code}`,
        "check the address and the network, then run trueup again; if a write was under way, the next run sees whether it arrived"
      );
    }
  };
  return {
    get: async () => {
      const raw = await ask(place.url, "GET", "reading it");
      const { status, text, isCut, headers } = raw;
      if (status === 204) return void 0;
      if (status === 404 && place.isGitLab && /project/i.test(text))
        throw refusedBy(place, "reading it", { ...raw, status: 403 });
      if (status === 404) return void 0;
      if (status !== 200 || isCut) throw refusedBy(place, "reading it", raw);
      const encoding = headers["content-encoding"];
      if (encoding !== void 0 && encoding !== "identity")
        throw notOurs(place, "the answer is compressed, although trueup did not ask for that");
      return text;
    },
    put: async (text, id) => {
      const url = new URL(place.url);
      url.searchParams.set("ID", id);
      const raw = await ask(url, place.update, "writing it", text);
      const { status, text: said } = raw;
      if (status === 409 || status === 423) throw lockedBy(place, heldIn(said));
      if (status < 200 || status > 204) throw refusedBy(place, "writing it", raw);
    },
    lock: async (lock) => {
      const { url, method } = place.lock;
      const raw = await ask(url, method, `${method} of it`, lockText(lock));
      const { status, text } = raw;
      if (status >= 200 && status < 300) return void 0;
      if (status === 409 || status === 423) return heldIn(text);
      if ([404, 405, 501].includes(status) && !(place.isGitLab && status === 404))
        throw httpProblem(
          place,
          "ledger/http-lock",
          `the server does not lock: ${method} was answered with ${status}`,
          "two runs could write at once, so it is no place for a ledger; TF_HTTP_LOCK_ADDRESS and TF_HTTP_LOCK_METHOD name another way to lock, if it has one"
        );
      throw refusedBy(place, `${method} of it`, raw);
    },
    unlock: async (lock) => {
      const { url, method } = place.unlock;
      const body = lock.ID === "" ? void 0 : lockText(lock);
      const raw = await ask(url, method, `${method} of it`, body);
      const { status, text } = raw;
      if ((status === 409 || status === 423) && lockIn(text).ID !== lock.ID) return false;
      if (status < 200 || status >= 300) throw refusedBy(place, `${method} of it`, raw);
      return true;
    }
  };
}
var lockedBy = (place, { Who, Operation, Created }) => httpProblem(
  place,
  "ledger/http-locked",
  `it is locked by ${holderText({ Who, Operation, Created })}`,
  "a run holds that for a moment only: if it stays, its run was killed, and `trueup ledger unlock` takes it away"
);
var holderText = ({
  Who,
  Operation,
  Created
}) => [Who || "somebody", Operation && `(${Operation})`, Created && `since ${Created}`].filter(Boolean).join(" ");
var dispatchers = /* @__PURE__ */ new Map();
function dispatcherFor(url, env) {
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy, NO_PROXY, no_proxy } = env;
  const name = JSON.stringify([
    url.origin,
    HTTPS_PROXY,
    https_proxy,
    HTTP_PROXY,
    http_proxy,
    NO_PROXY,
    no_proxy
  ]);
  const known = dispatchers.get(name) ?? openDispatcher(url, standardBounds, env);
  dispatchers.set(name, known);
  return known;
}
var members = ["ID", "Operation", "Info", "Who", "Version", "Created", "Path"];
var lockText = (lock) => JSON.stringify(lock);
function lockIn(text) {
  let said;
  try {
    said = JSON.parse(text);
  } catch {
    said = void 0;
  }
  const found = typeof said === "object" && said !== null ? said : {};
  return Object.fromEntries(
    members.map((name) => [name, typeof found[name] === "string" ? found[name].slice(0, 200) : ""])
  );
}
var schema = looseObject({
  trueup: literal(1),
  serial: number(),
  ledger: string().optional(),
  lease: string().optional(),
  plan: string().optional(),
  history: record(string(), string())
});
var documentText = (document) => `${JSON.stringify(document)}
`;
var stackDocument = (text, place) => parsed(text, place, (json) => schema.safeParse(json).data);
function parsed(text, place, read) {
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    if (!text.trimStart().startsWith("<")) throw notOurs(place, "what lies there is no JSON");
    throw httpProblem(
      place,
      "ledger/http-content",
      "the server sent a web page instead of a ledger, possibly a login page",
      "check the address, the credentials (TF_HTTP_USERNAME and TF_HTTP_PASSWORD) and any proxy; nothing was changed"
    );
  }
  const found = read(json);
  if (found !== void 0) return found;
  const version = json?.trueup;
  const isTerraform = json?.terraform_version !== void 0;
  throw notOurs(
    place,
    isTerraform ? "a state of Terraform lies there" : typeof version === "number" && version > 1 ? "a newer trueup wrote what lies there" : "what lies there is nothing of trueup"
  );
}
var notOurs = (place, why) => httpProblem(
  place,
  "ledger/http-content",
  why,
  "name another address, or restore an earlier version; nothing was changed"
);

// src/stores/http/state-server.ts
;
;
var patience = 15e3;
var queues = /* @__PURE__ */ new Map();
var own = /* @__PURE__ */ new Set();
function stateServer(place, {
  who,
  env,
  wait = patience
}) {
  const protocol = openProtocol(place, env);
  const alone = (work) => inTurn(place.lock.url.href, work);
  const newLock = () => ({
    ID: randomUUID(),
    Operation: "trueup",
    Info: "",
    Who: who,
    Version: "1",
    Created: (/* @__PURE__ */ new Date()).toISOString(),
    Path: ""
  });
  const tryLock = async (lock) => {
    own.add(lock.ID);
    const holder = await protocol.lock(lock);
    if (holder) own.delete(lock.ID);
    return holder;
  };
  const takeLock = async () => {
    const start = performance.now();
    for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
      const lock = newLock();
      const holder = await tryLock(lock);
      if (!holder) return lock;
      if (own.has(holder.ID)) return holder;
      if (performance.now() - start > wait) throw lockedBy(place, holder);
      await setTimeout(pause * (0.5 + Math.random()));
    }
  };
  const requireExclusive = async () => {
    const other = newLock();
    if (await tryLock(other)) return;
    await giveBack(protocol, other);
    throw httpProblem(
      place,
      "ledger/http-lock",
      "the server gives its LOCK to two at once",
      "two runs could overwrite each other there, so it is no place for a ledger"
    );
  };
  return {
    get: protocol.get,
    locked: (work) => alone(async () => {
      const lock = await takeLock();
      const put = (text) => protocol.put(text, lock.ID);
      const done = await work({ get: protocol.get, put, requireExclusive }).catch(
        async (error) => {
          await giveBack(protocol, lock).catch(() => {
          });
          throw error;
        }
      );
      await giveBack(protocol, lock);
      return done;
    }),
    lockOfAnother: () => alone(async () => {
      const lock = newLock();
      const holder = await tryLock(lock);
      if (!holder) await giveBack(protocol, lock);
      return holder;
    }),
    takeAway: async (lock) => {
      if (await protocol.unlock(lock)) return;
      throw httpProblem(
        place,
        "ledger/http-locked",
        "the server did not release the lock: somebody else holds it by now, or the server needs more than its id",
        "run `trueup ledger unlock` again, or release the lock on the server itself"
      );
    }
  };
}
async function giveBack(protocol, lock) {
  for (let tried = 1; ; tried++)
    try {
      await protocol.unlock(lock);
      own.delete(lock.ID);
      return;
    } catch (error) {
      if (tried === 3) throw error;
      await setTimeout(50 * tried);
    }
}
function inTurn(name, work) {
  const result = (queues.get(name) ?? Promise.resolve()).then(work);
  const settled = result.then(
    () => {
    },
    () => {
    }
  );
  queues.set(name, settled);
  void settled.then(() => {
    if (queues.get(name) === settled) queues.delete(name);
  });
  return result;
}

// src/stores/http/http-documents.ts
async function httpDocuments(place, { index, ...how }) {
  const server = stateServer(place, how);
  const address = place.url.href;
  const list = index && ledgerIndex(index, stateServer(index, how), (other) => {
    const there = { ...place, url: new URL(other), shown: other };
    return { place: there, server: stateServer(there, how) };
  });
  let seen;
  const look = async (get = server.get) => {
    const text = await get();
    seen = text === void 0 ? void 0 : stackDocument(text, place);
    return seen;
  };
  const update = (name, next, { expected, beside }) => server.locked(async ({ get, put, requireExclusive }) => {
    const there = await look(get);
    const found = documentIn(there, name);
    if (found?.version !== expected) throw new Conflict(found);
    if (!there) await requireExclusive();
    const history = { ...there?.history };
    for (const [record2, text] of beside?.history ?? [])
      if (text === void 0) delete history[record2];
      else history[record2] = text;
    const now = {
      ...there,
      trueup: 1,
      serial: (there?.serial ?? 0) + 1,
      [name]: next,
      history
    };
    await put(documentText(now));
    seen = now;
  });
  let isListed = false;
  return {
    read: async (name) => documentIn(await look(), name),
    others: async () => list ? list.others(address) : [],
    history: {
      names: async () => Object.keys((seen ?? await look())?.history ?? {}).filter(isRecordName).sort(),
      read: async (names) => {
        const { history = {} } = seen ?? await look() ?? {};
        return new Map(
          names.flatMap((name) => Object.hasOwn(history, name) ? [[name, history[name]]] : [])
        );
      }
    },
    write: async (name, text, how2) => {
      if (name === "ledger" && !isListed) await list?.add(address);
      isListed ||= name === "ledger";
      await update(name, text, how2);
      return storedText(text).version;
    },
    remove: async (name, how2) => {
      await update(name, void 0, how2);
      if (name === "ledger") await list?.drop(address);
      if (name === "ledger") isListed = false;
    },
    leftLock: async () => {
      const lock = await server.lockOfAnother();
      return lock && {
        holder: holderText(lock),
        take: () => server.takeAway(lock)
      };
    }
  };
}
var documentIn = (there, name) => {
  const text = there?.[name];
  return text === void 0 ? void 0 : storedText(text);
};
var schema2 = looseObject({ trueup: literal(1), serial: number(), ledgers: array(string()) });
function ledgerIndex(place, server, open) {
  const listIn = (text) => text === void 0 ? { trueup: 1, serial: 0, ledgers: [] } : parsed(text, place, (json) => schema2.safeParse(json).data);
  const change = async (isNeeded, next) => {
    if (!isNeeded(listIn(await server.get()).ledgers)) return;
    await server.locked(async ({ get, put, requireExclusive }) => {
      const text = await get();
      if (text === void 0) await requireExclusive();
      const list = listIn(text);
      if (isNeeded(list.ledgers))
        await put(documentText({ ...list, serial: list.serial + 1, ledgers: next(list.ledgers).sort() }));
    });
  };
  return {
    add: (address) => change(
      (ledgers) => !ledgers.includes(address),
      (ledgers) => [...ledgers, address]
    ),
    drop: (address) => change(
      (ledgers) => ledgers.includes(address),
      (ledgers) => ledgers.filter((one) => one !== address)
    ),
    others: async (address) => {
      const { ledgers } = listIn(await server.get());
      const listed = ledgers.filter((one) => one !== address);
      const strange = listed.find((one) => !URL.canParse(one) || new URL(one).origin !== place.url.origin);
      if (strange !== void 0)
        throw httpProblem(
          place,
          "ledger/http-content",
          "this index of ledgers names one at another server, which is not asked",
          "take it out of the index: what that stack owns is not known, so nothing is planned"
        );
      const found = await Promise.all(
        listed.map(async (one) => {
          const other = open(one);
          const text = await other.server.get();
          const ledger = text === void 0 ? void 0 : stackDocument(text, other.place).ledger;
          return ledger === void 0 ? void 0 : { place: other.place.shown, text: ledger };
        })
      );
      return found.filter((one) => one !== void 0);
    }
  };
}
return{httpDocuments:httpDocuments};})();exports.part_E2KLQZ6Y=part_E2KLQZ6Y;
