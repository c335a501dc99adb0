import type { ActionsAndLookups } from '../kind/action.ts';
import type { Kind } from '../kind/kind.ts';
import type { ApiOperation, ExtraOperation } from '../kind/provider.ts';
import { groupBy, memoize } from '../model/graph.ts';
import type { Endpoint } from '../model/request.ts';
import type { Style } from '../report/style.ts';
import { type ColumnRow, formatLabelledRows, widthOf } from './columns.ts';
import { type KindRequest, type When, whens } from './kind-requests.ts';

/** An operation of the API, with everything that uses it. */
interface CoveredOperation extends ApiOperation {
  /** The kinds that use it, each once. */
  claims: CoverageClaim[];
  /** Set if every run reads it, to find out which account it works on. */
  isLookup?: true;
  /** The names of the actions and lookups that call it. */
  actions?: string[];
  lookups?: string[];
  /** Why only `trueup api` can call it. */
  byApi?: string;
}

/** The use of an operation by a kind. */
interface CoverageClaim {
  kind: string;
  when: When[];
}

/** Numbers of API operations. */
interface CoverageCount {
  total: number;
  /** Those that something other than `trueup api` calls. */
  claimed: number;
}

/** Counts the API operations that kinds, every run, actions and lookups use. */
interface ApiCoverage extends CoverageCount {
  /** The number of operations that read or write objects that a configuration can declare. */
  declarable: CoverageCount;
  groups: ({ group: string; operations: CoveredOperation[] } & CoverageCount)[];
  /** The operations outside the published catalog, with their users. They are not counted. Absent from the list of one group. */
  outsideCatalog?: (CoveredOperation & ExtraOperation)[];
}

/**
 * Computes how much of the platform's API is used, for `trueup kinds --coverage`. An operation is claimed if a kind (object type) sends it
 * or one with the same effect, if every run reads it, or if an action (a one-off operation) or a lookup (a query) calls it.
 * @param operations the operations to report
 * @param kinds the requests that each kind sends
 * @param readByEveryRun the endpoints that every run reads
 * @param options.all the operations that endpoints are matched with, if not all are reported
 * @param options.extraOperations the operations outside the published catalog, to report them apart
 */
export function coverageOf(
  operations: readonly ApiOperation[],
  kinds: { kind: Kind; requests: KindRequest[] }[],
  readByEveryRun: readonly Endpoint[],
  options: {
    all?: readonly ApiOperation[];
    actionsAndLookups?: ActionsAndLookups;
    extraOperations?: readonly ExtraOperation[];
  } = {},
): ApiCoverage {
  const { all = operations, actionsAndLookups, extraOperations } = options;
  const cover = createCover(kinds, readByEveryRun, { all, actionsAndLookups, extraOperations });
  const covered = operations.map(cover);
  return {
    ...countClaimed(covered),
    declarable: countClaimed(covered.filter(({ isDeclarable }) => isDeclarable)),
    groups: [...groupBy(covered, ({ group }) => group)].map(([group, members]) => ({
      group,
      ...countClaimed(members),
      operations: members,
    })),
    outsideCatalog: extraOperations?.map((operation) => ({ ...operation, ...cover(operation) })),
  };
}

/**
 * Creates the function which adds its users to an operation of the API, for `coverageOf`, whose parameters it has: the kinds (`claims`),
 * every run (`isLookup`), actions and lookups. An operation that no kind sends counts for the kinds that send another with the same effect
 * (`instead`).
 */
function createCover(
  kinds: { kind: Kind; requests: KindRequest[] }[],
  readByEveryRun: readonly Endpoint[],
  {
    all,
    actionsAndLookups,
    extraOperations = [],
  }: {
    all: readonly ApiOperation[];
    actionsAndLookups: ActionsAndLookups | undefined;
    extraOperations: readonly ExtraOperation[] | undefined;
  },
): (operation: ApiOperation) => CoveredOperation {
  const allKnown = [...all, ...extraOperations];
  const callersOf = callersByOperation(actionsAndLookups, allKnown);
  const claims = kinds.flatMap(({ kind, requests }) =>
    requests.map(({ endpoint, when }) => ({
      operation: operationOf(endpoint, allKnown),
      claim: { kind: kind.name, when },
    })),
  );
  const claimsOf = groupBy(claims, ({ operation }) => operation);
  const operationsOfEveryRun = new Set(readByEveryRun.map((endpoint) => operationOf(endpoint, all)));
  return (operation) => {
    const { group, method, path, operationId, isDeclarable, instead } = operation;
    const ownClaims = claimsOf.get(operation);
    // Kinds use an operation with the same effect instead.
    const claimsOfOther = ownClaims ? undefined : instead && claimsOf.get(operationOf(instead.use, all));
    return {
      group,
      method,
      path,
      operationId,
      isDeclarable: isDeclarable || undefined,
      claims: joinClaims((ownClaims ?? claimsOfOther ?? []).map(({ claim }) => claim)),
      instead: claimsOfOther && instead,
      isLookup: operationsOfEveryRun.has(operation) || undefined,
      ...callersOf.get(operation),
    };
  };
}

/** Returns the number of operations, and of those that something other than `trueup api` calls. */
const countClaimed = (operations: readonly CoveredOperation[]): CoverageCount => ({
  total: operations.length,
  claimed: operations.filter(isClaimed).length,
});

/** The users of an operation besides kinds. */
type Callers = Pick<CoveredOperation, 'actions' | 'lookups' | 'byApi'>;

/**
 * Returns for each operation of the API the actions and lookups that call it, and for an operation that only `trueup api` calls the reason
 * why (`byApi`). For `trueup kinds --coverage`, where actions and lookups count like the requests of kinds.
 */
function callersByOperation(
  actionsAndLookups: ActionsAndLookups | undefined,
  apiOperations: readonly ApiOperation[],
): Map<ApiOperation, Callers> {
  const callersOf = new Map<ApiOperation, Callers>();
  const add = (endpoint: string, extend: (callers: Callers) => Callers) => {
    const operation = operationOf(endpoint, apiOperations);
    if (operation) callersOf.set(operation, extend(callersOf.get(operation) ?? {}));
  };
  for (const { name, endpoint } of actionsAndLookups?.actions.values() ?? [])
    add(endpoint, (callers) => ({ ...callers, actions: [...(callers.actions ?? []), name] }));
  // Some lookups read a list with one endpoint, and a single object with another one.
  for (const { name, endpoint, single } of actionsAndLookups?.lookups.values() ?? [])
    for (const read of [endpoint, ...(single ? [single.endpoint] : [])])
      add(read, (callers) => ({ ...callers, lookups: [...(callers.lookups ?? []), name] }));
  for (const { operation, why } of actionsAndLookups?.byApi ?? [])
    add(operation, (callers) => ({ ...callers, byApi: why }));
  return callersOf;
}

const isClaimed = ({ claims, isLookup, actions, lookups }: CoveredOperation): boolean =>
  isLookup === true || claims.length > 0 || actions !== undefined || lookups !== undefined;

/**
 * Joins the claims (uses of one API operation) of each kind into one with all its purposes. A kind may send several
 * requests to the same operation, such as lists by state.
 */
const joinClaims = (claims: CoverageClaim[]): CoverageClaim[] =>
  [...groupBy(claims, ({ kind }) => kind)].map(([kind, kindClaims]) => ({
    kind,
    when: whens.filter((when) => kindClaims.some((claim) => claim.when.includes(when))),
  }));

/**
 * Returns the operation of the API that an endpoint such as `GET /v9/projects/{project}` calls; undefined if there
 * is none. Names of placeholders do not count, and the endpoint may have a word where the API has a placeholder; an
 * operation with placeholders in the same positions is preferred. Used to measure the coverage of the API, among
 * others.
 */
export function operationOf(endpoint: string, operations: readonly ApiOperation[]): ApiOperation | undefined {
  const [method, target] = endpoint.replace(/\?.*/, '').split(' ') as [string, string];
  const words = target.split('/');
  const isPlaceholder = (word: string) => word.startsWith('{');
  const candidates = bySize(operations).get(`${method} ${words.length}`) ?? [];
  const findMatch = (isSame: (step: string, word: string) => boolean) =>
    candidates.find(({ steps }) =>
      steps.every((step, index) => step === words[index] || isSame(step, words[index]!)),
    );
  const exactMatch = findMatch((step, word) => isPlaceholder(step) && isPlaceholder(word));
  const match = exactMatch ?? findMatch((step) => isPlaceholder(step));
  return match?.operation;
}

/**
 * Returns the name of the operation that an endpoint calls, as in the API catalog: `GET /v1/env`. An endpoint that the catalog does not
 * have keeps its own words. Used to list operations in `trueup permissions`, and to find the answers to the reads of a kind in `trueup
 * doctor`.
 */
export function operationNameOf(endpoint: string, operations: readonly ApiOperation[]): string {
  const operation = operationOf(endpoint, operations);
  return operation ? `${operation.method} ${operation.path}` : endpoint.split('?')[0]!;
}

/** Groups the operations by method and number of path steps, so that an endpoint is compared with few of them. */
const bySize = memoize((operations: readonly ApiOperation[]) => {
  const split = operations.map((operation) => ({ operation, steps: operation.path.split('/') }));
  return groupBy(split, ({ operation: { method }, steps }) => `${method} ${steps.length}`);
});

/**
 * Formats which operations of the API are used, for `trueup kinds --coverage`: every operation by group with its
 * users, and totals.
 * @param options.isNamed true to add the name by which `trueup api` can call an operation
 */
export function coverageText(
  { total, claimed, declarable, groups, outsideCatalog = [] }: ApiCoverage,
  { style, isNamed = false }: { style: Style; isNamed?: boolean },
): string {
  const titled = (title: string, rows: ColumnRow[]) =>
    [title, ...formatLabelledRows(rows, widthOf(style), 0.75)].join('\n');
  const blocks = groups.map((group) =>
    titled(
      `${style.strong(group.group)}  ${group.claimed} of ${group.total}`,
      group.operations.map((operation) => operationRow(operation, style, { isNamed })),
    ),
  );
  const outsideRows = outsideCatalog.map((operation) => ({
    label: operationLabel(operation),
    paint: style.quiet,
    cells: [{ text: `${claimWords(operation)}: ${formatEvidence(operation)}` }],
  }));
  const outsideTitle = 'outside the published catalog, which the platform can change without notice';
  return [
    ...blocks,
    ...(outsideRows.length > 0 ? [titled(style.strong(outsideTitle), outsideRows)] : []),
    style.strong(
      `${declarable.claimed} of ${declarable.total} operations that can be declared are claimed by kinds; of the other ${total - declarable.total}, ${claimed - declarable.claimed} are actions, lookups, or read by every run. \`trueup api\` can call all ${total}.`,
    ),
  ].join('\n\n');
}

/**
 * Returns the row of an operation in the list of coverage: its users (`claimWords`) or, in a quiet colour, that only `trueup api` calls it,
 * with the reason (`byApi`) if one is known. `isNamed`: the row also has the id of the operation.
 */
function operationRow(
  operation: CoveredOperation,
  style: Style,
  { isNamed }: { isNamed: boolean },
): ColumnRow {
  const { operationId, byApi } = operation;
  const name = isNamed && operationId !== null ? `  ${operationId}` : '';
  const label = `${operationLabel(operation)}${name}`;
  if (isClaimed(operation))
    return { label, paint: (text) => text, cells: [{ text: claimWords(operation), paint: style.add }] };
  const text = byApi === undefined ? 'trueup api' : `trueup api: ${byApi}`;
  return { label, paint: style.quiet, cells: [{ text, paint: style.quiet }] };
}

const operationLabel = ({ method, path }: ApiOperation): string => `  ${method.padEnd(6)} ${path}`;

/**
 * Returns who uses an operation of the API, as the text behind it in the list of coverage: actions, lookups, every run (`isLookup`), and
 * kinds with their purposes, such as `run promote; project (create, update)`. With `instead`, the kinds send another operation with the
 * same effect.
 */
const claimWords = ({ claims, isLookup, instead, actions, lookups }: CoveredOperation): string =>
  [
    ...(actions ? [`run ${actions.join(', ')}`] : []),
    ...(lookups ? [`get ${lookups.join(', ')}`] : []),
    ...(isLookup ? ['every run (account)'] : []),
    ...(instead
      ? [`${claims.map(({ kind }) => kind).join(', ')} (not sent: ${instead.why})`]
      : claims.map(({ kind, when }) => `${kind} (${when.join(', ')})`)),
  ].join('; ');

/** Formats where an operation outside the published catalog is known from, for `trueup kinds NAME` and `trueup kinds --coverage`. */
export const formatEvidence = ({ source, date }: ExtraOperation): string =>
  `known from the ${source} (${date})`;

/** Returns the query parameters that an endpoint takes, by the platform's catalog of operations. */
export const queryParametersOf = (endpoint: string, operations: readonly ApiOperation[]): readonly string[] =>
  operationOf(endpoint, operations)?.query ?? [];
