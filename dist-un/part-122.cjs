"use strict";const part_4377VF5K=(()=>{const {
  guardsSchema
}=require("./part-35.cjs").part_GHYH6KYJ;const {
  matrixSchema,
  planSchema,
  stacksSchema
}=require("./part-21.cjs").part_DGVZ2EVC;const {
  writeOutput
}=require("./part-18.cjs").part_CTIH5LY5;const {
  loadOptions
}=require("./part-105.cjs").part_TEBTU3WD;const {
  inputTypes,
  layerKeys,
  nullIsValue,
  openFieldsOf,
  openSources,
  readFiles,
  readTemplates,
  splitDocuments,
  standsForOptional
}=require("./part-105.cjs").part_EABJC5VV;const {
  can,
  childKinds,
  comparedFields,
  kindsOf
}=require("./part-90.cjs").part_TFHCOW53;const {
  allowedValues
}=require("./part-97.cjs").part_BQI24POO;const {
  docOf,
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;const {
  toJSONSchema
}=require("./part-90.cjs").part_ZJ7BVZLR;const {
  collect,
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;const {
  longestWait,
  permissions
}=require("./part-106.cjs").part_DT2CDXHV;const {
  Option
}=require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;const {
  entryOf
}=require("./part-84.cjs").part_XK3EKDRU;const {
  trackingBy
}=require("./part-83.cjs").part_LFMTYGTI;const {
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;const {
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
;
;
;
;
;
;
;
;

// src/config/editor/json-schema.ts
var expression = "\\$\\{";
var anExpression = { type: "string", pattern: expression };
var orExpression = (type, rest, nullable = false) => ({
  type: [type, "string", ...nullable ? ["null"] : []],
  pattern: expression,
  patternErrorMessage: `Incorrect type. Expected "${type}".`,
  ...rest
});
var atMostOne = { allOf: [{ maxProperties: 1 }] };
function textSchema({ format, ...limits }, known, nullable) {
  const checks = { ...limits, ...format === void 0 || limits.pattern || limits.allOf ? {} : { format } };
  const text3 = Object.keys(checks).length === 0 ? {} : unlessExpression(checks);
  return {
    if: { type: nullable ? ["object", "array"] : ["object", "array", "null"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: "string" },
    anyOf: [text3, ...known ? [{ enum: known }] : []]
  };
}
var nameSchema = ({ description: _, type: __, known: ___, ...limits }) => Object.keys(limits).length === 0 ? {} : unlessExpression(limits, `${expression}|^<<$`);
var unlessExpression = (checks, pattern = expression) => ({
  if: { type: "string", pattern },
  else: checks
});

// src/config/editor/with-expressions.ts
function withExpressions(schema) {
  const options = optionsOf(schema);
  const description = schema.description ?? options.find((option) => option.description)?.description;
  return {
    ...ofOptions(options, description),
    ...description === void 0 ? {} : { description },
    ...schema.default === void 0 ? {} : { default: schema.default }
  };
}
function optionsOf({ anyOf, oneOf, default: _, ...schema }) {
  const options = anyOf ?? oneOf;
  if (options) return options.flatMap(optionsOf);
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}
function ofOptions(options, description) {
  const [first, ...more] = options.filter(({ type }) => type !== "null");
  const nullable = options.length > more.length + 1;
  if (!first) return { type: "null" };
  if (more.length === 0) return ofOne(first, nullable, description);
  const told = description === void 0 ? first : { ...first, description };
  return byDiscriminator([first, ...more], withExpressions, nullable) ?? {
    anyOf: [...[told, ...more].map(withExpressions), ...nullable ? [{ type: "null" }] : []]
  };
}
function ofOne(schema, nullable, description) {
  const { type, known, description: _, ...rest } = schema;
  if (schema.enum || schema.const !== void 0) {
    const values2 = [...schema.enum ?? [schema.const], ...nullable ? [null] : []];
    const told = description === void 0 ? {} : { description };
    return { anyOf: [{ enum: values2, ...told }, anExpression] };
  }
  if (type === "string") return textSchema(rest, known, nullable);
  if (type === "object") return orExpression("object", ofObject(rest), nullable);
  if (type === "array") return orExpression("array", ofArray(rest), nullable);
  if (schema.allOf) return { ...rest, allOf: schema.allOf.map(withExpressions) };
  return typeof type === "string" ? orExpression(type, rest, nullable) : schema;
}
function ofObject({
  properties,
  additionalProperties: others,
  propertyNames,
  ...rest
}) {
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, withExpressions(member)]);
  return {
    ...rest,
    ...properties ? { properties: Object.fromEntries(members) } : {},
    ...others === void 0 ? {} : { additionalProperties: typeof others === "object" ? withExpressions(others) : others },
    ...propertyNames ? { propertyNames: nameSchema(propertyNames) } : {}
  };
}
function ofArray({ items, minItems = 0, ...limits }) {
  const read = Array.isArray(items) ? items.map(withExpressions) : items && withExpressions(items);
  return {
    ...limits,
    ...minItems === 1 ? { minItems } : {},
    ...minItems > 1 ? { if: { contains: aSpread }, else: { minItems } } : {},
    ...read ? { items: read } : {}
  };
}
var aSpread = { type: "string", pattern: "^\\.\\.\\.\\$\\{" };
function byDiscriminator(options, read, nullable) {
  const name = Object.keys(options[0]?.properties ?? {}).find((member2) => tellsApart(member2, options));
  if (name === void 0) return void 0;
  const valuesOf = (option) => valuesIn(option.properties[name]);
  const allOf = options.map((option) => ({
    if: { properties: { [name]: { enum: valuesOf(option) } }, required: [name] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: read(option)
  }));
  const { description } = options[0].properties[name];
  const member = {
    ...description ? { description } : {},
    anyOf: [{ enum: options.flatMap(valuesOf) }, anExpression]
  };
  return orExpression("object", { required: [name], properties: { [name]: member }, allOf }, nullable);
}
function tellsApart(name, options) {
  const all = options.map(
    (option) => option.type === "object" && option.required?.includes(name) ? valuesIn(option.properties?.[name]) : []
  );
  const values2 = all.flat();
  return all.every((one) => one.length > 0) && new Set(values2).size === values2.length;
}
var valuesIn = (member) => member?.enum ?? (member?.const === void 0 ? [] : [member.const]);

// src/config/editor/layer-schemas.ts
var ref = (name) => ({ $ref: `#/definitions/${name}` });
function layerDefinitions({ templates, variables, stages }) {
  const offered = variables.filter(({ isCollection }) => isCollection).map(({ name }) => `\${var.${name}}`);
  const kinds = new Set(templates.flatMap(({ kind }) => kind ?? []));
  return {
    $each: {
      description: 'One entry per item of a list or member of a map, such as `"${var.sites}"`; in it, `${each.key}` and `${each.value}`.',
      type: ["array", "object", "string"],
      pattern: expression,
      patternErrorMessage: '`$each` must be a list, a map, or "${var.name}".',
      ...offering(offered)
    },
    $when: {
      description: "Applies only if true, or if all of these names have the given values.",
      type: ["boolean", "object", "string"],
      pattern: `^(?:true|false)$|${expression}`,
      patternErrorMessage: "`$when` must be true, false, or a map of names.",
      properties: {
        stage: stages.length > 0 ? { anyOf: [ref("$is"), { enum: stages }] } : ref("$is"),
        ...Object.fromEntries(variables.map(({ name }) => [`var.${name}`, ref("$is")]))
      },
      additionalProperties: ref("$is")
    },
    $is: comparison,
    $use: useSchema(templates.filter(({ kind }) => kind === void 0)),
    ...Object.fromEntries(
      [...kinds].map((name) => [
        `$use.${name}`,
        useSchema(templates.filter(({ kind }) => kind === void 0 || kind === name))
      ])
    ),
    ...Object.fromEntries(templates.map(({ name, inputs: inputs2 }) => [`$inputs.${name}`, inputsSchema(inputs2)])),
    $drop: {
      description: "Paths to remove from lower layers, such as `env/LEGAL`.",
      type: "array",
      items: textSchema({ minLength: 1 }, void 0, false)
    },
    $add: { description: "Adds another entry of this name to those of lower layers.", enum: [true] },
    $first: { description: "Before all items of lower layers.", enum: [true] },
    $last: { description: "After all items of lower layers.", enum: [true] },
    $before: { description: "Before the item of this name.", ...itemName },
    $after: { description: "After the item of this name.", ...itemName }
  };
}
function layerProperties(kind, { templates }) {
  const { key, shape, yaml } = kind;
  const names2 = ["$when", "$drop"];
  if (shape.orderDecides) names2.push("$first", "$last", "$before", "$after");
  if (yaml.manyPerKey || shape.byAddress) names2.push("$add");
  const each = key.length > 0 ? ref("$each") : { ...ref("$each"), doNotSuggest: true };
  return {
    $each: each,
    $use: ref(templates.some((one) => one.kind === kind.name) ? `$use.${kind.name}` : "$use"),
    ...Object.fromEntries(names2.map((name) => [name, ref(name)]))
  };
}
function useEntry({ templates }) {
  const { type, properties, additionalProperties } = useSchema(
    templates.filter(({ kind }) => kind === void 0)
  );
  return {
    type,
    properties: { $each: ref("$each"), $when: ref("$when"), ...properties },
    additionalProperties
  };
}
var itemName = { type: ["string", "number", "boolean"] };
var offering = (values2) => values2.length > 0 ? { anyOf: [{}, { enum: values2 }] } : {};
var comparison = {
  description: "A value, a list of values, `{ not: ... }` or `{ set: true }`.",
  if: { type: "object" },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    ...atMostOne,
    minProperties: 1,
    additionalProperties: false,
    properties: { not: ref("$is"), set: { description: "Whether it has a value.", type: "boolean" } }
  }
};
function useSchema(templates) {
  const one = {
    type: ["object", "string", "array"],
    minLength: 1,
    ...offering(templates.map(({ name }) => name)),
    properties: Object.fromEntries(templates.map(({ name }) => [name, ref(`$inputs.${name}`)])),
    additionalProperties: { type: ["object", "null"] }
  };
  return {
    description: "Templates this is based on: a name, `{ name: inputs }`, or a list of these.",
    ...one,
    items: one
  };
}
var inputsSchema = (inputs2) => ({
  type: ["object", "null"],
  properties: Object.fromEntries(inputs2.map((input) => [input.name, inputSchema(input)]))
});
function inputSchema({ type, description, values: values2, isRequired }) {
  const told = [description, type && `(${type})`, isRequired && "(required)"].filter(Boolean);
  return {
    ...told.length > 0 ? { description: told.join(" ") } : {},
    ...offering(values2 ?? (type === "boolean" ? [true, false] : []))
  };
}
var plainText = (description) => ({
  ...textSchema({ minLength: 1 }, void 0, false),
  description
});
var text = (description) => withExpressions({ type: "string", minLength: 1, description });

// src/config/editor/meta-schemas.ts
var flag = { type: "boolean" };
var text2 = { type: "string", minLength: 1 };
var texts = { type: "array", items: text2 };
var named = (kind) => kind.key.length > 0;
var made = (kind) => can(kind, "create") && can(kind, "delete");
var secretTo = {
  anyOf: [
    {
      type: "object",
      minProperties: 1,
      ...atMostOne,
      additionalProperties: false,
      properties: {
        file: { ...text2, description: "A file inside the working directory." },
        command: { ...texts, minItems: 1, description: "A program that reads it, with its arguments." }
      }
    },
    { const: "discard", description: "Discard it." }
  ]
};
var allowSchema = { type: "array", items: { enum: [...permissions] } };
var metaKeys = {
  $existing: {
    doc: "It must already exist; it is never created, changed or deleted from here.",
    value: flag,
    suits: (kind, children) => can(kind, "create") || children.length > 0
  },
  $protect: {
    doc: "It is never deleted or replaced, even after this block is removed.",
    value: flag,
    suits: (kind) => can(kind, "delete")
  },
  $forget: {
    doc: "Stop managing it and leave it as it is.",
    value: flag,
    suits: () => true
  },
  $replace: {
    doc: "Allows deleting and recreating it for changes that the platform cannot make in place.",
    value: { const: "allow" },
    suits: (kind) => made(kind) && (kind.lifecycle.replace ?? "ask") === "ask"
  },
  $onRemove: {
    doc: "Delete it when this block is removed; without this, trueup only stops managing it.",
    value: { const: "delete" },
    suits: (kind) => kind.lifecycle.container === true && can(kind, "delete")
  },
  $allow: {
    doc: "Permissions for it and its contents: `cost` (money), `remove-access` (of people).",
    value: allowSchema,
    suits: () => true
  },
  $ignore: {
    doc: "Fields that are neither compared nor changed.",
    value: (kind) => ({
      type: "array",
      items: fieldName(Object.keys({ ...kind.fields, ...comparedFields(kind) }))
    }),
    suits: () => true
  },
  $exclusive: {
    doc: "Sections in which everything undeclared is deleted.",
    value: (_, children) => ({ type: "array", items: { enum: children.map(({ section }) => section) } }),
    suits: (_, children) => children.length > 0
  },
  $was: {
    doc: "Its previous name, before it was renamed here.",
    value: text2,
    suits: named
  },
  $from: {
    doc: "The stack that currently owns it and its contents: ownership moves to this stack.",
    value: text2,
    suits: () => true
  },
  $dependsOn: {
    doc: "Addresses of resources to create first, such as `projects/web`.",
    value: texts,
    suits: () => true
  },
  $id: {
    doc: "The id of the object, if the account has several with this name.",
    value: text2,
    suits: named
  },
  $secretTo: {
    doc: "Where to write the secret that the platform shows only once.",
    value: secretTo,
    suits: ({ shows }) => shows !== void 0
  },
  $position: {
    doc: "Where its list items go among those of other stacks and unmanaged ones.",
    value: {
      anyOf: [
        { enum: ["first", "last"] },
        {
          type: "object",
          required: ["before"],
          additionalProperties: false,
          properties: { before: { type: "string" } }
        }
      ]
    },
    suits: (_, children) => children.some(({ shape }) => shape.orderDecides)
  },
  $wait: {
    doc: "How long apply waits, at the end, for it to be ready.",
    value: {
      type: "object",
      required: ["minutes"],
      additionalProperties: false,
      properties: { minutes: { type: "integer", minimum: 1, maximum: longestWait } }
    },
    suits: ({ read }) => read.later !== void 0
  }
};
var refused = ["$exclusive", "$secretTo", "$position", "$wait"];
function metaSchemas(kind, children) {
  const taken = Object.entries(metaKeys).filter(
    ([key, { suits }]) => !refused.includes(key) || suits(kind, children)
  );
  const schemas = Object.fromEntries(
    taken.map(([key, { doc, value, suits }]) => {
      const schema = typeof value === "function" ? value(kind, children) : value;
      const read = withExpressions({ ...schema, description: doc });
      return [key, suits(kind, children) ? read : { ...read, doNotSuggest: true }];
    })
  );
  return { ...schemas, $then: { $ref: "#/definitions/$then" } };
}
var fieldName = (names2) => ({
  type: "string",
  pattern: `^(?:${names2.join("|")})(?:\\.|$)`,
  patternErrorMessage: "This is not one of its fields.",
  known: names2
});

// src/config/editor/block-definition.ts
function blockDefinition(kind, kinds, known) {
  const children = childKinds(kinds, kind.name);
  const fields = Object.entries(kind.fields).map(([name, schema]) => [
    name,
    name === kind.yaml.mapBy ? keyTwice(docOf(schema)) : fieldSchema(schema)
  ]);
  const block = {
    title: kind.name,
    description: kind.doc,
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields),
      ...Object.fromEntries(children.map((child) => [child.section, sectionSchema(child)])),
      ...metaSchemas(kind, children),
      ...layerProperties(kind, known)
    },
    patternProperties: frameKeys
  };
  const nullable = nullIsValue(kind) || kind.yaml.mapBy !== void 0 && !standsForOptional(kind);
  return kind.yaml.shorthand ? { ...block, type: ["object", "string", "number", "boolean", ...nullable ? ["null"] : []] } : orExpression("object", block, nullable);
}
var frameKeys = { "^\\$(?:kind|inputs|at)$": {} };
var keyTwice = (doc) => ({
  ...doc === void 0 ? {} : { description: doc },
  doNotSuggest: true
});
function sectionSchema(kind) {
  const block = { $ref: `#/definitions/${kind.name}` };
  const description = kind.doc;
  if (kind.key.length === 0) return { ...block, description };
  if (kind.yaml.mapBy === void 0) return orExpression("array", { description, items: block });
  const entry = kind.yaml.manyPerKey ? (
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { type: "array" }, then: { description, items: block }, else: block }
  ) : block;
  return orExpression("object", { description, ...keys(kind.fields[kind.yaml.mapBy], entry) });
}
function keys(key, entry) {
  const closed = allowedValues(key).map(String);
  const offered = [...closed, ...traitsOf(key).known ?? []];
  const properties = offered.length > 0 ? { properties: Object.fromEntries(offered.map((name) => [name, entry])) } : {};
  if (closed.length > 0)
    return { ...properties, patternProperties: { [expression]: entry }, additionalProperties: false };
  const limits = fieldSchema(key).anyOf?.[0]?.else;
  return {
    ...properties,
    additionalProperties: entry,
    ...limits ? { propertyNames: nameSchema(limits) } : {}
  };
}
var fieldSchema = (schema) => withExpressions(withoutRequired(writtenSchema(schema)));
var written = /* @__PURE__ */ new WeakMap();
function writtenSchema(schema) {
  const made2 = written.get(schema) ?? write(schema);
  written.set(schema, made2);
  return made2;
}
function write(schema) {
  const { $schema: _, ...json } = toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
    cycles: "throw",
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, notesOf(zodSchema, jsonSchema));
    }
  });
  return json;
}
function notesOf(schema, { type }) {
  const { known, secret: secret2, atomic } = traitsOf(schema);
  const doc = docOf(schema);
  const kept = secret2 && (secret2 === true ? "A secret." : "A secret, unless other fields say otherwise.");
  const description = [doc, kept, known && "Unknown values are sent as they are."];
  const message = patternMessageOf(schema);
  return {
    ...description.some(Boolean) ? { description: description.filter(Boolean).join(" ") } : {},
    ...known && type === "string" ? { known: [...new Set(known)] } : {},
    ...message === void 0 ? {} : { patternErrorMessage: message },
    ...atomic ? { isWhole: true } : {}
  };
}
function patternMessageOf({ def }) {
  const { checks = [] } = def;
  for (const check of checks) {
    const { pattern, error } = check._zod.def;
    const message = pattern && error?.({ code: "invalid_format" });
    if (typeof message === "string") return message;
  }
  return void 0;
}
function withoutRequired({ isWhole, ...schema }) {
  if (isWhole) return withoutMarks(schema);
  const one = onlyAlternative(schema);
  if (one) {
    const replaced = (options) => options.map((option) => option === one ? withoutRequired(one) : option);
    return {
      ...schema,
      ...schema.anyOf ? { anyOf: replaced(schema.anyOf) } : {},
      ...schema.oneOf ? { oneOf: replaced(schema.oneOf) } : {}
    };
  }
  if (schema.type !== "object") return withoutMarks(schema);
  const { required: _, minProperties: __, properties, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...properties ? { properties: mapped(properties, withoutRequired) } : {},
    ...additionalProperties === void 0 ? {} : {
      additionalProperties: typeof additionalProperties === "object" ? withoutRequired(additionalProperties) : additionalProperties
    }
  };
}
function requiredMembers(schema) {
  if (schema.isWhole) return void 0;
  const one = onlyAlternative(schema);
  if (one) return requiredMembers(one);
  if (schema.type !== "object") return void 0;
  const { required, minProperties, properties = {}, additionalProperties } = schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const found2 = requiredMembers(member);
    return found2 ? [[name, { ...found2, doNotSuggest: true }]] : [];
  });
  const others = typeof additionalProperties === "object" ? requiredMembers(additionalProperties) : void 0;
  const found = {
    ...required && required.length > 0 ? { required } : {},
    ...minProperties ? { minProperties } : {},
    ...members.length > 0 ? { properties: Object.fromEntries(members) } : {},
    ...others ? { additionalProperties: others } : {}
  };
  return Object.keys(found).length > 0 ? found : void 0;
}
function onlyAlternative({ anyOf, oneOf }) {
  const [one, more] = (anyOf ?? oneOf ?? []).filter(({ type }) => type !== "null");
  return more ? void 0 : one;
}
var mapped = (schemas, change) => Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));
function withoutMarks(schema) {
  if (Array.isArray(schema)) return schema.map(withoutMarks);
  if (typeof schema !== "object" || schema === null) return schema;
  const { isWhole: _, ...rest } = schema;
  return Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withoutMarks(inner)]));
}

// src/config/editor/complete-block.ts
function completeBlocks(kinds) {
  const found = {};
  for (const kind of kinds.values()) {
    const schema = completeBlock(kind, kinds);
    if (schema) found[completeName(kind)] = schema;
  }
  return found;
}
var completeName = ({ name }) => `complete.${name}`;
function completeBlock(kind, kinds) {
  const children = childKinds(kinds, kind.name);
  const sections = completeSections(children, kinds);
  const fields = Object.entries(kind.fields).flatMap(([name, schema]) => {
    const members = requiredMembers(writtenSchema(schema));
    return members ? [[name, { ...members, doNotSuggest: true }]] : [];
  });
  const properties = { ...Object.fromEntries(fields), ...sections };
  const isEmptyWrong = !nullIsValue(kind) && requiredFields(kind).length > 0 && kind.yaml.mapBy !== void 0;
  const complete = {
    ...requirements(kind, children),
    ...Object.keys(properties).length > 0 ? { properties } : {},
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...isEmptyWrong ? { allOf: [{ if: { type: "null" }, then: { type: ["object", "string"] } }] } : {}
  };
  if (Object.keys(complete).length === 0) return void 0;
  return { if: { required: ["$use"] }, else: complete };
}
function completeSections(children, kinds) {
  return Object.fromEntries(
    children.flatMap((child) => {
      if (!completeBlock(child, kinds)) return [];
      const block = { $ref: `#/definitions/${completeName(child)}` };
      return [[child.section, { ...entriesOf(child, block), doNotSuggest: true }]];
    })
  );
}
function entriesOf({ key, yaml: { mapBy, manyPerKey } }, block) {
  if (key.length === 0) return block;
  if (mapBy === void 0) return { items: block };
  return {
    additionalProperties: manyPerKey ? (
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { type: "array" }, then: { items: block }, else: block }
    ) : block
  };
}
var requiredFields = ({ fields, yaml: { mapBy } }) => Object.keys(fields).filter((name) => name !== mapBy && !fields[name].safeParse(void 0).success);
function requirements(kind, children) {
  const required = requiredFields(kind);
  const always = required.filter((name) => kind.key.includes(name));
  const otherwise = required.filter((name) => !kind.key.includes(name));
  const is = (key) => ({
    required: [key],
    properties: { [key]: { not: { const: false } } }
  });
  const elsewhere = {
    minProperties: 1,
    propertyNames: { enum: [...children.map(({ section }) => section), ...layerKeys] }
  };
  const partial = [is("$existing"), is("$forget"), ...children.length > 0 ? [elsewhere] : []];
  const whole = { required: otherwise };
  return {
    ...always.length > 0 ? { required: always } : {},
    ...otherwise.length > 0 ? partial.reduceRight((inner, condition) => ({ if: condition, else: inner }), whole) : {}
  };
}

// src/config/editor/header-schemas.ts
var names = (what) => ({
  pattern: "^(?:<<|[\\p{L}_][\\p{L}\\p{N}_-]*)$",
  patternErrorMessage: `The name of ${what} can have letters, digits, \`_\` and \`-\`.`
});
var oneOrMore = (description, item) => ({
  if: { type: "array" },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { description, items: item },
  else: item
});
var command = {
  type: "array",
  description: "The program that prints it, and its arguments; needs --allow-command.",
  minItems: 1,
  items: withExpressions({ type: "string", minLength: 1 })
};
var origins = {
  env: text("The environment variable that contains it; needs --allow-env."),
  file: text(
    "The file that contains it, relative to the folder of this file; a file that git does not track needs --allow-files."
  ),
  command
};
var several = (description) => ({
  description,
  type: ["object", "string"],
  minLength: 1,
  ...atMostOne,
  additionalProperties: false,
  properties: origins
});
var secret = {
  type: "object",
  description: "Where the secret comes from: `{}` is TRUEUP_SECRET_name; other sources must be allowed by the operator. It is read only when needed and never shown.",
  allOf: [
    {
      anyOf: [
        { maxProperties: 1, not: { required: ["format"] } },
        { minProperties: 2, maxProperties: 2, required: ["format"] }
      ]
    }
  ],
  additionalProperties: false,
  properties: {
    ...origins,
    dotenv: several("Several secrets as lines `NAME=value`: `${secret.name[key]}` is one of them."),
    json: several("Several secrets as a JSON object: `${secret.name[key]}` is one of them."),
    format: {
      type: "string",
      enum: ["json", "dotenv"],
      description: "With `env`, `file` or `command`: the source contains several secrets."
    },
    sops: text("A file with several secrets, decrypted by `sops`; needs --allow-command.")
  }
};
var variable = {
  type: ["object", "null"],
  description: "A variable, used as `${var.name}`.",
  additionalProperties: false,
  properties: {
    default: { description: "The default value: text, a number, a list or a map." },
    env: text(
      "The environment variable that contains the value; one that does not start with TRUEUP_VAR_ needs --allow-env-shown."
    ),
    file: plainText(
      "A file with the value, relative to the folder of this file: CSV (a map by its first column), JSON or YAML."
    ),
    description: { description: "What the variable is for." }
  }
};
var platform = orExpression("object", {
  description: "The account: `{ team: slug-or-id }`, or `{ personal: true }`.",
  minProperties: 1,
  ...atMostOne,
  additionalProperties: false,
  properties: {
    team: text("The slug or id of the team."),
    personal: withExpressions({ const: true, description: "The personal account of the token's owner." })
  }
});
var stage = ({ variables }) => ({
  type: ["object", "null"],
  description: "A stage, selected with --stage.",
  additionalProperties: false,
  properties: {
    variables: {
      type: "object",
      description: "Values of variables in this stage.",
      properties: Object.fromEntries(
        variables.map(({ name, description }) => [name, description === void 0 ? {} : { description }])
      )
    },
    platform,
    files: oneOrMore(
      "Files of this stage only, applied after all others.",
      plainText(
        "A file or folder of this stage only, relative to the folder of this file; applied after all others."
      )
    )
  }
});
var headerSchemas = (known) => ({
  stack: withExpressions({
    type: "string",
    pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}(@[A-Za-z0-9][A-Za-z0-9_-]{0,31})?$",
    patternErrorMessage: "use up to 63 letters, digits, dots, hyphens and underscores, starting with a letter or digit",
    description: "The name of the stack, which names its ledger."
  }),
  platform,
  include: oneOrMore(
    "Files and folders with templates, variables and `x-` keys, relative to the folder of this file.",
    plainText(
      "A file or folder with templates, variables and `x-` keys, relative to the folder of this file."
    )
  ),
  stages: {
    type: "object",
    description: "The stages of the stack, by name; `${stage}` is the one selected with --stage.",
    propertyNames: {
      pattern: "^(?:<<|[A-Za-z0-9][A-Za-z0-9_-]{0,31})$",
      patternErrorMessage: "A stage name can have up to 32 letters, digits, `_` and `-`."
    },
    additionalProperties: stage(known)
  },
  variables: {
    type: "object",
    description: "Values set from outside: --var, --var-file, TRUEUP_VAR_name, `env`, `file`, `default`.",
    propertyNames: names("a variable"),
    additionalProperties: variable
  },
  owns: {
    type: "array",
    items: text("An address glob, as for --target."),
    description: "What the stack may declare; anything else is an error."
  },
  $allow: {
    ...allowSchema,
    description: "What the stack is permitted to do: cost money, remove access."
  },
  secrets: {
    type: "object",
    description: "Secret values, used as `${secret.name}`.",
    additionalProperties: secret
  },
  use: {
    type: "array",
    description: "Templates with whole sections, and their inputs.",
    items: useEntry(known)
  }
});

// src/config/editor/known-names.ts
var noNames = { templates: [], variables: [], stages: [], isPatched: false };
async function readKnownNames(options, diagnostics) {
  const { kinds, env, cwd, sources = openSources({ env, cwd }) } = options;
  const read = (stage2) => readFiles({ ...options, ...stage2 === void 0 ? {} : { stage: stage2 } }, sources, [], diagnostics);
  const first = await read();
  const documents = new Map(first.documents.map((one) => [idOf(one), one]));
  for (const stage2 of first.stages)
    for (const one of (await read(stage2)).documents)
      documents.set(idOf(one), documents.get(idOf(one)) ?? one);
  return { ...namesIn([...documents.values()], kinds), stages: first.stages };
}
var idOf = ({ file, map }) => `${map.at.start} ${file.path}`;
function namesIn(documents, kinds) {
  const { added } = splitDocuments(documents, kinds, []);
  const declared = added.get("variables").flatMap(entriesOf2);
  return {
    templates: [...readTemplates(added.get("templates"), kinds, []).values()].map(
      ({ name, kind, inputs: inputs2 }) => ({
        name,
        ...kind === void 0 ? {} : { kind },
        inputs: [...inputs2].map(
          ([input, { type, values: values2, description, default: standard }]) => ({
            name: input,
            ...type ? { type } : {},
            ...values2 ? { values: values2 } : {},
            ...description === void 0 ? {} : { description },
            isRequired: standard === void 0
          })
        )
      })
    ),
    variables: declared.map(({ key, value }) => variableOf(key.text, value)),
    isPatched: added.get("patches").length > 0
  };
}
var entriesOf2 = (section) => section.type === "map" ? section.entries : [];
function variableOf(name, value) {
  const member = (key) => value.type === "map" ? entryOf(value, key)?.value : void 0;
  const description = member("description");
  const standard = member("default")?.type;
  return {
    name,
    ...description?.type === "scalar" && description.value !== null ? { description: description.text } : {},
    isCollection: member("file") !== void 0 || standard === "list" || standard === "map"
  };
}

// src/config/editor/template-schemas.ts
var definition = (name) => ({ $ref: `#/definitions/${name}` });
var inputs = {
  type: "object",
  description: "The inputs of the template, used in it as `${input.name}`.",
  propertyNames: names("an input"),
  additionalProperties: {
    type: ["object", "null"],
    description: "An input. It is required if it has no `default`.",
    additionalProperties: false,
    properties: {
      type: {
        description: "Its type; text from a data file is converted to it.",
        enum: [...inputTypes]
      },
      default: { description: "The default value; it may use other inputs." },
      pattern: {
        description: "A regular expression that the whole text must match.",
        type: ["string", "number", "boolean"]
      },
      values: { description: "The allowed values.", type: "array", minItems: 1 },
      description: { description: "What the input is for." }
    }
  }
};
function templatesSchema(kinds) {
  const isKind = (kind) => ({ properties: { $kind: kind }, required: ["$kind"] });
  return {
    type: "object",
    description: "What several blocks have in common; a block applies it with `$use`.",
    propertyNames: names("a template"),
    additionalProperties: {
      type: "object",
      description: "A template: `$kind`, `$inputs`, and the content of a block.",
      properties: {
        $kind: {
          description: "The kind of block it is for; any kind if omitted.",
          enum: [...kinds.keys()]
        },
        $inputs: inputs
      },
      allOf: [
        ...[...kinds.keys()].map((name) => ({
          if: isKind({ const: name }),
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: definition(name)
        })),
        { if: { required: ["$kind"] }, else: { properties: anything(kinds) } }
      ]
    }
  };
}
function anything(kinds) {
  const all = [...kinds.values()];
  const isOnly = ({ section, name }) => all.every(
    (other) => other.name === name || other.section !== section && !Object.hasOwn(other.fields, section)
  );
  return {
    ...Object.fromEntries(["$use", "$when", "$drop"].map((key) => [key, definition(key)])),
    ...Object.fromEntries(
      childKinds(kinds, void 0).map((kind) => [
        kind.section,
        isOnly(kind) ? sectionSchema(kind) : { description: kind.doc }
      ])
    )
  };
}
function patchesSchema(kinds) {
  const all = [...kinds.values()];
  const hasForm = (pattern) => ({
    properties: { $at: { type: "string", pattern } },
    required: ["$at"]
  });
  const at = withExpressions({
    type: "string",
    minLength: 1,
    known: all.map((kind) => addressForm(kind, kinds, "*")),
    description: "The address or glob of the blocks to patch: `projects/site-*`."
  });
  return {
    type: "array",
    description: "Patches applied to blocks last, in this order.",
    items: {
      type: "object",
      required: ["$at"],
      properties: { $at: at },
      if: hasForm(isClear),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        allOf: all.map((kind) => ({
          if: hasForm(`^${addressForm(kind, kinds, "[^/]+")}$`),
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: definition(kind.name)
        }))
      }
    }
  };
}
var isClear = "^(?!.*(?:\\*\\*|\\$\\{|\\{[^}]*/|\\[[^\\]]*/))";
function addressForm(kind, kinds, name) {
  const parent = kind.parent === void 0 ? [] : [addressForm(kinds.get(kind.parent), kinds, name)];
  const isLeaf = childKinds(kinds, kind.name).length === 0;
  const count = kind.yaml.mapBy === void 0 ? kind.key.length : 1;
  const own = Array.from({ length: count }, () => name);
  if (kind.yaml.names && isLeaf && name !== "*") own.splice(0, count, ".+");
  return [...parent, kind.section, ...own].join("/");
}

// src/config/editor/editor-schema.ts
function editorSchema(kinds, known = noNames, { actions, lookups } = { actions: /* @__PURE__ */ new Map(), lookups: /* @__PURE__ */ new Map() }) {
  const roots = childKinds(kinds, void 0);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "trueup",
    description: "A trueup configuration.",
    type: "object",
    additionalProperties: false,
    properties: {
      ...headerSchemas(known),
      lookups: lookupsSchema(lookups.values()),
      templates: templatesSchema(kinds),
      patches: patchesSchema(kinds),
      ...Object.fromEntries(roots.map((kind) => [kind.section, sectionSchema(kind)]))
    },
    patternProperties: { "^x-": {} },
    ...known.isPatched ? {} : { if: isPatched, else: { properties: completeSections(roots, kinds) } },
    definitions: {
      ...Object.fromEntries(
        [...kinds.values()].map((kind) => [kind.name, blockDefinition(kind, kinds, known)])
      ),
      ...known.isPatched ? {} : completeBlocks(kinds),
      ...layerDefinitions(known),
      $then: thenSchema(actions.values())
    }
  };
}
var isPatched = {
  anyOf: [
    { required: ["patches"] },
    {
      required: ["stages"],
      properties: {
        stages: { not: { additionalProperties: { not: { type: "object", required: ["files"] } } } }
      }
    }
  ]
};
var scalar = { type: ["string", "number", "boolean"] };
function lookupsSchema(lookups) {
  const all = [...lookups];
  return {
    type: "object",
    description: "Read-only lookups, used as `${lookup.name.field}`.",
    propertyNames: names("a lookup"),
    additionalProperties: {
      type: "object",
      minProperties: 1,
      ...atMostOne,
      description: "A lookup of the platform and its filters: see `trueup get --list`.",
      properties: Object.fromEntries(all.map((lookup) => [lookup.name, conditions(lookup)])),
      additionalProperties: all.length > 0 ? false : { type: ["object", "null"], additionalProperties: scalar }
    }
  };
}
function conditions(lookup) {
  const { doc, on, input, output } = lookup;
  const open = Object.fromEntries(openFieldsOf(lookup).map((name) => [name, output[name]]));
  return {
    description: doc,
    type: ["object", "null"],
    additionalProperties: false,
    properties: {
      ...values(open),
      ...values(input),
      ...on === void 0 ? {} : { [on]: { ...scalar, description: `The ${on} that it is about.` } }
    }
  };
}
var values = (schemas) => Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => {
    const { known } = traitsOf(schema);
    return [
      name,
      { description: docOf(schema), ...known ? { anyOf: [{ enum: [...known] }, scalar] } : scalar }
    ];
  })
);
var texts2 = { type: "array", items: { type: "string", minLength: 1 } };
var beside = {
  when: {
    ...texts2,
    description: "The fields and sections that trigger it; all if omitted."
  },
  drift: { type: "boolean", description: "Also trigger it when a run only reverts drift." },
  wait: {
    description: "How long apply waits for it to finish.",
    type: "object",
    required: ["minutes"],
    additionalProperties: false,
    properties: { minutes: { type: "integer", minimum: 1, maximum: longestWait } }
  }
};
function thenSchema(actions) {
  const able = [...actions].filter(({ declarable }) => declarable);
  return {
    description: "Actions to run after a run changed it or its contents.",
    type: "array",
    items: {
      anyOf: [
        able.length > 0 ? { enum: able.map(({ name }) => name) } : { type: "string" },
        {
          type: "object",
          minProperties: 1,
          additionalProperties: able.length === 0,
          properties: {
            ...Object.fromEntries(able.map((action) => [action.name, inputSchema2(action)])),
            ...Object.fromEntries(
              Object.entries(beside).map(([key, schema]) => [key, withExpressions(schema)])
            )
          }
        }
      ]
    }
  };
}
var inputSchema2 = ({ doc, on, input }) => ({
  description: doc,
  type: ["object", "null"],
  additionalProperties: false,
  properties: {
    ...on === void 0 ? {} : {
      [on]: {
        anyOf: [{ type: "string" }, texts2],
        description: `The ${on} to act on, or several, with \`*\`; if omitted, the one this block is in.`
      }
    },
    ...Object.fromEntries(
      Object.entries(input).map(([name, schema]) => [
        name,
        withExpressions(withoutRequired(writtenSchema(schema)))
      ])
    )
  }
});

// src/cli/schema.ts
function schemaCommand(command2, provider, run) {
  withColor(command2).addOption(
    new Option(
      "-f, --file <path>",
      "include this configuration's templates and variables; repeatable (default: trueup.yaml or trueup/, if present)"
    ).argParser(collect).conflicts("plan")
  ).option("--out <file>", "write it to a file and print the line that a YAML file needs").addOption(
    new Option("--plan", "print the schema of `plan --json` instead, for programs").conflicts("out")
  ).option("--all", "with --plan: the schema of `plan --all --json`").addOption(
    new Option("--stacks", "print the schema of `stacks --json` instead, for programs").conflicts([
      "plan",
      "file",
      "out"
    ])
  ).addOption(
    new Option("--guards", "print the schema of a guards file instead, for editors").conflicts([
      "plan",
      "file"
    ])
  ).action(async (options) => {
    const terminal = terminalFor(run, options);
    if (options.all && !options.plan)
      throw new Problems([
        problem("schema/all", "--all requires --plan", { hint: "trueup schema --plan --all" })
      ]);
    if (options.stacks) return terminal.out(jsonText(matrixSchema()));
    if (options.plan) return terminal.out(jsonText(options.all ? stacksSchema() : planSchema()));
    if (options.out === void 0) return terminal.out(await schemaText(provider, run, options));
    await writeSchema(provider, options.out, run, options);
    terminal.out(
      [
        `Wrote ${options.out}.`,
        "Editors use it for YAML files that start with this line (the path is relative to the file):",
        "",
        modeline(options.out)
      ].join("\n")
    );
  });
}
async function schemaText(provider, run, { file, guards }) {
  if (guards) return `${JSON.stringify(guardsSchema(provider.kinds.map(({ name }) => name)))}
`;
  const { env, cwd } = run.host;
  const diagnostics = [];
  const known = await readKnownNames(
    {
      ...loadOptions(provider, file ? { file } : {}, run),
      sources: openSources({ env, cwd, tracking: trackingBy(env) })
    },
    diagnostics
  );
  const missing = diagnostics.filter(({ code, at }) => file && code === "file/missing" && !at);
  if (missing.length > 0) throw new Problems(missing);
  return `${JSON.stringify(editorSchema(kindsOf(provider.kinds), known, await provider.dayTwo()))}
`;
}
var modeline = (path) => `# yaml-language-server: $schema=${path.replaceAll("\\", "/")}`;
async function writeSchema(provider, path, run, options = {}) {
  await writeOutput(run.host, path, await schemaText(provider, run, options));
}

return{schemaCommand:schemaCommand,modeline:modeline,writeSchema:writeSchema};})();exports.part_4377VF5K=part_4377VF5K;
const part_FRBZS33L=(()=>{const {
  modeline,
  schemaCommand,
  writeSchema
}=part_4377VF5K;require("./part-35.cjs").part_GHYH6KYJ;require("./part-21.cjs").part_DGVZ2EVC;require("./part-18.cjs").part_CTIH5LY5;require("./part-87.cjs").part_PVJV4EET;require("./part-87.cjs").part_3FS5QSBH;require("./part-105.cjs").part_TEBTU3WD;require("./part-92.cjs").part_2JBIBOC6;require("./part-105.cjs").part_EABJC5VV;require("./part-90.cjs").part_TFHCOW53;require("./part-92.cjs").part_KCCUIXOW;require("./part-97.cjs").part_BQI24POO;require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;require("./part-83.cjs").part_S43BEQVM;require("./part-84.cjs").part_GNPU5WKB;require("./part-92.cjs").part_BFXFO44Z;require("./part-97.cjs").part_UADL7KU7;require("./part-106.cjs").part_DT2CDXHV;require("./part-98.cjs").part_5A6JLBTE;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-72.cjs").part_VZPGGW2W;require("./part-80.cjs").part_EIXR7FAL;require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;require("./part-84.cjs").part_IUECLPFZ;require("./part-88.cjs").part_IIODRIIT;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-85.cjs").part_SJG7KYTO;require("./part-83.cjs").part_LFMTYGTI;require("./part-106.cjs").part_M3ATQ7RN;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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
;
;
;
;
;
;
;
;
;
return{modeline:modeline,schemaCommand:schemaCommand,writeSchema:writeSchema};})();exports.part_FRBZS33L=part_FRBZS33L;
