import { childKinds } from '../../kind/define-kind.ts';
import type { Kinds } from '../../kind/kind.ts';
import { blockDefinition, sectionSchema } from './block-definition.ts';
import { atMostOne, type JsonSchema, orExpression } from './json-schema.ts';
import { allowSchema } from './meta-schemas.ts';
import { withExpressions } from './with-expressions.ts';

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

const text = (description: string): JsonSchema =>
  withExpressions({ type: 'string', minLength: 1, description });

const secret: JsonSchema = {
  type: 'object',
  description:
    'Where the secret comes from: `{}` is TRUEUP_SECRET_name; all else as far as the operator allows. It is read when it is needed, and never shown.',
  ...atMostOne,
  additionalProperties: false,
  properties: {
    env: text('The environment variable that holds it; it takes --allow-env.'),
    file: text(
      'The file that holds it, from the folder of this one; one that git does not track takes --allow-files.',
    ),
    command: {
      type: 'array',
      description: 'The program that prints it, and its arguments; it takes --allow-command.',
      minItems: 1,
      items: withExpressions({ type: 'string', minLength: 1 }),
    },
  },
};

const variable: JsonSchema = {
  type: ['object', 'null'],
  description: 'A variable, used as `${var.name}`.',
  additionalProperties: false,
  properties: {
    default: { description: 'The value, if none is given: text, a number, a list or a map.' },
    env: text(
      'The environment variable that holds the value; one that does not begin with TRUEUP_VAR_ takes --allow-env-shown.',
    ),
    description: { description: 'What the variable is for.' },
  },
};

/** The keys above the sections. They may all be missing: in a configuration of several files one has them. */
const headerSchemas: Record<string, JsonSchema> = {
  stack: withExpressions({
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
    patternErrorMessage:
      'up to 63 letters, digits, dots, hyphens and underscores; a letter or digit in front',
    description: 'The name of the stack, which names its ledger.',
  }),
  platform: orExpression('object', {
    description: 'The account: `{ team: slug-or-id }`, or `{ personal: true }`.',
    minProperties: 1,
    ...atMostOne,
    additionalProperties: false,
    properties: {
      team: text('The slug or id of the team.'),
      personal: withExpressions({ const: true, description: 'The account of the person behind the token.' }),
    },
  }),
  variables: {
    type: 'object',
    description: 'Values that are given from outside: --var, --var-file, TRUEUP_VAR_name, `env`, `default`.',
    propertyNames: {
      pattern: '^(?:<<|[\\p{L}_][\\p{L}\\p{N}_-]*)$',
      patternErrorMessage: 'The name of a variable has letters, digits, `_` and `-`.',
    },
    additionalProperties: variable,
  },
  $allow: {
    ...allowSchema,
    description: 'What the stack may do that nothing does without a word: cost money, take access away.',
  },
  secrets: {
    type: 'object',
    description: 'Secret values, used as `${secret.name}`.',
    additionalProperties: secret,
  },
};
