"use strict";const part_XALTXECK=(()=>{const {
  checkVerification,
  standardBounds
}=require("./part-65.cjs").part_R3QD6ZDG;const {
  clientPackage
}=require("./part-108.cjs").part_UIO3JTQR;require("./part-106.cjs").part_6Z4P2PSD;const {
  Conflict,
  isRecordName,
  mostOfOther,
  storedText
}=require("./part-27.cjs").part_EN3WE5DN;require("./part-32.cjs").part_FIZFKDRW;const {
  literal,
  looseObject,
  object,
  record,
  string
}=require("./part-90.cjs").part_ZJ7BVZLR;require("./part-72.cjs").part_VZPGGW2W;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_MQHVXKRH;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;const { hash, randomBytes, randomUUID }=require("node:crypto");const { setTimeout }=require("node:timers/promises");;
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

// src/stores/s3/s3-documents.ts
;
;

// src/stores/s3/s3-error.ts
var statusOf = (error) => error.$metadata?.httpStatusCode;
var isConflict = (error) => {
  const status = statusOf(error);
  return status === 412 || status === 409 || status === 404 && error.name !== "NoSuchBucket";
};
var unconditional = (shown, why) => new Problems([
  problem("ledger/s3-conditions", `the service of ${shown} ${why}`, {
    hint: "two runs could overwrite each other there, so trueup keeps no ledger in it; AWS and recent versions of many other services honour If-Match and If-None-Match"
  })
]);
var strange = (place, what) => new Problems([
  problem("ledger/s3-failed", `the ledger ${place} cannot be read: the answer is ${what}`, {
    hint: "check the endpoint and any proxy in between: a login page may have answered"
  })
]);
var sorts = [
  {
    code: "ledger/s3-bucket",
    hint: "make the bucket, or correct its name and the region",
    isOne: ({ name }) => name === "NoSuchBucket"
  },
  {
    code: "ledger/s3-bucket",
    hint: "name the region of the bucket: AWS_REGION, or `?region=eu-central-1`",
    isOne: ({ name, message }, status) => /Region (is missing|not accepted)|the region '/.test(message) || name === "PermanentRedirect" && status === 301
  },
  {
    code: "ledger/s3-clock",
    hint: "set the clock of this machine, then run trueup again: requests are signed with the time",
    isOne: ({ name }) => /RequestTimeTooSkewed|RequestExpired/.test(name)
  },
  {
    code: "ledger/s3-denied",
    hint: "the role must trust this caller: for a CI job that is its repository and branch, or its environment",
    isOne: ({ message }) => /\bsts:/.test(message)
  },
  {
    code: "ledger/s3-denied",
    hint: "give credentials as the AWS SDK takes them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or web identity",
    isOne: ({ name }, status) => /Credential|Token|InvalidAccessKeyId|SignatureDoesNotMatch/.test(name) || status === 401
  },
  {
    code: "ledger/s3-denied",
    hint: "a plan needs s3:GetObject and s3:ListBucket there, an apply s3:PutObject and s3:DeleteObject, too; and the use of the bucket's encryption key, if it has one",
    isOne: (_, status) => status === 403
  },
  {
    code: "ledger/s3-failed",
    hint: "check the endpoint: redirects are not followed, and S3 itself does not answer like this",
    isOne: (_, status) => status !== void 0 && status >= 300 && status < 400
  },
  {
    code: "ledger/s3-unreachable",
    hint: "the service is busy: wait a moment, then run trueup again",
    isOne: ({ name }, status) => /SlowDown|Throttl|ServiceUnavailable|TooManyRequests/.test(name) || status === 503 || status === 429
  },
  {
    code: "ledger/s3-unreachable",
    hint: "check the network, the region and the endpoint, then run trueup again; if a write was under way, the next run sees whether it arrived",
    isOne: (_, status) => status === void 0 || status >= 500
  }
];
function s3Problems(place, doing, error) {
  const status = statusOf(error);
  const [first = ""] = (error.message || error.name || "").split("\n");
  const said = error.name === "Unknown" || /parse error/.test(first) ? status === void 0 ? first : `it was answered with ${status}` : `${error.name}${first && first !== error.name ? `: ${first}` : ""}`;
  const { code, hint } = sorts.find(
    (one) => one.isOne({ ...error, name: error.name, message: first }, status)
  ) ?? {
    code: "ledger/s3-failed",
    hint: "correct what the service says, then run trueup again"
  };
  return new Problems([problem(code, `the ledger ${place} cannot be ${doing}: ${said}`, { hint })]);
}

// src/stores/s3/bucket.ts
var Unmet = class extends Error {
};
var clients = /* @__PURE__ */ new Map();
async function openBucket(place, shown) {
  const name = JSON.stringify([
    place.endpoint,
    place.region,
    place.env.AWS_ACCESS_KEY_ID,
    place.env.AWS_SECRET_ACCESS_KEY,
    place.env.AWS_SESSION_TOKEN,
    place.env.AWS_PROFILE
  ]);
  const opening = clients.get(name) ?? connect(place);
  clients.set(name, opening);
  opening.catch(() => clients.delete(name));
  const { sdk, client } = await opening;
  const { bucket: Bucket } = place;
  const told = async (doing, work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Problems || error instanceof Unmet) throw error;
      throw s3Problems(shown, doing, error);
    }
  };
  return {
    get: (Key) => told("read", async () => {
      try {
        const {
          Body,
          ETag,
          ContentLength = 0
        } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }));
        if (ContentLength > mostBytes) {
          Body.destroy();
          throw damaged(shown, `${Key} is too large to be part of a ledger`);
        }
        const text = await Body.transformToString("utf-8");
        if (text.trimStart().startsWith("<")) throw strange(shown, "a web page, not an object");
        return { text, tag: tagOf(ETag, shown) };
      } catch (error) {
        if (statusOf(error) === 404 && error.name !== "NoSuchBucket") return void 0;
        throw error;
      }
    }),
    put: (Key, text, condition) => told("written", async () => {
      const only = condition === void 0 ? {} : condition === "none" ? { IfNoneMatch: "*" } : { IfMatch: condition.tag };
      const input = {
        Bucket,
        Key,
        Body: text,
        ContentLength: Buffer.byteLength(text),
        ContentType: "application/json",
        ...only
      };
      try {
        const { ETag } = await client.send(new sdk.PutObjectCommand(input));
        return tagOf(ETag, shown);
      } catch (error) {
        if (condition !== void 0 && isConflict(error)) throw new Unmet();
        if (condition !== void 0 && statusOf(error) === 501)
          throw unconditional(shown, "does not support conditional writes");
        throw error;
      }
    }),
    drop: (keys) => told("written", async () => {
      for (const Key of keys) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
    }),
    folders: (prefix) => told("read", async () => {
      const found = [];
      for (let from; ; ) {
        const page = await client.send(
          new sdk.ListObjectsV2Command({
            Bucket,
            Prefix: prefix,
            Delimiter: "/",
            ...from ? { ContinuationToken: from } : {}
          })
        );
        const { Name, IsTruncated, CommonPrefixes = [], NextContinuationToken } = page;
        if (Name !== Bucket || IsTruncated === void 0 || IsTruncated && !NextContinuationToken)
          throw strange(shown, "not the list of a bucket");
        found.push(...CommonPrefixes.flatMap((one) => one.Prefix === void 0 ? [] : [one.Prefix]));
        if (!IsTruncated) return found;
        from = NextContinuationToken;
      }
    })
  };
}
var mostBytes = standardBounds.maxBytes;
function tagOf(tag, shown) {
  if (tag !== void 0 && tag !== "" && !tag.startsWith("W/")) return tag;
  throw unconditional(shown, "sends no strong ETag, which a conditional write needs");
}
async function connect({ endpoint, region, env }) {
  if (endpoint === void 0 || endpoint.startsWith("https:"))
    checkVerification(env.NODE_TLS_REJECT_UNAUTHORIZED);
  const sdk = await clientPackage("@aws-sdk/client-s3", () => Promise.resolve().then(()=>require("@aws-sdk/client-s3")));
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken
  } = env;
  const client = new sdk.S3Client({
    // Else that of the profile.
    ...region === void 0 ? {} : { region },
    // Other services seldom have a name for each bucket.
    ...endpoint === void 0 ? {} : { endpoint, forcePathStyle: true },
    ...accessKeyId && secretAccessKey && !env.AWS_PROFILE ? { credentials: { accessKeyId, secretAccessKey, ...sessionToken ? { sessionToken } : {} } } : {},
    // A conditional write that is sent again may find itself in the way: what is there then tells.
    maxAttempts: 3,
    // Not each service knows the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { requestTimeout: 6e4, connectionTimeout: 1e4 }
  });
  return { sdk, client };
}
var named = object({ key: string(), sha256: string() });
var schema = looseObject({
  trueup: literal(1),
  ledger: named.optional(),
  plan: named.optional(),
  lease: string().optional(),
  history: record(string(), named)
});
var headText = (head) => `${JSON.stringify(head, null, 2)}
`;
function headIn(text, folder, place) {
  const found = schema.safeParse(jsonIn(text)).data;
  const all = found ? namedIn(found) : [];
  if (found && all.every(({ key }) => key.startsWith(folder))) return found;
  throw damaged(place, "its head.json is none that this trueup knows");
}
var namedIn = ({ history, ledger, plan }) => [
  ...Object.values(history),
  ...[ledger, plan].filter((one) => one !== void 0)
];
var damaged = (place, why) => new Problems([
  problem("ledger/s3-content", `the ledger ${place} cannot be read: ${why}`, {
    hint: "restore an earlier version of it, if the bucket keeps versions; nothing was changed"
  })
]);
function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}

// src/stores/s3/s3-documents.ts
var attempts = 50;
var readsAtOnce = 16;
var headName = "head.json";
async function s3Documents(stack, place, where) {
  const bucket = await openBucket(where, place);
  const folder = folderOf(where, stack);
  let seen;
  const look = async () => {
    const found = await bucket.get(`${folder}${headName}`);
    seen = found && { head: headIn(found.text, folder, place), tag: found.tag };
    return seen;
  };
  const store = async (text) => {
    const sha256 = digestOf(text);
    const key = `${folder}objects/${sha256.slice(0, 16)}-${randomBytes(6).toString("hex")}`;
    await bucket.put(key, text);
    return { key, sha256 };
  };
  const read = (name) => documentIn(bucket, look, name, place);
  const update = async (name, text, { expected, beside }) => {
    const wanted = text === void 0 ? void 0 : storedText(text).version;
    const made = [];
    const keep = async (one) => {
      const named2 = await store(one);
      made.push(named2);
      return named2;
    };
    let next;
    const records = /* @__PURE__ */ new Map();
    for (let tried = 0; tried < attempts; tried++) {
      const { found, now: base } = await read(name);
      if (tried > 0 && found?.version === wanted) return;
      if (found?.version !== expected) {
        const named2 = new Set((base ? namedIn(base.head) : []).map(({ key }) => key));
        await clear(
          bucket,
          made.filter(({ key }) => !named2.has(key))
        );
        throw new Conflict(found);
      }
      if (tried === 0) {
        if (!base) await requireConditions(bucket, folder, place);
        if (text !== void 0 && name !== "lease") next = await keep(text);
        for (const [record2, one] of beside?.history ?? [])
          records.set(record2, one === void 0 ? void 0 : await keep(one));
      }
      const head = edited(base?.head, name, name === "lease" ? text : next, records);
      try {
        const tag = await bucket.put(
          `${folder}${headName}`,
          headText(head),
          base ? { tag: base.tag } : "none"
        );
        seen = { head, tag };
        await clear(bucket, unnamed(base?.head, head));
        return;
      } catch (error) {
        if (!(error instanceof Unmet)) throw error;
        await setTimeout(Math.random() * 20 * Math.min(tried + 1, 20));
      }
    }
    throw new Problems([
      problem("ledger/s3-contended", `the ledger ${place} cannot be written: others write it all the time`, {
        hint: "run trueup again"
      })
    ]);
  };
  return {
    read: async (name) => (await read(name)).found,
    others: () => othersIn(bucket, where, folder),
    history: {
      names: async () => Object.keys((seen ?? await look())?.head.history ?? {}).filter(isRecordName).sort(),
      read: async (names) => recordsIn(bucket, seen ?? await look(), look, names, place)
    },
    write: async (name, text, how) => {
      await update(name, text, how);
      return storedText(text).version;
    },
    remove: (name, how) => update(name, void 0, how)
  };
}
var folderOf = ({ prefix }, stack) => `${prefix}${stack}/`;
var digestOf = (text) => hash("sha256", text, "hex");
function edited(base, name, next, records) {
  const history = { ...base?.history };
  for (const [record2, one] of records)
    if (one === void 0) delete history[record2];
    else history[record2] = one;
  return { ...base, trueup: 1, [name]: next, history };
}
var unnamed = (before, now) => {
  const kept = new Set(namedIn(now).map(({ key }) => key));
  return before ? namedIn(before).filter(({ key }) => !kept.has(key)) : [];
};
var clear = (bucket, objects) => bucket.drop(objects.map(({ key }) => key)).catch(() => {
});
async function textOf(bucket, { key, sha256 }, place) {
  const found = await bucket.get(key);
  if (found && digestOf(found.text) !== sha256) throw damaged(place, `${key} is not what its head names`);
  return found?.text;
}
async function documentIn(bucket, look, name, place) {
  for (let before; ; ) {
    const now = await look();
    const named2 = name === "lease" ? void 0 : now?.head[name];
    const text = named2 ? await textOf(bucket, named2, place) : name === "lease" ? now?.head.lease : void 0;
    if (text !== void 0) return { found: storedText(text), now };
    if (!named2) return { found: void 0, now };
    if (before === now.tag) throw damaged(place, `${named2.key} is gone`);
    before = now.tag;
  }
}
async function recordsIn(bucket, seen, look, names, place) {
  const texts = /* @__PURE__ */ new Map();
  const { history = {} } = seen?.head ?? {};
  for (const name of names) {
    const named2 = Object.hasOwn(history, name) ? history[name] : void 0;
    const text = named2 && await textOf(bucket, named2, place);
    if (named2 && text === void 0) {
      const now = await look();
      if (now?.tag === seen.tag) throw damaged(place, `${named2.key} is gone`);
      return recordsIn(bucket, now, look, names, place);
    }
    if (text !== void 0) texts.set(name, text);
  }
  return texts;
}
async function othersIn(bucket, where, own) {
  const folders = (await bucket.folders(where.prefix)).filter((folder) => folder !== own);
  const found = [];
  const left = folders.values();
  const work = async () => {
    for (const folder of left) {
      const place = `${folder.slice(where.prefix.length, -1)} at ${where.shown}`;
      const look = async () => {
        const head = await bucket.get(`${folder}${headName}`);
        return head && { head: headIn(head.text, folder, place), tag: head.tag };
      };
      const { found: ledger } = await documentIn(bucket, look, "ledger", place);
      if (ledger) found.push({ place, text: ledger.text.length > mostOfOther ? void 0 : ledger.text });
    }
  };
  await Promise.all(Array.from({ length: readsAtOnce }, work));
  return found.sort((one, other) => one.place < other.place ? -1 : 1);
}
async function requireConditions(bucket, prefix, shown) {
  const key = `${prefix}probe-${randomUUID()}`;
  const isRefused = (condition) => bucket.put(key, "second", condition).then(
    () => false,
    (error) => {
      if (error instanceof Unmet) return true;
      throw error;
    }
  );
  try {
    const tag = await bucket.put(key, "first", "none");
    if (!await isRefused("none")) throw dishonoured(shown, "If-None-Match");
    await bucket.put(key, "third", { tag });
    if (!await isRefused({ tag })) throw dishonoured(shown, "If-Match");
  } finally {
    await bucket.drop([key]).catch(() => {
    });
  }
}
var dishonoured = (shown, header) => unconditional(shown, `writes although ${header} does not hold`);
return{s3Documents:s3Documents};})();exports.part_XALTXECK=part_XALTXECK;
