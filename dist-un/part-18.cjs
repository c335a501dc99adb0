"use strict";const part_CTIH5LY5=(()=>{const {
  require_lib
}=require("./part-92.cjs").part_BFXFO44Z;const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { lstat, mkdir, readFile, stat, writeFile }=require("node:fs/promises");const { dirname, join }=require("node:path");;
;
;
;
;

// src/cli/output-file.ts
var import_write_file_atomic = __toESM(require_lib(), 1);
;
;
async function writeOutput(host, path, text) {
  const file = await outputFile(host, path);
  await (0, import_write_file_atomic.default)(file, text).catch(refuseUnwritable(path));
}
async function outputFile(host, path) {
  const file = pathOn(host, path);
  const found = await stat(file).catch(() => void 0);
  if (found && !found.isFile())
    throw new Problems([
      problem("output/no-file", `${path} is ${sortOf(found)} and is not overwritten`, {
        hint: "name a regular file, or drop the flag and redirect the output: `> PATH`"
      })
    ]);
  await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
  return file;
}
var refuseUnwritable = (path) => (error) => {
  if (!("syscall" in error)) throw error;
  throw new Problems([
    problem("output/unwritable", `${path} cannot be written: ${systemText(error)}`, {
      hint: "choose a file in a writable folder"
    })
  ]);
};
var sortOf = (found) => found.isDirectory() ? "a folder" : found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device";
async function missingFiles(files, top) {
  const missing = /* @__PURE__ */ new Set();
  const wrong = [];
  for (const { path, text } of files) {
    const link = await linkOn(path, top);
    if (link !== void 0) {
      wrong.push(
        problem("init/ci-exists", `${path} would be written through the symbolic link ${link}`, {
          hint: "remove the link and run this again; nothing was written"
        })
      );
      continue;
    }
    const there = await readFile(join(top, path), "utf8").catch(
      (error) => error.code === "ENOENT" ? void 0 : ""
    );
    if (there === void 0) missing.add(path);
    else if (there !== text)
      wrong.push(
        problem("init/ci-exists", `${path} already exists; nothing was written`, {
          hint: "commit it, delete it and run this again: `git diff` then shows your changes next to the new version"
        })
      );
  }
  if (wrong.length > 0) throw new Problems(wrong);
  return missing;
}
async function linkOn(path, top) {
  const names = path.split("/");
  for (const at of names.keys()) {
    const part = names.slice(0, at + 1).join("/");
    const status = await lstat(join(top, part)).catch(() => void 0);
    if (status?.isSymbolicLink()) return part;
  }
  return void 0;
}
async function writeFiles(files, top) {
  for (const { path, text } of files) {
    const file = join(top, path);
    await mkdir(dirname(file), { recursive: true }).catch(refuseUnwritable(path));
    await writeFile(file, text, { flag: "wx" }).catch(refuseUnwritable(path));
  }
}

return{writeOutput:writeOutput,outputFile:outputFile,refuseUnwritable:refuseUnwritable,missingFiles:missingFiles,writeFiles:writeFiles};})();exports.part_CTIH5LY5=part_CTIH5LY5;
