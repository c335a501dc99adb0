"use strict";const part_VZPGGW2W=(()=>{const {
  GitError,
  openRepository,
  workTreeOf
}=require("./part-83.cjs").part_LFMTYGTI;const { mkdir, mkdtemp, realpath, rm, writeFile }=require("node:fs/promises");const { tmpdir }=require("node:os");const path=require("node:path");;

// src/git/objects.ts
;
;
;
async function objectsOf(names, git) {
  if (names.length === 0) return /* @__PURE__ */ new Map();
  const said = await git(["cat-file", "--batch-check"], `${names.join("\n")}
`);
  const lines = said.split("\n");
  return new Map(
    names.flatMap((name, at) => {
      const [, object, size] = /^([0-9a-f]+) [a-z]+ (\d+)$/.exec(lines[at] ?? "") ?? [];
      return object === void 0 ? [] : [[name, { object, size: Number(size) }]];
    })
  );
}
async function contentsOf(objects, git) {
  const contents = /* @__PURE__ */ new Map();
  if (objects.length === 0) return contents;
  const said = Buffer.from(await git(["cat-file", "--batch"], `${objects.join("\n")}
`, "latin1"), "latin1");
  for (let at = 0; at < said.length; ) {
    const end = said.indexOf(10, at);
    const [object, type, length] = said.toString("latin1", at, end).split(" ");
    if (type !== "blob") throw new GitError("failed", `git has no object ${object}`);
    contents.set(object, said.subarray(end + 1, end + 1 + Number(length)));
    at = end + 2 + Number(length);
  }
  return contents;
}
var ending = /\.(ya?ml|json|csv|png|jpe?g|svg)$/i;
var leadsOut = (name) => name.split(/[/\\]/).some((part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part));
async function filesAt(ref, cwd, env) {
  const { git } = await openRepository(cwd, env);
  const commit = (await git(["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`])).trim();
  const listed = await git(["ls-tree", "-r", "-z", "--full-tree", commit]);
  const top = await mkdtemp(path.join(tmpdir(), "trueup-"));
  const names = /* @__PURE__ */ new Set();
  try {
    const blobs = listed.split("\0").flatMap((line) => {
      const [, mode, object, name] = /^(\d+) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      if (name === void 0 || !mode.startsWith("100") || !ending.test(name) || leadsOut(name)) return [];
      return [{ object, name }];
    });
    const contents = await contentsOf(
      blobs.map(({ object }) => object),
      git
    );
    for (const { object, name } of blobs) {
      const file = path.join(top, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, contents.get(object));
      names.add(name);
    }
  } catch (error) {
    await rm(top, { recursive: true, force: true });
    throw error;
  }
  const here = path.relative(workTreeOf(cwd), cwd);
  const inside = path.join(top, here);
  await mkdir(inside, { recursive: true });
  return {
    cwd: inside,
    tracking: {
      workTreeOf: async () => top,
      tracked: async (_, files) => new Set(files.filter((file) => names.has(file)))
    },
    remove: () => rm(top, { recursive: true, force: true })
  };
}
async function changedSince(ref, cwd, env) {
  const { git, isShallow } = await openRepository(cwd, env);
  const top = workTreeOf(await realpath(cwd));
  let base;
  try {
    const commit = await git(["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`]);
    base = (await git(["merge-base", commit.trim(), "HEAD"])).trim();
  } catch (error) {
    if (isShallow && error instanceof GitError && error.reason === "failed") return void 0;
    throw error;
  }
  const diff = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const changed = await git([...diff, "--ignore-submodules=dirty", base, "--"]);
  const unknown = await git(["ls-files", "-z", "--others", "--exclude-standard"]);
  const names = `${changed}${unknown}`.split("\0").filter((name) => name !== "");
  return {
    files: new Set(names.map((name) => path.join(top, name))),
    before: (file) => {
      const name = path.relative(top, file).split(path.sep).join("/");
      return git(["cat-file", "blob", `${base}:${name}`]).catch(() => void 0);
    }
  };
}

return{objectsOf:objectsOf,contentsOf:contentsOf,filesAt:filesAt,changedSince:changedSince};})();exports.part_VZPGGW2W=part_VZPGGW2W;
