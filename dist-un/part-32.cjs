"use strict";const part_FIZFKDRW=(()=>{const {
  canonical
}=require("./part-80.cjs").part_FPYB5ZPS;const {
  Sealed,
  revealed
}=require("./part-80.cjs").part_YNHFC6K5;const { createHmac, hash, hkdfSync, timingSafeEqual }=require("node:crypto");;
;

// src/model/ledger-key.ts
;
var subKey = (material, label) => Buffer.from(hkdfSync("sha256", material, "trueup", label, 32));
var sealedKey = (...given) => new Sealed(subKey(...given).toString("base64url"));
var ledgerKey = (material) => ({
  id: subKey(material, "id").toString("hex").slice(0, 12),
  secret: sealedKey(material, "secret"),
  signing: {
    ledger: sealedKey(material, "ledger"),
    plan: sealedKey(material, "plan"),
    history: sealedKey(material, "history"),
    job: sealedKey(material, "job")
  }
});
var formerKey = (text) => ({
  id: hash("sha256", `trueup key id
${text}`, "base64url").slice(0, 10),
  secret: new Sealed(text)
});
var mac = (key, parts) => parts.reduce((made, part) => made.update(part), createHmac("sha256", key.reveal())).digest("base64url");
var signature = (key, use, ...parts) => mac(key.signing[use], parts);
function isSignature(claimed, key, use, ...parts) {
  const [one, other] = [claimed, signature(key, use, ...parts)].map((text) => Buffer.from(text));
  return one.length === other.length && timingSafeEqual(one, other);
}
var signerOf = (key, id) => [key, key?.previous].find((one) => one?.signing !== void 0 && one.id === id);
var makersOf = (key) => [key, key?.former, key?.previous, key?.previous?.former].filter((one) => one !== void 0);
var makerOf = (key, id) => makersOf(key).find((one) => one.id === id);
var keyedDigest = (key, salt, value) => mac(key.secret, [`${salt}
${canonical(revealed(value))}`]).slice(0, 32);
var secretId = (key, secret) => `${key.id}.${keyedDigest(key, "id", secret)}`;
var makerOfId = (key, id) => makerOf(key, id.slice(0, Math.max(0, id.lastIndexOf("."))));

return{ledgerKey:ledgerKey,formerKey:formerKey,signature:signature,isSignature:isSignature,signerOf:signerOf,makersOf:makersOf,makerOf:makerOf,keyedDigest:keyedDigest,secretId:secretId,makerOfId:makerOfId};})();exports.part_FIZFKDRW=part_FIZFKDRW;
