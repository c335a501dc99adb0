"use strict";const part_TKJ67INM=(()=>{const {
  require_lib
}=require("./part-92.cjs").part_BFXFO44Z;const {
  GitError,
  openRepository,
  visibleEnv
}=require("./part-83.cjs").part_LFMTYGTI;const {
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;const { spawn }=require("node:child_process");const { constants }=require("node:fs");const { access, lstat, mkdir, realpath, stat }=require("node:fs/promises");const path=require("node:path");;
;
;

// src/config/deliver-secret.ts
var import_write_file_atomic = __toESM(require_lib(), 1);
;
;
;
;
async function undeliverable(to, options) {
  if (to === "discard") return void 0;
  if ("command" in to) {
    const verdict = await options.judgeCommand(to.command);
    return verdict.allowed ? void 0 : { message: verdict.message, hint: hintOf(verdict) };
  }
  const place = await placeOf(to.file, options.cwd);
  if (typeof place !== "string") return place;
  const root = await realpath(options.cwd);
  const isReserved = (options.reserved ?? []).some((one) => isIn(place, path.resolve(root, one)));
  if (isReserved)
    return {
      message: `${to.file} belongs to trueup or to the configuration`,
      hint: "choose a separate file"
    };
  if (!options.mayReplace && await stat(place).catch(() => void 0))
    return {
      message: `${to.file} already exists with unknown content`,
      hint: "move it, or choose another name"
    };
  return await isSeen(place, options) ? {
    message: `${to.file} would be visible to git`,
    hint: `put \`${to.file}\` in .gitignore, or choose a path outside the repository`
  } : void 0;
}
async function deliverSecret(to, secret, options) {
  const wrong = await undeliverable(to, options);
  if (wrong) throw new Error(`the secret could not be delivered: ${wrong.message}`);
  if (to === "discard") return;
  if ("command" in to) {
    const verdict = await options.judgeCommand(to.command);
    if (!verdict.allowed) throw new Error(`the secret could not be delivered: ${verdict.message}`);
    return handOver(to.command, verdict.path, secret, options);
  }
  const file = await placeOf(to.file, options.cwd);
  await mkdir(path.dirname(file), { recursive: true });
  await (0, import_write_file_atomic.default)(file, `${secret.reveal()}
`, { mode: 384 });
}
async function placeOf(file, cwd) {
  const root = await realpath(cwd);
  const whole = path.resolve(root, file);
  const found = await lstat(whole).catch(() => void 0);
  if (found && !found.isFile())
    return { message: `${file} is not a regular file`, hint: "choose another name" };
  let folder = path.dirname(whole);
  while (!await stat(folder).catch(() => void 0)) folder = path.dirname(folder);
  const real = await realpath(folder);
  if (real !== root && !real.startsWith(root + path.sep))
    return {
      message: `${file} is outside the working directory`,
      hint: "use a path inside it; links are not followed"
    };
  return access(folder, constants.W_OK).then(
    () => path.join(real, path.relative(folder, whole)),
    () => ({ message: `${file} cannot be written`, hint: "check the permissions of its folder" })
  );
}
async function isSeen(file, { cwd, env }) {
  try {
    const { git } = await openRepository(cwd, env);
    await git(["check-ignore", "--quiet", "--", file]);
    return false;
  } catch (error) {
    return !(error instanceof GitError && (error.reason === "missing" || error.reason === "outside"));
  }
}
var isIn = (file, place) => `${file}${path.sep}`.toLowerCase().startsWith(`${place}${path.sep}`.toLowerCase());
var hintOf = ({ flag, isGone }) => flag === void 0 ? isGone ? "install it on the PATH; programs inside the repository are not run" : "name a program on the PATH; a `*` at the end of an argument matches any ending: --allow-command" : `allow it with ${flag}`;
function handOver([name, ...args], program, secret, { cwd, env }) {
  const visible = visibleEnv(env);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: visible,
      stdio: ["pipe", "ignore", "ignore"],
      timeout: 6e4
    });
    child.once(
      "error",
      () => reject(new Error(`the secret could not be delivered: ${name} could not be started`))
    );
    child.once(
      "close",
      (code, signal) => code === 0 ? resolve() : reject(
        new Error(
          `the secret could not be delivered: ${name} ended with ${signal ?? `exit code ${code}`}`
        )
      )
    );
    child.stdin.on("error", () => {
    });
    child.stdin.end(`${secret.reveal()}
`);
  });
}

return{undeliverable:undeliverable,deliverSecret:deliverSecret,placeOf:placeOf};})();exports.part_TKJ67INM=part_TKJ67INM;
