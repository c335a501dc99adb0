"use strict";const part_XX7DPJ3M=(()=>{const {
  sameWindow,
  shortPause
}=require("./part-104.cjs").part_L3MDBSE5;const {
  systemAlarm,
  systemClock
}=require("./part-104.cjs").part_UL6NKBEB;const {
  inTransaction,
  isWithoutTables,
  poolFor
}=require("./part-108.cjs").part_E6DY2P6B;const {
  postgresFault
}=require("./part-108.cjs").part_LWABGJRU;require("./part-108.cjs").part_UIO3JTQR;const {
  connectionOf
}=require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;const {
  readDatabaseUrl
}=require("./part-92.cjs").part_KCCUIXOW;const {
  int,
  literal,
  number,
  record,
  strictObject,
  string
}=require("./part-90.cjs").part_ZJ7BVZLR;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { createHash }=require("node:crypto");const { randomUUID }=require("node:crypto");;
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

// src/budget/open-budget.ts
;

// src/budget/known-bucket.ts
var expiry = 3e4;
var validity = 24e3;
var shortestWindow = 6e4;
var longestWindow = 24 * 36e5;
var mostRuns = 200;
var mostWanted = 100;
var calls = int().min(0).max(1e6);
var time = number().min(0).max(1e14);
var runState = strictObject({
  /** The number of its last question. */
  turn: int().min(0),
  /** Taken and not known to be counted by the platform: not used yet, under way, or answered and not told of. */
  held: calls,
  /** The part of these that is for later calls. */
  reserved: calls,
  /** Further calls that it wants now. */
  waiting: int().min(0).max(mostWanted),
  /** Requests of its plan still to come, including those that wait. */
  due: calls,
  /** Given to it in this window. */
  got: calls,
  /** When it was last given any. */
  gotAt: time,
  /** When it was last heard of. */
  seen: time
});
var knownBucket = strictObject({
  limit: calls.optional(),
  /** As of the last answer. Absent where no answer has told of this window, and no earlier one of the limit. */
  remaining: calls.optional(),
  /** When the window ends; absent while it has not begun. All times are the database's. */
  endsAt: time.optional(),
  /** The window, or the last one, as the platform names it. */
  window: number().optional(),
  /** The longest time to its end that an answer has told of: how long a window is, or longer. */
  length: time.optional(),
  /** When an answer was last told of. */
  toldAt: time.optional(),
  /** Calls that may have been sent, the last of them at `by`. They count as long as no answer has told of a later time. */
  lost: strictObject({ calls, by: time }).optional(),
  /** Answers tell of no limit here. */
  untold: literal(true).optional(),
  runs: record(string().max(64), runState).refine((runs) => Object.keys(runs).length <= mostRuns)
});
var newBucket = () => ({ runs: {} });
function readBucket(text, now) {
  const read = knownBucket.safeParse(parsed(text ?? ""));
  if (!read.success) return newBucket();
  const state2 = read.data;
  if (state2.endsAt !== void 0) state2.endsAt = Math.min(state2.endsAt, now + longestWindow);
  if (state2.length !== void 0) state2.length = Math.min(state2.length, longestWindow);
  if (state2.lost) state2.lost.by = Math.min(state2.lost.by, now + validity);
  for (const run of Object.values(state2.runs)) run.seen = Math.min(run.seen, now);
  return state2;
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}

// src/budget/shared-budget.ts
;

// src/budget/contact.ts
var deadline = 5e3;
var pause = 5e3;
function openContact(clock, onSilence) {
  let silentUntil = 0;
  let isTold = false;
  return {
    isDue: () => clock.now() >= silentUntil,
    async ask(question) {
      try {
        return await inTime(question());
      } catch (error) {
        silentUntil = clock.now() + pause;
        if (!isTold) onSilence(error);
        isTold = true;
        return void 0;
      }
    }
  };
}
async function inTime(answer) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${deadline / 1e3} seconds`)), deadline);
    timer.unref();
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
function goAlone(last, at, clock) {
  const { free = Infinity, limit = Infinity, runs = 1, endsIn } = last ?? {};
  let until = endsIn === void 0 ? void 0 : at + endsIn;
  let more = Math.max(until === void 0 ? 1 : 0, Math.floor(free / runs));
  return {
    more() {
      if (until !== void 0 && until <= clock.now()) {
        until = void 0;
        more = Math.max(1, Math.floor(limit / runs));
      }
      const now = more;
      more = 0;
      return now;
    },
    until: () => until,
    hear(resetIn) {
      if (resetIn === void 0) return until === void 0 ? 1 : 0;
      until = Math.max(until ?? 0, clock.now() + resetIn);
      return 0;
    }
  };
}

// src/budget/database-share.ts
var soon = 250;
var heartbeat = 1e4;
var poll = 250;
var ahead = 10;
var DatabaseShare = class {
  #options;
  #answers;
  #left;
  #inFlight = 0;
  /** Since the last time that it was told. */
  #used = 0;
  #asking;
  #isClosed = false;
  #turn = 0;
  /** When there is no point in asking before. */
  #nextLook = 0;
  #last;
  #lastContact;
  #alone;
  #timer;
  /** The database knows of something that this run holds, or may. */
  isKnown = false;
  constructor(options) {
    this.#options = options;
    this.#answers = openAnswers(options.clock);
    this.#left = options.untold ? Infinity : 0;
    this.#lastContact = options.clock.now();
  }
  left() {
    if (this.#alone) this.#left += this.#alone.more();
    else if (this.#left < Infinity && this.#now() - this.#lastContact > validity) this.#left = 0;
    return this.#left;
  }
  more() {
    if (this.#asking) return void 0;
    const { contact } = this.#options;
    if (contact.isDue() && (this.#alone || this.#now() >= this.#nextLook)) {
      this.#ask();
      return void 0;
    }
    if (this.#alone) return this.#alone.until() ?? this.#now() + shortPause;
    if (contact.isDue()) return this.#nextLook;
    this.#goOnAlone();
    return this.#now() + 1;
  }
  begin() {
    this.#left -= 1;
    this.#used += 1;
    this.#inFlight += 1;
  }
  end(how, limits) {
    this.#inFlight -= 1;
    if (how === "unsent") this.#left += 1;
    else {
      this.#options.sent();
      const resetIn = this.#answers.note(limits, how === "answered");
      this.#left += this.#alone?.hear(resetIn) ?? 0;
    }
    if (this.#left === Infinity && !this.#alone) {
      if (!this.#answers.isLimited()) return void this.#answers.take();
      this.#left = 0;
    }
    if (this.#last && this.#last.limit === void 0) this.#nextLook = 0;
    this.#tellIn(soon);
  }
  /** From here on nothing is told, once what is under way is over. */
  async close() {
    this.#isClosed = true;
    this.#timer?.stop();
    await this.#asking;
  }
  #now = () => this.#options.clock.now();
  /** Tells of what is, and asks for more, so many milliseconds from now at the latest. */
  #tellIn(milliseconds) {
    const at = this.#now() + milliseconds;
    if (this.#asking || this.#isClosed || this.#timer && this.#timer.at <= at) return;
    this.#timer?.stop();
    const stop = this.#options.alarm(milliseconds, () => {
      this.#timer = void 0;
      if (!this.#asking && this.#options.contact.isDue()) this.#ask();
    });
    this.#timer = { at, stop };
  }
  #ask() {
    this.isKnown = true;
    this.#timer?.stop();
    this.#timer = void 0;
    const { contact, draw: draw2, needs } = this.#options;
    const own = this.#kept();
    this.#used = 0;
    const { said, back } = this.#answers.take();
    const asked = { turn: ++this.#turn, ...said, ...this.#needed(own) };
    this.#asking = contact.ask(() => draw2(asked)).then((drawn) => {
      this.#asking = void 0;
      if (this.#isClosed) return;
      if (drawn) this.#take(drawn, own);
      else {
        back();
        this.#goOnAlone();
      }
      needs.changed();
    });
  }
  /** The part that this run keeps: everything while calls wait, then as much as it used since the last time. */
  #kept() {
    const { waiting, reserved } = this.#options.needs.now();
    if (this.#alone || this.#left === Infinity) return reserved;
    if (waiting === 0) this.#left = Math.min(this.#left, reserved + this.#used);
    return this.#left;
  }
  #needed(own) {
    const { needs, due } = this.#options;
    const { waiting, reserved } = needs.now();
    const lacking = waiting + reserved - own;
    return {
      held: own + this.#inFlight,
      reserved: Math.min(reserved, own),
      wanted: Math.min(mostWanted, Math.max(0, lacking)),
      ahead: waiting > 0 ? Math.min(ahead, Math.max(0, ahead + lacking)) : 0,
      due: due()
    };
  }
  #take(drawn, own) {
    const now = this.#now();
    if (this.#alone || this.#left === Infinity) this.#left = own;
    this.#alone = void 0;
    this.#last = drawn;
    this.#lastContact = now;
    this.#left += drawn.granted;
    if (this.#left === Infinity) return;
    const wait = drawn.isSpent && drawn.endsIn !== void 0 ? drawn.endsIn : poll;
    this.#nextLook = drawn.granted > 0 ? now : now + Math.max(1, Math.ceil(wait));
    const { waiting, reserved } = this.#options.needs.now();
    if (this.#left > reserved || this.#answers.isLimited()) this.#tellIn(soon);
    else if (this.#left + this.#inFlight + waiting > 0) this.#tellIn(heartbeat);
  }
  #goOnAlone() {
    if (this.#left < Infinity) this.#alone ??= goAlone(this.#last, this.#lastContact, this.#options.clock);
  }
};
function openAnswers(clock) {
  let told = /* @__PURE__ */ new Map();
  let blind = 0;
  let untold = false;
  return {
    note(limits, isAnswer) {
      const { limit, remaining, window } = limits ?? {};
      const resetIn = limits?.resetIn ?? (remaining === 0 ? shortPause : void 0);
      if (remaining === void 0 || resetIn === void 0) {
        blind += 1;
        untold ||= isAnswer;
        return void 0;
      }
      const least = Math.min(remaining, told.get(window)?.remaining ?? remaining);
      told.set(window, { limit, remaining: least, resetIn, window, at: clock.now() });
      return resetIn;
    },
    isLimited: () => told.size > 0,
    take() {
      const now = clock.now();
      const before = { told, blind, untold };
      [told, blind, untold] = [/* @__PURE__ */ new Map(), 0, false];
      const all = [...before.told.values()].map(({ at, resetIn, ...one }) => ({
        ...one,
        resetIn: resetIn - (now - at),
        age: now - at
      }));
      return {
        said: { told: all, blind: before.blind, untold: before.untold },
        back() {
          told = new Map([...before.told, ...told]);
          blind += before.blind;
          untold ||= before.untold;
        }
      };
    }
  };
}

// src/budget/draw.ts
function draw(state2, asked, now) {
  endWindow(state2, now);
  forgetSilent(state2, now, asked.run);
  for (const told of asked.told) learn(state2, told, now);
  lose(state2, asked.blind, now);
  findLost(state2, now);
  if (asked.untold && state2.remaining === void 0) state2.untold = true;
  const { got = 0, gotAt = 0, turn = 0 } = state2.runs[asked.run] ?? {};
  const { held, reserved, wanted, due } = asked;
  const isLate = asked.turn <= turn;
  const me = { turn: asked.turn, held, reserved, waiting: wanted, due, got, gotAt, seen: now };
  if (!isLate) state2.runs[asked.run] = me;
  const runs = Object.keys(state2.runs).length;
  const known = { limit: state2.limit, runs };
  if (state2.untold) {
    me.waiting = 0;
    return { ...known, granted: Infinity, free: Infinity, isSpent: false };
  }
  const free = freeOf(state2);
  const granted = isLate ? 0 : partOf(free, asked, state2);
  me.held += granted;
  me.waiting = Math.max(0, wanted - granted);
  me.got += granted;
  if (granted > 0) me.gotAt = now;
  return {
    ...known,
    granted,
    free: free - granted,
    endsIn: state2.endsAt === void 0 ? void 0 : Math.max(0, state2.endsAt - now),
    isSpent: state2.endsAt !== void 0 && (state2.remaining ?? 0) - sumOf(state2, "reserved") < 1
  };
}
function leave({ runs }, run) {
  delete runs[run];
}
function note({ runs }, run, due, now) {
  runs[run] = { turn: 0, held: 0, reserved: 0, waiting: 0, got: 0, gotAt: 0, ...runs[run], due, seen: now };
}
function stateOf(known, run, now) {
  endWindow(known, now);
  forgetSilent(known, now);
  findLost(known, now);
  const { limit, remaining = limit, endsAt, runs, lost } = known;
  if (limit === void 0) return void 0;
  const others = Object.entries(runs).flatMap(
    ([name, { held, waiting, due }]) => name === run ? [] : Math.max(due, held + waiting)
  );
  return {
    limit,
    left: Math.max(0, remaining - (lost?.calls ?? 0)),
    reserved: others.filter((one) => one > 0),
    ...endsAt === void 0 ? {} : { endsIn: endsAt - now }
  };
}
var sumOf = ({ runs }, what) => Object.values(runs).reduce((sum, one) => sum + one[what], 0);
function freeOf(state2) {
  const held = sumOf(state2, "held") + (state2.lost?.calls ?? 0);
  const free = Math.max(0, (state2.remaining ?? 0) - held);
  if (free > 0 || state2.endsAt !== void 0) return free;
  return held > sumOf(state2, "reserved") ? 0 : 1;
}
function forgetSilent(state2, now, asking) {
  for (const [name, run] of Object.entries(state2.runs)) {
    if (name === asking || now - run.seen < expiry) continue;
    delete state2.runs[name];
    lose(state2, run.held, run.seen + validity);
  }
}
function lose(state2, calls2, by) {
  if (calls2 === 0) return;
  const { lost } = state2;
  state2.lost = { calls: (lost?.calls ?? 0) + calls2, by: Math.max(lost?.by ?? 0, by) };
}
function findLost(state2, now) {
  const { lost, toldAt = 0, length = 0 } = state2;
  if (lost && (toldAt > lost.by || now >= lost.by + length)) delete state2.lost;
}
function endWindow(state2, now) {
  if (state2.endsAt === void 0 || state2.endsAt > now) return;
  if (state2.lost && state2.lost.by < state2.endsAt) delete state2.lost;
  delete state2.endsAt;
  if (state2.limit === void 0) delete state2.remaining;
  else state2.remaining = state2.limit;
  for (const run of Object.values(state2.runs)) run.got = 0;
}
function learn(state2, { limit, remaining, resetIn, age, window }, now) {
  if (resetIn <= 0) return;
  const endsAt = now + Math.min(resetIn, longestWindow);
  const later = window === void 0 || state2.window === void 0 ? endsAt - (state2.endsAt ?? 0) : (window - state2.window) * 1e3;
  const isSame = Math.abs(later) <= sameWindow;
  if (state2.endsAt === void 0 ? isSame && window !== void 0 : later < -sameWindow) return;
  delete state2.untold;
  if (limit !== void 0) state2.limit = limit;
  state2.toldAt = Math.max(state2.toldAt ?? 0, now - Math.max(0, age));
  state2.length = Math.max(state2.length ?? shortestWindow, endsAt - now);
  state2.remaining = isSame ? Math.min(state2.remaining ?? remaining, remaining) : remaining;
  state2.endsAt = isSame ? Math.max(state2.endsAt ?? 0, endsAt) : endsAt;
  if (!isSame) for (const run of Object.values(state2.runs)) run.got = 0;
  if (window !== void 0) state2.window = window;
  else if (!isSame) delete state2.window;
}
function partOf(free, { run, wanted, ahead: ahead2, due }, { runs }) {
  const most = wanted > 0 ? Math.max(wanted, Math.min(due, wanted + ahead2)) : 0;
  const all = Object.entries(runs).map(([name, one]) => ({
    ...{ name, got: one.got, gotAt: one.gotAt },
    waiting: one.waiting > 0 ? Math.max(one.waiting, Math.min(one.due, free)) : 0
  }));
  let part = 0;
  for (let left = free; left > 0; left--) {
    const waiting = all.filter((one) => one.waiting > 0);
    if (waiting.length === 0) break;
    const first = waiting.reduce((next, one) => byTurn(one, next) < 0 ? one : next);
    first.waiting -= 1;
    first.got += 1;
    if (first.name === run) part += 1;
    if (part === most) {
      const others = all.reduce((sum, one) => sum + one.waiting, 0);
      const plenty = Math.max(0, left - 1 - others);
      return part + Math.min(wanted + ahead2 - part, Math.floor(plenty / (2 * all.length)));
    }
  }
  return part;
}
var byTurn = (one, other) => one.got - other.got || one.gotAt - other.gotAt || (one.name < other.name ? -1 : 1);

// src/budget/shared-budget.ts
async function joinBudget({ rows, onSilence, clock = systemClock, alarm = systemAlarm }, isPassing) {
  const run = randomUUID();
  const contact = openContact(clock, onSilence);
  const shares = /* @__PURE__ */ new Map();
  const due = /* @__PURE__ */ new Map();
  const noted = /* @__PURE__ */ new Set();
  let stop;
  let isClosed = false;
  let telling = Promise.resolve();
  let refused;
  const known = await contact.ask(
    () => rows.read().catch((error) => {
      if (isPassing(error)) throw error;
      refused = error;
      return void 0;
    })
  );
  if (refused) throw refused;
  const buckets = [...known?.buckets ?? []];
  const untold = new Set(buckets.flatMap(([name, one]) => one.untold ? [name] : []));
  const limited = new Set(buckets.flatMap(([name, one]) => one.limit === void 0 ? [] : [name]));
  const tellDue = async () => {
    const to = [...noted].filter((bucket) => (due.get(bucket) ?? 0) > 0);
    if (isClosed || to.length === 0) return;
    await contact.ask(
      () => Promise.all(
        to.map((bucket) => rows.change(bucket, (state2, now) => note(state2, run, due.get(bucket) ?? 0, now)))
      )
    );
    stop = alarm(heartbeat, () => {
      telling = tellDue();
    });
  };
  return {
    share(bucket, needs) {
      const share = new DatabaseShare({
        ...{ clock, alarm, contact, needs },
        untold: untold.has(bucket),
        due: () => due.get(bucket) ?? 0,
        sent: () => due.set(bucket, Math.max(0, (due.get(bucket) ?? 0) - 1)),
        draw: (asked) => rows.change(bucket, (state2, now) => draw(state2, { run, ...asked }, now))
      });
      shares.set(bucket, share);
      return share;
    },
    announce(requests) {
      for (const [bucket, count] of requests) {
        due.set(bucket, (due.get(bucket) ?? 0) + count);
        if (limited.has(bucket)) noted.add(bucket);
      }
      stop?.();
      telling = tellDue();
    },
    async states(buckets2) {
      const read = await contact.ask(() => rows.read());
      const found = /* @__PURE__ */ new Map();
      for (const bucket of buckets2) {
        const one = read?.buckets.get(bucket);
        const state2 = one && stateOf(one, run, read.now);
        if (state2) found.set(bucket, state2);
      }
      return found;
    },
    async close() {
      isClosed = true;
      stop?.();
      const left = new Set(noted);
      for (const [bucket, share] of shares) {
        if (share.isKnown) left.add(bucket);
      }
      const quiet = Promise.all([telling, ...[...shares.values()].map((share) => share.close())]);
      const given = quiet.then(
        () => Promise.all([...left].map((bucket) => rows.change(bucket, (state2) => leave(state2, run))))
      );
      if (contact.isDue()) await inTime(given).catch(() => {
      });
      else given.catch(() => {
      });
    }
  };
}

// src/budget/open-budget.ts
async function openBudget(options) {
  const { limits, isArgument, env, baseUrl, token, say } = options;
  const connection = connectionOf(readDatabaseUrl(limits, isArgument, "limits"), env, "limits");
  const password = connection.config.password;
  const rows = await postgresRows(fingerprintOf(baseUrl, token), connection);
  const faultOf = (error) => postgresFault(error, password);
  const onSilence = (error) => say(
    `The limits at ${connection.shown} do not answer (${faultOf(error).why}): continuing with this run's share of what was last known.`
  );
  const isPassing = (error) => /-(unreachable|busy)$/.test(faultOf(error).code);
  return joinBudget({ rows, onSilence }, isPassing).catch((error) => {
    const { why, hint } = faultOf(error);
    throw new Problems([
      problem("limits/database", `the limits at ${connection.shown} cannot be used: ${why}`, { hint })
    ]);
  });
}
var columns = "account text, bucket text, state text not null, changed timestamptz not null default now(), primary key (account, bucket)";
var state = "left(state, 100000) as state";
var time2 = "extract(epoch from clock_timestamp()) * 1000 as now";
var patience = { lock: "3s", idle: "3s" };
var connecting = { connectionTimeoutMillis: 4e3, query_timeout: 4e3 };
var fingerprintOf = (baseUrl, token) => createHash("sha256").update(`trueup limits\0${baseUrl}\0${token}`).digest("hex").slice(0, 32);
async function postgresRows(account, connection) {
  const { schema } = connection;
  const pool = await poolFor({ ...connection, config: { ...connection.config, ...connecting } }, "--limits");
  const table = `"${schema}".limits`;
  return {
    change: (bucket, change) => inTransaction(pool, { schema, tables: { limits: columns }, patience }, async (client) => {
      const find = () => client.query(
        `select ${state}, ${time2} from ${table} where account = $1 and bucket = $2 for update`,
        [account, bucket]
      );
      let [row] = (await find()).rows;
      if (!row) {
        await client.query(
          `insert into ${table} (account, bucket, state) values ($1, $2, '{}') on conflict do nothing`,
          [account, bucket]
        );
        [row] = (await find()).rows;
      }
      const now = Number(row.now);
      const known = readBucket(row.state, now);
      const done = change(known, now);
      await client.query(
        `update ${table} set state = $3, changed = now() where account = $1 and bucket = $2`,
        [account, bucket, JSON.stringify(known)]
      );
      return done;
    }),
    async read() {
      const found = await pool.query(
        `select bucket, ${state}, ${time2} from ${table} where account = $1 limit 2000`,
        [account]
      ).catch((error) => {
        if (isWithoutTables(error)) return { rows: [] };
        throw error;
      });
      const now = Number(found.rows[0]?.now ?? 0);
      const buckets = /* @__PURE__ */ new Map();
      for (const row of found.rows) buckets.set(row.bucket, readBucket(row.state, now));
      return { buckets, now };
    }
  };
}
return{openBudget:openBudget};})();exports.part_XX7DPJ3M=part_XX7DPJ3M;
