/** Reads `templates:`. */

import { RE2JS } from 're2js';
import type { Kinds } from '../../kind/kind.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import { duplicateDeclaration, hasValidName } from '../values/variables.ts';
import {
  describeNodeType,
  type Entry,
  entryOf,
  isNull,
  isText,
  itemsOf,
  type MapNode,
  type Node,
  reportType,
  type ScalarNode,
} from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';

/** A template: its inputs, and a layer for each block that uses it. */
export interface Template {
  name: string;
  at: Spot;
  /** The name of the kind whose blocks can use it; undefined if all can. */
  kind?: string;
  inputs: ReadonlyMap<string, InputDeclaration>;
  /** Its content without `$kind` and `$inputs`. */
  body: MapNode;
}

/** The declaration of an input of a template. */
export interface InputDeclaration {
  at: Spot;
  type?: InputType;
  pattern?: InputPattern;
  /** The pattern as it is written. */
  patternText?: string;
  values?: string[];
  default?: Node;
  description?: string;
}

/** The types that an input can declare. */
export const inputTypes = ['string', 'number', 'integer', 'boolean', 'list', 'map'] as const;
export type InputType = (typeof inputTypes)[number];

const inputKeys = ['type', 'default', 'pattern', 'values', 'description'];

/**
 * Reads the sections `templates:` (each file may have one) as a map of templates by name. A template has
 * content that several blocks share: they take it over with `$use`. Reports templates with errors, and leaves
 * out those that cannot be used.
 */
export function readTemplates(sections: Node[], kinds: Kinds, report: Reporter): Map<string, Template> {
  const templates = new Map<string, Template>();
  const firstKeys = new Map<string, ScalarNode>();
  for (const section of sections) {
    if (section.type !== 'map') {
      reportType(report, section, '`templates` must be a map of names');
      continue;
    }
    for (const { key, value } of section.entries) {
      const firstKey = firstKeys.get(key.text);
      firstKeys.set(key.text, firstKey ?? key);
      if (firstKey) report.add(duplicateDeclaration('template', key, firstKey));
      else if (!hasValidName(key, 'template', report)) continue;
      else if (value.type !== 'map')
        reportType(report, value, 'a template must be a map', 'it has the content of a block');
      else templates.set(key.text, readTemplate(key, value, kinds, report));
    }
  }
  return templates;
}

/**
 * Reads one template: its `$kind` (the kind of block that may use it), its `$inputs`, and everything else as
 * the content for the blocks that use it. Reports an unknown `$kind`; the template then fits blocks of all
 * kinds, so that its uses are not reported as well.
 */
function readTemplate(key: ScalarNode, map: MapNode, kinds: Kinds, report: Reporter): Template {
  const kind = entryOf(map, '$kind');
  const inputs = entryOf(map, '$inputs');
  const kindName = kind?.value.type === 'scalar' ? kind.value.text : undefined;
  if (kind && (kindName === undefined || !kinds.has(kindName)))
    report.error('template/kind', '`$kind` must be the name of a kind', {
      at: kind.value,
      hint: hintFor(kindName ?? '', kinds),
    });
  return {
    name: key.text,
    at: key.at,
    kind: kindName !== undefined && kinds.has(kindName) ? kindName : undefined,
    inputs: inputs ? readInputs(inputs, report) : new Map(),
    body: { ...map, entries: map.entries.filter((entry) => entry !== kind && entry !== inputs) },
  };
}

/**
 * Reads the `$inputs` of a template: the names of the values that each `$use` of it can set, such as `$inputs: { country: {} }`. Reports
 * inputs that cannot be used, and leaves them out.
 */
function readInputs({ value }: Entry, report: Reporter): Map<string, InputDeclaration> {
  const inputs = new Map<string, InputDeclaration>();
  if (value.type !== 'map') {
    report.error('config/type', `\`$inputs\` must be a map of names, not ${describeNodeType(value)}`, {
      at: value,
      hint: '$inputs: { country: {} }',
    });
    return inputs;
  }
  for (const { key, value: declaration } of value.entries)
    if (!hasValidName(key, 'input', report)) continue;
    else if (declaration.type === 'map') inputs.set(key.text, readInputDeclaration(key, declaration, report));
    else if (isNull(declaration)) inputs.set(key.text, { at: key.at });
    else
      report.error('input/declaration', 'an input must be a map', {
        at: declaration,
        hint: `${key.text}: { default: ... }, or {}`,
      });
  return inputs;
}

/**
 * Reads the declaration of one input of a template, such as `{ type: integer, default: 3 }`. The inputs that
 * each `$use` sets are checked by it. Reports unknown keys and invalid values, and leaves them out.
 */
function readInputDeclaration(key: ScalarNode, map: MapNode, report: Reporter): InputDeclaration {
  const input: InputDeclaration = { at: key.at };
  for (const { key: member, value } of map.entries) {
    const text = isText(value) ? value.text : undefined;
    if (member.text === 'default') input.default = value;
    else if (member.text === 'description') input.description = text ?? input.description;
    else if (member.text === 'type') input.type = readInputType(value, text ?? '', report) ?? input.type;
    else if (member.text === 'values') input.values = readAllowedTexts(value, report) ?? input.values;
    else if (member.text === 'pattern') Object.assign(input, readInputPattern(value, report));
    else
      report.error('config/unknown-key', `an input has no ${quoted(member.text)}`, {
        at: member,
        hint: hintFor(member.text, inputKeys),
      });
  }
  return input;
}

/**
 * Returns the type of an input with this name. Values of the input are converted to it and checked. Returns
 * undefined after a report, if there is no such type. `node`: the place of the name.
 */
function readInputType(node: Node, name: string, report: Reporter): InputType | undefined {
  const type = inputTypes.find((inputType) => inputType === name);
  if (type) return type;
  return report.error('input/declaration', `an input has no type ${quoted(name)}`, {
    at: node,
    hint: hintFor(name, inputTypes, 'valid types'),
  });
}

/**
 * Reads `values` in the declaration of a template's input: the only texts that a `$use` of the template may pass for it. Returns undefined
 * after a report.
 */
function readAllowedTexts(node: Node, report: Reporter): string[] | undefined {
  const texts = itemsOf(node).map((item) => (item.type === 'scalar' ? item.text : undefined));
  if (texts.length > 0 && texts.every((text) => text !== undefined)) return texts;
  return report.error('input/declaration', '`values` must be a list of texts', {
    at: node,
    hint: 'values: [small, large]',
  });
}

/** Reads `pattern` in the declaration of a template's input: the compiled pattern and its text. Returns neither after a report. */
function readInputPattern(node: Node, report: Reporter): Pick<InputDeclaration, 'pattern' | 'patternText'> {
  const patternText = isText(node) ? node.text : undefined;
  const pattern =
    patternText === undefined ? { fault: '`pattern` must be text' } : parseInputPattern(patternText);
  if ('matches' in pattern) return { pattern, patternText };
  report.error('input/pattern', pattern.fault, {
    at: node,
    hint: 'it must match the whole text: `[a-z]{2}`',
  });
  return {};
}

/** A pattern that the whole text of an input must match. */
interface InputPattern {
  matches(text: string): boolean;
}

const maxPatternLength = 200;

/**
 * Parses the `pattern` of a template's input, such as `[a-z]{2}`, which the texts that a `$use` passes for
 * the input must match. Returns the fault of an invalid one. Anyone who can push a branch can write patterns,
 * so they run in an engine (RE2) that takes linear time for every pattern. It supports neither lookaround nor
 * backreferences.
 */
function parseInputPattern(source: string): InputPattern | { fault: string } {
  if (source.length > maxPatternLength)
    return { fault: `a pattern can have at most ${maxPatternLength} characters` };
  if (/\\[1-9k]/.test(source)) return { fault: 'backreferences (`\\1`) are not supported' };
  if (/\(\?(?!:)/.test(source))
    return { fault: 'only `( )` and `(?: )` groups are supported, no lookaround' };
  try {
    // Editors check inputs with the same pattern, in their own engine.
    new RegExp(source, 'u');
  } catch {
    return { fault: 'this is not a regular expression' };
  }
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    return { matches: (text) => pattern.matches(text) };
  } catch (error) {
    return {
      fault: `this regular expression is not supported: ${(error as Error).message.replace(/^.*regexp: /, '')}`,
    };
  }
}
