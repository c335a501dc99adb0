"use strict";const part_KCCUIXOW=(()=>{const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;;

// src/stores/store-url.ts
var sorts = {
  "postgres:": "postgres",
  "postgresql:": "postgres",
  "s3:": "s3",
  "https:": "http",
  "http:": "http"
};
var codes = {
  ledger: { url: "ledger/url", password: "ledger/password" },
  limits: { url: "limits/url", password: "limits/password" },
  queue: { url: "fleet/queue-url", password: "fleet/queue-password" }
};
var isStoreUrl = (text) => /^[a-z][a-z\d+.-]*:\/\//i.test(text);
function readStoreUrl(text, isArgument) {
  const url = readUrl(text, "ledger");
  const sort = sorts[url.protocol];
  if (!sort)
    throw refused(
      `trueup cannot keep ledgers at a URL that begins with ${url.protocol}//`,
      `there are ${[...new Set(Object.keys(sorts))].map((one) => `${one}//`).join(", ")}, \`git\`, and files`
    );
  if (isArgument) refusePassword(url, sort, "ledger");
  return { sort, url };
}
var inDatabase = {
  limits: "shared limits are kept in PostgreSQL, and this URL names something else",
  queue: "the queue of a fleet is kept in PostgreSQL, and this URL names something else"
};
function readDatabaseUrl(text, isArgument, use) {
  const url = readUrl(text, use);
  if (sorts[url.protocol] !== "postgres")
    throw refused(inDatabase[use], `for example \`--${use} postgres://db.example.com/trueup\``, use);
  if (isArgument) refusePassword(url, "postgres", use);
  return url;
}
function readUrl(text, use) {
  let url;
  try {
    url = new URL(text);
    decodeURIComponent(url.href);
  } catch {
    throw unreadable(use);
  }
  if (url.hash !== "" || url.pathname.includes("@")) throw unreadable(use);
  return url;
}
function refusePassword(url, sort, use) {
  if (url.password === "" && !url.searchParams.has("password")) return;
  const said = `the URL of --${use} contains a password, which everybody on this machine can read`;
  throw new Problems([problem(codes[use].password, said, { hint: hints[sort] })]);
}
var hints = {
  s3: "give credentials as the AWS SDK takes them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or web identity; and change these, since they were exposed",
  http: "give it as TF_HTTP_PASSWORD; and change it, since it was exposed",
  postgres: "give it as PGPASSWORD, or in the file that PGPASSFILE names; and change it, since it was exposed"
};
var unreadable = (use) => refused(
  `the URL of the ${use} cannot be read`,
  `for example \`--${use} postgres://db.example.com/trueup\`; in a name or a password write %23 for #, %25 for %, %2F for /, %3F for ? and %40 for @`,
  use
);
function refused(message, hint, use = "ledger") {
  return new Problems([problem(codes[use].url, message, { hint })]);
}
function refuseOthers(query, known, use = "ledger") {
  if ([...query.keys()].every((name) => known.includes(name))) return;
  const shown = known.filter((name) => name !== "password").join(", ");
  throw refused(
    `the URL of the ${use} has an unknown parameter`,
    `there are ${shown}; in a password write %3F for ?`,
    use
  );
}
var stackHole = /\{stack\}|%7Bstack%7D/gi;
var isOfAnyStack = (url) => new RegExp(stackHole.source, "i").test(url.href);
var isOfOneStack = ({ sort, url }) => sort === "http" && !isOfAnyStack(url);
function readIndexUrl(text, isArgument) {
  const index = readStoreUrl(text, isArgument);
  if (index.sort === "http" && isOfOneStack(index)) return index;
  throw new Problems([
    problem("ledger/url", "the index of the ledgers is no URL of one document over HTTP", {
      hint: "for example `--ledger-index https://state.example.com/ledgers`; other stores list their ledgers by themselves"
    })
  ]);
}

return{isStoreUrl:isStoreUrl,readStoreUrl:readStoreUrl,readDatabaseUrl:readDatabaseUrl,refused:refused,refuseOthers:refuseOthers,stackHole:stackHole,isOfAnyStack:isOfAnyStack,isOfOneStack:isOfOneStack,readIndexUrl:readIndexUrl};})();exports.part_KCCUIXOW=part_KCCUIXOW;
const part_2JBIBOC6=(()=>{const {
  systemText
}=require("./part-106.cjs").part_M3ATQ7RN;const {
  pathOn
}=require("./part-80.cjs").part_ZDSX63LF;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;const { appendFile, mkdir, readFile }=require("node:fs/promises");const { join }=require("node:path");;
;
;

// src/cli/home.ts
;
;
var home = ".trueup";
var attributes = "ledger/** -text -merge";
var ignored = [
  "key",
  "key.*",
  "schema.json",
  "twin/",
  "journal/",
  "ledger/*.lock",
  "ledger/*.plan",
  "ledger/*.journal",
  "ledger/*.writing*"
];
var ignoredWhy = `# The key, the twin's account and leases stay on this machine; the ledger may be committed. The editor schema is half a
# megabyte and changes with each version: recreate it in a clone with \`trueup schema --out .trueup/schema.json\`.
`;
async function makeHome(host) {
  const folder = pathOn(host, home);
  try {
    await mkdir(folder, { recursive: true });
    await haveLines(join(folder, ".gitignore"), ignored, ignoredWhy);
    await haveLines(join(folder, ".gitattributes"), [attributes]);
  } catch (error) {
    throw new Problems([
      problem("home/unwritable", `cannot create the folder ${home}: ${systemText(error)}`, {
        hint: "run this in a writable folder; the key and the ledger are kept there"
      })
    ]);
  }
}
async function haveLines(file, lines, head = "") {
  const had = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return void 0;
    throw error;
  });
  const there = new Set((had ?? "").split(/\r?\n/));
  const lacking = there.has("*") ? [] : lines.filter((line) => !there.has(line) && !there.has(`!${line}`));
  if (lacking.length === 0) return;
  const start = had === void 0 ? head : had === "" || had.endsWith("\n") ? "" : "\n";
  await appendFile(file, `${start}${lacking.join("\n")}
`);
}

return{home:home,makeHome:makeHome};})();exports.part_2JBIBOC6=part_2JBIBOC6;
const part_BFXFO44Z=(()=>{const {
  __commonJS,
  __require
}=require("./part-80.cjs").part_DF3MP7ZG;;

// node_modules/signal-exit/dist/cjs/signals.js
var require_signals = __commonJS({
  "node_modules/signal-exit/dist/cjs/signals.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.signals = void 0;
    exports.signals = [];
    exports.signals.push("SIGHUP", "SIGINT", "SIGTERM");
    if (process.platform !== "win32") {
      exports.signals.push(
        "SIGALRM",
        "SIGABRT",
        "SIGVTALRM",
        "SIGXCPU",
        "SIGXFSZ",
        "SIGUSR2",
        "SIGTRAP",
        "SIGSYS",
        "SIGQUIT",
        "SIGIOT"
        // should detect profiler and enable/disable accordingly.
        // see #21
        // 'SIGPROF'
      );
    }
    if (process.platform === "linux") {
      exports.signals.push("SIGIO", "SIGPOLL", "SIGPWR", "SIGSTKFLT");
    }
  }
});

// node_modules/signal-exit/dist/cjs/index.js
var require_cjs = __commonJS({
  "node_modules/signal-exit/dist/cjs/index.js"(exports) {
    "use strict";
    var _a;
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.unload = exports.load = exports.onExit = exports.signals = void 0;
    var signals_js_1 = require_signals();
    Object.defineProperty(exports, "signals", { enumerable: true, get: function() {
      return signals_js_1.signals;
    } });
    var processOk = (process3) => !!process3 && typeof process3 === "object" && typeof process3.removeListener === "function" && typeof process3.emit === "function" && typeof process3.reallyExit === "function" && typeof process3.listeners === "function" && typeof process3.kill === "function" && typeof process3.pid === "number" && typeof process3.on === "function";
    var kExitEmitter = /* @__PURE__ */ Symbol.for("signal-exit emitter");
    var global = globalThis;
    var ObjectDefineProperty = Object.defineProperty.bind(Object);
    var Emitter = class {
      emitted = {
        afterExit: false,
        exit: false
      };
      listeners = {
        afterExit: [],
        exit: []
      };
      count = 0;
      id = Math.random();
      constructor() {
        if (global[kExitEmitter]) {
          return global[kExitEmitter];
        }
        ObjectDefineProperty(global, kExitEmitter, {
          value: this,
          writable: false,
          enumerable: false,
          configurable: false
        });
      }
      on(ev, fn) {
        this.listeners[ev].push(fn);
      }
      removeListener(ev, fn) {
        const list = this.listeners[ev];
        const i = list.indexOf(fn);
        if (i === -1) {
          return;
        }
        if (i === 0 && list.length === 1) {
          list.length = 0;
        } else {
          list.splice(i, 1);
        }
      }
      emit(ev, code, signal) {
        if (this.emitted[ev]) {
          return false;
        }
        this.emitted[ev] = true;
        let ret = false;
        for (const fn of this.listeners[ev]) {
          ret = fn(code, signal) === true || ret;
        }
        if (ev === "exit") {
          ret = this.emit("afterExit", code, signal) || ret;
        }
        return ret;
      }
    };
    var SignalExitBase = class {
    };
    var signalExitWrap = (handler) => {
      return {
        onExit(cb, opts) {
          return handler.onExit(cb, opts);
        },
        load() {
          return handler.load();
        },
        unload() {
          return handler.unload();
        }
      };
    };
    var SignalExitFallback = class extends SignalExitBase {
      onExit() {
        return () => {
        };
      }
      load() {
      }
      unload() {
      }
    };
    var SignalExit = class extends SignalExitBase {
      // "SIGHUP" throws an `ENOSYS` error on Windows,
      // so use a supported signal instead
      /* c8 ignore start */
      #hupSig = process2.platform === "win32" ? "SIGINT" : "SIGHUP";
      /* c8 ignore stop */
      #emitter = new Emitter();
      #process;
      #originalProcessEmit;
      #originalProcessReallyExit;
      #sigListeners = {};
      #loaded = false;
      constructor(process3) {
        super();
        this.#process = process3;
        this.#sigListeners = {};
        for (const sig of signals_js_1.signals) {
          this.#sigListeners[sig] = () => {
            const listeners = this.#process.listeners(sig);
            let { count } = this.#emitter;
            const p = process3;
            if (typeof p.__signal_exit_emitter__ === "object" && typeof p.__signal_exit_emitter__.count === "number") {
              count += p.__signal_exit_emitter__.count;
            }
            if (listeners.length === count) {
              this.unload();
              const ret = this.#emitter.emit("exit", null, sig);
              const s = sig === "SIGHUP" ? this.#hupSig : sig;
              if (!ret)
                process3.kill(process3.pid, s);
            }
          };
        }
        this.#originalProcessReallyExit = process3.reallyExit;
        this.#originalProcessEmit = process3.emit;
      }
      onExit(cb, opts) {
        if (!processOk(this.#process)) {
          return () => {
          };
        }
        if (this.#loaded === false) {
          this.load();
        }
        const ev = opts?.alwaysLast ? "afterExit" : "exit";
        this.#emitter.on(ev, cb);
        return () => {
          this.#emitter.removeListener(ev, cb);
          if (this.#emitter.listeners["exit"].length === 0 && this.#emitter.listeners["afterExit"].length === 0) {
            this.unload();
          }
        };
      }
      load() {
        if (this.#loaded) {
          return;
        }
        this.#loaded = true;
        this.#emitter.count += 1;
        for (const sig of signals_js_1.signals) {
          try {
            const fn = this.#sigListeners[sig];
            if (fn)
              this.#process.on(sig, fn);
          } catch (_) {
          }
        }
        this.#process.emit = (ev, ...a) => {
          return this.#processEmit(ev, ...a);
        };
        this.#process.reallyExit = (code) => {
          return this.#processReallyExit(code);
        };
      }
      unload() {
        if (!this.#loaded) {
          return;
        }
        this.#loaded = false;
        signals_js_1.signals.forEach((sig) => {
          const listener = this.#sigListeners[sig];
          if (!listener) {
            throw new Error("Listener not defined for signal: " + sig);
          }
          try {
            this.#process.removeListener(sig, listener);
          } catch (_) {
          }
        });
        this.#process.emit = this.#originalProcessEmit;
        this.#process.reallyExit = this.#originalProcessReallyExit;
        this.#emitter.count -= 1;
      }
      #processReallyExit(code) {
        if (!processOk(this.#process)) {
          return 0;
        }
        this.#process.exitCode = code || 0;
        this.#emitter.emit("exit", this.#process.exitCode, null);
        return this.#originalProcessReallyExit.call(this.#process, this.#process.exitCode);
      }
      #processEmit(ev, ...args) {
        const og = this.#originalProcessEmit;
        if (ev === "exit" && processOk(this.#process)) {
          if (typeof args[0] === "number") {
            this.#process.exitCode = args[0];
          }
          const ret = og.call(this.#process, ev, ...args);
          this.#emitter.emit("exit", this.#process.exitCode, null);
          return ret;
        } else {
          return og.call(this.#process, ev, ...args);
        }
      }
    };
    var process2 = globalThis.process;
    _a = signalExitWrap(processOk(process2) ? new SignalExit(process2) : new SignalExitFallback()), /**
     * Called when the process is exiting, whether via signal, explicit
     * exit, or running out of stuff to do.
     *
     * If the global process object is not suitable for instrumentation,
     * then this will be a no-op.
     *
     * Returns a function that may be used to unload signal-exit.
     */
    exports.onExit = _a.onExit, /**
     * Load the listeners.  Likely you never need to call this, unless
     * doing a rather deep integration with signal-exit functionality.
     * Mostly exposed for the benefit of testing.
     *
     * @internal
     */
    exports.load = _a.load, /**
     * Unload the listeners.  Likely you never need to call this, unless
     * doing a rather deep integration with signal-exit functionality.
     * Mostly exposed for the benefit of testing.
     *
     * @internal
     */
    exports.unload = _a.unload;
  }
});

// node_modules/write-file-atomic/lib/index.js
var require_lib = __commonJS({
  "node_modules/write-file-atomic/lib/index.js"(exports, module) {
    "use strict";
    module.exports = writeFile;
    module.exports.sync = writeFileSync;
    module.exports._getTmpname = getTmpname;
    module.exports._cleanupOnExit = cleanupOnExit;
    var fs = __require("fs");
    var crypto = __require("node:crypto");
    var { onExit } = require_cjs();
    var path = __require("path");
    var { promisify } = __require("util");
    var activeFiles = {};
    var threadId = (function getId() {
      try {
        const workerThreads = __require("worker_threads");
        return workerThreads.threadId;
      } catch (e) {
        return 0;
      }
    })();
    var invocations = 0;
    function getTmpname(filename) {
      return filename + "." + crypto.createHash("sha1").update(__filename).update(String(process.pid)).update(String(threadId)).update(String(++invocations)).digest().readUInt32BE(0);
    }
    function cleanupOnExit(tmpfile) {
      return () => {
        try {
          fs.unlinkSync(typeof tmpfile === "function" ? tmpfile() : tmpfile);
        } catch {
        }
      };
    }
    function serializeActiveFile(absoluteName) {
      return new Promise((resolve) => {
        if (!activeFiles[absoluteName]) {
          activeFiles[absoluteName] = [];
        }
        activeFiles[absoluteName].push(resolve);
        if (activeFiles[absoluteName].length === 1) {
          resolve();
        }
      });
    }
    function isChownErrOk(err) {
      if (err.code === "ENOSYS") {
        return true;
      }
      const nonroot = !process.getuid || process.getuid() !== 0;
      if (nonroot) {
        if (err.code === "EINVAL" || err.code === "EPERM") {
          return true;
        }
      }
      return false;
    }
    async function writeFileAsync(filename, data, options = {}) {
      if (typeof options === "string") {
        options = { encoding: options };
      }
      let fd;
      let tmpfile;
      const removeOnExitHandler = onExit(cleanupOnExit(() => tmpfile));
      const absoluteName = path.resolve(filename);
      try {
        await serializeActiveFile(absoluteName);
        const truename = await promisify(fs.realpath)(filename).catch(() => filename);
        tmpfile = getTmpname(truename);
        if (!options.mode || !options.chown) {
          const stats = await promisify(fs.stat)(truename).catch(() => {
          });
          if (stats) {
            if (options.mode == null) {
              options.mode = stats.mode;
            }
            if (options.chown == null && process.getuid) {
              options.chown = { uid: stats.uid, gid: stats.gid };
            }
          }
        }
        fd = await promisify(fs.open)(tmpfile, "w", options.mode);
        if (options.tmpfileCreated) {
          await options.tmpfileCreated(tmpfile);
        }
        if (ArrayBuffer.isView(data)) {
          await promisify(fs.write)(fd, data, 0, data.length, 0);
        } else if (data != null) {
          await promisify(fs.write)(fd, String(data), 0, String(options.encoding || "utf8"));
        }
        if (options.fsync !== false) {
          await promisify(fs.fsync)(fd);
        }
        await promisify(fs.close)(fd);
        fd = null;
        if (options.chown) {
          await promisify(fs.chown)(tmpfile, options.chown.uid, options.chown.gid).catch((err) => {
            if (!isChownErrOk(err)) {
              throw err;
            }
          });
        }
        if (options.mode) {
          await promisify(fs.chmod)(tmpfile, options.mode).catch((err) => {
            if (!isChownErrOk(err)) {
              throw err;
            }
          });
        }
        await promisify(fs.rename)(tmpfile, truename);
      } finally {
        if (fd) {
          await promisify(fs.close)(fd).catch(
            /* istanbul ignore next */
            () => {
            }
          );
        }
        removeOnExitHandler();
        await promisify(fs.unlink)(tmpfile).catch(() => {
        });
        activeFiles[absoluteName].shift();
        if (activeFiles[absoluteName].length > 0) {
          activeFiles[absoluteName][0]();
        } else {
          delete activeFiles[absoluteName];
        }
      }
    }
    async function writeFile(filename, data, options, callback) {
      if (options instanceof Function) {
        callback = options;
        options = {};
      }
      const promise = writeFileAsync(filename, data, options);
      if (callback) {
        try {
          const result = await promise;
          return callback(result);
        } catch (err) {
          return callback(err);
        }
      }
      return promise;
    }
    function writeFileSync(filename, data, options) {
      if (typeof options === "string") {
        options = { encoding: options };
      } else if (!options) {
        options = {};
      }
      try {
        filename = fs.realpathSync(filename);
      } catch (ex) {
      }
      const tmpfile = getTmpname(filename);
      if (!options.mode || !options.chown) {
        try {
          const stats = fs.statSync(filename);
          options = Object.assign({}, options);
          if (!options.mode) {
            options.mode = stats.mode;
          }
          if (!options.chown && process.getuid) {
            options.chown = { uid: stats.uid, gid: stats.gid };
          }
        } catch (ex) {
        }
      }
      let fd;
      const cleanup = cleanupOnExit(tmpfile);
      const removeOnExitHandler = onExit(cleanup);
      let threw = true;
      try {
        fd = fs.openSync(tmpfile, "w", options.mode || 438);
        if (options.tmpfileCreated) {
          options.tmpfileCreated(tmpfile);
        }
        if (ArrayBuffer.isView(data)) {
          fs.writeSync(fd, data, 0, data.length, 0);
        } else if (data != null) {
          fs.writeSync(fd, String(data), 0, String(options.encoding || "utf8"));
        }
        if (options.fsync !== false) {
          fs.fsyncSync(fd);
        }
        fs.closeSync(fd);
        fd = null;
        if (options.chown) {
          try {
            fs.chownSync(tmpfile, options.chown.uid, options.chown.gid);
          } catch (err) {
            if (!isChownErrOk(err)) {
              throw err;
            }
          }
        }
        if (options.mode) {
          try {
            fs.chmodSync(tmpfile, options.mode);
          } catch (err) {
            if (!isChownErrOk(err)) {
              throw err;
            }
          }
        }
        fs.renameSync(tmpfile, filename);
        threw = false;
      } finally {
        if (fd) {
          try {
            fs.closeSync(fd);
          } catch (ex) {
          }
        }
        removeOnExitHandler();
        if (threw) {
          cleanup();
        }
      }
    }
  }
});

return{require_lib:require_lib};})();exports.part_BFXFO44Z=part_BFXFO44Z;
