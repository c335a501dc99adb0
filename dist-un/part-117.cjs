"use strict";const part_QLYNIQGZ=(()=>{const {
  explanationOf,
  explanationsIn,
  troubleshooting_default
}=require("./part-23.cjs").part_DTN5XV4U;const {
  locateOn
}=require("./part-15.cjs").part_BAXXSSA2;const {
  digest
}=require("./part-85.cjs").part_SJG7KYTO;const {
  homepage,
  version
}=require("./part-80.cjs").part_OT7RGJI3;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
  clean
}=require("./part-80.cjs").part_D2V2PUP6;const {
  definedOnly
}=require("./part-80.cjs").part_YNHFC6K5;const {
  endColumnOf
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;

// src/report/sarif.ts
var most = 25e3;
function sarif(diagnostics, { version: version2, homepage: homepage2, file, locate, explain }) {
  const shown = [...diagnostics].sort((a, b) => rank(a) - rank(b)).slice(0, most);
  const ids = [...new Set(shown.map(({ code }) => code))].sort();
  const fingerprintOf = fingerprints();
  const resultOf = (diagnostic) => ({
    ruleId: diagnostic.code,
    ruleIndex: ids.indexOf(diagnostic.code),
    level: diagnostic.severity,
    message: { text: textOf(diagnostic) },
    locations: [
      {
        ...physical(diagnostic.at ?? { file, line: 1 }, locate),
        ...diagnostic.address === void 0 ? {} : { logicalLocations: [{ fullyQualifiedName: diagnostic.address, kind: "resource" }] }
      }
    ],
    ...definedOnly({
      relatedLocations: diagnostic.related?.map(({ message, at }) => ({
        ...physical(at, locate),
        message: { text: plain(message) }
      }))
    }),
    partialFingerprints: { primaryLocationLineHash: fingerprintOf(diagnostic) }
  });
  return jsonText({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "trueup",
            version: version2,
            informationUri: homepage2,
            rules: ids.map((id) => ruleOf(id, explain(id)))
          }
        },
        columnKind: "utf16CodeUnits",
        results: shown.map(resultOf)
      }
    ]
  });
}
var rank = ({ severity }) => severity === "error" ? 0 : 1;
function ruleOf(id, markdown) {
  const [area = "", what = ""] = id.replaceAll("-", " ").split("/");
  const words = what === "" ? area : `${area}: ${what}`;
  const [first = ""] = (markdown ?? "").split(/\n\n/, 1);
  return {
    id,
    shortDescription: { text: `${words[0]?.toUpperCase()}${words.slice(1)}.` },
    ...markdown === void 0 ? {} : {
      fullDescription: { text: plain(withoutLinks(first).replaceAll("\n", " ")) },
      help: { text: plain(withoutLinks(markdown)), markdown: withoutLinks(markdown) }
    }
  };
}
var withoutLinks = (text) => text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
var textOf = ({ message, hint }) => plain(hint === void 0 ? message : `${message}
${hint}`);
var plain = (text) => clean(text).replaceAll("](", "] (");
function physical(at, locate) {
  return {
    physicalLocation: {
      artifactLocation: uriOf(locate(at.file)),
      region: regionOf(at)
    }
  };
}
function regionOf(at) {
  if (!("column" in at)) return { startLine: at.line };
  const endColumn = endColumnOf(at);
  return {
    startLine: at.line,
    startColumn: at.column,
    ...endColumn === void 0 ? {} : { endLine: at.line, endColumn }
  };
}
function uriOf(file) {
  const path = file.replaceAll("\\", "/");
  const uri = path.split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? { uri: `file://${uri}` } : { uri, uriBaseId: "%SRCROOT%" };
}
function fingerprints() {
  const seen = /* @__PURE__ */ new Map();
  return ({ code, address, at, message }) => {
    const hash = digest("sarif", [code, address ?? [at?.file, message]]);
    const number = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, number);
    return `${hash}:${number}`;
  };
}

// src/cli/sarif-log.ts
function sarifLog(diagnostics, host, file) {
  const all = explanationsIn(troubleshooting_default);
  return sarif(diagnostics, {
    version,
    homepage,
    file,
    locate: locateOn(host),
    explain: (code) => explanationOf(all, code)?.text
  });
}

return{sarifLog:sarifLog};})();exports.part_QLYNIQGZ=part_QLYNIQGZ;
const part_XOU4YKEL=(()=>{const {
  sarifLog
}=part_QLYNIQGZ;require("./part-23.cjs").part_DTN5XV4U;require("./part-106.cjs").part_P2I66CA3;require("./part-15.cjs").part_BAXXSSA2;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
return{sarifLog:sarifLog};})();exports.part_XOU4YKEL=part_XOU4YKEL;
