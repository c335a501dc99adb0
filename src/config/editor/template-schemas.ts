/** The schemas for editors of `templates` and `patches`. */

import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { inputTypes } from '../layers/templates.ts';
import { sectionSchema } from './block-definition.ts';
import { declaredNameSchema } from './document-schemas.ts';
import { definitionRef, ifThen, type JsonSchema, withExpressions } from './json-schema.ts';

/** The declarations of a template's inputs (`$inputs`). */
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
 * Without `$kind`, it may contain sections or fields of any kind, so only what `contentWithoutKind` returns is checked.
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
 * Returns the editor's schemas for some keys of a template without `$kind`, by key: `$use`, `$when`, `$drop`, and the sections at the root
 * of a configuration. Such a template may contain whole sections or the content of a block of any kind. So a root section is checked only
 * if its name cannot mean anything else, that is, no other kind has a section or a field of this name. For example, `projects` is also a
 * section of access groups, so anything is accepted there.
 */
function contentWithoutKind(kinds: Kinds): Record<string, JsonSchema> {
  const hasMember = (kind: Kind, key: string) => kind.section === key || Object.hasOwn(kind.fields, key);
  const isUnambiguous = ({ section, name }: Kind) =>
    [...kinds.values()].every((kind) => kind.name === name || !hasMember(kind, section));
  return {
    ...Object.fromEntries(['$use', '$when', '$drop'].map((key) => [key, definitionRef(key)])),
    ...Object.fromEntries(
      childKinds(kinds, undefined).map((kind) => [
        kind.section,
        isUnambiguous(kind) ? sectionSchema(kind) : { description: kind.doc },
      ]),
    ),
  };
}

/**
 * Returns the editor's schema of `patches:`, a list of maps with `$at`. The form of the address in `$at` (such as `projects/site-*`) shows
 * the kind of the blocks, so that the rest of the patch is checked as a block of that kind. A patch is not checked if the form does not
 * show the kind, for example because of a `**`.
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
      ...ifThen(hasAddressLike(addressThatShowsKind), {
        // Each of these conditions selects the addresses of one kind.
        allOf: allKinds.map((kind) =>
          ifThen(hasAddressLike(`^${addressPattern(kind, kinds, '[^/]+')}$`), definitionRef(kind.name)),
        ),
      }),
    },
  };
}

/**
 * A regular expression that matches an address whose form shows its kind, because each part between two slashes is one section or name: it
 * has no `**`, no expressions, and no `/` inside `{ }` or `[ ]`.
 */
const addressThatShowsKind = '^(?!.*(?:\\*\\*|\\$\\{|\\{[^}]*/|\\[[^\\]]*/))';

/**
 * Returns the form of the addresses of a kind, such as `projects/NAME/env/NAME`, with `name` for each NAME. The schema of patches uses it
 * twice: with `*` to suggest addresses for `$at`, and with `[^/]+` as a regular expression that recognizes the kind from `$at`, so that the
 * editor knows the fields of the patch.
 *
 * A block in a map has one name, its key; a block in a list has one for each field of its natural key; a singleton has none. A kind that
 * makes its own names (`kind.yaml.names`) may have any number of them, so the regular expression accepts any text (`.+`) there. But not if
 * other kinds are inside this kind: `.+` would match the addresses of their objects, too.
 */
function addressPattern(kind: Kind, kinds: Kinds, name: string): string {
  const parent = kind.parent === undefined ? [] : [addressPattern(kinds.get(kind.parent)!, kinds, name)];
  const isLeaf = childKinds(kinds, kind.name).length === 0;
  const hasAnyNumberOfNames = kind.yaml.names !== undefined && isLeaf && name !== '*';
  const nameCount = kind.yaml.mapBy === undefined ? kind.key.length : 1;
  const names = hasAnyNumberOfNames ? ['.+'] : Array.from({ length: nameCount }, () => name);
  return [...parent, kind.section, ...names].join('/');
}
