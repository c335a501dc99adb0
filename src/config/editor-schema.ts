import { childKinds } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { blockDefinition } from './editor/block-definition.ts';
import { headerSchemas } from './editor/header-schemas.ts';
import type { JsonSchema } from './editor/json-schema.ts';
import { sectionSchema } from './editor/section-schema.ts';

/**
 * The JSON Schema (draft 7) of a configuration's file, for editors: the header, a definition for each kind, sections as the
 * loader reads them. It takes whatever the loader takes; what it cannot know (references, checks across fields) `validate` says.
 */
export function editorSchema(kinds: Kinds): JsonSchema {
  const sections = childKinds(kinds, undefined).map((kind) => [kind.section, sectionSchema(kind)]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'trueup',
    description: 'A configuration of trueup.',
    type: 'object',
    additionalProperties: false,
    properties: { ...headerSchemas, ...Object.fromEntries(sections) },
    patternProperties: { '^x-': {} },
    definitions: Object.fromEntries(
      [...kinds.values()].map((kind) => [kind.name, blockDefinition(kind, kinds)]),
    ),
  };
}
