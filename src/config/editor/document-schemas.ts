/**
 * The schemas for editors of the keys at the top of a document that are no sections of resources, such as `stack`, `variables`, `templates`
 * and `patches`; all of them except `lookups`, which `editor-schema.ts` has.
 */

import { childKinds } from '../../kind/define-kind.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { stackNameRule } from '../../model/ledger.ts';
import { findingSeverities } from '../../model/resource.ts';
import { inputTypes } from '../layers/templates.ts';
import { sectionSchema } from './block-definition.ts';
import type { DeclaredNames } from './declared-names.ts';
import {
  atMostOneMember,
  definitionRef,
  ifThen,
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
const declaredNameSchema = (subject: string): JsonSchema => ({
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
 * Returns the editor's schema of `dotenv` and `json` in the declaration of a secret, which say where a text with several secrets is: the path of
 * a file (`dotenv: secrets.env`), or one of `origins` (`dotenv: { env: SECRETS }`).
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
 * The declaration of a secret: none or one of the keys that name a source. The only second key can be `format`; the loader checks that it stands
 * beside `env`, `file` or `command`.
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
      plainTextSchema('A code, or a glob such as `dns/spf-*`.'),
      'The codes of the findings.',
    ),
    at: valueOrList(
      plainTextSchema('An address glob, as for --target.'),
      'The addresses that the findings are about; by default all.',
    ),
    severity: {
      type: 'string',
      enum: [...findingSeverities],
      description: 'The severity instead of their own; `off` hides them, and reports only count them.',
    },
    reason: { type: 'string', minLength: 1, description: 'Why, for the next reader.' },
  },
};

/**
 * Returns the editor's schema of a stage. Editors suggest the declared variables in its `variables`. Other names are an error of the loader, but
 * the schema accepts them, because the declarations may have changed since `trueup schema` printed it.
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
 * `patches`. None of them is required, because another file of the configuration may have them. `declaredNames`: what editors suggest in stages
 * and under `use:`.
 */
export const headerSchemas = (declaredNames: DeclaredNames): Record<string, JsonSchema> => ({
  stack: withExpressions({
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}(@[A-Za-z0-9][A-Za-z0-9_-]{0,31})?$',
    patternErrorMessage: stackNameRule,
    description: 'The name of the stack and of its ledger.',
  }),
  platform: platformSchema,
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
 * Returns the editor's schemas for some keys of a template without `$kind`, by key: the `$` keys of layers, and the sections at the root of a
 * configuration. Such a template may contain whole sections or the content of a block of any kind. So a key is checked as a root section only
 * if no other section and no field of another kind has its name: `projects` is also a section of access groups, so anything is accepted there.
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
 * Returns the editor's schema of `patches:`, a list of maps with `$at`. The form of the address in `$at` (such as `projects/site-*`) shows the
 * kind of the blocks, so that the rest of the patch is checked as a block of that kind. A patch is not checked if the form does not show the
 * kind (see `unambiguousAddress`).
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

/**
 * A regular expression that matches an address whose form shows its kind, because each part between two slashes is one section or name: it has no
 * `**`, no expressions, and no `/` inside `{ }` or `[ ]`.
 */
const unambiguousAddress = '^(?!.*(?:\\*\\*|\\$\\{|\\{[^}]*/|\\[[^\\]]*/))';

/**
 * Returns the form of the addresses of a kind, such as `projects/NAME/env/NAME`, with `name` for each NAME. The schema of patches uses it
 * twice: with `*` to suggest addresses for `$at`, and with `[^/]+` as a regular expression that recognizes the kind from `$at`, so that the
 * editor knows the fields of the patch.
 * A block in a map has one name, its key; a block in a list has one for each field of its natural key; a singleton has none. A kind that
 * makes its own names (`kind.yaml.names`) may have any number of them, so the expression accepts any text there. This does not apply to a
 * kind with kinds inside it, because the text would also match their addresses.
 */
function addressPattern(kind: Kind, kinds: Kinds, name: string): string {
  const parent = kind.parent === undefined ? [] : [addressPattern(kinds.get(kind.parent)!, kinds, name)];
  const isLeaf = childKinds(kinds, kind.name).length === 0;
  const hasAnyNumberOfNames = kind.yaml.names !== undefined && isLeaf && name !== '*';
  const nameCount = kind.yaml.mapBy === undefined ? kind.key.length : 1;
  const names = hasAnyNumberOfNames ? ['.+'] : Array.from({ length: nameCount }, () => name);
  return [...parent, kind.section, ...names].join('/');
}
