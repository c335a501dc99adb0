import type { Kinds } from '../../kind/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import { duplicateDeclaration } from '../values/variables.ts';
import {
  describe,
  type Entry,
  entryOf,
  isNull,
  type MapNode,
  type Node,
  type ScalarNode,
} from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import { type InputPattern, parseInputPattern } from './input-pattern.ts';
import { createReporter, type ReportWithRelated } from './layer.ts';

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

/** Reads the sections `templates:`. Reports templates with errors, and leaves those out that cannot be used. */
export function readTemplates(
  sections: Node[],
  kinds: Kinds,
  diagnostics: Diagnostic[],
): Map<string, Template> {
  const report = createReporter(diagnostics);
  const templates = new Map<string, Template>();
  const firstKeys = new Map<string, ScalarNode>();
  for (const section of sections) {
    if (section.type !== 'map') {
      report('config/type', `\`templates\` must be a map of names, not ${describe(section)}`, section.at);
      continue;
    }
    for (const { key, value } of section.entries) {
      const firstKey = firstKeys.get(key.text);
      firstKeys.set(key.text, firstKey ?? key);
      if (firstKey) diagnostics.push(duplicateDeclaration('template', key, firstKey));
      else if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text))
        report(
          'template/name',
          `${quoted(key.text)} is not a valid template name`,
          key.at,
          'use letters, digits, `_` and `-`',
        );
      else if (value.type !== 'map')
        report(
          'config/type',
          `a template must be a map, not ${describe(value)}`,
          value.at,
          'it has the content of a block',
        );
      else templates.set(key.text, readTemplate(key, value, kinds, report));
    }
  }
  return templates;
}

/** Reads one template. Reports an unknown `$kind`. */
function readTemplate(key: ScalarNode, map: MapNode, kinds: Kinds, report: ReportWithRelated): Template {
  const kind = entryOf(map, '$kind');
  const inputs = entryOf(map, '$inputs');
  const kindName = kind?.value.type === 'scalar' ? kind.value.text : undefined;
  if (kind && (kindName === undefined || !kinds.has(kindName)))
    report(
      'template/kind',
      '`$kind` must be the name of a kind',
      kind.value.at,
      hintFor(kindName ?? '', kinds),
    );
  return {
    name: key.text,
    at: key.at,
    ...(kindName !== undefined && kinds.has(kindName) ? { kind: kindName } : {}),
    inputs: inputs ? readInputs(inputs, report) : new Map(),
    body: { ...map, entries: map.entries.filter((entry) => entry !== kind && entry !== inputs) },
  };
}

/** Reads the `$inputs` of a template. */
function readInputs({ value }: Entry, report: ReportWithRelated): Map<string, InputDeclaration> {
  const inputs = new Map<string, InputDeclaration>();
  if (value.type !== 'map')
    report(
      'config/type',
      `\`$inputs\` must be a map of names, not ${describe(value)}`,
      value.at,
      '$inputs: { country: {} }',
    );
  else
    for (const { key, value: declared } of value.entries)
      if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key.text))
        report(
          'input/name',
          `${quoted(key.text)} is not a valid input name`,
          key.at,
          'use letters, digits, `_` and `-`',
        );
      else if (declared.type === 'map') inputs.set(key.text, readInputDeclaration(key, declared, report));
      else if (isNull(declared)) inputs.set(key.text, { at: key.at });
      else
        report(
          'input/declaration',
          'an input must be a map',
          declared.at,
          `${key.text}: { default: ... }, or {}`,
        );
  return inputs;
}

/** Reads the declaration of one input. */
function readInputDeclaration(key: ScalarNode, map: MapNode, report: ReportWithRelated): InputDeclaration {
  const input: InputDeclaration = { at: key.at };
  for (const { key: name, value } of map.entries) {
    const text = value.type === 'scalar' && value.value !== null ? value.text : undefined;
    if (name.text === 'default') input.default = value;
    else if (name.text === 'type') {
      const type = inputTypes.find((inputType) => inputType === text);
      if (type) input.type = type;
      else
        report(
          'input/declaration',
          `an input has no type ${quoted(text ?? '')}`,
          value.at,
          hintFor(text ?? '', inputTypes, 'valid types'),
        );
    } else if (name.text === 'pattern') {
      const pattern = text === undefined ? { wrong: '`pattern` must be text' } : parseInputPattern(text);
      if ('matches' in pattern) Object.assign(input, { pattern, patternText: text });
      else report('input/pattern', pattern.wrong, value.at, 'it must match the whole text: `[a-z]{2}`');
    } else if (name.text === 'values') {
      const values =
        value.type === 'list'
          ? value.items.map((item) => (item.type === 'scalar' ? item.text : undefined))
          : [];
      if (values.length > 0 && values.every((value) => value !== undefined)) input.values = values;
      else
        report('input/declaration', '`values` must be a list of texts', value.at, 'values: [small, large]');
    } else if (name.text === 'description') {
      if (text !== undefined) input.description = text;
    } else
      report(
        'config/unknown-key',
        `an input has no ${quoted(name.text)}`,
        name.at,
        hintFor(name.text, inputKeys),
      );
  }
  return input;
}
