"use strict";const part_BXYT6UOV=(()=>{const {
  doubtText,
  openHistory,
  sayDoubts
}=require("./part-60.cjs").part_PHFSSWKC;require("./part-107.cjs").part_MXVH3ICS;const {
  openPlan
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf
}=require("./part-19.cjs").part_D3YXR7F6;const {
  loadFor,
  openSession
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;const {
  isVerified
}=require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;const {
  comparedFields,
  leavesOf
}=require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;const {
  withAccount
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  plainly
}=require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;const {
  show
}=require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;const {
  globOf
}=require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;const {
  wholeAddress
}=require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;const {
  byKey
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cutCounted,
  displayWidth,
  jsonText,
  jsonValue
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
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

// src/history/blame.ts
function blameOf(address, records, found2, who) {
  const setters = lastSetters(address, records);
  const outside = who === void 0 ? "outside" : `outside: ${who}`;
  if (!found2)
    return [...setters].sort(byKey).map(([path, { record, value, wasThere }]) => ({
      address,
      path,
      value,
      ...wasThere ? { by: "outside" } : byRecord(record)
    }));
  return [...found2].sort((a, b) => a.path < b.path ? -1 : 1).map(({ path, value, isOther, isOurs }) => {
    const setter = setters.get(path);
    const one = { address, path, value };
    if (!setter) return isOurs ? one : { ...one, by: outside };
    const { record, value: set, wasThere } = setter;
    const isHidden = set === void 0 || set === "(secret)" || value === "(secret)";
    const isSame = isHidden || canonical(set) === canonical(value);
    if (wasThere && isSame && !isOther) return { ...one, by: "outside" };
    return isOther || !isSame ? { ...one, by: outside, since: record.head.end ?? record.head.start } : {
      ...one,
      ...value === "(secret)" && set !== void 0 ? { value: set } : {},
      ...byRecord(record)
    };
  });
}
function byRecord({ head, proof }) {
  const { run, actor, start, end, commit } = head;
  return {
    ...actor ? { by: actor.name } : {},
    run,
    since: end ?? start,
    ...commit ? { commit: commit.id, ...commit.dirty ? { dirty: true } : {} } : {},
    ...isVerified(proof) || proof.doubt === "no-key" ? {} : { notVerified: doubtText(proof) }
  };
}
function lastSetters(address, records) {
  const setters = /* @__PURE__ */ new Map();
  for (const record of records)
    for (const change of record.details?.changes ?? []) {
      if (change.address !== address || change.result === "not tried" || change.result === "left") continue;
      if (change.action === "delete" || change.action === "create") setters.clear();
      if (change.action === "delete") continue;
      for (const { path, after, cause, omitted } of change.fields) {
        if (cause === "released") setters.delete(path);
        else
          setters.set(path, { record, value: omitted ? void 0 : after, wasThere: cause === "recorded" });
      }
    }
  return setters;
}
var widest = 60;
function blameText(rows, style) {
  const cells = rows.map((row) => [
    cleanLine(row.path),
    cutCounted(
      cleanLine(
        row.value === "(secret)" ? "(secret)" : row.value === void 0 ? "not kept" : show(row.value)
      ),
      widest
    ),
    row.since?.replace(/\.\d+Z$/, "Z") ?? "",
    cleanLine(row.by ?? (row.run === void 0 ? "unknown: before the history" : "author unknown")),
    [
      row.commit === void 0 ? "" : `${row.commit.slice(0, 12)}${row.dirty ? ", with uncommitted changes" : ""}`,
      row.run === void 0 ? "" : `#${row.run}`,
      row.notVerified === void 0 ? "" : `not verified: ${row.notVerified}`
    ].filter(Boolean).join("  ")
  ]);
  const widths = [0, 1, 2, 3].map((at) => Math.max(0, ...cells.map((row) => displayWidth(row[at]))));
  const padded = (cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell)));
  const whole = cells.map((row) => `  ${row.map(padded).join("  ").trimEnd()}`);
  const isNarrow = whole.some((text) => displayWidth(text) > style.prose);
  const inTwo = ([path, value, ...setter]) => [
    `  ${padded(path, 0)}  ${value}`,
    style.quiet(`      ${setter.filter(Boolean).join("  ")}`)
  ];
  const lines = cells.flatMap((row, at) => [
    ...rows[at - 1]?.address === rows[at].address ? [] : [style.strong(cleanLine(rows[at].address))],
    ...isNarrow ? inTwo(row) : [whole[at]]
  ]);
  return plainly(lines.join("\n"), style);
}

// src/cli/blame.ts
function blameCommand(command, provider, run) {
  withAccount(command).argument(
    "<address>",
    "a resource, such as `projects/web`; a variable without a target means all its targets"
  ).option("--json", "as JSON").action(async (address, options) => {
    const terminal = terminalFor(run, options);
    const { host } = run;
    const loaded = await loadFor(provider, options, terminal);
    const { stack } = loaded.configuration.desired;
    const history = await openHistory(stack, options, host);
    sayDoubts(history, terminal);
    const isRead = options.twin || options.tokenFile !== void 0 || Boolean(host.env.TRUEUP_TOKEN?.trim());
    if (!isRead)
      terminal.err(
        "No token, so the account was not read: these are the values that runs set, which may have changed since."
      );
    const rows = [];
    if (isRead) {
      const session = await openSession(provider, options, terminal, { loaded });
      try {
        const targets = { targets: [globOf(address)], part: "undo" };
        const planned = await openPlan(session, { ...planningOf(options, host), ...targets });
        for (const [one, fields] of found(planned, address))
          rows.push(...blameOf(one, history.records, fields, whoOf(planned, one)));
      } finally {
        await session.close();
      }
    } else {
      const all = history.records.flatMap(
        ({ details }) => details?.changes.map((change) => change.address) ?? []
      );
      for (const one of new Set(all))
        if (isMeant(one, address)) rows.push(...blameOf(one, history.records, void 0));
    }
    if (rows.length === 0)
      throw new Problems([
        problem(
          "blame/unknown",
          `unknown address ${address}: it is neither in the history nor in this stack`,
          {
            hint: "`trueup ledger list` shows what this stack owns"
          }
        )
      ]);
    if (options.json) terminal.out(jsonText({ formatVersion: "1.0", stack, fields: rows }));
    else terminal.out(blameText(rows, terminal.outStyle));
  });
}
var isMeant = (one, asked) => one === asked || wholeAddress(one) === asked;
function found({ live, plan, input, ledger }, asked) {
  return [...live.resources.values()].flatMap(
    ({ address, kind: name, fields }) => {
      if (!isMeant(address, asked)) return [];
      const kind = input.kinds.get(name);
      const change = plan.changes.find((one) => one.address === address);
      const entry = ledger.entries[address];
      return [
        [
          address,
          leavesOf(comparedFields(kind), fields).flatMap(({ path, value, isSecret }) => {
            const field = change?.fields.find((one) => one.path === path);
            const isOurs = entry?.fields[path] !== void 0 || entry?.secrets[path] !== void 0;
            const isNothing = value === null || value === "";
            if (!isOurs && isNothing || kind.key.includes(path) || kind.shape.place.includes(path))
              return [];
            const isOther = field?.cause === "drift" || field?.cause === "conflict";
            return [{ path, value: isSecret ? "(secret)" : jsonValue(value), isOther, isOurs }];
          })
        ]
      ];
    }
  );
}
var whoOf = ({ plan }, address) => plan.changedBy?.find((one) => one.address === address)?.who;
return{blameCommand:blameCommand};})();exports.part_BXYT6UOV=part_BXYT6UOV;
