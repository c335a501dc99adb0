import type { Action, ActionsAndLookups } from '../../kind/action.ts';
import { childKinds } from '../../kind/define-kind.ts';
import type { FieldSchemas, Kinds } from '../../kind/kind.ts';
import type { Lookup } from '../../kind/lookup.ts';
import { docOf, traitsOf } from '../../kind/traits.ts';
import { longestWait } from '../../model/resource.ts';
import { publicFieldsOf } from '../values/lookups.ts';
import { blockSchema, sectionSchema } from './block-definition.ts';
import { requirementSchemas, requirementsOfSections } from './completeness.ts';
import { type DeclaredNames, noDeclaredNames } from './declared-names.ts';
import { headerSchemas } from './document-schemas.ts';
import { dropRequirements, zodJsonSchema } from './field-schemas.ts';
import { atMostOneMember, type JsonSchema, mapSchemas, withExpressions } from './json-schema.ts';
import { layerDefinitions } from './layer-keys.ts';
import { textListSchema } from './setting-keys.ts';
import { patchesSchema, templatesSchema } from './template-schemas.ts';

/**
 * Returns the JSON Schema (draft 7) of a configuration file, for `trueup schema`: editors use it to complete
 * and check the YAML. It accepts everything that the loader accepts. References and rules across several
 * fields are checked by `validate` only. Missing fields are marked only if no patch can add them.
 *
 * @param declaredNames the names that editors suggest besides all others: templates, variables, stages
 * @param actionsAndLookups the actions that `$then` can name, and the lookups; without them any name is accepted
 */
export function editorSchema(
  kinds: Kinds,
  declaredNames: DeclaredNames = noDeclaredNames,
  { actions, lookups }: Pick<ActionsAndLookups, 'actions' | 'lookups'> = {
    actions: new Map(),
    lookups: new Map(),
  },
): JsonSchema {
  const roots = childKinds(kinds, undefined);
  const requiresMembers = !declaredNames.isPatched;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'trueup',
    description: 'A trueup configuration.',
    type: 'object',
    additionalProperties: false,
    properties: {
      ...headerSchemas(declaredNames),
      lookups: lookupsSchema([...lookups.values()]),
      templates: templatesSchema(kinds),
      patches: patchesSchema(kinds),
      ...Object.fromEntries(roots.map((kind) => [kind.section, sectionSchema(kind)])),
    },
    patternProperties: { '^x-': {} },
    ...(requiresMembers
      ? { if: mayBePatched, else: { properties: requirementsOfSections(roots, kinds) } }
      : {}),
    definitions: {
      ...Object.fromEntries(
        [...kinds.values()].map((kind) => [kind.name, blockSchema(kind, kinds, declaredNames)]),
      ),
      ...(requiresMembers ? requirementSchemas(kinds) : {}),
      ...layerDefinitions(declaredNames),
      $then: thenSchema(actions.values()),
    },
  };
}

/**
 * Matches a document with patches, or with files of a stage. A patch, in the document or in these files, may add the members that a block
 * lacks.
 */
const mayBePatched: JsonSchema = {
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

const scalarSchema: JsonSchema = { type: ['string', 'number', 'boolean'] };

/**
 * Returns the editor's schema of `lookups:`, a map from names to one lookup of the platform with its filters. If the lookups are not
 * known (an empty list), every lookup is accepted, so that no valid file gets an error.
 */
const lookupsSchema = (lookups: Lookup[]): JsonSchema => ({
  type: 'object',
  description: 'Read-only lookups, used as `${lookup.name.field}`.',
  propertyNames: {
    pattern: '^(?:<<|[A-Za-z0-9_-]+)$',
    patternErrorMessage: 'The name of a lookup can have A-Z, a-z, 0-9, `_` and `-`.',
  },
  additionalProperties: {
    type: 'object',
    minProperties: 1,
    ...atMostOneMember,
    description: 'A lookup of the platform and its filters: see `trueup get --list`.',
    properties: Object.fromEntries(lookups.map((lookup) => [lookup.name, filtersSchema(lookup)])),
    additionalProperties:
      lookups.length > 0 ? false : { type: ['object', 'null'], additionalProperties: scalarSchema },
  },
});

/**
 * Returns the editor's schema of the filters of a lookup, a query for an object of the account, such as `{
 * target: production }`. Filters compare fields of the answer or inputs with a value, or name the resource
 * that the query is about (`on`). Secret fields are left out, because the loader refuses them.
 */
function filtersSchema(lookup: Lookup): JsonSchema {
  const { doc, on, input, output } = lookup;
  const publicOutput = Object.fromEntries(publicFieldsOf(lookup).map((name) => [name, output[name]!]));
  return {
    description: doc,
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      ...filterSchemas(publicOutput),
      ...filterSchemas(input),
      ...(on === undefined ? {} : { [on]: { ...scalarSchema, description: `The ${on} that it is about.` } }),
    },
  };
}

/**
 * Returns an editor's schema for each of these fields, in which a filter compares the field with a scalar, and the values that editors
 * suggest. Used for the filters of lookups, such as `deployment: { target: production }`.
 */
const filterSchemas = (fields: FieldSchemas): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const { knownValues } = traitsOf(schema);
      const accepted = knownValues ? { anyOf: [{ enum: [...knownValues] }, scalarSchema] } : scalarSchema;
      return [name, { description: docOf(schema), ...accepted }];
    }),
  );

/** The settings in an item of `$then`, beside the action. */
const thenSettings: Record<string, JsonSchema> = {
  when: {
    ...textListSchema,
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

/**
 * Returns the editor's schema of `$then`: a list of actions that run after a change, each as its name or as a
 * map with its input and settings (`{ redeploy: {}, when: [env] }`). Part of the schema that `trueup schema`
 * prints. If the actions are not known (an empty list), any name is accepted.
 */
function thenSchema(actions: Iterable<Action>): JsonSchema {
  const declarable = [...actions].filter((action) => action.declarable);
  return {
    description: 'Actions to run after a run changed it or its contents.',
    type: 'array',
    items: {
      anyOf: [
        declarable.length > 0 ? { enum: declarable.map(({ name }) => name) } : { type: 'string' },
        {
          type: 'object',
          minProperties: 1,
          additionalProperties: declarable.length === 0,
          properties: {
            ...Object.fromEntries(declarable.map((action) => [action.name, actionInputSchema(action)])),
            ...mapSchemas(thenSettings, withExpressions),
          },
        },
      ],
    },
  };
}

/**
 * Returns the editor's schema of the input of an action in `$then`, with the resource on which it acts. Part of the
 * schema that `trueup schema` prints.
 */
const actionInputSchema = ({ doc, on, input }: Action): JsonSchema => ({
  description: doc,
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    ...(on === undefined
      ? {}
      : {
          [on]: {
            anyOf: [{ type: 'string' }, textListSchema],
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
