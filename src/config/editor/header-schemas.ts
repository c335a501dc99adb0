import { atMostOne, type JsonSchema, orExpression } from './json-schema.ts';
import type { KnownNames } from './known-names.ts';
import { plainText, text, useEntry } from './layer-schemas.ts';
import { allowSchema } from './meta-schemas.ts';
import { withExpressions } from './with-expressions.ts';

/** The name of a variable, a template or an input, with words for one that is none. */
export const names = (what: string): JsonSchema => ({
  pattern: '^(?:<<|[\\p{L}_][\\p{L}\\p{N}_-]*)$',
  patternErrorMessage: `The name of ${what} has letters, digits, \`_\` and \`-\`.`,
});

/** One thing, or a list of such things. */
const oneOrMore = (description: string, item: JsonSchema): JsonSchema => ({
  if: { type: 'array' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { description, items: item },
  else: item,
});

const command: JsonSchema = {
  type: 'array',
  description: 'The program that prints it, and its arguments; it takes --allow-command.',
  minItems: 1,
  items: withExpressions({ type: 'string', minLength: 1 }),
};

const origins: Record<string, JsonSchema> = {
  env: text('The environment variable that holds it; it takes --allow-env.'),
  file: text(
    'The file that holds it, from the folder of this one; one that git does not track takes --allow-files.',
  ),
  command,
};

/** A source that holds several secrets: a path, or where its text comes from. */
const several = (description: string): JsonSchema => ({
  description,
  type: ['object', 'string'],
  minLength: 1,
  ...atMostOne,
  additionalProperties: false,
  properties: origins,
});

const secret: JsonSchema = {
  type: 'object',
  description:
    'Where the secret comes from: `{}` is TRUEUP_SECRET_name; all else as far as the operator allows. It is read when it is needed, and never shown.',
  allOf: [
    {
      anyOf: [
        { maxProperties: 1, not: { required: ['format'] } },
        { minProperties: 2, maxProperties: 2, required: ['format'] },
      ],
    },
  ],
  additionalProperties: false,
  properties: {
    ...origins,
    dotenv: several('Several secrets as lines `NAME=value`: `${secret.name[key]}` is one of them.'),
    json: several('Several secrets as a JSON object: `${secret.name[key]}` is one of them.'),
    format: {
      type: 'string',
      enum: ['json', 'dotenv'],
      description: 'Beside `env`, `file` or `command`: there are several secrets in it.',
    },
    sops: text('A file that `sops` decrypts, with several secrets; it takes --allow-command.'),
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
    file: plainText(
      'A file with the value, from the folder of this one: CSV (a map by its first column), JSON or YAML.',
    ),
    description: { description: 'What the variable is for.' },
  },
};

const platform: JsonSchema = orExpression('object', {
  description: 'The account: `{ team: slug-or-id }`, or `{ personal: true }`.',
  minProperties: 1,
  ...atMostOne,
  additionalProperties: false,
  properties: {
    team: text('The slug or id of the team.'),
    personal: withExpressions({ const: true, description: 'The account of the person behind the token.' }),
  },
});

const stage = ({ variables }: KnownNames): JsonSchema => ({
  type: ['object', 'null'],
  description: 'A stage, chosen by --stage.',
  additionalProperties: false,
  properties: {
    variables: {
      type: 'object',
      description: 'Values of variables in this stage.',
      properties: Object.fromEntries(
        variables.map(({ name, description }) => [name, description === undefined ? {} : { description }]),
      ),
    },
    platform,
    files: oneOrMore(
      'Files of this stage only, laid behind all others.',
      plainText(
        'A file or folder of this stage only, from the folder of this one; it is laid behind all others.',
      ),
    ),
  },
});

/** The keys above the sections, but for templates and patches. They may all be missing: in a configuration of several files one has them. */
export const headerSchemas = (known: KnownNames): Record<string, JsonSchema> => ({
  stack: withExpressions({
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}(@[A-Za-z0-9][A-Za-z0-9_-]{0,31})?$',
    patternErrorMessage:
      'up to 63 letters, digits, dots, hyphens and underscores; a letter or digit in front',
    description: 'The name of the stack, which names its ledger.',
  }),
  platform,
  include: oneOrMore(
    'Files and folders with templates, variables and `x-` keys, from the folder of this one.',
    plainText('A file or folder with templates, variables and `x-` keys, from the folder of this one.'),
  ),
  stages: {
    type: 'object',
    description: 'The stages of the stack, by name; `${stage}` is the one that --stage chooses.',
    propertyNames: {
      pattern: '^(?:<<|[A-Za-z0-9][A-Za-z0-9_-]{0,31})$',
      patternErrorMessage: 'The name of a stage has up to 32 letters, digits, `_` and `-`.',
    },
    additionalProperties: stage(known),
  },
  variables: {
    type: 'object',
    description:
      'Values that are given from outside: --var, --var-file, TRUEUP_VAR_name, `env`, `file`, `default`.',
    propertyNames: names('a variable'),
    additionalProperties: variable,
  },
  owns: {
    type: 'array',
    items: text('A glob of addresses, as --target takes it.'),
    description: 'What the stack may declare; anything else is an error.',
  },
  $allow: {
    ...allowSchema,
    description: 'What the stack may do only with permission: cost money, take access away.',
  },
  secrets: {
    type: 'object',
    description: 'Secret values, used as `${secret.name}`.',
    additionalProperties: secret,
  },
  use: {
    type: 'array',
    description: 'Templates that hold whole sections, with their inputs.',
    items: useEntry(known),
  },
});
