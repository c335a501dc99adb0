"use strict";const part_VFFBCGY7=(()=>{const {
  thisHolder,
  whoOf
}=require("./part-81.cjs").part_MYWS23SU;const {
  connectionOf
}=require("./part-81.cjs").part_SE5RFCD4;const {
  isLoopback
}=require("./part-106.cjs").part_6Z4P2PSD;const {
  Conflict,
  besidesRef,
  fileDocuments,
  isRecordName,
  isVerified,
  judged,
  keyless,
  notVerified,
  proofOf,
  withSignature
}=require("./part-27.cjs").part_EN3WE5DN;const {
  formerKey,
  isSignature,
  ledgerKey,
  signature
}=require("./part-32.cjs").part_FIZFKDRW;const {
  chosen,
  indexOf,
  remoteOf,
  storeOf
}=require("./part-105.cjs").part_TEBTU3WD;const {
  home
}=require("./part-92.cjs").part_2JBIBOC6;const {
  isOfAnyStack,
  refuseOthers,
  refused,
  stackHole
}=require("./part-92.cjs").part_KCCUIXOW;const {
  iso_exports
}=require("./part-90.cjs").part_XRTKEBJF;const {
  _enum,
  array,
  literal,
  looseObject,
  number,
  object,
  preprocess,
  record,
  string,
  union,
  unknown
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  permissions
}=require("./part-106.cjs").part_DT2CDXHV;const {
  contentsOf
}=require("./part-72.cjs").part_VZPGGW2W;const {
  GitError,
  openRepository,
  trackingBy
}=require("./part-83.cjs").part_LFMTYGTI;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  sorted
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { hash }=require("node:crypto");const { join:join3 }=require("node:path");const { join }=require("node:path");const { setTimeout }=require("node:timers/promises");const { mkdir, open, readFile, unlink }=require("node:fs/promises");const { dirname }=require("node:path");const { randomBytes }=require("node:crypto");const { link, mkdir:mkdir2, readFile:readFile2, unlink:unlink2, writeFile }=require("node:fs/promises");const { dirname:dirname2 }=require("node:path");const { access, realpath }=require("node:fs/promises");const { basename, dirname:dirname3, isAbsolute, join:join2, relative, sep }=require("node:path");;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;
;

// src/ledger/parse-ledger.ts
function parseLedger(text, place) {
  const refuse2 = (code, message, hint) => new Problems([problem(code, `${place}: ${message}`, { hint })]);
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse2(
      "ledger/corrupt",
      "this is not valid JSON",
      "restore an earlier version, for example from git; without it nothing is deleted and existing objects are adopted again"
    );
  }
  const version = json?.formatVersion;
  if (typeof version === "number" && version > 2)
    throw refuse2(
      "ledger/newer",
      `it was written by a newer version of trueup (format ${version})`,
      "upgrade trueup"
    );
  const current = version === 1 ? { ...json, formatVersion: 2 } : json;
  const parsed = ledgerSchema.safeParse(current);
  if (parsed.success) {
    const { signature: _, ...ledger } = parsed.data;
    return ledger;
  }
  const [issue] = parsed.error.issues;
  throw refuse2(
    "ledger/corrupt",
    `this is not a ledger: ${issue?.path.join(".") || "the document"} is not in the form trueup writes`,
    "restore an earlier version, for example from git"
  );
}
var entrySchema = looseObject({
  kind: string(),
  ids: array(string()),
  origin: _enum(["created", "adopted"]),
  salt: string(),
  form: number(),
  fields: record(string(), string()),
  secrets: record(string(), object({ key: string(), digest: string() })),
  hidden: array(string()).optional(),
  updatedAt: number().optional(),
  protect: literal(true).optional(),
  onRemove: literal("delete").optional(),
  allow: array(_enum(permissions)).optional(),
  position: union([_enum(["first", "last"]), looseObject({ before: string() })]).optional(),
  existing: literal(true).optional(),
  tainted: literal(true).optional(),
  dependsOn: array(string()).optional()
});
var manyEntries = record(
  string(),
  unknown().superRefine((value, { addIssue }) => {
    if (isEntry(value)) return;
    for (const { path, message } of entrySchema.safeParse(value).error?.issues ?? [])
      addIssue({ code: "custom", path, message });
  })
);
var begunSchema = looseObject({
  entry: entrySchema,
  seen: array(string()),
  sent: literal(true).optional()
});
var stagedContentSchema = object({
  ids: array(string()),
  entry: entrySchema.pick({ form: true, salt: true, fields: true, secrets: true }).optional()
});
var stagedSchema = record(
  string(),
  object({
    base: string().optional(),
    // Once it was only known which addresses it changed: of that nothing can be told.
    of: preprocess(
      (value) => Array.isArray(value) ? {} : value,
      record(string(), stagedContentSchema)
    )
  })
);
var owedSchema = looseObject({
  action: string(),
  about: string().optional(),
  input: record(string(), unknown()),
  from: array(string()),
  since: iso_exports.datetime(),
  run: string().optional(),
  mark: string().optional(),
  sent: iso_exports.datetime().optional()
});
var ledgerSchema = looseObject({
  formatVersion: literal(2),
  baseUrl: string(),
  owner: string(),
  stack: string(),
  generation: number(),
  inputs: array(string()),
  sources: record(string(), string()).optional(),
  entries: manyEntries,
  begun: record(string(), begunSchema).optional(),
  staged: stagedSchema.optional(),
  lastWrite: iso_exports.datetime().optional(),
  writtenAt: iso_exports.datetime().optional(),
  lastRun: string().optional(),
  owed: record(string(), owedSchema).optional(),
  plan: string().optional(),
  copiedTo: string().optional()
});
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var isText = (value) => typeof value === "string";
var isTexts = (value) => Array.isArray(value) && value.every(isText);
var isDigest = (value) => isObject(value) && isText(value.key) && isText(value.digest);
var isPosition = (value) => value === "first" || value === "last" || isObject(value) && isText(value.before);
var isPermissions = (value) => Array.isArray(value) && value.every((one) => permissions.includes(one));
var isFlag = (value) => value === void 0 || value === true;
var isEntry = (value) => isObject(value) && isText(value.kind) && isTexts(value.ids) && (value.origin === "created" || value.origin === "adopted") && isText(value.salt) && Number.isFinite(value.form) && isObject(value.fields) && Object.values(value.fields).every(isText) && isObject(value.secrets) && Object.values(value.secrets).every(isDigest) && (value.hidden === void 0 || isTexts(value.hidden)) && (value.updatedAt === void 0 || Number.isFinite(value.updatedAt)) && (value.onRemove === void 0 || value.onRemove === "delete") && (value.allow === void 0 || isPermissions(value.allow)) && (value.position === void 0 || isPosition(value.position)) && (value.dependsOn === void 0 || isTexts(value.dependsOn)) && isFlag(value.protect) && isFlag(value.existing) && isFlag(value.tainted);

// src/ledger/ledger-store.ts
function ledgerStore(documents, { key, journal, now = Date.now }) {
  const { place } = documents;
  let known2;
  let journalProof;
  let attempted;
  const noteAs = (found) => {
    const ledger = found && parseLedger(found.text, place);
    const proof2 = known2 && found?.version === known2.version ? known2.proof : found && proofOf(found.text, key, `the ledger ${place}`);
    const { generation, copiedTo } = ledger ?? { generation: 0 };
    known2 = found ? { generation, version: found.version, proof: proof2, copiedTo } : { generation };
    journalProof = void 0;
    return ledger;
  };
  const proof = () => journalProof && known2?.proof && isVerified(known2.proof) ? journalProof : known2?.proof;
  const requireVerified = ({ evenCopied } = {}) => {
    const now2 = proof();
    if (now2 && !isVerified(now2)) throw new Problems([notVerified(now2, key)]);
    if (known2?.copiedTo !== void 0 && !evenCopied) throw copiedAway(place, known2.copiedTo);
  };
  const read = async () => noteAs(await documents.read("ledger"));
  const readAll = async () => {
    const kept = await read();
    if (!kept) return void 0;
    const over = await journal?.over(kept);
    journalProof = over?.proof;
    journalText = over?.text;
    isInJournal = (over?.lines ?? 0) > 0;
    return over && isInJournal ? over.ledger : withDoubt(kept);
  };
  let isNoted = false;
  let isInJournal = false;
  let journalText;
  const write = async (ledger, how) => {
    if (!key) throw new Problems([keyless]);
    if (known2?.generation !== ledger.generation) {
      const found = await read();
      if ((found?.generation ?? 0) !== ledger.generation) throw moved(place, ledger, found);
    }
    if (!how?.trusted) requireVerified(how);
    const next = {
      ...ledger,
      generation: ledger.generation + 1,
      writtenAt: new Date(now()).toISOString(),
      entries: sorted(ledger.entries),
      ...ledger.begun ? { begun: sorted(ledger.begun) } : {}
    };
    const text = withSignature(`${JSON.stringify(next, null, 2)}
`, key);
    try {
      const version = await documents.write("ledger", text, {
        expected: known2?.version,
        beside: how?.beside
      });
      known2 = { generation: next.generation, version, proof: { by: key.id } };
      journalProof = void 0;
    } catch (error) {
      if (!(error instanceof Conflict)) {
        attempted = text;
        throw error;
      }
      const found = noteAs(error.found);
      if (error.found && error.found.text === attempted)
        return write({ ...ledger, generation: found.generation }, how);
      throw moved(place, ledger, found);
    }
    return next;
  };
  return {
    place,
    read: readAll,
    proof,
    journalText: () => journalText,
    requireVerified,
    write: async (ledger, how) => {
      const kept = await write(ledger, how);
      isNoted = false;
      isInJournal = false;
      return kept;
    },
    note: async (ledger, touched) => {
      if (!isNoted) await journal?.begin({ ...ledger, generation: known2?.generation ?? 0 });
      isNoted = true;
      await journal?.add(ledger, touched);
    },
    close: async () => {
      if (isNoted || isInJournal) await journal?.close();
      else await journal?.end();
    }
  };
}
var copiedAway = (place, to, isKnown = true) => new Problems([
  problem(
    "ledger/copied",
    `the ledger ${place} ${isKnown ? "was copied to" : "says, not verified here, that it was copied to"} ${to}, which is authoritative now`,
    {
      hint: isKnown ? "use that place with --ledger or TRUEUP_LEDGER; to move back, run `trueup ledger copy` from there to here" : "there is no key here: ask someone who has it whether that is true before you use that place"
    }
  )
]);
function moved(place, held, found) {
  const now = found ? `it is at generation ${found.generation} with ${Object.keys(found.entries).length} entries` : "it is missing";
  return new Problems([
    problem(
      "ledger/moved",
      `the ledger ${place} was changed by another run: ${now}, but this run started from generation ${held.generation}`,
      { hint: "wait until the other run finishes, then plan again" }
    )
  ]);
}
function withDoubt(ledger) {
  if (!ledger.begun) return ledger;
  const begun = Object.entries(ledger.begun).map(([address, one]) => [
    address,
    { ...one, sent: true }
  ]);
  return { ...ledger, begun: Object.fromEntries(begun) };
}

// src/cli/ledger-place.ts
;
;

// src/ledger/git-documents.ts
;
;

// src/ledger/git-remote.ts
var empty = { tip: void 0, files: /* @__PURE__ */ new Map() };
var GitRemote = class {
  #open;
  #name;
  #ref;
  /** The commit that was read last. */
  #known = empty;
  /** The refs beside this one, by name, as the last look found them; undefined once somebody has asked for them. */
  #beside;
  constructor(open2, name, ref) {
    this.#open = open2;
    this.#name = name;
    this.#ref = ref;
  }
  #git = async (...call) => (await this.#open()).git(...call);
  /** Reads the ref as it is now. Rejects if that cannot be said. */
  async look() {
    for (let tried = 1; ; tried++) {
      const tip = await this.#tip();
      if (tip === void 0) return empty;
      const there = await this.#filesOf(tip);
      if (there) return { tip, files: there };
      const failure = await this.#fetch().then(
        () => void 0,
        (error) => error
      );
      const fetched = await this.#filesOf(tip);
      if (fetched) return { tip, files: fetched };
      if (failure && (tried > 5 || !/\.lock/.test(failure.message))) throw failure;
      if (tried > 20) throw new GitError("failed", `${this.#ref} changes faster than it can be read`);
    }
  }
  /** The tips of the refs beside this one: what the last look found, if nobody has taken it yet, so that one question answers both. */
  async beside() {
    if (!this.#beside) await this.#tip();
    const found = this.#beside;
    this.#beside = void 0;
    return found;
  }
  async #tip() {
    await requireRemote(await this.#open(), this.#name, this.#ref);
    const folder = this.#ref.replace(/[^/]*$/, "");
    const listed = await this.#git(["ls-remote", this.#name, `${folder}*`]);
    const lines = listed.split("\n").map((line2) => line2.split("	"));
    const tips = new Map(lines.flatMap(([tip2, name]) => name?.startsWith(folder) ? [[name, tip2]] : []));
    const tip = tips.get(this.#ref);
    tips.delete(this.#ref);
    this.#beside = tips;
    return tip;
  }
  async #fetch() {
    const { isShallow } = await this.#open();
    await this.#git([
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-prune",
      "--no-recurse-submodules",
      "--no-write-fetch-head",
      "--refmap=",
      // Only where it makes no whole clone a shallow one.
      ...isShallow ? ["--depth=1"] : [],
      this.#name,
      this.#ref
    ]);
  }
  /** The files of a commit; undefined if the checkout does not have it. A commit never changes, so its files are read once. */
  async #filesOf(tip) {
    if (this.#known.tip === tip) return this.#known.files;
    const listed = await this.#git(["ls-tree", "--full-tree", "-z", tip]).catch((error) => {
      if (error.reason === "failed") return void 0;
      throw error;
    });
    if (listed === void 0) return void 0;
    const files = treeOf(listed);
    this.#known = { tip, files };
    return files;
  }
  /** Keeps a text among the objects of the checkout, and gives back its name there. */
  async store(text) {
    return (await this.#git(["hash-object", "-w", "--no-filters", "--stdin"], text)).trim();
  }
  load(sha) {
    return this.#git(["cat-file", "blob", sha]);
  }
  /** The same of many, at once. */
  async loadAll(shas) {
    const contents = await contentsOf([...new Set(shas)], this.#git);
    return new Map([...contents].map(([sha, bytes]) => [sha, bytes.toString("utf8")]));
  }
  /**
   * Makes a commit on top of a snapshot in which these files are others, or gone. A file of a folder, one level deep, is written
   * `folder/file`.
   */
  async commit(base, edits, message) {
    const files = new Map(base.files);
    for (const [folder, inside] of groupBy(edits, ([path]) => path.slice(0, path.lastIndexOf("/") + 1))) {
      const names = inside.map(([path, sha]) => [path.slice(folder.length), sha]);
      if (folder === "") edit(files, names);
      else {
        const name = folder.slice(0, -1);
        const below = new Map(await this.filesIn(base, name));
        edit(below, names);
        if (below.size === 0) files.delete(name);
        else files.set(name, { mode: "040000", type: "tree", sha: await this.#makeTree(below) });
      }
    }
    const parent = base.tip === void 0 ? [] : ["-p", base.tip];
    const tree = await this.#makeTree(files);
    const made = await this.#git(["commit-tree", "--no-gpg-sign", ...parent, "-F", "-", tree], message);
    return { tip: made.trim(), files };
  }
  /** The files in a folder of a snapshot. */
  async filesIn({ files }, folder) {
    const found = files.get(folder);
    return found?.type === "tree" ? treeOf(await this.#git(["ls-tree", "-z", found.sha])) : /* @__PURE__ */ new Map();
  }
  async #makeTree(files) {
    const lines = [...files].map(([path, { mode, type, sha }]) => `${mode} ${type} ${sha}	${path}\0`);
    return (await this.#git(["mktree", "--missing", "-z"], lines.join(""))).trim();
  }
  /** Moves the ref, if it is still where it was. */
  async push({ tip }, from) {
    await this.#git([
      "push",
      "--quiet",
      "--no-verify",
      "--no-signed",
      "--no-follow-tags",
      "--recurse-submodules=no",
      `--force-with-lease=${this.#ref}:${from ?? ""}`,
      this.#name,
      `${tip}:${this.#ref}`
    ]);
  }
};
function treeOf(listed) {
  const entries = listed.split("\0").filter((entry) => entry !== "");
  return new Map(
    entries.map((entry) => {
      const [about, file] = entry.split("	");
      const [mode, type, sha] = about.split(" ");
      return [file, { mode, type, sha }];
    })
  );
}
function edit(files, edits) {
  for (const [name, sha] of edits)
    if (sha === void 0) files.delete(name);
    else files.set(name, { mode: "100644", type: "blob", sha });
}
var known = /* @__PURE__ */ new WeakMap();
async function requireRemote(repository, name, ref) {
  const remotes = known.get(repository) ?? (await repository.git(["remote"])).split("\n").filter((line2) => line2 !== "");
  known.set(repository, remotes);
  if (remotes.includes(name)) return;
  const there = remotes.length > 0 ? `; there is ${remotes.join(", ")}` : "";
  throw new Problems([
    problem(
      "ledger/git-remote",
      `the ledger ${ref} cannot be stored: this repository has no remote ${name}${there}`,
      {
        hint: "name another remote with `--ledger git:REMOTE`, or add one with `git remote add`"
      }
    )
  ]);
}

// src/ledger/git-documents.ts
var fileOf = (name) => `${name}.json`;
var historyFolder = "history";
var attempts = 50;
var patience = 10;
function gitDocuments(options) {
  const ref = `refs/trueup/${refName(options.stack)}`;
  const place = `${ref} at ${options.remote}`;
  let opened;
  const open2 = () => {
    opened ??= openRepository(options.cwd, options.env);
    return opened;
  };
  const remote = new GitRemote(open2, options.remote, ref);
  let seen;
  let ready = Promise.resolve();
  const alone = (doing, work) => {
    const result = ready.then(work).catch((error) => {
      throw error instanceof GitError ? gitProblems(place, doing, error) : error;
    });
    ready = result.catch(() => {
    });
    return result;
  };
  const look = async () => {
    seen = void 0;
    seen = await remote.look();
    return seen;
  };
  return {
    place,
    journalPath: () => alone(
      "read",
      async () => join((await open2()).commonFolder, "trueup", `${refName(options.stack)}.journal`)
    ),
    read: (name) => alone("read", async () => documentIn(await look(), name, remote)),
    commit: () => seen?.tip,
    others: () => alone("read", async () => besidesRef(await open2(), options.remote, await remote.beside())),
    history: {
      names: () => alone("read", async () => [...(await records()).keys()].sort()),
      read: (names) => alone("read", async () => {
        const there = await records();
        const wanted = names.flatMap((name) => {
          const found = there.get(name);
          return found ? [[name, found.sha]] : [];
        });
        const texts = await remote.loadAll(wanted.map(([, sha]) => sha));
        return new Map(wanted.map(([name, sha]) => [name, texts.get(sha)]));
      })
    },
    write: (name, text, { expected, beside }) => alone("written", async () => {
      const version = await remote.store(text);
      await update(name, version, expected, beside);
      return version;
    }),
    remove: (name, { expected, beside }) => alone("written", () => update(name, void 0, expected, beside))
  };
  async function records() {
    const files = await remote.filesIn(seen ?? await look(), historyFolder);
    return new Map([...files].filter(([name, { type }]) => type === "blob" && isRecordName(name)));
  }
  async function update(name, next, expected, beside) {
    const file = fileOf(name);
    const edits = /* @__PURE__ */ new Map([[file, next]]);
    for (const [record2, text] of beside?.history ?? [])
      edits.set(`${historyFolder}/${record2}`, text === void 0 ? void 0 : await remote.store(text));
    const message = beside?.message ?? `${next === void 0 ? "Remove" : "Write"} ${file}`;
    let base = seen ?? await look();
    for (let tried = 0; tried < attempts; tried++) {
      if (base.files.get(file)?.sha !== expected) {
        if (tried === 0) base = await look();
        if (tried > 0 && base.files.get(file)?.sha === next) return;
        if (base.files.get(file)?.sha !== expected) throw new Conflict(await documentIn(base, name, remote));
      }
      const changed = await remote.commit(base, edits, message);
      try {
        await remote.push(changed, base.tip);
        seen = changed;
        return;
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        const now = await look();
        if (now.tip === base.tip && !(isContended(error) && tried < patience)) throw error;
        base = now;
        await setTimeout(Math.random() * 20 * Math.min(tried + 1, 20));
      }
    }
    throw new Problems([
      problem("ledger/git-contended", `the ledger ${place} cannot be written: other runs keep writing it`, {
        hint: "run trueup again"
      })
    ]);
  }
}
async function documentIn({ files }, name, remote) {
  const found = files.get(fileOf(name));
  return found && { text: await remote.load(found.sha), version: found.sha };
}
var refName = (stack) => encodeURIComponent(stack).replace(/[.!~*'()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
var denied = /permission (to \S+ )?denied|access denied|authentication failed|could not read (username|password)|returned error: 40[13]|not authorized|not allowed|access (to repository )?not granted|repository not found|returned error: 404/i;
var unreachable = /could not resolve|unable to access|unable to look up|connection (refused|reset|timed out|closed)|network is unreachable|could not read from remote repository|does not appear to be a git repository|early eof|hung up/i;
function gitProblems(place, doing, error) {
  const { reason, lines } = error;
  const say = (code, why, hint, said = []) => new Problems([
    problem(`ledger/${code}`, [`the ledger ${place} cannot be ${doing}: ${why}`, ...said].join("\n"), {
      hint
    })
  ]);
  const text = lines.join("\n");
  const last = lines.slice(-6);
  if (reason === "missing")
    return say(
      "git-missing",
      "git is not on the PATH outside this repository",
      "install git, or keep the ledger in a file"
    );
  if (reason === "timeout")
    return say("git-unreachable", "git did not finish within two minutes", tryAgain, last);
  if (reason === "old")
    return say(
      "git-old",
      text,
      "install git 2.38 or newer (older versions trust any folder that looks like a repository), or keep the ledger in a file"
    );
  if (reason === "outside" || /not a git repository/.test(text))
    return say(
      "git-repository",
      "this folder is not in a git work tree",
      "run trueup in the checkout, or name a file with --ledger"
    );
  if (reason === "embedded")
    return say(
      "git-embedded",
      `the repository is among the files of its own work tree: ${text}`,
      "anyone who can change those files could run programs; use a checkout whose `.git` is a folder or lies elsewhere"
    );
  if (/dubious ownership/.test(text))
    return say(
      "git-owner",
      "the checkout belongs to another user",
      "run trueup as its owner; if you trust everything in it, tell git with `git config --global --add safe.directory FOLDER`",
      last
    );
  if (/remote rejected|hook declined|push declined/.test(text))
    return say(
      "git-rejected",
      "the repository rejected it",
      `its hooks and rules must allow pushes to ${place.split(" ")[0]}`,
      last
    );
  if (denied.test(text))
    return say(
      "git-denied",
      "git was denied access",
      doing === "written" ? "the credentials of this checkout must be allowed to push; in GitHub Actions: `permissions: { contents: write }`" : "give this checkout credentials to fetch; in CI keep those of the checkout step",
      last
    );
  if (unreachable.test(text)) return say("git-unreachable", "its remote does not answer", tryAgain, last);
  return say("git-failed", "git says", "fix what git reports, then run trueup again", last);
}
var tryAgain = "check the network and the address of the remote, then run trueup again";
var isContended = ({ lines }) => /stale info|fetch first|non-fast-forward|failed to update ref|cannot lock ref|unable to lock|incorrect old value|reference already exists/i.test(
  lines.join("\n")
);

// src/ledger/journal.ts
;
;

// src/ledger/journal-lines.ts
var head = object({
  journal: literal(1),
  baseUrl: string(),
  owner: string(),
  stack: string(),
  generation: number(),
  /** The id of the key that signs the lines; none wrote those of before. */
  key: string().optional()
});
var line = object({
  set: record(string(), object({ entry: entrySchema.nullable(), begun: begunSchema.nullable() })),
  lastWrite: iso_exports.datetime().optional(),
  rest: object({ inputs: array(string()), plan: string().nullable(), staged: stagedSchema.nullable() }).optional()
});
var signed = /,"mac":"([\w-]+)"\}$/;
function lineSigner(key) {
  let last = "";
  return (line2) => {
    const rest = JSON.stringify(line2).slice(0, -1);
    last = signature(key, "ledger", `journal
${last}
`, rest);
    return `${rest},"mac":"${last}"}`;
  };
}
function linesProof(lines, head2, key, place) {
  if (head2.key === void 0) return { doubt: "unsigned", place };
  return judged(head2.key, key, place, (signer) => {
    let last = "";
    return lines.every((line2) => {
      const [end, made] = signed.exec(line2) ?? [];
      if (end === void 0 || made === void 0) return false;
      const text = line2.slice(0, line2.length - end.length);
      const isMade = isSignature(made, signer, "ledger", `journal
${last}
`, text);
      last = made;
      return isMade;
    });
  });
}
var headOf = ({ baseUrl, owner, stack, generation }, key) => ({
  journal: 1,
  baseUrl,
  owner,
  stack,
  generation,
  key: key.id
});
function parseJournal(text, place, key) {
  const whole = text.split("\n").slice(0, -1);
  const lines = [];
  let first;
  whole.forEach((text2, index) => {
    const json = parseJson(text2);
    const version = json?.journal;
    if (index === 0 && typeof version === "number" && version > 1)
      throw refuse(
        "journal/newer",
        `${place}: it was written by a newer version of trueup`,
        "upgrade trueup"
      );
    const parsed = index === 0 ? head.safeParse(json) : line.safeParse(json);
    if (!parsed.success)
      throw refuse(
        "journal/corrupt",
        `${place}:${index + 1}: this line is damaged; ${index} of ${whole.length} lines before it are intact`,
        "restore the file. If you cannot, remove it: the ledger then has its last saved state, and objects from the interrupted run are found by name and content"
      );
    if (index === 0) first = parsed.data;
    else lines.push(parsed.data);
  });
  return first && { head: first, lines, proof: linesProof(whole, first, key, `the journal ${place}`) };
}
function applyLines(ledger, { head: head2, lines }) {
  const same = ["baseUrl", "owner", "stack", "generation"].every(
    (name) => head2[name] === ledger[name]
  );
  if (!same) return { ledger, lines: 0 };
  const next = { ...ledger, entries: { ...ledger.entries } };
  const begun = { ...ledger.begun };
  for (const { set, lastWrite, rest } of lines) {
    for (const [address, now] of Object.entries(set)) {
      if (now.entry) next.entries[address] = now.entry;
      else delete next.entries[address];
      if (now.begun) begun[address] = now.begun;
      else delete begun[address];
    }
    if (lastWrite !== void 0) next.lastWrite = lastWrite;
    if (!rest) continue;
    next.inputs = rest.inputs;
    next.plan = rest.plan ?? void 0;
    if (rest.staged) next.staged = rest.staged;
    else delete next.staged;
  }
  if (Object.keys(begun).length > 0) next.begun = begun;
  else delete next.begun;
  return { ledger: next, lines: lines.length };
}
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
var refuse = (code, message, hint) => new Problems([problem(code, message, { hint })]);

// src/ledger/journal.ts
function openJournal(path, key) {
  let file;
  let rest;
  let sign;
  let ready = Promise.resolve();
  const next = (work) => {
    const result = ready.then(work).catch((error) => {
      if (error instanceof Problems) throw error;
      throw new Problems([
        problem("journal/unwritable", `the journal ${path} cannot be written: ${systemText(error)}`, {
          hint: "check its folder, the permissions and the free space"
        })
      ]);
    });
    ready = result.catch(() => {
    });
    return result;
  };
  const write = async (line2) => {
    await file.appendFile(`${sign(line2)}
`);
    await file.datasync();
  };
  const close = async () => {
    await file?.close();
    file = void 0;
  };
  return {
    place: path,
    over: (ledger) => next(async () => {
      const text = await readText(path);
      const journal = text === void 0 ? void 0 : parseJournal(text, path, key);
      const over = journal ? applyLines(ledger, journal) : { ledger, lines: 0 };
      return over.lines > 0 ? { ...over, proof: journal.proof, text } : over;
    }),
    begin: (ledger) => next(async () => {
      if (!key) throw new Problems([keyless]);
      await close();
      await mkdir(dirname(path), { recursive: true });
      file = await open(path, "w", 384);
      rest = restOf(ledger);
      sign = lineSigner(key);
      await write(headOf(ledger, key));
    }),
    add: (ledger, touched) => next(async () => {
      const now = restOf(ledger);
      const { lastWrite } = ledger;
      if (touched.length === 0 && now === rest && lastWrite === void 0) return;
      const set = Object.fromEntries(
        touched.map((address) => [
          address,
          { entry: ledger.entries[address] ?? null, begun: ledger.begun?.[address] ?? null }
        ])
      );
      await write({
        set,
        ...lastWrite === void 0 ? {} : { lastWrite },
        ...now === rest ? {} : { rest: JSON.parse(now) }
      });
      rest = now;
    }),
    close: () => next(close),
    end: () => next(async () => {
      await close();
      await unlink(path).catch((error) => {
        if (error.code !== "ENOENT") throw error;
      });
    })
  };
}
var restOf = ({ inputs, plan, staged }) => JSON.stringify({ inputs, plan: plan ?? null, staged: staged ?? null });
async function readText(path) {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error;
    if (code === "ENOENT") return void 0;
    throw new Problems([problem("journal/unreadable", `the journal ${path} cannot be read: ${message}`)]);
  }
}

// src/ledger/key.ts
;
;
;
var [given, givenBefore] = ["TRUEUP_LEDGER_KEY", "TRUEUP_LEDGER_KEY_PREVIOUS"];
var newKeyText = () => randomBytes(32).toString("base64url");
async function findKey(path, env) {
  const previous = textIn(env, givenBefore);
  const text = textIn(env, given);
  const key = text === void 0 ? await keptIn(path) : strongKey(text, given);
  if (previous === void 0) return key;
  if (key === void 0)
    throw new Problems([
      problem("key/previous-alone", `${givenBefore} is set, but there is no current key`, {
        hint: `create one with \`trueup ledger key\`, or set ${given} to the new key`
      })
    ]);
  const before = previousKey(previous);
  if (key.id === before.id)
    throw new Problems([
      problem("key/same", `${givenBefore} is the current key`, {
        hint: `set ${given} (or ${path}) to the new key; once nothing uses the old one, remove ${givenBefore}`
      })
    ]);
  return { ...key, previous: before };
}
async function makeKeyFile(path) {
  const made = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir2(dirname2(path), { recursive: true });
    await writeFile(made, `${newKeyText()}
`, { mode: 384, flag: "wx" });
    await link(made, path).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    }).finally(() => unlink2(made));
  } catch (error) {
    await unlink2(made).catch(() => {
    });
    throw new Problems([
      problem("key/unwritable", `the ledger key ${path} cannot be created: ${systemText(error)}`, {
        hint: `check its folder, the permissions and the free space; or set ${given}`
      })
    ]);
  }
  return await keptIn(path);
}
var textIn = (env, name) => env[name]?.trim() || void 0;
async function keptIn(path) {
  const kept = await readFile2(path, "utf8").catch((error) => {
    if (error.code === "ENOENT") return void 0;
    throw new Problems([
      problem("key/unreadable", `the ledger key ${path} cannot be read: ${systemText(error)}`, {
        hint: `check the file and its permissions; or set ${given}`
      })
    ]);
  });
  return kept === void 0 ? void 0 : strongKey(kept.trim(), path);
}
function strongKey(text, place) {
  const bytes = randomBytesIn(text);
  if (bytes) return { ...ledgerKey(bytes), former: formerKey(text) };
  const away = place === given ? "" : "move it away, ";
  throw new Problems([
    problem("key/weak", `${place} is not a key: a key must be 32 random bytes in base64, base64url or hex`, {
      hint: `${away}create one with \`trueup ledger key\` (--print for a CI system), and sign the ledger with \`trueup ledger sign\`; if this text was the key until now, set ${givenBefore} to it until one apply succeeds: it is only used to compare the secrets recorded with it`
    })
  ]);
}
function previousKey(text) {
  const bytes = randomBytesIn(text);
  return bytes ? { ...ledgerKey(bytes), former: formerKey(text) } : formerKey(text);
}
function randomBytesIn(text) {
  const isHex = /^(?:[\da-f]{2}){32,}$/i.test(text);
  if (!isHex && !/^[\w+/-]{43,}={0,2}$/.test(text)) return void 0;
  const classes = isHex ? [/\d/, /[a-f]/i] : [/[a-z]/, /[A-Z]/];
  if (!classes.every((one) => one.test(text))) return void 0;
  const bytes = Buffer.from(text, isHex ? "hex" : "base64");
  const steps = bytes.map((byte, index) => byte - (bytes[index - 1] ?? 0));
  const isVaried = [bytes, steps].every((numbers) => new Set(numbers).size >= 16);
  const isText2 = bytes.every((byte) => byte < 128);
  return bytes.length >= 32 && isVaried && !isText2 ? bytes : void 0;
}

// src/ledger/tracked.ts
;
;
async function refuseTracked(paths, cwd, env) {
  const isThere = await Promise.all(
    paths.map(
      (path) => access(path).then(
        () => true,
        () => false
      )
    )
  );
  const there = paths.filter((_, at) => isThere[at]);
  if (there.length === 0) return;
  const tracking = trackingBy(env);
  const workTree = await tracking.workTreeOf(cwd);
  if (workTree === void 0) return;
  const places = await Promise.all(
    there.map(
      async (path) => relative(workTree, join2(await realpath(dirname3(path)), basename(path))).split(sep).join("/")
    )
  );
  const inside = places.filter((place) => !place.startsWith("..") && !isAbsolute(place));
  const tracked = [...await tracking.tracked(workTree, inside)];
  if (tracked.length === 0) return;
  const names = tracked.join(", ");
  throw new Problems([
    problem("ledger/tracked", `git tracks ${names}, which must not be in the repository`, {
      hint: `\`git rm --cached ${names}\`, add it to .gitignore and commit; a key that was pushed is compromised: create a new one with \`trueup ledger key\`, sign the ledger with it and without TRUEUP_LEDGER_KEY_PREVIOUS (\`trueup ledger sign\`)`
    })
  ]);
}

// src/stores/http/http-place.ts
var gitLab = /\/api\/v4\/projects\/[^/]+\/terraform\/state\/[^/]+$/;
function httpPlace(base, stack, env) {
  const name = gitLab.test(base.pathname) ? plainName(stack) : encodeURIComponent(stack);
  const place = placeOf(base, name, env);
  return isOfAnyStack(base) && !isOfAnyStack(new URL(base.pathname, base)) ? { ...place, shown: `${place.shown} (${stack})` } : place;
}
function indexPlace(index, ledgers, env) {
  const [before, after] = ledgers.href.split(stackHole);
  const { href } = index;
  const isBeside = after !== void 0 && href.startsWith(before) && href.endsWith(after);
  return placeOf(index, isBeside ? href.slice(before.length, href.length - after.length) : void 0, env);
}
function placeOf(base, name, env) {
  const isGitLab = gitLab.test(base.pathname);
  const filled = (url2) => new URL(url2.href.replace(stackHole, name ?? ""));
  const url = filled(base);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = "";
  url.password = "";
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw refused(
      "the ledger would go over the network in the clear: anybody on the way could read and change it",
      "use https://; http:// is only for this machine"
    );
  const besides = (sort, standard) => {
    const variable = `TF_HTTP_${sort}_ADDRESS`;
    const address = env[variable] ? asUrl(env[variable], variable, url) : void 0;
    return {
      url: address && name !== void 0 ? filled(address) : standard,
      method: env[`TF_HTTP_${sort}_METHOD`] || sort
    };
  };
  const lock = isGitLab ? { url: lockOf(url), method: "POST" } : besides("LOCK", url);
  const known2 = isGitLab && !env.TF_HTTP_PASSWORD && password === "" ? jobToken(url, env) : void 0;
  const credentials = known2 ?? {
    user: user || env.TF_HTTP_USERNAME || "",
    password: password || env.TF_HTTP_PASSWORD || ""
  };
  const basic = `${credentials.user}:${credentials.password}`;
  return {
    shown: `${url.origin}${url.pathname}`,
    url,
    update: !isGitLab && env.TF_HTTP_UPDATE_METHOD || "POST",
    lock,
    unlock: isGitLab ? { ...lock, method: "DELETE" } : besides("UNLOCK", lock.url),
    authorization: basic === ":" ? void 0 : `Basic ${Buffer.from(basic).toString("base64")}`,
    secrets: [credentials.password, Buffer.from(basic).toString("base64")].filter((one) => one.length > 3),
    isGitLab
  };
}
var lockOf = (url) => {
  const lock = new URL(url);
  lock.pathname += "/lock";
  return lock;
};
function asUrl(text, variable, ledger) {
  const url = URL.canParse(text) ? new URL(text) : void 0;
  if (!url || url.origin !== ledger.origin)
    throw refused(
      `${variable} is no address at ${ledger.origin}, where the ledger is`,
      "correct it, or unset it"
    );
  return url;
}
function jobToken(url, env) {
  const { CI_SERVER_URL: server, CI_JOB_TOKEN: token } = env;
  if (!server || !token || !URL.canParse(server) || new URL(server).origin !== url.origin) return void 0;
  return { user: "gitlab-ci-token", password: token };
}
var plainName = (stack) => stack.replaceAll("_", "__").replaceAll("@", "_at_").replaceAll(".", "_dot_");

// src/stores/s3/s3-place.ts
function s3Place(url, env) {
  const query = url.searchParams;
  refuseOthers(query, ["endpoint", "region"]);
  const bucket = url.hostname;
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
  if (bucket === "" || url.username !== "")
    throw refused("the URL of the ledger names no bucket", "for example `--ledger s3://our-ledgers/trueup`");
  const endpoint = query.get("endpoint") || env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || void 0;
  if (endpoint !== void 0) checkEndpoint(endpoint);
  return {
    shown: `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`,
    bucket,
    prefix: prefix === "" ? "" : `${prefix}/`,
    endpoint,
    region: query.get("region") || env.AWS_REGION || env.AWS_DEFAULT_REGION || (endpoint === void 0 ? void 0 : "us-east-1"),
    env
  };
}
function checkEndpoint(text) {
  const url = URL.canParse(text) ? new URL(text) : void 0;
  if (url?.protocol === "https:" || url?.protocol === "http:" && isLoopback(url.hostname)) return;
  throw refused(
    "the endpoint of the ledger is no https:// address",
    "over http:// anybody on the way could read and change it: that is only for this machine"
  );
}

// src/stores/open-store.ts
function storeDocuments(store, options) {
  const { place, load } = opening[store.sort](store.url, options);
  return lazily(place, options.journalOf(place), load, store.sort === "http");
}
function inPostgres(url, { stack, env }) {
  const connection = connectionOf(url, env);
  const place = `${stack} at ${connection.shown}`;
  const load = async () => {
    const { postgresDocuments } = await Promise.resolve().then(()=>require("./part-11.cjs").part_7WSOOOMO);
    return postgresDocuments(stack, place, connection);
  };
  return { place, load };
}
function inS3(url, { stack, env }) {
  const where = s3Place(url, env);
  const place = `${stack} at ${where.shown}`;
  const load = async () => {
    const { s3Documents } = await Promise.resolve().then(()=>require("./part-74.cjs").part_XALTXECK);
    return s3Documents(stack, place, where);
  };
  return { place, load };
}
function inHttp(url, { stack, env, index, who }) {
  const place = httpPlace(url, stack, env);
  const listing = index && indexPlace(index.url, url, env);
  if (listing && listing.url.origin !== place.url.origin)
    throw refused(
      "the index of the ledgers is at another server than they are",
      "both need the same credentials: name one beside the ledgers"
    );
  const load = async () => {
    const { httpDocuments } = await Promise.resolve().then(()=>require("./part-25.cjs").part_E2KLQZ6Y);
    return httpDocuments(place, { who: who(), env, index: listing });
  };
  return { place: place.shown, load };
}
var opening = { postgres: inPostgres, http: inHttp, s3: inS3 };
function lazily(place, journalPath, load, canLock) {
  let opened;
  const open2 = () => {
    opened ??= load();
    return opened;
  };
  return {
    place,
    journalPath: async () => journalPath,
    read: async (name) => (await open2()).read(name),
    others: async () => (await open2()).others(),
    history: {
      names: async () => (await open2()).history.names(),
      read: async (names) => (await open2()).history.read(names)
    },
    write: async (...how) => (await open2()).write(...how),
    remove: async (...how) => (await open2()).remove(...how),
    ...canLock ? { leftLock: async () => (await open2()).leftLock?.() } : {}
  };
}

// src/cli/ledger-place.ts
function documentsFor(stack, place, host) {
  const store = storeOf(place, host);
  if (store && !place.twin)
    return storeDocuments(store, {
      stack,
      env: host.env,
      index: indexOf(place, host),
      journalOf: (name) => journalIn(stack, name, host),
      who: () => whoOf(thisHolder(host))
    });
  const remote = remoteOf(place, host);
  if (remote === void 0 && !store)
    return fileDocuments(
      chosen(place, host) ?? join3(home, ...place.twin ? ["twin"] : [], "ledger", `${stack}.json`),
      host
    );
  if (place.twin)
    throw new Problems([
      problem("ledger/twin", "the twin's account is on this machine, and so is its ledger", {
        hint: "drop --ledger git; for a file named git write ./git"
      })
    ]);
  if (remote === void 0 || !/^\w[\w./-]*$/.test(remote))
    throw new Problems([
      problem("ledger/git-remote", "`--ledger git:REMOTE` expects the name of a remote", {
        hint: "`git remote` lists the names; credentials belong in git's own configuration"
      })
    ]);
  return gitDocuments({ stack, remote, cwd: host.cwd, env: host.env });
}
var journalIn = (stack, place, host) => pathOn(host, join3(home, "journal", `${stack}.${hash("sha256", place, "hex").slice(0, 8)}.journal`));
var keyPathOf = ({ twin }) => join3(home, ...twin ? ["twin"] : [], "key");
var keyOf = (place, host) => findKey(pathOn(host, keyPathOf(place)), place.twin ? {} : host.env);
var findKeyIn = ({ env }) => findKey("", env);
async function storeFor(stack, place, host, key, documents = documentsFor(stack, place, host)) {
  const journal = await documents.journalPath();
  const { leasePath } = documents;
  const own = [pathOn(host, keyPathOf(place)), journal, ...leasePath === void 0 ? [] : [leasePath]];
  await refuseTracked(own, host.cwd, host.env);
  return ledgerStore(documents, { key, journal: openJournal(journal, key), now: host.clock.now });
}
async function ledgerOf(stack, store) {
  const ledger = await store.read();
  if (ledger && ledger.stack !== stack)
    throw new Problems([
      problem(
        "ledger/foreign",
        `the ledger ${store.place} belongs to a different stack: ${ledger.stack}, not ${stack}`,
        {
          hint: "check --file and --ledger; each stack needs its own ledger"
        }
      )
    ]);
  return ledger;
}

return{ledgerStore:ledgerStore,copiedAway:copiedAway,newKeyText:newKeyText,makeKeyFile:makeKeyFile,documentsFor:documentsFor,keyPathOf:keyPathOf,keyOf:keyOf,findKeyIn:findKeyIn,storeFor:storeFor,ledgerOf:ledgerOf};})();exports.part_VFFBCGY7=part_VFFBCGY7;
const part_U5NJKFCI=(()=>{const {
  keyOf,
  keyPathOf,
  makeKeyFile,
  newKeyText
}=part_VFFBCGY7;const {
  heartbeat,
  heldBy,
  holderText,
  isPlausible,
  leaseText,
  parseLease,
  term,
  thisHolder
}=require("./part-81.cjs").part_MYWS23SU;const {
  Conflict,
  isVerified,
  keyless,
  notVerified
}=require("./part-27.cjs").part_EN3WE5DN;const {
  exitCodes
}=require("./part-80.cjs").part_RUA4AHDC;const {
  makeHome
}=require("./part-92.cjs").part_2JBIBOC6;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  errorLines
}=require("./part-80.cjs").part_D2V2PUP6;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;
;
;
;
;
;
;
;
;

// src/ledger/lease-watch.ts
var [firstNote, betweenNotes] = [1.5 * heartbeat, heartbeat / 2];
var LeaseWatch = class {
  #documents;
  #found;
  #held;
  #still = 0;
  #tick = 0;
  #isAlive = false;
  constructor(documents) {
    this.#documents = documents;
  }
  /** Takes in the lease as found at a moment of the monotonic clock. */
  see(found, tick) {
    const record = found && parseLease(found.text);
    const held = found && heldText(found);
    if (held !== void 0 && held === this.#held) this.#still += tick - this.#tick;
    else {
      this.#isAlive ||= held !== void 0 && this.#held !== void 0;
      this.#still = 0;
    }
    this.#still = Math.max(this.#still, record?.watched ?? 0);
    this.#found = found;
    this.#held = held;
    this.#tick = tick;
  }
  /** The time without a renewal, in milliseconds. */
  get still() {
    return this.#still;
  }
  /** True if it changed while we watched: its holder works, or another one has it. */
  get isAlive() {
    return this.#isAlive;
  }
  /** Notes for those who watch next how long it has stood still. That it cannot be noted makes them wait longer, and is no error. */
  async note() {
    const record = this.#found && parseLease(this.#found.text);
    const isNews = this.#still >= firstNote && this.#still - (record?.watched ?? 0) >= betweenNotes;
    if (!record || !isNews || this.#still >= term) return;
    const text = leaseText({ ...record, watched: Math.floor(this.#still) });
    await this.#documents.write("lease", text, { expected: this.#found.version }).catch(() => {
    });
  }
};
function heldText({ text, version }) {
  const record = parseLease(text);
  if (!record) return version;
  const { watched: _, ...held } = record;
  return leaseText(held);
}
async function removeLease(documents, found) {
  for (let { version } = found; ; )
    try {
      return await documents.remove("lease", { expected: version });
    } catch (error) {
      const now = error instanceof Conflict ? error.found : void 0;
      if (!now || now.version === version || heldText(now) !== heldText(found)) throw error;
      version = now.version;
    }
}

// src/ledger/lease.ts
var Held = class extends Problems {
  isForLater = true;
};
var poll = 2e3;
var trust = 2e3;
async function acquireLease(documents, options) {
  const { holder, clock, wait = 0, onWait } = options;
  const start = clock.monotonic();
  const watch = new LeaseWatch(documents);
  for (let told = false; ; ) {
    const found = await documents.read("lease");
    const other = found && parseLease(found.text);
    const tick = clock.monotonic();
    watch.see(found, tick);
    const isOver = other !== void 0 && watch.still >= term;
    if (!found || isOver) {
      const since = new Date(clock.now()).toISOString();
      const record = renewed({ formatVersion: 1, ...holder, since, expires: since }, clock.now());
      try {
        const version = await documents.write("lease", leaseText(record), { expected: found?.version });
        return hold(documents, clock, record, version);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        continue;
      }
    }
    const now = clock.now();
    const held = heldBy(documents.place, other, now);
    const isDoubtful = other !== void 0 && !isPlausible(other, now) && !watch.isAlive;
    const left = Math.max(start + wait - tick, isDoubtful ? term - watch.still : 0);
    if (left <= 0) throw other ? new Held([held]) : new Problems([held]);
    if (!told)
      onWait?.(
        `Waiting up to ${Math.ceil(left / 1e3)} s: ${held.message}${isDoubtful ? "; the lease counts as expired if it does not change in that time" : ""}.`
      );
    told = true;
    await watch.note();
    await clock.sleep(Math.min(poll, left));
  }
}
var renewed = (record, now) => ({
  ...record,
  renewals: (record.renewals ?? -1) + 1,
  expires: new Date(now + term).toISOString()
});
function hold(documents, clock, first, firstVersion) {
  let [record, version] = [first, firstVersion];
  const moment = () => ({ now: clock.now(), tick: clock.monotonic() });
  const since = (then) => Math.max(clock.now() - then.now, clock.monotonic() - then.tick);
  let seenAt = moment();
  let renewedAt = moment();
  const lost = new AbortController();
  const ended = new AbortController();
  const overwrite = async (write, other) => {
    for (let left = 5; ; left--)
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        const { found } = error;
        const isOurs = found && parseLease(found.text)?.run === record.run;
        if (!isOurs) return other(found);
        if (left === 0) throw error;
        version = found.version;
      }
  };
  const renewOnce = () => overwrite(
    async () => {
      const next = renewed(record, clock.now());
      const begun = moment();
      record = next;
      version = await documents.write("lease", leaseText(next), { expected: version });
      seenAt = moment();
      renewedAt = begun;
    },
    (found) => lost.abort(new Problems([lostTo(documents.place, found, clock.now())]))
  );
  let renewing;
  const renew = () => {
    renewing ??= renewOnce().finally(() => {
      renewing = void 0;
    });
    return renewing;
  };
  const lookOnce = async () => {
    seenAt = moment();
    const found = await documents.read("lease");
    const isOurs = found && parseLease(found.text)?.run === record.run;
    if (!isOurs && !ended.signal.aborted)
      lost.abort(new Problems([lostTo(documents.place, found, clock.now())]));
  };
  let looking;
  const look = () => {
    looking ??= lookOnce().finally(() => {
      looking = void 0;
    });
    return looking;
  };
  const beat = async () => {
    while (!lost.signal.aborted && !ended.signal.aborted) {
      await clock.sleep(heartbeat, ended.signal);
      await renew().catch(() => {
      });
    }
  };
  const beating = beat().catch(() => {
  });
  return {
    lost: lost.signal,
    confirm: async () => {
      if (ended.signal.aborted)
        throw new Problems([problem("lease/released", "the run was stopped; nothing more is written")]);
      const isOld = looking || since(seenAt) >= trust;
      if (!lost.signal.aborted && isOld) await look().catch(() => {
      });
      if (!lost.signal.aborted && since(renewedAt) >= term) await renew();
      lost.signal.throwIfAborted();
    },
    release: async () => {
      ended.abort();
      await beating;
      await renewing?.catch(() => {
      });
      if (lost.signal.aborted) return;
      await overwrite(
        () => documents.remove("lease", { expected: version }),
        () => {
        }
      );
    }
  };
}
function lostTo(place, found, now) {
  const other = found && parseLease(found.text);
  const who = other ? `: it is in use by ${holderText(other, now)}` : found ? "" : " by `trueup ledger unlock`";
  return problem("lease/lost", `the lease of the ledger ${place} was taken from this run${who}`, {
    hint: "this run writes nothing more, and its last changes may be missing from the ledger; plan again once no other run is active"
  });
}

// src/cli/hold-lease.ts
async function holdLease(documents, { lockWait = 0 }, terminal) {
  const { host } = terminal.run;
  const lease = await acquireLease(documents, {
    holder: thisHolder(host),
    clock: host.clock,
    wait: lockWait * 1e3,
    onWait: terminal.err
  });
  const release = async () => {
    stopListening();
    await lease.release().catch((error) => {
      terminal.err(
        `The lease of the ledger ${documents.place} could not be released and expires on its own:`
      );
      for (const line of errorLines(error).message) terminal.err(`  ${line}`);
    });
  };
  const abandon = (last = async () => {
  }) => {
    const given = last().catch(() => {
    }).then(release);
    void Promise.race([given, host.clock.sleep(lastMoment)]).finally(() => host.exit(exitCodes.interrupted));
  };
  const held = { ...lease, release, abandon, onInterrupt: () => abandon() };
  const stopListening = host.onSignal(["SIGINT", "SIGTERM", "SIGHUP"], () => held.onInterrupt());
  return held;
}
var lastMoment = 2e3;

// src/cli/make-key.ts
function refuseNewKey({ store, ledger }, { twin }, { env }) {
  const proof = store.proof();
  if (proof && !isVerified(proof) && proof.key !== void 0)
    throw new Problems([notVerified(proof, void 0)]);
  const maker = Object.values(ledger.entries).flatMap(({ secrets }) => Object.values(secrets)).find(({ key }) => key !== "")?.key;
  if (maker !== void 0)
    throw new Problems([
      problem(
        "key/missing",
        `the ledger ${store.place} has secrets under the key ${maker}, but no key is available here`,
        {
          hint: "set TRUEUP_LEDGER_KEY to that key; if it is lost: `trueup ledger key` creates a new one, then `trueup ledger sign`"
        }
      )
    ]);
  if (env.CI && !twin) throw new Problems([keyless]);
}
async function makeKey(held, place, host) {
  refuseNewKey(held, place, host);
  await makeHome(host);
  return makeKeyFile(pathOn(host, keyPathOf(place)));
}
function addKeyCommand(ledger, run) {
  const { host } = run;
  ledger.command("key").description("create the key that signs the ledger: .trueup/key, which stays out of git").option("--twin", "the embedded twin's key").option("--print", "print a new key without storing it, for a CI secret").action(async (options) => {
    const terminal = terminalFor(run, {});
    if (host.env.CI && !options.twin)
      throw new Problems([
        problem(
          "key/in-ci",
          "keys are not created in CI: the key would end up in a log or be lost with the machine",
          {
            hint: "create it on your machine with `trueup ledger key --print` and store it as a CI secret"
          }
        )
      ]);
    if (options.print) return terminal.out(newKeyText());
    const path = keyPathOf(options);
    const found = await keyOf(options, {
      ...host,
      env: { ...host.env, TRUEUP_LEDGER_KEY_PREVIOUS: void 0 }
    });
    if (found)
      return terminal.out(
        `There is already a key, ${found.id}: ${options.twin || !host.env.TRUEUP_LEDGER_KEY?.trim() ? path : "TRUEUP_LEDGER_KEY"}. It stays.`
      );
    await makeHome(host);
    const key = await makeKeyFile(pathOn(host, path));
    terminal.out(
      `Created the key ${key.id}: ${path}. Keep a copy with your secrets; in CI, set TRUEUP_LEDGER_KEY to the content of this file.`
    );
  });
}

return{removeLease:removeLease,holdLease:holdLease,refuseNewKey:refuseNewKey,makeKey:makeKey,addKeyCommand:addKeyCommand};})();exports.part_U5NJKFCI=part_U5NJKFCI;
