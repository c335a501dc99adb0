"use strict";const part_S42Q7PDU=(()=>{const {
  beneath,
  defOf,
  traitWords,
  typeWords
}=require("./part-105.cjs").part_5HVZGS2F;const {
  coverageOf,
  coverageText,
  requestsOf
}=require("./part-105.cjs").part_FE33W6O7;const {
  load
}=require("./part-105.cjs").part_EABJC5VV;const {
  can,
  childKinds,
  comparedFields,
  isReadable,
  kindsOf,
  lineage,
  namesOf
}=require("./part-90.cjs").part_TFHCOW53;require("./part-97.cjs").part_BQI24POO;const {
  docOf,
  referenceOf,
  traitsOf
}=require("./part-90.cjs").part_A3A3FICV;require("./part-90.cjs").part_XRTKEBJF;require("./part-90.cjs").part_ZJ7BVZLR;const {
  withColor
}=require("./part-84.cjs").part_GNPU5WKB;require("./part-97.cjs").part_UADL7KU7;const {
  longestWait
}=require("./part-106.cjs").part_DT2CDXHV;require("./part-63.cjs").part_QPVMELDP;require("./part-80.cjs").part_EIXR7FAL;const {
  terminalFor
}=require("./part-80.cjs").part_HNLTOCOT;require("./part-80.cjs").part_LGUCBGM4;require("./part-80.cjs").part_C3KGDUFB;require("./part-84.cjs").part_XK3EKDRU;require("./part-84.cjs").part_CV56RMV4;const {
  closest,
  quoted
}=require("./part-84.cjs").part_IUECLPFZ;require("./part-106.cjs").part_HLUFGGLM;const {
  addressOf
}=require("./part-106.cjs").part_BACZRMMV;const {
  indented,
  labelled,
  widthOf
}=require("./part-106.cjs").part_P2I66CA3;require("./part-83.cjs").part_LFMTYGTI;require("./part-80.cjs").part_OT7RGJI3;require("./part-80.cjs").part_ZDSX63LF;require("./part-80.cjs").part_MQHVXKRH;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_4N2HH7U7;const {
  cut,
  displayWidth,
  jsonText
}=require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;const {
  isPlainObject
}=require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;const {
  Problems,
  problem
}=require("./part-80.cjs").part_H2UX7ADC;require("./part-80.cjs").part_DF3MP7ZG;;
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

// src/manual/kind-list.ts
var kindList = (kinds) => kindTree(kinds).map(({ kind, depth }) => ({
  kind: kind.name,
  path: sectionPath(kinds, kind),
  depth,
  doc: kind.doc
}));
function kindsNamed(kinds, name) {
  const wanted = name.toLowerCase();
  const all = kindList(kinds);
  const tests = [
    ({ kind }) => kind,
    ({ path }) => path,
    ({ kind }) => kinds.get(kind).section
  ];
  return tests.map((text) => all.filter((one) => text(one).toLowerCase() === wanted)).find(({ length }) => length) ?? [];
}
var least = 30;
var ample = 70;
function kindListText(all, { style }) {
  const width = Number.isFinite(style.prose) ? style.width : Number.POSITIVE_INFINITY;
  const longest = (texts) => Math.max(0, ...texts.map(displayWidth)) + 2;
  const names = longest(all.map(({ kind }) => kind));
  const whole = ({ path, depth }) => "  ".repeat(depth) + path;
  const own = ({ path, depth }) => "  ".repeat(depth) + (depth === 0 ? path : `.${path.split(".").at(-1)}`);
  const place = width - longest(all.map(whole)) - names < ample ? own : whole;
  const places = longest(all.map(place));
  const room = width - places - names;
  const lines = all.flatMap((one, index) => {
    const head = `${place(one).padEnd(places)}${style.strong(one.kind)}`;
    const gap = " ".repeat(names - displayWidth(one.kind));
    const doc = (width2) => style.quiet(cut(one.doc, width2));
    const below = " ".repeat(2 * one.depth + 4);
    return [
      ...startsArea(all, index) ? [""] : [],
      ...room >= least ? [head + gap + doc(room)] : [head, below + doc(width - below.length)]
    ];
  });
  return [...lines, "", "`trueup kinds NAME` shows the manual page of one."].join("\n");
}
function startsArea(all, index) {
  const [before, one, after] = [all[index - 1], all[index], all[index + 1]];
  return before !== void 0 && one.depth === 0 && (before.depth > 0 || (after?.depth ?? 0) > 0);
}
var placeholder = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
function sectionPath(kinds, kind) {
  const above = kind.parent === void 0 ? void 0 : kinds.get(kind.parent);
  return above ? `${blockPath(kinds, above)}.${kind.section}` : kind.section;
}
function blockPath(kinds, kind) {
  const path = sectionPath(kinds, kind);
  if (kind.yaml.mapBy !== void 0) return `${path}.${placeholder(kind.yaml.mapBy)}`;
  return kind.key.length === 0 ? path : `${path}[]`;
}
function addressForm(kinds, kind) {
  const above = kind.parent === void 0 ? void 0 : kinds.get(kind.parent);
  const told = [...kind.key, ...kind.shape.place.slice(0, 1)];
  const fields = Object.fromEntries(told.map((name) => [name, placeholder(name)]));
  return addressOf(above && addressForm(kinds, above), kind.section, namesOf(kind, fields));
}
function formWords(kind) {
  if (kind.key.length === 0) return ["a single block"];
  if (kind.yaml.mapBy === void 0)
    return [kind.shape.orderDecides ? "an ordered list" : "a list, in any order"];
  const short = kind.yaml.shorthand?.("VALUE");
  const members = Object.entries(short ?? {}).map(([name, value]) => `${name}: ${value}`);
  return [
    `a map with one entry per \`${kind.yaml.mapBy}\``,
    ...kind.yaml.manyPerKey ? ["an entry may be a list"] : [],
    ...short ? [`a bare VALUE is short for { ${members.join(", ")} }`] : []
  ];
}
function kindTree(kinds, parent, depth = 0) {
  return childKinds(kinds, parent?.name).flatMap((kind) => [
    { kind, depth },
    ...kindTree(kinds, kind, depth + 1)
  ]);
}
var homeOf = (kinds, kind) => lineage(kinds, kind.parent)[0]?.name ?? "account";

// src/kind/limits.ts
function limitsOf(kind) {
  const { read, key, shows, lifecycle } = kind;
  const { later } = read;
  const isRead = isReadable(kind);
  const asks = Object.keys(lifecycle.asks ?? {});
  const writeOnly = Object.entries(comparedFields(kind)).filter(([, schema]) => traitsOf(schema).writeOnly).map(([name]) => `\`${name}\``);
  const all = [
    [
      !isRead,
      "unread",
      "It cannot be read: changes made elsewhere go unnoticed and are overwritten, and it cannot be adopted or exported."
    ],
    [
      isRead && read.endpoint === void 0,
      "unlisted",
      "The platform does not list them: only declared ones are found, and none are exported."
    ],
    [
      isRead && writeOnly.length > 0,
      "write-only",
      `${writeOnly.join(", ")} cannot be read back: changes made elsewhere go unnoticed.`
    ],
    [
      key.length > 0 && !can(kind, "create"),
      "made-elsewhere",
      "It cannot be created from here: it must already exist."
    ],
    [
      key.length > 0 && !can(kind, "delete"),
      "kept",
      "It cannot be deleted from here: it stays when its block is removed."
    ],
    [
      shows !== void 0,
      "shown-once",
      `Its \`${shows}\` is shown only once, when it is created: \`$secretTo\` says where to write it.`
    ],
    [asks.includes("cost"), "costs", "It can cost money: that requires `$allow: [cost]`."],
    [
      asks.includes("remove-access"),
      "removes-access",
      "It controls who has access: removing access requires `$allow: [remove-access]`."
    ],
    [
      lifecycle.container === true && can(kind, "delete"),
      "irreversible",
      "Deleting it cannot be undone and deletes its contents."
    ],
    [
      later !== void 0,
      "ready-later",
      `It is ready ${later?.rarely ? "at once, or else" : "only"} once ${later?.until}. \`$wait\` has an apply wait for that.`
    ],
    [
      later?.person === true,
      "needs-person",
      `Somebody ${later?.rarely ? "may have" : "has"} to do something elsewhere for it to be ready: no apply can.`
    ]
  ];
  return all.flatMap(([isSo, limit, words]) => isSo ? { limit, words } : []);
}

// src/manual/fields.ts
var fieldsOf = (kind) => membersIn(kind.fields, kind, { isWhole: false, depth: 0 }).map(
  (field) => field.name === kind.yaml.mapBy ? { ...field, presence: "key" } : field
);
var deepest = 6;
var membersIn = (schemas, kind, around) => Object.entries(schemas).map(([name, schema]) => fieldOf(name, schema, kind, around));
function fieldOf(name, schema, kind, around) {
  const traits = traitsOf(schema);
  const isWhole = around.isWhole || traits.atomic === true;
  const type = typeWords(schema);
  const standard = defaultOf(schema);
  const doc = docOf(schema);
  const members = around.depth < deepest ? membersOf(schema, kind, { isWhole, depth: around.depth + 1 }) : [];
  return {
    name,
    type,
    presence: schema.safeParse(void 0).success ? "optional" : "required",
    ...standard === void 0 ? {} : { default: standard },
    ...schema.safeParse(null).success ? { null: isNullable(schema) && !around.isWhole ? "reset" : "value" } : {},
    traits: [
      ...traits.ref === void 0 || type === `name of a ${traits.ref}` ? [] : [`refers to ${traits.ref}s`],
      ...traitWords(traits, kind)
    ],
    ...doc === void 0 ? {} : { doc },
    ...members.length > 0 ? { members } : {}
  };
}
function isNullable(schema) {
  const inner = beneath(schema);
  return defOf(schema).type === "nullable" || inner !== void 0 && isNullable(inner);
}
function defaultOf(schema) {
  const { defaultValue } = schema.def;
  const inner = beneath(schema);
  return defaultValue ?? (inner && defaultOf(inner));
}
function membersOf(schema, kind, around) {
  const def = defOf(schema);
  const inner = beneath(schema);
  if (inner) return membersOf(inner, kind, around);
  if (def.type === "object") return membersIn(schema.shape, kind, around);
  if (def.element) return membersOf(def.element, kind, { ...around, isWhole: true });
  if (def.valueType) {
    const each = fieldOf("NAME", def.valueType, kind, around);
    return each.members ? [{ ...each, presence: "optional" }] : [];
  }
  const objects = (def.options ?? []).filter((option) => shapeIn(option));
  if (objects.length < 2) return objects.flatMap((option) => membersOf(option, kind, around));
  return objects.map((option, index) => ({
    ...fieldOf(formName(objects, option, index), option, kind, around),
    presence: "optional"
  }));
}
function formName(forms, form, index) {
  const tells = (option, name) => defOf(shapeIn(option)[name] ?? option).values;
  const by = Object.keys(shapeIn(form)).find((name) => forms.every((other) => tells(other, name)));
  return by === void 0 ? `(form ${index + 1})` : `(${by}: ${tells(form, by).join(", ")})`;
}
var shapeIn = (schema) => {
  const inner = beneath(schema);
  if (inner) return shapeIn(inner);
  return defOf(schema).type === "object" ? schema.shape : void 0;
};

// src/manual/meta-keys.ts
var isReplaceable = (kind) => (kind.lifecycle.replace ?? "ask") === "ask" && can(kind, "create") && can(kind, "delete") && (!can(kind, "update") || Object.values(kind.fields).some((schema) => traitsOf(schema).immutable));
var hasFixedKey = ({ key, fields }) => key.some((name) => traitsOf(fields[name]).immutable);
var renameWords = (kind) => {
  if (!hasFixedKey(kind)) return "it is renamed";
  return kind.lifecycle.replace === "never" ? "rejected, since its name cannot be changed" : "it is replaced, since its name cannot be changed";
};
var metaKeys = {
  $existing: { takes: "true", does: "it must exist; never created, changed or deleted from here" },
  $protect: {
    takes: "true",
    does: "a plan that would delete it is rejected",
    applies: (kind) => can(kind, "delete")
  },
  $ignore: {
    takes: "[fields]",
    does: "these fields are neither compared nor sent",
    applies: ({ fields, key }) => Object.keys(fields).length > key.length
  },
  $was: {
    takes: "NAME",
    does: (kind) => `its previous name: ${renameWords(kind)}`,
    applies: (kind) => kind.key.length > 0 && can(kind, "create")
  },
  $from: {
    takes: "STACK",
    does: "that stack hands it over, with its contents and its ledger entries"
  },
  $id: {
    takes: "ID",
    does: "selects one of several live objects",
    applies: (kind) => kind.key.length > 0 && can(kind, "create") && !kind.shape.merged
  },
  $exclusive: {
    takes: "[sections]",
    does: (_, sections) => `everything undeclared in these sections is deleted: ${sections.join(", ")}`,
    applies: (_, sections) => sections.length > 0
  },
  $dependsOn: { takes: "[addresses]", does: "these are created before it and deleted after it" },
  $replace: {
    takes: "allow",
    does: "it may be deleted and recreated where the platform cannot change it",
    applies: isReplaceable
  },
  $forget: { takes: "true", does: "trueup stops managing it; it stays as it is" },
  $onRemove: {
    takes: "delete",
    does: "removing the block deletes it, once this is applied",
    applies: (kind) => kind.lifecycle.container === true && can(kind, "delete")
  },
  $allow: {
    takes: "[permissions]",
    does: "allows changes to it and its contents that cost money (`cost`) or remove access (`remove-access`)",
    applies: ({ lifecycle }) => lifecycle.asks !== void 0 || lifecycle.container === true
  },
  $secretTo: {
    takes: "PLACE",
    does: "where to write the secret that the platform shows only once: { file }, { command } or discard",
    applies: ({ shows }) => shows !== void 0
  },
  $position: {
    takes: "PLACE",
    does: (_, __, inOrder) => `where its ${inOrder.join(" and ")} go among all others: first, last or { before: STACK }`,
    applies: (_, __, inOrder) => inOrder.length > 0
  },
  $then: {
    takes: "[actions]",
    does: "actions to run after a run changed it or its contents"
  },
  $wait: {
    takes: "{ minutes: N }",
    does: `apply waits for it to be ready, at most N minutes (1 to ${longestWait})`,
    applies: ({ read }) => read.later !== void 0
  }
};
function metaKeysOf(kinds, kind) {
  const sections = childKinds(kinds, kind.name).filter((child) => !child.lifecycle.container && can(child, "delete")).map(({ section }) => section);
  const inOrder = childKinds(kinds, kind.name).filter(({ shape }) => shape.orderDecides).map(({ section }) => section);
  return Object.entries(metaKeys).filter(([, { applies }]) => applies?.(kind, sections, inOrder) ?? true).map(([key, { takes, does }]) => ({
    key,
    takes,
    does: typeof does === "string" ? does : does(kind, sections, inOrder)
  }));
}

// src/manual/kind-manual.ts
function kindManual(kinds, kind, exampleAddresses2) {
  return {
    name: kind.name,
    doc: kind.doc,
    path: blockPath(kinds, kind),
    form: formWords(kind),
    address: addressForm(kinds, kind),
    key: keyWords(kinds, kind),
    fields: fieldsOf(kind),
    removal: removalOf(kinds, kind),
    replacement: replacementWords(kind),
    limits: limitsOf(kind),
    order: orderWords(kinds, kind),
    metaKeys: metaKeysOf(kinds, kind),
    ...kind.example === void 0 ? {} : { example: `${exampleOf(kinds, kind)}
` },
    exampleAddresses: exampleAddresses2,
    requests: requestsOf(kind),
    related: relatedTo(kinds, kind)
  };
}
function relatedTo(kinds, kind) {
  const refersTo = (from, to) => Object.values(from.fields).some((schema) => referenceOf(schema) === to.name);
  return [...kinds.values()].filter((other) => other !== kind).flatMap((other) => {
    const reasons = [
      ...other.name === kind.parent ? ["its parent"] : [],
      ...other.parent === kind.name ? ["its child"] : [],
      ...refersTo(kind, other) ? ["referenced by it"] : [],
      ...refersTo(other, kind) ? ["refers to it"] : [],
      ...other.section === kind.section ? ["a section of the same name"] : []
    ];
    return reasons.length > 0 ? [{ kind: other.name, path: sectionPath(kinds, other), why: reasons.join(", ") }] : [];
  });
}
var keyWords = (kinds, kind) => kind.shape.onlyDeclared ? `${identityWords(kinds, kind)} Others are left alone and not exported.` : identityWords(kinds, kind);
function identityWords(kinds, kind) {
  const home = homeOf(kinds, kind);
  const within = kind.parent === void 0 ? "the account" : `one ${home}`;
  const names = kind.key.map((name) => `\`${name}\``).join(" and ");
  const own = kind.shape.keyWords?.(kind, within);
  if (own !== void 0) return own;
  if (kind.key.length === 0) return `None: there is one for each ${home}.`;
  const place = kind.shape.place.map((name) => `\`${name}\``).join(" or ");
  const told = place ? `${names} in one place (${place})` : names;
  return `${told}, within ${within}. If several live objects match, the plan fails until \`$id\` selects one; once applied, it is known by its id.`;
}
function removalOf(kinds, kind) {
  const around = lineage(kinds, kind.parent).find(({ lifecycle }) => lifecycle.container);
  if (kind.lifecycle.container) {
    const released = "trueup stops managing it and its contents; both stay as they are.";
    const deleted = "It is deleted only if it was applied with `$onRemove: delete`, or if `--delete ADDRESS` names it.";
    return { outcome: "released", words: can(kind, "delete") ? `${released} ${deleted}` : released };
  }
  if (!can(kind, "delete"))
    return {
      outcome: "kept",
      words: "trueup stops managing it, and it stays as it is: it cannot be deleted."
    };
  const withIt = around ? ` If its ${around.name} is removed as well, it shares the fate of that.` : "";
  return { outcome: "deleted", words: `It is deleted, if it was applied from here.${withIt}` };
}
function replacementWords(kind) {
  const stuck = Object.entries(kind.fields).filter(([, schema]) => traitsOf(schema).immutable);
  if (can(kind, "update") && stuck.length === 0) return "Never: every field can be changed in place.";
  const what = can(kind, "update") ? `A change of ${stuck.map(([name]) => `\`${name}\``).join(", ")}` : "Any change";
  if (kind.lifecycle.replace === "never")
    return `${what} is rejected: a ${kind.name} is never deleted in order to change it.`;
  if (kind.lifecycle.replace === "free")
    return `${what} deletes and recreates it without asking, since nothing is lost.`;
  return `${what} requires deleting and recreating it. The plan rejects that unless the block has \`$replace: allow\`, since data that only the platform has would be lost.`;
}
function orderWords(kinds, kind) {
  const fellows = [...kinds.values()].filter(
    (other) => other.lifecycle.lane === kind.lifecycle.lane && other !== kind
  );
  return [
    ...kind.lifecycle.lane === void 0 ? [] : [
      `Changes are made one at a time${fellows.length > 0 ? `, together with those of ${fellows.map(({ name }) => name).join(", ")}` : ""}; if one fails, the rest are skipped.`
    ],
    ...(kind.lifecycle.after ?? []).map(
      (name) => `What changes waits for the ${name} in the same ${homeOf(kinds, kind)}, which goes last.`
    ),
    ...kind.shape.words(false)
  ];
}
function exampleOf(kinds, { example, section, parent }) {
  if (example === void 0 || typeof example === "string") return example?.trim();
  const above = [...linesAbove(kinds, parent), `${section}:`];
  const entries = Object.entries(example).map(([name, value]) => `${flow(name)}: ${flow(value)}`);
  const lines = above.map((line, depth) => "  ".repeat(depth) + line);
  return [...lines, ...entries.map((entry) => "  ".repeat(above.length) + entry)].join("\n");
}
function linesAbove(kinds, name) {
  const kind = name === void 0 ? void 0 : kinds.get(name);
  if (kind === void 0) return [];
  const section = [...linesAbove(kinds, kind.parent), `${kind.section}:`];
  if (kind.key.length === 0) return section;
  const first = exampleOf(kinds, kind)?.split("\n")[section.length] ?? "";
  return [...section, `${first.trim().replace(/:( .*)?$/, "")}:`];
}
function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isPlainObject(value)) return isPlain(value) ? String(value) : JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${flow(name)}: ${flow(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
var isPlain = (value) => typeof value !== "string" || /^[\w$./](?:[\w ./@$-]|:(?=\S))*$/.test(value) && Number.isNaN(Number(value)) && !/^(true|false|null|yes|no|on|off)$/i.test(value);

// src/manual/kind-manual-text.ts
function kindManualText(manual, { style }) {
  const width = widthOf(style);
  const text = (of) => indented(of, width);
  const table = (rows) => labelled(
    rows.map(([label, cell]) => ({ label: `  ${label}`, paint: style.strong, cells: [{ text: cell }] })),
    width
  );
  const sections = [
    ["NAME", [`  ${style.strong(manual.name)}`, ...text(manual.doc)]],
    [
      "IN THE YAML",
      table([
        ["path", manual.path],
        ["form", manual.form.join("; ")],
        ["address", manual.address]
      ])
    ],
    ["NATURAL KEY", text(manual.key)],
    ["FIELDS", fieldLines(manual.fields, style, width)],
    ["WHEN ITS BLOCK IS REMOVED", text(manual.removal.words)],
    ["REPLACEMENT", text(manual.replacement)],
    ["LIMITS", manual.limits.flatMap(({ words }) => text(words))],
    ["ORDER", manual.order.flatMap(text)],
    ["KEYS WITH $", table(manual.metaKeys.map(({ key, takes, does }) => [`${key}: ${takes}`, does]))],
    ["EXAMPLE", exampleLines(manual, table(manual.exampleAddresses.map((address) => ["declares", address])))],
    ["REQUESTS", table(manual.requests.map(({ endpoint, when }) => [when.join(", "), endpoint]))],
    ["SEE ALSO", table(manual.related.map(({ kind, path, why }) => [kind, `${path}: ${why}`]))]
  ];
  return sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => [style.strong(title), ...lines].join("\n")).join("\n\n");
}
function exampleLines({ example }, declared) {
  if (example === void 0) return [];
  const yaml = example.trimEnd().split("\n");
  return [...yaml.map((line) => `  ${line}`.trimEnd()), "", ...declared];
}
function fieldLines(fields, style, width) {
  const rows = fields.flatMap((field) => rowsOf(field, 1));
  return labelled(
    rows.map(({ label, field }) => ({
      label,
      paint: style.strong,
      cells: [
        { text: [field.type, presence(field), ...nullWords(field)].join("; ") },
        { text: field.doc ?? "" },
        { text: sentence(field.traits.join("; ")), paint: style.quiet }
      ]
    })),
    width
  );
}
var rowsOf = (field, depth) => [
  { label: "  ".repeat(depth) + field.name, field },
  ...(field.members ?? []).flatMap((member) => rowsOf(member, depth + 1))
];
var sentence = (text) => text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}.`;
var presence = (field) => {
  if (field.presence === "key") return "the key of the map";
  return field.default === void 0 ? field.presence : `${field.presence}, ${JSON.stringify(field.default)} by default`;
};
var nullWords = (field) => field.null === void 0 ? [] : [field.null === "reset" ? "null resets it" : "may be null"];

// src/cli/kinds.ts
function kindsCommand(command, provider, run) {
  withColor(command).argument("[name]", "a kind, or its section in the YAML").option("--coverage", "show which API operations the kinds use").option("--json", "print one JSON document").action(async (name, options) => {
    const terminal = terminalFor(run, options);
    const kinds = kindsOf(provider.kinds);
    const print = (data, text) => terminal.out(
      options.json ? jsonText({ formatVersion: "1.0", ...data }) : text(data, { style: terminal.outStyle })
    );
    if (options.coverage && name !== void 0)
      throw new Problems([
        problem("kinds/usage", "--coverage covers all kinds and takes no name", {
          hint: `\`trueup kinds ${name}\` shows the requests of one kind`
        })
      ]);
    if (options.coverage) print(await coverage(provider, kinds), coverageText);
    else if (name === void 0)
      print({ kinds: kindList(kinds) }, (data, style) => kindListText(data.kinds, style));
    else {
      const kind = kindNamed(kinds, name);
      print(kindManual(kinds, kind, await exampleAddresses(kinds, kind)), kindManualText);
    }
  });
}
async function coverage({ operations, lookups, dayTwo }, kinds) {
  const all = [...kinds.values()].map((kind) => ({ kind, requests: requestsOf(kind) }));
  return coverageOf(await operations(), all, lookups, { dayTwo: await dayTwo() });
}
var loadExample = (kinds, kind) => load({ kinds, cwd: ".", env: {}, text: `stack: example
${exampleOf(kinds, kind)}
` });
async function exampleAddresses(kinds, kind) {
  if (kind.example === void 0) return [];
  const { resources } = (await loadExample(kinds, kind)).desired;
  return [...resources.values()].filter((one) => one.kind === kind.name).map(({ address }) => address);
}
function kindNamed(kinds, name) {
  const [found, ...others] = kindsNamed(kinds, name);
  if (!found) {
    const near = closest(
      name,
      [...kinds.values()].flatMap(({ name: name2, section }) => [name2, section])
    );
    throw new Problems([
      problem("kinds/unknown", `there is no kind ${quoted(name)}`, {
        hint: near === void 0 ? "`trueup kinds` lists all" : `did you mean \`${near}\`?`
      })
    ]);
  }
  if (others.length > 0)
    throw new Problems([
      problem("kinds/ambiguous", `${quoted(name)} is the section of several kinds`, {
        hint: [found, ...others].map(({ kind, path }) => `\`${kind}\` (${path})`).join(", or ")
      })
    ]);
  return kinds.get(found.kind);
}
return{exampleAddresses:exampleAddresses,kindsCommand:kindsCommand,loadExample:loadExample};})();exports.part_S42Q7PDU=part_S42Q7PDU;
