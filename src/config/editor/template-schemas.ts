import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { inputTypes } from '../layers/templates.ts';
import { sectionSchema } from './block-definition.ts';
import { declaredNameSchema } from './header-schemas.ts';
import { definitionRef, ifThen, type JsonSchema } from './json-schema.ts';
import { withExpressions } from './with-expressions.ts';

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

/**
 * Returns the editor's schema of `templates:`, a map from names to templates. A template with `$kind` is checked as a block of that kind.
 * Without `$kind`, it may contain sections or fields of any kind, so little of it can be checked.
 */
export function templatesSchema(kinds: Kinds): JsonSchema {
  const hasKind = (name: string): JsonSchema => ({
    properties: { $kind: { const: name } },
    required: ['$kind'],
  });
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
        ...[...kinds.keys()].map((name) => ifThen(hasKind(name), definitionRef(name))),
        { if: { required: ['$kind'] }, else: { properties: contentWithoutKind(kinds) } },
      ],
    },
  };
}

/**
 * Returns the editor's schemas for the sections and `$` keys of a template without `$kind`. Its content is checked as a section only if
 * no other section or field has that name, because it may be either.
 */
function contentWithoutKind(kinds: Kinds): Record<string, JsonSchema> {
  const isUniqueName = ({ section, name }: Kind) =>
    [...kinds.values()].every(
      (kind) => kind.name === name || (kind.section !== section && !Object.hasOwn(kind.fields, section)),
    );
  return {
    ...Object.fromEntries(['$use', '$when', '$drop'].map((key) => [key, definitionRef(key)])),
    ...Object.fromEntries(
      childKinds(kinds, undefined).map((kind) => [
        kind.section,
        isUniqueName(kind) ? sectionSchema(kind) : { description: kind.doc },
      ]),
    ),
  };
}

/**
 * Returns the editor's schema of `patches:`, a list of maps with `$at`. The form of the address in `$at` shows the kind of the blocks, so
 * that the patch is checked as a block of that kind. A patch whose address may match several kinds is not checked.
 */
export function patchesSchema(kinds: Kinds): JsonSchema {
  const allKinds = [...kinds.values()];
  const hasAddressLike = (pattern: string): JsonSchema => ({
    properties: { $at: { type: 'string', pattern } },
    required: ['$at'],
  });
  const addressSchema = withExpressions({
    type: 'string',
    minLength: 1,
    suggested: allKinds.map((kind) => addressPattern(kind, kinds, '*')),
    description: 'The address or glob of the blocks to patch: `projects/site-*`.',
  });
  return {
    type: 'array',
    description: 'Patches applied to blocks last, in this order.',
    items: {
      type: 'object',
      required: ['$at'],
      properties: { $at: addressSchema },
      ...ifThen(hasAddressLike(unambiguousAddress), {
        allOf: allKinds.map((kind) =>
          ifThen(hasAddressLike(`^${addressPattern(kind, kinds, '[^/]+')}$`), definitionRef(kind.name)),
        ),
      }),
    },
  };
}

/** Matches an address without `**`, expressions, and `/` inside `{ }` or `[ ]`: each part between two slashes is one section or name. */
const unambiguousAddress = '^(?!.*(?:\\*\\*|\\$\\{|\\{[^}]*/|\\[[^\\]]*/))';

/**
 * Returns the form of the addresses of a kind, with `name` for each name. Used for suggestions (`name` is `*`), and as a regular expression
 * that recognizes the kind of an address. A kind that makes its own names may have any number of them, so the expression accepts any text
 * there.
 */
function addressPattern(kind: Kind, kinds: Kinds, name: string): string {
  const parent = kind.parent === undefined ? [] : [addressPattern(kinds.get(kind.parent)!, kinds, name)];
  const isLeaf = childKinds(kinds, kind.name).length === 0;
  const hasAnyNumberOfNames = kind.yaml.names !== undefined && isLeaf && name !== '*';
  const nameCount = kind.yaml.mapBy === undefined ? kind.key.length : 1;
  const names = hasAnyNumberOfNames ? ['.+'] : Array.from({ length: nameCount }, () => name);
  return [...parent, kind.section, ...names].join('/');
}
