/**
 * The schemas for editors of the keys at the top of a document that are no sections of resources, such as `stack` and `variables`, except
 * `lookups` (`editor-schema.ts`), `templates` and `patches` (`template-schemas.ts`).
 */

import { stackNameRule } from '../../model/ledger.ts';
import { findingSeverities } from '../../model/resource.ts';
import type { DeclaredNames } from './declared-names.ts';
import {
  atMostOneMember,
  definitionRef,
  type JsonSchema,
  plainTextSchema,
  textOrExpression,
  typeOrExpression,
  valueOrList,
  withExpressions,
} from './json-schema.ts';
import { useEntrySchema } from './layer-keys.ts';
import { allowSchema } from './setting-keys.ts';

/**
 * Returns the editor's schema for the keys of a map of variables, templates or inputs, so that editors mark names that `hasValidName`
 * refuses. `<<` merges another map. `subject`: the declared thing with its article, for the message: `a variable`.
 */
export const declaredNameSchema = (subject: string): JsonSchema => ({
  pattern: '^(?:<<|[\\p{L}_][\\p{L}\\p{N}_-]*)$',
  patternErrorMessage: `The name of ${subject} can have letters, digits, \`_\` and \`-\`, and starts with a letter or \`_\`.`,
});

/** The program that prints a secret, as a list of its name and arguments. */
const commandSchema: JsonSchema = {
  type: 'array',
  description: 'The program that prints it, and its arguments; needs --allow-command.',
  minItems: 1,
  items: withExpressions({ type: 'string', minLength: 1 }),
};

/** The keys that name the place of a text with one secret, or with several secrets. */
const origins: Record<string, JsonSchema> = {
  env: textOrExpression('The environment variable that contains it; needs --allow-env.'),
  file: textOrExpression(
    'The file that contains it, relative to the folder of this file; a file that git does not track needs --allow-files.',
  ),
  command: commandSchema,
};

/**
 * Returns the editor's schema of `dotenv` and `json` in the declaration of a secret, which say where a text with several secrets is: the
 * path of a file (`dotenv: secrets.env`), or one of `origins` (`dotenv: { env: SECRETS }`).
 */
const multiSecretSchema = (description: string): JsonSchema => ({
  description,
  type: ['object', 'string'],
  minLength: 1,
  ...atMostOneMember,
  additionalProperties: false,
  properties: origins,
});

/**
 * The declaration of a secret: none or one of the keys that name a source. The only second key can be `format`; the loader checks that it
 * stands beside `env`, `file` or `command`.
 */
const secretSchema: JsonSchema = {
  type: 'object',
  description:
    'Where the secret comes from: `{}` is TRUEUP_SECRET_name; other sources must be allowed by the operator. It is read only when needed and never shown.',
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
    dotenv: multiSecretSchema('Several secrets as lines `NAME=value`: `${secret.name[key]}` is one of them.'),
    json: multiSecretSchema('Several secrets as a JSON object: `${secret.name[key]}` is one of them.'),
    format: {
      type: 'string',
      enum: ['json', 'dotenv'],
      description: 'With `env`, `file` or `command`: the source contains several secrets.',
    },
    sops: textOrExpression('A file with several secrets, decrypted by `sops`; needs --allow-command.'),
  },
};

const variableSchema: JsonSchema = {
  type: ['object', 'null'],
  description: 'A variable, used as `${var.name}`.',
  additionalProperties: false,
  properties: {
    default: { description: 'The default value: text, a number, a list or a map.' },
    env: plainTextSchema(
      'The environment variable that contains the value; one that does not start with TRUEUP_VAR_ needs --allow-env-shown.',
    ),
    file: plainTextSchema(
      'A file with the value, relative to the folder of this file: CSV (a map by its first column), JSON or YAML.',
    ),
    description: { description: 'What the variable is for.' },
  },
};

const platformSchema: JsonSchema = typeOrExpression('object', {
  description: 'The account: `{ team: slug-or-id }`, or `{ personal: true }`.',
  minProperties: 1,
  ...atMostOneMember,
  additionalProperties: false,
  properties: {
    team: textOrExpression('The slug or id of the team.'),
    personal: withExpressions({ const: true, description: "The personal account of the token's owner." }),
  },
});

/** An item of `findings:`. */
const findingRuleSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'severity', 'reason'],
  additionalProperties: false,
  properties: {
    code: valueOrList(
      textOrExpression('A code, or a glob such as `dns/spf-*`.'),
      'The codes of the findings.',
    ),
    at: valueOrList(
      textOrExpression('An address glob, as for --target.'),
      'The addresses that the findings are about; by default all.',
    ),
    severity: withExpressions({
      type: 'string',
      enum: [...findingSeverities],
      description: 'The severity instead of their own; `off` hides them, and reports only count them.',
    }),
    reason: textOrExpression('Why, for the next reader.'),
  },
};

const ledgerPlaceSchema = plainTextSchema(
  'Where the ledger is: `git`, `git:REMOTE`, a file relative to the folder of this file, or the URL of a store without credentials.',
);

/** An item of `removed:`. */
const removalSchema: JsonSchema = {
  type: 'object',
  required: ['at', 'delete'],
  additionalProperties: false,
  properties: {
    at: textOrExpression(
      'The address of an object whose block is gone, such as `projects/old`; includes everything in it.',
    ),
    delete: withExpressions({
      type: 'boolean',
      description: '`true` deletes it; with `false` it stays in the account, and is not managed any more.',
    }),
    objects: withExpressions({
      type: 'integer',
      minimum: 1,
      description:
        'How many objects may be deleted, with the one at `at`; they do not count for the usual limits.',
    }),
    $when: definitionRef('$when'),
  },
};

/**
 * Returns the editor's schema of a stage. Editors suggest the declared variables in its `variables`. Other names are an error of the
 * loader, but the schema accepts them, because the declarations may have changed since `trueup schema` printed it.
 */
const stageSchema = ({ variables }: DeclaredNames): JsonSchema => ({
  type: ['object', 'null'],
  description: 'A stage, selected with --stage.',
  additionalProperties: false,
  properties: {
    variables: {
      type: 'object',
      description: 'Values of variables in this stage.',
      properties: Object.fromEntries(
        variables.map(({ name, description }) => [name, description === undefined ? {} : { description }]),
      ),
    },
    platform: platformSchema,
    files: valueOrList(
      plainTextSchema(
        'A file or folder of this stage only, relative to the folder of this file; applied after all others.',
      ),
      'Files of this stage only, applied after all others.',
    ),
  },
});

/**
 * Returns the editor's schemas of the keys at the top of a document that are no sections of resources, except `lookups`, `templates` and
 * `patches`. None of them is required, because another file of the configuration may have them. `declaredNames`: what editors suggest in
 * stages and under `use:`.
 */
export const headerSchemas = (declaredNames: DeclaredNames): Record<string, JsonSchema> => ({
  stack: withExpressions({
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}(@[A-Za-z0-9][A-Za-z0-9_-]{0,31})?$',
    patternErrorMessage: stackNameRule,
    description: 'The name of the stack and of its ledger.',
  }),
  platform: platformSchema,
  ledger: { ...ledgerPlaceSchema, examples: ['git'] },
  include: valueOrList(
    plainTextSchema(
      'A file or folder with templates, variables and `x-` keys, relative to the folder of this file.',
    ),
    'Files and folders with templates, variables and `x-` keys, relative to the folder of this file.',
  ),
  stages: {
    type: 'object',
    description: 'The stages of the stack, by name; `${stage}` is the one selected with --stage.',
    propertyNames: {
      pattern: '^(?:<<|[A-Za-z0-9][A-Za-z0-9_-]{0,31})$',
      patternErrorMessage: 'A stage name can have up to 32 letters, digits, `_` and `-`.',
    },
    additionalProperties: stageSchema(declaredNames),
  },
  variables: {
    type: 'object',
    description: 'Values set from outside: --var, --var-file, TRUEUP_VAR_name, `env`, `file`, `default`.',
    propertyNames: declaredNameSchema('a variable'),
    additionalProperties: variableSchema,
  },
  owns: {
    type: 'array',
    items: textOrExpression('An address glob, as for --target.'),
    description: 'What the stack may declare; anything else is an error.',
  },
  findings: {
    type: 'array',
    description: 'The severities of findings, by code and address; the first rule that fits decides.',
    items: findingRuleSchema,
  },
  removed: {
    type: 'array',
    description:
      'What happens to objects whose blocks are gone: they are deleted, or only not managed any more.',
    items: removalSchema,
  },
  $allow: {
    ...allowSchema,
    description: 'What the stack is permitted to do: cost money, remove access.',
  },
  secrets: {
    type: 'object',
    description: 'Secret values, used as `${secret.name}`.',
    additionalProperties: secretSchema,
  },
  use: {
    type: 'array',
    description: 'Templates with whole sections, and their inputs.',
    items: useEntrySchema(declaredNames),
  },
});
