import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { inputTypes } from '../layers/templates.ts';
import { sectionSchema } from './block-definition.ts';
import { declaredNameSchema } from './header-schemas.ts';
import type { JsonSchema } from './json-schema.ts';
import { withExpressions } from './with-expressions.ts';

const definition = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

const inputsSchema: JsonSchema = {
  type: 'object',
  description: 'The inputs of the template, used in it as `${input.name}`.',
  propertyNames: declaredNameSchema('an input'),
  additionalProperties: {
    type: ['object', 'null'],
    description: 'An input. It is required if it has no `default`.',
    additionalProperties: false,
    properties: {
      type: {
        description: 'Its type; text from a data file is converted to it.',
        enum: [...inputTypes],
      },
      default: { description: 'The default value; it may use other inputs.' },
      pattern: {
        description: 'A regular expression that the whole text must match.',
        type: ['string', 'number', 'boolean'],
      },
      values: { description: 'The allowed values.', type: 'array', minItems: 1 },
      description: { description: 'What the input is for.' },
    },
  },
};

/** The section `templates:`. With `$kind` a template is checked as a block of it, without it holds sections or fields of anything. */
export function templatesSchema(kinds: Kinds): JsonSchema {
  const isKind = (kind: JsonSchema): JsonSchema => ({ properties: { $kind: kind }, required: ['$kind'] });
  return {
    type: 'object',
    description: 'What several blocks have in common; a block applies it with `$use`.',
    propertyNames: declaredNameSchema('a template'),
    additionalProperties: {
      type: 'object',
      description: 'A template: `$kind`, `$inputs`, and the content of a block.',
      properties: {
        $kind: {
          description: 'The kind of block it is for; any kind if omitted.',
          enum: [...kinds.keys()],
        },
        $inputs: inputsSchema,
      },
      allOf: [
        ...[...kinds.keys()].map((name) => ({
          if: isKind({ const: name }),
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: definition(name),
        })),
        { if: { required: ['$kind'] }, else: { properties: anything(kinds) } },
      ],
    },
  };
}

/** The first keys of a template without a kind. A section with the name of something else may be either. */
function anything(kinds: Kinds): Record<string, JsonSchema> {
  const all = [...kinds.values()];
  const isOnly = ({ section, name }: Kind) =>
    all.every(
      (kind) => kind.name === name || (kind.section !== section && !Object.hasOwn(kind.fields, section)),
    );
  return {
    ...Object.fromEntries(['$use', '$when', '$drop'].map((key) => [key, definition(key)])),
    ...Object.fromEntries(
      childKinds(kinds, undefined).map((kind) => [
        kind.section,
        isOnly(kind) ? sectionSchema(kind) : { description: kind.doc },
      ]),
    ),
  };
}

/** The list `patches:`. The form of `$at` tells of which kind the blocks are; where it may be several, nothing is checked. */
export function patchesSchema(kinds: Kinds): JsonSchema {
  const all = [...kinds.values()];
  const hasForm = (pattern: string): JsonSchema => ({
    properties: { $at: { type: 'string', pattern } },
    required: ['$at'],
  });
  const schema = withExpressions({
    type: 'string',
    minLength: 1,
    known: all.map((kind) => templateAddressForm(kind, kinds, '*')),
    description: 'The address or glob of the blocks to patch: `projects/site-*`.',
  });
  return {
    type: 'array',
    description: 'Patches applied to blocks last, in this order.',
    items: {
      type: 'object',
      required: ['$at'],
      properties: { $at: schema },
      if: hasForm(isClear),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        allOf: all.map((kind) => ({
          if: hasForm(`^${templateAddressForm(kind, kinds, '[^/]+')}$`),
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: definition(kind.name),
        })),
      },
    },
  };
}

/** Text in which each `/` stands between two parts, and no part stands for several. */
const isClear = '^(?!.*(?:\\*\\*|\\$\\{|\\{[^}]*/|\\[[^\\]]*/))';

/** The addresses of a kind, with `name` for each name in them. */
function templateAddressForm(kind: Kind, kinds: Kinds, name: string): string {
  const parent = kind.parent === undefined ? [] : [templateAddressForm(kinds.get(kind.parent)!, kinds, name)];
  const isLeaf = childKinds(kinds, kind.name).length === 0;
  const count = kind.yaml.mapBy === undefined ? kind.key.length : 1;
  const own = Array.from({ length: count }, () => name);
  // Names of its own making may be more, or fewer.
  if (kind.yaml.names && isLeaf && name !== '*') own.splice(0, count, '.+');
  return [...parent, kind.section, ...own].join('/');
}
