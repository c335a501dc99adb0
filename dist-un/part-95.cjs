"use strict";const part_T5M5UDUZ=(()=>{const {
  fieldValue,
  fieldsOf,
  noteOf
}=require("./part-98.cjs").part_KXVMPP7T;const {
  comparedSides,
  valueDiff
}=require("./part-98.cjs").part_KYSAZ52L;const {
  show,
  showName
}=require("./part-88.cjs").part_RDEMRLSM;const {
  isHiddenField
}=require("./part-106.cjs").part_HLUFGGLM;const {
  breakUp,
  cut,
  cutPair,
  displayWidth,
  fold,
  wrap
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine,
  errorLines
}=require("./part-80.cjs").part_D2V2PUP6;;
;
;
;
;
;

// src/report/markdown/forms.ts
var longestRun = (text) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
function fence(lines, language) {
  const text = lines.join("\n");
  const ticks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}
${text}
${ticks}`;
}
function code(text) {
  const line = cleanLine(text).trim() || " ";
  const ticks = "`".repeat(longestRun(line) + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return ticks + space + line + space + ticks;
}
var htmlText = (text) => cleanLine(text).replace(/[&<>"'`@#]/g, (char) => `&#${char.charCodeAt(0)};`);
var htmlCode = (text) => `<code>${htmlText(text)}</code>`;
var start = "<!-- trueup:plan:";
var stackMarker = (stack) => `${start}${stack.replace(/[^\w.-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)} -->`;
function markerIn(text) {
  const [line = ""] = text.split("\n", 1);
  return line.startsWith(start) && line.trimEnd().endsWith(" -->") ? line.trimEnd() : void 0;
}
var commentLimit = 65536;
var plainPlaces = { locate: (file) => file };
function placeText({ file, line, column }, { locate }) {
  return cleanLine([locate(file), line, ...column === void 0 ? [] : [column]].join(":"));
}
function placeLink({ file, line }, places) {
  const path = places.locate(file);
  const text = code(`${cleanLine(path)}:${line}`);
  const url = places.url?.(path, line);
  return url === void 0 ? text : `[${text}](${url})`;
}
function placeHtml({ file, line }, places) {
  const path = places.locate(file);
  const text = htmlCode(`${cleanLine(path)}:${line}`);
  const url = places.url?.(path, line);
  return url === void 0 ? text : `<a href="${htmlText(url)}">${text}</a>`;
}
var sizeOf = (text) => new TextEncoder().encode(text).length;
var urgentShare = 0.6;
var between = 2;
function withinRoom(pieces, room) {
  const chosen = pieces.map(() => void 0);
  const sizes = pieces.map(({ forms }) => forms.map((form) => sizeOf(form) + between));
  let used = 0;
  const take = (formOf, limit, only) => {
    for (const [at, piece] of pieces.entries()) {
      const form = formOf(piece.forms);
      const old = chosen[at];
      if (!only(piece) || old !== void 0 && old <= form) continue;
      const more = sizes[at][form] - (old === void 0 ? 0 : sizes[at][old]);
      if (used + more > limit) continue;
      used += more;
      chosen[at] = form;
    }
  };
  const longest = () => 0;
  take(longest, room * urgentShare, ({ urgent }) => urgent);
  take(
    (forms) => forms.length - 1,
    room,
    () => true
  );
  const steps = Math.max(0, ...pieces.map(({ forms }) => forms.length - 1));
  for (let step = 1; step <= steps; step++)
    take(
      (forms) => Math.max(0, forms.length - 1 - step),
      room,
      () => true
    );
  return chosen;
}

// src/report/markdown/diff-lines.ts
var columns = 80;
function signed(sign, text) {
  const safe = sign === " " && /^\s*::/.test(text) ? `| ${text}` : text;
  return breakUp(safe, columns - 2, "  ").map((line) => `${sign} ${line}`.trimEnd());
}
var commented = (text) => wrap(cleanLine(text), columns - 2).flatMap((line) => signed("#", line));
function fieldDiff(field, action, context) {
  const whole = action === "create" ? "+" : action === "delete" ? "-" : void 0;
  const { before, after, cause } = field;
  const label = `${showName(field.path, "plain")}:`;
  const note = noteOf(field, context);
  const isOne = isHiddenField(field) || cause === "recorded" || cause === "released" || before === void 0 || after === void 0;
  if (!isOne) return changed(label, before, after, note);
  const isShown = !isHiddenField(field) && cause !== "recorded" && cause !== "released";
  const sign = whole ?? (isShown ? after === void 0 ? "-" : "+" : "!");
  const room = Math.max(20, columns - 2 - displayWidth(label) - 1);
  const { beside, below } = fieldValue(field, isShown, context, { room, width: columns - 2 });
  return noted(
    [
      ...signed(sign, beside ? `${label} ${beside.text}` : label),
      ...below.flatMap(({ text }) => signed(sign, text))
    ],
    note
  );
}
function noted(lines, note) {
  if (note === void 0) return lines;
  const last = `${lines.at(-1)}  # ${note}`;
  return displayWidth(last) <= columns ? [...lines.slice(0, -1), last] : [...lines, ...commented(note)];
}
function changed(label, before, after, note) {
  const sides = comparedSides(before, after);
  const [a, b] = [show(sides[0]), show(sides[1])];
  if (a === b) return noted(signed("!", `${label} ${a} (a secret in it changes)`), note);
  const isText = [before, after].some((value) => typeof value === "string" && value.includes("\n"));
  const room = columns - 2 - displayWidth(label) - 1;
  const isShort = [a, b].every((text) => displayWidth(text) <= room);
  const isScalar = sides.every((value) => typeof value !== "object" || value === null);
  if (!isText && (isShort || isScalar)) {
    const pair = cutPair(a, b, Math.max(20, room));
    return noted([...signed("-", `${label} ${pair[0]}`), ...signed("+", `${label} ${pair[1]}`)], note);
  }
  const lines = valueDiff(sides[0], sides[1], columns - 4);
  return [
    ...noted(signed("!", label), note),
    ...lines.flatMap(({ mark, text }) => signed(mark === "|" || mark === "~" ? " " : mark, text))
  ];
}
var most = 40;
function fieldsDiff(change, but, context) {
  const fields = fieldsOf(change).filter(({ path }) => !but.has(path));
  const more = fields.length - most;
  return [
    ...fields.slice(0, most).flatMap((field) => fieldDiff(field, change.action, context)),
    ...more > 0 ? [`# ... ${more} more ${more === 1 ? "field" : "fields"}`] : []
  ];
}
var longestLine = 400;
var mostLines = 10;
function diagnosticForms(diagnostic, places) {
  const { message, hint } = errorLines(diagnostic);
  const { severity, at, address } = diagnostic;
  const sign = severity === "error" ? "- Error:" : "! Warning:";
  const isLink = at !== void 0 && places.url?.(places.locate(at.file), at.line) !== void 0;
  const place = isLink ? void 0 : at ? placeText(at, places) : address && cleanLine(address);
  const folded = (all, indent) => all.flatMap((line) => fold(cut(line, longestLine), columns, indent));
  const lines = [
    `${sign} ${message[0]}`,
    ...message.slice(1, mostLines).map((line) => `  ${line}`),
    ...place ? [`  at ${place}`] : []
  ];
  const next = hint.slice(0, mostLines).map((line, index) => `  ${index === 0 ? `-> ${line}` : line}`);
  const block = fence([...folded(lines, "  "), ...folded(next, "     ")], "diff");
  return [
    [...isLink ? [`At ${placeLink(at, places)}:`] : [], block].join("\n\n"),
    fence([cut(lines[0], 160)], "diff")
  ];
}

return{fence:fence,code:code,htmlText:htmlText,htmlCode:htmlCode,stackMarker:stackMarker,markerIn:markerIn,commentLimit:commentLimit,plainPlaces:plainPlaces,placeLink:placeLink,placeHtml:placeHtml,sizeOf:sizeOf,withinRoom:withinRoom,columns:columns,signed:signed,commented:commented,fieldsDiff:fieldsDiff,diagnosticForms:diagnosticForms};})();exports.part_T5M5UDUZ=part_T5M5UDUZ;
const part_HSR2BE55=(()=>{const {
  code,
  columns,
  commentLimit,
  commented,
  diagnosticForms,
  fence,
  fieldsDiff,
  htmlCode,
  htmlText,
  placeHtml,
  placeLink,
  plainPlaces,
  signed,
  sizeOf,
  stackMarker,
  withinRoom
}=part_T5M5UDUZ;const {
  summaryWords
}=require("./part-98.cjs").part_5A6JLBTE;const {
  markerOf,
  moveTexts,
  planContext,
  reasonOf,
  sectionsOf
}=require("./part-98.cjs").part_2FV4FG47;const {
  adoptedText,
  foldChanges,
  nameOf,
  namesOf,
  rootOf,
  splitAdopted,
  variedText
}=require("./part-98.cjs").part_D3ZWYSLF;const {
  accountText,
  changedByTexts,
  conflictText,
  guardsTexts,
  newSources,
  permissionTexts,
  renewedTexts,
  sourceTexts,
  sourcesOfChanges,
  sourcesTitle,
  unmanagedTexts,
  waitingTexts,
  waitingTitle
}=require("./part-88.cjs").part_Y562VKV4;const {
  actionTexts,
  actionsTitle,
  followingTexts
}=require("./part-88.cjs").part_GVLOUSOT;const {
  styleFor
}=require("./part-80.cjs").part_LGUCBGM4;const {
  asksForNothing
}=require("./part-80.cjs").part_YAMT22MG;const {
  durationOf,
  readsText,
  waitLines
}=require("./part-88.cjs").part_M4ULKWWU;const {
  summaryOf
}=require("./part-106.cjs").part_LKZTNYVU;const {
  showName
}=require("./part-88.cjs").part_RDEMRLSM;const {
  byAddress
}=require("./part-106.cjs").part_BACZRMMV;const {
  countOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;const {
  byKey,
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  flow
}=require("./part-80.cjs").part_6VCGJOTY;const {
  cleanLine
}=require("./part-80.cjs").part_D2V2PUP6;;
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

// src/report/markdown/by-project.ts
var words = {
  create: "to create",
  adopt: "to adopt",
  update: "to update",
  replace: "to replace",
  move: "to move",
  release: "to stop managing",
  forget: "to stop managing",
  delete: "to delete"
};
function countsOf(changes) {
  const sorts = [...new Set(Object.values(words))];
  return sorts.map((word) => ({ word, number: countOf(changes.filter(({ action }) => words[action] === word)) })).filter(({ number }) => number > 0).map(({ word, number }) => `${number} ${word}`).join(", ");
}
var shares = [1, 0.5, 0.25, 0.1, 0];
function foldedByProject(entries, context, { places, isOpen }) {
  const start = isOpen ? "<details open>" : "<details>";
  const groups = groupBy(entries, (entry) => rootOf(entry) ?? "");
  return [...groups].map(([root, own]) => {
    const changes = own.flatMap(({ wholes }) => wholes.flat());
    const forms = own.map((entry) => changeForms(entry, context, places));
    const number = own.reduce((sum, { wholes }) => sum + wholes.length, 0);
    if (own.length === 1) {
      const { folded, line } = forms[0];
      return {
        forms: [folded.replace("<details>", start), line],
        changes: number,
        untold: [0, folded === line ? 0 : number]
      };
    }
    const title = root === "" ? "in several places" : htmlCode(root);
    const summary = `${start}<summary>${title}: ${countsOf(changes)}</summary>`;
    const whole = forms.reduce((sum, { open: open2 }) => sum + sizeOf(open2), 0);
    const texts = shares.map((share) => {
      let room = whole * share;
      let untold = 0;
      const members = forms.map(({ open: open2, line }, at) => {
        room -= sizeOf(open2);
        if (room >= 0 || share === 1) return open2;
        untold += own[at].wholes.length;
        return line;
      });
      return { text: [summary, listed(members), "</details>"].join("\n\n"), untold };
    });
    const counted = `- ${root === "" ? "in several places" : htmlCode(root)}: ${countsOf(changes)}`;
    return {
      forms: [...texts.map(({ text }) => text), counted],
      changes: number,
      untold: [...texts.map(({ untold }) => untold), number]
    };
  });
}
var listed = (texts) => texts.reduce((all, text) => {
  if (all === "") return text;
  const isList = text.startsWith("- ") && all.split("\n").at(-1).startsWith("- ");
  return `${all}${isList ? "\n" : "\n\n"}${text}`;
}, "");
var mostNames = 100;
function changeForms(entry, context, places) {
  const { change, wholes } = entry;
  const { sign, means } = markerOf(change, context);
  const { count: count2, name, places: units } = namesOf(entry);
  const all = wholes.flat().map(({ at: at2 }) => at2);
  const [at] = all;
  const isOnePlace = at !== void 0 && all.every((one) => one?.file === at.file && one.line === at.line);
  const number = count2 === void 0 ? "" : `${count2} x `;
  const where = units.length > 0 ? ` [${units.map(cleanLine).join(", ")}]` : "";
  const link = isOnePlace ? ` at ${placeLink(at, places)}` : "";
  const title = `${code(sign)} ${number}${code(cleanLine(name))}${where === "" ? "" : ` ${code(where.trim())}`}`;
  const line = `- ${title}${link}`;
  const body = bodyLines(entry, context);
  const open2 = `${title} (${means}, ${isWord(change.kind) ? change.kind : code(change.kind)})${link}`;
  if (body.length === 0) return { open: open2, folded: line, line };
  const block = fence(body, "diff");
  const about = htmlText([means, change.kind].join(", "));
  const summary = `${htmlCode(sign)} ${number}${htmlCode(name)}${htmlText(where)} (${about})${isOnePlace ? ` at ${placeHtml(at, places)}` : ""}`;
  return {
    open: `${open2}

${block}`,
    folded: `<details><summary>${summary}</summary>

${block}

</details>`,
    line
  };
}
var isWord = (text) => /^[A-Za-z]\w*$/.test(text);
var signs = { create: "+", delete: "-" };
function bodyLines(entry, context) {
  const { change, varied, wholes } = entry;
  const { grade, gradeReason, action } = change;
  const names = wholes.length > 1 ? wholes.map((whole) => cleanLine(nameOf(whole))) : [];
  const shown = names.slice(0, mostNames);
  const more = names.length - shown.length;
  return [
    ...[...reasonOf(change), ...changedByTexts(context.changedBy.get(change.address))].flatMap(commented),
    ...grade === "safe" ? [] : commented([grade, gradeReason].filter(Boolean).join(": ")),
    ...moveTexts(change).flatMap(commented),
    ...fieldsDiff(change, varied, context),
    ...[...varied].flatMap((path) => {
      const label = `${showName(path, "plain")}: `;
      return signed(signs[action] ?? "!", label + variedText(entry, path, columns - 2 - label.length));
    }),
    ...flow(
      shown.map((name, at) => at < shown.length - 1 ? `${name},` : name),
      " ",
      columns - 2
    ).flatMap((line) => signed("#", line)),
    ...more > 0 ? [`# ... and ${more} more`] : []
  ];
}

// src/report/markdown/plan-markdown.ts
var reserved = 2e3;
var open = /* @__PURE__ */ new Set(["irreversible", "destructive", "exclusive", "conflict"]);
var few = 3;
function planMarkdown(plan, pace, limit = commentLimit, places = plainPlaces) {
  const head = [stackMarker(plan.stack), ...headLines(plan, pace)];
  const parts = partsOf(plan, places);
  const chosen = withinRoom(parts, limit - reserved - sizeOf(head.join("\n\n")));
  const sections = [...groupBy(parts.keys(), (at) => parts[at].heading)].map(
    ([heading, indices]) => [`#### ${heading}`, listed(indices.flatMap((at) => parts[at].forms[chosen[at] ?? -1] ?? []))].filter((text) => text !== "").join("\n\n")
  );
  return `${[...head, ...sections, ...restLines(parts, chosen)].join("\n\n")}
`;
}
function partsOf(plan, places) {
  const context = planContext(plan, { style: styleFor({ color: false, width: 100 }), requests: false });
  const told = (severity, title) => {
    const own = plan.diagnostics.filter((one) => one.severity === severity);
    const heading = `${title} (${own.length})`;
    return own.map((one) => ({
      heading,
      forms: diagnosticForms(one, places),
      urgent: severity === "error",
      changes: 0
    }));
  };
  const sections = sectionsOf([...plan.changes].sort(byAddress), context.carriers).map((section) => {
    const { adopted, others } = splitAdopted(section.changes, { sent: context.carriers });
    const entries = foldChanges(others, { sent: context.carriers, all: context.all });
    return { ...section, adopted, entries };
  });
  const number = sections.reduce((sum, { name, entries }) => sum + (open.has(name) ? 0 : entries.length), 0);
  const changes = sections.flatMap(({ name, title, urgent, changes: own, adopted, entries }) => {
    const heading = `${title} (${countOf(own)})`;
    const told2 = open.has(name) ? entries.map((entry) => {
      const forms = changeForms(entry, context, places);
      const changes2 = entry.wholes.length;
      return { forms: [forms.open, forms.line], changes: changes2, untold: [0, changes2] };
    }) : foldedByProject(entries, context, { places, isOpen: number <= few });
    return [
      ...told2.map((part) => ({ ...part, heading, urgent })),
      ...adopted.map((one) => ({
        heading,
        forms: [`- ${code("=")} ${adoptedText(one)}`],
        urgent,
        changes: one.number
      }))
    ];
  });
  const news = newSources(plan);
  const sources = sourceTexts(news).map(
    ({ name, text }) => ({
      heading: `${sourcesTitle} (${news.length})`,
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: true,
      changes: 0
    })
  );
  const usual = sourceTexts(sourcesOfChanges(plan.changes, plan)).map(
    ({ name, text }) => ({
      heading: "Read for these changes",
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: false,
      changes: 0
    })
  );
  const notReady = waitingTexts(plan);
  const waiting = notReady.map(
    ({ name, text }) => ({
      heading: `${waitingTitle} (${notReady.length})`,
      forms: [`- ${code(name)}: ${code(text)}`],
      urgent: false,
      changes: 0
    })
  );
  const texts = actionTexts(plan);
  const following = texts.map(
    ({ name, text, isOpen }) => ({
      heading: `${actionsTitle} (${texts.length})`,
      forms: [`- ${isOpen ? `**${code(name)}**` : code(name)}${text === "" ? "" : `: ${code(text)}`}`],
      urgent: isOpen,
      changes: 0
    })
  );
  return [
    ...told("error", "Errors"),
    ...sources,
    ...changes,
    ...following,
    ...usual,
    ...waiting,
    ...told("warning", "Warnings")
  ];
}
function restLines(parts, chosen) {
  const number = (of) => parts.reduce((sum, part, at) => sum + of(part, chosen[at]), 0);
  const absent = number(({ changes }, form) => form === void 0 ? changes : 0);
  const untold = number(({ changes }, form) => form === void 0 ? Number(changes === 0) : 0);
  const isShort = (form) => form !== void 0 && form > 0;
  const short = number(({ untold: untold2 }, form) => isShort(form) ? untold2?.[form] ?? 0 : 0);
  const shortTold = number(({ changes }, form) => Number(isShort(form) && changes === 0));
  const left = [
    ...absent > 0 ? [count(absent, "change")] : [],
    ...untold > 0 ? [count(untold, "problem")] : [],
    ...short > 0 ? [`details of ${count(short, "change")} above`] : [],
    ...shortTold > 0 ? [`details of ${count(shortTold, "problem")} above`] : []
  ];
  return left.length > 0 ? [`**Truncated: ${left.join(", ")}.** \`trueup plan\` and \`trueup show\` show everything.`] : [];
}
function headLines(plan, pace) {
  const errors = plan.diagnostics.filter(({ severity }) => severity === "error").length;
  return [
    `### trueup plan: ${[plan.stack, ...accountText(plan)].map(code).join(", ")}`,
    ...errors > 0 ? [`**This cannot be applied: ${count(errors, "error")}.**`] : [],
    ...plan.complete ? [] : ["**This plan is incomplete: not everything could be read.**"],
    ...plan.partial ? ["Only part of the stack was planned."] : [],
    asksForNothing(plan) ? [nothingText(plan, errors), ...readsText(plan)].join(" ") : [
      `**Plan: ${[summaryWords(summaryOf(plan)), ...followingTexts(plan)].join(", ")}.** ${requestText(plan, pace)}`,
      ...readsText(plan)
    ].join(" "),
    ...permissionTexts(plan.changes).map((text) => `**${text}**`),
    ...conflictText(plan.changes).map((text) => `**${text}**`),
    ...waitLines(plan, pace, Number.POSITIVE_INFINITY),
    ...unmanagedLines(plan),
    ...renewedTexts(plan),
    ...guardsTexts(plan)
  ];
}
function nothingText({ partial, complete }, errors) {
  if (errors > 0 || !complete) return "Nothing is planned until this is fixed.";
  return partial ? "**No changes** in that part." : "**No changes.** The account matches the configuration.";
}
function requestText(plan, pace) {
  const requests = plan.operations.flatMap((operation) => operation.requests);
  if (requests.length === 0) return "Nothing is sent; this is only recorded.";
  const methods = groupBy(requests, ({ endpoint }) => endpoint.split(" ", 1)[0]);
  const counts = [...methods].sort(byKey).map(([method, all]) => `${all.length} ${method}`);
  return `${count(requests.length, "request")}: ${counts.join(", ")}${durationOf(plan, pace)}.`;
}
function unmanagedLines(plan) {
  const counts = unmanagedTexts(plan, code);
  return counts.length === 0 ? [] : [`Not managed here, left alone: ${counts.join(", ")}.`];
}

return{planMarkdown:planMarkdown};})();exports.part_HSR2BE55=part_HSR2BE55;
const part_BLVQ66GF=(()=>{const {
  code,
  commentLimit,
  diagnosticForms,
  plainPlaces,
  sizeOf,
  stackMarker,
  withinRoom
}=part_T5M5UDUZ;const {
  count
}=require("./part-106.cjs").part_J6NNXEVI;;
;

// src/report/markdown/failure-markdown.ts
var failureFrame = 500;
function failureMarkdown({ command, done, stack, diagnostics }, limit = commentLimit, places = plainPlaces) {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const head = [
    ...stack === void 0 ? [] : [stackMarker(stack)],
    stack === void 0 ? heading(command) : `${heading(command)}: ${code(stack)}`,
    `**This could not be ${done}: ${count(errors.length, "error")}.**`
  ];
  const pieces = errors.map((error) => ({ forms: diagnosticForms(error, places), urgent: false }));
  const chosen = withinRoom(pieces, limit - failureFrame - sizeOf(head.join("\n\n")));
  const told = pieces.flatMap(({ forms }, at) => forms[chosen[at] ?? -1] ?? []);
  const left = errors.length - told.length;
  const rest = left > 0 ? [`**Truncated: ${count(left, "error")}.**`] : [];
  return `${[...head, ...told, ...rest].join("\n\n")}
`;
}
var heading = (command) => `### trueup ${command}`;
var isNameless = (text) => ["plan", "apply"].map(heading).includes(text.split("\n", 1)[0].trimEnd());

return{failureMarkdown:failureMarkdown,isNameless:isNameless};})();exports.part_BLVQ66GF=part_BLVQ66GF;
