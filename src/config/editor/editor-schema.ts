import type { DayTwo } from '../../kind/action.ts';
import { childKinds } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import { blockDefinition, sectionSchema } from './block-definition.ts';
import { completeBlocks, completeSections } from './complete-block.ts';
import { headerSchemas } from './header-schemas.ts';
import type { JsonSchema } from './json-schema.ts';
import { type KnownNames, noNames } from './known-names.ts';
import { layerDefinitions } from './layer-schemas.ts';
import { lookupsSchema } from './lookups-schema.ts';
import { patchesSchema, templatesSchema } from './template-schemas.ts';
import { thenSchema } from './then-schema.ts';

/**
 * The JSON Schema (draft 7) of a configuration's file, for editors: the header, a definition for each kind, sections as the
 * loader reads them. It takes whatever the loader takes; what it cannot know (references, checks across fields) `validate` says.
 * @param known names that are offered, and never the only ones
 * @param dayTwo what `$then` and `lookups` may name; without it they take any name
 */
export function editorSchema(
  kinds: Kinds,
  known: KnownNames = noNames,
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
      ...headerSchemas(known),
      lookups: lookupsSchema(lookups.values()),
      templates: templatesSchema(kinds),
      patches: patchesSchema(kinds),
      ...Object.fromEntries(roots.map((kind) => [kind.section, sectionSchema(kind)])),
    },
    patternProperties: { '^x-': {} },
    ...(known.isPatched ? {} : { if: isPatched, else: { properties: completeSections(roots, kinds) } }),
    definitions: {
      ...Object.fromEntries(
        [...kinds.values()].map((kind) => [kind.name, blockDefinition(kind, kinds, known)]),
      ),
      ...(known.isPatched ? {} : completeBlocks(kinds)),
      ...layerDefinitions(known),
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
