import { childKinds } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { filters } from '../expressions/filters.ts';
import { type ParsedPart, parseExpressions } from '../expressions/parse-expressions.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  describe,
  type Entry,
  entryOf,
  isNull,
  maskUnread,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { layerKeys } from './inspect-node.ts';
import { createReporter, type ReportWithRelated } from './layer.ts';
import type { Template } from './templates.ts';

/** A template that a layer names, with the inputs as they are written. */
export interface Use {
  name: ScalarNode;
  inputs: Entry[];
}

/** Reads the value of a `$use`: a name, `{ name: inputs }`, or a list of these. */
export function readUse(node: Node, say: ReportWithRelated): Use[] {
  if (node.type === 'list') return node.items.flatMap((item) => readUse(item, say));
  if (node.type === 'scalar' && node.value !== null && node.text !== '') return [{ name: node, inputs: [] }];
  if (node.type === 'map') return node.entries.flatMap((entry) => readNamedUse(entry, say));
  say(
    'use/value',
    `\`$use\` must name templates, not ${describe(node)}`,
    node.at,
    '$use: { site: { country: at } }, or [site]',
  );
  return [];
}

function readNamedUse({ key, value }: Entry, say: ReportWithRelated): Use[] {
  if (value.type === 'map') return [{ name: key, inputs: value.entries }];
  if (isNull(value)) return [{ name: key, inputs: [] }];
  say(
    'use/inputs',
    `template inputs must be a map, not ${describe(value)}`,
    value.at,
    `${key.text}: { name: value }, or {}`,
  );
  return [];
}

/** Reports inputs that a template does not have. */
export function checkInputs(
  { name, inputs }: Use,
  declared: ReadonlyMap<string, unknown>,
  say: ReportWithRelated,
): void {
  for (const { key } of inputs)
    if (!declared.has(key.text))
      say(
        'input/undeclared',
        `the template ${quoted(name.text)} has no input ${quoted(key.text)}`,
        key.at,
        hintFor(key.text, [...declared.keys()], 'it has'),
      );
}

interface TemplateChecks {
  kinds: Kinds;
  templates: ReadonlyMap<string, Template>;
  diagnostics: Diagnostic[];
}

/**
 * Checks the templates that no block uses, as far as that can be without one: expressions and filters that are none, inputs and templates
 * that are not declared, keys that its kind does not have. What a used one has wrong is told where it is used.
 */
export function checkUnused(used: ReadonlySet<string>, around: TemplateChecks): void {
  const say = createReporter(around.diagnostics);
  for (const template of around.templates.values()) {
    if (used.has(template.name)) continue;
    maskUnread(template.body);
    checkKeys(template, around.kinds, say);
    checkUses(template, around.templates, say);
    checkTexts(template.body, template, say);
  }
}

function checkKeys({ kind: name, body }: Template, kinds: Kinds, say: ReportWithRelated): void {
  const kind = kinds.get(name ?? '');
  if (!kind) return;
  const valid = [...Object.keys(kind.fields), ...childKinds(kinds, kind.name).map(({ section }) => section)];
  for (const { key } of body.entries)
    if (!key.text.startsWith('$') && !valid.includes(key.text))
      say(
        'config/unknown-key',
        `unknown key ${quoted(key.text)} in an entry of \`${kind.section}\``,
        key.at,
        hintFor(key.text, valid),
      );
}

function checkUses(
  { body }: Template,
  templates: ReadonlyMap<string, Template>,
  say: ReportWithRelated,
): void {
  const use = entryOf(body, '$use');
  for (const one of use ? readUse(use.value, say) : []) {
    const template = templates.get(one.name.text);
    if (template) checkInputs(one, template.inputs, say);
    else if (!one.name.text.includes('${'))
      say(
        'use/unknown',
        `there is no template ${quoted(one.name.text)}`,
        one.name.at,
        hintFor(one.name.text, [...templates.keys()], 'declared'),
      );
  }
}

function checkTexts(node: Node, template: Template, say: ReportWithRelated): void {
  if (node.type === 'list') for (const item of node.items) checkTexts(item, template, say);
  else if (node.type === 'map')
    for (const { key, value } of node.entries) {
      checkText(key, template, say);
      // A condition names inputs without `${`.
      if (!layerKeys.has(key.text) || key.text === '$use') checkTexts(value, template, say);
    }
  else if (node.type === 'scalar') checkText(node, template, say);
}

function checkText(node: ScalarNode, template: Template, say: ReportWithRelated): void {
  if (!node.text.includes('${')) return;
  for (const expression of parseExpressions(node.text)) checkPart(expression, node, template, say);
}

function checkPart(part: ParsedPart, { at }: ScalarNode, { inputs }: Template, say: ReportWithRelated): void {
  if (typeof part === 'string') return;
  if ('error' in part) {
    const message = `this \`\${\` begins an expression, but ${part.error}`;
    say('expression/syntax', message, at, 'write `$${` for a literal `${`');
    return;
  }
  const [first, second] = part.steps;
  if (first?.name === 'input' && second && !second.computed && !inputs.has(second.name))
    say(
      'input/undeclared',
      `${quoted(second.name)} is not declared under \`$inputs\``,
      at,
      hintFor(second.name, [...inputs.keys()], 'declared'),
    );
  for (const { name } of part.filters ?? [])
    if (!Object.hasOwn(filters, name))
      say('expression/filter', `there is no filter ${quoted(name)}`, at, hintFor(name, Object.keys(filters)));
}
