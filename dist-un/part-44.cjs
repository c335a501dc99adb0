"use strict";const part_KDAQAJK4=(()=>{const {
  catalog,
  outsideCatalog
}=require("./part-109.cjs").part_U53GDJH2;const {
  announceOnce,
  openClient,
  retry,
  standardMaxWait
}=require("./part-1.cjs").part_2VIBQK6O;const {
  HttpError,
  IncompleteList,
  RateLimited,
  RequestError,
  fill,
  matcher,
  queryText
}=require("./part-5.cjs").part_4VPSH4ZL;require("./part-65.cjs").part_R3QD6ZDG;const {
  learn,
  renew,
  roomIn,
  unknownBucket
}=require("./part-104.cjs").part_L3MDBSE5;const {
  systemClock
}=require("./part-104.cjs").part_UL6NKBEB;const {
  lookups
}=require("./part-106.cjs").part_XLIZT65J;const {
  allPages,
  freshFor,
  isOfTeam
}=require("./part-82.cjs").part_ITOYBHJI;const {
  checkBaseUrl,
  checkToken
}=require("./part-106.cjs").part_6Z4P2PSD;require("./part-82.cjs").part_QI5FGYYL;require("./part-106.cjs").part_BACZRMMV;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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

// src/http/limiter.ts
function createLimiter(options = {}) {
  const { concurrency = 10, clock = systemClock, maxWait = standardMaxWait, onWait, budget } = options;
  const buckets = /* @__PURE__ */ new Map();
  let running = 0;
  let turns = 0;
  const hold = holding({ clock, maxWait, onWait }, pump);
  function bucketOf(name) {
    const known = buckets.get(name);
    if (known) return known;
    const made = newQueue(name, budget, pump);
    buckets.set(name, made);
    return made;
  }
  function isLacking(bucket, isReserved) {
    const { share, reserved } = bucket;
    if (!share || share.left() > (isReserved ? 0 : reserved.size)) {
      bucket.lackingSince = void 0;
      return false;
    }
    bucket.lackingSince ??= clock.now();
    const until = share.more();
    if (until !== void 0) hold(bucket, until);
    return true;
  }
  function next() {
    let first;
    for (const bucket of buckets.values()) {
      if (bucket.waiting.length === 0) continue;
      renew(bucket, clock.now());
      const isReserved = bucket.waiting[0].reservation !== void 0;
      const room = roomIn(bucket, isReserved);
      if (bucket.inFlight < room) {
        if (isLacking(bucket, isReserved)) continue;
        if (!first || bucket.waiting[0].turn < first.waiting[0].turn) first = bucket;
      } else if (room <= 0 && bucket.resetAt !== void 0) hold(bucket, bucket.resetAt);
    }
    return first;
  }
  function pump() {
    while (running < concurrency) {
      const bucket = next();
      if (!bucket) return;
      const first = bucket.waiting.shift();
      if (first.isCall) {
        running += 1;
        bucket.inFlight += 1;
        bucket.share?.begin();
      }
      first.start();
    }
  }
  function turnIn(bucket, one, take) {
    return new Promise((resolve, reject) => {
      const start = () => {
        take();
        resolve();
      };
      const { waiting } = bucket;
      const behind = one.reservation ? waiting.findIndex(({ reservation }) => !reservation) : -1;
      waiting.splice(behind < 0 ? waiting.length : behind, 0, { ...one, turn: turns++, start, reject });
      pump();
    });
  }
  return {
    async reserve(name, asked) {
      const bucket = bucketOf(name);
      const reservation = {
        release() {
          if (bucket.reserved.delete(reservation)) pump();
        }
      };
      await turnIn(bucket, { asked, isCall: false }, () => bucket.reserved.add(reservation));
      return reservation;
    },
    async run(name, asked, once, given) {
      const bucket = bucketOf(name);
      const reservation = given && bucket.reserved.has(given) ? given : void 0;
      await turnIn(bucket, { asked, isCall: true, reservation }, () => {
        if (reservation) bucket.reserved.delete(reservation);
      });
      let limits;
      let ended = "answered";
      try {
        const answer = await once();
        limits = answer.limits;
        return answer;
      } catch (error) {
        limits = error.limits;
        ended = error instanceof HttpError ? "answered" : error instanceof NotSent ? "unsent" : "lost";
        if (reservation) bucket.reserved.add(reservation);
        throw error;
      } finally {
        running -= 1;
        bucket.inFlight -= 1;
        if (ended !== "unsent") learn(bucket, limits, clock.now());
        bucket.share?.end(ended, limits);
        pump();
      }
    }
  };
}
function newQueue(name, budget, changed) {
  const queue = { name, waiting: [], ...unknownBucket() };
  const { waiting, reserved } = queue;
  const now = () => ({ waiting: waiting.length, reserved: reserved.size });
  queue.share = budget?.share(name, { now, changed });
  return queue;
}
function holding({
  clock,
  maxWait,
  onWait
}, pump) {
  return (bucket, until) => {
    const now = clock.now();
    const wait = until - now;
    if (until - (bucket.lackingSince ?? now) > maxWait) {
      refuse(bucket, until, { wait, maxWait });
      return;
    }
    if (bucket.timerFor === until) return;
    bucket.timerFor = until;
    if (wait > 1e3) onWait?.({ seconds: Math.ceil(wait / 1e3), reason: `rate limit of ${bucket.name}` });
    void clock.sleep(wait).then(() => {
      bucket.timerFor = void 0;
      pump();
    });
  };
}
function refuse(bucket, until, waits) {
  bucket.lackingSince = void 0;
  for (const { asked, reject } of bucket.waiting.splice(0))
    reject(new RateLimited(asked, { bucket: bucket.name, until }, waits));
}
var NotSent = class extends Error {
};
function confirmedBy(confirm, clock) {
  let looked = clock.now();
  return async (inTurn) => {
    for (; ; ) {
      try {
        return await inTurn(() => {
          if (confirm && clock.now() - looked >= freshFor) throw new NotSent();
        });
      } catch (error) {
        if (!(error instanceof NotSent)) throw error;
        await confirm?.();
        looked = clock.now();
      }
    }
  };
}

// src/http/pages.ts
var time = { size: "limit", cursor: "until", next: ["pagination", "next"], overlap: 1 };
var pagings = {
  /** A time to go back from. */
  time,
  /** The same where the platform documents no query: everything comes at once unless it says otherwise. */
  quietTime: { ...time, size: void 0, bare: true },
  from: { size: "limit", cursor: "from", next: ["pagination", "next"] },
  next: { size: "limit", cursor: "next", next: ["pagination", "next"] },
  cursor: { size: "limit", cursor: "cursor", next: ["pagination", "next"] },
  nextCursor: { size: "limit", cursor: "cursor", next: ["nextCursor"], bare: true },
  flatCursor: { size: "limit", cursor: "cursor", next: ["cursor"], bare: true },
  page: { size: "per_page", cursor: "page", next: ["pagination", "page"], pages: ["pagination", "numPages"] },
  lastKey: { size: "limit", cursor: "offset", next: ["pagination", "Id"], bare: true }
};
var pageSize = 100;
var mostPages = 1e4;
var at = (value, path) => path.reduce((inner, name) => inner?.[name], value);
function itemsOf(answer, options) {
  const [first = "", ...more] = [options.items].flat();
  const list = first === "" || Array.isArray(answer) ? answer : at(answer, first.split("."));
  if (Array.isArray(list))
    return [...list, ...more.flatMap((path) => at(answer, path.split(".")) ?? [])];
  throw new IncompleteList(options.asked, `the answer has no list${options.items && ` "${options.items}"`}`);
}
function placeAfter(answer, count, paging, asked) {
  const place = at(answer, paging.next);
  const hasNext = at(answer, ["pagination", "hasNext"]);
  if (hasNext === false) return void 0;
  if (paging.pages) {
    const pages = at(answer, paging.pages);
    if (typeof place === "number" && typeof pages === "number") return place < pages ? place + 1 : void 0;
  } else if (typeof place === "string" && place !== "" || typeof place === "number") return place;
  else if (hasNext === true) throw new IncompleteList(asked, "there is a next page, but no way to reach it");
  else if (place === null || place === "") return void 0;
  if (paging.bare || count < pageSize) return void 0;
  throw new IncompleteList(asked, `the response does not say whether the ${count} items are complete`);
}
function refuseMore(answer, asked) {
  for (const path of [["pagination", "next"], ["nextCursor"]]) {
    const place = at(answer, path);
    if (place !== void 0 && place !== null && place !== "")
      throw new IncompleteList(
        asked,
        "there are more pages, but this version does not know how to request them"
      );
  }
}
function distinct(items, key, paged2) {
  const found = /* @__PURE__ */ new Map();
  for (const item of items) {
    const known = item;
    const id = known?.id ?? known?.uid ?? (key ? known?.[key] : void 0) ?? void 0;
    found.set(id !== void 0 ? JSON.stringify(id) : paged2 ? JSON.stringify(item) : /* @__PURE__ */ Symbol(), item);
  }
  return [...found.values()];
}
async function openPages(options) {
  const { asked, paging, get, key } = options;
  if (!paging) {
    const answer = await get({});
    refuseMore(answer, asked);
    const items = itemsOf(answer, options);
    return { found: () => distinct(items, key, false) };
  }
  const size = paging.size ? { [paging.size]: String(pageSize) } : {};
  const read = [];
  const places = /* @__PURE__ */ new Set();
  let lapped;
  const open = async (query, page) => {
    if (page > mostPages) throw new IncompleteList(asked, `no end after ${mostPages} pages`);
    const answer = await get(query);
    const items = itemsOf(answer, options);
    const place = placeAfter(answer, items.length, paging, asked);
    read.push(...items);
    const found = () => distinct(read, key, page > 1);
    if (place === void 0) return { found };
    const stuck = place === lapped && items.length < pageSize;
    if (places.has(place) && !stuck) throw new IncompleteList(asked, "its pages form a loop");
    places.add(place);
    const laps = paging.overlap !== void 0 && typeof place === "number" && !stuck;
    lapped = laps ? place : void 0;
    const next = { ...size, [paging.cursor]: String(laps ? place + paging.overlap : place) };
    return { found, more: () => open(next, page + 1) };
  };
  return open(size, 1);
}

// src/http/reservations.ts
function openReservations({ reserve }) {
  const groups = /* @__PURE__ */ new Map();
  function release(name) {
    const group = groups.get(name);
    groups.delete(name);
    for (const { reservation } of group?.kept.splice(0) ?? []) reservation.release();
  }
  return {
    reserve(name, calls) {
      const known = groups.get(name);
      if (known) return known.granted;
      const group = { granted: Promise.resolve(), kept: [] };
      groups.set(name, group);
      const take = async () => {
        for (const { bucket, asked } of calls) {
          const reservation = await reserve(bucket, asked);
          if (groups.get(name) !== group) return reservation.release();
          group.kept.push({ bucket, reservation });
        }
      };
      group.granted = take().catch((error) => {
        if (groups.get(name) === group) release(name);
        throw error;
      });
      return group.granted;
    },
    take(name, bucket) {
      const kept = groups.get(name)?.kept ?? [];
      const at2 = kept.findIndex((one) => one.bucket === bucket);
      return at2 < 0 ? void 0 : kept.splice(at2, 1)[0].reservation;
    },
    release
  };
}

// providers/hosting/events.ts
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var textOf = (value) => typeof value === "string" && value !== "" ? value : void 0;
function eventsIn(answer) {
  const { events } = isObject(answer) ? answer : {};
  if (!Array.isArray(events)) return [];
  return events.filter(isObject).flatMap((event) => {
    const { createdAt, payload } = event;
    const by = principalOf(event);
    if (typeof createdAt !== "number" || !by) return [];
    const through = throughOf(event);
    const about = /* @__PURE__ */ new Set();
    collect(payload, about, 0);
    return [{ when: createdAt, by, ...through === void 0 ? {} : { through }, about }];
  });
}
function principalOf({ principal, principalId, user, userId }) {
  const one = [principal, user].find(isObject);
  const id = textOf(principalId) ?? textOf(userId) ?? textOf(one?.uid) ?? textOf(one?.id);
  const name = one && nameOf(one);
  if (name === void 0 && id === void 0) return void 0;
  return { name: name ?? `the user ${id}`, ...id === void 0 ? {} : { id } };
}
var nameOf = ({ type, username, name, email }) => type === "system" ? "the platform itself" : textOf(username) ?? textOf(name) ?? textOf(email);
function throughOf({ via, tokenId }) {
  const names = (Array.isArray(via) ? via : []).filter(isObject).flatMap((one) => nameOf(one) ?? []);
  if (names.length > 0) return names.join(", ");
  return textOf(tokenId) === void 0 ? void 0 : "a token";
}
var deepest = 6;
var most = 1e3;
function collect(value, found, depth) {
  if (depth > deepest || found.size > most) return;
  if (typeof value === "string") found.add(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, found, depth + 1);
  else if (isObject(value)) for (const item of Object.values(value)) collect(item, found, depth + 1);
}

// providers/hosting/paging.ts
var paged = {
  "/v9/projects/{idOrName}/domains": pagings.time,
  "/v7/deployments": pagings.time,
  "/v5/domains": pagings.time,
  "/v5/domains/{domain}/records": pagings.time,
  "/v1/domains/{domain}/project-domains": pagings.time,
  "/v1/projects/{idOrName}/members": pagings.time,
  "/v1/projects/{projectId}/promote/aliases": pagings.time,
  "/v4/aliases": pagings.time,
  "/v2/teams": pagings.time,
  "/v3/teams/{teamId}/members": pagings.time,
  "/v10/projects/{idOrName}/env": pagings.quietTime,
  "/v1/env": pagings.quietTime,
  "/v8/certs": pagings.quietTime,
  "/v6/user/tokens": pagings.quietTime,
  "/v10/projects": pagings.from,
  "/v1/access-groups": pagings.next,
  "/v1/access-groups/{idOrName}/members": pagings.next,
  "/v1/access-groups/{idOrName}/projects": pagings.next,
  "/v1/global-config/{edgeConfigId}/backups": pagings.next,
  "/v1/kms/issuers": pagings.next,
  "/v2/connect/connectors": pagings.cursor,
  "/v2/connect/connectors/{connector}/projects": pagings.cursor,
  "/v2/connect/projects/{projectId}/connectors": pagings.cursor,
  "/v2/projects/{projectIdOrName}/feature-flags/flags": pagings.cursor,
  "/v1/projects/{projectIdOrName}/feature-flags/flags": pagings.cursor,
  "/v1/projects/{projectIdOrName}/feature-flags/flags/{flagIdOrSlug}/versions": pagings.cursor,
  "/v1/teams/{teamId}/feature-flags/settings": pagings.cursor,
  "/v2/teams/{teamId}/feature-flags/flags": pagings.cursor,
  "/v1/teams/{teamId}/feature-flags/flags": pagings.cursor,
  "/v2/sandboxes": pagings.cursor,
  "/v2/sandboxes/drives": pagings.cursor,
  "/v2/sandboxes/sessions": pagings.cursor,
  "/v2/sandboxes/snapshots": pagings.cursor,
  "/v1/vcr/repository": pagings.nextCursor,
  "/v1/vcr/repository/{idOrName}/images": pagings.nextCursor,
  "/v1/vcr/repository/{idOrName}/permissions": pagings.nextCursor,
  "/v1/vcr/repository/{idOrName}/tags": pagings.nextCursor,
  "/ai-gateway/virtual-model-configs/list": pagings.flatCursor,
  "/v1/bulk-redirects": pagings.page,
  "/v1/security/firewall/bypass": pagings.lastKey
};
var keys = {
  "/v9/projects/{idOrName}/domains": "name",
  "/v1/domains/{domain}/project-domains": "name",
  "/v1/access-groups": "accessGroupId",
  "/v1/access-groups/{idOrName}/projects": "projectId",
  "/v2/connect/connectors/{connector}/projects": "project",
  "/v2/connect/projects/{projectId}/connectors": "connectorId",
  "/v1/vcr/repository/{idOrName}/permissions": "teamId",
  "/v1/bulk-redirects": "source",
  "/v1/security/firewall/bypass": "Id"
};

// providers/hosting/connect.ts
var unscoped = [
  /^\S+ \/v\d+\/user$/,
  /^(GET|DELETE) \/v\d+\/user\/tokens/,
  /^\S+ \/v\d+\/teams(\/|$)/,
  /^\S+ \/v\d+\/installations\//,
  /^\S+ \/v\d+\/integrations\/(sso\/token|git-namespaces)$/,
  /^PATCH \/v\d+\/deployments\/[^/]+\/integrations\//,
  /^\S+ \/v2\/(\{teamSlug\}\/.*)?$/
];
var match = matcher([...catalog, ...outsideCatalog]);
function ownerProblem(error, scope, origin) {
  const status = error instanceof HttpError ? error.status : void 0;
  const isInvalid = error instanceof HttpError && error.invalidToken;
  const at2 = `at ${origin}`;
  if (status === 401 || isInvalid || status === 403 && !("team" in scope))
    return new Problems([
      problem("auth/token", `the token is not accepted ${at2} (${error.message})`, {
        hint: "it is invalid, expired or for another base URL; create a new one"
      })
    ]);
  if ("team" in scope && (status === 403 || status === 404 || status === 410))
    return new Problems([
      problem(
        "auth/team",
        `there is no team ${JSON.stringify(scope.team)} for this token ${at2} (${error.message})`,
        {
          hint: "check platform.team (slug or id), and that the token's user is in the team and the token covers it"
        }
      )
    ]);
  const code = status === void 0 ? error.code : `http/${status}`;
  return new Problems([
    problem(code, `cannot read the account ${at2}: ${error.message}`, { hint: error.hint })
  ]);
}
function ownerOf(answer, scope, origin) {
  const { team } = scope;
  const { id, slug, username, ...facts } = (team === void 0 ? answer?.user : answer) ?? {};
  const name = team === void 0 ? username : slug;
  if (typeof id !== "string" || typeof name !== "string")
    throw new Problems([
      problem("auth/answer", `${origin} does not respond like the platform when asked for the account`, {
        hint: "is the base URL correct?"
      })
    ]);
  if (team !== void 0 && team !== id && team !== slug)
    throw new Problems([
      problem(
        "auth/team",
        `${origin} answered with the team ${name} (${id}) when asked for ${JSON.stringify(team)}`,
        {
          hint: "check platform.team (the slug or the id)"
        }
      )
    ]);
  return {
    type: team === void 0 ? "personal" : "team",
    id,
    slug: name,
    facts: { ...facts, ...team === void 0 ? {} : { teamId: id } }
  };
}
function connect(options, surroundings = {}) {
  const { scope, maxWait, budget } = options;
  const { clock = systemClock, random, bounds } = surroundings;
  const baseUrl = checkBaseUrl(options.baseUrl);
  const token = checkToken(options.token);
  const { env, masking, onExchange } = options;
  const client = openClient({ baseUrl, token, env, bounds, clock, masking, onExchange });
  const onWait = announceOnce(options.onWait, clock);
  let ownerId;
  const sharedAs = (bucket) => ownerId === void 0 ? bucket : `${ownerId} ${bucket}`;
  const limiter = createLimiter({
    ...{ concurrency: bounds?.connections, clock, maxWait, onWait },
    budget: budget && { share: (bucket, needs) => budget.share(sharedAs(bucket), needs) }
  });
  const reservations = openReservations(limiter);
  async function once(request, query, confirm) {
    const filled = fill(request.endpoint, request.params, query);
    const asked = { method: filled.method, path: filled.shown.split("?")[0] };
    const { name } = match(request.endpoint);
    const reservation = request.reserved === void 0 ? void 0 : reservations.take(request.reserved, name);
    const inTime = confirmedBy(confirm, clock);
    const answer = await retry(
      filled.method,
      (attempt) => inTime((before) => {
        const send = async () => {
          before();
          return client.call(filled, request.body, attempt);
        };
        return limiter.run(name, asked, send, reservation);
      }),
      { clock, random, maxWait, onWait, bucket: name, late: request.late }
    ).finally(() => reservation?.release());
    return request.etag ? { ...answer.body, etag: answer.etag } : answer.body;
  }
  async function readOwner() {
    try {
      const read = ownerOf(await once(ownerRequest(scope), {}), scope, baseUrl.origin);
      ownerId = read.id;
      return read;
    } catch (error) {
      if (!(error instanceof RequestError) || error instanceof RateLimited) throw error;
      throw ownerProblem(error, scope, baseUrl.origin);
    }
  }
  async function scopeOf(name, endpoint) {
    const account = await owner();
    const scoped = account.type === "team" && !unscoped.some((pattern) => pattern.test(name));
    return scoped && !/[?&](teamId|slug)=/.test(endpoint) ? { teamId: account.id } : {};
  }
  let known;
  function owner() {
    known ??= readOwner().catch((error) => {
      known = void 0;
      throw error;
    });
    return known;
  }
  return {
    owner,
    async send(given, confirm) {
      const request = isOfTeam(given.endpoint) ? inTeam(given, await owner()) : given;
      const { name, path } = match(request.endpoint);
      const own = await scopeOf(name, request.endpoint);
      if (request.items === void 0) return once(request, own, confirm);
      const filled = fill(request.endpoint, request.params);
      const pages = await openPages({
        asked: { method: filled.method, path: filled.shown.split("?")[0] },
        paging: name.startsWith("GET ") ? paged[path] : void 0,
        items: request.items,
        key: keys[path],
        get: (query) => once(request, { ...own, ...query })
      });
      return request.pages ? pages : allPages(pages);
    },
    async events(since) {
      const asked = { limit: "100", since: new Date(since).toISOString(), withPayload: "true" };
      const own = await scopeOf("GET /v3/events", "GET /v3/events");
      return eventsIn(await once({ endpoint: "GET /v3/events" }, { ...own, ...asked }));
    },
    call: (call) => answered(call, { scopeOf, limiter, client, retrying: { clock, random, maxWait, onWait } }),
    reserve: (name, endpoints) => reservations.reserve(name, endpoints.map(calledAt)),
    release: reservations.release,
    ...sharing(budget, (endpoint) => sharedAs(match(endpoint).name)),
    close: () => client.close()
  };
}
function calledAt(endpoint) {
  const { name: bucket, path } = match(endpoint);
  return { bucket, asked: { method: bucket.split(" ")[0], path } };
}
var ownerRequest = (scope) => "team" in scope ? { endpoint: lookups.team, params: { teamId: scope.team } } : { endpoint: lookups.user };
function sharing(budget, bucketOf) {
  return {
    announce(endpoints) {
      const counts = /* @__PURE__ */ new Map();
      for (const bucket of endpoints.map(bucketOf)) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      budget?.announce(counts);
    },
    async paceNow(pace) {
      if (!budget) return pace;
      const states = await budget.states(pace.limits.map(({ endpoint }) => bucketOf(endpoint)));
      const limits = pace.limits.map((one) => ({ ...one, now: states.get(bucketOf(one.endpoint)) }));
      return { ...pace, limits };
    }
  };
}
function inTeam({ params, ...request }, { type, id }) {
  if (type === "team") return { ...request, params: { teamId: id, ...params } };
  throw Object.assign(
    new Error(
      "it belongs to a team, but this is a personal account; name the team in `platform: { team: ... }`"
    ),
    { status: 403 }
  );
}
async function answered({ method, path, params, query, headers, open, secrets = [] }, { client, limiter, retrying, scopeOf }) {
  const name = `${method} ${path}`;
  const search = queryText(query);
  const endpoint = `${name}${search && `?${search}`}`;
  const filled = fill(endpoint, params, await scopeOf(name, endpoint));
  const asked = { method: filled.method, path: filled.shown.split("?")[0] };
  let last;
  const once = async (attempt) => {
    const body = open?.();
    if (open && body === void 0) throw last;
    const sent = { headers, secrets, ...body === void 0 ? {} : { body } };
    return client.open(filled, sent, attempt).catch((error) => {
      last = error;
      throw error;
    });
  };
  return retry(
    method === "HEAD" ? "GET" : method,
    (attempt) => limiter.run(name, asked, () => once(attempt)),
    { ...retrying, bucket: name }
  );
}
return{connect:connect};})();exports.part_KDAQAJK4=part_KDAQAJK4;
