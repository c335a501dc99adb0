"use strict";const part_GATY4LHF=(()=>{const {
  formats,
  noneOf,
  printRows,
  timeoutOption,
  withWanted
}=require("./part-118.cjs").part_CYJG7AFP;const {
  pairsOf
}=require("./part-56.cjs").part_O7OGUCZM;const {
  isOnTheWay,
  sealKnown
}=require("./part-119.cjs").part_42B3PQI4;require("./part-51.cjs").part_MKMGPZXS;require("./part-112.cjs").part_Q6WJRPVS;require("./part-114.cjs").part_M7KTYLXY;require("./part-68.cjs").part_TKJ67INM;require("./part-93.cjs").part_FJCNLGFD;const {
  followLookup,
  lookupList,
  lookupReader,
  named,
  openReading,
  printDayTwo,
  refuseUnknown,
  standingOf
}=require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;const {
  observe
}=require("./part-91.cjs").part_FGBDHNKO;const {
  readOnly
}=require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-114.cjs").part_INBOWXT2;require("./part-112.cjs").part_55Q3LCS5;require("./part-122.cjs").part_4377VF5K;require("./part-35.cjs").part_GHYH6KYJ;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;const {
  sourcesFor
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;const {
  emptyLedger
}=require("./part-105.cjs").part_EABJC5VV;const {
  lineage
}=require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  collect,
  number
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;const {
  collectionParts
}=require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;const {
  matcherOf
}=require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;const {
  byAddress,
  lastNameOf
}=require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
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

// src/cli/get.ts
function getCommand(command, provider, run) {
  withWanted(command).argument("[lookup]", "a kind or a lookup: `project`, `deployment`").argument("[name]", "a single object, or a glob: `web`, `site-*`, `projects/web/**`").addOption(new Option("--format <format>", "output format").choices(formats).default("table")).option("--json", "same as --format json").option(
    "--fields <names>",
    "only these fields, comma-separated",
    (text, all) => collect(text, all).flatMap((one) => one.split(","))
  ).option("--limit <n>", "maximum number of rows", number(1), 20).option("--list", "list all lookups, or describe the named one").option("--watch", "keep watching while it changes; Ctrl-C to stop").addOption(timeoutOption()).action(async (what, name, options) => {
    const terminal = terminalFor(run, options);
    const { lookups } = await provider.dayTwo();
    if (options.list) return printDayTwo(lookupList(lookups), what, "lookups", options, terminal);
    if (what === void 0)
      throw new Problems([
        problem("asked/missing", "no kind or lookup given", {
          hint: "name a kind (`trueup kinds`) or a lookup (`trueup get --list`)"
        })
      ]);
    const kind = lookups.has(what) ? void 0 : provider.kinds.find((one) => one.name === what);
    const all = new Map([...provider.kinds.map((one) => [one.name, void 0]), ...lookups]);
    const lookup = kind ? void 0 : named(what, all, "kind or lookup", "trueup get --list");
    if (kind) {
      if (options.watch || options.where || options.of !== void 0)
        throw new Problems([
          problem("asked/kind", `${what} is a kind: --watch, --where and --of are for lookups`, {
            hint: `select by address instead: \`trueup get ${what} 'projects/web/**'\``
          })
        ]);
      return getKind(provider, kind, name, options, terminal);
    }
    if (!lookup) throw new Error(`${what} is neither a kind nor a lookup`);
    await getLookup(provider, lookup, name, options, terminal);
  });
}
async function getKind(provider, kind, name, options, terminal) {
  const { host } = terminal.run;
  refuseUnknown(options.fields ?? [], ["address", ...Object.keys(kind.fields)], { what: kind.name });
  const reading = await openReading(provider, options, terminal);
  try {
    const { kinds, connection, configuration, owner, baseUrl, masking } = reading;
    const way = new Set(lineage(kinds, kind.name).map((one) => one.name));
    const isAddress = name?.includes("/") ?? false;
    const found = await observe(
      { stack: "", resources: /* @__PURE__ */ new Map(), inputs: [], folders: [] },
      emptyLedger("", "", ""),
      kinds,
      readOnly(connection.send),
      {
        facts: owner.facts,
        also: (one, parent) => way.has(one.name) && (!isAddress || isOnTheWay(one, parent, [name]))
      }
    );
    const known = { owner, baseUrl, twin: options.twin ?? false };
    const live = await sealKnown(found, kinds, configuration, known, host, sourcesFor(options, host));
    const test = name === void 0 ? () => true : matcherOf([name]);
    const isMeant = (address) => test(isAddress ? address : lastNameOf(address));
    const rows = [...live.resources.values()].filter((one) => one.kind === kind.name && isMeant(one.address)).sort(byAddress).map(({ address, fields }) => ({ address, ...fields }));
    refuseUnread(live, kind, rows.length);
    const shown = rows.slice(0, options.limit);
    const columns = ["address", ...Object.keys(kind.fields).slice(0, 6)];
    printRows(
      {
        what: kind.name,
        key: "kind",
        rows: shown,
        columns,
        isMore: rows.length > shown.length,
        isOne: rows.length === 1
      },
      options,
      masking,
      terminal
    );
    if (rows.length === 0 && name !== void 0) throw noneOf(kind.name, name);
  } finally {
    await reading.close();
  }
}
function refuseUnread({ frozen }, { name }, count) {
  const unread = [...frozen].filter(([id]) => collectionParts(id)[1] === name || count === 0);
  if (unread.length === 0) return;
  throw new Problems(
    unread.map(
      ([id, why]) => problem(
        "asked/unread",
        `${collectionParts(id)[0] ?? "the account"}: its ${name} cannot be read: ${why}`
      )
    )
  );
}
async function getLookup(provider, lookup, name, options, terminal) {
  const { name: what, items, output } = lookup;
  refuseUnknown(options.fields ?? [], Object.keys(output), { what });
  if (options.watch && !lookup.end)
    throw new Problems([
      problem("wait/endless", `${what} has no end state, so there is nothing to watch`, {
        hint: "drop --watch"
      })
    ]);
  const reading = await openReading(provider, options, terminal);
  try {
    const wanted = { name, of: options.of, where: pairsOf(options.where), limit: options.limit };
    const read = await lookupReader(lookup, wanted, reading);
    const columns = lookup.columns ?? Object.keys(output);
    const found = options.watch ? await followLookup(lookup, read, {
      terminal,
      columns: options.fields ?? columns,
      within: options.timeout * 1e3,
      // Until all of them rest.
      stand: (rows2) => rows2.some((row) => standingOf(row, lookup, []) === "under way") ? "under way" : "reached"
    }) : await read();
    const { rows, isMore } = found;
    const isOne = items === void 0 || rows.length === 1;
    printRows({ what, key: "lookup", rows, columns, isMore, isOne }, options, reading.masking, terminal);
    if (rows.length === 0 && name !== void 0) throw noneOf(what, name);
  } finally {
    await reading.close();
  }
}
return{getCommand:getCommand};})();exports.part_GATY4LHF=part_GATY4LHF;
