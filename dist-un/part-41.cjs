"use strict";const part_JOOJCJQW=(()=>{const {
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;const {
  closest,
  quoted
}=require("./part-84.cjs").part_IUECLPFZ;const {
  explanationListText,
  explanationOf,
  explanationText,
  explanationsIn,
  troubleshooting_default
}=require("./part-23.cjs").part_DTN5XV4U;require("./part-106.cjs").part_P2I66CA3;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
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

// src/cli/explain.ts
var explainedCodes = () => explanationsIn(troubleshooting_default).map(({ code }) => code).filter((code) => !code.endsWith("*"));
function explainCommand(command, _provider, run) {
  withColor(command).argument("[code]", "the code at the end of an error or warning, such as ledger/unsigned").option("--json", "print one JSON document").action((given, options) => {
    const terminal = terminalFor(run, options);
    const all = explanationsIn(troubleshooting_default);
    if (given === void 0) {
      if (options.json) return terminal.out(jsonText({ formatVersion: "1.0", explanations: all }));
      return terminal.out(explanationListText(all, { style: terminal.outStyle }));
    }
    const code = given.replace(/^\[|\]$/g, "");
    const found = explanationOf(all, code);
    if (!found)
      throw new Problems([
        unknown(
          code,
          all.map((one) => one.code)
        )
      ]);
    if (options.json) return terminal.out(jsonText({ formatVersion: "1.0", ...found }));
    terminal.out(explanationText({ ...found, code }, { style: terminal.outStyle }));
  });
}
function unknown(code, codes) {
  const near = codes.find((one) => one.endsWith(`/${code}`)) ?? closest(code, codes);
  const all = "`trueup explain` lists all codes; one without `/` comes from the platform: see `trueup explain http/400`";
  return problem("explain/unknown", `there is no code ${quoted(code)}`, {
    hint: near === void 0 ? all : `did you mean \`${near}\`?`
  });
}
return{explainCommand:explainCommand,explainedCodes:explainedCodes};})();exports.part_JOOJCJQW=part_JOOJCJQW;
