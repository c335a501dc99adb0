"use strict";const part_EN3WE5DN=(()=>{const {
  isSignature,
  signature,
  signerOf
}=require("./part-32.cjs").part_FIZFKDRW;const {
  contentsOf,
  objectsOf
}=require("./part-72.cjs").part_VZPGGW2W;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { readdir, readFile, stat }=require("node:fs/promises");const { basename, dirname, join }=require("node:path");const { hash, randomBytes }=require("node:crypto");const { mkdir, open, readdir:readdir2, readFile:readFile2, realpath, rename, rm, rmdir, stat:stat2, unlink }=require("node:fs/promises");const { hostname, platform }=require("node:os");const { basename:basename2, dirname:dirname2, join:join2, resolve }=require("node:path");;
;
;
;

// src/ledger/proof.ts
var isVerified = (proof) => "by" in proof;
var signed = /,\n {2}"signature": "([\w-]+)\.([\w-]+)"\n\}\n$/;
var end = "\n}\n";
function withSignature(body, key) {
  const rest = body.slice(0, -end.length);
  return `${rest},
  "signature": "${key.id}.${signature(key, "ledger", rest, end)}"${end}`;
}
function proofOf(text, key, place) {
  const tail = text.slice(-300);
  const found = signed.exec(tail);
  if (!found) return { doubt: "unsigned", place };
  const [{ length }, id, made] = found;
  const rest = text.slice(0, text.length - length);
  return judged(id, key, place, (signer) => isSignature(made, signer, "ledger", rest, end));
}
function judged(id, key, place, isMadeBy) {
  if (!key) return { doubt: "no-key", place, key: id };
  const signer = signerOf(key, id);
  if (!signer) return { doubt: "other-key", place, key: id };
  if (!isMadeBy(signer)) return { doubt: "altered", place, key: id };
  return signer.id === key.id ? { by: id } : { by: id, previous: true };
}
var keyless = problem(
  "key/missing",
  "there is no key, which is required to write a ledger",
  {
    hint: "create one on your machine with `trueup ledger key` and set TRUEUP_LEDGER_KEY to it; `trueup ledger key --print` creates one for a CI secret"
  }
);
function notVerified(proof, key) {
  const { doubt, place, key: id } = proof;
  const sign = "review the ledger and sign it once with `trueup ledger sign`";
  switch (doubt) {
    case "no-key":
      return problem("key/missing", `${place} is signed by the key ${id}, but no key is available here`, {
        hint: `set TRUEUP_LEDGER_KEY to that key; if it is lost: \`trueup ledger key\` creates a new one, then ${sign}`
      });
    case "other-key":
      return problem(
        "ledger/other-key",
        `${place} is signed by the key ${id}, but the key here is ${key?.id}`,
        {
          hint: `set TRUEUP_LEDGER_KEY to the key ${id}; to switch to the one here, set TRUEUP_LEDGER_KEY_PREVIOUS to ${id} for one apply; if ${id} is lost or leaked, ${sign}`
        }
      );
    case "altered":
      return problem(
        "ledger/altered",
        `${place} is not what the key ${id} signed: it was changed afterwards`,
        {
          hint: `restore it (git must not change its line endings: \`-text\`); or, if the change is legitimate, ${sign}`
        }
      );
    case "unsigned":
      return problem(
        "ledger/unsigned",
        `${place} is not signed: it was written by a version without signatures, or by someone without the key`,
        { hint: sign }
      );
  }
}

// src/ledger/documents.ts
var Conflict = class extends Error {
  found;
  constructor(found) {
    super("another run wrote it in the meantime");
    this.found = found;
  }
};
var recordName = (run) => `${String(run).padStart(6, "0")}.json`;
var isRecordName = (name) => /^\d{6,12}\.json$/.test(name);
var runOf = (name) => Number.parseInt(name, 10);

// src/ledger/other-ledgers.ts
;
;
var mostOfOther = 64e6;
async function besidesFile(path) {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => name.endsWith(".json") && name !== basename(path)).map(async (name) => {
      const place = join(folder, name);
      const status = await stat(place);
      if (!status.isFile()) return void 0;
      return { place, text: status.size > mostOfOther ? void 0 : await readFile(place, "utf8") };
    })
  );
  return found.filter((one) => one !== void 0);
}
async function besidesRef({ git, isShallow }, remote, refs) {
  const others = [...refs].map(([name, tip]) => ({
    name,
    commit: `${tip}^{commit}`,
    ledger: `${tip}:ledger.json`
  }));
  const look = () => objectsOf(
    others.flatMap(({ commit, ledger }) => [commit, ledger]),
    git
  );
  let here = await look();
  const missing = others.filter(({ commit }) => !here.has(commit)).map(({ name }) => name);
  const flags = ["--quiet", "--no-tags", "--no-prune", "--no-recurse-submodules", "--no-write-fetch-head"];
  if (missing.length > 0) {
    await git(["fetch", ...flags, "--refmap=", ...isShallow ? ["--depth=1"] : [], remote, ...missing]);
    here = await look();
  }
  const found = others.flatMap(({ name, ledger }) => {
    const blob = here.get(ledger);
    return blob ? [{ place: `${name} at ${remote}`, ...blob }] : [];
  });
  const texts = /* @__PURE__ */ new Map();
  const sizes = new Map(
    found.filter(({ size }) => size <= mostOfOther).map(({ object, size }) => [object, size])
  );
  for (const portion of portionsOf(sizes))
    for (const [object, content] of await contentsOf(portion, git))
      texts.set(object, content.toString("utf8"));
  return found.map(({ place, object }) => ({ place, text: texts.get(object) }));
}
var mostAtOnce = 2 * mostOfOther;
function portionsOf(sizes) {
  const portions = [];
  let left = 0;
  for (const [object, size] of sizes) {
    left -= size;
    if (left < 0 || portions.length === 0) {
      portions.push([]);
      left = mostAtOnce - size;
    }
    portions.at(-1).push(object);
  }
  return portions;
}
function otherStacks(texts, { baseUrl, owner, stack }, key) {
  const problems = [];
  const others = texts.flatMap(({ place, text }) => {
    const other = text === void 0 ? "unclear" : readOther(text);
    if (other === "unclear") {
      problems.push(
        problem(
          "stack/unclear",
          `${place} may be the ledger of another stack, but ${text === void 0 ? `is larger than ${mostOfOther / 1e6} MB` : "has an unknown format"}`,
          {
            hint: "restore an earlier version or move it away: what that stack owns is unknown, so nothing is planned"
          }
        )
      );
      return [];
    }
    if (!other || other.baseUrl !== baseUrl || other.owner !== owner || other.stack === stack) return [];
    const { entries, writtenAt, lastRun } = other;
    const written = writtenAt === void 0 ? Number.NaN : Date.parse(writtenAt);
    return [
      {
        stack: other.stack,
        entries,
        ...Number.isNaN(written) ? {} : { writtenAt: written },
        // Whoever wrote it may have written anything.
        ...typeof lastRun === "string" ? { lastRun: lastRun.slice(0, 80) } : {},
        isVerified: key !== void 0 && isVerified(proofOf(text, key, place))
      }
    ];
  });
  if (problems.length > 0) throw new Problems(problems);
  return others.sort((one, other) => one.stack < other.stack ? -1 : 1);
}
function readOther(text) {
  try {
    const other = JSON.parse(text);
    const isLedger = typeof other?.stack === "string" && typeof other.entries === "object" && other.entries !== null;
    return isLedger ? other : void 0;
  } catch {
    return /^ *"(?:generation|entries)":|^<<<<<<< /m.test(text) ? "unclear" : void 0;
  }
}

// src/ledger/file-documents.ts
;
;
;
;
function fileDocuments(path, { cwd, processes }) {
  const base = path.replace(/\.json$/, "");
  const nameOf = (name) => ({ ledger: path, lease: `${base}.lock`, plan: `${base}.plan` })[name];
  const pathOf = (name) => resolve(cwd, nameOf(name));
  const read = async (name) => {
    try {
      return storedText(await readFile2(pathOf(name), "utf8"));
    } catch (error) {
      const { code, message } = error;
      if (code === "ENOENT") return void 0;
      throw new Problems([
        problem("ledger/unreadable", `the ledger ${nameOf(name)} cannot be read: ${message}`, {
          hint: "check the file and its permissions; nothing was changed"
        })
      ]);
    }
  };
  const replace = (name, text, expected) => replaceFile(
    pathOf(name),
    text,
    async () => {
      const found = await read(name);
      if (found?.version !== expected) throw new Conflict(found);
    },
    processes
  ).catch((error) => {
    if (error instanceof Conflict || error instanceof Problems) throw error;
    throw new Problems([
      problem("ledger/unwritable", `the ledger ${nameOf(name)} cannot be written: ${systemText(error)}`, {
        hint: "check its folder, the permissions and the free space"
      })
    ]);
  });
  const folder = `${base}.history`;
  const history = historyIn(resolve(cwd, folder), folder);
  const writeBeside = async (beside) => {
    for (const [name, text] of beside?.history ?? [])
      await replaceFile(join2(resolve(cwd, folder), name), text, async () => {
      }, processes).catch(
        (error) => {
          if (text === void 0 && error.code === "ENOENT") return;
          throw new Problems([
            problem("history/unwritable", `the history ${folder} cannot be written: ${systemText(error)}`, {
              hint: "check its folder, the permissions and the free space"
            })
          ]);
        }
      );
  };
  return {
    place: path,
    leasePath: resolve(cwd, pathOf("lease")),
    journalPath: async () => resolve(cwd, `${base}.journal`),
    read,
    others: () => besidesFile(resolve(cwd, path)),
    history,
    write: async (name, text, { expected, beside }) => {
      await writeBeside(beside);
      await replace(name, text, expected);
      return storedText(text).version;
    },
    remove: async (name, { expected, beside }) => {
      await writeBeside(beside);
      await replace(name, void 0, expected);
      await rmdir(resolve(cwd, folder)).catch(() => {
      });
    }
  };
}
var historyIn = (folder, shown) => {
  const unreadable = (error) => new Problems([
    problem("history/unreadable", `the history ${shown} cannot be read: ${systemText(error)}`, {
      hint: "check the folder and its permissions; nothing was changed"
    })
  ]);
  return {
    names: async () => {
      const names = await readdir2(folder).catch((error) => {
        if (error.code === "ENOENT") return [];
        throw unreadable(error);
      });
      return names.filter(isRecordName).sort();
    },
    read: async (names) => {
      const texts = /* @__PURE__ */ new Map();
      for (const name of names.filter(isRecordName)) {
        const text = await readFile2(join2(folder, name), "utf8").catch((error) => {
          if (error.code === "ENOENT") return void 0;
          throw unreadable(error);
        });
        if (text !== void 0) texts.set(name, text);
      }
      return texts;
    }
  };
};
var storedText = (text) => ({
  text,
  version: hash("sha256", text, "base64url")
});
var patience = 1e4;
async function replaceFile(path, text, check, processes) {
  await mkdir(dirname2(path), { recursive: true });
  const target = await realpath(path).catch(() => path);
  const folder = `${target}.writing`;
  for (; ; ) {
    const entry = `${processes.pid}.${randomBytes(9).toString("hex")}.${machine()}`;
    await takeFolder(folder, entry, text ?? "", processes);
    await removeAbandoned(folder, processes).catch(() => {
    });
    try {
      await check();
      if (text === void 0) {
        await stat2(join2(folder, entry));
        await unlink(target);
      } else await rename(join2(folder, entry), target);
      return;
    } catch (error) {
      if (!(isMissing(error) && error.path === join2(folder, entry))) throw error;
    } finally {
      await unlink(join2(folder, entry)).catch(() => {
      });
      await rmdir(folder).catch(() => {
      });
    }
  }
}
async function takeFolder(folder, entry, text, processes) {
  const prepared = `${folder}-${entry}`;
  await mkdir(prepared);
  try {
    const file = await open(join2(prepared, entry), "wx");
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    let seen;
    while (!await renamed(prepared, folder)) {
      const [owner] = await readdir2(folder).catch(() => []);
      if (seen?.entry !== owner || !seen) seen = { entry: owner, since: performance.now() };
      if (owner !== void 0 && (isGone(owner, processes) || performance.now() - seen.since > patience))
        await unlink(join2(folder, owner)).catch(() => {
        });
      else await new Promise((resolve2) => setTimeout(resolve2, 1 + Math.random() * 5));
    }
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw error;
  }
}
async function removeAbandoned(folder, processes) {
  const around = dirname2(folder);
  for (const name of await readdir2(around)) {
    const [, prepared] = /\.writing-(.+)$/.exec(name) ?? [];
    if (prepared !== void 0 && isGone(prepared, processes))
      await rm(join2(around, name), { recursive: true, force: true });
    if (!name.endsWith(".writing") || name === basename2(folder)) continue;
    const [owner] = await readdir2(join2(around, name)).catch(() => []);
    if (owner === void 0 || !isGone(owner, processes)) continue;
    await unlink(join2(around, name, owner)).catch(() => {
    });
    await rmdir(join2(around, name)).catch(() => {
    });
  }
}
async function renamed(prepared, folder) {
  try {
    if (platform() === "win32") await rmdir(folder).catch(() => {
    });
    await rename(prepared, folder);
    return true;
  } catch (error) {
    const taken = ["ENOTEMPTY", "EEXIST", ...platform() === "win32" ? ["EPERM", "EACCES"] : []];
    if (taken.includes(error.code ?? "")) return false;
    throw error;
  }
}
function isGone(entry, { isRunning }) {
  const [pid, , ...rest] = entry.split(".");
  return rest.join(".") === machine() && /^\d+$/.test(pid) && !isRunning(Number(pid));
}
var machine = () => hostname().replace(/[^\w.-]/g, "_");
var isMissing = (error) => error.code === "ENOENT";

return{isVerified:isVerified,withSignature:withSignature,proofOf:proofOf,judged:judged,keyless:keyless,notVerified:notVerified,Conflict:Conflict,recordName:recordName,isRecordName:isRecordName,runOf:runOf,mostOfOther:mostOfOther,besidesRef:besidesRef,otherStacks:otherStacks,fileDocuments:fileDocuments,storedText:storedText};})();exports.part_EN3WE5DN=part_EN3WE5DN;
