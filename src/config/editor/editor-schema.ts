import type { Action, DayTwo } from '../../kind/action.ts';
import { childKinds } from '../../kind/define-kind.ts';
import type { FieldSchemas, Kinds } from '../../kind/kind.ts';
import type { Lookup } from '../../kind/lookup.ts';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { longestWait } from '../../model/resource.ts';
import { publicFieldsOf } from '../values/lookups.ts';
import { blockSchema, dropRequirements, sectionSchema, zodJsonSchema } from './block-definition.ts';
import { completenessOfSections, completenessSchemas } from './complete-block.ts';
import { type DeclaredNames, noDeclaredNames } from './declared-names.ts';
import { declaredNameSchema, headerSchemas } from './header-schemas.ts';
import { atMostOneMember, type JsonSchema } from './json-schema.ts';
import { layerDefinitions } from './layer-schemas.ts';
import { patchesSchema, templatesSchema } from './template-schemas.ts';
import { withExpressions } from './with-expressions.ts';

/**
 * The JSON Schema (draft 7) of a configuration's file, for editors: the header, a definition for each kind, sections as the
 * loader reads them. It takes whatever the loader takes; what it cannot know (references, checks across fields) `validate` says.
 * @param known names that are offered, and never the only ones
 * @param dayTwo what `$then` and `lookups` may name; without it they take any name
 */
export function editorSchema(
  kinds: Kinds,
  knownNames: DeclaredNames = noDeclaredNames,
  { actions, lookups }: Pick<DayTwo, 'actions' | 'lookups'> = { actions: new Map(), lookups: new Map() },
): JsonSchema {
  const roots = childKinds(kinds, undefined);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'trueup',
    description: 'A trueup configuration.',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...headerSchemas(knownNames),
      lookups: lookupsSchema(lookups.values()),
      templates: templatesSchema(kinds),
      patches: patchesSchema(kinds),
      ...Object.fromEntries(roots.map((kind) => [kind.section, sectionSchema(kind)])),
    },
    patternProperties: { '^x-': {} },
    ...(knownNames.isPatched
      ? {}
      : { if: isPatched, else: { properties: completenessOfSections(roots, kinds) } }),
    definitions: {
      ...Object.fromEntries(
        [...kinds.values()].map((kind) => [kind.name, blockSchema(kind, kinds, knownNames)]),
      ),
      ...(knownNames.isPatched ? {} : completenessSchemas(kinds)),
      ...layerDefinitions(knownNames),
      $then: thenSchema(actions.values()),
    },
  };
}

/** True for a document with patches, or with files of a stage, which may hold some: what a block lacks may come from there. */
const isPatched: JsonSchema = {
  anyOf: [
    { required: ['patches'] },
    {
      required: ['stages'],
      properties: {
        stages: { not: { additionalProperties: { not: { type: 'object', required: ['files'] } } } },
      },
    },
  ],
};

const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };

/** `lookups` as the loader reads it: names, each with one lookup and what its object has to have. Without any lookup, all are taken. */
function lookupsSchema(lookups: Iterable<Lookup>): JsonSchema {
  const all = [...lookups];
  return {
    type: 'object',
    description: 'Read-only lookups, used as `${lookup.name.field}`.',
    propertyNames: declaredNameSchema('a lookup'),
    additionalProperties: {
      type: 'object',
      minProperties: 1,
      ...atMostOneMember,
      description: 'A lookup of the platform and its filters: see `trueup get --list`.',
      properties: Object.fromEntries(all.map((lookup) => [lookup.name, conditions(lookup)])),
      additionalProperties:
        all.length > 0 ? false : { type: ['object', 'null'], additionalProperties: scalar },
    },
  };
}

function conditions(lookup: Lookup): JsonSchema {
  const { doc, on, input, output } = lookup;
  const open = Object.fromEntries(publicFieldsOf(lookup).map((name) => [name, output[name]!]));
  return {
    description: doc,
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      ...values(open),
      ...values(input),
      ...(on === undefined ? {} : { [on]: { ...scalar, description: `The ${on} that it is about.` } }),
    },
  };
}

/** The schema of a word; known values are offered. */
const values = (schemas: FieldSchemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { knownValues } = traitsOf(schema);
      return [
        name,
        {
          description: docOf(schema),
          ...(knownValues ? { anyOf: [{ enum: [...knownValues] }, scalar] } : scalar),
        },
      ];
    }),
  );

const textList: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1 } };

/** The keys beside the action in an item of `$then`. */
const layerMembers: Record<string, JsonSchema> = {
  when: {
    ...textList,
    description: 'The fields and sections that trigger it; all if omitted.',
  },
  drift: { type: 'boolean', description: 'Also trigger it when a run only reverts drift.' },
  wait: {
    description: 'How long apply waits for it to finish.',
    type: 'object',
    required: ['minutes'],
    additionalProperties: false,
    properties: { minutes: { type: 'integer', minimum: 1, maximum: longestWait } },
  },
};

/** `$then` as the loader reads it: a list of actions, by name alone or with their input. */
function thenSchema(actions: Iterable<Action>): JsonSchema {
  const able = [...actions].filter(({ declarable }) => declarable);
  return {
    description: 'Actions to run after a run changed it or its contents.',
    type: 'array',
    items: {
      anyOf: [
        able.length > 0 ? { enum: able.map(({ name }) => name) } : { type: 'string' },
        {
          type: 'object',
          minProperties: 1,
          additionalProperties: able.length === 0,
          properties: {
            ...Object.fromEntries(able.map((action) => [action.name, actionInputSchema(action)])),
            ...Object.fromEntries(
              Object.entries(layerMembers).map(([key, schema]) => [key, withExpressions(schema)]),
            ),
          },
        },
      ],
    },
  };
}

const actionInputSchema = ({ doc, on, input }: Action): JsonSchema => ({
  description: doc,
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    ...(on === undefined
      ? {}
      : {
          [on]: {
            anyOf: [{ type: 'string' }, textList],
            description: `The ${on} to act on, or several, with \`*\`; if omitted, the one this block is in.`,
          },
        }),
    ...Object.fromEntries(
      Object.entries(input).map(([name, schema]) => [
        name,
        withExpressions(dropRequirements(zodJsonSchema(schema))),
      ]),
    ),
  },
});
