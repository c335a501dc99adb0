import * as z from 'zod';
import type { Kinds } from '../kind/kind.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import { entrySchema, ledgerSchema } from '../ledger/parse-ledger.ts';
import { memoize } from '../model/graph.ts';
import type { Desired, LiveResource } from '../model/resource.ts';
import { Sealed } from '../model/sealed.ts';
import { visitDeep, visitMembers } from '../model/walk.ts';
import { stackPartForm } from './snapshot-form.ts';

/**
 * Returns the texts that the configuration or the plan shows, and the names and values in the schemas of kinds, ledgers and snapshots. A
 * snapshot does not replace them by tokens where a secret happens to be equal to one, except in the secret's own field: `production`
 * remains `production`.
 */
export function listOrdinaryWords(
  kinds: Kinds,
  { resources }: Desired,
  objects: readonly LiveResource[],
): Set<string> {
  const words = new Set(wordsOfSchemas(kinds));
  // The plan shows addresses and ids. Ids that are secrets are digests here.
  for (const { address, ids } of objects)
    for (const word of [...address.split(/[/@]/), ...ids]) words.add(word);
  for (const { address, fields } of resources.values()) {
    for (const word of [address, ...address.split(/[/@]/)]) words.add(word);
    visitDeep(fields, (part) => {
      if (part instanceof Sealed) return undefined;
      if (typeof part === 'string') words.add(part);
      return visitMembers;
    });
  }
  return words;
}

/** Returns the names and values in the schemas of snapshots, ledgers and kinds. */
export const wordsOfSchemas = memoize((kinds: Kinds): ReadonlySet<string> => {
  const words = new Set<string>();
  for (const schema of [stackPartForm, ledgerSchema, entrySchema]) addWords('', schema, words);
  for (const kind of kinds.values()) {
    words.add(kind.name);
    words.add(kind.section);
    for (const [name, schema] of Object.entries(kind.fields)) addWords(name, schema, words);
  }
  return words;
});

/**
 * Adds the name of a member, the words that its schema takes (such as those of an enum), and those of the members in it. A snapshot keeps
 * such ordinary words unless they stand at the place of a secret.
 */
function addWords(name: string, schema: z.ZodType, words: Set<string>): void {
  words.add(name);
  for (const value of traitsOf(schema).knownValues ?? []) words.add(value);
  if (schema instanceof z.ZodEnum) for (const value of schema.options) words.add(String(value));
  if (schema instanceof z.ZodLiteral) for (const value of schema.values) words.add(String(value));
  for (const option of schema instanceof z.ZodUnion ? schema.options : [])
    addWords(name, option as z.ZodType, words);
  const shape = shapeOf(schema);
  if (shape) for (const [member, inner] of Object.entries(shape)) addWords(member, inner, words);
  const { element, valueType } = schema.def as { element?: z.ZodType; valueType?: z.ZodType };
  const inner = innerOf(schema) ?? element ?? valueType;
  if (inner && !shape) addWords(name, inner, words);
}
