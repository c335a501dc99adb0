import type { DayTwo } from '../kind/action.ts';
import type { Kind } from '../kind/kind.ts';
import type { ApiOperation } from '../kind/provider.ts';
import { groupBy } from '../model/graph.ts';
import { memoize } from '../model/memoize.ts';
import type { Endpoint } from '../model/request.ts';
import type { Style } from '../report/style.ts';
import { labelled, widthOf } from './columns.ts';
import { type KindRequest, type When, whens } from './kind-requests.ts';

/** An operation of the API, and the kinds that use it, each once. */
interface CoveredOperation extends ApiOperation {
  claims: CoverageClaim[];
  /** Every run reads it, to know the account. */
  isLookup?: true;
  /** The actions and lookups that are this operation, by name. */
  actions?: string[];
  lookups?: string[];
  /** Why `trueup api` alone calls it. */
  byApi?: string;
}

interface CoverageClaim {
  kind: string;
  when: When[];
}

interface CoverageCount {
  total: number;
  claimed: number;
}

/** Counts the API operations that kinds, every run, actions and lookups use. */
interface Coverage extends CoverageCount {
  /** The number of operations that read or write objects that a configuration can declare. */
  declarable: CoverageCount;
  groups: ({ group: string; operations: CoveredOperation[] } & CoverageCount)[];
}

/**
 * Tells which operations are claimed: what follows from the kinds' data and plans, what another operation does as well, what every run looks
 * up, and what is an action's or a lookup's. `operations` may be some of `all`.
 */
export function coverageOf(
  operations: readonly ApiOperation[],
  kinds: { kind: Kind; requests: KindRequest[] }[],
  lookups: readonly Endpoint[],
  { all = operations, dayTwo }: { all?: readonly ApiOperation[]; dayTwo?: DayTwo } = {},
): Coverage {
  const ways = waysOf(dayTwo, all);
  const claims = kinds.flatMap(({ kind, requests }) =>
    requests.map(({ endpoint, when }) => ({
      operation: operationOf(endpoint, all),
      claim: { kind: kind.name, when },
    })),
  );
  const byOperation = groupBy(claims, ({ operation }) => operation);
  const lookedUp = new Set(lookups.map((endpoint) => operationOf(endpoint, all)));
  const covered = operations.map((operation): CoveredOperation => {
    const { group, method, path, operationId, isDeclarable, instead } = operation;
    const own = byOperation.get(operation);
    const of = own ?? (instead && byOperation.get(operationOf(instead.use, all)));
    const isLookup = lookedUp.has(operation);
    return {
      group,
      method,
      path,
      operationId,
      ...(isDeclarable ? { isDeclarable } : {}),
      claims: joinClaims((of ?? []).map(({ claim }) => claim)),
      ...(of && !own && instead ? { instead } : {}),
      ...(isLookup ? { isLookup } : {}),
      ...ways.get(operation),
    };
  });
  const count = (coveredOperations: CoveredOperation[]): CoverageCount => ({
    total: coveredOperations.length,
    claimed: coveredOperations.filter(isClaimed).length,
  });
  return {
    ...count(covered),
    declarable: count(covered.filter(({ isDeclarable }) => isDeclarable)),
    groups: [...groupBy(covered, ({ group }) => group)].map(([group, of]) => ({
      group,
      ...count(of),
      operations: of,
    })),
  };
}

type Way = Pick<CoveredOperation, 'actions' | 'lookups' | 'byApi'>;

/** The ways to operations that are no kind's. */
function waysOf(dayTwo: DayTwo | undefined, apiOperations: readonly ApiOperation[]): Map<ApiOperation, Way> {
  const ways = new Map<ApiOperation, Way>();
  const add = (endpoint: string, way: (before: Way) => Way) => {
    const operation = operationOf(endpoint, apiOperations);
    if (operation) ways.set(operation, way(ways.get(operation) ?? {}));
  };
  for (const { name, endpoint } of dayTwo?.actions.values() ?? [])
    add(endpoint, (way) => ({ ...way, actions: [...(way.actions ?? []), name] }));
  for (const { name, endpoint, one } of dayTwo?.lookups.values() ?? [])
    for (const read of [endpoint, ...(one ? [one.endpoint] : [])])
      add(read, (way) => ({ ...way, lookups: [...(way.lookups ?? []), name] }));
  for (const { operation, why } of dayTwo?.byApi ?? []) add(operation, (way) => ({ ...way, byApi: why }));
  return ways;
}

const isClaimed = ({ claims, isLookup, actions, lookups }: CoveredOperation): boolean =>
  isLookup === true || claims.length > 0 || actions !== undefined || lookups !== undefined;

/** Several requests of a kind may be one operation: a list by state, for example. */
const joinClaims = (claims: CoverageClaim[]): CoverageClaim[] =>
  [...groupBy(claims, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    when: whens.filter((when) => of.some((claim) => claim.when.includes(when))),
  }));

/** The operation that an endpoint is, whatever its placeholders are called; a word may stand where the API has a placeholder. */
export function operationOf(endpoint: string, operations: readonly ApiOperation[]): ApiOperation | undefined {
  const [method, target] = endpoint.replace(/\?.*/, '').split(' ') as [string, string];
  const words = target.split('/');
  const isOpen = (word: string) => word.startsWith('{');
  const some = bySize(operations).get(`${method} ${words.length}`) ?? [];
  const fits = (isSame: (own: string, word: string) => boolean) =>
    some.find(({ own }) => own.every((part, index) => part === words[index] || isSame(part, words[index]!)));
  return (fits((own, word) => isOpen(own) && isOpen(word)) ?? fits(isOpen))?.operation;
}

/** The operations of each method with so many parts in their paths. */
const bySize = memoize((operations: readonly ApiOperation[]) => {
  const split = operations.map((operation) => ({ operation, own: operation.path.split('/') }));
  return groupBy(split, ({ operation: { method }, own }) => `${method} ${own.length}`);
});

/** Every operation of the API by group, with the kinds that use it, and totals. `isNamed`: and its name, by which it can be called. */
export function coverageText(
  { total, claimed, declarable, groups }: Coverage,
  { style, isNamed = false }: { style: Style; isNamed?: boolean },
): string {
  const width = widthOf(style);
  const blocks = groups.map(({ group, total, claimed, operations }) =>
    [
      `${style.strong(group)}  ${claimed} of ${total}`,
      ...labelled(
        operations.map((operation) => ({
          label: `  ${operation.method.padEnd(6)} ${operation.path}${isNamed && operation.operationId !== null ? `  ${operation.operationId}` : ''}`,
          paint: (label: string) => (isClaimed(operation) ? label : style.quiet(label)),
          cells: [
            isClaimed(operation)
              ? { text: claimWords(operation), paint: style.add }
              : {
                  text: operation.byApi === undefined ? 'trueup api' : `trueup api: ${operation.byApi}`,
                  paint: style.quiet,
                },
          ],
        })),
        width,
        0.75,
      ),
    ].join('\n'),
  );
  return [
    ...blocks,
    style.strong(
      `${declarable.claimed} of ${declarable.total} operations that can be declared are claimed by kinds; of the other ${total - declarable.total}, ${claimed - declarable.claimed} are actions, lookups, or read by every run. \`trueup api\` can call all ${total}.`,
    ),
  ].join('\n\n');
}

const claimWords = ({ claims, isLookup, instead, actions, lookups }: CoveredOperation): string =>
  [
    ...(actions ? [`run ${actions.join(', ')}`] : []),
    ...(lookups ? [`get ${lookups.join(', ')}`] : []),
    ...(isLookup ? ['every run (account)'] : []),
    ...(instead
      ? [`${claims.map(({ kind }) => kind).join(', ')} (not sent: ${instead.why})`]
      : claims.map(({ kind, when }) => `${kind} (${when.join(', ')})`)),
  ].join('; ');
