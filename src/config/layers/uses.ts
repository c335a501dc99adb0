/** Reads `$use`, and checks the templates that no block uses. */
import { childKinds } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import { type ParsedPart, parseExpressions } from '../expressions/parse-expressions.ts';
import { filters } from '../expressions/resolve-expression.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  describeNodeType,
  type Entry,
  isNull,
  isText,
  maskUnread,
  memberOf,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import { maskUnreadBlock } from './mask-unread-block.ts';
import type { Template } from './templates.ts';

/** A use of a template by a layer, with the inputs as they are written. */
export interface Use {
  name: ScalarNode;
  inputs: Entry[];
}

/**
 * Reads the value of a `$use`, by which a block uses templates: a name, `{ name: inputs }`, or a list of these. The merger then takes the
 * content of these templates as the block's defaults. Reports other values, and leaves them out.
 */
export function readUse(node: Node, report: Reporter): Use[] {
  if (node.type === 'list') return node.items.flatMap((item) => readUse(item, report));
  if (isText(node) && node.text !== '') return [{ name: node, inputs: [] }];
  if (node.type === 'map') {
    const member = findTemplateMember(node.entries);
    if (!member) return node.entries.flatMap((entry) => readNamedUse(entry, report));
    report.error('use/value', 'the name of a template is the key of its inputs', {
      at: member.key,
      hint: `write \`{ ${member.value.text}: { INPUT: value } }\`, or only \`${member.value.text}\` without inputs`,
    });
    return [];
  }
  report.error('use/value', `\`$use\` must name templates, not ${describeNodeType(node)}`, {
    at: node,
    hint: '$use: { site: { country: at } }, or [site]',
  });
  return [];
}

/**
 * Finds the member of a map in a `$use` that names the template in the way of other tools: `{ template: site, country: at }`. Such a map is
 * one mistake, although each of its members looks like a template.
 */
const findTemplateMember = (entries: Entry[]): { key: ScalarNode; value: ScalarNode } | undefined =>
  ['template', 'name'].flatMap((name) =>
    entries.flatMap(({ key, value }) =>
      key.text === name && isText(value) && value.text !== '' ? [{ key, value }] : [],
    ),
  )[0];

/**
 * Reads one entry of the map in a `$use`: the name of a template with its inputs. So a block passes values to the
 * template: `{ site: { country: at } }`. Returns none after a report.
 */
function readNamedUse({ key, value }: Entry, report: Reporter): Use[] {
  if (value.type === 'map') return [{ name: key, inputs: value.entries }];
  if (isNull(value)) return [{ name: key, inputs: [] }];
  report.error('use/value', `template inputs must be a map, not ${describeNodeType(value)}`, {
    at: value,
    hint: `${key.text}: { name: value }, or {}`,
  });
  return [];
}

/**
 * Reports inputs that a `$use` of a template sets but the template does not declare, because they would be
 * ignored silently. `declared`: the inputs that it declares.
 */
export function checkInputs(
  { name, inputs }: Use,
  declared: ReadonlyMap<string, unknown>,
  report: Reporter,
): void {
  for (const { key } of inputs)
    if (!declared.has(key.text))
      report.error('input/undeclared', `the template ${quoted(name.text)} has no input ${quoted(key.text)}`, {
        at: key,
        hint: hintFor(key.text, declared, 'it has'),
      });
}

/** All templates, and what their content is checked with. */
interface TemplateChecks {
  kinds: Kinds;
  templates: ReadonlyMap<string, Template>;
  report: Reporter;
}

/**
 * Checks the templates that no block uses, as far as possible without a block: syntax of expressions,
 * filters, inputs, names of templates in `$use`, and keys. All other templates are checked where they are
 * used. `used`: the names of those. Values are masked, because they may be secrets that a message would
 * quote.
 */
export function checkUnused(used: ReadonlySet<string>, { kinds, templates, report }: TemplateChecks): void {
  for (const template of templates.values()) {
    if (used.has(template.name)) continue;
    const kind = kinds.get(template.kind ?? '');
    if (kind) maskUnreadBlock(template.body, kind, kinds);
    else maskUnread(template.body);
    checkKeys(template, kinds, report);
    checkUses(template, templates, report);
    checkTexts(template.body, template, report);
  }
}

/**
 * Reports keys of a template with `$kind` that are neither fields nor sections of that kind. A misspelled key
 * is found even before the template is used. Called for templates that no block uses: in others, the block
 * reports them.
 */
function checkKeys({ kind: name, body }: Template, kinds: Kinds, report: Reporter): void {
  const kind = kinds.get(name ?? '');
  if (!kind) return;
  const sections = childKinds(kinds, kind.name).map(({ section }) => section);
  const validKeys = [...Object.keys(kind.fields), ...sections];
  for (const { key } of body.entries)
    if (!key.text.startsWith('$') && !validKeys.includes(key.text))
      report.error(
        'config/unknown-key',
        `unknown key ${quoted(key.text)} in an entry of \`${kind.section}\``,
        { at: key, hint: hintFor(key.text, validKeys) },
      );
}

/**
 * Reports templates that the `$use` of a template names although they are not declared, and inputs that these
 * do not have. Only for templates that no block uses: for the others, the merger reports this.
 */
function checkUses({ body }: Template, templates: ReadonlyMap<string, Template>, report: Reporter): void {
  const use = memberOf(body, '$use');
  for (const innerUse of use ? readUse(use, report) : []) {
    const template = templates.get(innerUse.name.text);
    if (template) checkInputs(innerUse, template.inputs, report);
    else if (!innerUse.name.text.includes('${'))
      report.error('use/unknown', `there is no template ${quoted(innerUse.name.text)}`, {
        at: innerUse.name,
        hint: hintFor(innerUse.name.text, templates, 'declared'),
      });
  }
}

/**
 * Checks the expressions (`${...}`) in all texts of a node, for a template that no block uses: nothing else
 * would report their mistakes before the template is used.
 */
function checkTexts(node: Node, template: Template, report: Reporter): void {
  if (node.type === 'list') for (const item of node.items) checkTexts(item, template, report);
  else if (node.type === 'map')
    for (const { key, value } of node.entries) {
      checkText(key, template, report);
      checkTexts(value, template, report);
    }
  else if (node.type === 'scalar') checkText(node, template, report);
}

/** Checks the expressions in one text of a template. */
function checkText(node: ScalarNode, template: Template, report: Reporter): void {
  if (!node.text.includes('${')) return;
  for (const parsed of parseExpressions(node.text)) checkExpression(parsed, node, template, report);
}

/**
 * Checks one part of a text such as `site-${input.country | upper}` in a template that no block uses, if the
 * part is an expression: its syntax, the input that it names, and its filters. Nothing else would notice a
 * mistake before the first use.
 */
function checkExpression(part: ParsedPart, { at }: ScalarNode, { inputs }: Template, report: Reporter): void {
  if (typeof part === 'string') return;
  if ('error' in part) {
    const message = `this \`\${\` begins an expression, but ${part.error}`;
    report.error('expression/syntax', message, { at, hint: 'write `$${` for a literal `${`' });
    return;
  }
  // The name of a `computed` member, as in `input[each.key]`, depends on the use of the template.
  const [root, member] = part.steps;
  if (root?.name === 'input' && member && !member.computed && !inputs.has(member.name))
    report.error('input/undeclared', `${quoted(member.name)} is not declared under \`$inputs\``, {
      at,
      hint: hintFor(member.name, inputs, 'declared'),
    });
  for (const { name } of part.filters ?? [])
    if (!Object.hasOwn(filters, name))
      report.error('expression/filter', `there is no filter ${quoted(name)}`, {
        at,
        hint: hintFor(name, Object.keys(filters)),
      });
}
