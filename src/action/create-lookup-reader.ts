import { hintFor, quoted } from '../config/suggest.ts';
import type { Input, Lookup } from '../kind/lookup.ts';
import type { ApiOperation } from '../kind/provider.ts';
import type { ApiObject } from '../kind/read.ts';
import { queryParametersOf } from '../manual/coverage.ts';
import { problem, raise } from '../model/diagnostic.ts';
import { createAddressMatcher } from '../model/glob.ts';
import { memberAtPath } from '../model/value.ts';
import { type AccountContext, findSubject } from './find-subject.ts';
import { parseInput } from './parse-input.ts';
import {
  createObjectReader,
  formatInputValue,
  hasGlob,
  isReadByName,
  type LookupContext,
  type LookupResult,
  type LookupRow,
  toLookupRow,
} from './read-lookup.ts';

/** The objects of a lookup that the user asks for. */
interface LookupQuery {
  /** The name of the objects, or a glob over names: a value of the field that the lookup's `key` names. */
  name?: string | undefined;
  /** The address of the object that the lookup is about. */
  subject?: string | undefined;
  /** Pairs of a field and its value. Inputs of the lookup are sent to the platform, and the others filter its objects. */
  where: readonly (readonly [string, string])[];
  /** The largest number of objects to read. */
  limit: number;
}

/**
 * Returns the connection of an account in the form that lookups and actions send their requests with, for
 * `trueup get` and `trueup run`. `queryOf` returns the names of the query parameters that an endpoint has by the
 * catalog of API operations: input with such a name is sent in the query, other input in the body.
 */
export const lookupContextOf = ({
  connection,
  operations,
}: Pick<AccountContext, 'connection'> & { operations: readonly ApiOperation[] }): LookupContext => ({
  send: connection.send,
  queryOf: (endpoint) => queryParametersOf(endpoint, operations),
});

/**
 * Creates a reader for the objects of a lookup (a read-only question, such as `deployments`). Each call reads again. Used by `get`, by
 * `wait` (to read until something happens), and for `$lookup` in configurations. An object with a name is read alone if the lookup has a
 * request for that and its answer can be checked; otherwise its list is read. Conditions that the platform cannot check are checked here.
 * Throws `Problems` for an unknown field, and if the object that the lookup is about (its subject) is needed and not named.
 */
export async function createLookupReader(
  lookup: Lookup,
  query: LookupQuery,
  account: AccountContext & { operations: readonly ApiOperation[] },
): Promise<() => Promise<LookupResult>> {
  const { subjectName, inputPairs, conditions } = sortConditions(lookup, query);
  const input = parseInput(inputPairs, lookup.input, { name: lookup.name, flag: '--where' });
  const subject = subjectName === undefined ? undefined : await findSubject(subjectName, lookup.on!, account);
  const ids = subject?.ids ?? new Map<string, string>();
  refuseMissingSubject(lookup, ids, input);
  const { name, limit } = query;
  const isReadAlone = isReadByName(lookup, name) && showsSelection(lookup, subjectName, inputPairs);
  const selected = { name: isReadAlone ? name : undefined, ids, input };
  const read = createObjectReader(lookup, selected, lookupContextOf(account));
  // The objects of a list are filtered by name. The request for a single object has its name.
  const isNameTested = name !== undefined && lookup.key !== undefined && !isReadAlone;
  const hasName = isNameTested ? createRowNameTest(name, lookup.key!) : () => true;
  const checks = [...conditions, ...(isReadAlone ? findUnsentInputs(lookup, inputPairs) : [])];
  const isWanted = (row: LookupRow) =>
    hasName(row) && checks.every(([field, value]) => formatInputValue(row[field]) === value);
  // `within`: the member of a single object with the id of its subject, because the request does not name the subject.
  const subjectMember = isReadAlone && subjectName !== undefined ? lookup.single!.within : undefined;
  const isOfSubject = (object: ApiObject) =>
    subjectMember === undefined || memberAtPath(object, subjectMember) === ids.get(lookup.on!);
  return () => read((object) => isOfSubject(object) && isWanted(toLookupRow(lookup, object)), limit);
}

/**
 * True if the request for a single object, or that object, shows whether it is what the user asked for: of the named subject (the
 * object that contains it), and with these inputs (`inputPairs`). Otherwise `trueup get` reads the list, which the platform narrows to
 * them. `output`: the fields that the object has. `within`: its member with the id of the subject, if there is one.
 */
function showsSelection(
  { on, output, single }: Lookup,
  subjectName: string | undefined,
  inputPairs: LookupQuery['where'],
): boolean {
  const { endpoint, within } = single!;
  const isSent = (field: string) => endpoint.includes(`{${field}}`);
  const showsSubject = subjectName === undefined || isSent(on!) || within !== undefined;
  return showsSubject && inputPairs.every(([field]) => isSent(field) || Object.hasOwn(output, field));
}

/**
 * Returns the inputs that the request for a single object does not send, although the object has fields of these names, by which they are
 * checked.
 */
const findUnsentInputs = (
  { single, output }: Lookup,
  inputPairs: LookupQuery['where'],
): LookupQuery['where'] =>
  inputPairs.filter(([field]) => Object.hasOwn(output, field) && !single!.endpoint.includes(`{${field}}`));

/** Returns a test whether a row has a name, or matches a glob, in the field `key`. */
function createRowNameTest(name: string, key: string): (row: LookupRow) => boolean {
  const matches = hasGlob(name) ? createAddressMatcher([name]) : (text: string) => text === name;
  return (row) => matches(formatInputValue(row[key]));
}

/**
 * Sorts the pairs of `--where` of `trueup get` and `trueup wait`: the object that the lookup is about
 * (its subject, such as the project of deployments, named by a pair for `on` or by `--of`), the inputs that the
 * platform gets, and the conditions that are checked on the objects that it returns. Throws `Problems` for fields
 * that the lookup does not have, and for several subjects.
 */
function sortConditions({ name, on, input, output }: Lookup, query: LookupQuery) {
  const { subject, where } = query;
  const namedSubjects = where.filter(([field]) => field === on).map(([, value]) => value);
  const [subjectName, ...furtherSubjects] = new Set([
    ...(subject === undefined ? [] : [subject]),
    ...namedSubjects,
  ]);
  if (furtherSubjects.length > 0)
    raise('asked/about', `${name} is about one ${on}, but ${furtherSubjects.length + 1} are given`);
  const pairs = where.filter(([field]) => field !== on);
  const isInput = ([field]: readonly [string, string]) => Object.hasOwn(input, field.split('.')[0]!);
  const conditions = pairs.filter((pair) => !isInput(pair));
  if (subject !== undefined && on === undefined)
    raise('asked/about', `${name} is about the account and takes no --of`);
  refuseUnknownFields(
    conditions.map(([field]) => field),
    Object.keys(output),
    {
      what: name,
      suggestions: [...(on === undefined ? [] : [on]), ...Object.keys(input), ...Object.keys(output)],
    },
  );
  return { subjectName, inputPairs: pairs.filter(isInput), conditions };
}

/**
 * Throws `Problems` for names in `--where`, `--for` or `--fields` of `trueup get` and `wait` that are not
 * among the fields of an object, since they are probably misspelled. `what`: the kind or the lookup, for the
 * message. `suggestions`: the names that the hint may suggest, by default the fields.
 */
export function refuseUnknownFields(
  names: readonly string[],
  fields: readonly string[],
  { what, suggestions = [...fields] }: { what: string; suggestions?: string[] },
): void {
  const unknown = names.filter((name) => !fields.includes(name));
  if (unknown.length === 0) return;
  raise(
    unknown.map((name) =>
      problem('asked/unknown', `${what} has no ${quoted(name)}`, {
        hint: hintFor(name, suggestions, 'it has'),
      }),
    ),
  );
}

/**
 * Throws `Problems` if the endpoint of a lookup has a parameter in its path that neither the named object nor the input fills, so that
 * `trueup get` asks for `--of` or `--where` instead of sending a wrong request.
 */
function refuseMissingSubject(
  { name, on, endpoint }: Lookup,
  ids: ReadonlyMap<string, string>,
  input: Input,
): void {
  const path = endpoint.split('?')[0]!;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
  const [missing] = parameters.filter(
    (parameter) => parameter !== 'teamId' && !ids.has(parameter) && input[parameter] === undefined,
  );
  if (missing === undefined) return;
  raise('asked/missing', `${name} needs to know which ${on ?? missing}`, {
    hint: on === undefined ? `name it: --where ${missing}=VALUE` : 'name it: --of ADDRESS',
  });
}
