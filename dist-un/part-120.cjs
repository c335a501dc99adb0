"use strict";const part_7QH4ILEF=(()=>{const {
  moveTexts,
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
  fieldsOf,
  secretText
}=require("./part-98.cjs").part_KXVMPP7T;const {
  bothLines,
  comparedSides,
  diffWordsWithSpace,
  linesOf,
  structuredPatch
}=require("./part-98.cjs").part_KYSAZ52L;const {
  accountText,
  changedByTexts,
  conflictText,
  fieldsWith,
  guardsTexts,
  newSources,
  permissionTexts,
  renewedTexts,
  sourceTexts,
  sourcesMean,
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
  isDrift
}=require("./part-80.cjs").part_YAMT22MG;const {
  durationOf,
  lineOf,
  readsText,
  waitLines
}=require("./part-88.cjs").part_M4ULKWWU;const {
  carriersIn,
  changedText,
  sentIn,
  summaryOf
}=require("./part-106.cjs").part_LKZTNYVU;const {
  layOut,
  show,
  showName
}=require("./part-88.cjs").part_RDEMRLSM;const {
  isHiddenField,
  makesObject
}=require("./part-106.cjs").part_HLUFGGLM;const {
  byAddress
}=require("./part-106.cjs").part_BACZRMMV;const {
  countOf
}=require("./part-106.cjs").part_AQPNOW65;const {
  count,
  listed
}=require("./part-106.cjs").part_J6NNXEVI;const {
  groupBy
}=require("./part-106.cjs").part_4N2HH7U7;const {
  cut,
  cutPair,
  displayWidth
}=require("./part-80.cjs").part_6VCGJOTY;const {
  clean,
  cleanLine,
  errorLines,
  visible
}=require("./part-80.cjs").part_D2V2PUP6;const {
  isRef
}=require("./part-80.cjs").part_DGIOX4B4;const { hash }=require("node:crypto");;
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

// src/report/html/page.ts
;

// src/report/html/markup.ts
var Markup = class {
  text;
  constructor(text) {
    this.text = text;
  }
};
function html(texts, ...parts) {
  return new Markup(String.raw({ raw: texts }, ...parts.map(textOf)));
}
var escapeHtml = (text) => visible(text).replace(/[&<>"'`]/g, (char) => `&#${char.charCodeAt(0)};`);
function textOf(part) {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join("");
  return part === void 0 || part === false ? "" : escapeHtml(String(part));
}
var grades = ["irreversible", "destructive", "disruptive", "safe"];
var actions = [
  { action: "create", sign: "+", verb: "create" },
  { action: "adopt", sign: "=", verb: "adopt" },
  { action: "update", sign: "~", verb: "update" },
  { action: "replace", sign: "\xB1", verb: "replace" },
  { action: "move", sign: ">", verb: "move" },
  { action: "release", sign: ".", verb: "stop managing" },
  { action: "forget", sign: ".", verb: "forget" },
  { action: "delete", sign: "\u2212", verb: "delete" }
];
var causes = [
  { cause: "conflict", label: "conflict", means: "changed outside and here" },
  { cause: "drift", label: "drift", means: "changed outside, this puts it back" },
  { cause: "unknown", label: "edit or drift", means: "what was last applied is unknown" },
  { cause: "unverified", label: "unverified", means: "a secret that cannot be compared" },
  { cause: "edit", label: "edit", means: "changed in the configuration" },
  { cause: "released", label: "no longer managed", means: "it stays as it is" },
  { cause: "recorded", label: "recorded", means: "already set; only the ledger is updated" }
];
function causeOf(change) {
  const found = change.fields.map(({ cause }) => cause);
  const named = isDrift(change) && !found.includes("conflict") ? ["drift"] : found;
  return causes.find(({ cause }) => named.includes(cause)) ?? causes.find(({ cause }) => cause === "edit");
}

// src/report/html/field.ts
var width = 60;
var most = 16;
function fieldEntry(field, action, notYet) {
  const name = showName(field.path, "plain");
  return html`
<div class="field"><dt><code>${name}</code></dt>
<dd>${valueText(field, action, name)}${notesOf(field, notYet)}</dd></div>`;
}
var variedEntry = (path, text) => html`
<div class="field"><dt><code>${showName(path, "plain")}</code></dt>
<dd><code>${text}</code> <span class="note">differs</span></dd></div>`;
function notesOf({ cause, replaces, after }, notYet) {
  const { label, means } = causes.find((one) => one.cause === cause);
  return [
    ...cause === "edit" ? [] : [html`<span class="cause ${cause}">${label}</span> ${means}`],
    ...replaces ? [html`cannot be changed in place`] : [],
    ...isRef(after) && notYet.has(after.$ref) ? [html`known after apply`] : []
  ].map((note) => html` <span class="note">${note}</span>`);
}
function valueText(field, action, name) {
  const { cause } = field;
  const [before, after] = comparedSides(field.before, field.after);
  if (isHiddenField(field)) return html`<em>${secretText(field)}</em>`;
  const isWhole = (action === "create" || action === "delete") && (before === void 0 || after === void 0);
  if (isWhole || cause === "recorded" || cause === "released")
    return oneValue(after === void 0 ? before : after);
  const [a, b] = [show(before), show(after)];
  if (a === b) return html`<code>${a}</code> <em>(a secret in it changes)</em>`;
  const isText = [before, after].some((value) => typeof value === "string" && value.includes("\n"));
  if (!isText && displayWidth(a) + displayWidth(b) <= width)
    return html`<span class="unseen">before </span><del>${a}</del> <span aria-hidden="true">→</span><span class="unseen"> after </span> <ins>${b}</ins>`;
  return difference(...bothLines(before, after, width), name);
}
function oneValue(value) {
  const isText = typeof value === "string" && value.includes("\n");
  const lines2 = isText || typeof value === "object" && value !== null ? linesOf(value, width) : [show(value)];
  if (lines2.length === 1) return html`<code>${lines2[0]}</code>`;
  const block = html`<pre>${lines2.map((line) => html`<span>${line}\n</span>`)}</pre>`;
  if (lines2.length <= most) return block;
  return html`<details class="more"><summary>${lines2.length} lines</summary>${block}</details>`;
}
var difference = (before, after, name) => html`
<table class="difference">
<caption class="unseen">${name}: before and after</caption>
<colgroup><col class="line"><col><col class="line"><col></colgroup>
<thead class="unseen"><tr><th scope="col">Line before</th><th scope="col">Before</th><th scope="col">Line after</th><th scope="col">After</th></tr></thead>
<tbody>${sideBySide(before, after).map(rowOf)}
</tbody>
</table>`;
function rowOf(row) {
  if (row.type === "skipped")
    return html`
<tr class="skipped"><td colspan="4">${row.lines} equal ${row.lines === 1 ? "line" : "lines"}</td></tr>`;
  const same = row.type === "same";
  return html`
<tr${same && html` class="same"`}>${sideOf(row.before, same ? "same" : "old")}${sideOf(row.after, same ? "same" : "new")}</tr>`;
}
var signs = { old: "\u2212", new: "+", same: " " };
function sideOf(side, type) {
  if (!side) return html`<td class="none"></td><td class="none"></td>`;
  const text = side.pieces.map((piece) => pieceOf(piece, type));
  return html`<td class="line ${type}">${side.line}</td><td class="${type}"><span class="sign">${signs[type]} </span>${text}</td>`;
}
function pieceOf({ text, differs }, type) {
  if (!differs) return html`${text}`;
  return type === "old" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
}
var context = 3;
var longest = 4e3;
function sideBySide(before, after) {
  const [a, b] = [before, after].map((lines2) => lines2.map((line) => `${line}
`).join(""));
  const patch = structuredPatch("", "", a, b, "", "", { context, maxEditLength: 2e3 });
  const hunks = patch?.hunks ?? [
    {
      oldStart: 1,
      newStart: 1,
      lines: [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)]
    }
  ];
  const rows = [];
  let next = 1;
  for (const { oldStart, newStart, lines: lines2 } of hunks) {
    const start = Math.max(1, oldStart);
    if (start > next) rows.push({ type: "skipped", lines: start - next });
    rows.push(...rowsOf(lines2, start, Math.max(1, newStart)));
    next = start + lines2.filter((line) => !line.startsWith("+")).length;
  }
  const rest = before.length - next + 1;
  return patch && rest > 0 ? [...rows, { type: "skipped", lines: rest }] : rows;
}
function rowsOf(lines2, oldStart, newStart) {
  const rows = [];
  let [oldLine, newLine] = [oldStart, newStart];
  for (let at = 0; at < lines2.length; ) {
    const removed = runOf("-", lines2, at);
    const added = runOf("+", lines2, at + removed.length);
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const [left, right] = compared(removed[i], added[i]);
      rows.push({
        type: "changed",
        ...left ? { before: { line: oldLine++, pieces: left } } : {},
        ...right ? { after: { line: newLine++, pieces: right } } : {}
      });
    }
    at += removed.length + added.length;
    if (removed.length + added.length > 0) continue;
    const pieces = [{ text: lines2[at++].slice(1), differs: false }];
    rows.push({
      type: "same",
      before: { line: oldLine++, pieces },
      after: { line: newLine++, pieces }
    });
  }
  return rows;
}
function runOf(mark, lines2, from) {
  const end = lines2.findIndex((line, at) => at >= from && !line.startsWith(mark));
  return lines2.slice(from, end < 0 ? void 0 : end).map((line) => line.slice(1));
}
function compared(before, after) {
  const whole = (text) => text === void 0 ? void 0 : [{ text, differs: true }];
  if (before === void 0 || after === void 0 || before.length + after.length > longest)
    return [whole(before), whole(after)];
  const parts = diffWordsWithSpace(before, after);
  const shared = parts.filter(({ added, removed }) => !added && !removed);
  if (shared.reduce((sum, { value }) => sum + value.trim().length, 0) * 3 < before.trim().length)
    return [whole(before), whole(after)];
  const side = (other) => parts.filter((part) => !part[other]).map(({ value, added, removed }) => ({ text: value, differs: added || removed }));
  return [side("added"), side("removed")];
}

// src/report/html/change.ts
function changeContext(plan, entries) {
  const fresh = entries.flatMap(({ wholes }) => wholes.flat()).filter(makesObject);
  return {
    carriers: carriersIn(plan),
    notYet: new Set(fresh.map(({ address }) => address)),
    changedBy: new Map((plan.changedBy ?? []).map((one) => [one.address, one])),
    written: /* @__PURE__ */ new Map(),
    ids: new Map(
      entries.flatMap(({ wholes }, at) => wholes.flat().map(({ address }) => [address, `change-${at + 1}`]))
    )
  };
}
function changeEntry(entry, context2, { isOpen, level }) {
  const { change, wholes, varied } = entry;
  const { address, kind, action, grade } = change;
  const { sign, verb } = wordsOf(change, context2);
  const id = context2.ids.get(address);
  const fields = fieldsOf(change);
  const reasons = reasonsOf(change, context2);
  const { count: number, name, places } = namesOf(entry);
  const about = aboutOf(entry).map((part, at) => html`${at > 0 && " \xB7 "}${part}`);
  const carriers = wholes.flat().flatMap((one) => context2.carriers.get(one.address) ?? []);
  return html`
<details class="change" id="${id}" data-action="${action}" data-risk="${grade}" data-cause="${causeOf(change).cause}" data-kind="${kind}" data-count="${wholes.length}"${isOpen && html` open`}>
<summary><span class="mark ${action}"><span aria-hidden="true">${sign}</span> ${verb}</span>
${heading(level, html`${number !== void 0 && html`<span class="number">${number} × </span>`}${addressText(name)}${places.length > 0 && html` <span class="places">[${places.map(cleanLine).join(", ")}]</span>`}`)}
<span class="about">${about}</span>${peekOf(entry)}${reasons.length > 0 && html`
<span class="why">${reasons.join(" ")}</span>`}</summary>
<div class="body">${fields.length > 0 && html`<dl>${fields.map(
    (field) => varied.has(field.path) ? variedEntry(field.path, variedText(entry, field.path)) : fieldEntry(field, action, context2.notYet)
  )}
</dl>`}${wholes.length > 1 && html`
<details class="more names"><summary>${count(wholes.length, "change")}</summary>
<ul>${wholes.map(
    (whole) => html`
<li><code>${cleanLine(nameOf(whole))}</code></li>`
  )}
</ul></details>`}${requestsOf([...new Set(carriers)], context2.written, { id, address: nameOf(wholes[0]) })}
</div></details>`;
}
var heading = (level, text) => level === 3 ? html`<h3 class="name">${text}</h3>` : html`<h4 class="name">${text}</h4>`;
function aboutOf({ change, wholes }) {
  const { kind, at, action } = change;
  const isAtOne = wholes.flat().every((one) => one.at?.file === at?.file && one.at?.line === at?.line);
  const { cause, label } = causeOf(change);
  return [
    html`${cleanLine(kind)}`,
    ...at && isAtOne ? [html`<span class="place">${cleanLine(at.file)}:${at.line}</span>`] : [],
    ...cause === "edit" && action !== "update" ? [] : [html`<span class="cause ${cause}">${label}</span>`]
  ];
}
function wordsOf({ action, address }, { carriers }) {
  if (action === "adopt" && carriers.has(address)) return { sign: "\u2248", verb: "adopt, update" };
  return actions.find((one) => one.action === action);
}
function addressText(address) {
  const parts = cleanLine(address).split("/");
  const name = parts.pop();
  return html`<code>${parts.length > 0 && html`<span class="path">${parts.map((part) => html`${part}/<wbr>`)}</span>`}${name}</code>`;
}
function reasonsOf(change, { changedBy }) {
  const { grade, gradeReason } = change;
  return [
    ...grade === "safe" && !gradeReason ? [] : [[grade, gradeReason].filter(Boolean).join(": ")],
    ...reasonOf(change),
    ...changedByTexts(changedBy.get(change.address)),
    ...moveTexts(change)
  ].map((text) => sentence(cleanLine(text)));
}
var sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
function requestsOf(operations, written, here) {
  const earlier = /* @__PURE__ */ new Map();
  const fresh = operations.filter((operation) => {
    const there = written.get(operation);
    if (there) earlier.set(there.id, there);
    else written.set(operation, here);
    return !there;
  });
  const requests = fresh.flatMap(({ requests: requests2 }) => requests2);
  return [
    [...earlier.values()].map(
      ({ id, address }) => html`
<p class="sent">Sent together with <a href="#${id}">${cleanLine(address)}</a>.</p>`
    ),
    requests.length > 0 && requestList(requests)
  ];
}
var requestList = (requests) => html`
<details class="requests"><summary>${count(requests.length, "request")}</summary>
<ol>${requests.map(requestItem)}
</ol></details>`;
function requestItem(request) {
  const { method, path } = lineOf(request);
  const body = request.body === void 0 ? [] : layOut(request.body, 88, "json");
  return html`
<li><code><b>${method}</b> ${path}</code>${body.length > 0 && html`<pre>${body.map((line) => html`<span>${line}\n</span>`)}</pre>`}</li>`;
}
var most2 = 3;
var width2 = 44;
var room = 110;
function peekOf({ change, varied }) {
  const fields = fieldsOf(change);
  if (fields.length === 0) return void 0;
  const told = [];
  let used = 0;
  for (const field of fields.slice(0, most2)) {
    const piece = pieceOf2(field, change, varied.has(field.path));
    used += piece.width;
    if (told.length > 0 && used > room) break;
    told.push(piece.text);
  }
  const more = fields.length - told.length;
  return html`
<span class="peek">${told.map((text, at) => html`${at > 0 && " "}<span class="one">${text}</span>`)}${more > 0 && html` <span class="rest">and ${more} more</span>`}</span>`;
}
var alone = (value) => comparedSides(value, value)[0];
function pieceOf2(field, { action }, isVaried) {
  const name = showName(field.path, "plain");
  const single = (value, isNote = false) => {
    const text = cut(value, width2);
    return {
      text: html`<code class="field-name">${name}</code> ${isNote ? html`<em>${text}</em>` : html`<code>${text}</code>`}`,
      width: displayWidth(name) + displayWidth(text) + 2
    };
  };
  if (isVaried) return single("differs", true);
  if (isHiddenField(field)) return single(secretText(field), true);
  const [before, after] = comparedSides(field.before, field.after);
  const isWhole = (action === "create" || action === "delete") && (before === void 0 || after === void 0);
  if (isWhole || field.cause === "recorded" || field.cause === "released")
    return single(show(alone(after === void 0 ? before : after)));
  const [a, b] = cutPair(show(before), show(after), width2).map((text) => cut(text, 2 * width2));
  if (a === b) return single("(a secret in it changes)", true);
  return {
    text: html`<code class="field-name">${name}</code> <del>${a}</del> <span aria-hidden="true">→</span><span class="unseen"> becomes </span> <ins>${b}</ins>`,
    width: displayWidth(name) + displayWidth(a) + displayWidth(b) + 6
  };
}

// src/report/html/toolbar.ts
function toolbar(changes) {
  if (changes.length < 2) return void 0;
  const kinds = [...new Set(changes.map(({ kind }) => kind))].sort();
  const action = choices(
    "Action",
    "action",
    actions.map(({ action: action2, verb }) => ({ value: action2, label: verb })),
    changes,
    ({ action: action2 }) => action2
  );
  const risk = choices(
    "Risk",
    "risk",
    grades.map((grade) => ({ value: grade, label: grade })),
    changes,
    ({ grade }) => grade
  );
  const cause = choices(
    "Cause",
    "cause",
    causes.map(({ cause: cause2, label }) => ({ value: cause2, label })),
    changes,
    (change) => causeOf(change).cause
  );
  return html`
<div class="toolbar" role="search" aria-label="Changes" hidden>
<div class="row"><label class="search"><span class="unseen">Search the changes</span><input type="search" id="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd></label>
<label class="kind"><span class="unseen">Kind</span><select id="kind"><option value="">All kinds</option>${kinds.map((kind) => html`<option value="${kind}">${cleanLine(kind)}</option>`)}</select></label></div>${(action || risk || cause) && html`
<details class="filters"><summary>Filters</summary><div class="row">${action}${risk}${cause}</div></details>`}
<div class="row tail"><p role="status" id="shown">${count(countOf(changes), "change")}</p>
<label class="chip"><input type="checkbox" id="beside" checked><span>side by side</span></label>
<button type="button" id="expand">Expand all</button><button type="button" id="collapse">Collapse all</button></div>
<p class="keys"><kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>Enter</kbd> open, close <kbd>Esc</kbd> back</p>
</div>`;
}
function choices(legend, name, values, changes, sortOf) {
  const found = new Set(changes.map(sortOf));
  const used = values.filter(({ value }) => found.has(value));
  if (used.length < 2) return void 0;
  const number = (wanted) => countOf(changes.filter((one) => sortOf(one) === wanted));
  return html`
<fieldset><legend>${legend}</legend>${used.map(
    ({ value, label }) => html`
<label class="chip"><input type="checkbox" name="${name}" value="${value}"><span>${label} <b>${number(value)}</b></span></label>`
  )}</fieldset>`;
}
var least = 4;
function groupsOf(entries) {
  if (entries.length < least) return entries.length > 0 ? [{ label: "", entries }] : [];
  const sharing = groupBy(entries, rootOf);
  const labelOf = (entry) => {
    const root = rootOf(entry);
    const isShared = root !== void 0 && sharing.get(root).length > 1;
    return isShared ? root : entry.change.address.split("/", 1)[0];
  };
  return [...groupBy(entries, labelOf)].map(([label, inIt]) => ({ label, entries: inIt }));
}
function outline(places) {
  const size = places.reduce((sum, { inside = [] }) => sum + 1 + inside.length, 0);
  if (size < 2) return void 0;
  return html`
<nav class="outline" aria-label="Outline"><details><summary>On this page</summary>${listOf(places)}</details></nav>`;
}
var listOf = (places) => html`
<ul>${places.map(
  ({ id, label, count: count2, name, inside = [] }) => html`
<li><a href="#${id}">${name !== void 0 && html`<i class="${name}" aria-hidden="true"></i>`}<span class="label">${label}</span>${count2 !== void 0 && html` <span class="count">${count2}</span>`}</a>${inside.length > 0 && listOf(inside)}</li>`
)}
</ul>`;

// src/report/html/change-sections.ts
var few = 8;
var asksForALook = (change) => change.grade !== "safe" || causeOf(change).cause === "conflict";
function changeSections(plan, sections) {
  const sent = sentIn(plan);
  const all = plan.changes.map(({ address }) => address);
  const parts = sections.map((section) => {
    const { adopted, others: others2 } = splitAdopted(section.changes, { sent });
    return { section, adopted, groups: groupsOf(foldChanges(others2, { sent, all })) };
  });
  const entries = parts.flatMap(({ groups }) => groups.flatMap((group) => group.entries));
  const context2 = changeContext(plan, entries);
  const open = new Set(
    [entries, entries.filter(({ change }) => asksForALook(change))].find(({ length }) => length <= few)
  );
  const written = parts.map(({ section, adopted, groups }) => ({
    isUrgent: section.urgent,
    part: sectionOf(
      section,
      adopted,
      groups,
      (entry, level) => changeEntry(entry, context2, { isOpen: open.has(entry), level })
    ),
    place: placeOf(section, groups)
  }));
  const others = plan.operations.filter((operation) => !context2.written.has(operation));
  const of = (wanted) => written.filter(({ isUrgent }) => isUrgent === wanted);
  return {
    urgent: of(true).map(({ part }) => part),
    usual: of(false).map(({ part }) => part),
    places: {
      urgent: of(true).map(({ place: place2 }) => place2),
      usual: of(false).map(({ place: place2 }) => place2)
    },
    others: others.length > 0 && html`
<section aria-labelledby="others"><h2 id="others">Also sent</h2>${requestList(others.flatMap(({ requests }) => requests))}</section>`
  };
}
function sectionOf({ name, title, means, changes }, adopted, groups, written) {
  const listOf2 = ({ entries }, level) => html`
<div class="list">${entries.map((entry) => written(entry, level))}
</div>`;
  return html`
<section class="changes" aria-labelledby="${name}">
<h2 id="${name}"><i class="${name}" aria-hidden="true"></i>${title} <span class="count">${countOf(changes)}</span></h2>
<p class="means">${means}</p>${adopted.map(
    (one) => html`
<p class="adopted">${cleanLine(adoptedText(one))}</p>`
  )}${groups.length > 1 ? groups.map(
    (group, at) => html`
<div class="group">
<h3 id="${name}-${at + 1}"><code>${cleanLine(group.label)}</code> <span class="count">${sizeOf(group)}</span></h3>${listOf2(group, 4)}</div>`
  ) : groups.map((group) => listOf2(group, 3))}</section>`;
}
var sizeOf = ({ entries }) => entries.reduce((sum, { wholes }) => sum + wholes.length, 0);
var placeOf = ({ name, label, changes }, groups) => ({
  id: name,
  name,
  label: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
  count: countOf(changes),
  inside: groups.length > 1 ? groups.map((group, at) => ({
    id: `${name}-${at + 1}`,
    label: cleanLine(group.label),
    count: sizeOf(group)
  })) : []
});

// raw:src/report/html/page.css
var page_default = ':root {\n  color-scheme: light;\n  --page: #f7f7f4;\n  --card: #ffffff;\n  --ink: #1c2024;\n  --quiet: #59616c;\n  --line: #e1e2dc;\n  --focus: #1f5a93;\n  --create: #17633a;\n  --create-soft: #e2f3e8;\n  --create-mark: #b5e2c6;\n  --update: #744700;\n  --update-soft: #fbf0d9;\n  --delete: #9f1f28;\n  --delete-soft: #fdeaea;\n  --delete-mark: #f7c6c6;\n  --adopt: #1f5a93;\n  --adopt-soft: #e5effa;\n  --move: #663a9b;\n  --move-soft: #f0e9fa;\n  --release: #474f5b;\n  --release-soft: #ebedf0;\n  --irreversible: #86195a;\n  --destructive: #c0362c;\n  --conflict: #d4572a;\n  --disruptive: #b87413;\n  --drift: #a08a10;\n  --safe: #3c8c60;\n  --found: #ffe27a;\n  --found-ink: #1c2024;\n}\n\n@media screen and (prefers-color-scheme: dark) {\n  :root {\n    color-scheme: dark;\n    --page: #14161a;\n    --card: #1b1e23;\n    --ink: #e5e8eb;\n    --quiet: #9ca5b0;\n    --line: #2c3138;\n    --focus: #93c3f5;\n    --create: #83d7a4;\n    --create-soft: #162b1f;\n    --create-mark: #23543a;\n    --update: #efc377;\n    --update-soft: #31260f;\n    --delete: #ffa29c;\n    --delete-soft: #361b1d;\n    --delete-mark: #6a2a2d;\n    --adopt: #93c3f5;\n    --adopt-soft: #17283b;\n    --move: #cbacf6;\n    --move-soft: #2a203d;\n    --release: #b5bdc7;\n    --release-soft: #282d33;\n    --irreversible: #e07ab8;\n    --destructive: #f07167;\n    --conflict: #f08a5d;\n    --disruptive: #dfa349;\n    --drift: #d5c04a;\n    --safe: #5cb585;\n    --found: #7a5b00;\n    --found-ink: #ffffff;\n  }\n}\n\n* {\n  box-sizing: border-box;\n}\n\nhtml {\n  font:\n    16px / 1.55 system-ui,\n    -apple-system,\n    "Segoe UI",\n    Roboto,\n    "Helvetica Neue",\n    Arial,\n    sans-serif;\n  color: var(--ink);\n  background: var(--page);\n  -webkit-text-size-adjust: 100%;\n}\n\nbody {\n  max-width: 84rem;\n  margin: 0 auto;\n  padding: 2.5rem 1.5rem 4rem;\n  overflow-wrap: anywhere;\n}\n\nh1,\nh2,\nh3,\nh4,\np,\nul,\nol,\ndl,\ndd,\npre,\nfieldset {\n  margin: 0;\n  padding: 0;\n}\n\nul,\nol {\n  list-style: none;\n}\n\ncode,\npre,\ndel,\nins,\n.place,\n.difference td {\n  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;\n  font-size: 0.8125rem;\n  unicode-bidi: isolate;\n}\n\npre {\n  white-space: pre-wrap;\n}\n\npre span {\n  unicode-bidi: isolate;\n}\n\na {\n  color: var(--adopt);\n  text-underline-offset: 0.2em;\n}\n\n:focus-visible {\n  outline: 2px solid var(--focus);\n  outline-offset: 2px;\n}\n\n[hidden]:is(*, .toolbar, .change, .chip, .group, li) {\n  display: none;\n}\n\n.unseen {\n  position: absolute;\n  width: 1px;\n  height: 1px;\n  overflow: hidden;\n  clip-path: inset(50%);\n  white-space: nowrap;\n}\n\n/* The head: what the plan amounts to. */\n\n.tool {\n  color: var(--quiet);\n  font-size: 0.875rem;\n}\n\nh1 {\n  font-size: 2rem;\n  font-weight: 650;\n  line-height: 1.2;\n  letter-spacing: -0.02em;\n}\n\n.account {\n  font-weight: 400;\n  color: var(--quiet);\n}\n\n.facts {\n  display: flex;\n  flex-wrap: wrap;\n  gap: 0.15rem 1.5rem;\n  margin-top: 0.5rem;\n  font-size: 0.875rem;\n}\n\n.facts > div > * {\n  display: inline;\n}\n\n.headline {\n  margin-top: 0.35rem;\n  font-size: 1.0625rem;\n  color: var(--quiet);\n}\n\n.counts {\n  display: flex;\n  flex-wrap: wrap;\n  gap: 0.5rem;\n  margin-top: 1.25rem;\n}\n\n.counts li {\n  padding: 0.25rem 0.75rem;\n  border-radius: 99px;\n  font-size: 0.875rem;\n}\n\n.counts .sign {\n  font-weight: 700;\n}\n\n.risk {\n  margin-top: 1.25rem;\n}\n\n.risk svg {\n  display: block;\n  width: 100%;\n  height: 0.375rem;\n  margin-bottom: 0.5rem;\n  border-radius: 99px;\n}\n\n.risk ul {\n  display: flex;\n  flex-wrap: wrap;\n  gap: 0.25rem 1.25rem;\n  font-size: 0.875rem;\n}\n\n.risk a {\n  color: inherit;\n  text-decoration-color: var(--line);\n}\n\ni {\n  display: inline-block;\n  width: 0.65em;\n  height: 0.65em;\n  margin-right: 0.5em;\n  border-radius: 0.2em;\n}\n\ni.irreversible {\n  background: var(--irreversible);\n}\n\ni.destructive,\ni.exclusive {\n  background: var(--destructive);\n}\n\ni.conflict {\n  background: var(--conflict);\n}\n\ni.disruptive {\n  background: var(--disruptive);\n}\n\ni.drift {\n  background: var(--drift);\n}\n\ni.changes {\n  background: var(--safe);\n}\n\ni.recorded {\n  background: var(--release);\n}\n\nrect.irreversible {\n  fill: var(--irreversible);\n}\n\nrect.destructive,\nrect.exclusive {\n  fill: var(--destructive);\n}\n\nrect.conflict {\n  fill: var(--conflict);\n}\n\nrect.disruptive {\n  fill: var(--disruptive);\n}\n\nrect.drift {\n  fill: var(--drift);\n}\n\nrect.changes {\n  fill: var(--safe);\n}\n\nrect.recorded {\n  fill: var(--release);\n}\n\n.remark {\n  margin-top: 0.75rem;\n  padding-left: 0.75rem;\n  border-left: 3px solid var(--disruptive);\n}\n\n/* Sections. */\n\nsection {\n  margin-top: 2.25rem;\n}\n\nh2 {\n  font-size: 1.125rem;\n  font-weight: 650;\n  scroll-margin-top: 1rem;\n}\n\nh2 .count {\n  margin-left: 0.25rem;\n  color: var(--quiet);\n  font-weight: 400;\n}\n\n.means {\n  margin-bottom: 0.75rem;\n  color: var(--quiet);\n  font-size: 0.875rem;\n}\n\n.about {\n  color: var(--quiet);\n  font-size: 0.8125rem;\n}\n\n.unchanged {\n  color: var(--quiet);\n  font-size: 0.875rem;\n}\n\n.unchanged h2 {\n  color: var(--ink);\n}\n\n/* Problems. */\n\n.problems li {\n  margin-top: 0.75rem;\n  padding: 0.875rem 1rem;\n  border: 1px solid var(--line);\n  border-left: 3px solid var(--disruptive);\n  border-radius: 0.5rem;\n  background: var(--card);\n}\n\n.problems .error {\n  border-left-color: var(--destructive);\n}\n\n.problems .severity {\n  margin-right: 0.25rem;\n  color: var(--update);\n}\n\n.problems .error .severity {\n  color: var(--delete);\n}\n\n.problems pre {\n  margin-top: 0.35rem;\n  padding: 0.35rem 0.6rem;\n  border-radius: 0.375rem;\n  background: var(--page);\n}\n\n.hint {\n  margin-top: 0.35rem;\n}\n\nmark {\n  color: inherit;\n  background: var(--update-soft);\n  text-decoration: underline;\n  text-decoration-color: var(--disruptive);\n  text-decoration-thickness: 2px;\n  text-underline-offset: 0.2em;\n}\n\n/* Search and filters. */\n\nkbd {\n  padding: 0.05rem 0.35rem;\n  border: 1px solid var(--line);\n  border-bottom-width: 2px;\n  border-radius: 0.3rem;\n  font-family: inherit;\n  font-size: 0.75rem;\n  color: var(--quiet);\n}\n\n.toolbar {\n  margin-top: 2rem;\n  padding: 1rem;\n  border: 1px solid var(--line);\n  border-radius: 0.75rem;\n  background: var(--card);\n}\n\n.row {\n  display: flex;\n  flex-wrap: wrap;\n  align-items: center;\n  gap: 0.6rem 1.5rem;\n}\n\n.row + .row {\n  margin-top: 0.85rem;\n}\n\n.filters {\n  margin-top: 0.85rem;\n  font-size: 0.875rem;\n}\n\n.filters > summary {\n  cursor: pointer;\n}\n\n.filters > .row,\n.filters + .row {\n  margin-top: 0.85rem;\n}\n\n@supports selector(::details-content) {\n  @media (min-width: 40rem) {\n    .filters > summary {\n      display: none;\n    }\n\n    .filters > .row {\n      margin-top: 0;\n    }\n\n    .filters::details-content {\n      display: block;\n      content-visibility: visible;\n    }\n  }\n}\n\n.search {\n  position: relative;\n  flex: 1 1 14rem;\n}\n\n.search input {\n  width: 100%;\n  padding-right: 2.25rem;\n}\n\n.search kbd {\n  position: absolute;\n  top: 0.5rem;\n  right: 0.6rem;\n  pointer-events: none;\n}\n\n.search input:focus + kbd,\n.search input:not(:placeholder-shown) + kbd {\n  display: none;\n}\n\n.toolbar input[type="search"],\n.toolbar select,\n.toolbar button {\n  min-height: 2.25rem;\n  padding: 0.25rem 0.75rem;\n  border: 1px solid color-mix(in srgb, var(--quiet) 55%, var(--card));\n  border-radius: 0.5rem;\n  font: inherit;\n  font-size: 0.875rem;\n  color: inherit;\n  background: var(--card);\n}\n\n.toolbar button {\n  cursor: pointer;\n}\n\n.toolbar button:hover {\n  background: var(--page);\n}\n\n.toolbar ::placeholder {\n  color: var(--quiet);\n  opacity: 1;\n}\n\nfieldset {\n  display: flex;\n  flex-wrap: wrap;\n  align-items: center;\n  gap: 0.35rem;\n  min-width: 0;\n  border: 0;\n}\n\nlegend {\n  float: left;\n  margin-right: 0.35rem;\n  padding: 0;\n  color: var(--quiet);\n  font-size: 0.875rem;\n}\n\n.chip {\n  position: relative;\n  display: inline-flex;\n  font-size: 0.875rem;\n  cursor: pointer;\n}\n\n.chip input {\n  position: absolute;\n  inset: 0;\n  width: 100%;\n  height: 100%;\n  margin: 0;\n  opacity: 0;\n  cursor: pointer;\n}\n\n.chip span {\n  padding: 0.15rem 0.7rem;\n  border: 1px solid color-mix(in srgb, var(--quiet) 55%, var(--card));\n  border-radius: 99px;\n}\n\n.chip b {\n  margin-left: 0.15rem;\n  color: var(--quiet);\n  font-weight: 400;\n}\n\n.chip input:checked + span {\n  border-color: var(--adopt);\n  color: var(--adopt);\n  background: var(--adopt-soft);\n}\n\n.chip input:checked + span::before {\n  content: "\u2713 " / "";\n}\n\n.chip input:focus-visible + span {\n  outline: 2px solid var(--focus);\n  outline-offset: 2px;\n}\n\n.tail {\n  gap: 0.6rem;\n}\n\n.tail p {\n  flex: 1 1 8rem;\n  color: var(--quiet);\n  font-size: 0.875rem;\n}\n\n.keys {\n  display: none;\n  color: var(--quiet);\n  font-size: 0.8125rem;\n}\n\n@media (hover: hover) and (min-width: 40rem) {\n  .keys {\n    display: block;\n  }\n}\n\n.keys kbd:not(:first-child) {\n  margin-left: 0.6rem;\n}\n\n.keys kbd + kbd:not(:first-child) {\n  margin-left: 0;\n}\n\n/* Changes. Of a long page, what is out of sight is not laid out; a picture of a whole page would show none of it. */\n\n.list {\n  overflow: clip;\n  border: 1px solid var(--line);\n  border-radius: 0.625rem;\n  background: var(--card);\n}\n\n.change {\n  margin-top: -1px;\n  border-top: 1px solid var(--line);\n}\n\n.long .change {\n  content-visibility: auto;\n  contain-intrinsic-size: auto 3.25rem;\n}\n\n.change > summary {\n  display: grid;\n  grid-template-columns: 0.75rem 8.75rem minmax(0, 1fr) auto;\n  align-items: baseline;\n  gap: 0.15rem 0.75rem;\n  padding: 0.6rem 0.9rem;\n  cursor: pointer;\n  list-style: none;\n}\n\n.change > summary::-webkit-details-marker {\n  display: none;\n}\n\n.change > summary:hover {\n  background: color-mix(in srgb, var(--page) 60%, var(--card));\n}\n\n.change > summary:focus-visible {\n  outline-offset: -2px;\n}\n\n.mark {\n  justify-self: start;\n  white-space: nowrap;\n  padding: 0.1rem 0.55rem;\n  border-radius: 0.375rem;\n  font-size: 0.8125rem;\n  font-weight: 600;\n}\n\n.create {\n  color: var(--create);\n  background: var(--create-soft);\n}\n\n.update {\n  color: var(--update);\n  background: var(--update-soft);\n}\n\n.delete,\n.replace {\n  color: var(--delete);\n  background: var(--delete-soft);\n}\n\n.adopt {\n  color: var(--adopt);\n  background: var(--adopt-soft);\n}\n\n.move {\n  color: var(--move);\n  background: var(--move-soft);\n}\n\n.release,\n.forget {\n  color: var(--release);\n  background: var(--release-soft);\n}\n\n.name {\n  font-size: 1rem;\n  font-weight: 600;\n  line-height: 1.4;\n}\n\n.name code {\n  font-size: 0.875rem;\n}\n\n.name .path {\n  font-weight: 400;\n  color: var(--quiet);\n}\n\n.change > summary::before {\n  content: "";\n  align-self: start;\n  margin-top: 0.5rem;\n  width: 0.4rem;\n  height: 0.4rem;\n  border: solid var(--quiet);\n  border-width: 0 1.5px 1.5px 0;\n  transform: rotate(-45deg);\n}\n\n.change[open] > summary::before {\n  transform: rotate(45deg);\n}\n\n*::highlight(found) {\n  color: var(--found-ink);\n  background-color: var(--found);\n}\n\n.cause {\n  white-space: nowrap;\n  padding: 0.05rem 0.45rem;\n  border-radius: 0.375rem;\n  color: var(--release);\n  background: var(--release-soft);\n}\n\n.cause.conflict {\n  color: var(--delete);\n  background: var(--delete-soft);\n  font-weight: 600;\n}\n\n.cause.drift {\n  color: var(--update);\n  background: var(--update-soft);\n}\n\n.why {\n  grid-column: 3 / -1;\n  color: var(--quiet);\n  font-size: 0.875rem;\n}\n\n.body {\n  padding: 0 0.9rem 0.9rem 11.9rem;\n}\n\n.field {\n  display: grid;\n  grid-template-columns: minmax(7rem, 13rem) minmax(0, 1fr);\n  gap: 0.1rem 1rem;\n  padding: 0.35rem 0;\n  border-top: 1px solid var(--line);\n}\n\n.field:has(.difference) {\n  grid-template-columns: minmax(0, 1fr);\n}\n\ndt {\n  color: var(--quiet);\n}\n\n.note {\n  display: block;\n  margin-top: 0.2rem;\n  color: var(--quiet);\n  font-size: 0.8125rem;\n}\n\ndd em {\n  color: var(--quiet);\n  font-size: 0.875rem;\n}\n\ndel,\nins {\n  padding: 0.05rem 0.25rem;\n  border-radius: 0.25rem;\n}\n\ndel {\n  color: var(--delete);\n  background: var(--delete-soft);\n}\n\nins {\n  color: var(--create);\n  background: var(--create-soft);\n  text-decoration: none;\n}\n\n/* A closed row tells its values in a line. */\n\n.peek {\n  display: flex;\n  flex-wrap: wrap;\n  gap: 0.15rem 1.25rem;\n  grid-column: 3 / -1;\n  font-size: 0.8125rem;\n}\n\n.change[open] > summary > .peek {\n  display: none;\n}\n\n.peek code,\n.peek del,\n.peek ins {\n  font-size: 0.75rem;\n}\n\n.peek .field-name,\n.peek em,\n.peek .rest {\n  color: var(--quiet);\n}\n\n.more > summary,\n.requests > summary {\n  width: fit-content;\n  color: var(--adopt);\n  font-size: 0.875rem;\n  cursor: pointer;\n}\n\n.requests,\n.sent {\n  margin-top: 0.6rem;\n  font-size: 0.875rem;\n}\n\n.requests li {\n  margin-top: 0.5rem;\n}\n\n.requests pre {\n  margin-top: 0.25rem;\n  padding: 0.5rem 0.75rem;\n  border-radius: 0.375rem;\n  background: var(--page);\n}\n\n/* The outline: beside the changes, and stays in sight; on a narrow page folded above them. */\n\n.outline {\n  margin-top: 1.5rem;\n  font-size: 0.875rem;\n}\n\n.outline > details {\n  padding: 0.6rem 0.9rem;\n  border: 1px solid var(--line);\n  border-radius: 0.625rem;\n  background: var(--card);\n}\n\n.outline summary {\n  font-weight: 600;\n  cursor: pointer;\n}\n\n.outline a {\n  display: flex;\n  align-items: baseline;\n  padding: 0.2rem 0.4rem;\n  border-radius: 0.375rem;\n  color: inherit;\n  text-decoration: none;\n}\n\n.outline a:hover {\n  background: color-mix(in srgb, var(--line) 60%, var(--page));\n}\n\n.outline i {\n  flex: none;\n}\n\n.outline .label {\n  flex: 1;\n  min-width: 0;\n}\n\n.outline .count {\n  margin-left: 0.5rem;\n  color: var(--quiet);\n  font-variant-numeric: tabular-nums;\n}\n\n.outline ul ul {\n  margin: 0 0 0.35rem 1.15em;\n}\n\n.outline ul ul a {\n  color: var(--quiet);\n}\n\n@supports selector(::details-content) {\n  @media screen and (min-width: 60rem) {\n    .frame:has(> .outline) {\n      display: grid;\n      grid-template-columns: 14rem minmax(0, 1fr);\n      gap: 2.5rem;\n    }\n\n    .outline {\n      position: sticky;\n      top: 1rem;\n      align-self: start;\n      max-height: calc(100vh - 2rem);\n      margin-top: 2rem;\n      overflow-y: auto;\n    }\n\n    .outline > details {\n      padding: 0;\n      border: 0;\n      background: none;\n    }\n\n    .outline > details > summary {\n      display: none;\n    }\n\n    .outline > details::details-content {\n      display: block;\n      content-visibility: visible;\n    }\n  }\n}\n\n/* Groups. */\n\n.group {\n  margin-top: 1.25rem;\n}\n\n.group h3 {\n  margin-bottom: 0.4rem;\n  font-size: 0.9375rem;\n  font-weight: 600;\n  scroll-margin-top: 1rem;\n}\n\n.group h3 code {\n  font-size: 0.875rem;\n}\n\n.group .count {\n  color: var(--quiet);\n  font-weight: 400;\n}\n\n.stack {\n  padding-top: 1.5rem;\n  border-top: 2px solid var(--line);\n  scroll-margin-top: 1rem;\n}\n\n/* Differences: side by side, or under each other. */\n\n.difference {\n  width: 100%;\n  margin-top: 0.25rem;\n  border-collapse: collapse;\n  table-layout: fixed;\n}\n\n.difference td {\n  padding: 0.05rem 0.5rem;\n  vertical-align: top;\n  white-space: pre-wrap;\n}\n\n.difference col.line {\n  width: 3rem;\n}\n\n.difference td.line {\n  color: var(--quiet);\n  text-align: right;\n  user-select: none;\n}\n\n.difference .old {\n  background: var(--delete-soft);\n}\n\n.difference .new {\n  background: var(--create-soft);\n}\n\n.difference .same + .same {\n  color: var(--quiet);\n}\n\n.difference .sign {\n  user-select: none;\n}\n\n.difference .none {\n  background: color-mix(in srgb, var(--page) 70%, var(--card));\n}\n\n.difference del,\n.difference ins {\n  padding: 0;\n  color: inherit;\n  text-decoration: none;\n}\n\n.difference del {\n  background: var(--delete-mark);\n}\n\n.difference ins {\n  background: var(--create-mark);\n}\n\n.difference .skipped td {\n  padding: 0.2rem 0.5rem;\n  font-family: inherit;\n  color: var(--quiet);\n  text-align: center;\n}\n\n.stacked .difference tr {\n  display: grid;\n  grid-template-columns: 3rem minmax(0, 1fr);\n}\n\n.stacked .difference .none,\n.stacked .difference .same td:nth-child(-n + 2) {\n  display: none;\n}\n\n.stacked .difference .skipped td {\n  grid-column: 1 / -1;\n}\n\n@media (max-width: 40rem) {\n  body {\n    padding: 1.25rem 0.875rem 3rem;\n  }\n\n  h1 {\n    font-size: 1.625rem;\n  }\n\n  .change > summary {\n    grid-template-columns: 0.75rem minmax(0, 1fr);\n  }\n\n  .change > summary > :not(.mark) {\n    grid-column: 2;\n  }\n\n  .body {\n    padding-left: 0.9rem;\n  }\n\n  .tail p {\n    flex-basis: 100%;\n  }\n\n  .field {\n    grid-template-columns: minmax(0, 1fr);\n  }\n\n  .chip:has(#beside) {\n    display: none;\n  }\n\n  .difference tr {\n    display: grid;\n    grid-template-columns: 2.25rem minmax(0, 1fr);\n  }\n\n  .difference .none,\n  .difference .same td:nth-child(-n + 2) {\n    display: none;\n  }\n\n  .difference .skipped td {\n    grid-column: 1 / -1;\n  }\n\n  .difference td.line {\n    padding-left: 0;\n  }\n}\n\n/* On paper everything is open, and nothing is there to be clicked. */\n\n@media print {\n  body {\n    max-width: none;\n    padding: 0;\n  }\n\n  .toolbar,\n  .outline,\n  .peek,\n  .change > summary::before {\n    display: none;\n  }\n\n  .change > summary {\n    grid-template-columns: 8.75rem minmax(0, 1fr) auto;\n  }\n\n  .change > summary > .why {\n    grid-column: 2 / -1;\n  }\n\n  .body {\n    padding-left: 10.4rem;\n  }\n\n  .change.change {\n    break-inside: avoid;\n    content-visibility: visible;\n  }\n\n  details::details-content {\n    display: block;\n    content-visibility: visible;\n  }\n}\n\n@media (prefers-reduced-motion: no-preference) {\n  html {\n    scroll-behavior: smooth;\n  }\n\n  .change > summary::before {\n    transition: transform 0.12s;\n  }\n}\n\n@media (prefers-contrast: more) {\n  :root {\n    --quiet: var(--ink);\n    --line: var(--ink);\n  }\n}\n';

// raw:src/report/html/page.js
var page_default2 = "// The page's script: search, filters and keys. Without it everything can still be read, opened and closed.\n(() => {\n  const toolbar = document.querySelector('.toolbar');\n  if (!toolbar) return;\n  toolbar.hidden = false;\n\n  const changes = [...document.querySelectorAll('.change')];\n  const parts = [...document.querySelectorAll('.group, section.changes')];\n  const links = [...document.querySelectorAll('.outline a')];\n  const search = document.getElementById('search');\n  const kind = document.getElementById('kind');\n  const shown = document.getElementById('shown');\n  const boxes = [...toolbar.querySelectorAll('fieldset input')];\n\n  // What a change says of itself: its requests are left out, since those of a batch name its siblings, too. Read when it is needed first,\n  // since it takes a moment for a large plan.\n  const texts = new Map();\n  const textOf = (change) => {\n    if (!texts.has(change)) {\n      const own = change.querySelectorAll(':scope > summary > :not(.peek), :scope > .body > dl');\n      const names = [...change.querySelectorAll('.names li')];\n      texts.set(change, {\n        own: [...own].map((part) => part.textContent.toLowerCase()).join(' '),\n        names: names.map((item) => ({ item, text: item.textContent.toLowerCase() })),\n      });\n    }\n    return texts.get(change);\n  };\n\n  const numbers = new Map();\n  /** The number of changes in an entry that have all the words. If an entry has several, the names without them are hidden. */\n  const found = (change, words) => {\n    if (words.length === 0 && !numbers.has(change)) return Number(change.dataset.count);\n    const { own, names } = textOf(change);\n    const rest = words.filter((word) => !own.includes(word));\n    let number = 0;\n    for (const { item, text } of names) {\n      const isFound = rest.every((word) => text.includes(word));\n      item.hidden = !isFound;\n      if (isFound) number++;\n    }\n    return names.length > 0 ? number : rest.length === 0 ? Number(change.dataset.count) : 0;\n  };\n\n  const chosen = (name) =>\n    new Set(boxes.filter((box) => box.name === name && box.checked).map(({ value }) => value));\n  const wordsOf = () => search.value.toLowerCase().split(/\\s+/).filter(Boolean);\n  const most = changes.reduce((sum, change) => sum + Number(change.dataset.count), 0);\n\n  const filter = () => {\n    const words = wordsOf();\n    const [actions, risks, causes] = ['action', 'risk', 'cause'].map(chosen);\n    let count = 0;\n    for (const change of changes) {\n      const { action, risk, cause, kind: itsKind } = change.dataset;\n      const number =\n        (actions.size === 0 || actions.has(action)) &&\n        (risks.size === 0 || risks.has(risk)) &&\n        (causes.size === 0 || causes.has(cause)) &&\n        (kind.value === '' || kind.value === itsKind)\n          ? found(change, words)\n          : 0;\n      numbers.set(change, number);\n      change.hidden = number === 0;\n      count += number;\n    }\n    for (const part of parts) part.hidden = !part.querySelector('.change:not([hidden])');\n    for (const link of links) {\n      const part = document.getElementById(link.hash.slice(1))?.closest('.group, section.changes');\n      link.parentElement.hidden = Boolean(part?.hidden);\n    }\n    const all = `${most} change${most === 1 ? '' : 's'}`;\n    shown.textContent = count === most ? all : `${count} of ${all}`;\n    highlight(words);\n  };\n\n  // Matches are marked without changing the page: a few changes at a time, so that typing never waits for it.\n  let marking;\n  const marks = globalThis.Highlight && CSS.highlights ? new Highlight() : undefined;\n  if (marks) CSS.highlights.set('found', marks);\n  const highlight = (words) => {\n    if (!marks) return;\n    clearTimeout(marking);\n    marks.clear();\n    if (words.length === 0) return;\n    const list = visible();\n    const some = (from) => {\n      for (const change of list.slice(from, from + 100)) {\n        for (const part of change.querySelectorAll('.name, .about, .why, .peek, dt, dd, .names li'))\n          mark(part, words);\n      }\n      if (from + 100 < list.length) marking = setTimeout(some, 0, from + 100);\n    };\n    some(0);\n  };\n\n  /** A match may begin in one text of an element and end in another. */\n  const mark = (part, words) => {\n    const text = part.textContent.toLowerCase();\n    if (!words.some((word) => text.includes(word))) return;\n    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);\n    const nodes = [];\n    for (let start = 0; walker.nextNode(); ) {\n      nodes.push({ node: walker.currentNode, start });\n      start += walker.currentNode.length;\n    }\n    const place = (offset, isEnd) => {\n      const at = nodes.findLast(({ start }) => (isEnd ? start < offset : start <= offset));\n      return [at.node, Math.min(offset - at.start, at.node.length)];\n    };\n    for (const word of words)\n      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {\n        const range = new Range();\n        range.setStart(...place(at, false));\n        range.setEnd(...place(at + word.length, true));\n        marks.add(range);\n      }\n  };\n\n  // What is searched and chosen is part of the page's address, with the place that one went to: `#q=web&risk=destructive&at=change-3`. A\n  // fragment without `=` is a place alone.\n  const stateOf = () => {\n    const state = new URLSearchParams();\n    const query = search.value.trim();\n    if (query !== '') state.set('q', query);\n    if (kind.value !== '') state.set('kind', kind.value);\n    for (const { name, value, checked } of boxes) if (checked) state.append(name, value);\n    return state;\n  };\n  const given = () => {\n    const fragment = location.hash.slice(1);\n    return fragment.includes('=')\n      ? new URLSearchParams(fragment)\n      : new URLSearchParams(fragment ? { at: fragment } : {});\n  };\n  const restore = () => {\n    const state = given();\n    // A link from elsewhere to a place leaves what is chosen.\n    search.value = state.get('q') ?? '';\n    kind.value = state.get('kind') ?? '';\n    if (kind.selectedIndex < 0) kind.value = '';\n    for (const box of boxes) box.checked = state.getAll(box.name).includes(box.value);\n    filter();\n    const place = state.get('at');\n    if (place) reveal(place);\n  };\n\n  /** One step back takes back a search as a whole, however many letters it has. */\n  let isTypingOn = false;\n  const keep = (state, isSameStep) => {\n    const fragment = state.toString();\n    if (fragment === location.hash.slice(1)) return;\n    const address = fragment === '' ? location.pathname + location.search : `#${fragment}`;\n    try {\n      history[isSameStep ? 'replaceState' : 'pushState'](null, '', address);\n    } catch {\n      // Some places in which a page is shown allow no change of its address.\n    }\n  };\n  search.addEventListener('input', () => {\n    keep(stateOf(), isTypingOn);\n    isTypingOn = true;\n    filter();\n  });\n  for (const type of ['blur', 'change'])\n    search.addEventListener(type, () => {\n      isTypingOn = false;\n    });\n\n  const beside = document.getElementById('beside');\n  toolbar.addEventListener('change', ({ target }) => {\n    if (target === search || target === beside) return;\n    keep(stateOf(), false);\n    filter();\n  });\n\n  beside.closest('label').hidden = !document.querySelector('.difference');\n  beside.addEventListener('change', () => document.body.classList.toggle('stacked', !beside.checked));\n\n  const visible = () => changes.filter((change) => !change.hidden);\n  const openAll = (isOpen) => {\n    for (const change of visible()) change.open = isOpen;\n  };\n  document.getElementById('expand').addEventListener('click', () => openAll(true));\n  document.getElementById('collapse').addEventListener('click', () => openAll(false));\n\n  const here = () => document.activeElement?.closest('.change');\n\n  /** To the next or previous change that is shown; from elsewhere to the first or the last. */\n  const go = (step) => {\n    const list = visible();\n    const at = list.indexOf(here());\n    const next = at < 0 ? (step > 0 ? 0 : list.length - 1) : at + step;\n    list[next]?.querySelector('summary').focus();\n  };\n\n  const back = () => {\n    const change = here();\n    if (change) {\n      change.open = false;\n      change.querySelector('summary').focus();\n    } else if (document.activeElement === search) {\n      if (search.value === '') search.blur();\n      search.value = '';\n      keep(stateOf(), isTypingOn);\n      filter();\n    }\n  };\n\n  const isTyping = (target) =>\n    target instanceof Element && target.matches('input[type=search], select, textarea');\n\n  document.addEventListener('keydown', (event) => {\n    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;\n    const { key, target } = event;\n    const inList = Boolean(here());\n    const inSearch = target === search;\n    if (key === 'Escape') back();\n    else if (inSearch && (key === 'Enter' || key === 'ArrowDown')) go(1);\n    else if (isTyping(target)) return;\n    else if (key === '/') search.focus();\n    else if (key === 'j' || (key === 'ArrowDown' && inList)) go(1);\n    else if (key === 'k' || (key === 'ArrowUp' && inList)) go(-1);\n    else return;\n    event.preventDefault();\n  });\n\n  /** Goes to a place. A change is opened, also if a filter hides it. */\n  const reveal = (id) => {\n    const place = document.getElementById(id);\n    const change = place?.closest('.change');\n    if (change) {\n      for (let part = change; part; part = part.parentElement) part.hidden = false;\n      change.open = true;\n      change.querySelector('summary').focus();\n    }\n    place?.scrollIntoView();\n  };\n  document.addEventListener('click', (event) => {\n    const link = event.target.closest?.('a[href^=\"#\"]');\n    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;\n    event.preventDefault();\n    const state = stateOf();\n    state.set('at', link.hash.slice(1));\n    keep(state, false);\n    reveal(link.hash.slice(1));\n  });\n  // Both where somebody goes back and where the address is changed by hand.\n  addEventListener('popstate', restore);\n  restore();\n})();\n";

// src/report/html/summary.ts
function summary(plan, sections, pace) {
  const changes = sections.flatMap((section) => section.changes);
  return html`
<p class="headline">${[headline(plan, changes, pace), ...readsText(plan)].join(" ")}</p>${changes.length > 0 && html`
<ul class="counts">${counts(plan)}
</ul>${sectionBar(sections)}`}${[
    ...waitLines(plan, pace, Number.POSITIVE_INFINITY),
    ...remarks(plan, changes),
    ...renewedTexts(plan),
    ...guardsTexts(plan)
  ].map(
    (text) => html`
<p class="remark">${text}</p>`
  )}`;
}
function headline(plan, changes, pace) {
  const requests = plan.operations.flatMap(({ requests: requests2 }) => requests2);
  const methods = groupBy(requests, ({ endpoint }) => endpoint.split(" ", 1)[0]);
  const parts = [...methods].map(([method, { length }]) => `${length} ${method}`).sort();
  const follows = followingTexts(plan);
  if (changes.length + requests.length + follows.length > 0)
    return `${[count(countOf(changes), "change"), ...follows].join(", ")}, ${count(requests.length, "request")}${parts.length > 1 ? ` (${listed(parts)})` : ""}${durationOf(plan, pace)}.`;
  if (plan.diagnostics.some(({ severity }) => severity === "error"))
    return "Nothing is planned until the errors are fixed.";
  if (!plan.complete) return "No changes in what could be read.";
  return plan.partial ? "No changes in the selected part." : "No changes. The account matches the configuration.";
}
function counts(plan) {
  const summary2 = summaryOf(plan);
  return actions.filter(({ action }) => action !== "forget").map(({ action, sign, verb }) => {
    const number = summary2[action];
    if (number === 0) return void 0;
    const also = action === "adopt" ? changedText(summary2.adoptAndUpdate) : "";
    return html`
<li class="${action}"><span aria-hidden="true" class="sign">${sign}</span> <b>${number}</b> to ${verb}${also}</li>`;
  });
}
function sectionBar(all) {
  const sections = all.map(({ name, label, changes }) => ({ name, label, length: countOf(changes) }));
  const number = sections.reduce((sum, { length }) => sum + length, 0);
  let from = 0;
  const bars = sections.map(({ name, length }) => {
    from += length;
    return html`<rect class="${name}" x="${from - length}" width="${length}" height="1"/>`;
  });
  const legend = sections.map(
    ({ name, label, length }) => html`
<li><a href="#${name}"><i class="${name}" aria-hidden="true"></i>${length} ${label}</a></li>`
  );
  return html`
<div class="risk">${sections.length > 1 && html`<svg viewBox="0 0 ${number} 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">${bars}</svg>`}
<ul>${legend}
</ul></div>`;
}
function remarks({ complete, partial, diagnostics }, changes) {
  const [unknown, unverified] = [fieldsWith(changes, "unknown"), fieldsWith(changes, "unverified")];
  return [
    ...complete ? [] : [
      `This plan is incomplete${diagnostics.length > 0 ? "" : ": not everything could be read or planned"}.`
    ],
    ...partial ? ["Only part of the stack was planned."] : [],
    ...permissionTexts(changes),
    ...conflictText(changes),
    ...unknown > 0 ? [
      `${count(unknown, "field")} may have been changed here or outside: what was last applied is unknown.`
    ] : [],
    ...unverified > 0 ? [`${count(unverified, "secret")} cannot be compared and will be sent again.`] : []
  ];
}
function problems(diagnostics, wanted) {
  const found = diagnostics.filter(({ severity }) => severity === wanted);
  if (found.length === 0) return void 0;
  return html`
<section aria-labelledby="${wanted}s" class="problems">
<h2 id="${wanted}s">${wanted === "error" ? "Errors" : "Warnings"} <span class="count">${found.length}</span></h2>
<ul>${found.map(problemItem)}
</ul></section>`;
}
function problemItem(diagnostic) {
  const { severity, at, address, related = [] } = diagnostic;
  const { message, hint } = errorLines(diagnostic);
  return html`
<li class="${severity}"><p><strong class="severity">${severity}</strong> ${lines(message)}</p>${at ? place(at) : address !== void 0 && html`
<p class="about"><code>${cleanLine(address)}</code></p>`}${related.map(
    (other) => html`
<p>${cleanLine(other.message)}</p>${place(other.at)}`
  )}${hint.length > 0 && html`
<p class="hint"><span aria-hidden="true">→ </span>${lines(hint)}</p>`}</li>`;
}
var lines = (texts) => texts.map((text, at) => html`${at > 0 && html`<br>`}${text}`);
function place({ file, line, column, text, caret = column - 1 }) {
  const where = html`
<p class="about place">${cleanLine(file)}:${line}:${column}</p>`;
  if (text === void 0) return where;
  const shown = (part) => clean(part).replace(/\n/g, " ");
  const rest = text.slice(caret);
  const length = /^\S*/.exec(rest)[0].length;
  return html`${where}
<pre><span>${shown(text.slice(0, caret)).trimStart()}<mark>${shown(rest.slice(0, length))}</mark>${shown(rest.slice(length))}</span></pre>`;
}
function factsOf({ commit, run, time } = {}) {
  const facts = [];
  if (commit) {
    const text = html`<code>${cleanLine(commit.id.slice(0, 8))}</code>`;
    facts.push(["Commit", html`${linked(text, commit.url)}${commit.isDirty && " with uncommitted changes"}`]);
  }
  if (run) facts.push(["Run", linked(html`${cleanLine(run.name)}`, run.url)]);
  if (time !== void 0) {
    const iso = new Date(time).toISOString();
    facts.push(["Planned", html`<time datetime="${iso}">${iso.slice(0, 16).replace("T", " ")} UTC</time>`]);
  }
  if (facts.length === 0) return void 0;
  return html`
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt> <dd>${value}</dd></div>`)}</dl>`;
}
var linked = (text, url) => url !== void 0 && /^https?:\/\/[^\s"<>]+$/i.test(url) ? html`<a href="${url}" rel="noreferrer">${text}</a>` : text;

// src/report/html/page.ts
var many = 200;
function planHtml(plan, pace, about) {
  const { changes, errors, rest, ...parts } = planParts(plan, pace, about);
  return page({ ...parts, main: [errors, toolbar(changes), rest] });
}
function planParts(plan, pace, about) {
  const sections = sectionsOf([...plan.changes].sort(byAddress), sentIn(plan));
  const changes = sections.flatMap((section) => section.changes);
  const stack = cleanLine(plan.stack);
  const account = accountText(plan);
  const { urgent, usual, others, places } = changeSections(plan, sections);
  const number = (wanted) => plan.diagnostics.filter(({ severity }) => severity === wanted).length;
  const parts = [
    {
      id: "errors",
      label: "Errors",
      name: "destructive",
      count: number("error"),
      part: problems(plan.diagnostics, "error")
    },
    { part: urgent, inside: places.urgent },
    {
      id: "warnings",
      label: "Warnings",
      name: "disruptive",
      count: number("warning"),
      part: problems(plan.diagnostics, "warning")
    },
    { id: "sources", label: "New sources", part: freshSources(plan) },
    { part: usual, inside: places.usual },
    { id: "following", label: "Then", part: following(plan) },
    { id: "read", label: "Read for these", part: usualSources(plan) },
    { part: others },
    { id: "waiting", label: "Not ready", part: notReady(plan) },
    { id: "unchanged", label: "Unchanged", part: unchanged(plan) }
  ];
  return {
    changes,
    title: `${[stack, ...account].join(", ")}: ${headline(plan, changes)}`,
    header: html`
<h1>Stack ${stack}${account.map((text) => html`<span class="account">, ${text}</span>`)}</h1>${factsOf(about)}${summary(plan, sections, pace)}`,
    places: parts.flatMap(
      ({ part, inside, ...place2 }) => inside ?? (part && place2.id !== void 0 ? [place2] : [])
    ),
    errors: parts[0].part,
    rest: parts.slice(1).map(({ part }) => part),
    isLong: changes.length > many
  };
}
function planSection(plan, name, pace) {
  const { header, errors, rest, places, changes } = planParts(plan, pace);
  const placed = (place2) => ({
    ...place2,
    id: `${name}-${place2.id}`,
    ...place2.inside ? { inside: place2.inside.map(placed) } : {}
  });
  return { markup: under(name, html`${header}${errors}${rest}`), places: places.map(placed), changes };
}
function under(name, { text }) {
  return new Markup(
    text.replace(/ (id="|href="#)/g, ` $1${name}-`).replace(/ aria-labelledby="/g, ` aria-labelledby="${name}-title ${name}-`)
  );
}
var page = ({ tool = "trueup plan", title, header, places, main, isLong }) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(page_default)}</style>
</head>
<body>
<header><p class="tool">${tool}</p>${header}
</header>
<div class="frame">${outline(places)}
<main${isLong && html` class="long"`}>${main}
</main></div>
<script>${new Markup(page_default2)}</script>
</body>
</html>`.text;
var hashOf = (text) => `'sha256-${hash("sha256", text, "base64")}'`;
var policy = [
  "default-src 'none'",
  `style-src ${hashOf(page_default)}`,
  `script-src ${hashOf(page_default2)}`,
  "base-uri 'none'",
  "form-action 'none'"
].join("; ");
function freshSources(plan) {
  const news = newSources(plan);
  return news.length > 0 && html`
<section aria-labelledby="sources" class="sources">
<h2 id="sources">${sourcesTitle} <span class="count">${news.length}</span></h2>
<p class="means">${sourcesMean}</p>${list(sourceTexts(news))}</section>`;
}
function usualSources(plan) {
  const usual = sourcesOfChanges(plan.changes, plan);
  return usual.length > 0 && html`
<section aria-labelledby="read" class="sources">
<h2 id="read">Read for these changes <span class="count">${usual.length}</span></h2>${list(sourceTexts(usual))}</section>`;
}
var list = (items) => html`
<ul>${items.map(
  ({ name, text }) => html`
<li><code>${name}</code>: <code>${text}</code></li>`
)}
</ul>`;
function following(plan) {
  const texts = actionTexts(plan);
  return texts.length > 0 && html`
<section aria-labelledby="following" class="sources">
<h2 id="following">${actionsTitle} <span class="count">${texts.length}</span></h2>
<ul>${texts.map(
    ({ name, text, action: { request } }) => html`
<li><code><b>${name}</b></code><p class="means">${text}</p>${request && requestList([request])}</li>`
  )}
</ul></section>`;
}
function notReady(plan) {
  const waiting = waitingTexts(plan);
  return waiting.length > 0 && html`
<section aria-labelledby="waiting" class="sources">
<h2 id="waiting">${waitingTitle} <span class="count">${waiting.length}</span></h2>${list(waiting)}</section>`;
}
function unchanged(plan) {
  const { changes, unmanaged, unlisted } = plan;
  const same = countOf(changes.filter(({ action }) => action === "noop"));
  const counts2 = unmanagedTexts(plan, cleanLine);
  if (same + counts2.length === 0) return void 0;
  const number = unlisted ? "" : `${unmanaged.length} `;
  return html`
<section aria-labelledby="unchanged" class="unchanged">
<h2 id="unchanged">Unchanged</h2>
<ul>${same > 0 && html`
<li>${same} managed here and up to date</li>`}${counts2.length > 0 && html`
<li>${number}${unlisted ? "Not" : "not"} managed here: ${counts2.join(", ")}</li>`}
</ul></section>`;
}

return{html:html,toolbar:toolbar,problems:problems,factsOf:factsOf,planHtml:planHtml,planSection:planSection,under:under,page:page};})();exports.part_7QH4ILEF=part_7QH4ILEF;
const part_FE5KLL4X=(()=>{const {
  page,
  planHtml,
  planSection,
  under
}=part_7QH4ILEF;require("./part-98.cjs").part_2FV4FG47;require("./part-98.cjs").part_D3ZWYSLF;require("./part-98.cjs").part_KXVMPP7T;require("./part-98.cjs").part_KYSAZ52L;require("./part-63.cjs").part_QPVMELDP;require("./part-88.cjs").part_Y562VKV4;require("./part-88.cjs").part_GVLOUSOT;require("./part-88.cjs").part_EKMGLMMC;require("./part-80.cjs").part_YAMT22MG;require("./part-80.cjs").part_R4CIL4FR;require("./part-88.cjs").part_M4ULKWWU;require("./part-106.cjs").part_LKZTNYVU;require("./part-88.cjs").part_RDEMRLSM;require("./part-106.cjs").part_HLUFGGLM;require("./part-106.cjs").part_BACZRMMV;require("./part-106.cjs").part_AQPNOW65;require("./part-106.cjs").part_J6NNXEVI;require("./part-106.cjs").part_4N2HH7U7;require("./part-80.cjs").part_6VCGJOTY;require("./part-80.cjs").part_D2V2PUP6;require("./part-80.cjs").part_FPYB5ZPS;require("./part-80.cjs").part_DGIOX4B4;require("./part-80.cjs").part_YNHFC6K5;require("./part-80.cjs").part_DF3MP7ZG;;
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
return{page:page,planHtml:planHtml,planSection:planSection,under:under};})();exports.part_FE5KLL4X=part_FE5KLL4X;
