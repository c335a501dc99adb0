"use strict";const part_IYL6F2M2=(()=>{const {
  formatYaml
}=require("./part-114.cjs").part_M7KTYLXY;require("./part-114.cjs").part_INBOWXT2;require("./part-112.cjs").part_55Q3LCS5;const {
  collect,
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;const {
  require_lib
}=require("./part-92.cjs").part_BFXFO44Z;const {
  findFiles,
  readBytes,
  sourceOf
}=require("./part-97.cjs").part_UADL7KU7;const {
  standardInput
}=require("./part-106.cjs").part_DT2CDXHV;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-84.cjs").part_XK3EKDRU;const {
  Source,
  structureOf
}=require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_BACZRMMV;require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { constants }=require("node:fs");const { access }=require("node:fs/promises");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/cli/fmt.ts
var import_write_file_atomic = __toESM(require_lib(), 1);
;
;
function fmtCommand(command, _provider, run) {
  withColor(command).argument("[paths...]", "files and folders, or `-` from standard input to standard output").option(
    "-f, --file <path>",
    "a file or folder of the configuration; repeatable (default: trueup.yaml or trueup/)",
    collect
  ).option("--check", "write nothing; show what would change, and exit with 1 if anything would").action(async (paths, { file = [], ...options }) => {
    const given = [...paths, ...file];
    const terminal = terminalFor(run, options);
    if (!given.includes(standardInput)) await formatFiles(given, options, terminal);
    else if (given.length === 1) await formatInput(options, terminal);
    else
      throw new Problems([
        problem("fmt/input", "`-` (standard input) cannot be combined with files", {
          hint: "format the files in a separate run"
        })
      ]);
  });
}
async function formatFiles(given, { check }, terminal) {
  const { files, diagnostics } = await findFiles(terminal.run.host.cwd, given.length > 0 ? given : void 0);
  let changed = 0;
  for (const file of files) {
    const found = await formatFile(file, check ?? false, terminal);
    if (found === "changed") changed++;
    else if (found !== "same") diagnostics.push(...found);
  }
  if (diagnostics.length > 0) throw new Problems(diagnostics);
  terminal.err(summaryOf(changed, files.length, check ?? false));
  if (check && changed > 0) terminal.run.exitCode = 1;
}
var summaryOf = (changed, all, check) => changed === 0 ? `${count(all, "file")}: nothing to format.` : `${count(all, "file")}: ${changed} ${check ? "would be reformatted; run `trueup fmt`" : "formatted"}.`;
async function formatFile({ path, name }, check, terminal) {
  const bytes = await readBytes({ path, name });
  if (!Buffer.isBuffer(bytes)) return [bytes];
  const { text, diagnostics } = format(name, bytes);
  if (diagnostics) return diagnostics;
  if (bytes.equals(Buffer.from(text))) return "same";
  if (check) terminal.out([name, ...firstDifference(bytes.toString("utf8"), text)].join("\n"));
  else {
    try {
      await access(path, constants.W_OK);
      await (0, import_write_file_atomic.default)(path, text);
    } catch (error) {
      return [
        problem("fmt/unwritable", `${name} cannot be written: ${systemText(error)}`, {
          hint: "check the permissions of the file and its folder; the file is unchanged"
        })
      ];
    }
    terminal.out(name);
  }
  return "changed";
}
async function formatInput({ check }, terminal) {
  const chunks = [];
  for await (const chunk of terminal.run.host.stdin) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const name = "<stdin>";
  const { text, diagnostics } = format(name, bytes);
  if (diagnostics) throw new Problems(diagnostics);
  if (!check) {
    terminal.run.host.stdout.write(text);
    return;
  }
  if (bytes.equals(Buffer.from(text))) return;
  terminal.out([name, ...firstDifference(bytes.toString("utf8"), text)].join("\n"));
  terminal.run.exitCode = 1;
}
function format(name, bytes) {
  const source = sourceOf(name, bytes);
  return source instanceof Source ? formatYaml(source) : { diagnostics: [source] };
}
var around = 1;
var most = 3;
var farthest = 40;
function firstDifference(before, after) {
  const [a, b] = [before, after].map((text) => text.split(/(?<=\n)/));
  const first = a.findIndex((line, at2) => line !== b[at2]);
  const at = first < 0 ? a.length : first;
  const [gone, come] = apart(a.slice(at), b.slice(at));
  return [
    `  @@ line ${at + 1} @@`,
    ...a.slice(Math.max(0, at - around), at).map((line) => `    ${shapeOf(line)}`),
    ...marked("-", gone),
    ...marked("+", come)
  ];
}
function apart(a, b) {
  for (let sum = 1; sum <= farthest; sum++)
    for (let i = 0; i <= sum; i++)
      if (a[i]?.trim() && a[i] === b[sum - i]) return [a.slice(0, i), b.slice(0, sum - i)];
  return [a, b];
}
var marked = (mark, lines) => [
  ...lines.slice(0, most).map((line) => `  ${mark} ${shapeOf(line)}`.trimEnd()),
  ...lines.length > most ? [`  ${mark} ... ${lines.length - most} more lines`] : []
];
function shapeOf(line) {
  const [, mark, text, blanks, end] = /^(\ufeff?)(.*?)([ \t]*)(\r?\n)?$/s.exec(line);
  return [
    mark && "(BOM)",
    structureOf(text.replaceAll("	", "\u2192"), true),
    blanks.replaceAll(" ", "\xB7").replaceAll("	", "\u2192"),
    end === void 0 ? " (no newline at end of file)" : end.replace(/\r?\n/, (one) => one === "\n" ? "" : "\u240D")
  ].join("");
}
return{fmtCommand:fmtCommand};})();exports.part_IYL6F2M2=part_IYL6F2M2;
