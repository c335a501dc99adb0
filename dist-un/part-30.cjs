"use strict";const part_FAFYJQPV=(()=>{const {
  ledgerLineOf
}=require("./part-94.cjs").part_2PKLHWHB;const {
  showPlan,
  streamOption
}=require("./part-50.cjs").part_LW7MTB4U;const {
  carryOut,
  nothingLines
}=require("./part-43.cjs").part_KBSCB2RM;require("./part-40.cjs").part_JLV4KSGL;require("./part-107.cjs").part_HO3WMWJF;require("./part-107.cjs").part_MXVH3ICS;require("./part-68.cjs").part_TKJ67INM;require("./part-102.cjs").part_4IQERMVV;const {
  openSettledPlan
}=require("./part-101.cjs").part_VCZ3M53L;require("./part-89.cjs").part_FBETF43H;require("./part-94.cjs").part_YZ7UDJWV;require("./part-93.cjs").part_FJCNLGFD;const {
  planningOf,
  withWriting
}=require("./part-19.cjs").part_D3YXR7F6;const {
  lockSession,
  openSession,
  requireWritable
}=require("./part-89.cjs").part_JDYKD6X4;require("./part-96.cjs").part_U5NJKFCI;require("./part-91.cjs").part_2OZZAYPQ;require("./part-91.cjs").part_JC4MGK2O;require("./part-105.cjs").part_5HVZGS2F;require("./part-105.cjs").part_FE33W6O7;require("./part-86.cjs").part_6FVWABKZ;require("./part-91.cjs").part_FGBDHNKO;require("./part-82.cjs").part_ITOYBHJI;require("./part-85.cjs").part_HRKYGKTM;require("./part-31.cjs").part_FFJC4QNY;require("./part-98.cjs").part_WVTPVLPE;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-86.cjs").part_ULWTVNOV;require("./part-82.cjs").part_QI5FGYYL;require("./part-93.cjs").part_UFNWTKGU;require("./part-95.cjs").part_HSR2BE55;require("./part-95.cjs").part_T5M5UDUZ;require("./part-100.cjs").part_U56CU4BQ;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-80.cjs").part_RUA4AHDC;require("./part-124.cjs").part_6HBEUU6S;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;const {
  refuseEphemeral
}=require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  isEmpty
}=require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
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
;
;
;
;
;
;

// src/cli/destroy.ts
function destroyCommand(command, provider, run) {
  withWriting(command).option("--confirm <stack>", "the name of the stack, instead of typing it").addOption(streamOption()).action(async (options) => {
    const terminal = terminalFor(run, options);
    refuseEphemeral(options, run.host);
    const session = await openSession(provider, options, terminal, { ends: true, guards: "apply" });
    const { stack } = session.configuration.desired;
    try {
      requireWritable(session, options);
      if (options.confirm !== void 0) await lockSession(session, options, terminal);
      const planned = await openSettledPlan(session, planningOf(options, run.host, { destroy: true }));
      terminal.err(await ledgerLineOf(session));
      const pace = await session.connection.paceNow(provider.pace);
      const fine = await showPlan(planned.plan, options, terminal, pace);
      if (!fine) run.exitCode = 1;
      if (!fine) return;
      if (isEmpty(planned.plan)) return terminal.stream?.(nothingLines(planned.plan));
      if (options.confirm === void 0 && !terminal.canAsk)
        throw new Problems([
          problem(
            "destroy/unattended",
            `destroy needs a terminal or --confirm ${stack}; nothing was changed`,
            {
              hint: `pass --confirm ${stack}`
            }
          )
        ]);
      const typed = options.confirm ?? await terminal.ask(`
Type the name of the stack (${stack}) to destroy what it owns: `);
      if (typed === stack) {
        if (options.confirm === void 0) await lockSession(session, options, terminal);
        await carryOut(session, planned, options, terminal, {
          command: "destroy",
          approval: options.confirm === void 0 ? "asked" : "flag"
        });
      } else {
        terminal.err(`That is not the name of the stack (${stack}). Nothing was changed.`);
        run.exitCode = 1;
      }
    } finally {
      await session.close();
    }
  });
}
return{destroyCommand:destroyCommand};})();exports.part_FAFYJQPV=part_FAFYJQPV;
