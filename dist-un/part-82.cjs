"use strict";const part_ITOYBHJI=(()=>{// src/model/request.ts
var isOfTeam = (endpoint) => endpoint.includes("{teamId}");
var isRead = ({ endpoint }) => endpoint.startsWith("GET ");
function readOnly(send) {
  return async (request) => {
    if (!isRead(request)) throw new Error(`${request.endpoint}: a plan only reads, this request would write`);
    return send(request);
  };
}
async function allPages(pages) {
  let last = pages;
  while (last.more) last = await last.more();
  return last.found();
}
var freshFor = 5e3;

return{isOfTeam:isOfTeam,isRead:isRead,readOnly:readOnly,allPages:allPages,freshFor:freshFor};})();exports.part_ITOYBHJI=part_ITOYBHJI;
const part_QI5FGYYL=(()=>{// src/model/reading.ts
var separator = 65535;
var Draft = class _Draft {
  #units;
  #from;
  #to;
  /** The number of units so far. */
  length = 0;
  /** `capacity`: the length of the source, which no decoding exceeds. */
  constructor(capacity) {
    this.#units = new Uint16Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#to = new Int32Array(capacity);
  }
  static of(text) {
    const draft = new _Draft(text.length);
    for (let at = 0; at < text.length; at++) draft.put(text.charCodeAt(at), at, at + 1);
    return draft.done();
  }
  put(unit, from, to) {
    this.#units[this.length] = unit;
    this.#from[this.length] = from;
    this.#to[this.length++] = to;
  }
  putPoint(point, from, to) {
    if (point <= 65535) this.put(point, from, to);
    else {
      this.put(55296 + (point - 65536 >> 10), from, to);
      this.put(56320 + (point - 65536 & 1023), from, to);
    }
  }
  copy({ units, from, to }, at) {
    this.put(units[at], from[at], to[at]);
  }
  done() {
    const [units, from, to] = [this.#units, this.#from, this.#to];
    return {
      units: units.subarray(0, this.length),
      from: from.subarray(0, this.length),
      to: to.subarray(0, this.length)
    };
  }
};
var Bytes = class {
  #bytes;
  #from;
  #to;
  #length = 0;
  constructor(capacity) {
    this.#bytes = new Uint8Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#to = new Int32Array(capacity);
  }
  put(byte, from, to) {
    this.#bytes[this.#length] = byte;
    this.#from[this.#length] = from;
    this.#to[this.#length++] = to;
  }
  /** Moves all of them into a draft. Text of less than `least` units between other bytes is left out: most binary data is. */
  into(draft, least = 0) {
    let start = draft.length;
    const end = () => {
      if (draft.length - start < least) draft.length = start;
      else if (least > 0) draft.put(separator, 0, 0);
      start = draft.length;
    };
    for (let at = 0; at < this.#length; ) {
      const [point, length] = this.#pointAt(at);
      if (point >= 0) draft.putPoint(point, this.#from[at], this.#to[at + length - 1]);
      else if (least === 0) draft.put(separator, 0, 0);
      else end();
      at += length;
    }
    end();
    this.#length = 0;
  }
  /** The code point there, -1 if it is none. */
  #pointAt(at) {
    const first = this.#bytes[at];
    if (first < 128) return [first, 1];
    const length = first >= 240 ? 4 : first >= 224 ? 3 : 2;
    let point = first & 255 >> length + 1;
    for (let next = at + 1; next < at + length; next++) {
      const byte = next < this.#length ? this.#bytes[next] : 0;
      if ((byte & 192) !== 128) return [-1, 1];
      point = point << 6 | byte & 63;
    }
    return first >= 194 && point <= 1114111 ? [point, length] : [-1, 1];
  }
};

// src/model/readings.ts
function readings(text, shortest2) {
  const plain = Draft.of(text);
  const decodings = [
    escapes,
    (source) => percent(source, false),
    (source) => percent(source, true),
    entities,
    folded,
    ...[0, 1, 2, 3].map(
      (skip) => (source) => base64(source, skip, shortest2)
    ),
    ...[0, 1].map(
      (skip) => (source) => hex(source, skip, shortest2)
    )
  ];
  const decoded = (source) => decodings.flatMap((decode) => decode(source) ?? []);
  const once = decoded(plain);
  return [plain, ...once, ...once.flatMap(decoded)];
}
var code = (char) => char.charCodeAt(0);
var backslash = code("\\");
var controls = new Map([..."bfnrt"].map((name, at) => [code(name), "\b\f\n\r	".charCodeAt(at)]));
var itself = new Set([..."\"'\\/`"].map(code));
function hexDigit(unit) {
  if (unit === void 0) return -1;
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
function hexNumber(units, at, count) {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const digit = hexDigit(units[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
function escapes(source) {
  const { units } = source;
  if (!units.includes(backslash)) return void 0;
  const draft = new Draft(units.length);
  for (let at = 0; at < units.length; ) {
    const next = units[at] === backslash ? units[at + 1] : void 0;
    const [value, length] = next === void 0 ? [-1, 0] : escaped(units, at, next);
    if (value < 0) draft.copy(source, at++);
    else {
      draft.putPoint(value, source.from[at], source.to[at + length - 1]);
      at += length;
    }
  }
  return draft.done();
}
function escaped(units, at, next) {
  const control = controls.get(next);
  if (control !== void 0) return [control, 2];
  if (itself.has(next)) return [next, 2];
  if (next === code("x")) return [hexNumber(units, at + 2, 2), 4];
  if (next !== code("u")) return [-1, 0];
  if (units[at + 2] !== code("{")) return [hexNumber(units, at + 2, 4), 6];
  const digits = units.subarray(at + 3, at + 10).indexOf(code("}"));
  const value = digits > 0 ? hexNumber(units, at + 3, digits) : -1;
  return [value > 1114111 ? -1 : value, digits + 4];
}
function percent(source, isForm) {
  const { units } = source;
  const [plus, sign] = [code("+"), code("%")];
  if (isForm ? !units.includes(plus) : !units.includes(sign)) return void 0;
  const draft = new Draft(units.length);
  const bytes = new Bytes(units.length);
  for (let at = 0; at < units.length; ) {
    const value = units[at] === sign ? hexNumber(units, at + 1, 2) : -1;
    if (value >= 0) {
      bytes.put(value, source.from[at], source.to[at + 2]);
      at += 3;
      continue;
    }
    bytes.into(draft);
    if (isForm && units[at] === plus) draft.put(32, source.from[at], source.to[at++]);
    else draft.copy(source, at++);
  }
  bytes.into(draft);
  return draft.done();
}
var named = {
  ...{ amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, nbsp: 160, sol: 47, equals: 61, plus: 43, colon: 58 },
  ...{ commat: 64, num: 35, percnt: 37, dollar: 36, grave: 96, lowbar: 95, period: 46, comma: 44, semi: 59 },
  ...{ excl: 33, quest: 63, lpar: 40, rpar: 41, lsqb: 91, rsqb: 93, lcub: 123, rcub: 125, bsol: 92, ast: 42 }
};
var longestEntity = 12;
function entities(source) {
  const { units } = source;
  if (!units.includes(code("&"))) return void 0;
  const draft = new Draft(units.length);
  for (let at = 0; at < units.length; ) {
    const found = units[at] === code("&") ? entityAt(units, at) : void 0;
    if (!found) draft.copy(source, at++);
    else {
      draft.putPoint(found.value, source.from[at], source.to[at + found.length - 1]);
      at += found.length;
    }
  }
  return draft.done();
}
function entityAt(units, at) {
  const text = String.fromCharCode(...units.subarray(at, at + longestEntity));
  const match = /^&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]+));?/i.exec(text);
  if (!match) return void 0;
  const [whole, hexadecimal, decimal, name] = match;
  const value = hexadecimal ? Number.parseInt(hexadecimal, 16) : decimal ? Number(decimal) : Object.hasOwn(named, name.toLowerCase()) ? named[name.toLowerCase()] : Number.NaN;
  return value <= 1114111 ? { value, length: whole.length } : void 0;
}
var isLineBreak = (unit) => unit === 10 || unit === 13;
var isSpace = (unit) => unit === 32 || unit >= 9 && unit <= 13 || unit === 160;
function folded(source) {
  const { units } = source;
  if (!units.some((unit, at) => isSpace(unit) && (unit !== 32 || units[at + 1] === 32))) return void 0;
  const draft = new Draft(units.length);
  for (let at = 0; at < units.length; ) {
    let end = at;
    while (end < units.length && isSpace(units[end])) end++;
    if (end === at) draft.copy(source, at++);
    else {
      draft.put(32, source.from[at], source.to[end - 1]);
      at = end;
    }
  }
  return draft.done();
}
var sextets = new Int8Array(128).fill(-1);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((char, value) => {
  sextets[code(char)] = value;
});
sextets[code("-")] = 62;
sextets[code("_")] = 63;
var sextet = (unit) => unit < 128 ? sextets[unit] : -1;
function base64(source, skip, shortest2) {
  return runs(source, sextet, { least: Math.ceil(shortest2 * 4 / 3), shortest: shortest2 }, (run, bytes) => {
    const { units, from, to } = run;
    for (let at = skip; at + 1 < units.length; at++) {
      const place = (at - skip) % 4;
      if (place === 3) continue;
      const byte = units[at] << 2 + 2 * place | units[at + 1] >> 4 - 2 * place;
      bytes.put(byte & 255, from[at], to[at + 1]);
    }
  });
}
function hex(source, skip, shortest2) {
  return runs(source, hexDigit, { least: shortest2 * 2, shortest: shortest2 }, (run, bytes) => {
    const { units, from, to } = run;
    for (let at = skip; at + 1 < units.length; at += 2)
      bytes.put(units[at] * 16 + units[at + 1], from[at], to[at + 1]);
  });
}
function runs(source, digitOf, { least, shortest: shortest2 }, decode) {
  const { units } = source;
  let made;
  for (let at = 0; at < units.length; at++) {
    let end = at;
    while (end < units.length && (digitOf(units[end]) >= 0 || end > at && isLineBreak(units[end]))) end++;
    if (end - at >= least) {
      const run = new Draft(end - at);
      for (let i = at; i < end; i++)
        if (!isLineBreak(units[i])) run.put(digitOf(units[i]), source.from[i], source.to[i]);
      made ??= { draft: new Draft(units.length + 1), bytes: new Bytes(units.length) };
      decode(run.done(), made.bytes);
      made.bytes.into(made.draft, shortest2);
    }
    at = end;
  }
  return made && made.draft.length > 0 ? made.draft.done() : void 0;
}

// src/model/masking.ts
var long = 8;
var shortest = 4;
function openMasking() {
  const known = /* @__PURE__ */ new Set();
  let waiting = [];
  const stretches = new Grams(long);
  const words = /* @__PURE__ */ new Map();
  let open = () => "";
  function index() {
    for (const text of waiting) {
      stretches.add(text);
      stretches.add(text.replace(/\s+/g, " "));
      const word = text.trim();
      if (word.length < shortest || word.length >= long) continue;
      if (!words.has(word.length)) words.set(word.length, new Grams(word.length));
      words.get(word.length).add(word);
    }
    waiting = [];
  }
  const hidden = (reading) => {
    const found = [...joined(stretches.positions(reading.units))];
    for (const grams of words.values())
      for (const from of grams.positions(reading.units)) {
        const to = from + grams.length;
        if (!isWordPart(reading.units[from - 1]) && !isWordPart(reading.units[to])) found.push({ from, to });
      }
    return found.filter(({ from, to }) => !open().includes(textOf(reading, from, to))).map(({ from, to }) => ({ from: reading.from[from], to: reading.to[to - 1] }));
  };
  return {
    know(secret) {
      const text = secret.reveal();
      if (text.length < shortest || known.has(text)) return;
      known.add(text);
      waiting.push(text);
    },
    show(given) {
      let text;
      open = () => {
        text ??= given();
        return text;
      };
    },
    mask(text) {
      if (known.size === 0) return text;
      index();
      const least = words.size > 0 ? Math.min(...words.keys()) : long;
      return without(text, readings(text, least).flatMap(hidden));
    },
    name(text) {
      if (!/^[A-Za-z][\w.[\]$-]{0,99}$/.test(text)) return void 0;
      for (let from = 0; from < text.length; from++)
        for (let to = from + long; to <= text.length; to++)
          if (known.has(text.slice(from, to))) return void 0;
      return text;
    }
  };
}
function textOf({ units }, from, to) {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(units[at]);
  return text;
}
var isWordPart = (unit) => unit !== void 0 && /[\p{L}\p{N}_]/u.test(String.fromCharCode(unit));
function* joined(positions) {
  let last;
  for (const from of positions) {
    if (last && from <= last.to) last.to = from + long;
    else {
      if (last) yield last;
      last = { from, to: from + long };
    }
  }
  if (last) yield last;
}
function without(text, spans) {
  let made = "";
  let at = 0;
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    if (to <= at) continue;
    if (from > at || made === "") made += `${text.slice(at, from)}(secret)`;
    at = to;
  }
  return made + text.slice(at);
}
var base = 16777619;
var mixer = 2146121005;
var Grams = class {
  length;
  #units = new Uint16Array(1024);
  #used = 0;
  #count = 0;
  /** Positions in `units`, plus one; 0 is a free slot. */
  #slots = new Int32Array(2048);
  /** The factor that the first unit of a stretch has gained in its hash. */
  #leaving;
  constructor(length) {
    this.length = length;
    this.#leaving = Array.from({ length: length - 1 }).reduce((power) => Math.imul(power, base), 1);
  }
  /** Adds every stretch of `text`; a shorter text has none. */
  add(text) {
    if (text.length < this.length) return;
    if (this.#used + text.length > this.#units.length) {
      const units = new Uint16Array((this.#used + text.length) * 2);
      units.set(this.#units.subarray(0, this.#used));
      this.#units = units;
    }
    const start = this.#used;
    for (let at = 0; at < text.length; at++) this.#units[start + at] = text.charCodeAt(at);
    this.#used += text.length;
    for (let at = start; at + this.length <= this.#used; at++) this.#put(at);
  }
  /** The positions in `units` at which one of the stretches begins, in order. */
  positions(units) {
    const found = [];
    const { length } = this;
    if (this.#count === 0 || units.length < length) return found;
    let hash = hashOf(units, 0, length);
    for (let at = 0; ; at++) {
      if (this.#slots[this.#slotOf(units, at, hash)] !== 0) found.push(at);
      if (at + length >= units.length) return found;
      hash = Math.imul(hash - Math.imul(units[at], this.#leaving), base) + units[at + length];
    }
  }
  #put(at) {
    if ((this.#count + 1) * 2 > this.#slots.length) {
      const old = this.#slots;
      this.#slots = new Int32Array(old.length * 4);
      for (const position of old)
        if (position !== 0) this.#slots[this.#slotOf(this.#units, position - 1)] = position;
    }
    const slot = this.#slotOf(this.#units, at);
    if (this.#slots[slot] !== 0) return;
    this.#slots[slot] = at + 1;
    this.#count += 1;
  }
  /** The slot that holds the stretch, or the free one where it would be. */
  #slotOf(units, at, hash = hashOf(units, at, this.length)) {
    const last = this.#slots.length - 1;
    const mixed = Math.imul(hash ^ hash >>> 16, mixer);
    for (let slot = (mixed ^ mixed >>> 15) & last; ; slot = slot + 1 & last) {
      const position = this.#slots[slot];
      if (position === 0 || this.#isSame(position - 1, units, at)) return slot;
    }
  }
  #isSame(position, units, at) {
    for (let i = 0; i < this.length; i++) if (this.#units[position + i] !== units[at + i]) return false;
    return true;
  }
};
function hashOf(units, at, length) {
  let hash = 0;
  for (let i = at; i < at + length; i++) hash = Math.imul(hash, base) + units[i];
  return hash | 0;
}

return{openMasking:openMasking};})();exports.part_QI5FGYYL=part_QI5FGYYL;
