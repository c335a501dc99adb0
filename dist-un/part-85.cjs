"use strict";const part_HRKYGKTM=(()=>{const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  isHole,
  isPlainObject
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  revealed
}=require("./part-80.cjs").part_YNHFC6K5;const {
  __commonJS,
  __toESM
}=require("./part-80.cjs").part_DF3MP7ZG;;
;
;
;
;

// node_modules/fast-deep-equal/index.js
var require_fast_deep_equal = __commonJS({
  "node_modules/fast-deep-equal/index.js"(exports, module) {
    "use strict";
    module.exports = function equal2(a, b) {
      if (a === b) return true;
      if (a && b && typeof a == "object" && typeof b == "object") {
        if (a.constructor !== b.constructor) return false;
        var length, i, keys;
        if (Array.isArray(a)) {
          length = a.length;
          if (length != b.length) return false;
          for (i = length; i-- !== 0; )
            if (!equal2(a[i], b[i])) return false;
          return true;
        }
        if (a.constructor === RegExp) return a.source === b.source && a.flags === b.flags;
        if (a.valueOf !== Object.prototype.valueOf) return a.valueOf() === b.valueOf();
        if (a.toString !== Object.prototype.toString) return a.toString() === b.toString();
        keys = Object.keys(a);
        length = keys.length;
        if (length !== Object.keys(b).length) return false;
        for (i = length; i-- !== 0; )
          if (!Object.prototype.hasOwnProperty.call(b, keys[i])) return false;
        for (i = length; i-- !== 0; ) {
          var key = keys[i];
          if (!equal2(a[key], b[key])) return false;
        }
        return true;
      }
      return a !== a && b !== b;
    };
  }
});

// src/kind/compare.ts
var import_fast_deep_equal = __toESM(require_fast_deep_equal(), 1);
function comparable(value, traits) {
  if (value === void 0) return null;
  if (!traits.unordered || !Array.isArray(value)) return value;
  return [...value].sort((a, b) => canonical(revealed(a)) < canonical(revealed(b)) ? -1 : 1);
}
function same(wanted, found, traits) {
  if (typeof wanted !== "object" && typeof found !== "object" && wanted !== void 0)
    return wanted === found;
  const part = asDeclared(found, wanted, traits);
  return equal(revealed(comparable(wanted, traits)), revealed(comparable(part, traits)));
}
var asked = ["constructor", "toString", "valueOf"];
var equal = (a, b) => [a, b].some(holdsAsked) ? (0, import_fast_deep_equal.default)(aside(a), aside(b)) : (0, import_fast_deep_equal.default)(a, b);
var holdsAsked = (value) => typeof value === "object" && value !== null && (asked.some((name) => Object.hasOwn(value, name)) || Object.values(value).some(holdsAsked));
var aside = (value) => Array.isArray(value) ? value.map(aside) : isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [`:${name}`, aside(inner)])) : value;
var isNothing = (value) => value === void 0 || value === null || Array.isArray(value) && value.length === 0 || isPlainObject(value) && Object.keys(value).length === 0;
var isItemwise = (value, { whereDeclared }) => whereDeclared !== void 0 && Array.isArray(value) && value.every(isPlainObject);
function asDeclared(found, wanted, traits) {
  if (!isItemwise(found, traits) || !isItemwise(wanted, traits)) return found;
  const open = traits.whereDeclared;
  const matches = groupBy(found, (item) => identityOf(item, open));
  const undeclared = open.filter((name) => wanted.every((item) => item[name] === void 0));
  const inBoth = wanted.flatMap((item) => {
    const match = matches.get(identityOf(item, open))?.shift();
    if (!match) return [];
    const declared = open.filter((name) => item[name] !== void 0 && match[name] !== void 0);
    return [{ ...omit(item, open), ...Object.fromEntries(declared.map((name) => [name, match[name]])) }];
  });
  const rest = [...matches.values()].flat();
  return [...inBoth, ...rest.map((item) => omit(item, undeclared))];
}
var identityOf = (item, open) => canonical(revealed(omit(item, open)));
var omit = (item, names) => Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
function sealed(value) {
  if (value === void 0 || value === null || value instanceof Sealed || isHole(value)) return value;
  const names = canonical(value);
  return new Sealed(names);
}

return{comparable:comparable,same:same,isNothing:isNothing,isItemwise:isItemwise,asDeclared:asDeclared,identityOf:identityOf,omit:omit,sealed:sealed};})();exports.part_HRKYGKTM=part_HRKYGKTM;
const part_SJG7KYTO=(()=>{const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  isHole
}=require("./part-80.cjs").part_DGIOX4B4;const {
  Sealed,
  holds,
  inside
}=require("./part-80.cjs").part_YNHFC6K5;const { hash, randomBytes }=require("node:crypto");;
;
;

// src/model/digest.ts
;
function digest(salt, value) {
  return hash("sha256", `${salt}
${canonical(value)}`, "base64url").slice(0, 22);
}
var newSalt = () => randomBytes(9).toString("base64url");
var hasUnknown = (value) => holds(value, (one) => {
  if (typeof one !== "object" || one instanceof Sealed) return false;
  return isHole(one) ? !("$ref" in one) : inside;
});
var seenId = (salt, id) => digest(salt, id).slice(0, 8);

return{digest:digest,newSalt:newSalt,hasUnknown:hasUnknown,seenId:seenId};})();exports.part_SJG7KYTO=part_SJG7KYTO;
