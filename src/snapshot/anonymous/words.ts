/*
 * The words that stay in an anonymous snapshot: those of the platform and of trueup. They are in its documentation, so they tell nothing
 * about an account. All other texts get pseudonyms (`pseudonyms.ts`).
 */
import type * as z from 'zod';
import { kindsOf } from '../../kind/define-kind.ts';
import type { AnswerShape } from '../../kind/evidence.ts';
import type { Kind } from '../../kind/kind.ts';
import type { Provider } from '../../kind/provider.ts';
import { innerOf, shapeOf, traitsOf } from '../../kind/traits.ts';
import { memoize } from '../../model/graph.ts';
import { wordsOfSchemas } from '../ordinary-words.ts';
import { decidingOptions } from './deciding-options.ts';

/** Members and values of snapshots that no schema names, such as those of a configuration, of errors and of findings. */
const ownWords = `
  accountEvents addresses after alike applied attr cause causes clock codes command count createdAt dependsOnMissingField destroy
  discard drift env errors exclusive field files findingRules finding fixed folded forget group ignore isForLater isLive
  isOptional isSecret isSuppressed live lookup madeAt names new none object observed off open order owns patch path platform
  problem readable readIds reason references removed replace retryAfter response rule secretName secretTo stacks standIn standard
  state status stdout suggestion summary then trueup unchanged undefined unset use users variable vars verified via wait where why
  write write-only $secret $ref $lookup $result $join $sealed secrecy false null yes no yaml yml json GET POST PUT PATCH DELETE
  http https www localhost production preview development custom system automatic automation-bypass protectionBypass allowed
  product integrationConfigurationId alias-protection-override misconfigured deleting geo_country geo_as_number ip_address
  user_agent raw_path rate_limit email_invite service_account invalid_client objects deletes release deleted released free ask
  never write-once inClear A AAAA ALIAS CAA CNAME HTTPS MX NS SRV TXT ConnectionCut HttpError IncompleteList LimitedList NotJson
  OutOfBounds RateLimited Redirected TimedOut Unreachable invalidToken isTransient limits mayBeCarriedOut method rateLimit
  scopeHint start codeOrProblems endColumn details caret sentAt maySucceed isRefused hobby pro enterprise confirmedAt data was
  wholly kept
`;

/** Words with a space around them that trueup writes itself before a name: the source of a value, and the user of a secret. */
export const prefixWords: ReadonlySet<string> = new Set([
  'secret',
  'variable',
  'env',
  'file',
  'command',
  'live',
]);

/**
 * Returns the words of a platform and of trueup, which an anonymous snapshot keeps: they are documented, so that they tell nothing about an
 * account. They are collected once for each provider, because its OpenAPI document has hundreds of schemas.
 */
export const collectPlatformWords = memoize(async (provider: Provider): Promise<ReadonlySet<string>> => {
  // A plan reads the options in a snapshot by their names.
  const words = new Set([
    ...ownWords.split(/\s+/).filter(Boolean),
    ...wordsOfSchemas(kindsOf(provider.kinds)),
    ...decidingOptions,
  ]);
  for (const kind of provider.kinds) addWordsOfKind(kind, words);
  for (const { method, path } of [...(await provider.operations()), ...(await provider.extraOperations())])
    addEndpoint(`${method} ${path}`, words);
  addWordsOfDocument(await provider.openApi(), words);
  addMembersOfShape(Object.values((await provider.evidence()).shapes), words);
  const { lookups, actions } = await provider.actionsAndLookups();
  for (const name of [...lookups.keys(), ...actions.keys()]) words.add(name);
  return words;
});

/**
 * Adds the words of a kind (an object type) that an anonymous snapshot keeps: its name, section and key, its fields with the values that
 * they list, the endpoints of its requests, and the words in the code of its functions.
 */
function addWordsOfKind(kind: Kind, words: Set<string>): void {
  const texts = [kind.name, kind.section, ...[kind.key].flat()];
  for (const text of texts) if (text) words.add(text);
  for (const [name, schema] of Object.entries(kind.fields)) addWordsOfSchema(name, schema, words);
  addTextsOfData(kind.read, words);
  for (const write of [kind.create, kind.update, kind.delete]) addTextsOfData(write, words);
  addWordsOfCode(kind, words);
}

/** Names of members and texts in the code of a kind: it reads these members of answers, and compares with these texts. */
const codeWord = /\.([A-Za-z_]\w*)|(['"`])([\w./:-]+)\2|([A-Za-z_]\w*)\s*[:,}]/g;

/**
 * Adds the words in the source text of a kind's functions, because they name members and values of answers that no schema names. Looks at
 * most four levels deep.
 */
function addWordsOfCode(value: unknown, words: Set<string>, depth = 0): void {
  // The source of the function. Three groups of the pattern are words: `.member`, `'text'`, and `name:`; the fourth is the quote.
  if (typeof value === 'function')
    for (const [, member, , text, name] of String(value).matchAll(codeWord)) {
      const word = member ?? text ?? name;
      if (word && word.length > 2) words.add(word);
    }
  else if (typeof value === 'object' && value !== null && depth < 4)
    for (const member of Object.values(value)) addWordsOfCode(member, words, depth + 1);
}

/** Adds the name of a field or member and the values that its schema names, which an anonymous snapshot keeps. */
function addWordsOfSchema(name: string, schema: z.ZodType, words: Set<string>): void {
  words.add(name);
  for (const value of traitsOf(schema).knownValues ?? []) words.add(value);
  addSchemaValues(schema, words, new Set());
}

/**
 * Adds the names of members and the values (such as those of an enum) that a schema names, at any depth. `visited`: the schemas that were
 * searched already, because one can contain itself.
 */
function addSchemaValues(schema: z.ZodType, words: Set<string>, visited: Set<z.ZodType>): void {
  if (visited.has(schema)) return;
  visited.add(schema);
  const def = schema.def as {
    type: string;
    entries?: Record<string, string>;
    values?: unknown[];
    defaultValue?: unknown;
    options?: z.ZodType[];
    element?: z.ZodType;
    valueType?: z.ZodType;
    items?: z.ZodType[];
    left?: z.ZodType;
    right?: z.ZodType;
  };
  for (const value of traitsOf(schema).knownValues ?? []) words.add(value);
  for (const value of [...Object.values(def.entries ?? {}), ...(def.values ?? []), def.defaultValue])
    if (typeof value === 'string') words.add(value);
  for (const [name, member] of Object.entries(shapeOf(schema) ?? {})) addWordsOfSchema(name, member, words);
  const innerSchemas = [innerOf(schema), def.element, def.valueType, def.left, def.right];
  for (const inner of [...innerSchemas, ...(def.options ?? []), ...(def.items ?? [])])
    if (inner) addSchemaValues(inner, words, visited);
}

/**
 * Adds the words in a kind's description of its requests, which an anonymous snapshot keeps: endpoints with the words in them, and names of
 * members.
 */
function addTextsOfData(value: unknown, words: Set<string>): void {
  if (typeof value === 'string') addEndpoint(value, words);
  else if (Array.isArray(value)) for (const item of value) addTextsOfData(item, words);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      words.add(name);
      addTextsOfData(member, words);
    }
}

function addEndpoint(text: string, words: Set<string>): void {
  words.add(text);
  for (const word of text.split(/[^\w-]+/)) if (word) words.add(word);
}

/**
 * Adds the names of members in the published form of an answer of the platform, at any depth, which an anonymous snapshot keeps. In a form,
 * a text is a type, a list has alternatives, and an object has members (`name?` if optional).
 */
function addMembersOfShape(shape: AnswerShape | readonly AnswerShape[], words: Set<string>): void {
  if (typeof shape === 'string') return;
  const isList = Array.isArray(shape);
  for (const [name, inner] of Object.entries(shape)) {
    if (!isList) words.add(name.replace(/\?$/, ''));
    addMembersOfShape(inner, words);
  }
}

/**
 * Adds the words of an OpenAPI document (of the platform's API) that an anonymous snapshot keeps, because everybody knows them and plans
 * depend on them: names of members and parameters, and documented values.
 */
function addWordsOfDocument(value: unknown, words: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) addWordsOfDocument(item, words);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === 'properties' && typeof member === 'object' && member !== null)
      for (const property of Object.keys(member)) words.add(property);
    if (name === 'enum' || name === 'const' || name === 'required')
      for (const text of [member].flat()) if (typeof text === 'string') words.add(text);
    if (name === 'name' && typeof member === 'string') words.add(member);
    addWordsOfDocument(member, words);
  }
}
