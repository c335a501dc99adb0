"use strict";const part_LMDDJUCP=(()=>{const {
  documentsFor,
  ledgerStore
}=require("./part-96.cjs").part_VFFBCGY7;const {
  isFile,
  loadConfiguration,
  sourcesFor,
  stagesOf
}=require("./part-105.cjs").part_TEBTU3WD;const {
  withConfiguration,
  withSources
}=require("./part-84.cjs").part_GNPU5WKB;const {
  Command
}=require("./part-80.cjs").part_EIXR7FAL;;
;
;
;

// src/cli/command-line.ts
var dynamicKinds = ["address", "kind", "stage", "code", "action", "lookup", "readable"];
function commandLines(command, path = []) {
  const help = command.createHelp();
  const visible = help.visibleCommands(command);
  const commands = visible.map((one) => ({ name: one.name(), description: help.subcommandDescription(one) }));
  const own = {
    path: path.join(" "),
    description: command.description(),
    commands,
    options: help.visibleOptions(command).map((option) => optionOf(option)),
    arguments: command.registeredArguments.map((argument) => ({
      // `kinds` calls its argument by more than what it is.
      words: wordsFor(meantBy(command.name(), argument.name()), argument.argChoices),
      isRepeated: argument.variadic
    }))
  };
  const inner = visible.map(
    (one) => one.name() === "help" ? [
      {
        ...emptyLine(one, [...path, "help"]),
        arguments: [{ words: choices(commands), isRepeated: false }]
      }
    ] : commandLines(one, [...path, one.name()])
  );
  return [own, ...inner.flat()];
}
function meantBy(command, name) {
  if (command === "kinds") return "kind";
  return command === "get" && name === "lookup" ? "readable" : name;
}
var emptyLine = (command, path) => ({
  path: path.join(" "),
  description: command.description(),
  commands: [],
  options: [],
  arguments: []
});
var choices = (commands) => ({
  type: "choices",
  words: commands.map(({ name }) => name).filter((name) => name !== "help")
});
function optionOf({ short, long, description, required, optional, flags, argChoices }) {
  const name = /[<[]([^>\].]+)/.exec(flags)?.[1] ?? "";
  return {
    flags: [short, long].filter((flag) => flag !== void 0),
    description,
    ...required || optional ? { value: wordsFor(name, argChoices) } : {}
  };
}
function wordsFor(name, argChoices) {
  if (argChoices) return { type: "choices", words: [...argChoices] };
  if (/^(path|file|folder)s?$/.test(name)) return { type: "files" };
  if (/^address(-glob)?(es)?$/.test(name)) return { type: "dynamic", kind: "address" };
  if (/^kinds?$/.test(name)) return { type: "dynamic", kind: "kind" };
  if (name === "action" || name === "lookup" || name === "readable") return { type: "dynamic", kind: name };
  if (name === "code") return { type: "dynamic", kind: "code" };
  if (name === "stage") return { type: "dynamic", kind: "stage" };
  return { type: "any" };
}
var placesOf = (lines) => lines.flatMap(({ path, options, arguments: all }) => [
  ...options.flatMap(
    ({ flags, value }) => value ? flags.map((flag) => ({ place: `${path}:${flag}`, words: value })) : []
  ),
  ...all.map(({ words, isRepeated }, at) => ({ place: `${path}:${isRepeated ? "*" : at}`, words }))
]);
function completeCommand(command, provider, run) {
  command.argument("[kind]").argument("[words...]", "the words of the command line, after `--`").allowUnknownOption().action(async (kind, words) => {
    for (const word of await wordsOf(provider, kind, words, run)) run.host.stdout.write(`${word}
`);
  });
}
async function wordsOf(provider, kind, words, run) {
  if (kind === dynamicKinds[1]) return provider.kinds.map(({ name }) => name).sort();
  const { actions, lookups } = await provider.dayTwo();
  if (kind === dynamicKinds[4]) return [...actions.keys()].sort();
  if (kind === dynamicKinds[5]) return [...lookups.keys()].sort();
  if (kind === dynamicKinds[6])
    return [.../* @__PURE__ */ new Set([...lookups.keys(), ...provider.kinds.map(({ name }) => name)])].sort();
  if (kind === dynamicKinds[3]) return (await Promise.resolve().then(()=>require("./part-41.cjs").part_JOOJCJQW)).explainedCodes();
  if (kind !== dynamicKinds[0] && kind !== dynamicKinds[2]) return [];
  try {
    const isOpen = kind === dynamicKinds[2] && words.at(-1) === "--stage";
    const options = configurationIn(isOpen ? words.slice(0, -1) : words);
    if (kind === dynamicKinds[2]) return await stagesOf(provider, options, run);
    const { desired } = await loadConfiguration(provider, options, run, {
      sources: sourcesFor(options, run.host),
      isLook: true
    });
    const held = isFile(options, run.host) ? await ledgerStore(documentsFor(desired.stack, options, run.host), { key: void 0 }).read().catch(() => void 0) : void 0;
    return [.../* @__PURE__ */ new Set([...desired.resources.keys(), ...Object.keys(held?.entries ?? {})])].sort();
  } catch {
    return [];
  }
}
function configurationIn(words) {
  const command = withSources(withConfiguration(new Command())).option("--ledger <path>").option("--twin").argument("[words...]").allowUnknownOption().exitOverride().configureOutput({ writeErr: () => {
  }, writeOut: () => {
  } }).helpOption(false);
  return command.parse(words, { from: "user" }).opts();
}

return{commandLines:commandLines,placesOf:placesOf,completeCommand:completeCommand};})();exports.part_LMDDJUCP=part_LMDDJUCP;
const part_QLD5JJDD=(()=>{const {
  commandLines,
  completeCommand,
  placesOf
}=part_LMDDJUCP;require("./part-96.cjs").part_VFFBCGY7;require("./part-81.cjs").part_MYWS23SU;require("./part-81.cjs").part_SE5RFCD4;require("./part-106.cjs").part_6Z4P2PSD;require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
return{commandLines:commandLines,completeCommand:completeCommand,placesOf:placesOf};})();exports.part_QLD5JJDD=part_QLD5JJDD;
