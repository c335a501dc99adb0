"use strict";const part_AQ5AAHW5=(()=>{// src/kind/lookup.ts
var defineLookup = (declaration) => withSchemas(declaration, {
  input: declaration.input ?? (() => ({})),
  output: declaration.output
});
function withSchemas(declaration, makers) {
  const made = { ...declaration };
  for (const [name, make] of Object.entries(makers)) {
    const property = { enumerable: true, configurable: true };
    Object.defineProperty(made, name, {
      ...property,
      get: () => {
        const value = make();
        Object.defineProperty(made, name, { ...property, value });
        return value;
      }
    });
  }
  return made;
}

// src/kind/action.ts
function defineAction(declaration) {
  const { name, grade, why, cost, declarable, shows, repeatable, until } = declaration;
  const wrong = (what) => new Error(`action ${name}: ${what}`);
  if (grade !== "safe" && why === void 0) throw wrong("`why` is missing: what it does that is not safe");
  if (declarable && (cost !== void 0 || shows !== void 0 || grade === "irreversible"))
    throw wrong("it cannot be declarable: it buys something, shows a secret, or cannot be undone");
  if (declarable && !repeatable && !until)
    throw wrong("it cannot be declarable: it is neither safe to repeat nor found by `until`");
  return withSchemas(declaration, {
    input: declaration.input ?? (() => ({})),
    output: declaration.output ?? (() => ({}))
  });
}
function dayTwoOf(actions, lookups, byApi) {
  return { actions: byName(actions), lookups: byName(lookups), byApi };
}
function byName(areas) {
  const all = /* @__PURE__ */ new Map();
  for (const [area, of] of Object.entries(areas))
    for (const one of [...of].sort(byText)) {
      if (all.has(one.name)) throw new Error(`there are two of the name ${one.name}`);
      all.set(one.name, Object.defineProperty(one, "area", { value: area, enumerable: true }));
    }
  return all;
}
var byText = (a, b) => a.name < b.name ? -1 : 1;

return{defineLookup:defineLookup,defineAction:defineAction,dayTwoOf:dayTwoOf};})();exports.part_AQ5AAHW5=part_AQ5AAHW5;
