import { formatInputValue, type LookupRow, toLookupRow } from '../../action/lookup-rows.ts';
import { parseInput } from '../../action/parse-input.ts';
import {
  createObjectReader,
  hasGlob,
  type LookupContext,
  type LookupResult,
} from '../../action/read-lookup.ts';
import { hintFor, quoted } from '../../config/suggest.ts';
import type { Input, Lookup } from '../../kind/lookup.ts';
import { createAddressMatcher } from '../../model/address-glob.ts';
import { Problems, problem } from '../../model/diagnostic.ts';
import { findSubject, queryParametersOf, type ReadOnlyAccount } from './read-only-account.ts';

/** Which objects of a lookup are asked for. */
interface Wanted {
  /** A name, or a glob over names: the lookup's `key`. */
  name?: string | undefined;
  /** The address of what it is about. */
  of?: string | undefined;
  /** Names and values: what is asked of the platform, or what the objects have to have. */
  where: readonly (readonly [string, string])[];
  /** So many at most. */
  limit: number;
}

/** The surroundings of an account's lookups and actions. */
export const lookupGround = ({
  connection,
  operations,
}: Pick<ReadOnlyAccount, 'connection' | 'operations'>): LookupContext => ({
  send: connection.send,
  queryOf: (endpoint) => queryParametersOf(endpoint, operations),
});

/** Makes a function that reads what is wanted of a lookup, each time anew. Throws `Problems` for what it does not know. */
export async function createLookupReader(
  lookup: Lookup,
  wanted: Wanted,
  reading: Pick<ReadOnlyAccount, 'context' | 'connection' | 'operations'>,
): Promise<() => Promise<LookupResult>> {
  const { context } = reading;
  const { about, asked, conditions } = sortInput(lookup, wanted);
  const input = parseInput(asked, lookup.input, { name: lookup.name, flag: '--where' });
  const ids =
    about === undefined ? new Map<string, string>() : (await findSubject(about, lookup.on!, context)).ids;
  refuseWithoutAbout(lookup, ids, input);
  const { name } = wanted;
  const read = createObjectReader(lookup, { name, ids, input }, lookupGround(reading));
  const isNamed = name === undefined || !lookup.key ? () => true : nameTest(name, lookup.key);
  const isWanted = (row: LookupRow) =>
    isNamed(row) && conditions.every(([field, value]) => formatInputValue(row[field]) === value);
  return () => read((object) => isWanted(toLookupRow(lookup, object)), wanted.limit);
}

function nameTest(name: string, key: string): (row: LookupRow) => boolean {
  const test = hasGlob(name) ? createAddressMatcher([name]) : (text: string) => text === name;
  return (row) => test(formatInputValue(row[key]));
}

/** Sorts the words of `--where`: the object, the inputs for the platform, and the conditions on an object. */
function sortInput({ name, on, input, output }: Lookup, { of, where }: Wanted) {
  const about = of ?? where.find(([field]) => field === on)?.[1];
  const others = where.filter(([field]) => field !== on);
  const isAsked = ([field]: readonly [string, string]) => Object.hasOwn(input, field.split('.')[0]!);
  const conditions = others.filter((one) => !isAsked(one));
  if (of !== undefined && on === undefined)
    throw new Problems('asked/about', `${name} is about the account and takes no --of`);
  refuseUnknownFields(
    conditions.map(([field]) => field),
    Object.keys(output),
    {
      what: name,
      known: [...(on === undefined ? [] : [on]), ...Object.keys(input), ...Object.keys(output)],
    },
  );
  return { about, asked: others.filter(isAsked), conditions };
}

/** Fields that a lookup does not tell. Throws `Problems`. */
export function refuseUnknownFields(
  names: readonly string[],
  fields: readonly string[],
  { what, known = [...fields] }: { what: string; known?: string[] },
): void {
  const wrong = names.filter((name) => !fields.includes(name));
  if (wrong.length === 0) return;
  throw new Problems(
    wrong.map((name) =>
      problem('asked/unknown', `${what} has no ${quoted(name)}`, { hint: hintFor(name, known, 'it has') }),
    ),
  );
}

function refuseWithoutAbout(
  { name, on, endpoint }: Lookup,
  ids: ReadonlyMap<string, string>,
  input: Input,
): void {
  const path = endpoint.split('?')[0]!;
  const missing = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, of]) => of!)
    .filter((of) => of !== 'teamId' && !ids.has(of) && input[of] === undefined);
  if (missing.length === 0) return;
  throw new Problems('asked/missing', `${name} needs to know which ${on ?? missing[0]}`, {
    hint: on === undefined ? `name it: --where ${missing[0]}=VALUE` : 'name it: --of ADDRESS',
  });
}
