import * as z from 'zod';
import type { DeclaredNames } from '../config/editor/declared-names.ts';
import { editorSchema } from '../config/editor/editor-schema.ts';
import type { JsonSchema } from '../config/editor/json-schema.ts';
import type { ActionsAndLookups } from '../kind/action.ts';
import { childKinds } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { testFileSchema } from './test-file.ts';

/**
 * Returns the JSON Schema (draft 7) of a test file, for `trueup schema --tests`: editors complete and check the YAML with it. A patch is
 * checked like the sections of a configuration, except that no member is required, because a patch has only the members that it changes.
 */
export function testFileJsonSchema(
  kinds: Kinds,
  declaredNames: DeclaredNames,
  actionsAndLookups: Pick<ActionsAndLookups, 'actions' | 'lookups'>,
): JsonSchema {
  const configuration = editorSchema(kinds, { ...declaredNames, isPatched: true }, actionsAndLookups);
  const sections = configuration.properties as Record<string, JsonSchema>;
  const { $schema, ...file } = z.toJSONSchema(testFileSchema, { target: 'draft-7' }) as JsonSchema;
  const test = (file.properties as { tests: { items: { properties: Record<string, JsonSchema> } } }).tests
    .items;
  const { description } = test.properties.patch!;
  test.properties.patch = {
    description,
    anyOf: [
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          $drop: { type: 'array', items: { type: 'string' }, description: 'Addresses or globs to remove.' },
          ...Object.fromEntries(
            childKinds(kinds, undefined).map(({ section }) => [section, sections[section]!]),
          ),
        },
      },
      sections.patches!,
    ],
  };
  return {
    $schema,
    title: 'trueup tests',
    description: 'Tests of a trueup configuration.',
    ...file,
    definitions: { ...(file.definitions as object | undefined), ...(configuration.definitions as object) },
  };
}
