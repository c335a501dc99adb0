"use strict";const part_O7OGUCZM=(()=>{const {
  collect
}=require("./part-84.cjs").part_GNPU5WKB;const {
  InvalidArgumentError
}=require("./part-80.cjs").part_EIXR7FAL;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  Problems,
  hasErrors,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { createReadStream, statSync }=require("node:fs");;
;
;
;

// src/cli/api-request.ts
;

// src/api/body.ts
function bodyOf(words, secrets = /* @__PURE__ */ new Map()) {
  const body = {};
  const wrong = [
    ...words.flatMap((word) => {
      const at = word.indexOf("=");
      return put(body, word.slice(0, at), jsonOr(word.slice(at + 1)));
    }),
    ...[...secrets].flatMap(([path, secret]) => put(body, path, secret.reveal()))
  ];
  if (wrong.length > 0) throw new Problems(wrong);
  return body;
}
function jsonOr(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
function put(body, path, value) {
  const names = path.split(".");
  const last = names.pop();
  let inner = body;
  for (const name of names) {
    if (!Object.hasOwn(inner, name)) Object.defineProperty(inner, name, plainMember({}));
    const next = inner[name];
    if (typeof next !== "object" || next === null || Array.isArray(next))
      return [problem("api/field", `--field ${path}: \`${name}\` already has a value`)];
    inner = next;
  }
  if (Object.hasOwn(inner, last)) return [problem("api/field", `--field ${path} is set twice`)];
  Object.defineProperty(inner, last, plainMember(value));
  return [];
}
var plainMember = (value) => ({ value, enumerable: true, writable: true, configurable: true });

// src/cli/api-request.ts
var pair = (value, all) => {
  if (value.indexOf("=") < 1) throw new InvalidArgumentError("It must be NAME=VALUE.");
  return collect(value, all);
};
var ownHeaders = /^(authorization|host|connection|content-length|transfer-encoding|user-agent|proxy-.*)$/i;
function header(value, all) {
  const [, name = ""] = /^([\w-]+):/.exec(value) ?? [];
  if (name === "") throw new InvalidArgumentError("It must be NAME:VALUE.");
  if (ownHeaders.test(name)) throw new InvalidArgumentError(`${name} is set by trueup itself.`);
  if (/[^\t\x20-\x7e]/.test(value)) throw new InvalidArgumentError("A header must be printable ASCII.");
  return collect(value, all);
}
var pairsOf = (words = []) => words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]);
async function secretsFor(configuration, { secretField = [] }, resolve) {
  const asked = Object.fromEntries(pairsOf(secretField));
  const usedSecrets = new Set(Object.values(asked));
  const unknown = [...usedSecrets].filter((name) => !configuration.secrets.has(name));
  if (unknown.length > 0)
    throw new Problems(
      unknown.map(
        (name) => problem("api/secret", `the configuration has no secret named ${JSON.stringify(name)}`, {
          hint: configuration.secrets.size > 0 ? `it has ${[...configuration.secrets.keys()].join(", ")}` : "add it under `secrets:` in trueup.yaml"
        })
      )
    );
  if (usedSecrets.size === 0) return /* @__PURE__ */ new Map();
  const { values, diagnostics } = await resolve({ ...configuration, usedSecrets });
  if (hasErrors(diagnostics)) throw new Problems(diagnostics);
  return new Map(Object.entries(asked).map(([member, name]) => [member, values.get(name)]));
}
function sentBy(options, secrets, host) {
  const { field = [], header: words = [], input } = options;
  const given = Object.fromEntries(
    words.map((word) => [
      word.slice(0, word.indexOf(":")).toLowerCase(),
      word.slice(word.indexOf(":") + 1).trim()
    ])
  );
  const headers = { accept: "*/*", ...given };
  const typed = { "content-type": "application/json", ...headers };
  if (input === "-") {
    let isRead = false;
    const open = () => {
      if (isRead) return void 0;
      isRead = true;
      return host.stdin;
    };
    return { headers: typed, open };
  }
  if (input !== void 0) {
    const file = pathOn(host, input);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile())
      throw new Problems([
        problem("api/input", `--input: there is no file ${input}`, {
          hint: "name a file, or `-` for standard input"
        })
      ]);
    const type = /\.json$/i.test(input) ? {} : { "content-type": "application/octet-stream", ...headers };
    return {
      headers: { ...typed, ...type, "content-length": String(found.size) },
      open: () => createReadStream(file)
    };
  }
  if (field.length === 0 && secrets.size === 0) return { headers };
  const body = JSON.stringify(bodyOf(field, secrets));
  return { headers: typed, open: () => body, secrets: [...secrets.values()] };
}

return{pair:pair,header:header,pairsOf:pairsOf,secretsFor:secretsFor,sentBy:sentBy};})();exports.part_O7OGUCZM=part_O7OGUCZM;
